// SPDX-License-Identifier: Apache-2.0
#include "backends/x64/x64.h"

#include <fmt/format.h>

#include <algorithm>

#include "backends/x64/passes.h"
#include "ir/launch.h"
#include "ir/text.h"
#include "passes/ir_util.h"
#include "passes/lower/lower_sub_groups.h"

namespace kc {
namespace {

// Opcodes of wave IR that selection knows; all their types are covered unless listed in `reason`.
bool known(Op op) {
  const OpInfo& row = info(op);
  if (!(row.dialects & InWave) || row.has(VarAccess)) return false;
  if (row.has(Elementwise)) return true;
  if (row.has(Atomic)) return true;
  switch (op) {
    case Op::lane_id:
    case Op::global_id:
    case Op::local_id:
    case Op::group_id:
    case Op::global_size:
    case Op::local_size:
    case Op::num_groups:
    case Op::global_offset:
    case Op::work_dim:
    case Op::splat:
    case Op::blend:
    case Op::mask_and:
    case Op::mask_or:
    case Op::mask_andnot:
    case Op::mask_cond:
    case Op::mask_if:
    case Op::any:
    case Op::full_waves:
    case Op::next_wave:
    case Op::move_wave:
    case Op::mask_bits:
    case Op::lane_shuffle:
    case Op::first_lane:
    case Op::lane_load:
    case Op::lane_store:
    case Op::lane_volatile_load:
    case Op::lane_volatile_store:
    case Op::uniform_load:
    case Op::uniform_store:
    case Op::uniform_volatile_load:
    case Op::uniform_volatile_store:
    case Op::lane_barrier:
    case Op::fence:
    case Op::br:
    case Op::br_if:
    case Op::switch_:
    case Op::ret:
      return true;
    default:
      return false;
  }
}

bool known_width(uint32_t lanes) {
  return lanes == 1 || lanes == 8 || lanes == 16 || lanes == 32 || lanes == 64;
}

std::string reason(const Function& wave, const Inst& inst) {
  if (!known(inst.op)) {
    const auto* thread = std::ranges::find(kOpTable, inst.op, &OpInfo::lanes);  // as the program calls it
    return fmt::format("'{}' at {} has no machine form yet",
                       thread == kOpTable.end() ? name_of(inst.op) : thread->name,
                       describe_line(wave, inst.loc));
  }
  const bool uniform = inst.op == Op::uniform_load || inst.op == Op::uniform_store;
  if (inst.op != Op::lane_load && inst.op != Op::lane_store && !uniform) return {};
  Type pointer = wave.type(inst.operands[uniform ? 0 : 1]);
  const bool other = pointer.elem == Elem::PtrPrivate && uniform && wave.width > 1;
  return other ? "private memory is different for each lane" : "";
}

void describe(const Function& wave, const LaneLayout& layout, CpuImage& image) {
  image.kernel = wave.name;
  image.width = layout.copies ? 1 : wave.width;
  image.uses_groups = sees_groups(wave) && !layout.copies;
  image.has_barriers = has_any(wave, {Op::lane_barrier});
  const auto& params = wave.block(wave.entry()).params;
  for (size_t i = 0; i < params.size(); ++i) {
    Type type = wave.type(params[i]);
    if (type.is_mask()) continue;
    ImageParam p;
    p.name = i < wave.params.size() ? wave.params[i].name : "";
    p.kind = type.elem == Elem::PtrLocal ? ImageParamKind::Local
             : type.is_pointer()         ? ImageParamKind::Pointer
                                         : ImageParamKind::Scalar;
    p.size = type.bytes();
    p.offset = static_cast<uint32_t>(8 * image.params.size());
    image.params.push_back(std::move(p));
  }
}

}  // namespace

bool sees_groups(const Function& f) {
  for (BlockId b : f.layout)
    for (InstId i : f.block(b).insts) {
      Op op = f.inst(i).op;
      const OpClass kind = class_of(op);
      bool sub_groups = kind == OpClass::SubGroupId || kind == OpClass::SubGroupShape || op == Op::lane_id ||
                        op == Op::mask_bits || op == Op::lane_shuffle || op == Op::first_lane;
      if (op == Op::local_id || op == Op::group_id || op == Op::local_size || op == Op::num_groups ||
          sub_groups || info(op).has(Convergent))
        return true;
    }
  // Which lanes a constant mask has was decided by the numbers of the lanes, and these are of a group.
  const uint64_t all = f.width ? ~uint64_t{0} >> (64 - f.width) : 0;
  for (size_t k = 0; k < f.value_count(); ++k) {
    const auto v = ValueId(k);
    if (f.type(v).elem == Elem::PtrLocal) return true;
    if (f.type(v).is_mask() && f.is_const(v) && f.value(v).bits != 0 && f.value(v).bits != all) return true;
  }
  return f.reqd_local[0] != 0;
}

std::vector<std::string> check_x64(const Function& wave, const X64Options&) {
  std::vector<std::string> reasons;
  auto add = [&](Loc loc, std::string text) {
    const std::string file = loc.file ? fmt::format("{}:", file_of(wave, loc, "")) : "";
    reasons.push_back(loc.line ? fmt::format("{}{}:{}: {}", file, loc.line, loc.column, text)
                               : std::move(text));
  };
  if (wave.dialect != Dialect::Wave) add({}, "not a wave function");
  if (!known_width(wave.width)) add({}, fmt::format("a wave of {} lanes", wave.width));
  if (std::string why = wrong_sub_group_size(wave); !why.empty()) add({}, why);
  if (!reasons.empty()) return reasons;
  for (BlockId b : wave.layout)
    for (InstId i : wave.block(b).insts)
      if (std::string r = reason(wave, wave.inst(i)); !r.empty()) add(wave.inst(i).loc, std::move(r));
  return reasons;
}

std::vector<PassInfo> x64_passes() {
  std::vector<PassInfo> passes;
  for (const auto& row : x64::x64_pass_table()) passes.push_back({row.name, row.summary, row.optional});
  return passes;
}

namespace {

// `owner`: of the given function, if selection may replace it by its signature.
std::expected<X64Code, CompileError> compile(const Function& given, std::unique_ptr<Function>* owner,
                                             const X64Options& options, const PassWatch& watch) {
  auto unsupported = [](std::string why) {
    return std::unexpected(CompileError{CompileError::Unsupported, std::move(why)});
  };
  auto rows = x64::x64_pass_table();
  const bool resumed = given.dialect == Dialect::X64;
  std::unique_ptr<Function> signature;
  if (resumed) {
    auto left = rows_left(given, rows);
    if (!left) return std::unexpected(left.error());
    if (!given.block(given.entry()).params.empty())
      return unsupported(fmt::format("the entry block of '{}' has parameters", given.name));
    if (!known_width(given.width)) return unsupported(fmt::format("a wave of {} lanes", given.width));
    rows = *left;
    signature = signature_of(given);
    owner = nullptr;
  } else if (auto reasons = check_x64(given, options); !reasons.empty()) {
    return unsupported(reasons.front());
  }
  const Function& wave = resumed ? *signature : given;
  X64Code code;
  describe(wave, options.layout, code.image);
  x64::X64State state{
      .wave = &wave, .options = options, .code = code, .remarks = watch.remarks, .owner = owner};
  if (resumed) {
    state.machine = given;
    code.image.groups_meet = given.target->setting(x64::kGroupsMeet) != 0;
    code.image.whole_groups = given.target->setting(x64::kWholeGroups) != 0;
    code.private_bytes = lay_out_objects(given, kPtrPrivate).size;
  }
  if (auto ran = run_machine_passes(state, rows, watch); !ran) {
    // What wave IR asks for was checked above; a machine function is as somebody wrote it.
    if (ran.error().kind == CompileError::Unsupported && !resumed) ran.error().kind = CompileError::Internal;
    return std::unexpected(std::move(ran.error()));
  }
  if (code.stopped) return code;
  if (resumed) {
    code.image.uses_groups = given.target->setting(x64::kSeesGroups) != 0;
    code.image.takes_rows = given.target->setting(x64::kTakesRows) != 0;
    code.image.has_barriers = has_any(given, {Op::x64_barrier}) || code.image.whole_groups;
  }
  code.image.needs_avx512 = options.avx512;
  code.image.packed = options.layout.packed && !options.layout.copies;
  code.frame_bytes = state.assembly.frame_bytes;
  if (code.image.has_barriers && !code.image.whole_groups) code.image.frame_bytes = code.frame_bytes;
  code.spills = state.allocation.spills;
  code.reloads = state.allocation.reloads;
  code.copies = state.allocation.copies;
  if (options.keep_stages) code.allocated = std::move(state.machine);
  return code;
}

}  // namespace

std::expected<X64Code, CompileError> compile_x64(const Function& wave, const X64Options& options,
                                                 const PassWatch& watch) {
  return compile(wave, nullptr, options, watch);
}

std::expected<X64Code, CompileError> compile_x64(std::unique_ptr<Function>& wave, const X64Options& options,
                                                 const PassWatch& watch) {
  return compile(*wave, &wave, options, watch);
}

}  // namespace kc
