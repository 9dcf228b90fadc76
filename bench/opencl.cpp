// SPDX-License-Identifier: Apache-2.0
#include "bench/opencl.h"

#include <dlfcn.h>
#include <fmt/format.h>

#include <algorithm>
#include <chrono>

namespace kc::bench {
namespace {

// Types and constants of OpenCL's C interface (Khronos, OpenCL 1.2 specification, appendix and headers).
using Int = int32_t;
using Uint = uint32_t;
using Ulong = uint64_t;
using Handle = void*;
constexpr Ulong kDeviceTypeCpu = 2;
constexpr Ulong kMemWriteOnly = 2;
constexpr Uint kPlatformName = 0x0902, kDeviceName = 0x102B, kBuildLog = 0x1183;
constexpr Uint kTrue = 1;

struct Api {
  Int (*clGetPlatformIDs)(Uint, Handle*, Uint*);
  Int (*clGetPlatformInfo)(Handle, Uint, size_t, void*, size_t*);
  Int (*clGetDeviceIDs)(Handle, Ulong, Uint, Handle*, Uint*);
  Int (*clGetDeviceInfo)(Handle, Uint, size_t, void*, size_t*);
  Handle (*clCreateContext)(const intptr_t*, Uint, const Handle*, void*, void*, Int*);
  Handle (*clCreateCommandQueue)(Handle, Handle, Ulong, Int*);
  Handle (*clCreateProgramWithSource)(Handle, Uint, const char**, const size_t*, Int*);
  Int (*clBuildProgram)(Handle, Uint, const Handle*, const char*, void*, void*);
  Int (*clGetProgramBuildInfo)(Handle, Handle, Uint, size_t, void*, size_t*);
  Handle (*clCreateKernel)(Handle, const char*, Int*);
  Handle (*clCreateBuffer)(Handle, Ulong, size_t, void*, Int*);
  Int (*clSetKernelArg)(Handle, Uint, size_t, const void*);
  Int (*clEnqueueNDRangeKernel)(Handle, Handle, Uint, const size_t*, const size_t*, const size_t*, Uint,
                                const void*, void*);
  Int (*clFinish)(Handle);
  Int (*clEnqueueReadBuffer)(Handle, Handle, Uint, size_t, size_t, void*, Uint, const void*, void*);
};

template <typename Function>
bool find(Handle library, const char* name, Function& function) {
  function = reinterpret_cast<Function>(dlsym(library, name));
  return function != nullptr;
}

bool open_api(Api& a) {
  Handle lib = dlopen("libOpenCL.so.1", RTLD_NOW | RTLD_LOCAL);
  if (!lib) return false;
#define FIND(name) find(lib, #name, a.name)
  return FIND(clGetPlatformIDs) && FIND(clGetPlatformInfo) && FIND(clGetDeviceIDs) && FIND(clGetDeviceInfo) &&
         FIND(clCreateContext) && FIND(clCreateCommandQueue) && FIND(clCreateProgramWithSource) &&
         FIND(clBuildProgram) && FIND(clGetProgramBuildInfo) && FIND(clCreateKernel) &&
         FIND(clCreateBuffer) && FIND(clSetKernelArg) && FIND(clEnqueueNDRangeKernel) && FIND(clFinish) &&
         FIND(clEnqueueReadBuffer);
#undef FIND
}

double now_ms() {
  using namespace std::chrono;
  return duration<double, std::milli>(steady_clock::now().time_since_epoch()).count();
}

auto failed(std::string_view call, Int status) {
  return std::unexpected(fmt::format("{} failed with status {}", call, status));
}

}  // namespace

std::expected<PeerResult, std::string> run_opencl(const PeerJob& job) {
  Api cl{};
  if (!open_api(cl)) return std::unexpected("libOpenCL.so.1 is not installed");
  PeerResult result;
  Handle platform = nullptr, device = nullptr;
  Uint count = 0;
  if (cl.clGetPlatformIDs(1, &platform, &count) != 0 || count == 0)
    return std::unexpected("no OpenCL platform is installed");
  if (cl.clGetDeviceIDs(platform, kDeviceTypeCpu, 1, &device, &count) != 0 || count == 0)
    return std::unexpected("the OpenCL platform has no CPU device");
  char name[256] = {};
  if (cl.clGetPlatformInfo(platform, kPlatformName, sizeof name - 1, name, nullptr) == 0)
    result.platform = name;
  if (cl.clGetDeviceInfo(device, kDeviceName, sizeof name - 1, name, nullptr) == 0) result.device = name;

  Int status = 0;
  Handle context = cl.clCreateContext(nullptr, 1, &device, nullptr, nullptr, &status);
  if (status) return failed("clCreateContext", status);
  Handle queue = cl.clCreateCommandQueue(context, device, 0, &status);
  if (status) return failed("clCreateCommandQueue", status);
  double start = now_ms();
  const char* text = job.source.c_str();
  Handle program = cl.clCreateProgramWithSource(context, 1, &text, nullptr, &status);
  if (status) return failed("clCreateProgramWithSource", status);
  if (cl.clBuildProgram(program, 1, &device, job.options.c_str(), nullptr, nullptr) != 0) {
    std::string log(16384, '\0');
    cl.clGetProgramBuildInfo(program, device, kBuildLog, log.size(), log.data(), nullptr);
    return std::unexpected("the peer's compiler refused the kernel:\n" + std::string(log.c_str()));
  }
  Handle kernel = cl.clCreateKernel(program, job.kernel.c_str(), &status);
  if (status) return failed("clCreateKernel", status);
  double built = now_ms() - start;

  Handle buffer = cl.clCreateBuffer(context, kMemWriteOnly, job.out_bytes, nullptr, &status);
  if (status) return failed("clCreateBuffer", status);
  status = cl.clSetKernelArg(kernel, 0, sizeof buffer, &buffer);
  for (size_t i = 0; i < job.scalars.size() && status == 0; ++i)
    status =
        cl.clSetKernelArg(kernel, static_cast<Uint>(i + 1), job.scalars[i].size(), job.scalars[i].data());
  if (status) return failed("clSetKernelArg", status);
  double first = 0;
  for (unsigned i = 0; i <= job.repeat; ++i) {
    start = now_ms();
    status = cl.clEnqueueNDRangeKernel(queue, kernel, 2, nullptr, job.global, job.local, 0, nullptr, nullptr);
    if (status == 0) status = cl.clFinish(queue);
    if (status) return failed("clEnqueueNDRangeKernel", status);
    if (i == 0)
      first = now_ms() - start;  // the kernel is specialised for the local size at its first launch
    else
      result.launch_ms.push_back(now_ms() - start);
  }
  result.out.resize(job.out_bytes);
  status =
      cl.clEnqueueReadBuffer(queue, buffer, kTrue, 0, job.out_bytes, result.out.data(), 0, nullptr, nullptr);
  if (status) return failed("clEnqueueReadBuffer", status);
  std::vector<double> sorted = result.launch_ms;
  std::sort(sorted.begin(), sorted.end());
  result.compile_ms = built + std::max(0.0, first - sorted[sorted.size() / 2]);
  return result;
}

}  // namespace kc::bench
