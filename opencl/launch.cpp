// SPDX-License-Identifier: Apache-2.0
// Commands that run something: kernels and functions of the host.
#include "api/parameters.h"
#include "host/traps.h"
#include "ir/parameters.h"
#include "opencl/graph.h"

using namespace kc::cl;

namespace {

/// A launch with its own copy of the arguments.
struct Launch {
  std::shared_ptr<const kc::Kernel> code;
  Ref<_cl_program> program;
  std::vector<_cl_kernel::Argument> arguments;
  std::vector<Ref<_cl_mem>> buffers;  // by argument; null pointers and other arguments have none
  kc_range range;

  cl_int run() const;
  void report(const std::string& message) const;
};

// A number as the interface of the library takes it.
kc_argument scalar(const kc::ParamInfo& p, kc::Type type, const std::string& bytes) {
  if (type == kc::kF32) {
    float f;
    std::memcpy(&f, bytes.data(), sizeof f);
    return kc_float(f);
  }
  uint64_t bits = 0;
  std::memcpy(&bits, bytes.data(), std::min(bytes.size(), sizeof bits));
  if (type == kc::kF64) return kc_argument_of(KC_ARGUMENT_SCALAR, KC_DOUBLE, nullptr, bits, 8);
  if (p.is_unsigned) return kc_ulong(bits);
  const unsigned unused = 64 - type.bits();
  return kc_long(static_cast<int64_t>(bits << unused) >> unused);
}

cl_int Launch::run() const {
  const kc::Function& f = code->source();
  std::vector<kc_argument> list;
  const auto parameters = kc::source_parameters(f);
  for (size_t i = 0; i < arguments.size(); ++i) {
    const _cl_kernel::Argument& a = arguments[i];
    const kc::SourceParameter& p = parameters[i];
    const kc::Type type = f.type(f.block(f.entry()).params[p.first]);
    if (p.has_parts())
      list.push_back(kc_bytes(a.bytes.data(), a.bytes.size()));
    else if (kc::parameter_kind(type) == KC_PARAMETER_LOCAL)
      list.push_back(kc_local(a.local));
    else if (kc::parameter_kind(type) == KC_PARAMETER_BUFFER)
      list.push_back(kc_buffer(buffers[i] ? buffers[i]->data : nullptr, buffers[i] ? buffers[i]->size : 0));
    else
      list.push_back(scalar(f.params[p.first], type, a.bytes));
  }
  auto trap = code->launch(range, list);
  if (!trap) return report(trap.error().message), CL_OUT_OF_RESOURCES;
  if (*trap) return report(describe(**trap, f)), CL_OUT_OF_RESOURCES;
  return CL_COMPLETE;
}

// The function that the context was given hears of errors in kernels.
void Launch::report(const std::string& message) const {
  const _cl_context& context = *program->context.get();
  if (context.notify) context.notify(message.c_str(), nullptr, 0, context.notify_user);
}

}  // namespace

extern "C" {

cl_int clEnqueueNDRangeKernel(cl_command_queue q, cl_kernel k, cl_uint dims, const size_t* offset,
                              const size_t* global, const size_t* local, cl_uint count, const cl_event* list,
                              cl_event* event) {
  if (!is(q)) return CL_INVALID_COMMAND_QUEUE;
  if (!is(k)) return CL_INVALID_KERNEL;
  if (k->program->context.get() != q->context.get()) return CL_INVALID_CONTEXT;
  if (dims < 1 || dims > 3) return CL_INVALID_WORK_DIMENSION;
  return guard([&]() -> cl_int {
    Launch launch{
        .code = k->code, .program = k->program, .arguments = {}, .buffers = {}, .range = kc_range_1d(1)};
    launch.range.dims = dims;
    {
      std::lock_guard lock(k->mutex);
      for (const auto& a : k->arguments)
        if (!a.set) return CL_INVALID_KERNEL_ARGS;
      launch.arguments = k->arguments;
    }
    for (const auto& a : launch.arguments) {
      launch.buffers.push_back(a.buffer.lock());
      if (!launch.buffers.back() && a.buffer) return CL_INVALID_KERNEL_ARGS;  // it has been released
      if (launch.buffers.back() && launch.buffers.back()->context.get() != q->context.get())
        return CL_INVALID_CONTEXT;
    }
    const auto& required = k->function->reqd_local;
    size_t group = 1;
    bool empty = !global;
    for (cl_uint d = 0; d < dims; ++d) {
      launch.range.global[d] = global ? global[d] : 0;
      launch.range.offset[d] = offset ? offset[d] : 0;
      launch.range.local[d] = local ? local[d] : 0;
      empty |= !launch.range.global[d];
      if (launch.range.global[d] >= size_t{1} << 31) return CL_INVALID_GLOBAL_WORK_SIZE;
      if (launch.range.offset[d] >= (size_t{1} << 31) - launch.range.global[d])
        return CL_INVALID_GLOBAL_OFFSET;
      if (!local) continue;
      if (!local[d]) return CL_INVALID_WORK_GROUP_SIZE;
      if (local[d] > 1024) return CL_INVALID_WORK_ITEM_SIZE;
      group *= local[d];
      if (global && global[d] % local[d]) return CL_INVALID_WORK_GROUP_SIZE;
    }
    if (local && group > 1024) return CL_INVALID_WORK_GROUP_SIZE;
    for (cl_uint d = 0; local && required[0] && d < 3; ++d)
      if (required[d] != (d < dims ? local[d] : 1)) return CL_INVALID_WORK_GROUP_SIZE;
    if (!empty)
      if (auto spec = kc::launch_of(*k->function, launch.range); !spec) return CL_INVALID_WORK_GROUP_SIZE;
    if (empty) return enqueue(q, CL_COMMAND_NDRANGE_KERNEL, {count, list}, event, {});
    return enqueue(q, CL_COMMAND_NDRANGE_KERNEL, {count, list}, event,
                   [launch = std::move(launch)] { return launch.run(); });
  });
}

cl_int clEnqueueTask(cl_command_queue q, cl_kernel k, cl_uint count, const cl_event* list, cl_event* event) {
  const size_t one = 1;
  return clEnqueueNDRangeKernel(q, k, 1, nullptr, &one, &one, count, list, event);
}

cl_int clEnqueueNativeKernel(cl_command_queue q, void(CL_CALLBACK* function)(void*), void* arguments,
                             size_t size, cl_uint n, const cl_mem* buffers, const void** places,
                             cl_uint count, const cl_event* list, cl_event* event) {
  if (!is(q)) return CL_INVALID_COMMAND_QUEUE;
  if (!function || (!arguments && (size || n)) || (arguments && !size) || (n != 0) != (buffers != nullptr) ||
      (n != 0) != (places != nullptr))
    return CL_INVALID_VALUE;
  return guard([&]() -> cl_int {
    std::vector<char> copy(size);
    if (size) std::memcpy(copy.data(), arguments, size);
    std::vector<Ref<_cl_mem>> keep;
    for (cl_uint i = 0; i < n; ++i) {
      if (!is(buffers[i])) return CL_INVALID_MEM_OBJECT;
      keep.emplace_back(buffers[i]);
      const auto at =
          static_cast<size_t>(static_cast<const char*>(places[i]) - static_cast<char*>(arguments));
      if (at > size || size - at < sizeof(void*)) return CL_INVALID_VALUE;
      std::memcpy(copy.data() + at, &buffers[i]->data, sizeof(void*));
    }
    return enqueue(q, CL_COMMAND_NATIVE_KERNEL, {count, list}, event,
                   [=, keep = std::move(keep)]() mutable -> cl_int {
                     return function(copy.empty() ? nullptr : copy.data()), CL_COMPLETE;
                   });
  });
}

}  // extern "C"
