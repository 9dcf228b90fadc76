// SPDX-License-Identifier: Apache-2.0
// From a wave function to assembly, through the passes of passes.cpp.
#include <fmt/format.h>

#include <algorithm>

#include "backends/gcn/object.h"
#include "backends/gcn/passes.h"
#include "backends/gcn/rewrites.h"
#include "ir/check.h"
#include "ir/launch.h"
#include "ir/text.h"
#include "passes/lower/lower_sub_groups.h"

namespace kc {
namespace {

using namespace gcn;

// The element type of the first operand that has one.
Elem operand_elem(const Function& f, const Inst& inst) {
  for (ValueId v : inst.operands)
    if (!f.type(v).is_mask()) return f.type(v).elem;
  return Elem::Void;
}

std::string wrong_width(const Function& f, const MachineModel& model) {
  if (f.width == model.wave_lanes) return {};
  return fmt::format("waves of {} lanes ({} has {})", f.width, to_string(model.generation), model.wave_lanes);
}

// The registers that the hardware fills are the parameters of the entry block, in the order of
// Selector::entry.
std::string wrong_entry(const Function& f, const MachineModel& model) {
  if (std::string why = wrong_width(f, model); !why.empty()) return why;
  const uint32_t lower = model.flat_scratch ? uint32_t{kDescriptorSize} : 0;
  std::vector<std::pair<Type, uint32_t>> expected{{sgpr(2), kKernargPtr - lower},
                                                  {sgpr(2), kDispatchPtr - lower}};
  for (uint32_t d = 0; d < 3; ++d) expected.emplace_back(sgpr(), kGroupId + d - lower);
  for (uint32_t d = 0; d < (model.packed_ids ? 1u : 3u); ++d) expected.emplace_back(vgpr(), kLocalId + d);
  const auto& params = f.block(f.entry()).params;
  bool right = params.size() == expected.size();
  for (size_t i = 0; right && i < params.size(); ++i)
    right = f.type(params[i]) == expected[i].first &&
            f.value(params[i]).location == Location{Location::Register, expected[i].second};
  return right ? ""
               : fmt::format("the parameters of '{}' are not the registers that {} fills", f.name, model.cpu);
}

}  // namespace

std::vector<std::string> check_gcn(const Function& wave, const GcnTarget& target) {
  const MachineModel* model = find_model(target.cpu);
  KC_CHECK(model, "gcn: no machine '{}'", target.cpu);
  const std::string_view generation = to_string(model->generation);
  std::vector<std::string> reasons;
  if (std::string why = wrong_width(wave, *model); !why.empty()) reasons.push_back(why);
  if (std::string why = wrong_sub_group_size(wave); !why.empty()) reasons.push_back(why);
  auto limit = [&](Type space, std::string_view what, uint32_t most) {
    if (uint64_t size = lay_out_objects(wave, space).size; size > most)
      reasons.push_back(fmt::format("{} bytes of {} memory ({} has {})", size, what, generation, most));
  };
  limit(kPtrLocal, "local", kMaxLocalBytes), limit(kPtrPrivate, "private", kMaxScratchBytes);
  for (BlockId b : wave.layout)
    for (InstId i : wave.block(b).insts) {
      const Inst& inst = wave.inst(i);
      if (auto why = unsupported(inst.op, operand_elem(wave, inst)); !why.empty())
        reasons.push_back(fmt::format("{} at {} is not supported by {} targets", why,
                                      describe_line(wave, inst.loc), generation));
    }
  return reasons;
}

std::string_view gcn::unsupported(Op op, Elem operand) {
  const OpInfo& row = info(op);
  const bool once = row.effects == Effects::Write && row.has(NeedsNonEmpty) && !row.has(Convergent);
  if (once) return "an access of the wave that is none of its lanes";
  switch (op) {
    case Op::uniform_load:
      return operand == Elem::PtrPrivate ? "a uniform load of private memory" : "";
    case Op::full_waves:
    case Op::next_wave:
    case Op::move_wave:
      return "a row of waves";
    case Op::object_address:
      return "an object without an address";
    case Op::var_get:
    case Op::var_set:
      return "a variable that is not in SSA form";
    default:
      return "";
  }
}

std::vector<PassInfo> gcn_passes() {
  std::vector<PassInfo> passes;
  for (const auto& row : gcn_pass_table()) passes.push_back({row.name, row.summary, row.optional});
  return passes;
}

std::expected<GcnCode, CompileError> compile_gcn(const Function& given, const GcnTarget& options,
                                                 const PassWatch& watch) {
  const MachineModel* model = find_model(options.cpu);
  auto unsupported = [](std::string why) {
    return std::unexpected(CompileError{CompileError::Unsupported, std::move(why)});
  };
  if (!model) return unsupported(fmt::format("no code is made for '{}'", options.cpu));
  auto rows = gcn_pass_table();
  const bool resumed = given.dialect == Dialect::Gcn;
  std::unique_ptr<Function> changed;
  if (resumed) {
    auto left = rows_left(given, rows);
    if (!left) return std::unexpected(left.error());
    if (std::string why = wrong_entry(given, *model); !why.empty()) return unsupported(std::move(why));
    rows = *left;
    changed = signature_of(given);
  } else {
    if (auto reasons = check_gcn(given, options); !reasons.empty()) return unsupported(reasons.front());
    changed = narrow_private(given);
  }
  const Function& wave = changed ? *changed : given;
  GcnCode code;
  code.allocated = std::make_unique<Function>();
  const uint64_t required = uint64_t{wave.reqd_local[0]} * wave.reqd_local[1] * wave.reqd_local[2];
  GcnState state{.wave = wave,
                 .model = *model,
                 .limit = register_limit(*model, std::max(options.group_items, required)),
                 .code = code,
                 .options = options,
                 .remarks = watch.remarks};
  if (resumed) {
    *code.allocated = given;
    for (ValueId v : given.target->same_in_lanes) state.same.insert(v.index);
  }
  if (auto ran = run_machine_passes(state, rows, watch); !ran) return std::unexpected(ran.error());
  if (code.stopped) return code;
  code.assembly = gcn_file({&code, 1}, options);
  return code;
}

}  // namespace kc
