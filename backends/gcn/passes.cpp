// SPDX-License-Identifier: Apache-2.0
#include "backends/gcn/passes.h"

#include <fmt/format.h>

#include <algorithm>
#include <optional>

#include "backends/gcn/object.h"
#include "backends/gcn/rewrites.h"
#include "backends/gcn/selector.h"
#include "backends/regalloc/explain.h"
#include "ir/check.h"
#include "ir/launch.h"
#include "ir/text.h"
#include "ir/verify.h"
#include "passes/transform/dce.h"

namespace kc::gcn {
namespace {

RegTarget scalar_target() {
  RegTarget t;
  t.dialect = Dialect::Gcn;
  RegClass c{.name = "sgpr", .elem = Elem::Sgpr, .order = {}, .slot_bytes = 4};
  for (uint32_t r = kFirstSgpr; r < kSgprCount; ++r) c.order.push_back(r);
  t.classes.push_back(std::move(c));
  t.tuple_alignment = [](Type type) {
    return type.elem == Elem::Sgpr ? std::min<uint32_t>(type.regs, 4) : 1u;
  };
  t.contiguous_groups = [](const Function& f) { return contiguity_hints(f, Elem::Sgpr); };
  t.copy = Op::gcn_copy, t.spill = Op::gcn_spill, t.reload = Op::gcn_reload, t.jump = Op::gcn_p_br;
  return t;
}

RegTarget vector_target(const MachineModel& model, uint32_t first_slot, uint32_t first_register,
                        uint32_t limit) {
  RegTarget t = scalar_target();
  if (model.even_tuples) t.tuple_alignment = [](Type type) { return type.regs > 1 ? 2u : 1u; };
  t.contiguous_groups = [](const Function& f) { return contiguity_hints(f, Elem::Vgpr); };
  RegClass c{.name = "vgpr", .elem = Elem::Vgpr, .order = {}, .slot_bytes = 4};
  for (uint32_t r = first_register; r < limit; ++r) c.order.push_back(r);
  t.classes = {std::move(c)};
  t.first_slot = first_slot;
  return t;
}

uint32_t highest(const Allocation& a, uint32_t reserved) {
  uint32_t n = reserved;
  for (uint32_t r = 0; r < a.used[0].size(); ++r)
    if (a.used[0][r]) n = std::max(n, r + 1);
  return n;
}

std::expected<Allocation, std::string> allocate(Function& f, const RegTarget& target) {
  std::optional<Function> before;
  if (internal_checks()) before = f;
  auto allocation = allocate_registers(f, target);
  if (before && allocation) {
    auto errors = check_allocation(*before, f, target);
    KC_CHECK(errors.empty(), "register allocation of @{}: {}\n{}", f.name, errors.front(), print(f));
  }
  return allocation;
}

// More than an eighth of the vector registers for scalars would leave too few for the kernel's own values.
Frame frame_of(const Function& wave, const Allocation& scalars, uint32_t limit) {
  uint32_t registers = (scalars.frame_bytes / 4 + wave.width - 1) / wave.width;
  Frame frame{.spill_registers = std::min(registers, limit / 8),
              .private_bytes = static_cast<uint32_t>(lay_out_objects(wave, kPtrPrivate).size)};
  uint32_t held = frame.spill_registers * wave.width * 4;
  frame.scalar_bytes = std::max(scalars.frame_bytes, held) - held;
  return frame;
}

// --- the rows

template <void (*Pass)(Function&)>
std::string on_function(GcnState& s) {
  Pass(s.f());
  return {};
}

template <void (*Pass)(std::vector<MachineBlock>&)>
std::string on_blocks(GcnState& s) {
  Pass(s.blocks);
  return {};
}

std::string run_selection(GcnState& s) {
  Selector selector(s.wave, s.f(), s.model);
  selector.run();
  s.same = selector.same_in_lanes();
  Function& f = s.f();
  // Its parameters are registers; what the kernel's are, the note says.
  f.params.assign(f.params.size(), {});
  f.objects = s.wave.objects, f.reqd_sub_group = s.wave.reqd_sub_group;
  f.target = s.wave.target;
  if (!f.target) return {};
  const auto& params = s.wave.block(s.wave.entry()).params;
  for (size_t i = 0; i < params.size(); ++i)
    f.target->arguments.push_back(
        {s.wave.type(params[i]), i < s.wave.params.size() ? s.wave.params[i] : ParamInfo()});
  for (uint32_t v : s.same) f.target->same_in_lanes.push_back(ValueId(v));
  return {};
}

std::string run_readfirstlane_elim(GcnState& s) {
  eliminate_readfirstlane(s.f(), s.same);
  if (s.f().target) s.f().target->same_in_lanes.clear();
  return {};
}

std::string run_dce(GcnState& s) {
  dce(s.f());
  return {};
}

std::string run_schedule(GcnState& s) {
  loads_first(s.f());
  if (internal_checks()) verify_or_die(s.f(), "gcn selection");
  return {};
}

std::string run_scalar_allocation(GcnState& s) {
  const RegTarget target = scalar_target();
  auto scalars = allocate(s.f(), target);
  if (!scalars) return scalars.error();
  if (s.remarks) explain_allocation(s.f(), target, *scalars, *s.remarks);
  s.form = GcnState::Allocated;
  s.scalars = std::move(*scalars);
  s.frame = frame_of(s.wave, s.scalars, s.limit);
  s.first_vector = kSgprSpill + s.frame.spill_registers + (s.frame.scalar_bytes ? 1 : 0);
  return {};
}

std::string run_vector_allocation(GcnState& s) {
  const auto first_slot = static_cast<uint32_t>(s.scalars.slot_offset.size());
  const RegTarget target = vector_target(s.model, first_slot, s.first_vector, s.limit);
  auto vectors =
      s.options.allocate_vectors ? s.options.allocate_vectors(s.f(), target) : allocate(s.f(), target);
  if (!vectors) return vectors.error();
  if (s.remarks) explain_allocation(s.f(), target, *vectors, *s.remarks);
  s.vectors = std::move(*vectors);
  return {};
}

std::string run_expand(GcnState& s) {
  s.blocks = expand(s.f(), s.scalars, s.vectors, s.frame, s.model);
  s.form = GcnState::Instructions;
  return {};
}

std::string run_merge_accesses(GcnState& s) {
  merge_accesses(s.blocks, s.model.even_tuples);
  return {};
}

std::string run_insert_hazard_nops(GcnState& s) {
  insert_hazard_nops(s.blocks, s.model);
  return {};
}

std::string run_print(GcnState& s) {
  GcnResources& r = s.code.resources;
  r.sgprs = highest(s.scalars, kFirstSgpr), r.vgprs = highest(s.vectors, s.first_vector);
  r.scratch_bytes = s.frame.private_bytes + s.frame.scalar_bytes + (s.vectors.frame_bytes + 3) / 4 * 4;
  r.local_bytes = static_cast<uint32_t>(lay_out_objects(s.wave, kPtrLocal).size);
  if (r.scratch_bytes > kMaxScratchBytes)
    return fmt::format("kernel '{}' needs {} bytes of scratch for each work-item; at most {} fit",
                       s.wave.name, r.scratch_bytes, kMaxScratchBytes);
  r.kernarg_bytes = kernarg_layout(s.wave).bytes;
  r.max_group_items = kMaxGroupItems;
  while (register_limit(s.model, r.max_group_items) < r.vgprs)
    r.max_group_items -= kSimds * s.model.wave_lanes;
  r.spills = s.scalars.spills + s.vectors.spills, r.copies = s.scalars.copies + s.vectors.copies;
  for (const MachineBlock& b : s.blocks) {
    r.instructions += static_cast<uint32_t>(b.insts.size());
    for (const MachineInst& inst : b.insts)
      if (inst.op == Op::gcn_s_barrier) s.code.barrier_sites.push_back(static_cast<uint32_t>(inst.attrs[0]));
  }
  s.code.text = print_kernel(s.wave, s.blocks, r, s.model);
  s.code.metadata = print_metadata(s.wave, r);
  s.form = GcnState::Printed;
  return {};
}

constexpr MachinePassRow<GcnState> kGcnPasses[] = {
    {"select_instructions", "instruction selection: SGPRs hold uniform values, VGPRs lanes", run_selection},
    {.name = "local_cse",
     .summary = "common subexpression elimination within blocks",
     .run = on_function<local_cse>,
     .optional = true},
    {.name = "readfirstlane_elim",
     .summary = "uniform values that only vector instructions use stay in VGPRs",
     .run = run_readfirstlane_elim,
     .optional = true},
    {.name = "combine_instructions",
     .summary = "combines two instructions into one",
     .run = on_function<combine_instructions>,
     .optional = true},
    {.name = "machine_dce", .summary = "dead code elimination", .run = run_dce, .optional = true},
    {.name = "place_literals",
     .summary = "chooses the constants that stay in registers",
     .run = on_function<place_literals>,
     .optional = true},
    {.name = "schedule_loads",
     .summary = "scheduling: loads and their operands move up",
     .run = run_schedule,
     .selected = true,
     .optional = true},
    {"allocate_scalars", "register allocation of SGPRs", run_scalar_allocation},
    {"allocate_vectors", "register allocation of VGPRs", run_vector_allocation},
    {"expand_pseudos", "pseudo instructions become instructions; blocks in their final order", run_expand},
    {.name = "merge_accesses",
     .summary = "adjacent loads and stores become one",
     .run = run_merge_accesses,
     .optional = true},
    {.name = "redundant_scc_exec",
     .summary = "removes writes to scc and exec of what they hold",
     .run = on_blocks<remove_redundant_scc_exec>,
     .optional = true},
    {"insert_waitcnt", "inserts s_waitcnt before uses of what is loaded", on_blocks<insert_waitcnt>},
    {"insert_hazard_nops", "inserts s_nop for hazards without interlock", run_insert_hazard_nops},
    {"relax_branches", "branches out of range become far jumps", on_blocks<relax_branches>},
    {"print_assembly", "prints the kernel, its descriptor and its metadata for the assembler", run_print},
};

}  // namespace

// Vector registers are allotted in fours.
uint32_t register_limit(const MachineModel& model, uint64_t items) {
  const uint64_t lanes = model.wave_lanes;
  uint64_t waves = (std::clamp<uint64_t>(items, 1, kMaxGroupItems) + lanes - 1) / lanes;
  return kVgprCount / static_cast<uint32_t>((waves + kSimds - 1) / kSimds) / 4 * 4;
}

std::span<const MachinePassRow<GcnState>> gcn_pass_table() { return kGcnPasses; }

size_t GcnState::instructions() const {
  if (form < Instructions) return f().layout.empty() ? instruction_count(wave) : instruction_count(f());
  size_t n = 0;
  for (const MachineBlock& b : blocks) n += b.insts.size();
  return n;
}

void GcnState::passed(std::string_view pass) const {
  if (code.allocated->target) code.allocated->target->after = pass;
}

std::string GcnState::text() const {
  if (form < Instructions) return print(f());
  return form == Printed ? code.text : print_blocks(wave, blocks, model);
}

void GcnState::check(std::string_view pass) const {
  if (form == Selected) verify_or_die(f(), pass);
}

}  // namespace kc::gcn
