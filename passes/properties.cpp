// SPDX-License-Identifier: Apache-2.0
// The properties of functions between passes: each is found by looking, and shares no code with the passes
// that give it.
#include <fmt/format.h>

#include "ir/text.h"
#include "passes/lower/lower_sub_groups.h"
#include "passes/pipeline.h"
#include "passes/restructure/reconverge.h"
#include "passes/restructure/structurize.h"

namespace kc {
namespace {

std::string check_dialect(const PassState& state, Dialect dialect) {
  return state.f->dialect == dialect
             ? ""
             : fmt::format("the function is in the {} dialect", to_string(state.f->dialect));
}
std::string check_thread(const PassState& state) { return check_dialect(state, Dialect::Thread); }
std::string check_wave(const PassState& state) { return check_dialect(state, Dialect::Wave); }
std::string check_ssa(const PassState& state) {
  const Function& f = *state.f;
  return f.vars.empty() ? "" : fmt::format("variable {} is left", f.vars[0].name);
}
std::string check_no_traps(const PassState& state) {
  const Function& f = *state.f;
  for (BlockId b : f.layout)
    if (f.inst(f.terminator(b)).op == Op::trap) return print(f, f.terminator(b));
  return "";
}
std::string check_expanded(const PassState& state) {
  const Function& f = *state.f;
  for (BlockId b : f.layout)
    for (InstId i : f.block(b).insts)
      if (info(f.inst(i).op).expand) return print(f, i);
  return "";
}
std::string check_no_sub_groups(const PassState& state) {
  const Function& f = *state.f;
  for (BlockId b : f.layout)
    for (InstId i : f.block(b).insts)
      if (is_sub_group_row(f.inst(i).op)) return print(f, i);
  return "";
}
std::string check_no_objects(const PassState& state) {
  const Function& f = *state.f;
  for (BlockId b : f.layout)
    for (InstId i : f.block(b).insts) {
      const Inst& inst = f.inst(i);
      if (inst.op == Op::object_address && f.type(inst.results[0]) != kPtrPrivate) return print(f, i);
    }
  return "";
}
std::string check_private_lowered(const PassState& state) {
  const Function& f = *state.f;
  const bool in_words = state.wave.private_units == PrivateUnits::Words;
  for (BlockId b : f.layout)
    for (InstId i : f.block(b).insts) {
      const Inst& inst = f.inst(i);
      const bool load = inst.op == Op::load, store = inst.op == Op::store;
      const bool part = in_words && (load || store) && f.type(inst.operands[0]) == kPtrPrivate &&
                        f.type(load ? inst.results[0] : inst.operands[1]) != kI32;
      if (part || (inst.op == Op::object_address && f.type(inst.results[0]) == kPtrPrivate))
        return print(f, i);
    }
  return "";
}
std::string check_reconverges(const PassState& state) {
  auto errors = check_reconverging(*state.f, analyse_uniformity(*state.f, state.wave.uniformity));
  return errors.empty() ? "" : errors[0];
}

std::string check_structure(const PassState& state) { return check_structured(*state.f); }

constexpr PropertyRow kProperties[] = {
    {ThreadForm, "ThreadForm", 0, check_thread},
    {WaveForm, "WaveForm", 0, check_wave},
    {Ssa, "Ssa", 0, check_ssa},
    {NoTraps, "NoTraps", 0, check_no_traps},
    {Expanded, "Expanded", 0, check_expanded},
    {NoObjects, "NoObjects", 0, check_no_objects},
    {NoSubGroups, "NoSubGroups", 0, check_no_sub_groups},
    {PrivateLowered, "PrivateLowered", 0, check_private_lowered},
    {Reconverging, "Reconverging", ThreadForm | Ssa | NoTraps, check_reconverges},
    {Structured, "Structured", ThreadForm, check_structure},
};

}  // namespace

std::span<const PropertyRow> property_table() { return kProperties; }

std::string property_names(uint32_t set) {
  std::string s;
  for (const PropertyRow& row : kProperties)
    if (set & row.bit) s += fmt::format("{}{}", s.empty() ? "" : ", ", row.name);
  return s;
}

uint32_t properties_of(const PassState& state, uint32_t among) {
  for (const PropertyRow& row : kProperties)
    if (among & row.bit) among |= row.within;
  uint32_t set = 0;
  for (const PropertyRow& row : kProperties)
    if ((among & row.bit) && !(row.within & ~set) && row.check(state).empty()) set |= row.bit;
  return set;
}

std::string why_missing(const PassState& state, uint32_t missing) {
  for (const PropertyRow& row : kProperties) {
    if (!(missing & row.bit)) continue;
    const uint32_t without = row.within & ~properties_of(state, row.within);
    if (std::string why = without ? why_missing(state, without) : row.check(state); !why.empty()) return why;
  }
  return {};
}

}  // namespace kc
