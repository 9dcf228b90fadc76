// SPDX-License-Identifier: Apache-2.0
// A pass that makes lanes reconverge after every divergent branch. So far it gives every function one `ret`,
// at the end.
//
//   kernelc k.cl --emit=ir
//   --passes=mem2reg,simplify_cfg,dce,lower_traps,exec:build/pass/lab_reconverge,mem2reg
#include "ir/cfg.h"
#include "lab.h"

namespace {

void reconverge(kc::Function& f) {
  lab::demote(f);  // values pass blocks in variables now: edges can be moved freely
  lab::one_return(f);
  std::vector<kc::BlockId> order = kc::Cfg(f).rpo;
  std::ranges::stable_partition(order,
                                [&](kc::BlockId b) { return !f.successors(b).empty(); });  // the exit is last
  // Take the blocks of `order` one by one: that is yours. The blocks of a loop must be together in it.
  f.layout = order;  // the layout must be the order in which blocks were taken, flow blocks included
}

}  // namespace

int main() { return lab::run_pass(reconverge); }
