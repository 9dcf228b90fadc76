// SPDX-License-Identifier: Apache-2.0
// A thread function decoded for the thread interpreter: flat code over one register file, edges with their
// copies in order, and what barriers need to know about the loops around them.
#pragma once

#include <string>
#include <vector>

#include "ir/function.h"
#include "ir/launch.h"

namespace kc::threads {

enum class Kind : uint8_t {
  Eval1,
  Eval2,
  Eval3,
  Copy,
  LaunchId,
  PtrAdd,
  Load,
  Store,
  Atomic,
  SubGroupId,  // a: which row, counted from sub_group_local_id
  CrossLane,   // a: value, b: lane of a shuffle; eval, scale, offset: of a fold, its identity, whether
               // exclusive
  Barrier,
  Br,
  BrIf,
  Switch,
  Ret,
  Trap
};

/// Which memory an access goes to.
enum class Space : uint8_t { Global, Local, Private };

// Launch ids are rows of one table of numbers, three dimensions each.
enum LaunchRow : uint8_t {
  GlobalId,
  LocalId,
  GroupId,
  GlobalSize,
  LocalSize,
  NumGroups,
  GlobalOffset,
  WorkDim,
  LaunchRows
};

struct Code {
  Kind kind = Kind::Ret;
  Space space = Space::Global;
  uint8_t bytes = 0;  // of a memory access, or of a launch id
  bool index64 = false, pointer64 = false;
  bool copies = false;                    // a load whose value only goes to private or local memory
  bool result_used = false;               // of an atomic operation
  uint32_t dst = 0, a = 0, b = 0, c = 0;  // registers; edges and cases of terminators
  EvalFn eval = nullptr;
  int64_t scale = 0, offset = 0;
  InstId inst;
};

struct Copy {
  uint32_t dst, src;
};

/// An edge's copies are already in an order that makes one after the other mean all at once.
struct Edge {
  uint32_t first_copy = 0, copies = 0;
  uint32_t pc = 0;
  BlockId block, from;
  // Of the loop whose header this edge goes to, if a barrier lies in that loop: back edges count an
  // iteration, others enter it.
  uint32_t loop = kNoLoop;
  bool back = false;
  static constexpr uint32_t kNoLoop = UINT32_MAX;
};

/// A barrier statement and the loops around it: an instance is the statement in one iteration of these.
struct BarrierCode {
  InstId inst;
  uint32_t site = 0;
  std::vector<uint32_t> loops;
};

struct Program {
  const Function* f = nullptr;
  std::string error;  // why it cannot run
  std::vector<Code> code;
  std::vector<Edge> edges;
  std::vector<Copy> copies;
  std::vector<uint32_t> cases;  // registers of switch cases
  std::vector<BarrierCode> barriers;
  InstId sub_group;                 // the first instruction that is about sub-groups
  uint32_t loops = 0;               // that hold barriers
  std::vector<uint64_t> registers;  // initial contents: constants in place, all else 0
  std::vector<uint32_t> params;     // registers of the parameters
  uint32_t first_var = 0;
  MemoryLayout private_memory, local_memory;
  std::vector<std::vector<uint8_t>> constants;  // bytes of the constant objects, aligned
  std::vector<MemoryRange> constant_ranges;

  explicit Program(const Function& function);
  Program(const Program&) = delete;
};

}  // namespace kc::threads
