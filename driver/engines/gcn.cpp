// SPDX-License-Identifier: Apache-2.0
// A kernel as a code object for a gfx9 machine, assembled and linked by LLVM, executed by our
// strict emulator.
#include <fmt/format.h>

#include "driver/engines/engine_list.h"
#include "host/gcn_code.h"
#include "host/gcn_emulation.h"
#include "sim/gcn/kernarg.h"

namespace kc {
namespace {

class GcnEngine : public Engine {
 public:
  GcnEngine(const EngineOptions& options, std::string_view cpu)
      : options_(options), machine_(*find_target(cpu)) {}

  EngineResult prepare(const Program& program, const LaunchSpec& spec) override {
    double start = now_ms();
    spec_ = spec;
    if (program.object) {
      if (program.object->model->cpu != machine_.name)
        return {.status = EngineStatus::Unsupported,
                .message = fmt::format("the object is for {}", program.object->model->cpu)};
      foreign_ = program.object;
      signature_ = program.source;
      return {.message = "emulated", .emulated = true};
    }
    auto made = program.lowered ? compile_wave_for_gcn(std::make_unique<Function>(*program.lowered->function),
                                                       machine_, program.lowered->local, watch_of(program))
                                : compile_for_gcn(*program.compiler, machine_, spec.local);
    if (!made) return not_compiled(made.error());
    if (options_.keep_form) assembly_ = assembly_of({&*made, 1});
    auto loaded =
        load_for_emulator(std::move(*made), options_.assembly_text ? GcnReading::Text : GcnReading::Object);
    if (!loaded) return not_compiled(loaded.error());
    kernel_ = std::move(*loaded);
    foreign_.reset();
    compile_ms = now_ms() - start;
    return {.message = "emulated", .emulated = true};
  }

  EngineResult launch(KernelArguments& args) override {
    if (foreign_) return launch_object(args);
    BoundArguments bound = bind_arguments(args, *kernel_.wave, spec_);
    return result_of_run(bound, launch_on_emulator(kernel_, bound, spec_, options_.max_steps, &stop_));
  }

  std::optional<FormText> form() const override { return FormText{"s", assembly_}; }
  std::optional<SubGroups> sub_groups() const override { return SubGroups{machine_.wave_lanes, false}; }

 private:
  // Local arguments lie behind what the object itself has, as a runtime places them.
  EngineResult launch_object(KernelArguments& args) {
    BoundArguments bound = bind_arguments(args, *signature_, spec_);
    const GcnKernel* kernel = foreign_->find(signature_->name);
    LaunchSpec placed = spec_;
    placed.local_bytes = kernel->lds_bytes;
    for (size_t i = 0; i < args.values.size(); ++i)
      if (args.values[i].is_local) bound.bits[i] = place_local_argument(args.values[i].bits, placed);
    auto dynamic = static_cast<uint32_t>(placed.local_bytes - kernel->lds_bytes);
    placed.local_bytes = dynamic;
    auto kernarg = fill_kernarg(*kernel, placed, bound.bits);
    if (!kernarg) return {.status = EngineStatus::Unsupported, .message = kernarg.error()};
    GcnOptions options{.foreign = true, .stop = &stop_, .dynamic_lds = dynamic};
    if (options_.max_steps) options.max_steps = options_.max_steps;
    auto site_of = [&](uint64_t place) {
      return TrapSite{.kind = TrapKind::DivergentBarrier, .loc = {.line = foreign_->code[place].line}};
    };
    return result_of_run(bound,
                         emulate_object(*foreign_, kernel->name, *kernarg, bound, spec_, options, site_of));
  }

  static EngineResult result_of_run(const BoundArguments& bound,
                                    std::expected<EmulatedRun, LaunchError> ran) {
    if (!ran) return not_launched(ran.error());
    EngineResult r = result_of(bound);
    r.trap = std::move(ran->trap);
    if (r.trap) r.status = EngineStatus::Trapped;
    r.launch_ms = ran->ms;
    r.message = "emulated", r.emulated = true;
    const GcnCounters& c = ran->counters;
    r.stats = {{"instructions", static_cast<double>(c.instructions())},
               {"valu", static_cast<double>(c.insts_valu)},
               {"salu", static_cast<double>(c.insts_salu)},
               {"valu_utilization", c.valu_utilization()}};
    return r;
  }

  EngineOptions options_;
  const TargetDesc& machine_;
  std::string assembly_;
  LaunchSpec spec_;
  EmulatedGcn kernel_;
  std::shared_ptr<const GcnObject> foreign_;  // in place of it: an object that was given
  const Function* signature_ = nullptr;
};

template <size_t N>
std::unique_ptr<Engine> make_engine(const EngineOptions& o) {
  return std::make_unique<GcnEngine>(o, gcn::kModels[N].cpu);
}

// `check` asks the first alone: the others differ from it in little.
template <size_t N>
void add_engine(std::vector<EngineInfo>& list) {
  const gcn::MachineModel& model = gcn::kModels[N];
  if (model.emulated)
    list.push_back({.name = model.cpu,
                    .summary = fmt::format("code objects for {} in the strict emulator", model.products),
                    .make = &make_engine<N>,
                    .in_check = list.empty(),
                    .compiles = true,
                    .runs_objects = true,
                    .counts_steps = true});
}

}  // namespace

std::vector<EngineInfo> gcn_engines() {
  std::vector<EngineInfo> list;
  [&]<size_t... N>(std::index_sequence<N...>) { (add_engine<N>(list), ...); }
  (std::make_index_sequence<std::size(gcn::kModels)>());
  return list;
}

}  // namespace kc
