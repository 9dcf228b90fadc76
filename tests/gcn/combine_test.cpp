// SPDX-License-Identifier: Apache-2.0
// Division by constants, fused instructions, and which uniform loads become scalar loads.
#include <fmt/format.h>

#include <cstring>

#include "ir/text.h"
#include "tests/gcn/against_interpreter.h"

using namespace kc;
using namespace kc::test;

namespace {

// Limits of the types and neighbours of multiples of many divisors, then random numbers.
Buffers numbers(size_t rows) {
  Buffers buffers = buffers_for(rows);
  const uint32_t ends[] = {0,          1,          2,          3,          6,          7,
                           8,          9,          11,         12,         13,         127,
                           128,        255,        32767,      32768,      65535,      0x7ffffffe,
                           0x7fffffff, 0x80000000, 0x80000001, 0xfffffff9, 0xfffffffe, 0xffffffff};
  for (size_t i = 0; i < std::size(ends); ++i) std::memcpy(buffers[0].data() + 4 * i, &ends[i], 4);
  return buffers;
}

ValueId constant(WaveKernel& k, Elem elem, uint32_t d) {
  return k.f->constant(Type{elem}, d & static_cast<uint32_t>((uint64_t{1} << Type{elem}.bits()) - 1));
}

std::string assembly_of(const Function& f) {
  auto code = compile_gcn(f);
  REQUIRE(code.has_value());
  return code->assembly;
}
bool has(const std::string& text, std::string_view what) { return text.find(what) != std::string::npos; }
size_t count(const std::string& text, std::string_view what) {
  size_t n = 0;
  for (size_t at = text.find(what); at != std::string::npos; at = text.find(what, at + 1)) ++n;
  return n;
}

}  // namespace

TEST_CASE("division by constants") {
  const uint32_t divisors[] = {
      2,          3,          5,          6,          7,          9,          10,         11,        12,
      14,         25,         28,         60,         100,        125,        127,        128,       255,
      625,        641,        1000,       3600,       32767,      32769,      65535,      65537,     1000003,
      0x3fffffff, 0x40000001, 0x7fffffff, 0x80000000, 0x80000001, 0xfffffff9, 0xfffffffe, 0xffffffff};
  for (Elem elem : {Elem::I32, Elem::I16, Elem::I8})
    for (uint32_t d : divisors) {
      if ((d & ((uint64_t{1} << Type{elem}.bits()) - 1)) < 2) continue;
      WaveKernel k(2);
      size_t row = 0;
      for (Op op : {Op::sdiv, Op::udiv, Op::srem, Op::urem}) {
        k.store(k.b.make(op, Type{elem}.lanes(), {k.load(0, elem), constant(k, elem, d)}), row++, kItems);
        k.store(k.b.make(op, Type{elem}, {k.load_uniform(0, elem), constant(k, elem, d)}), row++, kItems);
      }
      k.b.ret();
      INFO(d << " of " << Type{elem}.bits() << " bits");
      bool minus_one =
          (~d & ((uint64_t{1} << Type{elem}.bits()) - 1)) == 0;  // which the passes turn into a negation
      CHECK(has(assembly_of(*k.f), "v_rcp") == minus_one);
      Buffers buffers = numbers(row);
      buffers.erase(buffers.begin() + 1);
      check_against_interpreter(*k.f, kLine, buffers);
    }
}

TEST_CASE("bounds make division shorter") {
  // x & 0xffff is below 2^16: the factor for 7 needs no 33rd bit.
  WaveKernel k(2);
  ValueId x = k.b.make(Op::and_, kI32.lanes(), {k.load(0, Elem::I32), k.b.i32(0xffff)});
  k.store(k.b.make(Op::udiv, kI32.lanes(), {x, k.b.i32(7)}), 0, kItems);
  k.b.ret();
  CHECK(!has(assembly_of(*k.f), "v_sub"));
  Buffers buffers = numbers(1);
  buffers.erase(buffers.begin() + 1);
  check_against_interpreter(*k.f, kLine, buffers);
}

TEST_CASE("instructions of three operands") {
  struct Row {
    Op outer, inner;
    bool constant;  // the second operand of the inner one
    std::string_view mnemonic;
  };
  const Row rows[] = {{Op::add, Op::add, false, "v_add3_u32"},    {Op::add, Op::shl, true, "v_lshl_add_u32"},
                      {Op::or_, Op::or_, false, "v_or3_b32"},     {Op::or_, Op::shl, true, "v_lshl_or_b32"},
                      {Op::or_, Op::and_, false, "v_and_or_b32"}, {Op::shl, Op::add, false, "v_add_lshl_u32"},
                      {Op::and_, Op::lshr, true, "v_bfe_u32"}};
  for (const Row& row : rows) {
    WaveKernel k(3);
    ValueId x = k.load(0, Elem::I32), y = k.load(1, Elem::I32);
    ValueId inner = k.b.make(row.inner, kI32.lanes(), {x, row.constant ? k.b.i32(5) : y});
    bool fixed = row.outer == Op::shl || row.outer == Op::and_;
    ValueId other =
        !fixed ? k.b.make(Op::xor_, kI32.lanes(), {x, y}) : k.b.i32(row.outer == Op::shl ? 3 : 0x3ff);
    k.store(k.b.make(row.outer, kI32.lanes(), {inner, other}), 0, kItems);
    k.b.ret();
    std::string text = assembly_of(*k.f);
    INFO(text);
    CHECK(has(text, row.mnemonic));
    check_against_interpreter(*k.f, kLine, buffers_for(1));
  }
}

TEST_CASE("what others read as well stays an instruction of its own") {
  WaveKernel k(3);
  ValueId sum = k.b.make(Op::add, kI32.lanes(), {k.load(0, Elem::I32), k.load(1, Elem::I32)});
  k.store(k.b.make(Op::add, kI32.lanes(), {sum, k.load(1, Elem::I32)}), 0, kItems);
  k.store(sum, 1, kItems);
  k.b.ret();
  CHECK(!has(assembly_of(*k.f), "v_add3"));
  check_against_interpreter(*k.f, kLine, buffers_for(2));
}

TEST_CASE("a constant that is only stored is in one register for stores near each other") {
  std::string stores;
  for (int word = 0; word < 12; ++word)
    stores += fmt::format("  lane_store %1, {}:lane<ptr<private>>, {}:lane<i32>\n", 16 + 8 * word, word % 2);
  auto module = parse_module(fmt::format(R"(wave func @f(%0: ptr<global>, %1: mask hidden) kernel width=64 {{
  object $a.0: ptr<private> size=128 align=4
b0 mask %1:
{}  %2: lane<i32> = global_id dim=0
  %3: lane<i32> = and %2, 7:i32
  %4: lane<ptr<private>> = ptr_add 16:ptr<private>, %3, scale=8
  %5: lane<i32> = lane_load %1, %4
  %6: lane<ptr<global>> = ptr_add %0, %2, scale=4
  lane_store %1, %6, %5
  ret
}}
)",
                                         stores));
  REQUIRE(module.has_value());
  const std::string code = assembly_of(*module->functions[0]);
  CHECK(count(code, "buffer_store_dword") == 12);
  CHECK(count(code, "v_mov_b32") == 2);
}

// The topmost byte of a word can be read as a half whose upper byte is absent.
TEST_CASE("halves of private memory are loaded from even places only") {
  for (int offset : {2, 3}) {
    auto module =
        parse_module(fmt::format(R"(wave func @f(%0: ptr<global>, %1: mask hidden) kernel width=64 {{
  object $a.0: ptr<private> size=64 align=4
b0 mask %1:
  %2: lane<i32> = global_id dim=0
  %3: lane<i32> = and %2, 7:i32
  %4: lane<ptr<private>> = ptr_add 16:ptr<private>, %3, scale=4, offset={}
  %5: lane<i32> = bitcast %4
  %6: lane<i32> = and %5, -4:i32
  %7: lane<ptr<private>> = bitcast %6
  %8: lane<i32> = and %5, 3:i32
  %9: lane<i32> = shl %8, 3:i32
  %10: lane<i32> = lane_load %1, %7
  %11: lane<i32> = lshr %10, %9
  %12: lane<i16> = trunc %11
  %13: lane<i32> = zext %12
  %14: lane<ptr<global>> = ptr_add %0, %2, scale=4
  lane_store %1, %14, %13
  ret
}}
)",
                                 offset));
    REQUIRE(module.has_value());
    CHECK(has(assembly_of(*module->functions[0]), "buffer_load_ushort") == (offset == 2));
  }
}

TEST_CASE("operands carry signs of floats") {
  auto kernel = [](bool outer_magnitude) {
    WaveKernel k(3);
    Type f32 = kF32.lanes();
    ValueId x = k.load(0, Elem::F32), y = k.load(1, Elem::F32);
    ValueId minus = k.b.make(Op::fneg, f32, {x}), size = k.b.make(Op::fabs, f32, {y});
    size_t row = 0;
    k.store(k.b.make(Op::ffma, f32, {minus, y, size}), row++, kItems);
    k.store(k.b.make(Op::fmul, f32, {minus, size}), row++, kItems);
    k.store(k.b.make(Op::fadd, f32, {k.b.make(Op::fneg, f32, {size}), x}), row++, kItems);
    k.store(k.b.make(Op::fsub, f32, {k.b.make(Op::fabs, f32, {minus}), y}), row++, kItems);
    ValueId less = k.b.make(Op::flt, kI1.lanes(), {k.b.make(Op::fneg, f32, {size}), minus});
    k.store(k.b.make(Op::select, kI32.lanes(), {less, k.b.i32(1), k.b.i32(2)}), row++, kItems);
    if (outer_magnitude) k.store(minus, row++, kItems);
    k.b.ret();
    return std::pair(std::move(k.f), row);
  };
  auto [f, rows] = kernel(false);
  std::string text = assembly_of(*f);
  INFO(text);
  CHECK(!has(text, "v_xor_b32"));
  CHECK(!has(text, "v_and_b32"));
  check_against_interpreter(*f, kLine, buffers_for(rows));
  auto [g, more] = kernel(true);
  CHECK(has(assembly_of(*g), "v_xor_b32"));
  check_against_interpreter(*g, kLine, buffers_for(more));
}

TEST_CASE("uniform loads that no store can come before are scalar loads") {
  auto kernel = [](bool store_first, bool is_const, bool is_restrict, Elem elem) {
    WaveKernel k(3);
    k.f->params[0].is_const = is_const, k.f->params[0].is_restrict = is_restrict;
    if (store_first) k.store(k.load(1, elem), 0, kItems);
    k.store(k.load_uniform(0, elem), 1, kItems);
    k.b.ret();
    return std::move(k.f);
  };
  auto scalar = [&](bool store_first, bool is_const, bool is_restrict, Elem elem) {
    auto f = kernel(store_first, is_const, is_restrict, elem);
    check_against_interpreter(*f, kLine, buffers_for(2));
    return count(assembly_of(*f), "global_load") == (store_first ? 1 : 0);
  };
  for (Elem elem : {Elem::I32, Elem::I64, Elem::F32}) {
    CHECK(scalar(false, false, false, elem));
    CHECK(!scalar(true, false, false, elem));
    CHECK(!scalar(true, true, false, elem));
    CHECK(!scalar(true, false, true, elem));
    CHECK(scalar(true, true, true, elem));
  }
  CHECK(!scalar(false, false, false, Elem::I8));
}

TEST_CASE("a store in the round before stands before the load") {
  WaveKernel k(2);
  Function& f = *k.f;
  BlockId body = f.add_block("body"), end = f.add_block("end");
  ValueId round = f.add_param(body, kI32);
  f.block(body).mask = f.block(end).mask = k.mask;
  k.b.br(body, {k.b.i32(0)});
  k.b.block = body;
  k.store(k.load_uniform(0, Elem::I32), 0, kItems);
  ValueId next = k.b.make(Op::add, kI32, {round, k.b.i32(1)});
  k.b.br_if(k.b.make(Op::slt, kI1, {next, k.b.i32(3)}), {body, {next}}, {end, {}});
  k.b.block = end;
  k.b.ret();
  CHECK(has(assembly_of(f), "global_load"));
  Buffers buffers = buffers_for(1);
  buffers.erase(buffers.begin() + 1);
  check_against_interpreter(f, kLine, buffers);
}
