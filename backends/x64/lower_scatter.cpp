// SPDX-License-Identifier: Apache-2.0
// Stores of lanes to addresses of their own: a scatter where the machine has one, else lane by lane without
// branches, which would be mispredicted.
//
//   AVX2, all lanes active:   vpextrd [base + 4*i3], data, 3       two indices at a time come out of a vector
//   AVX2, some lanes active:  the addresses of the others are that of a sink
#include <bit>
#include <cstddef>

#include "backends/x64/elements.h"
#include "backends/x64/lower.h"
#include "runtime/image.h"

namespace kc::x64 {
namespace {

unsigned bytes_of(Elem e) { return Type{e}.bytes(); }

/// Stores one lane of a vector of words or long words, of which bytes and shorts are the low parts.
class LaneStores {
 public:
  LaneStores(Emit& emit, Elem elem, unsigned vector_bytes)
      : e_(emit), elem_(elem), size_(bytes_of(elem)), type_{vector_bytes, size_ == 8 ? 64u : 32u} {}

  /// `address`: one register, or a base and an index.
  void store(ValueList address, const std::vector<ValueId>& data, unsigned lane, int64_t scale = 1,
             int64_t disp = 0) {
    const ValueId part = data[lane / type_.lanes()];
    lane %= type_.lanes();
    const bool index = address.size() == 2;
    const unsigned in_quarter = lane % (128 / type_.bits);
    Op op;
    if (size_ < 4) {
      op = scalar_access(elem_, true, index);
      address.push_back(e_.extract(part, lane, type_));
    } else {
      static constexpr Op kOthers[2][2] = {{Op::x64_vpextrd_store, Op::x64_vpextrq_store},
                                           {Op::x64_vpextrd_store_index, Op::x64_vpextrq_store_index}};
      op = in_quarter != 0 ? kOthers[index][size_ == 8]
                           : scalar_access(size_ == 8 ? Elem::F64 : Elem::F32, true, index);
      address.push_back(e_.quarter_of(part, lane, type_));
    }
    e_.row(op, std::move(address), {}, {size_, in_quarter, scale, disp});
  }

 private:
  Emit& e_;
  Elem elem_;
  unsigned size_;
  VecType type_;
};

}  // namespace

bool X64Lowering::store_one_by_one(ValueId pointer, Elem elem, const std::vector<ValueId>& data,
                                   int64_t disp) {
  const std::vector<int64_t> steps = lane_distances(pointer);
  if (steps.empty()) return false;
  int64_t moved = 0;
  const ValueId address = flat_address(pointer, &moved);
  LaneStores lanes(e, elem, bytes_);
  for (unsigned lane = 0; lane < w.width; ++lane)
    lanes.store({address}, data, lane, 1, disp + moved + steps[lane]);
  return true;
}

void X64Lowering::scatter(ValueId mask, ValueId pointer, Elem elem, const std::vector<ValueId>& data,
                          int64_t disp) {
  std::vector<ValueId> m = parts(mask);
  const unsigned size = bytes_of(elem);
  const bool wide = size == 8, local = w.type(pointer).elem == Elem::PtrLocal;
  if (known_full(mask) && store_one_by_one(pointer, elem, data, disp)) return;
  Indexed at;
  if (local && !(e.avx512 && size >= 4)) return store_local_lanes(mask, pointer, data, elem, disp);
  if (((e.avx512 && size >= 4) || (!e.avx512 && known_full(mask))) && indexed_address(pointer, at)) {
    at.disp += disp;
    return e.avx512 ? scatter_indexed(m, at, elem, data) : store_indexed_lanes(at, data, elem);
  }
  std::vector<ValueId> addresses = long_addresses(pointer, disp);
  if (e.avx512 && size >= 4) {
    for (size_t k = 0; k < addresses.size(); ++k) {
      ValueId lanes = e.mask_half(m[k / 2], k % 2, vec32());
      ValueId part = wide ? data[k] : e.extract_half(data[k / 2], k % 2, vec32());
      e.row(wide ? Op::x64_vscatter64_abs_k : Op::x64_vscatter32_abs_k, {lanes, addresses[k], part}, {kKreg},
            {bytes_, 0, 1, 0});
    }
    return;
  }
  store_lanes(known_full(mask) ? std::vector<ValueId>() : m, addresses, data, elem);
}

void X64Lowering::scatter_indexed(const std::vector<ValueId>& masks, const Indexed& at, Elem elem,
                                  const std::vector<ValueId>& data) {
  const bool wide = bytes_of(elem) == 8;
  for (size_t k = 0; k < data.size(); ++k) {
    ValueId lanes = wide ? e.mask_half(masks[k / 2], k % 2, vec32()) : masks[k];
    if (e.is_none(lanes)) continue;
    ValueId index = wide ? e.extract_half(at.index[k / 2], k % 2, vec32()) : at.index[k];
    e.row(wide ? Op::x64_vscatter64_k : Op::x64_vscatter32_k, {lanes, at.base, index, data[k]}, {kKreg},
          {bytes_, 0, at.scale, at.disp});
  }
}

/// All lanes: an index is the low or the high half of a register.
void X64Lowering::store_indexed_lanes(const Indexed& at, const std::vector<ValueId>& data, Elem elem) {
  LaneStores lanes(e, elem, bytes_);
  for (unsigned lane = 0; lane < w.width; lane += 2) {
    const ValueId two = e.extract(at.index[lane / lanes_per_part()], lane % lanes_per_part() / 2, vec64());
    const ValueId low = e.gpr(Op::x64_movsx32, {two}), high = e.gpr(Op::x64_sar_imm, {two, e.number(32)});
    lanes.store({at.base, low}, data, lane, at.scale, at.disp);
    lanes.store({at.base, high}, data, lane + 1, at.scale, at.disp);
  }
}

/// At offsets in local memory: inactive lanes store at offset 0, where no object is.
void X64Lowering::store_local_lanes(ValueId mask, ValueId pointer, const std::vector<ValueId>& data,
                                    Elem elem, int64_t disp) {
  const ValueId base = block_of_memory(Elem::PtrLocal);
  const std::vector<ValueId> m = parts(mask), offsets = parts(pointer);
  LaneStores lanes(e, elem, bytes_);
  for (size_t k = 0; k < offsets.size(); ++k) {
    if (e.is_none(m[k])) continue;
    ValueId to = offsets[k];
    if (disp) to = e.add(to, e.constant(static_cast<uint32_t>(disp), vec32()), vec32());
    if (!known_full(mask)) to = e.keep(m[k], to, vec32());
    for (unsigned i = 0; i < lanes_per_part(); ++i)
      lanes.store({base, e.extract(to, i, vec32())}, data, static_cast<unsigned>(k) * lanes_per_part() + i);
  }
}

/// At addresses: inactive lanes store into the launch record. Without masks all lanes are active.
void X64Lowering::store_lanes(const std::vector<ValueId>& masks, const std::vector<ValueId>& addresses,
                              const std::vector<ValueId>& data, Elem elem) {
  const unsigned half_lanes = lanes_per_part() / 2;
  LaneStores lanes(e, elem, bytes_);
  ValueId sink;
  if (!masks.empty()) sink = e.splat_gpr(context_address(offsetof(CpuWaveContext, sink)), vec64());
  for (size_t k = 0; k < addresses.size(); ++k) {
    if (!masks.empty() && e.is_none(masks[k / 2])) continue;
    const ValueId to = masks.empty()
                           ? addresses[k]
                           : e.blend(e.mask_half(masks[k / 2], k % 2, vec32()), addresses[k], sink, vec64());
    for (unsigned i = 0; i < half_lanes; ++i)
      lanes.store({e.extract(to, i, vec64())}, data, static_cast<unsigned>(k) * half_lanes + i);
  }
}

}  // namespace kc::x64
