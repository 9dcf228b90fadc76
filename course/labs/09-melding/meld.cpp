// SPDX-License-Identifier: Apache-2.0
// A pass that melds the two arms of a branch. It changes nothing yet.
//
//   kernelc k.cl --emit=ir --passes=mem2reg,dce,exec:build/release/melding,instcombine,simplify_cfg,dce
//
// It uses the compiler's own functions (ir/function.h).
#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <string>
#include <vector>

#include "ir/cfg.h"
#include "ir/json/json.h"
#include "lab.h"

namespace {

using namespace kc;

/// A branch whose arms are one block each.
struct Diamond {
  BlockId block, yes, no, join;
};

std::vector<Diamond> diamonds(const Function& f) {
  const Cfg cfg(f);
  std::vector<Diamond> found;
  for (BlockId b : cfg.rpo) {
    if (f.inst(f.terminator(b)).op != Op::br_if) continue;
    const auto targets = f.successors(b);
    const BlockId yes = targets[0].block, no = targets[1].block;
    auto is_arm = [&](BlockId arm) {
      return cfg.preds[arm.index].size() == 1 && f.block(arm).params.empty() &&
             f.inst(f.terminator(arm)).op == Op::br;
    };
    if (yes == no || !is_arm(yes) || !is_arm(no)) continue;
    if (f.successors(yes)[0].block == f.successors(no)[0].block)
      found.push_back({b, yes, no, f.successors(yes)[0].block});
  }
  return found;
}

/// An instruction of one arm and one of the other, or one without a counterpart.
struct Step {
  std::optional<InstId> yes, no;
};

/// In an order that keeps that of both arms.
std::vector<Step> align(const Function& f, const Diamond& d) {
  std::vector<Step> steps;  // yours
  for (InstId i : f.block(d.yes).insts)
    if (i != f.terminator(d.yes)) steps.push_back({i, {}});
  for (InstId i : f.block(d.no).insts)
    if (i != f.terminator(d.no)) steps.push_back({{}, i});
  return steps;
}

void meld(Function& f) {
  for (const Diamond& d : diamonds(f)) {
    const std::vector<Step> steps = align(f, d);
    const bool alike =
        std::ranges::any_of(steps, [](const Step& s) { return s.yes.has_value() && s.no.has_value(); });
    if (!alike) continue;
    // Yours: Builder makes instructions, f.erase_blocks({d.yes, d.no}) removes the arms.
  }
}

}  // namespace

int main() { return lab::run_pass(meld); }
