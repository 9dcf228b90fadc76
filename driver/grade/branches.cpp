// SPDX-License-Identifier: Apache-2.0
#include "driver/grade/branches.h"

#include <fmt/format.h>

#include <algorithm>

#include "driver/commands/simulate.h"
#include "ir/check.h"
#include "passes/remarks.h"
#include "sim/warp/warp_simulator.h"

namespace kc {
namespace {

constexpr uint32_t kLanes = 32;

// Lanes that leave one execution of a block by different edges have parted there.
class ObservedPartings {
 public:
  explicit ObservedPartings(size_t blocks) : parted_(blocks) {}

  void block(uint64_t warp, BlockId b, const LaneSet& lanes) {
    for (uint32_t lane : lanes) {
      Step& last = last_[{warp, lane}];
      if (last.execution) {
        auto [next, fresh] = next_.try_emplace(last.execution, b);
        if (!fresh && next->second != b) parted_[last.block.index] = true;
      }
      last = {executions_ + 1, b};
    }
    ++executions_;
  }
  const std::vector<bool>& all() const { return parted_; }

 private:
  struct Step {
    uint64_t execution = 0;  // 0: none yet
    BlockId block;
  };
  uint64_t executions_ = 0;
  std::map<std::pair<uint64_t, uint32_t>, Step> last_;  // by warp and lane
  std::map<uint64_t, BlockId> next_;                    // by execution: where its first lane went
  std::vector<bool> parted_;
};

// A step on the way from a source to a branch that is more than a value.
bool is_turn(const RemarkNote& note) { return note.kind == NoteKind::Join || note.kind == NoteKind::Loop; }

// What it depends on, and the turns on the way.
std::string told(const Remark& remark) {
  std::string text = remark.text;
  for (const RemarkNote& note : remark.notes)
    if (is_turn(note)) text += fmt::format("; line {}: {}", note.loc.line, note.text);
  return text;
}

// How the divergence comes to the branch: by its last turn, or by data alone.
NoteKind way_of(const Remark& remark) {
  const auto turn = std::ranges::find_if(remark.notes, is_turn);
  return turn == remark.notes.end() ? NoteKind::Data : turn->kind;
}

}  // namespace

std::expected<std::vector<bool>, DriverError> observe_partings(const Function& f, const LaunchSpec& launch,
                                                               KernelArguments inputs, uint64_t max_steps) {
  ObservedPartings partings(f.block_count());
  auto ran =
      simulate_warps(f, launch, std::move(inputs), max_steps,
                     [&](uint64_t warp, BlockId b, const LaneSet& lanes) { partings.block(warp, b, lanes); });
  if (!ran) return std::unexpected(ran.error());
  return partings.all();
}

std::expected<WarpStatistics, DriverError> simulate_warps(
    const Function& f, const LaunchSpec& launch, KernelArguments inputs, uint64_t max_steps,
    std::function<void(uint64_t warp, BlockId block, const LaneSet& lanes)> on_block) {
  LaunchSpec spec = launch;
  BoundArguments bound = bind_arguments(inputs, f, spec);
  WarpRunOptions options{.memory = bound.ranges, .max_steps = max_steps, .width = kLanes};
  options.on_block = std::move(on_block);
  const WarpRunResult r = WarpSimulator(f, block_priorities(f)).run(spec, bound.bits, options);
  if (!r.ok())
    return failed(ExitTrap, fmt::format("'{}' cannot be simulated: {}", f.name,
                                        r.trap ? "work-items trap" : r.message));
  return r.statistics;
}

std::expected<std::map<uint32_t, LineBranches>, DriverError> branches_by_line(const Session& session,
                                                                              uint64_t max_steps) {
  auto passed = run_named_passes(*session.program.source, {.passes = "mem2reg"});
  if (!passed) return std::unexpected(driver_error(passed.error()));
  const Function& f = *passed->function;
  const UniformityOptions ids = ids_of(session.spec);
  const Uniformity u = analyse_uniformity(f, ids);

  auto parted = observe_partings(f, session.spec, session.inputs, max_steps);
  if (!parted) return std::unexpected(parted.error());

  std::map<uint32_t, LineBranches> lines;
  for (BlockId b : f.layout) {
    const auto targets = f.successors(b);
    const Loc loc = f.inst(f.terminator(b)).loc;
    if (std::ranges::all_of(targets, [&](const Target& t) { return t.block == targets.front().block; }))
      continue;
    if (loc.file || !loc.line) continue;
    KC_CHECK(u.divergent_branch[b.index] || !(*parted)[b.index],
             "the branch at line {} is uniform by analysis, and lanes part there", loc.line);
    LineBranches& line = lines[loc.line];
    line.divergent |= u.divergent_branch[b.index];
    line.parted |= (*parted)[b.index];
  }
  Remarks remarks([](std::string_view pass) { return pass == "uniformity"; });
  explain_divergence(f, ids, remarks);
  for (const Remark& remark : remarks.sorted())
    if (auto line = lines.find(remark.loc.line);
        line != lines.end() && !remark.loc.file && line->second.why.empty())
      line->second.why = told(remark), line->second.way = way_of(remark);
  return lines;
}

}  // namespace kc
