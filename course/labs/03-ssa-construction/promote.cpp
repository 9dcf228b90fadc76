// SPDX-License-Identifier: Apache-2.0
// A pass that turns variables into values: SSA construction. So far it does so inside of the entry block.
//
//   kernelc k.cl --emit=ir --passes=exec:build/pass/lab_promote
#include <optional>

#include "lab.h"

namespace {

void promote(kc::Function& f) {
  std::vector<std::optional<kc::ValueId>> value(
      f.vars.size());  // of each variable, at this point of the block
  kc::Replacements loads(f);
  const bool alone = f.layout.size() == 1;  // nobody else reads the variables
  std::vector<kc::InstId> gone;
  for (kc::InstId i : f.block(f.entry()).insts) {
    const kc::Inst& inst = f.inst(i);
    const auto var = static_cast<size_t>(inst.attrs[0]);
    if (inst.op == kc::Op::var_get && value[var]) {
      loads.set(inst.results[0], *value[var]);
      gone.push_back(i);
    } else if (inst.op == kc::Op::var_set) {
      value[var] = loads.resolve(inst.operands[0]);
      if (alone) gone.push_back(i);
    }
  }
  kc::apply_replacements(f, loads);
  for (kc::InstId i : gone) f.erase(i);
  if (alone) f.vars.clear();
  // Several blocks are yours: f.vars[n].type says what the parameters of blocks must be, f.add_param makes
  // one.
}

}  // namespace

int main() { return lab::run_pass(promote); }
