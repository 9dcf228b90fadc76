// SPDX-License-Identifier: Apache-2.0
// kernelc stats: what a launch costs under each scheme that brings work-items together again, on machines
// with a stack and on machines with masks. docs/simulator.md says what the columns are.
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <nlohmann/json.hpp>

#include "driver/commands/simulate.h"
#include "driver/commands/stats.h"
#include "driver/compare.h"
#include "driver/program.h"
#include "driver/session.h"
#include "driver/sub_groups.h"
#include "driver/targets.h"
#include "host/traps.h"
#include "ir/check.h"
#include "passes/lower/lower_sub_groups.h"
#include "passes/pipeline.h"
#include "sim/interpreter/wave_interpreter.h"

namespace kc {
namespace {

using Json = nlohmann::ordered_json;

struct StatsRow {
  std::string key;
  std::string problem;  // why there are no numbers
  ExecutionCounts counts{};
  uint64_t dynamic_instructions = 0, max_stack = 0;
  double activity_factor = 1;
  uint64_t static_instructions = 0, static_blocks = 0;
};

class Statistics {
 public:
  Statistics(const Options& options, const Session& session) : o(options), s_(session) {}

  int run() {
    const int status = reference();
    if (status != ExitOk && status != ExitTrap) return status;
    count();
    if (o.json)
      fmt::print("{}\n", json().dump(2));
    else
      print_table();
    if (!differing_.empty())
      fmt::print(stderr,
                 "kernelc: note: memory is not what the reference leaves after {}; kernelc check says why\n",
                 fmt::join(differing_, ", "));
    if (trap_)
      fmt::print(stderr, "{}: error: {}\n", place_of(*trap_, *s_.kernel, o.file),
                 describe(*trap_, *s_.kernel));
    return status;
  }

  /// For a launch that need not be one whose cost means something.
  Json counted() {
    reference();
    count();
    return json();
  }

 private:
  void count() {
    const Function& f = *s_.program.optimised;
    for (WarpScheme scheme : {WarpScheme::Ipdom, WarpScheme::TfStack, WarpScheme::TfSandy})
      simulate(std::string(to_string(scheme)), f, scheme);
    for (const std::string& name : restructurings()) {
      auto rewritten = rewrite(f, name);
      if (!rewritten) continue;
      simulate(name, *rewritten, WarpScheme::Ipdom);
      run_masks(name + "+masks", *rewritten);
    }
    if (o.meld == Meld::Never && o.restructure_name == "auto") melded();
  }

  // The interpreter says whether the launch is one whose cost means something; with sub-groups, the simulator
  // of what the front end made.
  int reference() {
    const uint64_t lanes = o.warp ? o.warp : group_size();
    auto engine = uses_sub_groups(*s_.program.optimised)
                      ? make_sub_group_reference({.lanes = static_cast<uint32_t>(lanes)}, o.max_steps)
                      : find_engine("passes")->make({.max_steps = o.max_steps});
    after_ = s_.inputs;
    EngineResult r = engine->prepare(s_.program, s_.spec);
    if (r.status == EngineStatus::Ok) r = engine->launch(after_);
    trap_ = r.trap;
    if (r.status == EngineStatus::Ok) return ExitOk;
    if (r.status == EngineStatus::Trapped) return ExitTrap;
    return report({ExitTrap, r.message});
  }

  uint64_t group_size() const { return s_.spec.local[0] * s_.spec.local[1] * s_.spec.local[2]; }

  // One that is named, or all.
  std::vector<std::string> restructurings() const {
    if (o.restructure_name != "auto") return {o.restructure_name};
    auto names = scheme_names();
    return {names.begin(), names.end()};
  }

  // What it is worth to do together what lanes do apart, by `meld` and by older ways, in front of
  // `reconverge`.
  void melded() {
    constexpr std::array<std::pair<std::string_view, Meld>, 3> kWays{
        {{"meld", Meld::ByCost}, {"branch-fusion", Meld::Fusion}, {"tail-merging", Meld::Tails}}};
    for (auto [name, mode] : kWays) {
      Options options = o;
      options.meld = mode;
      options.remarks = nullptr;
      auto compiler = KernelCompiler::start(*s_.program.source, compile_options(options));
      if (!compiler || compiler->stopped()) continue;
      auto passed = compiler->thread(interpreter_target());
      if (!passed || passed->stopped) continue;
      auto rewritten = rewrite(*passed->function, "reconverge");
      if (!rewritten) continue;
      simulate(std::string(name), *rewritten, WarpScheme::Ipdom);
      run_masks(std::string(name) + "+masks", *rewritten);
    }
  }

  std::unique_ptr<Function> rewrite(const Function& f, const std::string& name) {
    auto scheme = parse_restructure(name);
    KC_CHECK(scheme.has_value(), "{}", scheme.error());
    PassState state{std::make_unique<Function>(f)};
    state.wave.uniformity = ids_of(s_.spec);
    state.restructure = *scheme;
    auto done = run_pipeline(state, std::array{scheme->pass});
    if (done) return std::move(state.f);
    rows_.push_back({.key = name, .problem = done.error().message});
    return nullptr;
  }

  StatsRow row_of(std::string key, const Function& f) const {
    StatsRow row{.key = std::move(key)};
    row.static_blocks = f.layout.size();
    for (BlockId b : f.layout) row.static_instructions += f.block(b).insts.size();
    return row;
  }

  void add(StatsRow row, const RunResult& r, const KernelArguments& args) {
    bool same_trap = trap_ && r.trap && trap_->site.kind == TrapKind::DivergentBarrier;
    if (r.trap && r.trap->site.kind == TrapKind::DivergentBarrier && !same_trap)
      row.problem = describe_deadlock(*r.trap, *s_.kernel);
    else if (!r.ok() && r.status != RunStatus::Trapped)
      row.problem = r.message;
    else if (!same_trap && !compare_buffers(after_, args, 0).first.empty())
      differing_.push_back(row.key);
    rows_.push_back(std::move(row));
  }

  void simulate(std::string key, const Function& f, WarpScheme scheme) {
    LaunchSpec spec = s_.spec;
    KernelArguments args = s_.inputs;
    BoundArguments bound = bind_arguments(args, f, spec);
    WarpRunOptions options{.memory = bound.ranges, .scheme = scheme, .width = o.warp};
    if (o.max_steps) options.max_steps = o.max_steps;
    WarpRunResult r = WarpSimulator(f, block_priorities(f)).run(spec, bound.bits, options);
    StatsRow row = row_of(std::move(key), f);
    row.counts = r.statistics;
    row.dynamic_instructions = r.statistics.dynamic_instructions;
    row.activity_factor = r.statistics.activity_factor();
    row.max_stack = r.statistics.max_stack;
    add(std::move(row), r, args);
  }

  void run_masks(std::string key, const Function& f) {
    uint64_t width = o.warp ? o.warp : group_size();
    if (width > 64) {
      rows_.push_back({.key = std::move(key), .problem = "masks have at most 64 lanes"});
      return;
    }
    LaunchSpec spec = s_.spec;
    auto wave = make_wave(
        f, interpreter_target(),
        {.width = static_cast<uint32_t>(width), .ids = ids_of(s_.spec), .small_buffers = spec.small_buffers});
    KernelArguments args = s_.inputs;
    BoundArguments bound = bind_arguments(args, *wave, spec);
    WaveRunOptions options{.memory = bound.ranges, .packed = true};
    if (o.max_steps) options.max_steps = o.max_steps;
    WaveRunResult r = run_waves(*wave, spec, bound.bits, options);
    StatsRow row = row_of(std::move(key), *wave);
    const WaveStatistics& n = r.statistics;
    row.counts = n;
    row.dynamic_instructions = r.steps;
    if (n.lane_issues)
      row.activity_factor =
          static_cast<double>(n.active_lanes) / static_cast<double>(n.lane_issues * wave->width);
    add(std::move(row), r, args);
  }

  Json json() const {
    Json schemes = Json::object();
    for (const StatsRow& r : rows_) {
      if (!r.problem.empty()) {
        schemes[r.key] = {{"error", r.problem}};
        continue;
      }
      schemes[r.key] = {{"dynamic_instructions", r.dynamic_instructions},
                        {"block_executions", r.counts.block_executions},
                        {"redundant_block_executions", r.counts.redundant_executions()},
                        {"activity_factor", r.activity_factor},
                        {"memory_transactions", r.counts.memory_transactions},
                        {"memory_efficiency", r.counts.memory_efficiency()},
                        {"max_stack", r.max_stack},
                        {"static_instructions", r.static_instructions},
                        {"static_blocks", r.static_blocks}};
    }
    Json out{{"kernel", s_.kernel->name}};
    if (o.warp)
      out["warp"] = o.warp;
    else
      out["warp"] = "inf";
    out["schemes"] = std::move(schemes);
    return out;
  }

  void print_table() const {
    fmt::print("{}: {} work-items in groups of {}, warps of {}\n\n", s_.kernel->name, s_.spec.items(),
               group_size(), o.warp ? std::to_string(o.warp) : "a whole group");
    size_t wide = std::string_view("scheme").size();
    for (const StatsRow& r : rows_) wide = std::max(wide, r.key.size());
    constexpr std::string_view kRow = "{:<{}} {:>12} {:>9} {:>10} {:>10} {:>12} {:>10} {:>6} {:>7} {:>7}\n";
    fmt::print(fmt::runtime(kRow), "", wide, "dynamic", "activity", "block", "redundant", "memory", "memory",
               "max", "static", "static");
    fmt::print(fmt::runtime(kRow), "scheme", wide, "instructions", "factor", "executions", "executions",
               "transactions", "efficiency", "stack", "insts", "blocks");
    for (const StatsRow& r : rows_)
      if (r.problem.empty())
        fmt::print(fmt::runtime(kRow), r.key, wide, r.dynamic_instructions,
                   fmt::format("{:.3f}", r.activity_factor), r.counts.block_executions,
                   r.counts.redundant_executions(), r.counts.memory_transactions,
                   fmt::format("{:.3f}", r.counts.memory_efficiency()),
                   r.max_stack ? std::to_string(r.max_stack) : "-", r.static_instructions, r.static_blocks);
      else
        fmt::print("{:<{}} {}\n", r.key, wide, r.problem);
  }

  const Options& o;
  const Session& s_;
  std::optional<TrapReport> trap_;
  KernelArguments after_;               // the interpreter
  std::vector<std::string> differing_;  // rows that left other memory
  std::vector<StatsRow> rows_;
};

}  // namespace

Json statistics_of(const Options& o, const Session& session) {
  Options plain = o;
  plain.restructure = {};
  return Statistics(plain, session).counted();
}

int command_stats(const Options& o) {
  // --restructure chooses rows here; all begin with the same function.
  Options plain = o;
  plain.restructure = {};
  auto session = open_session(plain);
  if (!session) return report(session.error());
  if (session->program.is_binary())
    return report({ExitUsage, "stats needs source, not a code object or a module"});
  print_times(plain, *session->program.pass_times);
  return Statistics(o, *session).run();
}

}  // namespace kc
