// SPDX-License-Identifier: Apache-2.0
// Programs made of ifs, loops, switches and calls, as a tree that can be written as source text and run by
// the rule of docs/language.md on who is together: work-items that enter a statement together and leave it as
// it ends are together behind it, and who leaves a loop early waits behind the loop.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace kc::fuzz {

/// What a condition looks at: bits of the lane number, of the argument n, of x, a loop's counter, the lane
/// number, how many of those who are here say yes to a part; or both parts, the second only where the first
/// does not decide.
enum class Test : uint8_t { Mask, Uniform, Data, Counter, Lane, Votes, And, Or };

struct Condition {
  Test test = Test::Mask;
  uint64_t bits = 0;
  uint32_t n = 0;  // a shift, a counter, a bound
  std::vector<Condition> parts;
};

/// Elect: a loop without end in which one of those who are here does the first body and leaves, then the
/// others do the second. Try: the second body is the handler. Switch: the last body is the default.
enum class Step : uint8_t {
  Ballot,
  Convergent,
  Store,
  Change,
  If,
  For,
  While,
  Do,
  Elect,
  Switch,
  Try,
  Break,
  Continue,
  Return,
  Throw,
  Call
};

struct Statement;
using Body = std::vector<Statement>;
struct Statement {
  Step step = Step::Change;
  uint32_t n = 0;        // which meeting, slot, shift or procedure
  uint32_t counter = 0;  // of a loop
  bool uniform = false;  // of a loop: everyone goes around it equally often
  Condition condition;
  std::vector<Body> bodies;
};

struct Procedure {
  Body body;
  uint32_t counters = 0;
};

/// The last procedure is the kernel `k(out: u64 buffer, in: u32 buffer, n: u32)`; a work-item owns 4 elements
/// of `out` and reads one of `in`.
struct StructuredTree {
  std::vector<Procedure> procedures;
};

std::string source_of(const StructuredTree& tree);

struct StructuredRun {
  uint32_t width = 16;  // lanes of a sub-group, at most 64
  uint32_t group = 64;  // work-items of a group, of one dimension
  uint32_t n = 0;
  uint32_t items = 64;  // of the launch; `in` holds their numbers
};
/// What is in `out` afterwards.
std::vector<uint64_t> run_structured(const StructuredTree& tree, const StructuredRun& run);

}  // namespace kc::fuzz
