// SPDX-License-Identifier: Apache-2.0
// The HIP entry points that kernelc uses, on top of the strict emulator, so that the HIP host code can be
// tested without a device. The device name marks it as emulated.
//
// The environment variable KERNELC_HIP_EMULATES selects the machine: gfx900 (the default), gfx906, gfx908 or
// gfx90a; "none" is a library without a device. Device addresses are addresses in this process.
#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <map>
#include <memory>
#include <mutex>
#include <string>
#include <vector>

#include "sim/gcn/emulator.h"
#include "sim/gcn/kernarg.h"

namespace {

using namespace kc;

enum Status : int {
  Success = 0,
  InvalidValue = 1,
  OutOfMemory = 2,
  NoDevice = 100,
  InvalidDevice = 101,
  InvalidImage = 200,
  NotFound = 500,
  LaunchFailure = 719,
};

struct LoadedModule {
  GcnObject object;
};
struct LoadedKernel {
  const LoadedModule* module = nullptr;
  const GcnKernel* kernel = nullptr;
};

// HIP state is per process, and so is this.
struct Device {
  std::mutex mutex;
  std::map<uint64_t, std::unique_ptr<uint64_t[]>> memory;  // by address
  std::map<uint64_t, uint64_t> sizes;
  std::map<void*, std::unique_ptr<LoadedModule>> modules;
  std::vector<std::unique_ptr<LoadedKernel>> kernels;
};
Device& device() {
  static Device d;
  return d;
}

const gcn::MachineModel* emulated() {
  const char* name = std::getenv("KERNELC_HIP_EMULATES");
  return gcn::find_emulated(std::string_view(name ? name : "gfx900"));
}

// The length of a file from its own header: the caller passes only its start.
size_t file_size(const uint8_t* elf) {
  auto read = [&](size_t at, size_t bytes) {
    uint64_t v = 0;
    std::memcpy(&v, elf + at, bytes);
    return v;
  };
  if (std::memcmp(elf,
                  "\x7f"
                  "ELF",
                  4) != 0)
    return 0;
  return read(40, 8) + read(58, 2) * read(60, 2);  // the section table is last
}

int fill_properties(void* properties, int which, size_t arch_at, size_t bytes) {
  const gcn::MachineModel* model = emulated();
  if (!model || which != 0 || !properties) return InvalidDevice;
  std::memset(properties, 0, bytes);
  auto* text = static_cast<char*>(properties);
  std::snprintf(text, 256, "kernelc's emulator of %s, no device", std::string(model->cpu).c_str());
  std::snprintf(text + arch_at, 256, "%s", std::string(model->cpu).c_str());
  return Success;
}

// The buffer among the extra arguments: pairs of key and value, up to the end marker.
bool find_arguments(void** extra, const uint8_t*& data, size_t& size) {
  data = nullptr, size = 0;
  for (; extra && *extra != reinterpret_cast<void*>(3); extra += 2) {
    if (*extra == reinterpret_cast<void*>(1))
      data = static_cast<const uint8_t*>(extra[1]);
    else if (*extra == reinterpret_cast<void*>(2))
      size = *static_cast<const size_t*>(extra[1]);
    else
      return false;
  }
  return true;
}

// The scalars of the explicit arguments, at the offsets of the metadata.
std::vector<uint64_t> explicit_values(const GcnKernel& kernel, const uint8_t* data, size_t size) {
  std::vector<uint64_t> values;
  for (const GcnArg& arg : kernel.args) {
    if (is_hidden(arg)) continue;
    for (const GcnPart& part : parts_of(arg)) {
      uint64_t v = 0;
      const uint64_t at = arg.offset + part.offset, bytes = std::min<uint64_t>(arg.size, part.type.bytes());
      if (at < size) std::memcpy(&v, data + at, std::min<size_t>(bytes, size - at));
      values.push_back(v);
    }
  }
  return values;
}

}  // namespace

#define KC_EXPORT extern "C" __attribute__((visibility("default")))

KC_EXPORT int hipInit(unsigned) { return emulated() ? Success : InvalidDevice; }

KC_EXPORT int hipGetDeviceCount(int* count) {
  if (!count) return InvalidValue;
  *count = emulated() ? 1 : 0;
  return *count ? Success : NoDevice;
}

// The structure layout of release 5; kernelc requests it if the function of release 6 is missing.
KC_EXPORT int hipGetDeviceProperties(void* properties, int which) {
  return fill_properties(properties, which, 396, 792);
}

KC_EXPORT int hipMalloc(void** memory, size_t bytes) {
  if (!memory) return InvalidValue;
  Device& d = device();
  std::scoped_lock lock(d.mutex);
  std::unique_ptr<uint64_t[]> words(new (std::nothrow) uint64_t[(bytes + 71) / 8]);
  if (!words) return OutOfMemory;
  uint64_t address = (reinterpret_cast<uint64_t>(words.get()) + 63) / 64 * 64;
  *memory = reinterpret_cast<void*>(address);
  d.sizes[address] = bytes;
  d.memory[address] = std::move(words);
  return Success;
}

KC_EXPORT int hipFree(void* memory) {
  Device& d = device();
  std::scoped_lock lock(d.mutex);
  auto address = reinterpret_cast<uint64_t>(memory);
  d.sizes.erase(address);
  return !memory || d.memory.erase(address) ? Success : InvalidValue;
}

KC_EXPORT int hipMemcpy(void* to, const void* from, size_t bytes, int) {
  if (bytes && (!to || !from)) return InvalidValue;
  std::memcpy(to, from, bytes);
  return Success;
}

KC_EXPORT int hipModuleLoadData(void** module, const void* image) {
  if (!module || !image) return InvalidValue;
  auto* bytes = static_cast<const uint8_t*>(image);
  size_t size = file_size(bytes);
  if (!size) return InvalidImage;
  auto object = load_code_object({reinterpret_cast<const char*>(bytes), size});
  if (!object || object->model != emulated()) return InvalidImage;
  auto made = std::make_unique<LoadedModule>(LoadedModule{std::move(*object)});
  *module = made.get();
  Device& d = device();
  std::scoped_lock lock(d.mutex);
  d.modules[*module] = std::move(made);
  return Success;
}

KC_EXPORT int hipModuleUnload(void* module) {
  Device& d = device();
  std::scoped_lock lock(d.mutex);
  std::erase_if(d.kernels, [&](const auto& k) { return k->module == module; });
  return d.modules.erase(module) ? Success : InvalidValue;
}

KC_EXPORT int hipModuleGetFunction(void** function, void* module, const char* name) {
  Device& d = device();
  std::scoped_lock lock(d.mutex);
  auto at = d.modules.find(module);
  if (!function || !name || at == d.modules.end()) return InvalidValue;
  const GcnKernel* kernel = at->second->object.find(name);
  if (!kernel) return NotFound;
  d.kernels.push_back(std::make_unique<LoadedKernel>(LoadedKernel{at->second.get(), kernel}));
  *function = d.kernels.back().get();
  return Success;
}

KC_EXPORT int hipModuleLaunchKernel(void* function, unsigned groups_x, unsigned groups_y, unsigned groups_z,
                                    unsigned local_x, unsigned local_y, unsigned local_z,
                                    unsigned shared_bytes, void*, void** params, void** extra) {
  const uint8_t* data = nullptr;
  size_t size = 0;
  if (!function || params || !find_arguments(extra, data, size)) return InvalidValue;
  const auto& kernel = *static_cast<LoadedKernel*>(function);
  LaunchSpec spec{.dims = 3, .local = {local_x, local_y, local_z}, .local_bytes = shared_bytes};
  const uint64_t groups[] = {groups_x, groups_y, groups_z};
  for (size_t i = 0; i < 3; ++i) spec.global[i] = groups[i] * spec.local[i];
  auto kernarg = fill_kernarg(*kernel.kernel, spec, explicit_values(*kernel.kernel, data, size));
  if (!kernarg) return InvalidValue;
  std::vector<MemoryRange> ranges;
  Device& d = device();
  {
    std::scoped_lock lock(d.mutex);
    for (const auto& [address, bytes] : d.sizes) ranges.push_back({address, bytes});
  }
  GcnResult r = run_gcn(kernel.module->object, kernel.kernel->name, spec, *kernarg, ranges,
                        {.dynamic_lds = shared_bytes});
  if (r.status == GcnResult::Ok) return Success;
  std::fprintf(stderr, "kernelc's emulator: %s\n", r.message.c_str());
  return LaunchFailure;
}

KC_EXPORT int hipDeviceSynchronize() { return Success; }

KC_EXPORT const char* hipGetErrorString(int status) {
  switch (status) {
    case Success:
      return "no error";
    case InvalidValue:
      return "invalid argument";
    case OutOfMemory:
      return "out of memory";
    case NoDevice:
      return "no ROCm-capable device is detected";
    case InvalidDevice:
      return "invalid device ordinal";
    case InvalidImage:
      return "device kernel image is invalid";
    case NotFound:
      return "named symbol not found";
    case LaunchFailure:
      return "unspecified launch failure";
    default:
      return "unknown error";
  }
}
