// SPDX-License-Identifier: Apache-2.0
#include "backends/x64/passes.h"

#include <fmt/format.h>

#include <optional>

#include "backends/regalloc/explain.h"
#include "backends/x64/cleanup.h"
#include "backends/x64/full_iterations.h"
#include "backends/x64/full_waves.h"
#include "backends/x64/groups_meet.h"
#include "backends/x64/lower.h"
#include "backends/x64/registers.h"
#include "backends/x64/wave_loops.h"
#include "ir/check.h"
#include "ir/launch.h"
#include "ir/text.h"
#include "ir/verify.h"

namespace kc::x64 {
namespace {

template <void (*Pass)(Function&)>
std::string on_machine(X64State& s) {
  Pass(s.machine);
  return {};
}

// What the machine function no longer shows of the wave function. `wave`: what was selected from.
void note_target(X64State& s, const Function& wave) {
  const Function& given = *s.wave;
  Function& f = s.machine;
  f.target = given.target;
  f.target->settings.emplace_back(kSeesGroups, sees_groups(given) && !s.options.layout.copies);
  f.target->settings.emplace_back(kTakesRows, s.code.image.takes_rows);
  f.target->settings.emplace_back(kGroupsMeet, s.code.image.groups_meet);
  f.target->settings.emplace_back(kWholeGroups, s.code.image.whole_groups);
  f.objects = wave.objects, f.traps = given.traps;
  f.reqd_local = given.reqd_local, f.reqd_sub_group = given.reqd_sub_group;
  const auto& params = given.block(given.entry()).params;
  for (size_t i = 0; i < params.size(); ++i)
    f.target->arguments.push_back(
        {given.type(params[i]), i < given.params.size() ? given.params[i] : ParamInfo()});
}

std::string run_selection(X64State& s) {
  const auto iterations = with_full_iterations(*s.wave, s.options.layout, s.options.avx512);
  if (iterations && internal_checks()) verify_or_die(*iterations, "full iterations");
  const Function& given = iterations ? *iterations : *s.wave;
  const bool meets = groups_meet(given);
  const uint32_t vector_lanes = vector_bytes(given.width, s.options.avx512) / 4;
  const auto looped = meets ? with_wave_loops(given, s.options.layout, vector_lanes) : nullptr;
  if (looped && internal_checks()) verify_or_die(*looped, "wave loops");
  // The mask that waves of copies are given is that of one work-item.
  const bool loops = s.options.full_waves || s.options.layout.copies;
  const auto split = loops ? with_full_waves(given, s.options.layout, vector_lanes) : nullptr;
  if (split && internal_checks()) verify_or_die(*split, "full waves");
  const Function& wave = looped ? *looped : split ? *split : given;
  s.machine = X64Lowering(wave, s.options).run();
  s.code.image.takes_rows = split != nullptr;
  s.code.image.groups_meet = meets;
  s.code.image.whole_groups = looped != nullptr;
  s.code.private_bytes = lay_out_objects(wave, kPtrPrivate).size;
  if (given.target) note_target(s, wave);
  if (s.owner) *s.owner = signature_of(*s.wave), s.wave = s.owner->get();
  return {};
}

std::string run_packing(X64State& s) {
  pack_scalars(s.machine, s.options.avx512);
  return {};
}

std::string run_forwarding(X64State& s) {
  forward_stores(s.machine, s.options.avx512, s.code.image.whole_groups);
  return {};
}

std::string run_strength_reduction(X64State& s) {
  if (s.options.small_buffers) reduce_strength(s.machine);
  return {};
}

std::string run_allocation(X64State& s) {
  std::optional<Function> before;
  if (internal_checks()) {
    verify_or_die(s.machine, "x64 selection");
    before = s.machine;
  }
  if (s.options.keep_stages) s.code.selected = s.machine;
  RegTarget target = reg_target(s.machine.width, s.options.avx512);
  auto allocation = allocate_registers(s.machine, target);
  if (!allocation) return allocation.error();
  if (before)
    if (auto wrong = check_allocation(*before, s.machine, target); !wrong.empty())
      return fmt::format("register allocation: {}\n{}", wrong.front(), print(s.machine));
  s.allocation = std::move(*allocation);
  if (s.remarks) explain_allocation(s.machine, target, s.allocation, *s.remarks);
  s.form = X64State::Allocated;
  return {};
}

std::string run_expand(X64State& s) {
  s.assembly = expand(s.machine, s.allocation,
                      {s.options.avx512, s.code.image.groups_meet && !s.code.image.whole_groups});
  s.form = X64State::Instructions;
  if (s.options.assembly) s.code.text = print(s.assembly);
  return {};
}

std::string run_encode(X64State& s) {
  Encoded encoded = encode(s.assembly, s.options.avx512);
  s.code.image.code = std::move(encoded.bytes);
  s.code.code_bytes = encoded.code_bytes;
  s.code.places = std::move(encoded.places);
  return std::move(encoded.error);
}

constexpr MachinePassRow<X64State> kX64Passes[] = {
    {"select_instructions", "instruction selection: lane values become vectors", run_selection},
    {.name = "row_in_registers",
     .summary = "the ids of the waves of a row stay in registers",
     .run = on_machine<keep_row_in_registers>,
     .optional = true},
    {.name = "machine_dce",
     .summary = "removes instructions and block parameters without effect",
     .run = on_machine<eliminate_dead_code>,
     .optional = true},
    {.name = "scalar_forms",
     .summary = "extensions that nothing reads; immediate operands; loads, sums and stores in one",
     .run = on_machine<choose_scalar_forms>,
     .optional = true},
    {.name = "forward_stores",
     .summary = "store-to-load forwarding in local memory; removes stores that nothing loads",
     .run = run_forwarding,
     .optional = true},
    {.name = "pack_scalars",
     .summary = "superword-level parallelism: neighbouring scalars of one work-item become vectors",
     .run = run_packing,
     .optional = true},
    {.name = "combine_instructions",
     .summary = "combines two instructions into one",
     .run = on_machine<combine>,
     .optional = true},
    {.name = "byte_products",
     .summary = "products of bytes are added in pairs, as products of shorts",
     .run = on_machine<join_byte_products>,
     .optional = true},
    {.name = "ternary_logic",
     .summary = "bitwise instructions of up to three operands become one (AVX-512)",
     .run = on_machine<fold_ternary_logic>,
     .optional = true},
    {.name = "machine_dce_late",
     .summary = "removes instructions and block parameters without effect",
     .run = on_machine<eliminate_dead_code>,
     .optional = true},
    {.name = "strength_reduction",
     .summary = "indices of loops are increased instead of being computed anew",
     .run = run_strength_reduction,
     .optional = true},
    {.name = "rematerialise_constants",
     .summary = "rematerialisation of vector constants outside loops",
     .run = on_machine<rematerialise_constants>,
     .optional = true},
    {.name = "sink_to_exits",
     .summary = "what only an exit of a loop needs is computed there",
     .run = on_machine<sink_to_exits>,
     .optional = true},
    {.name = "two_address_forms",
     .summary = "forms that overwrite an operand that dies: products, bitwise operations, multiply-add",
     .run = on_machine<choose_two_address_forms>,
     .selected = true,
     .optional = true},
    {"allocate_registers", "register allocation", run_allocation},
    {"expand_pseudos", "prologue, jumps, spills: instructions with their final operands", run_expand},
    {"encode", "encodes the instructions as bytes", run_encode},
};

}  // namespace

std::span<const MachinePassRow<X64State>> x64_pass_table() { return kX64Passes; }

size_t X64State::instructions() const {
  if (form == Instructions) return assembly.insts.size();
  return machine.layout.empty() ? instruction_count(*wave) : instruction_count(machine);
}

void X64State::passed(std::string_view pass) {
  if (machine.target) machine.target->after = pass;
}

std::string X64State::text() const { return form == Instructions ? print(assembly) : print(machine); }

void X64State::check(std::string_view pass) const {
  if (form == Selected) verify_or_die(machine, pass);
}

}  // namespace kc::x64
