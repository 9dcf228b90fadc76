// SPDX-License-Identifier: Apache-2.0
// Loads and stores. Scalar loads are not coherent with the vector stores of the same launch, so uniform
// addresses are read through the vector unit as well. Scalar loads are used if no path from the entry to the
// load contains a store, or if the memory is never written: constant memory, and const restrict parameters. A
// store by another work-item is either unordered with the load, or a barrier or fence is between them: then
// that store is in the same code, on a path to the load.
#include "backends/gcn/selector.h"

namespace kc::gcn {
namespace {

constexpr int64_t kPrivateReach = 4096;    // of the constant in an instruction
constexpr int64_t kScalarReach = 1 << 20;  // likewise

// The fence flag for an access through the pointer.
int64_t fence_for(Type pointer) { return pointer.elem == Elem::PtrLocal ? 1 : 2; }

}  // namespace

// `past_caches`: bypasses the cache of the compute unit, which stores of other units do not update.
ValueId Selector::load_global(const Address& a, Elem elem, bool past_caches) {
  auto load = [&](Op op, Op with_base, unsigned regs) {
    if (a.offset) return make(with_base, vgpr(regs), {a.offset, a.base}, {a.constant, past_caches});
    return make(op, vgpr(regs), {a.base}, {a.constant, past_caches});
  };
  switch (Type{elem}.bits()) {
    case 8:
      return load(Op::gcn_global_load_ubyte, Op::gcn_global_load_ubyte_saddr, 1);
    case 16:
      return load(Op::gcn_global_load_ushort, Op::gcn_global_load_ushort_saddr, 1);
    case 64:
      return load(Op::gcn_global_load_dwordx2, Op::gcn_global_load_dwordx2_saddr, 2);
    default:
      return load(Op::gcn_global_load_dword, Op::gcn_global_load_dword_saddr, 1);
  }
}

void Selector::store_global(const Address& a, ValueId data, Elem elem) {
  auto store = [&](Op op, Op with_base) {
    if (a.offset)
      b.emit(with_base, {a.offset, data, a.base}, {}, {a.constant});
    else
      b.emit(op, {a.base, data}, {}, {a.constant});
  };
  switch (Type{elem}.bits()) {
    case 8:
      return store(Op::gcn_global_store_byte, Op::gcn_global_store_byte_saddr);
    case 16:
      return store(Op::gcn_global_store_short, Op::gcn_global_store_short_saddr);
    case 64:
      return store(Op::gcn_global_store_dwordx2, Op::gcn_global_store_dwordx2_saddr);
    default:
      return store(Op::gcn_global_store_dword, Op::gcn_global_store_dword_saddr);
  }
}

// The immediate has 16 bits. Offsets are bytes from the start of the group's memory.
ValueId Selector::load_local(const Address& a, Elem elem) {
  ValueId at = a.base;
  switch (Type{elem}.bits()) {
    case 8:
      return make(Op::gcn_ds_read_u8, vgpr(), {at}, {a.constant});
    case 16:
      return make(Op::gcn_ds_read_u16, vgpr(), {at}, {a.constant});
    case 64:
      return make(Op::gcn_ds_read_b64, vgpr(2), {at}, {a.constant});
    default:
      return make(Op::gcn_ds_read_b32, vgpr(), {at}, {a.constant});
  }
}

void Selector::store_local(const Address& a, ValueId data, Elem elem) {
  auto store = [&](Op op) { b.emit(op, {a.base, data}, {}, {a.constant}); };
  switch (Type{elem}.bits()) {
    case 8:
      return store(Op::gcn_ds_write_b8);
    case 16:
      return store(Op::gcn_ds_write_b16);
    case 64:
      return store(Op::gcn_ds_write_b64);
    default:
      return store(Op::gcn_ds_write_b32);
  }
}

// A constant address needs no register, even beyond the immediate range.
Selector::Address Selector::private_access(ValueId pointer) {
  Address a = small_address(pointer);
  if (a.base || a.constant < 0 || a.constant >= kMaxScratchBytes)
    return small_access(pointer, kPrivateReach - 4);
  return {.base = imm(0), .offset = {}, .constant = a.constant};
}

// Scratch interleaves the lanes' memory in 32-bit words, so that is the widest access.
ValueId Selector::load_private(ValueId pointer, Elem elem) {
  int64_t bytes = Type{elem}.bytes();
  auto word = [&](int64_t at, int64_t size) {
    Address a = private_access(pointer);
    return make(Op::gcn_p_scratch_load, vgpr(), {a.base}, {a.constant + at, size});
  };
  if (bytes < 8) return word(0, bytes);
  ValueId low = word(0, 4);
  return pack(low, word(4, 4), true);
}

void Selector::store_private(ValueId pointer, ValueId data, Elem elem) {
  int64_t bytes = Type{elem}.bytes();
  auto word = [&](int64_t at, int64_t size, ValueId bits) {
    Address a = private_access(pointer);
    b.emit(Op::gcn_p_scratch_store, {a.base, bits}, {}, {a.constant + at, size});
  };
  if (bytes < 8) return word(0, bytes, data);
  word(0, 4, lo(data));
  word(4, 4, hi(data));
}

ValueId Selector::load(ValueId pointer, Elem elem, bool past_caches) {
  switch (w.type(pointer).elem) {
    case Elem::PtrLocal:
      return load_local(small_access(pointer, kLocalReach), elem);
    case Elem::PtrPrivate:
      return load_private(pointer, elem);
    default:
      return load_global(address_of(pointer), elem, past_caches);
  }
}

void Selector::store(ValueId pointer, ValueId data, Elem elem) {
  switch (w.type(pointer).elem) {
    case Elem::PtrLocal:
      return store_local(small_access(pointer, kLocalReach), data, elem);
    case Elem::PtrPrivate:
      return store_private(pointer, data, elem);
    default:
      return store_global(address_of(pointer), data, elem);
  }
}

// Whether scalar loads through the pointer read current memory.
bool Selector::may_load_scalar(ValueId pointer) const {
  if (w.type(pointer).elem == Elem::PtrConstant || !written_) return true;
  constexpr int kMostSteps = 64;
  for (int i = 0; i < kMostSteps; ++i) {
    InstId def = w.def(pointer);
    if (!def) break;
    if (w.inst(def).op != Op::ptr_add) return false;
    pointer = w.inst(def).operands[0];
  }
  const Value& root = w.value(pointer);
  if (root.kind != ValueKind::Param || BlockId(root.owner) != w.entry()) return false;
  const ParamInfo& param = w.params[root.index];
  return param.is_const && param.is_restrict;
}

// Invalid if the vector unit has to load. Scalar loads handle only memory that is addressable by words.
ValueId Selector::load_scalar(ValueId pointer, Type type) {
  if (w.type(pointer).bits() != 64 || w.type(pointer).lane || type.bits() < 32) return {};
  if (!may_load_scalar(pointer)) return {};
  Address a = address_of(pointer);
  if (is_vector(a.base)) return {};
  ValueId offset = imm(a.constant);
  bool wide = type.bits() == 64;
  if (a.constant < 0 || a.constant >= kScalarReach) {
    a.base = make(Op::gcn_p_s_add64, sgpr(2), {a.base, move_scalar(static_cast<uint64_t>(a.constant), 2)});
    offset = imm(0);
  }
  return make(wide ? Op::gcn_s_load_dwordx2 : Op::gcn_s_load_dword, machine_type(type), {a.base, offset});
}

void Selector::memory(const Inst& inst) {
  switch (inst.op) {
    case Op::uniform_load: {
      Type type = w.type(inst.results[0]);
      if (ValueId loaded = load_scalar(inst.operands[0], type)) {
        map_[inst.results[0].index] = loaded;
        return;
      }
      map_[inst.results[0].index] = shared_by_lanes(load(inst.operands[0], type.elem), machine_type(type));
      return;
    }
    case Op::lane_load:
      under(inst.operands[0], [&] {
        ValueId result = inst.results[0];
        map_[result.index] = load(inst.operands[1], w.type(result).elem);
      });
      return;
    case Op::lane_volatile_load:
      under(inst.operands[0], [&] {
        ValueId result = inst.results[0];
        map_[result.index] = load(inst.operands[1], w.type(result).elem, true);
        b.emit(Op::gcn_p_keep, {map_[result.index]});
        fence(fence_for(w.type(inst.operands[1])));
      });
      return;
    default: {
      ValueId data = vector(inst.operands[2]);
      under(inst.operands[0], [&] {
        store(inst.operands[1], data, w.type(inst.operands[2]).elem);
        if (inst.op == Op::lane_volatile_store) fence(fence_for(w.type(inst.operands[1])));
      });
    }
  }
}

}  // namespace kc::gcn
