// SPDX-License-Identifier: Apache-2.0
// Programs: from source, or from the text of thread IR, which is what a binary holds.
#include "host/source.h"
#include "ir/text.h"
#include "opencl/build_options.h"
#include "opencl/objects.h"

using namespace kc::cl;

namespace {

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

cl_int build(cl_program p, const char* options) {
  std::lock_guard lock(p->mutex);
  if (p->kernels) return CL_INVALID_OPERATION;
  p->options = options ? options : "";
  p->module = nullptr;
  p->arguments.reset();
  p->log.clear();
  p->status = CL_BUILD_ERROR;
  auto parsed = parse_options(p->options);
  if (!parsed) return CL_INVALID_BUILD_OPTIONS;
  const bool is_ir = !p->ir.empty();
  kc::LoadedSource loaded = kc::load_source(
      is_ir ? p->ir : p->source, is_ir ? kc::Language::Ir : kc::Language::Kernel, parsed->frontend);
  p->log = std::move(loaded.diagnostics);
  if (!loaded.module) return CL_BUILD_PROGRAM_FAILURE;
  p->module = std::move(loaded.module);
  p->no_optimisation = parsed->no_optimisation;
  p->status = CL_BUILD_SUCCESS;
  return CL_SUCCESS;
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
    const bool right = kc::load_source(text, kc::Language::Ir, {}).module != nullptr;
    if (status) *status = right ? CL_SUCCESS : CL_INVALID_BINARY;
    if (!right) return fail(CL_INVALID_BINARY);
    auto* p = new _cl_program;
    p->context = Ref(context);
    p->ir = std::move(text);
    return p;
  });
}

cl_int clRetainProgram(cl_program p) { return retained(p, CL_INVALID_PROGRAM); }
cl_int clReleaseProgram(cl_program p) { return released(p, CL_INVALID_PROGRAM); }

cl_int clBuildProgram(cl_program p, cl_uint count, const cl_device_id* devices, const char* options,
                      void(CL_CALLBACK* done)(cl_program, void*), void* user) {
  if (!is(p)) return CL_INVALID_PROGRAM;
  if ((count == 0) != (devices == nullptr) || (user && !done)) return CL_INVALID_VALUE;
  for (cl_uint i = 0; i < count; ++i)
    if (!is(devices[i])) return CL_INVALID_DEVICE;
  const cl_int result = guard([&] { return build(p, options); });
  if (!done) return result;
  done(p, user);
  return result == CL_BUILD_PROGRAM_FAILURE ? CL_SUCCESS : result;
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
        return answer(p->module ? print(*p->module).size() : size_t{0}, room, value, size);
      case CL_PROGRAM_BINARIES: {
        if (value && room < sizeof(void*)) return CL_INVALID_VALUE;
        if (size) *size = sizeof(void*);
        char* to = value ? *static_cast<char**>(value) : nullptr;
        if (to && p->module) {
          const std::string text = print(*p->module);
          std::memcpy(to, text.data(), text.size());
        }
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
      case CL_PROGRAM_BINARY_TYPE: {
        const cl_program_binary_type type =
            p->module ? CL_PROGRAM_BINARY_TYPE_EXECUTABLE : CL_PROGRAM_BINARY_TYPE_NONE;
        return answer(type, room, value, size);
      }
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
