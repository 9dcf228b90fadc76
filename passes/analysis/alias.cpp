// SPDX-License-Identifier: Apache-2.0
#include "passes/analysis/alias.h"

namespace kc {
namespace {

const Inst* ptr_add_of(const Function& f, ValueId v) {
  InstId d = f.def(v);
  return d.valid() && f.inst(d).op == Op::ptr_add ? &f.inst(d) : nullptr;
}

ValueId root_of(const Function& f, ValueId pointer) {
  while (const Inst* add = ptr_add_of(f, pointer)) pointer = add->operands[0];
  return pointer;
}

// Sign-extended from the index's width, times the scale, modulo 2^64 as in ptr_add.
int64_t constant_distance(const Function& f, const Inst& add) {
  uint64_t bits = f.value(add.operands[1]).bits;
  if (f.type(add.operands[1]) == kI32) bits = static_cast<uint64_t>(static_cast<int32_t>(bits));
  return static_cast<int64_t>(bits * static_cast<uint64_t>(add.attrs[0]));
}

enum class Root : uint8_t { Buffer, Object, Unknown };
Root kind_of(const Function& f, ValueId root) {
  const Value& v = f.value(root);
  if (v.kind == ValueKind::Param && BlockId(v.owner) == f.entry()) return Root::Buffer;
  InstId d = f.def(root);
  return d.valid() && f.inst(d).op == Op::object_address ? Root::Object : Root::Unknown;
}
int64_t object_of(const Function& f, ValueId root) { return f.inst(f.def(root)).attrs[0]; }

bool same_root(const Function& f, ValueId a, ValueId b) {
  if (a == b) return true;
  return kind_of(f, a) == Root::Object && kind_of(f, b) == Root::Object && object_of(f, a) == object_of(f, b);
}

bool different_memory(const Function& f, ValueId a, ValueId b) {
  if (f.type(a).elem != f.type(b).elem) return true;
  Root ka = kind_of(f, a), kb = kind_of(f, b);
  if (same_root(f, a, b) || ka == Root::Unknown || kb == Root::Unknown) return false;
  if (ka != Root::Buffer || kb != Root::Buffer) return true;
  return f.params[f.value(a).index].is_restrict || f.params[f.value(b).index].is_restrict;
}

}  // namespace

Access access_of(const Function& f, ValueId pointer, uint32_t bytes) {
  Access a{.base = pointer, .index = {}, .bytes = bytes, .root = pointer};
  while (const Inst* add = ptr_add_of(f, a.base)) {
    bool constant = f.is_const(add->operands[1]);
    if (!constant && a.index.valid()) break;
    a.offset = wrapping_add(a.offset, add->attrs[1]);
    if (constant)
      a.offset = wrapping_add(a.offset, constant_distance(f, *add));
    else
      a.index = add->operands[1], a.scale = add->attrs[0];
    a.base = add->operands[0];
  }
  if (f.type(pointer).bits() == 32) a.offset = static_cast<int32_t>(static_cast<uint32_t>(a.offset));
  a.root = root_of(f, a.base);
  return a;
}

ValueId buffer_of(const Function& f, ValueId pointer) {
  ValueId root = root_of(f, pointer);
  return kind_of(f, root) == Root::Buffer ? root : ValueId();
}

bool same_bytes(const Access& a, const Access& b) {
  return a.base == b.base && a.index == b.index && a.scale == b.scale && a.offset == b.offset &&
         a.bytes == b.bytes;
}

bool may_overlap(const Function& f, const Access& a, const Access& b) {
  if (different_memory(f, a.root, b.root)) return false;
  bool comparable =
      (a.base == b.base || (a.base == a.root && b.base == b.root && same_root(f, a.root, b.root))) &&
      a.index == b.index && a.scale == b.scale;
  if (!comparable) return true;
  // Offsets wrap like addresses.
  const uint64_t wrap = f.type(a.root).bits() == 32 ? 0xffffffffu : ~uint64_t{0};
  auto distance = static_cast<uint64_t>(b.offset) - static_cast<uint64_t>(a.offset);
  return (distance & wrap) < a.bytes || ((uint64_t{0} - distance) & wrap) < b.bytes;
}

bool may_change(const Function& f, const Inst& inst, const Access& bytes) {
  if (info(inst.op).effects != Effects::Write) return false;
  return inst.op != Op::store ||
         may_overlap(f, bytes, access_of(f, inst.operands[0], f.type(inst.operands[1]).bytes()));
}

}  // namespace kc
