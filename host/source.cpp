// SPDX-License-Identifier: Apache-2.0
#include "host/source.h"

#include <fmt/format.h>

#include <cerrno>
#include <cstdio>
#include <cstring>
#include <filesystem>

#include "ir/json/json.h"
#include "ir/text.h"
#include "ir/verify.h"

namespace kc {
namespace {

// IR text starts with `source` or a dialect; kernel source cannot.
bool looks_like_ir(std::string_view text) {
  for (;;) {
    size_t at = text.find_first_not_of(" \t\r\n");
    if (at == std::string_view::npos) return false;
    text.remove_prefix(at);
    if (text[0] != ';') break;
    size_t end = text.find('\n');
    if (end == std::string_view::npos) return false;
    text.remove_prefix(end);
  }
  if (text.starts_with("source \"")) return true;
  for (size_t d = 0; d < static_cast<size_t>(Dialect::Count_); ++d)
    if (text.starts_with(fmt::format("{} func @", to_string(static_cast<Dialect>(d))))) return true;
  return false;
}

// In the text form or as JSON.
LoadedSource load_ir(std::string_view text, const std::string& file_name) {
  LoadedSource loaded{.module = nullptr, .diagnostics = {}, .is_ir = true};
  const bool json = looks_like_json(text);
  auto module = json ? read_json(text) : parse_module(text);
  if (!module) {
    loaded.diagnostics =
        json ? render_json_error(module.error(), file_name) : module.error().render(file_name, text);
    return loaded;
  }
  for (size_t i = 0; i < module->functions.size(); ++i) {
    const Function& f = *module->functions[i];
    auto errors = verify(f);
    if (errors.empty()) continue;
    loaded.diagnostics =
        fmt::format("{}: error: the IR is not well formed\n{}", file_name,
                    json ? render_json_errors(f, i, errors, file_name, text) : render(f, errors));
    return loaded;
  }
  loaded.module = std::make_unique<Module>(std::move(*module));
  return loaded;
}

}  // namespace

LoadedSource load_source(std::string_view text, Language language, const FrontendOptions& options) {
  if (language == Language::Ir ||
      (language == Language::ByContent && (looks_like_ir(text) || looks_like_json(text))))
    return load_ir(text, options.file_name);
  FrontendResult r = compile_source(text, options);
  return {std::move(r.module), std::move(r.diagnostics), false};
}

std::expected<std::string, std::string> read_stream(FILE* file, const std::string& name, size_t most) {
  std::string text;
  char chunk[1 << 16];
  for (size_t n; (n = std::fread(chunk, 1, sizeof chunk, file)) > 0;) {
    if (text.size() + n > most)
      return std::unexpected(fmt::format("{} is larger than {} MiB", name, most >> 20));
    text.append(chunk, n);
  }
  if (std::ferror(file))
    return std::unexpected(fmt::format("cannot read {}: {}", name, std::strerror(errno)));
  return text;
}

std::expected<std::string, std::string> read_source(const std::string& path, size_t most) {
  std::error_code ec;
  if (std::filesystem::is_directory(path, ec))
    return std::unexpected(fmt::format("'{}' is a directory", path));
  std::unique_ptr<FILE, int (*)(FILE*)> file(std::fopen(path.c_str(), "rb"), &std::fclose);
  if (!file) return std::unexpected(fmt::format("cannot read '{}': {}", path, std::strerror(errno)));
  return read_stream(file.get(), "'" + path + "'", most);
}

// A folder of the path that does not exist is no file, too; everything else is said.
std::expected<std::string, std::string> read_include(const std::string& path) {
  std::error_code ec;
  std::filesystem::file_status status = std::filesystem::status(path, ec);
  if (!std::filesystem::exists(status))
    return std::unexpected(status.type() == std::filesystem::file_type::not_found ? "" : ec.message());
  if (std::filesystem::is_directory(status)) return std::unexpected("it is a directory");
  if (!std::filesystem::is_regular_file(status)) return std::unexpected("it is not a regular file");
  return read_source(path);
}

}  // namespace kc
