// SPDX-License-Identifier: Apache-2.0
// Code that is omitted: moves of masks and merged values, tests of masks, copies through scalar registers,
// constants rematerialised in each iteration, and accesses that another access covers.
#include "tests/gcn/against_interpreter.h"

using namespace kc;
using namespace kc::test;

namespace {

std::string assembly_of(const Function& f, const char* cpu = "gfx900") {
  auto code = compile_gcn(f, {.cpu = cpu});
  REQUIRE(code.has_value());
  return code->assembly;
}
size_t count(const std::string& text, std::string_view what) {
  size_t n = 0;
  for (size_t at = text.find(what); at != std::string::npos; at = text.find(what, at + 1)) ++n;
  return n;
}
bool has(const std::string& text, std::string_view what) { return count(text, what) > 0; }

// Two consecutive blocks; the first is for the lanes for which the condition is true.
struct Sides {
  explicit Sides(WaveKernel& kernel) : k(kernel), body(k.f->add_block("body")), join(k.f->add_block("join")) {
    k.f->block(join).mask = k.mask;
    passed = k.f->add_param(join, kI32.lanes());
  }
  void branch(ValueId lanes, ValueId otherwise) {
    k.f->block(body).mask = lanes;
    k.b.br_if(k.b.make(Op::any, kI1, {lanes}), {body, {}}, {join, {otherwise}});
    k.b.block = body;
  }
  WaveKernel& k;
  BlockId body, join;
  ValueId passed;
};

}  // namespace

TEST_CASE("masks are computed where they are needed") {
  WaveKernel k(3);
  Sides sides(k);
  ValueId x = k.load(0, Elem::I32), y = k.load(1, Elem::I32);
  ValueId less = k.b.make(Op::slt, kI1.lanes(), {x, y});
  ValueId lanes = k.b.make(Op::mask_cond, kMask, {k.mask, less});
  sides.branch(lanes, x);
  ValueId sum = k.b.make(Op::add, kI32.lanes(), {k.b.make(Op::mul, kI32.lanes(), {x, y}), y});
  k.b.br(sides.join, {k.b.make(Op::blend, kI32.lanes(), {lanes, sum, x})});
  k.b.block = sides.join;
  k.store(sides.passed, 0, kItems);
  ValueId both = k.b.make(Op::mask_cond, kMask, {odd_lanes(k), k.b.make(Op::ne, kI1.lanes(), {x, y})});
  k.store_under(both, y, 1, kItems);
  k.b.ret();
  std::string text = assembly_of(*k.f);
  INFO(text);
  CHECK(has(text, "s_cbranch_vccz"));
  CHECK(!has(text, "s_cmp_lg_u64"));
  CHECK(has(text, "s_and_b64 exec"));
  check_against_interpreter(*k.f, kLine, buffers_for(2));
}

TEST_CASE("what is merged is computed in its place") {
  // A second use before or after the merge reads the same register; a use of the old value does not.
  for (int reader : {0, 1, 2}) {
    WaveKernel k(3);
    Sides sides(k);
    ValueId x = k.load(0, Elem::I32), y = k.load(1, Elem::I32);
    ValueId lanes = odd_lanes(k);
    sides.branch(lanes, x);
    ValueId fresh = k.b.make(Op::xor_, kI32.lanes(), {x, y});
    if (reader == 1) k.store_under(lanes, k.b.make(Op::add, kI32.lanes(), {fresh, y}), 1, kItems);
    if (reader == 2) k.store_under(lanes, k.b.make(Op::add, kI32.lanes(), {x, y}), 1, kItems);
    k.b.br(sides.join, {k.b.make(Op::blend, kI32.lanes(), {lanes, fresh, x})});
    k.b.block = sides.join;
    k.store(sides.passed, 0, kItems);
    k.b.ret();
    std::string text = assembly_of(*k.f);
    INFO(text);
    std::string body = text.substr(text.find("; body"));
    body.resize(body.find("; join"));
    CHECK(has(body, "v_mov_b32") == (reader == 2));
    check_against_interpreter(*k.f, kLine, buffers_for(2));
  }
}

TEST_CASE("what only lanes use stays with them") {
  for (bool scalar : {false, true}) {
    WaveKernel k(3);
    ValueId x = k.load(0, Elem::I32);
    k.store(x, 0, kItems);  // so that the load after it is not a scalar load
    ValueId shared = k.load_uniform(1, Elem::I32);
    ValueId sum = k.b.make(Op::add, kI32.lanes(), {shared, x});
    if (scalar) sum = k.b.make(Op::add, kI32.lanes(), {sum, k.b.make(Op::mul, kI32, {shared, shared})});
    k.store(sum, 1, kItems);
    k.b.ret();
    std::string text = assembly_of(*k.f);
    INFO(text);
    CHECK(has(text, "v_readfirstlane") == scalar);
    check_against_interpreter(*k.f, kLine, buffers_for(2));
  }
}

TEST_CASE("neighbours are loaded and stored at once") {
  WaveKernel k(3);
  k.f->add_object({.name = "x", .type = kPtrLocal, .size = 4096, .align = 16, .init = {}});
  ValueId base = k.f->constant(kPtrLocal, kFirstOffset);
  ValueId id = k.b.make(Op::local_id, kI32.lanes(), {}, {0});
  auto local = [&](int64_t offset) {
    return k.b.make(Op::ptr_add, kPtrLocal.lanes(), {base, id}, {16, offset});
  };
  ValueId at = k.b.make(Op::ptr_add, kPtrGlobal.lanes(), {k.pointers[0], id}, {16, 0});
  std::vector<ValueId> words;
  for (int64_t i = 0; i < 4; ++i) {
    ValueId p = k.b.make(Op::ptr_add, kPtrGlobal.lanes(), {at, k.b.i32(0)}, {1, 4 * i});
    words.push_back(k.b.make(Op::lane_load, kI32.lanes(), {k.mask, p}, {0}));
  }
  for (size_t i = 0; i < 4; ++i)
    k.b.emit(Op::lane_store, {k.mask, local(static_cast<int64_t>(4 * i)), words[i]}, {}, {0});
  std::vector<ValueId> again;
  for (int64_t i : {1, 0, 2, 3})
    again.push_back(k.b.make(Op::lane_load, kI32.lanes(), {k.mask, local(4 * i)}, {0}));
  for (size_t i = 0; i < 4; ++i) k.store(again[i], i, kItems);
  k.store(k.load(1, Elem::I32), 4, kItems);
  k.b.ret();
  std::string text = assembly_of(*k.f);
  INFO(text);
  CHECK(has(text, "s_load_dwordx8 s[16:23], s[6:7], 0"));
  CHECK(has(text, "global_load_dwordx4"));
  CHECK(!has(text, "ds_write_b32"));
  CHECK(count(text, "ds_write2_b32") == 2);
  CHECK(has(text, "ds_read2_b32"));
  // Tuples start at even registers there; the assembler would reject others.
  CHECK(has(assembly_of(*k.f, "gfx90a"), "ds_write2_b32"));
  check_against_interpreter(*k.f, kLine, buffers_for(5));
}

TEST_CASE("neighbours get registers behind one another, in whatever order they are loaded and made") {
  WaveKernel k(2);
  auto word = [&](size_t buffer, int64_t i) {
    return k.b.make(Op::ptr_add, kPtrGlobal.lanes(), {k.pointers[buffer], k.id}, {16, 4 * i});
  };
  std::vector<ValueId> words(4);
  for (int64_t i : {3, 1, 0, 2})
    words[static_cast<size_t>(i)] = k.b.make(Op::lane_load, kI32.lanes(), {k.mask, word(0, i)}, {0});
  std::vector<ValueId> made;
  for (size_t i = 0; i < 4; ++i) {
    ValueId twice = k.b.make(Op::add, kI32.lanes(), {words[3 - i], words[3 - i]});
    made.push_back(k.b.make(Op::xor_, kI32.lanes(), {twice, words[i]}));
  }
  for (int64_t i : {2, 0, 3, 1})
    k.b.emit(Op::lane_store, {k.mask, word(1, i), made[static_cast<size_t>(i)]}, {}, {0});
  k.b.ret();
  for (const char* cpu : {"gfx900", "gfx90a"}) {
    std::string text = assembly_of(*k.f, cpu);
    INFO(text);
    CHECK(count(text, "global_load_dwordx4") == 1);
    CHECK(count(text, "global_store_dwordx4") == 1);
  }
  check_against_interpreter(*k.f, kLine, {random_bytes(kItems * 16, 1), random_bytes(kItems * 16, 2)});
}

TEST_CASE("a store in between keeps loads apart") {
  WaveKernel k(2);
  ValueId at = k.b.make(Op::ptr_add, kPtrGlobal.lanes(), {k.pointers[1], k.id}, {8, 0});
  ValueId next = k.b.make(Op::ptr_add, kPtrGlobal.lanes(), {at, k.b.i32(0)}, {1, 4});
  ValueId x = k.b.make(Op::lane_load, kI32.lanes(), {k.mask, at}, {0});
  k.b.emit(Op::lane_store, {k.mask, next, x}, {}, {0});
  ValueId y = k.b.make(Op::lane_load, kI32.lanes(), {k.mask, next}, {0});
  k.b.emit(Op::lane_store, {k.mask, at, k.b.make(Op::add, kI32.lanes(), {x, y})}, {}, {0});
  k.b.ret();
  CHECK(!has(assembly_of(*k.f), "dwordx2 v"));
  check_against_interpreter(*k.f, kLine, {random_bytes(8, 1), random_bytes(kItems * 8, 2)});
}

TEST_CASE("constants of loops wait in registers") {
  WaveKernel k(2);
  constexpr int kConstants = 40;  // more than the scalar registers available for constants
  BlockId loop = k.f->add_block("loop"), end = k.f->add_block("end");
  for (BlockId b : {loop, end}) k.f->block(b).mask = k.mask;
  ValueId start = k.load(0, Elem::F32);
  auto literal = [&](int i) { return k.f->constant(kF32, 0x3f812345u + static_cast<uint32_t>(i) * 0x1111u); };
  auto steps = [&](ValueId v, int from, int to) {
    for (int i = from; i < to; i += 2) v = k.b.make(Op::ffma, kF32.lanes(), {v, literal(i), literal(i + 1)});
    return v;
  };
  ValueId x = k.f->add_param(loop, kF32.lanes()), n = k.f->add_param(loop, kI32);
  k.b.br(loop, {steps(start, 0, kConstants), k.b.i32(0)});
  k.b.block = loop;
  ValueId y = steps(x, kConstants, kConstants + 6), next = k.b.make(Op::add, kI32, {n, k.b.i32(1)});
  k.b.br_if(k.b.make(Op::slt, kI1, {next, k.b.i32(5)}), {loop, {y, next}}, {end, {}});
  k.b.block = end;
  k.store(y, 0, kItems);
  k.b.ret();
  std::string text = assembly_of(*k.f);
  INFO(text);
  std::string body = text.substr(text.find("; loop"));
  body.resize(body.find("s_cbranch"));
  CHECK(!has(body, "0x3f8"));
  CHECK(count(text, "v_mov_b32 v") > 0);
  check_against_interpreter(*k.f, kLine, {random_bytes(kItems * 8, 1), Bytes(kItems * 8, 0xee)});
}
