// SPDX-License-Identifier: Apache-2.0
#include "sim/gcn/object.h"

#include <fmt/format.h>

#include "ir/process.h"

namespace kc {

const GcnKernel* GcnObject::find(std::string_view name) const {
  for (const GcnKernel& k : kernels)
    if (k.name == name) return &k;
  return nullptr;
}

std::expected<GcnObject, ToolError> load_code_object(std::string_view bytes) {
  auto elf = read_elf(bytes);
  if (!elf) return std::unexpected(ToolError{elf.error()});
  TempDir dir;
  if (!dir.valid()) return std::unexpected(temporary_file_error(""));
  if (!write_file(dir.file("object"), bytes))
    return std::unexpected(temporary_file_error(dir.file("object")));
  // A line of text for each instruction of the file; sizes that are wrong in it could ask for any number.
  const ToolLimits limits{.output_bytes = (uint64_t{1} << 22) + 1024 * bytes.size(), .seconds = 120};
  auto text = run_tool({"llvm-objdump-19", "-d", "--line-numbers", fmt::format("--mcpu={}", elf->model->cpu),
                        dir.file("object")},
                       limits);
  if (!text) return std::unexpected(with_packages(text.error(), "llvm-19"));
  if (text->exit_code != 0) return std::unexpected(ToolError{"llvm-objdump-19: " + text->err});
  GcnObject object;
  object.model = elf->model;
  object.kernels = std::move(elf->kernels);
  object.image = std::move(elf->image);
  if (auto parsed = parse_gcn_text(text->out, object); !parsed)
    return std::unexpected(ToolError{parsed.error()});
  for (size_t i = 0; i < object.kernels.size(); ++i) {
    auto at = object.index_of_pc.find(elf->entry_pc[i]);
    if (at == object.index_of_pc.end())
      return std::unexpected(
          ToolError{fmt::format("kernel '{}' starts outside the code", object.kernels[i].name)});
    object.kernels[i].entry = at->second;
  }
  return object;
}

std::expected<GcnObject, std::string> load_assembly(std::string_view text) {
  GcnObject object;
  object.from_text = true;
  if (auto parsed = parse_gcn_text(text, object); !parsed) return std::unexpected(parsed.error());
  if (object.kernels.empty()) return std::unexpected("no .amdhsa_kernel in the text");
  return object;
}

}  // namespace kc
