// SPDX-License-Identifier: Apache-2.0
// Tests the generator: its output is well formed, terminates, and has the promised variety.
#include "tests/property/random_cfg.h"

#include <catch2/catch.hpp>
#include <set>

#include "ir/cfg.h"
#include "ir/text.h"
#include "ir/verify.h"
#include "sim/interpreter/thread_interpreter.h"

using namespace kc;
using namespace kc::test;

namespace {

// Whether repeatedly merging nodes into their only predecessor, with self loops removed, leaves one node.
bool reducible(const Function& f) {
  Cfg cfg(f);
  std::vector<std::set<uint32_t>> preds(f.block_count()), succs(f.block_count());
  std::set<uint32_t> alive;
  for (BlockId b : cfg.rpo) {
    alive.insert(b.index);
    for (const Target& t : f.successors(b))
      if (t.block != b) preds[t.block.index].insert(b.index), succs[b.index].insert(t.block.index);
  }
  for (bool changed = true; changed;) {
    changed = false;
    for (auto it = alive.begin(); it != alive.end();) {
      uint32_t n = *it;
      if (preds[n].size() != 1) {
        ++it;
        continue;
      }
      uint32_t p = *preds[n].begin();
      succs[p].erase(n);
      for (uint32_t s : succs[n]) {
        preds[s].erase(n);
        if (s != p) preds[s].insert(p), succs[p].insert(s);
      }
      it = alive.erase(it);
      changed = true;
    }
  }
  return alive.size() == 1;
}

}  // namespace

TEST_CASE("random functions are well formed, print and parse, and end") {
  uint64_t steps = 0, most = 0, trapped = 0, irreducible = 0, switches = 0, cyclic = 0;
  for (uint64_t seed = 0; seed < 1000; ++seed) {
    auto f = random_function(seed);
    INFO("seed " << seed);
    auto errors = verify(*f);
    if (!errors.empty()) FAIL(render(*f, errors) + print(*f));
    RunData data = make_data(seed);
    REQUIRE(data.launch.items() <= 192);
    Reference expected = run_reference(*f, data, 5'000'000);
    INFO(expected.result.message);
    REQUIRE((expected.result.status == RunStatus::Ok || expected.result.status == RunStatus::Trapped));
    steps += expected.result.steps;
    most = std::max(most, expected.result.steps / data.launch.items());
    trapped += expected.result.trap.has_value();
    Cfg cfg(*f);
    CHECK(cfg.rpo.size() == f->layout.size());
    irreducible += !reducible(*f);
    bool has_switch = false, has_cycle = false;
    for (BlockId b : f->layout) {
      has_switch |= f->inst(f->terminator(b)).op == Op::switch_;
      for (const Target& t : f->successors(b)) has_cycle |= cfg.number[t.block.index] <= cfg.number[b.index];
    }
    switches += has_switch, cyclic += has_cycle;
    if (seed % 10 == 0) {
      std::string text = print(*f);
      auto again = parse_module(text);
      REQUIRE(again.has_value());
      CHECK(print(*again->functions[0]) == text);
      // The parsed function behaves identically.
      CHECK(check_engine(expected, data, [&](RunData& d) {
              auto arguments = d.arguments();
              auto memory = d.memory();
              return run_threads(*again->functions[0], d.launch, arguments, {.memory = memory});
            }) == "");
    }
  }
  CAPTURE(steps, most, trapped, irreducible, switches, cyclic);
  CHECK(trapped > 50);
  CHECK(irreducible > 100);
  CHECK(irreducible < 700);
  CHECK(switches > 150);
  CHECK(cyclic > 500);
  CHECK(steps / 1000 > 500);
  CHECK(most < 20000);
}

TEST_CASE("reducible graphs on request, and the same function for the same seed") {
  for (uint64_t seed = 0; seed < 200; ++seed) {
    auto f = random_function(seed, {.floats = false, .irreducible = false});
    INFO("seed " << seed);
    CHECK(reducible(*f));
  }
  CHECK(random_text(42) == random_text(42));
  CHECK(random_text(42) != random_text(43));
}

TEST_CASE("a difference in results is found and named") {
  auto f = random_function(7, {.traps = false});
  RunData data = make_data(7);
  Reference expected = run_reference(*f, data);
  auto run = [&](RunData& d) {
    auto arguments = d.arguments();
    auto memory = d.memory();
    return run_threads(*f, d.launch, arguments, {.memory = memory});
  };
  CHECK(check_engine(expected, data, run) == "");
  CHECK(check_engine(expected, data, [&](RunData& d) {
          RunResult r = run(d);
          d.buffers[1].storage[5] ^= uint64_t{1} << 32;
          return r;
        }).starts_with("out[11]: expected"));
  CHECK(check_engine(expected, data, [&](RunData& d) {
          RunResult r = run(d);
          r.status = RunStatus::StepLimit;
          return r;
        }) == "expected status 'ok', got 'step limit' ");
  CHECK(check_engine(expected, data, [&](RunData& d) {
          RunResult r = run(d);
          r.trap = TrapReport{};
          return r;
        }).starts_with("expected trap none, got throw"));
}
