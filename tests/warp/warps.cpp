// SPDX-License-Identifier: Apache-2.0
#include "tests/warp/warps.h"

namespace kc::test {
namespace {

PathFunction function_of(const Graph& g, const std::vector<uint32_t>& bit) {
  PathFunction r;
  Function& f = r.f;
  f.name = "paths";
  f.params = {{.name = "out", .pointee = Elem::I32}};
  Builder build(f);
  std::vector<BlockId> blocks;
  for (size_t n = 0; n < g.size(); ++n) blocks.push_back(f.add_block());
  ValueId out = f.add_param(blocks[0], kPtrGlobal);
  build.block = blocks[0];
  ValueId id = build.make(Op::global_id, kI32, {}, {0});
  for (uint32_t n = 0; n < g.size(); ++n) {
    build.block = blocks[n];
    if (g[n].empty()) {
      ValueId address = build.make(Op::ptr_add, kPtrGlobal, {out, id}, {4, 0});
      build.emit(Op::store, {address, build.i32(static_cast<int32_t>(n))});
      build.ret();
    } else if (g[n].size() == 1) {
      build.br(blocks[g[n][0]]);
    } else {
      ValueId shifted = build.make(Op::lshr, kI32, {id, build.i32(static_cast<int32_t>(bit[n]))});
      ValueId low = build.make(Op::and_, kI32, {shifted, build.i32(1)});
      ValueId zero = build.make(Op::eq, kI1, {low, build.i32(0)});
      build.br_if(zero, {blocks[g[n][0]], {}}, {blocks[g[n][1]], {}});
    }
  }
  return r;
}

}  // namespace

BlockPriorities priorities_of(const Frontiers& frontiers) { return {frontiers.position, frontiers.top}; }
BlockPriorities priorities_of(const Function& f) { return priorities_of(Frontiers(f)); }

PathFunction path_function(const Graph& g) {
  std::vector<uint32_t> bit(g.size(), 0);
  uint32_t branches = 0;
  for (size_t n = 0; n < g.size(); ++n)
    if (g[n].size() == 2) bit[n] = branches++;
  PathFunction r = function_of(g, bit);
  r.items = uint64_t{1} << branches;
  return r;
}

PathFunction ladder_function(uint32_t levels) {
  std::vector<uint32_t> bit(2 * levels + 2, 0);
  for (uint32_t n = 0; n < bit.size(); ++n) bit[n] = (n + 1) / 2;
  PathFunction r = function_of(ladder_graph(levels), bit);
  r.items = uint64_t{1} << levels;
  return r;
}

WarpRunResult run_paths(const PathFunction& paths, WarpScheme scheme,
                        const std::function<void(BlockId)>& on_block) {
  std::vector<uint32_t> out(paths.items, 0);
  const MemoryRange range{reinterpret_cast<uint64_t>(out.data()), out.size() * sizeof(uint32_t)};
  const uint64_t arguments[] = {range.base};
  LaunchSpec launch;
  launch.global[0] = launch.local[0] = paths.items;
  WarpSimulator simulator(paths.f, priorities_of(paths.f));
  return simulator.run(launch, arguments,
                       {.memory = std::span(&range, 1),
                        .scheme = scheme,
                        .width = 0,
                        .on_block = [&](uint64_t, BlockId b, const LaneSet&) {
                          if (on_block) on_block(b);
                        }});
}

}  // namespace kc::test
