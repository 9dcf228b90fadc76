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
#include "passes/analysis/convergent_operations.h"
#include "passes/lower/expand_ops.h"
#include "passes/lower/lower_memory.h"
#include "passes/lower/lower_private.h"
#include "passes/lower/lower_sub_groups.h"
#include "passes/lower/lower_traps.h"
#include "passes/lower/unify_barriers.h"
#include "passes/outside_pass.h"
#include "passes/remarks.h"
#include "passes/restructure/fix_irreducible.h"
#include "passes/restructure/node_split.h"
#include "passes/restructure/reconverge.h"
#include "passes/restructure/unify_loop_exits.h"
#include "passes/transform/check_bounds.h"
#include "passes/transform/constant_tables.h"
#include "passes/transform/count_pointers.h"
#include "passes/transform/dce.h"
#include "passes/transform/demanded_lanes.h"
#include "passes/transform/div_rem_pairs.h"
#include "passes/transform/if_convert.h"
#include "passes/transform/instcombine.h"
#include "passes/transform/jump_threading.h"
#include "passes/transform/licm.h"
#include "passes/transform/loop_deletion.h"
#include "passes/transform/meld.h"
#include "passes/transform/mem2reg.h"
#include "passes/transform/merge_state_prologues.h"
#include "passes/transform/merge_tails.h"
#include "passes/transform/narrow.h"
#include "passes/transform/narrow_bits.h"
#include "passes/transform/narrow_small.h"
#include "passes/transform/pointer_to_offset32.h"
#include "passes/transform/range_simplify.h"
#include "passes/transform/reassociate.h"
#include "passes/transform/rebase_indices.h"
#include "passes/transform/rotate.h"
#include "passes/transform/runtime_unroll.h"
#include "passes/transform/scalar_promotion.h"
#include "passes/transform/sccp.h"
#include "passes/transform/simplify_cfg.h"
#include "passes/transform/sink.h"
#include "passes/transform/sink_updates.h"
#include "passes/transform/split_inductions.h"
#include "passes/transform/sroa.h"
#include "passes/transform/store_to_load_forwarding.h"
#include "passes/transform/unroll.h"
#include "passes/transform/unroll_alone.h"

namespace kc {
namespace {

constexpr size_t kFewIds = 100;

// A pass that changes its function in place.
template <bool (*Pass)(Function&)>
bool in_place(PassState& state) {
  return Pass(*state.f);
}

// With analyses, and with remarks.
template <bool (*Pass)(Function&, AnalysisCache&)>
bool with_analyses(PassState& state) {
  return Pass(*state.f, *state.analyses);
}
template <bool (*Pass)(Function&, AnalysisCache&, Remarks*)>
bool with_remarks(PassState& state) {
  return Pass(*state.f, *state.analyses, state.remarks);
}

bool run_sccp(PassState& state) { return sccp(*state.f); }
bool run_rotate(PassState& state) { return rotate(*state.f, *state.analyses, false, state.remarks); }
bool run_unroll_alone(PassState& state) {
  return state.wave.width == 1 && state.wave.costs.rows &&
         unroll_alone(*state.f, *state.analyses, state.remarks);
}
bool run_count_pointers(PassState& state) { return count_pointers(*state.f, *state.analyses, state.remarks); }
bool run_narrow_small(PassState& state) {
  // Words alone gain nothing from becoming shorts.
  return state.wave.small_lanes && (has_numbers(*state.f, kI8) || has_numbers(*state.f, kI16)) &&
         narrow_small(*state.f, *state.analyses, state.remarks);
}
bool run_pointer_to_offset32(PassState& state) {
  return state.wave.small_buffers && pointer_to_offset32(*state.f, *state.analyses);
}
// Whether lanes are parts of a vector that access neighbouring places together, as on CPUs.
bool are_in_vectors(const WaveOptions& wave) { return wave.width > 1 && wave.costs.rows; }
bool run_rebase_indices(PassState& state) {
  return are_in_vectors(state.wave) && state.wave.small_buffers && rebase_indices(*state.f, *state.analyses);
}
bool run_runtime_unroll(PassState& state) {
  return are_in_vectors(state.wave) && state.wave.small_buffers &&
         runtime_unroll(*state.f, *state.analyses, state.remarks);
}
bool run_split_inductions(PassState& state) {
  return are_in_vectors(state.wave) && split_inductions(*state.f, *state.analyses);
}
bool run_meld(PassState& state) {
  if (state.meld == Meld::Tails) return merge_tails(*state.f, *state.analyses);
  return meld(*state.f, *state.analyses, state.wave.costs, state.meld, state.remarks);
}
bool run_merge_state_prologues(PassState& state) {
  return merge_state_prologues(*state.f, *state.analyses, state.meld, state.remarks);
}
// A machine that executes out of order does not wait for a load that comes late.
bool run_sink(PassState& state) { return state.wave.costs.rows && sink(*state.f, *state.analyses); }
bool run_reconverge(PassState& state) {
  size_t blocks = state.f->block_count();
  ReconvergeReport report;
  // Other orders let work-items of different iterations of a loop execute a block together.
  const bool any = state.restructure.reconverge.plan != ReconvergeOptions::OpenTree ||
                   !has_convergent_operations(*state.f);
  bool changed = reconverge(*state.f, *state.analyses, &report,
                            any ? state.restructure.reconverge : ReconvergeOptions());
  if (state.remarks && report.plan_failed) explain_failed_plan(*state.f, *state.remarks);
  if (state.remarks) explain_flow_blocks(*state.f, state.analyses->cfg(), blocks, *state.remarks);
  return changed;
}

bool run_structurize(PassState& state) { return structurize(*state.f, state.restructure.structurize); }
bool run_linearize(PassState& state) { return linearize(*state.f, state.restructure.linearize); }
bool run_node_split(PassState& state) { return node_split(*state.f, state.remarks); }

bool run_lower_sub_groups(PassState& state) {
  const UniformityOptions& ids = state.wave.uniformity;
  return lower_sub_groups(*state.f, {.width = state.wave.width, .rows = !ids.lane_y && !ids.lane_z});
}

bool run_lower_private(PassState& state) { return lower_private(*state.f, state.wave.private_units); }

bool run_lower_to_wave(PassState& state) {
  state.f = lower_to_wave(*state.f, state.wave, *state.analyses);
  state.analyses = std::make_unique<AnalysisCache>(*state.f);
  return true;
}

// A pass that changes the graph although its row preserves analyses of it drops them itself. What it asks for
// afterwards is kept.
constexpr PassRow kPasses[] = {
    {.name = "mem2reg",
     .summary = "promotes variables to SSA values and block parameters",
     .gives = Ssa,
     .run = with_analyses<mem2reg>,
     .preserves = GraphAnalyses,
     .settles = true,
     .judge = "random functions"},
    {.name = "sccp",
     .summary = "sparse conditional constant propagation",
     .needs = ThreadForm | Ssa,
     .kills = Reconverging | Structured,
     .run = run_sccp,
     .preserves = GraphAnalyses,
     .judge = "random functions"},
    {.name = "instcombine",
     .summary = "constant folding, algebraic identities, global value numbering",
     .kills = Reconverging | Structured,
     .run = with_analyses<instcombine>,
     .preserves = GraphAnalyses,
     .settles = true,
     .judge = "every rule at every type"},
    {.name = "simplify_cfg",
     .summary = "folds known branches, merges and removes blocks",
     .kills = Reconverging | Structured,
     .run = with_analyses<simplify_cfg>,
     .preserves = GraphAnalyses,
     .settles = true,
     .judge = "random functions"},
    {.name = "range_simplify",
     .summary = "folds what known bits and integer ranges decide",
     .needs = ThreadForm | Ssa,
     .kills = Reconverging | Structured,
     .run = with_remarks<range_simplify>,
     .preserves = GraphAnalyses,
     .judge = "random functions and programs"},
    {.name = "jump_threading",
     .summary = "an edge that decides the branch it leads to goes straight to its target",
     .needs = ThreadForm | Ssa,
     .kills = Reconverging | Structured,
     .run = with_analyses<jump_threading>,
     .judge = "random functions"},
    {.name = "if_convert",
     .summary = "short arms of branches become selects, chains of conditions one branch",
     .needs = ThreadForm | Ssa,
     .kills = Reconverging | Structured,
     .run = with_remarks<if_convert>,
     .judge = "random programs"},
    {.name = "rotate",
     .summary = "loop rotation: loops test at their end",
     .needs = ThreadForm | Ssa,
     .kills = Reconverging | Structured,
     .run = run_rotate,
     .preserves = GraphAnalyses,
     .judge = "random programs"},
    {.name = "reassociate",
     .summary = "reorders sums so that lanes and loops compute the fewest of them",
     .needs = ThreadForm | Ssa,
     .run = with_analyses<reassociate>,
     .preserves = GraphAnalyses,
     .judge = "random expressions"},
    {.name = "licm",
     .summary = "loop-invariant code motion",
     .needs = ThreadForm | Ssa,
     .kills = Reconverging | Structured,
     .run = with_remarks<licm>,
     .preserves = GraphAnalyses,
     .judge = "random programs"},
    {.name = "scalar_promotion",
     .summary = "what loops load and store at one place of memory becomes a value",
     .needs = ThreadForm | Ssa,
     .kills = Reconverging | Structured,
     .run = with_remarks<scalar_promotion>,
     .preserves = GraphAnalyses,
     .judge = "random programs"},
    {.name = "div_rem_pairs",
     .summary = "remainders from quotients of the same operands",
     .needs = ThreadForm | Ssa,
     .kills = Reconverging | Structured,
     .run = with_analyses<div_rem_pairs>,
     .preserves = GraphAnalyses,
     .judge = "every operand at the edges"},
    {.name = "narrow",
     .summary = "computes divergent 64-bit integers in 32 bits",
     .needs = ThreadForm | Ssa,
     .kills = Reconverging | Structured,
     .run = with_remarks<narrow>,
     .preserves = GraphAnalyses,
     .judge = "random expressions and programs"},
    {.name = "narrow_small",
     .summary = "computes divergent 32-bit integers, and switches, in 16 or 8 bits",
     .needs = ThreadForm | Ssa,
     .kills = Reconverging | Structured,
     .run = run_narrow_small,
     .preserves = GraphAnalyses,
     .judge = "random expressions and programs"},
    {.name = "dce",
     .summary = "dead code elimination",
     .run = with_analyses<dce>,
     .preserves = GraphAnalyses | UniformityOfValues,
     .judge = "random functions"},
    {.name = "demanded_lanes",
     .summary = "removes blends whose other lanes are never read",
     .needs = WaveForm,
     .run = with_analyses<demanded_lanes>,
     .preserves = GraphAnalyses,
     .judge = "the strict wave interpreter"},
    {.name = "unroll",
     .summary = "unrolls short loops with a known trip count",
     .needs = ThreadForm | Ssa,
     .kills = Reconverging | Structured,
     .run = with_remarks<unroll>,
     .preserves = GraphAnalyses,
     .judge = "random programs"},
    {.name = "unroll_alone",
     .summary = "unrolls longer loops where work-items run alone",
     .needs = ThreadForm | Ssa,
     .kills = Reconverging | Structured,
     .run = run_unroll_alone,
     .preserves = GraphAnalyses,
     .judge = "random programs in waves of one lane"},
    {.name = "constant_tables",
     .summary = "moves private objects that only hold constants to constant memory",
     .needs = ThreadForm | Ssa,
     .run = with_remarks<constant_tables>,
     .preserves = GraphAnalyses,
     .judge = "random programs"},
    {.name = "loop_deletion",
     .summary = "removes loops that compute nothing",
     .needs = ThreadForm | Ssa,
     .kills = Reconverging | Structured,
     .run = with_analyses<loop_deletion>,
     .judge = "random programs"},
    {.name = "sroa",
     .summary = "scalar replacement of aggregates",
     .needs = ThreadForm | Ssa,
     .kills = Ssa,
     .run = with_remarks<sroa>,
     .preserves = GraphAnalyses,
     .judge = "random programs"},
    {.name = "store_to_load_forwarding",
     .summary = "store-to-load forwarding and dead store elimination",
     .needs = ThreadForm | Ssa,
     .run = with_remarks<store_to_load_forwarding>,
     .preserves = GraphAnalyses,
     .judge = "random programs"},
    {.name = "check_bounds",
     .summary = "accesses outside the buffers become traps",
     .needs = ThreadForm | Ssa,
     .kills = NoTraps | NoObjects | PrivateLowered | Reconverging | Structured,
     .run = with_analyses<check_bounds>,
     .judge = "random programs"},
    {.name = "lower_memory",
     .summary = "gives local and constant objects their addresses",
     .needs = ThreadForm,
     .gives = NoObjects,
     .run = in_place<lower_memory>,
     .preserves = GraphAnalyses,
     .judge = "test kernels on every engine"},
    {.name = "lower_private",
     .summary = "gives private objects their addresses, splits accesses into sizes that the target has",
     .needs = ThreadForm | Ssa,
     .gives = PrivateLowered,
     .run = run_lower_private,
     .preserves = GraphAnalyses,
     .judge = "the strict wave interpreter"},
    {.name = "lower_traps",
     .summary = "a trap becomes a record for the host and a return",
     .needs = ThreadForm,
     .gives = NoTraps,
     .kills = Reconverging | Structured,
     .run = in_place<lower_traps>,
     .preserves = GraphAnalyses,
     .judge = "the traps of every engine"},
    {.name = "expand_ops",
     .summary = "expands operations that no machine has",
     .needs = ThreadForm,
     .gives = Expanded,
     .run = in_place<expand_ops>,
     .preserves = GraphAnalyses,
     .judge = "every operation at every type"},
    {.name = "sink_updates",
     .summary = "sinks updates of loop variables below the last use of the old value",
     .needs = ThreadForm,
     .run = in_place<sink_updates>,
     .preserves = GraphAnalyses,
     .judge = "random programs"},
    {.name = "sink",
     .summary = "code sinking: into the branch that alone uses a result",
     .needs = ThreadForm | Ssa,
     .kills = Reconverging | Structured,
     .run = run_sink,
     .preserves = GraphAnalyses,
     .judge = "random programs; tests/run/sink.cl"},
    {.name = "runtime_unroll",
     .summary = "unrolls loops in which each lane reads bytes of its own, with a remainder loop",
     .needs = ThreadForm | Ssa,
     .kills = Reconverging | Structured,
     .run = run_runtime_unroll,
     .judge = "random programs"},
    {.name = "count_pointers",
     .summary = "loops that end at a pointer count instead, so that work-items leave them together",
     .needs = ThreadForm | Ssa,
     .kills = Reconverging | Structured,
     .run = run_count_pointers,
     .preserves = GraphAnalyses,
     .judge = "random programs; tests/run/pointers.cl"},
    {.name = "split_inductions",
     .summary = "variables of loops with barriers become a start and a uniform sum",
     .needs = ThreadForm | Ssa,
     .kills = Reconverging | Structured,
     .run = run_split_inductions,
     .preserves = GraphAnalyses,
     .judge = "random programs; tests/run/split_inductions.cl"},
    {.name = "meld",
     .summary = "control-flow melding: executes once what both arms of a divergent branch do",
     .needs = ThreadForm | Ssa,
     .kills = Reconverging | Structured,
     .run = run_meld,
     .preserves = GraphAnalyses,
     .judge = "random programs with similar arms"},
    {.name = "merge_tails",
     .summary = "tail merging: blocks with one successor share equal ends",
     .needs = ThreadForm | Ssa,
     .kills = Reconverging | Structured,
     .run = with_analyses<merge_tails>,
     .preserves = GraphAnalyses,
     .judge = "random functions and programs"},
    {.name = "merge_state_prologues",
     .summary = "executes once what the states of a loop begin with",
     .needs = ThreadForm | Ssa,
     .kills = Reconverging | Structured,
     .run = run_merge_state_prologues,
     .preserves = AllAnalyses,
     .judge = "random programs with state machines"},
    {.name = "pointer_to_offset32",
     .summary = "divergent pointers become 32-bit offsets from their buffer",
     .needs = ThreadForm | Ssa,
     .kills = Reconverging | Structured,
     .run = run_pointer_to_offset32,
     .preserves = GraphAnalyses,
     .judge = "random programs"},
    {.name = "rebase_indices",
     .summary = "indices of neighbouring lanes count from the start of their buffer",
     .needs = ThreadForm | Ssa,
     .kills = Reconverging | Structured,
     .run = run_rebase_indices,
     .preserves = GraphAnalyses,
     .judge = "random programs; tests/run/indices.cl"},
    {.name = "unify_barriers",
     .summary = "one barrier that all work-items reach, unless all are uniform already",
     .needs = ThreadForm | Ssa | NoTraps,
     .kills = Ssa | NoTraps | NoObjects | Reconverging | Structured,
     .run = with_analyses<unify_barriers>,
     .judge = "random programs with groups"},
    {.name = "fix_irreducible",
     .summary = "gives irreducible loops a single entry",
     .needs = ThreadForm | Ssa | NoTraps,
     .kills = Reconverging | Structured,
     .run = with_analyses<fix_irreducible>,
     .walked = true,
     .judge = "random functions"},
    {.name = "unify_loop_exits",
     .summary = "moves the exits of state-machine loops to their header",
     .needs = ThreadForm | Ssa | NoTraps,
     .kills = Reconverging | Structured,
     .run = with_analyses<unify_loop_exits>,
     .preserves = GraphAnalyses,
     .judge = "random functions and programs"},
    {.name = "structurize",
     .summary = "structured control flow, by selector variables",
     .needs = ThreadForm | Ssa | NoTraps,
     .gives = Structured,
     .kills = Reconverging,
     .run = run_structurize,
     .walked = true,
     .judge = "check_structured"},
    {.name = "linearize",
     .summary = "structured control flow, by a chain of predicated blocks",
     .needs = ThreadForm | Ssa | NoTraps,
     .gives = Structured,
     .kills = Reconverging,
     .run = run_linearize,
     .walked = true,
     .judge = "check_structured"},
    {.name = "node_split",
     .summary = "structured control flow, by copies of blocks, within bounds",
     .needs = ThreadForm | Ssa | NoTraps,
     .gives = Structured,
     .kills = Reconverging,
     .run = run_node_split,
     .walked = true,
     .judge = "check_structured"},
    {.name = "reconverge",
     .summary = "gives every divergent branch a target that post-dominates it",
     .needs = ThreadForm | Ssa | NoTraps,
     .gives = Reconverging,
     .kills = Structured,
     .run = run_reconverge,
     .preserves = AllAnalyses,
     .walked = true,
     .judge = "check_reconverging"},
    {.name = "lower_sub_groups",
     .summary = "lowers sub-group operations for waves of a known width",
     .needs = ThreadForm,
     .gives = NoSubGroups,
     .run = run_lower_sub_groups,
     .preserves = GraphAnalyses,
     .judge = "the warp simulator"},
    {.name = "lower_to_wave",
     .summary = "lowers work-items to waves, with masks as values",
     .needs = ThreadForm | Ssa | NoTraps | NoObjects | PrivateLowered | Expanded | NoSubGroups | Reconverging,
     .gives = WaveForm,
     .kills = ThreadForm | Ssa | Reconverging | Structured,
     .run = run_lower_to_wave,
     .judge = "the strict wave interpreter"},
};

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

std::span<const PassRow> pass_table() { return kPasses; }

const PassRow* find_pass(std::string_view name) {
  auto it = std::ranges::find(kPasses, name, &PassRow::name);
  return it == std::end(kPasses) ? nullptr : it;
}

bool run_pass(const PassRow& row, PassState& state) {
  state.analyses = std::make_unique<AnalysisCache>(*state.f, state.wave.uniformity);
  return row.run(state);
}

std::vector<std::string_view> default_pipeline(PipelineKind kind) {
  // instcombine and simplify_cfg feed each other: known branches make parameters constant.
  // Addresses are constants only after instcombine, and more of them once loops are unrolled; what sroa
  // promotes is simplified once more. Stores of tables are no reason not to unroll a loop, and unrolling
  // makes more tables, so constant_tables runs before and after it. jump_threading finds constants on edges
  // once blocks are few, and leaves edges to simplify_cfg. range_simplify learns from branches, so it runs
  // before if_convert removes them. if_convert counts instructions, so it comes when little else makes them
  // fewer; its conditions and selects are instcombine's, and so are the tests that rotate copies. Addresses
  // that were made by branches (`i < 0 ? i + n : i`) are equal after it, so loads go, and then more branches.
  // What licm can move depends on where loops test and on the order of sums.
  static constexpr std::string_view simplify[] = {
      "mem2reg",        "instcombine",    "constant_tables",
      "loop_deletion",  "unroll",         "constant_tables",
      "sroa",           "mem2reg",        "sccp",
      "instcombine",    "simplify_cfg",   "store_to_load_forwarding",
      "jump_threading", "range_simplify", "instcombine",
      "simplify_cfg"};
  static constexpr std::string_view convert[] = {"if_convert", "instcombine", "store_to_load_forwarding",
                                                 "if_convert"};
  static constexpr std::string_view weigh[] = {"count_pointers", "rotate", "instcombine",      "simplify_cfg",
                                               "reassociate",    "licm",   "scalar_promotion", "narrow",
                                               "div_rem_pairs",  "dce"};
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
