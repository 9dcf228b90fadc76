// SPDX-License-Identifier: Apache-2.0
#include "papers/launches.h"

#include <fmt/format.h>

#include <array>
#include <sstream>

#include "backends/gcn/gcn.h"
#include "driver/commands/simulate.h"
#include "driver/compare.h"
#include "host/gcn_code.h"
#include "ir/check.h"
#include "passes/lower/lower_private.h"
#include "passes/pipeline.h"

namespace kc::bench {
namespace {

std::vector<std::string> words(std::string_view text) {
  std::istringstream in{std::string(text)};
  std::vector<std::string> all;
  for (std::string word; in >> word;) all.push_back(word);
  return all;
}

bool is_buffer(Type t) { return t == kPtrGlobal || t == kPtrConstant; }

// Accesses of global memory in a block: reads, and those that may write.
std::pair<uint64_t, uint64_t> accesses(const Function& f, BlockId b) {
  uint64_t reads = 0, writes = 0;
  for (InstId i : f.block(b).insts) {
    const Inst& inst = f.inst(i);
    const Effects effects = info(inst.op).effects;
    if (inst.operands.empty() || !is_buffer(f.type(inst.operands[0]))) continue;
    reads += effects == Effects::Read;
    writes += effects == Effects::Write;
  }
  return {reads, writes};
}

}  // namespace

Size size_of(const Function& f) {
  Size size{.blocks = f.layout.size()};
  for (BlockId b : f.layout) size.instructions += f.block(b).insts.size();
  return size;
}

std::expected<PaperKernel, std::string> PaperKernel::open(const PaperCase& what, const std::string& root,
                                                          const std::string& data) {
  std::vector<std::string> line{"stats", fmt::format("{}/{}", root, what.file)};
  for (std::string word : words(what.arguments)) {
    if (size_t at = word.find("@DATA/"); at != std::string::npos) word.replace(at + 1, 4, data);
    line.push_back(std::move(word));
  }
  CommandLine parsed = parse_command_line(line);
  if (!parsed.options) return std::unexpected(parsed.text);
  auto session = open_session(*parsed.options);
  if (!session) return std::unexpected(session.error().message);
  PaperKernel kernel(what, std::move(*parsed.options), std::move(*session));
  if (std::string problem = kernel.interpret(); !problem.empty()) return std::unexpected(problem);
  return kernel;
}

// The reference runs what the front end made, before any pass.
std::string PaperKernel::interpret() {
  auto engine = find_engine("interp")->make({});
  after_ = session_.inputs;
  EngineResult r = engine->prepare(session_.program, session_.spec);
  if (r.status == EngineStatus::Ok) r = engine->launch(after_);
  return r.status == EngineStatus::Ok ? "" : r.trap ? describe(*r.trap, *session_.kernel) : r.message;
}

std::unique_ptr<Function> PaperKernel::restructured(std::string_view scheme) const {
  auto parsed = parse_restructure(scheme);
  KC_CHECK(parsed.has_value(), "{}", parsed.error());
  PassState state{std::make_unique<Function>(thread())};
  state.restructure = *parsed;
  state.wave.uniformity = uniformity();
  auto done = run_pipeline(state, std::array{parsed->pass});
  KC_CHECK(done.has_value(), "{}: {}", what_.name, done.error().message);
  return std::move(state.f);
}

Cost PaperKernel::simulate(const Function& f, WarpScheme scheme, uint32_t warp) const {
  LaunchSpec spec = session_.spec;
  KernelArguments args = session_.inputs;
  BoundArguments bound = bind_arguments(args, f, spec);
  std::vector<std::pair<uint64_t, uint64_t>> by_block(f.block_count());
  for (BlockId b : f.layout) by_block[b.index] = accesses(f, b);
  Cost cost;
  auto count = [&](uint64_t, BlockId b, const LaneSet&) {
    cost.loads += by_block[b.index].first;
    cost.stores += by_block[b.index].second;
  };
  WarpRunResult r = WarpSimulator(f, block_priorities(f))
                        .run(spec, bound.bits,
                             {.memory = bound.ranges, .scheme = scheme, .width = warp, .on_block = count});
  cost.run = r.statistics;
  if (!r.ok())
    cost.problem = r.trap ? describe_deadlock(*r.trap, f) : r.message;
  else if (bound.trap())
    cost.problem = "work-items trapped";
  else if (!compare_buffers(after_, args, 0).first.empty())
    cost.problem = "other results than the interpreter";
  return cost;
}

UniformityOptions PaperKernel::uniformity() const { return find_target("gfx900")->ids(session_.spec.local); }

MachineCode PaperKernel::machine_code(const Function& f) const {
  const TargetDesc& target = *find_target("gfx900");
  // The simulator's thread IR has private accesses of any size.
  Function words = f;
  lower_private(words, target.private_units);
  auto wave = make_wave(words, target, {.width = target.wave_lanes, .ids = uniformity()});
  auto made = compile_wave_for_gcn(std::move(wave), target, session_.spec.local);
  KC_CHECK(made.has_value(), "{}: {}", what_.name, made.error().message);
  const GcnCode* code = &made->code;
  return {code->resources.instructions, code->resources.vgprs, code->resources.sgprs};
}

int PaperKernel::check() const { return command_check(options_); }

}  // namespace kc::bench
