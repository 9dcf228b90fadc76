// SPDX-License-Identifier: Apache-2.0
// Runs in memory without masks for idle lanes: bytes and shorts on AVX2, and lanes that lie in descending
// order. All lanes must be active for one store. A load may read what idle lanes have there, if that is
// mapped.
//
//   out[n - i] = x    lanes 0 to 7 ==> vpermd ==> one store at &out[n - 7 - id(lane 0)]
#include <algorithm>
#include <ranges>

#include "backends/x64/elements.h"
#include "backends/x64/lower.h"
#include "backends/x64/small_code.h"

namespace kc::x64 {
namespace {

// The elements of a vector in descending order.
ValueId descending(Emit& e, ValueId v, VecType t) {
  const unsigned words = t.bytes / 4, each = t.bits / 32;
  std::vector<uint8_t> from(words);
  for (unsigned k = 0; k < words; ++k)
    from[k] = static_cast<uint8_t>((words / each - 1 - k / each) * each + k % each);
  return e.vec(Op::x64_vpermd, {e.numbers(from, t.bytes), v}, t.bytes);
}

}  // namespace

/// `full` where all lanes are active, the common case, else `some`: a test at run time decides, unless it is
/// known.
std::vector<ValueId> X64Lowering::where_full(ValueId mask, const Access& full, const Access& some) {
  if (known_full(mask)) return full();
  const BlockId here = e.block, if_full = fresh_block("full"), if_some = fresh_block("some");
  e.block = here;
  branch_on_full(mask, if_full, if_some);
  return in_either(if_full, full, if_some, some);
}

/// `all` where all of these bytes can be read, the common case, else `some`. A page is mapped as a whole, so
/// they can be read if no page ends within them and one lane is active, or if all lanes are active.
std::vector<ValueId> X64Lowering::where_readable(ValueId mask, const ByteRange& range, const Access& all,
                                                 const Access& some) {
  if (known_full(mask)) return all();
  const BlockId here = e.block, if_all = fresh_block("all"), at_end = fresh_block("page_end"),
                if_some = fresh_block("some");
  rare_.push_back(at_end);
  e.block = here;
  if (!known_nonempty(mask)) {
    const BlockId if_any = fresh_block("any");
    e.block = here;
    const ValueId any = any_bit(mask);
    e.branch(Op::x64_jtest, {any, any}, 4, NotEqual, {if_any, {}}, {at_end, {}});
    e.block = if_any;
  }
  const ValueId start = range.disp == 0 ? range.base : e.gpr(Op::x64_add, {range.base, e.number(range.disp)});
  const ValueId in_page = e.gpr(Op::x64_and_, {start, e.number(kPage - 1)}, 4);
  e.branch(Op::x64_jcmp, {in_page, e.number(kPage - range.bytes)}, 4, LessEqual, {if_all, {}}, {at_end, {}});
  e.block = at_end;
  branch_on_full(mask, if_all, if_some);
  return in_either(if_all, all, if_some, some);
}

void X64Lowering::branch_on_full(ValueId mask, BlockId if_full, BlockId if_some) {
  rare_.push_back(if_some);
  if (small_.byte_masks.has(mask)) {
    const VecType t{SmallCode(*this).mask_vector_bytes(mask), 8};
    ValueId idle;
    for (ValueId m : SmallCode(*this).masks(mask, 1)) {
      const ValueId one = e.xor_(m, e.constant(0xff, t), t);
      idle = idle ? e.or_(idle, one, t) : one;
    }
    e.branch(Op::x64_jptest, {idle, idle}, t.bytes, NotEqual, {if_some, {}}, {if_full, {}});
  } else {
    const ValueId bits = e.mask_bits(all_parts_and(mask), vec32());
    e.branch(Op::x64_jcmp, {bits, e.number((1 << lanes_per_part()) - 1)}, 4, Equal, {if_full, {}},
             {if_some, {}});
  }
}

/// What an access gives in one of two blocks.
std::vector<ValueId> X64Lowering::in_either(BlockId a, const Access& in_a, BlockId b, const Access& in_b) {
  e.block = a;
  std::vector<ValueId> vectors = in_a(), either;
  const BlockId joined = fresh_block("joined");
  for (size_t k = 0; k < vectors.size(); ++k) either.push_back(m_.add_param(joined, kVec));
  e.jump(joined, std::move(vectors));
  e.block = b;
  e.jump(joined, in_b());
  e.block = joined;
  return either;
}

// A run of bytes or shorts on AVX2: one access, or lane by lane.
std::vector<ValueId> X64Lowering::load_small_run(ValueId mask, ValueId pointer, Elem elem, bool is_signed) {
  const int64_t part = int64_t{lanes_per_part()} * Type{elem}.bytes();
  ValueId address = flat_address(pointer);
  auto loaded = [&] {
    std::vector<ValueId> run;
    for (unsigned k = 0; k < count_; ++k)
      run.push_back(load_run({}, address, k * part, elem, vec32(), is_signed));
    return run;
  };
  return where_readable(mask, {address, 0, part * count_}, loaded, [&] {
    std::vector<ValueId> lanes = gather_small(mask, pointer, elem);
    if (is_signed)
      for (ValueId& v : lanes) v = sign_extend_small(e, elem, v, bytes_);
    return lanes;
  });
}

/// All lanes of the vectors as a run of bytes or shorts, on AVX2: a whole vector at a time where there are as
/// many lanes.
void X64Lowering::store_small(ValueId address, int64_t disp, Elem elem, const std::vector<ValueId>& data) {
  const bool byte = Type{elem}.bytes() == 1;
  const size_t together = byte ? 4 : 2;
  if (data.size() % together == 0) {
    for (ValueId v : SmallCode(*this).from_words(data, elem)) {
      e.row(Op::x64_vstore, {address, v}, {}, {bytes_, 0, 1, disp});
      disp += bytes_;
    }
    return;
  }
  for (ValueId v : data) {
    ValueId x = e.vec(Op::x64_vpackusdw, {v, e.extract_half(v, 1, vec32())}, 16);
    if (byte) x = e.vec(Op::x64_vpackuswb, {x, x}, 16);
    e.row(byte ? Op::x64_vstore64x : Op::x64_vstore128, {address, x}, {}, {bytes_, 0, 1, disp});
    disp += int64_t{8} * Type{elem}.bytes();
  }
}

void X64Lowering::store_small_run(ValueId mask, ValueId pointer, Elem elem,
                                  const std::vector<ValueId>& data) {
  ValueId address = flat_address(pointer);
  auto stored = [&] { return store_small(address, 0, elem, data), Vectors(); };
  where_full(mask, stored, [&] { return scatter(mask, pointer, elem, data), Vectors(); });
}

bool X64Lowering::is_reversed(ValueId pointer, Elem elem) const {
  const Shape& shape = shapes_[pointer.index];
  return shape.kind == Shape::Strided && shape.stride == -int64_t{Type{elem}.bytes()} &&
         w.type(pointer).elem != Elem::PtrPrivate;
}

std::vector<ValueId> X64Lowering::load_reversed(const Inst& load) {
  const ValueId mask = load.operands[0], pointer = load.operands[1];
  const Elem elem = w.type(load.results[0]).elem;
  const unsigned size = Type{elem}.bytes();
  const VecType t = size == 8 ? vec64() : vec32();
  const size_t vectors = count_ * (size == 8 ? 2 : 1);
  int64_t disp = 0;
  const ValueId address = flat_address(pointer, &disp);
  auto loaded = [&] {
    std::vector<ValueId> run;
    for (size_t k = 0; k < vectors; ++k) {
      const int64_t at = disp - (static_cast<int64_t>((k + 1) * t.lanes()) - 1) * size;
      ValueId v;
      if (size >= 4 || e.avx512)
        v = load_run({}, address, at, elem, t);
      else
        v = m_.result(
            e.row(size == 1 ? Op::x64_vload8x8 : Op::x64_vload16x8, {address}, {kVec}, {bytes_, 0, 1, at}));
      run.push_back(descending(e, v, t));
    }
    return run;
  };
  const int64_t behind = int64_t{w.width - 1} * size;
  return where_readable(mask, {address, disp - behind, behind + size}, loaded,
                        [&] { return gathered_far(load); });
}

void X64Lowering::store_reversed(ValueId mask, ValueId pointer, Elem elem, const std::vector<ValueId>& data) {
  const unsigned size = Type{elem}.bytes();
  const VecType t = size == 8 ? vec64() : vec32();
  int64_t disp = 0;
  const ValueId address = flat_address(pointer, &disp);
  auto stored = [&] {
    std::vector<ValueId> run;
    for (ValueId v : data | std::views::reverse) run.push_back(descending(e, v, t));
    disp -= (int64_t{w.width} - 1) * size;
    if (size < 4 && !e.avx512) {
      store_small(address, disp, elem, run);
      return Vectors();
    }
    for (ValueId v : run) {
      store_run({}, address, disp, elem, v, t);
      disp += int64_t{t.lanes()} * size;
    }
    return Vectors();
  };
  where_full(mask, stored, [&] { return scatter(mask, pointer, elem, data), Vectors(); });
}

}  // namespace kc::x64
