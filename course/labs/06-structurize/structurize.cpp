// SPDX-License-Identifier: Apache-2.0
// A pass that gives any function structured control flow. So far it gives every function one `ret`.
//
//   kernelc k.cl --emit=ir
//   --passes=mem2reg,simplify_cfg,dce,lower_traps,exec:build/pass/lab_structurize,mem2reg
#include "lab.h"

namespace {

void structurize(kc::Function& f) {
  lab::demote(f);  // values pass blocks in variables now: edges can be moved freely
  lab::one_return(f);
  // Loops first, then branches: they are yours.
}

}  // namespace

int main() { return lab::run_pass(structurize); }
