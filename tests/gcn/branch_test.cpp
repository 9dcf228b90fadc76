// SPDX-License-Identifier: Apache-2.0
// Kernels whose branch distances exceed the encoding: from text in the emulator, and as a code object, for
// which the assembler rejects distances out of range.
#include <fmt/format.h>

#include <catch2/catch.hpp>
#include <cstdint>

#include "tests/gcn/support.h"

using namespace kc;
using namespace kc::test;

namespace {

constexpr size_t kItems = 64;

struct Loop {
  std::unique_ptr<Function> f;
  std::vector<uint32_t> constants;
};

// x = id; for (n = 0; n < rounds; ++n) { if (n == 1) { x ^= ...; } x += ...; } with `size` operations in each
// arm of the inner test; out[id] = x.
Loop big_loop(size_t size, int32_t rounds) {
  WaveKernel k(1, "big");
  Loop made;
  ValueId start = k.b.make(Op::trunc, kI32.lanes(), {k.id});
  BlockId head = k.f->add_block("head"), body = k.f->add_block("body"), inner = k.f->add_block("inner"),
          join = k.f->add_block("join"), end = k.f->add_block("end");
  for (BlockId b : {head, body, inner, join, end}) k.f->block(b).mask = k.mask;
  ValueId n = k.f->add_param(head, kI32), x = k.f->add_param(head, kI32.lanes());
  ValueId joined = k.f->add_param(join, kI32.lanes());
  k.b.br(head, {k.b.i32(0), start});
  k.b.block = head;
  k.b.br_if(k.b.make(Op::slt, kI1, {n, k.b.i32(rounds)}), {body, {}}, {end, {}});
  auto operations = [&](Op op, ValueId v) {
    for (size_t i = 0; i < size; ++i) {
      made.constants.push_back(static_cast<uint32_t>(made.constants.size() * 2654435761u) | 0x10000);
      v = k.b.make(op, kI32.lanes(), {v, k.f->constant(kI32, made.constants.back())});
    }
    return v;
  };
  k.b.block = body;
  k.b.br_if(k.b.make(Op::eq, kI1, {n, k.b.i32(1)}), {inner, {}}, {join, {x}});
  k.b.block = inner;
  k.b.br(join, {operations(Op::xor_, x)});
  k.b.block = join;
  ValueId sum = operations(Op::add, joined);
  k.b.br(head, {k.b.make(Op::add, kI32, {n, k.b.i32(1)}), sum});
  k.b.block = end;
  k.store(x, 0, kItems);
  k.b.ret();
  made.f = std::move(k.f);
  return made;
}

std::vector<uint32_t> expected(const Loop& loop, int32_t rounds) {
  std::vector<uint32_t> x;
  size_t size = loop.constants.size() / 2;
  for (uint32_t id = 0; id < kItems; ++id) {
    uint32_t v = id;
    for (int32_t n = 0; n < rounds; ++n) {
      if (n == 1)
        for (size_t i = 0; i < size; ++i) v ^= loop.constants[i];
      for (size_t i = size; i < 2 * size; ++i) v += loop.constants[i];
    }
    x.push_back(v);
  }
  return x;
}

void check_run(const GcnObject& object, const Loop& loop, int32_t rounds) {
  std::vector<uint32_t> out(kItems);
  uint64_t address = reinterpret_cast<uint64_t>(out.data());
  MemoryRange range{address, out.size() * 4};
  LaunchSpec launch{.dims = 1, .global = {kItems, 1, 1}, .local = {kItems, 1, 1}};
  GcnResult ran = run_gcn(object, "big", launch, kernarg_of(*loop.f, launch, {&address, 1}), {&range, 1});
  REQUIRE(ran.message == "");
  CHECK(out == expected(loop, rounds));
}

size_t count(const std::string& text, const std::string& what) {
  size_t n = 0;
  for (size_t at = text.find(what); at != std::string::npos; at = text.find(what, at + 1)) ++n;
  return n;
}

}  // namespace

TEST_CASE("branches reach their targets in kernels of every size") {
  // Near the limit some branches are long and some are not; beyond it all branches across an arm are.
  for (size_t size : {size_t{1000}, size_t{8180}, size_t{16384}, size_t{17000}}) {
    INFO(size << " operations on either side");
    Loop loop = big_loop(size, 3);
    REQUIRE(render(*loop.f, verify(*loop.f)) == "");
    auto code = compile_gcn(*loop.f);
    if (!code) FAIL(code.error().message);
    size_t far = count(code->assembly, "s_setpc_b64");
    CHECK((size <= 1000 ? far == 0 : size >= 17000 ? far == 3 : far <= 3));
    auto object = load_assembly(code->assembly);
    if (!object) FAIL(object.error());
    check_run(*object, loop, 3);
    auto bytes = assemble_gcn(code->assembly);
    if (!bytes && bytes.error().absent) {
      WARN("skipped the assembler: " << bytes.error().message);
      continue;
    }
    if (!bytes) FAIL(bytes.error().message);
    if (size != 17000) continue;  // disassembly takes long
    auto linked = load_code_object(*bytes);
    if (!linked) FAIL(linked.error().message);
    check_run(*linked, loop, 3);
  }
}
