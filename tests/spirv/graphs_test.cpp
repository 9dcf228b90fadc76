// SPDX-License-Identifier: Apache-2.0
// Graphs that source code rarely contains: all small unstructured ones, and random ones with multi-entry
// loops. Every module is valid; a sample of them runs and agrees with the interpreter.
#include <random>

#include "passes/transform/mem2reg.h"
#include "tests/property/graph_function.h"
#include "tests/spirv/device.h"

using namespace kc;
using namespace kc::test;

namespace {

struct Device {
  std::optional<VulkanDevice> device = open_device(false);
  SpirvOptions options = device ? spirv_options(device->info(), {1, 1, 1}) : SpirvOptions{};
};

// The module for devices without faults, and the module for this device.
void check(Device& on, const Graph& g, uint64_t steer, bool runs) {
  Function f = graph_function(g, std::vector<bool>(g.size(), true));
  f.is_kernel = true;
  mem2reg(f);
  auto prepared = make_spirv_form(f);
  emit_valid(*prepared, {});
  SpirvOptions options = on.options;
  options.local_size = {8, 1, 1};
  options.guard_loop_values = options.detect_loop_limits = true;
  VulkanImage image = emit_valid(*prepared, options);
  if (!runs || !on.device) return;
  const std::vector<uint32_t> want = run_graph_function(f, steer);
  REQUIRE(!want.empty());
  Run run;
  run.global = {want.size(), 1, 1};
  run.add_buffer(std::vector<uint32_t>(want.size()));
  run.add_scalar(steer);
  launch(*on.device, image, run);
  REQUIRE(run.get<uint32_t>(0) == want);
}

}  // namespace

TEST_CASE("all small unstructured graphs") {
  Device on;
  size_t number = 0;
  for (const Graph& g : all_synthetic_graphs()) {
    INFO("graph " << number);
    check(on, g, 5, number % 32 == 0);
    ++number;
  }
  CHECK(number == 1601);
}

TEST_CASE("any graph, with loops of several entries") {
  Device on;
  std::mt19937 random(7);
  for (int round = 0; round < 300; ++round) {
    INFO("round " << round);
    Graph g = random_cyclic_graph(random, 3 + random() % 14);
    if (random() % 2) add_switches(random, g);
    const uint64_t steer = random();
    check(on, g, steer, round % 8 == 0);
  }
}
