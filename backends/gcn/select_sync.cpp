// SPDX-License-Identifier: Apache-2.0
// Atomic operations, barriers, fences. Each lane executes its own atomic operation; the memory serialises
// those of a wave.
#include <algorithm>
#include <iterator>

#include "backends/gcn/selector.h"
#include "ir/check.h"

namespace kc::gcn {
namespace {

struct AtomicOps {
  Op op;
  Op global[8];  // without old value, with scalar base, with old value, both; the same for 64 bits
  Op local[4];   // without old value, with it; the same for 64 bits
};

#define GLOBAL(name)                                                                                      \
  Op::gcn_global_atomic_##name, Op::gcn_global_atomic_##name##_saddr, Op::gcn_global_atomic_##name##_rtn, \
      Op::gcn_global_atomic_##name##_rtn_saddr
#define ROWS(id, global, local, suffix)                                            \
  {                                                                                \
    Op::lane_atomic_##id, {GLOBAL(global), GLOBAL(global##_x2)}, {                 \
      Op::gcn_ds_##local##_##suffix##32, Op::gcn_ds_##local##_rtn_##suffix##32,    \
          Op::gcn_ds_##local##_##suffix##64, Op::gcn_ds_##local##_rtn_##suffix##64 \
    }                                                                              \
  }
constexpr AtomicOps kRows[] = {
    ROWS(add, add, add, u),
    ROWS(sub, sub, sub, u),
    ROWS(and, and, and, b),
    ROWS(or, or, or, b),
    ROWS(xor, xor, xor, b),
    ROWS(smin, smin, min, i),
    ROWS(smax, smax, max, i),
    ROWS(umin, umin, min, u),
    ROWS(umax, umax, max, u),
    ROWS(cmpxchg, cmpswap, cmpst, b),
    // An exchange in local memory always returns the old value.
    {Op::lane_atomic_xchg,
     {GLOBAL(swap), GLOBAL(swap_x2)},
     {Op::gcn_ds_wrxchg_rtn_b32, Op::gcn_ds_wrxchg_rtn_b32, Op::gcn_ds_wrxchg_rtn_b64,
      Op::gcn_ds_wrxchg_rtn_b64}},
};
#undef ROWS
#undef GLOBAL

const AtomicOps& rows_of(Op op) {
  const AtomicOps* rows = std::ranges::find(kRows, op, &AtomicOps::op);
  KC_CHECK(rows != std::end(kRows), "gcn: no atomic operation '{}'", info(op).name);
  return *rows;
}

}  // namespace

void Selector::atomic(const Inst& inst) {
  ValueId result = inst.results[0], pointer = inst.operands[1];
  bool wide = is_wide(w.type(result).elem), local = w.type(pointer).elem == Elem::PtrLocal;
  bool returns = used_[result.index];
  // Expected and new value of a compare-and-swap; global memory takes them in one tuple, the new one first.
  std::vector<ValueId> operands;
  for (size_t i = 2; i < inst.operands.size(); ++i) operands.push_back(vector(inst.operands[i]));
  if (operands.size() == 2 && !local)
    operands = {wide ? make(Op::gcn_p_pack_pairs, vgpr(4), {operands[1], operands[0]})
                     : pack(operands[1], operands[0], true)};
  const AtomicOps& rows = rows_of(inst.op);
  Op op;
  int64_t constant = 0;
  if (local) {
    Address a = small_access(pointer, kLocalReach);
    operands.insert(operands.begin(), a.base);
    op = rows.local[2 * wide + returns], constant = a.constant;
  } else {
    Address a = address_of(pointer);
    operands.insert(operands.begin(), a.offset ? a.offset : a.base);
    if (a.offset) operands.push_back(a.base);
    op = rows.global[4 * wide + 2 * returns + a.offset.valid()], constant = a.constant;
  }
  returns |= op == Op::gcn_ds_wrxchg_rtn_b32 || op == Op::gcn_ds_wrxchg_rtn_b64;
  under(inst.operands[0], [&] {
    if (returns)
      map_[result.index] = make(op, vgpr(wide ? 2 : 1), std::move(operands), {constant});
    else
      b.emit(op, std::move(operands), {}, {constant});
  });
}

// The hardware takes byte indices modulo the lanes of a wave, and gives 0 for inactive lanes.
void Selector::shuffle(const Inst& inst) {
  under(inst.operands[0], [&] {
    ValueId index = vector(inst.operands[2]), data = vector(inst.operands[1]);
    ValueId bytes = make(Op::gcn_v_lshlrev_b32, vgpr(), {imm(2), index});
    ValueId exists = vcmp(Op::gcn_v_cmp_gt_u32, imm(model_.wave_lanes), index);
    auto pull = [&](ValueId word) {
      return choose(exists, make(Op::gcn_ds_bpermute_b32, vgpr(), {bytes, word}, {0}), imm(0));
    };
    bool wide = is_wide(w.type(inst.results[0]).elem);
    ValueId low = pull(to_vector(wide ? lo(data) : data));
    map_[inst.results[0].index] = wide ? pack(low, pull(to_vector(hi(data))), true) : low;
  });
}

// All earlier writes are visible after it. A barrier for local memory also orders global memory, which a
// work-item cannot distinguish. In a group of one wave the hardware skips s_barrier.
void Selector::barrier(const Inst& inst) {
  under(inst.operands[0], [&] {
    fence(3);
    b.emit(Op::gcn_s_barrier, {}, {}, {inst.attrs[1]});
  });
}

// 1: local memory, 2: global memory.
void Selector::fence(int64_t flags) {
  const auto& none = info(Op::gcn_s_waitcnt).attrs;
  b.emit(Op::gcn_s_waitcnt, {}, {},
         {flags & 2 ? 0 : none[0].fallback, flags & 1 ? 0 : none[1].fallback, none[2].fallback});
}

}  // namespace kc::gcn
