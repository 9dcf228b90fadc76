// SPDX-License-Identifier: Apache-2.0
// Private and local memory, barriers and atomic operations in the thread interpreter.
#include <fmt/format.h>

#include "sim/interpreter/race_detector.h"
#include "sim/interpreter/thread_interpreter.h"
#include "tests/sim/support.h"

using namespace kc;
using namespace kc::test;
using Catch::Matchers::Contains;

namespace {

struct Ran {
  ThreadRunResult result;
  std::vector<int32_t> out;
  std::optional<OrderDependence> order;
};

Ran run(const std::string& text, uint64_t items, uint64_t local) {
  Module m = parse(text);
  Ran r;
  r.out.assign(items, -7);
  std::vector<MemoryRange> memory{range_of(r.out)};
  std::vector<uint64_t> arguments{address_of(r.out)};
  RaceDetector races;
  r.result = run_threads(*m.functions[0], line(items, local), arguments,
                         {.memory = memory, .max_steps = 100000, .races = &races});
  r.order = races.found();
  return r;
}

// Each work-item writes its id, and after `middle` reads that of its right neighbour in the group of 4.
std::string neighbours(const std::string& middle) {
  return R"(thread func @f(%0: ptr<global>) kernel {
  object $tile.0: ptr<local> size=16 align=4
  site 0: barrier "" !5:1
  site 1: barrier "" !6:1
b0:
  %1: i32 = local_id dim=0
  %2: i32 = global_id dim=0
  %3: ptr<local> = object_address object=$tile.0
  %4: ptr<local> = ptr_add %3, %1, scale=4
  store %4, %2 !3:1
)" + middle +
         R"(b9:
  %90: i32 = add %1, 1:i32
  %91: i32 = and %90, 3:i32
  %92: ptr<local> = ptr_add %3, %91, scale=4
  %93: i32 = load %92 !8:1
  %94: ptr<global> = ptr_add %0, %2, scale=4
  store %94, %93
  ret
}
)";
}

}  // namespace

TEST_CASE("a barrier makes what was written before it visible in the group") {
  Ran r = run(neighbours("  barrier flags=1, site=0\n  br -> b9\n"), 8, 4);
  CHECK(r.result.status == RunStatus::Ok);
  CHECK(r.out == std::vector<int32_t>{1, 2, 3, 0, 5, 6, 7, 4});
  CHECK(!r.order);
  CHECK(!r.result.unwritten);
}

TEST_CASE("without a barrier the neighbour is unwritten or a race") {
  Ran r = run(neighbours("  br -> b9\n"), 4, 4);
  REQUIRE(r.result.unwritten);
  CHECK(r.result.unwritten->object == "tile");
  CHECK(r.result.unwritten->loc.line == 8);
  REQUIRE(r.order);
  CHECK(r.order->kind == OrderDependence::Race);
  CHECK(r.order->first.line + r.order->second.line == 11);
}

TEST_CASE("work-items that ended count as arrived") {
  Ran r = run(neighbours("  %5: i1 = eq %1, 2:i32\n  br_if %5 -> b1, b2\nb1:\n  ret\nb2:\n"
                         "  barrier flags=1, site=0\n  br -> b9\n"),
              4, 4);
  CHECK(r.result.status == RunStatus::Ok);
  CHECK(r.out == std::vector<int32_t>{1, 2, -7, 0});
  // The wave may finish a work-item only after others have passed the barrier.
  REQUIRE(r.order);
  CHECK(r.order->first.line == 3);
  CHECK(r.order->second.line == 8);
}

TEST_CASE("work-items at two barriers trap, other groups go on") {
  Ran r = run(neighbours("  %5: i1 = eq %2, 5:i32\n  br_if %5 -> b1, b2\nb1:\n  barrier flags=1, site=1\n"
                         "  br -> b9\nb2:\n  barrier flags=1, site=0\n  br -> b9\n"),
              8, 4);
  CHECK(r.result.status == RunStatus::Trapped);
  REQUIRE(r.result.trap);
  CHECK(r.result.trap->site.kind == TrapKind::DivergentBarrier);
  CHECK(r.result.trap->site.loc.line == 5);
  CHECK(r.result.trap->global_id[0] == 4);
  CHECK(r.result.trap->count == 4);
  CHECK(r.result.divergent_barrier);
  CHECK(r.out == std::vector<int32_t>{1, 2, 3, 0, -7, -7, -7, -7});
}

TEST_CASE("one barrier statement in two iterations is two instances") {
  // Work-item 1 skips the barrier of the first iteration.
  auto loop = [](const char* skipped) {
    return std::string("  br -> b1(0:i32)\nb1(%10: i32):\n  %11: i1 = eq %10, 0:i32\n  %12: i1 = eq %1, ") +
           skipped +
           ":i32\n  %13: i1 = and %11, %12\n  br_if %13 -> b3, b2\nb2:\n  barrier flags=1, site=0\n"
           "  br -> b3\nb3:\n  %14: i32 = add %10, 1:i32\n  %15: i1 = slt %14, 3:i32\n"
           "  br_if %15 -> b1(%14), b9\n";
  };
  CHECK(run(neighbours(loop("9")), 4, 4).result.status == RunStatus::Ok);
  Ran r = run(neighbours(loop("1")), 4, 4);
  REQUIRE(r.result.trap);
  CHECK(r.result.trap->site.kind == TrapKind::DivergentBarrier);
  CHECK(r.result.trap->count == 4);
}

TEST_CASE("iterations are counted from where a loop was entered") {
  // The inner loop contains the barrier but passes it only in the second outer iteration; in the first,
  // work-items take different numbers of inner iterations.
  Ran r = run(neighbours(R"(  br -> b1(0:i32)
b1(%10: i32):
  br -> b2(0:i32)
b2(%11: i32):
  %12: i1 = eq %10, 1:i32
  br_if %12 -> b3, b4
b3:
  barrier flags=1, site=0
  br -> b4
b4:
  %13: i32 = add %11, 1:i32
  %14: i32 = select %12, 2:i32, %1
  %15: i1 = slt %13, %14
  br_if %15 -> b2(%13), b5
b5:
  %16: i32 = add %10, 1:i32
  %17: i1 = slt %16, 2:i32
  br_if %17 -> b1(%16), b9
)"),
              4, 4);
  CHECK(r.result.status == RunStatus::Ok);
  CHECK(r.out == std::vector<int32_t>{1, 2, 3, 0});
}

TEST_CASE("private memory starts anew for each work-item and is its own") {
  Ran r = run(R"(thread func @f(%0: ptr<global>) kernel {
  object $other.0: ptr<private> size=4 align=4
  object $mine.1: ptr<private> size=8 align=8
b0:
  %1: i32 = global_id dim=0
  %2: ptr<private> = object_address object=$mine.1
  %3: ptr<private> = ptr_add %2, 1:i32, scale=4
  %4: i1 = eq %1, 0:i32
  br_if %4 -> b1, b2
b1:
  store %3, 5:i32
  br -> b2
b2:
  %5: i32 = load %3 !9:2
  %6: i32 = add %5, %1
  %7: ptr<global> = ptr_add %0, %1, scale=4
  store %7, %6
  ret
}
)",
              3, 1);
  CHECK(r.out == std::vector<int32_t>{5, 1, 2});
  REQUIRE(r.result.unwritten);
  CHECK(r.result.unwritten->object == "mine");
  CHECK(r.result.unwritten->global_id[0] == 1);
}

TEST_CASE("copying bytes that nobody wrote is no use of them") {
  Ran r = run(R"(thread func @f(%0: ptr<global>) kernel {
  object $a.0: ptr<private> size=4 align=4
  object $b.1: ptr<private> size=4 align=4
b0:
  %1: ptr<private> = object_address object=$a.0
  %2: ptr<private> = object_address object=$b.1
  %3: i32 = load %1
  store %2, %3
  ret
}
)",
              1, 1);
  CHECK(r.result.ok());
  CHECK(!r.result.unwritten);
}

TEST_CASE("null and what lies outside the objects is out of bounds") {
  auto access = [](const char* offset) {
    return fmt::format(R"(thread func @f(%0: ptr<global>) kernel {{
  object $a.0: ptr<private> size=8 align=4
b0:
  %1: ptr<private> = object_address object=$a.0
  %2: ptr<private> = ptr_add %1, 0:i32, scale=1, offset={}
  store %2, 1:i32 !4:3
  ret
}}
)",
                       offset);
  };
  CHECK(run(access("0"), 1, 1).result.ok());
  CHECK(run(access("-16"), 1, 1).result.status == RunStatus::OutOfBounds);
  Ran r = run(access("16"), 2, 1);
  CHECK(r.result.status == RunStatus::OutOfBounds);
  CHECK_THAT(r.result.message, Contains("store of 4 bytes at offset 16 is outside the work-item's private"));
}

TEST_CASE("atomic operations give the old value") {
  auto atomic = [](const char* op, const char* rest = "") {
    return fmt::format(R"(thread func @f(%0: ptr<global>) kernel {{
b0:
  %1: i32 = global_id dim=0
  %2: i1 = eq %1, 0:i32
  br_if %2 -> b1, b2
b1:
  store %0, 12:i32
  ret
b2:
  %3: i32 = {} %0, {}10:i32
  %4: ptr<global> = ptr_add %0, %1, scale=4
  store %4, %3
  ret
}}
)",
                       op, rest);
  };
  auto outcome = [&](const char* op, const char* rest = "") { return run(atomic(op, rest), 2, 1).out; };
  CHECK(outcome("atomic_add") == std::vector<int32_t>{22, 12});
  CHECK(outcome("atomic_sub") == std::vector<int32_t>{2, 12});
  CHECK(outcome("atomic_and") == std::vector<int32_t>{8, 12});
  CHECK(outcome("atomic_or") == std::vector<int32_t>{14, 12});
  CHECK(outcome("atomic_xor") == std::vector<int32_t>{6, 12});
  CHECK(outcome("atomic_smin") == std::vector<int32_t>{10, 12});
  CHECK(outcome("atomic_umax") == std::vector<int32_t>{12, 12});
  CHECK(outcome("atomic_xchg") == std::vector<int32_t>{10, 12});
  CHECK(outcome("atomic_cmpxchg", "12:i32, ") == std::vector<int32_t>{10, 12});
  CHECK(outcome("atomic_cmpxchg", "11:i32, ") == std::vector<int32_t>{12, 12});
}

TEST_CASE("commuting atomics whose result nobody uses do not depend on the order") {
  auto counter = [](const char* use) {
    return fmt::format(R"(thread func @f(%0: ptr<global>) kernel {{
b0:
  %1: i32 = global_id dim=0
  %2: i32 = atomic_add %0, %1 !2:2
  {}
  ret
}}
)",
                       use);
  };
  Ran sum = run(counter(""), 4, 1);
  CHECK(sum.out[0] == -7 + 6);
  CHECK(!sum.order);
  Ran difference = run(counter("%3: i32 = atomic_sub %0, 3:i32"), 4, 1);
  CHECK(difference.out[0] == -7 + 6 - 12);
  CHECK(!difference.order);
  CHECK(run(counter("%3: i32 = atomic_xor %0, 3:i32"), 4, 1).order);
  Ran ticket = run(counter("%3: ptr<global> = ptr_add %0, %1, scale=4, offset=4\n  store %3, %2"), 1, 1);
  CHECK(!ticket.order);
  Ran tickets = run(counter("%3: i32 = and %1, 1:i32\n  %4: ptr<global> = ptr_add %0, %3, scale=4, offset=8\n"
                            "  store %4, %2"),
                    4, 1);
  REQUIRE(tickets.order);
  CHECK(tickets.order->kind == OrderDependence::AtomicOrder);
  CHECK(tickets.order->first.line == 2);
}

TEST_CASE("a constant object holds its bytes") {
  Ran r = run(R"(thread func @f(%0: ptr<global>) kernel {
  object $table.0: ptr<constant> size=4 align=1 init=x0a141eff
b0:
  %1: i32 = global_id dim=0
  %2: ptr<constant> = object_address object=$table.0
  %3: ptr<constant> = ptr_add %2, %1, scale=1
  %4: i8 = load %3
  %5: i32 = sext %4
  %6: ptr<global> = ptr_add %0, %1, scale=4
  store %6, %5
  ret
}
)",
              4, 1);
  CHECK(r.out == std::vector<int32_t>{10, 20, 30, -1});
}

TEST_CASE("local pointer arguments lie behind the objects") {
  Module m = parse(R"(thread func @f(%0: ptr<global>, %1: ptr<local> tile of i32) kernel {
  object $x.0: ptr<local> size=4 align=4
  site 0: barrier ""
b0:
  %2: i32 = local_id dim=0
  %3: ptr<local> = ptr_add %1, %2, scale=4
  store %3, %2
  %4: ptr<local> = object_address object=$x.0
  %5: i32 = atomic_xchg %4, 77:i32
  barrier flags=1, site=0
  %6: i32 = xor %2, 1:i32
  %7: ptr<local> = ptr_add %1, %6, scale=4
  %8: i32 = load %7
  %9: ptr<global> = ptr_add %0, %2, scale=4
  store %9, %8
  ret
}
)");
  std::vector<int32_t> out(4, -7);
  std::vector<MemoryRange> memory{range_of(out)};
  LaunchSpec launch = line(4, 4);
  launch.local_bytes = lay_out_objects(*m.functions[0], kPtrLocal).size;
  std::vector<uint64_t> arguments{address_of(out), place_local_argument(16, launch)};
  CHECK(run_threads(*m.functions[0], launch, arguments, {.memory = memory}).ok());
  CHECK(out == std::vector<int32_t>{1, 0, 3, 2});
  launch.local_bytes -= 4;
  CHECK(run_threads(*m.functions[0], launch, arguments, {.memory = memory}).status == RunStatus::OutOfBounds);
}
