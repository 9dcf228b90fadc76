// SPDX-License-Identifier: Apache-2.0
// div_rem_pairs: a remainder whose quotient is computed, too, becomes a product and a difference.
//
// No target divides integers of all lanes in one instruction, so a second division costs tens of them. The
// quotient must dominate the remainder; one that follows it in the same block moves before it. The identity
// x % y = x - x / y * y holds for all operands: x / 0 times 0 is 0 and x % 0 is x, and MIN / -1 wraps to MIN
// and MIN % -1 is 0.
//
// Needs ThreadForm, Ssa; kills Reconverging, Structured.
//
//   %2: i32 = sdiv %x, %y          %2: i32 = sdiv %x, %y
//   %3: i32 = srem %x, %y    ==>   %4: i32 = mul %2, %y
//                                  %3: i32 = sub %x, %4
#include "passes/transform/div_rem_pairs.h"

#include <array>
#include <map>
#include <set>
#include <vector>

namespace kc {
namespace {

class DivRemPairs {
 public:
  DivRemPairs(Function& function, AnalysisCache& analyses, RewriteCounts* counts)
      : f(function), analyses_(analyses), counts_(counts) {}

  bool run() {
    std::vector<BlockId> blocks;  // with remainders
    for (BlockId b : f.layout)
      for (InstId i : f.block(b).insts) {
        const Op op = f.inst(i).op;
        if (op == Op::sdiv || op == Op::udiv) quotients_[operands_of(i)].push_back(i);
        const bool remainder = op == Op::srem || op == Op::urem;
        if (remainder && (blocks.empty() || blocks.back() != b)) blocks.push_back(b);
      }
    if (quotients_.empty()) return false;
    bool changed = false;
    for (BlockId b : blocks) changed |= rewrite(b);
    return changed;
  }

 private:
  struct Operands {
    bool is_signed;
    ValueId dividend, divisor;
    auto operator<=>(const Operands&) const = default;
  };
  Operands operands_of(InstId i) const {
    const Inst& inst = f.inst(i);
    return {inst.op == Op::sdiv || inst.op == Op::srem, inst.operands[0], inst.operands[1]};
  }

  InstId quotient_for(InstId remainder) const {
    auto found = quotients_.find(operands_of(remainder));
    if (found == quotients_.end()) return {};
    const BlockId block = f.inst(remainder).block;
    for (InstId i : found->second)
      if (analyses_.dominators().dominates(f.inst(i).block, block)) return i;
    return {};
  }

  bool rewrite(BlockId b) {
    std::vector<InstId> order;
    std::set<InstId> placed;  // quotients before a remainder
    bool changed = false;
    for (InstId i : f.block(b).insts) {
      const Op op = f.inst(i).op;
      if ((op == Op::sdiv || op == Op::udiv) && !placed.insert(i).second) continue;
      const InstId quotient = op == Op::srem || op == Op::urem ? quotient_for(i) : InstId();
      if (quotient.valid()) {
        if (f.inst(quotient).block == b && placed.insert(quotient).second) order.push_back(quotient);
        count_rule(counts_, op, "from_quotient");
        order.push_back(product(i, quotient));
        changed = true;
      }
      order.push_back(i);
    }
    if (changed) f.block(b).insts = std::move(order);
    return changed;
  }

  // Makes the remainder a difference from the product that is returned.
  InstId product(InstId remainder, InstId quotient) {
    const auto [is_signed, dividend, divisor] = operands_of(remainder);
    const std::array types{f.type(dividend)};
    const InstId i = f.create(Op::mul, {f.result(quotient), divisor}, types, f.inst(remainder).loc);
    f.inst(i).block = f.inst(remainder).block;
    Inst& inst = f.inst(remainder);
    inst.op = Op::sub;
    inst.operands = {dividend, f.result(i)};
    return i;
  }

  Function& f;
  AnalysisCache& analyses_;
  RewriteCounts* counts_;
  std::map<Operands, std::vector<InstId>> quotients_;
};

}  // namespace

bool div_rem_pairs(Function& f, AnalysisCache& analyses) { return DivRemPairs(f, analyses, nullptr).run(); }
bool div_rem_pairs(Function& f, AnalysisCache& analyses, RewriteCounts& counts) {
  return DivRemPairs(f, analyses, &counts).run();
}

std::vector<std::string> div_rem_pairs_rules() {
  return {rule_name(Op::srem, "from_quotient"), rule_name(Op::urem, "from_quotient")};
}

}  // namespace kc
