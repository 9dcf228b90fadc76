// SPDX-License-Identifier: Apache-2.0
// Loads and stores, by the shape of the address: one scalar access for all lanes, a contiguous run, a gather
// from a uniform base with 32-bit indices, a gather from 64-bit addresses, or lane by lane. Lanes outside the
// mask access nothing.
#include <algorithm>
#include <bit>
#include <cstddef>
#include <cstdlib>
#include <utility>

#include "backends/x64/elements.h"
#include "backends/x64/lower.h"
#include "backends/x64/small_code.h"
#include "ir/check.h"
#include "runtime/image.h"

namespace kc::x64 {
namespace {
unsigned size_of(Elem e) { return Type{e}.bytes(); }
bool fits(int64_t disp) { return disp == static_cast<int32_t>(disp); }
Op whole_run(VecType t, Op vector, Op two_words, Op word) {
  return t.bytes >= 16 ? vector : t.bytes == 8 ? two_words : word;
}

// The ptr_add that computes a uniform pointer, or null.
const Inst* uniform_sum(const Function& w, ValueId pointer) {
  const InstId def = w.def(pointer);
  if (!def || w.type(pointer).lane || w.inst(def).op != Op::ptr_add) return nullptr;
  return &w.inst(def);
}

// What a ptr_add with a constant index adds.
int64_t constant_step(const Function& w, const Inst& sum) {
  const unsigned bits = w.type(sum.operands[1]).bits();
  const auto i = static_cast<int64_t>(w.value(sum.operands[1]).bits << (64 - bits)) >> (64 - bits);
  return static_cast<int64_t>(static_cast<uint64_t>(sum.attrs[1]) +
                              static_cast<uint64_t>(i) * static_cast<uint64_t>(sum.attrs[0]));
}

}  // namespace

ValueId X64Lowering::load_scalar(const ScalarPlace& at, Elem elem) {
  const Op op = scalar_access(elem, false, at.index.valid());
  ValueList operands{at.base};
  if (at.index) operands.push_back(at.index);
  const bool is_float = Type{elem}.is_float();
  ValueId v = m_.result(
      e.row(op, std::move(operands), {is_float ? kVec : kGpr}, {is_float ? 16 : 8, 0, at.scale, at.disp}));
  return elem == Elem::I1 ? e.gpr(Op::x64_and_, {v, e.number(1)}, 4) : v;
}

void X64Lowering::store_scalar(const ScalarPlace& at, ValueId value, bool is_volatile) {
  const Elem elem = w.type(value).elem;
  ValueList operands{at.base};
  if (at.index) operands.push_back(at.index);
  operands.push_back(scalar(value));
  e.row(scalar_access(elem, true, at.index.valid()), std::move(operands), {},
        {Type{elem}.is_float() ? 16 : 8, is_volatile, at.scale, at.disp});
}

// 64 bits of the launch record.
ValueId X64Lowering::context_field(size_t offset) {
  return m_.result(e.row(Op::x64_ctx_load, {}, {kGpr}, {8, 0, 1, static_cast<int64_t>(offset)}));
}

// The address of a place in the launch record, or of one before it.
ValueId X64Lowering::context_address(int64_t offset) {
  return m_.result(e.row(Op::x64_ctx_address, {}, {kGpr}, {8, 0, 1, offset}));
}

// The start of the group's local memory, or of the wave's private memory: one value for the whole function,
// but where waves stop: what lives across a barrier is stored and loaded there, used or not. Private memory
// is another one for each wave of a group.
ValueId X64Lowering::block_of_memory(Elem space) {
  const bool one = !stops_ && !(moves_ && space == Elem::PtrPrivate);
  const BlockId here = e.block, at = one ? m_.entry() : here;
  ValueId& base = memory_[{space, at}];
  if (base) return base;
  e.block = at;
  base = context_field(space == Elem::PtrPrivate ? offsetof(CpuWaveContext, private_memory)
                                                 : offsetof(CpuWaveContext, local_memory));
  e.block = here;
  auto& insts = m_.block(at).insts;
  if (at != here) std::rotate(insts.begin(), insts.end() - 1, insts.end());
  return base;
}

// Whether an access takes the sum apart: where both are computed; for one lane also in other blocks of the
// same cycle, if nothing but accesses needs the sum.
bool X64Lowering::takes_apart(const Inst& sum) {
  if (sum.block == wave_block_) return true;
  if (w.width > 1 || needed_[sum.results[0].index]) return false;
  const auto& innermost = analyses_.cycles().innermost;
  return innermost[sum.block.index] == innermost[wave_block_.index];
}

// Where a uniform pointer points, as base + index * scale + displacement. A sum is taken apart where that
// costs little (takes_apart), or if only a constant is added.
ScalarPlace X64Lowering::scalar_place(ValueId pointer) {
  const Elem space = w.type(pointer).elem;
  if (space == Elem::PtrLocal || space == Elem::PtrPrivate) return offset_place(pointer, space);
  int64_t disp = 0;
  while (const Inst* sum = uniform_sum(w, pointer)) {
    const ValueId index = sum->operands[1];
    if (!w.is_const(index)) {
      const int64_t scale = sum->attrs[0];
      const bool simple = scale == 1 || scale == 2 || scale == 4 || scale == 8;
      if (!takes_apart(*sum)) break;
      const WideIndex i = wide_index(*sum);
      const int64_t sum_disp = disp + sum->attrs[1] + i.added * scale;
      if (!fits(sum_disp)) break;
      if (simple) return {scalar(sum->operands[0]), i.index, scale, sum_disp};
      return element(*sum, scalar(sum->operands[0]), i, sum_disp);
    }
    const int64_t more = disp + constant_step(w, *sum);
    if (!fits(more)) break;
    disp = more;
    pointer = sum->operands[0];
  }
  return {scalar(pointer), {}, 1, disp};
}

// Members of an element of an array share its address. `start`: that of the sum's base.
ScalarPlace X64Lowering::element(const Inst& sum, ValueId start, const WideIndex& i, int64_t disp) {
  ValueId& address = addresses_[{sum.operands[0], i.of, sum.attrs[0], e.block}];
  if (!address) address = e.gpr(Op::x64_add, {start, scaled(i.index, sum.attrs[0])});
  return {address, {}, 1, disp};
}

// Local and private offsets have 32 bits. A sum may be taken apart if its base is a constant or a parameter:
// an access inside the object then has the same place without the wrap.
ScalarPlace X64Lowering::offset_place(ValueId pointer, Elem space) {
  if (w.width > 1) {
    int64_t disp = 0;
    const ValueId address = flat_address(pointer, &disp);
    return {address, {}, 1, disp};
  }
  const ValueId block = block_of_memory(space);
  if (w.is_const(pointer)) return {block, {}, 1, static_cast<int64_t>(w.value(pointer).bits)};
  if (const Inst* sum = uniform_sum(w, pointer); sum && takes_apart(*sum)) {
    const ValueId base = sum->operands[0], index = sum->operands[1];
    const int64_t scale = sum->attrs[0], disp = sum->attrs[1];
    const bool simple = scale == 1 || scale == 2 || scale == 4 || scale == 8;
    if (!w.is_const(index) && w.is_const(base)) {
      const WideIndex i = wide_index(*sum);
      const int64_t all = disp + i.added * scale + static_cast<int64_t>(w.value(base).bits);
      if (fits(all)) return simple ? ScalarPlace{block, i.index, scale, all} : element(*sum, block, i, all);
    }
    const bool parameter = w.value(base).kind == ValueKind::Param && w.value(base).owner == w.entry().index;
    if (w.is_const(index) && parameter && fits(disp + constant_step(w, *sum)))
      return {block, scalar(base), 1, constant_step(w, *sum)};
  }
  return {block, scalar(pointer), 1, 0};
}

/// The 64-bit address of a uniform pointer (or of lane 0's); local offsets are relative to the group's block,
/// private ones (of the only lane) to the wave's. With `disp`, a constant part may be left to the
/// instruction.
ValueId X64Lowering::flat_address(ValueId pointer, int64_t* disp) {
  if (disp) *disp = 0;
  const Elem space = w.type(pointer).elem;
  if (space != Elem::PtrLocal && space != Elem::PtrPrivate) return scalar(pointer);
  if (w.width == 1) return e.gpr(Op::x64_add, {block_of_memory(space), scalar(pointer)});
  int64_t moved = 0;
  ValueId address = local_address(pointer, moved);
  if (disp) *disp = moved;
  return disp || moved == 0 ? address : e.gpr(Op::x64_add, {address, e.number(moved)});
}

/// Of a pointer into local memory without its constant part, which accesses of neighbours do not share. Lane
/// 0 of several may be inactive and before the block, so its offset is signed, and so is its index. It is
/// near the block wherever a lane is active, and so the parts of the sum do not wrap either: they are added
/// in 64 bits, as accesses add an index to their base.
ValueId X64Lowering::local_address(ValueId pointer, int64_t& moved) {
  constexpr int64_t kNear = 1 << 20;
  auto sum_of = [&](ValueId v) -> const Inst* {
    const InstId d = w.is_inline(v) ? InstId() : w.def(v);
    return d && w.inst(d).op == Op::ptr_add ? &w.inst(d) : nullptr;
  };
  auto has_lane0 = [&](ValueId v) {
    return !w.type(v).lane || w.is_inline(v) || shapes_[v.index].kind == Shape::Strided;
  };
  ValueId root = pointer, index;
  int64_t scale = 1, steps = 0;
  while (const Inst* sum = sum_of(root)) {
    if (!w.is_const(sum->operands[1]) || !has_lane0(sum->operands[0])) break;
    steps += constant_step(w, *sum);
    root = sum->operands[0];
  }
  if (const Inst* sum = sum_of(root); sum && w.type(sum->operands[1]).elem == Elem::I32) {
    ValueId by = sum->operands[1];
    int64_t added = 0;
    if (const InstId d = w.def(by); d && w.inst(d).op == Op::add && w.is_const(w.inst(d).operands[1])) {
      added = static_cast<int32_t>(w.value(w.inst(d).operands[1]).bits);
      by = w.inst(d).operands[0];
    }
    if (has_lane0(by) && has_lane0(sum->operands[0]) && std::abs(added) < kNear &&
        std::abs(sum->attrs[0]) < kNear) {
      index = by, scale = sum->attrs[0], steps += sum->attrs[1] + added * scale;
      root = sum->operands[0];
    }
  }
  if (index && w.is_const(root)) steps += static_cast<int64_t>(w.value(root).bits), root = {};
  if (std::abs(steps) >= kNear) root = pointer, index = {}, scale = 1, steps = 0;
  moved = steps;
  ValueId& made = addresses_[{root, index, scale, e.block}];
  if (made) return made;
  const ValueId start = start_of_local(root);
  if (!index) return made = start;
  const InstId id = w.def(index);
  const bool not_negative = id && w.inst(id).op == Op::local_id;
  const ValueId by = not_negative ? scalar(index) : e.gpr(Op::x64_movsx32, {scalar(index)});
  const bool simple = scale == 1 || scale == 2 || scale == 4 || scale == 8;
  if (!simple) return made = e.gpr(Op::x64_add, {start, scaled(by, scale)});
  return made = m_.result(e.row(Op::x64_lea_index, {start, by}, {kGpr}, {8, 0, scale, 0}));
}

/// The address that an offset in the group's local memory stands for, none for 0: of parameters it is
/// computed once.
ValueId X64Lowering::start_of_local(ValueId offset) {
  const ValueId block = block_of_memory(Elem::PtrLocal);
  if (!offset) return block;
  const ValueId from = scalar(offset);
  auto in_entry = [&](ValueId v) {
    const InstId d = m_.def(v);
    return d && m_.inst(d).block == m_.entry();
  };
  const bool once = !stops_ && in_entry(block) && in_entry(from);
  const BlockId here = e.block, to = once ? m_.entry() : here;
  ValueId& start = addresses_[{offset, {}, 1, to}];
  if (start) return start;
  auto& insts = m_.block(to).insts;
  const auto end = std::ssize(insts);
  e.block = to;
  start = e.gpr(Op::x64_add, {block, e.gpr(Op::x64_movsx32, {from})});
  e.block = here;
  if (to == here) return start;
  // Behind both terms, before what uses it.
  auto behind = [&](ValueId v) { return std::ranges::find(insts, m_.def(v)) - insts.begin() + 1; };
  std::rotate(insts.begin() + std::max(behind(block), behind(from)), insts.begin() + end, insts.end());
  return start;
}

bool X64Lowering::known_nonempty(ValueId mask) const {
  for (BlockId b = wave_block_; b.valid(); b = tree_.idom[b.index])
    if (block_mask_[b.index] == mask) return true;
  if (w.is_const(mask)) return w.value(mask).bits << (64 - w.width) != 0;
  if (w.is_inline(mask)) return known_full(mask);
  if (w.value(mask).kind == ValueKind::Param) return w.value(mask).owner == w.entry().index;
  const Inst& d = w.inst(w.def(mask));
  return d.op == Op::mask_or && (known_nonempty(d.operands[0]) || known_nonempty(d.operands[1]));
}

/// Whether the mask is that of a wave with all its lanes.
bool X64Lowering::known_full(ValueId mask) const {
  const Value& v = w.value(mask);
  if (w.is_const(mask)) return v.bits << (64 - w.width) == ~uint64_t{0} << (64 - w.width);
  return full_waves_ && v.kind == ValueKind::Param && v.owner == w.entry().index;
}

void X64Lowering::uniform_load(const Inst& inst) {
  Elem elem = w.type(inst.results[0]).elem;
  bind(inst.results[0], {{}, load_scalar(scalar_place(inst.operands[0]), elem)});
}

void X64Lowering::uniform_store(const Inst& inst) {
  store_scalar(scalar_place(inst.operands[0]), inst.operands[1], inst.op == Op::uniform_volatile_store);
}

/// A store of all lanes to one address: that of the highest active lane stays.
void X64Lowering::store_once(const Inst& inst) {
  const ValueId mask = inst.operands[0], pointer = inst.operands[1], value = inst.operands[2];
  const Elem elem = w.type(value).elem;
  ValueId address = flat_address(pointer);
  if (!known_nonempty(mask)) {
    const ValueId sink = context_address(offsetof(CpuWaveContext, sink));
    address = e.gpr(Op::x64_select, {any_bit(mask), address, sink});
  }
  if (has_scalar(value) && shapes_[value.index].uniform()) return store_scalar({address}, value);
  constexpr Elem kInts[] = {Elem::I8, Elem::I16, Elem::I32, Elem::I64};
  const Elem bits = kInts[std::countr_zero(size_of(elem))];
  e.row(scalar_access(bits, true, false), {address, element_of_lane(mask, value, true)}, {}, {8, 0, 1, 0});
}

void X64Lowering::lane_load(const Inst& inst) {
  ValueId mask = inst.operands[0], pointer = inst.operands[1], result = inst.results[0];
  Elem elem = w.type(result).elem;
  const Shape& shape = shapes_[pointer.index];
  unsigned size = size_of(elem);
  const bool contiguous =
      shape.kind == Shape::Strided && shape.stride == size && w.type(pointer).elem != Elem::PtrPrivate;
  const bool is_signed = signed_loads_[result.index] =
      contiguous && !small_.lanes.has(result) && only_sign_extended(inst);
  Lowered r;
  if (is_whole(result) && SmallCode(*this).is_run(pointer, w.type(result))) {
    r.whole = SmallCode(*this).load_whole(mask, pointer);
  } else if (w.type(pointer).elem == Elem::PtrPrivate) {
    r.parts = private_load(mask, pointer, elem);
  } else if (shape.uniform()) {
    ValueId address = flat_address(pointer);
    if (!known_nonempty(mask)) address = e.gpr(Op::x64_safe_address, {any_bit(mask), address});
    r.scalar = load_scalar({address}, elem);
    r.parts = splat(r.scalar, elem);
  } else if (contiguous && (size >= 4 || e.avx512)) {
    int64_t disp = 0;
    const ValueId address = flat_address(pointer, &disp);
    r.parts = load_contiguous(mask, address, elem, disp, is_signed);
  } else if (contiguous) {
    r.parts = load_small_run(mask, pointer, elem, is_signed);
  } else if (auto found = table_load(pointer, elem); !found.empty()) {
    r.parts = std::move(found);
  } else if (is_contiguous_in_rows(pointer, elem)) {
    r.parts =
        size >= 4 || e.avx512 || shape.stride == 0
            ? load_rows(mask, pointer, elem)
            : where_full(
                  mask, [&] { return load_rows({}, pointer, elem); }, [&] { return gathered_far(inst); });
  } else {
    r.parts = is_reversed(pointer, elem) ? load_reversed(inst) : gathered(inst);
  }
  if (has_scalar(result) && !r.scalar) {
    // Uniform data from a non-uniform address is impossible: shapes follow addresses.
    KC_CHECK(false, "x64: uniform load without a uniform address");
  }
  bind(result, std::move(r));
}

/// From addresses that differ between lanes by no constant.
std::vector<ValueId> X64Lowering::gathered(const Inst& load) {
  const ValueId mask = load.operands[0], pointer = load.operands[1];
  const Elem elem = w.type(load.results[0]).elem;
  const unsigned size = size_of(elem);
  if (size == 4)
    if (auto lanes = load_windows(mask, pointer, elem); !lanes.empty()) return lanes;
  if (near_form(pointer, elem) != NearForm::None) return near_load(load, [&] { return gathered_far(load); });
  return gathered_far(load);
}

std::vector<ValueId> X64Lowering::gathered_far(const Inst& load) {
  const ValueId mask = load.operands[0], pointer = load.operands[1];
  const Elem elem = w.type(load.results[0]).elem;
  const unsigned size = size_of(elem);
  if (known_full(mask))
    if (auto lanes = load_one_by_one(pointer, elem); !lanes.empty()) return lanes;
  if (size < 4)
    return is_aligned(w, load) ? gather_small(mask, pointer, elem) : load_small_lanes(mask, pointer, elem);
  Indexed at;
  return indexed_address(pointer, at) ? gather_indexed(parts(mask), at, elem)
                                      : gather_long(mask, long_addresses(pointer), elem);
}

// Whether a byte or short becomes a signed word wherever it is used: it is loaded as one.
bool X64Lowering::only_sign_extended(const Inst& load) const {
  const ValueId v = load.results[0];
  return size_of(w.type(v).elem) < 4 && sign_extended_[v.index] && !used_otherwise_[v.index] && !is_whole(v);
}

/// What vector k of a run is loaded or stored as: if its active lanes are known to be the first 1, 2, 4 ...,
/// a smaller one without a mask.
VecType X64Lowering::run_type(ValueId mask, size_t k, unsigned size, ValueId& lanes) const {
  VecType t = size == 8 ? vec64() : vec32();
  if (!w.is_const(mask) || size < 4) return t;
  const uint64_t all = ~uint64_t{0} >> (64 - std::min(t.lanes(), w.width)),
                 active = w.value(mask).bits >> (k * t.lanes()) & all;
  const auto count = static_cast<unsigned>(std::popcount(active));
  if (active == all) lanes = {};
  if (count == 0 || active == all || (active & (active + 1)) != 0 || !std::has_single_bit(count)) return t;
  lanes = {};
  return {count * size, t.bits};
}

std::vector<ValueId> X64Lowering::load_contiguous(ValueId mask, ValueId address, Elem elem, int64_t disp,
                                                  bool is_signed) {
  std::vector<ValueId> m = parts(mask), r;
  unsigned size = size_of(elem);
  bool wide = size == 8;
  const bool full = known_full(mask);
  for (size_t k = 0; k < count_ * (wide ? 2 : 1); ++k) {
    ValueId lanes = full ? ValueId() : wide ? e.mask_half(m[k / 2], k % 2, vec32()) : m[k];
    const int64_t part = static_cast<int64_t>(k) * (size < 4 ? lanes_per_part() * size : bytes_);
    const VecType t = run_type(mask, k, size, lanes);
    r.push_back(load_run(lanes, address, disp + part, elem, t, is_signed));
  }
  return r;
}

/// One vector under the mask; without a mask all of it. Bytes and shorts become words; AVX2 has no masks for
/// them, and loads all.
ValueId X64Lowering::load_run(ValueId lanes, ValueId address, int64_t disp, Elem elem, VecType t,
                              bool is_signed) {
  unsigned size = size_of(elem);
  Op op;
  if (lanes.valid() && e.is_none(lanes)) return e.zero();
  if (size < 4 && !e.avx512) {
    op = size == 1 ? (is_signed ? Op::x64_vload8sx8 : Op::x64_vload8x8)
                   : (is_signed ? Op::x64_vload16sx8 : Op::x64_vload16x8);
    lanes = {};
  } else if (!lanes) {
    op = size >= 4   ? whole_run(t, Op::x64_vload, Op::x64_vmovsd_load, Op::x64_vmovss_load)
         : size == 2 ? (is_signed ? Op::x64_vload16s_all : Op::x64_vload16_all)
                     : (is_signed ? Op::x64_vload8s_all : Op::x64_vload8_all);
  } else if (e.avx512) {
    op = size == 8   ? Op::x64_vload64_k
         : size == 4 ? Op::x64_vload32_k
         : size == 2 ? (is_signed ? Op::x64_vload16s_k : Op::x64_vload16_k)
                     : (is_signed ? Op::x64_vload8s_k : Op::x64_vload8_k);
  } else {
    op = size == 8 ? Op::x64_vload64 : Op::x64_vload32;
  }
  std::vector<ValueId> operands{address};
  if (lanes) operands.insert(operands.begin(), lanes);
  return m_.result(e.row(op, operands, {kVec}, {t.bytes, 0, 1, disp}));
}

void X64Lowering::store_run(ValueId lanes, ValueId address, int64_t disp, Elem elem, ValueId data,
                            VecType t) {
  unsigned size = size_of(elem);
  bool wide = size == 8;
  if (lanes.valid() && e.is_none(lanes)) return;
  if (!lanes) {
    Op op = size >= 4   ? whole_run(t, Op::x64_vstore, Op::x64_vmovsd_store, Op::x64_vmovss_store)
            : size == 2 ? Op::x64_vstore16_all
                        : Op::x64_vstore8_all;
    e.row(op, {address, data}, {}, {t.bytes, 0, 1, disp});
  } else if (e.avx512) {
    Op op = wide        ? Op::x64_vstore64_k
            : size == 4 ? Op::x64_vstore32_k
            : size == 2 ? Op::x64_vstore16_k
                        : Op::x64_vstore8_k;
    e.row(op, {lanes, address, data}, {}, {t.bytes, 0, 1, disp});
  } else {
    e.row(wide ? Op::x64_vstore64 : Op::x64_vstore32, {lanes, address, data}, {kGpr},
          {t.bytes, (1 << t.lanes()) - 1, 1, disp});
  }
}

void X64Lowering::store_contiguous(ValueId mask, ValueId address, Elem elem, const std::vector<ValueId>& data,
                                   int64_t disp) {
  std::vector<ValueId> m = parts(mask);
  unsigned size = size_of(elem);
  bool wide = size == 8;
  const bool full = known_full(mask);
  for (size_t k = 0; k < data.size(); ++k) {
    ValueId lanes = full ? ValueId() : wide ? e.mask_half(m[k / 2], k % 2, vec32()) : m[k];
    const int64_t part = static_cast<int64_t>(k) * (size < 4 ? lanes_per_part() * size : bytes_);
    const VecType t = run_type(mask, k, size, lanes);
    store_run(lanes, address, disp + part, elem, data[k], t);
  }
}

/// base + sext(index) * scale with a uniform base: exactly what gathers with 32-bit indices compute. Local
/// memory is its own base.
bool X64Lowering::indexed_address(ValueId pointer, Indexed& out) {
  if (w.type(pointer).elem == Elem::PtrLocal) {
    out = {.base = block_of_memory(Elem::PtrLocal), .index = parts(pointer)};
    return true;
  }
  InstId def = w.def(pointer);
  if (!def || w.inst(def).op != Op::ptr_add || w.type(pointer).bits() != 64) return false;
  const Inst& sum = w.inst(def);
  ValueId base = sum.operands[0], index = sum.operands[1];
  int64_t scale = sum.attrs[0], offset = sum.attrs[1];
  if (w.type(base).lane && !shapes_[base.index].uniform()) return false;
  if ((scale != 1 && scale != 2 && scale != 4 && scale != 8) || offset != static_cast<int32_t>(offset))
    return false;
  if (InstId d = w.def(index); w.type(index).elem == Elem::I64 && d && w.inst(d).op == Op::sext &&
                               w.type(w.inst(d).operands[0]).elem == Elem::I32)
    index = w.inst(d).operands[0];
  if (w.type(index).elem != Elem::I32) return false;
  out.base = scalar(base);
  out.index = parts(index);
  out.scale = scale;
  out.disp = offset;
  return true;
}

/// Each plus `disp`.
std::vector<ValueId> X64Lowering::long_addresses(ValueId pointer, int64_t disp) {
  std::vector<ValueId> r = parts(pointer);
  if (w.type(pointer).elem == Elem::PtrLocal) {
    const ValueId base = e.splat_gpr(block_of_memory(Elem::PtrLocal), vec64());
    for (ValueId offset : std::exchange(r, {}))
      for (unsigned h = 0; h < 2; ++h) r.push_back(e.add(base, e.widen(offset, h, false, vec32()), vec64()));
  }
  if (disp)
    for (ValueId& a : r) a = e.add(a, e.constant(static_cast<uint64_t>(disp), vec64()), vec64());
  return r;
}

/// Of as many vectors as there are masks.
std::vector<ValueId> X64Lowering::gather_indexed(const std::vector<ValueId>& m, const Indexed& at,
                                                 Elem elem) {
  std::vector<ValueId> r;
  bool wide = size_of(elem) == 8;
  for (size_t k = 0; k < m.size() * (wide ? 2 : 1); ++k) {
    ValueId lanes = wide ? e.mask_half(m[k / 2], k % 2, vec32()) : m[k];
    if (e.is_none(lanes)) {
      r.push_back(e.zero());
      continue;
    }
    ValueId index = wide ? e.extract_half(at.index[k / 2], k % 2, vec32()) : at.index[k];
    Op op = e.avx512 ? (wide ? Op::x64_vgather64_k : Op::x64_vgather32_k)
                     : (wide ? Op::x64_vgather64 : Op::x64_vgather32);
    InstId row = e.row(op, {lanes, at.base, index}, {kVec, e.mask_type()}, {bytes_, 0, at.scale, at.disp});
    r.push_back(m_.result(row));
  }
  return r;
}

std::vector<ValueId> X64Lowering::gather_long(ValueId mask, const std::vector<ValueId>& addresses,
                                              Elem elem) {
  std::vector<ValueId> m = parts(mask), r;
  bool wide = size_of(elem) == 8;
  for (size_t k = 0; k < count_; ++k) {
    ValueId half[2];
    for (unsigned h = 0; h < 2; ++h) {
      ValueId lanes = wide       ? e.mask_half(m[k], h, vec32())
                      : e.avx512 ? e.mask_half(m[k], h, vec32())
                                 : e.extract_half(m[k], h, vec32());
      Op op = e.avx512 ? (wide ? Op::x64_vgather64_abs_k : Op::x64_vgather32_abs_k)
                       : (wide ? Op::x64_vgather64_abs : Op::x64_vgather32_abs);
      InstId row = e.row(op, {lanes, addresses[2 * k + h]}, {kVec, e.mask_type()}, {bytes_, 0, 1, 0});
      half[h] = m_.result(row);
    }
    if (wide)
      r.insert(r.end(), {half[0], half[1]});
    else
      r.push_back(e.insert_half(half[0], half[1], vec32()));
  }
  return r;
}

/// Byte offsets from the base, which is rounded down to a multiple of 4 if it may be unaligned.
std::vector<ValueId> X64Lowering::byte_distances(Indexed& at, bool aligned) {
  VecType t = vec32();
  ValueId base = at.disp ? e.gpr(Op::x64_add, {at.base, e.number(at.disp)}) : at.base;
  ValueId rest = aligned ? ValueId() : e.splat_gpr(e.gpr(Op::x64_and_, {base, e.number(3)}, 4), t);
  at.base = aligned ? base : e.gpr(Op::x64_and_, {base, e.number(-4)});
  at.disp = 0;
  std::vector<ValueId> r;
  for (ValueId index : at.index) {
    ValueId bytes = at.scale == 1 ? index : e.shl(index, static_cast<unsigned>(__builtin_ctzll(at.scale)), t);
    r.push_back(aligned ? bytes : e.add(bytes, rest, t));
  }
  at.scale = 1;
  return r;
}

bool from_buffer(const Function& w, ValueId pointer) {
  constexpr int64_t kLittle = 1024;
  const Inst& sum = w.inst(w.def(pointer));
  const Value& base = w.value(sum.operands[0]);
  return base.kind == ValueKind::Param && base.owner == w.entry().index && std::abs(sum.attrs[1]) <= kLittle;
}

bool is_aligned(const Function& w, const Inst& load) {
  return load.attrs[0] == 0 || load.attrs[0] >= int64_t{w.type(load.results[0]).bytes()};
}

/// Whether the words around bytes and shorts may be gathered by their indices.
bool X64Lowering::gathers_words(ValueId pointer) const {
  return w.type(pointer).elem == Elem::PtrLocal || (small_buffers_ && from_buffer(w, pointer));
}

/// Bytes, and shorts that cross no multiple of 4, are extracted from the aligned words around them. Such a
/// word is in the same page, and its other bytes are discarded.
std::vector<ValueId> X64Lowering::gather_small(ValueId mask, ValueId pointer, Elem elem, int64_t disp) {
  VecType t = vec32();
  bool is_local = w.type(pointer).elem == Elem::PtrLocal;
  Indexed at;
  if (indexed_address(pointer, at) && gathers_words(pointer)) {
    at.disp += disp;
    return gather_parts_of_words(parts(mask), at, is_local && disp == 0, elem);
  }
  std::vector<ValueId> addresses = long_addresses(pointer, disp), aligned, bytes;
  for (size_t k = 0; k < addresses.size(); k += 2)
    bytes.push_back(e.narrow(addresses[k], addresses[k + 1], t));
  for (ValueId a : addresses) aligned.push_back(e.and_(a, e.constant(~uint64_t{3}, vec64()), vec64()));
  return parts_of_words(gather_long(mask, aligned, Elem::I32), bytes, elem);
}

std::vector<ValueId> X64Lowering::gather_parts_of_words(const std::vector<ValueId>& mask, Indexed& at,
                                                        bool aligned, Elem elem) {
  VecType t = vec32();
  ValueId in_word = e.constant(~uint64_t{3} & UINT32_MAX, t);
  const std::vector<ValueId> bytes = byte_distances(at, aligned);
  at.index.clear();
  for (ValueId b : bytes) at.index.push_back(e.and_(b, in_word, t));
  return parts_of_words(gather_indexed(mask, at, Elem::I32), bytes, elem);
}

/// The byte or short of each word that the lowest bits of its byte address select.
std::vector<ValueId> X64Lowering::parts_of_words(const std::vector<ValueId>& words,
                                                 const std::vector<ValueId>& bytes, Elem elem) {
  VecType t = vec32();
  std::vector<ValueId> r;
  for (size_t k = 0; k < words.size(); ++k) {
    ValueId shift = e.and_(e.shl(bytes[k], 3, t), e.constant(24, t), t);
    r.push_back(e.and_(e.lshr(words[k], shift, t), e.constant(size_of(elem) == 1 ? 0xff : 0xffff, t), t));
  }
  return r;
}

// Loads lane by lane.
std::vector<ValueId> X64Lowering::load_small_lanes(ValueId mask, ValueId pointer, Elem elem) {
  std::vector<ValueId> m = parts(mask), addresses = long_addresses(pointer), r;
  Op op = size_of(elem) == 1 ? Op::x64_load8_if : Op::x64_load16_if;
  for (size_t k = 0; k < count_; ++k) {
    ValueId set = e.mask_bits(m[k], vec32());
    std::vector<ValueId> lanes;
    for (unsigned i = 0; i < lanes_per_part(); ++i) {
      unsigned half = lanes_per_part() / 2;
      ValueId address = e.extract(addresses[2 * k + i / half], i % half, vec64());
      ValueId none = e.gpr_const(0);
      lanes.push_back(m_.result(e.row(op, {set, address, none}, {kGpr}, {4, i, 1, 0})));
    }
    r.push_back(e.build(lanes, vec32()));
  }
  return r;
}

void X64Lowering::lane_store(const Inst& inst) {
  ValueId mask = inst.operands[0], pointer = inst.operands[1], value = inst.operands[2];
  Elem elem = w.type(value).elem;
  const Shape& shape = shapes_[pointer.index];
  unsigned size = size_of(elem);
  if (dense_ && elem == Elem::I8 && byte_lanes_.is_vector(value))
    if (SmallCode small(*this); small.is_run(pointer, w.type(value)))
      return small.store_whole(mask, pointer, whole(value));
  std::vector<ValueId> data = parts(value);
  if (w.type(pointer).elem == Elem::PtrPrivate) return private_store(mask, pointer, elem, data);
  if (shape.uniform() && inst.op == Op::lane_store) return store_once(inst);
  if (shape.kind == Shape::Strided && shape.stride == size && (size >= 4 || e.avx512)) {
    int64_t disp = 0;
    const ValueId address = flat_address(pointer, &disp);
    if (size >= 4 && streams_to(mask, pointer)) return store_past_caches(address, disp, data, bytes_);
    return store_contiguous(mask, address, elem, data, disp);
  }
  if (shape.kind == Shape::Strided && shape.stride == size) return store_small_run(mask, pointer, elem, data);
  if (is_contiguous_in_rows(pointer, elem) && shape.stride != 0) {
    if (size >= 4 || e.avx512) return store_rows(mask, pointer, elem, data);
    where_full(
        mask, [&] { return store_rows({}, pointer, elem, data), Vectors(); },
        [&] { return scatter(mask, pointer, elem, data), Vectors(); });
    return;
  }
  if (is_reversed(pointer, elem)) return store_reversed(mask, pointer, elem, data);
  if (size == 4 && store_windows(mask, pointer, elem, data)) return;
  if (!near_store(mask, pointer, elem, data)) scatter(mask, pointer, elem, data);
}

}  // namespace kc::x64
