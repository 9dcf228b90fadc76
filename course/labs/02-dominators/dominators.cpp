// SPDX-License-Identifier: Apache-2.0
// Reads a function and writes its dominator tree: for each block but the entry, its immediate dominator.
//
//   {"idom": {"1": 0, "2": 1}}
#include <optional>

#include "lab.h"

namespace {

// By block id. ir/cfg.h has what you need to walk the graph, Cfg; its DominatorTree is the compiler's answer,
// not yours.
std::vector<std::optional<kc::BlockId>> immediate_dominators(const kc::Function& f) {
  std::vector<std::optional<kc::BlockId>> idom(f.block_count());
  return idom;  // yours
}

}  // namespace

int main() {
  const auto module = lab::read();
  if (!module) return 1;
  const kc::Function& f = *module->functions.front();
  const auto number = lab::numbers(f);
  const auto idom = immediate_dominators(f);
  std::string entries;
  for (kc::BlockId b : f.layout)
    if (idom[b.index])
      entries += fmt::format("{}\"{}\": {}", entries.empty() ? "" : ", ", number[b.index],
                             number[idom[b.index]->index]);
  fmt::print("{{\"idom\": {{{}}}}}\n", entries);
}
