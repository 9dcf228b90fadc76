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
  std::vector<kc_argument> arguments;
  std::vector<char> bytes;  // of vectors and structures
  std::vector<Ref<_cl_mem>> buffers;
  kc_range range;

  cl_int take(_cl_kernel& kernel, const _cl_context* context);
  cl_int run() const;
  void report(const std::string& message) const;
};

// A number as the interface of the library takes it.
kc_argument scalar(const _cl_kernel::Parameter& p, const std::string& bytes) {
  if (p.type == kc::kF32) {
    float f;
    std::memcpy(&f, bytes.data(), sizeof f);
    return kc_float(f);
  }
  uint64_t bits = 0;
  std::memcpy(&bits, bytes.data(), std::min(bytes.size(), sizeof bits));
  if (p.type == kc::kF64) return kc_argument_of(KC_ARGUMENT_SCALAR, KC_DOUBLE, nullptr, bits, 8);
  if (p.is_unsigned) return kc_ulong(bits);
  const unsigned unused = 64 - p.type.bits();
  return kc_long(static_cast<int64_t>(bits << unused) >> unused);
}

cl_int Launch::take(_cl_kernel& kernel, const _cl_context* context) {
  std::lock_guard lock(kernel.mutex);
  size_t size = 0;
  for (size_t i = 0; i < kernel.arguments.size(); ++i) {
    if (!kernel.arguments[i].set) return CL_INVALID_KERNEL_ARGS;
    if (kernel.parameters[i].has_parts) size += kernel.arguments[i].bytes.size();
  }
  bytes.reserve(size);  // arguments point into it
  arguments.reserve(kernel.arguments.size());
  for (size_t i = 0; i < kernel.arguments.size(); ++i) {
    const _cl_kernel::Argument& a = kernel.arguments[i];
    const _cl_kernel::Parameter& p = kernel.parameters[i];
    if (p.has_parts) {
      const char* at = bytes.data() + bytes.size();
      bytes.insert(bytes.end(), a.bytes.begin(), a.bytes.end());
      arguments.push_back(kc_bytes(at, a.bytes.size()));
    } else if (p.kind == KC_PARAMETER_LOCAL) {
      arguments.push_back(kc_local(a.local));
    } else if (p.kind == KC_PARAMETER_SCALAR) {
      arguments.push_back(scalar(p, a.bytes));
    } else if (!a.buffer) {
      arguments.push_back(kc_buffer(nullptr, 0));
    } else {
      Ref<_cl_mem> m = a.buffer.lock();
      if (!m) return CL_INVALID_KERNEL_ARGS;  // it has been released
      if (m->context.get() != context) return CL_INVALID_CONTEXT;
      arguments.push_back(kc_buffer(m->data, m->size));
      buffers.push_back(std::move(m));
    }
  }
  return CL_SUCCESS;
}

cl_int Launch::run() const {
  auto trap = code->launch(range, arguments);
  if (!trap) return report(trap.error().message), CL_OUT_OF_RESOURCES;
  if (*trap) return report(describe(**trap, code->source())), CL_OUT_OF_RESOURCES;
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
    auto made = std::make_unique<Launch>(k->code, k->program);
    Launch& launch = *made;
    launch.range = kc_range_1d(1);
    launch.range.dims = dims;
    if (cl_int bad = launch.take(*k, q->context.get())) return bad;
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
                   [made = std::move(made)] { return made->run(); });
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
