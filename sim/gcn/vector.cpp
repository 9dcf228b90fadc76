// SPDX-License-Identifier: Apache-2.0
// Vector instructions: the evaluation functions of the opcode table, lane by lane, with operand and output
// modifiers.
#include <fmt/format.h>

#include <array>
#include <bit>

#include "sim/gcn/wave.h"

namespace kc::gcn_sim {
namespace {

uint64_t keep(uint64_t bits, unsigned width) {
  return width >= 64 ? bits : bits & ((uint64_t{1} << width) - 1);
}
uint64_t sign_extended(uint64_t bits, unsigned width) {
  return static_cast<uint64_t>(static_cast<int64_t>(bits << (64 - width)) >> (64 - width));
}

struct Denormals {
  bool flush_in = false, flush_out = false;
};
// The denormal mode of an element: 0 flushes operands and results, 1 results, 2 operands, 3 neither.
Denormals denormals(const Wave& w, const MachineInfo& m, Elem e) {
  if (e != Elem::F32 && e != Elem::F64) return {};
  if (e == Elem::F32 && (m.extra & gcn::AlwaysFlush)) return {true, true};
  unsigned mode = (w.mode >> (e == Elem::F32 ? 4 : 6)) & 3;
  return {(mode & 1) == 0, (mode & 2) == 0};
}
uint64_t flushed(uint64_t bits, Elem e) {
  const uint64_t sign = e == Elem::F32 ? 0x80000000 : 0x8000000000000000;
  const uint64_t exponent = e == Elem::F32 ? 0x7f800000 : 0x7ff0000000000000;
  return bits & exponent ? bits : bits & sign;
}

uint64_t quieted(uint64_t bits, Elem e) {
  const uint64_t infinity = e == Elem::F32 ? 0x7f800000 : 0x7ff0000000000000;
  const uint64_t quiet = e == Elem::F32 ? 0x00400000 : 0x0008000000000000;
  const uint64_t magnitude = bits & (infinity | (quiet * 2 - 1));
  return magnitude > infinity ? bits | quiet : bits;
}

// The evaluation functions propagate a signalling NaN, as in IEEE 754-2008. With that bit of the mode
// register clear a number takes precedence over any NaN.
bool numbers_win(const Wave& w, Op op) {
  constexpr uint32_t kIeee = 1u << 9;
  switch (op) {
    case Op::gcn_v_min_f32:
    case Op::gcn_v_max_f32:
    case Op::gcn_v_min3_f32:
    case Op::gcn_v_max3_f32:
    case Op::gcn_v_med3_f32:
    case Op::gcn_v_min_f64:
    case Op::gcn_v_max_f64:
      return (w.mode & kIeee) == 0;
    default:
      return false;
  }
}

constexpr GcnOperand kVccPair{.kind = GcnOperand::Scalar, .regs = 2, .reg = gcn::kVcc};

// One operand for all lanes, in the form of the evaluation function.
struct Source {
  const GcnOperand* operand = nullptr;
  uint64_t uniform = 0;
  bool vector = false, flush = false, quiet = false, plain = true;
  unsigned width = 32;

  uint64_t get(const Wave& w, unsigned lane) const {
    uint64_t bits = vector ? w.lane_bits(*operand, lane) : uniform;
    if (plain) return bits;
    if (operand->select_bits) {
      bits = keep(bits >> operand->select_shift, operand->select_bits);
      if (operand->sext) bits = sign_extended(bits, operand->select_bits);
    }
    bits = keep(bits, width);
    if (operand->abs) bits &= ~(uint64_t{1} << (width - 1));
    if (operand->neg) bits ^= uint64_t{1} << (width - 1);
    if (quiet) bits = quieted(bits, operand->elem);
    return flush ? flushed(bits, operand->elem) : bits;
  }
};

Source prepare(Wave& w, const GcnInst& inst, const GcnOperand& o, bool is_mask) {
  Source s;
  s.operand = &o;
  s.vector = o.kind == GcnOperand::Vector;
  if (!s.vector) s.uniform = is_mask ? w.scalar_bits(o) : w.scalar(o);
  s.width = Type{o.elem}.bits();
  s.flush = denormals(w, inst.row().machine, o.elem).flush_in;
  s.quiet = numbers_win(w, inst.op);
  s.plain = !o.neg && !o.abs && !o.select_bits && !s.flush && !s.quiet && s.width >= 32;
  return s;
}

float scaled(float x, unsigned omod) { return x * (omod == 1 ? 2.0f : omod == 2 ? 4.0f : 0.5f); }

uint64_t output(const GcnInst& inst, uint64_t bits, bool flush) {
  Elem e = inst.row().machine.dest;
  if (flush) bits = flushed(bits, e);
  if (!inst.omod && !inst.clamp) return bits;
  if (e == Elem::F32) {
    auto x = std::bit_cast<float>(static_cast<uint32_t>(bits));
    if (inst.omod) x = scaled(x, inst.omod);
    if (inst.clamp) x = x > 0 ? (x < 1 ? x : 1.0f) : 0.0f;  // NaN gives 0
    return std::bit_cast<uint32_t>(x);
  }
  auto x = std::bit_cast<double>(bits);
  if (inst.clamp) x = x > 0 ? (x < 1 ? x : 1.0) : 0.0;
  return std::bit_cast<uint64_t>(x);
}

// The error that AMD's document permits, in ulps of the exact result.
uint64_t allowed_error(Op op) {
  switch (op) {
    case Op::gcn_v_rcp_f32:
    case Op::gcn_v_rcp_iflag_f32:
    case Op::gcn_v_rsq_f32:
    case Op::gcn_v_sqrt_f32:
      return 1;
    case Op::gcn_v_rcp_f64:
    case Op::gcn_v_rsq_f64:
    case Op::gcn_v_sqrt_f64:
      return uint64_t{1} << 29;
    default:
      return 0;
  }
}

// Perturbs a result by up to the maximal error in either direction. Zeros, denormals, infinities and NaNs are
// unchanged.
uint64_t misjudged(uint64_t bits, Elem e, uint64_t error, uint64_t seed) {
  const uint64_t exponent = e == Elem::F32 ? 0x7f800000 : 0x7ff0000000000000;
  if ((bits & exponent) == 0 || (bits & exponent) == exponent) return bits;
  uint64_t h = (bits ^ seed * 0x9e3779b97f4a7c15) * 0xbf58476d1ce4e5b9;
  h ^= h >> 31;
  uint64_t off = h % 4 < 2 ? error : (h >> 8) % (error + 1);
  return h & 1 ? bits + off : bits - off;
}

void write_lane(Wave& w, const GcnOperand& o, unsigned lane, uint64_t bits) {
  w.vgpr[o.reg][lane] = static_cast<uint32_t>(bits);
  if (o.regs == 2) w.vgpr[o.reg + 1u][lane] = static_cast<uint32_t>(bits >> 32);
}
// The instruction gives o lanes that nobody knows: what it has read is the reason.
void note_unwritten(Wave& w, const GcnOperand& o, uint64_t lanes) {
  const uint32_t at = w.pc - 1;
  for (const GcnOperand& from : w.launch.object.code[at].operands) {
    if (from.kind != GcnOperand::Vector || !(lanes & ~w.known(from))) continue;
    unsigned reg = from.reg;
    while (!(lanes & ~w.vgpr_known[reg])) ++reg;
    Wave::Unwritten origin = w.unwritten[reg];
    if (origin.at == UINT32_MAX) origin = {static_cast<uint16_t>(reg), at};
    for (unsigned i = 0; i < o.regs; ++i) w.unwritten[o.reg + i] = origin;
    return;
  }
}
void set_known(Wave& w, const GcnOperand& o, uint64_t lanes, uint64_t known) {
  if (lanes & ~known) note_unwritten(w, o, lanes);
  for (unsigned i = 0; i < o.regs; ++i)
    w.vgpr_known[o.reg + i] = (w.vgpr_known[o.reg + i] & ~lanes) | (known & lanes);
}

// Inserts a narrow result into its register.
uint64_t placed(const Wave& w, const GcnInst& inst, unsigned lane, uint64_t bits) {
  const MachineInfo& m = inst.row().machine;
  uint64_t old = w.vgpr[inst.results[0].reg][lane];
  if (m.extra & gcn::Keeps16) return (old & 0xffff0000) | (bits & 0xffff);
  if (!inst.dst_bits) return bits;
  uint64_t mask = keep(~uint64_t{0}, inst.dst_bits) << inst.dst_shift,
           field = (bits << inst.dst_shift) & mask;
  if (inst.dst_unused == GcnInst::Preserve) return (old & ~mask) | field;
  if (inst.dst_unused == GcnInst::Sext)
    return keep(sign_extended(keep(bits, inst.dst_bits), inst.dst_bits) << inst.dst_shift, 32);
  return field;
}

unsigned lane_number(Wave& w, const GcnOperand& o) { return static_cast<unsigned>(w.scalar(o)) & 63; }

bool execute_special_vector(Wave& w, const GcnInst& inst) {
  switch (inst.op) {
    case Op::gcn_v_nop:
      return true;
    case Op::gcn_v_readfirstlane_b32: {
      const GcnOperand& from = inst.operands[0];
      unsigned lane = w.exec() ? static_cast<unsigned>(std::countr_zero(w.exec())) : 0;
      if (from.kind != GcnOperand::Vector) return w.write_scalar(inst.results[0], w.scalar(from)), true;
      w.require(from, uint64_t{1} << lane);
      w.write_scalar(inst.results[0], w.lane_bits(from, lane));
      return true;
    }
    case Op::gcn_v_readlane_b32: {
      unsigned lane = lane_number(w, inst.operands[1]);
      w.require(inst.operands[0], uint64_t{1} << lane);
      w.write_scalar(inst.results[0], w.lane_bits(inst.operands[0], lane));
      return true;
    }
    case Op::gcn_v_writelane_b32: {
      unsigned lane = lane_number(w, inst.operands[1]);
      write_lane(w, inst.results[0], lane, w.scalar(inst.operands[0]));
      set_known(w, inst.results[0], uint64_t{1} << lane, ~uint64_t{0});
      return true;
    }
    case Op::gcn_v_swap_b32: {
      const GcnOperand &a = inst.operands[0], &b = inst.operands[1];
      uint64_t known_a = w.known(a), known_b = w.known(b);
      each_lane(w.exec(), [&](unsigned lane) { std::swap(w.vgpr[a.reg][lane], w.vgpr[b.reg][lane]); });
      set_known(w, a, w.exec(), known_b);
      set_known(w, b, w.exec(), known_a);
      return true;
    }
    default:
      return false;
  }
}

// Lanes in which the result is known, that is, all operands are. Unknown values may be used in computations,
// as kernels do for lanes that do not need them; they must not reach memory, branches, `exec`, or any state
// shared by all lanes.
uint64_t known_lanes(Wave& w, const GcnInst& inst) {
  const MachineInfo& m = inst.row().machine;
  if (inst.op == Op::gcn_v_cndmask_b32 && !inst.sdwa) {
    const uint64_t mask = w.scalar_bits(inst.operands[2]);
    return w.scalar_known(inst.operands[2]) &
           ((mask & w.known(inst.operands[1])) | (~mask & w.known(inst.operands[0])));
  }
  uint64_t lanes = ~uint64_t{0};
  for (const GcnOperand& o : inst.operands) lanes &= w.known(o);
  if (m.extra & gcn::MaskIn) lanes &= w.scalar_known(inst.operands.back());
  if (m.uses & gcn::Vcc) lanes &= w.scalar_known(kVccPair);
  if (inst.dst_unused == GcnInst::Preserve && inst.dst_bits) lanes &= w.known(inst.results[0]);
  if (m.extra & gcn::WritesExec)
    for (const GcnOperand& o : inst.operands) w.require(o, w.exec());
  return lanes;
}

// The values of an operand by lane; stored in `room` unless it is an unmodified register.
const uint32_t* lanes_of(Wave& w, const GcnOperand& o, LaneWords& room) {
  const bool is_vector = o.kind == GcnOperand::Vector;
  if (is_vector && !o.neg && !o.abs) return w.vgpr[o.reg].data();
  if (is_vector)
    room = w.vgpr[o.reg];
  else
    room.fill(static_cast<uint32_t>(w.scalar(o)));
  const uint32_t keeps = o.abs ? 0x7fffffff : 0xffffffff, flips = o.neg ? 0x80000000 : 0;
  if (o.neg || o.abs)
    for (uint32_t& x : room) x = (x & keeps) ^ flips;
  return room.data();
}

// All lanes at once, if the opcode has a loop and nothing is flushed; false otherwise.
bool execute_loop(Wave& w, const GcnInst& inst) {
  const MachineInfo& m = inst.row().machine;
  const bool selects = inst.op == Op::gcn_v_cndmask_b32 && !inst.sdwa && !inst.clamp && !inst.omod;
  if (!inst.loop && !inst.compare && !selects) return false;
  if (m.source == Elem::F32 && ((w.mode >> 4) & 3) != 3) return false;
  const uint64_t exec = w.exec();
  const uint64_t known = w.strict() ? known_lanes(w, inst) : 0;
  LaneWords rooms[3], out;
  const uint32_t* operands[3] = {};
  for (size_t i = 0; i < inst.operands.size() - selects; ++i)
    operands[i] = lanes_of(w, inst.operands[i], rooms[i]);
  if (inst.compare) {
    w.write_scalar(inst.results[0], inst.compare(operands[0], operands[1]) & exec,
                   w.strict() ? known | ~exec : ~uint64_t{0});
    return true;
  }
  if (selects) {
    const uint64_t mask = w.scalar_bits(inst.operands[2]);
    for (unsigned i = 0; i < gcn::kMostLanes; ++i) out[i] = (mask >> i) & 1 ? operands[1][i] : operands[0][i];
  } else {
    inst.loop(out.data(), operands[0], operands[1], operands[2]);
  }
  auto& to = w.vgpr[inst.results[0].reg];
  if (exec == ~uint64_t{0})
    to = out;
  else
    for (unsigned i = 0; i < gcn::kMostLanes; ++i) to[i] = (exec >> i) & 1 ? out[i] : to[i];
  if (w.strict()) set_known(w, inst.results[0], exec, known);
  return true;
}

}  // namespace

void execute_vector(Wave& w, const GcnInst& inst) {
  if (execute_loop(w, inst) || execute_special_vector(w, inst)) return;
  const MachineInfo& m = inst.row().machine;
  const uint64_t exec = w.exec();
  if (!inst.eval && !inst.status) w.fault("the emulator has no meaning for this instruction");
  const uint64_t known = w.strict() ? known_lanes(w, inst) : ~uint64_t{0};
  Source sources[4];
  size_t n = 0;
  for (const GcnOperand& o : inst.operands) {
    const bool is_mask = (m.extra & gcn::MaskIn) && &o == &inst.operands.back();
    sources[n++] = prepare(w, inst, o, is_mask);
  }
  const uint64_t vcc = (m.uses & gcn::Vcc) ? w.scalar_bits(kVccPair) : 0;
  bool flush_out = denormals(w, m, m.dest).flush_out;
  const uint64_t seed = w.launch.options.estimate_seed, error = seed ? allowed_error(inst.op) : 0;
  if (inst.omod && !flush_out) w.fault("output modifiers need denormals to be flushed");

  uint64_t out[gcn::kMostLanes], mask = 0;
  each_lane(exec, [&](unsigned lane) {
    uint64_t a[5] = {};
    for (size_t i = 0; i < n; ++i) a[i] = sources[i].get(w, lane);
    if (m.extra & gcn::MaskIn) a[n - 1] = (a[n - 1] >> lane) & 1;
    if (m.extra & gcn::LaneId) a[n] = lane;
    if (m.uses & gcn::Vcc) a[n] = (vcc >> lane) & 1;
    uint64_t bits = inst.eval ? inst.eval(a) : 0;
    if (error) bits = misjudged(bits, m.dest, error, seed);
    out[lane] = output(inst, bits, flush_out);
    if (inst.status) mask |= (inst.status(a) & 1) << lane;
  });
  if (inst.eval) {
    const GcnOperand& to = inst.results[0];
    bool narrow = inst.dst_bits || (m.extra & gcn::Keeps16);
    each_lane(exec, [&](unsigned lane) {
      write_lane(w, to, lane, narrow ? placed(w, inst, lane, out[lane]) : out[lane]);
    });
    set_known(w, to, exec, known);
  }
  if (inst.status) {
    w.write_scalar(inst.results.back(), mask, known | ~exec);
    if (m.extra & gcn::WritesExec)
      w.write_scalar({.kind = GcnOperand::Scalar, .regs = 2, .reg = gcn::kExec}, mask);
  }
}

}  // namespace kc::gcn_sim
