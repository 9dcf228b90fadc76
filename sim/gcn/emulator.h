// SPDX-License-Identifier: Apache-2.0
// An emulator of gfx9 machines, wave64, which executes by mnemonic through the opcode table. It
// is strict: undefined behaviour, and code that fails on hardware only sometimes, is an error that names the
// instruction.
// - The destination registers of a pending memory instruction must not be accessed before the right
//   s_waitcnt.
// - Wait states that the hardware does not insert must be present.
// - Registers must be written before they are read. Results computed from unwritten registers are equally
//   unknown, per lane and in masks per bit, and must not reach memory, a branch, `exec`, or any state shared
//   by all lanes.
// - Accesses must lie in the given ranges, in kernel arguments, scratch or local memory.
// - A scalar load must not read a word that the launch has written.
// - Work-items that wait at different barriers, which the hardware lets pass, are reported.
// Local memory and scratch start with arbitrary bytes.
// Global addresses are addresses in this process.
#pragma once

#include <span>
#include <string>
#include <string_view>

#include "backends/gcn/isa/table.h"
#include "ir/launch.h"
#include "sim/gcn/object.h"
#include "sim/interpreter/barrier_tracker.h"
#include "sim/stop_flag.h"

namespace kc {

struct GcnOptions {
  bool strict = true;  // if false, only instructions that cannot be executed are errors
  /// Strict except for assumptions of other compilers: unwritten values may reach any place (where they do
  /// not matter), arguments extend to the next multiple of 16 bytes, a load after stores may overwrite their
  /// address registers, and vector loads to one register complete in order.
  bool foreign = false;
  uint64_t max_steps = 1ull << 33;  // instructions of all waves together
  const StopFlag* stop = nullptr;   // ends the launch as the limit does
  uint32_t dynamic_lds = 0;         // bytes in addition to those of the kernel
  /// If not 0, reciprocals and roots deviate by up to the hardware's error, differently for each seed.
  /// Otherwise they are correctly rounded.
  uint64_t estimate_seed = 0;
  bool profile = false;  // count how often each instruction is issued
};

/// Named after hardware counters where those exist.
struct GcnCounters {
  uint64_t waves = 0;
  uint64_t insts_valu = 0, insts_salu = 0, insts_smem = 0, insts_vmem = 0, insts_lds = 0, insts_branch = 0;
  uint64_t insts_other = 0;                      // waits, no-operations, barriers, program ends
  uint64_t valu_quads = 0, valu_lane_quads = 0;  // issue time, and the same weighted by active lanes
  uint64_t vmem_lines = 0;                       // distinct 64-byte lines of each vector memory instruction
  uint64_t lds_cycles = 0;  // per half wave: the maximal number of distinct words in one bank
  double valu_utilization() const {
    return valu_quads
               ? static_cast<double>(valu_lane_quads) / (gcn::kMostLanes * static_cast<double>(valu_quads))
               : 0;
  }
  uint64_t instructions() const {
    return insts_valu + insts_salu + insts_smem + insts_vmem + insts_lds + insts_branch + insts_other;
  }
};

struct GcnResult {
  enum Status : uint8_t {
    Ok,
    Stranded,  // work-items waited at different barriers; their groups ended there, all others normally
    Error,
  } status = Ok;
  std::string message;         // pc, instruction, source line, and the error
  bool out_of_bounds = false;  // the error is an access outside the buffers or the memory of group or wave
  uint64_t pc = 0;
  uint32_t line = 0;
  std::vector<StrandedItem> stranded;  // places are indices into the object's code
  GcnCounters counters;
  std::vector<uint64_t> issues;  // by index into the object's code, with GcnOptions::profile
};

/// Runs one launch to its end. `kernarg` is the kernel's argument segment.
GcnResult run_gcn(const GcnObject& object, std::string_view kernel, const LaunchSpec& launch,
                  std::span<const uint8_t> kernarg, std::span<const MemoryRange> memory,
                  const GcnOptions& options = {});

}  // namespace kc
