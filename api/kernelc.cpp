// SPDX-License-Identifier: Apache-2.0
// The functions of kernelc.h.
#include <fmt/format.h>

#include "api/objects.h"
#include "api/parameters.h"
#include "host/source.h"
#include "host/traps.h"
#include "ir/parameters.h"

namespace kc {

kc_status report(kc_error** error, kc_status status, const char* message) noexcept {
  if (!error) return status;
  try {
    *error = new kc_error{status, message};
  } catch (const std::bad_alloc&) {
    *error = nullptr;
  }
  return status;
}

namespace {

using Done = std::expected<void, Failure>;

std::expected<std::vector<std::string>, Failure> strings(const char* const* list, size_t count,
                                                         const char* what) {
  std::vector<std::string> copy;
  for (size_t i = 0; i < count; ++i) {
    if (!list || !list[i]) return wrong(KC_USAGE_ERROR, fmt::format("{} {} is a null pointer", what, i + 1));
    copy.emplace_back(list[i]);
  }
  return copy;
}

std::expected<FrontendOptions, Failure> options_of(const kc_source& s) {
  auto defines = strings(s.defines, s.define_count, "define");
  if (!defines) return std::unexpected(defines.error());
  auto folders = strings(s.include_dirs, s.include_dir_count, "include directory");
  if (!folders) return std::unexpected(folders.error());
  auto warnings = strings(s.warnings, s.warning_count, "warning");
  if (!warnings) return std::unexpected(warnings.error());
  FrontendOptions options;
  options.file_name = s.file ? s.file : "kernel.cl";
  options.defines = std::move(*defines);
  options.include_dirs = std::move(*folders);
  options.read_file = read_include;
  options.contract = !s.no_contraction;
  options.diagnostics.warnings = std::move(*warnings);
  options.diagnostics.silent = s.no_warnings != 0;
  options.diagnostics.color = s.color != 0;
  return options;
}

std::expected<std::string, Failure> text_of(const kc_source& s) {
  if (s.text) return s.length == SIZE_MAX ? std::string(s.text) : std::string(s.text, s.length);
  if (!s.file) return wrong(KC_USAGE_ERROR, "a source needs a text or a file");
  auto text = read_source(s.file);
  if (!text) return wrong(KC_FILE_ERROR, std::move(text.error()));
  return std::move(*text);
}

Done load(const kc_source& source, kc_program** out) {
  auto options = options_of(source);
  if (!options) return std::unexpected(std::move(options.error()));
  auto text = text_of(source);
  if (!text) return std::unexpected(std::move(text.error()));
  LoadedSource loaded = load_source(*text, Language::ByContent, *options);
  if (!loaded.module) return wrong(KC_SOURCE_ERROR, std::move(loaded.diagnostics));
  auto program = std::make_unique<kc_program>();
  program->module = std::move(loaded.module);
  program->diagnostics = std::move(loaded.diagnostics);
  for (const auto& f : program->module->functions)
    if (f->is_kernel) program->kernels.push_back(f.get());
  *out = program.release();
  return {};
}

std::expected<const Function*, Failure> choose(const kc_program& program, const char* name) {
  if (!name && program.kernels.size() == 1) return program.kernels[0];
  std::string names;
  for (const Function* f : program.kernels) {
    if (name && f->name == name) return f;
    names += (names.empty() ? "" : ", ") + f->name;
  }
  if (program.kernels.empty()) return wrong(KC_USAGE_ERROR, "the program has no kernel");
  if (!name)
    return wrong(KC_USAGE_ERROR, fmt::format("the program has several kernels, name one: {}", names));
  return wrong(KC_USAGE_ERROR, fmt::format("the program has no kernel '{}' (it has: {})", name, names));
}

bool has_barriers(const Function& f) {
  for (BlockId b : f.layout)
    for (InstId i : f.block(b).insts)
      if (f.inst(i).op == Op::barrier) return true;
  return false;
}

kc_trap trap_of(const Kernel& kernel, const TrapReport& report) {
  kc_trap trap;
  kc_trap_init(&trap);
  trap.kind = trap_name(report.site.kind).data();
  trap.type = kernel.keep(report.site.type);
  trap.line = report.site.loc.line;
  trap.column = report.site.loc.column;
  trap.value = report.value;
  std::copy(report.global_id.begin(), report.global_id.end(), trap.global_id);
  trap.count = report.count;
  if (const uint32_t file = report.site.loc.file) trap.file = kernel.source().files[file - 1].c_str();
  return trap;
}

TrapReport report_of(const Kernel& kernel, const kc_trap& trap) {
  TrapReport report;
  for (size_t k = 0; k < static_cast<size_t>(TrapKind::Count_); ++k)
    if (trap.kind && trap_name(static_cast<TrapKind>(k)) == trap.kind)
      report.site.kind = static_cast<TrapKind>(k);
  report.site.type = trap.type ? trap.type : "";
  report.site.loc = {trap.line, trap.column};
  const std::vector<std::string>& files = kernel.source().files;
  const auto file = trap.file ? std::ranges::find(files, trap.file) : files.end();
  if (file != files.end()) report.site.loc.file = static_cast<uint32_t>(file - files.begin()) + 1;
  report.value = trap.value;
  std::copy(std::begin(trap.global_id), std::end(trap.global_id), report.global_id.begin());
  report.count = trap.count;
  return report;
}

// Ranges are read at every launch.
kc_range range_of(const kc_range& given) {
  kc_range mine = kc_range_1d(0);
  std::memcpy(&mine, &given, std::min(given.struct_size, sizeof mine));
  return mine;
}

}  // namespace
}  // namespace kc

extern "C" {

const char* kc_version(void) { return KC_VERSION; }

kc_status kc_error_status(const kc_error* error) { return error ? error->status : KC_OUT_OF_MEMORY; }
const char* kc_error_message(const kc_error* error) {
  return error ? error->message.c_str() : "out of memory";
}
void kc_error_free(kc_error* error) { delete error; }

kc_status kc_program_load(const kc_source* source, kc_program** program, kc_error** error) {
  return kc::guard(error, [&]() -> kc::Done {
    if (!source || !program) return kc::wrong(KC_USAGE_ERROR, "a null pointer for the source or the program");
    *program = nullptr;
    if (kc::unsized(source)) return kc::wrong(KC_USAGE_ERROR, kc::kUnsized);
    return kc::load(kc::taken(source, &kc_source_init), program);
  });
}
void kc_program_free(kc_program* program) { delete program; }
const char* kc_program_diagnostics(const kc_program* program) {
  return program ? program->diagnostics.c_str() : "";
}
size_t kc_program_kernel_count(const kc_program* program) { return program ? program->kernels.size() : 0; }
const char* kc_program_kernel_name(const kc_program* program, size_t index) {
  return index < kc_program_kernel_count(program) ? program->kernels[index]->name.c_str() : nullptr;
}

kc_status kc_kernel_create(const kc_program* program, const kc_kernel_options* options, kc_kernel** kernel,
                           kc_error** error) {
  return kc::guard(error, [&]() -> kc::Done {
    if (!program || !kernel) return kc::wrong(KC_USAGE_ERROR, "a null pointer for the program or the kernel");
    *kernel = nullptr;
    if (kc::unsized(options)) return kc::wrong(KC_USAGE_ERROR, kc::kUnsized);
    kc_kernel_options mine = kc::taken(options, &kc_kernel_options_init);
    auto function = kc::choose(*program, mine.name);
    if (!function) return std::unexpected(std::move(function.error()));
    auto made = kc::Kernel::create(program->module, **function, mine);
    if (!made) return std::unexpected(std::move(made.error()));
    *kernel = new kc_kernel{std::move(*made)};
    return {};
  });
}
void kc_kernel_free(kc_kernel* kernel) { delete kernel; }

kc_status kc_kernel_describe(const kc_kernel* kernel, kc_kernel_info* info) {
  return kc::guard(nullptr, [&]() -> kc::Done {
    if (!kernel || !info)
      return kc::wrong(KC_USAGE_ERROR, "a null pointer for the kernel or the description");
    if (kc::unsized(info)) return kc::wrong(KC_USAGE_ERROR, kc::kUnsized);
    const kc::Function& f = kernel->kernel->source();
    kc_kernel_info made{};
    made.name = f.name.c_str();
    made.target = kernel->kernel->runner().target();
    made.parameter_count = kc::visible_parameters(f);
    std::copy(f.reqd_local.begin(), f.reqd_local.end(), made.required_local);
    made.can_trap = !f.traps.empty();
    made.has_barriers = kc::has_barriers(f);
    made.local_bytes = kc::lay_out_objects(f, kc::kPtrLocal).size;
    made.private_bytes = kc::lay_out_objects(f, kc::kPtrPrivate).size;
    kc::give(info, made);
    return {};
  });
}

kc_status kc_kernel_parameter(const kc_kernel* kernel, size_t index, kc_parameter* parameter) {
  return kc::guard(nullptr, [&]() -> kc::Done {
    if (!kernel || !parameter)
      return kc::wrong(KC_USAGE_ERROR, "a null pointer for the kernel or the parameter");
    if (kc::unsized(parameter)) return kc::wrong(KC_USAGE_ERROR, kc::kUnsized);
    const kc::Function& f = kernel->kernel->source();
    std::vector<kc::SourceParameter> all = kc::source_parameters(f);
    if (index >= all.size()) return kc::wrong(KC_USAGE_ERROR, "no such parameter");
    const kc::SourceParameter& whole = all[index];
    kc_parameter made{};
    made.name = kernel->kernel->keep(std::string(whole.name));
    if (whole.has_parts()) {
      made.kind = KC_PARAMETER_BYTES;
      made.element_size = whole.size;
      kc::give(parameter, made);
      return {};
    }
    const kc::ParamInfo& p = f.params[whole.first];
    kc::Type type = f.type(f.block(f.entry()).params[whole.first]);
    made.kind = kc::parameter_kind(type);
    kc::Type element = type.is_pointer() ? kc::Type{p.pointee} : type;
    made.type = kc::type_of(element.elem, p.is_unsigned);
    made.element_size = p.pointee_size ? p.pointee_size : element.bytes();
    made.is_const = p.is_const;
    made.is_restrict = p.is_restrict;
    made.is_constant_memory = type == kc::kPtrConstant;
    kc::give(parameter, made);
    return {};
  });
}

kc_status kc_launch(const kc_kernel* kernel, const kc_range* range, const kc_argument* arguments,
                    size_t count, kc_trap* trap, kc_error** error) {
  return kc::guard(error, [&]() -> kc::Done {
    if (!kernel || !range || (!arguments && count))
      return kc::wrong(KC_USAGE_ERROR, "a null pointer for the kernel, the range or the arguments");
    if (kc::unsized(range) || kc::unsized(trap)) return kc::wrong(KC_USAGE_ERROR, kc::kUnsized);
    auto report = kernel->kernel->launch(kc::range_of(*range), {arguments, count});
    if (!report) return std::unexpected(std::move(report.error()));
    if (!*report) return {};
    if (trap) kc::give(trap, kc::trap_of(*kernel->kernel, **report));
    return kc::wrong(KC_TRAPPED, error ? kc::describe(**report, kernel->kernel->source()) : "");
  });
}

kc_status kc_prepare(const kc_kernel* kernel, const kc_range* range, kc_error** error) {
  return kc::guard(error, [&]() -> kc::Done {
    if (!kernel || !range) return kc::wrong(KC_USAGE_ERROR, "a null pointer for the kernel or the range");
    if (kc::unsized(range)) return kc::wrong(KC_USAGE_ERROR, kc::kUnsized);
    return kernel->kernel->prepare(kc::range_of(*range));
  });
}

size_t kc_trap_text(const kc_kernel* kernel, const kc_trap* trap, char* text, size_t size) {
  std::string all;
  kc::guard(nullptr, [&]() -> kc::Done {
    if (!kernel || !trap || kc::unsized(trap)) return {};
    all = kc::describe(kc::report_of(*kernel->kernel, kc::taken(trap, &kc_trap_init)),
                       kernel->kernel->source());
    return {};
  });
  if (text && size) {
    size_t n = std::min(size - 1, all.size());
    std::memcpy(text, all.data(), n);
    text[n] = 0;
  }
  return all.size();
}

}  // extern "C"
