// SPDX-License-Identifier: Apache-2.0
// Work-item ids and launch sizes.
#include "backends/gcn/selector.h"
#include "ir/check.h"

namespace kc::gcn {

// The dispatch packet holds group sizes (16 bits at 4, 6, 8) and grid sizes (32 bits at 12, 16, 20).
ValueId Selector::dispatch_word(int64_t byte_offset) {
  return make(Op::gcn_s_load_dword, sgpr(), {dispatch_, imm(byte_offset)});
}

ValueId Selector::launch_id(const Inst& inst, Type type) {
  auto dim = static_cast<uint32_t>(inst.attrs[0]);
  bool wide = type.bits() == 64;
  auto local_size = [&] {
    // Loads are word-aligned: the size in y is the upper half of the first word.
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
      return uniform(shared_by_lanes(q, sgpr()));
    }
    case Op::local_id:
      if (!type.lane) return uniform(move_scalar(0, 1));
      if (wide) parts_[inst.results[0].index] = {{}, local_[dim], 0xffff};
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
      parts_[inst.results[0].index] = {base, local_[dim], 0xffff};
      return make(Op::gcn_p_v_add64, vgpr(2), {base, pack(local_[dim], imm(0), true)});
    }
    default:
      break;
  }
  KC_CHECK(false, "gcn: no position '{}'", info(inst.op).name);
}

}  // namespace kc::gcn
