// SPDX-License-Identifier: Apache-2.0
#include "backends/spirv/memory.h"

#include "ir/check.h"

namespace kc::spirv {
namespace {

bool is_atomic(Op op) { return info(op).flags & Atomic; }
bool orders(Op op) {
  return op == Op::barrier || op == Op::fence || op == Op::sub_group_barrier || is_atomic(op);
}

bool is_volatile(Op op) { return op == Op::volatile_load || op == Op::volatile_store; }

spv::Op atomic_operation(Op op) {
  switch (op) {
    case Op::atomic_add:
      return spv::Op::OpAtomicIAdd;
    case Op::atomic_sub:
      return spv::Op::OpAtomicISub;
    case Op::atomic_and:
      return spv::Op::OpAtomicAnd;
    case Op::atomic_or:
      return spv::Op::OpAtomicOr;
    case Op::atomic_xor:
      return spv::Op::OpAtomicXor;
    case Op::atomic_smin:
      return spv::Op::OpAtomicSMin;
    case Op::atomic_smax:
      return spv::Op::OpAtomicSMax;
    case Op::atomic_umin:
      return spv::Op::OpAtomicUMin;
    case Op::atomic_umax:
      return spv::Op::OpAtomicUMax;
    case Op::atomic_xchg:
      return spv::Op::OpAtomicExchange;
    case Op::atomic_cmpxchg:
      return spv::Op::OpAtomicCompareExchange;
    default:
      KC_CHECK(false, "spirv: {} is no atomic operation", name_of(op));
  }
}

}  // namespace

bool synchronises(const Function& f) {
  for (BlockId b : f.layout)
    for (InstId i : f.block(b).insts)
      if (orders(f.inst(i).op) || is_volatile(f.inst(i).op)) return true;
  return false;
}

bool MemoryCode::handles(Op op) { return loads(op) || stores(op) || op == Op::ptr_add || orders(op); }

Word MemoryCode::emit(const Inst& inst) {
  switch (inst.op) {
    case Op::load:
      return load(inst);
    case Op::volatile_load:
    case Op::volatile_store:
      return volatile_access(inst);
    case Op::store:
      store(inst);
      return 0;
    case Op::ptr_add:
      return ptr_add(inst);
    case Op::barrier:
    case Op::fence:
    case Op::sub_group_barrier:
      barrier(inst);
      return 0;
    default:
      return atomic(inst);
  }
}

Word MemoryCode::load(const Inst& inst) {
  const ValueId pointer = inst.operands[0];
  const Elem e = f.type(inst.results[0]).elem;
  const auto align = static_cast<unsigned>(inst.attrs[0]);
  if (f.type(pointer) == kPtrPrivate) return c.load_private(value_(pointer));
  if (f.type(pointer) == kPtrLocal) return local.load(e, pointer, align);
  return c.load(e, value_(pointer), align);
}

void MemoryCode::store(const Inst& inst) {
  const ValueId pointer = inst.operands[0], data = inst.operands[1];
  const Elem e = f.type(data).elem;
  const auto align = static_cast<unsigned>(inst.attrs[0]);
  if (f.type(pointer) == kPtrPrivate) return c.store_private(value_(pointer), value_(data));
  if (f.type(pointer) == kPtrLocal) return local.store(e, pointer, value_(data), align);
  c.store(e, value_(pointer), value_(data), align);
}

Word MemoryCode::volatile_access(const Inst& inst) {
  Word result = 0;
  c.set_volatile(true);
  if (inst.op == Op::volatile_load)
    result = load(inst);
  else
    store(inst);
  c.set_volatile(false);
  return result;
}

Word MemoryCode::ptr_add(const Inst& inst) {
  const Elem pointer = f.type(inst.operands[0]).elem, index = f.type(inst.operands[1]).elem;
  const Elem e = integer_of(pointer);
  Word offset = value_(inst.operands[1]);
  if (width(index) < width(pointer)) offset = c.make(spv::Op::OpSConvert, e, {offset});
  if (width(index) > width(pointer)) offset = c.make(spv::Op::OpUConvert, e, {offset});
  const auto scale = static_cast<uint64_t>(inst.attrs[0]), extra = static_cast<uint64_t>(inst.attrs[1]);
  if (scale != 1) offset = c.make(spv::Op::OpIMul, e, {offset, c.constant(e, scale)});
  if (extra != 0) offset = c.make(spv::Op::OpIAdd, e, {offset, c.constant(e, extra)});
  return c.make(spv::Op::OpIAdd, e, {value_(inst.operands[0]), offset});
}

Word MemoryCode::atomic(const Inst& inst) {
  const ValueId at = inst.operands[0];
  const Elem e = f.type(inst.operands[1]).elem;
  const bool is_local = f.type(at) == kPtrLocal;
  Word pointer = is_local ? local.element(e, at) : c.pointer_at(e, value_(at), 0);
  Words operands;
  for (size_t k = inst.operands.size(); k-- > 1;) operands.push_back(value_(inst.operands[k]));
  return c.atomic(atomic_operation(inst.op), e, pointer, is_local, operands);
}

// After a barrier a work-item sees earlier writes of its group; after a fence, those of the device.
void MemoryCode::barrier(const Inst& inst) {
  using enum spv::MemorySemanticsMask;
  auto bits = [](spv::MemorySemanticsMask mask) { return static_cast<Word>(mask); };
  Word semantics = 0;
  if (inst.attrs[0] & 1) semantics |= bits(WorkgroupMemory);
  if (inst.attrs[0] & 2) semantics |= bits(UniformMemory);
  if (semantics) semantics |= bits(AcquireRelease) | bits(MakeAvailable) | bits(MakeVisible);
  const bool is_barrier = inst.op == Op::barrier;
  if (!is_barrier && !semantics) return;
  const bool device = inst.op == Op::fence && (inst.attrs[0] & 2);
  if (device) c.use_device_scope();
  Word scope = c.scope(inst.op == Op::sub_group_barrier ? spv::Scope::Subgroup
                       : device                         ? spv::Scope::Device
                                                        : spv::Scope::Workgroup);
  Word mask = c.constant(Elem::I32, semantics);
  if (is_barrier)
    c.m.code(spv::Op::OpControlBarrier, {c.scope(spv::Scope::Workgroup), scope, mask});
  else
    c.m.code(spv::Op::OpMemoryBarrier, {scope, mask});
}

}  // namespace kc::spirv
