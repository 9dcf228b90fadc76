// SPDX-License-Identifier: Apache-2.0
#include "host/cpu_code.h"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>

#include "backends/x64/x64.h"
#include "host/cpu_trial.h"
#include "passes/analysis/alias.h"
#include "passes/analysis/form_costs.h"
#include "passes/analysis/lane_runs.h"
#include "passes/analysis/wave_width.h"
#include "passes/ir_util.h"
#include "passes/lower/lower_sub_groups.h"
#include "passes/transform/scalar_promotion.h"
#include "runtime/cpu/features.h"

namespace kc {
namespace {

// The lanes of a row that are loaded at once, and how many more lanes must have work for packing to pay.
constexpr uint32_t kPiece = 4;
constexpr double kGain = 1.4, kMuchGain = 2.5;
constexpr uint32_t kFullRow = 16;  // lanes of waves that are rows of groups with barriers
// Estimates are rough, those of vectors mostly too high, more so for AVX2: of one lane's time and that of
// vectors.
constexpr double kWorthAlone512 = 0.8, kWorthAlone256 = 0.65, kWorthColumns = 0.6;
constexpr uint64_t kMostItems = 4096;  // of groups whose size is a constant
constexpr uint32_t kWidths[] = {1, 8, 16, 32, 64}, kMostVectors = 4;
// Estimates are no further from the truth than by this factor: where loops end at times that only data tell,
// and elsewhere.
constexpr double kOpen = 12, kClosed = 3;
constexpr size_t kLong = 4'096;  // instructions
// The sides of tiles; waves of few lanes would be flat in wide ones.
constexpr uint64_t kTileHeight = 8, kTileWidth = 8, kNarrowTile = 4;
constexpr uint32_t kFewLanes = 16;
constexpr const char* kTileKeys[] = {"tile_x", "tile_y", "tile_z"};

// The part of lanes that are work-items, when `items` in a row are cut into waves.
double used(uint64_t items, uint32_t width) {
  return static_cast<double>(items) / static_cast<double>((items + width - 1) / width * width);
}

// Whether groups are a line along y or z.
bool is_line(const LaunchSpec& spec) {
  const uint64_t items = spec.local[0] * spec.local[1] * spec.local[2];
  return items > 1 && items == std::max(spec.local[1], spec.local[2]);
}

// Whether results tell how many lanes run together: printed text has an order, and so have atomic operations
// whose results are used. Traps are counted by the code of one form.
bool shows_lanes(const Function& f) {
  auto hidden = [](const ParamInfo& p) { return p.role == ParamRole::Traps || p.role == ParamRole::Printf; };
  if (has_any(f, {Op::trap}) || std::ranges::any_of(f.params, hidden)) return true;
  const Cfg cfg(f);
  const auto users = users_of(f, cfg.rpo);
  for (BlockId b : cfg.rpo)
    for (InstId i : f.block(b).insts) {
      const Inst& inst = f.inst(i);
      const OpInfo& row = info(inst.op);
      const bool used = std::ranges::any_of(inst.results, [&](ValueId v) { return !users[v.index].empty(); });
      if ((row.has(Atomic) && used) || row.effects == Effects::CrossLane) return true;
      if (inst.op == Op::volatile_load || inst.op == Op::volatile_store) return true;
    }
  return false;
}

// Whether loops could keep more in registers if they knew that buffers do not overlap.
bool gains_from_disjoint_buffers(const Function& f, const AnalysisCache* known) {
  const auto& params = f.block(f.entry()).params;
  auto is_pointer = [&](ValueId v) { return f.type(v).elem == Elem::PtrGlobal; };
  if (std::ranges::count_if(params, is_pointer) < 2) return false;
  std::optional<AnalysisCache> analyses;
  known ? analyses.emplace(f, UniformityOptions(), *known) : analyses.emplace(f);
  const Cycles& cycles = analyses->cycles();
  const bool stores = std::ranges::any_of(f.layout, [&](BlockId b) {
    return cycles.innermost[b.index] != kNone &&
           std::ranges::any_of(f.block(b).insts, [&](InstId i) { return f.inst(i).op == Op::store; });
  });
  if (!stores) return false;
  Function apart = f;
  restrict_buffers(apart);
  AnalysisCache of_it(apart);
  return scalar_promotion(apart, of_it);
}

// How much each work-item stores once, into buffers that nothing reads; 0 where others may wait for it, or
// where it stores more than once.
uint64_t streamed_bytes(const Function& f, AnalysisCache& analyses) {
  std::vector<ValueId> read, stored;  // buffers
  uint64_t bytes = 0;
  for (BlockId b : f.layout)
    for (InstId i : f.block(b).insts) {
      const Inst& inst = f.inst(i);
      const Effects effects = info(inst.op).effects;
      if (effects == Effects::None || effects == Effects::Control) continue;
      if (inst.op != Op::load && inst.op != Op::store) return 0;
      if (f.type(inst.operands[0]).elem != Elem::PtrGlobal) continue;
      const ValueId buffer = buffer_of(f, inst.operands[0]);
      if (!buffer) return 0;
      (inst.op == Op::load ? read : stored).push_back(buffer);
      if (inst.op == Op::load) continue;
      if (analyses.cycles().innermost[b.index] != kNone) return 0;
      bytes += f.type(inst.operands[1]).bytes();
    }
  const bool apart =
      std::ranges::none_of(stored, [&](ValueId v) { return std::ranges::find(read, v) != read.end(); });
  return apart ? bytes : 0;
}

// Of the first instruction that has one.
Loc first_place(const Function& f) {
  for (BlockId b : f.layout)
    for (InstId i : f.block(b).insts)
      if (f.inst(i).loc.line) return f.inst(i).loc;
  return {};
}

VectorModel model_of(const TargetDesc& target) {
  return {.lanes = target.vector_lanes, .scatters = target.avx512()};
}

AnalysisCache start_from(const Function& f, const AnalysisCache* known) {
  return known ? AnalysisCache(f, {}, *known) : AnalysisCache(f);
}

// Says how lanes lie, and why.
void report_lanes(Remarks* remarks, const Function& f, const FormCosts& along_x, std::string choice,
                  std::string_view others = {}) {
  if (!remarks || !remarks->wants("width")) return;
  choice += "; estimated cycles of a work-item in waves of";
  for (uint32_t w : kWidths) fmt::format_to(std::back_inserter(choice), " {}: {:.1f}", w, along_x.cycles(w));
  remarks->add({"width", first_place(f), choice.append(others)});
}

// Whether one lane is faster whatever the passes for many lanes can do to a long kernel: those take longer
// than all others.
bool surely_alone(const Function& f, const AnalysisCache* known, const TargetDesc& target,
                  Remarks* remarks = nullptr) {
  if (instruction_count(f) < kLong) return false;
  if (f.reqd_sub_group || uses_sub_groups(f) || has_any(f, {Op::barrier}) || sees_ids(f, 1) || sees_ids(f, 2))
    return false;
  AnalysisCache analyses = start_from(f, known);
  const FormCosts costs(f, analyses, model_of(target));
  const double alone = costs.cycles(1);
  for (uint32_t w : kWidths)
    if (w > 1 && costs.cycles(w) < kOpen * alone) return false;
  report_lanes(remarks, f, costs, "work-items run one at a time");
  return true;
}

bool starts_alone(const KernelCompiler& kernel, const TargetDesc& target) {
  Remarks* remarks = kernel.options().remarks;
  if (kernel.one_lane() && !(remarks && remarks->wants("width"))) return true;
  return surely_alone(kernel.simplified(), kernel.simplified_analyses(), target, remarks);
}

}  // namespace

std::function<bool(const Function&, const AnalysisCache*)> one_lane_on(
    std::vector<const TargetDesc*> targets) {
  return [targets = std::move(targets)](const Function& f, const AnalysisCache* known) {
    return std::ranges::all_of(targets, [&](const TargetDesc* t) { return surely_alone(f, known, *t); });
  };
}

std::string describe(const CpuForm& form) {
  std::string lanes = fmt::format("{} lanes along {}", form.width, "xyz"[form.layout.along]);
  if (form.width == 1) lanes = "one lane";
  if (form.layout.packed) lanes = fmt::format("{} lanes in rows of {}", form.width, form.layout.row);
  if (form.tile[0]) lanes += fmt::format(", tiles of {} x {}", form.tile[0], form.tile[1]);
  std::string groups;
  if (form.groups[0])
    groups = fmt::format(", groups of {} x {} x {}", form.groups[0], form.groups[1], form.groups[2]);
  return fmt::format("{}, {}, buffers {}{}{}{}", form.target->name, lanes,
                     form.small_buffers ? "below 2 GiB" : "of any size",
                     form.disjoint_buffers ? " that do not overlap" : "",
                     form.streams ? ", stores past the caches" : "", groups);
}

TargetNote note_of(const CpuForm& form) {
  TargetNote note{.name = std::string(form.target->name), .after = {}};
  auto add = [&](const char* key, uint64_t value) {
    note.settings.emplace_back(key, static_cast<int64_t>(value));
  };
  const LaneLayout& l = form.layout;
  add("small_buffers", form.small_buffers);
  if (form.disjoint_buffers) add("disjoint_buffers", 1);
  if (form.streams) add("streams", 1);
  add("aligned", l.aligned), add("packed", l.packed);
  add("varies", l.varies[0] | l.varies[1] << 1 | l.varies[2] << 2);
  add("along", l.along), add("row", l.row);
  for (size_t d = 0; form.tile[0] && d < 3; ++d) add(kTileKeys[d], form.tile[d]);
  return note;
}

std::expected<CpuForm, std::string> form_of(const Function& f) {
  const TargetNote& note = *f.target;
  CpuForm form{.target = find_target(note.name), .width = f.width};
  if (!form.target || !form.target->is_cpu())
    return std::unexpected(fmt::format("'{}' is not the name of a CPU", note.name));
  for (const auto& [key, value] : note.settings) {
    const bool flag = value == 0 || value == 1;
    bool right = false;
    if (key == "small_buffers") form.small_buffers = value, right = flag;
    if (key == "disjoint_buffers") form.disjoint_buffers = value, right = flag;
    if (key == "streams") form.streams = value, right = flag;
    if (key == "aligned") form.layout.aligned = value, right = flag;
    if (key == "packed") form.layout.packed = value, right = flag;
    if (key == "sees_groups" || key == "takes_rows" || key == "groups_meet" || key == "whole_groups")
      right = flag;
    if (key == "along") form.layout.along = static_cast<uint8_t>(value), right = value >= 0 && value < 3;
    if (key == "row")
      form.layout.row = static_cast<uint32_t>(value),
      right = value > 0 && value <= 64 && !(value & (value - 1));
    if (key == "varies") {
      for (size_t d = 0; d < 3; ++d) form.layout.varies[d] = value >> d & 1;
      right = value >= 0 && value < 8;
    }
    for (size_t d = 0; d < 3; ++d)
      if (key == kTileKeys[d]) form.tile[d] = static_cast<uint64_t>(value), right = value > 0 && value <= 64;
    if (!right) return std::unexpected(fmt::format("target {} has no setting {}={}", note.name, key, value));
  }
  return form;
}

std::string assembly_of(const CpuCode& code, const CpuForm& form) {
  return fmt::format("# {}: {}\n{}", code.wave->name, describe(form), code.machine.text);
}

uint32_t cpu_width(const Function& thread, const TargetDesc& target, AnalysisCache& analyses) {
  if (thread.reqd_sub_group) return std::max(thread.reqd_sub_group, target.vector_lanes);
  const uint32_t lanes = target.vector_lanes * choose_vectors(thread, target.avx512(), analyses);
  // Waves stop at a barrier and are called again: fewer waves are faster.
  return has_any(thread, {Op::barrier}) ? lanes : std::min(lanes, most_lanes_for_runs(thread, analyses));
}

std::expected<CpuCompiler, CompileError> CpuCompiler::create(KernelCompiler kernel, const TargetDesc& target,
                                                             uint32_t width) {
  if (width == 1 && uses_sub_groups(kernel.shared()))
    return std::unexpected(CompileError{CompileError::Unsupported,
                                        "it has sub-group operations, which need waves of several lanes"});
  CpuCompiler c(std::move(kernel), target);
  const CompileOptions& o = c.kernel_.options();
  if (Remarks* all = o.remarks)
    c.remarks_ = std::make_shared<Remarks>([all](std::string_view pass) { return all->wants(pass); });
  c.fixed_width_ = width || c.kernel_.shared().reqd_sub_group;
  if (!width && !c.kernel_.stopped() && starts_alone(c.kernel_, target)) width = 1;
  auto passed = c.kernel_.reporting_to(c.remarks_.get(), o.times ? &c.times_ : nullptr)
                    .thread(target, {.lane_x = width != 1});
  if (!passed) return std::unexpected(passed.error());
  c.thread_ = std::make_shared<Passed>(std::move(*passed));
  const Function& thread = *c.thread_->function;
  c.sees_groups_ = sees_groups(thread);
  c.sees_size_ = has_any(thread, {Op::local_size});
  c.sub_groups_ = uses_sub_groups(thread);
  c.has_barriers_ = has_any(thread, {Op::barrier});
  c.rows_agree_ = c.has_barriers_ && rows_agree(thread, *c.thread_->analyses);
  if (!c.kernel_.stopped() && gains_from_disjoint_buffers(c.kernel_.shared(), c.kernel_.shared_analyses()))
    c.disjoint_ = c.kernel_.for_disjoint_buffers();
  c.shows_lanes_ = shows_lanes(c.kernel_.shared());
  c.streamed_ = streamed_bytes(thread, *c.thread_->analyses);
  c.tiles_ = !c.sees_groups_ && prefers_tiles(thread, *c.thread_->analyses);
  c.width_ = width ? width : cpu_width(thread, target, *c.thread_->analyses);
  if (!width) c.choose_form();
  return c;
}

// How the lanes lie, and whether one is faster than many, by estimates. A wave returns to the runtime at a
// barrier, so groups with barriers have few waves; sub-groups show how many lanes they have.
void CpuCompiler::choose_form() {
  if (fixed_width_ || has_barriers_ || sub_groups_) return;
  const Function& f = kernel_.shared();
  AnalysisCache analyses = start_from(f, kernel_.shared_analyses());
  const VectorModel machine = model_of(*target_);
  const FormCosts along_x(f, analyses, machine);
  const double alone = along_x.cycles(1), worth = target_->avx512() ? kWorthAlone512 : kWorthAlone256;
  double wide = along_x.cycles(width_);
  // Melding makes one loop of the loops between states: what an iteration costs is known after it only, how
  // many there are before it. The accesses of a work-item, which it leaves alone, tell the one by the other.
  const FormCosts melded(*thread_->function, *thread_->analyses, machine);
  if (melded.accesses() > 0)
    wide = std::min(wide, melded.cycles(width_) * along_x.accesses() / melded.accesses());
  std::string others;
  for (uint8_t d = 1; d < 3; ++d) {
    if (!sees_ids(f, d)) continue;
    const Uniformity uniformity =
        analyse_uniformity(f, {.lane_x = false, .lane_y = d == 1, .lane_z = d == 2}, analyses.cfg());
    const FormCosts costs(f, analyses, uniformity, machine, d);
    const double cycles = costs.cycles(width_);
    alone_[d] = alone < worth * cycles;
    fmt::format_to(std::back_inserter(others), ", along {}: {:.1f}", "xyz"[d], cycles);
    if (d != 1 || sees_groups_ || tiles_) continue;
    columns_ = cycles < kWorthColumns * wide && costs.scattered() < along_x.scattered();
    if (columns_) wide = cycles;
    tiles_ = !columns_ && has_crossing_accesses(f, analyses, uniformity);
  }
  alone_[0] = alone < worth * wide;
  near_ = std::max(alone, wide) < (along_x.open() ? kOpen : kClosed) * std::min(alone, wide);
  report_lanes(kernel_.options().remarks, f, along_x,
               alone_[0]  ? "work-items run one at a time"
               : columns_ ? fmt::format("waves of {} lanes along y", width_)
               : tiles_   ? fmt::format("waves of {} lanes in tiles", width_)
                          : fmt::format("waves of {} lanes along x", width_),
               others);
}

// No more lanes than so many work-items in a row need.
uint32_t CpuCompiler::limited(uint64_t items) const {
  uint32_t width = width_;
  while (!fixed_width_ && width > target_->vector_lanes && width / 2 >= items) width /= 2;
  return width;
}

// The group whose waves are tiles or columns, where they are wanted and fill the grid; else none.
std::array<uint64_t, 3> CpuCompiler::tile(const LaunchSpec& spec) const {
  for (uint64_t lanes = width_; columns_ && lanes >= target_->vector_lanes; lanes /= 2)
    if (spec.global[1] % lanes == 0) return {1, lanes, 1};
  const std::array<uint64_t, 3> size{width_ > kFewLanes ? kTileWidth : kNarrowTile, kTileHeight, 1};
  const bool fits = spec.global[0] % size[0] == 0 && spec.global[1] % size[1] == 0;
  return tiles_ && fits ? size : std::array<uint64_t, 3>{};
}

// Whether all lanes of all waves are work-items. Only then is a form made for one size of groups: there are
// not many such sizes.
bool CpuCompiler::fills(const GroupSize& groups, const CpuForm& form) const {
  const bool seen = sees_groups_ || has_barriers_, known = kernel_.shared().reqd_local[0] != 0;
  if (!seen || known || form.width == 1 || form.tile[0] || !form.layout.aligned) return false;
  const uint64_t row = form.layout.packed ? groups[0] * groups[1] * groups[2] : groups[0];
  return row % form.width == 0 && groups[0] * groups[1] * groups[2] <= kMostItems;
}

CpuForm CpuCompiler::form(const LaunchSpec& spec) const {
  CpuForm form = form_of_any_size(spec, goes_alone(spec));
  if (fills(spec.local, form)) form.groups = spec.local;
  return form;
}

// The form of many lanes with this width, for launches whose tasks are those of `form`.
CpuForm CpuCompiler::rival(const CpuForm& form, const LaunchSpec& spec, uint32_t width) const {
  CpuCompiler narrow = *this;
  narrow.width_ = width;
  CpuForm other = narrow.form_of_any_size(spec, false);
  const bool by_group = form.layout.packed || sees_groups_ || has_barriers_ || spec.local_bytes != 0;
  if (form.tile[0])
    other.tile = form.tile, other.layout = packed_layout(form.tile), other.width = width;
  else if (!by_group && other.layout.packed)
    other.tile = {}, other.layout = {.aligned = true}, other.width = width;
  if (narrow.fills(spec.local, other)) other.groups = spec.local;
  return other;
}

std::vector<CpuRival> CpuCompiler::rivals(const CpuForm& form, const LaunchSpec& spec) const {
  const bool alone = form.width == 1;
  if (shows_lanes_ || sub_groups_ || fixed_width_ || !form.layout.aligned || (alone && width_ == 1))
    return {};
  std::vector<CpuRival> r;
  auto add = [&](const CpuForm& other, bool apart = false) {
    const CpuRival next{other, apart};
    if (next != CpuRival{form} && std::ranges::find(r, next) == r.end()) r.push_back(next);
  };
  if (alone && near_) add(rival(form, spec, width_));
  if (alone && !near_) return {};
  if (!alone && near_ && !has_barriers_) {
    CpuForm one = form;
    one.width = 1, one.groups = {}, one.layout = {.aligned = true};
    add(one);
  }
  const CpuForm wide = alone ? r.front().form : form;
  const uint32_t least = target_->vector_lanes, most = kMostVectors * least;
  auto width = [&](uint32_t w) {
    if (w >= least && w <= most) add(rival(form, spec, w));
  };
  width(wide.width / 2);
  width(wide.width * 2);
  if (kernel_.options().meld == Meld::ByCost) add(wide, true);
  for (uint32_t w = least; w <= most; w *= 2) width(w);
  return r;
}

std::expected<CpuCode, CompileError> CpuCompiler::compile(const CpuRival& rival) const {
  CpuCompiler quiet = *this;
  quiet.kernel_ = kernel_.silent();
  if (disjoint_) quiet.disjoint_ = disjoint_->silent();
  if (rival.apart) {
    quiet.kernel_ = quiet.kernel_.with_meld(Meld::Never);
    if (disjoint_) quiet.disjoint_ = quiet.disjoint_->with_meld(Meld::Never);
    auto thread = quiet.kernel_.thread(*target_, {.lane_x = true});
    if (!thread) return std::unexpected(thread.error());
    quiet.thread_ = std::make_shared<Passed>(std::move(*thread));
  }
  return quiet.compile(rival.form);
}

bool CpuCompiler::goes_alone(const LaunchSpec& spec) const {
  return width_ == 1 || alone_[is_line(spec) ? (spec.local[1] > 1 ? 1 : 2) : 0];
}

CpuForm CpuCompiler::form_of_any_size(const LaunchSpec& spec, bool alone) const {
  CpuForm form = any_form();
  form.small_buffers = spec.small_buffers;
  form.disjoint_buffers = spec.disjoint_buffers && disjoint_;
  constexpr uint64_t kPart = 4;
  form.streams = !alone && spec.beyond_caches && spec.items() * streamed_ > last_level_cache() / kPart;
  const uint64_t items = spec.local[0] * spec.local[1] * spec.local[2];
  // Where groups cannot be seen, rows are those of the grid,
  // but for groups that are a line along another dimension: there they expect neighbours in memory.
  const uint64_t row = sees_groups_ || is_line(spec) ? spec.local[0] : spec.global[0];
  form.width = alone ? 1 : sees_groups_ ? limited(row) : width_;
  form.layout.aligned = std::ranges::all_of(
      std::array{0, 1, 2}, [&](size_t d) { return spec.offset[d] + spec.global[d] <= LaneLayout::kIds; });
  if (alone || !form.layout.aligned) return form;
  form.tile = tile(spec);
  if (form.tile[0]) form.layout = packed_layout(form.tile);
  if (form.tile[0] == 1) form.width = static_cast<uint32_t>(form.tile[1]);
  if (form.tile[0] || items == spec.local[0]) return form;
  const LaneLayout packed = packed_layout(spec.local);
  const uint32_t width = limited(items);
  const double gain = used(items, width) / used(row, form.width);
  // Sub-groups follow the linear local ids. Groups with barriers should have few waves, but where rows of 16
  // or more agree in what several of them do not: a product of matrices in tiles of 16 by 16 takes 1.3 ms in
  // 16 lanes and 2.2 in 64, a stencil 0.3 and 0.4 to 0.7. Otherwise the lanes of packed waves must make up
  // for what they lose with addresses, which is much where no row fills a piece of a vector.
  const bool as_rows = rows_agree_ && form.width >= kFullRow && row % form.width == 0;
  const bool pack = sub_groups_                                       ? row % form.width != 0
                    : packed.row < kPiece                             ? gain >= kMuchGain
                    : has_barriers_ && !as_rows && width > form.width ? true
                                                                      : gain >= kGain;
  if (pack) form.width = width, form.layout = packed;
  return form;
}

std::expected<Passed, CompileError> CpuCompiler::wave(const CpuForm& form) const {
  auto passed = lower(form);
  if (passed && passed->function->dialect == Dialect::Wave) passed->function->target = note_of(form);
  return passed;
}

// Whether its lanes lie as those that the thread IR at hand is for.
bool CpuCompiler::lies_as_thread(const CpuForm& form) const {
  return !form.disjoint_buffers && !form.layout.packed && (form.width == 1) == (width_ == 1);
}

// What was said while it was made.
void CpuCompiler::report_thread() const {
  const CompileOptions& o = kernel_.options();
  if (o.remarks) o.remarks->add(*remarks_);
  if (o.times) o.times->insert(o.times->end(), times_.begin(), times_.end());
}

std::expected<Passed, CompileError> CpuCompiler::lower(const CpuForm& form) const {
  WaveConfig config{.width = form.width, .small_buffers = form.small_buffers};
  if (!lies_as_thread(form)) {
    config.ids = {
        .lane_x = form.width != 1, .lane_y = form.layout.varies[1], .lane_z = form.layout.varies[2]};
    const KernelCompiler& from = form.disjoint_buffers ? *disjoint_ : kernel_;
    return from.for_groups(form.groups).wave(*target_, config);
  }
  if (form.groups[0] && sees_size_) return kernel_.for_groups(form.groups).wave(*target_, config);
  report_thread();
  if (!form.groups[0]) return kernel_.lower(*thread_, *target_, config);
  const Passed known{of_groups(*thread_->function, form.groups), thread_->stopped, thread_->passes_run};
  return kernel_.lower(known, *target_, config);
}

std::expected<CpuCode, CompileError> CpuCompiler::compile(const CpuForm& form, bool assembly) const {
  const auto start = std::chrono::steady_clock::now();
  auto lowered = wave(form);
  if (!lowered) return std::unexpected(lowered.error());
  const CompileOptions& o = kernel_.options();
  auto code = compile_wave_for_cpu(
      std::move(lowered->function), form, assembly,
      {.options = &o.pipeline, .times = o.times, .remarks = o.remarks, .passes_before = lowered->passes_run});
  const std::chrono::duration<double, std::nano> taken = std::chrono::steady_clock::now() - start;
  if (code) code->compile_nanoseconds = taken.count();
  return code;
}

std::expected<CpuCode, CompileError> CpuCompiler::compile_last(const CpuForm& form) && {
  std::expected<Passed, CompileError> lowered;
  if (lies_as_thread(form) && !form.groups[0] && thread_.use_count() == 1) {
    report_thread();
    kernel_.forget();
    const WaveConfig config{.width = form.width, .small_buffers = form.small_buffers};
    lowered = kernel_.lower(std::move(*thread_), *target_, config);
    if (lowered && lowered->function->dialect == Dialect::Wave) lowered->function->target = note_of(form);
  } else {
    lowered = wave(form);
  }
  if (!lowered) return std::unexpected(lowered.error());
  kernel_.forget();
  thread_ = nullptr, disjoint_.reset(), lowered->analyses = nullptr;
  const CompileOptions& o = kernel_.options();
  return compile_wave_for_cpu(
      std::move(lowered->function), form, false,
      {.options = &o.pipeline, .times = o.times, .remarks = o.remarks, .passes_before = lowered->passes_run});
}

std::expected<CpuCode, CompileError> compile_wave_for_cpu(std::unique_ptr<Function> wave, const CpuForm& form,
                                                          bool assembly, const PassWatch& watch) {
  const X64Options options{.avx512 = form.target->avx512(),
                           .small_buffers = form.small_buffers,
                           .layout = form.layout,
                           .streams = form.streams,
                           .assembly = assembly};
  auto machine = compile_x64(*wave, options, watch);
  if (!machine) return std::unexpected(std::move(machine.error()));
  if (wave->dialect == Dialect::X64) wave = signature_of(*wave);
  CpuCode code{.wave = std::move(wave), .machine = std::move(*machine), .tile = form.tile};
  code.private_bytes = code.machine.private_bytes;
  return code;
}

namespace {

CodeFault place_of(const CpuFault& fault, std::span<const CodePlace> places) {
  auto after = std::ranges::upper_bound(places, fault.code_offset, {}, &CodePlace::at);
  return {.interrupted = fault.interrupted,
          .address = fault.address,
          .loc = after == places.begin() ? Loc() : std::prev(after)->loc};
}

}  // namespace

std::expected<std::optional<TrapReport>, std::string> launch_on_cpu(
    const CpuCode& code, const CpuKernel& kernel, const BoundArguments& bound, const LaunchSpec& spec,
    unsigned threads, std::optional<CodeFault>* fault, CpuTrial* trial) {
  CpuLaunch launch{.dims = spec.dims,
                   .global = spec.global,
                   .local = code.tile[0] ? code.tile : spec.local,
                   .offset = spec.offset,
                   .local_bytes = static_cast<uint32_t>(spec.local_bytes),
                   .private_bytes = static_cast<uint32_t>(code.private_bytes),
                   .threads = threads,
                   .catch_faults = fault != nullptr};
  auto ran = kernel.run(launch, bound.bits, trial ? &trial->forms() : nullptr);
  if (!ran) return std::unexpected(ran.error());
  if (fault && ran->fault)
    *fault = place_of(*ran->fault, (ran->form ? trial->code(ran->form) : code).machine.places);
  std::optional<TrapReport> trap = bound.trap();
  if (const auto& late = ran->divergent_barrier)
    add_trap(trap, {.site = code.wave->traps[late->site],
                    .value = 0,
                    .global_id = late->global_id,
                    .count = late->count});
  return trap;
}

}  // namespace kc
