// SPDX-License-Identifier: Apache-2.0
#include "fuzz/random_rows.h"

#include <fmt/format.h>

#include <tuple>
#include <utility>

#include "fuzz/random_expressions.h"
#include "fuzz/source_lines.h"

namespace kc::fuzz {
namespace {

constexpr uint32_t kTable = 128, kSums = 3;
constexpr uint32_t kSlack = 80;  // elements of a row behind the last one that a counter reaches

struct RowArray {
  Number number = Number::Int;
  bool restricted = false;
};

// All that a launch says.
struct RowLaunch {
  uint32_t x = 1, y = 1, m = 0;
  uint32_t items() const { return x * y; }
  uint32_t pitch() const { return 2 * m + kSlack; }
};

class RowWriter : SourceLines {
 public:
  explicit RowWriter(uint64_t seed) : random_(seed * 13 + 7), seed_(seed) {
    constexpr std::pair<uint32_t, uint32_t> sizes[] = {{1, 1}, {1, 1},  {2, 1},  {3, 1}, {4, 1}, {5, 1},
                                                       {2, 2}, {17, 1}, {40, 1}, {3, 3}, {8, 5}};
    constexpr uint32_t rows[] = {0, 1, 2, 5, 7, 8, 15, 16, 17, 31, 32, 33, 63, 64, 65, 77, 100, 128, 130};
    std::tie(launch_.x, launch_.y) = random_.pick_from(sizes);
    launch_.m = random_.pick_from(rows);
    constexpr Number numbers[] = {Number::Int,   Number::Uint,   Number::Int,   Number::Float,
                                  Number::Float, Number::Uchar,  Number::Char,  Number::Short,
                                  Number::Long,  Number::Ushort, Number::Ulong, Number::Double};
    for (uint32_t k = 0, n = random_.between(2, 4); k < n; ++k) {
      const Number number = random_.pick_from(numbers);
      arrays_.push_back({.number = number, .restricted = random_.chance(30)});
    }
    for (Number& sum : sums_)
      sum = random_.pick({Number::Int, Number::Int, Number::Uint, Number::Long, Number::Ulong});
  }

  RandomProgram write() {
    std::string parameters;
    for (size_t k = 0; k < arrays_.size(); ++k)
      parameters += fmt::format("global {}*{} a{}, ", spelling(arrays_[k].number),
                                arrays_[k].restricted ? " restrict" : "", k);
    open(
        fmt::format("kernel void k({}global const int* table, global long* out, int m, int pitch, int items)",
                    parameters));
    line("const int id = (int)(get_global_id(1) * get_global_size(0) + get_global_id(0));");
    line(random_.chance(80) ? "const int row = id * pitch;" : "const long row = (long)id * pitch;");
    for (uint32_t k = 0; k < kSums; ++k) {
      const char* start = random_.pick({"0", "1", "5", "id", "-1", "table[id & 7]"});
      line(fmt::format("{} s{} = {};", spelling(sums_[k]), k, start));
    }
    if (random_.chance(20)) line("if (id >= items) return;");
    for (uint32_t k = 0, n = random_.between(1, 3); k < n; ++k) {
      loop(0);
      between_loops();
    }
    for (uint32_t k = 0; k < kSums; ++k) line(fmt::format("out[id * {} + {}] = s{};", kSums, k, k));
    close();
    return {.kind = ProgramKind::Registers, .source = take(), .launch = launch()};
  }

 private:
  std::vector<std::string> launch() const {
    std::vector<std::string> options{"--global", launch_.y > 1 ? fmt::format("{},{}", launch_.x, launch_.y)
                                                               : fmt::format("{}", launch_.x)};
    auto argument = [&](std::string text) { options.insert(options.end(), {"--arg", std::move(text)}); };
    for (size_t k = 0; k < arrays_.size(); ++k) {
      const std::string type = argument_type(arrays_[k].number);
      argument(fmt::format("a{}={}[{}]:rand({},{},9)", k, type, launch_.items() * launch_.pitch(), seed_ + k,
                           type[0] == 'u' ? 0 : -9));
    }
    argument(fmt::format("table=i32[{}]:rand({},-20,20)", kTable, seed_ + 9));
    argument(fmt::format("out=i64[{}]", launch_.items() * kSums));
    argument(fmt::format("m={}", launch_.m));
    argument(fmt::format("pitch={}", launch_.pitch()));
    argument(fmt::format("items={}", launch_.items()));
    return options;
  }

  // Statements between loops see what the loops left.
  void between_loops() {
    const uint32_t array = any_array(), sum = random_.below(kSums);
    const std::string_view number = spelling(arrays_[array].number);
    switch (random_.below(6)) {
      case 0:
        line(fmt::format("a{}[row] += ({})s{};", array, number, sum));
        break;
      case 1:
        line(fmt::format("if (s{} > 900) return;", sum));
        break;
      case 2:
        line(fmt::format("s{0} = s{0} * 3 + a{1}[row + m];", sum, array));
        break;
      default:
        break;
    }
  }

  // Elements of the stored array that an iteration loads are near ones in some loops, so that iterations
  // depend on each other, and those that no wave of iterations reaches in the others.
  std::string ahead() {
    if (calm_) return random_.pick({" + 64", " + 65", " + 66", " + 79"});
    return random_.pick({" + 1", " + 2", " + 4", " + 7", " + 8", " + 9", " + 14", " + 15", " + 16", " + 17",
                         " + 31", " + 32", " + 33", " + 63", " + 64", " + 65", " + 79", " + m"});
  }
  uint32_t any_array() { return random_.below(static_cast<uint32_t>(arrays_.size())); }
  uint32_t loaded_array() {
    const uint32_t array = any_array();
    return calm_ && array == stored_ ? (array + 1) % static_cast<uint32_t>(arrays_.size()) : array;
  }

  // An element of the work-item's row, or of the table. `at`: the place of the counter in the row.
  std::string element(const std::string& at) {
    const uint32_t array = loaded_array(), choice = random_.below(100);
    const std::string further = ahead();
    const uint32_t other = loaded_array(), times = random_.between(2, 3);
    if (choice < 45) return fmt::format("a{}[row + {}]", array, at);
    if (choice < 52) return fmt::format("a{}[row + {}{}]", array, at, further);
    if (choice < 57) return fmt::format("a{}[row + {}{}]", stored_, at, further);
    if (choice < 63) return fmt::format("a{}[row + m - (int){}]", array, at);
    if (choice < 69) return fmt::format("a{}[row + m + {}]", array, at);
    if (choice < 77) return fmt::format("a{}[row + {}]", array, random_.pick({"0", "m", "7"}));
    if (choice < 83) return fmt::format("a{}[row + (uint)a{}[row + {}] % (uint)pitch]", array, other, at);
    if (choice < 88) return fmt::format("table[({} * {}) & {}]", at, times, kTable - 1);
    if (choice < 92) return fmt::format("table[(id + {}) & {}]", at, kTable - 1);
    return random_.pick({"3", "7", "-2", "100", "id", "m"});
  }

  // `here`: an element that the same iteration stores.
  std::string value(const std::string& at, const std::string& here = "", uint32_t depth = 0) {
    const uint32_t choice = random_.below(100);
    if (!here.empty() && choice < 20) return here;
    if (choice < 25) return fmt::format("(int){}", at);
    if (choice < 60 || depth > 2) return element(at);
    const std::string left = value(at, here, depth + 1), right = value(at, here, depth + 1);
    if (choice < 70) {
      const std::string third = value(at, here, depth + 1), fourth = value(at, here, depth + 1);
      return fmt::format("({} > {} ? {} : {})", left, right, third, fourth);
    }
    return fmt::format("({} {} {})", left, random_.pick({"+", "-", "*", "+"}), right);
  }
  std::string condition(const std::string& at) {
    const std::string left = value(at, "", 2), right = value(at, "", 2);
    return fmt::format("{} {} {}", left, random_.pick({">", "<", "!="}), right);
  }

  void accumulate(const std::string& at) {
    const uint32_t sum = random_.below(kSums), choice = random_.below(10);
    const std::string type(spelling(sums_[sum]));
    const std::string v = fmt::format("({})(int)({})", type, value(at));
    if (choice < 6) {
      const char* operation = random_.pick({"+", "+", "-", "^", "|", "&", "*"});
      line(fmt::format("s{} {}= {};", sum, operation, v));
    } else if (choice == 6) {
      line(fmt::format("s{0} = {1}(s{0}, {2});", sum, random_.pick({"min", "max"}), v));
    } else if (choice == 7) {
      line(fmt::format("s{0} = {1} ? s{0} + {2} : s{0};", sum, condition(at), v));
    } else if (choice == 8) {
      line(fmt::format("s{0} = {1} + s{0};", sum, v));
    } else {
      line(fmt::format("if ({1} > s{0}) s{0} = {1};", sum, v));
    }
  }

  void store(const std::string& at, const std::string& pointer) {
    const uint32_t array = calm_ || random_.chance(70) ? stored_ : any_array();
    const std::string further = calm_ || random_.chance(50) ? "" : ahead();
    std::string place = fmt::format("a{}[row + {}{}]", array, at, further);
    if (pointed_ && array == stored_ && (calm_ || random_.chance(70))) place = pointer;
    const char* operation = random_.pick({"=", "=", "+=", "-="});
    line(fmt::format("{} {} ({})({});", place, operation, spelling(arrays_[array].number), value(at, place)));
  }

  void statement(const std::string& at, const std::string& pointer, uint32_t depth) {
    const uint32_t choice = random_.below(100);
    if (depth < 2 && choice < 22) {
      open(fmt::format("if ({})", condition(at)));
      statement(at, pointer, depth + 1);
      if (random_.chance(40)) {
        reopen("} else {");
        statement(at, pointer, depth + 1);
      }
      close();
    } else if (choice < 60) {
      store(at, pointer);
    } else {
      accumulate(at);
    }
  }

  // How a loop counts: the line in front of it, its head, the last line of its body, and the place of the
  // counter in the row. Lines may be empty.
  struct Counting {
    std::string first, head, last, at;
  };
  Counting counting(const std::string& j) {
    const char* type = random_.pick({"int", "int", "int", "uint", "long", "ulong"});
    const char* start = random_.pick({"0", "0", "0", "1", "id & 3", "m / 3"});
    std::string end = random_.pick({"m", "m", "m", "m - 1", "m / 2 + 1", "min(m, 50)"});
    const uint32_t sum = random_.below(kSums), choice = random_.below(10);
    if (random_.chance(15)) end = fmt::format("(int)((uint)s{} % (uint)(m + 1))", sum);
    // A bound below zero is no large one, and none is beyond the row.
    end = fmt::format("({})max(0, min(m, {}))", type, end);
    switch (choice) {
      case 0:
        return {fmt::format("{} {} = {};", type, j, start), fmt::format("while ({} < {})", j, end),
                fmt::format("{}++;", j), j};
      case 1:
        return {"", fmt::format("for ({0} {1} = m - 1; {1} >= 0; {1}--)", random_.pick({"int", "long"}), j),
                "", j};
      case 2:
        return {"", fmt::format("for ({0} {1} = m; {1} > 0; {1}--)", type, j), "",
                fmt::format("({} - 1)", j)};
      case 3:
        return {"", fmt::format("for (int {0} = 1; {0} <= m; {0}++)", j), "", fmt::format("({} - 1)", j)};
      case 4:
        return {"", fmt::format("for ({0} {1} = 0; {1} != ({0})m; {1}++)", type, j), "", j};
      case 5:
        return {"",
                fmt::format("for ({0} {1} = {2}; {1} < {3}; {1} += {4})", type, j, start, end,
                            random_.between(2, 3)),
                "", j};
      default:
        return {"", fmt::format("for ({0} {1} = {2}; {1} < {3}; {1}++)", type, j, start, end), "", j};
    }
  }

  // Loops around loops, behind conditions, or by themselves.
  void loop(uint32_t depth) {
    const uint32_t around = random_.below(100), number = loops_++;
    if (depth < 2 && around < 15) {
      open(fmt::format("for (int o{0} = 0; o{0} < {1}; o{0}++)", number,
                       random_.pick({"2", "3", "(id & 1) + 1", "(int)(s0 & 3)"})));
      if (random_.chance(30)) loop(depth + 1);
      loop(depth + 1);
      if (random_.chance(50)) line(fmt::format("s1 += o{};", number));
      close();
      return;
    }
    if (depth < 2 && around < 25) {
      open(fmt::format("if ({})", condition("0")));
      loop(depth + 1);
      close();
      return;
    }
    const Counting c = counting(fmt::format("j{}", number));
    const std::string second = fmt::format("c{}", number), pointer = fmt::format("p{}", number);
    const bool counts_twice = random_.chance(15);
    calm_ = random_.chance(65), stored_ = any_array(), pointed_ = random_.chance(15);
    open();
    if (counts_twice) line(fmt::format("int {} = {};", second, random_.pick({"0", "3", "m", "id"})));
    if (pointed_)
      line(fmt::format("global {}* {} = a{} + row{};", spelling(arrays_[stored_].number), pointer, stored_,
                       random_.pick({"", " + 1", " + 70"})));
    if (!c.first.empty()) line(c.first);
    open(c.head);
    for (uint32_t k = 0, n = random_.between(1, 3); k < n; ++k)
      statement(c.at, fmt::format("*{}", pointer), 0);
    if (counts_twice) {
      line(fmt::format("s2 += (uint){0} < (uint)pitch ? (int)a{1}[row + {0}] : 1;", second, loaded_array()));
      line(fmt::format("{}{};", second, random_.pick({"++", "--", " += 2"})));
    }
    if (pointed_) line(fmt::format("{}++;", pointer));
    if (!c.last.empty()) line(c.last);
    close();
    close();
    calm_ = false;
  }

  Random random_;
  const uint64_t seed_;
  RowLaunch launch_;
  std::vector<RowArray> arrays_;
  Number sums_[kSums]{};
  uint32_t loops_ = 0;
  // Of the current loop:
  uint32_t stored_ = 0;   // the array that it stores to, or does so most often
  bool calm_ = false;     // only to that one
  bool pointed_ = false;  // there is a pointer into it
};

}  // namespace

RandomProgram random_rows(uint64_t seed) { return RowWriter(seed).write(); }

}  // namespace kc::fuzz
