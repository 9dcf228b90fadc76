// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>
#include <bit>

#include "driver/compiler.h"
#include "driver/engines/engine_list.h"
#include "ir/text.h"
#include "passes/lower/lower_sub_groups.h"
#include "sim/interpreter/order_dependence.h"
#include "sim/interpreter/thread_interpreter.h"
#include "sim/interpreter/wave_interpreter.h"
#include "sim/warp/trace.h"

namespace kc {
namespace {

std::string describe(const UnwrittenRead& read) {
  return fmt::format("reads bytes of '{}' that no work-item has written, in work-item ({}, {}, {})",
                     read.object, read.global_id[0], read.global_id[1], read.global_id[2]);
}

/// The oracle runs what the front end made; the second form runs what the thread passes made of it.
class ThreadEngine : public Engine {
 public:
  ThreadEngine(const EngineOptions& options, bool optimised) : options_(options), optimised_(optimised) {}

  EngineResult prepare(const Program& program, const LaunchSpec& spec) override {
    double start = now_ms();
    function_ = optimised_ ? program.optimised.get() : program.source;
    if (program.check_bounds && !optimised_) {
      checked_ = check_accesses(*program.source);
      function_ = checked_.get();
    }
    spec_ = spec;
    if (function_->dialect != Dialect::Thread)
      return {.status = EngineStatus::Unsupported,
              .message = "the passes leave waves, and it runs work-items"};
    if (uses_sub_groups(*function_))
      return {.status = EngineStatus::Unsupported,
              .message = "work-items run one after the other here, not in sub-groups"};
    interpreter_ = std::make_unique<ThreadInterpreter>(*function_);
    compile_ms = now_ms() - start;
    return {};
  }

  EngineResult launch(KernelArguments& args) override {
    BoundArguments bound = bind_arguments(args, *function_, spec_);
    ThreadRunOptions o{.memory = bound.ranges, .stop = &stop_};
    if (options_.max_steps) o.max_steps = options_.max_steps;
    if (options_.find_order_dependence) return find_order(args, bound, o);
    double start = now_ms();
    ThreadRunResult r = interpreter_->run(spec_, bound.bits, o);
    EngineResult e = interpreted(r, bound, start);
    e.divergent_barrier = r.divergent_barrier;
    if (r.unwritten) e.warnings.push_back({r.unwritten->loc, describe(*r.unwritten)});
    return e;
  }

 private:
  EngineResult find_order(KernelArguments& args, BoundArguments& bound,
                          const ThreadRunOptions& options) const {
    const std::vector<BufferArg> inputs = args.buffers;
    const std::vector<uint64_t> no_messages = bound.messages;
    auto restore = [&] {
      for (size_t k = 0; k < inputs.size(); ++k)
        std::copy_n(inputs[k].bytes.data(), inputs[k].bytes.size(), args.buffers[k].bytes.data());
      std::ranges::copy(no_messages, bound.messages.begin());
      std::ranges::fill(bound.slots, TrapSlot{});
    };
    const MemoryRange messages{reinterpret_cast<uint64_t>(bound.messages.data()), bound.messages.size() * 8};
    auto found = find_order_dependence(*interpreter_, spec_, bound.bits, options, messages, restore);
    EngineResult e;
    if (!found.first) return e;
    OpenResults& open = e.order_dependence.emplace(*found.first);
    open.trap = found.trap;
    for (size_t k = 0; k < bound.ranges.size(); ++k)
      if (k < args.buffers.size())
        open.bytes.push_back(std::move(found.bytes[k]));
      else if (messages.size && bound.ranges[k].base == messages.base)
        open.printed = std::ranges::find(found.bytes[k], 1) != found.bytes[k].end();
    return e;
  }

  EngineOptions options_;
  bool optimised_;
  std::unique_ptr<Function> checked_;
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
    if (options_.width == 1 && !program.lowered && uses_sub_groups(*program.optimised))
      return {.status = EngineStatus::Unsupported,
              .message = "it has sub-group operations, which need waves of several lanes"};
    if (program.lowered) {
      wave_ = std::make_unique<Function>(*program.lowered->function);
    } else if (auto lowered = lower(program)) {
      wave_ = std::move(*lowered);
    } else {
      return not_compiled(lowered.error());
    }
    if (std::string why = wrong_sub_group_size(*wave_); !why.empty())
      return {.status = EngineStatus::Unsupported, .message = why};
    interpreter_ = std::make_unique<WaveInterpreter>(*wave_);
    compile_ms = now_ms() - start;
    return {};
  }

  EngineResult launch(KernelArguments& args) override {
    BoundArguments bound = bind_arguments(args, *wave_, spec_);
    WaveRunOptions o{.memory = bound.ranges, .stop = &stop_};
    if (options_.max_steps) o.max_steps = options_.max_steps;
    std::optional<TraceWriter> trace;
    if (options_.trace) {
      trace.emplace(*wave_, fmt::format("wave{}", wave_->width), wave_->width, options_.trace);
      o.on_block = [&](uint64_t wave, BlockId b, uint64_t mask) {
        LaneSet lanes;
        for (; mask; mask &= mask - 1) lanes.push_back(static_cast<uint32_t>(std::countr_zero(mask)));
        trace->block(wave, b, lanes);
      };
    }
    double start = now_ms();
    WaveRunResult r = interpreter_->run(spec_, bound.bits, o);
    if (trace) trace->finish();
    EngineResult e = interpreted(r, bound, start);
    e.stats.emplace_back("waves", static_cast<double>(r.statistics.waves));
    return e;
  }

  std::optional<SubGroups> sub_groups() const override { return SubGroups{wave_->width, true}; }
  std::optional<FormText> form() const override { return FormText{"kir", print(*wave_)}; }

 private:
  // Passes that a user named may leave what cannot be lowered, or waves.
  std::expected<std::unique_ptr<Function>, CompileError> lower(const Program& program) const {
    const Function& f = *program.optimised;
    const uint32_t required = f.reqd_sub_group;
    const uint32_t width = options_.width ? options_.width : required ? required : 16;
    const WaveConfig config{.width = width, .small_buffers = spec_.small_buffers};
    if (!program.compiler || !program.compiler->stopped()) return make_wave(f, interpreter_target(), config);
    if (f.dialect == Dialect::Wave) {
      if (f.width == width) return std::make_unique<Function>(f);
      return std::unexpected(CompileError{CompileError::Unsupported,
                                          fmt::format("the passes leave waves of {} lanes", f.width)});
    }
    auto passed = program.compiler->wave(interpreter_target(), config);
    if (passed) return std::move(passed->function);
    passed.error().kind = CompileError::Unsupported;
    return std::unexpected(std::move(passed.error()));
  }

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
