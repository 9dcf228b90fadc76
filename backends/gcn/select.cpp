// SPDX-License-Identifier: Apache-2.0
#include <algorithm>

#include "backends/gcn/isa/table.h"
#include "backends/gcn/selector.h"
#include "ir/cfg.h"
#include "ir/check.h"

namespace kc::gcn {
namespace {

// Whether the instruction writes memory that scalar loads could read.
bool writes_memory(const Function& w, const Inst& inst) {
  if (stores(inst.op)) return w.type(inst.operands[1]).bits() == 64;
  return inst.op == Op::fence || (info(inst.op).has(kc::Atomic) && w.type(inst.operands[1]).bits() == 64);
}

}  // namespace

void Selector::run() {
  m.name = w.name, m.dialect = Dialect::Gcn, m.is_kernel = w.is_kernel, m.width = w.width;
  m.params = w.params, m.traps = w.traps, m.files = w.files, m.reqd_local = w.reqd_local;
  for (BlockId id : w.layout) blocks_[id.index] = m.add_block(w.block(id).hint);
  for (BlockId id : w.layout) {
    if (id == w.entry()) continue;
    for (ValueId p : w.block(id).params)
      map_[p.index] = m.add_param(blocks_[id.index], machine_type(w.type(p)));
  }
  find_used();
  entry();
  Cfg cfg(w);
  preds_ = cfg.preds;
  find_stores();
  // Definitions are in dominators, which come first.
  for (BlockId id : cfg.rpo) block(id);
  std::vector<BlockId> dead;
  for (BlockId id : w.layout)
    if (!cfg.reachable(id)) dead.push_back(blocks_[id.index]);
  m.erase_blocks(dead);
}

Type Selector::machine_type(Type type) const {
  if (type.is_mask() || (type.lane && type.elem == Elem::I1)) return masks_.type;
  unsigned regs = type.bits() == 64 ? 2 : 1;
  return type.lane ? vgpr(regs) : sgpr(regs);
}

void Selector::entry() {
  BlockId e = blocks_[w.entry().index];
  b.block = e;
  auto fixed = [&](Type type, uint32_t reg) {
    ValueId v = m.add_param(e, type);
    m.value(v).location = {Location::Register, reg};
    return v;
  };
  const uint32_t lower = model_.flat_scratch ? uint32_t{kDescriptorSize} : 0;
  kernarg_ = fixed(sgpr(2), kKernargPtr - lower);
  dispatch_ = fixed(sgpr(2), kDispatchPtr - lower);
  for (uint32_t d = 0; d < 3; ++d) group_[d] = fixed(sgpr(), kGroupId + d - lower);
  if (model_.packed_ids) {
    constexpr int64_t kIdBits = 10;
    ValueId ids = fixed(vgpr(), kLocalId);
    m.params.resize(6);
    local_[0] = make(Op::gcn_v_and_b32, vgpr(), {imm((1 << kIdBits) - 1), ids});
    for (int64_t d : {1, 2})
      local_[d] = make(Op::gcn_v_bfe_u32, vgpr(), {ids, imm(kIdBits * d), imm(kIdBits)});
  } else {
    for (uint32_t d = 0; d < 3; ++d) local_[d] = fixed(vgpr(), kLocalId + d);
    m.params.resize(8);
  }
  load_parameters();
}

// Blocks with a store on some path to them. A fence or an atomic operation may make stores of others visible.
void Selector::find_stores() {
  written_before_.assign(w.block_count(), false);
  std::vector<BlockId> work;
  auto passes_on = [&](BlockId id) {
    for (const Target& t : w.successors(id))
      if (!written_before_[t.block.index]) written_before_[t.block.index] = true, work.push_back(t.block);
  };
  for (BlockId id : w.layout)
    if (std::ranges::any_of(w.block(id).insts, [&](InstId i) { return writes_memory(w, w.inst(i)); }))
      passes_on(id);
  while (!work.empty()) {
    BlockId id = work.back();
    work.pop_back();
    passes_on(id);
  }
}

void Selector::find_used() {
  used_.assign(w.value_count(), false);
  for (BlockId id : w.layout) {
    if (w.block(id).mask) used_[w.block(id).mask.index] = true;
    for (InstId i : w.block(id).insts) {
      for (ValueId v : w.inst(i).operands) used_[v.index] = true;
      for (const Target& t : w.inst(i).targets)
        for (ValueId v : t.args) used_[v.index] = true;
    }
  }
}

void Selector::load_parameters() {
  KernargLayout layout = kernarg_layout(w);
  const auto& params = w.block(w.entry()).params;
  for (size_t i = 0; i < params.size(); ++i) {
    Type type = w.type(params[i]);
    if (!used_[params[i].index]) continue;
    if (type.is_mask()) {
      map_[params[i].index] = make(Op::gcn_p_get_exec, masks_.type, {});
      continue;
    }
    if (layout.offsets[i] == KernargLayout::kInObject) {
      map_[params[i].index] = make(Op::gcn_s_getpc_b64, sgpr(2), {});
      continue;
    }
    Op op = type.bits() == 64 ? Op::gcn_s_load_dwordx2 : Op::gcn_s_load_dword;
    // Scalar loads read aligned words; small scalars share one with others, or with undefined bits.
    uint32_t at = layout.offsets[i], shift = at % 4 * 8;
    ValueId v = make(op, sgpr(type.bits() == 64 ? 2 : 1), {kernarg_, imm(at & ~3u)});
    if (shift) v = make(Op::gcn_s_lshr_b32, sgpr(), {v, imm(shift)});
    map_[params[i].index] =
        type.bits() < 32 ? make(Op::gcn_s_and_b32, sgpr(), {v, imm((int64_t{1} << type.bits()) - 1)}) : v;
  }
}

void Selector::set_exec(ValueId mask) {
  b.emit(Op::gcn_p_set_exec, {mask});
  ++exec_;
}

// A block ends with exec equal to its own mask; a launch starts with the mask of the existing lanes.
bool Selector::arrives_with_mask(BlockId id) const {
  ValueId mask = w.block(id).mask;
  if (id == w.entry()) return w.value(mask).kind == ValueKind::Param && preds_[id.index].empty();
  return std::all_of(preds_[id.index].begin(), preds_[id.index].end(),
                     [&](BlockId from) { return w.block(from).mask == mask; });
}

void Selector::block(BlockId id) {
  b.block = blocks_[id.index];
  ++exec_;
  written_ = written_before_[id.index];
  const Block& block = w.block(id);
  wave_mask_ = block.mask;
  InstId mask_def = wave_mask_ ? w.def(wave_mask_) : InstId();
  bool defined_here = mask_def && w.inst(mask_def).block == id;
  exec_is_mask_ = wave_mask_ && !defined_here;
  if (wave_mask_ && !defined_here && !arrives_with_mask(id)) set_exec(reg(wave_mask_));
  for (InstId i : block.insts) {
    const Inst& inst = w.inst(i);
    b.loc = inst.loc;
    instruction(inst);
    written_ |= writes_memory(w, inst);
    if (defined_here && i == mask_def) set_exec(reg(wave_mask_)), exec_is_mask_ = true;
  }
}

void Selector::instruction(const Inst& inst) {
  const OpInfo& row = info(inst.op);
  if (row.has(Terminator)) return terminator(inst);
  switch (inst.op) {
    case Op::blend:
    case Op::mask_and:
    case Op::mask_or:
    case Op::mask_andnot:
    case Op::mask_cond:
    case Op::mask_if:
    case Op::any:
    case Op::first_lane:
    case Op::splat:
      return mask_instruction(inst);
    case Op::mask_bits:
      map_[inst.results[0].index] = reg(inst.operands[0]);
      return;
    case Op::lane_shuffle:
      return shuffle(inst);
    case Op::lane_load:
    case Op::lane_store:
    case Op::lane_volatile_load:
    case Op::lane_volatile_store:
    case Op::uniform_load:
      return memory(inst);
    case Op::lane_barrier:
      return barrier(inst);
    case Op::fence:
      return fence(inst.attrs[0]);
    default:
      break;
  }
  if (row.has(kc::Atomic)) return atomic(inst);
  Type type = w.type(inst.results[0]);
  map_[inst.results[0].index] = arithmetic(inst, type);
  if (type == kI1.lanes()) note_zero_off(map_[inst.results[0].index]);
  if (type == kI64.lanes()) note_parts(inst);
}

// Comparisons give 0 in inactive lanes, and so do conjunctions and disjunctions of such results.
void Selector::note_zero_off(ValueId condition) {
  InstId def = m.def(condition);
  if (!def || !exec_is_mask_) return;
  const Inst& made = m.inst(def);
  auto off = [&](size_t i) {
    auto it = zero_off_.find(made.operands[i].index);
    return it != zero_off_.end() && it->second == wave_mask_;
  };
  bool zero = made.op == masks_.and_  ? off(0) || off(1)
              : made.op == masks_.or_ ? off(0) && off(1)
                                      : info(made.op).machine.form == Vopc && made.block == b.block;
  if (zero) zero_off_.try_emplace(condition.index, wave_mask_);
}

void Selector::mask_instruction(const Inst& inst) {
  ValueId& result = map_[inst.results[0].index];
  auto mask2 = [&](Op op) { result = make(op, masks_.type, {reg(inst.operands[0]), reg(inst.operands[1])}); };
  Type type = w.type(inst.results[0]);
  switch (inst.op) {
    case Op::mask_and:
    case Op::mask_cond:
      if (auto it = zero_off_.find(reg(inst.operands[1]).index);
          it != zero_off_.end() && it->second == inst.operands[0]) {
        result = reg(inst.operands[1]);
        return;
      }
      return mask2(masks_.and_);
    case Op::mask_or:
      return mask2(masks_.or_);
    case Op::mask_andnot: {
      // M & ~(M & c) is M & ~c.
      InstId taken = w.def(inst.operands[1]);
      bool part = taken && (w.inst(taken).op == Op::mask_cond || w.inst(taken).op == Op::mask_and) &&
                  w.inst(taken).operands[0] == inst.operands[0];
      ValueId away = part ? w.inst(taken).operands[1] : inst.operands[1];
      result = make(masks_.andn2, masks_.type, {reg(inst.operands[0]), reg(away)});
      return;
    }
    case Op::mask_if:
      result = select_scalar(inst.operands[1], masks_.type, reg(inst.operands[0]), imm(0));
      return;
    case Op::any:
      result = make(Op::gcn_p_cmp, sgpr(), {reg(inst.operands[0]), imm(0)}, {LgU64});
      return;
    case Op::splat:
      result = type.elem == Elem::I1 ? condition_bits(inst.operands[0]) : vector(inst.operands[0]);
      if (auto it = addresses_.find(inst.operands[0].index); it != addresses_.end())
        addresses_[inst.results[0].index] = it->second;
      else if (type.is_pointer())
        addresses_[inst.results[0].index] = {.base = reg(inst.operands[0]), .offset = {}};
      return;
    case Op::first_lane:
      under(inst.operands[0], [&] {
        ValueId v = type.elem == Elem::I1 ? lane_bits(inst.operands[1], Elem::I1) : vector(inst.operands[1]);
        result = first(v, machine_type(type));
      });
      return;
    case Op::blend:
      break;
    default:
      KC_CHECK(false, "gcn: unexpected mask instruction '{}'", info(inst.op).name);
  }
  if (type.elem == Elem::I1) {
    result = merge_bits(reg(inst.operands[0]), inst.operands[1], inst.operands[2]);
    return;
  }
  // An undefined value is 0 in active lanes and arbitrary in others.
  ValueId fresh_scalar;
  ValueId fresh = vector(inst.operands[1]);
  if (w.value(inst.operands[2]).kind == ValueKind::Undef) {
    bool all = inst.operands[0] == wave_mask_;
    result = all ? fresh : choose(reg(inst.operands[0]), fresh, imm(0));
    return;
  }
  ValueId old = all_lanes(inst.operands[2]);
  // A uniform number can be moved directly into the active lanes.
  if (InstId splat = w.def(inst.operands[1]); splat && w.inst(splat).op == Op::splat)
    if (ValueId uniform = reg(w.inst(splat).operands[0]); is_scalar_reg(uniform)) fresh_scalar = uniform;
  if (inst.operands[0] == wave_mask_ && fresh_scalar)
    result = make(Op::gcn_p_merge_exec, machine_type(type), {old, fresh_scalar});
  else if (inst.operands[0] == wave_mask_)
    result = make(Op::gcn_p_merge_exec, machine_type(type), {old, fresh});
  else
    result = make(Op::gcn_p_merge, machine_type(type), {old, fresh, reg(inst.operands[0])});
}

// --- control flow

Target Selector::edge(const Target& t) {
  Target out{blocks_[t.block.index], {}};
  for (ValueId v : t.args) {
    ValueId value = w.type(v).lane && w.type(v).elem != Elem::I1 ? all_lanes(v) : reg(v);
    out.args.push_back(value);
  }
  return out;
}

void Selector::terminator(const Inst& inst) {
  switch (inst.op) {
    case Op::ret:
      b.emit(Op::gcn_p_end, {});
      return;
    case Op::br: {
      Target t = edge(inst.targets[0]);
      m.inst(b.emit(Op::gcn_p_br, {})).targets.push_back(std::move(t));
      return;
    }
    case Op::br_if: {
      TargetList targets{edge(inst.targets[0]), edge(inst.targets[1])};
      // A comparison in the same block needs no register for its result.
      ValueId condition = reg(inst.operands[0]);
      ValueList compared{condition, imm(0)};
      int64_t cc = LgI32;
      if (InstId def = m.def(condition);
          def && m.inst(def).op == Op::gcn_p_cmp && m.inst(def).block == b.block)
        compared = m.inst(def).operands, cc = m.inst(def).attrs[0];
      InstId made = b.emit(Op::gcn_p_br_cmp, compared, {}, {cc});
      m.inst(made).targets = std::move(targets);
      return;
    }
    case Op::switch_:
      return switch_terminator(inst);
    default:
      KC_CHECK(false, "gcn: unexpected terminator '{}'", info(inst.op).name);
  }
}

// Lowers to a chain of comparisons: scalar branches are cheap and cases are few.
void Selector::switch_terminator(const Inst& inst) {
  Type type = w.type(inst.operands[0]);
  ValueId value = reg(inst.operands[0]);
  for (size_t i = 1; i < inst.operands.size(); ++i) {
    Target yes = edge(inst.targets[i]);
    ValueId bits = type.bits() == 64 ? reg(inst.operands[i]) : scalar(inst.operands[i]);
    BlockId next = m.add_block("case");
    InstId made = b.emit(Op::gcn_p_br_cmp, {value, bits}, {}, {type.bits() == 64 ? EqU64 : EqI32});
    m.inst(made).targets = {std::move(yes), {next, {}}};
    b.block = next;
  }
  Target otherwise = edge(inst.targets[0]);
  m.inst(b.emit(Op::gcn_p_br, {})).targets.push_back(std::move(otherwise));
}

// --- operands

bool is_inline_constant(uint32_t bits) {
  auto i = static_cast<int32_t>(bits);
  if (i >= -16 && i <= 64) return true;
  switch (bits & 0x7fffffffu) {
    case 0x3f000000u:
    case 0x3f800000u:
    case 0x40000000u:
    case 0x40800000u:
      return true;
    default:
      return false;
  }
}

bool Selector::is_inline_constant(ValueId v) const {
  return m.is_const(v) && gcn::is_inline_constant(static_cast<uint32_t>(m.value(v).bits));
}

ValueId Selector::move_scalar(uint64_t bits, unsigned regs) {
  if (regs == 1) return make(Op::gcn_s_mov_b32, sgpr(), {imm(static_cast<int64_t>(bits))});
  auto value = static_cast<int64_t>(bits);
  if (value >= -16 && value <= 64) return make(Op::gcn_s_mov_b64, sgpr(2), {imm(value)});
  return pack(imm(static_cast<int64_t>(bits & 0xffffffffu)), imm(static_cast<int64_t>(bits >> 32)), false);
}

// Literals that an encoding cannot hold are loaded once, in the entry block; place_literals rematerialises
// those beyond the register budget.
ValueId Selector::literal(uint64_t bits) {
  if (auto it = literals_.find(bits); it != literals_.end()) return it->second;
  ValueId value = imm(static_cast<int64_t>(bits));
  BlockId entry = blocks_[w.entry().index];
  const Type type = sgpr();
  InstId move = m.create(Op::gcn_s_mov_b32, {value}, {&type, 1}, b.loc);
  m.insert(entry, 0, move);
  return literals_[bits] = m.result(move);
}

ValueId Selector::reg(ValueId v) {
  const Value& value = w.value(v);
  Type type = machine_type(value.type);
  if (value.kind == ValueKind::Undef) return make(Op::gcn_p_undef, type, {});
  if (value.kind != ValueKind::Const) {
    KC_CHECK(map_[v.index].valid(), "gcn: operand without a definition in @{}", w.name);
    return map_[v.index];
  }
  if (value.type.is_mask() || (value.type.lane && value.type.elem == Elem::I1))
    return move_scalar(value.bits ? (value.type.is_mask() ? value.bits : ~uint64_t{0}) : 0, masks_.type.regs);
  if (type.elem == Elem::Vgpr) return vector(v);
  return move_scalar(value.bits, type.regs);
}

ValueId Selector::scalar(ValueId v) {
  const Value& value = w.value(v);
  if (value.kind == ValueKind::Const) return imm(static_cast<int64_t>(value.bits));
  if (value.kind == ValueKind::Undef) return imm(0);
  return reg(v);
}

ValueId Selector::to_vector(ValueId v) {
  if (!m.is_inline(v) && is_vector(v)) return v;
  if (auto it = broadcasts_.find(v.index); it != broadcasts_.end() && it->second.exec == exec_)
    return it->second.vector;
  if (m.is_inline(v) || m.type(v).regs == 1) return make(Op::gcn_v_mov_b32, vgpr(), {v});
  return pack(lo(v), hi(v), true);
}

ValueId Selector::vector(ValueId v) {
  const Value& value = w.value(v);
  Type type = machine_type(value.type.lanes());
  if (value.kind == ValueKind::Undef) return make(Op::gcn_p_undef, type, {});
  if (value.kind != ValueKind::Const) return to_vector(reg(v));
  if (type.regs == 1) return to_vector(imm(static_cast<int64_t>(value.bits)));
  return constant64(value.bits);
}

ValueId Selector::all_lanes(ValueId v) {
  const Value& value = w.value(v);
  if (value.kind != ValueKind::Const) return vector(v);
  return make(Op::gcn_p_lane_const, machine_type(value.type.lanes()), {},
              {static_cast<int32_t>(value.bits), static_cast<int32_t>(value.bits >> 32)});
}

ValueId Selector::source(ValueId v) {
  const Value& value = w.value(v);
  KC_CHECK(value.type.bits() <= 32, "gcn: 64-bit operand where 32 bits are expected");
  return value.kind == ValueKind::Result || value.kind == ValueKind::Param ? reg(v) : scalar(v);
}

ValueId Selector::lo(ValueId v) { return half(v, false); }
ValueId Selector::hi(ValueId v) { return half(v, true); }

ValueId Selector::half(ValueId v, bool high) {
  if (m.is_const(v)) {
    uint64_t bits = m.value(v).bits;
    return imm(static_cast<int64_t>(high ? bits >> 32 : bits & 0xffffffffu));
  }
  if (InstId def = m.def(v); def && m.inst(def).op == Op::gcn_p_pack) {
    ValueId part = m.inst(def).operands[high];
    if (!m.is_inline(part) && is_vector(part) == is_vector(v)) return part;
  }
  return make(high ? Op::gcn_p_hi : Op::gcn_p_lo, is_vector(v) ? vgpr() : sgpr(), {v});
}
ValueId Selector::pack(ValueId low, ValueId high, bool in_vector) {
  return make(Op::gcn_p_pack, in_vector ? vgpr(2) : sgpr(2), {low, high});
}

ValueId Selector::vop2(Op op, ValueId x, ValueId y, bool commutes, Type type) {
  if (commutes && (m.is_inline(y) || !is_vector(y))) std::swap(x, y);
  return make(op, type, {x, to_vector(y)});
}

ValueId Selector::vop3(Op op, Type type, std::vector<ValueId> operands,
                       std::initializer_list<int64_t> attrs) {
  ValueId bus;  // the one scalar register that may be read; registers already in scalar form take precedence
  for (ValueId v : operands)
    if (is_scalar_reg(v) && !bus) bus = v;
  for (ValueId& v : operands) {
    if (m.is_inline(v) ? is_inline_constant(v) || m.is_undef(v) : is_vector(v)) continue;
    if (bus && bus != v)
      v = to_vector(v);
    else
      bus = v = m.is_inline(v) ? literal(m.value(v).bits) : v;
  }
  return make(op, type, std::move(operands), attrs);
}

ValueId Selector::constant64(uint64_t bits) {
  return pack(imm(static_cast<int64_t>(bits & 0xffffffffu)), imm(static_cast<int64_t>(bits >> 32)), true);
}

ValueId Selector::choose(ValueId mask, ValueId yes, ValueId no) {
  // The mask is the one scalar register that may be read.
  auto one = [&](ValueId y, ValueId n) {
    if (!is_inline_constant(y)) y = to_vector(y);
    if (!is_inline_constant(n)) n = to_vector(n);
    return make(Op::gcn_v_cndmask_b32, vgpr(), {n, y, mask});
  };
  if (m.type(yes).regs == 1) return one(yes, no);
  auto part = [&](ValueId v, bool high) {
    InstId def = m.def(v);
    bool constant = def && m.inst(def).op == Op::gcn_p_pack && m.is_const(m.inst(def).operands[high]);
    return constant ? m.inst(def).operands[high] : half(v, high);
  };
  ValueId low = one(part(yes, false), part(no, false));
  return pack(low, one(part(yes, true), part(no, true)), true);
}

// The VOP3 encoding, since the result goes to any pair of scalar registers.
ValueId Selector::vcmp(Op op, ValueId x, ValueId y) { return vop3(op, masks_.type, {x, y}); }

ValueId Selector::first(ValueId v, Type uniform) {
  if (uniform.regs == 1) return make(Op::gcn_v_readfirstlane_b32, sgpr(), {v});
  ValueId low = make(Op::gcn_v_readfirstlane_b32, sgpr(), {lo(v)});
  ValueId high = make(Op::gcn_v_readfirstlane_b32, sgpr(), {hi(v)});
  return pack(low, high, false);
}

ValueId Selector::shared_by_lanes(ValueId v, Type uniform) {
  ValueId result = first(v, uniform);
  broadcasts_[result.index] = {v, exec_};
  if (uniform.regs == 1) same_in_lanes_.insert(v.index);
  return result;
}

}  // namespace kc::gcn
