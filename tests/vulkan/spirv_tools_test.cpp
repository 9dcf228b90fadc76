// SPDX-License-Identifier: Apache-2.0
#include "runtime/vulkan/spirv_tools.h"

#include <catch2/catch.hpp>
#include <vector>

using namespace kc;

namespace {

// An empty compute shader.
// clang-format off
std::vector<uint32_t> tiny_module() {
  return {0x07230203, 0x00010500, 0, 5, 0,           // SPIR-V 1.5, ids below 5
          0x00020011, 1,                             // OpCapability Shader
          0x0003000e, 0, 1,                          // OpMemoryModel Logical GLSL450
          0x0004000f, 5, 1, 0x6d,                    // OpEntryPoint GLCompute %1 "m"
          0x00060010, 1, 17, 1, 1, 1,                // OpExecutionMode %1 LocalSize 1 1 1
          0x00020013, 2,                             // %2 = OpTypeVoid
          0x00030021, 3, 2,                          // %3 = OpTypeFunction %2
          0x00050036, 2, 1, 0, 3,                    // %1 = OpFunction %2 None %3
          0x000200f8, 4,                             // %4 = OpLabel
          0x000100fd,                                // OpReturn
          0x00010038};                               // OpFunctionEnd
}
// clang-format on

}  // namespace

TEST_CASE("the validator accepts, and says what is wrong") {
  auto good = validate_spirv(tiny_module());
  if (good.status == SpirvToolsStatus::Unavailable) {
    WARN("skipped: " << good.text);
    return;
  }
  INFO(good.text);
  CHECK(good.status == SpirvToolsStatus::Ok);
  auto words = tiny_module();
  words[5 + 1] = 9999;  // no such capability
  auto bad = validate_spirv(words);
  CHECK(bad.status == SpirvToolsStatus::Failed);
  CHECK(!bad.text.empty());
}

TEST_CASE("the disassembler prints text") {
  auto result = disassemble_spirv(tiny_module());
  if (result.status == SpirvToolsStatus::Unavailable) {
    WARN("skipped: " << result.text);
    return;
  }
  CHECK(result.status == SpirvToolsStatus::Ok);
  CHECK(result.text.find("OpCapability Shader") != std::string::npos);
  CHECK(disassemble_spirv(std::vector<uint32_t>{1, 2, 3}).status == SpirvToolsStatus::Failed);
}
