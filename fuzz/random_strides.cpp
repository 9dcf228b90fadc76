// SPDX-License-Identifier: Apache-2.0
#include "fuzz/random_strides.h"

#include <fmt/format.h>

#include <utility>

#include "fuzz/random.h"
#include "fuzz/source_lines.h"

namespace kc::fuzz {
namespace {

constexpr uint32_t kBehind = 80;  // elements behind the last one that a counter reaches

class StrideWriter : SourceLines {
 public:
  explicit StrideWriter(uint64_t seed) : random_(seed * 17 + 3), seed_(seed) {
    constexpr std::pair<uint32_t, uint32_t> sizes[] = {{64, 64}, {128, 32},  {96, 48}, {40, 10}, {256, 64},
                                                       {45, 45}, {300, 100}, {1, 1},   {64, 16}, {200, 40}};
    constexpr uint32_t lengths[] = {0, 1, 5, 31, 63, 64, 65, 100, 500, 999, 1000, 1024, 1500};
    std::tie(items_, group_) = random_.pick_from(sizes);
    n_ = random_.pick_from(lengths);
    if (random_.chance(25)) rows_ = random_.between(2, 4);
  }

  RandomProgram write() {
    open(
        "kernel void k(global const int* a0, global const uchar* a1, global int* o, global long* out, int n, "
        "int m)");
    const uint32_t along = rows_ > 1 ? 1 : 0;
    line(fmt::format("const int id = get_global_id({0}), lid = get_local_id({0});", along));
    line(fmt::format("const int size = get_global_size({0}), lsize = get_local_size({0});", along));
    if (along) {
      line(fmt::format("const int row = get_global_id(0), from = row * {};", elements()));
      line("a0 += from, a1 += from, o += from, out += row * 4 * size;");
    }
    line("int s = 1, seen = -1;");
    line("long t = 0;");
    if (random_.chance(20)) line("if (id > m) return;");
    for (uint32_t k = 0, n = random_.between(1, 3); k < n; ++k) {
      const bool behind = random_.chance(15);
      if (behind)
        open(fmt::format("if ({})", random_.pick({"id % 3 != 1", "m > 20", "id < m", "a0[3] > 0"})));
      loop(k);
      if (behind) close();
    }
    const std::pair<const char*, const char*> results[] = {
        {"0", "s"}, {"1", "t"}, {"2", "seen"}, {"3", "s ^ (int)t"}};
    for (const auto& [at, value] : results) line(fmt::format("out[4 * id + {}] = {};", at, value));
    close();
    return {.kind = ProgramKind::Registers, .source = take(), .launch = launch()};
  }

 private:
  std::vector<std::string> launch() {
    const uint32_t all = rows_ * elements();
    const auto size = [&](uint32_t row, uint32_t along) {
      return rows_ > 1 ? fmt::format("{},{}", row, along) : fmt::to_string(along);
    };
    std::vector<std::string> options{"--global", size(rows_, items_), "--local",
                                     size(rows_ == 4 ? 2 : 1, group_)};
    for (const std::string& a :
         {fmt::format("a0=i32[{}]:rand({},-100,100)", all, seed_),
          fmt::format("a1=u8[{}]:rand({})", all, seed_ + 1), fmt::format("o=i32[{}]", all),
          fmt::format("out=i64[{}]", 4 * rows_ * items_), fmt::format("n={}", n_),
          fmt::format("m={}", random_.below(300))})
      options.insert(options.end(), {"--arg", a});
    return options;
  }

  uint32_t elements() const { return n_ + kBehind; }  // of a row

  // `i`: a counter from 0 to n.
  std::string value(const std::string& i, uint32_t depth = 0) {
    const uint32_t choice = random_.below(depth > 2 ? 60 : 100);
    if (choice < 20) return fmt::format("a0[{}]", i);
    if (choice < 32) return fmt::format("a1[{}]", i);
    if (choice < 40) return fmt::format("a0[{} + {}]", i, random_.pick({1, 2, 7, 64}));
    if (choice < 44) return fmt::format("a1[n - (int){}]", i);
    if (choice < 48) return fmt::format("a0[({} * 7 + 1) % (n + 1)]", i);
    if (choice < 54) return fmt::format("(int){}", i);
    if (choice < 60) return random_.pick({"3", "-5", "m", "id", "s", "a0[2]"});
    const std::string left = value(i, depth + 1), right = value(i, depth + 1);
    if (choice < 70) return fmt::format("({} > {} ? {} : {})", left, right, right, value(i, depth + 1));
    return fmt::format("({} {} {})", left, random_.pick({"+", "-", "*", "^", "+"}), right);
  }
  std::string condition(const std::string& i) {
    if (random_.chance(30)) return fmt::format("({} + {}) % 7 == {}", value(i, 2), i, random_.below(7));
    return fmt::format("{} {} {}", value(i, 2), random_.pick({">", "<", "=="}), value(i, 2));
  }

  void statement(const std::string& i, bool owns, bool continues, uint32_t depth = 0) {
    const uint32_t choice = random_.below(depth > 1 ? 60 : 100);
    if (choice < 25) return line(fmt::format("s {}= {};", random_.pick({"+", "-", "^", "+"}), value(i)));
    if (choice < 35) return line(fmt::format("t = t * 3 + {};", value(i)));
    if (choice < 45 && owns) return line(fmt::format("o[{}] {} {};", i, random_.pick({"=", "+="}), value(i)));
    if (choice < 50) return line(fmt::format("seen = {};", value(i)));
    if (choice < 60) return line(fmt::format("s = {}(s, {});", random_.pick({"min", "max"}), value(i)));
    if (choice < 72) {
      open(fmt::format("if ({})", condition(i)));
      statement(i, owns, continues, depth + 1);
      if (random_.chance(40)) {
        reopen("} else {");
        statement(i, owns, continues, depth + 1);
      }
      return close();
    }
    if (choice < 78) return line(fmt::format("if ({} && {} > 300) break;", condition(i), i));
    if (choice < 82 && continues) return line(fmt::format("if ({}) continue;", condition(i)));
    if (choice < 85)
      return line(fmt::format("if ({} && s > 500) {{ out[4 * id] = s; return; }}", condition(i)));
    const char* turns = random_.pick({"3", "(int)(a1[2] & 3)", "(s & 3)", "(m & 7)"});
    line(fmt::format("for (int q = 0; q < {}; q++) s = s * 3 + a1[{} + q];", turns, i));
  }

  // Numbers that wrap before or after they reach the bound. Few numbers are not below it, so a step that is
  // random takes tens of iterations to one of them.
  void wrapping_loop(const std::string& i) {
    const bool is_signed = random_.chance(40);
    const uint32_t first = static_cast<uint32_t>(random_.bits()),
                   step = static_cast<uint32_t>(random_.bits()) >> random_.below(8) | 1u << 24 | 1,
                   bound = is_signed ? 1'900'000'000 + random_.below(100'000'000)
                                     : 3'600'000'000u + random_.below(690'000'000);
    const char* type = is_signed ? "int" : "uint";
    open(fmt::format("for ({0} {1} = ({0})id * {2} + ({0}){3}u; {1} {4} ({0}){5}u; {1} += ({0}){6}u)", type,
                     i, random_.between(1, 3), first, random_.pick({"<", "<="}), bound, step));
    line(fmt::format("s = s * 5 + (int)({} >> 3);", i));
    if (random_.chance(50)) line("t++;");
    close();
  }

  void loop(uint32_t number) {
    const std::string i = fmt::format("i{}", number);
    if (random_.chance(12)) return wrapping_loop(i);
    const std::string type =
        random_.pick({"int", "int", "int", "uint", "uint", "long", "ulong", "size_t", "ushort"});
    const bool owns = random_.chance(50);
    const std::string start =
        owns ? "id" : random_.pick({"id", "id + 3", "2 * id", "lid", "lid + 1", "id / 2"});
    const std::string step = owns ? random_.pick({"size", "size", "2 * size"})
                                  : random_.pick({"size", "64", "lsize", "3", "size + 1", "16 + (id & 1)"});
    std::string bound =
        random_.pick({"n", "n", "n", "n - 5", "min(n, m)", "n / 2", "min(n, a0[3] * 8)", "n - id % 3"});
    bound = fmt::format("({})max(0, {})", type, bound);
    const bool inclusive = random_.chance(20), declared = random_.chance(40);
    const std::string first = fmt::format("{} {} = {};", type, i, start),
                      next = fmt::format("{} += {}", i, step),
                      stays = fmt::format("{} {} {}", i, inclusive ? "<=" : "<", bound);
    auto body = [&](bool continues) {
      for (uint32_t k = 0, n = random_.between(1, 4); k < n; ++k) statement(i, owns, continues);
    };
    switch (random_.below(8)) {
      case 0:
        line(first);
        open(fmt::format("while ({})", stays));
        body(false);
        line(next + ";");
        close();
        break;
      case 1:
        line(first);
        open(fmt::format("if ({})", stays));
        open("do");
        body(false);
        line(next + ";");
        close(fmt::format("}} while ({});", stays));
        close();
        break;
      case 2:
        line(first);
        open(fmt::format("for (;; {})", next));
        line(fmt::format("if ({} {} {}) break;", bound, inclusive ? "<" : "<=", i));
        body(true);
        close();
        break;
      default:
        if (declared) line(first);
        open(fmt::format("for ({} {}; {})", declared ? ";" : first, stays, next));
        body(true);
        close();
        if (!declared) return;
    }
    line(fmt::format("t ^= (long){};", i));
  }

  Random random_;
  const uint64_t seed_;
  uint32_t items_ = 1, group_ = 1, n_ = 0;
  uint32_t rows_ = 1;  // more than one: work-items lie along y, and each x has a row of all buffers
};

}  // namespace

RandomProgram random_strides(uint64_t seed) { return StrideWriter(seed).write(); }

}  // namespace kc::fuzz
