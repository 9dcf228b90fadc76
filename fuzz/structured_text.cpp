// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include "fuzz/source_lines.h"
#include "fuzz/structured_tree.h"

namespace kc::fuzz {
namespace {

constexpr const char* kOwnNumbers =
    "uint gid = get_global_id(0), lane = get_sub_group_local_id(), x = in[gid] * 2654435761u;";
constexpr const char* kOwnElements = "global ulong* mine = out + gid * 4;";

class Text : SourceLines {
 public:
  std::string write(const StructuredTree& tree) {
    for (size_t k = 0; k < tree.procedures.size(); ++k) {
      in_kernel_ = k + 1 == tree.procedures.size();
      if (in_kernel_)
        open("kernel void k(global ulong* out, global const uint* in, uint n)");
      else
        open(fmt::format("ulong h{}(ulong acc, uint x, uint lane, uint n, global ulong* mine)", k));
      if (in_kernel_) {
        line(kOwnNumbers);
        line(kOwnElements);
        line("ulong acc = 1;");
      }
      for (uint32_t c = 0; c < tree.procedures[k].counters; ++c) line(fmt::format("uint c{} = 0;", c));
      for (uint32_t f = 0; f < kFlags; ++f) line(fmt::format("bool f{} = false;", f));
      body(tree.procedures[k].body);
      line(in_kernel_ ? "mine[0] += acc;" : "return acc;");
      close();
    }
    return take();
  }

 private:
  void body(const Body& b) {
    for (const Statement& s : b) statement(s);
  }

  static std::string text_of(const Condition& c) {
    switch (c.test) {
      case Test::Constant:
        return c.bits ? "true" : "false";
      case Test::Flag:
        return fmt::format("f{}", c.n);
      case Test::Mask:
        return fmt::format("({:#x}ul >> lane & 1) != 0", c.bits);
      case Test::Uniform:
        return fmt::format("(n >> {} & 1) != 0", c.n);
      case Test::Data:
        return fmt::format("(x >> {} & 1) != 0", c.n);
      case Test::Counter:
        return fmt::format("(c{} + x) % 3 == {}", c.n, c.bits);
      case Test::Lane:
        return fmt::format("lane < {}", c.n);
      case Test::Votes:
        return fmt::format("popcount(sub_group_ballot64({})) > {}", text_of(c.parts[0]), c.n);
      default:
        return fmt::format("({} {} {})", text_of(c.parts[0]), c.test == Test::And ? "&&" : "||",
                           text_of(c.parts[1]));
    }
  }

  static std::string meeting(const Statement& s) {
    switch (s.n) {
      case 0:
        return "sub_group_reduce_add(x)";
      case 1:
        return "sub_group_scan_inclusive_max(x)";
      case 2:
        return "sub_group_shuffle_xor(x, 1u)";
      case 3:
        return "sub_group_broadcast_first(x)";
      case 4:
        return fmt::format("sub_group_any({})", text_of(s.condition));
      case 5:
        return fmt::format("sub_group_all({})", text_of(s.condition));
      case 6:
        return "sub_group_scan_exclusive_add(x)";
      default:
        return fmt::format("sub_group_broadcast(x, {}u)", s.counter);
    }
  }

  static std::string rounds(const Statement& s) {
    return s.uniform ? fmt::format("(n >> {} & 1) + 2", s.n) : fmt::format("(x >> {} & 3)", s.n);
  }

  static std::string goes_on(const Statement& s, const std::string& next) {
    std::string text = fmt::format("{} < {}", next, rounds(s));
    return s.also ? fmt::format("{} && {}", text, text_of(s.condition)) : text;
  }

  void statement(const Statement& s) {
    switch (s.step) {
      case Step::Ballot:
        return line(fmt::format("acc = acc * 33 + sub_group_ballot64({});", text_of(s.condition)));
      case Step::Convergent:
        return line(fmt::format("acc = acc * 31 + {};", meeting(s)));
      case Step::Store:
        return line(fmt::format("mine[{}] += acc;", s.n));
      case Step::Change:
        return line(fmt::format("x = x * 5 + (x >> 7) + lane + {};", s.n));
      case Step::Flag:
        return line(fmt::format("f{} = {};", s.n, text_of(s.condition)));
      case Step::Break:
        return line("break;");
      case Step::Continue:
        return line("continue;");
      case Step::Throw:
        return line("throw 1;");
      case Step::Return:
        return line(in_kernel_ ? "{ mine[0] += acc; return; }" : "return acc;");
      case Step::Call:
        return line(fmt::format("acc = h{}(acc, x + {}, lane, n, mine);", s.n, s.counter));
      case Step::If:
        open(fmt::format("if ({})", text_of(s.condition)));
        body(s.bodies[0]);
        reopen("} else {");
        body(s.bodies[1]);
        return close();
      case Step::Try:
        open("try");
        body(s.bodies[0]);
        reopen("} catch (int) {");
        body(s.bodies[1]);
        return close();
      case Step::Switch:
        return switch_(s);
      default:
        return loop(s);
    }
  }

  void switch_(const Statement& s) {
    open(fmt::format("switch (x >> {} & 3)", s.n));
    for (size_t k = 0; k < s.bodies.size(); ++k) {
      line(k + 1 == s.bodies.size() ? "default:" : fmt::format("case {}:", k));
      body(s.bodies[k]);
      line("break;");
    }
    close();
  }

  void loop(const Statement& s) {
    const std::string counter = fmt::format("c{}", s.counter);
    if (s.step == Step::For) {
      open(fmt::format("for ({0} = 0; {1}; ++{0})", counter, goes_on(s, counter)));
    } else {
      line(counter + " = 0;");
      open(s.step == Step::While ? fmt::format("while ({})", goes_on(s, counter + "++"))
           : s.step == Step::Do  ? "do"
                                 : fmt::format("for (;; ++{})", counter));
    }
    if (s.step == Step::Elect || s.step == Step::Until) {
      open(s.step == Step::Elect
               ? "if (sub_group_elect())"
               : fmt::format("if ({} >= {} || {})", counter, rounds(s), text_of(s.condition)));
      body(s.bodies[0]);
      line("break;");
      close();
    }
    body(s.bodies.back());
    close(s.step == Step::Do ? fmt::format("}} while ({});", goes_on(s, "++" + counter)) : "}");
  }

  bool in_kernel_ = false;
};

}  // namespace

std::string source_of(const StructuredTree& tree) { return Text().write(tree); }

bool keeps_ownership(const std::string& source) {
  return source.find(kOwnNumbers) != std::string::npos && source.find(kOwnElements) != std::string::npos;
}

}  // namespace kc::fuzz
