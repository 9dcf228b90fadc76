// SPDX-License-Identifier: Apache-2.0
// Strongly connected components of the control flow: Tarjan's algorithm without recursion.
#include <algorithm>
#include <map>

#include "backends/gcn/machine.h"

namespace kc::gcn {

std::vector<std::vector<size_t>> successors_of(const std::vector<MachineBlock>& blocks) {
  std::map<uint32_t, size_t> position;
  for (size_t i = 0; i < blocks.size(); ++i) position[blocks[i].id.index] = i;
  std::vector<std::vector<size_t>> successors(blocks.size());
  for (size_t b = 0; b < blocks.size(); ++b) {
    bool falls = true;
    for (const MachineInst& inst : blocks[b].insts) {
      if (inst.target.valid()) successors[b].push_back(position.at(inst.target.index));
      if (inst.op == Op::gcn_s_branch || inst.op == Op::gcn_s_endpgm) falls = false;
    }
    if (falls && b + 1 < blocks.size()) successors[b].push_back(b + 1);
  }
  return successors;
}

std::vector<uint32_t> find_components(const std::vector<MachineBlock>& blocks) {
  const auto successors = successors_of(blocks);
  constexpr uint32_t kUnseen = UINT32_MAX;
  std::vector<uint32_t> component(blocks.size(), kUnseen), order(blocks.size(), kUnseen), low(blocks.size());
  std::vector<size_t> open;                       // blocks without a component yet
  std::vector<std::pair<size_t, size_t>> visits;  // block, next successor
  uint32_t seen = 0, components = 0;
  for (size_t root = 0; root < blocks.size(); ++root) {
    if (order[root] == kUnseen) visits.push_back({root, 0});
    while (!visits.empty()) {
      auto& [b, next] = visits.back();
      if (next == 0) order[b] = low[b] = seen++, open.push_back(b);
      if (next < successors[b].size()) {
        const size_t to = successors[b][next++];
        if (order[to] == kUnseen)
          visits.push_back({to, 0});
        else if (component[to] == kUnseen)
          low[b] = std::min(low[b], order[to]);
        continue;
      }
      const size_t done = b;
      visits.pop_back();
      if (!visits.empty()) low[visits.back().first] = std::min(low[visits.back().first], low[done]);
      if (low[done] != order[done]) continue;
      for (size_t member = blocks.size(); member != done;) {
        member = open.back();
        open.pop_back();
        component[member] = components;
      }
      ++components;
    }
  }
  return component;
}

}  // namespace kc::gcn
