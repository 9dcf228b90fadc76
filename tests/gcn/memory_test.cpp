// SPDX-License-Identifier: Apache-2.0
// Local and private memory, atomic operations, barriers and fences: every row at every type, address and
// mask, against the wave interpreter.
#include <fmt/format.h>

#include <catch2/catch.hpp>

#include "tests/gcn/against_interpreter.h"
#include "tests/gcn/cases.h"

using namespace kc;
using namespace kc::test;

namespace {

constexpr uint64_t kObject = 16384;

// The address of an object of the function, as lower_private computes it.
ValueId own_object(WaveKernel& k, Type pointer) {
  k.f->add_object({.name = "x", .type = pointer, .size = kObject, .align = 16, .init = {}});
  return k.f->constant(pointer, kFirstOffset);
}

// Several address computations for the lane's own element.
std::vector<ValueId> own_addresses(WaveKernel& k, ValueId base, int64_t bytes) {
  Type pointer = k.f->type(base), lanes = pointer.lanes();
  ValueId id = k.b.make(Op::local_id, kI64.lanes(), {}, {0});
  ValueId narrow = k.b.make(Op::local_id, kI32.lanes(), {}, {0});
  ValueId group = k.b.make(Op::and_, kI32, {k.b.make(Op::group_id, kI32, {}, {0}), k.b.i32(1)});
  auto size = static_cast<int64_t>(kGroup) * bytes;
  auto add = [&](ValueId from, ValueId index, int64_t scale, int64_t offset) {
    return k.b.make(Op::ptr_add, k.f->type(from).lane || k.f->type(index).lane ? lanes : pointer,
                    {from, index}, {scale, offset});
  };
  ValueId uniform = add(base, group, size, 0);
  return {
      add(base, id, bytes, 0),
      add(base, narrow, 3 * bytes, 8),
      add(add(base, k.b.i32(7), bytes, 0), narrow, bytes, -7 * bytes),
      add(add(base, id, bytes, 8192), k.b.i64(-1), 4096, 0),
      // Downwards from the end, and beyond the range of an instruction's constant in private memory.
      add(base, narrow, -bytes, 8192),
      add(add(base, narrow, bytes, 0), k.b.i32(1), 8000, 0),
      add(uniform, narrow, bytes, 0),
      add(add(uniform, k.b.i32(0), 1, 4 * size), narrow, bytes, 0),
      add(k.b.make(Op::splat, lanes, {uniform}), id, bytes, 16),
  };
}

ValueId load_at(WaveKernel& k, ValueId mask, ValueId at, Type type) {
  return k.b.make(Op::lane_load, type.lanes(), {mask, at}, {0});
}

// A kernel and its launch.
struct Made {
  std::unique_ptr<Function> f;
  Buffers buffers;
};
Made finish(WaveKernel& k, size_t rows) {
  k.b.ret();
  return {std::move(k.f), buffers_for(rows)};
}

Made own_elements(Type pointer, Type type, std::string name) {
  WaveKernel k(3, std::move(name));
  ValueId base = own_object(k, pointer), odd = odd_lanes(k);
  ValueId x = k.load(0, type.elem), y = k.load(1, type.elem);
  size_t row = 0;
  for (ValueId at : own_addresses(k, base, type.bytes())) {
    k.b.emit(Op::lane_store, {k.mask, at, x}, {}, {0});
    k.b.emit(Op::lane_store, {odd, at, y}, {}, {0});
    k.store(load_at(k, k.mask, at, type), row++, kItems);
    k.b.emit(Op::lane_store, {k.mask, at, k.f->constant(type.lanes(), 0x3c)}, {}, {0});
    k.store_under(odd, load_at(k, odd, at, type), row++, kItems);
  }
  return finish(k, row);
}

// Every location is written before it is read.
Made one_for_all(Type pointer, Type type, std::string name) {
  WaveKernel k(3, std::move(name));
  ValueId base = own_object(k, pointer), u = k.load_uniform(1, type.elem);
  const ValueId lane_values[] = {k.load(0, type.elem), k.load(1, type.elem),
                                 k.f->constant(type.lanes(), 0x3c)};
  bool local = pointer == kPtrLocal;
  std::vector<ValueId> places;
  for (int64_t offset : {int64_t{0}, int64_t{4064}, int64_t{4096}, int64_t{12000}})
    for (bool constant : {true, false}) {
      ValueId index = constant ? k.b.i32(5) : k.b.make(Op::group_id, kI32, {}, {0});
      places.push_back(k.b.make(Op::ptr_add, pointer, {base, index}, {8, offset}));
      ValueId same = k.b.make(Op::splat, pointer.lanes(), {places.back()});
      ValueId number = k.f->constant(type, places.size());
      ValueId v = k.b.make(Op::splat, type.lanes(), {places.size() % 4 < 2 ? number : u});
      k.b.emit(Op::lane_store, {k.mask, same, local ? v : lane_values[places.size() % 3]}, {}, {0});
    }
  size_t row = 0;
  for (ValueId at : places) {
    k.store(load_at(k, k.mask, k.b.make(Op::splat, pointer.lanes(), {at}), type), row++, kItems);
    if (local) k.store(k.b.make(Op::uniform_load, type, {at}, {0}), row++, kItems);
  }
  return finish(k, row);
}

// One operation on shared memory: on the lane's own element, on one shared with its neighbour, and on one for
// all; with and without the old value, by all lanes and by some.
Made atomic_on(Op op, Type type, bool local, std::string name) {
  WaveKernel k(3, std::move(name));
  Type pointer = local ? kPtrLocal : kPtrGlobal;
  ValueId base = local ? own_object(k, pointer) : k.pointers[0], odd = odd_lanes(k);
  ValueId id = local ? k.b.make(Op::local_id, kI64.lanes(), {}, {0}) : k.id;
  ValueId x = k.load(1, type.elem), expected = k.load(0, type.elem);
  int64_t bytes = type.bytes();
  ValueId own = k.b.make(Op::ptr_add, pointer.lanes(), {base, id}, {bytes, 0});
  ValueId shared = k.b.make(Op::ptr_add, pointer.lanes(),
                            {base, k.b.make(Op::xor_, kI64.lanes(), {id, k.b.i64(1)})}, {bytes, 0});
  ValueId one =
      k.b.make(Op::splat, pointer.lanes(), {k.b.make(Op::ptr_add, pointer, {base, k.b.i32(2)}, {bytes, 0})});
  if (local) k.b.emit(Op::lane_store, {k.mask, own, expected}, {}, {0});
  size_t row = 0;
  for (ValueId at : {own, shared, one})
    for (ValueId m : {k.mask, odd})
      for (bool uses : {true, false}) {
        std::vector<ValueId> operands{m, at};
        if (op == Op::lane_atomic_cmpxchg) operands.push_back(load_at(k, k.mask, own, type));
        operands.push_back(x);
        ValueId old = k.b.make(op, type.lanes(), operands);
        if (uses) k.store_under(m, old, row++, kItems);
        x = k.b.make(Op::add, type.lanes(), {x, k.f->constant(type, 77)});
      }
  k.store(load_at(k, k.mask, own, type), row++, kItems);
  return finish(k, row);
}

std::vector<Made> own_memory_kernels() {
  std::vector<Made> made;
  for (Type pointer : {kPtrLocal, kPtrPrivate})
    for (Elem e : elems_of(Stored)) {
      std::string name = fmt::format("{}_{}", pointer == kPtrLocal ? "local" : "private", made.size());
      made.push_back(own_elements(pointer, Type{e}, name + "_own"));
      made.push_back(one_for_all(pointer, Type{e}, name + "_one"));
    }
  return made;
}

std::vector<Made> atomic_kernels() {
  std::vector<Made> made;
  for (unsigned n = 0; n < kOpCount; ++n) {
    Op op = static_cast<Op>(n);
    if (!(info(op).dialects & InWave) || !info(op).has(kc::Atomic)) continue;
    if (!gcn::unsupported(op, Elem::PtrGlobal).empty()) continue;  // of waves of one lane
    for (Elem e : elems_of(info(op).U))
      for (bool local : {false, true})
        made.push_back(
            atomic_on(op, Type{e}, local,
                      fmt::format("{}_{}_{}", name_of(op), to_string(Type{e}), local ? "local" : "global")));
  }
  return made;
}

}  // namespace

TEST_CASE("local and private memory at every type and address") {
  for (const Made& m : own_memory_kernels()) {
    INFO(m.f->name);
    check_against_interpreter(*m.f, kLine, m.buffers);
  }
  // Private memory is separate for each lane.
  CHECK(gcn::unsupported(Op::uniform_load, Elem::PtrPrivate) == "a uniform load of private memory");
  for (Op op : {Op::lane_load, Op::lane_store})
    for (Elem space : elems_of(AnyPtr)) CHECK(gcn::unsupported(op, space).empty());
}

TEST_CASE("every atomic operation at every type, address and mask") {
  std::vector<Made> made = atomic_kernels();
  CHECK(made.size() == 11 * 4);
  for (const Made& m : made) {
    INFO(m.f->name);
    check_against_interpreter(*m.f, kLine, m.buffers);
  }
}

namespace {

// An encoding has room for one literal. This is a uniform select between two literals, which no other
// single-operation test covers.
Made two_literals() {
  WaveKernel k(3, "two_literals");
  size_t row = 0;
  for (int32_t limit : {0, 1}) {
    ValueId c = k.b.make(Op::slt, kI1, {k.b.make(Op::group_id, kI32, {}, {0}), k.b.i32(limit)});
    k.store(k.b.make(Op::select, kI32, {c, k.b.i32(-128), k.b.i32(1618485)}), row++, kItems);
  }
  return finish(k, row);
}

}  // namespace

TEST_CASE("LLVM's code object of these kernels runs as their text does") {
  std::vector<Made> made = own_memory_kernels();
  made.push_back(two_literals());
  for (Made& m : atomic_kernels()) made.push_back(std::move(m));
  std::string all;
  for (const Made& m : made) {
    auto code = compile_gcn(*m.f);
    REQUIRE(code);
    all += without_metadata(code->assembly);
  }
  auto bytes = assemble_gcn(all);
  if (!bytes && bytes.error().absent) {
    WARN("skipped: " << bytes.error().message);
    return;
  }
  if (!bytes) FAIL(bytes.error().message);
  auto object = load_code_object(*bytes);
  if (!object) FAIL(object.error().message);
  for (const Made& m : made) {
    INFO(m.f->name);
    Buffers want = m.buffers, got = m.buffers;
    std::vector<MemoryRange> memory, ranges;
    auto bits = addresses(want, memory), own = addresses(got, ranges);
    CHECK(run_waves(*m.f, kLine, bits, {.memory = memory, .packed = true}).message == "");
    CHECK(run_gcn(*object, m.f->name, kLine, kernarg_of(*m.f, kLine, own), ranges).message == "");
    CHECK(want == got);
  }
}

TEST_CASE("more memory than there is makes no code") {
  for (auto [pointer, most] :
       {std::pair{kPtrLocal, gcn::kMaxLocalBytes}, {kPtrPrivate, gcn::kMaxScratchBytes}})
    for (uint64_t more : {0, 16}) {
      WaveKernel k(1);
      k.f->add_object({.name = "x",
                       .type = pointer,
                       .size = most / 16 * 16 - kFirstOffset + more,
                       .align = 16,
                       .init = {}});
      k.b.ret();
      CHECK(check_gcn(*k.f).size() == (more ? 1 : 0));
      CHECK(compile_gcn(*k.f).has_value() == !more);
    }
}

namespace {

constexpr size_t kWide = 200;  // four waves; the last one has missing lanes
const LaunchSpec kWaves{.dims = 1, .global = {2 * kWide, 1, 1}, .local = {kWide, 1, 1}};

}  // namespace

TEST_CASE("what was written before a barrier is there after it, for all waves of the group") {
  for (Type pointer : {kPtrLocal, kPtrGlobal}) {
    WaveKernel k(3);
    k.f->traps.push_back({.kind = TrapKind::DivergentBarrier});
    ValueId base = pointer == kPtrLocal ? own_object(k, pointer) : k.pointers[0];
    ValueId id = k.b.make(Op::local_id, kI32.lanes(), {}, {0}), x = k.load(1, Elem::I32);
    ValueId mine = k.b.make(Op::ptr_add, pointer.lanes(), {base, id}, {4, 0});
    ValueId other = k.b.make(Op::sub, kI32.lanes(), {k.b.i32(kWide - 1), id});
    ValueId theirs = k.b.make(Op::ptr_add, pointer.lanes(), {base, other}, {4, 0});
    for (int64_t round = 0; round < 3; ++round) {
      k.b.emit(Op::lane_store, {k.mask, mine, x}, {}, {0});
      k.b.emit(Op::fence, {}, {}, {round + 1});
      k.b.emit(Op::lane_barrier, {k.mask}, {}, {pointer == kPtrLocal ? 1 : 2, 0});
      x = k.b.make(Op::add, kI32.lanes(), {load_at(k, k.mask, theirs, kI32), id});
      k.store(x, static_cast<size_t>(round), 2 * kWide);
      k.b.emit(Op::lane_barrier, {k.mask}, {}, {3, 0});
    }
    k.b.ret();
    INFO(to_string(pointer));
    check_against_interpreter(
        *k.f, kWaves, {random_bytes(kWide * 8, 1), random_bytes(2 * kWide * 8, 2), Bytes(2 * kWide * 12)});
    auto code = compile_gcn(*k.f);
    REQUIRE(code);
    CHECK(code->barrier_sites == std::vector<uint32_t>(6, 0));
    CHECK(code->assembly.find("s_waitcnt vmcnt(0) lgkmcnt(0)\n\ts_barrier") != std::string::npos);
  }
}

TEST_CASE("work-items at different barriers are the same as on the interpreter") {
  // Odd lanes wait at the first barrier, then even ones at the second.
  WaveKernel k(3);
  k.f->traps = {{.kind = TrapKind::DivergentBarrier}, {.kind = TrapKind::DivergentBarrier}};
  ValueId odd = odd_lanes(k), even = k.b.make(Op::mask_andnot, kMask, {k.mask, odd});
  k.b.emit(Op::lane_barrier, {odd}, {}, {1, 0});
  k.b.emit(Op::lane_barrier, {even}, {}, {1, 1});
  k.b.ret();
  Buffers buffers = buffers_for(1);
  std::vector<MemoryRange> memory;
  auto bits = addresses(buffers, memory);
  WaveRunResult expected = run_waves(*k.f, kWaves, bits, {.memory = memory, .packed = true});
  REQUIRE(expected.trap);
  GcnResult ran = run_gfx900(*k.f, kWaves, bits, memory);
  CHECK(ran.status == GcnResult::Stranded);
  CHECK(ran.stranded.size() == expected.trap->count);
  auto lowest =
      std::ranges::min_element(ran.stranded, {}, [](const StrandedItem& s) { return s.global_id[0]; });
  CHECK(lowest->global_id == expected.trap->global_id);
}
