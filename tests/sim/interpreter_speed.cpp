// SPDX-License-Identifier: Apache-2.0
// Prints how many instructions per second the thread interpreter runs on a small integer loop. Not a test.
#include <fmt/format.h>

#include <chrono>
#include <vector>

#include "ir/text.h"
#include "sim/interpreter/thread_interpreter.h"

int main() {
  const char* text = R"(thread func @collatz(%0: ptr<global>) kernel {
b0:
  %1: i32 = global_id dim=0
  %2: i32 = add %1, 1:i32
  br -> b1(%2, 0:i32)
b1(%3: i32, %4: i32):
  %5: i1 = eq %3, 1:i32
  br_if %5 -> b5, b2
b2:
  %6: i32 = and %3, 1:i32
  %7: i1 = ne %6, 0:i32
  %8: i32 = add %4, 1:i32
  br_if %7 -> b3, b4
b3:
  %9: i32 = mul %3, 3:i32
  %10: i32 = add %9, 1:i32
  br -> b1(%10, %8)
b4:
  %11: i32 = lshr %3, 1:i32
  br -> b1(%11, %8)
b5:
  %12: ptr<global> = ptr_add %0, %1, scale=4
  store %12, %4
  ret
}
)";
  auto module = kc::parse_module(text);
  if (!module) return 1;
  constexpr uint64_t kItems = 100000;
  std::vector<uint32_t> out(kItems);
  std::vector<kc::MemoryRange> memory{{reinterpret_cast<uint64_t>(out.data()), out.size() * 4}};
  std::vector<uint64_t> arguments{memory[0].base};
  kc::LaunchSpec launch{.global = {kItems, 1, 1}};
  auto start = std::chrono::steady_clock::now();
  kc::RunResult r = kc::run_threads(*module->functions[0], launch, arguments, {.memory = memory});
  double seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
  fmt::print("{}: {} instructions in {:.3f} s: {:.1f} million per second\n", kc::to_string(r.status), r.steps,
             seconds, static_cast<double>(r.steps) / seconds / 1e6);
  return r.ok() ? 0 : 1;
}
