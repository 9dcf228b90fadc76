// SPDX-License-Identifier: Apache-2.0
// Atomic operations, fences and barriers.
//
// The lanes of an atomic operation execute in ascending order, one locked instruction each. At a uniform
// address, additions and extremes are combined: the wave's contribution is reduced first, and one instruction
// applies it to memory. Local memory needs no lock: all waves of a group run on one thread, and a wave is
// never preempted between two barriers. Branches on single lanes of a mask are mispredicted, so there are
// few:
//
//   local memory       none: inactive lanes update bytes that belong to no object
//   other, AVX-512     active lanes come first (vpcompressq), so only the branch after the last is
//   mispredicted
#include <cstddef>

#include "backends/x64/elements.h"
#include "backends/x64/lower.h"
#include "ir/check.h"
#include "ir/launch.h"
#include "runtime/image.h"

namespace kc::x64 {

struct X64Lowering::AtomicAccess {
  Op op;
  Elem elem;
  ValueId mask, pointer, value, desired;  // desired: of compare-and-exchange, where value is the expected one
  bool local, needs_old;
  bool wide() const { return elem == Elem::I64; }
  unsigned size() const { return wide() ? 8 : 4; }
};

namespace {

struct AtomicRow {
  Op op, by_wave;
  Op arithmetic;          // on one value in general registers, or none
  Condition keeps;        // of an extreme: the old value is kept
  Op element;             // the same operation on lanes
  Op locked, with_old;    // the instruction without result, or Count_, and the one that returns the old value
  Op plain = Op::Count_;  // the first of these without a lock, base and index apart
};
constexpr Condition kNo = Equal;
constexpr AtomicRow kRows[] = {
    {Op::lane_atomic_add, Op::uniform_atomic_add, Op::x64_add, kNo, Op::add, Op::x64_lock_add_if,
     Op::x64_lock_xadd_if, Op::x64_add_to},
    {Op::lane_atomic_sub, Op::uniform_atomic_sub, Op::x64_sub, kNo, Op::add, Op::x64_lock_sub_if, Op::Count_,
     Op::x64_sub_from},
    {Op::lane_atomic_and, Op::uniform_atomic_and, Op::x64_and_, kNo, Op::and_, Op::x64_lock_and_if,
     Op::x64_lock_and_old_if, Op::x64_and_to},
    {Op::lane_atomic_or, Op::uniform_atomic_or, Op::x64_or_, kNo, Op::or_, Op::x64_lock_or_if,
     Op::x64_lock_or_old_if, Op::x64_or_to},
    {Op::lane_atomic_xor, Op::uniform_atomic_xor, Op::x64_xor_, kNo, Op::xor_, Op::x64_lock_xor_if,
     Op::x64_lock_xor_old_if, Op::x64_xor_to},
    {Op::lane_atomic_smin, Op::uniform_atomic_smin, Op::Count_, LessEqual, Op::smin, Op::Count_,
     Op::x64_lock_smin_if},
    {Op::lane_atomic_smax, Op::uniform_atomic_smax, Op::Count_, GreaterEqual, Op::smax, Op::Count_,
     Op::x64_lock_smax_if},
    {Op::lane_atomic_umin, Op::uniform_atomic_umin, Op::Count_, BelowEqual, Op::umin, Op::Count_,
     Op::x64_lock_umin_if},
    {Op::lane_atomic_umax, Op::uniform_atomic_umax, Op::Count_, AboveEqual, Op::umax, Op::Count_,
     Op::x64_lock_umax_if},
    {Op::lane_atomic_xchg, Op::uniform_atomic_xchg, Op::Count_, kNo, Op::Count_, Op::Count_,
     Op::x64_lock_xchg_if},
    {Op::lane_atomic_cmpxchg, Op::uniform_atomic_cmpxchg, Op::Count_, kNo, Op::Count_, Op::Count_,
     Op::x64_lock_cmpxchg_if},
};
const AtomicRow& row_of(Op op) {
  for (const AtomicRow& r : kRows)
    if (r.op == op || r.by_wave == op) return r;
  KC_CHECK(false, "x64: '{}' is no atomic operation", name_of(op));
}

bool has_two_results(Op row) {
  return row == Op::x64_lock_and_old_if || row == Op::x64_lock_or_old_if || row == Op::x64_lock_xor_old_if;
}

// The new content of memory.
ValueId updated(Emit& e, Op op, unsigned size, ValueId old, ValueId value, ValueId desired) {
  const AtomicRow& row = row_of(op);
  if (op == Op::lane_atomic_xchg) return value;
  if (op == Op::lane_atomic_cmpxchg)
    return e.gpr(Op::x64_select_cmp, {old, value, desired, old}, size, 0, Equal);
  if (row.arithmetic != Op::Count_) return e.gpr(row.arithmetic, {old, value}, size);
  return e.gpr(Op::x64_select_cmp, {old, value, old, value}, size, 0, row.keeps);
}

// One lane's operation on local memory. Returns the old value if it is needed. The address is one register:
// a Zen 4 takes stores and loads with the same base and index registers for the same address, and an update
// that follows another one takes 25 cycles then, ten times as many as otherwise.
ValueId update_at(Emit& e, Op op, unsigned size, bool needs_old, ValueId address, ValueId value,
                  ValueId desired) {
  const std::initializer_list<int64_t> access = {size, 0, 1, 0};
  if (const Op plain = row_of(op).plain; !needs_old && plain != Op::Count_) {
    e.row(plain, {address, value}, {}, access);
    return {};
  }
  const bool wide = size == 8;
  const ValueId old = e.m.result(e.row(wide ? Op::x64_load64 : Op::x64_load32, {address}, {kGpr}, access));
  e.row(wide ? Op::x64_store64 : Op::x64_store32, {address, updated(e, op, size, old, value, desired)}, {},
        access);
  return old;
}

// The neutral element.
uint64_t identity(Op op, Elem elem) {
  uint64_t sign = uint64_t{1} << (Type{elem}.bits() - 1);
  switch (op) {
    case Op::lane_atomic_and:
    case Op::lane_atomic_umin:
      return ~uint64_t{0};
    case Op::lane_atomic_smin:
      return sign - 1;
    case Op::lane_atomic_smax:
      return sign;
    default:
      return 0;
  }
}

}  // namespace

// One lane's operation, executed if the bit of `set` is 1. Returns the old value if it is needed, else
// nothing.
ValueId X64Lowering::read_modify_write(const AtomicAccess& a, ValueId set, unsigned bit, ValueId address,
                                       ValueId value, ValueId desired) {
  const AtomicRow& row = row_of(a.op);
  unsigned size = a.size();
  if (a.local) {
    Op load = a.wide() ? Op::x64_load64_if : Op::x64_load32_if,
       store = a.wide() ? Op::x64_store64_if : Op::x64_store32_if;
    ValueId old = m_.result(e.row(load, {set, address, e.gpr_const(0)}, {kGpr}, {size, bit, 1, 0}));
    e.row(store, {set, address, updated(e, a.op, size, old, value, desired)}, {}, {size, bit, 1, 0});
    return old;
  }
  if (!a.needs_old && row.locked != Op::Count_) {
    e.row(row.locked, {set, address, value}, {}, {size, bit, 1, 0});
    return {};
  }
  Op op = row.with_old;
  if (op == Op::Count_) {
    op = Op::x64_lock_xadd_if;
    value = e.gpr(Op::x64_neg, {value}, size);
  }
  std::vector<ValueId> operands{set, address, value};
  if (desired) operands.push_back(desired);
  return m_.result(has_two_results(op) ? e.row(op, operands, {kGpr, kGpr}, {size, bit, 1, 0})
                                       : e.row(op, operands, {kGpr}, {size, bit, 1, 0}));
}

/// The offsets of lanes in local memory. Inactive lanes have those in front of the first object, several of
/// them, so that an update need not wait for the one before.
std::vector<ValueId> X64Lowering::offsets_to_update(const AtomicAccess& a) {
  std::vector<ValueId> r = parts(a.pointer);
  if (known_full(a.mask)) return r;
  std::vector<uint8_t> idle(lanes_per_part());
  for (size_t i = 0; i < idle.size(); ++i) idle[i] = static_cast<uint8_t>(i * a.size() % kFirstOffset);
  const ValueId nowhere = e.numbers(idle, bytes_);
  const std::vector<ValueId> m = parts(a.mask);
  for (size_t k = 0; k < r.size(); ++k) r[k] = e.blend(m[k], r[k], nowhere, vec32());
  return r;
}

/// Their addresses. Inactive lanes have those of the sink in the launch record, which has more room: for
/// longs, and for updates that take longer than an instruction.
std::vector<ValueId> X64Lowering::addresses_to_update(const AtomicAccess& a) {
  std::vector<ValueId> r = long_addresses(a.pointer);
  const ValueId sink = e.splat_gpr(context_address(offsetof(CpuWaveContext, sink)), vec64());
  const ValueId nowhere = e.add(sink, e.iota(0, 8, 8, bytes_), vec64());
  const std::vector<ValueId> m = parts(a.mask);
  for (size_t k = 0; k < r.size(); ++k)
    r[k] = e.blend(e.mask_half(m[k / 2], k % 2, vec32()), r[k], nowhere, vec64());
  return r;
}

/// Locked instructions without results, which the active lanes of half a vector of words execute first.
bool X64Lowering::atomic_compressed(const AtomicAccess& a) {
  if (!e.avx512 || a.local || a.needs_old || a.desired || known_full(a.mask) ||
      shapes_[a.pointer.index].uniform())
    return false;
  const bool one_value = shapes_[a.value.index].uniform() && has_scalar(a.value);
  const std::vector<ValueId> m = parts(a.mask), addresses = long_addresses(a.pointer),
                             values = one_value ? std::vector<ValueId>() : parts(a.value);
  const unsigned half = lanes_per_part() / 2;
  for (size_t k = 0; k < addresses.size(); ++k) {
    const ValueId lanes = e.mask_half(m[k / 2], k % 2, vec32());
    if (e.is_none(lanes)) continue;
    const ValueId to = e.vec(Op::x64_vpcompressq, {lanes, addresses[k]}, bytes_);
    const ValueId bits = e.gpr(Op::x64_and_, {e.mask_bits(lanes, vec64()), e.number((1 << half) - 1)}, 4);
    const ValueId active = e.gpr(Op::x64_popcnt, {bits}, 4);
    const ValueId set = e.gpr(Op::x64_not_, {e.gpr(Op::x64_shlx, {e.gpr_const(~uint64_t{0}), active})});
    VecType t = vec64();
    ValueId value;
    if (!one_value && a.wide()) {
      value = e.vec(Op::x64_vpcompressq, {lanes, values[k]}, bytes_);
    } else if (!one_value) {
      t = {bytes_ / 2, 32};
      value = e.vec(Op::x64_vpcompressd, {lanes, e.extract_half(values[k / 2], k % 2, vec32())}, bytes_ / 2);
    }
    for (unsigned i = 0; i < half; ++i)
      read_modify_write(a, set, i, e.extract(to, i, vec64()),
                        one_value ? scalar(a.value) : e.extract(value, i, t), {});
  }
  return true;
}

// Results are inserted into their vector one quarter at a time, so that few are held in registers.
std::vector<ValueId> X64Lowering::atomic_by_lane(const AtomicAccess& a) {
  VecType t = a.wide() ? vec64() : vec32();
  struct Values {
    ValueId same;
    std::vector<ValueId> parts;
  };
  auto values = [&](ValueId v) {
    bool uniform = v && shapes_[v.index].uniform() && has_scalar(v);
    return Values{uniform ? scalar(v) : ValueId(), v && !uniform ? parts(v) : std::vector<ValueId>()};
  };
  Values value = values(a.value), desired = values(a.desired);
  auto lane_of = [&](const Values& v, size_t k, unsigned i) {
    return v.parts.empty() ? v.same : e.extract(v.parts[k], i, t);
  };
  bool one_address = shapes_[a.pointer.index].uniform();
  const bool apart = a.local && !one_address,
             short_updates = !a.needs_old && row_of(a.op).plain != Op::Count_;
  const bool offsets = apart && (known_full(a.mask) || (short_updates && !a.wide()));
  std::vector<ValueId> m = parts(a.mask), addresses, results;
  const ValueId base = offsets ? block_of_memory(Elem::PtrLocal) : ValueId();
  if (apart)
    addresses = offsets ? offsets_to_update(a) : addresses_to_update(a);
  else if (one_address)
    addresses.push_back(flat_address(a.pointer));
  else
    addresses = long_addresses(a.pointer);
  unsigned half = lanes_per_part() / 2, quarter = 128 / t.bits;
  ValueId set;
  for (size_t k = 0; k < count_ * (a.wide() ? 2 : 1); ++k) {
    unsigned first = a.wide() && k % 2 ? half : 0;  // lane within the part of the mask
    size_t part = a.wide() ? k / 2 : k;
    if (first == 0 && !apart) set = e.mask_bits(m[part], vec32());
    ValueId result;
    std::vector<ValueId> old;
    for (unsigned i = 0; i < t.lanes(); ++i) {
      unsigned lane = first + i;
      const ValueId v = lane_of(value, k, i), d = lane_of(desired, k, i);
      const ValueId address = one_address ? addresses[0]
                              : offsets
                                  ? e.gpr(Op::x64_add, {e.extract(addresses[part], lane, vec32()), base})
                                  : e.extract(addresses[2 * part + lane / half], lane % half, vec64());
      old.push_back(apart ? update_at(e, a.op, a.size(), a.needs_old, address, v, d)
                          : read_modify_write(a, set, lane, address, v, d));
      if (!a.needs_old || old.size() < quarter) continue;
      result = e.insert_quarter(result, e.build(old, {16, t.bits}), i / quarter, t);
      old.clear();
    }
    results.push_back(result);
  }
  return results;
}

std::vector<ValueId> X64Lowering::masked_values(const AtomicAccess& a) {
  std::vector<ValueId> m = parts(a.mask), v = parts(a.value), r;
  VecType t = a.wide() ? vec64() : vec32();
  uint64_t none = identity(a.op, a.elem);
  for (size_t k = 0; k < v.size(); ++k) {
    ValueId lanes = a.wide() ? e.mask_half(m[k / 2], k % 2, vec32()) : m[k];
    r.push_back(none ? e.blend(lanes, v[k], e.constant(none, t), t) : e.keep(lanes, v[k], t));
  }
  return r;
}

// Reduces the values of all lanes of the mask.
ValueId X64Lowering::reduce(const AtomicAccess& a) {
  const AtomicRow& row = row_of(a.op);
  // A subtraction subtracts the sum.
  Op op = a.op == Op::lane_atomic_sub ? Op::lane_atomic_add : a.op;
  if (shapes_[a.value.index].uniform() && has_scalar(a.value)) {
    ValueId v = scalar(a.value);
    if (op != Op::lane_atomic_add && op != Op::lane_atomic_xor) return v;
    ValueId lanes = e.gpr(Op::x64_popcnt, {wave_bits(a.mask)}, 8);
    if (op == Op::lane_atomic_xor) lanes = e.gpr(Op::x64_and_, {lanes, e.number(1)}, a.size());
    return e.gpr(Op::x64_imul, {lanes, v}, a.size());
  }
  std::vector<ValueId> v = masked_values(a);
  auto both = [&](ValueId x, ValueId y, unsigned bytes) {
    const ValueId pair[] = {x, y};
    return element_op(e, row.element, a.elem, bytes, pair);
  };
  ValueId all = v[0];
  for (size_t k = 1; k < v.size(); ++k) all = both(all, v[k], bytes_);
  VecType t = a.wide() ? vec64() : vec32();
  for (; t.bytes > 16; t.bytes /= 2) all = both(all, e.extract_half(all, 1, t), t.bytes / 2);
  ValueId one = e.extract(all, 0, t);
  for (unsigned i = 1; i < t.lanes(); ++i) one = updated(e, op, a.size(), one, e.extract(all, i, t), {});
  return one;
}

// Exclusive prefix sums over the lanes of the mask.
std::vector<ValueId> X64Lowering::prefix_sums(const AtomicAccess& a, ValueId& total) {
  VecType t = a.wide() ? vec64() : vec32();
  unsigned quarter = 128 / t.bits;
  std::vector<ValueId> results;
  total = e.gpr_const(0);
  for (ValueId v : masked_values(a)) {
    ValueId result;
    std::vector<ValueId> before;
    for (unsigned i = 0; i < t.lanes(); ++i) {
      before.push_back(total);
      total = e.gpr(Op::x64_add, {total, e.extract(v, i, t)}, a.size());
      if (before.size() < quarter) continue;
      result = e.insert_quarter(result, e.build(before, {16, t.bits}), i / quarter, t);
      before.clear();
    }
    results.push_back(result);
  }
  return results;
}

// All lanes at once, if they share the address and no lane needs the effect of another one except as a sum.
bool X64Lowering::atomic_at_once(const AtomicAccess& a, Lowered& r) {
  bool adds = a.op == Op::lane_atomic_add || a.op == Op::lane_atomic_sub;
  if (!shapes_[a.pointer.index].uniform() || row_of(a.op).element == Op::Count_ || (a.needs_old && !adds))
    return false;
  ValueId total;
  std::vector<ValueId> before;
  if (a.needs_old)
    before = prefix_sums(a, total);
  else
    total = reduce(a);
  ValueId old = read_modify_write(a, any_bit(a.mask), 0, flat_address(a.pointer), total, {});
  if (!a.needs_old) return true;
  VecType t = a.wide() ? vec64() : vec32();
  ValueId first = e.splat_gpr(old, t);
  for (ValueId sum : before)
    r.parts.push_back(a.op == Op::lane_atomic_add ? e.add(first, sum, t) : e.sub(first, sum, t));
  return true;
}

void X64Lowering::atomic(const Inst& inst) {
  ValueId result = inst.results[0];
  AtomicAccess a{.op = inst.op,
                 .elem = w.type(result).elem,
                 .mask = inst.operands[0],
                 .pointer = inst.operands[1],
                 .value = inst.operands[2],
                 .desired = inst.operands.size() > 3 ? inst.operands[3] : ValueId(),
                 .local = w.type(inst.operands[1]).elem == Elem::PtrLocal,
                 .needs_old = used_[result.index]};
  Lowered r;
  if (!atomic_compressed(a) && !atomic_at_once(a, r)) r.parts = atomic_by_lane(a);
  if (a.needs_old) bind(result, std::move(r));
}

// One operation of the wave.
void X64Lowering::uniform_atomic(const Inst& inst) {
  ValueId result = inst.results[0];
  const AtomicAccess a{.op = row_of(inst.op).op,
                       .elem = w.type(result).elem,
                       .mask = {},
                       .pointer = inst.operands[0],
                       .value = inst.operands[1],
                       .desired = inst.operands.size() > 2 ? inst.operands[2] : ValueId(),
                       .local = w.type(inst.operands[0]).elem == Elem::PtrLocal,
                       .needs_old = used_[result.index]};
  ValueId old = read_modify_write(a, e.gpr_const(1), 0, flat_address(a.pointer), scalar(a.value),
                                  a.desired ? scalar(a.desired) : ValueId());
  if (a.needs_old) bind(result, {{}, old});
}

/// One bit per lane of the wave.
ValueId X64Lowering::wave_bits(ValueId mask) {
  if (known_full(mask)) return e.gpr_const(~uint64_t{0} >> (64 - w.width));
  if (dense_) return e.gpr(Op::x64_kmov64_to_gpr, {whole(mask)});
  if (const Value& v = w.value(mask); v.kind == ValueKind::Param && v.owner == w.entry().index)
    return context_field(offsetof(CpuWaveContext, mask));
  std::vector<ValueId> m = parts(mask);
  ValueId all;
  for (size_t k = 0; k < m.size(); ++k) {
    ValueId bits = e.mask_bits(m[k], vec32());
    // A mask register has 16 bits, independent of the vector size.
    if (e.avx512 && lanes_per_part() < 16)
      bits = e.gpr(Op::x64_and_, {bits, e.number((1 << lanes_per_part()) - 1)}, 4);
    if (k) bits = e.gpr(Op::x64_shl_imm, {bits, e.number(static_cast<int64_t>(k * lanes_per_part()))});
    all = all ? e.gpr(Op::x64_or_, {all, bits}) : bits;
  }
  return all;
}

// The ids of lane 0 move by a wave, in the launch record; row_fields.cpp then makes them values.
void X64Lowering::next_wave() {
  auto add = [&](size_t offset, int64_t n) {
    ValueId sum = e.gpr(Op::x64_add, {context_field(offset), e.number(n)});
    e.row(Op::x64_ctx_store, {sum}, {}, {8, 0, 1, static_cast<int64_t>(offset)});
  };
  add(offsetof(CpuWaveContext, global_id), w.width);
  add(offsetof(CpuWaveContext, local_id), w.width);
  add(offsetof(CpuWaveContext, full_waves), -1);
}

// To the launch record of another wave.
void X64Lowering::move_wave(const Inst& inst) {
  constexpr int64_t kRecord = sizeof(CpuWaveContext);
  const ValueId by = inst.operands[0];
  const ValueId bytes = w.is_const(by) ? e.number(static_cast<int64_t>(w.value(by).bits) * kRecord)
                                       : e.gpr(Op::x64_imul_imm, {scalar(by), e.number(kRecord)});
  e.row(Op::x64_ctx_move, {bytes}, {}, {8, 0, 1, 0});
}

// Work-items of the same group run on the same thread. For other groups: the processor keeps loads in order,
// and stores in order, but a load may move before an earlier store unless a fence is between them.
void X64Lowering::fence(const Inst& inst) {
  constexpr int64_t kGlobal = 2;
  if (inst.attrs[0] & kGlobal) e.row(Op::x64_mfence, {}, {});
}

// Needs no fence: the other waves of the group run on the same thread.
void X64Lowering::barrier(const Inst& inst) {
  e.row(Op::x64_ctx_store, {wave_bits(inst.operands[0])}, {}, {8, 0, 1, offsetof(CpuWaveContext, arrived)});
  e.row(Op::x64_barrier, {}, {}, {inst.attrs[1]});
}

}  // namespace kc::x64
