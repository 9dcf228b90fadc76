// SPDX-License-Identifier: Apache-2.0
// Addressing: which indices are split into a uniform base and a 32-bit offset, correct wrap-around of sums
// and products, and which constants are folded into the instruction.
#include <catch2/catch.hpp>
#include <functional>
#include <random>

#include "sim/interpreter/wave_interpreter.h"
#include "tests/gcn/support.h"

using namespace kc;
using namespace kc::test;

namespace {

constexpr size_t kGroup = 64, kItems = 2 * kGroup, kMiddle = 32768;

// Loads from data[index * scale + offset], in bytes from the middle of the data, and stores the loaded value.
// The second buffer has 32-bit numbers without pattern.
void check(const std::function<ValueId(WaveKernel&)>& index, int64_t scale, int64_t offset, bool expect_base,
           const std::string& expect_text = "") {
  WaveKernel k(3);
  ValueId middle = k.b.make(Op::ptr_add, kPtrGlobal, {k.pointers[0], k.b.i64(1)}, {int64_t{kMiddle}, 0});
  // Not a constant distance from the parameter, which would be folded as well.
  ValueId zero = k.b.make(Op::and_, kI64, {k.load_uniform(1, Elem::I64), k.b.i64(0)});
  middle = k.b.make(Op::ptr_add, kPtrGlobal, {middle, zero}, {1, 0});
  ValueId at = k.b.make(Op::ptr_add, kPtrGlobal.lanes(), {middle, index(k)}, {scale, offset});
  ValueId v = k.b.make(Op::lane_load, kI8.lanes(), {k.mask, at}, {0});
  k.store(v, 0, kItems);
  k.b.ret();
  REQUIRE(render(*k.f, verify(*k.f)) == "");
  auto code = compile_gcn(*k.f);
  if (!code) FAIL(code.error().message);
  INFO(code->assembly);
  // The byte load at the lane's own address is the only one.
  size_t load = code->assembly.find("global_load_ubyte");
  REQUIRE(load != std::string::npos);
  std::string line = code->assembly.substr(load, code->assembly.find('\n', load) - load);
  CHECK((line.find(" s[") != std::string::npos) == expect_base);
  CHECK(line.find(expect_text) != std::string::npos);

  std::mt19937 random(5);
  Bytes data(2 * kMiddle), numbers(kItems * 8), out(kItems);
  for (uint8_t& x : data) x = static_cast<uint8_t>(random());
  for (uint8_t& x : numbers) x = static_cast<uint8_t>(random());
  auto run = [&](bool reference) {
    Bytes result = out;
    std::vector<uint64_t> bits;
    std::vector<MemoryRange> memory;
    for (Bytes* b : {&data, &numbers, &result}) {
      bits.push_back(reinterpret_cast<uint64_t>(b->data()));
      memory.push_back({bits.back(), b->size()});
    }
    LaunchSpec launch{.dims = 1, .global = {kItems, 1, 1}, .local = {kGroup, 1, 1}};
    if (reference)
      CHECK(run_waves(*k.f, launch, bits, {.memory = memory, .packed = true}).message == "");
    else
      CHECK(run_assembly(*k.f, code->assembly, launch, bits, memory).message == "");
    return result;
  };
  Bytes want = run(true);
  CHECK(want != out);
  CHECK(run(false) == want);
}

ValueId number(WaveKernel& k) { return k.load(1, Elem::I32); }
ValueId widened(WaveKernel& k, ValueId v) { return k.b.make(Op::zext, kI64.lanes(), {v}); }
ValueId masked(WaveKernel& k, uint32_t mask) {
  return k.b.make(Op::and_, kI32.lanes(), {number(k), k.f->constant(kI32, mask)});
}

}  // namespace

TEST_CASE("ids and uniform numbers around them become a base and a small offset") {
  auto id = [](WaveKernel& k) { return k.id; };
  check(id, 4, 0, true);
  check(id, 12, 0, false);  // the uniform part would need a multiplication
  check(id, -8, 0, false);
  auto shifted = [](Op op, int64_t by) {
    return [=](WaveKernel& k) {
      ValueId zero = k.b.make(Op::and_, kI64, {k.load_uniform(1, Elem::I64), k.b.i64(0)});
      ValueId uniform = k.b.make(Op::add, kI64, {zero, k.b.i64(by)});
      return k.b.make(op, kI64.lanes(), {k.id, uniform});
    };
  };
  check(shifted(Op::add, 17), 8, 0, true);
  check(shifted(Op::sub, 1000), 4, 0, true);
  check(shifted(Op::add, int64_t{1} << 61), 8, 0, true);  // wraps to 0
  check(shifted(Op::sub, INT64_MIN), 2, 0, true);
  check([](WaveKernel& k) { return k.b.make(Op::local_id, kI64.lanes(), {}, {0}); }, 12, 0, true);
  check([](WaveKernel& k) { return k.b.make(Op::lane_id, kI32.lanes(), {}); }, 100, 0, true);
}

TEST_CASE("an index with a bound becomes an offset, any other does not") {
  auto in_range = [](WaveKernel& k) { return widened(k, masked(k, 0x1fff)); };
  check(in_range, 4, 0, true);
  check(in_range, 3, 0, true);
  check([](WaveKernel& k) { return widened(k, k.load(1, Elem::I8)); }, 100, 0, true);
  check([](WaveKernel& k) { return masked(k, 0x1fff); }, 4, 0, true);
  check(
      [](WaveKernel& k) {
        return k.b.make(Op::urem, kI32.lanes(), {number(k), k.b.i32(1000)});
      },
      4, 0, true);
  check([](WaveKernel& k) { return k.b.make(Op::lshr, kI32.lanes(), {number(k), k.b.i32(20)}); }, 4, 0, true);
  // The largest offset, and one more.
  auto wide = [](uint32_t bound) {
    return [=](WaveKernel& k) {
      ValueId low = masked(k, 0xff);
      ValueId high = k.b.make(Op::and_, kI32.lanes(), {low, k.f->constant(kI32, bound)});
      ValueId pick = k.b.make(Op::slt, kI1.lanes(), {low, k.b.i32(256)});
      return widened(k, k.b.make(Op::select, kI32.lanes(), {pick, high, k.f->constant(kI32, bound)}));
    };
  };
  check(wide(0x3fffffff), 4, 0, true);
  check(wide(0x40000000), 4, 0, false);
  check(wide(0xffffffff), 1, 0, true);
  // Possibly negative numbers.
  check(
      [](WaveKernel& k) {
        return k.b.make(Op::sub, kI32.lanes(), {k.b.i32(100), masked(k, 0xff)});
      },
      4, 0, false);
}

TEST_CASE("constants of 13 bits go into the instruction") {
  auto id = [](WaveKernel& k) { return k.id; };
  check(id, 4, 4095, true, "offset:4095");
  check(id, 4, -4096, true, "offset:-4096");
  check(id, 4, 4096, false);
  check(id, 4, -4097, false);
  check(id, -8, 100, false, "off offset:100");
}
