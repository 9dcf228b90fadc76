// SPDX-License-Identifier: Apache-2.0
// Private memory. An access of s bytes is interleaved in units of s bytes: at offset o, lane k accesses
// o * width + k * s from the start of the wave's block. Lanes with one offset access a vector of memory;
// others are gathered and scattered.
#include <bit>
#include <cstddef>
#include <cstdlib>

#include "backends/x64/elements.h"
#include "backends/x64/lower.h"
#include "ir/known_bits.h"
#include "runtime/image.h"

namespace kc::x64 {

/// A pointer as a constant and at most one scaled index. The constant is small, so that the product of index
/// and scale, as a signed number of 32 bits, is right wherever the sum is an offset.
PrivateSum X64Lowering::private_sum(ValueId pointer) const {
  constexpr int64_t kSmall = 1 << 30;
  PrivateSum r;
  auto as_offset = [](uint64_t bits) { return int64_t{static_cast<int32_t>(bits)}; };
  for (ValueId p = pointer; std::abs(r.constant) < kSmall;) {
    if (w.is_const(p)) {
      r.constant += as_offset(w.value(p).bits);
      return r;
    }
    const InstId def = w.def(p);
    if (!def) break;
    const Inst& inst = w.inst(def);
    if (inst.op == Op::splat) {
      p = inst.operands[0];
      continue;
    }
    if (inst.op != Op::ptr_add) break;
    r.constant += as_offset(static_cast<uint64_t>(inst.attrs[1]));
    const ValueId index = inst.operands[1];
    if (w.is_const(index)) {
      r.constant += as_offset(
          static_cast<uint64_t>(as_signed(w.type(index).bits(), w.value(index).bits) * inst.attrs[0]));
    } else if (!r.index) {
      r.index = index, r.scale = static_cast<uint32_t>(inst.attrs[0]);
    } else {
      break;
    }
    p = inst.operands[0];
  }
  // Something else: the pointer itself is the index.
  return {.index = pointer, .scale = 1, .constant = 0};
}

/// The address of lane 0's element, if all lanes have one offset.
RunStart X64Lowering::private_place(ValueId pointer) {
  const PrivateSum sum = private_sum(pointer);
  RunStart r{block_of_memory(Elem::PtrPrivate), sum.constant * w.width};
  if (!sum.index) return r;
  ValueId& address = private_addresses_[{sum.index, sum.scale, e.block}];
  if (!address) {
    ValueId i = extended(scalar(sum.index), w.type(sum.index).elem, true, 4);
    if (std::has_single_bit(sum.scale)) {
      const int shift = std::countr_zero(sum.scale);
      if (shift) i = e.gpr(Op::x64_shl_imm, {i, e.number(shift)}, 4);
    } else {
      i = e.gpr(Op::x64_imul_imm, {i, e.number(sum.scale)}, 4);
    }
    i = e.gpr(Op::x64_movsx32, {i});
    i = e.gpr(Op::x64_shl_imm, {i, e.number(std::countr_zero(w.width))});
    address = m_.result(e.row(Op::x64_lea_index, {r.base, i}, {kGpr}, {8, 0, 1, 0}));
  }
  r.base = address;
  return r;
}

Indexed X64Lowering::private_index(ValueId pointer, Elem elem) {
  const PrivateSum sum = private_sum(pointer);
  const VecType t = vec32();
  const unsigned size = bits_of(elem) / 8;
  Indexed r{
      .base = block_of_memory(Elem::PtrPrivate), .index = {}, .scale = 1, .disp = sum.constant * w.width};
  std::vector<ValueId> index;
  if (sum.index) index = parts(sum.index);
  const Elem from = sum.index ? w.type(sum.index).elem : Elem::I32;
  for (unsigned k = 0; k < count_; ++k) {
    ValueId lanes = e.iota(int64_t{k} * lanes_per_part() * size, size, 4, bytes_);
    if (sum.index) {
      ValueId i = from == Elem::I64 ? e.narrow(index[2 * k], index[2 * k + 1], t) : index[k];
      if (is_small(from)) i = sign_extend_small(e, from, i, bytes_);
      const uint32_t factor = sum.scale * w.width;
      i = std::has_single_bit(factor) ? e.shl(i, static_cast<unsigned>(std::countr_zero(factor)), t)
                                      : e.mul(i, e.constant(factor, t), t);
      lanes = e.add(i, lanes, t);
    }
    r.index.push_back(lanes);
  }
  return r;
}

std::vector<ValueId> X64Lowering::private_load(ValueId mask, ValueId pointer, Elem elem) {
  const unsigned size = bits_of(elem) / 8;
  if (!shapes_[pointer.index].uniform()) {
    Indexed at = private_index(pointer, elem);
    return size < 4 ? gather_parts_of_words(parts(mask), at, true, elem)
                    : gather_indexed(parts(mask), at, elem);
  }
  const RunStart at = private_place(pointer);
  if (size >= 4 || e.avx512) return load_contiguous(mask, at.base, elem, at.disp);
  // All lanes have the memory: no mask is needed, but a valid address is.
  ValueId base = safe_private_base(mask, pointer, at);
  std::vector<ValueId> r;
  for (unsigned k = 0; k < count_; ++k)
    r.push_back(m_.result(e.row(size == 1 ? Op::x64_vload8x8 : Op::x64_vload16x8, {base}, {kVec},
                                {bytes_, 0, 1, at.disp + int64_t{k} * 8 * size})));
  return r;
}

/// The base of a place, or a valid one if no lane is active.
ValueId X64Lowering::safe_private_base(ValueId mask, ValueId pointer, const RunStart& at) {
  if (!private_sum(pointer).index || known_nonempty(mask)) return at.base;
  return e.gpr(Op::x64_select, {any_bit(mask), at.base, block_of_memory(Elem::PtrPrivate)});
}

void X64Lowering::private_store(ValueId mask, ValueId pointer, Elem elem, const std::vector<ValueId>& data) {
  const unsigned size = bits_of(elem) / 8;
  const std::vector<ValueId> m = parts(mask);
  if (shapes_[pointer.index].uniform()) {
    const RunStart at = private_place(pointer);
    if (size >= 4 || e.avx512) return store_contiguous(mask, at.base, elem, data, at.disp);
    // The bytes of inactive lanes are stored as they are.
    ValueId base = safe_private_base(mask, pointer, at);
    std::vector<ValueId> all = data;
    if (!known_full(mask))
      for (unsigned k = 0; k < count_; ++k)
        all[k] = e.blend(m[k], data[k],
                         m_.result(e.row(size == 1 ? Op::x64_vload8x8 : Op::x64_vload16x8, {base}, {kVec},
                                         {bytes_, 0, 1, at.disp + int64_t{k} * 8 * size})),
                         vec32());
    return store_small(base, at.disp, elem, all);
  }
  Indexed at = private_index(pointer, elem);
  if (e.avx512 && size >= 4) return scatter_indexed(m, at, elem, data);
  ValueId base = e.splat_gpr(e.gpr(Op::x64_add, {at.base, e.number(at.disp)}), vec64());
  std::vector<ValueId> addresses;
  for (ValueId i : at.index)
    for (unsigned h = 0; h < 2; ++h) addresses.push_back(e.add(base, e.widen(i, h, true, vec32()), vec64()));
  store_lanes(m, addresses, data, elem);
}

}  // namespace kc::x64
