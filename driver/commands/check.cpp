// SPDX-License-Identifier: Apache-2.0
// kernelc check: one kernel on every engine of this machine, compared bit by bit with the thread interpreter.
#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>

#include "driver/checked_replay.h"
#include "driver/commands/prove.h"
#include "driver/commands/run_results.h"
#include "driver/compare.h"
#include "driver/script/script_runner.h"
#include "driver/session.h"
#include "driver/sub_groups.h"
#include "driver/targets.h"
#include "driver/time_limit.h"
#include "host/traps.h"
#include "passes/lower/lower_sub_groups.h"

namespace kc {
namespace {

using Json = nlohmann::ordered_json;

struct CheckRow {
  std::string name, verdict, note;
  double compile_ms = 0, launch_ms = 0;
  std::string difference = "-";
};

class Checker {
 public:
  Checker(const Options& options, const Session& session)
      : o(options),
        session_(session),
        kernel_(*session.kernel),
        program_(session.program),
        spec_(session.spec),
        inputs_(session.inputs),
        sub_groups_(uses_sub_groups(kernel_)) {}

  int run() {
    for (const std::string& r : o.routes)
      if (auto engine = engine_named("route", r); !engine) return report(engine.error());
    int status = ExitOk;
    for (size_t i = 0; i < engines().size(); ++i) {
      const EngineInfo& info = engines()[i];
      bool named = std::find(o.routes.begin(), o.routes.end(), info.name) != o.routes.end();
      if (i > 0 && (o.routes.empty() ? !info.in_check : !named)) continue;
      int one = sub_groups_ ? sub_group_route(info, named) : route(info, i == 0, named);
      // 4 before 6 before 5: what was asked for and is not here comes first.
      auto rank = [](int s) { return s == ExitAbsent ? 3 : s == ExitMismatch ? 2 : s == ExitTrap ? 1 : 0; };
      if (rank(one) > rank(status)) status = one;
      if (rows_.empty()) return one;  // no reference
    }
    print();
    print_warnings(reference_result_, kernel_, o.file);
    if (order_)
      fmt::print(
          stderr,
          "kernelc: note: order-dependent: the result depends on which work-item comes first, and OpenCL "
          "leaves that open; only what does not depend on it is compared\n");
    if (reference_trap_)
      fmt::print(stderr, "{}: note: all agreeing routes report: {}\n",
                 place_of(*reference_trap_, kernel_, o.file), describe(*reference_trap_, kernel_));
    return status;
  }

  /// Whether a launch of some route did not end, and is still going on.
  bool given_up() const { return given_up_; }

 private:
  struct Launched {
    EngineResult result;
    std::shared_ptr<KernelArguments> args;
    bool ended = true;
    Loc stopped_at{};
  };
  Launched launch(std::shared_ptr<Engine> engine, std::string_view name) {
    EngineResult r = engine->prepare(program_, spec_);
    if (r.status != EngineStatus::Ok) return {std::move(r), std::make_shared<KernelArguments>()};
    LimitedLaunch one =
        launch_within(o.timeout, std::move(engine), inputs_, fmt::format("{} on {}", kernel_.name, name));
    given_up_ |= !one.ended;
    return {std::move(one.result), std::move(one.args), one.ended, one.stopped_at};
  }

  std::shared_ptr<Engine> make(const EngineInfo& info) const {
    return info.make(
        {.width = info.width ? info.width : o.width, .threads = o.threads, .max_steps = o.max_steps});
  }

  // Each engine against the simulator with sub-groups of the same shape.
  int sub_group_route(const EngineInfo& info, bool named) {
    std::shared_ptr<Engine> engine = make(info);
    std::optional<SubGroups> shape;
    if (engine->prepare(program_, spec_).status == EngineStatus::Ok) shape = engine->sub_groups();
    if (!shape) return route(info, false, named);  // which says why
    if (shape != reference_shape_ && !simulate(*shape)) return ExitTrap;
    return route(info, false, named);
  }

  // Makes the simulator with sub-groups of that shape the reference; false, with a row that says why, if it
  // cannot be.
  bool simulate(SubGroups shape) {
    std::shared_ptr<Engine> engine = make_sub_group_reference(shape, o.max_steps);
    auto [r, args, ended, stopped_at] = launch(engine, "simulated sub-groups");
    CheckRow row{.name = fmt::format("sub-groups of {}", shape.lanes),
                 .verdict = "reference",
                 .note = r.message.substr(0, r.message.find('\n')),
                 .compile_ms = engine->compile_ms,
                 .launch_ms = r.launch_ms};
    bool usable = ended && (r.status == EngineStatus::Ok || r.status == EngineStatus::Trapped);
    if (!usable) row.verdict = ended ? "FAIL" : "timed out";
    rows_.push_back(std::move(row));
    if (!usable) return false;
    reference_ = std::move(*args);
    reference_trap_ = r.trap;
    reference_printed_ = r.printed;
    reference_shape_ = shape;
    return true;
  }

  int route(const EngineInfo& info, bool reference, bool named) {
    std::shared_ptr<Engine> engine = make(info);
    auto [r, args, ended, stopped_at] = launch(engine, info.name);
    CheckRow row{.name = std::string(info.name),
                 .verdict = {},
                 .note = r.message.substr(0, r.message.find('\n')),
                 .compile_ms = engine->compile_ms,
                 .launch_ms = r.launch_ms};
    int status = ExitOk;
    if (!ended) {
      if (reference) return report({ExitTrap, describe_timeout(kernel_, o.timeout, info.name, stopped_at)});
      row.verdict = "timed out";
      row.note = fmt::format("did not end within {:g} s", o.timeout);
      if (stopped_at.line)
        row.note += fmt::format("; a work-item was at {}", describe_line(kernel_, stopped_at));
      status = ExitTrap;
    } else if (reference) {
      if (r.out_of_bounds) return report_outside(info, r);
      if (r.status != EngineStatus::Ok && r.status != EngineStatus::Trapped)
        return report({r.status == EngineStatus::Failed ? ExitTrap : ExitSource,
                       fmt::format("{}: {}", info.name, r.message)});
      row.verdict = "reference";
      reference_ = std::move(*args);
      reference_trap_ = r.trap;
      reference_printed_ = r.printed;
      reference_result_.warnings = r.warnings;
      status = r.trap ? ExitTrap : ExitOk;
    } else if (r.status == EngineStatus::Absent) {
      row.verdict = "skipped";
      status = named ? ExitAbsent : ExitOk;
    } else if (r.status == EngineStatus::Unsupported) {
      row.verdict = "unsupported";
    } else if (r.status == EngineStatus::Failed) {
      row.verdict = "FAIL";
      status = ExitMismatch;
    } else {
      const Difference d = compare_buffers(reference_, *args, o.ulp.value_or(info.ulp));
      row.note = difference(info, d, r, nullptr);
      row.verdict = row.note.empty() ? "pass" : "FAIL";
      row.difference = d.elements == 0           ? "0"
                       : d.largest == UINT64_MAX ? fmt::format("{} elements", d.elements)
                                                 : fmt::format("{} ulp", d.largest);
      if (!row.note.empty())
        status = both_meet_no_more(r.trap, reference_trap_) ? only_trap(row) : disagree(row, info, *args, r);
      if (status == ExitMismatch && !reference_result_.warnings.empty())
        row.note += "; the kernel reads memory before it is written, as the warning says";
    }
    rows_.push_back(std::move(row));
    return status;
  }

  // The reference stopped at an access outside the buffers: there is nothing to compare with.
  int report_outside(const EngineInfo& info, const EngineResult& stopped) {
    const EngineOptions options{.threads = o.threads, .max_steps = o.max_steps};
    auto checked = replay_checked(o, info, options, session_);
    if (!checked || !checked->result.trap)
      return report({ExitTrap, fmt::format("{}: {}", info.name, stopped.message)});
    fmt::print(stderr, "{}: error: {}\n", place_of(*checked->result.trap, kernel_, o.file),
               describe(*checked->result.trap, kernel_));
    fmt::print(stderr, "kernelc: note: --check-bounds compares such launches\n");
    return ExitTrap;
  }

  int only_trap(CheckRow& row) {
    row.verdict = "trap only";
    row.note = kOnlyTrapNote;
    return ExitOk;
  }

  // What of a route's results is not the reference's; empty if all is. `open`: what need not be.
  std::string difference(const EngineInfo& info, const Difference& d, const EngineResult& r,
                         const OpenResults* open) const {
    if (!d.first.empty()) return d.first;
    if (info.prints_alike && !(open && open->printed))
      if (std::string text = compare_printed(reference_printed_, r.printed); !text.empty()) return text;
    if ((open && open->trap) || same_trap(reference_trap_, r.trap)) return {};
    return r.trap ? "reports another trap: " + describe(*r.trap, kernel_) : "reports no trap";
  }

  // Where the outcome depends on the order of work-items there is more than one right answer, but only there.
  int disagree(CheckRow& row, const EngineInfo& info, const KernelArguments& args, const EngineResult& r) {
    if (sub_groups_) return ExitMismatch;
    if (!order_known_) {
      order_known_ = true;
      EngineOptions options{.max_steps = o.max_steps, .find_order_dependence = true};
      order_ = launch(engines()[0].make(options), engines()[0].name).result.order_dependence;
    }
    if (!order_) return ExitMismatch;
    const Difference d = compare_buffers(reference_, args, o.ulp.value_or(info.ulp), order_->bytes);
    if (std::string what = difference(info, d, r, &*order_); !what.empty()) {
      row.note = fmt::format("{}; this does not come from the order of work-items, though {}", what,
                             describe(order_->first, kernel_));
      return ExitMismatch;
    }
    row.verdict = "order-dependent";
    row.note = fmt::format("{}: {}", describe(order_->first, kernel_), row.note);
    return ExitOk;
  }

  void print() const {
    if (o.json) {
      Json out{{"kernel", kernel_.name}, {"routes", Json::array()}};
      for (const CheckRow& r : rows_)
        out["routes"].push_back({{"route", r.name},
                                 {"result", r.verdict},
                                 {"compile_ms", r.compile_ms},
                                 {"launch_ms", r.launch_ms},
                                 {"difference", r.difference},
                                 {"note", r.note}});
      fmt::print("{}\n", out.dump(2));
      return;
    }
    fmt::print("{:<18} {:<15} {:>11} {:>11} {:>12}\n", "route", "result", "compile ms", "launch ms",
               "difference");
    for (const CheckRow& r : rows_)
      fmt::print("{:<18} {:<15} {:>11.2f} {:>11.2f} {:>12}{}{}\n", r.name, r.verdict, r.compile_ms,
                 r.launch_ms, r.difference, r.note.empty() ? "" : "  ", r.note);
  }

  const Options& o;
  const Session& session_;
  const Function& kernel_;
  const Program& program_;
  const LaunchSpec& spec_;
  const KernelArguments& inputs_;
  KernelArguments reference_;
  std::optional<TrapReport> reference_trap_;
  PrintedText reference_printed_;
  EngineResult reference_result_;             // its warnings
  bool sub_groups_;                           // the kernel has some
  std::optional<SubGroups> reference_shape_;  // of the reference, then
  std::vector<CheckRow> rows_;
  bool order_known_ = false;
  std::optional<OpenResults> order_;
  bool given_up_ = false;  // some launch is still going on
};

}  // namespace

int command_check(const Options& o) {
  if (o.prove) {
    if (!o.script.empty()) return report({ExitUsage, "--prove takes a kernel, not a script"});
    return prove_passes(o);
  }
  if (!o.script.empty()) return check_script(o);
  auto session = open_session(o);
  if (!session) return report(session.error());
  if (session->program.is_binary())
    return report({ExitUsage, "check needs source: a code object or a module runs in one way"});
  session->inputs.addresses = Addresses::Hidden;
  print_times(o, *session->program.pass_times);
  Checker checker(o, *session);
  int status = checker.run();
  if (checker.given_up()) leave(o, status);
  return status;
}

}  // namespace kc
