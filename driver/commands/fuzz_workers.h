// SPDX-License-Identifier: Apache-2.0
// Random programs in processes of their own: one that crashes or hangs takes nothing with it, and its seed is
// known.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "driver/commands/fuzz_program.h"
#include "fuzz/random_program.h"

namespace kc {

/// Usual programs, programs with sub-groups whose meetings are known, or programs that walk along rows or
/// with a stride.
enum class FuzzStyle : uint8_t { Usual, Structured, Rows, Strides };

struct FuzzPlan {
  uint64_t first = 0, count = 0;  // seeds
  uint32_t jobs = 1;
  std::vector<std::string> options;  // of the command, for every program
  std::vector<const EngineInfo*> routes;
  bool assemble = false;  // gfx900 as code objects
  uint32_t width = 0;     // lanes of a wave where the route does not say
  uint32_t largest = 0;   // instructions of a program that is run; 0: any number
  FuzzStyle style = FuzzStyle::Usual;
  uint32_t seconds = 120;  // of the processor: a program that takes longer hangs
  bool progress = false;   // a line on standard error that is written over
};

struct FuzzCount {
  uint64_t run = 0, different = 0, absent = 0;
  std::map<std::string, uint64_t> skipped;  // by reason
};

struct FuzzFinding {
  uint64_t seed = 0;
  int route = -1;  // -1: the compiler, before any of them
  std::string what;
  bool died = false;   // the process did
  bool hung = false;   // and was stopped
  bool fault = false;  // the program is to blame
  bool pass = false;   // a pass that is a program of its own is; the message is what it did
};

struct FuzzReport {
  uint64_t programs = 0;
  std::vector<FuzzCount> routes;
  std::vector<FuzzFinding> findings;  // by seed; the first of each program
  bool interrupted = false;
  std::vector<uint64_t> unfinished;  // seeds that were running when it was interrupted
};

/// After an interruption SIGINT and SIGTERM stay blocked: the caller has something to say before it ends.
FuzzReport run_fuzz(const FuzzPlan& plan);

/// The program of a seed.
fuzz::RandomProgram program_of(const FuzzPlan& plan, uint64_t seed);

/// The same finding again with another source: the same route differs, or ends in the same way.
bool shows_again(const FuzzFinding& finding, const FuzzPlan& plan, const std::string& source);

}  // namespace kc
