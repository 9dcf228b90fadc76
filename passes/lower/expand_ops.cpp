// SPDX-License-Identifier: Apache-2.0
// expand_ops: expands opcodes that no machine has into opcodes that all machines have (the column `expand`).
//
// Thread IR, with or without variables.
//
// Needs ThreadForm; gives Expanded.
//
//   %2: i8 = popcount %1   ==>   %3: i8 = lshr %1, 1:i8
//                                %4: i8 = and %3, 85:i8
//                                %5: i8 = sub %1, %4
//                                ...
#include "passes/lower/expand_ops.h"

#include <algorithm>
#include <utility>
#include <vector>

#include "passes/ir_util.h"

namespace kc {

bool expand_ops(Function& f) {
  std::vector<std::pair<ValueId, ValueId>> replaced;
  for (BlockId b : f.layout) {
    std::vector<InstId> old = f.block(b).insts;
    auto has_expansion = [&](InstId i) { return info(f.inst(i).op).expand != nullptr; };
    if (std::none_of(old.begin(), old.end(), has_expansion)) continue;
    f.block(b).insts.clear();
    Builder builder(f);
    builder.block = b;
    for (InstId i : old) {
      if (!has_expansion(i)) {
        f.append(b, i);
        continue;
      }
      ValueList operands = f.inst(i).operands;
      builder.loc = f.inst(i).loc;
      ValueId result = info(f.inst(i).op).expand(builder, operands);
      replaced.emplace_back(f.result(i), result);
      f.inst(i).erased = true;
    }
  }
  Replacements replacements(f);
  for (auto [from, to] : replaced) replacements.set(from, to);
  apply_replacements(f, replacements);
  return !replaced.empty();
}

}  // namespace kc
