// SPDX-License-Identifier: Apache-2.0
#include "sim/interpreter/wave_program.h"

#include <fmt/format.h>

#include "ir/verify.h"

namespace kc::wave {
namespace {

WaveCategory category_of(const Inst& inst, bool lane) {
  switch (inst.op) {
    case Op::blend:
      return WaveCategory::Merge;
    case Op::mask_and:
    case Op::mask_or:
    case Op::mask_andnot:
    case Op::mask_cond:
    case Op::mask_if:
    case Op::mask_bits:
    case Op::any:
      return WaveCategory::Mask;
    case Op::var_get:
    case Op::var_set:
      return WaveCategory::Move;
    case Op::uniform_load:
    case Op::uniform_volatile_load:
    case Op::uniform_store:
    case Op::uniform_volatile_store:
      return WaveCategory::UniformAccess;
    case Op::lane_load:
    case Op::lane_volatile_load:
      return WaveCategory::LaneLoad;
    case Op::lane_store:
    case Op::lane_volatile_store:
      return WaveCategory::LaneStore;
    default:
      if (info(inst.op).has(Terminator)) return WaveCategory::Control;
      if (info(inst.op).has(Atomic)) return lane ? WaveCategory::LaneStore : WaveCategory::UniformAccess;
      return lane ? WaveCategory::Lane : WaveCategory::Uniform;
  }
}

}  // namespace

Program::Program(const Function& function) : f(&function), width(function.width) {
  if (f->dialect != Dialect::Wave) {
    error = fmt::format("@{} is a {} function: the wave interpreter takes wave functions", f->name,
                        to_string(f->dialect));
    return;
  }
  if (auto errors = verify(*f); !errors.empty()) {
    error = render(*f, errors);
    return;
  }
  const auto& params = f->block(f->entry()).params;
  if (width == 0 || width > kMaxWidth)
    error = fmt::format("@{}: the width of a wave is from 1 to {}, not {}", f->name, kMaxWidth, width);
  else if (params.empty() || !f->type(params.back()).is_mask())
    error = fmt::format("@{}: the last parameter must be the mask of the wave's lanes", f->name);
  if (!error.empty()) return;
  private_memory = lay_out_objects(*f, kPtrPrivate);
  local_memory = lay_out_objects(*f, kPtrLocal);
  full = width == 64 ? kAll : (Lanes{1} << width) - 1;
  for (size_t i = 0; i < f->value_count(); ++i) values.push_back(place(f->type(ValueId(i))));
  for (const Var& v : f->vars) vars.push_back(place(v.type));
  blocks.resize(f->block_count());
  read.assign(flags, 0);
  for (BlockId b : f->layout) decode(b);
}

void Program::decode(BlockId b) {
  BlockCode& block = blocks[b.index];
  block.pc = static_cast<uint32_t>(code.size());
  ValueId mask = f->block(b).mask;
  InstId defines_mask;
  if (mask.valid()) {
    block.has_mask = true;
    block.mask = values[mask.index];
    InstId def = f->def(mask);
    if (def.valid() && f->inst(def).block == b) defines_mask = def;
  }
  bool known = block.has_mask && !defines_mask.valid();
  for (InstId i : f->block(b).insts) {
    Code c;
    c.inst = i;
    c.mask_known = known;
    decode(c, f->inst(i));
    code.push_back(std::move(c));
    if (i == defines_mask) known = true;
  }
}

bool Program::supported(const Code& c, const Inst& inst) const {
  switch (inst.op) {
    case Op::ptr_add:
    case Op::var_get:
    case Op::var_set:
    case Op::lane_id:
    case Op::splat:
    case Op::global_id:
    case Op::local_id:
    case Op::group_id:
    case Op::global_size:
    case Op::local_size:
    case Op::num_groups:
    case Op::global_offset:
    case Op::work_dim:
    case Op::fence:
    case Op::lane_barrier:
    case Op::first_lane:
    case Op::lane_shuffle:
    case Op::br:
    case Op::br_if:
    case Op::switch_:
    case Op::ret:
      return true;
    default:
      return c.eval || c.category == WaveCategory::Mask || c.category == WaveCategory::Merge ||
             c.category == WaveCategory::UniformAccess || c.category == WaveCategory::LaneLoad ||
             c.category == WaveCategory::LaneStore;
  }
}

void Program::decode(Code& c, const Inst& inst) {
  const OpInfo& row = info(inst.op);
  c.op = inst.op;
  c.needs_non_empty = row.has(NeedsNonEmpty);
  bool lane = false;
  for (size_t i = 0; i < inst.operands.size(); ++i) {
    const Ref& r = values[inst.operands[i].index];
    lane |= r.lane;
    if (inst.op == Op::switch_ && i > 0)
      c.cases.push_back(r);
    else if (i < c.in.size())
      c.in[i] = r;
  }
  if (!inst.results.empty()) {
    c.out = values[inst.results[0].index];
    c.bits = static_cast<uint8_t>(f->type(inst.results[0]).bits());
    lane |= c.out.lane;
  }
  c.category = category_of(inst, lane);
  if (inst.op == Op::var_get) c.in[0] = vars[static_cast<size_t>(inst.attrs[0])];
  if (inst.op == Op::var_set) c.out = vars[static_cast<size_t>(inst.attrs[0])];
  for (ValueId v : inst.operands)
    if (f->type(v).is_pointer() && c.space == Elem::Void) c.space = f->type(v).elem;
  if (stores(inst.op)) c.bits = static_cast<uint8_t>(f->type(inst.operands[2]).bits());
  if (uniform_stores(inst.op)) c.bits = static_cast<uint8_t>(f->type(inst.operands[1]).bits());
  if (inst.op == Op::ptr_add) {
    c.scale = inst.attrs[0], c.offset = inst.attrs[1];
    c.index64 = f->type(inst.operands[1]).bits() == 64;
    c.pointer64 = f->type(inst.operands[0]).bits() == 64;
  } else if (row.attr_count() > 0 && row.attrs[0].name == "dim") {
    c.offset = inst.attrs[0];
  }
  size_t data = inst.op == Op::select ? 1 : 0;
  if (row.has(Atomic))
    c.eval = row.eval(f->type(inst.results[0]).elem, f->type(inst.results[0]).elem);
  else if (row.eval && inst.operands.size() > data && inst.operands.size() <= 3)
    c.eval = row.eval(f->type(inst.operands[data]).elem, f->type(inst.results[0]).elem);
  c.edge = static_cast<uint32_t>(edges.size());
  for (const Target& t : inst.targets) {
    Edge e{.block = t.block, .first_copy = static_cast<uint32_t>(copies.size())};
    const auto& params = f->block(t.block).params;
    for (size_t i = 0; i < params.size(); ++i)
      if (params[i] != t.args[i]) copies.push_back({values[params[i].index], values[t.args[i].index]});
    e.copies = static_cast<uint32_t>(copies.size()) - e.first_copy;
    // From the last copy to the first: `read` marks the values that later copies read.
    auto mark = static_cast<uint32_t>(edges.size() + 1);
    for (size_t i = copies.size(); i-- > e.first_copy;) {
      e.clash |= read[copies[i].to.poison] == mark;
      read[copies[i].from.poison] = mark;
    }
    edges.push_back(e);
  }
  if (!supported(c, inst)) error = fmt::format("the wave interpreter cannot run {}", describe(*f, c.inst));
}

}  // namespace kc::wave
