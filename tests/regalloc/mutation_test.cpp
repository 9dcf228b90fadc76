// SPDX-License-Identifier: Apache-2.0
// Corrupts correct allocations slightly. Whenever execution shows a difference, the checker must have
// reported it.
#include <catch2/catch.hpp>

#include "ir/text.h"
#include "random_function.h"

using namespace kc;
using namespace kc::test;

namespace {

class Spoiler {
 public:
  Spoiler(Function& f, size_t originals, Random& random) : f_(f), originals_(originals), random_(random) {
    for (BlockId b : f.layout) {
      for (ValueId p : f.block(b).params) values_.push_back(p);
      for (InstId i : f.block(b).insts) {
        insts_.push_back(i);
        for (ValueId r : f.inst(i).results) values_.push_back(r);
      }
    }
  }

  bool spoil() {
    switch (below(6)) {
      case 0:
        return relocate();
      case 1:
        return exchange();
      case 2:
        return drop();
      case 3:
        return change_slot();
      case 4:
        return change_operand();
      default:
        return change_argument();
    }
  }

 private:
  uint32_t below(size_t n) { return static_cast<uint32_t>(random_() % n); }
  ValueId any_value() { return values_[below(values_.size())]; }

  bool relocate() {
    if (values_.empty()) return false;
    Location& l = f_.value(any_value()).location;
    l.index = l.index ? l.index - 1 : 1;
    return true;
  }
  bool exchange() {
    if (values_.empty()) return false;
    ValueId a = any_value(), b = any_value();
    if (f_.type(a) != f_.type(b)) return false;
    std::swap(f_.value(a).location, f_.value(b).location);
    return true;
  }
  InstId any_inserted() {
    InstId i = insts_[below(insts_.size())];
    return i.index >= originals_ && f_.inst(i).targets.empty() ? i : InstId();
  }
  bool drop() {
    InstId i = any_inserted();
    if (i.valid()) f_.erase(i);
    return i.valid();
  }
  bool change_slot() {
    InstId i = any_inserted();
    if (!i.valid() || f_.inst(i).op == Op::gcn_copy) return false;
    f_.inst(i).attrs[0] = f_.inst(i).attrs[0] ? f_.inst(i).attrs[0] - 1 : 1;
    return true;
  }
  bool change_operand() {
    Inst& inst = f_.inst(insts_[below(insts_.size())]);
    if (inst.operands.empty()) return false;
    ValueId& o = inst.operands[below(inst.operands.size())];
    ValueId v = any_value();
    if (f_.type(v) != f_.type(o)) return false;
    o = v;
    return true;
  }
  bool change_argument() {
    Inst& inst = f_.inst(insts_[below(insts_.size())]);
    if (inst.targets.empty()) return false;
    Target& t = inst.targets[below(inst.targets.size())];
    if (t.args.empty()) return false;
    ValueId& a = t.args[below(t.args.size())];
    ValueId v = any_value();
    if (f_.type(v) != f_.type(a)) return false;
    a = v;
    return true;
  }

  Function& f_;
  size_t originals_;
  Random& random_;
  std::vector<ValueId> values_;
  std::vector<InstId> insts_;
};

}  // namespace

TEST_CASE("the checker notices every spoiled allocation that computes something else", "[regalloc]") {
  const Machine machines[] = {{.small = 5, .wide = 8}, {.small = 6, .wide = 12, .alignment = 0}};
  uint32_t differing = 0, reported = 0, harmless = 0;
  for (const Machine& machine : machines)
    for (uint64_t seed = 1; seed <= 60; ++seed) {
      Random random(seed);
      Function f = random_function(machine, {.blocks = 7}, random);
      const Function before = f;
      RegTarget target = target_for(machine);
      REQUIRE(allocate_registers(f, target).has_value());
      for (int n = 0; n < 40; ++n) {
        Function bad = f;
        if (!Spoiler(bad, before.inst_count(), random).spoil()) continue;
        bool differs = false;
        for (uint64_t path = 0; path < 10 && !differs; ++path)
          differs = run_values(before, target, path) != run_registers(bad, target, before.inst_count(), path);
        auto messages = check_allocation(before, bad, target);
        reported += !messages.empty();
        harmless += messages.empty();
        if (!differs) continue;
        ++differing;
        INFO("seed " << seed << "\n" << print(f) << "\nspoiled\n" << print(bad));
        REQUIRE_FALSE(messages.empty());
      }
    }
  CHECK(differing > 500);
  CHECK(reported >= differing);
  CHECK(harmless > 0);
}
