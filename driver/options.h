// SPDX-License-Identifier: Apache-2.0
// The command line, as one plain struct.
#pragma once

#include <array>
#include <cstdint>
#include <expected>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "ir/printf.h"
#include "passes/pass_runner.h"
#include "passes/restructure/restructure_options.h"
#include "passes/transform/meld_mode.h"
#include "sim/warp/warp_scheduler.h"

namespace kc {

struct RemarkLog;

/// Exit statuses of the command.
enum ExitStatus : int {
  ExitOk = 0,
  ExitSource = 1,
  ExitUsage = 2,
  ExitIo = 3,
  ExitAbsent = 4,
  ExitTrap = 5,
  ExitMismatch = 6,
  ExitInternal = 70,
};

/// The --timeout of check, if none is given.
inline constexpr double kCheckSeconds = 60;

struct Options {
  std::string command = "compile";
  std::string file;
  // language
  std::string language;  // -x: cl or ir; empty: by content
  std::vector<std::string> defines, undefines, include_dirs, includes;
  bool preprocess_only = false;  // -E
  bool contract = true;
  int language_version = 120;  // as __OPENCL_C_VERSION__ has it
  bool single_literals = false, fast_math = false;
  std::optional<uint64_t> inline_budget;  // nodes that inlining may copy; else the front end's own
  // diagnostics
  std::vector<std::string> warnings;  // -W options without the "-W", in order
  bool no_warnings = false;           // -w
  int error_limit = 20;
  bool json_diagnostics = false;
  std::shared_ptr<RemarkLog> remarks;  // -Rpass
  std::optional<bool> color;           // -f[no-]color-diagnostics; else as the terminal says
  // what to make
  std::vector<std::string> targets;
  std::string emit, output, header, kernel;
  bool ir_as_json = false;  // IR is written as JSON: --emit=ir-json
  bool assembly = false;
  int optimisation = 2;
  uint32_t width = 0;  // lanes of a wave; 0: the target's own
  // passes
  RestructureOptions restructure{};
  std::string restructure_name = "auto";  // as the user wrote it
  Meld meld = Meld::ByCost;
  std::string passes, print_after, stop_after, dump_dir;
  OutsidePass outside;         // runs passes that are programs; only command lines have it
  double exec_seconds = 60;    // of the processor: what each of them may take for a function
  uint64_t exec_mib = 4096;    // and may have of data
  bool print_changes = false;  // --print-changed=diff
  std::shared_ptr<std::map<std::string, std::string, std::less<>>>
      stage_texts;  // with what --print-after=all,
                    // and --dump-dir compare
  bool time_passes = false, verify_each = false, resource_usage = false;
  // run and check
  std::array<uint64_t, 3> global{0, 1, 1}, local{0, 1, 1}, offset{0, 0, 0};
  uint32_t dims = 0, local_dims = 0;
  std::vector<std::string> args, dumps, prints, images;
  std::string against;  // check: the program that is the reference, in place of FILE's own
  std::string script;   // run: buffers and launches, in place of one launch
  uint32_t threads = 0, repeat = 1;
  bool check_bounds = false;
  uint64_t printf_bytes = kPrintfBytes;
  uint64_t max_steps = 0;
  double timeout = 0;  // seconds of a launch; 0: none, but check has a limit if none is given
  WarpScheme scheme = WarpScheme::Ipdom;
  uint32_t warp = 32;  // 0: the whole group
  std::string trace;
  bool adapt = true;
  std::string form_dir;  // --emit-forms
  bool json = false;
  std::optional<uint64_t> ulp;
  std::vector<std::string> routes;
  bool prove = false;
  // fuzz
  uint64_t seed = 1, count = 1000;
  uint32_t jobs = 0;  // 0: as many as the machine has cores
  std::string output_dir = ".";
  bool assemble = false, structured = false, rows = false, strides = false;
  uint32_t largest = 0;  // instructions of a random program that is run; 0: any number
  // completion
  std::string shell;
  // lab
  uint32_t port = 8000;
  // grade: `file` is the lab file
  std::string submission, junit, hidden_seed;
  // learn: `output_dir` has the files of the exercises
  std::string learn_action, exercise;
  uint32_t hint_level = 1;
};

/// What --emit takes.
inline constexpr std::array<std::string_view, 15> kEmitKinds{
    "tokens", "ast",   "ir",         "ir-json", "wave",  "machine", "asm", "obj",
    "header", "spirv", "spirv-text", "regions", "hsaco", "dot",     "json"};

/// What parsing came to: options to carry out, or a text to print and a status to exit with.
struct CommandLine {
  std::optional<Options> options;
  std::string text;
  int status = ExitOk;
};
CommandLine parse_command_line(const std::vector<std::string>& arguments);

}  // namespace kc
