// SPDX-License-Identifier: Apache-2.0
// The validator and the disassembler of SPIRV-Tools, in a plug-in opened on first use.
#pragma once
#include <cstdint>
#include <span>
#include <string>

namespace kc {

enum class SpirvToolsStatus {
  Ok,
  Failed,       // the module is invalid; the message gives the reason
  Unavailable,  // the plug-in is missing
};

struct SpirvToolsResult {
  SpirvToolsStatus status = SpirvToolsStatus::Unavailable;
  std::string text;  // the disassembly, or the message
};

// Validates against the rules of Vulkan 1.2.
SpirvToolsResult validate_spirv(std::span<const uint32_t> words);
SpirvToolsResult disassemble_spirv(std::span<const uint32_t> words);

}  // namespace kc
