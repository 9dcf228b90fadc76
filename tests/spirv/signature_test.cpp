// SPDX-License-Identifier: Apache-2.0
// Modules in files: the launch signature round-trips, and only modules that kernelc wrote are accepted.
#include <random>

#include "tests/spirv/device.h"

using namespace kc;
using namespace kc::test;

namespace {

constexpr const char* kText =
    R"(thread func @scale(%0: ptr<global> data of f32, %1: f32 factor, %2: ptr<local> space of i32, %3: i64 count) kernel {
b0:
  %4: i64 = global_id dim=0
  %5: ptr<global> = ptr_add %0, %4, scale=4
  %6: f32 = load %5
  %7: f32 = fmul %6, %1
  store %5, %7
  ret
}
)";

std::vector<uint32_t> module_of(const std::string& text) {
  Module module = parse_or_fail(text);
  auto prepared = make_spirv_form(*module.functions[0]);
  return with_signature(emit_valid(*prepared, {.local_size = {16, 2, 1}}), *prepared);
}

}  // namespace

TEST_CASE("a module in a file says how to launch it") {
  const auto words = module_of(kText);
  auto valid = validate_spirv(words);
  if (valid.status == SpirvToolsStatus::Failed) FAIL(valid.text);
  auto read = read_signed_module(words);
  REQUIRE(read);
  CHECK(read->image.entry_point == "scale");
  CHECK(read->image.local_size == std::array<uint32_t, 3>{16, 2, 1});
  CHECK(read->image.sized_at_load);
  CHECK_FALSE(read->image.needs_float64);
  REQUIRE(read->image.params.size() == 4);
  CHECK(read->image.params[1].name == "factor");
  CHECK(read->image.params[3].offset == 16);
  CHECK(read->image.params_size == 24);
  CHECK(read->kernel->params[0].pointee == Elem::F32);

  // The words equal those of the input module.
  Module module = parse_or_fail(kText);
  auto prepared = make_spirv_form(*module.functions[0]);
  CHECK(read->image.words == emit_spirv(*prepared, {.local_size = {16, 2, 1}}).words);
}

TEST_CASE("a signature longer than a string of a module is several") {
  std::string text = "thread func @k(%0: ptr<global> out of i32";
  for (int i = 1; i < 3000; ++i)
    text += ", %" + std::to_string(i) + ": i32 a_long_name_of_a_parameter_" + std::to_string(i);
  text += ") kernel {\nb0:\n  store %0, %2999\n  ret\n}\n";
  const auto words = module_of(text);
  auto valid = validate_spirv(words);
  if (valid.status == SpirvToolsStatus::Failed) FAIL(valid.text);
  auto read = read_signed_module(words);
  REQUIRE(read);
  CHECK(read->image.params.size() == 3000);
}

TEST_CASE("damaged modules are refused") {
  const auto words = module_of(kText);
  for (size_t length = 0; length < words.size(); ++length)
    CHECK_FALSE(read_signed_module(std::span(words).first(length)));
  std::mt19937 random(7);
  size_t refused = 0;
  constexpr size_t kTimes = 3000;
  for (size_t k = 0; k < kTimes; ++k) {
    auto changed = words;
    changed[random() % changed.size()] ^= 1u << random() % 32;
    refused += !read_signed_module(changed);
  }
  // An accepted corruption differs only in the numbers in kernelc's strings, or in their count.
  CHECK(refused > kTimes * 98 / 100);
  CHECK(read_signed_module({}).error() == "it is no SPIR-V module");
}
