// SPDX-License-Identifier: Apache-2.0
// The passes: their names, what they need and leave, and how they run.
#include "passes/pipeline.h"

#include <algorithm>
#include <memory>

#include "passes/analysis/convergent_operations.h"
#include "passes/lower/expand_ops.h"
#include "passes/lower/lower_memory.h"
#include "passes/lower/lower_private.h"
#include "passes/lower/lower_sub_groups.h"
#include "passes/lower/lower_traps.h"
#include "passes/lower/unify_barriers.h"
#include "passes/remarks.h"
#include "passes/restructure/fix_irreducible.h"
#include "passes/restructure/node_split.h"
#include "passes/restructure/reconverge.h"
#include "passes/restructure/unify_latches.h"
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
#include "passes/transform/sroa_indices.h"
#include "passes/transform/store_to_load_forwarding.h"
#include "passes/transform/unroll.h"
#include "passes/transform/unroll_alone.h"

namespace kc {
namespace {

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
    {.name = "sroa_indices",
     .summary = "small arrays with divergent indices: scalar replacement and selections",
     .needs = ThreadForm | Ssa,
     .kills = Ssa,
     .run = with_remarks<sroa_indices>,
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
    {.name = "unify_latches",
     .summary = "gives loops in which work-items diverge one latch",
     .needs = ThreadForm,
     .kills = Reconverging | Structured,
     .run = with_analyses<unify_latches>,
     .walked = true,
     .judge = "random functions and programs"},
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

}  // namespace kc
