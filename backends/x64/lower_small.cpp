// SPDX-License-Identifier: Apache-2.0
// Bytes and shorts of lanes at their own size (small_lanes.h). Vectors have the lanes in order, so a run of
// memory is a plain load. Words are made of them and they of words where other operations need it; masks
// likewise, since at rest a mask is that of words, or of bytes (byte_masks.h).
#include "backends/x64/small_code.h"

#include "backends/x64/elements.h"
#include "ir/check.h"
#include "ir/known_bits.h"

namespace kc::x64 {

VecType SmallCode::vector_type(unsigned bytes) const {
  return {std::min(to.bytes_, to.w.width * bytes), 8 * bytes};
}
size_t SmallCode::vectors(unsigned bytes) const {
  return std::max<size_t>(1, size_t{to.w.width} * bytes / to.bytes_);
}

// --- what is small

void SmallCode::decide(const std::function<bool(InstId)>& is_run) {
  SmallState& state = to.small_;
  const auto masks = [&](const std::function<bool(const Inst&)>& is_small) {
    const auto size = [&](InstId i) {
      const Inst& inst = to.w.inst(i);
      const bool loads = inst.op == Op::lane_load, stores = inst.op == Op::lane_store;
      if ((!loads && !stores) || !is_run(i)) return is_small(inst) ? small_size(to.w, inst) : 4;
      // For runs of buffers a test decides whether all lanes are active (where_full).
      const bool in_private = to.w.type(inst.operands[1]).elem == Elem::PtrPrivate;
      return stores && in_private ? to.w.type(inst.operands[2]).bytes() : 0;
    };
    return e.avx512 ? ByteMasks() : ByteMasks(to.w, to.cfg_, {to.count_, size});
  };
  const auto choose = [&] {
    state.lanes = SmallLanes(to.w, to.cfg_, {to.count_, e.avx512, is_run, state.byte_masks});
  };
  // Masks for what may compute with bytes, and then for what does. Masks that count on values which the
  // second choice makes words are converted: that costs time alone.
  state.byte_masks = masks([](const Inst&) { return true; });
  choose();
  ByteMasks now = masks([&](const Inst& inst) { return state.lanes.computes(inst); });
  if (now == state.byte_masks) return;
  state.byte_masks = std::move(now);
  choose();
}

// --- between sizes

/// Packs the elements of two vectors in order: the instruction does so in each 128 bits of both.
ValueId SmallCode::packed(Op pack, ValueId low, ValueId high, unsigned bytes) {
  ValueId x = e.vec(pack, {low, high}, bytes);
  if (bytes == 16) return x;
  if (bytes == 32) return e.vec(Op::x64_vpermq, {x}, bytes, 0xd8);
  return e.vec(Op::x64_vpermd, {e.numbers({0, 1, 4, 5, 8, 9, 12, 13, 2, 3, 6, 7, 10, 11, 14, 15}, bytes), x},
               bytes);
}
/// All vectors with elements of half the size, as the instruction packs them.
std::vector<ValueId> SmallCode::halved(Op pack, const std::vector<ValueId>& from) {
  if (from.size() == 1)
    return {packed(pack, from[0], e.extract_half(from[0], 1, {to.bytes_, 32}), to.bytes_ / 2)};
  std::vector<ValueId> r;
  for (size_t k = 0; k < from.size(); k += 2) r.push_back(packed(pack, from[k], from[k + 1], to.bytes_));
  return r;
}
/// All vectors with elements of a quarter of the size: those of four are put in order once, at the end.
std::vector<ValueId> SmallCode::quartered(Op pack, Op pack_again, const std::vector<ValueId>& from) {
  if (from.size() % 4) return halved(pack_again, halved(pack, from));
  const ValueId order = to.bytes_ == 64
                            ? e.numbers({0, 4, 8, 12, 1, 5, 9, 13, 2, 6, 10, 14, 3, 7, 11, 15}, to.bytes_)
                            : e.numbers({0, 4, 1, 5, 2, 6, 3, 7}, to.bytes_);
  auto both = [&](Op op, ValueId low, ValueId high) { return e.vec(op, {low, high}, to.bytes_); };
  std::vector<ValueId> r;
  for (size_t k = 0; k < from.size(); k += 4) {
    const ValueId low = both(pack, from[k], from[k + 1]), high = both(pack, from[k + 2], from[k + 3]);
    r.push_back(e.vec(Op::x64_vpermd, {order, both(pack_again, low, high)}, to.bytes_));
  }
  return r;
}

std::vector<ValueId> SmallCode::from_words(const std::vector<ValueId>& parts, Elem elem) {
  return elem == Elem::I16 ? halved(Op::x64_vpackusdw, parts)
                           : quartered(Op::x64_vpackusdw, Op::x64_vpackuswb, parts);
}

/// The lowest bytes of a vector are the piece `index` of `of` equal ones of all elements.
ValueId SmallCode::piece(const std::vector<ValueId>& from, size_t index, size_t of, unsigned element_bytes) {
  const size_t each = of / from.size(), at = index % each;
  const unsigned bytes = vector_type(element_bytes).bytes;
  ValueId v = from[index / each];
  if (each == 1 || at == 0) return v;
  if (each == 2 && bytes >= 32) return e.extract_half(v, 1, {bytes, 32});
  if (e.avx512) return e.vec(Op::x64_vextracti32x4, {v}, bytes, static_cast<int64_t>(at));
  // Pieces of 8 bytes.
  if (bytes == 32 && at >= 2) v = e.extract_half(v, 1, {bytes, 32});
  return at % 2 ? e.vec(Op::x64_vpshufd, {v}, 16, 0xee) : v;
}

std::vector<ValueId> SmallCode::words(ValueId v, bool is_signed) {
  auto& made = to.small_.words[{v, is_signed, e.block}];
  if (!made.empty()) return made;
  const std::vector<ValueId> from = small(v);
  const unsigned bytes = to.w.type(v).bytes();
  const Op op = bytes == 1 ? (is_signed ? Op::x64_vpmovsxbd : Op::x64_vpmovzxbd)
                           : (is_signed ? Op::x64_vpmovsxwd : Op::x64_vpmovzxwd);
  std::vector<ValueId> r;
  for (size_t k = 0; k < to.count_; ++k)
    r.push_back(e.vec(op, {piece(from, k, to.count_, bytes)}, to.bytes_));
  return made = std::move(r);
}

std::vector<ValueId> SmallCode::splat(ValueId scalar, Elem elem) {
  const unsigned bytes = bits_of(elem) / 8;
  const int64_t copies = bytes == 1 ? 0x01010101 : 0x00010001;
  const ValueId all = e.gpr(Op::x64_imul_imm, {scalar, e.number(copies)}, 4);
  return std::vector<ValueId>(vectors(bytes), e.splat_gpr(all, {vector_type(bytes).bytes, 32}));
}

std::vector<ValueId> SmallCode::small(ValueId v) {
  const Type type = to.w.type(v);
  const unsigned bytes = type.bytes();
  if (to.w.is_inline(v)) {
    const uint64_t bits = to.w.is_const(v) ? to.w.value(v).bits : 0;
    return std::vector<ValueId>(vectors(bytes), e.constant(bits, vector_type(bytes)));
  }
  if (const Lowered& known = to.values_[v.index]; !known.small.empty()) return known.small;
  auto& made = to.small_.packed[{v, e.block}];
  if (made.empty()) made = type.lane ? from_words(to.parts(v), type.elem) : splat(to.scalar(v), type.elem);
  return made;
}

// --- masks

std::vector<ValueId> SmallCode::masks(ValueId v, unsigned bytes) {
  if (auto known = to.small_.compared.find({v, bytes}); known != to.small_.compared.end())
    return known->second;
  if (to.w.is_inline(v) && !e.avx512) {
    const uint64_t bits = to.w.is_const(v) ? to.w.value(v).bits : 0,
                   all = to.w.type(v).is_mask() ? low_ones(to.w.width) : 1;
    if (bits == 0 || bits == all)
      return std::vector<ValueId>(vectors(bytes),
                                  e.constant(bits ? low_ones(8 * bytes) : 0, vector_type(bytes)));
  }
  auto& made = to.small_.masks[{v, bytes, e.block}];
  if (!made.empty()) return made;
  if (to.small_.byte_masks.has(v)) {
    const std::vector<ValueId>& known = to.values_[v.index].small;
    if (bytes == 1) return known;
    for (size_t k = 0; k < vectors(2); ++k)
      made.push_back(e.vec(Op::x64_vpmovsxbw, {piece(known, k, vectors(2), 1)}, vector_type(2).bytes));
    return made;
  }
  std::vector<ValueId> r = to.parts(v);
  if (!e.avx512) {
    r = bytes == 2 ? halved(Op::x64_vpackssdw, r) : bytes_of_masks(r);
  } else {
    auto join = [&](Op op) {
      std::vector<ValueId> joined;
      for (size_t k = 0; k < r.size(); k += 2) joined.push_back(e.kreg(op, {r[k + 1], r[k]}, to.bytes_));
      r = std::move(joined);
    };
    join(Op::x64_kunpck32);
    if (bytes == 1 && r.size() > 1) join(Op::x64_kunpck64);
  }
  return made = std::move(r);
}

unsigned SmallCode::mask_vector_bytes(ValueId mask) const {
  return to.small_.byte_masks.has(mask) ? vector_type(1).bytes : to.bytes_;
}

std::vector<ValueId> SmallCode::bytes_of_masks(const std::vector<ValueId>& words) {
  return quartered(Op::x64_vpackssdw, Op::x64_vpacksswb, words);
}

std::vector<ValueId> SmallCode::words_of_mask(ValueId v) {
  auto& made = to.small_.words[{v, true, e.block}];
  if (made.empty()) made = masks_of_words(to.values_[v.index].small, 1);
  return made;
}

std::vector<ValueId> SmallCode::masks_of_words(const std::vector<ValueId>& from, unsigned bytes) {
  std::vector<ValueId> r;
  for (size_t k = 0; k < to.count_; ++k) {
    if (!e.avx512) {
      r.push_back(e.vec(bytes == 1 ? Op::x64_vpmovsxbd : Op::x64_vpmovsxwd,
                        {piece(from, k, to.count_, bytes)}, to.bytes_));
      continue;
    }
    const size_t each = to.count_ / from.size(), at = k % each;
    const ValueId all = from[k / each];
    const auto lanes = static_cast<int64_t>(at * to.lanes_per_part());
    r.push_back(at ? e.kreg(Op::x64_kshiftr64, {all}, to.bytes_, lanes) : all);
  }
  return r;
}

// --- operations

bool SmallCode::lower(const Inst& inst) {
  if (!to.small_.lanes.any()) return false;
  if (combines_masks(to.w, inst) && to.small_.byte_masks.has(inst.results[0])) return lower_mask(inst);
  if (inst.op == Op::lane_load || inst.op == Op::lane_store) {
    const bool is_load = inst.op == Op::lane_load;
    const ValueId pointer = inst.operands[1], data = is_load ? inst.results[0] : inst.operands[2];
    if (!to.small_.lanes.has(data) || !is_run(pointer, to.w.type(data))) return false;
    is_load ? load(inst) : store(inst);
    return true;
  }
  if (inst.op == Op::sext && to.w.type(inst.results[0]) == kI32.lanes() &&
      to.small_.lanes.has(inst.operands[0]) && !to.has_scalar(inst.results[0])) {
    to.bind(inst.results[0], {words(inst.operands[0], true), {}});
    return true;
  }
  if (inst.op == Op::sitofp && to.small_.lanes.has(inst.operands[0]) && !to.has_scalar(inst.results[0])) {
    Lowered r;
    const Elem real = to.w.type(inst.results[0]).elem;
    for (ValueId word : words(inst.operands[0], true)) {
      const std::vector<ValueId> some =
          element_convert(e, Op::sitofp, Elem::I32, real, to.bytes_, std::span(&word, 1));
      r.parts.insert(r.parts.end(), some.begin(), some.end());
    }
    to.bind(inst.results[0], std::move(r));
    return true;
  }
  if (!to.small_.lanes.computes(inst)) return false;
  if (class_of(inst.op) == OpClass::IntCompare) return lower_comparison(inst);
  Lowered r;
  if (to.has_scalar(inst.results[0]))
    r.scalar = inst.op == Op::blend ? to.scalar(inst.operands[1]) : to.uniform_op(inst);
  r.small = computed(inst);
  to.bind(inst.results[0], std::move(r));
  return true;
}

bool SmallCode::lower_comparison(const Inst& inst) {
  const unsigned bytes = to.w.type(inst.operands[0]).bytes();
  const bool is_signed = inst.op == Op::slt || inst.op == Op::sle || inst.op == Op::eq || inst.op == Op::ne;
  const std::vector<ValueId> a = small(inst.operands[0]), b = small(inst.operands[1]);
  std::vector<ValueId> all;
  for (size_t k = 0; k < a.size(); ++k)
    all.push_back(e.compare(is_signed, predicate_of(inst.op), a[k], b[k], vector_type(bytes)));
  Lowered r;
  if (to.has_scalar(inst.results[0])) r.scalar = to.uniform_op(inst);
  if (!to.small_.byte_masks.has(inst.results[0]))
    r.parts = masks_of_words(all, bytes);
  else
    r.small = bytes == 1 ? all : halved(Op::x64_vpacksswb, all);
  to.small_.compared[{inst.results[0], bytes}] = std::move(all);
  to.bind(inst.results[0], std::move(r));
  return true;
}

// An operation on byte masks whose result is one.
bool SmallCode::lower_mask(const Inst& inst) {
  const VecType t = vector_type(1);
  const ValueId result = inst.results[0];
  // The last operand of mask_if is uniform.
  const bool by_uniform = inst.op == Op::mask_if;
  std::vector<std::vector<ValueId>> from;
  for (size_t k = 0; k < inst.operands.size() - by_uniform; ++k) from.push_back(masks(inst.operands[k], 1));
  const ValueId bit = by_uniform ? e.mask_from_bool(to.scalar(inst.operands[1]), {t.bytes, 32}) : ValueId();
  const ValueId not_of = inst.op == Op::mask_cond ? negated(to.w, inst.operands[1]) : ValueId();
  if (not_of) from[1] = masks(not_of, 1);
  const auto is_constant = [&](size_t k, uint64_t bits) {
    return to.w.is_const(inst.operands[k]) && to.w.value(inst.operands[k]).bits == bits;
  };
  const bool is_the_mask = from.size() == 3 && is_constant(1, 1) && is_constant(2, 0);
  auto one = [&](size_t k) {
    const ValueId a = from[0][k], b = by_uniform ? bit : from[1][k];
    switch (inst.op) {
      case Op::mask_cond:
        if (to.known_full(inst.operands[0]) && !not_of) return b;
        return not_of ? e.mask_andn(a, b, t) : e.mask_and(a, b, t);
      case Op::mask_or:
      case Op::or_:
        return e.mask_or(a, b, t);
      case Op::mask_andnot:
        return e.mask_andn(a, b, t);
      case Op::xor_:
        return e.mask_xor(a, b, t);
      case Op::select:
      case Op::blend:
        return is_the_mask ? a : e.blend(a, b, from[2][k], t);
      default:
        return e.mask_and(a, b, t);
    }
  };
  Lowered r;
  if (to.has_scalar(result))
    r.scalar = inst.op == Op::blend ? to.scalar(inst.operands[1]) : to.uniform_op(inst);
  for (size_t k = 0; k < vectors(1); ++k) r.small.push_back(one(k));
  to.bind(result, std::move(r));
  return true;
}

std::vector<ValueId> SmallCode::converted(const Inst& inst) {
  if (to.w.type(inst.operands[0]).elem == Elem::I1) {
    const unsigned bytes = to.w.type(inst.results[0]).bytes();
    const VecType t = vector_type(bytes);
    std::vector<ValueId> r;
    for (ValueId m : masks(inst.operands[0], bytes))
      r.push_back(e.avx512 ? e.blend(m, e.constant(1, t), e.constant(0, t), t)
                           : e.and_(m, e.constant(1, t), t));
    return r;
  }
  const std::vector<ValueId> from = small(inst.operands[0]);
  std::vector<ValueId> r;
  if (inst.op == Op::trunc) {
    for (ValueId v : from) r.push_back(e.and_(v, e.constant(0xff, vector_type(2)), vector_type(2)));
    return halved(Op::x64_vpackuswb, r);
  }
  const Op op = inst.op == Op::sext ? Op::x64_vpmovsxbw : Op::x64_vpmovzxbw;
  for (size_t k = 0; k < vectors(2); ++k)
    r.push_back(e.vec(op, {piece(from, k, vectors(2), 1)}, vector_type(2).bytes));
  return r;
}

/// The operation on the vectors of two values.
std::vector<ValueId> SmallCode::both(Op op, ValueId left, ValueId right) {
  const std::vector<ValueId> a = small(left), b = small(right);
  std::vector<ValueId> r;
  for (size_t k = 0; k < a.size(); ++k)
    r.push_back(e.vec(op, {a[k], b[k]}, vector_type(to.w.type(left).bytes()).bytes));
  return r;
}

std::vector<ValueId> SmallCode::computed(const Inst& inst) {
  if (const auto product = high_product(to.w, inst))
    return both(product->is_signed ? Op::x64_vpmulhw : Op::x64_vpmulhuw, product->a, product->b);
  if (const auto sum = saturated(to.w, inst)) {
    const bool bytes = to.w.type(inst.results[0]).elem == Elem::I8;
    const Op op = sum->is_sum ? (bytes ? Op::x64_vpaddusb : Op::x64_vpaddusw)
                              : (bytes ? Op::x64_vpsubusb : Op::x64_vpsubusw);
    return both(op, sum->a, sum->b);
  }
  if (class_of(inst.op) == OpClass::Conversion) return converted(inst);
  const unsigned bytes = to.w.type(inst.results[0]).bytes();
  const VecType t = vector_type(bytes);
  const bool chooses = class_of(inst.op) == OpClass::Choice;
  const std::vector<ValueId> a = chooses ? masks(inst.operands[0], bytes) : small(inst.operands[0]);
  const bool shifts = inst.op == Op::shl || inst.op == Op::lshr || inst.op == Op::ashr;
  std::vector<ValueId> b, c, r;
  if (!shifts) b = small(inst.operands[1]);
  if (chooses) c = small(inst.operands[2]);
  const auto n = shifts ? static_cast<unsigned>(to.w.value(inst.operands[1]).bits & (t.bits - 1)) : 0;
  auto one = [&](size_t k) {
    if (chooses) return e.blend(a[k], b[k], c[k], t);
    if (inst.op == Op::shl) return e.shl(a[k], n, t);
    if (inst.op == Op::lshr) return e.lshr(a[k], n, t);
    if (inst.op == Op::ashr) return e.ashr(a[k], n, t);
    return integer_op(e, inst.op, a[k], b[k], t);
  };
  for (size_t k = 0; k < vectors(bytes); ++k) r.push_back(one(k));
  return r;
}

// --- memory

bool SmallCode::is_run(ValueId pointer, Type type) const {
  const Shape& shape = to.shapes_[pointer.index];
  if (!is_small(type.elem)) return false;
  if (to.w.type(pointer).elem == Elem::PtrPrivate) return shape.uniform();
  return shape.kind == Shape::Strided && shape.stride == type.bytes();
}

std::vector<ValueId> SmallCode::load_run(ValueId address, int64_t disp, Elem elem) {
  const VecType t = vector_type(bits_of(elem) / 8);
  std::vector<ValueId> r;
  for (size_t k = 0; k < vectors(t.bits / 8); ++k, disp += t.bytes)
    r.push_back(e.m.result(e.row(Op::x64_vload, {address}, {kVec}, {t.bytes, 0, 1, disp})));
  return r;
}

void SmallCode::store_run(ValueId address, int64_t disp, const std::vector<ValueId>& data, Elem elem) {
  const VecType t = vector_type(bits_of(elem) / 8);
  for (ValueId v : data) {
    e.row(Op::x64_vstore, {address, v}, {}, {t.bytes, 0, 1, disp});
    disp += t.bytes;
  }
}

RunStart SmallCode::start_of_run(ValueId mask, ValueId pointer) {
  RunStart r;
  if (to.w.type(pointer).elem == Elem::PtrPrivate) {
    r = to.private_place(pointer);
    r.base = to.safe_private_base(mask, pointer, r);
  } else {
    r.base = to.flat_address(pointer, &r.disp);
  }
  return r;
}

ValueId SmallCode::load_whole(ValueId mask, ValueId pointer) {
  const RunStart at = start_of_run(mask, pointer);
  // All lanes have private memory: no mask is needed.
  if (to.known_full(mask) || to.w.type(pointer).elem == Elem::PtrPrivate)
    return e.m.result(e.row(Op::x64_vload, {at.base}, {kVec}, {to.w.width, 0, 1, at.disp}));
  return e.m.result(
      e.row(Op::x64_vload_bytes_k, {to.whole(mask), at.base}, {kVec}, {to.w.width, 0, 1, at.disp}));
}

void SmallCode::store_whole(ValueId mask, ValueId pointer, ValueId bytes) {
  const RunStart at = start_of_run(mask, pointer);
  if (to.known_full(mask))
    e.row(Op::x64_vstore, {at.base, bytes}, {}, {to.w.width, 0, 1, at.disp});
  else
    e.row(Op::x64_vstore_bytes_k, {to.whole(mask), at.base, bytes}, {}, {to.w.width, 0, 1, at.disp});
}

// On AVX2 a run is one access if all of it can be read, the common case.
void SmallCode::load(const Inst& inst) {
  const ValueId mask = inst.operands[0], pointer = inst.operands[1], result = inst.results[0];
  const Elem elem = to.w.type(result).elem;
  const VecType t = vector_type(bits_of(elem) / 8);
  Lowered r;
  auto [address, disp] = start_of_run(mask, pointer);
  // All lanes have private memory: no mask is needed, but a valid address is.
  if (to.w.type(pointer).elem == Elem::PtrPrivate) {
    r.small = load_run(address, disp, elem);
    return to.bind(result, std::move(r));
  }
  if (e.avx512 && !to.known_full(mask)) {
    const Op op = elem == Elem::I8 ? Op::x64_vload_bytes_k : Op::x64_vload_shorts_k;
    for (ValueId m : masks(mask, t.bits / 8)) {
      r.small.push_back(e.m.result(e.row(op, {m, address}, {kVec}, {t.bytes, 0, 1, disp})));
      disp += t.bytes;
    }
  } else {
    const int64_t bytes = int64_t{to.w.width} * (bits_of(elem) / 8);
    r.small = to.where_readable(
        mask, {address, disp, bytes}, [&] { return load_run(address, disp, elem); },
        [&] { return from_words(to.gather_small(mask, pointer, elem), elem); });
  }
  to.bind(result, std::move(r));
}

void SmallCode::store(const Inst& inst) {
  const ValueId mask = inst.operands[0], pointer = inst.operands[1], value = inst.operands[2];
  const Elem elem = to.w.type(value).elem;
  const VecType t = vector_type(bits_of(elem) / 8);
  const bool in_private = to.w.type(pointer).elem == Elem::PtrPrivate;
  auto [address, disp] = start_of_run(mask, pointer);
  std::vector<ValueId> data = small(value);
  if (to.streams_to(mask, pointer)) return to.store_past_caches(address, disp, data, t.bytes);
  if (to.known_full(mask)) return store_run(address, disp, data, elem);
  if (e.avx512) {
    const std::vector<ValueId> lanes = masks(mask, t.bits / 8);
    const Op op = elem == Elem::I8 ? Op::x64_vstore_bytes_k : Op::x64_vstore_shorts_k;
    for (size_t k = 0; k < data.size(); ++k, disp += t.bytes)
      e.row(op, {lanes[k], address, data[k]}, {}, {t.bytes, 0, 1, disp});
    return;
  }
  if (in_private) {  // what inactive lanes have there is stored as it is
    const std::vector<ValueId> lanes = masks(mask, t.bits / 8), old = load_run(address, disp, elem);
    for (size_t k = 0; k < data.size(); ++k) data[k] = e.blend(lanes[k], data[k], old[k], t);
    return store_run(address, disp, data, elem);
  }
  to.where_full(
      mask, [&] { return store_run(address, disp, data, elem), std::vector<ValueId>(); },
      [&] { return to.scatter(mask, pointer, elem, to.parts(value)), std::vector<ValueId>(); });
}

}  // namespace kc::x64
