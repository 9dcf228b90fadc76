// SPDX-License-Identifier: Apache-2.0
// Loads, stores, and where a work-item is. Memory is read through the vector unit even at uniform addresses:
// scalar loads are not coherent with the vector stores of the same launch.
#include "backends/gcn/selector.h"
#include "ir/check.h"

namespace kc::gcn {

ValueId Selector::ptr_add(const Inst& inst, bool lane) {
  ValueId base = inst.operands[0], index = inst.operands[1];
  int64_t scale = inst.attrs[0], offset = inst.attrs[1];
  if (w.type(inst.results[0]).bits() == 32) {
    // Offsets into local or private memory.
    ValueId i = is_wide(w.type(index).elem) ? lo(vector(index)) : source(index);
    ValueId scaled = scale == 1 ? i : vop3(Op::gcn_v_mul_lo_u32, vgpr(), {to_vector(i), imm(scale)});
    ValueId sum = vop2(Op::gcn_v_add_u32, source(base), scaled, true);
    if (offset) sum = make(Op::gcn_v_add_u32, vgpr(), {imm(offset), sum});
    return lane ? sum : first(sum, sgpr());
  }
  auto constant = [&](int64_t v) { return pack(imm(v & 0xffffffff), imm(v >> 32), lane); };
  ValueId wide;
  bool narrow_index = w.type(index).elem == Elem::I32;
  if (w.is_const(index)) {
    uint64_t bits = w.value(index).bits;
    int64_t i = narrow_index ? int64_t{static_cast<int32_t>(bits)} : static_cast<int64_t>(bits);
    offset += i * scale;
  } else if (!lane) {
    ValueId v = reg(index);
    if (narrow_index) v = pack(v, make(Op::gcn_s_ashr_i32, sgpr(), {v, imm(31)}), false);
    wide = v;
    if (scale != 1) {
      bool power = scale > 0 && (scale & (scale - 1)) == 0;
      if (power)
        wide = make(Op::gcn_s_lshl_b64, sgpr(2), {v, imm(__builtin_ctzll(static_cast<uint64_t>(scale)))});
      else
        wide = first(lane_int64(Op::mul, to_vector(v), to_vector(constant(scale))), sgpr(2));
    }
  } else {
    ValueId v = vector(index);
    if (narrow_index) v = pack(v, make(Op::gcn_v_ashrrev_i32, vgpr(), {imm(31), v}), true);
    wide = v;
    if (scale != 1) {
      bool power = scale > 0 && (scale & (scale - 1)) == 0;
      wide = power ? make(Op::gcn_v_lshlrev_b64, vgpr(2),
                          {imm(__builtin_ctzll(static_cast<uint64_t>(scale))), v})
                   : lane_int64(Op::mul, v, constant(scale));
    }
  }
  auto sum = [&](ValueId x, ValueId y) {
    return lane ? make(Op::gcn_p_v_add64, vgpr(2), {x, to_vector(y)})
                : make(Op::gcn_p_s_add64, sgpr(2), {x, y});
  };
  ValueId result = lane ? vector(base) : reg(base);
  if (wide.valid()) result = sum(result, wide);
  if (offset) result = sum(result, constant(offset));
  return result;
}

ValueId Selector::load_global(ValueId address, Elem elem) {
  switch (Type{elem}.bits()) {
    case 8:
      return make(Op::gcn_global_load_ubyte, vgpr(), {address});
    case 16:
      return make(Op::gcn_global_load_ushort, vgpr(), {address});
    case 64:
      return make(Op::gcn_global_load_dwordx2, vgpr(2), {address});
    default:
      return make(Op::gcn_global_load_dword, vgpr(), {address});
  }
}

void Selector::memory(const Inst& inst) {
  if (inst.op == Op::uniform_load) {
    Type type = w.type(inst.results[0]);
    map_[inst.results[0].index] = first(load_global(vector(inst.operands[0]), type.elem), machine_type(type));
    return;
  }
  if (inst.op == Op::lane_load) {
    Elem elem = w.type(inst.results[0]).elem;
    under(inst.operands[0],
          [&] { map_[inst.results[0].index] = load_global(vector(inst.operands[1]), elem); });
    return;
  }
  Elem elem = w.type(inst.operands[2]).elem;
  ValueId address = vector(inst.operands[1]), data = vector(inst.operands[2]);
  under(inst.operands[0], [&] {
    switch (Type{elem}.bits()) {
      case 8:
        b.emit(Op::gcn_global_store_byte, {address, data});
        return;
      case 16:
        b.emit(Op::gcn_global_store_short, {address, data});
        return;
      case 64:
        b.emit(Op::gcn_global_store_dwordx2, {address, data});
        return;
      default:
        b.emit(Op::gcn_global_store_dword, {address, data});
        return;
    }
  });
}

// The dispatch packet holds group sizes (16 bits at 4, 6, 8) and grid sizes (32 bits at 12, 16, 20).
ValueId Selector::dispatch_word(int64_t byte_offset) {
  return make(Op::gcn_s_load_dword, sgpr(), {dispatch_, imm(byte_offset)});
}

ValueId Selector::launch_id(const Inst& inst, Type type) {
  auto dim = static_cast<uint32_t>(inst.attrs[0]);
  bool wide = type.bits() == 64;
  auto local_size = [&] {
    // Loads are of aligned words: the size in y is the upper half of the first.
    ValueId word = dispatch_word(dim == 2 ? 8 : 4);
    return dim == 1 ? make(Op::gcn_s_lshr_b32, sgpr(), {word, imm(16)})
                    : make(Op::gcn_s_and_b32, sgpr(), {word, imm(0xffff)});
  };
  auto uniform = [&](ValueId v) { return wide ? pack(v, imm(0), false) : v; };
  auto offset = [&] {
    int64_t at = kernarg_layout(w).hidden_offset + 8 * dim;
    return wide ? make(Op::gcn_s_load_dwordx2, sgpr(2), {kernarg_, imm(at)})
                : make(Op::gcn_s_load_dword, sgpr(), {kernarg_, imm(at)});
  };
  switch (inst.op) {
    case Op::group_id:
      return uniform(group_[dim]);
    case Op::local_size:
      return uniform(local_size());
    case Op::global_size:
      return uniform(dispatch_word(12 + 4 * dim));
    case Op::global_offset:
      return offset();
    case Op::work_dim:  // the number of dimensions is in the second half of the first word
      return uniform(make(Op::gcn_s_lshr_b32, sgpr(), {dispatch_word(0), imm(16)}));
    case Op::num_groups: {
      ValueId q =
          lane_divide(Op::udiv, Elem::I32, to_vector(dispatch_word(12 + 4 * dim)), to_vector(local_size()));
      return uniform(first(q, sgpr()));
    }
    case Op::local_id:
      if (!type.lane) return uniform(move_scalar(0, 1));
      return wide ? pack(local_[dim], imm(0), true) : local_[dim];
    case Op::global_id: {
      ValueId size = local_size();
      ValueId base = make(Op::gcn_s_mul_i32, sgpr(), {group_[dim], size});
      if (!wide) {
        base = make(Op::gcn_s_add_u32, sgpr(), {base, offset()});
        return type.lane ? make(Op::gcn_v_add_u32, vgpr(), {base, local_[dim]}) : base;
      }
      base = pack(base, make(Op::gcn_s_mul_hi_u32, sgpr(), {group_[dim], size}), false);
      base = make(Op::gcn_p_s_add64, sgpr(2), {base, offset()});
      if (!type.lane) return base;
      return make(Op::gcn_p_v_add64, vgpr(2), {base, pack(local_[dim], imm(0), true)});
    }
    default:
      break;
  }
  KC_CHECK(false, "gcn: no position '{}'", info(inst.op).name);
}

}  // namespace kc::gcn
