// SPDX-License-Identifier: Apache-2.0
// Corrupted code: text and code objects that use local memory, scratch, atomic operations and barriers are
// rejected, end in an error, or run; they never access memory out of bounds or run without end. Run under
// sanitizers.
#include <catch2/catch.hpp>

#include "tests/gcn/against_interpreter.h"

using namespace kc;
using namespace kc::test;

namespace {

constexpr size_t kWide = 100;
const LaunchSpec kWaves{.dims = 1, .global = {kWide, 1, 1}, .local = {kWide, 1, 1}};

// Every kind of memory and a barrier, in a loop.
std::unique_ptr<Function> busy_kernel() {
  WaveKernel k(2);
  k.f->traps.push_back({.kind = TrapKind::DivergentBarrier});
  for (Type space : {kPtrLocal, kPtrPrivate})
    k.f->add_object({.name = "x", .type = space, .size = 512, .align = 16, .init = {}});
  ValueId id = k.b.make(Op::local_id, kI32.lanes(), {}, {0}), x = k.load(0, Elem::I32);
  auto element = [&](Type space, ValueId index) {
    return k.b.make(Op::ptr_add, space.lanes(), {k.f->constant(space, kFirstOffset), index}, {4, 0});
  };
  ValueId bounded = k.b.make(Op::and_, kI32.lanes(), {x, k.b.i32(63)});
  ValueId shared = element(kPtrLocal, bounded), own = element(kPtrPrivate, bounded);
  ValueId mine = element(kPtrLocal, id);
  ValueId counter = k.b.make(Op::splat, kPtrGlobal.lanes(), {k.pointers[0]});
  BlockId loop = k.f->add_block("loop"), end = k.f->add_block("end");
  k.f->block(loop).mask = k.f->block(end).mask = k.mask;
  ValueId n = k.f->add_param(loop, kI32), sum = k.f->add_param(loop, kI32.lanes());
  k.b.emit(Op::lane_store, {k.mask, mine, x}, {}, {0});
  k.b.br(loop, {k.b.i32(0), x});
  k.b.block = loop;
  k.b.emit(Op::lane_barrier, {k.mask}, {}, {3, 0});
  k.b.emit(Op::lane_store, {k.mask, own, sum}, {}, {0});
  ValueId old = k.b.make(Op::lane_atomic_add, kI32.lanes(), {k.mask, shared, sum});
  k.b.make(Op::lane_atomic_umax, kI32.lanes(), {k.mask, counter, old});
  ValueId back = k.b.make(Op::lane_load, kI32.lanes(), {k.mask, own}, {0});
  ValueId next = k.b.make(Op::add, kI32.lanes(), {old, back}),
          round = k.b.make(Op::add, kI32, {n, k.b.i32(1)});
  k.b.br_if(k.b.make(Op::slt, kI1, {round, k.b.i32(5)}), {loop, {round, next}}, {end, {}});
  k.b.block = end;
  k.store(next, 0, 0);
  k.b.ret();
  return std::move(k.f);
}

class Damage {
 public:
  size_t below(size_t n) {
    x_ = x_ * 6364136223846793005u + 1442695040888963407u;
    return (x_ >> 33) % n;
  }

 private:
  uint64_t x_ = 1;
};

GcnResult run(const Function& f, const GcnObject& object) {
  Buffers buffers{random_bytes(kWide * 4, 1), Bytes(kWide * 4)};
  std::vector<MemoryRange> memory;
  auto bits = addresses(buffers, memory);
  if (object.kernels.empty()) return {.status = GcnResult::Error, .message = "no kernel"};
  return run_gcn(object, object.kernels[0].name, kWaves, kernarg_of(f, kWaves, bits), memory,
                 {.max_steps = 20000});
}

}  // namespace

TEST_CASE("damaged text of a kernel that uses all memories") {
  auto f = busy_kernel();
  auto code = compile_gcn(*f);
  REQUIRE(code);
  const std::string& text = code->assembly;
  auto whole = load_assembly(text);
  REQUIRE(whole);
  REQUIRE(run(*f, *whole).message == "");
  check_against_interpreter(*f, kWaves, {random_bytes(kWide * 4, 1), Bytes(kWide * 4)});
  constexpr std::string_view kLetters = "sv[]:,0123456789-|()._ \n\"xof";
  Damage damage;
  size_t refused = 0, failed = 0;
  for (int i = 0; i < 3000; ++i) {
    std::string damaged = text;
    for (int j = 0; j < 1 + i % 3; ++j)
      damaged[damage.below(damaged.size())] = kLetters[damage.below(kLetters.size())];
    auto object = load_assembly(damaged);
    if (!object)
      ++refused;
    else
      failed += run(*f, *object).status != GcnResult::Ok;
  }
  CHECK(refused > 300);
  CHECK(failed > 100);
}

TEST_CASE("a damaged code object of a kernel that uses all memories") {
  auto f = busy_kernel();
  auto code = compile_gcn(*f);
  REQUIRE(code);
  auto bytes = assemble_gcn(code->assembly);
  if (!bytes && bytes.error().absent) {
    WARN("skipped: " << bytes.error().message);
    return;
  }
  if (!bytes) FAIL(bytes.error().message);
  auto whole = load_code_object(*bytes);
  REQUIRE(whole);
  REQUIRE(run(*f, *whole).message == "");
  // Corrupts the instructions and the descriptor, which other tests of the reader rarely do.
  Damage damage;
  size_t wrong = 0;
  size_t code_at = bytes->find(std::string("\x00\x00\x8a\xbf", 4));  // s_barrier
  REQUIRE(code_at != std::string::npos);
  for (int i = 0; i < 60; ++i) {
    std::string damaged = *bytes;
    size_t from = i % 2 ? code_at - std::min<size_t>(code_at, 400) : 0;
    for (int j = 0; j < 1 + i % 4; ++j)
      damaged[from + damage.below(damaged.size() - from)] = static_cast<char>(damage.below(256));
    auto object = load_code_object(damaged);
    wrong += !object || run(*f, *object).status != GcnResult::Ok;
  }
  CHECK(wrong > 5);
}
