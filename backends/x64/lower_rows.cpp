// SPDX-License-Identifier: Apache-2.0
// Packed waves: lanes form rows of 2, 4, 8 ... work-items; each row is contiguous from a start of its own. A
// row's access is a piece of a vector, or several vectors.
//
//   16 lanes, two rows of 8: a vector's low half from one row of a matrix, its high half from the next
#include <algorithm>
#include <cstddef>

#include "backends/x64/elements.h"
#include "backends/x64/lower.h"
#include "runtime/image.h"

namespace kc::x64 {
namespace {
constexpr unsigned kSmallestPiece = 16;  // bytes
}

struct X64Lowering::RowPiece {
  unsigned part, number;  // of the vector, and of the piece in it
  unsigned row;
  int64_t offset;  // in bytes, from the start of the row in memory
  VecType type;
};

/// Distance of each lane of an id from lane 0 along a dimension, for active and inactive lanes.
std::vector<ValueId> X64Lowering::steps_along(size_t dim, ValueId id) {
  constexpr int64_t kMostInConstant = 31;
  const Elem elem = w.type(id).elem;
  const auto& pattern = patterns_[id.index];
  const bool constant = pattern && std::ranges::all_of(pattern->steps, [](int64_t s) {
                          return s >= 0 && s <= kMostInConstant;
                        });
  const ValueId table = constant ? ValueId() : context_field(offsetof(CpuWaveContext, steps));
  std::vector<ValueId> r;
  for (unsigned k = 0; k < count_; ++k) {
    const unsigned first = k * lanes_per_part();
    ValueId words;
    if (constant)
      words = e.numbers({pattern->steps.begin() + first, pattern->steps.begin() + first + lanes_per_part()},
                        bytes_);
    else
      words = m_.result(e.row(Op::x64_vload, {table}, {kVec},
                              {bytes_, 0, 1, static_cast<int64_t>(4 * (dim * w.width + first))}));
    if (element_bits(elem) == 32)
      r.push_back(words);
    else
      for (unsigned half : {0u, 1u}) r.push_back(e.widen(words, half, true, vec32()));
  }
  return r;
}

/// Whether in each row the elements are contiguous or at one address, and rows are long enough.
bool X64Lowering::is_contiguous_in_rows(ValueId pointer, Elem elem) const {
  const Shape& shape = shapes_[pointer.index];
  const unsigned size = Type{elem}.bytes();
  if (shape.kind != Shape::Rows || w.type(pointer).elem == Elem::PtrPrivate) return false;
  if (shape.stride != size && shape.stride != 0) return false;
  if (size < 4 && shape.stride != 0 && !e.avx512 && layout_.row < lanes_per_part()) return false;
  return layout_.row * element_bits(elem) / 8 >= kSmallestPiece;
}

/// The addresses of the first lane of each row, active or not.
std::vector<ValueId> X64Lowering::row_addresses(ValueId pointer) {
  std::vector<ValueId> r;
  if (const std::vector<int64_t> steps = lane_distances(pointer); !steps.empty()) {
    int64_t disp = 0;
    const ValueId first = flat_address(pointer, &disp);
    for (unsigned lane = 0; lane < w.width; lane += layout_.row)
      r.push_back(m_.result(e.row(Op::x64_lea, {first}, {kGpr}, {8, 0, 1, disp + steps[lane]})));
    return r;
  }
  Indexed at;
  const bool short_index = indexed_address(pointer, at);
  std::vector<ValueId> addresses;
  if (!short_index) addresses = long_addresses(pointer);
  const unsigned per = lanes_per_part() / (short_index ? 1 : 2);
  for (unsigned lane = 0; lane < w.width; lane += layout_.row) {
    if (!short_index) {
      r.push_back(e.extract(addresses[lane / per], lane % per, vec64()));
      continue;
    }
    ValueId index = e.gpr(Op::x64_movsx32, {e.extract(at.index[lane / per], lane % per, vec32())});
    r.push_back(m_.result(e.row(Op::x64_lea_index, {at.base, index}, {kGpr}, {8, 0, at.scale, at.disp})));
  }
  return r;
}

/// The pieces of vectors that belong to one row each, in lane order.
std::vector<X64Lowering::RowPiece> X64Lowering::row_pieces(Elem elem) const {
  const VecType t{bytes_, element_bits(elem)};
  const unsigned lanes = std::min(t.lanes(), layout_.row), size = Type{elem}.bytes();
  std::vector<RowPiece> r;
  for (unsigned lane = 0; lane < w.width; lane += lanes)
    r.push_back({.part = lane / t.lanes(),
                 .number = lane % t.lanes() / lanes,
                 .row = lane / layout_.row,
                 .offset = int64_t{lane % layout_.row * size},
                 .type = {lanes * t.bits / 8, t.bits}});
  return r;
}

ValueId X64Lowering::cut_out(ValueId whole, const RowPiece& p) {
  const VecType t{bytes_, p.type.bits};
  if (p.type.bytes == t.bytes || p.number == 0) return whole;
  if (2 * p.type.bytes == t.bytes) return e.extract_half(whole, p.number, t);
  return e.vec(Op::x64_vextracti32x4, {whole}, t.bytes, p.number);
}

ValueId X64Lowering::put_in(ValueId whole, ValueId piece, const RowPiece& p) {
  const VecType t{bytes_, p.type.bits};
  if (p.number == 0) return piece;
  if (2 * p.type.bytes == t.bytes) return e.insert_half(whole, piece, t);
  return e.insert_quarter(whole, piece, p.number, t);
}

ValueId X64Lowering::mask_of(ValueId mask, const RowPiece& p) {
  std::vector<ValueId> m = parts(mask);
  const bool wide = p.type.bits == 64;
  ValueId whole = wide ? e.mask_half(m[p.part / 2], p.part % 2, vec32()) : m[p.part];
  if (!e.avx512) return cut_out(whole, p);
  return p.number ? e.kreg(Op::x64_kshiftr, {whole}, bytes_, p.number * p.type.lanes()) : whole;
}

/// `mask`: none if all lanes are active, as they must be for bytes and shorts on AVX2.
std::vector<ValueId> X64Lowering::load_rows(ValueId mask, ValueId pointer, Elem elem) {
  std::vector<ValueId> rows = row_addresses(pointer), r;
  const bool one_place = shapes_[pointer.index].stride == 0;
  const bool full = !mask || known_full(mask);
  for (const RowPiece& p : row_pieces(elem)) {
    ValueId lanes = full ? ValueId() : mask_of(mask, p), piece;
    if (one_place && full) {
      ValueId one = load_scalar({rows[p.row]}, elem);
      piece = Type{elem}.is_float() ? e.splat_vec(one, p.type) : e.splat_gpr(one, p.type);
    } else if (one_place) {
      ValueId set = e.mask_bits(lanes, p.type);
      if (e.avx512) set = e.gpr(Op::x64_and_, {set, e.number((1 << p.type.lanes()) - 1)}, 4);
      ValueId one = load_scalar({e.gpr(Op::x64_safe_address, {set, rows[p.row]})}, elem);
      piece = Type{elem}.is_float() ? e.splat_vec(one, p.type) : e.splat_gpr(one, p.type);
    } else {
      piece = load_run(lanes, rows[p.row], p.offset, elem, p.type);
    }
    if (p.number == 0)
      r.push_back(piece);
    else
      r.back() = put_in(r.back(), piece, p);
  }
  return r;
}

void X64Lowering::store_rows(ValueId mask, ValueId pointer, Elem elem, const std::vector<ValueId>& data) {
  std::vector<ValueId> rows = row_addresses(pointer);
  const bool full = !mask || known_full(mask);
  if (Type{elem}.bytes() < 4 && !e.avx512) {
    const size_t each = layout_.row / lanes_per_part();
    for (size_t k = 0; k < rows.size(); ++k)
      store_small(rows[k], 0, elem, {data.begin() + k * each, data.begin() + (k + 1) * each});
    return;
  }
  for (const RowPiece& p : row_pieces(elem))
    store_run(full ? ValueId() : mask_of(mask, p), rows[p.row], p.offset, elem, cut_out(data[p.part], p),
              p.type);
}

}  // namespace kc::x64
