// SPDX-License-Identifier: Apache-2.0
// kernelc check --script: each launch of a script on every engine, from the buffers that the thread
// interpreter has come to, so that a difference is seen at the launch that makes it.
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <nlohmann/json.hpp>

#include "driver/compare.h"
#include "driver/compiler.h"
#include "driver/script/script_runner.h"
#include "driver/targets.h"
#include "driver/time_limit.h"
#include "host/traps.h"

namespace kc {
namespace {

using Json = nlohmann::ordered_json;

// What became of the launches on one engine.
struct RouteTally {
  explicit RouteTally(const EngineInfo& which) : info(&which), engines(which) {}
  const EngineInfo* info;
  PreparedEngines engines;
  uint64_t run = 0, different = 0, unordered = 0, refused = 0;
  bool absent = false, timed_out = false, only_trap = false;
  double compile_ms = 0, launch_ms = 0;
  std::string difference, order, refusal;  // the first ones
  std::string verdict() const {
    if (absent) return "skipped";
    if (different) return "FAIL";
    if (timed_out) return "timed out";
    if (unordered) return "order-dependent";
    if (only_trap) return "trap only";
    return run || !refused ? "pass" : "unsupported";
  }
  std::string note() const {
    if (different > 1) return fmt::format("{} launches; {}", different, difference);
    if (different || timed_out) return difference;
    if (unordered) return order;
    if (only_trap) return std::string(kOnlyTrapNote);
    return run && refused ? fmt::format("{} launches not run; {}", refused, refusal) : refusal;
  }
  int status(bool named) const {
    if (absent) return named ? ExitAbsent : ExitOk;
    return different ? ExitMismatch : timed_out ? ExitTrap : ExitOk;
  }
};

class ScriptChecker {
 public:
  explicit ScriptChecker(const Options& options) : o_(options) {
    for (const EngineInfo& info : engines()) {
      if (&info == &engines().front()) continue;
      bool named = std::ranges::find(o_.routes, info.name) != o_.routes.end();
      if (o_.routes.empty() ? info.in_check : named) routes_.emplace_back(info);
    }
  }

  int run() {
    for (const std::string& r : o_.routes)
      if (auto engine = engine_named("route", r); !engine) return report(engine.error());
    int status = run_script(o_, engines().front(), [this](const ScriptLaunch& launch) { compare(launch); });
    if (launches_ > 0) print();
    // What comes first of several.
    constexpr std::array order{ExitInternal, ExitUsage,    ExitIo,  ExitSource,
                               ExitAbsent,   ExitMismatch, ExitTrap};
    auto rank = [&](int s) { return std::ranges::find(order, s) - order.begin(); };
    for (const RouteTally& r : routes_)
      if (int one = r.status(!o_.routes.empty()); rank(one) < rank(status)) status = one;
    if (given_up_) leave(o_, status);
    return status;
  }

 private:
  void compare(const ScriptLaunch& launch) {
    ++launches_;
    order_.reset();
    reference_ms_ += launch.result.launch_ms;
    for (RouteTally& route : routes_)
      if (!route.absent && !route.timed_out) compare(launch, route);
  }

  void compare(const ScriptLaunch& launch, RouteTally& route) {
    auto engine = route.engines.get(o_, launch.kernel.name, launch.program, launch.spec);
    if (!engine) return refuse(launch, route, engine.error());
    route.compile_ms += std::exchange((*engine)->compile_ms, 0);
    LimitedLaunch one = launch_within(o_.timeout, *engine, launch.inputs,
                                      fmt::format("{} on {}", launch.kernel.name, route.info->name));
    if (!one.ended) {
      given_up_ = route.timed_out = true;
      if (!route.different)
        route.difference = at(launch, fmt::format("did not end within {:g} s", o_.timeout));
      return;
    }
    if (one.result.status != EngineStatus::Ok && one.result.status != EngineStatus::Trapped)
      return refuse(launch, route, one.result);
    ++route.run;
    route.launch_ms += one.result.launch_ms;
    std::string what = difference(launch, route, one, nullptr);
    if (what.empty()) return;
    if (both_meet_no_more(launch.result.trap, one.result.trap)) {
      route.only_trap = true;
      return;
    }
    if (const OpenResults* open = order(launch)) {
      what = difference(launch, route, one, open);
      const std::string dependence = describe(open->first, launch.kernel);
      if (what.empty()) {
        if (!route.unordered++) route.order = at(launch, dependence);
        return;
      }
      what += fmt::format("; in any order of work-items, though {}", dependence);
    }
    differ(launch, route, what);
  }

  void refuse(const ScriptLaunch& launch, RouteTally& route, const EngineResult& r) {
    const std::string said = first_line(r.message);
    if (r.status == EngineStatus::Absent) {
      route.absent = true;
      route.refusal = said;
    } else if (r.status == EngineStatus::Unsupported) {
      if (!route.refused++) route.refusal = at(launch, said);
    } else {
      differ(launch, route, said);
    }
  }
  void differ(const ScriptLaunch& launch, RouteTally& route, const std::string& what) {
    if (!route.different++) route.difference = at(launch, what);
  }
  std::string at(const ScriptLaunch& launch, const std::string& what) const {
    return fmt::format("launch {} ({} at {}:{}): {}", launches_, launch.kernel.name, o_.script,
                       launch.statement.place.line, what);
  }

  // `open`: what need not be the same.
  std::string difference(const ScriptLaunch& launch, const RouteTally& route, const LimitedLaunch& one,
                         const OpenResults* open) const {
    Difference d = compare_buffers(launch.outputs, *one.args, o_.ulp.value_or(route.info->ulp),
                                   open ? open->bytes : std::span<const std::vector<uint8_t>>{});
    if (!d.first.empty()) return d.first;
    if (route.info->prints_alike && !(open && open->printed))
      if (std::string text = compare_printed(launch.result.printed, one.result.printed); !text.empty())
        return text;
    if ((open && open->trap) || same_trap(launch.result.trap, one.result.trap)) return "";
    return one.result.trap ? "reports another trap: " + kc::describe(*one.result.trap, launch.kernel)
                           : "reports no trap";
  }

  // Looked for once in each launch where something differs.
  const OpenResults* order(const ScriptLaunch& launch) {
    if (!order_) {
      auto judge = engines().front().make({.max_steps = o_.max_steps, .find_order_dependence = true});
      KernelArguments args = launch.inputs;
      EngineResult r = judge->prepare(launch.program, launch.spec);
      if (r.status == EngineStatus::Ok) r = judge->launch(args);
      order_ = r.order_dependence;
    }
    return *order_ ? &**order_ : nullptr;
  }

  void print() const {
    if (o_.json) return print_json();
    fmt::print("{:<18} {:<15} {:>9} {:>11} {:>11}\n", "route", "result", "launches", "compile ms",
               "launch ms");
    auto row = [](std::string_view name, const std::string& verdict, uint64_t launches, double compile_ms,
                  double launch_ms, const std::string& note) {
      fmt::print("{:<18} {:<15} {:>9} {:>11.2f} {:>11.2f}{}{}\n", name, verdict, launches, compile_ms,
                 launch_ms, note.empty() ? "" : "  ", note);
    };
    row(engines().front().name, "reference", launches_, 0, reference_ms_, "");
    for (const RouteTally& r : routes_)
      row(r.info->name, r.verdict(), r.run, r.compile_ms, r.launch_ms, r.note());
  }

  void print_json() const {
    Json out{{"script", o_.script}, {"launches", launches_}, {"routes", Json::array()}};
    for (const RouteTally& r : routes_)
      out["routes"].push_back({{"route", r.info->name},
                               {"result", r.verdict()},
                               {"launches", r.run},
                               {"different", r.different},
                               {"compile_ms", r.compile_ms},
                               {"launch_ms", r.launch_ms},
                               {"note", r.note()}});
    fmt::print("{}\n", out.dump(2));
  }

  const Options& o_;
  std::vector<RouteTally> routes_;
  uint64_t launches_ = 0;
  double reference_ms_ = 0;
  bool given_up_ = false;
  std::optional<std::optional<OpenResults>> order_;  // of this launch
};

}  // namespace

int check_script(const Options& o) { return ScriptChecker(o).run(); }

}  // namespace kc
