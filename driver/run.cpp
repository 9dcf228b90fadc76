// SPDX-License-Identifier: Apache-2.0
// kernelc run: one kernel, one engine, what came out.
#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>

#include "driver/compiler.h"

namespace kc {
namespace {

using Json = nlohmann::ordered_json;

Json trap_json(const EngineResult& result) {
  if (!result.trap) return nullptr;
  const TrapReport& t = *result.trap;
  return {{"kind", trap_name(t.site.kind)}, {"type", t.site.type},      {"value", format_trap_value(t)},
          {"line", t.site.loc.line},        {"global_id", t.global_id}, {"count", t.count}};
}

int status_of(EngineStatus status) {
  switch (status) {
    case EngineStatus::Ok:
      return ExitOk;
    case EngineStatus::Trapped:
      return ExitTrap;
    case EngineStatus::Absent:
      return ExitAbsent;
    case EngineStatus::Unsupported:
      return ExitSource;
    case EngineStatus::Failed:
      return ExitTrap;
  }
  return ExitInternal;
}

struct Session {
  Module module;
  Function* kernel = nullptr;
  KernelArguments inputs;
  LaunchSpec spec;
  Program program;
};

std::expected<Session, DriverError> prepare(const Options& o) {
  Session s;
  auto input = load_input(o);
  if (!input) return std::unexpected(input.error());
  s.module = std::move(input->module);
  auto kernel = choose_kernel(s.module, o);
  if (!kernel) return std::unexpected(kernel.error());
  s.kernel = *kernel;
  auto spec = make_launch(*s.kernel, o);
  if (!spec) return std::unexpected(spec.error());
  s.spec = *spec;
  auto inputs = parse_arguments(*s.kernel, o.args);
  if (!inputs) return std::unexpected(inputs.error());
  s.inputs = std::move(*inputs);
  s.spec.small_buffers = has_small_buffers(s.inputs, s.spec);
  if (auto ok = check_outputs(*s.kernel, s.inputs, o); !ok) return std::unexpected(ok.error());
  auto program = make_program(*s.kernel, o);
  if (!program) return std::unexpected(program.error());
  s.program = std::move(*program);
  s.program.text = std::move(input->text);
  return s;
}

}  // namespace

int command_run(const Options& o) {
  if (o.targets.size() > 1) return report({ExitUsage, "run takes one --target"});
  std::string target = o.targets.empty() ? "cpu" : o.targets[0];
  const EngineInfo* info = find_engine(target);
  if (!info) return report({ExitUsage, fmt::format("unknown target '{}'", target)});
  auto session = prepare(o);
  if (!session) return report(session.error());
  Session& s = *session;

  if (o.check_bounds && info->name != "interp")
    return report({ExitUsage, "--check-bounds needs --target=interp"});
  auto engine = info->make(
      {.width = o.width, .threads = o.threads, .max_steps = o.max_steps, .check_bounds = o.check_bounds});
  EngineResult result = engine->prepare(s.program, s.spec);
  std::vector<double> times;
  KernelArguments args;
  for (uint32_t i = 0; i < o.repeat && result.status == EngineStatus::Ok; ++i) {
    args = s.inputs;
    result = engine->launch(args);
    times.push_back(result.launch_ms);
    if (result.status == EngineStatus::Trapped && i + 1 < o.repeat) result.status = EngineStatus::Ok;
  }
  int status = status_of(result.status);
  if (result.status != EngineStatus::Ok && result.status != EngineStatus::Trapped)
    return report({status, fmt::format("target {}: {}", target, result.message)});

  for (const EngineWarning& w : result.warnings)
    fmt::print(stderr, "{}:{}:{}: warning: {}\n", o.file, w.loc.line, w.loc.column, w.message);
  if (!result.message.empty()) fmt::print(stderr, "kernelc: note: target {}: {}\n", target, result.message);
  Json prints = Json::object();
  for (const std::string& spec : o.prints) {
    auto lines = print_buffer(*s.kernel, args, spec);
    if (!lines) return report(lines.error());
    if (o.json)
      prints[spec] = *lines;
    else
      for (const std::string& line : *lines) fmt::print("{}\n", line);
  }
  for (const std::string& spec : o.dumps)
    if (auto ok = dump_buffer(*s.kernel, args, spec); !ok) return report(ok.error());
  for (const std::string& spec : o.images)
    if (auto ok = write_image(*s.kernel, args, spec); !ok) return report(ok.error());
  if (o.json) {
    Json stats = Json::object();
    for (const auto& [name, value] : result.stats) stats[name] = value;
    Json out{{"target", target},
             {"kernel", s.kernel->name},
             {"compile_ms", s.program.front_ms + engine->compile_ms},
             {"launch_ms", times},
             {"trap", trap_json(result)},
             {"stats", stats}};
    if (!result.message.empty()) out["note"] = result.message;
    if (!o.prints.empty()) out["print"] = prints;
    fmt::print("{}\n", out.dump(2));
  } else if (o.repeat > 1) {
    std::vector<double> sorted = times;
    std::sort(sorted.begin(), sorted.end());
    fmt::print(
        "{} on {}: compile {:.2f} ms, launch median {:.3f} ms, min {:.3f} ms, max {:.3f} ms over {} runs\n",
        s.kernel->name, target, s.program.front_ms + engine->compile_ms, sorted[sorted.size() / 2],
        sorted.front(), sorted.back(), sorted.size());
  }
  if (result.trap)
    fmt::print(stderr, "{}:{}: error: {}\n", o.file, result.trap->site.loc.line,
               describe(*result.trap, *s.kernel));
  return status;
}

}  // namespace kc
