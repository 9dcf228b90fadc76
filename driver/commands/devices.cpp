// SPDX-License-Identifier: Apache-2.0
// kernelc devices: what this machine has to run kernels on, besides interpreters.
#include <fmt/format.h>

#include <algorithm>
#include <cstdio>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "backends/gcn/isa/models.h"
#include "driver/compiler.h"
#include "driver/engines/hip_options.h"
#include "ir/process.h"
#include "runtime/cpu/cpu.h"
#include "runtime/opencl/opencl.h"
#include "runtime/vulkan/device.h"

namespace kc {
namespace {

struct DeviceRow {
  std::string target, name, note;
  bool usable = false;
};

std::vector<DeviceRow> cpu_rows() {
  const CpuFeatures features = cpu_features();
  std::vector<DeviceRow> rows;
  for (const TargetDesc& t : targets()) {
    if (!t.is_cpu()) continue;
    const bool has = features.*t.needs;
    rows.push_back({std::string(t.name), "this processor",
                    has ? "" : "has not the instructions; an emulator runs the code", has});
  }
  return rows;
}

// The machines that this project's emulator runs, and those that nothing here runs.
std::vector<DeviceRow> gcn_rows() {
  std::string missing;
  for (const char* tool : {"llvm-mc-19", "ld.lld-19", "llvm-objdump-19"})
    if (!run_tool({tool, "--version"})) missing += fmt::format("{}{}", missing.empty() ? "" : ", ", tool);
  std::vector<DeviceRow> rows;
  for (const gcn::MachineModel& model : gcn::kModels) {
    const std::string note = !model.emulated    ? "code is made for it, and nothing here runs it"
                             : !missing.empty() ? "lacks " + missing
                                                : fmt::format("code objects for {}", model.products);
    rows.push_back({std::string(model.cpu), model.emulated ? "emulator of kernelc" : "-", note,
                    model.emulated && missing.empty()});
  }
  return rows;
}

std::string describe(const VulkanDeviceEntry& entry) {
  const VulkanDeviceInfo& info = entry.info;
  std::string text = fmt::format("{}, Vulkan {}", entry.kind, info.version_string());
  if (!entry.missing.empty()) return text + ", lacks " + entry.missing;
  text += fmt::format(", groups of {}, {} bytes of local memory", info.max_group_invocations,
                      info.max_shared_memory);
  const std::pair<bool, const char*> wanted[] = {{info.float64, "double"},
                                                 {info.int8, "8-bit integers"},
                                                 {info.int16, "16-bit integers"},
                                                 {info.memory_model, "barriers and atomics"},
                                                 {info.int64_atomics, "64-bit atomics"}};
  std::string without;
  for (const auto& [has, what] : wanted)
    if (!has) without += fmt::format("{}{}", without.empty() ? ", without " : ", ", what);
  return text + without;
}

std::vector<DeviceRow> vulkan_rows() {
  auto entries = list_vulkan_devices();
  if (!entries) return {{"vulkan", "-", entries.error().message, false}};
  std::vector<DeviceRow> rows;
  for (const VulkanDeviceEntry& e : *entries)
    rows.push_back({"vulkan", e.info.name, describe(e), e.missing.empty()});
  return rows;
}

DeviceRow hip_row() {
  auto device = HipDevice::open(hip_library());
  if (!device) return {"hip", "-", device.error().message, false};
  bool known = gcn::find_model(device->arch()) != nullptr;
  return {"hip", device->name(), device->arch() + (known ? "" : ", for which no code is made"), known};
}

DeviceRow opencl_row() {
  auto device = OpenclDevice::open();
  if (!device) return {"opencl", "-", device.error().message, false};
  return {"opencl", device->name(), "", true};
}

}  // namespace

int command_devices(const Options& o) {
  std::vector<DeviceRow> rows = cpu_rows();
  for (DeviceRow& row : gcn_rows()) rows.push_back(std::move(row));
  for (DeviceRow& row : vulkan_rows()) rows.push_back(std::move(row));
  rows.push_back(hip_row());
  rows.push_back(opencl_row());
  if (o.json) {
    nlohmann::ordered_json list = nlohmann::ordered_json::array();
    for (const DeviceRow& r : rows)
      list.push_back({{"target", r.target}, {"name", r.name}, {"usable", r.usable}, {"note", r.note}});
    fmt::print("{}\n", nlohmann::ordered_json{{"devices", list}}.dump(2));
    return ExitOk;
  }
  size_t width = 0;
  for (const DeviceRow& r : rows) width = std::max(width, r.name.size());
  for (const DeviceRow& r : rows) {
    std::string line =
        fmt::format("{:<8}{:<5}{:<{}}{}", r.target, r.usable ? "yes" : "no", r.name, width + 2, r.note);
    line.erase(line.find_last_not_of(' ') + 1);
    fmt::print("{}\n", line);
  }
  return ExitOk;
}

}  // namespace kc
