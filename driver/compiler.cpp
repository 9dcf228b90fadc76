// SPDX-License-Identifier: Apache-2.0
#include "driver/compiler.h"

#include <fmt/format.h>
#include <unistd.h>

#include <cstdlib>
#include <filesystem>

#include "driver/remarks.h"
#include "frontend/frontend.h"
#include "ir/text.h"
#include "ir/verify.h"

namespace kc {
namespace {

auto failed(int status, std::string message) {
  return std::unexpected(DriverError{status, std::move(message)});
}

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

std::expected<Module, DriverError> load_ir(const Options& o, const std::string& text) {
  auto module = parse_module(text);
  if (!module) return std::fputs(module.error().render(o.file, text).c_str(), stderr), failed(ExitSource, "");
  for (const auto& f : module->functions) {
    auto errors = verify(*f);
    if (errors.empty()) continue;
    fmt::print(stderr, "{}: error: the IR is not well formed\n{}", o.file, render(*f, errors));
    return failed(ExitSource, "");
  }
  return std::move(*module);
}

}  // namespace

namespace {

// A folder of the path that does not exist is no file, too; everything else is said.
std::expected<std::string, std::string> read_include(const std::string& path) {
  std::error_code ec;
  std::filesystem::file_status status = std::filesystem::status(path, ec);
  if (!std::filesystem::exists(status))
    return std::unexpected(status.type() == std::filesystem::file_type::not_found ? "" : ec.message());
  if (std::filesystem::is_directory(status)) return std::unexpected("it is a directory");
  if (!std::filesystem::is_regular_file(status)) return std::unexpected("it is not a regular file");
  auto text = read_input(path);
  if (!text) return std::unexpected(text.error().message);
  return std::move(*text);
}

}  // namespace

FrontendOptions frontend_options(const Options& o) {
  bool color = ::isatty(2) && !std::getenv("NO_COLOR");
  return {.file_name = o.file == "-" ? "<stdin>" : o.file,
          .defines = o.defines,
          .undefines = o.undefines,
          .includes = o.includes,
          .include_dirs = o.include_dirs,
          .read_file = read_include,
          .contract = o.contract,
          .inline_budget = o.inline_budget.value_or(FrontendOptions().inline_budget),
          .diagnostics = {.warnings = o.warnings,
                          .silent = o.no_warnings,
                          .error_limit = o.error_limit,
                          .json = o.json_diagnostics,
                          .color = o.color.value_or(color)},
          .remarks = o.remarks ? &o.remarks->remarks : nullptr};
}

SourceText source_text(std::string source, const Options& o) {
  SourceText text;
  // In the text rather than in the options, whose quoting is each implementation's own.
  std::string before;
  for (const std::string& define : o.defines) {
    size_t eq = define.find('=');
    before += eq == std::string::npos
                  ? fmt::format("#define {} 1\n", define)
                  : fmt::format("#define {} {}\n", define.substr(0, eq), define.substr(eq + 1));
  }
  for (const std::string& name : o.undefines) before += fmt::format("#undef {}\n", name);
  for (const std::string& name : o.includes) before += fmt::format("#include \"{}\"\n", name);
  if (!o.contract) before += "#pragma OPENCL FP_CONTRACT OFF\n";
  text.source = before.empty() ? std::move(source) : fmt::format("{}#line 1\n{}", before, source);
  size_t slash = o.file.rfind('/');
  if (slash != std::string::npos) text.options += fmt::format("-I {} ", o.file.substr(0, slash));
  for (const std::string& folder : o.include_dirs) text.options += fmt::format("-I {} ", folder);
  return text;
}

std::expected<Input, DriverError> load_input(const Options& o) {
  auto text = read_input(o.file);
  if (!text) return std::unexpected(text.error());
  if (o.language == "ir" || (o.language.empty() && looks_like_ir(*text))) {
    auto module = load_ir(o, *text);
    if (!module) return std::unexpected(module.error());
    if (o.remarks) o.remarks->file_name = module->source_name.empty() ? "<source>" : module->source_name;
    return Input{std::move(*module), {}};
  }
  FrontendResult r = compile_source(*text, frontend_options(o));
  std::fputs(r.diagnostics.c_str(), stderr);
  if (!r.module) return failed(ExitSource, "");
  if (o.remarks) o.remarks->source = *text;
  return Input{std::move(*r.module), source_text(std::move(*text), o)};
}

std::expected<Function*, DriverError> choose_kernel(Module& module, const Options& o) {
  std::string names;
  Function* only = nullptr;
  size_t kernels = 0;
  for (const auto& f : module.functions) {
    if (!f->is_kernel) continue;
    names += (names.empty() ? "" : ", ") + f->name;
    only = f.get();
    ++kernels;
    if (f->name == o.kernel) return f.get();
  }
  if (!o.kernel.empty())
    return failed(ExitUsage, fmt::format("'{}' has no kernel '{}' (it has: {})", o.file, o.kernel, names));
  if (kernels == 1) return only;
  return failed(ExitUsage,
                kernels ? fmt::format("'{}' has several kernels, choose one with --kernel: {}", o.file, names)
                        : fmt::format("'{}' has no kernel", o.file));
}

std::expected<LaunchSpec, DriverError> make_launch(const Function& kernel, const Options& o) {
  LaunchSpec spec{.dims = o.dims, .global = o.global, .local = {1, 1, 1}, .offset = o.offset};
  if (o.local_dims) {
    spec.local = o.local;
  } else if (kernel.reqd_local[0]) {
    for (size_t d = 0; d < 3; ++d) spec.local[d] = kernel.reqd_local[d];
  } else {
    // The largest divisor of X that is at most 64.
    for (uint64_t n = std::min<uint64_t>(64, spec.global[0]); n >= 1; --n)
      if (spec.global[0] % n == 0) {
        spec.local[0] = n;
        break;
      }
  }
  if (kernel.reqd_local[0])
    for (size_t d = 0; d < 3; ++d)
      if (spec.local[d] != kernel.reqd_local[d])
        return failed(ExitUsage,
                      fmt::format("kernel '{}' requires a local size of {},{},{}", kernel.name,
                                  kernel.reqd_local[0], kernel.reqd_local[1], kernel.reqd_local[2]));
  for (size_t d = 0; d < 3; ++d)
    if (spec.local[d] == 0 || spec.global[d] % spec.local[d] != 0)
      return failed(ExitUsage,
                    fmt::format("global size {} is not a multiple of local size {} in dimension {}",
                                spec.global[d], spec.local[d], d));
  uint64_t group = spec.local[0] * spec.local[1] * spec.local[2];
  if (group > 1024)
    return failed(ExitUsage, fmt::format("a work-group of {} work-items is too large (at most 1024)", group));
  // What the passes conclude from an id, and indices of 32 bits, rely on it.
  constexpr uint64_t kIdLimit = uint64_t{1} << 31;
  for (size_t d = 0; d < 3; ++d)
    if (spec.offset[d] >= kIdLimit || spec.global[d] >= kIdLimit - spec.offset[d])
      return failed(ExitUsage, fmt::format("ids of dimension {} reach 2^31", d));
  constexpr uint64_t kMaxItems = uint64_t{1} << 32;
  if (spec.global[0] > kMaxItems / spec.global[1] / spec.global[2])
    return failed(ExitUsage, "more than 2^32 work-items");
  return spec;
}

}  // namespace kc
