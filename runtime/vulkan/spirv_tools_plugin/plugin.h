// SPDX-License-Identifier: Apache-2.0
// The C interface between kernelc and the plug-in that contains SPIRV-Tools.
#pragma once
#include <cstddef>
#include <cstdint>

extern "C" {
// Receives the text of a disassembly or a diagnostic; called at most once.
using KcSpirvText = void (*)(void* user, const char* text, size_t length);
// Both return 0 on success.
using KcSpirvTool = int(const uint32_t* words, size_t count, KcSpirvText text, void* user);
__attribute__((visibility("default"))) KcSpirvTool kc_spirv_validate;
__attribute__((visibility("default"))) KcSpirvTool kc_spirv_disassemble;
}
