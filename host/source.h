// SPDX-License-Identifier: Apache-2.0
// From the text of a file to a module, whichever language it is in.
#pragma once

#include <cstdint>
#include <cstdio>
#include <expected>
#include <memory>
#include <string>
#include <string_view>

#include "frontend/frontend.h"

namespace kc {

enum class Language : uint8_t { ByContent, Kernel, Ir };

struct LoadedSource {
  std::unique_ptr<Module> module;  // null on errors
  std::string diagnostics;         // rendered: errors, or the warnings of what was compiled
  bool is_ir = false;
};
LoadedSource load_source(std::string_view text, Language language, const FrontendOptions& options);

/// The most bytes of a file that is text, and of one that is data.
inline constexpr size_t kMostTextBytes = size_t{256} << 20, kMostDataBytes = size_t{4} << 30;
/// The bytes of a file, at most so many; or a sentence that says why not.
std::expected<std::string, std::string> read_source(const std::string& path, size_t most = kMostTextBytes);
/// The same of an open file; sentences call it `name`.
std::expected<std::string, std::string> read_stream(FILE* file, const std::string& name, size_t most);

/// A FileReader of the file system.
std::expected<std::string, std::string> read_include(const std::string& path);

}  // namespace kc
