// SPDX-License-Identifier: Apache-2.0
// A whole application, its buffers kept between the launches.
#include <fmt/format.h>

#include <algorithm>
#include <cstring>
#include <nlohmann/json.hpp>

#include "driver/argument_values.h"
#include "driver/certain_accesses.h"
#include "driver/commands/run_results.h"
#include "driver/script/script_runner.h"
#include "driver/script/script_values.h"
#include "driver/session.h"
#include "driver/targets.h"
#include "driver/time_limit.h"
#include "frontend/source/nearest_name.h"
#include "host/traps.h"
#include "ir/parameters.h"
#include "ir/text.h"

namespace kc {
namespace {

using Json = nlohmann::ordered_json;

// A loop that launches nothing ends, too.
constexpr uint64_t kMaxScriptSteps = 50'000'000;
// Prepared launches that are kept.
constexpr size_t kMaxEngines = 64;

// The end of the script: a message for standard error and a status, with or without an error.
struct Stop {
  int status = ExitOk;
  std::string message;
  bool given_up = false;  // a launch is still going on
};

class ScriptRunner {
 public:
  ScriptRunner(const Options& options, const EngineInfo& info, Input input, const ScriptObserver& observer)
      : o_(options), info_(info), input_(std::move(input)), observer_(observer) {}

  int run(const std::vector<ScriptStatement>& script) {
    Stop stop;
    try {
      all(script);
    } catch (TextError& e) {
      stop = {ExitUsage, fmt::format("{}:{}:{}: error: {}", o_.script, e.line, e.column, e.message)};
    } catch (Stop& s) {
      stop = std::move(s);
    }
    if (o_.json && !observer_) print_json();
    if (!stop.message.empty()) fmt::print(stderr, "{}\n", stop.message);
    if (stop.given_up) leave(o_, stop.status);
    return stop.status;
  }

 private:
  [[noreturn]] static void fail(ScriptPlace place, std::string message) {
    throw TextError{place.line, place.column, std::move(message)};
  }
  // An error of what the command has for single launches, at a place of the script.
  [[noreturn]] void fail(ScriptPlace place, const DriverError& e) const {
    throw Stop{e.status, e.message.empty() ? std::string()
                                           : fmt::format("{}:{}:{}: error: {}", o_.script, place.line,
                                                         place.column, e.message)};
  }

  void all(const std::vector<ScriptStatement>& list) {
    for (const ScriptStatement& s : list) {
      step(s);
      one(s);
    }
  }
  void step(const ScriptStatement& s) {
    if (++steps_ > kMaxScriptSteps)
      fail(s.place, fmt::format("the script goes on for more than {} steps", kMaxScriptSteps));
  }

  void one(const ScriptStatement& s) {
    switch (s.kind) {
      case ScriptStatement::Let:
        if (state_.buffers.contains(s.name)) fail(s.place, fmt::format("'{}' is a buffer", s.name));
        state_.variables[s.name] = state_.evaluate(*s.exprs[0]);
        return;
      case ScriptStatement::Buffer:
        return buffer(s);
      case ScriptStatement::Set: {
        BufferArg& b = state_.buffer(s.name, s.place);
        uint64_t at = state_.index(b, *s.exprs[0]) * b.type.bytes();
        BufferArg value =
            made(s.place, short_name(b.type),
                 fmt::format("[1]:fill({})", ScriptState::literal(state_.evaluate(*s.exprs[1]))));
        std::memcpy(b.bytes.data() + at, value.bytes.data(), b.type.bytes());
        return;
      }
      case ScriptStatement::Fill: {
        BufferArg& b = state_.buffer(s.name, s.place);
        b = made(s.place, short_name(b.type), fmt::format("[{}]{}", b.bytes.size() / b.type.bytes(), s.text));
        b.name = s.name;
        return;
      }
      case ScriptStatement::Swap: {
        BufferArg &a = state_.buffer(s.name, s.place), &b = state_.buffer(s.other, s.place);
        std::swap(a.type, b.type);
        std::swap(a.bytes, b.bytes);
        return;
      }
      case ScriptStatement::Launch:
        return launch(s);
      case ScriptStatement::Print:
      case ScriptStatement::Dump:
      case ScriptStatement::Image:
        return output(s);
      case ScriptStatement::While:
        while (state_.truth(*s.exprs[0])) {
          step(s);
          all(s.body);
        }
        return;
      case ScriptStatement::Repeat:
        for (uint64_t n = state_.count(*s.exprs[0], "the number of iterations"); n > 0; --n) {
          step(s);
          all(s.body);
        }
        return;
      case ScriptStatement::If:
        return all(state_.truth(*s.exprs[0]) ? s.body : s.otherwise);
    }
  }

  // --- buffers
  // What --arg would make of it.
  BufferArg made(ScriptPlace place, const std::string& type, const std::string& rest) const {
    Function holder;
    holder.params.push_back({.name = "buffer"});
    holder.add_param(holder.add_block(), kPtrGlobal);
    auto args = parse_arguments(holder, {"buffer=" + type + rest});
    if (!args) fail(place, args.error());
    return std::move(args->buffers[0]);
  }
  void buffer(const ScriptStatement& s) {
    if (state_.variables.contains(s.name)) fail(s.place, fmt::format("'{}' is a number", s.name));
    uint64_t count = state_.count(*s.exprs[0], "the number of elements");
    BufferArg b = made(s.place, s.text, fmt::format("[{}]{}", count, s.other));
    b.name = s.name;
    state_.buffers.insert_or_assign(s.name, std::move(b));
  }

  // print, dump and image, by what the command has for the buffers of a kernel.
  void output(const ScriptStatement& s) {
    if (s.kind == ScriptStatement::Print && s.name.empty())
      return printed(s, {text_of(state_.evaluate(*s.exprs[0]))});
    if (s.kind == ScriptStatement::Print && state_.variables.contains(s.name))
      return printed(s, {text_of(state_.variables[s.name])});
    if (!state_.buffers.contains(s.name))
      fail(s.place, fmt::format("there is no '{}', neither a buffer nor a number{}", s.name,
                                front::did_you_mean(front::nearest_name(s.name, state_.names()))));
    BufferArg& b = state_.buffer(s.name, s.place);
    if (observer_ && s.kind != ScriptStatement::Print) return;
    Function holder;
    holder.params.push_back({.name = s.name});
    KernelArguments args;
    args.values.push_back({.buffer = 0});
    args.buffers.push_back(std::move(b));
    std::expected<void, DriverError> done;
    if (s.kind == ScriptStatement::Print) {
      std::string what = s.name;
      if (!s.exprs.empty())
        what += fmt::format("[{}:{}]", state_.count(*s.exprs[0], "the first element"),
                            state_.count(*s.exprs[1], "the end"));
      auto lines = print_buffer(holder, args, what);
      if (lines)
        printed(s, std::move(*lines));
      else
        done = std::unexpected(lines.error());
    } else {
      std::string spec = s.name + "=" + s.text;
      done =
          s.kind == ScriptStatement::Dump ? dump_buffer(holder, args, spec) : write_image(holder, args, spec);
    }
    b = std::move(args.buffers[0]);
    if (!done) fail(s.place, done.error());
  }
  static std::string text_of(const ScriptValue& v) {
    return v.index() == 0 ? fmt::format("{}", std::get<0>(v)) : fmt::format("{}", std::get<1>(v));
  }
  void printed(const ScriptStatement& s, std::vector<std::string> lines) {
    if (observer_) return;
    if (o_.json) {
      prints_.push_back({{"line", s.place.line}, {"values", json_elements(lines)}});
      return;
    }
    for (const std::string& line : lines) fmt::print("{}\n", line);
  }

  // --- launches
  struct KernelEntry {
    Function* function = nullptr;
    Program program;
    uint64_t launches = 0;
    double compile_ms = 0, launch_ms = 0;
  };

  KernelEntry& kernel(const ScriptStatement& s) {
    auto [known, fresh] = kernels_.try_emplace(s.name);
    if (!fresh) return known->second;
    Options own = o_;
    own.kernel = s.name;
    auto function = choose_kernel(input_.module, own);
    if (!function) fail(s.place, function.error());
    auto program = make_program(**function, o_);
    if (!program) fail(s.place, program.error());
    print_times(o_, *program->pass_times);
    known->second.function = *function;
    known->second.program = std::move(*program);
    known->second.program.text = input_.text;
    known->second.compile_ms = known->second.program.front_ms;
    return known->second;
  }

  LaunchSpec sizes(const ScriptStatement& s, const Function& kernel) const {
    Options own = o_;
    own.global = {1, 1, 1}, own.local = {0, 1, 1}, own.offset = {0, 0, 0};
    own.dims = static_cast<uint32_t>(s.global.size());
    own.local_dims = static_cast<uint32_t>(s.local.size());
    for (size_t d = 0; d < s.global.size(); ++d) own.global[d] = state_.count(*s.global[d], "a global size");
    for (size_t d = 0; d < s.local.size(); ++d) own.local[d] = state_.count(*s.local[d], "a local size");
    for (size_t d = 0; d < s.offset.size(); ++d) own.offset[d] = state_.count(*s.offset[d], "an offset");
    for (size_t d = 0; d < s.global.size(); ++d)
      if (own.global[d] == 0) fail(s.global[d]->place, "a global size is 0");
    auto spec = make_launch(kernel, own);
    if (!spec) fail(s.place, spec.error());
    return *spec;
  }

  // One argument as --arg takes it; a buffer is its number among the names.
  std::string argument(const ScriptArgument& a, std::vector<std::string>& names) const {
    if (!a.literal.empty()) return a.literal;
    const ScriptExpr& e = *a.value;
    if (e.kind == ScriptExpr::Name && state_.buffers.contains(e.text)) {
      auto known = std::ranges::find(names, e.text);
      if (known == names.end()) known = names.insert(names.end(), e.text);
      return fmt::format("#{}", known - names.begin());
    }
    if (e.kind == ScriptExpr::Element && parse_element_type(e.text) && !state_.buffers.contains(e.text))
      return fmt::format("{}[{}]", e.text, state_.count(*e.parts[0], "the number of elements"));
    return ScriptState::literal(state_.evaluate(e));
  }

  // Moves buffers of the script into the arguments; `names` are theirs. One that is passed twice is there
  // once.
  KernelArguments arguments(const ScriptStatement& s, const Function& kernel,
                            std::vector<std::string>& names) {
    std::vector<std::string> specs;
    for (const ScriptArgument& a : s.arguments)
      specs.push_back((a.name.empty() ? "" : a.name + "=") + argument(a, names));
    std::vector<const BufferArg*> given;
    for (const std::string& name : names) given.push_back(&state_.buffers.at(name));
    auto args = parse_arguments(kernel, specs, given);
    if (!args) fail(s.place, args.error());
    if (!args->buffers.empty())
      fail(s.place, "pointers to global and constant memory need buffers, declared by a buffer statement");
    for (const std::string& name : names) args->buffers.push_back(std::move(state_.buffers.at(name)));
    args->printf_bytes = o_.printf_bytes;
    if (observer_) args->addresses = Addresses::Hidden;
    return std::move(*args);
  }

  std::shared_ptr<Engine> engine(const ScriptStatement& s, KernelEntry& k, const LaunchSpec& spec) {
    auto made = engines_.get(o_, s.name, k.program, spec);
    if (!made) throw Stop{status_of(made.error()), target_error(s, made.error().message)};
    k.compile_ms += std::exchange((*made)->compile_ms, 0);
    return *made;
  }
  std::string target_error(const ScriptStatement& s, const std::string& message) const {
    return fmt::format("{}:{}:{}: error: target {}: {}", o_.script, s.place.line, s.place.column, info_.name,
                       message);
  }

  void launch(const ScriptStatement& s) {
    KernelEntry& k = kernel(s);
    LaunchSpec spec = sizes(s, *k.function);
    std::vector<std::string> names;
    KernelArguments args = arguments(s, *k.function, names);
    if (!o_.check_bounds)
      if (auto ok = check_certain_accesses(*k.function, spec, args); !ok) fail(s.place, ok.error());
    spec.small_buffers = has_small_buffers(args, spec);
    spec.disjoint_buffers = has_disjoint_buffers(args);
    spec.beyond_caches = exceeds_caches(args);
    std::shared_ptr<Engine> prepared = engine(s, k, spec);
    KernelArguments inputs;
    if (observer_) inputs = args;
    LimitedLaunch one =
        launch_within(o_.timeout, prepared, std::move(args), fmt::format("{} on {}", s.name, info_.name));
    if (!one.ended)
      throw Stop{ExitTrap,
                 target_error(s, describe_timeout(*k.function, o_.timeout, info_.name, one.stopped_at)),
                 true};
    const EngineStatus status = one.result.status;
    if (observer_ && (status == EngineStatus::Ok || status == EngineStatus::Trapped))
      observer_({s, *k.function, k.program, spec, inputs, *one.args, one.result});
    for (size_t i = 0; i < names.size(); ++i) state_.buffers.at(names[i]) = std::move(one.args->buffers[i]);
    finish(s, k, one.result);
  }

  void finish(const ScriptStatement& s, KernelEntry& k, const EngineResult& r) {
    ++k.launches;
    k.launch_ms += r.launch_ms;
    if (o_.json)
      text_ += r.printed.text;
    else if (!observer_)
      std::fwrite(r.printed.text.data(), 1, r.printed.text.size(), stdout);
    lost_ += r.printed.lost;
    if (r.printed.lost)
      fmt::print(stderr, "{}:{}:{}: warning: {}\n", o_.script, s.place.line, s.place.column,
                 describe_lost(r.printed, o_.printf_bytes));
    print_warnings(r, *k.function, o_.file);
    if (r.status == EngineStatus::Ok) return;
    if (!r.trap) throw Stop{status_of(r), target_error(s, r.message)};
    trap_ = trap_json(r, *k.function);
    throw Stop{ExitTrap, fmt::format("{}: error: {}\n{}:{}:{}: note: launched here",
                                     place_of(*r.trap, *k.function, o_.file), describe(*r.trap, *k.function),
                                     o_.script, s.place.line, s.place.column)};
  }

  void print_json() const {
    Json kernels = Json::object();
    bool prints = false;
    for (const auto& [name, k] : kernels_) {
      kernels[name] = {{"launches", k.launches}, {"compile_ms", k.compile_ms}, {"launch_ms", k.launch_ms}};
      prints |= k.function && param_with_role(*k.function, ParamRole::Printf);
    }
    Json out{{"target", info_.name}, {"script", o_.script}, {"kernels", kernels}, {"trap", trap_}};
    if (prints) out["printf"] = text_;
    if (lost_) out["printf_lost"] = lost_;
    out["print"] = prints_;
    fmt::print("{}\n", out.dump(2, ' ', false, Json::error_handler_t::replace));
  }

  const Options& o_;
  const EngineInfo& info_;
  Input input_;
  const ScriptObserver& observer_;
  ScriptState state_;
  std::map<std::string, KernelEntry> kernels_;
  PreparedEngines engines_{info_};
  uint64_t steps_ = 0, lost_ = 0;
  Json prints_ = Json::array(), trap_ = nullptr;
  std::string text_;  // of printf
};

std::expected<void, DriverError> check_options(const Options& o) {
  auto wrong = [](const char* what) {
    return std::unexpected(DriverError{ExitUsage, fmt::format("--script and {} exclude each other", what)});
  };
  if (o.dims) return wrong("--global");
  if (o.local_dims) return wrong("--local");
  if (!o.args.empty()) return wrong("--arg");
  if (!o.kernel.empty()) return wrong("--kernel");
  if (!o.prints.empty() || !o.dumps.empty() || !o.images.empty()) return wrong("--print, --dump and --image");
  if (o.repeat > 1) return wrong("--repeat");
  if (!o.trace.empty()) return wrong("--trace");
  return {};
}

}  // namespace

std::expected<std::shared_ptr<Engine>, EngineResult> PreparedEngines::get(const Options& o,
                                                                          const std::string& kernel,
                                                                          const Program& program,
                                                                          const LaunchSpec& spec) {
  Key key{kernel,      spec.dims,          spec.global,           spec.local,
          spec.offset, spec.small_buffers, spec.disjoint_buffers, spec.beyond_caches};
  if (auto known = engines_.find(key); known != engines_.end()) return known->second;
  if (engines_.size() == kMaxEngines) engines_.clear();
  std::shared_ptr<Engine> made = info_.make({.width = info_.width ? info_.width : o.width,
                                             .threads = o.threads,
                                             .max_steps = o.max_steps,
                                             .scheme = o.scheme,
                                             .warp = o.warp});
  EngineResult r = made->prepare(program, spec);
  if (r.status != EngineStatus::Ok) return std::unexpected(std::move(r));
  engines_.emplace(std::move(key), made);
  return made;
}

int run_script(const Options& o, const EngineInfo& info, const ScriptObserver& observer) {
  if (auto ok = check_options(o); !ok) return report(ok.error());
  auto text = read_input(o.script);
  if (!text) return report(text.error());
  auto script = parse_script(*text);
  if (!script) {
    const TextError& e = script.error();
    fmt::print(stderr, "{}:{}:{}: error: {}\n", o.script, e.line, e.column, e.message);
    return ExitUsage;
  }
  auto input = load_input(o);
  if (!input) return report(input.error());
  return ScriptRunner(o, info, std::move(*input), observer).run(*script);
}

}  // namespace kc
