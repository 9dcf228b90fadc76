// SPDX-License-Identifier: Apache-2.0
// An emulator of gfx900, gfx906 and gfx90a, wave64, executing by mnemonic through the opcode table. It is
// strict: what is undefined, or would go wrong on the machine only sometimes, is an error that names the
// instruction.
//  - a register that a memory instruction will write may not be touched before the right s_waitcnt;
//  - wait states that the hardware does not insert must be there;
//  - registers must have been written before they are read; what is computed of others is as unknown as they
//    are, lane by lane and in masks bit by bit, and must not get to memory, to a branch, to `exec`, or to
//    what all lanes share;
//  - accesses must lie in the given ranges, in kernel arguments, scratch or local memory;
//  - a scalar load may not read a word that the launch has written;
//  - work-items that wait at different barriers, which the hardware lets pass, are reported.
// Local memory and scratch start with arbitrary bytes.
// Global addresses are addresses in this process.
#pragma once

#include <span>
#include <string>
#include <string_view>

#include "ir/launch.h"
#include "sim/gcn/object.h"
#include "sim/interpreter/barrier_tracker.h"

namespace kc {

struct GcnOptions {
  bool strict = true;  // off: only what cannot be executed at all is an error
  /// Strict but for what other compilers rely on: what nobody wrote may get anywhere (where it does not
  /// matter what it is), arguments reach to the next multiple of 16 bytes, behind stores a load may write
  /// where these have their addresses, and vector loads to one register arrive in order.
  bool foreign = false;
  uint64_t max_steps = 1ull << 33;  // instructions of all waves together
  uint32_t dynamic_lds = 0;         // bytes beyond those of the kernel
  /// Not 0: reciprocals and roots are off by as much as the hardware's may be, differently for each seed.
  /// Otherwise they are correctly rounded.
  uint64_t estimate_seed = 0;
  bool profile = false;  // count how often each instruction is issued
};

/// Named after the hardware's counters where they have one.
struct GcnCounters {
  uint64_t waves = 0;
  uint64_t insts_valu = 0, insts_salu = 0, insts_smem = 0, insts_vmem = 0, insts_lds = 0, insts_branch = 0;
  uint64_t insts_other = 0;                      // waits, no-operations, barriers, ends
  uint64_t valu_quads = 0, valu_lane_quads = 0;  // issue time, and the same weighted by active lanes
  uint64_t vmem_lines = 0;                       // distinct 64-byte lines of each vector memory instruction
  uint64_t lds_cycles = 0;  // half waves, each as often as its busiest bank has different words
  double valu_utilization() const {
    return valu_quads ? static_cast<double>(valu_lane_quads) / (64.0 * static_cast<double>(valu_quads)) : 0;
  }
  uint64_t instructions() const {
    return insts_valu + insts_salu + insts_smem + insts_vmem + insts_lds + insts_branch + insts_other;
  }
};

struct GcnResult {
  enum Status : uint8_t {
    Ok,
    Stranded,  // work-items waited at different barriers; their groups ended there, all others as they should
    Error,
  } status = Ok;
  std::string message;  // pc, instruction, source line, and what is wrong
  uint64_t pc = 0;
  uint32_t line = 0;
  std::vector<StrandedItem> stranded;  // a place is an index into the object's code
  GcnCounters counters;
  std::vector<uint64_t> issues;  // by index into the object's code, with GcnOptions::profile
};

/// Runs one launch to its end. `kernarg` holds the arguments as the kernel expects them.
GcnResult run_gcn(const GcnObject& object, std::string_view kernel, const LaunchSpec& launch,
                  std::span<const uint8_t> kernarg, std::span<const MemoryRange> memory,
                  const GcnOptions& options = {});

}  // namespace kc
