// SPDX-License-Identifier: Apache-2.0
#include "driver/compiler.h"
#include "driver/engine_list.h"
#include "driver/pipelines.h"
#include "sim/thread_interpreter.h"
#include "sim/wave_interpreter.h"

namespace kc {
namespace {

EngineResult convert(const RunResult& r) {
  EngineResult e{.trap = r.trap};
  if (r.status != RunStatus::Trapped) e.message = r.message;
  e.status = r.status == RunStatus::Ok        ? EngineStatus::Ok
             : r.status == RunStatus::Trapped ? EngineStatus::Trapped
                                              : EngineStatus::Failed;
  e.stats.emplace_back("steps", static_cast<double>(r.steps));
  return e;
}

/// The oracle runs what the front end made; the second form runs what the thread passes made of it.
class ThreadEngine : public Engine {
 public:
  ThreadEngine(const EngineOptions& options, bool optimised) : options_(options), optimised_(optimised) {}

  EngineResult prepare(const Program& program, const LaunchSpec& spec) override {
    double start = now_ms();
    function_ = optimised_ ? program.optimised.get() : program.source;
    spec_ = spec;
    interpreter_ = std::make_unique<ThreadInterpreter>(*function_);
    compile_ms = now_ms() - start;
    return {};
  }

  EngineResult launch(KernelArguments& args) override {
    auto bits = argument_bits(args);
    auto ranges = argument_ranges(args);
    TrapBuffer traps(*function_, spec_);
    traps.append_to(bits, ranges);
    ThreadRunOptions o{.memory = ranges};
    if (options_.max_steps) o.max_steps = options_.max_steps;
    double start = now_ms();
    RunResult r = interpreter_->run(spec_, bits, o);
    double ms = now_ms() - start;
    EngineResult e = r.ok() && traps.needed() ? traps.result(*function_, spec_) : convert(r);
    e.launch_ms = ms;
    return e;
  }

 private:
  EngineOptions options_;
  bool optimised_;
  const Function* function_ = nullptr;
  LaunchSpec spec_;
  std::unique_ptr<ThreadInterpreter> interpreter_;
};

class WaveEngine : public Engine {
 public:
  explicit WaveEngine(const EngineOptions& options) : options_(options) {}

  EngineResult prepare(const Program& program, const LaunchSpec& spec) override {
    double start = now_ms();
    spec_ = spec;
    wave_ = make_wave(*program.optimised, {.width = options_.width ? options_.width : 16});
    interpreter_ = std::make_unique<WaveInterpreter>(*wave_);
    compile_ms = now_ms() - start;
    return {};
  }

  EngineResult launch(KernelArguments& args) override {
    auto bits = argument_bits(args);
    auto ranges = argument_ranges(args);
    TrapBuffer traps(*wave_, spec_);
    traps.append_to(bits, ranges);
    WaveRunOptions o{.memory = ranges};
    if (options_.max_steps) o.max_steps = options_.max_steps;
    double start = now_ms();
    WaveRunResult r = interpreter_->run(spec_, bits, o);
    double ms = now_ms() - start;
    EngineResult e = r.ok() ? traps.result(*wave_, spec_) : convert(r);
    e.launch_ms = ms;
    e.stats = {{"steps", static_cast<double>(r.steps)}, {"waves", static_cast<double>(r.statistics.waves)}};
    return e;
  }

 private:
  EngineOptions options_;
  LaunchSpec spec_;
  std::unique_ptr<Function> wave_;
  std::unique_ptr<WaveInterpreter> interpreter_;
};

}  // namespace

std::unique_ptr<Engine> make_thread_engine(const EngineOptions& o) {
  return std::make_unique<ThreadEngine>(o, false);
}
std::unique_ptr<Engine> make_passes_engine(const EngineOptions& o) {
  return std::make_unique<ThreadEngine>(o, true);
}
std::unique_ptr<Engine> make_wave_engine(const EngineOptions& o) { return std::make_unique<WaveEngine>(o); }

}  // namespace kc
