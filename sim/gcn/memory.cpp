// SPDX-License-Identifier: Apache-2.0
// Loads, stores and atomics: global and scalar memory, scratch through a buffer descriptor, local memory.
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <bit>
#include <cstring>

#include "sim/gcn/wave.h"

namespace kc::gcn_sim {
namespace {

bool inside(const MemoryRange& r, uint64_t address, uint64_t size) {
  return address >= r.base && size <= r.size && address - r.base <= r.size - size;
}

// The first operand in the given register file from index `from` on, or null.
const GcnOperand* find(const GcnInst& inst, GcnOperand::Kind kind, size_t from = 0) {
  for (size_t i = from; i < inst.operands.size(); ++i)
    if (inst.operands[i].kind == kind) return &inst.operands[i];
  return nullptr;
}

// The access of an opcode, in bytes.
struct Shape {
  bool is_store, is_atomic, high;
  unsigned element;  // bytes of one element in memory
  unsigned bytes;    // of one access
};
Shape shape_of(const GcnInst& inst, const GcnOperand* data) {
  const MachineInfo& m = inst.row().machine;
  Shape s{};
  s.is_atomic = (m.extra & gcn::Atomic) != 0;
  s.is_store = !s.is_atomic && inst.results.empty();
  s.high = (m.extra & gcn::High16) != 0;
  s.element = Type{s.is_store ? m.dest : m.source}.bytes();
  unsigned regs = s.is_store ? data->regs : inst.results.empty() ? 1 : inst.results[0].regs;
  s.bytes = s.is_atomic || s.element < 4 ? s.element : 4 * regs;
  return s;
}

uint64_t read_bytes(const uint8_t* p, unsigned n) {
  uint64_t v = 0;
  std::memcpy(&v, p, n);
  return v;
}

void load_into(Wave& w, const GcnInst& inst, const Shape& s, unsigned lane, const uint8_t* from) {
  const GcnOperand& to = inst.results[0];
  if (s.element >= 4) {
    for (unsigned i = 0; i < s.bytes / 4; ++i)
      w.vgpr[to.reg + i][lane] = static_cast<uint32_t>(read_bytes(from + 4 * i, 4));
    return;
  }
  uint64_t raw = read_bytes(from, s.element);
  auto value = static_cast<uint32_t>(inst.eval(&raw));
  uint32_t& reg = w.vgpr[to.reg][lane];
  if (inst.row().machine.extra & gcn::Keeps16)
    reg = s.high ? (reg & 0xffff) | value << 16 : (reg & 0xffff0000) | (value & 0xffff);
  else
    reg = value;
}

void store_from(const Wave& w, const GcnOperand& data, const Shape& s, unsigned lane, uint8_t* to) {
  if (s.element >= 4) {
    for (unsigned i = 0; i < s.bytes / 4; ++i) std::memcpy(to + 4 * i, &w.vgpr[data.reg + i][lane], 4);
    return;
  }
  uint32_t value = w.vgpr[data.reg][lane] >> (s.high ? 16 : 0);
  std::memcpy(to, &value, s.element);
}

// Memory becomes eval(old, data...); the result is the old value.
void atomic(Wave& w, const GcnInst& inst, const Shape& s, unsigned lane, uint8_t* at) {
  uint64_t a[4] = {read_bytes(at, s.element)};
  size_t n = 1;
  for (size_t i = 1; i < inst.operands.size(); ++i) {
    const GcnOperand& o = inst.operands[i];
    if (o.kind != GcnOperand::Vector) continue;
    for (unsigned r = 0; r < o.regs && n < 4; r += s.element / 4) {
      GcnOperand part = o;
      part.reg = static_cast<uint16_t>(o.reg + r), part.regs = static_cast<uint8_t>(s.element / 4);
      a[n++] = w.lane_bits(part, lane);
    }
  }
  uint64_t value = inst.eval(a);
  std::memcpy(at, &value, s.element);
  if (inst.results.empty()) return;
  for (unsigned i = 0; i < s.element / 4; ++i)
    w.vgpr[inst.results[0].reg + i][lane] = static_cast<uint32_t>(a[0] >> (32 * i));
}

void mark_known(Wave& w, const GcnInst& inst, uint64_t lanes, bool known = true) {
  for (const GcnOperand& o : inst.results)
    for (unsigned i = 0; i < o.regs; ++i) {
      uint64_t& k = w.vgpr_known[o.reg + i];
      k = known ? k | lanes : k & ~lanes;
    }
}

std::string_view verb(const Shape& s) { return s.is_atomic ? "atomic" : s.is_store ? "store" : "load"; }

void global(Wave& w, const GcnInst& inst) {
  const GcnOperand& lane_address = inst.operands[0];
  const GcnOperand* base = find(inst, GcnOperand::Scalar);
  const GcnOperand* data = find(inst, GcnOperand::Vector, 1);
  Shape s = shape_of(inst, data);
  bool writes = s.is_store || s.is_atomic;
  uint64_t start = (base ? w.scalar(*base) : 0) + static_cast<uint64_t>(inst.offset);
  const uint64_t exec = w.exec();
  for (const GcnOperand& o : inst.operands) w.require(o, exec);
  std::vector<uint64_t> lines;
  each_lane(exec, [&](unsigned lane) {
    uint64_t address = start + w.lane_bits(lane_address, lane);
    bool ok = writes ? w.launch.in_ranges(address, s.bytes) : w.launch.readable(address, s.bytes);
    auto place = [&] { return w.launch.place_of(address, base ? w.scalar(*base) : address); };
    if (!ok)
      w.fault_outside(fmt::format("{} of {} bytes {}in lane {} is outside every buffer", verb(s), s.bytes,
                                  place(), lane));
    auto* p = reinterpret_cast<uint8_t*>(address);
    if (s.is_atomic && address % s.element != 0)
      w.fault(fmt::format("atomic {}in lane {} is not aligned", place(), lane));
    if (lines.empty() || lines.back() != address / 64) lines.push_back(address / 64);
    if (s.is_atomic)
      atomic(w, inst, s, lane, p);
    else if (s.is_store)
      store_from(w, *data, s, lane, p);
    else
      load_into(w, inst, s, lane, p);
    if (writes && w.strict()) w.launch.note_written(address, s.bytes);
  });
  std::sort(lines.begin(), lines.end());
  w.launch.counters.vmem_lines +=
      static_cast<uint64_t>(std::unique(lines.begin(), lines.end()) - lines.begin());
  mark_known(w, inst, exec);
}

// Scratch is swizzled: equal dwords of the lanes of a wave are adjacent. Written bytes are tracked.
void scratch(Wave& w, const GcnInst& inst) {
  bool has_lane_offset = inst.row().machine.form == gcn::Buffer;
  bool is_store = inst.results.empty();
  size_t at = is_store ? 1 : 0;
  const GcnOperand* data = is_store ? &inst.operands[0] : nullptr;
  const GcnOperand* lane_offset = has_lane_offset ? &inst.operands[at++] : nullptr;
  GcnOperand resource = inst.operands[at++];
  uint64_t scalar_offset = w.scalar(inst.operands[at]);
  Shape s = shape_of(inst, data);
  GcnOperand low = resource, high = resource;
  low.regs = 2;
  high.regs = 2, high.reg = static_cast<uint16_t>(high.reg + 2);
  uint64_t words = w.scalar(low), format = w.scalar(high) >> 32;
  constexpr uint32_t kSwizzled = 1u << 31, kAddLane = 1u << 23;
  if (!((words >> 32) & kSwizzled) || !(format & kAddLane))
    w.fault("buffer instructions are supported for scratch memory only");
  uint64_t base = (words & 0xffffffffffff) + scalar_offset;
  const uint64_t exec = w.exec();
  if (lane_offset) w.require(*lane_offset, exec);
  each_lane(exec, [&](unsigned lane) {
    // Modulo 2^32, which AMD's compiler relies on from gfx9 on; the same for local addresses.
    uint32_t offset = static_cast<uint32_t>(inst.offset) + (lane_offset ? w.vgpr[lane_offset->reg][lane] : 0);
    if (offset % std::min(4u, s.bytes) != 0)
      w.fault(fmt::format("scratch {} at offset {} in lane {} is not aligned", verb(s), offset, lane));
    uint8_t bytes[16] = {};
    bool known = true;
    if (is_store) store_from(w, *data, s, lane, bytes);
    for (unsigned i = 0; i < s.bytes; ++i) {
      uint64_t o = uint64_t{offset} + i, address = base + (o / 4 * w.lanes() + lane) * 4 + o % 4;
      uint64_t index = address - w.scratch_base;
      if (index >= w.scratch.size())
        w.fault_outside(
            fmt::format("scratch {} at offset {} in lane {} is outside the wave's {} bytes per lane", verb(s),
                        o, lane, w.scratch.size() / w.lanes()));
      if (is_store) {
        w.scratch[index] = bytes[i];
        w.scratch_known[index] = (w.vgpr_known[data->reg + i / 4] >> lane) & 1;
      } else {
        bytes[i] = w.scratch[index];
        known &= w.scratch_known[index];
      }
    }
    if (is_store) return;
    load_into(w, inst, s, lane, bytes);
    mark_known(w, inst, uint64_t{1} << lane, known);
  });
}

void exchange(Wave& w, const GcnInst& inst) {
  const uint64_t exec = w.exec();
  for (const GcnOperand& o : inst.operands) w.require(o, exec);
  LaneWords out{};
  bool swizzle = inst.op == Op::gcn_ds_swizzle_b32;
  const auto& data = w.vgpr[inst.operands[swizzle ? 0 : 1].reg];
  const auto& address = w.vgpr[inst.operands[0].reg];
  auto p = static_cast<uint32_t>(inst.offset);
  each_lane(exec, [&](unsigned lane) {
    uint32_t other = (address[lane] + p) / 4 % w.lanes();
    if (swizzle)
      other = p & 0x8000 ? (lane & ~3u) | ((p >> (2 * (lane & 3))) & 3)
                         : (lane & 32) | ((((lane & 31) & (p & 31)) | ((p >> 5) & 31)) ^ ((p >> 10) & 31));
    if (inst.op == Op::gcn_ds_permute_b32)
      out[other] = data[lane];
    else
      out[lane] = (exec >> other) & 1 ? data[other] : 0;
  });
  each_lane(exec, [&](unsigned lane) { w.vgpr[inst.results[0].reg][lane] = out[lane]; });
  mark_known(w, inst, exec);
}

uint8_t* lds_at(Wave& w, uint64_t address, unsigned bytes, unsigned lane, const Shape& s) {
  if (address + bytes > w.group.lds.size())
    w.fault_outside(fmt::format("local {} of {} bytes at {} in lane {} is outside the group's {} bytes",
                                verb(s), bytes, address, lane, w.group.lds.size()));
  return w.group.lds.data() + address;
}

// 32 banks of 4 bytes serve half a wave at a time; lanes that access the same word share it.
void count_bank_conflicts(Wave& w, const GcnInst& inst, unsigned words) {
  const auto& address = w.vgpr[inst.operands[0].reg];
  for (unsigned half = 0; half < w.lanes(); half += 32) {
    uint64_t lanes = w.exec() >> half & 0xffffffff;
    if (!lanes) continue;
    std::array<std::array<uint32_t, 32>, 32> seen;
    std::array<uint8_t, 32> count{};
    uint8_t most = 1;
    each_lane(lanes, [&](unsigned lane) {
      uint32_t word = address[half + lane] / 4, bank = word % 32;
      auto end = seen[bank].begin() + count[bank];
      if (std::find(seen[bank].begin(), end, word) != end) return;
      *end = word;
      most = std::max(most, ++count[bank]);
    });
    w.launch.counters.lds_cycles += uint64_t{most} * words;
  }
}

void two_addresses(Wave& w, const GcnInst& inst, const Shape& s) {
  const MachineInfo& m = inst.row().machine;
  unsigned element = s.element, unit = element * (m.extra & gcn::Stride64 ? 64 : 1);
  each_lane(w.exec(), [&](unsigned lane) {
    uint64_t start = w.vgpr[inst.operands[0].reg][lane];
    for (unsigned k = 0; k < 2; ++k) {
      uint64_t address = start + static_cast<uint64_t>(k ? inst.offset1 : inst.offset) * unit;
      uint8_t* p = lds_at(w, address, element, lane, s);
      unsigned reg = s.is_store ? inst.operands[1 + k].reg : inst.results[0].reg + k * (element / 4);
      for (unsigned i = 0; i < element / 4; ++i)
        s.is_store ? std::memcpy(p + 4 * i, &w.vgpr[reg + i][lane], 4)
                   : std::memcpy(&w.vgpr[reg + i][lane], p + 4 * i, 4);
    }
  });
}

}  // namespace

void execute_vmem(Wave& w, const GcnInst& inst) {
  if (inst.operands.empty()) return;  // cache control
  if (inst.row().machine.form == gcn::Global || inst.row().machine.form == gcn::GlobalBase)
    global(w, inst);
  else
    scratch(w, inst);
}

void execute_lds(Wave& w, const GcnInst& inst) {
  if (!inst.eval && !inst.results.empty()) return exchange(w, inst);
  const MachineInfo& m = inst.row().machine;
  const uint64_t exec = w.exec();
  for (const GcnOperand& o : inst.operands) w.require(o, exec);
  Shape s = shape_of(inst, find(inst, GcnOperand::Vector, 1));
  count_bank_conflicts(w, inst, m.extra & gcn::TwoOffsets ? s.element / 2 : std::max(1u, s.bytes / 4));
  if (m.extra & gcn::TwoOffsets) {
    two_addresses(w, inst, s);
    return mark_known(w, inst, exec);
  }
  each_lane(exec, [&](unsigned lane) {
    uint32_t address = w.vgpr[inst.operands[0].reg][lane] + static_cast<uint32_t>(inst.offset);
    uint8_t* p = lds_at(w, address, s.bytes, lane, s);
    if (s.is_atomic && address % s.element != 0)
      w.fault(fmt::format("local atomic at {} in lane {} is not aligned", address, lane));
    if (s.is_atomic)
      atomic(w, inst, s, lane, p);
    else if (s.is_store)
      store_from(w, inst.operands[1], s, lane, p);
    else
      load_into(w, inst, s, lane, p);
  });
  mark_known(w, inst, exec);
}

void execute_smem(Wave& w, const GcnInst& inst) {
  if (inst.op == Op::gcn_s_memtime || inst.op == Op::gcn_s_memrealtime)
    return w.write_scalar(inst.results[0], w.launch.steps);
  if (inst.operands.empty()) return;  // cache control
  uint64_t offset =
      inst.operands[1].kind == GcnOperand::Immediate
          ? static_cast<uint64_t>(static_cast<int64_t>(static_cast<int32_t>(inst.operands[1].value)))
          : w.scalar(inst.operands[1]);
  const uint64_t base = w.scalar(inst.operands[0]), address = base + offset;
  const GcnOperand& to = inst.results[0];
  unsigned bytes = 4u * to.regs;
  auto place = [&] { return w.launch.place_of(address, base); };
  if (address % 4 != 0) w.fault(fmt::format("scalar load {}is not aligned", place()));
  if (!w.launch.readable(address, bytes))
    w.fault_outside(fmt::format("scalar load of {} bytes {}is outside every buffer", bytes, place()));
  if (w.strict() && w.launch.is_written(address, bytes))
    w.fault(
        fmt::format("scalar load {}where this launch has written: scalar loads are not coherent", place()));
  for (unsigned i = 0; i < to.regs; ++i)
    w.set_sgpr(to.reg + i,
               static_cast<uint32_t>(read_bytes(reinterpret_cast<const uint8_t*>(address) + 4 * i, 4)));
}

size_t Launch::range_of(uint64_t address, uint64_t size) const {
  auto it = std::upper_bound(ranges.begin(), ranges.end(), address,
                             [](uint64_t a, const MemoryRange& r) { return a < r.base; });
  if (it == ranges.begin() || !inside(*std::prev(it), address, size)) return ranges.size();
  return static_cast<size_t>(std::prev(it) - ranges.begin());
}
bool Launch::in_ranges(uint64_t address, uint64_t size) const {
  return range_of(address, size) != ranges.size();
}
void Launch::note_written(uint64_t address, uint64_t bytes) {
  size_t i = range_of(address, bytes);
  if (i == ranges.size()) return;
  written.resize(ranges.size());
  if (written[i].empty()) written[i].resize((ranges[i].size + 3) / 4);
  for (uint64_t word = (address - ranges[i].base) / 4; word <= (address - ranges[i].base + bytes - 1) / 4;
       ++word)
    written[i][word] = true;
}
bool Launch::is_written(uint64_t address, uint64_t bytes) const {
  size_t i = range_of(address, bytes);
  if (i >= written.size() || written[i].empty()) return false;
  for (uint64_t word = (address - ranges[i].base) / 4; word <= (address - ranges[i].base + bytes - 1) / 4;
       ++word)
    if (written[i][word]) return true;
  return false;
}
std::string Launch::place_of(uint64_t address, uint64_t base) const {
  constexpr uint64_t kSmall = 1 << 20;  // is no address of a process
  auto within = [&](const MemoryRange& r, std::string_view what) {
    return fmt::format("at byte {} of {} of {} bytes ", static_cast<int64_t>(address - r.base), what, r.size);
  };
  // One byte past the end is inside, too: bases are made by adding.
  auto holds = [&](const MemoryRange& r) { return base >= r.base && base - r.base <= r.size; };
  for (const MemoryRange& r : ranges)
    if (base == r.base) return within(r, "a buffer");
  if (holds(kernarg)) return within(kernarg, "the arguments");
  if (holds(packet)) return within(packet, "the dispatch packet");
  for (const MemoryRange& r : ranges)
    if (holds(r)) return within(r, "a buffer");
  return address < kSmall ? fmt::format("at {:#x} ", address) : std::string();
}
bool Launch::readable(uint64_t address, uint64_t size) const {
  return in_ranges(address, size) || inside(kernarg, address, size) || inside(packet, address, size) ||
         inside(image, address, size);
}

}  // namespace kc::gcn_sim
