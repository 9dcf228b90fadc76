// SPDX-License-Identifier: Apache-2.0
#include "driver/options.h"

#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <charconv>
#include <fstream>
#include <sstream>

#include "driver/remarks.h"

namespace kc {
namespace {

constexpr std::string_view kVersion = "kernelc " KC_VERSION;
constexpr size_t kMaxResponseDepth = 8;

// "@file" stands for the arguments in the file, separated by white space; quotes keep words together.
bool expand(const std::string& arg, std::vector<std::string>& out, size_t depth, std::string& error) {
  if (arg.size() < 2 || arg[0] != '@') return out.push_back(arg), true;
  if (depth > kMaxResponseDepth)
    return error = fmt::format("response files nest too deeply at '{}'", arg), false;
  std::ifstream in(arg.substr(1));
  if (!in) return error = fmt::format("cannot read response file '{}'", arg.substr(1)), false;
  std::string word;
  while (in >> std::quoted(word))
    if (!expand(word, out, depth + 1, error)) return false;
  return true;
}

// clang's single-dash long options, spelled the way the option parser wants them.
std::string normalise(std::string arg) {
  if (arg == "-Rpass") return "--Rpass=.";
  for (std::string_view prefix : {"-ffp-contract", "-finline-budget", "-Rpass", "-include", "-ferror-limit",
                                  "-fcolor-diagnostics", "-fno-color-diagnostics"})
    if (arg.starts_with(prefix)) return "-" + arg;
  return arg;
}

std::string parse_sizes(const std::string& text, std::array<uint64_t, 3>& out, uint32_t& dims, bool zero_ok) {
  const char* at = text.data();
  const char* end = at + text.size();
  for (dims = 0; dims < 3;) {
    uint64_t v = 0;
    auto [next, ec] = std::from_chars(at, end, v);
    if (ec != std::errc{} || (v == 0 && !zero_ok) || v > (uint64_t{1} << 40))
      return fmt::format("'{}' is not X[,Y[,Z]] of {} numbers", text, zero_ok ? "non-negative" : "positive");
    out[dims++] = v;
    at = next;
    if (at == end) return {};
    if (*at++ != ',') break;
  }
  return fmt::format("'{}' is not X[,Y[,Z]]", text);
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
    trace_->add_option("file", o_.file, "the trace, or - for standard input")->required();
    stats_ = app_.add_subcommand("stats", "what a launch costs under each scheme of reconvergence");
    for (CLI::App* c : {compile_, run_, check_, stats_}) common(c), diagnostic_options(c);
    compile_options(compile_);
    for (CLI::App* c : {run_, check_, stats_}) launch_options(c);
    run_options(run_);
    for (CLI::App* c : {run_, stats_}) warp_option(c);
    check_->add_option("--ulp", o_.ulp,
                       "largest difference of floats that passes, in units in the last place");
    for (CLI::App* c : {check_, fuzz_})
      c->add_option("--routes", o_.routes, "only these routes")->delimiter(',');
    fuzz_options(fuzz_);
  }

  CommandLine parse(std::vector<std::string> args) {
    CommandLine result;
    std::reverse(args.begin(), args.end());  // the parser consumes from the back
    try {
      app_.parse(args);
    } catch (const CLI::CallForHelp&) {
      CLI::App* c = chosen();
      return {.text = c ? c->help() : app_.help()};
    } catch (const CLI::CallForVersion&) {
      return {.text = std::string(kVersion) + "\n"};
    } catch (const CLI::ParseError& e) {
      return {.text = fmt::format("kernelc: error: {}\n", e.what()), .status = ExitUsage};
    }
    o_.command = chosen()->get_name();
    std::string error;
    if (!global_.empty()) error = parse_sizes(global_, o_.global, o_.dims, false);
    if (error.empty() && !local_.empty()) error = parse_sizes(local_, o_.local, o_.local_dims, false);
    uint32_t ignored = 0;
    if (error.empty() && !offset_.empty()) error = parse_sizes(offset_, o_.offset, ignored, true);
    if (error.empty() && contract_ != "on" && contract_ != "off" && contract_ != "fast")
      error = fmt::format("-ffp-contract={}: use on or off", contract_);
    if (error.empty() && o_.repeat == 0) error = "--repeat must be at least 1";
    if (error.empty() && o_.width && o_.width != 8 && o_.width != 16 && o_.width != 32 && o_.width != 64)
      error = "--width must be 8, 16, 32 or 64";
    if (auto scheme = parse_scheme(restructure_))
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
    if (!error.empty()) return {.text = fmt::format("kernelc: error: {}\n", error), .status = ExitUsage};
    o_.contract = contract_ != "off";
    o_.warp = warp_ == "inf" ? 0 : static_cast<uint32_t>(std::stoul(warp_));
    for (WarpScheme s : {WarpScheme::Ipdom, WarpScheme::TfStack, WarpScheme::TfSandy})
      if (to_string(s) == scheme_) o_.scheme = s;
    o_.json_diagnostics = diagnostics_format_ == "json";
    result.options = o_;
    return result;
  }

 private:
  CLI::App* chosen() {
    for (CLI::App* c : {compile_, run_, check_, stats_, trace_, fuzz_})
      if (c->parsed()) return c;
    return nullptr;
  }

  void common(CLI::App* c) {
    c->add_option("file", o_.file, "kernel source (.cl), IR text (.kir), or - for standard input")
        ->required();
    c->add_option("-x", o_.language, "read the input as cl or ir")->check(CLI::IsMember({"cl", "ir"}));
    c->add_option("-D", o_.defines, "define a macro: NAME, NAME=VALUE or NAME(PARAMETERS)=VALUE")
        ->allow_extra_args(false);
    c->add_option("-U", o_.undefines, "undefine a macro")->allow_extra_args(false);
    c->add_option("-I", o_.include_dirs, "add a directory for #include")->allow_extra_args(false);
    c->add_option("--include", o_.includes, "include this file before the source")->allow_extra_args(false);
    optimisation_option(c);
    c->add_option("--ffp-contract", contract_, "fuse a*b+c inside one expression: on or off")
        ->multi_option_policy(CLI::MultiOptionPolicy::TakeLast);
    c->add_option("--finline-budget", o_.inline_budget,
                  "syntax nodes that inlining may copy in one kernel; 0 shares all functions")
        ->multi_option_policy(CLI::MultiOptionPolicy::TakeLast);
    c->add_option("--target", o_.targets, "machine to compile for")->delimiter(',');
    c->add_option("--kernel", o_.kernel, "the kernel to use when the file has several");
    c->add_option("--width", o_.width, "lanes of a wave on CPU targets and in wave IR: 8, 16, 32 or 64");
    c->add_option("--restructure", restructure_,
                  "SCHEME[:OPTION,...]: what becomes of unstructured control flow (auto)")
        ->multi_option_policy(CLI::MultiOptionPolicy::TakeLast);
    c->add_option("--passes", o_.passes, "run just these passes, separated by commas");
    c->add_option("--print-after", o_.print_after, "print the IR after this pass, or after all");
    c->add_option("--stop-after", o_.stop_after, "stop after this pass and print the IR");
    c->add_option("--dump-dir", o_.dump_dir, "write the IR after each pass into this directory");
    c->add_flag("--time-passes", o_.time_passes, "report the time of each pass");
    c->add_flag("--verify-each", o_.verify_each, "verify the IR after each pass");
  }

  void optimisation_option(CLI::App* c) {
    c->add_option("-O", o_.optimisation, "optimisation level 0 to 3")
        ->check(CLI::Range(0, 3))
        ->multi_option_policy(CLI::MultiOptionPolicy::TakeLast);
  }

  void diagnostic_options(CLI::App* c) {
    c->add_option("-W", o_.warnings,
                  "warnings: NAME, no-NAME, all, extra, everything, error, error=NAME, no-error=NAME")
        ->allow_extra_args(false);
    c->add_flag("-w", o_.no_warnings, "no warnings");
    c->add_option("--ferror-limit", o_.error_limit, "stop after this many errors (0: never)")
        ->check(CLI::Range(0, 1'000'000));
    c->add_option("--diagnostics-format", diagnostics_format_, "text, or json: one object per line")
        ->check(CLI::IsMember({"text", "json"}));
    c->add_option("--Rpass", rpass_, "say what passes did, all or those whose names match: -Rpass[=REGEX]")
        ->multi_option_policy(CLI::MultiOptionPolicy::TakeLast);
    c->add_flag_callback(
        "--fcolor-diagnostics", [this] { o_.color = true; }, "colours, terminal or not");
    c->add_flag_callback(
        "--fno-color-diagnostics", [this] { o_.color = false; }, "no colours");
  }

  void compile_options(CLI::App* c) {
    c->add_option("--emit", o_.emit,
                  "tokens, ast, ir, wave, asm, obj, header, spirv, spirv-text, hsaco, dot or json");
    c->add_flag("-E", o_.preprocess_only, "only preprocess, and print the text");
    c->add_option("-o", o_.output, "write the result to this file");
    c->add_option("--header", o_.header, "write the C header of a CPU object to this file");
    c->add_flag("-S", o_.assembly, "write the textual form of the target's code");
    c->add_flag("--resource-usage", o_.resource_usage, "report registers, spills and sizes");
  }

  void launch_options(CLI::App* c) {
    c->add_option("--global", global_, "global size X[,Y[,Z]] in work-items")->required();
    c->add_option("--local", local_, "work-group size X[,Y[,Z]]");
    c->add_option("--offset", offset_, "global offset X[,Y[,Z]]");
    c->add_option("--arg", o_.args, "NAME=VALUE or VALUE: a literal, TYPE[N][:filler], @file or &other")
        ->allow_extra_args(false);
    c->add_option("--threads", o_.threads, "CPU threads (0: all)");
    c->add_option("--max-steps", o_.max_steps, "stop an interpreter after this many steps");
    c->add_flag("--json", o_.json, "print one JSON object");
  }

  void run_options(CLI::App* c) {
    c->add_option("--dump", o_.dumps, "NAME=FILE: write a buffer's bytes after the launch")
        ->allow_extra_args(false);
    c->add_option("--print", o_.prints, "NAME[a:b]: print elements after the launch")
        ->allow_extra_args(false);
    c->add_option("--image", o_.images, "NAME=FILE.png:WxH[:map]: write a picture of a buffer")
        ->allow_extra_args(false);
    c->add_flag("--check-bounds", o_.check_bounds, "trap on accesses outside a buffer (interp)");
    c->add_option("--repeat", o_.repeat, "run this many times on fresh inputs");
    c->add_option("--scheme", scheme_, "how warps meet again (sim): ipdom, tf-stack or tf-sandy")
        ->check(CLI::IsMember({"ipdom", "tf-stack", "tf-sandy"}));
    c->add_option("--trace", o_.trace, "write which blocks ran for which lanes to this file (sim, wave...)");
  }

  void warp_option(CLI::App* c) {
    c->add_option("--warp", warp_, "lanes of a simulated warp: 4, 8, 16, 32, 64, or inf for the whole group")
        ->check(CLI::IsMember({"4", "8", "16", "32", "64", "inf"}));
  }

  void fuzz_options(CLI::App* c) {
    optimisation_option(c);
    c->add_option("--seed", o_.seed, "seed of the first program (1)");
    c->add_option("--count", o_.count, "how many programs, with the seeds that follow (1000)")
        ->check(CLI::Range(uint64_t{1}, uint64_t{1'000'000'000}));
    c->add_option("--jobs", o_.jobs, "processes at a time (0: as many as the machine has cores)")
        ->check(CLI::Range(0, 256));
    c->add_option("--output-dir", o_.output_dir, "where programs that differ are written (.)");
    c->add_flag("--assemble", o_.assemble, "gfx900 as code objects by LLVM's assembler, which takes longer");
    c->add_flag("--json", o_.json, "print one JSON object");
  }

  CLI::App app_{"kernelc: one kernel source, any control flow, every kind of SIMD machine", "kernelc"};
  CLI::App *compile_ = nullptr, *run_ = nullptr, *check_ = nullptr, *stats_ = nullptr, *trace_ = nullptr,
           *fuzz_ = nullptr;
  Options o_;
  std::string global_, local_, offset_, contract_ = "on", diagnostics_format_ = "text", rpass_,
                                        scheme_ = "ipdom", warp_ = "32", restructure_ = "auto";
};

}  // namespace

CommandLine parse_command_line(std::vector<std::string> raw) {
  std::vector<std::string> args;
  std::string error;
  for (const std::string& a : raw)
    if (!expand(a, args, 0, error))
      return {.text = fmt::format("kernelc: error: {}\n", error), .status = ExitIo};
  for (std::string& a : args) a = normalise(std::move(a));
  static constexpr std::array<std::string_view, 6> commands{"compile", "run",   "check",
                                                            "stats",   "trace", "fuzz"};
  bool general = args.empty() || args[0] == "--help" || args[0] == "-h" || args[0] == "--version";
  if (!general && std::find(commands.begin(), commands.end(), args[0]) == commands.end())
    args.insert(args.begin(), "compile");
  return CommandParser().parse(std::move(args));
}

}  // namespace kc
