// SPDX-License-Identifier: Apache-2.0
#include "fuzz/reduce.h"

#include <algorithm>
#include <cctype>
#include <vector>

namespace kc::fuzz {
namespace {

using Lines = std::vector<std::string>;

Lines split(const std::string& source) {
  Lines lines;
  for (size_t at = 0; at < source.size();) {
    size_t end = std::min(source.find('\n', at), source.size());
    lines.push_back(source.substr(at, end - at));
    at = end + 1;
  }
  return lines;
}

std::string join(const Lines& lines) {
  std::string s;
  for (const std::string& line : lines) s += line + "\n";
  return s;
}

Lines without(const Lines& lines, size_t from, size_t to) {
  Lines shorter = lines;
  shorter.erase(shorter.begin() + static_cast<std::ptrdiff_t>(from),
                shorter.begin() + static_cast<std::ptrdiff_t>(to));
  return shorter;
}

bool closes(const std::string& line) {
  size_t first = line.find_first_not_of(' ');
  return first != std::string::npos && line[first] == '}';
}

// The line after the statement that starts at line i, or after its closing brace if it opens one.
size_t end_of(const Lines& lines, size_t i) {
  int depth = 0;
  for (size_t k = i; k < lines.size(); ++k) {
    if (closes(lines[k])) --depth;
    if (lines[k].ends_with(" {")) ++depth;
    if (depth <= 0) return k + 1;
  }
  return lines.size();
}

bool is_of_name(char c) { return std::isalnum(static_cast<unsigned char>(c)) || c == '_'; }
bool opens(char c) { return c == '(' || c == '{' || c == '['; }
bool shuts(char c) { return c == ')' || c == '}' || c == ']'; }

// The position after the bracket that closes the one at `open`, or npos.
size_t behind_group(const std::string& text, size_t open) {
  int depth = 0;
  for (size_t k = open; k < text.size(); ++k) {
    if (opens(text[k])) ++depth;
    if (shuts(text[k]) && --depth == 0) return k + 1;
  }
  return std::string::npos;
}

// The parts between the separators of "a + (b - c)", outside brackets.
Lines parts_of(const std::string& text, char separator) {
  Lines parts(1);
  int depth = 0;
  for (char c : text) {
    depth += opens(c) - shuts(c);
    if (c == separator && depth == 0)
      parts.emplace_back();
    else
      parts.back() += c;
  }
  return parts;
}

class Reducer {
 public:
  Reducer(const std::string& source, size_t most) : lines_(split(source)), left_(most) {}

  Reduction run() {
    size_t end = lines_.size();
    co_await prune(0, end, true);
    do {
      smaller_ = false;
      for (size_t chunk : {16, 4, 1}) co_await drop(chunk);
      co_await unwrap();
      co_await shorten();
    } while (smaller_);
    co_return join(indented());
  }

 private:
  // Whether it has made the program smaller.
  using Step = Dialogue<std::string, bool, bool>;

  Step attempt(Lines lines) {
    if (left_ == 0) co_return false;
    --left_;
    const bool interesting = co_await join(lines);
    if (!interesting) co_return false;
    lines_ = std::move(lines);
    co_return smaller_ = true;
  }

  Lines indented() const {
    Lines result;
    size_t depth = 0;
    for (const std::string& line : lines_) {
      size_t first = line.find_first_not_of(' ');
      if (first == std::string::npos) continue;
      if (closes(line) && depth > 0) --depth;
      result.push_back(std::string(depth * 4, ' ') + line.substr(first));
      if (line.ends_with(" {")) ++depth;
    }
    return result;
  }

  // The statements with braces of a list of statements.
  std::vector<std::pair<size_t, size_t>> blocks_in(size_t from, size_t to) const {
    std::vector<std::pair<size_t, size_t>> found;
    for (size_t i = from; i < to;) {
      const size_t end = end_of(lines_, i);
      if (lines_[i].ends_with(" {")) found.emplace_back(i, end);
      i = end;
    }
    return found;
  }

  // Begins with what is large: of the statements with braces in [from, to) it removes all, then halves,
  // quarters and single ones, and does the same inside of those that are left. Such a statement is most of a
  // graph, and nothing behind it uses what it declares, so nearly each of these candidates compiles. What
  // cannot be removed may still be replaced by its contents, unless it is a function. `to` stays the end.
  Step prune(size_t from, size_t& to, bool functions) {
    for (size_t part = blocks_in(from, to).size(); part > 0; part /= 2)
      for (size_t kept = 0;;) {
        const auto blocks = blocks_in(from, to);
        if (kept >= blocks.size()) break;
        const size_t count = std::min(part, blocks.size() - kept);
        Lines shorter = lines_;
        for (size_t k = kept + count; k-- > kept;)
          shorter.erase(shorter.begin() + static_cast<std::ptrdiff_t>(blocks[k].first),
                        shorter.begin() + static_cast<std::ptrdiff_t>(blocks[k].second));
        const size_t removed = lines_.size() - shorter.size();
        const bool gone = co_await attempt(std::move(shorter));
        if (gone)
          to -= removed;
        else
          kept += count;
      }
    for (size_t i = from; i < to;) {
      const size_t before = lines_.size();
      // From the last part to the first: those before it stay where they are.
      for (size_t k = brace_lines(i).size(); k-- > 1;) {
        size_t end = brace_lines(i)[k];
        co_await prune(brace_lines(i)[k - 1] + 1, end, false);
      }
      bool unwrapped = false;
      if (!functions && lines_[i].ends_with(" {"))
        unwrapped = co_await attempt(without_lines(brace_lines(i)));
      to -= before - lines_.size();
      if (!unwrapped) i = end_of(lines_, i);
    }
    co_return smaller_;
  }

  // Removes `chunk` consecutive statements at a time.
  Step drop(size_t chunk) {
    for (size_t i = 0; i < lines_.size();) {
      size_t end = i, count = 0;
      while (count < chunk && end < lines_.size() && (end == i || !closes(lines_[end])))
        end = end_of(lines_, end), ++count;
      bool dropped = false;
      if (count == chunk) dropped = co_await attempt(without(lines_, i, end));
      if (!dropped) i += std::max<size_t>(chunk / 2, 1);
    }
    co_return smaller_;
  }

  // A statement with braces is replaced by its contents, by one of several parts (as of `if` and `else`), or
  // by all parts except one.
  Step unwrap() {
    for (size_t i = 0; i < lines_.size(); ++i) {
      std::vector<size_t> braces = brace_lines(i);
      if (braces.size() < 2) continue;
      const bool without_braces = co_await attempt(without_lines(braces));
      if (without_braces) continue;
      for (size_t k = 0; braces.size() > 2 && k + 1 < braces.size(); ++k) {
        Lines body(lines_.begin() + static_cast<std::ptrdiff_t>(braces[k]) + 1,
                   lines_.begin() + static_cast<std::ptrdiff_t>(braces[k + 1]));
        Lines changed = without(lines_, i, braces.back() + 1);
        changed.insert(changed.begin() + static_cast<std::ptrdiff_t>(i), body.begin(), body.end());
        bool done = co_await attempt(std::move(changed));
        if (!done && k > 0) done = co_await attempt(without(lines_, braces[k], braces[k + 1]));
        if (done) break;
      }
    }
    co_return smaller_;
  }
  // The brace lines of the statement that starts at line i.
  std::vector<size_t> brace_lines(size_t i) const {
    std::vector<size_t> found;
    int depth = 0;
    for (size_t k = i, end = end_of(lines_, i); k < end; ++k) {
      if (closes(lines_[k]) && --depth == 0) found.push_back(k);
      if (lines_[k].ends_with(" {") && depth++ == 0 && (found.empty() || found.back() != k))
        found.push_back(k);
    }
    return found;
  }
  Lines without_lines(const std::vector<size_t>& dropped) const {
    Lines shorter = lines_;
    for (size_t k = dropped.size(); k-- > 0;)
      shorter.erase(shorter.begin() + static_cast<std::ptrdiff_t>(dropped[k]));
    return shorter;
  }

  // Simplifies expressions: a bracketed group becomes a number or one of its operands, or a list loses an
  // element.
  Step shorten() {
    for (size_t i = 0; i < lines_.size(); ++i)
      for (size_t open = 0; open < lines_[i].size(); ++open)
        if (lines_[i][open] == '(' || lines_[i][open] == '{') co_await shorten(i, open);
    co_return smaller_;
  }
  Step shorten(size_t i, size_t open) {
    size_t end = behind_group(lines_[i], open);
    if (end == std::string::npos) co_return false;
    std::string inside = lines_[i].substr(open + 1, end - open - 2);
    Lines choices{"0", "1"};
    if (Lines parts = parts_of(inside, ' '); parts.size() > 1)
      choices.insert(choices.end(), parts.begin(), parts.end());
    Lines elements = parts_of(inside, ',');
    for (size_t k = 0; elements.size() > 1 && k < elements.size(); ++k) {
      std::string rest;
      for (size_t j = 0; j < elements.size(); ++j)
        if (j != k) rest += (rest.empty() ? "" : ",") + elements[j];
      choices.push_back(rest);
    }
    for (const std::string& choice : choices) {
      if (choice.empty() || choice.size() >= inside.size()) continue;
      Lines changed = lines_;
      changed[i].replace(open + 1, inside.size(), choice);
      const bool shorter = co_await attempt(std::move(changed));
      if (shorter) co_return true;
    }
    const bool replaced = co_await instead_of_call(i, open, end, elements);
    if (replaced) co_return true;
    co_return co_await drop_component(i, end);
  }
  // Replaces "f(a, b)" by one of its arguments, and "(int2)(x)" by "x".
  Step instead_of_call(size_t i, size_t open, size_t end, const Lines& arguments) {
    size_t name = open;
    while (name > 0 && is_of_name(lines_[i][name - 1])) --name;
    if (name == open && open > 0 && lines_[i][open - 1] == ')') name = lines_[i].rfind('(', open - 1);
    if (name == open || name == std::string::npos) co_return false;
    for (const std::string& argument : arguments) {
      Lines changed = lines_;
      changed[i].replace(name, end - name, "(" + argument + ")");
      const bool replaced = co_await attempt(std::move(changed));
      if (replaced) co_return true;
    }
    co_return false;
  }
  // Replaces "(a).s31" by "(a)".
  Step drop_component(size_t i, size_t end) {
    size_t behind = end;
    if (behind >= lines_[i].size() || lines_[i][behind] != '.') co_return false;
    while (++behind < lines_[i].size() && is_of_name(lines_[i][behind])) {
    }
    Lines changed = lines_;
    changed[i].erase(end, behind - end);
    co_return co_await attempt(std::move(changed));
  }

  Lines lines_;
  size_t left_;
  bool smaller_ = false;
};

}  // namespace

std::string reduce(const std::string& source, const std::function<bool(const std::string&)>& interesting,
                   size_t most) {
  Reduction steps = reduction(source, most);
  while (const std::string* candidate = steps.question()) steps.answer(interesting(*candidate));
  return steps.result();
}

Reduction reduction(std::string source, size_t most) {
  Reducer reducer(source, most);
  co_return co_await reducer.run();
}

}  // namespace kc::fuzz
