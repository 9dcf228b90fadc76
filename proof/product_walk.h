// SPDX-License-Identifier: Apache-2.0
// Proves that two thread functions have the same effects in the same order, by walking a product of both.
//
// A state is a point of each function, what its live values are, and the constants of the booleans and
// selectors that the new function keeps about its path. From a state both sides take silent steps to their
// next event. Effects must be equal, with equal operands; then their results are equal. Branches fork the
// walk. A state that is reached again keeps of its relation between values what holds on all paths to it.
//
//   before:  b1: br_if %c -> b2, b3      after:  b1: br_if %c -> b2, b4(true)
//            b2: store 2; br -> b3               b2: store 2; br -> b4(true)
//            b3: store 3; ret                    b4(%q): br_if %q -> b3, b5
//                                                b3: store 3; ret
//
//   states:  (b1, b1)  (b2, b2)  (b3, b3); %q decides the branch of b4, which has no counterpart
#pragma once

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "ir/function.h"

namespace kc::proof {

enum class Verdict : uint8_t {
  Proved,
  Failed,  // the path shows where the walk found no equal event
  GaveUp,  // the limits of time and memory were reached; or the dialect has no walk
};

struct WalkLimits {
  size_t live_values = 100'000'000;  // in all blocks together
  size_t relation = 50'000'000;      // values in all states together
  size_t states_per_block = 64;
  size_t steps_per_instruction = 2'000;
};

struct WalkResult {
  Verdict verdict = Verdict::Proved;
  size_t states = 0;
  std::string reason;                                     // why not proved, in a sentence
  std::string old_event, new_event;                       // then: what each function does next; may be empty
  std::vector<std::pair<std::string, std::string>> path;  // then: the blocks, old and new, from the entry
};

/// Whether `after` does what `before` does, for every input. Speaks of control flow and effects of one
/// work-item; pure operations are equal if they are the same operation on equal values.
WalkResult walk(const Function& before, const Function& after, const WalkLimits& limits = {});

/// The result in a few lines, or one if it is proved.
std::string describe(const WalkResult& result);

}  // namespace kc::proof
