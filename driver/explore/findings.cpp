// SPDX-License-Identifier: Apache-2.0
#include "driver/explore/findings.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "driver/commands/simulate.h"
#include "driver/explore/graph.h"
#include "driver/explore/waits.h"
#include "ir/cfg.h"
#include "passes/analysis/uniformity.h"
#include "passes/pipeline.h"
#include "passes/remarks.h"

namespace kc {
namespace {

constexpr size_t kMostFindings = 5;
constexpr double kWorthSaying = 0.02;  // of all slots

std::string percent(double share) { return fmt::format("{:.0f} %", 100 * share); }

// Finds for a block the place where lanes part that is the reason for its idle lanes.
class Partings {
 public:
  Partings(const Function& f, const LaunchSpec& spec)
      : f_(f), cfg_(f), dom_(f, cfg_), post_(f, cfg_), u_(analyse_uniformity(f, ids_of(spec), cfg_)) {}

  struct Parting {
    BlockId branch;
    bool leaves_loop = false;  // of which the block is a part
  };
  // The nearest branch up the dominator tree that decides whether a lane comes here; invalid if none does.
  Parting of(BlockId b) const {
    for (BlockId d = dom_.idom[b.index]; d.valid(); d = dom_.idom[d.index])
      if (u_.divergent_branch[d.index] && !post_.post_dominates(b, d)) return {d, leaves_loop_of(d, b)};
    // A loop comes back to blocks above the branch that ends it.
    for (uint32_t c = u_.cycles.innermost[b.index]; c != kNone; c = u_.cycles.cycles[c].parent) {
      if (!u_.divergent_exit[c]) continue;
      for (uint32_t n : u_.cycles.nodes(c))
        if (u_.divergent_branch[n] && leaves_loop_of(BlockId(n), b)) return {BlockId(n), true};
    }
    return {};
  }
  // Why lanes wait at `w` while others execute `b`: branches by which they have left a loop around `b`, those
  // that lead to `w` at once first; or the nearest one in the iteration of both that decided that they come
  // to `w`.
  std::vector<BlockId> apart(BlockId w, BlockId b) const {
    std::vector<BlockId> branches;
    if (const uint32_t left = u_.cycles.largest_between(b.index, w.index); left != kNone) {
      for (bool at_once : {true, false})
        for (BlockId n : f_.layout) {
          if (!u_.cycles.contains(left, n) || !u_.divergent_branch[n.index]) continue;
          const bool leads = std::ranges::any_of(f_.successors(n), [&](const Target& t) {
            return at_once ? t.block == w : !u_.cycles.contains(left, t.block);
          });
          if (leads) branches.push_back(n);
        }
      return branches;
    }
    const uint32_t around = u_.cycles.smallest_with(b.index, w.index);
    for (BlockId d = dom_.idom[w.index]; d.valid() && branches.empty(); d = dom_.idom[d.index]) {
      if (around != kNone && !u_.cycles.contains(around, d)) break;
      if (u_.divergent_branch[d.index] && !post_.post_dominates(w, d)) branches.push_back(d);
    }
    return branches;
  }
  // Lanes of all arms of the branch come to the block, but apart: a divergent branch between them that may go
  // past the block, so that they reconverge only after it. Invalid if there is none.
  BlockId kept_apart(BlockId branch, BlockId b) const {
    // Within one iteration of the loops around both.
    const uint32_t around = u_.cycles.smallest_with(branch.index, b.index);
    const BlockId header = around == kNone ? BlockId() : BlockId(u_.cycles.cycles[around].header);
    std::vector<bool> leads(f_.block_count());  // to the block
    std::vector<BlockId> pending{b};
    leads[b.index] = true;
    while (!pending.empty()) {
      const BlockId at = pending.back();
      pending.pop_back();
      if (at == header) continue;
      for (BlockId before : cfg_.preds[at.index])
        if (!leads[before.index]) leads[before.index] = true, pending.push_back(before);
    }
    std::vector<bool> seen(f_.block_count());
    auto go_on = [&](BlockId from) {
      bool past = false;
      for (const Target& t : f_.successors(from)) {
        if (!leads[t.block.index] || t.block == header)
          past = true;
        else if (t.block != b && !seen[t.block.index])
          seen[t.block.index] = true, pending.push_back(t.block);
      }
      return past;
    };
    if (go_on(branch)) return {};
    while (!pending.empty()) {
      const BlockId at = pending.back();
      pending.pop_back();
      if (go_on(at) && u_.divergent_branch[at.index]) return at;
    }
    return {};
  }

 private:
  bool leaves_loop_of(BlockId branch, BlockId b) const {
    for (uint32_t c = u_.cycles.innermost[b.index]; c != kNone; c = u_.cycles.cycles[c].parent) {
      if (!u_.cycles.contains(c, branch)) continue;
      for (const Target& t : f_.successors(branch))
        if (!u_.cycles.contains(c, t.block)) return true;
    }
    return false;
  }

  const Function& f_;
  const Cfg cfg_;
  const DominatorTree dom_;
  const PostDominatorTree post_;
  const Uniformity u_;
};

std::unique_ptr<Function> melded(const Session& session, const Options& o) {
  Options options = o;
  options.meld = Meld::ByCost;
  options.remarks = nullptr;
  auto compiler = KernelCompiler::start(*session.program.source, compile_options(options));
  if (!compiler || compiler->stopped()) return nullptr;
  auto passed = compiler->thread(interpreter_target());
  if (!passed || passed->stopped) return nullptr;
  PassState state{std::move(passed->function)};
  state.wave.uniformity = ids_of(session.spec);
  auto scheme = parse_restructure("reconverge");
  if (!scheme) return nullptr;
  state.restructure = *scheme;
  if (!run_pipeline(state, std::array{scheme->pass})) return nullptr;
  return std::move(state.f);
}

// What the source decides there; empty if it is not known.
std::string_view decision_at(const std::vector<Decision>& all, const Loc& loc) {
  if (loc.file) return "";
  auto place = [](const Loc& l) { return std::pair(l.line, l.column); };
  std::string_view what;
  for (const Decision& d : all)  // the innermost comes last
    if (place(d.begin) <= place(loc) && place(loc) <= place(d.end)) what = d.what;
  return what;
}

// Narrower warps where lanes wait for the end of a loop, other schemes where they take several ways.
std::vector<std::string> ways_out(const std::vector<Alternative>& alternatives, bool of_loop) {
  std::vector<std::string> ways, widths;
  for (const Alternative& a : alternatives) {
    if (a.saves < kWorthSaying || (a.width > 0) != of_loop) continue;
    if (of_loop)
      widths.push_back(fmt::format("{} less with {}", percent(a.saves), a.width));
    else
      ways.push_back(
          fmt::format("{} takes {} less of all lane slots: {}", a.name, percent(a.saves), a.about));
  }
  if (!widths.empty())
    ways.push_back(fmt::format("of all lane slots {} lanes in a warp", fmt::join(widths, ", ")));
  return ways;
}

// Blocks of one line count together; those without a line cannot be named.
struct WaitingLine {
  uint64_t slots = 0;
  BlockId block;  // that with the most slots
};
std::vector<std::pair<Finding::Waiting, BlockId>> waiting_lines(const Function& f,
                                                                const std::vector<WaitCounts::Idle>& idle) {
  const std::vector<uint32_t> of_layout = block_lines(f);
  std::vector<uint32_t> line(f.block_count());
  for (size_t n = 0; n < f.layout.size(); ++n) line[f.layout[n].index] = of_layout[n];
  std::map<uint32_t, WaitingLine> by_line;
  uint64_t all = 0;
  for (const WaitCounts::Idle& i : idle) {  // the most slots first
    all += i.slots;
    if (i.block.valid() && !line[i.block.index]) continue;
    WaitingLine& at = by_line[i.block.valid() ? line[i.block.index] : 0];
    if (!at.slots) at.block = i.block;
    at.slots += i.slots;
  }
  std::vector<std::pair<Finding::Waiting, BlockId>> lines;
  for (const auto& [at, w] : by_line)
    if (10 * w.slots >= all)
      lines.push_back(
          {{.line = at, .share = static_cast<double>(w.slots) / static_cast<double>(all)}, w.block});
  std::ranges::stable_sort(lines, [](const auto& a, const auto& b) { return a.first.share > b.first.share; });
  return lines;
}

}  // namespace

Simulated simulate_launch(const Function& f, const Session& session, WarpScheme scheme, uint32_t width,
                          uint64_t max_steps, const OnBlock& on_block) {
  Simulated s{.scheme = std::string(to_string(scheme)), .problem = {}, .lines = {}, .by_block = {}};
  LaunchSpec spec = session.spec;
  KernelArguments args = session.inputs;
  BoundArguments bound = bind_arguments(args, f, spec);
  WarpRunOptions options{.memory = bound.ranges, .scheme = scheme, .width = width};
  if (max_steps) options.max_steps = max_steps;
  std::vector<SlotCount> blocks(f.block_count());
  std::vector<uint64_t> times(f.block_count());
  options.on_state = [&](uint64_t warp, BlockId block, const LaneSet& lanes, const WarpState& state) {
    ++times[block.index];
    blocks[block.index].active += lanes.size();
    if (on_block) on_block(warp, block, lanes, state);
  };
  const WarpRunResult r = WarpSimulator(f, block_priorities(f)).run(spec, bound.bits, options);
  s.statistics = r.statistics;
  if (!r.ok() && r.status != RunStatus::Trapped) s.problem = r.message;
  const uint64_t slots = width ? width : spec.local[0] * spec.local[1] * spec.local[2];
  for (BlockId b : f.layout) {
    if (!times[b.index]) continue;
    for (InstId i : f.block(b).insts) {
      const Loc loc = f.inst(i).loc;
      for (SlotCount* to : {&s.lines[loc.file ? 0 : loc.line], &s.by_block[b.index]}) {
        to->issued += times[b.index] * slots;
        to->active += blocks[b.index].active;
      }
    }
  }
  return s;
}

std::vector<Remark> divergence_remarks(const Session& session) {
  Remarks remarks([](std::string_view pass) { return pass == "uniformity"; });
  explain_divergence(*session.program.optimised, ids_of(session.spec), remarks);
  return remarks.sorted();
}

std::expected<Findings, DriverError> find_costs(const Session& session, const Options& o,
                                                const std::vector<Remark>& remarks, std::string_view source) {
  const Function& f = *session.program.optimised;
  Findings found;
  WaitCounts waits(f);
  found.base = simulate_launch(f, session, o.scheme, o.warp, o.max_steps,
                               [&](uint64_t, BlockId block, const LaneSet& lanes, const WarpState& state) {
                                 waits.add(block, lanes.size(), o.warp, state.waiting());
                               });
  if (!found.base.problem.empty()) return std::unexpected(DriverError{ExitTrap, found.base.problem});
  const auto all = static_cast<double>(std::max<uint64_t>(found.base.lane_slots(), 1));

  auto alternative = [&](std::string name, std::string about, const Function& g, WarpScheme scheme,
                         uint32_t width) {
    const Simulated s = simulate_launch(g, session, scheme, width, o.max_steps);
    if (!s.problem.empty()) return;
    found.alternatives.push_back({std::move(name), std::move(about), width == o.warp ? 0 : width,
                                  s.statistics.dynamic_instructions, s.lane_slots(),
                                  1 - static_cast<double>(s.lane_slots()) / all});
  };
  if (auto g = melded(session, o))
    alternative("meld", "what both arms of a branch do is executed once where that pays", *g, o.scheme,
                o.warp);
  for (WarpScheme scheme : {WarpScheme::Ipdom, WarpScheme::TfStack})
    if (scheme != o.scheme)
      alternative(std::string(to_string(scheme)), "hardware with another scheme of reconvergence", f, scheme,
                  o.warp);
  for (uint32_t width : {4u, 8u, 16u, 32u})
    if (width < o.warp)
      alternative(fmt::format("warps of {}", width), "fewer lanes that wait for each other", f, o.scheme,
                  width);

  const Partings partings(f, session.spec);
  // IR has no such statements.
  const std::vector<Decision> deciding =
      session.program.text.source.empty() ? std::vector<Decision>() : decisions(source, frontend_options(o));
  std::vector<std::pair<uint32_t, SlotCount>> lines(found.base.lines.begin(), found.base.lines.end());
  std::ranges::stable_sort(
      lines, [](const auto& a, const auto& b) { return a.second.wasted() > b.second.wasted(); });
  for (const auto& [line, slots] : lines) {
    if (found.lines.size() == kMostFindings || slots.wasted() == 0) break;
    if (line == 0) continue;
    // The block of the line that wastes most.
    BlockId worst;
    for (BlockId b : f.layout) {
      const bool here = std::ranges::any_of(f.block(b).insts, [&, at = line](InstId i) {
        return f.inst(i).loc.line == at && !f.inst(i).loc.file;
      });
      auto it = found.base.by_block.find(b.index);
      if (!here || it == found.base.by_block.end()) continue;
      if (!worst.valid() || it->second.wasted() > found.base.by_block[worst.index].wasted()) worst = b;
    }
    Finding finding{.line = line,
                    .slots = slots,
                    .share = static_cast<double>(slots.wasted()) / all,
                    .title = {},
                    .why = {},
                    .ways_out = {}};
    const double idle = static_cast<double>(slots.wasted()) / static_cast<double>(slots.issued);
    const Partings::Parting parting = worst.valid() ? partings.of(worst) : Partings::Parting();
    if (!parting.branch.valid()) {
      finding.title = fmt::format("{} of the lanes are idle: groups do not fill the warps", percent(idle));
    } else {
      const Loc loc = f.inst(f.terminator(parting.branch)).loc;
      auto place = [&, here = line](const Loc& at) {
        const std::string_view what = decision_at(deciding, at);
        const std::string where = at.line == here ? "here" : fmt::format("in line {}", at.line);
        return what.empty() ? where : fmt::format("{} ({})", where, what);
      };
      const std::string where = place(loc);
      finding.title =
          parting.leaves_loop
              ? fmt::format(
                    "{} of the lanes are idle: they have left the loop {}, which runs until the last one has",
                    percent(idle), where)
              : fmt::format("{} of the lanes are idle: they took another path {}", percent(idle), where);
      if (!parting.leaves_loop) {
        if (const BlockId past = partings.kept_apart(parting.branch, worst); past.valid()) {
          const std::string there = place(f.inst(f.terminator(past)).loc);
          finding.title += fmt::format(
              ", and come here later: {} may go past this line, so they do not reconverge before it",
              there == where ? "another part of that condition" : "the branch " + there);
        }
      }
      const auto cause = std::ranges::find(remarks, loc, &Remark::loc);
      if (cause != remarks.end()) {
        finding.why.push_back({cause->loc, cause->text});
        finding.why.insert(finding.why.end(), cause->notes.begin(), cause->notes.end());
      }
    }
    finding.ways_out = ways_out(found.alternatives, parting.leaves_loop);
    if (worst.valid()) {
      for (auto& [waiting, block] : waiting_lines(f, waits.during(worst))) {
        for (BlockId branch : block.valid() ? partings.apart(block, worst) : std::vector<BlockId>()) {
          const Loc& loc = f.inst(f.terminator(branch)).loc;
          waiting.decision = decision_at(deciding, loc);
          if (waiting.decision.empty()) continue;
          waiting.branch = loc.line;
          break;
        }
        finding.waiting.push_back(std::move(waiting));
      }
    }
    found.lines.push_back(std::move(finding));
  }
  return found;
}

}  // namespace kc
