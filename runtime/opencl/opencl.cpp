// SPDX-License-Identifier: Apache-2.0
#include "runtime/opencl/opencl.h"

#include <dlfcn.h>
#include <fmt/format.h>

#include <chrono>

#include "runtime/opencl/api.h"

namespace kc {

using namespace opencl;

struct opencl::State {
  Api cl;
  Handle device = nullptr;
  std::string name;
  bool rounds_division = false;
  std::shared_ptr<void> context, queue;
};

namespace {

auto failed(std::string_view call, Int status) {
  return device_failed(fmt::format("{} failed with status {}", call, status));
}

double now_ms() {
  using namespace std::chrono;
  return duration<double, std::milli>(steady_clock::now().time_since_epoch()).count();
}

// Owns an object of the implementation; the deleter is its release function.
std::shared_ptr<void> owned(Handle handle, Int (*release)(Handle)) {
  return {handle, [release](Handle h) {
            if (h) release(h);
          }};
}

std::string load(Api& cl) {
  // Implementations start threads and register exit handlers, so the library is never unloaded.
  void* library = dlopen("libOpenCL.so.1", RTLD_NOW | RTLD_LOCAL | RTLD_NODELETE);
  if (!library) return "libOpenCL.so.1 is not installed";
#define KC_OPENCL_LOAD(function, ...)                                               \
  cl.function = reinterpret_cast<decltype(cl.function)>(dlsym(library, #function)); \
  if (!cl.function) return "libOpenCL.so.1 has no " #function;
  KC_OPENCL_FUNCTIONS(KC_OPENCL_LOAD)
#undef KC_OPENCL_LOAD
  dlclose(library);
  return {};
}

template <typename Get>
std::string text_of(Get get) {
  char text[256] = {};
  return get(sizeof text - 1, static_cast<void*>(text)) == 0 ? text : "";
}

std::string find_device(State& s) {
  Uint count = 0;
  std::vector<Handle> platforms(16);
  if (s.cl.clGetPlatformIDs(16, platforms.data(), &count) != 0 || count == 0)
    return "no OpenCL platform is installed";
  platforms.resize(std::min<size_t>(count, platforms.size()));
  for (Ulong type : {kDeviceTypeCpu, kDeviceTypeAll})
    for (Handle platform : platforms) {
      if (s.cl.clGetDeviceIDs(platform, type, 1, &s.device, &count) != 0 || count == 0) continue;
      auto platform_name = text_of(
          [&](size_t n, void* p) { return s.cl.clGetPlatformInfo(platform, kPlatformName, n, p, nullptr); });
      auto device_name = text_of(
          [&](size_t n, void* p) { return s.cl.clGetDeviceInfo(s.device, kDeviceName, n, p, nullptr); });
      s.name = platform_name + ", " + device_name;
      return {};
    }
  return "no OpenCL platform has a device";
}

std::string build_log(const State& s, Handle program) {
  size_t size = 0;
  if (s.cl.clGetProgramBuildInfo(program, s.device, kBuildLog, 0, nullptr, &size) != 0 || size == 0)
    return {};
  std::string log(size, '\0');
  if (s.cl.clGetProgramBuildInfo(program, s.device, kBuildLog, size, log.data(), nullptr) != 0) return {};
  return log.c_str();
}

// The first error of the build log.
std::string first_error(const std::string& log) {
  size_t at = log.find("error:");
  if (at == std::string::npos) return "no reason given";
  at += 6;
  std::string line = log.substr(at, std::min(log.find('\n', at), log.size()) - at);
  // The line and column follow the name of a temporary file.
  size_t file = line.find(".cl:");
  return file == std::string::npos ? line : " line " + line.substr(file + 4);
}

/// The device buffers of one launch.
class DeviceBuffers {
 public:
  DeviceBuffers(const State& s, const OpenclLaunch& launch) : s_(s), launch_(launch) {}

  Int create() {
    for (std::span<uint8_t> b : launch_.buffers) {
      Int status = 0;
      uint8_t nothing = 0;  // a buffer has at least one byte
      Handle memory =
          s_.cl.clCreateBuffer(s_.context.get(), kMemReadWrite | kMemCopyHostPointer,
                               std::max<size_t>(b.size(), 1), b.empty() ? &nothing : b.data(), &status);
      if (status) return status;
      memory_.push_back(owned(memory, s_.cl.clReleaseMemObject));
    }
    return 0;
  }

  Int read() {
    for (size_t i = 0; i < memory_.size(); ++i) {
      std::span<uint8_t> b = launch_.buffers[i];
      if (b.empty()) continue;
      Int status = s_.cl.clEnqueueReadBuffer(s_.queue.get(), memory_[i].get(), kTrue, 0, b.size(), b.data(),
                                             0, nullptr, nullptr);
      if (status) return status;
    }
    return 0;
  }

  Handle at(size_t i) const { return memory_[i].get(); }

 private:
  const State& s_;
  const OpenclLaunch& launch_;
  std::vector<std::shared_ptr<void>> memory_;
};

Int set_arguments(const Api& cl, Handle kernel, const OpenclLaunch& launch, const DeviceBuffers& buffers) {
  for (size_t i = 0; i < launch.arguments.size(); ++i) {
    const OpenclArgument& a = launch.arguments[i];
    auto index = static_cast<Uint>(i);
    Int status = 0;
    if (a.kind == OpenclArgument::Value) {
      status = cl.clSetKernelArg(kernel, index, a.value.size(), a.value.data());
    } else if (a.kind == OpenclArgument::Local) {
      status = cl.clSetKernelArg(kernel, index, a.local_bytes, nullptr);
    } else {
      Handle memory = buffers.at(a.buffer);
      status = cl.clSetKernelArg(kernel, index, sizeof memory, &memory);
    }
    if (status) return status;
  }
  return 0;
}

double kernel_time(const Api& cl, Handle event) {
  Ulong start = 0, end = 0;
  if (cl.clGetEventProfilingInfo(event, kProfilingStart, sizeof start, &start, nullptr) != 0 ||
      cl.clGetEventProfilingInfo(event, kProfilingEnd, sizeof end, &end, nullptr) != 0 || end < start)
    return 0;
  return static_cast<double>(end - start) * 1e-6;
}

}  // namespace

DeviceResult<OpenclDevice> OpenclDevice::open() {
  auto s = std::make_shared<State>();
  if (auto why = load(s->cl); !why.empty()) return device_absent(why);
  if (auto why = find_device(*s); !why.empty()) return device_absent(why);
  Ulong abilities = 0;
  s->rounds_division =
      s->cl.clGetDeviceInfo(s->device, kDeviceSingleFpConfig, sizeof abilities, &abilities, nullptr) == 0 &&
      (abilities & kCorrectlyRoundedDivideSqrt);
  Int status = 0;
  s->context =
      owned(s->cl.clCreateContext(nullptr, 1, &s->device, nullptr, nullptr, &status), s->cl.clReleaseContext);
  if (status) return failed("clCreateContext", status);
  s->queue = owned(s->cl.clCreateCommandQueue(s->context.get(), s->device, kQueueProfiling, &status),
                   s->cl.clReleaseCommandQueue);
  if (status) return failed("clCreateCommandQueue", status);
  OpenclDevice device;
  device.state_ = std::move(s);
  return device;
}

const std::string& OpenclDevice::name() const { return state_->name; }

DeviceResult<OpenclKernel> OpenclDevice::build(const std::string& source, const std::string& kernel,
                                               const std::string& options) const {
  const State& s = *state_;
  Int status = 0;
  const char* text = source.c_str();
  OpenclKernel result;
  result.state_ = state_;
  result.program_ = owned(s.cl.clCreateProgramWithSource(s.context.get(), 1, &text, nullptr, &status),
                          s.cl.clReleaseProgram);
  if (status) return failed("clCreateProgramWithSource", status);
  std::string all = "-cl-std=CL1.2 " + options;
  if (s.rounds_division) all += " -cl-fp32-correctly-rounded-divide-sqrt";
  status = s.cl.clBuildProgram(result.program_.get(), 1, &s.device, all.c_str(), nullptr, nullptr);
  if (status != 0) {
    std::string log = build_log(s, result.program_.get());
    if (status != kBuildProgramFailure && log.empty()) return failed("clBuildProgram", status);
    return std::unexpected(
        DeviceError{DeviceError::Build,
                    fmt::format("the OpenCL compiler refused the kernel:{}\n{}", first_error(log), log)});
  }
  result.kernel_ =
      owned(s.cl.clCreateKernel(result.program_.get(), kernel.c_str(), &status), s.cl.clReleaseKernel);
  if (status) return failed("clCreateKernel", status);
  return result;
}

DeviceResult<OpenclTimes> OpenclKernel::launch(const OpenclLaunch& l) const {
  const State& s = *state_;
  DeviceBuffers buffers(s, l);
  if (Int status = buffers.create()) return failed("clCreateBuffer", status);
  if (Int status = set_arguments(s.cl, kernel_.get(), l, buffers)) return failed("clSetKernelArg", status);
  std::array<size_t, 3> global{}, local{}, offset{};
  for (size_t d = 0; d < 3; ++d) global[d] = l.global[d], local[d] = l.local[d], offset[d] = l.offset[d];
  Handle event = nullptr;
  double start = now_ms();
  Int status = s.cl.clEnqueueNDRangeKernel(s.queue.get(), kernel_.get(), l.dims, offset.data(), global.data(),
                                           local.data(), 0, nullptr, &event);
  if (status) return failed("clEnqueueNDRangeKernel", status);
  auto owner = owned(event, s.cl.clReleaseEvent);
  if ((status = s.cl.clFinish(s.queue.get()))) return failed("clFinish", status);
  OpenclTimes times{.wall_ms = now_ms() - start, .kernel_ms = kernel_time(s.cl, event)};
  if ((status = buffers.read())) return failed("clEnqueueReadBuffer", status);
  return times;
}

}  // namespace kc
