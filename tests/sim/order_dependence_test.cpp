// SPDX-License-Identifier: Apache-2.0
// Which bytes of a launch depend on the order of work-items.
#include "sim/interpreter/order_dependence.h"

#include "tests/sim/support.h"

using namespace kc;
using namespace kc::test;

namespace {

// A letter for each element of two buffers of 4 numbers: '.' settled, 'o' open.
struct Found {
  std::string a, b;
  bool trap = false;
};

// The body of a kernel of 4 work-items in one group: %0 and %1 are the buffers, %2 is the id.
Found find(const std::string& body, const std::string& declared = "") {
  Module m = parse("thread func @f(%0: ptr<global>, %1: ptr<global>) kernel {\n" + declared +
                   "b0:\n  %2: i32 = global_id dim=0\n" + body + "}\n");
  std::vector<int32_t> a(4), b(4);
  std::vector<MemoryRange> memory{range_of(a), range_of(b)};
  std::vector<uint64_t> arguments{address_of(a), address_of(b)};
  ThreadInterpreter interpreter(*m.functions[0]);
  OrderDependentResults r =
      find_order_dependence(interpreter, line(4, 4), arguments, {.memory = memory}, {}, [&] {
        std::ranges::fill(a, 0);
        std::ranges::fill(b, 0);
      });
  auto letters = [&](size_t range) {
    std::string s(4, '.');
    for (size_t i = 0; r.first && i < 16; ++i)
      if (r.bytes[range][i]) s[i / 4] = 'o';
    return s;
  };
  return {letters(0), letters(1), r.trap};
}

// All store their id to a[0]; %9 is what they read there then.
const std::string kRace = "  store %0, %2 !3:1\n  %9: i32 = load %0 !4:1\n";

}  // namespace

TEST_CASE("nothing depends on the order without a race") {
  Found r = find("  %3: ptr<global> = ptr_add %0, %2, scale=4\n  store %3, %2\n  ret\n");
  CHECK(r.a == "....");
  CHECK(r.b == "....");
  CHECK(!r.trap);
}

TEST_CASE("a race is where it is, and where its values go") {
  Found alone = find(kRace + "  %3: ptr<global> = ptr_add %1, %2, scale=4\n  store %3, %2\n  ret\n");
  CHECK(alone.a == "o...");
  CHECK(alone.b == "....");
  // Work-item 3 - id stores the value, the others the id.
  Found value = find(kRace +
                     "  %3: i1 = eq %2, 3:i32\n  %4: i32 = add %9, 1:i32\n  br_if %3 -> b1(%4), b1(%2)\n"
                     "b1(%5: i32):\n  %6: ptr<global> = ptr_add %1, %2, scale=4\n  store %6, %5\n  ret\n");
  CHECK(value.a == "o...");
  CHECK(value.b == "...o");
}

TEST_CASE("a settled value takes the place of one that depends") {
  Found r =
      find(kRace + "  %3: ptr<global> = ptr_add %1, %2, scale=4\n  store %3, %9\n  store %3, %2\n  ret\n");
  CHECK(r.b == "....");
}

TEST_CASE("a load that races leaves what is stored as it is") {
  // Each reads its neighbour's element, and keeps that in b.
  Found r = find(
      "  %3: ptr<global> = ptr_add %0, %2, scale=4\n  %4: i32 = add %2, 1:i32\n  %5: i32 = and %4, 3:i32\n"
      "  %6: ptr<global> = ptr_add %0, %5, scale=4\n  %7: i32 = load %6\n  store %3, %2\n"
      "  %8: ptr<global> = ptr_add %1, %2, scale=4\n  store %8, %7\n  ret\n");
  CHECK(r.a == "....");
  CHECK(r.b == "oooo");
}

TEST_CASE("a store to an open address opens its object") {
  Found r = find(kRace + "  %3: ptr<global> = ptr_add %1, %9, scale=4\n  store %3, 7:i32\n  ret\n");
  CHECK(r.a == "o...");
  CHECK(r.b == "oooo");
  Found elsewhere = find(
      "  store %1, %2\n  %9: i32 = load %1\n  %4: i32 = and %9, 3:i32\n"
      "  %3: ptr<global> = ptr_add %1, %4, scale=4, offset=0\n  store %3, 7:i32\n"
      "  %5: ptr<global> = ptr_add %0, %2, scale=4\n  store %5, %2\n  ret\n");
  CHECK(elsewhere.a == "....");
  CHECK(elsewhere.b == "oooo");
}

TEST_CASE("both arms of an open branch depend, and what follows them does not") {
  // One arm stores to b[id]; the work-items that take the other might have.
  Found r = find(kRace +
                 "  %3: i1 = slt %9, 2:i32\n  br_if %3 -> b1, b2\nb1:\n"
                 "  %4: ptr<global> = ptr_add %1, %2, scale=4\n  store %4, %2\n  br -> b2\n"
                 "b2:\n  %5: ptr<global> = ptr_add %0, %2, scale=4\n  store %5, %2\n  ret\n");
  CHECK(r.a == "o...");
  CHECK(r.b == "oooo");
  // Variables and parameters of blocks that an arm sets.
  Found set =
      find(kRace +
               "  var_set 5:i32, var=$v.0\n  %3: i1 = slt 99:i32, %9\n  br_if %3 -> b1, b2(1:i32)\nb1:\n"
               "  var_set 6:i32, var=$v.0\n  br -> b2(2:i32)\n"
               "b2(%4: i32):\n  %5: i32 = var_get var=$v.0\n  %6: ptr<global> = ptr_add %1, 1:i32, scale=4\n"
               "  %7: i1 = eq %2, 0:i32\n  br_if %7 -> b3, b4\nb3:\n  store %6, %4\n"
               "  %8: ptr<global> = ptr_add %1, 2:i32, scale=4\n  store %8, %5\n  br -> b4\nb4:\n  ret\n",
           "  var $v.0: i32\n");
  CHECK(set.b == ".oo.");
}

TEST_CASE("a counter gives numbers in some order, and the same sum in any") {
  Found r = find(
      "  %3: i32 = atomic_add %0, 1:i32\n  %4: ptr<global> = ptr_add %1, %2, scale=4\n  store %4, %3\n  "
      "ret\n");
  CHECK(r.a == "....");
  CHECK(r.b == "oooo");
  Found last = find("  %3: i32 = atomic_xchg %0, %2\n  ret\n");
  CHECK(last.a == "o...");
}

TEST_CASE("loads that came before a store to an open address depend") {
  // Work-item 0 reads b[1] before work-item 3 stores somewhere in b.
  Found r = find(
      "  store %0, %2\n  %9: i32 = load %0\n  %3: i1 = eq %2, 3:i32\n  br_if %3 -> b1, b2\nb1:\n"
      "  %4: ptr<global> = ptr_add %1, %9, scale=4\n  store %4, 7:i32\n  br -> b3\n"
      "b2:\n  %5: ptr<global> = ptr_add %1, 1:i32, scale=4\n  %6: i32 = load %5\n"
      "  %7: i32 = add %2, 1:i32\n  %8: ptr<global> = ptr_add %0, %7, scale=4\n  store %8, %6\n  br -> b3\n"
      "b3:\n  ret\n");
  CHECK(r.a == "oooo");
  CHECK(r.b == "oooo");
}

TEST_CASE("local memory carries what depends, and a barrier in an open branch opens everything") {
  const std::string local = "  object $t.0: ptr<local> size=32 align=4\n  site 0: barrier \"\" !5:1\n";
  auto exchanged = [](const std::string& first) {
    return "  %3: ptr<local> = object_address object=$t.0\n  %4: ptr<local> = ptr_add %3, %2, scale=4\n" +
           first +
           "  barrier flags=1, site=0\n  %5: i32 = sub 3:i32, %2\n  %6: ptr<local> = ptr_add %3, %5, "
           "scale=4\n"
           "  %7: i32 = load %6\n  %8: ptr<global> = ptr_add %1, %2, scale=4\n  store %8, %7\n  ret\n";
  };
  CHECK(find(exchanged("  store %4, %2\n"), local).b == "....");
  // Work-items 0 and 1 share an element; 2 and 3 read it.
  Found r = find(exchanged("  %10: i32 = umax %2, 1:i32\n  %11: ptr<local> = ptr_add %3, %10, scale=4\n"
                           "  store %4, 0:i32\n  store %11, %2\n"),
                 local);
  CHECK(r.b == "..o.");
  Found barrier = find(kRace +
                           "  %3: i1 = slt %9, 9:i32\n  br_if %3 -> b1, b2\nb1:\n  barrier flags=1, site=0\n"
                           "  br -> b2\nb2:\n  ret\n",
                       local);
  CHECK(barrier.a == "oooo");
  CHECK(barrier.b == "oooo");
  CHECK(barrier.trap);
}

TEST_CASE("a trap depends where its branch does") {
  const std::string site = "  site 0: assert \"\" !5:1\n";
  auto trap = [&](const char* of) {
    return find(kRace + "  %3: i1 = eq " + of +
                    ", 2:i32\n  br_if %3 -> b1, b2\nb1:\n  trap 0:i32, site=0\nb2:\n  ret\n",
                site)
        .trap;
  };
  CHECK(trap("%9"));
  CHECK(!trap("%2"));
}
