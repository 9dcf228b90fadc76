// SPDX-License-Identifier: Apache-2.0
#include "runtime/vulkan/spirv_tools_plugin/plugin.h"

#include <spirv-tools/libspirv.h>

#include <cstring>
#include <string>

namespace {

void report(spv_diagnostic diagnostic, KcSpirvText text, void* user) {
  const char* message = diagnostic && diagnostic->error ? diagnostic->error : "no reason given";
  text(user, message, std::strlen(message));
}

}  // namespace

int kc_spirv_validate(const uint32_t* words, size_t count, KcSpirvText text, void* user) {
  spv_context context = spvContextCreate(SPV_ENV_VULKAN_1_2);
  spv_const_binary_t binary{words, count};
  spv_diagnostic diagnostic = nullptr;
  spv_result_t result = spvValidate(context, &binary, &diagnostic);
  if (result != SPV_SUCCESS) report(diagnostic, text, user);
  spvDiagnosticDestroy(diagnostic);
  spvContextDestroy(context);
  return result == SPV_SUCCESS ? 0 : 1;
}

int kc_spirv_disassemble(const uint32_t* words, size_t count, KcSpirvText text, void* user) {
  spv_context context = spvContextCreate(SPV_ENV_VULKAN_1_2);
  spv_diagnostic diagnostic = nullptr;
  spv_text result_text = nullptr;
  const uint32_t options = SPV_BINARY_TO_TEXT_OPTION_INDENT | SPV_BINARY_TO_TEXT_OPTION_FRIENDLY_NAMES |
                           SPV_BINARY_TO_TEXT_OPTION_NO_HEADER;
  spv_result_t result = spvBinaryToText(context, words, count, options, &result_text, &diagnostic);
  if (result == SPV_SUCCESS)
    text(user, result_text->str, result_text->length);
  else
    report(diagnostic, text, user);
  spvTextDestroy(result_text);
  spvDiagnosticDestroy(diagnostic);
  spvContextDestroy(context);
  return result == SPV_SUCCESS ? 0 : 1;
}
