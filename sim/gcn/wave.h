// SPDX-License-Identifier: Apache-2.0
// State of the emulated machine: launch, work-group, wave. Private to the emulator.
#pragma once

#include <array>
#include <bit>
#include <bitset>
#include <deque>
#include <vector>

#include "backends/gcn/isa/table.h"
#include "sim/gcn/emulator.h"
#include "sim/interpreter/barrier_tracker.h"

namespace kc::gcn_sim {

/// Thrown only inside the emulator; run_gcn converts it to a result.
struct Fault {
  std::string message;
  bool out_of_bounds = false;
};

/// Calls f with the number of each lane in the set, lowest first.
template <typename F>
void each_lane(uint64_t lanes, F f) {
  for (; lanes; lanes &= lanes - 1) f(static_cast<unsigned>(std::countr_zero(lanes)));
}

/// A word for each lane, for as many as a wave of any machine has.
using LaneWords = std::array<uint32_t, gcn::kMostLanes>;

struct Launch {
  const GcnObject& object;
  const GcnKernel& kernel;
  const LaunchSpec& spec;
  const GcnOptions& options;
  std::vector<MemoryRange> ranges;  // readable and writable, sorted by address
  MemoryRange kernarg, packet, image;
  std::vector<std::vector<bool>> written;  // by range, then word of 4 bytes; empty if none is written
  GcnCounters counters;
  uint64_t steps = 0;
  std::vector<uint64_t> issues;  // empty unless profiling

  /// The range that contains these bytes, or ranges.size().
  size_t range_of(uint64_t address, uint64_t size) const;
  bool in_ranges(uint64_t address, uint64_t size) const;
  /// Writes to a range are recorded per word. Scalar loads read 64-byte lines from a cache that is not
  /// coherent with stores; unwritten words are correct there, too.
  void note_written(uint64_t address, uint64_t bytes);
  bool is_written(uint64_t address, uint64_t bytes) const;
  bool readable(uint64_t address, uint64_t size) const;
  /// "at byte 256 of a buffer of 256 bytes ", for an access whose base address is in that buffer, else empty.
  /// Addresses of this process differ from run to run, and messages must not.
  std::string place_of(uint64_t address, uint64_t base) const;
};

struct Group {
  std::vector<uint8_t> lds;
  BarrierTracker barriers;
};

/// An outstanding memory instruction.
struct Pending {
  bool scalar = false;  // s_load: may complete in any order
  bool lds_write = false;
  uint64_t issued = 0;                       // Wave::time
  GcnOperand::Kind kind = GcnOperand::None;  // registers that it will write
  uint16_t reg = 0;
  uint8_t regs = 0;
};

struct Wave {
  Launch& launch;
  Group& group;
  explicit Wave(Launch& l, Group& g) : launch(l), group(g) {}

  std::array<uint32_t, 128> sgpr{};
  std::array<uint32_t, 128> sgpr_known{};  // bits, by register: masks may be known for some lanes only
  std::vector<LaneWords> vgpr;             // by register
  std::vector<uint64_t> vgpr_known;        // lanes, by register
  bool scc = false, scc_known = false;
  uint32_t mode = 0;
  uint32_t pc = 0;  // index of the instruction
  bool done = false, at_barrier = false;
  uint64_t valid = 0;  // lanes that have a work-item
  std::array<std::array<uint64_t, 3>, gcn::kMostLanes> global_id{};
  BarrierHistory barriers;
  uint64_t scratch_base = 0;  // of this wave, according to descriptor and wave offset
  std::vector<uint8_t> scratch;
  std::vector<bool> scratch_known;

  // By vector register: where its unknown lanes come from, the first unwritten register that was read and the
  // instruction that did.
  struct Unwritten {
    uint16_t reg = 0;
    uint32_t at = UINT32_MAX;  // index of the instruction; no instruction: the register itself is unwritten
  };
  std::vector<Unwritten> unwritten;

  std::deque<Pending> vm, lgkm;
  // The last s_waitcnt for each counter: when, and which instruction.
  struct LastWait {
    uint64_t time = 0;
    uint32_t at = 0;
  } waited_vm, waited_lgkm;
  // Wait states: time advances by one per instruction, and more for s_nop.
  uint64_t time = 1000;
  std::array<uint64_t, 128> valu_wrote_sgpr{};
  std::vector<uint64_t> wide_store_read;  // by vector register, the time of the last store of > 64 bits
  uint64_t setreg_time = 0;
  struct Clause {
    enum Kind : uint8_t { None, Vector, Scalar } kind = None;
    std::bitset<128> s_address, s_dest;
    std::bitset<256> v_address, v_dest;
  } clause;

  uint32_t lanes() const { return launch.object.model->wave_lanes; }
  uint64_t exec() const { return pair(gcn::kExec); }
  uint64_t vcc() const { return pair(gcn::kVcc); }
  uint64_t pair(unsigned reg) const { return sgpr[reg] | uint64_t{sgpr[reg + 1]} << 32; }
  void set_sgpr(unsigned reg, uint32_t value, uint32_t known = ~0u) {
    sgpr[reg] = value;
    sgpr_known[reg] = known;
  }
  void set_scc(bool value) { scc = value, scc_known = true; }
  bool strict() const { return launch.options.strict; }
  bool wants_written() const { return strict() && !launch.options.foreign; }

  /// A scalar operand's 32 or 64 bits; checks that they have been written.
  uint64_t scalar(const GcnOperand& o) const;
  /// The same without the check; and the mask of its known bits.
  uint64_t scalar_bits(const GcnOperand& o) const;
  uint64_t scalar_known(const GcnOperand& o) const;
  [[noreturn]] void fault_unknown(const GcnOperand& o) const;
  void write_scalar(const GcnOperand& o, uint64_t bits, uint64_t known = ~uint64_t{0});
  /// Lanes in which all registers of the operand have been written.
  uint64_t known(const GcnOperand& o) const;
  uint64_t lane_bits(const GcnOperand& o, unsigned lane) const;
  /// Faults unless the operand is known in the lanes.
  void require(const GcnOperand& o, uint64_t lanes) const;
  [[noreturn]] void fault(std::string message) const { throw Fault{std::move(message)}; }
  [[noreturn]] void fault_outside(std::string message) const { throw Fault{std::move(message), true}; }
};

std::string register_name(GcnOperand::Kind kind, unsigned reg);

/// Checks before an instruction executes: pending registers, wait states, allocated registers.
void check_hazards(Wave& w, const GcnInst& inst);
/// Records state for later checks, and completes waits.
void note_issue(Wave& w, const GcnInst& inst);
void wait(Wave& w, const GcnInst& inst);

void execute_scalar(Wave& w, const GcnInst& inst);
void execute_vector(Wave& w, const GcnInst& inst);
void execute_smem(Wave& w, const GcnInst& inst);
void execute_vmem(Wave& w, const GcnInst& inst);
void execute_lds(Wave& w, const GcnInst& inst);

}  // namespace kc::gcn_sim
