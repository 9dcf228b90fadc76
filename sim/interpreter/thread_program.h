// SPDX-License-Identifier: Apache-2.0
// A thread function decoded for the thread interpreter: flat code over one register file, edges with
// sequentialised copies, and the loops around barriers.
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
  SubGroupId,  // a: which id, counted from sub_group_local_id
  CrossLane,   // a: value, b: lane of a shuffle; eval, scale, offset: of a fold, its identity, whether
               // exclusive
  Barrier,
  Br,
  BrIf,
  Switch,
  Ret,
  Trap
};

/// The memory that is accessed.
enum class Space : uint8_t { Global, Local, Private };

// Launch ids are entries of one table, three dimensions each.
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
  bool copies = false;                    // a load whose value is only stored to private or local memory
  bool result_used = false;               // of an atomic operation
  uint32_t dst = 0, a = 0, b = 0, c = 0;  // registers; edges and cases of terminators
  EvalFn eval = nullptr;
  int64_t scale = 0, offset = 0;
  InstId inst;
};

struct Copy {
  uint32_t dst, src;
};

/// The copies of an edge are sequentialised: in this order they are equivalent to a parallel move.
struct Edge {
  uint32_t first_copy = 0, copies = 0;
  uint32_t pc = 0;
  BlockId block, from;
  // The loop whose header is the edge's target, if it contains a barrier: back edges count an iteration,
  // other edges enter it.
  uint32_t loop = kNoLoop;
  bool back = false;
  static constexpr uint32_t kNoLoop = UINT32_MAX;
};

/// A barrier and the enclosing loops. A barrier instance is the barrier in one iteration of these loops.
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
  InstId sub_group;                 // the first sub-group instruction
  uint32_t loops = 0;               // number of loops with barriers
  std::vector<uint64_t> registers;  // initial contents: constants, all else 0
  std::vector<uint32_t> params;     // registers of the parameters
  uint32_t first_var = 0;
  MemoryLayout private_memory, local_memory;
  std::vector<std::vector<uint8_t>> constants;  // bytes of the constant objects, aligned
  std::vector<MemoryRange> constant_ranges;

  explicit Program(const Function& function);
  Program(const Program&) = delete;
};

}  // namespace kc::threads
