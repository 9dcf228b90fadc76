// SPDX-License-Identifier: Apache-2.0
#include "backends/spirv/workgroup_memory.h"

#include <algorithm>
#include <bit>

#include "ir/check.h"
#include "ir/launch.h"

namespace kc::spirv {
namespace {

Elem plain(Elem e) { return is_float(e) ? e : integer_of(e); }

unsigned log2_of(unsigned n) { return static_cast<unsigned>(std::countr_zero(n)); }

}  // namespace

LocalMemory::LocalMemory(const Function& function, Code& code, std::function<Word(ValueId)> value)
    : f(function), c(code), value_(std::move(value)), roots_(function), variables_(roots_.roots.size() + 1) {
  for (BlockId b : f.layout)
    for (InstId i : f.block(b).insts) survey(f.inst(i));
  for (Variable& v : variables_) {
    if (v.sizes == 0) continue;
    // A narrow store into a wider element costs two atomic operations; a wide access to narrow elements costs
    // several.
    const uint32_t wanted = v.atomic_sizes ? v.atomic_sizes : v.sizes;
    v.unit = std::has_single_bit(wanted) ? wanted : 4;
    v.elem = v.one_type ? v.type : integer_of_bytes(v.unit);
  }
}

LocalMemory::Variable& LocalMemory::variable_of(ValueId pointer) {
  return variables_[roots_.root_of(pointer)];
}

void LocalMemory::survey(const Inst& inst) {
  if (inst.operands.empty() || f.type(inst.operands[0]) != kPtrLocal) return;
  const auto align = static_cast<unsigned>(inst.attrs[0]);
  if (loads(inst.op)) note(inst.operands[0], f.type(inst.results[0]).elem, align, false);
  if (stores(inst.op)) note(inst.operands[0], f.type(inst.operands[1]).elem, align, false);
  if (info(inst.op).flags & Atomic) note(inst.operands[0], f.type(inst.operands[1]).elem, 0, true);
}

void LocalMemory::note(ValueId pointer, Elem e, unsigned align, bool atomic) {
  Variable& v = variable_of(pointer);
  unsigned size = Type{e}.bytes();
  const bool whole = align == 0 || align >= size;
  if (!whole) size = align;
  v.one_type &= whole && (v.type == Elem::Void || v.type == plain(e));
  v.type = plain(e);
  v.sizes |= size;
  if (atomic) v.atomic_sizes |= size;
}

bool LocalMemory::mixes_atomics() const {
  return std::ranges::any_of(variables_, [](const Variable& v) { return v.atomic_sizes == (4 | 8); });
}

void LocalMemory::declare(VulkanImage& image) {
  const uint64_t objects = lay_out_objects(f, kPtrLocal).size;
  bool shared_by_param = false;
  for (size_t r = 0; r < roots_.roots.size(); ++r) {
    const LocalRoots::Root& root = roots_.roots[r];
    Variable& v = variables_[r];
    if (!root.own) shared_by_param |= root.param >= 0;
    if (!root.own || v.sizes == 0) continue;
    if (root.param >= 0) {
      const auto index = static_cast<size_t>(root.param);
      declare_variable(v, length_constant(image, root.param, v.unit), f.params[index].name);
      continue;
    }
    const MemoryObject& object = f.objects[static_cast<size_t>(root.object)];
    const uint64_t length = (object.size + v.unit - 1) / v.unit;
    image.local_bytes += static_cast<uint32_t>(length * v.unit);
    declare_variable(v, c.constant(Elem::I32, length), object.name);
  }
  Variable& shared = variables_.back();
  if (shared.sizes == 0) return;
  Word length = 0;
  if (shared_by_param) {
    length = length_constant(image, -1, shared.unit);
  } else {
    const uint64_t bytes = std::max<uint64_t>(objects, kFirstOffset + 16) - kFirstOffset;
    image.local_bytes += static_cast<uint32_t>(bytes);
    length = c.constant(Elem::I32, bytes / shared.unit);
  }
  declare_variable(shared, length, "local");
}

Word LocalMemory::length_constant(VulkanImage& image, int param, unsigned unit) {
  const auto id = static_cast<uint32_t>(kFirstLocalConstant + image.local_lengths.size());
  image.local_lengths.push_back({.constant = id, .param = param, .unit = unit});
  return c.m.spec_constant(id, 1);
}

void LocalMemory::declare_variable(Variable& v, Word length, std::string_view name) {
  Word array = c.m.type_array(c.type(v.elem), length);
  v.id = c.m.variable(c.m.type_pointer(spv::StorageClass::Workgroup, array), spv::StorageClass::Workgroup);
  c.m.name(v.id, name);
  interface_.push_back(v.id);
}

Word LocalMemory::constant(uint64_t bits) {
  const size_t root = roots_.root_at(bits);
  const bool own = root < roots_.roots.size() && roots_.roots[root].own;
  return c.constant(Elem::I32, own ? kFirstOffset : bits);
}

std::optional<Word> LocalMemory::parameter(size_t index) {
  for (const LocalRoots::Root& root : roots_.roots)
    if (root.own && root.param == static_cast<int>(index)) return c.constant(Elem::I32, kFirstOffset);
  return std::nullopt;
}

// --- locations

// The start index of a root that has a variable of its own.
std::optional<Word> LocalMemory::start_index(ValueId pointer) const {
  const size_t root = roots_.root_of(pointer);
  if (root == roots_.roots.size()) return std::nullopt;
  const bool is_root = f.is_const(pointer) || (f.value(pointer).kind == ValueKind::Param &&
                                               f.value(pointer).owner == f.entry().index);
  return is_root ? std::optional(c.constant(Elem::I32, 0)) : std::nullopt;
}

std::optional<Word> LocalMemory::whole_index(unsigned unit, ValueId pointer, int depth) {
  if (auto start = start_index(pointer)) return start;
  const InstId def = f.def(pointer);
  if (depth == 0 || !def.valid() || f.inst(def).op != Op::ptr_add) return std::nullopt;
  const Inst& inst = f.inst(def);
  const int64_t scale = inst.attrs[0], extra = inst.attrs[1], n = unit;
  if (scale % n != 0 || extra % n != 0) return std::nullopt;
  auto index = whole_index(unit, inst.operands[0], depth - 1);
  if (!index) return std::nullopt;
  auto add = [&](Word more) {
    *index = *index == c.zero(Elem::I32) ? more : c.make(spv::Op::OpIAdd, Elem::I32, {*index, more});
  };
  const ValueId by = inst.operands[1];
  if (!f.is_const(by) || f.value(by).bits != 0) {
    Word more = value_(by);
    if (f.type(by) != kI32) more = c.make(spv::Op::OpUConvert, Elem::I32, {more});
    if (scale != n) {
      Word factor = c.constant(Elem::I32, static_cast<uint64_t>(scale / n));
      more = c.make(spv::Op::OpIMul, Elem::I32, {more, factor});
    }
    add(more);
  }
  if (extra != 0) add(c.constant(Elem::I32, static_cast<uint64_t>(extra / n)));
  return index;
}

LocalMemory::Place LocalMemory::place(ValueId pointer) {
  constexpr int kDepth = 6;
  const Variable& v = variable_of(pointer);
  Place at{.variable = &v, .index = whole_index(v.unit, pointer, kDepth)};
  if (!at.index) at.pointer = value_(pointer);
  return at;
}

Word LocalMemory::offset_of(const Place& at, unsigned further) {
  const Elem e = Elem::I32;
  if (!at.index) {
    Word shift = c.constant(e, uint64_t{further} - kFirstOffset);
    return c.make(spv::Op::OpIAdd, e, {at.pointer, shift});
  }
  Word offset = c.make(spv::Op::OpIMul, e, {*at.index, c.constant(e, at.variable->unit)});
  return further ? c.make(spv::Op::OpIAdd, e, {offset, c.constant(e, further)}) : offset;
}

// `further` bytes after the location; a multiple of the unit if the location is one.
Word LocalMemory::element_pointer(const Place& at, unsigned further) {
  const Elem e = Elem::I32;
  const Variable& v = *at.variable;
  Word index = 0;
  if (at.index) {
    const unsigned more = further / v.unit;
    index = more ? c.make(spv::Op::OpIAdd, e, {*at.index, c.constant(e, more)}) : *at.index;
  } else {
    index = offset_of(at, further);
    if (v.unit > 1) index = c.make(spv::Op::OpShiftRightLogical, e, {index, c.constant(e, log2_of(v.unit))});
  }
  Word type = c.m.type_pointer(spv::StorageClass::Workgroup, c.type(v.elem));
  Word id = c.m.id();
  c.m.code(spv::Op::OpAccessChain, {type, id, v.id, index});
  return id;
}

Word LocalMemory::element(Elem e, ValueId pointer) {
  KC_CHECK(variable_of(pointer).unit == Type{e}.bytes(), "spirv: atomic operation on a part of an element");
  return element_pointer(place(pointer), 0);
}

// --- accesses

Word LocalMemory::load(Elem e, ValueId pointer, unsigned align) {
  const Place at = place(pointer);
  const unsigned size = Type{e}.bytes(), piece = align ? std::min(size, align) : size;
  if (at.variable->elem == plain(e) && piece == size) return c.load_from(plain(e), element_pointer(at, 0));
  Word bits = load_bits(size, piece, at, 0);
  return is_float(e) ? c.make(spv::Op::OpBitcast, e, {bits}) : bits;
}

void LocalMemory::store(Elem e, ValueId pointer, Word data, unsigned align) {
  const Place at = place(pointer);
  const unsigned size = Type{e}.bytes(), piece = align ? std::min(size, align) : size;
  if (at.variable->elem == plain(e) && piece == size) return c.store_to(element_pointer(at, 0), data);
  if (is_float(e)) data = c.make(spv::Op::OpBitcast, integer_of(e), {data});
  store_bits(size, piece, at, 0, data);
}

Word LocalMemory::load_bits(unsigned bytes, unsigned piece, const Place& at, unsigned further) {
  const Variable& v = *at.variable;
  const Elem whole = integer_of_bytes(bytes);
  piece = std::min(piece, v.unit);
  if (bytes <= piece) {
    if (bytes < v.unit) return load_part(whole, at, further);
    Word data = c.load_from(v.elem, element_pointer(at, further));
    return is_float(v.elem) ? c.make(spv::Op::OpBitcast, whole, {data}) : data;
  }
  Word result = 0;
  for (unsigned k = 0; k < bytes; k += piece) {
    Word part = c.make(spv::Op::OpUConvert, whole, {load_bits(piece, piece, at, further + k)});
    if (k) part = c.make(spv::Op::OpShiftLeftLogical, whole, {part, c.constant(whole, uint64_t{k} * 8)});
    result = result ? c.make(spv::Op::OpBitwiseOr, whole, {result, part}) : part;
  }
  return result;
}

void LocalMemory::store_bits(unsigned bytes, unsigned piece, const Place& at, unsigned further, Word data) {
  const Variable& v = *at.variable;
  const Elem whole = integer_of_bytes(bytes);
  piece = std::min(piece, v.unit);
  if (bytes <= piece) {
    if (bytes < v.unit) return store_part(whole, at, further, data);
    if (is_float(v.elem)) data = c.make(spv::Op::OpBitcast, v.elem, {data});
    return c.store_to(element_pointer(at, further), data);
  }
  for (unsigned k = 0; k < bytes; k += piece) {
    Word part = data;
    if (k) part = c.make(spv::Op::OpShiftRightLogical, whole, {part, c.constant(whole, uint64_t{k} * 8)});
    part = c.make(spv::Op::OpUConvert, integer_of_bytes(piece), {part});
    store_bits(piece, piece, at, further + k, part);
  }
}

// Bit position of a part within its element.
Word LocalMemory::load_part(Elem part, const Place& at, unsigned further) {
  const Variable& v = *at.variable;
  const Elem whole = integer_of(v.elem);
  Word byte =
      c.make(spv::Op::OpBitwiseAnd, Elem::I32, {offset_of(at, further), c.constant(Elem::I32, v.unit - 1)});
  Word shift = c.make(spv::Op::OpShiftLeftLogical, Elem::I32, {byte, c.constant(Elem::I32, 3)});
  Word data = c.load_from(v.elem, element_pointer(at, further));
  if (is_float(v.elem)) data = c.make(spv::Op::OpBitcast, whole, {data});
  data = c.make(spv::Op::OpShiftRightLogical, whole, {data, shift});
  return c.make(spv::Op::OpUConvert, part, {data});
}

// Other work-items may store to other parts of the element concurrently. A reader of this part is separated
// by a barrier, so it never observes the state between the two steps.
void LocalMemory::store_part(Elem part, const Place& at, unsigned further, Word data) {
  const Variable& v = *at.variable;
  const Elem whole = integer_of(v.elem);
  Word byte =
      c.make(spv::Op::OpBitwiseAnd, Elem::I32, {offset_of(at, further), c.constant(Elem::I32, v.unit - 1)});
  Word shift = c.make(spv::Op::OpShiftLeftLogical, Elem::I32, {byte, c.constant(Elem::I32, 3)});
  Word ones = c.constant(whole, ~uint64_t{0} >> (64 - width(part)));
  Word hole = c.make(spv::Op::OpNot, whole, {c.make(spv::Op::OpShiftLeftLogical, whole, {ones, shift})});
  Word fresh = c.make(spv::Op::OpUConvert, whole, {data});
  fresh = c.make(spv::Op::OpShiftLeftLogical, whole, {fresh, shift});
  Word pointer = element_pointer(at, further);
  c.atomic(spv::Op::OpAtomicAnd, whole, pointer, true, {&hole, 1});
  c.atomic(spv::Op::OpAtomicOr, whole, pointer, true, {&fresh, 1});
}

}  // namespace kc::spirv
