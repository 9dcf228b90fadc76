// SPDX-License-Identifier: Apache-2.0
#include "host/cpu_code.h"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>

#include "backends/x64/x64.h"
#include "host/cpu_trial.h"
#include "ir/check.h"
#include "passes/analysis/alias.h"
#include "passes/analysis/form_costs.h"
#include "passes/analysis/lane_runs.h"
#include "passes/analysis/wave_width.h"
#include "passes/ir_util.h"
#include "passes/lower/lower_sub_groups.h"
#include "passes/restructure/unify_latches.h"
#include "passes/transform/loop_vectorisation.h"
#include "passes/transform/narrow_bits.h"
#include "passes/transform/narrow_small.h"
#include "passes/transform/scalar_promotion.h"
#include "runtime/cpu/features.h"

namespace kc {
namespace {

// Estimates are rough, those of vectors mostly too high, more so for AVX2: of one lane's time and that of
// vectors.
constexpr double kWorthAlone512 = 0.54, kWorthAlone256 = 0.45;
// A second kernel is worth its compilation where lanes along another dimension take less than this part of
// the time of lanes along x. Shorter rows are not.
constexpr double kWorthTransposing = 0.8;
constexpr uint32_t kLeastRow = 8;
constexpr uint32_t kWidths[] = {1, 8, 16, 32, 64};
// Estimates are no further from the truth than by this factor: where loops end at times that only data tell,
// and elsewhere.
constexpr double kOpen = 12, kClosed = 3;
// The cycles that a barrier takes of a work-item that runs alone.
constexpr double kBarrierAlone = 10;
// For a long kernel, the passes for many lanes take longer than all others; for a very long one that is
// seconds, and they can make less of a difference. Where many lanes are faster, no estimate of theirs has
// been seen to be more than twice that of one lane.
constexpr size_t kLong = 4'096, kVeryLong = 16'384;  // instructions
constexpr double kSurely = 5, kSurelyVeryLong = 3;
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
  if (!has_invariant_store(f, *analyses)) return false;
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

// What costs are estimated of: a function in which lanes that go back to the start of a loop from several
// places meet before, as they do in waves.
class Estimated {
 public:
  Estimated(const Function& f, const AnalysisCache* known) : f_(&f) {
    known ? analyses_.emplace(f, UniformityOptions(), *known) : analyses_.emplace(f);
    if (!has_several_latches(*analyses_)) return;
    f_ = &own_.emplace(f);
    unify_all_latches(*own_);
    analyses_.emplace(*own_);
  }
  Estimated(const Estimated&) = delete;
  Estimated& operator=(const Estimated&) = delete;

  const Function& function() const { return *f_; }
  AnalysisCache& analyses() { return *analyses_; }

 private:
  std::optional<Function> own_;
  std::optional<AnalysisCache> analyses_;
  const Function* f_;
};

// The barriers of a kernel; nothing if loops have some.
std::optional<uint32_t> barriers_outside_loops(const Function& f, AnalysisCache& analyses) {
  uint32_t barriers = 0;
  for (BlockId b : f.layout)
    for (InstId i : f.block(b).insts) {
      if (f.inst(i).op != Op::barrier) continue;
      if (analyses.cycles().innermost[b.index] != kNone) return {};
      ++barriers;
    }
  return barriers;
}

// Says how lanes lie, and why.
void report_lanes(Remarks* remarks, const Function& f, const FormCosts& along_x, double alone,
                  std::string choice, std::string_view others = {}) {
  if (!remarks || !remarks->wants("width")) return;
  choice += "; estimated cycles of a work-item in waves of";
  for (uint32_t w : kWidths)
    fmt::format_to(std::back_inserter(choice), " {}: {:.1f}", w, w == 1 ? alone : along_x.time(w));
  remarks->add({"width", first_place(f), choice.append(others)});
}

// Whether one lane is faster whatever the passes for many lanes can do to a long kernel.
bool surely_alone(const Function& f, const AnalysisCache* known, const TargetDesc& target,
                  Remarks* remarks = nullptr) {
  const size_t instructions = instruction_count(f);
  if (instructions < kLong) return false;
  const double margin = instructions < kVeryLong ? kSurely : kSurelyVeryLong;
  if (f.reqd_sub_group || uses_sub_groups(f) || has_any(f, {Op::barrier}) || sees_ids(f, 1) || sees_ids(f, 2))
    return false;
  Estimated estimated(f, known);
  const FormCosts costs(estimated.function(), estimated.analyses(), model_of(target));
  const double alone = costs.cycles(1);  // what single loops wait for matters little in a long kernel
  for (uint32_t w : kWidths)
    if (w >= target.vector_lanes && costs.cycles(w) < margin * alone) return false;
  report_lanes(remarks, f, costs, costs.time(1), "work-items run one at a time");
  return true;
}

bool starts_alone(const KernelCompiler& kernel, const TargetDesc& target) {
  Remarks* remarks = kernel.options().remarks;
  if (kernel.one_lane() && !(remarks && remarks->wants("width"))) return true;
  return surely_alone(kernel.simplified(), kernel.simplified_analyses(), target, remarks);
}

// Where neighbours along x are far apart in memory, and those along y or z are not: the dimension that rows
// should lie along, and how many work-items a row needs. Else 0 and 0.
std::pair<uint8_t, uint32_t> better_rows(const KernelCompiler& kernel, const TargetDesc& target) {
  const Function& given = kernel.shared();
  if (kernel.stopped() || (!sees_ids(given, 1) && !sees_ids(given, 2))) return {};
  if (given.reqd_sub_group || uses_sub_groups(given) || shows_lanes(given)) return {};
  Estimated estimated(given, kernel.shared_analyses());
  const Function& f = estimated.function();
  AnalysisCache& analyses = estimated.analyses();
  const VectorModel machine = model_of(target);
  const FormCosts along_x(f, analyses, machine);
  if (along_x.scattered() == 0) return {};
  const uint32_t most_lanes = 4 * target.vector_lanes;
  double least = kWorthTransposing * along_x.time(2 * target.vector_lanes);
  std::pair<uint8_t, uint32_t> best;
  for (uint8_t d = 1; d < 3; ++d) {
    if (!sees_ids(f, d)) continue;
    const Uniformity uniformity =
        analyse_uniformity(f, {.lane_x = false, .lane_y = d == 1, .lane_z = d == 2}, analyses.cfg());
    const FormCosts costs(f, analyses, uniformity, machine, d);
    if (costs.scattered() >= along_x.scattered()) continue;
    // The fewer lanes, the less work there is while a chain of gathers is waited for.
    uint32_t lanes = kLeastRow;
    while (lanes <= most_lanes && costs.time(std::max(lanes, target.vector_lanes)) >= least) lanes *= 2;
    if (lanes > most_lanes) continue;
    best = {d, lanes};
    least = costs.time(most_lanes);
  }
  return best;
}

// What a wave does once, in the time of what it does for a vector: the difference between waves of one vector
// and of several.
double same_for_lanes(const FormCosts& costs, uint32_t vector) {
  constexpr uint32_t kVectors = 4;
  constexpr double kMost = 4;
  const double one = costs.time(vector) * vector, all = costs.time(kVectors * vector) * vector * kVectors;
  const double each = (all - one) / (kVectors - 1);
  return each > 0 ? std::clamp((one - each) / each, 0.0, kMost) : 0;
}

// C computes with int where bytes are enough. Code for several vectors computes with the bytes, after
// narrow_small, and it is for that code that their number is chosen.
unsigned vectors_of_waves(const Function& thread, const TargetDesc& target, AnalysisCache& analyses) {
  if (const auto known = vectors_decided_early(thread, analyses)) return *known;
  if (has_numbers(thread, kI8) || has_numbers(thread, kI16)) {
    Function narrowed = thread;
    AnalysisCache before(narrowed, analyses.ids(), analyses);
    if (narrow_small(narrowed, before)) {
      AnalysisCache after(narrowed, analyses.ids());
      return choose_vectors(narrowed, target.avx512(), after);
    }
  }
  return choose_vectors(thread, target.avx512(), analyses);
}

}  // namespace

std::function<bool(const Function&, const AnalysisCache*)> one_lane_on(
    std::vector<const TargetDesc*> targets) {
  return [targets = std::move(targets)](const Function& f, const AnalysisCache* known) {
    return std::ranges::all_of(targets, [&](const TargetDesc* t) { return surely_alone(f, known, *t); });
  };
}

std::string assembly_of(const CpuCode& code, const CpuForm& form) {
  return fmt::format("# {}: {}\n{}", code.wave->name, describe(form), code.machine.text);
}

uint32_t cpu_width(const Function& thread, const TargetDesc& target, AnalysisCache& analyses) {
  if (thread.reqd_sub_group) return std::max(thread.reqd_sub_group, target.vector_lanes);
  const uint32_t lanes = target.vector_lanes * vectors_of_waves(thread, target, analyses);
  // Waves stop at a barrier and are called again: fewer waves are faster.
  return has_any(thread, {Op::barrier}) ? lanes : std::min(lanes, most_lanes_for_runs(thread, analyses));
}

std::expected<CpuCompiler, CompileError> CpuCompiler::create(KernelCompiler kernel, const TargetDesc& target,
                                                             uint32_t width) {
  const auto [rows_along, lanes] = width == 1 ? std::pair<uint8_t, uint32_t>() : better_rows(kernel, target);
  if (!rows_along) return create_for_rows(std::move(kernel), target, width, {});
  auto transposed = create_for_rows(kernel.transposed(rows_along), target, width, {rows_along, lanes, true});
  if (!transposed) return transposed;
  auto c = create_for_rows(std::move(kernel), target, width, {rows_along, lanes, false});
  if (!c) return c;
  CpuTraits t = c->choice_.traits();
  t.rows_along = rows_along, t.least_row = lanes, t.transposed = {transposed->choice_.traits()};
  c->choice_ = CpuFormChoice(target, t);
  c->transposed_ = std::make_shared<const CpuCompiler>(std::move(*transposed));
  return c;
}

std::expected<CpuCompiler, CompileError> CpuCompiler::create_for_rows(KernelCompiler kernel,
                                                                      const TargetDesc& target,
                                                                      uint32_t width,
                                                                      const Transposition& transposition) {
  if (width == 1 && uses_sub_groups(kernel.shared()))
    return std::unexpected(CompileError{CompileError::Unsupported,
                                        "it has sub-group operations, which need waves of several lanes"});
  CpuCompiler c(std::move(kernel), target);
  const CompileOptions& o = c.kernel_.options();
  if (Remarks* all = o.remarks)
    c.remarks_ = std::make_shared<Remarks>([all](std::string_view pass) { return all->wants(pass); });
  const bool fixed = width || c.kernel_.shared().reqd_sub_group;
  if (!width && !c.kernel_.stopped() && starts_alone(c.kernel_, target)) width = 1;
  auto passed = c.kernel_.reporting_to(c.remarks_.get(), o.times ? &c.times_ : nullptr)
                    .thread(target, {.lane_x = width != 1});
  if (!passed) return std::unexpected(passed.error());
  c.thread_ = std::make_shared<Passed>(std::move(*passed));
  const Function& thread = *c.thread_->function;
  const Function& shared = c.kernel_.shared();
  AnalysisCache& analyses = *c.thread_->analyses;
  if (!c.kernel_.stopped() && gains_from_disjoint_buffers(shared, c.kernel_.shared_analyses()))
    c.disjoint_ = c.kernel_.for_disjoint_buffers();
  c.sees_size_ = has_any(thread, {Op::local_size});
  CpuTraits t{.width = width ? width : cpu_width(thread, target, analyses),
              .fixed_width = fixed,
              .sees_groups = sees_groups(thread),
              .groups_known = shared.reqd_local[0] != 0,
              .sub_groups = uses_sub_groups(thread),
              .has_barriers = has_any(thread, {Op::barrier}),
              .tells_overlap = c.disjoint_.has_value(),
              .shows_lanes = shows_lanes(shared),
              .melds = o.meld == Meld::ByCost,
              .streamed = streamed_bytes(thread, analyses)};
  t.tiles = !t.sees_groups && prefers_tiles(thread, analyses);
  if (!width && !t.fixed_width && !t.sub_groups) c.choose_form(t, transposition);
  // What is y or z here was x: lanes along it would be far apart.
  if (transposition.is_transposed) t.across_lines[transposition.rows_along] = !t.sees_groups;
  if (!fixed && !c.kernel_.stopped() && !t.sees_groups && !t.shows_lanes) c.find_vector_loops(t);
  c.choice_ = CpuFormChoice(target, t);
  return c;
}

// Whether iterations of loops may be lanes.
void CpuCompiler::find_vector_loops(CpuTraits& t) const {
  const Function& f = kernel_.simplified();
  if (&f == &kernel_.shared()) return;  // nothing weighs branches, nor would it for other lanes
  AnalysisCache analyses = start_from(f, kernel_.simplified_analyses());
  const VectorisableLoops found = find_vectorisable_loops(f, analyses);
  if (!found.loops) return;
  constexpr uint32_t kWord = 4;  // bytes
  t.loop_lanes = std::clamp(target().vector_lanes * kWord / found.bytes, target().vector_lanes, 64u);
  // What is outside of the loops runs once for each work-item, not for many at a time.
  constexpr size_t kScattered = 16, kOfLoop = 3;
  const size_t gain = kScattered * found.scattered + found.inside / kOfLoop;
  t.loops_first = found.all_scatter && !found.others && found.outside < gain;
  if (Remarks* remarks = kernel_.options().remarks; remarks && t.loops_first && remarks->wants("width"))
    remarks->add(
        {"width", first_place(f),
         fmt::format(
             "{} iterations of {} loop{} are lanes in launches whose buffers do not overlap; others have "
             "waves of work-items",
             t.loop_lanes, found.loops, found.loops == 1 ? "" : "s")});
}

// How the lanes lie, and whether one is faster than many, by estimates. Sub-groups show how many lanes they
// have. Of groups with barriers only the number of lanes is chosen, and not where loops have barriers: how
// many a work-item gets to is not known then.
void CpuCompiler::choose_form(CpuTraits& t, const Transposition& transposition) const {
  const auto barriers = barriers_outside_loops(*thread_->function, *thread_->analyses);
  if (!barriers) return;
  Estimated estimated(kernel_.shared(), kernel_.shared_analyses());
  const Function& f = estimated.function();
  AnalysisCache& analyses = estimated.analyses();
  const VectorModel machine = model_of(target());
  const FormCosts along_x(f, analyses, machine);
  const double alone = along_x.time(1) + *barriers * kBarrierAlone;
  const double worth = target().avx512() ? kWorthAlone512 : kWorthAlone256;
  double wide = along_x.time(t.width);
  // Melding makes one loop of the loops between states: what an iteration costs is known after it only, how
  // many there are before it. The accesses of a work-item, which it leaves alone, tell the one by the other.
  Estimated melding(*thread_->function, thread_->analyses.get());
  const FormCosts melded(melding.function(), melding.analyses(), machine);
  if (melded.accesses() > 0)
    wide = std::min(wide, melded.time(t.width) * along_x.accesses() / melded.accesses());
  std::string names = "xyz", others;
  if (transposition.is_transposed) std::swap(names[0], names[transposition.rows_along]);
  for (uint8_t d = 1; d < 3; ++d) {
    if (!sees_ids(f, d)) continue;
    const Uniformity uniformity =
        analyse_uniformity(f, {.lane_x = false, .lane_y = d == 1, .lane_z = d == 2}, analyses.cfg());
    const FormCosts costs(f, analyses, uniformity, machine, d);
    const double time = costs.time(t.width);
    t.alone[d] = alone < worth * time;
    if (t.has_barriers) continue;
    t.across_lines[d] = !t.sees_groups && wide < time;
    fmt::format_to(std::back_inserter(others), ", along {}: {:.1f}", names[d], time);
    if (d == 1 && !t.sees_groups && !t.tiles) t.tiles = has_crossing_accesses(f, analyses, uniformity);
  }
  t.alone[0] = alone < worth * wide;
  if (!t.has_barriers) t.same_for_lanes = same_for_lanes(along_x, target().vector_lanes);
  t.near = std::max(alone, wide) < (along_x.open() ? kOpen : kClosed) * std::min(alone, wide);
  std::string choice = t.alone[0] ? "work-items run one at a time"
                       : t.tiles  ? fmt::format("waves of {} lanes in tiles", t.width)
                                  : fmt::format("waves of {} lanes along {}", t.width, names[0]);
  if (transposition.rows_along)
    choice += fmt::format(" in launches with {} {} work-items along {}",
                          transposition.is_transposed ? "at least" : "fewer than", transposition.lanes,
                          "xyz"[transposition.rows_along]);
  report_lanes(kernel_.options().remarks, f, along_x, alone, std::move(choice), others);
}

std::expected<CpuCode, CompileError> CpuCompiler::compile(const CpuRival& rival) const {
  if (rival.form.rows_along) {
    auto code = transposed_->compile(CpuRival{rival.form.with_rows_along(0), rival.apart});
    if (code) code->rows_along = rival.form.rows_along;
    return code;
  }
  CpuCompiler quiet = *this;
  quiet.kernel_ = kernel_.silent();
  if (disjoint_) quiet.disjoint_ = disjoint_->silent();
  if (rival.apart) {
    quiet.kernel_ = quiet.kernel_.with_meld(Meld::Never);
    if (disjoint_) quiet.disjoint_ = quiet.disjoint_->with_meld(Meld::Never);
    auto thread = quiet.kernel_.thread(target(), {.lane_x = true});
    if (!thread) return std::unexpected(thread.error());
    quiet.thread_ = std::make_shared<Passed>(std::move(*thread));
  }
  return quiet.compile(rival.form);
}

std::expected<Passed, CompileError> CpuCompiler::wave(const CpuForm& form) const {
  auto passed = lower(form);
  if (passed && passed->function->dialect == Dialect::Wave) passed->function->target = note_of(form);
  return passed;
}

// Whether its lanes lie as those that the thread IR at hand is for.
bool CpuCompiler::lies_as_thread(const CpuForm& form) const {
  return !form.disjoint_buffers && !form.layout.packed && (form.width == 1) == (choice_.traits().width == 1);
}

// What was said while it was made.
void CpuCompiler::report_thread() const {
  const CompileOptions& o = kernel_.options();
  if (o.remarks) o.remarks->add(*remarks_);
  if (o.times) o.times->insert(o.times->end(), times_.begin(), times_.end());
}

std::expected<Passed, CompileError> CpuCompiler::lower(const CpuForm& form) const {
  if (form.rows_along) return transposed_->lower(form.with_rows_along(0));
  WaveConfig config{.width = form.width, .small_buffers = form.small_buffers};
  if (!lies_as_thread(form)) {
    config.ids = {
        .lane_x = form.width != 1, .lane_y = form.layout.varies[1], .lane_z = form.layout.varies[2]};
    if (form.layout.copies) {
      config.ids = {.lane_x = false, .lane_z = true};
      const auto rewritten = kernel_.for_vectorised_loops(form.width);
      KC_CHECK(rewritten.has_value(), "no loop to vectorise in '{}'", kernel_.shared().name);
      return rewritten->wave(target(), config);
    }
    const KernelCompiler& from = form.disjoint_buffers ? *disjoint_ : kernel_;
    return from.for_groups(form.groups).wave(target(), config);
  }
  if (form.groups[0] && sees_size_) return kernel_.for_groups(form.groups).wave(target(), config);
  report_thread();
  if (!form.groups[0]) return kernel_.lower(*thread_, target(), config);
  const Passed known{of_groups(*thread_->function, form.groups), thread_->stopped, thread_->passes_run};
  return kernel_.lower(known, target(), config);
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
  if (!form.rows_along && lies_as_thread(form) && !form.groups[0] && thread_.use_count() == 1) {
    report_thread();
    kernel_.forget();
    const WaveConfig config{.width = form.width, .small_buffers = form.small_buffers};
    lowered = kernel_.lower(std::move(*thread_), target(), config);
    if (lowered && lowered->function->dialect == Dialect::Wave) lowered->function->target = note_of(form);
  } else {
    lowered = wave(form);
  }
  if (!lowered) return std::unexpected(lowered.error());
  kernel_.forget();
  thread_ = nullptr, disjoint_.reset(), transposed_ = nullptr, lowered->analyses = nullptr;
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
  auto machine = compile_x64(wave, options, watch);
  if (!machine) return std::unexpected(std::move(machine.error()));
  if (wave->dialect == Dialect::X64) wave = signature_of(*wave);
  CpuCode code{.wave = std::move(wave),
               .machine = std::move(*machine),
               .tile = form.tile,
               .rows_along = form.rows_along};
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
    const CpuCode& code, const CpuKernel& kernel, const BoundArguments& bound, const LaunchSpec& given,
    unsigned threads, std::optional<CodeFault>* fault, CpuTrial* trial) {
  const LaunchSpec spec = transposed(given, code.rows_along);
  CpuLaunch launch{.dims = spec.dims,
                   .global = spec.global,
                   .local = code.tile[0] ? code.tile : spec.local,
                   .offset = spec.offset,
                   .local_bytes = static_cast<uint32_t>(spec.local_bytes),
                   .private_bytes = static_cast<uint32_t>(code.private_bytes),
                   .threads = threads,
                   .catch_faults = fault != nullptr,
                   .rows_along = code.rows_along};
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
