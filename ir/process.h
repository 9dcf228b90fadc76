// SPDX-License-Identifier: Apache-2.0
// Runs external tools (assembler, linker, disassembler) as child processes, without a shell.
#pragma once

#include <cstdint>
#include <expected>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace kc {

struct ToolError {
  std::string message;
  bool absent = false;  // a tool is not installed, or the machine has not the memory or time that it needs
  bool io = false;      // a temporary file cannot be written or read
  bool late = false;    // it was ended for a limit of time
};
struct ToolOutput {
  int exit_code = 0;
  std::string out, err;
};
/// What a tool may use; one that exceeds a limit is ended.
struct ToolLimits {
  uint64_t output_bytes = uint64_t{1} << 28;  // on both streams together
  double seconds = 600;                       // of the clock
  // Of the processor, in the process, those that it starts in its group and those that it waits for; 0: no
  // limit. Unlike seconds of the clock these do not depend on what else the machine has to do.
  double processor_seconds = 0;
  uint64_t memory_bytes = 0;  // of data; 0: no limit of its own
};
/// Runs argv[0], looked up in PATH, with no input. Fails if the tool is absent or cannot be run, exceeds a
/// limit, is killed by a signal, or says that there is no memory or no space for its files.
std::expected<ToolOutput, ToolError> run_tool(const std::vector<std::string>& argv,
                                              const ToolLimits& limits = {});

/// How a program ended that is not one of our tools.
struct ProgramOutput {
  int exit_code = 0;
  int signal = 0;  // that ended it, or 0
  std::string out, err;
};
/// Runs argv[0], looked up in PATH, with `input` on its standard input. Fails if it cannot be run, or with
/// what it has printed in `err` if it exceeds a limit; then its process group is ended.
struct ProgramError {
  ToolError error;
  std::string err{};
};
std::expected<ProgramOutput, ProgramError> run_program(const std::vector<std::string>& argv,
                                                       std::string_view input, const ToolLimits& limits);

/// From now on SIGHUP, SIGINT and SIGTERM end running tools and remove the paths of RemovedOnSignal, before
/// they end the process. For programs; a library leaves signals to its program.
void clean_up_on_signals();

/// A temporary file, or a folder with its files, that is removed if a signal ends the process. (Of the paths
/// of one moment the first 64.)
class RemovedOnSignal {
 public:
  explicit RemovedOnSignal(std::string path);
  ~RemovedOnSignal();
  RemovedOnSignal(const RemovedOnSignal&) = delete;
  RemovedOnSignal& operator=(const RemovedOnSignal&) = delete;
  const std::string& path() const { return path_; }

 private:
  std::string path_;
};

/// A private directory that is deleted with its files.
class TempDir {
 public:
  TempDir();
  ~TempDir();
  TempDir(const TempDir&) = delete;
  TempDir& operator=(const TempDir&) = delete;
  bool valid() const { return !made_.path().empty(); }
  std::string file(std::string_view name) const { return made_.path() + "/" + std::string(name); }

 private:
  RemovedOnSignal made_;
};

/// The error, and if the tool is absent, the packages that have it.
ToolError with_packages(ToolError error, std::string_view packages);

/// "No space left on device" and the like: why the temporary file cannot be written.
ToolError temporary_file_error(std::string_view path);

bool write_file(const std::string& path, std::string_view bytes);
std::expected<std::string, std::string> read_file(const std::string& path);

}  // namespace kc
