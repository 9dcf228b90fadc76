// SPDX-License-Identifier: Apache-2.0
// The rewrites of expressions keep values (docs/rewrites.md), and the judges of that are judged.
#include <fmt/format.h>

#include <algorithm>
#include <catch2/catch.hpp>
#include <cmath>
#include <ctime>

#include "fuzz/random.h"
#include "tests/rewrites/campaign.h"
#include "tests/rewrites/patterns.h"

using namespace kc;
using namespace kc::rewrites;

namespace {

// Steps, since the test should find the same on a busy machine; all.sh gives the solver a minute.
constexpr JudgeLimits kQuick{.solver_milliseconds = 20'000,
                             .solver_steps = 300'000,
                             .exhaustive_bits = 16,
                             .most_bits = 17,
                             .samples = 500};

// Circuits of divisions and fused sums: the solver needs more than the steps of a quick judge.
bool takes_long(std::string_view rule) {
  return rule == "instcombine: fdiv times_one" || rule == "instcombine: ffma fused_one";
}

bool has_solver() {
  if (!Smt::available()) WARN("SKIPPED: no SMT solver (libz3-dev); only values are compared");
  return Smt::available();
}

bool is_nan(Elem e, uint64_t bits) {
  return e == Elem::F32 ? std::isnan(std::bit_cast<float>(static_cast<uint32_t>(bits)))
                        : std::isnan(std::bit_cast<double>(bits));
}

// All typings of a pattern, with the first choice of its leaves.
std::vector<TermId> typings_of(Terms& terms, std::string_view pattern) {
  std::vector<TermId> all;
  for_each_typing(pattern, [&](const Skeleton& s) {
    if (auto e = s.expression(terms, 0)) all.push_back(*e);
  });
  return all;
}

struct Broken {
  std::string_view before, after;
};
// Each is wrong at every type but i1.
constexpr Broken kBroken[] = {
    {"(sdiv x 8)", "(ashr x 3)"},
    {"(srem x 8)", "(and x 7)"},
    {"(urem x 8)", "(and x 8)"},
    {"(mul x 8)", "(shl x 4)"},
    {"(udiv x 8)", "(ashr x 3)"},
    {"(udiv x x)", "(or 1 (xor x x))"},
    {"(udiv x 0)", "(and x 0)"},
    {"(srem x y)", "(sub x (mul (udiv x y) y))"},
    {"(add x 1)", "(sub x 1)"},
    {"(sub x y)", "(sub y x)"},
    {"(xor x x)", "(or x x)"},
    {"(and x -2)", "(or x 0)"},
    {"(lshr (shl x 1) 1)", "(or x 0)"},
    {"(ashr (shl x 4) 4)", "(or x 0)"},
    {"(lshr (lshr x 4) 3)", "(lshr x 6)"},
    {"(shl x (and y 3))", "(shl x y)"},
    {"(slt x y)", "(sle x y)"},
    {"(slt x 0)", "(ult x 0)"},
    {"(ult x 1)", "(ne x 0)"},
    {"(eq (add x 1) 3)", "(eq x 4)"},
    {"(eq (urem x 6) 0)", "(eq (and x 5) 0)"},
    {"(and (slt 2 x) (slt x 9))", "(ule (sub x 2) 6)"},
    {"(select (slt x y) x y)", "(smax x y)"},
    {"(select (ult x y) x y)", "(smin x y)"},
    {"(select (slt 9 x) 9 (smax x 20))", "(smin (smax x 20) 9)"},
    {"(zext (trunc (add x 0)))", "(sext (trunc (add x 0)))"},
    {"(popcount x)", "(clz x)"},
    {"(clz x)", "(popcount (xor x -1))"},
    {"(fadd x 0)", "(fsub x 0)"},
    {"(fsub 0 x)", "(fneg x)"},
    {"(fmul x 0)", "(fsub x x)"},
    {"(fsub x y)", "(fsub y x)"},
    {"(xor (flt x y) 1)", "(fle y x)"},
    {"(feq x x)", "(feq (fabs x) 0)"},
    {"(fabs x)", "(select (flt x 0) (fneg x) x)"},
    {"(fmin x y)", "(select (flt x y) x y)"},
    {"(fmax x y)", "(fmin x y)"},
    {"(ffma x y z)", "(fneg (ffma x y z))"},
    {"(ffloor x)", "(ftrunc x)"},
    {"(frint x)", "(ffloor x)"},
    {"(sitofp x)", "(uitofp x)"},
    {"(fptosi (fneg x))", "(sub 0 (fptosi x))"},
    {"(fptoui x)", "(fptosi x)"},
    {"(fpext (fptrunc x))", "(fsub x 0)"},
    {"(ptr_add x (sub y 1))", "(ptr_add x y)"},
    {"(sub (global_id 0) (local_id 0))", "(sub (local_id 0) (global_id 0))"},
};

bool same_variables(const Terms& terms, TermId a, TermId b) {
  auto first = terms.variables({a}), second = terms.variables({b});
  for (TermId v : second)
    if (std::ranges::find(first, v) == first.end()) return false;
  return true;
}
std::vector<Elem> operand_types(const Terms& terms, TermId id) {
  std::vector<Elem> types;
  for (size_t k = 0; k < terms[id].count; ++k) types.push_back(terms[terms[id].operands[k]].elem);
  return types;
}
bool is_boolean(const Terms& terms, TermId id) {
  return std::ranges::all_of(terms.variables({id}), [&](TermId v) { return terms[v].elem == Elem::I1; });
}

}  // namespace

TEST_CASE("each rewrite that the passes make keeps the value, and each rule is reached") {
  has_solver();
  Judge judge(kQuick);
  examine_some(judge, kOneOfPairs);
  const std::clock_t spent = std::clock();
  for (const std::string& failure : judge.failures()) FAIL_CHECK(failure);
  fmt::print("{} expressions, {} changed, {} questions to the solver, {:.0f} s\n", judge.examined(),
             judge.changed(), judge.questions(), static_cast<double>(spent) / CLOCKS_PER_SEC);
  fmt::print("{:48} {:>8} {:>11} {:>9} {:>9} {:>7}\n", "rule", "applied", "expressions", "by solver",
             "by values", "neither");
  for (const std::string& rule : all_rules()) {
    INFO(rule);
    const auto found = judge.rows().find(rule);
    const RuleRow row = found == judge.rows().end() ? RuleRow() : found->second;
    fmt::print("{:48} {:8} {:11} {:9} {:9} {:7}\n", rule, row.applied, row.expressions, row.by_solver,
               row.by_values, row.undecided);
    CHECK(row.applied > 0);
    if (Smt::available()) {
      CHECK((row.by_solver + row.by_values > 0 || takes_long(rule)));
    }
  }
  CHECK(judge.changed() > 8'000);
}

TEST_CASE("the solver's meaning of each opcode agrees with its evaluation") {
  if (!has_solver()) return;
  Smt smt;
  fuzz::Random random(3);
  for (const TypedOp& typed : typed_ops()) {
    Terms terms;
    const bool reads_bits =
        typed.op == Op::bitcast && Type{typed.operands[0]}.is_float() && !Type{typed.result}.is_float();
    for (int n = 0; n < 60; ++n) {
      std::vector<TermId> operands;
      bool unspecified = false;
      for (Elem e : typed.operands) {
        const auto special = special_values(e);
        const uint64_t bits =
            random.chance(50) ? special[random.below(static_cast<uint32_t>(special.size()))] : random.bits();
        operands.push_back(terms.constant(e, bits));
        unspecified |= reads_bits && is_nan(e, bits);
      }
      if (unspecified) continue;
      const TermId id = terms.operation(typed.op, typed.result, operands, typed.attrs);
      Evaluation evaluation(terms, id, id);
      evaluation({});
      const auto value = smt.value(terms, id);
      INFO(terms.text(id) << " is " << evaluation.before());
      REQUIRE(value.has_value());
      const bool nans = Type{typed.result}.is_float() && is_nan(typed.result, *value) &&
                        is_nan(typed.result, evaluation.before());
      if (!nans) CHECK(*value == evaluation.before());
    }
  }
}

TEST_CASE("broken rewrites are noticed at every type") {
  const bool solver = has_solver();
  for (const Broken& broken : kBroken) {
    INFO(broken.before << " to " << broken.after);
    Terms terms;
    Smt smt;
    smt.limit_steps(10 * kQuick.solver_steps);
    size_t pairs = 0, refuted = 0;
    const auto befores = typings_of(terms, broken.before), afters = typings_of(terms, broken.after);
    for (TermId before : befores)
      for (TermId after : afters) {
        if (terms[before].elem != terms[after].elem || !same_variables(terms, before, after)) continue;
        if (is_boolean(terms, before)) continue;
        INFO(terms.text(before) << " to " << terms.text(after));
        Judge values({.solver_milliseconds = 0, .most_bits = 17, .samples = 100'000});
        CHECK(values.prove(terms, before, after).wrong);
        if (solver) {
          // Some counterexamples in f64 take the solver minutes.
          const auto answer = smt.refines(terms, before, after, kQuick.solver_milliseconds);
          CHECK(answer != Smt::Proved);
          refuted += answer == Smt::Refuted;
        }
        ++pairs;
      }
    CHECK(pairs > 0);
    if (solver) {
      CHECK(refuted > 0);
    }
  }
}

TEST_CASE("on bytes the solver and all values give the same verdict, right or wrong") {
  if (!has_solver()) return;
  std::vector<const TypedOp*> ops;
  for (const TypedOp& typed : typed_ops())
    if (typed.result == Elem::I8 &&
        std::ranges::all_of(typed.operands, [](Elem e) { return e == Elem::I8 || e == Elem::I1; }))
      ops.push_back(&typed);
  fuzz::Random random(5);
  Smt smt;
  Terms terms;
  auto leaf = [&](Elem e) {
    if (e == Elem::I1) return terms.variable(e, 0);
    return random.chance(50) ? terms.variable(e, random.below(2))
                             : terms.constant(e, special_values(e)[random.below(13)]);
  };
  size_t equal = 0, different = 0;
  for (int n = 0; n < 600; ++n) {
    auto make = [&](const TypedOp& typed, TermId first) {
      std::vector<TermId> operands;
      for (Elem e : typed.operands) operands.push_back(operands.empty() && e == Elem::I8 ? first : leaf(e));
      return terms.operation(typed.op, typed.result, operands, typed.attrs);
    };
    const TermId inner = make(*random.pick_from(ops), leaf(Elem::I8));
    const TermId before = make(*random.pick_from(ops), inner);
    // Another operation of the same shape, other operands, or one of the parts.
    Term t = terms[before];
    if (random.chance(50)) {
      const TypedOp& other = *random.pick_from(ops);
      if (std::ranges::equal(other.operands, operand_types(terms, before))) t.op = other.op;
    } else if (t.count == 2) {
      std::swap(t.operands[0], t.operands[1]);
    }
    const TermId after = random.chance(20) ? inner : terms.add(t);
    INFO(terms.text(before) << " to " << terms.text(after));
    Judge values({.solver_milliseconds = 0, .exhaustive_bits = 17});
    const Proof proof = values.prove(terms, before, after);
    REQUIRE(proof.wrong != proof.by_values);
    const auto answer = smt.refines(terms, before, after, 60'000);
    CHECK(answer == (proof.wrong ? Smt::Refuted : Smt::Proved));
    ++(proof.wrong ? different : equal);
  }
  CHECK(equal > 50);
  CHECK(different > 50);
}
