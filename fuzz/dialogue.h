// SPDX-License-Identifier: Apache-2.0
// A computation that asks: a coroutine that stops at each question until whoever drives it has answered.
//
//   Dialogue<std::string, bool, int> count() {
//     int n = 0;
//     while (co_await std::string("more?")) ++n;    // asks
//     co_return n + co_await part();                // a part asks, too
//   }
//
//   auto d = count();
//   while (const std::string* q = d.question()) d.answer(reply(*q));
//   use(d.result());
//
// Where the answers come from may need time, another process or another thread: the computation knows nothing
// of it, and needs no thread.
#pragma once

#include <coroutine>
#include <cstdlib>
#include <optional>
#include <utility>

namespace kc {

/// What a dialogue and its parts have in common.
template <typename Question, typename Answer>
struct DialogueTable {
  std::optional<Question> question;
  std::optional<Answer> answer;
  std::coroutine_handle<> next;  // goes on when nothing is asked
};

/// `Result` is not void. GCC 12 loses track of temporaries in larger expressions: await parts and answers
/// where a statement begins or a value is initialised, not in a condition or a choice.
template <typename Question, typename Answer, typename Result>
class [[nodiscard]] Dialogue {
 public:
  using Table = DialogueTable<Question, Answer>;
  struct promise_type;
  using Handle = std::coroutine_handle<promise_type>;

  explicit Dialogue(Handle handle) : handle_(handle) {}
  Dialogue(Dialogue&& other) noexcept : handle_(std::exchange(other.handle_, {})) {}
  Dialogue& operator=(Dialogue&& other) noexcept {
    std::swap(handle_, other.handle_);
    return *this;
  }
  ~Dialogue() {
    if (handle_) handle_.destroy();
  }

  /// Goes on up to a question that is not answered. Null: there is none, and there is a result.
  const Question* question() {
    Table& table = handle_.promise().own;
    if (!handle_.promise().begun) handle_.promise().begun = true, table.next = handle_;
    // Parts return to this loop and not to each other, so the stack does not grow with their number.
    while (!table.question && table.next) std::exchange(table.next, {}).resume();
    return table.question ? &*table.question : nullptr;
  }
  /// To the question.
  void answer(Answer answer) {
    Table& table = handle_.promise().own;
    table.question.reset();
    table.answer = std::move(answer);
  }
  /// After the last question.
  Result& result() { return *handle_.promise().result; }

 private:
  template <typename, typename, typename>
  friend class Dialogue;
  Handle handle_;
};

template <typename Question, typename Answer, typename Result>
struct Dialogue<Question, Answer, Result>::promise_type {
  Table own;
  Table* table = &own;  // of the dialogue that this is a part of
  std::coroutine_handle<> whole;
  std::optional<Result> result;
  bool begun = false;

  struct Return {
    bool await_ready() const noexcept { return false; }
    void await_suspend(Handle h) const noexcept { h.promise().table->next = h.promise().whole; }
    void await_resume() const noexcept {}
  };
  struct Asked {
    Table& table;
    bool await_ready() const noexcept { return false; }
    void await_suspend(std::coroutine_handle<> h) const noexcept { table.next = h; }
    Answer await_resume() const { return *std::exchange(table.answer, {}); }
  };
  template <typename PartResult>
  struct Part {
    typename Dialogue<Question, Answer, PartResult>::Handle
        part;  // of one that lives as long as the statement
    Table& table;
    bool await_ready() const noexcept { return false; }
    void await_suspend(std::coroutine_handle<> h) const noexcept {
      part.promise().whole = h;
      part.promise().table = &table;
      table.next = part;
    }
    PartResult await_resume() const { return std::move(*part.promise().result); }
  };

  Dialogue get_return_object() { return Dialogue(Handle::from_promise(*this)); }
  std::suspend_always initial_suspend() const noexcept { return {}; }
  Return final_suspend() const noexcept { return {}; }
  void return_value(Result value) { result = std::move(value); }
  [[noreturn]] void unhandled_exception() const noexcept { std::abort(); }
  Asked await_transform(Question question) {
    table->question = std::move(question);
    return {*table};
  }
  template <typename PartResult>
  Part<PartResult> await_transform(const Dialogue<Question, Answer, PartResult>& part) {
    return {part.handle_, *table};
  }
};

}  // namespace kc
