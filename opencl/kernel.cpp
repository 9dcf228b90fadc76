// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <cstdio>

#include "api/parameters.h"
#include "ir/parameters.h"
#include "opencl/objects.h"
#include "runtime/cache/code_cache.h"

using namespace kc::cl;

namespace {

std::vector<_cl_kernel::Parameter> parameters(const kc::Function& f) {
  std::vector<_cl_kernel::Parameter> all;
  for (const kc::SourceParameter& s : kc::source_parameters(f)) {
    const kc::Type type = f.type(f.block(f.entry()).params[s.first]);
    const auto kind = s.has_parts() ? KC_PARAMETER_SCALAR : kc::parameter_kind(type);
    all.push_back({kind, type, f.params[s.first].is_unsigned, s.has_parts(),
                   s.has_parts()                 ? s.size
                   : kind == KC_PARAMETER_SCALAR ? type.bytes()
                                                 : sizeof(cl_mem)});
  }
  return all;
}

/// With the program locked. Nothing if the kernel cannot be compiled: `why` and the build log say it.
cl_kernel make_kernel(cl_program p, const kc::Function& f, std::string& why) {
  kc_kernel_options options;
  kc_kernel_options_init(&options);
  options.no_optimisation = p->no_optimisation;
  auto code = kc::Kernel::create(p->module, f, options, kc::CodeCache::of_user());
  if (!code) {
    why = "kernel '" + f.name + "': " + code.error().message;
    p->log += "error: " + why + "\n";
    return nullptr;
  }
  auto* k = new _cl_kernel;
  k->program = Ref(p);
  ++p->kernels;
  k->function = &f;
  k->code = std::move(*code);
  k->parameters = parameters(f);
  k->arguments.resize(k->parameters.size());
  return k;
}

/// With the program unlocked: what is called may ask for the log.
void notify(cl_program p, const std::string& why) {
  const _cl_context& context = *p->context.get();
  if (context.notify) context.notify(why.c_str(), nullptr, 0, context.notify_user);
}

/// As the source declares it; nothing for a program from thread IR. The source is read anew by the first
/// question, so that programs that ask nothing pay nothing. Its included files may have changed since.
std::optional<kc::KernelArguments> declaration(cl_kernel k) {
  _cl_program& p = *k->program.get();
  std::lock_guard lock(p.mutex);
  if (p.units.empty()) return {};
  if (!p.arguments) p.arguments = kc::kernel_arguments(p.units);
  for (const kc::KernelArguments& of : *p.arguments)
    if (of.kernel == k->function->name && of.arguments.size() == k->arguments.size()) return of;
  return {};
}

cl_kernel_arg_address_qualifier address_qualifier(kc::ArgumentInfo::Space space) {
  switch (space) {
    case kc::ArgumentInfo::Space::Global:
      return CL_KERNEL_ARG_ADDRESS_GLOBAL;
    case kc::ArgumentInfo::Space::Constant:
      return CL_KERNEL_ARG_ADDRESS_CONSTANT;
    case kc::ArgumentInfo::Space::Local:
      return CL_KERNEL_ARG_ADDRESS_LOCAL;
    case kc::ArgumentInfo::Space::Private:
      break;
  }
  return CL_KERNEL_ARG_ADDRESS_PRIVATE;
}

}  // namespace

extern "C" {

cl_kernel clCreateKernel(cl_program p, const char* name, cl_int* error) {
  return make(error, [&](cl_int& code) -> cl_kernel {
    auto fail = [&](cl_int why) { return code = why, nullptr; };
    if (!is(p)) return fail(CL_INVALID_PROGRAM);
    if (!name) return fail(CL_INVALID_VALUE);
    std::unique_lock lock(p->mutex);
    if (!p->module) return fail(CL_INVALID_PROGRAM_EXECUTABLE);
    const kc::Function* f = p->module->find(name);
    if (!f || !f->is_kernel) return fail(CL_INVALID_KERNEL_NAME);
    std::string why;
    if (cl_kernel k = make_kernel(p, *f, why)) return k;
    lock.unlock();
    notify(p, why);
    return fail(CL_OUT_OF_RESOURCES);
  });
}

cl_int clCreateKernelsInProgram(cl_program p, cl_uint room, cl_kernel* list, cl_uint* count) {
  if (!is(p)) return CL_INVALID_PROGRAM;
  return guard([&]() -> cl_int {
    std::unique_lock lock(p->mutex);
    if (!p->module) return CL_INVALID_PROGRAM_EXECUTABLE;
    cl_uint n = 0;
    for (const auto& f : p->module->functions) n += f->is_kernel;
    if (list && room < n) return CL_INVALID_VALUE;
    if (count) *count = n;
    std::vector<cl_kernel> made;
    for (const auto& f : p->module->functions) {
      if (!list || !f->is_kernel) continue;
      std::string why;
      if (cl_kernel k = make_kernel(p, *f, why)) {
        made.push_back(k);
        continue;
      }
      for (cl_kernel k : made) release(k);
      lock.unlock();
      notify(p, why);
      return CL_OUT_OF_RESOURCES;
    }
    std::ranges::copy(made, list);
    return CL_SUCCESS;
  });
}

cl_kernel clCloneKernel(cl_kernel k, cl_int* error) {
  return make(error, [&](cl_int& code) -> cl_kernel {
    if (!is(k)) return code = CL_INVALID_KERNEL, nullptr;
    std::lock_guard lock(k->mutex);
    auto* copy = new _cl_kernel;
    copy->program = k->program;
    ++copy->program->kernels;
    copy->function = k->function;
    copy->code = k->code;
    copy->parameters = k->parameters;
    copy->arguments = k->arguments;
    return copy;
  });
}

cl_int clRetainKernel(cl_kernel k) { return retained(k, CL_INVALID_KERNEL); }
cl_int clReleaseKernel(cl_kernel k) { return released(k, CL_INVALID_KERNEL); }

cl_int clSetKernelArg(cl_kernel k, cl_uint index, size_t size, const void* value) {
  if (!is(k)) return CL_INVALID_KERNEL;
  if (index >= k->arguments.size()) return CL_INVALID_ARG_INDEX;
  return guard([&]() -> cl_int {
    const _cl_kernel::Parameter& p = k->parameters[index];
    _cl_kernel::Argument a{.set = true, .bytes = {}, .buffer = {}};
    if (p.kind == KC_PARAMETER_LOCAL) {
      if (value) return CL_INVALID_ARG_VALUE;
      if (!size) return CL_INVALID_ARG_SIZE;
      a.local = size;
    } else if (p.kind == KC_PARAMETER_BUFFER) {
      if (size != sizeof(cl_mem)) return CL_INVALID_ARG_SIZE;
      cl_mem m = value ? *static_cast<const cl_mem*>(value) : nullptr;
      if (m && !is(m)) return CL_INVALID_MEM_OBJECT;
      a.buffer = WeakBuffer(m);
    } else {
      if (!value) return CL_INVALID_ARG_VALUE;
      if (size != p.size) return CL_INVALID_ARG_SIZE;
      a.bytes.assign(static_cast<const char*>(value), size);
    }
    std::lock_guard lock(k->mutex);
    k->arguments[index] = std::move(a);
    return CL_SUCCESS;
  });
}

cl_int clGetKernelInfo(cl_kernel k, cl_kernel_info what, size_t room, void* value, size_t* size) {
  if (!is(k)) return CL_INVALID_KERNEL;
  return guard([&]() -> cl_int {
    switch (what) {
      case CL_KERNEL_FUNCTION_NAME:
        return answer(k->function->name, room, value, size);
      case CL_KERNEL_NUM_ARGS:
        return answer(static_cast<cl_uint>(k->arguments.size()), room, value, size);
      case CL_KERNEL_REFERENCE_COUNT:
        return answer(k->references.load(), room, value, size);
      case CL_KERNEL_CONTEXT:
        return answer(k->program->context.get(), room, value, size);
      case CL_KERNEL_PROGRAM:
        return answer(k->program.get(), room, value, size);
      case CL_KERNEL_ATTRIBUTES: {
        const std::optional<kc::KernelArguments> declared = declaration(k);
        return answer(declared ? declared->attributes : std::string(), room, value, size);
      }
      default:
        return CL_INVALID_VALUE;
    }
  });
}

cl_int clGetKernelWorkGroupInfo(cl_kernel k, cl_device_id d, cl_kernel_work_group_info what, size_t room,
                                void* value, size_t* size) {
  if (!is(k)) return CL_INVALID_KERNEL;
  if (d && !is(d)) return CL_INVALID_DEVICE;
  return guard([&]() -> cl_int {
    const kc::Function& f = *k->function;
    switch (what) {
      case CL_KERNEL_WORK_GROUP_SIZE:
        return answer(size_t{1024}, room, value, size);
      case CL_KERNEL_COMPILE_WORK_GROUP_SIZE: {
        const size_t sizes[3] = {f.reqd_local[0], f.reqd_local[1], f.reqd_local[2]};
        return answer(sizes, sizeof sizes, room, value, size);
      }
      case CL_KERNEL_LOCAL_MEM_SIZE: {
        cl_ulong bytes = kc::lay_out_objects(f, kc::kPtrLocal).size;
        std::lock_guard lock(k->mutex);
        for (const auto& a : k->arguments) bytes += a.local;
        return answer(bytes, room, value, size);
      }
      case CL_KERNEL_PRIVATE_MEM_SIZE:
        return answer(cl_ulong{kc::lay_out_objects(f, kc::kPtrPrivate).size}, room, value, size);
      case CL_KERNEL_PREFERRED_WORK_GROUP_SIZE_MULTIPLE:
        return answer(size_t{64}, room, value, size);
      default:
        return CL_INVALID_VALUE;
    }
  });
}

cl_int clGetKernelArgInfo(cl_kernel k, cl_uint index, cl_kernel_arg_info what, size_t room, void* value,
                          size_t* size) {
  if (!is(k)) return CL_INVALID_KERNEL;
  if (index >= k->arguments.size()) return CL_INVALID_ARG_INDEX;
  return guard([&]() -> cl_int {
    const std::optional<kc::KernelArguments> declared = declaration(k);
    if (!declared) return CL_KERNEL_ARG_INFO_NOT_AVAILABLE;
    const kc::ArgumentInfo* a = &declared->arguments[index];
    switch (what) {
      case CL_KERNEL_ARG_ADDRESS_QUALIFIER:
        return answer(address_qualifier(a->space), room, value, size);
      case CL_KERNEL_ARG_ACCESS_QUALIFIER:  // images are denied
        return answer(cl_kernel_arg_access_qualifier{CL_KERNEL_ARG_ACCESS_NONE}, room, value, size);
      case CL_KERNEL_ARG_TYPE_NAME:
        return answer(a->type, room, value, size);
      case CL_KERNEL_ARG_TYPE_QUALIFIER: {
        const cl_kernel_arg_type_qualifier all = (a->is_const ? CL_KERNEL_ARG_TYPE_CONST : 0) |
                                                 (a->is_restrict ? CL_KERNEL_ARG_TYPE_RESTRICT : 0) |
                                                 (a->is_volatile ? CL_KERNEL_ARG_TYPE_VOLATILE : 0);
        return answer(all, room, value, size);
      }
      case CL_KERNEL_ARG_NAME:
        return answer(a->name, room, value, size);
      default:
        return CL_INVALID_VALUE;
    }
  });
}
cl_int clGetKernelSubGroupInfo(cl_kernel k, cl_device_id d, cl_kernel_sub_group_info, size_t, const void*,
                               size_t, void*, size_t*) {
  if (!is(k)) return CL_INVALID_KERNEL;
  return d && !is(d) ? CL_INVALID_DEVICE : CL_INVALID_OPERATION;
}

}  // extern "C"
