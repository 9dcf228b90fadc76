// SPDX-License-Identifier: Apache-2.0
// Runs external tools (assembler, linker, disassembler) as child processes, without a shell.
#pragma once

#include <expected>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace kc {

struct ToolError {
  std::string message;
  bool absent = false;  // a tool is not installed
};
struct ToolOutput {
  int exit_code = 0;  // 128 + signal if the tool was killed
  std::string out, err;
};
/// Runs argv[0], looked up in PATH, with no input. Fails if the tool is absent or cannot be run.
std::expected<ToolOutput, ToolError> run_tool(const std::vector<std::string>& argv);

/// A private directory that is deleted with its files.
class TempDir {
 public:
  TempDir();
  ~TempDir();
  TempDir(const TempDir&) = delete;
  TempDir& operator=(const TempDir&) = delete;
  bool valid() const { return !path_.empty(); }
  std::string file(std::string_view name) const { return path_ + "/" + std::string(name); }

 private:
  std::string path_;
};

bool write_file(const std::string& path, std::string_view bytes);
std::expected<std::string, std::string> read_file(const std::string& path);

}  // namespace kc
