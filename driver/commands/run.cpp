// SPDX-License-Identifier: Apache-2.0
// kernelc run: one kernel, one engine, what came out.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <nlohmann/json.hpp>

#include "driver/checked_replay.h"
#include "driver/commands/run_results.h"
#include "driver/engines/hip_options.h"
#include "driver/lowered_text.h"
#include "driver/script/script_runner.h"
#include "driver/session.h"
#include "driver/targets.h"
#include "driver/time_limit.h"
#include "host/traps.h"
#include "ir/parameters.h"
#include "ir/text.h"

namespace kc {
namespace {

using Json = nlohmann::ordered_json;

// What the launches came to.
struct Launches {
  EngineResult result;
  std::shared_ptr<KernelArguments> args = std::make_shared<KernelArguments>();  // after the last one
  std::vector<double> times;
  double compile_ms = 0;
  bool given_up = false;  // the last one did not end in time
  Loc stopped_at{};       // then: where some work-item was
};

std::expected<void, DriverError> write_form(const Options& o, const EngineInfo& info, const Session& s,
                                            const Engine& engine) {
  auto form = engine.form();
  if (!form || form->text.empty())
    return std::unexpected(DriverError{ExitUsage, fmt::format("--emit-forms: {} shows no code", info.name)});
  std::error_code error;
  std::filesystem::create_directories(o.form_dir, error);
  if (error)
    return std::unexpected(
        DriverError{ExitIo, fmt::format("cannot make '{}': {}", o.form_dir, error.message())});
  const auto file =
      std::filesystem::path(o.form_dir) / fmt::format("{}.{}.{}", s.kernel->name, info.name, form->extension);
  return write_output(file.string(), form->text);
}

std::expected<Launches, DriverError> launch(const Options& o, const EngineInfo& info, const Session& s) {
  OutputFile trace;
  EngineOptions options{.width = info.width ? info.width : o.width,
                        .threads = o.threads,
                        .max_steps = o.max_steps,
                        .scheme = o.scheme,
                        .warp = o.warp,
                        .adapt = o.adapt && o.form_dir.empty(),
                        .keep_form = !o.form_dir.empty()};
  if (!o.trace.empty()) {
    if (auto ok = trace.open(o.trace); !ok) return std::unexpected(ok.error());
    options.trace = [&](std::string_view piece) { trace.write(piece); };
  }
  std::shared_ptr<Engine> engine = info.make(options);
  Launches l{.result = engine->prepare(s.program, s.spec), .times = {}};
  print_times(o, *s.program.pass_times);
  if (!o.form_dir.empty() && l.result.status == EngineStatus::Ok)
    if (auto ok = write_form(o, info, s, *engine); !ok) return std::unexpected(ok.error());
  for (uint32_t i = 0; i < o.repeat && l.result.status == EngineStatus::Ok; ++i) {
    // In the memory of the launch before: new pages would cost that launch its first accesses.
    KernelArguments inputs = l.args ? std::move(*l.args) : KernelArguments();
    inputs = s.inputs;
    LimitedLaunch one = launch_within(o.timeout, engine, std::move(inputs),
                                      fmt::format("{} on {}", s.kernel->name, info.name));
    l.args = one.args;
    l.result = one.result;
    l.given_up = !one.ended;
    l.stopped_at = one.stopped_at;
    if (l.given_up) break;
    if (l.result.out_of_bounds)
      if (auto checked = replay_checked(o, info, options, s)) {
        l.args = checked->args;
        l.result = checked->result;
        l.given_up = !checked->ended;
        break;
      }
    l.times.push_back(l.result.launch_ms);
    if (l.result.status == EngineStatus::Trapped && i + 1 < o.repeat) l.result.status = EngineStatus::Ok;
  }
  l.compile_ms = s.program.front_ms + engine->compile_ms;
  // What ran before a launch stopped is in the trace, too.
  if (!o.trace.empty())
    if (auto ok = trace.close(); !ok) return std::unexpected(ok.error());
  return l;
}

// Whether the options go together with each other and the target.
std::expected<const EngineInfo*, DriverError> choose_target(const Options& o, const std::string& target) {
  auto wrong = [](std::string message) {
    return std::unexpected(DriverError{ExitUsage, std::move(message)});
  };
  if (o.targets.size() > 1) return wrong("run takes one --target");
  auto engine = engine_named("target", target);
  if (!engine) return engine;
  const EngineInfo* info = *engine;
  if (!o.trace.empty() && !info->traces) return wrong("--trace needs --target=sim, sim-SCHEME or waveN");
  if (o.max_steps && !info->counts_steps)
    return wrong(
        fmt::format("--max-steps needs an interpreter or an emulator: '{}' counts no steps, but --timeout "
                    "stops it",
                    target));
  if (!o.trace.empty() && o.timeout != 0) return wrong("--trace goes with --max-steps, not with --timeout");
  if (!o.trace.empty() && o.repeat > 1) return wrong("--trace goes with one launch, not with --repeat");
  return info;
}

// The buffers, as --print, --dump and --image ask for them; with --json what is printed goes to `prints`.
std::expected<void, DriverError> write_buffers(const Options& o, const Session& s,
                                               const KernelArguments& args, Json& prints) {
  for (const std::string& spec : o.prints) {
    auto lines = print_buffer(*s.kernel, args, spec);
    if (!lines) return std::unexpected(lines.error());
    if (o.json)
      prints[spec] = json_elements(*lines);
    else
      for (const std::string& line : *lines) fmt::print("{}\n", line);
  }
  for (const std::string& spec : o.dumps)
    if (auto ok = dump_buffer(*s.kernel, args, spec); !ok) return ok;
  for (const std::string& spec : o.images)
    if (auto ok = write_image(*s.kernel, args, spec); !ok) return ok;
  return {};
}

// Counts as integers, without the ".0" that JSON's writer gives a double.
Json json_number(double value) {
  if (value == std::floor(value) && std::abs(value) < 0x1p53) return static_cast<int64_t>(value);
  return value;
}

// Three significant digits, or all of those before the point.
std::string three_digits(double value) {
  const int before = value > 0 ? static_cast<int>(std::floor(std::log10(value))) + 1 : 1;
  return fmt::format("{:.{}f}", value, std::clamp(3 - before, 0, 9));
}

void print_summary(const Options& o, const std::string& target, const Session& s, const Launches& launches,
                   const Json& prints) {
  const auto& [result, args, times, compile_ms, given_up, stopped_at] = launches;
  if (o.json) {
    Json stats = Json::object();
    for (const auto& [name, value] : result.stats) stats[name] = json_number(value);
    Json out{{"target", target},
             {"kernel", s.kernel->name},
             {"compile_ms", compile_ms},
             {"launch_ms", times},
             {"trap", trap_json(result, *s.kernel)},
             {"stats", stats}};
    for (const auto& form : result.forms)
      out["forms"].push_back({{"form", form.form},
                              {"measured_tasks", form.tasks},
                              {"measured_ms", form.ms},
                              {"chosen", form.chosen}});
    if (given_up) out["stopped"] = fmt::format("did not end within {:g} s", o.timeout);
    if (given_up && stopped_at.line) out["stopped_at"] = describe_line(*s.kernel, stopped_at);
    if (!result.message.empty()) out["note"] = result.message;
    if (param_with_role(*s.kernel, ParamRole::Printf)) out["printf"] = result.printed.text;
    if (result.printed.lost) out["printf_lost"] = result.printed.lost;
    if (!o.prints.empty()) out["print"] = prints;
    // What is printed may be any bytes.
    fmt::print("{}\n", out.dump(2, ' ', false, Json::error_handler_t::replace));
  } else if (o.repeat > 1 && !times.empty()) {
    std::vector<double> sorted = times;
    std::sort(sorted.begin(), sorted.end());
    fmt::print("{} on {}: compile {} ms, launch median {} ms, min {} ms, max {} ms over {} runs\n",
               s.kernel->name, target, three_digits(compile_ms), three_digits(sorted[sorted.size() / 2]),
               three_digits(sorted.front()), three_digits(sorted.back()), sorted.size());
  }
}

// How large the buffer is that an access was outside of.
std::string note_size(const TrapReport& trap, const KernelArguments& args) {
  if (trap.site.kind != TrapKind::OutOfBounds || !trap.site.unit) return {};
  auto buffer = std::ranges::find(args.buffers, trap.site.object, &BufferArg::name);
  if (buffer == args.buffers.end()) return {};
  const size_t n = buffer->bytes.size() / trap.site.unit;
  return fmt::format("kernelc: note: '{}' has {} element{} of {} byte{}\n", buffer->name, n,
                     n == 1 ? "" : "s", trap.site.unit, trap.site.unit == 1 ? "" : "s");
}

}  // namespace

nlohmann::ordered_json trap_json(const EngineResult& result, const Function& kernel) {
  if (!result.trap) return nullptr;
  const TrapReport& t = *result.trap;
  nlohmann::ordered_json json{{"kind", trap_name(t.site.kind)}, {"type", t.site.type},
                              {"value", format_trap_value(t)},  {"line", t.site.loc.line},
                              {"global_id", t.global_id},       {"count", t.count}};
  if (t.site.loc.file) json["file"] = file_of(kernel, t.site.loc, "");
  return json;
}

void print_warnings(const EngineResult& result, const Function& kernel, std::string_view file) {
  for (const EngineWarning& w : result.warnings)
    fmt::print(stderr, "{}:{}:{}: warning: {}\n", file_of(kernel, w.loc, file), w.loc.line, w.loc.column,
               w.message);
}

nlohmann::ordered_json json_elements(const std::vector<std::string>& lines) {
  auto values = nlohmann::ordered_json::array();
  for (const std::string& line : lines) {
    auto number = nlohmann::ordered_json::parse(line, nullptr, false);
    if (number.is_discarded())
      values.push_back(line);  // inf, nan
    else
      values.push_back(std::move(number));
  }
  return values;
}

int status_of(const EngineResult& result) {
  if (result.device_gave_out) return ExitAbsent;
  switch (result.status) {
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

int command_run(const Options& o) {
  std::string target = o.targets.empty() ? "" : o.targets[0];
  if (!target.empty())
    if (auto known = choose_target(o, target); !known) return report(known.error());
  if (!o.script.empty()) return run_script(o, **choose_target(o, target.empty() ? "cpu" : target));
  const EngineInfo* asked = find_engine(target);  // null: none was named
  const bool compiles = !asked || asked->compiles;
  auto session = open_session(o, compiles ? PassesOf::Machine : PassesOf::Interpreters, true);
  if (!session) return report(session.error());
  Session& s = *session;
  if (target.empty() && s.program.is_binary())
    target = s.program.object ? s.program.object->model->cpu : "vulkan";
  if (target.empty()) target = s.lowered ? own_target(*s.lowered) : "cpu";
  // Code for a machine that is here runs there, and in the emulator otherwise.
  if (gcn::find_model(target) && !s.program.object && !s.lowered && hip_arch() == target) target = "hip";
  auto info = choose_target(o, target);
  if (!info) return report(info.error());
  if (s.program.object && !(*info)->runs_objects)
    return report({ExitUsage, fmt::format("'{}' is a code object, which '{}' does not run", o.file, target)});
  if (s.program.spirv && !(*info)->runs_modules)
    return report(
        {ExitUsage, fmt::format("'{}' is a SPIR-V module, which '{}' does not run", o.file, target)});
  if (s.lowered) {
    auto text = runnable_text(*s.lowered, **info, s.spec, o);
    if (!text) return report(text.error());
    s.program.lowered = std::move(*text);
  }
  auto launches = launch(o, **info, s);
  if (!launches) return report(launches.error());
  const EngineResult& result = launches->result;
  int status = status_of(result);
  if (!o.json) std::fwrite(result.printed.text.data(), 1, result.printed.text.size(), stdout);
  if (result.printed.lost)
    fmt::print(stderr, "kernelc: warning: {}; --printf-buffer makes it larger\n",
               describe_lost(result.printed, o.printf_bytes));
  if (result.status != EngineStatus::Ok && result.status != EngineStatus::Trapped)
    return report({status, fmt::format("target {}: {}", target, result.message)});

  print_warnings(result, *s.kernel, o.file);
  if (!result.message.empty()) fmt::print(stderr, "kernelc: note: target {}: {}\n", target, result.message);
  Json prints = Json::object();
  if (launches->given_up && !(*info)->in_place) {
    fmt::print(stderr, "kernelc: note: target {}: the buffers are on the device, nothing is written\n",
               target);
  } else if (auto ok = write_buffers(o, s, *launches->args, prints); !ok) {
    status = report(ok.error());
    if (launches->given_up) leave(o, status);
    return status;
  }
  print_summary(o, target, s, *launches, prints);
  if (launches->given_up)
    leave(o, report({ExitTrap, describe_timeout(*s.kernel, o.timeout, target, launches->stopped_at)}));
  if (result.trap)
    fmt::print(stderr, "{}: error: {}\n{}", place_of(*result.trap, *s.kernel, o.file),
               describe(*result.trap, *s.kernel), note_size(*result.trap, s.inputs));
  return status;
}

}  // namespace kc
