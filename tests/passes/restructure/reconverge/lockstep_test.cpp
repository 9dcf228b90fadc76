// SPDX-License-Identifier: Apache-2.0
// Runs reconverging thread functions like a wave: one program counter, a set of active work-items, and the
// others waiting at secondary blocks. Values that uniformity analysis calls uniform must be equal in all
// active work-items, all work-items must be active at the end, and the result must equal that of work-items
// that run alone.
#include <array>
#include <bit>
#include <catch2/catch.hpp>

#include "ir/text.h"
#include "passes/analysis/reconvergence_points.h"
#include "passes/restructure/reconverge.h"
#include "passes/transform/mem2reg.h"
#include "tests/property/graph_function.h"

using namespace kc;
using test::Graph;

namespace {

constexpr uint32_t kLanes = 32;

class Wave {
 public:
  Wave(const Function& function, uint64_t steer)
      : f(function),
        u_(analyse_uniformity(f)),
        post_(f, Cfg(f)),
        waiting_(f.block_count(), 0),
        bits_(f.value_count()),
        wild_(f.value_count(), 0),
        out(kLanes, 0) {
    for (uint32_t v = 0; v < f.value_count(); ++v) {
      if (f.is_const(ValueId(v))) bits_[v].fill(f.value(ValueId(v)).bits);
      if (f.is_undef(ValueId(v))) wild_[v] = ~0u;
    }
    const auto& params = f.block(f.entry()).params;
    bits_[params[0].index].fill(0), bits_[params[1].index].fill(steer);
  }

  std::string run() {
    for (uint32_t steps = 0; steps < 100000; ++steps) {
      active_ |= waiting_[at_.index], waiting_[at_.index] = 0;
      for (ValueId p : f.block(at_).params)
        if (!u_.divergent[p.index] && differs(p)) return "parameter " + print_operand(f, p);
      for (InstId i : f.block(at_).insts) {
        std::string fault = execute(f.inst(i));
        if (!fault.empty()) return fault + " in " + print(f, i);
      }
      if (f.successors(at_).empty()) return active_ == ~0u ? "" : "somebody is missing at the end";
      at_ = next_;
    }
    return "no end";
  }

 private:
  // Whether v differs between the active work-items, except those in which it is undef.
  bool differs(ValueId v) const {
    uint32_t lanes = active_ & ~wild_[v.index];
    if (!lanes) return false;
    uint64_t first = bits_[v.index][static_cast<size_t>(std::countr_zero(lanes))];
    for (uint32_t l = 0; l < kLanes; ++l)
      if ((lanes >> l & 1) && bits_[v.index][l] != first) return true;
    return false;
  }

  std::string execute(const Inst& inst) {
    for (ValueId v : inst.operands)
      if (!u_.divergent_use(f, at_, v) && differs(v)) return "use of " + print_operand(f, v);
    if (inst.op == Op::store) {
      for (uint32_t l = 0; l < kLanes; ++l)
        if (active_ >> l & 1)
          out[bits_[inst.operands[0].index][l] / 4] = static_cast<uint32_t>(bits_[inst.operands[1].index][l]);
    } else if (info(inst.op).has(Terminator)) {
      return leave(inst);
    } else {
      compute(inst);
      if (!u_.divergent[inst.results[0].index] && differs(inst.results[0])) return "result";
    }
    return {};
  }

  void compute(const Inst& inst) {
    ValueId r = inst.results[0];
    EvalFn eval = nullptr;
    if (info(inst.op).eval) {
      ValueId data = inst.operands[inst.op == Op::select ? 1 : 0];
      eval = info(inst.op).eval(f.type(data).elem, f.type(r).elem);
    }
    for (uint32_t l = 0; l < kLanes; ++l) {
      if (!(active_ >> l & 1)) continue;
      uint64_t operands[4] = {}, wild = 0;
      for (size_t k = 0; k < inst.operands.size(); ++k) {
        operands[k] = bits_[inst.operands[k].index][l];
        wild |= wild_[inst.operands[k].index] >> l & 1;
      }
      if (inst.op == Op::global_id)
        bits_[r.index][l] = l;
      else if (inst.op == Op::ptr_add)
        bits_[r.index][l] = operands[0] + operands[1] * 4;
      else
        bits_[r.index][l] = eval(operands);
      wild_[r.index] = (wild_[r.index] & ~(1u << l)) | static_cast<uint32_t>(wild) << l;
    }
  }

  // The edge that a work-item takes.
  size_t edge(const Inst& inst, uint32_t l) const {
    if (inst.op == Op::br) return 0;
    uint64_t v = bits_[inst.operands[0].index][l];
    if (inst.op == Op::br_if) return v ? 0 : 1;
    for (size_t k = 1; k < inst.operands.size(); ++k)
      if (bits_[inst.operands[k].index][l] == v) return k;
    return 0;
  }

  void pass(const Target& t, uint32_t lanes) {
    const auto& params = f.block(t.block).params;
    std::vector<std::array<uint64_t, kLanes>> values;
    std::vector<uint32_t> wilds;
    for (ValueId v : t.args) values.push_back(bits_[v.index]), wilds.push_back(wild_[v.index]);
    for (size_t k = 0; k < params.size(); ++k) {
      for (uint32_t l = 0; l < kLanes; ++l)
        if (lanes >> l & 1) bits_[params[k].index][l] = values[k][l];
      wild_[params[k].index] = (wild_[params[k].index] & ~lanes) | (wilds[k] & lanes);
    }
  }

  std::string leave(const Inst& inst) {
    if (inst.targets.empty()) return {};
    std::vector<uint32_t> takes(inst.targets.size(), 0);
    for (uint32_t l = 0; l < kLanes; ++l)
      if (active_ >> l & 1) takes[edge(inst, l)] |= 1u << l;
    for (size_t k = 0; k < takes.size(); ++k) pass(inst.targets[k], takes[k]);
    if (!u_.divergent_branch[at_.index]) {
      for (size_t k = 0; k < takes.size(); ++k)
        if (takes[k] == active_) return next_ = inst.targets[k].block, std::string();
      return "a uniform branch parts";
    }
    int s = secondary_target(f, post_, at_);
    if (s < 0) return "no secondary";
    BlockId secondary = inst.targets[static_cast<size_t>(s)].block;
    waiting_[secondary.index] |= takes[static_cast<size_t>(s)];
    active_ &= ~takes[static_cast<size_t>(s)];
    next_ = active_ ? inst.targets[static_cast<size_t>(1 - s)].block : secondary;
    return {};
  }

  const Function& f;
  Uniformity u_;
  PostDominatorTree post_;
  std::vector<uint32_t> waiting_;  // by block
  std::vector<std::array<uint64_t, kLanes>> bits_;
  std::vector<uint32_t> wild_;  // by value: the work-items in which it is undef
  uint32_t active_ = ~0u;
  BlockId at_ = f.entry(), next_;

 public:
  std::vector<uint32_t> out;
};

}  // namespace

namespace {

// Returns how often the order was insufficient.
size_t compare_with_lockstep(ReconvergeOptions plan) {
  std::mt19937 random(9);
  size_t failed = 0;
  size_t uniform_branches = 0;
  for (int round = 0; round < 500; ++round) {
    Graph g = test::random_cyclic_graph(random, 4 + random() % 12);
    std::vector<bool> divergent(g.size());
    for (size_t n = 0; n < g.size(); ++n) divergent[n] = random() % 3 == 0;
    Function f = test::graph_function(g, divergent);
    mem2reg(f);
    uint64_t steer = (static_cast<uint64_t>(random()) << 32) | random();
    auto want = test::run_graph_function(f, steer);
    REQUIRE(!want.empty());
    ReconvergeReport report;
    reconverge(f, {}, &report, plan);
    failed += report.plan_failed;
    Wave wave(f, steer);
    std::string fault = wave.run();
    if (!fault.empty() || wave.out != want) FAIL(round << ": " << fault << "\n" << print(f));
    Uniformity u = analyse_uniformity(f);
    for (BlockId b : f.layout) uniform_branches += f.successors(b).size() > 1 && !u.divergent_branch[b.index];
  }
  CHECK(uniform_branches > 300);
  return failed;
}

}  // namespace

TEST_CASE("a wave in lockstep agrees with work-items alone", "[reconverge][uniformity]") {
  CHECK(compare_with_lockstep({}) == 0);
}

TEST_CASE("a wave in lockstep agrees in other orders", "[reconverge][orders]") {
  CHECK(compare_with_lockstep({ReconvergeOptions::OpenTree, BlockOrder::CycleContiguous}) == 0);
  CHECK(compare_with_lockstep({ReconvergeOptions::OpenTree, BlockOrder::BreadthFirst}) < 30);
  size_t depth_first = compare_with_lockstep({ReconvergeOptions::OpenTree, BlockOrder::DepthFirst});
  CHECK(depth_first > 0);  // so the fallback to the default is tested
  CHECK(depth_first < 50);
  CHECK(compare_with_lockstep({ReconvergeOptions::OpenTree, BlockOrder::DepthFirstPostDominance}) < 50);
}

TEST_CASE("a wave in lockstep agrees when work-items wait at frontiers", "[reconverge][frontiers]") {
  CHECK(compare_with_lockstep({ReconvergeOptions::Frontiers}) == 0);
}
