// SPDX-License-Identifier: Apache-2.0
// Identities preserve results for every opcode, type and constant; the passes preserve the invariants of the
// wave dialect.
#include "passes/transform/instcombine.h"

#include <fmt/format.h>

#include <catch2/catch.hpp>

#include "ir/text.h"
#include "ir/verify.h"
#include "passes/transform/dce.h"
#include "passes/transform/mem2reg.h"
#include "passes/transform/simplify_cfg.h"
#include "sim/interpreter/thread_interpreter.h"
#include "sim/interpreter/wave_interpreter.h"
#include "tests/passes/transform/instcombine/expressions.h"
#include "tests/property/naive_waves.h"
#include "tests/property/random_cfg.h"

using namespace kc;
using namespace kc::test;

namespace {

RunResult as_threads(const Function& f, RunData& d) {
  auto arguments = d.arguments();
  auto memory = d.memory();
  return run_threads(f, d.launch, arguments, {.memory = memory});
}
WaveRunResult as_waves(const Function& f, RunData& d) {
  auto arguments = d.arguments();
  auto memory = d.memory();
  return run_waves(f, d.launch, arguments, {.memory = memory, .max_steps = 20'000'000});
}

void verified(const Function& f) {
  auto errors = verify(f);
  if (!errors.empty()) FAIL(render(f, errors) + print(f));
}
size_t size_of(const Function& f) {
  size_t n = 0;
  for (BlockId b : f.layout) n += f.block(b).insts.size();
  return n;
}

}  // namespace

TEST_CASE("whether a byte is divisible is known without a division, for every byte") {
  for (int divisor = 2; divisor < 256; ++divisor)
    for (const char* op : {"urem", "srem"}) {
      INFO(op << " by " << divisor);
      auto module =
          parse_module(fmt::format("thread func @f(%0: ptr<global> out of i8) kernel {{\n"
                                   "b0:\n"
                                   "  %1: i64 = global_id dim=0\n"
                                   "  %2: i8 = trunc %1\n"
                                   "  %3: i8 = {} %2, {}:i8\n"
                                   "  %4: i1 = eq %3, 0:i8\n"
                                   "  %5: i8 = zext %4\n"
                                   "  %6: ptr<global> = ptr_add %0, %1, scale=1\n"
                                   "  store %6, %5\n"
                                   "  ret\n"
                                   "}}\n",
                                   op, divisor));
      REQUIRE(module.has_value());
      Function& f = *module->functions[0];
      instcombine(f);
      dce(f);
      verified(f);
      const bool is_signed = op[0] == 's', power = (divisor & (divisor - 1)) == 0;
      if (!power && (!is_signed || divisor < 128)) {
        CHECK(print(f).find("rem") == std::string::npos);
      }
      std::vector<uint8_t> out(256, 9);
      const std::vector<uint64_t> arguments{reinterpret_cast<uint64_t>(out.data())};
      const std::vector<MemoryRange> memory{{arguments[0], out.size()}};
      const auto ran = run_threads(f, {.global = {256, 1, 1}}, arguments, {.memory = memory});
      REQUIRE(ran.message == "");
      for (int x = 0; x < 256; ++x) {
        const int value = is_signed ? static_cast<int8_t>(x) : x,
                  by = is_signed ? static_cast<int8_t>(divisor) : divisor;
        if (out[x] != (value % by == 0)) FAIL(x << " gives " << int{out[x]});
      }
    }
}

TEST_CASE("random expressions of work-items keep their values") {
  size_t before = 0, after = 0;
  for (uint64_t seed = 0; seed < 1500; ++seed) {
    INFO("seed " << seed);
    auto f = random_expressions(seed, 0);
    verified(*f);
    RunData data = expression_data(seed);
    Reference expected{data, {}};
    expected.result = as_threads(*f, expected.after);
    REQUIRE(expected.result.message == "");
    std::string text = print(*f);
    before += size_of(*f);
    instcombine(*f);
    verified(*f);
    dce(*f);
    verified(*f);
    after += size_of(*f);
    auto different = check_engine(expected, data, [&](RunData& d) { return as_threads(*f, d); });
    if (!different.empty()) FAIL(different << "\n" << text << print(*f));
  }
  CAPTURE(before, after);
  CHECK(after * 100 < before * 85);
}

TEST_CASE("random expressions of waves keep their values") {
  for (uint64_t seed = 0; seed < 1500; ++seed) {
    INFO("seed " << seed);
    const uint32_t widths[] = {8, 16, 32, 64};
    auto f = random_expressions(seed, widths[seed % 4]);
    verified(*f);
    RunData data = expression_data(seed);
    Reference expected{data, {}};
    expected.result = as_waves(*f, expected.after);
    REQUIRE(expected.result.message == "");
    std::string text = print(*f);
    instcombine(*f);
    verified(*f);
    dce(*f);
    verified(*f);
    auto different = check_engine(expected, data, [&](RunData& d) { return as_waves(*f, d); });
    if (!different.empty()) FAIL(different << "\n" << text << print(*f));
  }
}

TEST_CASE("waves of random kernels keep results and laws through the passes") {
  for (uint64_t seed = 0; seed < 80; ++seed) {
    INFO("seed " << seed);
    const uint32_t widths[] = {8, 16, 32, 64};
    auto f = random_function(seed, {.max_blocks = 24, .traps = false});
    RunData data = make_data(seed);
    Reference expected = run_reference(*f, data);
    // The masks created by lowering are difficult input for value numbering.
    instcombine(*f);
    auto w = naive_waves(*f, widths[seed % 4]);
    mem2reg(*w);
    bool (*passes[])(Function&) = {instcombine, simplify_cfg, instcombine, dce};
    for (auto pass : passes) {
      pass(*w);
      verified(*w);
      CHECK(check_engine(expected, data, [&](RunData& d) -> RunResult { return as_waves(*w, d); }) == "");
    }
  }
}
