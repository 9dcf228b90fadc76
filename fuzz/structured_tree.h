// SPDX-License-Identifier: Apache-2.0
// Programs of ifs, loops, switches and calls, as a tree. The tree can be printed as source text or run by the
// convergence rule of docs/language.md: work-items that enter a statement together and leave it at its end
// are together after it, and a work-item that leaves a loop early waits after the loop.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace kc::fuzz {

/// The operand of a condition: a constant, bits of the lane number, of the argument n, of x, a loop counter,
/// the lane number, a variable that a statement `Flag` has set, or the number of active work-items for which
/// a part is true; or two parts with short-circuit evaluation.
enum class Test : uint8_t { Constant, Mask, Uniform, Data, Counter, Lane, Flag, Votes, And, Or };

struct Condition {
  Test test = Test::Mask;
  uint64_t bits = 0;
  uint32_t n = 0;  // a shift, a counter, a bound
  std::vector<Condition> parts;
};

/// Elect: an endless loop in which one active work-item executes the first body and leaves; the others then
/// execute the second. Until: an endless loop in which the work-items that have executed all iterations, or
/// for which the condition is true, execute the first body and leave; the others then execute the second.
/// Try: the second body is the handler. Switch: the last body is the default.
enum class Step : uint8_t {
  Ballot,
  Convergent,
  Store,
  Change,
  Flag,
  If,
  For,
  While,
  Do,
  Elect,
  Until,
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
  uint32_t n = 0;        // the index of the convergent operation, slot, shift, flag or procedure
  uint32_t counter = 0;  // of a loop
  bool uniform = false;  // of a loop: all work-items may execute the same number of iterations
  bool also = false;     // of a loop with a condition at its top or end: `condition` must be true, too
  Condition condition;
  std::vector<Body> bodies;
};

struct Procedure {
  Body body;
  uint32_t counters = 0;
};
constexpr uint32_t kFlags = 2;  // of each procedure; false at its start

/// The last procedure is the kernel `k(out: u64 buffer, in: u32 buffer, n: u32)`; a work-item owns 4 elements
/// of `out` and reads one of `in`.
struct StructuredTree {
  std::vector<Procedure> procedures;
};

std::string source_of(const StructuredTree& tree);
/// Whether each work-item of a changed source still has its own elements of `out`. With others the result
/// would depend on the order of sub-groups.
bool keeps_ownership(const std::string& source);

struct StructuredRun {
  uint32_t width = 16;  // lanes of a sub-group, at most 64
  uint32_t group = 64;  // work-items of a group, in one dimension
  uint32_t n = 0;
  uint32_t items = 64;  // of the launch; `in` contains their numbers
};
/// The final contents of `out`.
std::vector<uint64_t> run_structured(const StructuredTree& tree, const StructuredRun& run);

}  // namespace kc::fuzz
