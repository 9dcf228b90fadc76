// SPDX-License-Identifier: Apache-2.0
// Expands pseudo instructions. Inserted copies, spills and reloads of vector registers run for the whole
// wave, because an inactive lane may need the value when it is active again.
#include <fmt/format.h>

#include <algorithm>

#include "backends/gcn/machine.h"
#include "ir/check.h"

namespace kc::gcn {
namespace {

constexpr uint32_t kOffsetReach = 4096;  // of a buffer instruction's offset

class Expander {
 public:
  Expander(const Function& function, const Allocation& scalars, const Allocation& vectors, const Frame& frame,
           const MachineModel& model)
      : f(function),
        scalars_(scalars),
        vectors_(vectors),
        frame_(frame),
        model_(model),
        aliases_(find_aliases(function)),
        split_(find_split_pairs(function, aliases_)) {
    coalesce_merges(function, aliases_);
  }

  std::vector<MachineBlock> run() {
    const std::vector<BlockId> order = layout_blocks(f);
    const std::vector<bool> full = find_full_exec(f);
    for (size_t i = 0; i < order.size(); ++i) {
      next_ = i + 1 < order.size() ? order[i + 1] : BlockId();
      full_exec_ = full[order[i].index];
      out_.push_back({order[i], f.block(order[i]).hint, {}});
      for (InstId id : f.block(order[i]).insts) {
        const Inst& inst = f.inst(id);
        loc_ = inst.loc;
        if (!is_whole_wave(inst)) end_whole_wave();
        instruction(inst);
        if (inst.op == Op::gcn_p_set_exec) full_exec_ = is_full_exec(f, inst.operands[0]);
      }
      end_whole_wave();
    }
    return std::move(out_);
  }

 private:
  Register reg(ValueId v) const {
    const Value& value = f.value(v);
    if (value.kind == ValueKind::Const) return immediate(static_cast<int32_t>(value.bits));
    if (value.kind == ValueKind::Undef) return immediate(0);
    KC_CHECK(value.location.kind == Location::Register,
             "gcn: a value without a register reaches emission in @{}", f.name);
    uint32_t at = aliases_[v.index].value_or(value.location.index);
    return value.type.elem == Elem::Vgpr ? vreg(at, value.type.regs) : sreg(at, value.type.regs);
  }
  static Register part(Register r, uint32_t i) {
    // An immediate pair is a sign-extended 32-bit one.
    if (r.kind == Register::Immediate)
      return immediate(i == 0        ? static_cast<int32_t>(r.imm)
                       : r.imm >> 32 ? static_cast<int32_t>(r.imm >> 32)
                                     : 0);
    return {r.kind, r.first + i, 1, 0};
  }

  // Half of an operand, which may be a split pair.
  Register half(const Inst& inst, size_t operand, uint32_t i) const {
    ValueId pair = inst.operands[operand];
    if (const auto& halves = split_[pair.index]) return part(reg(i ? halves->second : halves->first), 0);
    return part(reg(pair), i);
  }

  MachineInst& put(Op op, std::vector<Register> results, std::vector<Register> operands) {
    const OpInfo& row = info(op);
    MachineInst inst{.op = op, .results = std::move(results), .operands = std::move(operands), .loc = loc_};
    for (size_t i = 0; i < kMaxAttrs; ++i) inst.attrs[i] = row.attrs[i].fallback;
    out_.back().insts.push_back(std::move(inst));
    return out_.back().insts.back();
  }

  bool is_whole_wave(const Inst& inst) const {
    if (inst.op == Op::gcn_p_lane_const) return true;
    if (inst.op == Op::gcn_copy || inst.op == Op::gcn_reload)
      return f.type(inst.results[0]).elem == Elem::Vgpr;
    return inst.op == Op::gcn_spill && f.type(inst.operands[0]).elem == Elem::Vgpr;
  }
  void begin_whole_wave() {
    if (whole_wave_ || full_exec_) return;
    put(lane_masks(model_).mov, {mask_at(model_, kSavedExec)}, {mask_at(model_, kExec)}).comment =
        "all lanes: values move between registers";
    put(lane_masks(model_).mov, {mask_at(model_, kExec)}, {immediate(-1)});
    whole_wave_ = true;
  }
  void end_whole_wave() {
    if (whole_wave_) put(lane_masks(model_).mov, {mask_at(model_, kExec)}, {mask_at(model_, kSavedExec)});
    whole_wave_ = false;
  }

  void move(Register to, Register from) {
    if (to.kind == from.kind && to.first == from.first) return;
    bool vector = to.kind == Register::Vector;
    if (!vector && to.count == 2 && from.kind == Register::Scalar)
      return void(put(Op::gcn_s_mov_b64, {to}, {from}));
    for (uint32_t i = 0; i < to.count; ++i)
      put(vector ? Op::gcn_v_mov_b32 : Op::gcn_s_mov_b32, {part(to, i)}, {part(from, i)});
  }

  // The sources may already be in the destination pair, in either order.
  void pack(Register to, Register low, Register high) {
    const Register first = part(to, 0), second = part(to, 1);
    if (high.kind != to.kind || high.first != first.first) {
      move(first, low);
      move(second, high);
    } else if (low.kind != to.kind || low.first != second.first) {
      move(second, high);
      move(first, low);
    } else if (to.kind == Register::Vector) {
      put(Op::gcn_v_swap_b32, {first, second}, {first, second});
    } else {
      for (const Register& r : {first, second, first}) put(Op::gcn_s_xor_b32, {r}, {first, second});
    }
  }

  void jump(BlockId to) {
    if (to != next_) put(Op::gcn_s_branch, {}, {}).target = to;
  }

  void instruction(const Inst& inst) {
    auto o = [&](size_t i) { return reg(inst.operands[i]); };
    auto r = [&](size_t i) { return reg(inst.results[i]); };
    switch (inst.op) {
      case Op::gcn_copy:
        if (f.type(inst.results[0]).elem == Elem::Vgpr) begin_whole_wave();
        return move(r(0), o(0));
      case Op::gcn_spill:
      case Op::gcn_reload:
        return slot(inst);
      case Op::gcn_p_undef:
        // A defined content makes every later read of the register defined.
        if (r(0).kind == Register::Scalar && r(0).count == 2)
          return void(put(Op::gcn_s_mov_b64, {r(0)}, {immediate(0)}));
        return move(r(0), {Register::Immediate, 0, 2, 0});
      case Op::gcn_p_lane_const:
        begin_whole_wave();
        for (uint32_t i = 0; i < r(0).count; ++i)
          put(Op::gcn_v_mov_b32, {part(r(0), i)}, {immediate(inst.attrs[i])});
        return;
      case Op::gcn_p_get_exec:
        return void(put(lane_masks(model_).mov, {r(0)}, {mask_at(model_, kExec)}));
      case Op::gcn_p_set_exec: {
        MachineInst& mask = put(lane_masks(model_).mov, {mask_at(model_, kExec)}, {o(0)});
        const Block& block = f.block(inst.block);
        if (f.inst(block.insts.front()).op == Op::gcn_p_set_exec && out_.back().insts.size() == 1)
          mask.comment =
              block.hint.empty() ? "the lanes of this block" : fmt::format("the lanes in '{}'", block.hint);
        return;
      }
      case Op::gcn_p_lo:
        return move(r(0), part(o(0), 0));
      case Op::gcn_p_hi:
        return move(r(0), part(o(0), 1));
      case Op::gcn_p_pack:
        if (split_[inst.results[0].index]) return;
        return pack(r(0), o(0), o(1));
      case Op::gcn_p_pack_pairs:
        for (uint32_t i = 0; i < 4; ++i) move(part(r(0), i), part(o(i / 2), i % 2));
        return;
      case Op::gcn_p_cmp:
        compare(inst);
        return void(put(Op::gcn_s_cselect_b32, {r(0)}, {immediate(1), immediate(0)}));
      case Op::gcn_p_select:
        put(Op::gcn_s_cmp_lg_u32, {}, {o(0), immediate(0)});
        return choose(r(0), o(1), o(2));
      case Op::gcn_p_cmp_select:
        compare(inst);
        return choose(r(0), o(2), o(3));
      case Op::gcn_p_s_add64:
      case Op::gcn_p_s_sub64: {
        bool add = inst.op == Op::gcn_p_s_add64;
        put(add ? Op::gcn_s_add_u32 : Op::gcn_s_sub_u32, {part(r(0), 0)},
            {half(inst, 0, 0), half(inst, 1, 0)});
        return void(put(add ? Op::gcn_s_addc_u32 : Op::gcn_s_subb_u32, {part(r(0), 1)},
                        {half(inst, 0, 1), half(inst, 1, 1)}));
      }
      case Op::gcn_p_s_shl_wide:
        return shift_wide(r(0), o(0), inst.attrs[0]);
      case Op::gcn_p_s_mul_wide:
        put(Op::gcn_s_mul_i32, {part(r(0), 0)}, {o(0), o(1)});
        return void(put(Op::gcn_s_mul_hi_i32, {part(r(0), 1)}, {o(0), o(1)}));
      case Op::gcn_p_v_add64:
      case Op::gcn_p_v_sub64: {
        bool add = inst.op == Op::gcn_p_v_add64;
        Register vcc = mask_at(model_, kVcc);
        put(add ? Op::gcn_v_add_co_u32 : Op::gcn_v_sub_co_u32, {part(r(0), 0), vcc},
            {half(inst, 0, 0), half(inst, 1, 0)});
        // With vcc as a source no other scalar register may be read.
        Register high = half(inst, 0, 1);
        if (high.kind == Register::Scalar)
          put(Op::gcn_v_mov_b32, {part(r(0), 1)}, {high}), high = part(r(0), 1);
        return void(put(add ? Op::gcn_v_addc_co_u32 : Op::gcn_v_subb_co_u32, {part(r(0), 1), vcc},
                        {high, half(inst, 1, 1), vcc}));
      }
      case Op::gcn_p_merge:
        for (uint32_t i = 0; i < r(0).count; ++i)
          put(Op::gcn_v_cndmask_b32, {part(r(0), i)}, {part(o(0), i), part(o(1), i), o(2)});
        return;
      case Op::gcn_p_keep:
        return;
      case Op::gcn_p_scratch_load:
      case Op::gcn_p_scratch_store:
        return scratch(inst);
      case Op::gcn_p_merge_exec:
        return move(r(0), o(1));
      case Op::gcn_p_div_f32:
        return divide32(inst);
      case Op::gcn_p_div_f64:
        return divide64(inst);
      case Op::gcn_p_br:
        return jump(inst.targets[0].block);
      case Op::gcn_p_end:
        return void(put(Op::gcn_s_endpgm, {}, {}));
      case Op::gcn_p_br_cmp: {
        compare(inst);
        BlockId yes = inst.targets[0].block, no = inst.targets[1].block;
        if (yes == next_) {
          put(Op::gcn_s_cbranch_scc0, {}, {}).target = no;
        } else {
          put(Op::gcn_s_cbranch_scc1, {}, {}).target = yes;
          jump(no);
        }
        return;
      }
      default:
        break;
    }
    MachineInst& made = put(inst.op, {}, {});
    for (ValueId v : inst.results) made.results.push_back(reg(v));
    for (ValueId v : inst.operands) made.operands.push_back(reg(v));
    made.attrs = inst.attrs;
  }

  // The half that overwrites the operand's register is written last.
  void shift_wide(Register to, Register from, int64_t by) {
    auto low = [&] { put(Op::gcn_s_lshl_b32, {part(to, 0)}, {from, immediate(by)}); };
    const bool high_last = part(to, 1).overlaps(from);
    if (high_last) low();
    put(Op::gcn_s_ashr_i32, {part(to, 1)}, {from, immediate(32 - by)});
    if (!high_last) low();
  }

  // Selects by scc.
  void choose(Register to, Register yes, Register no) {
    // An instruction holds one literal.
    if (yes.kind == Register::Immediate && no.kind == Register::Immediate && to.count == 1) {
      bool literals = !is_inline_constant(static_cast<uint32_t>(yes.imm)) &&
                      !is_inline_constant(static_cast<uint32_t>(no.imm)) && yes.imm != no.imm;
      if (literals) put(Op::gcn_s_mov_b32, {to}, {no}), no = to;
    }
    put(to.count == 2 ? Op::gcn_s_cselect_b64 : Op::gcn_s_cselect_b32, {to}, {yes, no});
  }

  void compare(const Inst& inst) {
    static constexpr Op rows[] = {Op::gcn_s_cmp_eq_i32, Op::gcn_s_cmp_lg_i32, Op::gcn_s_cmp_lt_i32,
                                  Op::gcn_s_cmp_le_i32, Op::gcn_s_cmp_gt_i32, Op::gcn_s_cmp_ge_i32,
                                  Op::gcn_s_cmp_lt_u32, Op::gcn_s_cmp_le_u32, Op::gcn_s_cmp_gt_u32,
                                  Op::gcn_s_cmp_ge_u32, Op::gcn_s_cmp_eq_u64, Op::gcn_s_cmp_lg_u64};
    put(rows[inst.attrs[0]], {}, {reg(inst.operands[0]), reg(inst.operands[1])});
  }

  // The scalar offset counts bytes of the whole wave; with flat scratch it counts bytes of a lane. scc is
  // never live between pseudo instructions, so the addition may clobber it.
  Register scratch_base(uint32_t far) {
    if (far == 0) return sreg(kScratchOffset);
    if (model_.flat_scratch) {
      put(Op::gcn_s_mov_b32, {sreg(kFarScratch)}, {immediate(far)});
      return sreg(kFarScratch);
    }
    put(Op::gcn_s_add_u32, {sreg(kFarScratch)}, {sreg(kScratchOffset), immediate(far * f.width)});
    return sreg(kFarScratch);
  }

  // A lane offset of 0 is omitted. A constant beyond the range of the immediate goes into the scalar offset.
  void scratch(const Inst& inst) {
    struct ScratchOps {
      Op at_lane, constant;
    };
    static constexpr ScratchOps loads[] = {{Op::gcn_buffer_load_ubyte, Op::gcn_buffer_load_ubyte_off},
                                           {Op::gcn_buffer_load_ushort, Op::gcn_buffer_load_ushort_off},
                                           {Op::gcn_buffer_load_dword, Op::gcn_buffer_load_dword_off}};
    static constexpr ScratchOps stores[] = {{Op::gcn_buffer_store_byte, Op::gcn_buffer_store_byte_off},
                                            {Op::gcn_buffer_store_short, Op::gcn_buffer_store_short_off},
                                            {Op::gcn_buffer_store_dword, Op::gcn_buffer_store_dword_off}};
    bool load = inst.op == Op::gcn_p_scratch_load;
    auto offset = static_cast<uint32_t>(inst.attrs[0]);
    const ScratchOps& rows = (load ? loads : stores)[inst.attrs[1] / 2];
    Register lane = reg(inst.operands[0]), base = scratch_base(offset / kOffsetReach * kOffsetReach);
    std::vector<Register> operands, results;
    if (load)
      results.push_back(reg(inst.results[0]));
    else
      operands.push_back(reg(inst.operands[1]));
    bool has_lane = lane.kind == Register::Vector;
    if (has_lane) operands.push_back(lane);
    operands.push_back(sreg(kScratchDescriptor, 4));
    operands.push_back(base);
    put(has_lane ? rows.at_lane : rows.constant, std::move(results), std::move(operands)).attrs[0] =
        offset % kOffsetReach;
  }

  void slot(const Inst& inst) {
    bool spill = inst.op == Op::gcn_spill;
    Register r = reg(spill ? inst.operands[0] : inst.results[0]);
    auto n = static_cast<size_t>(inst.attrs[0]);
    if (r.kind == Register::Scalar) {
      uint32_t place = scalars_.slot_offset[n] / 4;
      for (uint32_t i = 0; i < r.count; ++i) scalar_slot(part(r, i), place + i, spill);
      return;
    }
    begin_whole_wave();
    uint32_t offset =
        frame_.private_bytes + frame_.scalar_bytes + vectors_.slot_offset[n - scalars_.slot_offset.size()];
    for (uint32_t i = 0; i < r.count; ++i) whole_wave_access(part(r, i), offset + 4 * i, spill);
  }

  // Scalar registers spill to lanes of reserved vector registers. The remaining ones go to scratch, which
  // only vector registers can access.
  void scalar_slot(Register r, uint32_t place, bool spill) {
    if (uint32_t n = place / f.width; n < frame_.spill_registers) {
      Register store = vreg(kSgprSpill + n), lane = immediate(place % f.width);
      if (spill)
        put(Op::gcn_v_writelane_b32, {store}, {r, lane, store});
      else
        put(Op::gcn_v_readlane_b32, {r}, {store, lane});
      return;
    }
    Register through = vreg(kSgprSpill + frame_.spill_registers);
    uint32_t offset = frame_.private_bytes + 4 * (place - frame_.spill_registers * f.width);
    begin_whole_wave();
    if (spill) put(Op::gcn_v_mov_b32, {through}, {r});
    whole_wave_access(through, offset, spill);
    if (!spill) put(Op::gcn_v_readfirstlane_b32, {r}, {through});
  }

  void whole_wave_access(Register r, uint32_t offset, bool store) {
    Register descriptor = sreg(kScratchDescriptor, 4),
             base = scratch_base(offset / kOffsetReach * kOffsetReach);
    MachineInst& access = store ? put(Op::gcn_buffer_store_dword_off, {}, {r, descriptor, base})
                                : put(Op::gcn_buffer_load_dword_off, {r}, {descriptor, base});
    access.attrs[0] = offset % kOffsetReach;
  }

  // Both are the sequences of AMD's compiler, which are correct for the estimates of its machines. An
  // arbitrary estimate within the stated error is not sufficient: if the digits of the divisor are all ones
  // and the estimate is below the reciprocal, the corrections end in a tie.
  void divide32(const Inst& inst) {
    Register n = reg(inst.operands[0]), d = reg(inst.operands[1]), q = reg(inst.results[0]);
    Register sd = reg(inst.results[1]), sn = reg(inst.results[2]), t = reg(inst.results[3]),
             e = reg(inst.results[4]);
    Register vcc = mask_at(model_, kVcc), one = immediate(0x3f800000);
    auto fma = [&](Register to, Register a, Register b, Register c, bool negate) {
      put(Op::gcn_v_fma_f32, {to}, {a, b, c}).attrs[0] = negate ? 1 : 0;
    };
    put(Op::gcn_v_div_scale_f32, {sd, vcc}, {d, d, n});
    put(Op::gcn_v_div_scale_f32, {sn, vcc}, {n, d, n});
    put(Op::gcn_v_rcp_f32, {q}, {sd});
    fma(e, sd, q, one, true);
    fma(q, e, q, q, false);
    put(Op::gcn_v_mul_f32, {t}, {sn, q});
    fma(e, sd, t, sn, true);
    fma(t, e, q, t, false);
    fma(e, sd, t, sn, true);
    put(Op::gcn_v_div_fmas_f32, {q}, {e, q, t});
    put(Op::gcn_v_div_fixup_f32, {q}, {q, d, n});
  }

  void divide64(const Inst& inst) {
    Register n = reg(inst.operands[0]), d = reg(inst.operands[1]), q = reg(inst.results[0]);
    Register sd = reg(inst.results[1]), sn = reg(inst.results[2]), t = reg(inst.results[3]),
             e = reg(inst.results[4]);
    Register vcc = mask_at(model_, kVcc);
    Register one = {Register::Immediate, 0, 2, 0x3f800000};  // the inline constant 1.0
    auto fma = [&](Register to, Register a, Register b, Register c, bool negate) {
      put(Op::gcn_v_fma_f64, {to}, {a, b, c}).attrs[0] = negate ? 1 : 0;
    };
    put(Op::gcn_v_div_scale_f64, {sd, vcc}, {d, d, n});
    put(Op::gcn_v_div_scale_f64, {sn, vcc}, {n, d, n});
    put(Op::gcn_v_rcp_f64, {q}, {sd});
    for (int step = 0; step < 2; ++step) {
      fma(e, sd, q, one, true);
      fma(q, e, q, q, false);
    }
    put(Op::gcn_v_mul_f64, {t}, {sn, q});
    fma(e, sd, t, sn, true);
    put(Op::gcn_v_div_fmas_f64, {q}, {e, q, t});
    put(Op::gcn_v_div_fixup_f64, {q}, {q, d, n});
  }

  const Function& f;
  const Allocation& scalars_;
  const Allocation& vectors_;
  const Frame& frame_;
  const MachineModel& model_;
  std::vector<MachineBlock> out_;
  std::vector<std::optional<uint32_t>> aliases_;
  std::vector<std::optional<std::pair<ValueId, ValueId>>> split_;
  BlockId next_;
  Loc loc_;
  bool whole_wave_ = false, full_exec_ = false;
};

}  // namespace

std::vector<MachineBlock> expand(const Function& allocated, const Allocation& scalars,
                                 const Allocation& vectors, const Frame& frame, const MachineModel& model) {
  return Expander(allocated, scalars, vectors, frame, model).run();
}

}  // namespace kc::gcn
