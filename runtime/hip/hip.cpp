// SPDX-License-Identifier: Apache-2.0
#include "runtime/hip/hip.h"

#include <dlfcn.h>
#include <fmt/format.h>

#include <chrono>
#include <vector>

#include "runtime/hip/api.h"

namespace kc {
namespace {

using namespace hip;

auto failed(const Api& api, std::string_view call, int status) {
  const char* text = api.hipGetErrorString(status);
  return device_failed(fmt::format("{} failed with status {}: {}", call, status, text ? text : "?"));
}

// Returns an empty string on success. HIP starts its own threads, so the library is never unloaded.
std::string load_library(const std::string& path, Api& api) {
  void* library = dlopen(path.c_str(), RTLD_NOW | RTLD_LOCAL | RTLD_NODELETE);
  if (!library) return fmt::format("{} cannot be opened", path);
#define KC_HIP_LOAD(name, ...)                                            \
  api.name = reinterpret_cast<decltype(api.name)>(dlsym(library, #name)); \
  if (!api.name) return fmt::format("{} has no " #name, path);
  KC_HIP_FUNCTIONS(KC_HIP_LOAD)
#undef KC_HIP_LOAD
  auto find = [&](const char* name) { return reinterpret_cast<int (*)(void*, int)>(dlsym(library, name)); };
  api.properties6 = find("hipGetDevicePropertiesR0600");
  api.properties5 = find("hipGetDeviceProperties");
  if (!api.properties6 && !api.properties5) return fmt::format("{} has no hipGetDeviceProperties", path);
  return {};
}

std::string text_at(const std::vector<char>& bytes, size_t at) {
  std::string_view rest(bytes.data() + at, bytes.size() - at);
  return std::string(rest.substr(0, rest.find('\0')));
}

}  // namespace

DeviceResult<HipDevice> HipDevice::open(const std::string& library) {
  std::vector<std::string> names{library};
  if (library.empty()) names = {"libamdhip64.so.6", "libamdhip64.so.5", "libamdhip64.so"};
  std::string why;
  auto api = std::make_shared<Api>();
  for (const std::string& name : names) {
    *api = {};
    why = load_library(name, *api);
    if (why.empty()) break;
  }
  if (!why.empty()) return device_absent(library.empty() ? "libamdhip64.so is not installed" : why);
  int count = 0;
  if (int status = api->hipInit(0))
    return device_absent(fmt::format("no AMD device (hipInit gives {})", status));
  if (int status = api->hipGetDeviceCount(&count); status || count < 1)
    return device_absent(fmt::format("no AMD device (hipGetDeviceCount gives {})", status));
  std::vector<char> properties(kPropertyBytes);
  auto get = api->properties6 ? api->properties6 : api->properties5;
  if (int status = get(properties.data(), 0)) return failed(*api, "hipGetDeviceProperties", status);
  HipDevice device;
  device.name_ = text_at(properties, 0);
  std::string arch = text_at(properties, api->properties6 ? kArchAt6 : kArchAt5);
  device.arch_ = arch.substr(0, arch.find(':'));
  device.api_ = std::move(api);
  return device;
}

DeviceResult<HipBuffer> HipDevice::allocate(size_t bytes) const {
  void* memory = nullptr;
  if (int status = api_->hipMalloc(&memory, bytes ? bytes : 1)) return failed(*api_, "hipMalloc", status);
  HipBuffer buffer;
  buffer.api_ = api_;
  buffer.memory_ = {memory, [api = api_](void* p) { api->hipFree(p); }};
  return buffer;
}

DeviceResult<void> HipBuffer::write(std::span<const uint8_t> bytes, size_t at) {
  if (bytes.empty()) return {};
  int status =
      api_->hipMemcpy(static_cast<uint8_t*>(memory_.get()) + at, bytes.data(), bytes.size(), HostToDevice);
  if (status) return failed(*api_, "hipMemcpy", status);
  return {};
}

DeviceResult<void> HipBuffer::read(std::span<uint8_t> bytes, size_t at) const {
  if (bytes.empty()) return {};
  int status =
      api_->hipMemcpy(bytes.data(), static_cast<uint8_t*>(memory_.get()) + at, bytes.size(), DeviceToHost);
  if (status) return failed(*api_, "hipMemcpy", status);
  return {};
}

DeviceResult<HipKernel> HipDevice::load(std::string_view object, const std::string& kernel) const {
  void* module = nullptr;
  if (int status = api_->hipModuleLoadData(&module, object.data()))
    return failed(*api_, "hipModuleLoadData", status);
  HipKernel k;
  k.module_ = {module, [api = api_](void* m) { api->hipModuleUnload(m); }};
  if (int status = api_->hipModuleGetFunction(&k.function_, module, kernel.c_str()))
    return failed(*api_, "hipModuleGetFunction", status);
  return k;
}

DeviceResult<double> HipDevice::launch(const HipKernel& kernel, const HipLaunch& l) const {
  size_t size = l.arguments.size();
  // HIP does not write through the pointer.
  void* extra[] = {kBufferPointer, const_cast<uint8_t*>(l.arguments.data()), kBufferSize, &size, kListEnd};
  auto start = std::chrono::steady_clock::now();
  if (int status =
          api_->hipModuleLaunchKernel(kernel.function_, l.groups[0], l.groups[1], l.groups[2], l.local[0],
                                      l.local[1], l.local[2], l.dynamic_lds, nullptr, nullptr, extra))
    return failed(*api_, "hipModuleLaunchKernel", status);
  if (int status = api_->hipDeviceSynchronize()) return failed(*api_, "hipDeviceSynchronize", status);
  return std::chrono::duration<double, std::milli>(std::chrono::steady_clock::now() - start).count();
}

}  // namespace kc
