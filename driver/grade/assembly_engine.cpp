// SPDX-License-Identifier: Apache-2.0
#include "driver/grade/assembly_engine.h"

#include <fmt/format.h>

#include "host/gcn_code.h"

namespace kc {

EngineResult AssemblyEngine::prepare(const Program& program, const LaunchSpec& spec) {
  spec_ = spec;
  const TargetDesc& machine = *find_target("gfx900");
  if (object_->model->cpu != machine.name)
    return {.status = EngineStatus::Failed,
            .message = fmt::format("the assembly is for {}, not for gfx900", object_->model->cpu)};
  auto made = compile_for_gcn(*program.compiler, machine, spec.local);
  if (!made) return not_compiled(made.error());
  wave_ = std::move(made->wave);
  if (!object_->find(wave_->name))
    return {.status = EngineStatus::Failed,
            .message = fmt::format("the assembly has no kernel '{}'", wave_->name)};
  return {.message = "emulated", .emulated = true};
}

EngineResult AssemblyEngine::launch(KernelArguments& args) {
  BoundArguments bound = bind_arguments(args, *wave_, spec_);
  auto ran = launch_assembly(*object_, *wave_, bound, spec_, max_steps_, &stop_);
  if (!ran) return not_launched(ran.error());
  EngineResult r = result_of(bound);
  r.trap = std::move(ran->trap);
  if (r.trap) r.status = EngineStatus::Trapped;
  const GcnCounters& c = ran->counters;
  r.stats = {{"instructions", static_cast<double>(c.instructions())},
             {"vector", static_cast<double>(c.insts_valu)},
             {"scalar", static_cast<double>(c.insts_salu)},
             {"issue_quads", static_cast<double>(c.valu_quads)},
             {"memory_lines", static_cast<double>(c.vmem_lines)},
             {"local_cycles", static_cast<double>(c.lds_cycles)}};
  return r;
}

}  // namespace kc
