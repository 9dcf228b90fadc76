// SPDX-License-Identifier: Apache-2.0
// Programs of ifs, loops, switches and calls, as a tree. The tree can be printed as source text or run by the
// convergence rule of docs/language.md: work-items that enter a statement together and leave it at its end
// are together after it, and a work-item that leaves a loop early waits after the loop.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace kc::fuzz {

/// The operand of a condition: bits of the lane number, of the argument n, of x, a loop counter, the lane
/// number, or the number of active work-items for which a part is true; or two parts with short-circuit
/// evaluation.
enum class Test : uint8_t { Mask, Uniform, Data, Counter, Lane, Votes, And, Or };

struct Condition {
  Test test = Test::Mask;
  uint64_t bits = 0;
  uint32_t n = 0;  // a shift, a counter, a bound
  std::vector<Condition> parts;
};

/// Elect: an endless loop in which one active work-item executes the first body and leaves; the others then
/// execute the second. Try: the second body is the handler. Switch: the last body is the default.
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
  uint32_t n = 0;        // the index of the convergent operation, slot, shift or procedure
  uint32_t counter = 0;  // of a loop
  bool uniform = false;  // of a loop: all work-items execute the same number of iterations
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
  uint32_t group = 64;  // work-items of a group, in one dimension
  uint32_t n = 0;
  uint32_t items = 64;  // of the launch; `in` contains their numbers
};
/// The final contents of `out`.
std::vector<uint64_t> run_structured(const StructuredTree& tree, const StructuredRun& run);

}  // namespace kc::fuzz
