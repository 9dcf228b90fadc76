// SPDX-License-Identifier: Apache-2.0
#include "runtime/vulkan/spirv_tools.h"

#include <dlfcn.h>

#include <filesystem>

#include "runtime/vulkan/spirv_tools_plugin/plugin.h"

namespace kc {

namespace {

constexpr const char* PluginName = "libkc_spirv_tools.so";

// Searches the program's folder, then the library folder of an installation.
void* open_plugin(std::string& why) {
  std::error_code error;
  auto folder = std::filesystem::read_symlink("/proc/self/exe", error).parent_path();
  for (const auto& path : {folder / PluginName, folder / "../lib/kernelc" / PluginName}) {
    if (void* library = dlopen(path.c_str(), RTLD_NOW | RTLD_LOCAL | RTLD_NODELETE)) return library;
    if (const char* message = dlerror()) why = message;
  }
  return nullptr;
}

SpirvToolsResult run_tool(const char* name, std::span<const uint32_t> words) {
  SpirvToolsResult result;
  std::string why;
  void* library = open_plugin(why);
  if (!library) {
    result.text = "SPIRV-Tools is not available: " + why;
    return result;
  }
  auto* tool = reinterpret_cast<KcSpirvTool*>(dlsym(library, name));
  dlclose(library);
  if (!tool) {
    result.text = std::string("SPIRV-Tools is not available: the plug-in lacks ") + name;
    return result;
  }
  auto take = [](void* user, const char* text, size_t length) {
    static_cast<std::string*>(user)->assign(text, length);
  };
  int status = tool(words.data(), words.size(), take, &result.text);
  result.status = status == 0 ? SpirvToolsStatus::Ok : SpirvToolsStatus::Failed;
  return result;
}

}  // namespace

SpirvToolsResult validate_spirv(std::span<const uint32_t> words) {
  return run_tool("kc_spirv_validate", words);
}
SpirvToolsResult disassemble_spirv(std::span<const uint32_t> words) {
  return run_tool("kc_spirv_disassemble", words);
}

}  // namespace kc
