// SPDX-License-Identifier: Apache-2.0
// Address selection. An access takes its address as a pair of vector registers, or as a uniform base in
// scalar registers and an unsigned 32-bit offset in one vector register; both forms add a signed 13-bit
// constant. A lane's index is often a uniform number plus a small divergent part (the local id, a byte, a
// remainder): the uniform part is added to the base, which saves 64-bit lane arithmetic.
#include <algorithm>

#include "backends/gcn/isa/table.h"
#include "backends/gcn/selector.h"

namespace kc::gcn {
namespace {

constexpr int64_t kOffsetLimit = 4096;
constexpr uint64_t kMaxLocalId = 0xffff;  // group sizes have 16 bits in the dispatch packet

bool is_power_of_two(int64_t v) { return v > 0 && (v & (v - 1)) == 0; }
int64_t wrapped(uint64_t v) { return static_cast<int32_t>(static_cast<uint32_t>(v)); }

}  // namespace

// Upper bound, unsigned, of an integer of 32 bits or less.
uint64_t Selector::bound_of(ValueId v, int depth) const {
  uint64_t all = (uint64_t{1} << w.type(v).bits()) - 1;
  if (w.is_const(v)) return w.value(v).bits & all;
  InstId def = w.def(v);
  if (!def || depth == 0) return all;
  const Inst& inst = w.inst(def);
  auto bound = [&](size_t i) { return bound_of(inst.operands[i], depth - 1); };
  switch (inst.op) {
    case Op::local_id:
      return std::min(all, kMaxLocalId);
    case Op::lane_id:
      return model_.wave_lanes - 1;
    case Op::zext:
    case Op::splat:
      return bound(0);
    case Op::and_:
      return std::min(bound(0), bound(1));
    case Op::lshr:
      return w.is_const(inst.operands[1]) ? bound(0) >> (w.value(inst.operands[1]).bits % w.type(v).bits())
                                          : bound(0);
    case Op::urem:
      return w.is_const(inst.operands[1]) && bound(1) ? bound(1) - 1 : bound(0);
    case Op::select:
      return std::max(bound(1), bound(2));
    default:
      return all;
  }
}

// Records the decomposition of a 64-bit lane value after its computation.
void Selector::note_parts(const Inst& inst) {
  ValueId v = inst.results[0];
  auto parts = [&](ValueId of) { return parts_.find(of.index); };
  switch (inst.op) {
    case Op::zext:
      if (ValueId from = inst.operands[0]; w.type(from).elem != Elem::I1)
        parts_[v.index] = {{}, reg(from), bound_of(from, kBoundDepth)};
      return;
    case Op::add:
      for (size_t i : {0, 1})
        if (auto it = parts(inst.operands[i]); it != parts_.end() && !w.type(inst.operands[1 - i]).lane) {
          Parts p = it->second;
          ValueId other = reg(inst.operands[1 - i]);
          p.base = p.base ? make(Op::gcn_p_s_add64, sgpr(2), {p.base, other}) : other;
          parts_[v.index] = p;
        }
      return;
    case Op::sub:
      if (auto it = parts(inst.operands[0]); it != parts_.end() && !w.type(inst.operands[1]).lane) {
        Parts p = it->second;
        ValueId from = p.base ? p.base : move_scalar(0, 2);
        p.base = make(Op::gcn_p_s_sub64, sgpr(2), {from, reg(inst.operands[1])});
        parts_[v.index] = p;
      }
      return;
    default:
      return;
  }
}

// A uniform 64-bit value times a constant.
ValueId Selector::scaled_scalar(ValueId v, int64_t scale) {
  if (scale == 1) return v;
  if (is_power_of_two(scale))
    return make(Op::gcn_s_lshl_b64, sgpr(2), {v, imm(__builtin_ctzll(static_cast<uint64_t>(scale)))});
  return multiply_scalar64(v, move_scalar(static_cast<uint64_t>(scale), 2));
}

ValueId Selector::scaled_vector(ValueId v, int64_t scale) {
  if (scale == 1) return v;
  bool wide = m.type(v).regs == 2;
  if (!is_power_of_two(scale))
    return wide ? multiply64(v, constant64(static_cast<uint64_t>(scale)))
                : vop3(Op::gcn_v_mul_lo_u32, vgpr(), {v, imm(scale)});
  ValueId shift = imm(__builtin_ctzll(static_cast<uint64_t>(scale)));
  return make(wide ? Op::gcn_v_lshlrev_b64 : Op::gcn_v_lshlrev_b32, vgpr(wide ? 2 : 1), {shift, v});
}

ValueId Selector::multiply_add(bool is_signed, ValueId x, int64_t scale, ValueId plus) {
  std::vector<ValueId> operands{x, imm(scale), plus};
  ValueId product =
      vop3(is_signed ? Op::gcn_v_mad_i64_i32 : Op::gcn_v_mad_u64_u32, vgpr(2), std::move(operands));
  m.add_result(m.def(product), masks_.type);  // the carry
  return product;
}

// base + index * scale for lanes; `address` receives a shorter form if there is one.
ValueId Selector::lane_element(const Inst& inst, int64_t scale, Address& address) {
  ValueId base = inst.operands[0], index = inst.operands[1];
  bool uniform_base = !w.type(base).lane, narrow_index = w.type(index).elem == Elem::I32;
  bool in_word = scale > 0 && scale <= INT32_MAX;
  Parts parts;
  bool known = false;
  if (auto it = parts_.find(index.index); it != parts_.end()) {
    parts = it->second, known = true;
  } else if (narrow_index && w.type(index).lane && bound_of(index, kBoundDepth) <= INT32_MAX) {
    parts.lane = reg(index), parts.bound = bound_of(index, kBoundDepth), known = true;
  }
  if (known && uniform_base && in_word && (!parts.base || is_power_of_two(scale)) &&
      parts.bound <= UINT32_MAX / static_cast<uint64_t>(scale)) {
    ValueId from = reg(base);
    if (parts.base) from = make(Op::gcn_p_s_add64, sgpr(2), {from, scaled_scalar(parts.base, scale)});
    address.base = from, address.offset = scaled_vector(to_vector(parts.lane), scale);
    return make(Op::gcn_p_v_add64, vgpr(2), {from, pack(address.offset, imm(0), true)});
  }
  ValueId start = uniform_base ? reg(base) : vector(base);
  if (narrow_index && in_word) return multiply_add(true, vector(index), scale, start);
  ValueId v = vector(index);
  if (narrow_index) v = pack(v, sign_of(Elem::I32, v), true);
  return make(Op::gcn_p_v_add64, vgpr(2), {start, scaled_vector(v, scale)});
}

ValueId Selector::ptr_add(const Inst& inst, bool lane) {
  ValueId base = inst.operands[0], index = inst.operands[1];
  int64_t scale = inst.attrs[0], offset = inst.attrs[1];
  if (w.type(inst.results[0]).bits() == 32) return small_ptr_add(inst, lane);
  ValueId sum;
  Address address;
  if (w.is_const(index)) {
    uint64_t bits = w.value(index).bits;
    int64_t i =
        w.type(index).elem == Elem::I32 ? int64_t{static_cast<int32_t>(bits)} : static_cast<int64_t>(bits);
    offset = static_cast<int64_t>(static_cast<uint64_t>(offset) +
                                  static_cast<uint64_t>(i) * static_cast<uint64_t>(scale));
    // Added to the decomposition of the base itself.
    if (auto it = addresses_.find(base.index); it != addresses_.end()) address = it->second;
    sum = lane ? vector(base) : reg(base);
  } else if (lane) {
    sum = lane_element(inst, scale, address);
  } else {
    ValueId v = reg(index);
    bool narrow_index = w.type(index).elem == Elem::I32;
    if (narrow_index && scale > 1 && scale <= INT32_MAX) {
      v = is_power_of_two(scale)
              ? make(Op::gcn_p_s_shl_wide, sgpr(2), {v}, {__builtin_ctzll(static_cast<uint64_t>(scale))})
              : make(Op::gcn_p_s_mul_wide, sgpr(2), {v, imm(scale)});
      scale = 1;
    } else if (narrow_index) {
      v = pack(v, make(Op::gcn_s_ashr_i32, sgpr(), {v, imm(31)}), false);
    }
    sum = make(Op::gcn_p_s_add64, sgpr(2), {reg(base), scaled_scalar(v, scale)});
  }
  if (!address.base) address.base = sum;
  address.constant += offset;
  if (address.constant >= -kOffsetLimit && address.constant < kOffsetLimit)
    addresses_[inst.results[0].index] = address;
  if (offset == 0) return sum;
  auto bits = static_cast<uint64_t>(offset);
  return lane ? add64(constant64(bits), sum) : make(Op::gcn_p_s_add64, sgpr(2), {sum, move_scalar(bits, 2)});
}

// Offsets into local and private memory have 32 bits. Their constant part is tracked separately, modulo 2^32,
// and becomes the immediate of the instruction.
Selector::Address Selector::small_address(ValueId pointer) {
  if (auto it = addresses_.find(pointer.index); it != addresses_.end()) return it->second;
  if (w.is_const(pointer)) return {.base = {}, .offset = {}, .constant = wrapped(w.value(pointer).bits)};
  return {.base = reg(pointer), .offset = {}};
}

ValueId Selector::small_element(ValueId base, ValueId index, int64_t scale) {
  ValueId i = is_wide(w.type(index).elem) ? lo(reg(index)) : source(index);
  ValueId shift = is_power_of_two(scale) ? imm(__builtin_ctzll(static_cast<uint64_t>(scale))) : ValueId();
  bool uniform = !w.type(index).lane && !(base && is_vector(base));
  if (uniform) {
    if (scale != 1)
      i = shift ? make(Op::gcn_s_lshl_b32, sgpr(), {i, shift})
                : make(Op::gcn_s_mul_i32, sgpr(), {i, imm(wrapped(static_cast<uint64_t>(scale)))});
    return base ? make(Op::gcn_s_add_u32, sgpr(), {base, i}) : i;
  }
  if (scale != 1 && shift && base) return vop3(Op::gcn_v_lshl_add_u32, vgpr(), {i, shift, base});
  if (scale != 1) i = scaled_vector(to_vector(i), wrapped(static_cast<uint64_t>(scale)));
  return base ? vop2(Op::gcn_v_add_u32, base, i, true) : i;
}

ValueId Selector::small_ptr_add(const Inst& inst, bool lane) {
  Address a = small_address(inst.operands[0]);
  ValueId index = inst.operands[1];
  auto constant = static_cast<uint64_t>(a.constant) + static_cast<uint64_t>(inst.attrs[1]);
  if (w.is_const(index))
    constant += w.value(index).bits * static_cast<uint64_t>(inst.attrs[0]);
  else
    a.base = small_element(a.base, index, inst.attrs[0]);
  a.constant = wrapped(constant);
  addresses_[inst.results[0].index] = a;
  if (!a.base) return lane ? to_vector(imm(a.constant)) : move_scalar(static_cast<uint32_t>(a.constant), 1);
  ValueId sum = lane ? to_vector(a.base) : a.base;
  if (!a.constant) return sum;
  return lane ? vop2(Op::gcn_v_add_u32, imm(a.constant), sum, false)
              : make(Op::gcn_s_add_u32, sgpr(), {sum, imm(a.constant)});
}

// A vector register and an unsigned constant below `reach`. The hardware adds modulo 2^32 as well, so the
// register may hold a negative number.
Selector::Address Selector::small_access(ValueId pointer, int64_t reach) {
  Address a = small_address(pointer);
  bool fits = a.constant >= 0 && a.constant < reach;
  if (!a.base)
    return {.base = to_vector(imm(fits ? 0 : a.constant)), .offset = {}, .constant = fits ? a.constant : 0};
  a.base = to_vector(a.base);
  if (fits) return a;
  return {.base = vop2(Op::gcn_v_add_u32, imm(a.constant), a.base, false), .offset = {}};
}

// The addressing mode for an access through the pointer.
Selector::Address Selector::address_of(ValueId pointer) {
  Address a;
  if (auto it = addresses_.find(pointer.index); it != addresses_.end())
    a = it->second;
  else
    a.base = w.type(pointer).lane ? vector(pointer) : reg(pointer);
  if (!a.offset && !is_vector(a.base)) a.offset = to_vector(imm(0));
  return a;
}

}  // namespace kc::gcn
