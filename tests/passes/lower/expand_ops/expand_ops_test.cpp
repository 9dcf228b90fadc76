// SPDX-License-Identifier: Apache-2.0
// Every row with an expansion, at every type: the expansion agrees with the row's evaluation function.
#include "passes/lower/expand_ops.h"

#include <bit>
#include <catch2/catch.hpp>

#include "ir/text.h"
#include "ir/verify.h"
#include "sim/interpreter/thread_interpreter.h"

using namespace kc;

namespace {

constexpr uint64_t kItems = 512;

/// out[i] = op(in[0][i], in[1][i], ...), each element in 8 bytes.
Function kernel_for(Op op, Type type) {
  Function f;
  f.name = "k";
  Builder b(f);
  b.block = f.add_block();
  std::vector<ValueId> loaded;
  ValueId out = f.add_param(b.block, kPtrGlobal), in = f.add_param(b.block, kPtrGlobal);
  f.params = {{.name = "out", .pointee = type.elem}, {.name = "in", .pointee = type.elem}};
  ValueId id = b.make(Op::global_id, kI64, {}, {0});
  for (size_t k = 0; k < signature_of(op).operands.size(); ++k) {
    ValueId at = b.make(Op::ptr_add, kPtrGlobal, {in, id}, {8, static_cast<int64_t>(k * kItems * 8)});
    loaded.push_back(b.make(Op::load, type, {at}));
  }
  ValueId result = b.make(op, type, loaded);
  b.emit(Op::store, {b.make(Op::ptr_add, kPtrGlobal, {out, id}, {8, 0}), result});
  b.ret();
  return f;
}

// Few set bits, few clear bits, runs, and arbitrary bits.
uint64_t draw(uint64_t& state) {
  auto next = [&] {
    return state = state * 6364136223846793005 + 1442695040888963407, state ^ (state >> 29);
  };
  uint64_t kind = next() >> 61, x = next(), shift = next() >> 58;
  if (kind == 0) return uint64_t{1} << shift;
  if (kind == 1) return ~(uint64_t{1} << shift);
  if (kind == 2) return ~uint64_t{0} >> shift;
  if (kind == 3) return ~uint64_t{0} << shift;
  if (kind == 4) return x >> shift;
  return kind == 5 ? 0 : x;
}

std::vector<uint64_t> run(const Function& f, std::vector<uint64_t>& in) {
  std::vector<uint64_t> out(kItems);
  std::vector<MemoryRange> memory{{reinterpret_cast<uint64_t>(out.data()), kItems * 8},
                                  {reinterpret_cast<uint64_t>(in.data()), in.size() * 8}};
  std::vector<uint64_t> arguments{memory[0].base, memory[1].base};
  LaunchSpec launch{.global = {kItems, 1, 1}};
  RunResult r = run_threads(f, launch, arguments, {.memory = memory});
  INFO(r.message);
  REQUIRE(r.ok());
  return out;
}

uint64_t value_of(Op op, Elem e, uint64_t x) { return info(op).eval(e, e)(&x); }

}  // namespace

TEST_CASE("expansions compute what their rows do") {
  size_t rows = 0;
  for (size_t n = 0; n < kOpCount; ++n) {
    Op op = static_cast<Op>(n);
    if (!info(op).expand) continue;
    ++rows;
    for (size_t e = 0; e < static_cast<size_t>(Elem::Count_); ++e) {
      Type type{static_cast<Elem>(e)};
      if (!(info(op).T & set_of(type.elem))) continue;
      Function before = kernel_for(op, type), after = before;
      INFO(print(before));
      REQUIRE(verify(before).empty());
      CHECK(expand_ops(after));
      CHECK_FALSE(expand_ops(after));
      INFO(print(after));
      REQUIRE(verify(after).empty());
      uint64_t state = n * 64 + e;
      std::vector<uint64_t> in(kItems * signature_of(op).operands.size());
      for (uint64_t& x : in) x = draw(state);
      CHECK(run(before, in) == run(after, in));
    }
  }
  CHECK(rows > 0);
}

TEST_CASE("counting bits") {
  CHECK(value_of(Op::popcount, Elem::I8, 0xff) == 8);
  CHECK(value_of(Op::popcount, Elem::I16, 0x8001) == 2);
  CHECK(value_of(Op::popcount, Elem::I32, 0) == 0);
  CHECK(value_of(Op::popcount, Elem::I64, 0x8000000000000000) == 1);
  CHECK(value_of(Op::clz, Elem::I8, 1) == 7);
  CHECK(value_of(Op::clz, Elem::I16, 0x0100) == 7);
  CHECK(value_of(Op::clz, Elem::I32, 0) == 32);
  CHECK(value_of(Op::clz, Elem::I64, 0xffffffff) == 32);
}
