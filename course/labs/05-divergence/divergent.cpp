// SPDX-License-Identifier: Apache-2.0
// Reads a function and writes the blocks that end in divergent branches: {"divergent": [1, 3]}.
#include "lab.h"

namespace {

// By block id: whether lanes of one warp may leave the block by different edges. So far: wherever there are
// several edges, which is never wrong.
std::vector<bool> divergent(const kc::Function& f) {
  std::vector<bool> found(f.block_count(), false);
  for (kc::BlockId b : f.layout) found[b.index] = f.successors(b).size() > 1;
  return found;
}

}  // namespace

int main() {
  const auto module = lab::read();
  if (!module) return 1;
  const kc::Function& f = *module->functions.front();
  const auto number = lab::numbers(f);
  const std::vector<bool> found = divergent(f);
  std::vector<size_t> blocks;
  for (kc::BlockId b : f.layout)
    if (found[b.index]) blocks.push_back(number[b.index]);
  fmt::print("{{\"divergent\": [{}]}}\n", fmt::join(blocks, ", "));
}
