// SPDX-License-Identifier: Apache-2.0
// From a wave function to assembly: select, allocate scalar then vector registers, expand, wait, print.
#include <fmt/format.h>

#include <algorithm>

#include "backends/gcn/object.h"
#include "backends/gcn/rewrites.h"
#include "backends/gcn/selector.h"
#include "ir/check.h"
#include "ir/launch.h"
#include "ir/text.h"
#include "ir/verify.h"
#include "passes/lower/lower_sub_groups.h"
#include "passes/transform/dce.h"

namespace kc {
namespace {

using namespace gcn;

constexpr uint32_t kMaxGroupItems = 1024;
constexpr uint32_t kSimds = 4;  // of a compute unit, where all waves of a group must find place at once

// Vector registers that each wave of a group may have; they are allotted in fours.
uint32_t register_limit(uint64_t items) {
  uint64_t waves = (std::clamp<uint64_t>(items, 1, kMaxGroupItems) + kWaveSize - 1) / kWaveSize;
  return kVgprCount / static_cast<uint32_t>((waves + kSimds - 1) / kSimds) / 4 * 4;
}

RegTarget scalar_target() {
  RegTarget t;
  t.dialect = Dialect::Gcn;
  RegClass c{.name = "sgpr", .elem = Elem::Sgpr, .order = {}, .slot_bytes = 4};
  for (uint32_t r = kFirstSgpr; r < kSgprCount; ++r) c.order.push_back(r);
  t.classes.push_back(std::move(c));
  t.tuple_alignment = [](Type type) {
    return type.elem == Elem::Sgpr ? std::min<uint32_t>(type.regs, 4) : 1u;
  };
  t.rows = [](const Function& f) { return contiguity_hints(f, Elem::Sgpr); };
  t.copy = Op::gcn_copy, t.spill = Op::gcn_spill, t.reload = Op::gcn_reload, t.jump = Op::gcn_p_br;
  return t;
}

RegTarget vector_target(const MachineModel& model, uint32_t first_slot, uint32_t first_register,
                        uint32_t limit) {
  RegTarget t = scalar_target();
  if (model.even_tuples) t.tuple_alignment = [](Type type) { return type.regs > 1 ? 2u : 1u; };
  t.rows = [](const Function& f) { return contiguity_hints(f, Elem::Vgpr); };
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
  uint32_t registers = (scalars.frame_bytes / 4 + kWaveSize - 1) / kWaveSize;
  Frame frame{.spill_registers = std::min(registers, limit / 8),
              .private_bytes = static_cast<uint32_t>(lay_out_objects(wave, kPtrPrivate).size)};
  uint32_t held = frame.spill_registers * kWaveSize * 4;
  frame.scalar_bytes = std::max(scalars.frame_bytes, held) - held;
  return frame;
}

// The element type of the first operand that has one.
Elem operand_elem(const Function& f, const Inst& inst) {
  for (ValueId v : inst.operands)
    if (!f.type(v).is_mask()) return f.type(v).elem;
  return Elem::Void;
}

}  // namespace

std::vector<std::string> check_gcn(const Function& wave) {
  std::vector<std::string> reasons;
  if (wave.width != kWaveSize) reasons.push_back(fmt::format("waves of {} lanes (gfx9 has 64)", wave.width));
  if (std::string why = wrong_sub_group_size(wave); !why.empty()) reasons.push_back(why);
  auto limit = [&](Type space, std::string_view what, uint32_t most) {
    if (uint64_t size = lay_out_objects(wave, space).size; size > most)
      reasons.push_back(fmt::format("{} bytes of {} memory (gfx9 has {})", size, what, most));
  };
  limit(kPtrLocal, "local", kMaxLocalBytes), limit(kPtrPrivate, "private", kMaxScratchBytes);
  for (BlockId b : wave.layout)
    for (InstId i : wave.block(b).insts) {
      const Inst& inst = wave.inst(i);
      if (auto why = unsupported(inst.op, operand_elem(wave, inst)); !why.empty())
        reasons.push_back(
            fmt::format("{} at {} is not supported by gfx9 targets", why, describe_line(wave, inst.loc)));
    }
  return reasons;
}

std::string_view gcn::unsupported(Op op, Elem operand) {
  switch (op) {
    case Op::uniform_load:
      return operand == Elem::PtrPrivate ? "a uniform load of private memory" : "";
    case Op::object_address:
      return "an object without an address";
    case Op::var_get:
    case Op::var_set:
      return "a variable that is not in SSA form";
    default:
      return "";
  }
}

std::expected<GcnCode, std::string> compile_gcn(const Function& given, const GcnTarget& options) {
  if (auto reasons = check_gcn(given); !reasons.empty()) return std::unexpected(reasons.front());
  const std::unique_ptr<Function> narrowed = narrow_private(given);
  const Function& wave = narrowed ? *narrowed : given;
  const MachineModel* model = find_model(options.cpu);
  if (!model) return std::unexpected(fmt::format("no code is made for '{}'", options.cpu));
  GcnCode code;
  code.allocated = std::make_unique<Function>();
  Function& f = *code.allocated;
  Selector selector(wave, f, *model);
  selector.run();
  local_cse(f);
  eliminate_readfirstlane(f, selector.same_in_lanes());
  combine_instructions(f);
  dce(f);
  place_literals(f);
  loads_first(f);
  if (internal_checks()) verify_or_die(f, "gcn selection");
  code.selected = std::make_unique<Function>(f);
  auto scalars = allocate(f, scalar_target());
  if (!scalars) return std::unexpected(scalars.error());
  auto scalar_slots = static_cast<uint32_t>(scalars->slot_offset.size());
  uint64_t required = uint64_t{wave.reqd_local[0]} * wave.reqd_local[1] * wave.reqd_local[2];
  uint32_t limit = register_limit(std::max(options.group_items, required));
  Frame frame = frame_of(wave, *scalars, limit);
  frame.flat = model->flat_scratch;
  uint32_t first_vector = kSgprSpill + frame.spill_registers + (frame.scalar_bytes ? 1 : 0);
  auto vectors = allocate(f, vector_target(*model, scalar_slots, first_vector, limit));
  if (!vectors) return std::unexpected(vectors.error());

  auto blocks = expand(f, *scalars, *vectors, frame);
  merge_accesses(blocks, model->even_tuples);
  remove_redundant_scc_exec(blocks);
  insert_waitcnt(blocks);
  insert_hazard_nops(blocks, *model);
  relax_branches(blocks);
  GcnResources& r = code.resources;
  r.sgprs = highest(*scalars, kFirstSgpr), r.vgprs = highest(*vectors, first_vector);
  r.scratch_bytes = frame.private_bytes + frame.scalar_bytes + (vectors->frame_bytes + 3) / 4 * 4;
  r.local_bytes = static_cast<uint32_t>(lay_out_objects(wave, kPtrLocal).size);
  if (r.scratch_bytes > kMaxScratchBytes)
    return std::unexpected(
        fmt::format("kernel '{}' needs {} bytes of scratch for each work-item; at most {} fit", wave.name,
                    r.scratch_bytes, kMaxScratchBytes));
  r.kernarg_bytes = kernarg_layout(wave).bytes;
  r.max_group_items = kMaxGroupItems;
  while (register_limit(r.max_group_items) < r.vgprs) r.max_group_items -= kSimds * kWaveSize;
  r.spills = scalars->spills + vectors->spills, r.copies = scalars->copies + vectors->copies;
  for (const MachineBlock& b : blocks) {
    r.instructions += static_cast<uint32_t>(b.insts.size());
    for (const MachineInst& inst : b.insts)
      if (inst.op == Op::gcn_s_barrier) code.barrier_sites.push_back(static_cast<uint32_t>(inst.attrs[0]));
  }
  code.text = print_kernel(wave, blocks, r, *model);
  code.metadata = print_metadata(wave, r);
  code.assembly = gcn_file({&code, 1}, options);
  return code;
}

}  // namespace kc
