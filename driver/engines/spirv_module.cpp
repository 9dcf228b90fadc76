// SPDX-License-Identifier: Apache-2.0
#include "driver/engines/spirv_module.h"

#include <fmt/format.h>

#include <cstring>

#include "backends/spirv/spirv.h"
#include "runtime/vulkan/spirv_tools.h"

namespace kc {
namespace {}  // namespace

std::expected<Session, DriverError> open_spirv_session(const Options& o, std::string_view bytes) {
  if (bytes.size() % 4 != 0)
    return failed(ExitSource, fmt::format("'{}': the module is cut off or damaged", o.file));
  std::vector<uint32_t> words(bytes.size() / 4);
  std::memcpy(words.data(), bytes.data(), bytes.size());
  auto module = read_signed_module(words);
  if (!module) return failed(ExitSource, fmt::format("'{}': {}", o.file, module.error()));
  // Drivers trust what they are given.
  auto valid = validate_spirv(module->image.words);
  if (valid.status == SpirvToolsStatus::Unavailable)
    return failed(ExitAbsent, fmt::format("'{}' cannot be checked: {}", o.file, valid.text));
  if (valid.status == SpirvToolsStatus::Failed)
    return failed(ExitSource, fmt::format("'{}' is not valid: {}", o.file, valid.text));
  Session s;
  s.module.functions.push_back(std::move(module->kernel));
  s.program.spirv = std::make_shared<const VulkanImage>(std::move(module->image));
  if (auto ok = choose_launch(s, o); !ok) return std::unexpected(ok.error());
  s.program.source = s.kernel;
  return s;
}

}  // namespace kc
