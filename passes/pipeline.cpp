// SPDX-License-Identifier: Apache-2.0
#include "passes/pipeline.h"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <chrono>
#include <utility>

#include "ir/check.h"
#include "ir/text.h"
#include "ir/verify.h"
#include "passes/outside_pass.h"

namespace kc {
namespace {

constexpr size_t kFewIds = 100;

// A number that tells functions apart, in all that the verifier and the checks of properties look at.
uint64_t fingerprint(const Function& f) {
  uint64_t h = static_cast<uint64_t>(f.dialect) << 32 | f.width;
  auto mix = [&](uint64_t a, uint64_t b) { h = (h ^ a << 32 ^ b) * 0x9e3779b97f4a7c15u, h ^= h >> 29; };
  auto values = [&](const auto& list) {
    for (ValueId v : list) {
      const Value& x = f.value(v);
      const auto type = static_cast<uint64_t>(x.type.elem) << 16 | uint64_t{x.type.lane} << 8 | x.type.regs;
      mix(v.index, x.owner), mix(x.index, static_cast<uint64_t>(x.kind) << 24 | type);
    }
  };
  mix(f.vars.size(), f.objects.size()), mix(f.traps.size(), f.params.size());
  for (BlockId b : f.layout) {
    const Block& block = f.block(b);
    mix(b.index, block.mask.index), mix(block.params.size() << 1 | block.is_flow, block.insts.size());
    values(block.params);
    for (InstId i : block.insts) {
      const Inst& inst = f.inst(i);
      mix(i.index, inst.block.index), mix(static_cast<uint64_t>(inst.op) << 1 | inst.erased, inst.loc.file);
      mix(inst.operands.size(), inst.targets.size()), values(inst.operands), values(inst.results);
      for (const Target& t : inst.targets) mix(t.block.index, t.args.size()), values(t.args);
      for (int64_t attr : inst.attrs) mix(0, static_cast<uint64_t>(attr));
    }
  }
  return h;
}

void check_after(const PassState& state, const PassRow& row, uint32_t properties) {
  verify_or_die(*state.f, row.name);
  const std::string old = state.analyses->out_of_date();
  KC_CHECK(old.empty(), "after {}: {} out of date for @{}", row.name, old, state.f->name);
  for (const PropertyRow& property : property_table()) {
    if (!(properties & property.bit)) continue;
    std::string why = property.check(state);
    KC_CHECK(why.empty(), "after {}: {} does not hold for @{}: {}", row.name, property.name, state.f->name,
             why);
  }
}

}  // namespace

std::vector<std::string_view> default_pipeline(PipelineKind kind) {
  // instcombine and simplify_cfg feed each other: known branches make parameters constant.
  // Addresses are constants only after instcombine, and more of them once loops are unrolled; what sroa
  // promotes is simplified once more. Stores of tables are no reason not to unroll a loop, and unrolling
  // makes more tables, so constant_tables runs before and after it. jump_threading finds constants on edges
  // once blocks are few, and leaves edges to simplify_cfg. range_simplify learns from branches, so it runs
  // before if_convert removes them. if_convert counts instructions, so it comes when little else makes them
  // fewer; its conditions and selects are instcombine's, and so are the tests that rotate copies. Addresses
  // that were made by branches (`i < 0 ? i + n : i`) are equal after it, so loads go, and then more branches.
  // unify_latches does not come earlier, for jump_threading finds more on separate edges, and it comes once
  // more after simplify_cfg, which removes blocks that only jump. sroa_indices makes arms that if_convert can
  // convert.
  // What licm can move depends on where loops test and on the order of sums.
  static constexpr std::string_view simplify[] = {
      "mem2reg",        "instcombine",    "constant_tables",
      "loop_deletion",  "unroll",         "constant_tables",
      "sroa",           "mem2reg",        "sccp",
      "instcombine",    "simplify_cfg",   "store_to_load_forwarding",
      "jump_threading", "range_simplify", "instcombine",
      "simplify_cfg"};
  static constexpr std::string_view convert[] = {"unify_latches",
                                                 "sroa_indices",
                                                 "mem2reg",
                                                 "instcombine",
                                                 "if_convert",
                                                 "instcombine",
                                                 "store_to_load_forwarding",
                                                 "if_convert"};
  static constexpr std::string_view weigh[] = {
      "count_pointers",   "rotate", "instcombine",   "simplify_cfg", "unify_latches", "reassociate", "licm",
      "scalar_promotion", "narrow", "div_rem_pairs", "dce"};
  static constexpr std::string_view lower[] = {"lower_traps", "lower_memory", "expand_ops", "instcombine",
                                               "dce"};
  // Updates that come late let states have their variables in common; none of the passes that
  // merge_state_prologues would be undone by come after it. Operands that meld chooses by a condition from
  // outside a loop are chosen there. What sink moves into a branch is not there to be hoisted or melded.
  static constexpr std::string_view target[] = {"unroll_alone",          "lower_private", "runtime_unroll",
                                                "split_inductions",      "meld",          "sink_updates",
                                                "merge_state_prologues", "licm",          "sink"};
  static constexpr std::string_view wave[] = {
      "lower_sub_groups", "narrow",  "narrow_small", "pointer_to_offset32", "rebase_indices", "reconverge",
      "lower_to_wave",    "mem2reg", "instcombine",  "demanded_lanes",      "simplify_cfg",   "dce"};
  // What is left to do for machines that mask by themselves and require loops with one entry.
  static constexpr std::string_view spirv[] = {"unify_barriers",  "mem2reg",          "pointer_to_offset32",
                                               "lower_traps",     "lower_memory",     "lower_private",
                                               "fix_irreducible", "unify_loop_exits", "dce"};
  std::vector<std::string_view> names;
  if (kind == PipelineKind::SpirvLower) return {std::begin(spirv), std::end(spirv)};
  auto add = [&](std::span<const std::string_view> part) {
    names.insert(names.end(), part.begin(), part.end());
  };
  const bool all = kind == PipelineKind::Wave, thread = all || kind == PipelineKind::ThreadLower;
  const bool shared = thread || kind == PipelineKind::Shared;
  if (shared || kind == PipelineKind::Optimize || kind == PipelineKind::Simplify) add(simplify);
  if (shared || kind == PipelineKind::Optimize || kind == PipelineKind::Weigh) add(convert), add(weigh);
  if (shared || kind == PipelineKind::Weigh) add(lower);
  if (thread || kind == PipelineKind::ForTarget) add(target);
  if (all || kind == PipelineKind::WaveLower) add(wave);
  return names;
}

std::vector<std::string_view> split_pass_names(std::string_view text) {
  std::vector<std::string_view> names;
  while (!text.empty()) {
    // A command may have commas inside of quotes.
    char quote = 0;
    size_t comma = 0;
    for (; comma < text.size() && (quote || text[comma] != ','); ++comma)
      if (const char c = text[comma]; quote ? c == quote : c == '\'' || c == '"') quote = quote ? char{0} : c;
    if (const std::string_view name = text.substr(0, comma); name != "none") names.push_back(name);
    text.remove_prefix(std::min(comma + 1, text.size()));
  }
  return names;
}

std::expected<std::vector<const PassRow*>, std::string> build_pipeline(
    std::span<const std::string_view> names, uint32_t initial) {
  std::vector<const PassRow*> rows;
  uint32_t now = initial;
  for (std::string_view name : names) {
    if (is_outside_pass(name)) {
      now = ~0u;  // whatever it leaves
      rows.push_back(&outside_pass_row());
      continue;
    }
    const PassRow* row = find_pass(name);
    if (!row) return std::unexpected(fmt::format("there is no pass '{}'", name));
    if (uint32_t missing = row->needs & ~now)
      return std::unexpected(fmt::format("pass {} (number {}) needs {}, which {} not hold there", name,
                                         rows.size() + 1, property_names(missing),
                                         std::has_single_bit(missing) ? "does" : "do"));
    now = (now & ~row->kills) | row->gives;
    rows.push_back(row);
  }
  return rows;
}

namespace {

// What passes need and none before them gives, up to a pass that may leave anything. Looking at properties
// costs time, so only at these.
uint32_t needed_by(std::span<const std::string_view> names) {
  uint32_t needed = 0, given = 0;
  for (std::string_view name : names) {
    if (is_outside_pass(name)) break;
    if (const PassRow* row = find_pass(name)) needed |= row->needs & ~given, given |= row->gives;
  }
  return needed;
}

}  // namespace

std::expected<PipelineReport, CompileError> run_pipeline(PassState& state,
                                                         std::span<const std::string_view> names,
                                                         const PipelineOptions& options) {
  uint32_t now = properties_of(state, needed_by(names));
  auto usage = [](std::string message) {
    return std::unexpected(CompileError{CompileError::Usage, std::move(message)});
  };
  auto rows = build_pipeline(names, now);
  if (!rows) return usage(rows.error());
  auto known = [&](std::string_view name) {
    return find_pass(name) || name == outside_pass_row().name ||
           std::ranges::find(options.later, name) != options.later.end();
  };
  for (const std::string& name : options.print_after)
    if (name != "all" && !known(name)) return usage(fmt::format("there is no pass '{}'", name));
  if (!options.stop_after.empty() && !known(options.stop_after))
    return usage(fmt::format("there is no pass '{}'", options.stop_after));
  const bool verify = options.verify_each || internal_checks();
  PipelineReport report;
  if (!state.analyses) state.analyses = std::make_unique<AnalysisCache>(*state.f, state.wave.uniformity);
  uint64_t checked = 0;                         // the fingerprint of the function that was checked last
  uint32_t checked_for = 0;                     // and the properties that it had
  std::vector<const PassRow*> unchanged_since;  // passes that ran and have had nothing change behind them
  for (size_t at = 0; at < rows->size(); ++at) {
    const PassRow* row = (*rows)[at];
    PassTime time{.pass = row->name, .instructions_before = instruction_count(*state.f)};
    auto start = std::chrono::steady_clock::now();
    // What passes before this one have made and removed would cost this one and all behind it.
    const bool compacts =
        !report.times.empty() && 2 * state.f->inst_count() > 3 * time.instructions_before + kFewIds;
    if (compacts) state.f->compact_ids(), state.analyses->keep(NoAnalyses), checked = 0;
    std::optional<Function> before;
    if (options.compare) before = *state.f;
    const bool settled = row->settles && std::ranges::find(unchanged_since, row) != unchanged_since.end();
    if (row == &outside_pass_row()) {
      auto changed = run_outside_pass(state, names[at], options.outside);
      if (!changed) return std::unexpected(std::move(changed.error()));
      time.changed = *changed;
    } else {
      time.changed = !settled && row->run(state);
      if (time.changed) state.analyses->keep(row->preserves);
    }
    if (time.changed) unchanged_since.clear();
    unchanged_since.push_back(row);
    time.seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
    time.instructions_after = instruction_count(*state.f);
    report.times.push_back(time);
    if (row == &outside_pass_row()) {
      now = properties_of(state, needed_by(names.subspan(at + 1)));
      if (std::string why = lacks_for(state, names, at + 1, now); !why.empty())
        return std::unexpected(CompileError{CompileError::Outside, std::move(why)});
    } else {
      now = (now & ~row->kills) | row->gives;
      if (const uint64_t f = verify ? fingerprint(*state.f) : 0;
          verify && (f != checked || now & ~checked_for))
        check_after(state, *row, now), checked = f, checked_for = now;
    }
    if (before) options.compare(row->name, *before, *state.f);
    const PassStage stage{
        .pass = row->name, .function = state.f->name, .number = options.passes_before + report.times.size()};
    if (options.watch) options.watch(stage, *state.f, time.changed || compacts || report.times.size() == 1);
    auto stop = after_pass(options, stage, [&] { return print(*state.f); });
    if (!stop) return std::unexpected(stop.error());
    report.stopped = *stop;
    if (report.stopped) break;
  }
  return report;
}

}  // namespace kc
