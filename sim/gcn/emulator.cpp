// SPDX-License-Identifier: Apache-2.0
#include "sim/gcn/emulator.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstring>
#include <memory>

#include "sim/gcn/wave.h"

namespace kc {
namespace gcn_sim {
namespace {

// Scratch addresses exist only inside the emulator. The wave offset is never 0, so that a kernel that does
// not add it is detected.
constexpr uint64_t kScratchBase = 0x600000000000;
constexpr uint32_t kScratchWave = 0x10000;
constexpr uint8_t kUnwritten = 0xa5;

void count(Launch& l, const Wave& w, const GcnInst& inst) {
  const MachineInfo& m = inst.row().machine;
  GcnCounters& c = l.counters;
  if (gcn::is_valu(m.form)) {
    ++c.insts_valu;
    uint64_t quads = m.extra & gcn::Float64Rate ? 16 : m.extra & gcn::QuarterRate ? 4 : 1;
    c.valu_quads += quads;
    c.valu_lane_quads += quads * static_cast<uint64_t>(__builtin_popcountll(w.exec()));
  } else if (gcn::is_vmem(m.form)) {
    ++c.insts_vmem;
  } else if (m.form == gcn::Smem) {
    ++c.insts_smem;
  } else if (m.form == gcn::Ds) {
    ++c.insts_lds;
  } else if (inst.row().min_targets) {
    ++c.insts_branch;
  } else if (m.form == gcn::Sopp) {
    ++c.insts_other;
  } else {
    ++c.insts_salu;
  }
}

void step(Launch& l, Wave& w) {
  if (w.pc >= l.object.code.size())
    w.fault("control runs past the end of the code: s_endpgm is missing at its end");
  const GcnInst& inst = l.object.code[w.pc];
  if (++l.steps > l.options.max_steps || is_set(l.options.stop)) w.fault("the limit of steps is reached");
  if (inst.op == Op::Count_) w.fault("the instruction cannot be executed");
  check_hazards(w, inst);
  count(l, w, inst);
  if (!l.issues.empty()) ++l.issues[w.pc];
  ++w.pc;
  uint16_t form = inst.row().machine.form;
  if (gcn::is_valu(form))
    execute_vector(w, inst);
  else if (form == gcn::Smem)
    execute_smem(w, inst);
  else if (gcn::is_vmem(form))
    execute_vmem(w, inst);
  else if (form == gcn::Ds)
    execute_lds(w, inst);
  else
    execute_scalar(w, inst);
  note_issue(w, inst);
}

// Register contents at the first instruction, in the order of the bits of the kernel descriptor.
void entry_state(Wave& w, const std::array<uint64_t, 3>& group_id, uint64_t first_item) {
  Launch& l = w.launch;
  const GcnKernel& k = l.kernel;
  unsigned next = 0;
  auto put = [&](uint64_t value, unsigned regs) {
    for (unsigned i = 0; i < regs; ++i, value >>= 32) w.set_sgpr(next++, static_cast<uint32_t>(value));
  };
  uint32_t lane_bytes = (k.private_bytes + 3) / 4 * 4;
  uint32_t wave_offset =
      kScratchWave + static_cast<uint32_t>(first_item / w.lanes()) * lane_bytes * w.lanes();
  w.scratch_base = kScratchBase + wave_offset;
  w.scratch.assign(size_t{lane_bytes} * w.lanes(), kUnwritten);
  w.scratch_known.assign(w.scratch.size(), true);
  if (k.properties & 1) {
    put(kScratchBase | uint64_t{1} << 63, 2);                  // swizzled
    put(0xffffffff | uint64_t{3u << 21 | 1u << 23} << 32, 2);  // stride of 64 lanes, lane number added
  }
  if (k.properties & 2) put(l.packet.base, 2);
  if (k.properties & 4) put(0, 2);  // queue: not readable
  if (k.properties & 8) put(l.kernarg.base, 2);
  if (k.properties & 16) put(0, 2);  // dispatch id
  if (k.properties & 32) put(uint64_t{lane_bytes} << 32, 2);
  if (k.properties & 64) put(lane_bytes, 1);
  for (unsigned d = 0; d < 3; ++d)
    if (k.rsrc2 & (1u << (7 + d))) put(group_id[d], 1);
  if (k.rsrc2 & (1u << 10)) put(0, 1);
  if (k.rsrc2 & 1) put(wave_offset, 1);

  const auto& local = l.spec.local;
  uint64_t items = local[0] * local[1] * local[2];
  unsigned dims = std::min(3u, ((k.rsrc2 >> 11) & 3) + 1);
  uint64_t exec = 0;
  for (unsigned lane = 0; lane < w.lanes() && first_item + lane < items; ++lane) {
    uint64_t i = first_item + lane;
    uint64_t id[3] = {i % local[0], i / local[0] % local[1], i / local[0] / local[1]};
    exec |= uint64_t{1} << lane;
    for (unsigned d = 0; d < 3; ++d) w.global_id[lane][d] = l.spec.offset[d] + group_id[d] * local[d] + id[d];
    if (l.object.model->packed_ids)
      w.vgpr[0][lane] =
          static_cast<uint32_t>(id[0] | (dims > 1 ? id[1] << 10 : 0) | (dims > 2 ? id[2] << 20 : 0));
    else
      for (unsigned d = 0; d < dims && d < w.vgpr.size(); ++d) w.vgpr[d][lane] = static_cast<uint32_t>(id[d]);
  }
  if (l.object.model->packed_ids) dims = 1;  // registers
  for (unsigned d = 0; d < dims && d < w.vgpr.size(); ++d) w.vgpr_known[d] = exec;
  w.valid = exec;
  w.write_scalar({.kind = GcnOperand::Scalar, .regs = lane_mask(*l.object.model).regs, .reg = gcn::kExec},
                 exec);
  w.mode = (k.rsrc1 >> 12) & 0xff;
  if (k.rsrc1 & (1u << 21)) w.mode |= 1u << 8;
  if (k.rsrc1 & (1u << 23)) w.mode |= 1u << 9;
  if (w.mode & 15) w.fault("only rounding to nearest is supported");
  w.pc = k.entry;
}

std::string describe(const Launch& l, uint32_t at, const std::array<uint64_t, 3>& group, size_t wave,
                     const std::string& why) {
  if (at >= l.object.code.size()) return why;
  const GcnInst& inst = l.object.code[at];
  std::string line = inst.line ? fmt::format(", line {}", inst.line) : std::string();
  return fmt::format("pc {:#x}{}: {}: {} (group {},{},{}, wave {})", inst.pc, line, inst.text, why, group[0],
                     group[1], group[2], wave);
}

// All waves have ended or wait at a barrier. Returns whether some continue. The hardware only counts
// arrivals, and a wave that has ended counts as arrived.
bool pass_barrier(const Launch& l, Group& group, const std::vector<std::unique_ptr<Wave>>& waves,
                  GcnResult& result) {
  std::vector<WaveAtBarrier> standing;
  for (const auto& w : waves)
    if (w->at_barrier)
      standing.push_back({.place = w->pc - 1,
                          .arrived = w->exec(),
                          .valid = w->valid,
                          .global_id = [&w](uint32_t lane) { return w->global_id[lane]; },
                          .history = &w->barriers});
  if (l.options.strict) {
    auto stranded = group.barriers.arrive(standing);
    result.stranded.insert(result.stranded.end(), stranded.begin(), stranded.end());
    if (!stranded.empty()) return false;
  }
  for (const auto& w : waves) w->at_barrier = false;
  return !standing.empty();
}

// Waves alternate at barriers. Returns false after a fault, with the result filled in.
bool run_group(Launch& l, const std::array<uint64_t, 3>& id, GcnResult& result) {
  Group group;
  group.lds.assign(size_t{l.kernel.lds_bytes} + l.options.dynamic_lds, kUnwritten);
  uint64_t items = l.spec.local[0] * l.spec.local[1] * l.spec.local[2];
  std::vector<std::unique_ptr<Wave>> waves;
  size_t at = 0;
  uint32_t pc = l.kernel.entry;
  auto stop = [&](const std::string& why) {
    result.status = GcnResult::Error;
    result.message = describe(l, pc, id, at, why);
    if (pc < l.object.code.size()) {
      result.pc = l.object.code[pc].pc;
      result.line = l.object.code[pc].line;
    }
    return false;
  };
  try {
    for (uint64_t first = 0; first < items; first += l.object.model->wave_lanes) {
      waves.push_back(std::make_unique<Wave>(l, group));
      at = waves.size() - 1;
      Wave& w = *waves.back();
      w.vgpr.resize(l.kernel.vgprs);
      w.vgpr_known.resize(l.kernel.vgprs);
      w.unwritten.resize(l.kernel.vgprs);
      w.wide_store_read.resize(l.kernel.vgprs);
      entry_state(w, id, first);
      ++l.counters.waves;
    }
    do {
      for (at = 0; at < waves.size(); ++at) {
        Wave& w = *waves[at];
        while (!w.done && !w.at_barrier) pc = w.pc, step(l, w);
      }
    } while (pass_barrier(l, group, waves, result));
  } catch (const Fault& fault) {
    result.out_of_bounds = fault.out_of_bounds;
    return stop(fault.message);
  }
  return true;
}

std::vector<uint8_t> aql_packet(const Launch& l) {
  std::vector<uint8_t> packet(64);
  auto put = [&](size_t offset, uint64_t value, size_t size) {
    std::memcpy(packet.data() + offset, &value, size);
  };
  put(2, l.spec.dims, 2);
  for (size_t d = 0; d < 3; ++d) {
    put(4 + 2 * d, l.spec.local[d], 2);
    put(12 + 4 * d, l.spec.global[d], 4);
  }
  put(24, l.kernel.private_bytes, 4);
  put(28, l.kernel.lds_bytes + uint64_t{l.options.dynamic_lds}, 4);
  put(40, l.kernarg.base, 8);
  return packet;
}

std::string refuse(const LaunchSpec& spec, const gcn::MachineModel& model, const GcnKernel* kernel,
                   std::string_view name, uint32_t dynamic_lds) {
  if (!kernel) return fmt::format("the object has no kernel '{}'", name);
  for (size_t d = 0; d < 3; ++d)
    if (spec.local[d] == 0 || spec.local[d] > gcn::kMaxGroupItems || spec.global[d] % spec.local[d] != 0)
      return "the global size is no multiple of the local size";
  if (uint64_t lds = uint64_t{kernel->lds_bytes} + dynamic_lds; lds > gcn::kMaxLocalBytes)
    return fmt::format("a work-group needs {} bytes of local memory, {} are there", lds, gcn::kMaxLocalBytes);
  if (kernel->private_bytes > gcn::kMaxScratchBytes)
    return fmt::format("a work-item needs {} bytes of scratch, {} are there", kernel->private_bytes,
                       gcn::kMaxScratchBytes);
  uint64_t items = spec.local[0] * spec.local[1] * spec.local[2];
  if (items > gcn::kMaxGroupItems)
    return fmt::format("a work-group has more than {} items", gcn::kMaxGroupItems);
  // All its waves must be resident at once.
  const uint64_t unit = uint64_t{gcn::kSimds} * model.wave_lanes;
  if (uint64_t waves = (items + unit - 1) / unit; waves * kernel->vgprs > gcn::kVgprCount)
    return fmt::format("{} waves on a unit need {} vector registers each, {} are there", waves, kernel->vgprs,
                       gcn::kVgprCount);
  return {};
}

}  // namespace
}  // namespace gcn_sim

GcnResult run_gcn(const GcnObject& object, std::string_view kernel_name, const LaunchSpec& spec,
                  std::span<const uint8_t> kernarg, std::span<const MemoryRange> memory,
                  const GcnOptions& options) {
  using namespace gcn_sim;
  GcnResult result;
  const GcnKernel* kernel = object.find(kernel_name);
  if (std::string why = refuse(spec, *object.model, kernel, kernel_name, options.dynamic_lds); !why.empty()) {
    result.status = GcnResult::Error;
    result.message = why;
    return result;
  }
  Launch l{.object = object, .kernel = *kernel, .spec = spec, .options = options};
  // Aligned as by the runtime; the vectors own the memory while the launch runs.
  std::vector<uint64_t> arguments((kernarg.size() + 7) / 8 + 8);
  auto base = (reinterpret_cast<uint64_t>(arguments.data()) + 63) / 64 * 64;
  if (!kernarg.empty()) std::memcpy(reinterpret_cast<void*>(base), kernarg.data(), kernarg.size());
  constexpr uint64_t kRounded = 16;
  l.kernarg = {base,
               options.foreign ? (kernarg.size() + kRounded - 1) / kRounded * kRounded : kernarg.size()};
  std::vector<uint8_t> packet = aql_packet(l);
  // What the text asks for; the runtime makes no more.
  if (object.from_text && options.strict && !options.foreign)
    l.kernarg.size = std::min<uint64_t>(l.kernarg.size, kernel->kernarg_bytes);
  l.packet = {reinterpret_cast<uint64_t>(packet.data()), packet.size()};
  l.image = {reinterpret_cast<uint64_t>(object.image.data()), object.image.size()};
  l.ranges.assign(memory.begin(), memory.end());
  std::sort(l.ranges.begin(), l.ranges.end(), [](const auto& a, const auto& b) { return a.base < b.base; });

  if (options.profile) l.issues.resize(object.code.size());
  std::array<uint64_t, 3> id{};
  for (id[2] = 0; id[2] < spec.groups(2); ++id[2])
    for (id[1] = 0; id[1] < spec.groups(1); ++id[1])
      for (id[0] = 0; id[0] < spec.groups(0); ++id[0])
        if (!run_group(l, id, result)) {
          result.counters = l.counters;
          return result;
        }
  result.counters = l.counters;
  result.issues = std::move(l.issues);
  if (!result.stranded.empty()) {
    result.status = GcnResult::Stranded;
    const GcnInst& barrier = object.code[result.stranded[0].place];
    result.pc = barrier.pc, result.line = barrier.line;
    result.message = fmt::format("pc {:#x}: work-items of a group wait at different barriers", barrier.pc);
  }
  return result;
}

}  // namespace kc
