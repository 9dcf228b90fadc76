// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <iterator>

#include "driver/engines/engine_list.h"

namespace kc {
namespace {

std::vector<EngineInfo> make_table() {
  std::vector<EngineInfo> table = interpreter_engines();
  // "cpu" is the best of this machine; as a route it would repeat one of those before it.
  std::vector<EngineInfo> processors{
      {.name = "avx2", .summary = "machine code for AVX2", .make = &make_avx2_engine, .compiles = true},
      {.name = "avx512",
       .summary = "machine code for AVX-512",
       .make = &make_avx512_engine,
       .compiles = true},
      {.name = "cpu1",
       .summary = "machine code for the best of this processor, one work-item at a time",
       .make = &make_cpu_engine,
       .width = 1,
       .compiles = true},
      {.name = "cpu",
       .summary = "machine code for the best of this processor",
       .make = &make_cpu_engine,
       .in_check = false,
       .compiles = true},
  };
  std::ranges::move(processors, std::back_inserter(table));
  std::ranges::move(gcn_engines(), std::back_inserter(table));
  std::vector<EngineInfo> devices{
      {.name = "hip",
       .summary = "code object on the AMD device, through HIP",
       .make = &make_hip_engine,
       .in_check = false,
       .compiles = true,
       .in_place = false},
      {.name = "vulkan",
       .summary = "structured SPIR-V on the Vulkan device",
       .make = &make_vulkan_engine,
       .compiles = true,
       .in_place = false,
       .runs_modules = true},
      // Not asked unless named: its arithmetic need not be ours (see docs/language.md, "Defined
      // everywhere"), and where OpenCL C leaves a meaning open it may stop the process. 16 is what
      // OpenCL allows exp and pow.
      {.name = "opencl",
       .summary = "an OpenCL implementation of the machine",
       .make = &make_opencl_engine,
       .in_check = false,
       .ulp = 16,
       .in_place = false,
       .prints_alike = false},
  };
  std::ranges::move(devices, std::back_inserter(table));
  return table;
}

}  // namespace

const std::vector<EngineInfo>& engines() {
  static const std::vector<EngineInfo> table = make_table();
  return table;
}

const EngineInfo* find_engine(std::string_view name) {
  for (const EngineInfo& e : engines())
    if (e.name == name) return &e;
  return nullptr;
}

}  // namespace kc
