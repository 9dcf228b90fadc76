// SPDX-License-Identifier: Apache-2.0
#include "driver/compiler.h"

#include <fmt/format.h>
#include <unistd.h>

#include <cstdlib>

#include "driver/remarks.h"
#include "host/source.h"

namespace kc {
FrontendOptions frontend_options(const Options& o) {
  bool color = ::isatty(2) && !std::getenv("NO_COLOR");
  return {.file_name = o.file == "-" ? "<stdin>" : o.file,
          .defines = o.defines,
          .undefines = o.undefines,
          .includes = o.includes,
          .include_dirs = o.include_dirs,
          .read_file = read_include,
          .contract = o.contract,
          .single_literals = o.single_literals,
          .fast_math = o.fast_math,
          .language_version = o.language_version,
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
  if (const int version = o.language_version; version != 120)
    text.options += fmt::format("-cl-std=CL{}.{} ", version / 100, version / 10 % 10);
  if (o.single_literals) text.options += "-cl-single-precision-constant ";
  // The macro that -cl-fast-relaxed-math defines is among the others, if it was that.
  if (o.fast_math) text.options += "-cl-unsafe-math-optimizations ";
  size_t slash = o.file.rfind('/');
  if (slash != std::string::npos) text.options += fmt::format("-I {} ", o.file.substr(0, slash));
  for (const std::string& folder : o.include_dirs) text.options += fmt::format("-I {} ", folder);
  return text;
}

std::expected<Input, DriverError> load_input(const Options& o) {
  auto text = read_input(o.file);
  if (!text) return std::unexpected(text.error());
  return load_input(o, std::move(*text));
}

std::expected<Input, DriverError> load_input(const Options& o, std::string text) {
  Language language = o.language == "ir"   ? Language::Ir
                      : o.language == "cl" ? Language::Kernel
                                           : Language::ByContent;
  LoadedSource loaded = load_source(text, language, frontend_options(o));
  std::fputs(loaded.diagnostics.c_str(), stderr);
  if (!loaded.module) {
    // Places name files by numbers of the module; without it nobody knows these.
    if (o.remarks) o.remarks->remarks.clear();
    return failed(ExitSource, "");
  }
  Input input{std::move(*loaded.module), {}};
  if (o.remarks) o.remarks->files = files_of(input.module);
  if (loaded.is_ir) {
    if (o.remarks)
      o.remarks->file_name = input.module.source_name.empty() ? "<source>" : input.module.source_name;
    return input;
  }
  if (o.remarks) o.remarks->source = text;
  input.text = source_text(std::move(text), o);
  return input;
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
  if (!o.dims) return failed(ExitUsage, "--global is required, the number of work-items: --global X[,Y[,Z]]");
  LaunchSpec spec{.dims = o.dims, .global = o.global, .local = o.local, .offset = o.offset};
  if (!o.local_dims) spec.local[0] = 0;
  if (auto ok = complete_launch(kernel, spec); !ok) return failed(ExitUsage, ok.error());
  return spec;
}

int report(const DriverError& error) {
  if (!error.message.empty()) fmt::print(stderr, "kernelc: error: {}\n", error.message);
  return error.status;
}

}  // namespace kc
