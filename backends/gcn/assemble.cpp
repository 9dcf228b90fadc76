// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include "backends/gcn/gcn.h"
#include "ir/process.h"

namespace kc {

std::expected<std::string, ToolError> assemble_gcn(const std::string& assembly, const GcnTarget& target) {
  TempDir directory;
  if (!directory.valid()) return std::unexpected(temporary_file_error(""));
  std::string source = directory.file("kernel.s"), object = directory.file("kernel.o"),
              linked = directory.file("kernel.hsaco");
  if (!write_file(source, assembly)) return std::unexpected(temporary_file_error(source));
  auto run = [](const std::vector<std::string>& argv) -> std::expected<void, ToolError> {
    auto output = run_tool(argv);
    if (!output) return std::unexpected(with_packages(output.error(), "llvm-19 and lld-19"));
    if (output->exit_code != 0)
      return std::unexpected(ToolError{fmt::format("{} failed:\n{}", argv[0], output->err)});
    return {};
  };
  auto assembled = run({"llvm-mc-19", "-triple=amdgcn-amd-amdhsa", "-mcpu=" + target.cpu, "-filetype=obj",
                        source, "-o", object});
  if (!assembled) return std::unexpected(assembled.error());
  if (auto ok = run({"ld.lld-19", "-shared", object, "-o", linked}); !ok) return std::unexpected(ok.error());
  auto bytes = read_file(linked);
  if (!bytes) return std::unexpected(ToolError{bytes.error()});
  return *bytes;
}

}  // namespace kc
