// SPDX-License-Identifier: Apache-2.0
// A kernel as a code object for gfx900, gfx906 or gfx90a, assembled and linked by LLVM, executed by our
// strict emulator.
#include <fmt/format.h>

#include <algorithm>
#include <cstddef>
#include <cstring>

#include "backends/gcn/gcn.h"
#include "driver/engines/engine_list.h"
#include "host/gcn_code.h"
#include "sim/gcn/emulator.h"
#include "sim/gcn/kernarg.h"

namespace kc {
namespace {

EngineResult failure(const ToolError& error) {
  return {.status = error.absent ? EngineStatus::Absent : EngineStatus::Failed, .message = error.message};
}

class Gfx900Engine : public Engine {
 public:
  Gfx900Engine(const EngineOptions& options, std::string_view cpu)
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
      return {.message = "emulated"};
    }
    auto made = compile_for_gcn(*program.compiler, machine_, spec.local);
    if (!made) return not_compiled(made.error());
    if (options_.keep_form) assembly_ = assembly_of({&*made, 1});
    wave_ = std::move(made->wave);
    const GcnCode* code = &made->code;
    const GcnTarget& target = made->target;
    barrier_sites_ = code->barrier_sites;
    if (options_.assembly_text) {
      auto object = load_assembly(code->assembly);
      if (!object) return {.status = EngineStatus::Failed, .message = object.error()};
      object_ = std::move(*object);
    } else {
      auto bytes = assemble_gcn(code->assembly, target);
      if (!bytes) return failure(bytes.error());
      auto object = load_code_object(*bytes);
      if (!object) return failure(object.error());
      object_ = std::move(*object);
    }
    compile_ms = now_ms() - start;
    return {.message = "emulated"};
  }

  EngineResult launch(KernelArguments& args) override {
    if (foreign_) return launch_object(args);
    BoundArguments bound = bind_arguments(args, *wave_, spec_);
    if (spec_.local_bytes > gcn::kMaxLocalBytes)
      return {.status = EngineStatus::Unsupported,
              .message = fmt::format("{} bytes of local memory (gfx9 has {})", spec_.local_bytes,
                                     gcn::kMaxLocalBytes)};
    KernargLayout layout = kernarg_layout(*wave_);
    std::vector<uint8_t> kernarg(layout.bytes);
    const auto& params = wave_->block(wave_->entry()).params;
    for (size_t i = 0; i < bound.bits.size(); ++i)
      if (layout.offsets[i] != KernargLayout::kInObject)
        std::memcpy(kernarg.data() + layout.offsets[i], &bound.bits[i], wave_->type(params[i]).bytes());
    std::memcpy(kernarg.data() + layout.hidden_offset, spec_.offset.data(), sizeof spec_.offset);
    uint64_t own = lay_out_objects(*wave_, kPtrLocal).size;
    GcnOptions o{.dynamic_lds = static_cast<uint32_t>(std::max(spec_.local_bytes, own) - own)};
    return emulate(object_, wave_->name, kernarg, bound, o,
                   [&](uint64_t place) { return site_of_barrier(place); });
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
    const GcnOptions options{.foreign = true, .dynamic_lds = dynamic};
    return emulate(*foreign_, kernel->name, *kernarg, bound, options, [&](uint64_t place) {
      return TrapSite{.kind = TrapKind::DivergentBarrier, .loc = {.line = foreign_->code[place].line}};
    });
  }

  template <typename SiteOf>
  EngineResult emulate(const GcnObject& object, const std::string& kernel,
                       const std::vector<uint8_t>& kernarg, const BoundArguments& bound, GcnOptions o,
                       SiteOf site_of) {
    if (options_.max_steps) o.max_steps = options_.max_steps;
    double start = now_ms();
    GcnResult ran = run_gcn(object, kernel, spec_, kernarg, bound.ranges, o);
    double ms = now_ms() - start;
    if (ran.status == GcnResult::Error) return {.status = EngineStatus::Failed, .message = ran.message};
    EngineResult r = result_of(bound);
    for (const StrandedItem& s : ran.stranded)
      add_trap(r.trap, {.site = site_of(s.place), .global_id = s.global_id, .count = 1});
    if (r.trap) r.status = EngineStatus::Trapped;
    r.launch_ms = ms;
    r.message = "emulated";
    r.stats = {{"instructions", static_cast<double>(ran.counters.instructions())},
               {"valu", static_cast<double>(ran.counters.insts_valu)},
               {"salu", static_cast<double>(ran.counters.insts_salu)},
               {"valu_utilization", ran.counters.valu_utilization()}};
    return r;
  }

  // Barriers stand in the code in the order in which they were made.
  TrapSite site_of_barrier(uint64_t place) const {
    auto end = object_.code.begin() + static_cast<std::ptrdiff_t>(place);
    auto nth = static_cast<size_t>(
        std::count_if(object_.code.begin(), end, [](const GcnInst& i) { return i.op == Op::gcn_s_barrier; }));
    return wave_->traps[barrier_sites_[nth]];
  }

  EngineOptions options_;
  const TargetDesc& machine_;
  std::string assembly_;
  LaunchSpec spec_;
  std::unique_ptr<Function> wave_;
  GcnObject object_;
  std::shared_ptr<const GcnObject> foreign_;  // in place of the four above: an object that was given
  const Function* signature_ = nullptr;
  std::vector<uint32_t> barrier_sites_;
};

}  // namespace

std::unique_ptr<Engine> make_gfx900_engine(const EngineOptions& o) {
  return std::make_unique<Gfx900Engine>(o, "gfx900");
}
std::unique_ptr<Engine> make_gfx906_engine(const EngineOptions& o) {
  return std::make_unique<Gfx900Engine>(o, "gfx906");
}
std::unique_ptr<Engine> make_gfx90a_engine(const EngineOptions& o) {
  return std::make_unique<Gfx900Engine>(o, "gfx90a");
}

}  // namespace kc
