// SPDX-License-Identifier: Apache-2.0
// No pass on thread IR is quadratic on shapes that occur in programs.
#include <catch2/catch.hpp>
#include <ctime>
#include <set>

#include "ir/verify.h"
#include "passes/analysis/uniformity.h"
#include "passes/pipeline.h"

using namespace kc;

namespace {

// A function under construction: each block computes a value from its input.
class Shape {
 public:
  Shape() : build(f) {
    f.name = "shape";
    BlockId entry = f.add_block();
    f.add_param(entry, kPtrGlobal);
    f.params.push_back({.name = "out", .pointee = Elem::I32});
    build.block = entry;
    id = build.make(Op::global_id, kI32, {}, {0});
    value = id;
  }
  // A distinct condition at every use.
  ValueId condition() { return build.make(Op::slt, kI1, {value, build.i32(static_cast<int32_t>(++count))}); }
  void step(Op op = Op::add) {
    value = build.make(op, kI32, {value, build.i32(static_cast<int32_t>(++count))});
  }
  void store() { build.emit(Op::store, {f.block(f.entry()).params[0], value}); }
  void enter(BlockId b) {
    build.block = b;
    if (!f.block(b).params.empty()) value = f.block(b).params[0];
  }
  BlockId block(bool with_value = false) {
    BlockId b = f.add_block();
    if (with_value) f.add_param(b, kI32);
    return b;
  }

  Function f;
  Builder build;
  ValueId id, value;
  uint32_t count = 0;
};

// if (c) { x op k; [store] }, in sequence
void ifs(Shape& s, uint32_t n, bool effects) {
  for (uint32_t i = 0; i < n / 2; ++i) {
    BlockId then = s.block(), next = s.block(true);
    ValueId before = s.value;
    s.build.br_if(s.condition(), {then, {}}, {next, {before}});
    s.enter(then);
    s.step();
    if (effects) s.store();
    s.build.br(next, {s.value});
    s.enter(next);
  }
}
void nested_ifs(Shape& s, uint32_t n) {
  BlockId out = s.block(true);
  for (uint32_t i = 0; i < n; ++i) {
    BlockId inner = s.block();
    ValueId before = s.value;
    s.build.br_if(s.condition(), {inner, {}}, {out, {before}});
    s.enter(inner);
    s.step();
    if (i % 4 == 0) s.store();
  }
  s.build.br(out, {s.value});
  s.enter(out);
}
// c0 || c1 || ...
void conditions(Shape& s, uint32_t n) {
  BlockId yes = s.block();
  for (uint32_t i = 0; i < n; ++i) {
    BlockId next = s.block();
    s.build.br_if(s.condition(), {yes, {}}, {next, {}});
    s.enter(next);
  }
  s.build.br(yes);
  s.enter(yes);
}
// while (i < bound) { store; i++ }, in sequence or nested; without a bound, the id is used.
void loops(Shape& s, uint32_t n, bool nested, int32_t bound = 0) {
  struct Open {
    BlockId head, exit;
    ValueId i;
  };
  std::vector<Open> open;
  auto close = [&] {
    auto [head, exit, i] = open.back();
    open.pop_back();
    s.build.br(head, {s.build.make(Op::add, kI32, {i, s.build.i32(1)})});
    s.enter(exit);
  };
  for (uint32_t k = 0; k < n / 3; ++k) {
    BlockId head = s.block(true), body = s.block(), exit = s.block();
    s.build.br(head, {s.build.i32(0)});
    s.enter(head);
    open.push_back({head, exit, s.value});
    s.build.br_if(s.build.make(Op::slt, kI1, {s.value, bound ? s.build.i32(bound) : s.id}), {body, {}},
                  {exit, {}});
    s.enter(body);
    s.value = s.build.make(Op::mul, kI32, {s.id, s.build.i32(static_cast<int32_t>(k + 5))});
    s.store();
    if (!nested) close();
  }
  while (!open.empty()) close();
  s.value = s.id;
}

// if (c) { x = x * k; out[x] = x; } else the same with other numbers, in sequence or nested
void alike_sides(Shape& s, uint32_t n, bool nested) {
  const ValueId out = s.f.block(s.f.entry()).params[0];
  BlockId end = s.block();
  for (uint32_t i = 0; i < n / 3; ++i) {
    BlockId left = s.block(), right = s.block(), next = nested ? end : s.block();
    s.build.br_if(s.condition(), {left, {}}, {right, {}});
    for (BlockId side : {left, right}) {
      s.enter(side);
      ValueId x = s.build.make(Op::mul, kI32, {s.id, s.build.i32(static_cast<int32_t>(++s.count))});
      s.build.emit(Op::store, {s.build.make(Op::ptr_add, kPtrGlobal, {out, x}, {4, 0}), x});
      if (!nested || side == left) s.build.br(next);
    }
    if (!nested) s.enter(next);
  }
  s.build.br(end);
  s.enter(end);
}

// The same as arms of a switch.
void alike_arms(Shape& s, uint32_t n) {
  const ValueId out = s.f.block(s.f.entry()).params[0];
  BlockId end = s.block();
  const InstId by = s.build.emit(Op::switch_, {s.id});
  s.f.inst(by).targets.push_back({end, {}});
  for (uint32_t i = 0; i < n; ++i) {
    s.f.inst(by).operands.push_back(s.build.i32(static_cast<int32_t>(i)));
    s.f.inst(by).targets.push_back({s.block(), {}});
    s.enter(s.f.inst(by).targets.back().block);
    ValueId x = s.build.make(Op::mul, kI32, {s.id, s.build.i32(static_cast<int32_t>(++s.count))});
    s.build.emit(Op::store, {s.build.make(Op::ptr_add, kPtrGlobal, {out, x}, {4, 0}), x});
    s.build.br(end);
  }
  s.enter(end);
}

// A switch whose arms compute a value from their number for the join; every eighth case branches there
// directly.
void arms(Shape& s, uint32_t n) {
  const ValueId on = s.id;
  BlockId end = s.block(true);
  const InstId by = s.build.emit(Op::switch_, {on});
  s.f.inst(by).targets.push_back({end, {on}});
  for (uint32_t i = 0; i < n; ++i) {
    s.f.inst(by).operands.push_back(s.build.i32(static_cast<int32_t>(i)));
    if (i % 8 == 0) {
      s.f.inst(by).targets.push_back({end, {s.build.i32(static_cast<int32_t>(i / 2))}});
      continue;
    }
    s.f.inst(by).targets.push_back({s.block(), {}});
    s.enter(s.f.inst(by).targets.back().block);
    s.value = on;
    s.step();
    s.build.br(end, {s.value});
  }
  s.enter(end);
}

// A loop around a switch whose cases all pass on the same 16 values, which differ after it.
void same_values(Shape& s, uint32_t n) {
  constexpr size_t kValues = 16;
  const std::vector<ValueId> start(kValues, s.build.i32(0));
  const BlockId head = s.block(), other = s.block(), meet = s.block(), end = s.block();
  for (BlockId b : {head, meet})
    for (size_t k = 0; k < kValues; ++k) s.f.add_param(b, kI32);
  auto values_of = [&](BlockId b) {
    return std::vector(s.f.block(b).params.begin(), s.f.block(b).params.end());
  };
  s.build.br(head, start);
  s.enter(head);
  const InstId by = s.build.emit(Op::switch_, {s.id});
  s.f.inst(by).targets.push_back({other, {}});
  for (uint32_t i = 0; i < n; ++i) {
    s.f.inst(by).operands.push_back(s.build.i32(static_cast<int32_t>(i)));
    s.f.inst(by).targets.push_back({meet, values_of(head)});
  }
  s.enter(other);
  std::vector<ValueId> changed;
  for (ValueId v : values_of(head)) changed.push_back(s.build.make(Op::add, kI32, {v, s.build.i32(1)}));
  s.build.br(meet, changed);
  s.enter(meet);
  s.build.br_if(s.build.make(Op::slt, kI1, {s.value, s.build.i32(100)}), {head, values_of(meet)}, {end, {}});
  s.enter(end);
}

double cost(std::string_view pass, uint32_t n, void (*make)(Shape&, uint32_t)) {
  Shape s;
  make(s, n);
  s.store();
  s.build.ret();
  REQUIRE(verify(s.f).empty());
  PassState state{.f = std::make_unique<Function>(std::move(s.f))};
  std::clock_t start = std::clock();
  run_pass(*find_pass(pass), state);
  double seconds = static_cast<double>(std::clock() - start) / CLOCKS_PER_SEC;
  CHECK(verify(*state.f).empty());
  return seconds;
}

}  // namespace

TEST_CASE("tens of thousands of blocks in near-linear time") {
  struct Row {
    const char* name;
    void (*make)(Shape&, uint32_t);
  };
  static constexpr Row kShapes[] = {
      {"ifs", [](Shape& s, uint32_t n) { ifs(s, n, false); }},
      {"ifs with stores", [](Shape& s, uint32_t n) { ifs(s, n, true); }},
      {"nested ifs", nested_ifs},
      {"chain of conditions", conditions},
      {"loops", [](Shape& s, uint32_t n) { loops(s, n, false); }},
      {"counted loops", [](Shape& s, uint32_t n) { loops(s, n, false, 3); }},
      // Analyses of cycles may depend on their depth, which is small in programs.
      {"alike sides", [](Shape& s, uint32_t n) { alike_sides(s, n, false); }},
      {"alike arms", [](Shape& s, uint32_t n) { alike_arms(s, n / 4); }},
      {"alike sides in else", [](Shape& s, uint32_t n) { alike_sides(s, n, true); }},
      {"nested loops", [](Shape& s, uint32_t n) { loops(s, n / 100 + 60, true); }},
  };
  auto names = default_pipeline(PipelineKind::ThreadLower);
  for (std::string_view pass : std::set(names.begin(), names.end()))
    for (const Row& row : kShapes) {
      INFO(pass << " on " << row.name);
      // Ten times the size must not cost much more than ten times the time; quadratic work would be 100
      // times.
      double small = cost(pass, 2000, row.make), large = cost(pass, 20000, row.make);
      CHECK(large < 30 * small + 0.3);
    }
}

TEST_CASE("uniformity of values that thousands of edges pass in near-linear time") {
  auto cost = [](uint32_t n) {
    Shape s;
    same_values(s, n);
    s.store();
    s.build.ret();
    REQUIRE(verify(s.f).empty());
    std::clock_t start = std::clock();
    Uniformity u = analyse_uniformity(s.f);
    double seconds = static_cast<double>(std::clock() - start) / CLOCKS_PER_SEC;
    CHECK(u.divergent[s.value.index]);
    return seconds;
  };
  double small = cost(500), large = cost(5000);
  CHECK(large < 30 * small + 0.3);
}

TEST_CASE("switches with tens of thousands of cases in near-linear time") {
  for (std::string_view pass :
       {"instcombine", "simplify_cfg", "sccp", "jump_threading", "range_simplify", "dce"}) {
    INFO(pass);
    double small = cost(pass, 2000, arms), large = cost(pass, 20000, arms);
    CHECK(large < 30 * small + 0.3);
  }
}
