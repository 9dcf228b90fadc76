// SPDX-License-Identifier: Apache-2.0
#include "fuzz/structured_random.h"

#include <fmt/format.h>

#include "fuzz/random.h"

namespace kc::fuzz {
namespace {

constexpr uint32_t kDepth = 4, kLoops = 3;  // nesting depth of statements and of loops

class Grower {
 public:
  explicit Grower(uint64_t seed) : random_(seed) {}

  StructuredTree tree() {
    StructuredTree t;
    procedures_ = random_.below(3);
    for (uint32_t k = 0; k <= procedures_; ++k) {
      callees_ = k;
      counters_ = 0;
      bool kernel = k == procedures_;
      t.procedures.push_back({.body = body(kernel ? kDepth : kDepth - 1, kernel ? 6 : 4), .counters = 0});
      t.procedures.back().counters = counters_;
    }
    return t;
  }

 private:
  // The jumps that are permitted at a point of generation.
  struct Place {
    uint32_t loops = 0;
    bool breaks = false, continues = false, throws = false, elected = false;
  };

  Condition condition(uint32_t depth = 2) {
    Condition c;
    uint32_t kind = random_.below(depth ? 100 : 70);
    if (kind < 4) {
      c = {.test = Test::Constant, .bits = random_.below(2)};
    } else if (kind < 10) {
      c = {.test = Test::Flag, .n = random_.below(kFlags)};
    } else if (kind < 22) {
      c = {.test = Test::Mask, .bits = random_.bits() | (random_.chance(50) ? random_.bits() : 0)};
    } else if (kind < 28) {
      c = {.test = Test::Uniform, .n = random_.below(6)};
    } else if (kind < 48) {
      c = {.test = Test::Data, .n = random_.below(20)};
    } else if (kind < 58 && counters_) {
      c = {.test = Test::Counter, .bits = random_.below(3), .n = random_.below(counters_)};
    } else if (kind < 70) {
      c = {.test = Test::Lane, .n = random_.below(20)};
    } else if (kind < 80) {
      c = {.test = Test::Votes, .n = random_.below(6)};
      c.parts.push_back(condition(depth - 1));
    } else {
      c.test = random_.chance(50) ? Test::And : Test::Or;
      for (int k = 0; k < 2; ++k) c.parts.push_back(condition(depth - 1));
    }
    return c;
  }

  Body body(uint32_t depth, uint32_t size, bool may_jump = false) {
    Body b;
    for (uint32_t k = 0, n = random_.between(1, size); k < n; ++k) b.push_back(statement(depth));
    if (may_jump && random_.chance(40)) jump(b);
    return b;
  }
  // Generates a body in which the permitted jumps differ from those around it.
  Body body_in(Place place, uint32_t depth, uint32_t size, bool may_jump = false) {
    std::swap(place, place_);
    Body b = body(depth, size, may_jump);
    std::swap(place, place_);
    return b;
  }

  void jump(Body& b) {
    std::vector<Step> steps;
    if (place_.breaks) steps.insert(steps.end(), 3, Step::Break);
    if (place_.continues) steps.insert(steps.end(), 2, Step::Continue);
    if (place_.throws) steps.insert(steps.end(), 2, Step::Throw);
    if (random_.chance(30)) steps.push_back(Step::Return);
    if (!steps.empty()) b.push_back({.step = random_.pick_from(steps)});
  }

  Statement statement(uint32_t depth) {
    uint32_t kind = random_.below(depth ? 100 : 48);
    if (kind < 20) return {.step = Step::Ballot, .condition = condition()};
    if (kind < 30) return {.step = Step::Store, .n = random_.below(4)};
    if (kind < 36) return {.step = Step::Change, .n = random_.below(1000)};
    if (kind < 40) return {.step = Step::Flag, .n = random_.below(kFlags), .condition = condition()};
    if (kind < 48)
      return {.step = Step::Convergent,
              .n = random_.below(8),
              .counter = random_.below(16),
              .condition = condition(1)};
    if (kind < 54 && callees_ && place_.loops < 2)
      return {.step = Step::Call, .n = random_.below(callees_), .counter = random_.below(100)};
    if (kind < 78) {
      Statement s{.step = Step::If, .condition = condition()};
      for (int k = 0; k < 2; ++k) s.bodies.push_back(body(depth - 1, k ? 2 : 3, true));
      return s;
    }
    if (kind < 84) return choice(depth);
    if (kind < 88) {
      Place inside = place_;
      inside.throws = true, inside.breaks = inside.continues = false;  // jumps do not leave a try here
      Statement s{.step = Step::Try};
      s.bodies.push_back(body_in(inside, depth - 1, 3));
      s.bodies.push_back(body(depth - 1, 2));
      return s;
    }
    return loop(depth);
  }

  Statement choice(uint32_t depth) {
    Statement s{.step = Step::Switch, .n = random_.below(20)};
    Place inside = place_;
    inside.breaks = true;
    for (uint32_t k = 0, n = random_.between(2, 4); k < n; ++k)
      s.bodies.push_back(body_in(inside, depth - 1, 2, true));
    return s;
  }

  Statement loop(uint32_t depth) {
    if (place_.loops == kLoops) return {.step = Step::Ballot, .condition = condition()};
    Statement s{.step = random_.pick({Step::For, Step::While, Step::Do}),
                .n = random_.below(6),
                .counter = counters_++,
                .uniform = random_.chance(30)};
    // Every work-item executes at least one iteration, so at most one Elect loop encloses another loop.
    if (!place_.elected && !place_.loops && random_.chance(35))
      s.step = Step::Elect;
    else if (random_.chance(25))
      s.step = Step::Until;
    s.also = s.step < Step::Elect && random_.chance(35);
    if (s.also || s.step == Step::Until) s.condition = condition();
    Place inside = place_;
    ++inside.loops;
    inside.breaks = inside.continues = true;
    inside.elected |= s.step == Step::Elect;
    if (s.step == Step::Elect || s.step == Step::Until) {
      Place one = inside;
      one.continues = false;  // it would never terminate
      s.bodies.push_back(body_in(one, depth - 1, 2));
    }
    s.bodies.push_back(body_in(inside, depth - 1, 3, true));
    return s;
  }

  Random random_;
  Place place_;
  uint32_t procedures_ = 0, callees_ = 0, counters_ = 0;
};

}  // namespace

StructuredProgram random_structured(uint64_t seed) {
  StructuredProgram p{.tree = Grower(seed).tree(), .run = {}, .source = {}, .launch = {}};
  p.source = source_of(p.tree);
  Random random(seed * 5 + 2);
  const uint32_t sizes[][2] = {{64, 64}, {45, 45}, {96, 48}, {40, 10}, {128, 64}};
  const auto& size = sizes[random.below(5)];
  p.run.group = size[1], p.run.n = random.below(64);
  p.run.items = size[0];
  std::string in = fmt::format("in=u32[{}]:iota", size[0]);
  p.launch = {"--global", fmt::to_string(size[0]),
              "--local",  fmt::to_string(size[1]),
              "--arg",    fmt::format("out=u64[{}]", 4 * size[0]),
              "--arg",    in,
              "--arg",    fmt::format("n={}", p.run.n)};
  return p;
}

}  // namespace kc::fuzz
