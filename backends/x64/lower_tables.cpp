// SPDX-License-Identifier: Apache-2.0
// Tables of constants that fit into a few registers: a permutation looks the elements up, where a gather
// would access memory once for each lane.
//
//   constant uchar digits[16] = "0123456789abcdef";   vpermd: the word of each lane's index,
//   digits[x & 15]                                ->   vpsrlvd, vpandd: its byte
//
// The table is what the range of the index leaves of the kernel's constants. Its registers are loaded in the
// entry block.
#include <algorithm>
#include <bit>

#include "backends/x64/lower.h"
#include "ir/launch.h"
#include "ir/parameters.h"

namespace kc::x64 {
namespace {

constexpr int64_t kWordBytes = 4;
// A permutation takes its elements from one or, with AVX-512, from two registers; more than one permutation
// needs choices between their results.
constexpr int64_t kMost512 = 4, kMost256 = 2;  // registers of a table

}  // namespace

/// Constants from the byte `start` on.
ValueId X64Lowering::table_vector(int64_t start) {
  auto [it, fresh] = table_vectors_.try_emplace(start);
  if (!fresh) return it->second;
  const auto constants = *param_with_role(w, ParamRole::Constants);
  const ValueId base = scalar(w.block(w.entry()).params[constants]);
  const BlockId here = e.block;
  e.block = m_.entry();
  auto& insts = m_.block(m_.entry()).insts;
  const size_t before = insts.size();
  const bool inside = start + bytes_ <= static_cast<int64_t>(lay_out_objects(w, kPtrConstant).size);
  ValueId lanes;
  if (!inside) {
    const int64_t words = (static_cast<int64_t>(lay_out_objects(w, kPtrConstant).size) - start) / kWordBytes;
    if (e.avx512) {
      lanes = e.kreg(Op::x64_kmov_from_gpr, {e.gpr_const((uint64_t{1} << words) - 1)}, bytes_);
    } else {
      std::vector<uint8_t> some;
      for (int64_t k = 0; k < int64_t{lanes_per_part()}; ++k) some.push_back(k < words);
      lanes = e.shl(e.numbers(some, bytes_), 31, vec32());
    }
  }
  it->second = load_run(lanes, base, start, Elem::I32, vec32());
  table_loads_.insert(table_loads_.end(), insts.begin() + static_cast<ptrdiff_t>(before), insts.end());
  insts.resize(before);
  e.block = here;
  return it->second;
}

std::optional<ConstantTable> X64Lowering::table_of(ValueId pointer, Elem elem) {
  const int64_t size = Type{elem}.bytes();
  const InstId def = w.def(pointer);
  const auto constants = param_with_role(w, ParamRole::Constants);
  if (w.type(pointer).elem != Elem::PtrConstant || !def || !constants || size > kWordBytes) return {};
  const Inst& sum = w.inst(def);
  if (sum.op != Op::ptr_add || sum.operands[0] != w.block(w.entry()).params[*constants]) return {};
  ValueId index = sum.operands[1];
  if (InstId d = w.def(index);
      w.type(index).elem == Elem::I64 && d && (w.inst(d).op == Op::sext || w.inst(d).op == Op::zext))
    index = w.inst(d).operands[0];
  if (w.type(index) != kI32.lanes()) return {};
  const int64_t scale = sum.attrs[0], offset = sum.attrs[1];
  const bool in_words = scale > 0 && std::has_single_bit(static_cast<uint64_t>(scale)) && scale % size == 0 &&
                        offset % size == 0;
  const KnownBits& known = analyses_.ranges().operand(def, 1);
  // What of the constants it may be: all, if the index could be anything.
  const auto all = static_cast<int64_t>(lay_out_objects(w, kPtrConstant).size);
  int64_t begin = static_cast<int64_t>(kFirstOffset), end = all;
  if (!known.nothing && known.smin > -all && known.smax < all) {
    begin = std::max(begin, known.smin * scale + offset);
    end = std::min(end, known.smax * scale + offset + size);
  }
  if (!in_words || begin >= end) return {};
  const int64_t each = bytes_;
  begin -= begin % kWordBytes;
  const int64_t vectors = (end - begin + each - 1) / each;
  if (vectors > (e.avx512 ? kMost512 : kMost256)) return {};
  // No register reaches behind the constants if that can be avoided.
  begin = std::max<int64_t>(0, std::min(begin, all - vectors * each));
  return ConstantTable{index, scale, offset, begin, vectors};
}

std::vector<ValueId> X64Lowering::table_load(ValueId pointer, Elem elem) {
  const auto found_table = table_of(pointer, elem);
  if (!found_table) return {};
  const auto& [index, scale, offset, begin, registers] = *found_table;
  const int64_t size = Type{elem}.bytes();
  const VecType t = vec32();
  const unsigned shift = static_cast<unsigned>(std::countr_zero(static_cast<uint64_t>(scale)));
  std::vector<ValueId> tables, r;
  for (int64_t v = 0; v < registers; ++v) tables.push_back(table_vector(begin + v * bytes_));
  auto plus = [&](ValueId a, int64_t n) {
    return n ? e.add(a, e.constant(static_cast<uint32_t>(n), t), t) : a;
  };
  const int64_t lanes = lanes_per_part();
  for (ValueId part : parts(index)) {
    ValueId bytes, word;
    if (scale % kWordBytes == 0 && (offset - begin) % kWordBytes == 0) {
      word = plus(shift > 2 ? e.shl(part, shift - 2, t) : part, (offset - begin) / kWordBytes);
    } else {
      bytes = plus(shift ? e.shl(part, shift, t) : part, offset - begin);
      word = e.lshr(bytes, 2, t);
    }
    auto pair = [&](size_t v) {
      const bool two = e.avx512 && v + 1 < tables.size();
      return two ? e.vec(Op::x64_vpermi2d, {word, tables[v], tables[v + 1]}, bytes_)
                 : e.vec(Op::x64_vpermd, {word, tables[v]}, bytes_);
    };
    ValueId found = pair(0);
    const size_t step = e.avx512 ? 2 : 1;
    if (tables.size() > step) {
      const ValueId above = pair(step);
      const ValueId choice =
          e.avx512
              ? e.compare(false, NotLt, word, e.constant(static_cast<uint64_t>(2 * lanes), t), t)
              : e.shl(word, static_cast<unsigned>(31 - std::countr_zero(static_cast<uint64_t>(lanes))), t);
      found = e.blend(choice, above, found, t);
    }
    if (size < kWordBytes) {
      if (bytes) found = e.lshr(found, e.shl(e.and_(bytes, e.constant(3, t), t), 3, t), t);
      found = e.and_(found, e.constant(size == 1 ? 0xff : 0xffff, t), t);
    }
    r.push_back(found);
  }
  return r;
}

}  // namespace kc::x64
