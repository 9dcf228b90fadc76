// SPDX-License-Identifier: Apache-2.0
// Transfer functions: all numbers of small widths, against the opcodes' own evaluation.
#include "ir/known_bits.h"

#include <catch2/catch.hpp>

#include "fuzz/random.h"
#include "ir/op.h"

using namespace kc;

namespace {

const Op kBinary[] = {Op::add,  Op::sub,  Op::mul,  Op::and_, Op::or_,  Op::xor_, Op::shl,  Op::lshr,
                      Op::ashr, Op::sdiv, Op::udiv, Op::srem, Op::urem, Op::smin, Op::smax, Op::umin,
                      Op::umax, Op::eq,   Op::ne,   Op::slt,  Op::sle,  Op::ult,  Op::ule};

// A set with its members, of 8 bits.
struct Set {
  KnownBits known;
  std::vector<uint64_t> members;
};
Set random_set(fuzz::Random& random) {
  for (;;) {
    KnownBits known = KnownBits::anything(8);
    if (random.chance(40)) {
      uint64_t a = random.below(256), b = random.below(random.chance(50) ? 256 : 12);
      known = meet(known, KnownBits::between(8, a, std::min<uint64_t>(255, a + b)));
    }
    if (random.chance(40)) {
      int64_t a = int64_t{random.below(256)} - 128;
      known = meet(known, KnownBits::signed_between(8, a, std::min<int64_t>(127, a + random.below(100))));
    }
    if (random.chance(40)) {
      KnownBits bits = KnownBits::anything(8);
      bits.zeros = random.below(256) & random.below(256);
      bits.ones = random.below(256) & random.below(256) & ~bits.zeros;
      known = meet(known, bits);
    }
    if (random.chance(15)) known = KnownBits::constant(8, random.below(256));
    Set set{known, {}};
    for (uint64_t v = 0; v < 256; ++v)
      if (known.contains(v)) set.members.push_back(v);
    if (!set.members.empty()) return set;
  }
}

}  // namespace

TEST_CASE("results of operations on sets of bytes") {
  fuzz::Random random(1);
  for (int round = 0; round < 6000; ++round) {
    Set a = random_set(random), b = random_set(random);
    Op op = kBinary[round % std::size(kBinary)];
    bool compares = info(op).eval(Elem::I8, Elem::I1) && info(op).relation == Relation::None &&
                    signature_of(op).results[0].types.size() == 1;
    Elem to = compares ? Elem::I1 : Elem::I8;
    EvalFn eval = info(op).eval(Elem::I8, to);
    KnownBits result = transfer(op, {compares ? 1u : 8u, {&a.known, &b.known}});
    CAPTURE(round, name_of(op));
    for (uint64_t x : a.members)
      for (uint64_t y : b.members) {
        const uint64_t bits[] = {x, y};
        if (!result.contains(eval(bits))) FAIL("of " << x << " and " << y);
        if (!compares) continue;
        bool truth = eval(bits) == 1;
        if (!where(a.known, op, b.known, truth).contains(x)) FAIL("left " << x << " with " << y);
        if (!where_right(a.known, op, b.known, truth).contains(y)) FAIL("right " << y << " with " << x);
      }
    KnownBits either = join(a.known, b.known);
    for (uint64_t x : a.members) REQUIRE(either.contains(x));
    for (uint64_t y : b.members) REQUIRE(either.contains(y));
  }
}

TEST_CASE("results of conversions and counts of sets of bytes") {
  fuzz::Random random(2);
  for (int round = 0; round < 3000; ++round) {
    Set a = random_set(random);
    for (auto [op, to] :
         {std::pair(Op::zext, Elem::I16), std::pair(Op::zext, Elem::I64), std::pair(Op::sext, Elem::I32),
          std::pair(Op::sext, Elem::I64), std::pair(Op::trunc, Elem::I1), std::pair(Op::popcount, Elem::I8),
          std::pair(Op::clz, Elem::I8)}) {
      CAPTURE(round, name_of(op));
      KnownBits result = transfer(op, {Type{to}.bits(), {&a.known}});
      for (uint64_t x : a.members) REQUIRE(result.contains(info(op).eval(Elem::I8, to)(&x)));
    }
  }
}

TEST_CASE("what is known is not less than it should be") {
  auto apply = [](Op op, const KnownBits& a, const KnownBits& b) {
    return transfer(op, {a.width, {&a, &b}});
  };
  KnownBits index = KnownBits::between(32, 0, 1023);
  CHECK(apply(Op::mul, index, KnownBits::constant(32, 12)).umax == 1023 * 12);
  CHECK((apply(Op::mul, index, KnownBits::constant(32, 12)).zeros & 3) == 3);
  CHECK(apply(Op::add, index, KnownBits::constant(32, 0xffffffff)).smin == -1);
  CHECK(apply(Op::sub, index, index).smax == 1023);
  CHECK(apply(Op::urem, KnownBits::anything(32), KnownBits::between(32, 1, 10)).umax == 9);
  CHECK(apply(Op::udiv, KnownBits::anything(32), KnownBits::constant(32, 16)).umax == 0x0fffffff);
  CHECK(apply(Op::sdiv, KnownBits::anything(32), KnownBits::constant(32, 16)).smin == -(1 << 27));
  CHECK(apply(Op::srem, KnownBits::anything(32), KnownBits::constant(32, 10)).smin == -9);
  CHECK(apply(Op::ashr, KnownBits::anything(32), KnownBits::constant(32, 24)).smax == 127);
  CHECK(apply(Op::shl, index, KnownBits::constant(32, 4)).umax == 1023 * 16);
  CHECK(apply(Op::smax, KnownBits::anything(32), KnownBits::constant(32, 0)).non_negative());
  CHECK(where(KnownBits::anything(32), Op::slt, index, true).smax == 1022);
  CHECK(where(index, Op::ne, KnownBits::constant(32, 0), true).umin == 1);
  CHECK(where(index, Op::slt, KnownBits::constant(32, 0), true).nothing);
}
