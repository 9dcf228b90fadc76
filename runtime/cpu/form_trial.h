// SPDX-License-Identifier: Apache-2.0
// Forms of a kernel, one lane and many say, that give the same results: which is fastest is measured while
// launches run. No estimate knows how long the rows of somebody's matrix are.
//
//   tasks of launches:   0  1  2  3  4 5  6 7  8 9 10 11   ...
//   form:                A  A  A  B  B A  A B  B A  A  A   the rest in the faster one
//
// A task runs once, in one of the forms. When a kernel has run for as long as it took to compile, a thread
// compiles its other forms, one after the other. Each that is ready is compared with the best one so far.
#pragma once

#include <array>
#include <atomic>
#include <cstdint>
#include <functional>
#include <mutex>
#include <optional>
#include <thread>
#include <vector>

namespace kc {

class CpuKernel;

class FormTrial {
 public:
  static constexpr unsigned kMostForms = 6;
  /// A sample is at most such a part of a launch; tasks that can be cut to measure are smaller.
  static constexpr uint64_t kParts = 64, kTasks = 256;
  struct Form {
    const CpuKernel* kernel = nullptr;
    uint32_t private_bytes = 0;  // of a work-item
  };
  /// So many tasks in one of the forms. The first form has number 0.
  struct Chunk {
    unsigned form = 0;
    uint64_t tasks = 0;
    bool measured = false;
  };
  struct Times {
    uint64_t tasks = 0;
    double nanoseconds = 0;
  };
  /// Another form each time, none when there are no more; from the second one on, while the first is in use.
  using Make = std::function<std::optional<Form>()>;

  /// `make` compiles; called by one thread, at most kMostForms - 1 times, once the kernel has run for
  /// `nanoseconds`.
  FormTrial(Make make, double nanoseconds) : make_(std::move(make)), worth_(nanoseconds) {}

  /// Before the first launch: there is no other form than the first and this one, and this one is faster; the
  /// first is, if there is none.
  void settle(const std::optional<Form>& faster);
  /// What a thread runs next of a launch of `all` tasks of so many work-items, `left` of which are its own to
  /// run. Launches may cut their tasks differently.
  Chunk next(uint64_t left, uint64_t all, double items);
  void note(const Chunk& chunk, double items, double nanoseconds);
  /// How many forms there are.
  unsigned count() const { return count_.load(std::memory_order_acquire); }
  /// Form 1 or a later one.
  const Form& other(unsigned form) const { return others_[form - 1]; }
  /// The form that was chosen, or -1 while it is not known.
  int chosen() const { return chosen_.load(std::memory_order_acquire); }
  /// Whether no other form will be compared with the chosen one soon.
  bool settled() const { return chosen() >= 0 && complete_.load(std::memory_order_acquire); }
  /// What was measured so far, by form.
  std::array<Times, kMostForms> times() const;
  /// Called when a launch begins: after many of them the times are measured again.
  void launched();

 private:
  struct Sample {
    double items = 0, nanoseconds = 0;
  };
  struct Pace {
    double mean = 0, deviation = 0;  // nanoseconds of a work-item
  };
  Pace pace_of(unsigned form) const;
  void decide();
  void start(const std::vector<unsigned>& forms);
  void start_with_new();
  void compile(const std::stop_token& stop);

  Make make_;
  const double worth_;
  std::array<Form, kMostForms - 1> others_;
  std::atomic<unsigned> count_ = 1;
  std::atomic<bool> compiling_ = false, complete_ = false;
  std::atomic<int> chosen_ = -1;
  std::atomic<uint32_t> turn_ = 0, launches_ = 0;
  std::atomic<float> pace_ = 0;  // work-items of a nanosecond, in the fastest form so far
  mutable std::mutex mutex_;
  std::array<Times, kMostForms> times_{};
  unsigned compared_ = 1;       // forms that are or were in a comparison
  std::vector<unsigned> last_;  // forms of the present comparison, or of the last one
  // Of the present comparison: samples by form, and the forms that are still in it.
  std::array<std::vector<Sample>, kMostForms> samples_{};
  std::array<std::atomic<unsigned>, kMostForms> in_{};
  std::atomic<unsigned> in_count_ = 0;
  bool close_ = true;      // the last comparison found no large difference
  std::jthread compiler_;  // ends before what it uses
};

}  // namespace kc
