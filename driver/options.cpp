// SPDX-License-Identifier: Apache-2.0
#include "driver/options.h"

#include <fmt/format.h>
#include <unistd.h>

#include <CLI/CLI.hpp>
#include <charconv>
#include <map>

#include "driver/commands/command_info.h"
#include "driver/engines/engines.h"
#include "driver/engines/opencl_options.h"
#include "driver/exec_pass.h"
#include "driver/remarks.h"
#include "driver/response_files.h"
#include "driver/sizes.h"
#include "driver/targets.h"
#include "driver/usage_errors.h"
#include "frontend/source/warnings.h"
#include "host/pass_list.h"
#include "passes/pipeline.h"

namespace kc {
namespace {

constexpr std::string_view kVersion = "kernelc " KC_VERSION;

// clang's single-dash long options.
constexpr std::string_view kSingleDash[] = {"-fsingle-precision-constant",
                                            "-ffast-math",
                                            "-ffp-contract",
                                            "-finline-budget",
                                            "-Rpass",
                                            "-include",
                                            "-ferror-limit",
                                            "-fcolor-diagnostics",
                                            "-fno-color-diagnostics"};

// Spelled the way the option parser wants them, and the other way round.
std::string normalise(std::string arg) {
  if (arg == "-Rpass") return "--Rpass=.";
  for (std::string_view prefix : kSingleDash)
    if (arg.starts_with(prefix)) return "-" + arg;
  return arg;
}
std::string as_typed(const std::string& name) {
  bool single =
      name.starts_with("--") && std::ranges::find(kSingleDash, name.substr(1)) != std::end(kSingleDash);
  return single ? name.substr(1) : name;
}

std::vector<std::string> compile_targets() {
  std::vector<std::string> names = CLI::detail::split(target_names(), ',');
  for (std::string& name : names) CLI::detail::trim(name);
  return names;
}
std::vector<std::string> engine_names() {
  std::vector<std::string> names;
  for (const EngineInfo& e : engines()) names.emplace_back(e.name);
  return names;
}
std::vector<std::string> pass_names() {
  std::vector<std::string> names;
  for (std::string_view name : all_pass_names()) names.emplace_back(name);
  return names;
}

CommandLine usage_error_line(const std::string& message) {
  return {.options = {}, .text = fmt::format("kernelc: error: {}\n", message), .status = ExitUsage};
}

// A first word that is neither an option nor a file, and has nothing of a path.
bool is_misspelt_command(const std::string& word) {
  return !word.starts_with('-') && word.find_first_of("./") == std::string::npos &&
         ::access(word.c_str(), F_OK) != 0;
}

// "{a,b}", as the parser describes a list that a value must be in.
std::vector<std::string> members(std::string_view description) {
  if (!description.starts_with("{") || !description.ends_with("}")) return {};
  return CLI::detail::split(std::string(description.substr(1, description.size() - 2)), ',');
}

// What is wrong with a limit of time, or nothing.
std::string seconds_of(const std::string& text) {
  char* end = nullptr;
  const double s = std::strtod(text.c_str(), &end);
  if (end != text.c_str() && *end == 0 && s >= 0.001 && s <= 1e6) return {};  // not NaN either
  return fmt::format("'{}' is not a number of seconds from 0.001 to 1000000", text);
}

class CommandParser {
 public:
  CommandParser() {
    app_.require_subcommand(1);
    app_.set_version_flag("--version", std::string(kVersion));
    compile_ = app_.add_subcommand("compile", "compile a kernel and write the result (the default command)");
    run_ = app_.add_subcommand("run", "compile a kernel and run it");
    check_ =
        app_.add_subcommand("check", "run a kernel on every engine of this machine and compare bit by bit");
    fuzz_ = app_.add_subcommand("fuzz", "run random kernels on every engine of this machine and compare");
    trace_ = app_.add_subcommand("trace", "print a trace that run --trace wrote");
    stats_ = app_.add_subcommand("stats", "what a launch costs under each scheme of reconvergence");
    explore_ = app_.add_subcommand("explore", "write a page that shows one launch in every stage and step");
    explain_ =
        app_.add_subcommand("explain", "say which lines cost a launch most, why, and what would change it");
    lab_ = app_.add_subcommand("lab", "serve the lab to a browser: an editor with the compiler in the page");
    learn_ = app_.add_subcommand("learn", "short exercises with hints, checked as you save them");
    grade_ = app_.add_subcommand("grade", "give points to a submission by a lab file");
    devices_ =
        app_.add_subcommand("devices", "list what this machine has to run kernels on, and what is missing");
    app_.add_subcommand("passes", "list the passes of all dialects");
    app_.add_subcommand("man", "print the manual page");
    help_ = app_.add_subcommand("help", "print this list, or the options of a command");
    completion_ = app_.add_subcommand("completion", "print a script that completes command lines");
  }

  bool has_command(const std::string& name) const {
    return !app_.get_subcommands([&](const CLI::App* c) { return c->get_name() == name; }).empty();
  }

  std::vector<CommandInfo> table() {
    add_options();
    std::vector<CommandInfo> commands;
    for (const CLI::App* c : app_.get_subcommands([](const CLI::App*) { return true; })) {
      CommandInfo info{.name = c->get_name(), .summary = c->get_description(), .operands = {}, .options = {}};
      for (const CLI::Option* o : c->get_options()) {
        if (o == c->get_help_ptr()) continue;
        (o->get_positional() ? info.operands : info.options).push_back(describe(*o));
      }
      commands.push_back(std::move(info));
    }
    return commands;
  }

  CommandLine parse(std::vector<std::string> args) {
    CommandLine result;
    if (!args.empty()) add_options(args[0]);
    std::reverse(args.begin(), args.end());  // the parser consumes from the back
    try {
      app_.parse(args);
    } catch (const CLI::CallForHelp&) {
      CLI::App* c = chosen();
      return {.text = c ? command_help(c->get_name()) : general_help()};
    } catch (const CLI::CallForVersion&) {
      return {.text = std::string(kVersion) + "\n"};
    } catch (const CLI::ParseError& e) {
      return usage_error_line(describe(e));
    }
    o_.command = chosen()->get_name();
    if (o_.command == "check" && o_.timeout == 0) o_.timeout = kCheckSeconds;
    if (o_.command == "help") return help_about(topic_);
    // Schemes are compared on the control flow that the source has.
    if (meld_)
      o_.meld = *meld_;
    else if (o_.command == "stats" || o_.command == "explore" || o_.command == "explain")
      o_.meld = Meld::Never;
    std::string error;
    if (!global_.empty()) error = parse_sizes("--global", global_, o_.global, o_.dims, false);
    if (error.empty() && !local_.empty())
      error = parse_sizes("--local", local_, o_.local, o_.local_dims, false);
    uint32_t ignored = 0;
    if (error.empty() && !offset_.empty()) error = parse_sizes("--offset", offset_, o_.offset, ignored, true);
    if (error.empty() && contract_ != "on" && contract_ != "off" && contract_ != "fast")
      error = fmt::format("-ffp-contract={}: use on or off", contract_);
    if (error.empty() && o_.command == "compile" && global_.empty() && !local_.empty())
      error = "--local says the shape of a launch only together with --global";
    if (error.empty() && o_.width > 1 && o_.width != 8 && o_.width != 16 && o_.width != 32 && o_.width != 64)
      error = "--width must be 1, 8, 16, 32 or 64";
    if (auto scheme = parse_restructure(restructure_))
      o_.restructure = *scheme;
    else if (error.empty())
      error = scheme.error();
    if (error.empty() && !rpass_.empty()) {
      auto log = make_remark_log(rpass_);
      if (log)
        o_.remarks = std::move(*log);
      else
        error = log.error();
    }
    if (!error.empty()) return usage_error_line(error);
    o_.print_changes = print_changed_ == "diff";
    if (print_changed_ == "full") o_.print_after = "all";
    o_.stage_texts = std::make_shared<std::map<std::string, std::string, std::less<>>>();
    o_.outside = exec_passes({.seconds = o_.exec_seconds, .memory_mib = o_.exec_mib});
    o_.contract = contract_ != "off";
    o_.adapt = adapt_ != "off";
    o_.restructure_name = restructure_;
    o_.warp = warp_ == "inf" ? 0 : static_cast<uint32_t>(std::stoul(warp_));
    for (WarpScheme s : {WarpScheme::Ipdom, WarpScheme::TfStack, WarpScheme::TfSandy})
      if (to_string(s) == scheme_) o_.scheme = s;
    o_.json_diagnostics = diagnostics_format_ == "json";
    result.options = o_;
    return result;
  }

 private:
  static CommandLine help_about(const std::string& command) {
    if (command.empty()) return {.options = {}, .text = general_help()};
    const auto table = command_table();
    if (std::ranges::find(table, command, &CommandInfo::name) == table.end())
      return usage_error_line(unknown_command(command));
    return {.options = {}, .text = command_help(command)};
  }

  // The parser's errors, whose kind only their type and text tell, in the words of this command.
  std::string describe(const CLI::ParseError& e) {
    const CLI::App* c = chosen();
    const std::string command = c ? c->get_name() : "", what = e.what();
    std::vector<std::string> extra = app_.remaining(true);
    const auto option = std::ranges::find_if(extra, [](const std::string& w) { return w.starts_with('-'); });
    if (option != extra.end()) return unexpected_word(command, as_typed(*option));
    if (!extra.empty()) return unexpected_word(command, extra.front());
    if (dynamic_cast<const CLI::RequiredError*>(&e)) return missing_operand(command);
    const size_t colon = what.find(": ");
    const std::string name = what.substr(0, colon);
    if (what.ends_with(" missing")) return missing_value(command, name);
    if (size_t at = what.find(" not in {"); at != std::string::npos && colon < at)
      return unknown_value(command, name, what.substr(colon + 2, at - colon - 2));
    if (size_t at = what.find("At Most 1 required"); at != std::string::npos)
      return fmt::format("{} is given more than once", as_typed(name));
    if (size_t at = what.find(" was given a disallowed flag override"); at != std::string::npos)
      return fmt::format("--{} takes no value", what.substr(0, at));
    if (what.starts_with("Could not convert: "))
      return fmt::format("not a number that is possible here: {}", what.substr(what.find(": ") + 2));
    return as_typed(name) + what.substr(name.size());
  }

  CLI::App* chosen() {
    auto parsed = app_.get_subcommands();
    return parsed.empty() ? nullptr : parsed.front();
  }

  // Those of one command, or of all: the library compares each with all before it, which every run would pay.
  void add_options(std::string_view only = {}) {
    auto of = [&](std::initializer_list<CLI::App*> commands) {
      std::vector<CLI::App*> wanted;
      for (CLI::App* c : commands)
        if (only.empty() || c->get_name() == only) wanted.push_back(c);
      return wanted;
    };
    for (CLI::App* c : of({trace_}))
      option(c, "file", o_.file, "TRACE", "what --trace wrote, or - for standard input")->required();
    for (CLI::App* c : of({compile_, run_, check_, stats_, explore_, explain_}))
      common(c), diagnostic_options(c);
    for (CLI::App* c : of({compile_})) compile_options(c), size_options(c);
    for (CLI::App* c : of({run_, check_, stats_})) launch_options(c), json_option(c);
    for (CLI::App* c : of({explore_, explain_})) launch_options(c);
    for (CLI::App* c : of({explore_}))
      option(c, "-o", o_.output, "FILE", "the page, or the record if this ends with .json");
    for (CLI::App* c : of({run_, check_})) {
      option(c, "--timeout", o_.timeout, "SECONDS",
             fmt::format("end a launch that takes longer{}",
                         c == check_ ? fmt::format(" ({:g})", kCheckSeconds) : ""))
          ->check(seconds_of);
      c->add_flag("--check-bounds", o_.check_bounds, "trap on accesses outside buffers and arrays");
      option(c, "--printf-buffer", o_.printf_bytes, "BYTES", "room for what printf writes (1048576)")
          ->check(CLI::Range(uint64_t{64}, kMaxPrintfBytes));
    }
    for (CLI::App* c : of({run_})) run_options(c);
    for (CLI::App* c : of({run_, stats_, explore_, explain_})) warp_option(c);
    for (CLI::App* c : of({explain_})) scheme_option(c);
    for (CLI::App* c : of({check_})) group(c, "Results");
    for (CLI::App* c : of({fuzz_})) group(c, "Random kernels");
    for (CLI::App* c : of({check_})) {
      script_option(c);
      option(c, "--against", o_.against, "REF",
             "compare with what this program computes, in place of FILE's own");
      c->add_flag("--prove", o_.prove,
                  "run nothing: prove of each pass that it keeps the control flow, or show the path");
      number(c, "--ulp", o_.ulp, "N", "largest difference of floats that passes, in units in the last place");
    }
    for (CLI::App* c : of({check_, fuzz_}))
      suggest(option(c, "--routes", o_.routes, "ROUTE,...", "only these routes")
                  ->delimiter(',')
                  ->allow_extra_args(false),
              engine_names());
    for (CLI::App* c : of({fuzz_})) fuzz_options(c);
    for (CLI::App* c : of({lab_}))
      option(c, "--port", o_.port, "N", "of this machine, where the lab is; 0: any that is free (8000)")
          ->check(CLI::Range(0, 65535));
    for (CLI::App* c : of({grade_})) grade_options(c);
    for (CLI::App* c : of({learn_})) learn_options(c);
    for (CLI::App* c : of({devices_, trace_})) c->add_flag("--json", o_.json, "print one JSON object");
    for (CLI::App* c : of({help_}))
      suggest(option(c, "command", topic_, "COMMAND", "the command"), command_names());
    for (CLI::App* c : of({completion_}))
      option(c, "shell", o_.shell, "SHELL", "the shell it is for")
          ->required()
          ->check(CLI::IsMember({"bash", "zsh", "fish"}));
    for (CLI::App* c : app_.get_subcommands([](const CLI::App*) { return true; }))
      for (CLI::Option* o : c->get_options())
        if (o->get_items_expected_max() == 0) o->disable_flag_override();
  }

  std::vector<std::string> command_names() const {
    std::vector<std::string> names;
    for (const CLI::App* c : app_.get_subcommands([](const CLI::App*) { return true; }))
      names.push_back(c->get_name());
    return names;
  }

  OptionInfo describe(const CLI::Option& o) const {
    OptionInfo info{.required = o.get_required(), .description = o.get_description(), .group = o.get_group()};
    for (const std::string& name : o.get_snames()) info.names.push_back("-" + name);
    for (const std::string& name : o.get_lnames()) info.names.push_back(as_typed("--" + name));
    if (o.get_items_expected_max() > 0 || o.get_positional()) info.value = o.get_type_name();
    bool single =
        !info.names.empty() && std::ranges::find(kSingleDash, info.names.front()) != std::end(kSingleDash);
    info.joined = single && info.names.front() != "-include";
    // Behind what users call the value stands what is allowed.
    for (size_t colon = 0; (colon = info.value.find(':', colon)) != std::string::npos; ++colon) {
      std::string allowed = info.value.substr(colon + 1);
      info.choices = members(allowed);
      if (info.choices.empty() && allowed.find(" in [") == std::string::npos) continue;
      info.value.resize(colon);
      break;
    }
    if (auto known = suggested_.find(&o); known != suggested_.end()) info.choices = known->second;
    return info;
  }

  // What completion and the manual offer where other values are possible, or an error of their own.
  void suggest(const CLI::Option* o, std::vector<std::string> values) { suggested_[o] = std::move(values); }

  // One option with a value, as users call the value.
  template <typename T>
  CLI::Option* option(CLI::App* c, const char* name, T& to, const char* value,
                      const std::string& description) {
    return c->add_option(name, to, description)->type_name(value);
  }
  // A count: the library would take "-1" for the largest one.
  template <typename T>
  CLI::Option* number(CLI::App* c, const char* name, T& to, const char* value, const std::string& description,
                      uint64_t least = 0) {
    auto check = [least](const std::string& text) -> std::string {
      uint64_t n = 0;
      auto [end, ec] = std::from_chars(text.data(), text.data() + text.size(), n);
      constexpr uint64_t most = sizeof(T) == 4 ? UINT32_MAX : UINT64_MAX;
      if (ec == std::errc{} && end == text.data() + text.size() && n >= least && n <= most) return {};
      return fmt::format("'{}' is not a whole number from {} on", text, least);
    };
    return option(c, name, to, value, description)->check(check);
  }
  // Given any number of times.
  CLI::Option* list(CLI::App* c, const char* name, std::vector<std::string>& to, const char* value,
                    const std::string& description) {
    return option(c, name, to, value, description)->allow_extra_args(false);
  }
  static void last_counts(CLI::Option* o) { o->multi_option_policy(CLI::MultiOptionPolicy::TakeLast); }
  static void group(CLI::App* c, const char* name) { c->option_defaults()->group(name); }

  void common(CLI::App* c) {
    option(c, "file", o_.file, "FILE", "kernel source (.cl), IR text (.kir), or - for standard input")
        ->required();
    group(c, "Language");
    option(c, "-x", o_.language, "LANGUAGE", "what the input is read as")->check(CLI::IsMember({"cl", "ir"}));
    list(c, "-D", o_.defines, "NAME[=VALUE]", "define a macro; NAME(PARAMETERS)=VALUE is possible, too");
    list(c, "-U", o_.undefines, "NAME", "undefine a macro");
    list(c, "-I", o_.include_dirs, "DIR", "add a directory for #include");
    list(c, "--include", o_.includes, "FILE", "include this file before the source");
    last_counts(option(c, "--ffp-contract", contract_, "on|off", "fuse a*b+c inside one expression (on)"));
    CLI::Option* version =
        option(c, "--opencl-version", o_.language_version, "N",
               "__OPENCL_C_VERSION__; with 300 there are the macros of optional features (120)");
    last_counts(version->check(CLI::IsMember({100, 110, 120, 300})));
    c->add_flag("--fsingle-precision-constant", o_.single_literals, "literals such as 1.0 are floats");
    c->add_flag("--ffast-math", o_.fast_math, "looser math functions, x / y as x * (1 / y)");
    last_counts(number(c, "--finline-budget", o_.inline_budget, "N",
                       "syntax nodes that inlining may copy in one kernel; 0 shares all functions"));
    group(c, "Target");
    option(c, "--kernel", o_.kernel, "NAME", "the kernel to use when the file has several");
    CLI::Option* target = option(c, "--target", o_.targets, "TARGET", "machine to compile for")
                              ->delimiter(',')
                              ->allow_extra_args(false);
    suggest(target, c == compile_ ? compile_targets() : engine_names());
    number(c, "--width", o_.width, "N", "lanes of a wave on CPU targets and in wave IR: 1, 8, 16, 32 or 64");
    group(c, "Passes");
    optimisation_options(c);
    last_counts(option(c, "--restructure", restructure_, "SCHEME[:OPTION,...]",
                       "what becomes of unstructured control flow (auto)"));
    passes_options(c);
    std::vector<std::string> passes = pass_names();
    if (c == compile_)
      suggest(option(c, "--stop-after", o_.stop_after, "NAME", "stop after this pass and print the IR"),
              passes);
    passes.emplace_back("all");
    suggest(option(c, "--print-after", o_.print_after, "NAME", "print the IR after this pass, or after all"),
            passes);
    option(c, "--print-changed", print_changed_, "FORM",
           "print what each pass changed: line by line, or the IR as a whole")
        ->check(CLI::IsMember({"diff", "full"}));
    option(c, "--dump-dir", o_.dump_dir, "DIR", "write the IR after each pass into this directory");
    c->add_flag("--time-passes", o_.time_passes, "report the time of each pass");
    c->add_flag("--verify-each", o_.verify_each, "verify the IR after each pass");
  }

  void passes_options(CLI::App* c) {
    option(c, "--passes", o_.passes, "NAME,...",
           "run just these passes, or none; exec:COMMAND is a program that reads and writes IR as JSON");
    option(c, "--exec-timeout", o_.exec_seconds, "SECONDS",
           "of the processor that a pass exec:COMMAND may take (60)")
        ->check(seconds_of);
    number(c, "--exec-memory", o_.exec_mib, "MIB", "of data that it may have (4096)", 1)
        ->check(CLI::Range(uint64_t{1}, uint64_t{1} << 30));
  }

  void optimisation_options(CLI::App* c) {
    c->add_flag_callback(
        "--meld", [this] { meld_ = Meld::Always; },
        "do together what lanes would do apart wherever that is possible, not only where it pays");
    c->add_flag_callback(
        "--no-meld", [this] { meld_ = Meld::Never; },
        "do nothing together that the source has in several places");
    c->add_flag_callback(
        "--branch-fusion", [this] { meld_ = Meld::Fusion; },
        "for comparison: do together only what single blocks on both sides of a branch have");
    c->add_flag_callback(
        "--tail-merging", [this] { meld_ = Meld::Tails; },
        "for comparison: do together only what blocks that lead to one place end with");
    CLI::Option* level = option(c, "-O", o_.optimisation, "0|1|2|3", "level of optimisation (2)");
    last_counts(level->check(CLI::Range(0, 3)));
  }

  void diagnostic_options(CLI::App* c) {
    group(c, "Diagnostics");
    CLI::Option* warnings =
        list(c, "-W", o_.warnings, "NAME",
             "a warning on, off with no-NAME, an error with error=NAME; all, extra, everything, error");
    auto names = front::warning_option_names();
    suggest(warnings, {names.begin(), names.end()});
    c->add_flag("-w", o_.no_warnings, "no warnings");
    option(c, "--ferror-limit", o_.error_limit, "N", "stop after this many errors (20; 0: never)")
        ->check(CLI::Range(0, 1'000'000));
    option(c, "--diagnostics-format", diagnostics_format_, "FORMAT",
           "how diagnostics look; json is one object per line")
        ->check(CLI::IsMember({"text", "json"}));
    last_counts(
        option(c, "--Rpass", rpass_, "[=REGEX]", "say what passes did, all or those whose names match"));
    c->add_flag_callback(
        "--fcolor-diagnostics", [this] { o_.color = true; }, "colours, terminal or not");
    c->add_flag_callback(
        "--fno-color-diagnostics", [this] { o_.color = false; }, "no colours");
  }

  void compile_options(CLI::App* c) {
    group(c, "Output");
    suggest(option(c, "--emit", o_.emit, "KIND", "what to write"), {kEmitKinds.begin(), kEmitKinds.end()});
    c->add_flag("-E", o_.preprocess_only, "only preprocess, and print the text");
    option(c, "-o", o_.output, "FILE", "write the result to this file");
    option(c, "--header", o_.header, "FILE", "write the C header of a CPU object to this file");
    c->add_flag("-S", o_.assembly, "write the textual form of the target's code");
    c->add_flag("--resource-usage", o_.resource_usage, "report registers, spills and sizes");
  }

  void size_options(CLI::App* c) {
    group(c, "Launch");
    option(c, "--global", global_, "X[,Y[,Z]]", "global size in work-items");
    option(c, "--local", local_, "X[,Y[,Z]]", "work-group size");
  }

  void launch_options(CLI::App* c) {
    size_options(c);
    option(c, "--offset", offset_, "X[,Y[,Z]]", "global offset");
    list(c, "--arg", o_.args, "[NAME=]VALUE", "a literal, TYPE[N][:FILLER], [TYPE[N]]@FILE or &OTHER");
    number(c, "--threads", o_.threads, "N", "CPU threads (0: all)");
    number(c, "--max-steps", o_.max_steps, "N", "stop an interpreter or emulator after this many steps");
    group(c, "Results");
  }

  void json_option(CLI::App* c) { c->add_flag("--json", o_.json, "print one JSON object"); }

  void run_options(CLI::App* c) {
    group(c, "Results");
    list(c, "--dump", o_.dumps, "NAME=FILE", "write a buffer's bytes after the launch");
    list(c, "--print", o_.prints, "NAME[A:B]", "print elements after the launch");
    list(c, "--image", o_.images, "NAME=FILE.png:WxH[:MAP]",
         "write a picture of a buffer; MAP is grey or heat");
    option(c, "--adapt", adapt_, "on|off", "CPUs: compare forms of the code while launches run (on)")
        ->check(CLI::IsMember({"on", "off"}));
    option(c, "--emit-forms", o_.form_dir, "DIR", "write the code that runs, KERNEL.TARGET.s");
    script_option(c);
    number(c, "--repeat", o_.repeat, "N", "run this many times on fresh inputs", 1);
    group(c, "Simulation");
    scheme_option(c);
    option(c, "--trace", o_.trace, "FILE", "write which blocks ran for which lanes (sim, wave...)");
  }

  void scheme_option(CLI::App* c) {
    option(c, "--scheme", scheme_, "SCHEME", "how warps meet again (sim)")
        ->check(CLI::IsMember({"ipdom", "tf-stack", "tf-sandy"}));
  }

  void script_option(CLI::App* c) {
    option(c, "--script", o_.script, "FILE", "run the launches that this file describes, in place of one");
  }

  void warp_option(CLI::App* c) {
    group(c, "Simulation");
    option(c, "--warp", warp_, "N", "lanes of a simulated warp, inf for all of the group (32)")
        ->check(CLI::IsMember({"4", "8", "16", "32", "64", "inf"}));
  }

  void fuzz_options(CLI::App* c) {
    optimisation_options(c);
    last_counts(option(c, "--restructure", restructure_, "SCHEME[:OPTION,...]",
                       "what becomes of unstructured control flow (auto)"));
    passes_options(c);
    number(c, "--width", o_.width, "N", "lanes of a wave on CPU targets: 1, 8, 16, 32 or 64");
    number(c, "--seed", o_.seed, "N", "seed of the first program (1)");
    option(c, "--count", o_.count, "N", "how many programs, with the seeds that follow (1000)")
        ->check(CLI::Range(uint64_t{1}, uint64_t{1'000'000'000}));
    option(c, "--jobs", o_.jobs, "N", "processes at a time (0: as many as the machine has cores)")
        ->check(CLI::Range(0, 256));
    option(c, "--output-dir", o_.output_dir, "DIR", "where programs that differ are written (.)");
    number(c, "--largest", o_.largest, "N", "skip programs of more than N instructions (0: none)");
    auto* structured = c->add_flag("--structured", o_.structured,
                                   "programs with sub-groups, where it is known who is together");
    auto* rows = c->add_flag("--rows", o_.rows, "programs whose loops walk along rows of arrays");
    rows->excludes(structured);
    c->add_flag("--strides", o_.strides, "programs whose loops walk with the stride of a launch or a group")
        ->excludes(structured)
        ->excludes(rows);
    c->add_flag("--assemble", o_.assemble, "gfx900 as code objects by LLVM's assembler, which takes longer");
    c->add_flag("--json", o_.json, "print one JSON object");
  }

  void learn_options(CLI::App* c) {
    option(c, "action", o_.learn_action, "ACTION",
           "what to do; without it, the exercises are checked in order")
        ->check(CLI::IsMember({"list", "hint", "check", "watch"}));
    option(c, "exercise", o_.exercise, "NAME", "of an exercise, or its number: for hint and check");
    o_.output_dir = "kernelc-learn";
    option(c, "--dir", o_.output_dir, "DIR", "where the files to edit are (kernelc-learn)");
    number(c, "--level", o_.hint_level, "N", "which hint, from the first on", 1);
  }

  void grade_options(CLI::App* c) {
    option(c, "lab", o_.file, "LAB.toml", "the lab file")->required();
    option(c, "submission", o_.submission, "SUBMISSION", "what is graded")->required();
    option(c, "--hidden", o_.hidden_seed, "FILE", "the seed of hidden tests, which are left out without it");
    option(c, "--junit", o_.junit, "FILE", "write the result as JUnit's XML, too");
    json_option(c);
  }

  CLI::App app_{"kernelc: one kernel source, any control flow, every kind of SIMD machine", "kernelc"};
  CLI::App *compile_ = nullptr, *run_ = nullptr, *check_ = nullptr, *stats_ = nullptr, *trace_ = nullptr,
           *explore_ = nullptr, *explain_ = nullptr, *lab_ = nullptr, *grade_ = nullptr, *learn_ = nullptr,
           *fuzz_ = nullptr, *devices_ = nullptr, *help_ = nullptr, *completion_ = nullptr;
  std::string topic_, print_changed_;  // topic: of help
  Options o_;
  std::map<const CLI::Option*, std::vector<std::string>> suggested_;
  std::optional<Meld> meld_;
  std::string global_, local_, offset_, contract_ = "on", adapt_ = "on", diagnostics_format_ = "text", rpass_,
                                        scheme_ = "ipdom", warp_ = "32", restructure_ = "auto";
};

}  // namespace

CommandLine parse_command_line(const std::vector<std::string>& raw) {
  auto expanded = expand_response_files(raw);
  if (!expanded) return {.text = fmt::format("kernelc: error: {}\n", expanded.error()), .status = ExitIo};
  std::vector<std::string>& args = *expanded;
  for (size_t i = 0; i < args.size();) {
    if (!args[i].starts_with("-cl-")) {
      args[i] = normalise(std::move(args[i]));
      ++i;
      continue;
    }
    auto others = translate_opencl_option(args[i]);
    if (!others) return usage_error_line(others.error());
    auto at = args.erase(args.begin() + static_cast<std::ptrdiff_t>(i));
    args.insert(at, others->begin(), others->end());
    i += others->size();
  }
  if (args.empty()) return usage_error_line(missing_operand(""));
  const bool general = args[0] == "--help" || args[0] == "-h" || args[0] == "--version";
  CommandParser parser;
  if (!general && !parser.has_command(args[0])) {
    if (is_misspelt_command(args[0])) return usage_error_line(unknown_command(args[0]));
    args.insert(args.begin(), "compile");
  }
  return parser.parse(std::move(args));
}

std::vector<CommandInfo> command_table() { return CommandParser().table(); }

}  // namespace kc
