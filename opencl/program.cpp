// SPDX-License-Identifier: Apache-2.0
// Programs: from source, or from binaries. A binary holds the text of thread IR, or what was compiled
// separately, as preprocessed source: thread IR has no calls, so linking joins checked trees.
#include <fmt/format.h>

#include <charconv>
#include <expected>

#include "host/source.h"
#include "ir/text.h"
#include "opencl/build_options.h"
#include "opencl/objects.h"

using namespace kc::cl;

namespace {

// The folder, in paths of included files, of headers that the host gives.
constexpr std::string_view kHeaders = "<headers>/";

kc::SourceUnit unit_of(std::string text, bool single_literals, bool fast_math) {
  kc::SourceUnit unit{std::move(text), {}};
  unit.options.file_name = "program.cl";
  unit.options.single_literals = single_literals;
  unit.options.fast_math = fast_math;
  return unit;
}

// A binary of units: a line that says what it is, and for each unit a line with its size and its text.
constexpr std::string_view kObject = "kernelc object\n", kLibrary = "kernelc library\n";

std::string write_units(const std::vector<kc::SourceUnit>& units, cl_program_binary_type type) {
  std::string all(type == CL_PROGRAM_BINARY_TYPE_LIBRARY ? kLibrary : kObject);
  for (const kc::SourceUnit& u : units)
    all += fmt::format("{}{}{}\n{}\n", u.text.size(), u.options.single_literals ? " float" : "",
                       u.options.fast_math ? " fast" : "", u.text);
  return all;
}

// The type, and nothing if the text is no binary of units.
std::optional<cl_program_binary_type> read_units(std::string_view text, std::vector<kc::SourceUnit>& units) {
  const bool library = text.starts_with(kLibrary);
  if (!library && !text.starts_with(kObject)) return {};
  text.remove_prefix((library ? kLibrary : kObject).size());
  while (!text.empty()) {
    size_t size = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), size);
    if (error != std::errc()) return {};
    text.remove_prefix(static_cast<size_t>(end - text.data()));
    auto has = [&](std::string_view word) {
      const bool found = text.starts_with(word);
      if (found) text.remove_prefix(word.size());
      return found;
    };
    const bool single = has(" float"), fast = has(" fast");
    if (text.size() < 2 || text[0] != '\n' || size > text.size() - 2 || text[size + 1] != '\n') return {};
    units.push_back(unit_of(std::string(text.substr(1, size)), single, fast));
    text.remove_prefix(size + 2);
  }
  return library ? CL_PROGRAM_BINARY_TYPE_LIBRARY : CL_PROGRAM_BINARY_TYPE_COMPILED_OBJECT;
}

std::string kernel_names(const kc::Module& module) {
  std::string names;
  for (const auto& f : module.functions)
    if (f->is_kernel) names += (names.empty() ? "" : ";") + f->name;
  return names;
}
size_t kernel_count(const kc::Module& module) {
  size_t n = 0;
  for (const auto& f : module.functions) n += f->is_kernel;
  return n;
}

// What a build, compilation or linkage of the program leaves behind, whatever comes of it.
void forget(cl_program p, const char* options) {
  p->options = options ? options : "";
  p->module = nullptr;
  p->arguments.reset();
  p->log.clear();
  p->no_optimisation = false;
  p->type = CL_PROGRAM_BINARY_TYPE_NONE;
  p->status = CL_BUILD_ERROR;
}

void finish(cl_program p, std::unique_ptr<kc::Module> module) {
  if (!module) return;
  p->module = std::move(module);
  p->type = CL_PROGRAM_BINARY_TYPE_EXECUTABLE;
  p->status = CL_BUILD_SUCCESS;
}

cl_int build(cl_program p, const char* options) {
  std::lock_guard lock(p->mutex);
  if (p->kernels || p->is_linked) return CL_INVALID_OPERATION;
  forget(p, options);
  auto parsed = parse_options(p->options);
  if (!parsed) return CL_INVALID_BUILD_OPTIONS;
  if (!p->ir.empty()) {
    kc::LoadedSource loaded = kc::load_source(p->ir, kc::Language::Ir, parsed->frontend);
    p->log = std::move(loaded.diagnostics);
    finish(p, std::move(loaded.module));
  } else if (p->is_binary) {
    kc::FrontendResult linked = kc::link_units(p->units);
    p->log = std::move(linked.diagnostics);
    finish(p, std::move(linked.module));
  } else {
    kc::FrontendResult compiled = kc::compile_source(p->source, parsed->frontend);
    p->log = std::move(compiled.diagnostics);
    p->units = {{p->source, parsed->frontend}};
    finish(p, std::move(compiled.module));
  }
  p->no_optimisation = parsed->no_optimisation;
  return p->module ? CL_SUCCESS : CL_BUILD_PROGRAM_FAILURE;
}

// Headers that the host gives by name come before files of that name. One that includes another finds it
// by its name, and beside itself.
kc::FileReader with_headers(std::map<std::string, std::string> headers) {
  return [headers = std::move(headers)](const std::string& path) -> std::expected<std::string, std::string> {
    std::string_view name = path;
    const bool given = name.starts_with(kHeaders);
    if (given) name.remove_prefix(kHeaders.size());
    if (auto found = headers.find(std::string(name)); found != headers.end()) return found->second;
    return given ? std::unexpected(std::string()) : kc::read_include(path);
  };
}

cl_int compile(cl_program p, const char* options, std::map<std::string, std::string> headers) {
  std::lock_guard lock(p->mutex);
  if (p->kernels || p->is_binary || p->is_linked) return CL_INVALID_OPERATION;
  forget(p, options);
  p->units.clear();
  auto parsed = parse_options(p->options);
  if (!parsed) return CL_INVALID_COMPILER_OPTIONS;
  kc::FrontendOptions& frontend = parsed->frontend;
  if (!headers.empty()) {
    frontend.include_dirs.insert(frontend.include_dirs.begin(), std::string(kHeaders));
    frontend.read_file = with_headers(std::move(headers));
  }
  const kc::FrontendResult checked = kc::check_unit(p->source, frontend);
  p->log = checked.diagnostics;
  if (checked.errors) return CL_COMPILE_PROGRAM_FAILURE;
  p->units = {
      unit_of(kc::preprocess_source(p->source, frontend).text, frontend.single_literals, frontend.fast_math)};
  p->no_optimisation = parsed->no_optimisation;
  p->type = CL_PROGRAM_BINARY_TYPE_COMPILED_OBJECT;
  p->status = CL_BUILD_SUCCESS;
  return CL_SUCCESS;
}

// Takes the units of an input of a linkage.
cl_int add_input(cl_program p, cl_program input) {
  std::lock_guard lock(input->mutex);
  if (input->type != CL_PROGRAM_BINARY_TYPE_COMPILED_OBJECT && input->type != CL_PROGRAM_BINARY_TYPE_LIBRARY)
    return CL_INVALID_OPERATION;
  p->units.insert(p->units.end(), input->units.begin(), input->units.end());
  p->no_optimisation |= input->no_optimisation;
  return CL_SUCCESS;
}

cl_int link(cl_program p, const LinkOptions& options) {
  if (options.library) {
    p->type = CL_PROGRAM_BINARY_TYPE_LIBRARY;
    p->status = CL_BUILD_SUCCESS;
    return CL_SUCCESS;
  }
  kc::FrontendResult linked = kc::link_units(p->units);
  p->log = std::move(linked.diagnostics);
  finish(p, std::move(linked.module));
  return p->module ? CL_SUCCESS : CL_LINK_PROGRAM_FAILURE;
}

cl_int check_devices(cl_uint count, const cl_device_id* devices) {
  if ((count == 0) != (devices == nullptr)) return CL_INVALID_VALUE;
  for (cl_uint i = 0; i < count; ++i)
    if (!is(devices[i])) return CL_INVALID_DEVICE;
  return CL_SUCCESS;
}

// With the program locked.
std::string binary_of(const _cl_program& p) {
  if (p.module) return print(*p.module);
  return p.type == CL_PROGRAM_BINARY_TYPE_NONE ? "" : write_units(p.units, p.type);
}

}  // namespace

extern "C" {

cl_program clCreateProgramWithSource(cl_context context, cl_uint count, const char** texts,
                                     const size_t* lengths, cl_int* error) {
  return make(error, [&](cl_int& code) -> cl_program {
    if (!is(context)) return code = CL_INVALID_CONTEXT, nullptr;
    if (!count || !texts) return code = CL_INVALID_VALUE, nullptr;
    std::string all;
    for (cl_uint i = 0; i < count; ++i) {
      if (!texts[i]) return code = CL_INVALID_VALUE, nullptr;
      all += lengths && lengths[i] ? std::string_view(texts[i], lengths[i]) : std::string_view(texts[i]);
    }
    while (all.ends_with('\0')) all.pop_back();  // hosts count the end of a string
    auto* p = new _cl_program;
    p->context = Ref(context);
    p->source = std::move(all);
    return p;
  });
}

cl_program clCreateProgramWithBinary(cl_context context, cl_uint count, const cl_device_id* devices,
                                     const size_t* lengths, const unsigned char** binaries, cl_int* status,
                                     cl_int* error) {
  return make(error, [&](cl_int& code) -> cl_program {
    auto fail = [&](cl_int why) { return code = why, nullptr; };
    if (!is(context)) return fail(CL_INVALID_CONTEXT);
    if (count != 1 || !devices || !lengths || !binaries) return fail(CL_INVALID_VALUE);
    if (!is(devices[0])) return fail(CL_INVALID_DEVICE);
    if (!lengths[0] || !binaries[0]) {
      if (status) *status = CL_INVALID_VALUE;
      return fail(CL_INVALID_VALUE);
    }
    std::string text(reinterpret_cast<const char*>(binaries[0]), lengths[0]);
    std::unique_ptr<_cl_program> p(new _cl_program);
    p->is_binary = true;
    const std::optional<cl_program_binary_type> of_units = read_units(text, p->units);
    const bool right = of_units || kc::load_source(text, kc::Language::Ir, {}).module;
    if (status) *status = right ? CL_SUCCESS : CL_INVALID_BINARY;
    if (!right) return fail(CL_INVALID_BINARY);
    p->context = Ref(context);
    p->type = of_units.value_or(CL_PROGRAM_BINARY_TYPE_EXECUTABLE);
    if (!of_units) p->ir = std::move(text);
    return p.release();
  });
}

cl_int clRetainProgram(cl_program p) { return retained(p, CL_INVALID_PROGRAM); }
cl_int clReleaseProgram(cl_program p) { return released(p, CL_INVALID_PROGRAM); }

cl_int clBuildProgram(cl_program p, cl_uint count, const cl_device_id* devices, const char* options,
                      void(CL_CALLBACK* done)(cl_program, void*), void* user) {
  if (!is(p)) return CL_INVALID_PROGRAM;
  if (user && !done) return CL_INVALID_VALUE;
  if (cl_int bad = check_devices(count, devices)) return bad;
  const cl_int result = guard([&] { return build(p, options); });
  if (!done || (result && result != CL_BUILD_PROGRAM_FAILURE)) return result;
  done(p, user);
  return CL_SUCCESS;
}

cl_int clCompileProgram(cl_program p, cl_uint count, const cl_device_id* devices, const char* options,
                        cl_uint headers, const cl_program* texts, const char** names,
                        void(CL_CALLBACK* done)(cl_program, void*), void* user) {
  if (!is(p)) return CL_INVALID_PROGRAM;
  if ((user && !done) || (headers == 0) != (texts == nullptr) || (headers == 0) != (names == nullptr))
    return CL_INVALID_VALUE;
  if (cl_int bad = check_devices(count, devices)) return bad;
  const cl_int result = guard([&]() -> cl_int {
    std::map<std::string, std::string> by_name;
    for (cl_uint i = 0; i < headers; ++i) {
      if (!is(texts[i])) return CL_INVALID_PROGRAM;
      if (!names[i]) return CL_INVALID_VALUE;
      by_name.emplace(names[i], texts[i]->source);  // the first of a name counts
    }
    return compile(p, options, std::move(by_name));
  });
  if (!done || (result && result != CL_COMPILE_PROGRAM_FAILURE)) return result;
  done(p, user);
  return CL_SUCCESS;
}

cl_program clLinkProgram(cl_context context, cl_uint count, const cl_device_id* devices, const char* options,
                         cl_uint n, const cl_program* inputs, void(CL_CALLBACK* done)(cl_program, void*),
                         void* user, cl_int* error) {
  return make(error, [&](cl_int& code) -> cl_program {
    auto fail = [&](cl_int why) { return code = why, nullptr; };
    if (!is(context)) return fail(CL_INVALID_CONTEXT);
    if (!n || !inputs || (user && !done)) return fail(CL_INVALID_VALUE);
    if (cl_int bad = check_devices(count, devices)) return fail(bad);
    const std::optional<LinkOptions> parsed = parse_link_options(options ? options : "");
    if (!parsed) return fail(CL_INVALID_LINKER_OPTIONS);
    std::unique_ptr<_cl_program> p(new _cl_program);
    p->context = Ref(context);
    forget(p.get(), options);
    p->is_linked = true;
    for (cl_uint i = 0; i < n; ++i) {
      if (!is(inputs[i]) || inputs[i]->context.get() != context) return fail(CL_INVALID_PROGRAM);
      if (cl_int bad = add_input(p.get(), inputs[i])) return fail(bad);
    }
    const cl_int result = link(p.get(), *parsed);
    if (done)
      done(p.get(), user);
    else
      code = result;
    return p.release();  // one that failed has a log
  });
}

cl_int clGetProgramInfo(cl_program p, cl_program_info what, size_t room, void* value, size_t* size) {
  if (!is(p)) return CL_INVALID_PROGRAM;
  return guard([&]() -> cl_int {
    std::lock_guard lock(p->mutex);
    switch (what) {
      case CL_PROGRAM_REFERENCE_COUNT:
        return answer(p->references.load(), room, value, size);
      case CL_PROGRAM_CONTEXT:
        return answer(p->context.get(), room, value, size);
      case CL_PROGRAM_NUM_DEVICES:
        return answer(cl_uint{1}, room, value, size);
      case CL_PROGRAM_DEVICES:
        return answer(device(), room, value, size);
      case CL_PROGRAM_SOURCE:
        return answer(p->source, room, value, size);
      case CL_PROGRAM_IL:
        return answer(nullptr, 0, room, value, size);
      case CL_PROGRAM_BINARY_SIZES:
        return answer(binary_of(*p).size(), room, value, size);
      case CL_PROGRAM_BINARIES: {
        if (value && room < sizeof(void*)) return CL_INVALID_VALUE;
        if (size) *size = sizeof(void*);
        char* to = value ? *static_cast<char**>(value) : nullptr;
        const std::string text = to ? binary_of(*p) : "";
        if (to) std::memcpy(to, text.data(), text.size());
        return CL_SUCCESS;
      }
      case CL_PROGRAM_NUM_KERNELS:
        if (!p->module) return CL_INVALID_PROGRAM_EXECUTABLE;
        return answer(kernel_count(*p->module), room, value, size);
      case CL_PROGRAM_KERNEL_NAMES:
        if (!p->module) return CL_INVALID_PROGRAM_EXECUTABLE;
        return answer(kernel_names(*p->module), room, value, size);
      case CL_PROGRAM_SCOPE_GLOBAL_CTORS_PRESENT:
      case CL_PROGRAM_SCOPE_GLOBAL_DTORS_PRESENT:
        return answer(cl_bool{CL_FALSE}, room, value, size);
      default:
        return CL_INVALID_VALUE;
    }
  });
}

cl_int clGetProgramBuildInfo(cl_program p, cl_device_id d, cl_program_build_info what, size_t room,
                             void* value, size_t* size) {
  if (!is(p)) return CL_INVALID_PROGRAM;
  if (!is(d)) return CL_INVALID_DEVICE;
  return guard([&]() -> cl_int {
    std::lock_guard lock(p->mutex);
    switch (what) {
      case CL_PROGRAM_BUILD_STATUS:
        return answer(p->status, room, value, size);
      case CL_PROGRAM_BUILD_OPTIONS:
        return answer(p->options, room, value, size);
      case CL_PROGRAM_BUILD_LOG:
        return answer(p->log, room, value, size);
      case CL_PROGRAM_BINARY_TYPE:
        return answer(p->type, room, value, size);
      case CL_PROGRAM_BUILD_GLOBAL_VARIABLE_TOTAL_SIZE:
        return answer(size_t{0}, room, value, size);
      default:
        return CL_INVALID_VALUE;
    }
  });
}

cl_int clUnloadCompiler() { return CL_SUCCESS; }
cl_int clUnloadPlatformCompiler(cl_platform_id p) { return is(p) ? CL_SUCCESS : CL_INVALID_PLATFORM; }

}  // extern "C"
