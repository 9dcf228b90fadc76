// SPDX-License-Identifier: Apache-2.0
#include "passes/transform/preheader.h"

namespace kc {

BlockId preheader(Function& f, const Cfg& cfg, const Cycles& cycles, uint32_t c) {
  BlockId header(cycles.cycles[c].header);
  std::vector<Target*> edges;
  BlockId from;
  for (BlockId p : cfg.preds[header.index]) {
    if (cycles.contains(c, p) || !cfg.reachable(p) || p == from) continue;
    from = p;
    for (Target& t : f.inst(f.terminator(p)).targets)
      if (t.block == header) edges.push_back(&t);
  }
  if (edges.size() == 1 && f.successors(from).size() == 1) return from;
  Target into{header, {}};
  BlockId block = f.add_block("front");
  if (edges.size() == 1) {
    into.args.swap(edges[0]->args);
  } else {
    for (ValueId p : f.block(header).params) into.args.push_back(f.add_param(block, f.type(p)));
  }
  for (Target* t : edges) t->block = block;
  InstId jump = f.create(Op::br, {}, {}, f.inst(f.terminator(header)).loc);
  f.inst(jump).targets = {std::move(into)};
  f.append(block, jump);
  return block;
}

}  // namespace kc
