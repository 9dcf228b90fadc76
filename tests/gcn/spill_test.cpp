// SPDX-License-Identifier: Apache-2.0
// Kernels with far more values than registers: scalars are spilled to lanes of vector registers and then to
// scratch, vectors to scratch, next to private memory.
#include <catch2/catch.hpp>

#include "tests/gcn/against_interpreter.h"

using namespace kc;
using namespace kc::test;

namespace {

struct Sizes {
  size_t uniforms, lanes;
  uint32_t group;
};

// Loads all values, then uses them in the opposite order.
WaveKernel spilling(const Sizes& sizes) {
  WaveKernel k(2);
  k.f->reqd_local = {sizes.group, 1, 1};
  k.f->add_object({.name = "own", .type = kPtrPrivate, .size = 48, .align = 4, .init = {}});
  ValueId own =
      k.b.make(Op::ptr_add, kPtrPrivate.lanes(),
               {k.f->constant(kPtrPrivate, kFirstOffset), k.b.make(Op::lane_id, kI32.lanes(), {})}, {0, 40});
  std::vector<ValueId> uniforms, lanes;
  for (size_t i = 0; i < sizes.uniforms; ++i) {
    ValueId at = k.b.make(Op::ptr_add, kPtrGlobal, {k.pointers[0], k.b.i32(static_cast<int32_t>(i))}, {4, 0});
    uniforms.push_back(k.b.make(Op::uniform_load, kI32, {at}, {0}));
  }
  for (size_t i = 0; i < sizes.lanes; ++i) {
    ValueId at =
        k.b.make(Op::ptr_add, kPtrGlobal.lanes(), {k.pointers[0], k.id}, {4, static_cast<int64_t>(4 * i)});
    lanes.push_back(k.b.make(Op::lane_load, kI32.lanes(), {k.mask, at}, {0}));
  }
  ValueId sum = k.b.make(Op::trunc, kI32.lanes(), {k.id});
  k.b.emit(Op::lane_store, {k.mask, own, sum}, {}, {0});
  // Under a mask, so that spills and reloads of inactive lanes' values matter.
  ValueId odd = odd_lanes(k);
  BlockId some = k.f->add_block("some"), end = k.f->add_block("end");
  k.f->block(some).mask = odd, k.f->block(end).mask = k.mask;
  k.b.br(some);
  auto use = [&](ValueId v) {
    ValueId mixed = k.b.make(Op::xor_, kI32.lanes(), {sum, v});
    sum = k.b.make(Op::add, kI32.lanes(), {mixed, k.b.make(Op::shl, kI32.lanes(), {sum, k.b.i32(3)})});
  };
  k.b.block = some;
  ValueId before = sum;
  for (size_t i = sizes.uniforms; i-- > 0;) use(uniforms[i]);
  sum = k.b.make(Op::blend, kI32.lanes(), {odd, sum, before});
  k.b.br(end);
  k.b.block = end;
  for (size_t i = sizes.lanes; i-- > 0;) use(lanes[i]);
  for (size_t i = 0; i < sizes.uniforms; i += 7) use(uniforms[i]);
  use(k.b.make(Op::lane_load, kI32.lanes(), {k.mask, own}, {0}));
  k.store(sum, 0, 0);
  k.b.ret();
  return k;
}

void check(const Sizes& sizes) {
  INFO(sizes.uniforms << " uniform values, " << sizes.lanes << " of lanes, groups of " << sizes.group);
  WaveKernel k = spilling(sizes);
  LaunchSpec launch{.dims = 1, .global = {sizes.group, 1, 1}, .local = {sizes.group, 1, 1}};
  size_t words = std::max(sizes.uniforms, sizes.group + sizes.lanes);
  check_against_interpreter(*k.f, launch, {random_bytes(words * 4, 3), Bytes(sizes.group * 4)});
  auto code = compile_gcn(*k.f);
  REQUIRE(code);
  CHECK(code->resources.max_group_items >= sizes.group);
  bool in_scratch =
      sizes.uniforms > 2200 || sizes.lanes > 256 || (sizes.group == 1024 && sizes.uniforms > 640);
  CHECK((code->resources.scratch_bytes > 64) == in_scratch);
}

}  // namespace

TEST_CASE("values that find no register come back unchanged") {
  check({.uniforms = 10, .lanes = 10, .group = 64});
  check({.uniforms = 300, .lanes = 20, .group = 64});
  check({.uniforms = 300, .lanes = 400, .group = 64});
  check({.uniforms = 2400, .lanes = 20, .group = 64});
  check({.uniforms = 900, .lanes = 20, .group = 1024});
  // Beyond the range of an instruction's offset.
  check({.uniforms = 1700, .lanes = 1100, .group = 1024});
}
