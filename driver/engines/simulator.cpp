// SPDX-License-Identifier: Apache-2.0
#include "driver/commands/simulate.h"
#include "driver/engines/engine_list.h"
#include "passes/lower/lower_sub_groups.h"
#include "passes/restructure/unify_latches.h"
#include "sim/warp/trace.h"

namespace kc {
namespace {

class SimulatorEngine : public Engine {
 public:
  explicit SimulatorEngine(const EngineOptions& options) : options_(options) {}

  EngineResult prepare(const Program& program, const LaunchSpec& spec) override {
    double start = now_ms();
    function_ = program.optimised.get();
    spec_ = spec;
    sub_groups_ = uses_sub_groups(*program.source);
    if (sub_groups_ && options_.scheme != WarpScheme::TfStack)
      return {.status = EngineStatus::Unsupported,
              .message =
                  "work-items of sub-groups are together as the source says under the scheme tf-stack only"};
    if (sub_groups_) {
      // As the front end made it: the passes are among what it judges.
      own_ = std::make_unique<Function>(*program.source);
      unify_all_latches(*own_);
      function_ = own_.get();
      if (function_->reqd_sub_group) options_.warp = function_->reqd_sub_group;
    }
    if (function_->dialect != Dialect::Thread)
      return {.status = EngineStatus::Unsupported,
              .message = "the passes leave waves, and it runs work-items"};
    simulator_ = std::make_unique<WarpSimulator>(*function_, block_priorities(*function_));
    compile_ms = now_ms() - start;
    return {};
  }

  EngineResult launch(KernelArguments& args) override {
    BoundArguments bound = bind_arguments(args, *function_, spec_);
    KernelArguments before;
    if (!function_->traps.empty() && !sub_groups_) before = args;  // barriers have a place there, too
    WarpRunOptions o{
        .memory = bound.ranges, .scheme = options_.scheme, .width = options_.warp, .rows = options_.rows};
    if (options_.max_steps) o.max_steps = options_.max_steps;
    o.stop = &stop_;
    std::optional<TraceWriter> trace;
    if (options_.trace) {
      uint64_t group = spec_.local[0] * spec_.local[1] * spec_.local[2];
      trace.emplace(*function_, to_string(o.scheme), o.width ? o.width : group, options_.trace);
      o.on_block = [&](uint64_t warp, BlockId b, const LaneSet& lanes) { trace->block(warp, b, lanes); };
    }
    double start = now_ms();
    WarpRunResult r = simulator_->run(spec_, bound.bits, o);
    if (trace) trace->finish();
    EngineResult e = interpreted(r, bound, start);
    if (!sub_groups_ && is_deadlock(r.trap, *function_, spec_, std::move(before), options_.max_steps)) {
      e.status = EngineStatus::Unsupported;
      e.message = describe_deadlock(*r.trap, *function_);
    }
    add_statistics(e, r.statistics);
    return e;
  }

  std::optional<SubGroups> sub_groups() const override { return SubGroups{options_.warp, options_.rows}; }

 private:
  static void add_statistics(EngineResult& e, const WarpStatistics& s) {
    auto add = [&](const char* name, auto value) { e.stats.emplace_back(name, static_cast<double>(value)); };
    add("warps", s.warps);
    add("dynamic_instructions", s.dynamic_instructions);
    add("activity_factor", s.activity_factor());
    add("block_executions", s.block_executions);
    add("redundant_block_executions", s.redundant_executions());
    add("empty_block_executions", s.empty_executions);
    add("merges", s.merges);
    add("memory_instructions", s.memory_instructions);
    add("memory_transactions", s.memory_transactions);
    add("memory_efficiency", s.memory_efficiency());
    add("address_runs", s.address_runs);
    add("max_stack", s.max_stack);
  }

  EngineOptions options_;
  const Function* function_ = nullptr;
  std::unique_ptr<Function> own_;
  bool sub_groups_ = false;
  LaunchSpec spec_;
  std::unique_ptr<WarpSimulator> simulator_;
};

template <WarpScheme Scheme>
std::unique_ptr<Engine> make(EngineOptions options) {
  options.scheme = Scheme;
  return std::make_unique<SimulatorEngine>(options);
}

}  // namespace

std::unique_ptr<Engine> make_simulator_engine(const EngineOptions& o) {
  return std::make_unique<SimulatorEngine>(o);
}
std::unique_ptr<Engine> make_ipdom_engine(const EngineOptions& o) { return make<WarpScheme::Ipdom>(o); }
std::unique_ptr<Engine> make_tf_stack_engine(const EngineOptions& o) { return make<WarpScheme::TfStack>(o); }
std::unique_ptr<Engine> make_tf_sandy_engine(const EngineOptions& o) { return make<WarpScheme::TfSandy>(o); }

}  // namespace kc
