// SPDX-License-Identifier: Apache-2.0
// kernelc check: one kernel on every engine of this machine, compared bit by bit with the thread interpreter.
#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>

#include "driver/checked_replay.h"
#include "driver/commands/prove.h"
#include "driver/commands/run_results.h"
#include "driver/compare.h"
#include "driver/lowered_text.h"
#include "driver/script/script_runner.h"
#include "driver/session.h"
#include "driver/sub_groups.h"
#include "driver/targets.h"
#include "driver/time_limit.h"
#include "host/traps.h"
#include "ir/parameters.h"
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
  /// `against`: another program, whose results are the reference; null for those of the program itself.
  Checker(const Options& options, Session& session, const Session* against)
      : o(options),
        session_(session),
        against_(against),
        source_(against ? *against : session),
        kernel_(*source_.kernel),
        inputs_(source_.inputs),
        sub_groups_(uses_sub_groups(kernel_) || uses_sub_groups(tested())) {}

  int run() {
    for (const std::string& r : o.routes)
      if (auto engine = engine_named("route", r); !engine) return report(engine.error());
    int status = ExitOk;
    auto add = [&](int one) {
      // 4 before 6 before 5: what was asked for and is not here comes first.
      auto rank = [](int s) { return s == ExitAbsent ? 3 : s == ExitMismatch ? 2 : s == ExitTrap ? 1 : 0; };
      if (rank(one) > rank(status)) status = one;
      return !rows_.empty();  // there is a reference
    };
    if (against_ && !sub_groups_)
      if (int one = route(engines()[0], true, false); !add(one)) return one;
    for (size_t i = 0; i < engines().size(); ++i) {
      const EngineInfo& info = engines()[i];
      bool named = std::find(o.routes.begin(), o.routes.end(), info.name) != o.routes.end();
      const bool own_reference = i == 0 && !against_;
      if (!own_reference && (o.routes.empty() ? !info.in_check : !named)) continue;
      int one = sub_groups_ ? sub_group_route(info, named) : route(info, own_reference, named);
      if (!add(one)) return one;
    }
    print();
    if (against_ && compared_ == 0)
      return report(
          {ExitAbsent, fmt::format("no route of this machine runs '{}': nothing was compared", o.file)});
    print_warnings(reference_result_, kernel_, file());
    if (order_)
      fmt::print(
          stderr,
          "kernelc: note: order-dependent: the result depends on which work-item comes first, and OpenCL "
          "leaves that open; only what does not depend on it is compared\n");
    if (reference_trap_)
      fmt::print(stderr, "{}: note: all agreeing routes report: {}\n",
                 place_of(*reference_trap_, kernel_, file()), describe(*reference_trap_, kernel_));
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
  Launched launch(std::shared_ptr<Engine> engine, std::string_view name, const Session& session) {
    EngineResult r = engine->prepare(session.program, session.spec);
    if (r.status != EngineStatus::Ok) return {std::move(r), std::make_shared<KernelArguments>()};
    LimitedLaunch one = launch_within(o.timeout, std::move(engine), session.inputs,
                                      fmt::format("{} on {}", kernel_.name, name));
    given_up_ |= !one.ended;
    return {std::move(one.result), std::move(one.args), one.ended, one.stopped_at};
  }

  std::shared_ptr<Engine> make(const EngineInfo& info) const {
    return info.make(
        {.width = info.width ? info.width : o.width, .threads = o.threads, .max_steps = o.max_steps});
  }

  const Function& tested() const { return session_.lowered ? *session_.lowered : *session_.kernel; }
  const std::string& file() const { return against_ ? o.against : o.file; }

  // Why the engine does not run the wave or machine text that is tested; otherwise the session is ready for
  // it.
  std::string ready(const EngineInfo& info) {
    if (!session_.lowered) return {};
    auto text = runnable_text(*session_.lowered, info, session_.spec, o);
    if (!text) return text.error().message;
    session_.program.lowered = std::move(*text);
    return {};
  }

  // Each engine against the simulator with sub-groups of the same shape.
  int sub_group_route(const EngineInfo& info, bool named) {
    std::shared_ptr<Engine> engine = make(info);
    std::optional<SubGroups> shape;
    if (ready(info).empty() && engine->prepare(session_.program, session_.spec).status == EngineStatus::Ok)
      shape = engine->sub_groups();
    if (!shape) return route(info, false, named);  // which says why
    if (shape != reference_shape_ && !simulate(*shape)) return ExitTrap;
    return route(info, false, named);
  }

  // Makes the simulator with sub-groups of that shape the reference; false, with a row that says why, if it
  // cannot be.
  bool simulate(SubGroups shape) {
    std::shared_ptr<Engine> engine = make_sub_group_reference(shape, o.max_steps);
    auto [r, args, ended, stopped_at] = launch(engine, "simulated sub-groups", source_);
    CheckRow row{.name = fmt::format("sub-groups of {}", shape.lanes),
                 .verdict = "reference",
                 .note = first_line(r.message),
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
    const std::string unready = reference ? "" : ready(info);
    auto [r, args, ended, stopped_at] =
        unready.empty() ? launch(engine, info.name, reference ? source_ : session_)
                        : Launched{{.status = EngineStatus::Unsupported, .message = unready},
                                   std::make_shared<KernelArguments>()};
    CheckRow row{.name = reference && against_ ? "against" : std::string(info.name),
                 .verdict = {},
                 .note = first_line(r.message),
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
      ++compared_;
    } else {
      const Difference d = compare_buffers(reference_, *args, o.ulp.value_or(info.ulp));
      ++compared_;
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
    auto checked = replay_checked(o, info, options, source_);
    if (!checked || !checked->result.trap)
      return report({ExitTrap, fmt::format("{}: {}", info.name, stopped.message)});
    fmt::print(stderr, "{}: error: {}\n", place_of(*checked->result.trap, kernel_, file()),
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
    if ((open && open->trap) || same_trap(reference_trap_, in_reference(r.trap))) return {};
    return r.trap ? "reports another trap: " + describe(*r.trap, kernel_) : "reports no trap";
  }

  // Another program may trap in other lines.
  std::optional<TrapReport> in_reference(std::optional<TrapReport> trap) const {
    if (against_ && trap && reference_trap_) trap->site.loc = reference_trap_->site.loc;
    return trap;
  }

  // Where the outcome depends on the order of work-items there is more than one right answer, but only there.
  int disagree(CheckRow& row, const EngineInfo& info, const KernelArguments& args, const EngineResult& r) {
    if (sub_groups_) return ExitMismatch;
    if (!order_known_) {
      order_known_ = true;
      EngineOptions options{.max_steps = o.max_steps, .find_order_dependence = true};
      order_ = launch(engines()[0].make(options), engines()[0].name, source_).result.order_dependence;
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
  Session& session_;        // what is tested
  const Session* against_;  // another program, or null
  const Session& source_;   // of the reference
  const Function& kernel_;  // of the reference
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
  size_t compared_ = 0;    // routes that ran
  bool given_up_ = false;  // some launch is still going on
};

}  // namespace

namespace {

// One launch has to be one for both.
std::expected<void, DriverError> same_parameters(const Function& tested, const std::string& file,
                                                 const Function& reference, const std::string& other) {
  const auto ours = source_parameters(tested), theirs = source_parameters(reference);
  if (ours.size() != theirs.size())
    return failed(ExitUsage, fmt::format("'{}' in {} has {} parameters, and '{}' in {} has {}", tested.name,
                                         file, ours.size(), reference.name, other, theirs.size()));
  auto type = [](const Function& f, const SourceParameter& p) {
    return std::pair(f.type(f.block(f.entry()).params[p.first]), p.size);
  };
  for (size_t i = 0; i < ours.size(); ++i) {
    if (ours[i].name != theirs[i].name)
      return failed(ExitUsage, fmt::format("parameter {} of '{}' in {} is '{}', and in {} it is '{}'", i + 1,
                                           tested.name, file, ours[i].name, other, theirs[i].name));
    if (type(tested, ours[i]) != type(reference, theirs[i]))
      return failed(ExitUsage, fmt::format("parameter '{}' of '{}' has another type in {} than in {}",
                                           ours[i].name, tested.name, file, other));
  }
  return {};
}

// What --against names, for the launch of the session.
std::expected<Session, DriverError> open_reference(const Options& o, const Session& tested) {
  Options reference = o;
  reference.file = o.against;
  reference.language.clear();
  reference.passes.clear(), reference.print_after.clear(), reference.dump_dir.clear();
  reference.print_changes = reference.time_passes = false;
  reference.remarks = nullptr;
  auto input = load_input(reference);
  if (!input) return std::unexpected(input.error());
  // The kernel of the same name, if there is one.
  const Function* same = input->module.find(tested.kernel->name);
  reference.kernel = same && same->is_kernel ? tested.kernel->name : "";
  auto kernel = choose_kernel(input->module, reference);
  if (!kernel) return std::unexpected(kernel.error());
  if (auto ok = same_parameters(*tested.kernel, o.file, **kernel, o.against); !ok)
    return std::unexpected(ok.error());
  return session_of(std::move(*input), reference);
}

}  // namespace

int command_check(const Options& o) {
  if (o.prove) {
    if (!o.script.empty()) return report({ExitUsage, "--prove takes a kernel, not a script"});
    if (!o.routes.empty())
      return report({ExitUsage, "--prove walks the passes of every route: it takes no --routes"});
    if (!o.against.empty())
      return report({ExitUsage, "--prove compares passes, and --against programs: give one"});
    return prove_passes(o);
  }
  if (!o.script.empty()) {
    if (!o.against.empty()) return report({ExitUsage, "--against goes with one launch, not with --script"});
    return check_script(o);
  }
  auto session = open_session(o, PassesOf::Interpreters, !o.against.empty());
  if (!session) return report(session.error());
  if (session->program.is_binary())
    return report({ExitUsage, "check needs source: a code object or a module runs in one way"});
  std::optional<Session> against;
  if (!o.against.empty()) {
    auto reference = open_reference(o, *session);
    if (!reference) return report(reference.error());
    against = std::move(*reference);
    against->inputs.addresses = Addresses::Hidden;
  }
  session->inputs.addresses = Addresses::Hidden;
  print_times(o, *session->program.pass_times);
  Checker checker(o, *session, against ? &*against : nullptr);
  int status = checker.run();
  if (checker.given_up()) leave(o, status);
  return status;
}

}  // namespace kc
