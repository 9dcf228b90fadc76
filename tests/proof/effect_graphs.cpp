// SPDX-License-Identifier: Apache-2.0
#include "tests/proof/effect_graphs.h"

#include "passes/transform/mem2reg.h"

namespace kc::test {

Function effect_function(const Graph& g, bool with_sum) {
  Function f;
  f.name = "effects";
  f.params = {{.name = "memory", .pointee = Elem::I32}};
  Builder build(f);
  const VarId sum = f.add_var("sum", kI32);
  build.block = f.add_block();
  const ValueId base = f.add_param(build.block, kPtrGlobal);
  const ValueId id = build.make(Op::global_id, kI64, {}, {0});
  const ValueId memory = build.make(Op::ptr_add, kPtrGlobal, {base, id}, {4, 0});
  build.set(sum, build.i32(1));
  std::vector<BlockId> blocks;
  for (size_t n = 0; n < g.size(); ++n) blocks.push_back(f.add_block());
  build.br(blocks[0]);
  for (uint32_t n = 0; n < g.size(); ++n) {
    build.block = blocks[n];
    const ValueId number = build.make(Op::load, kI32, {memory}, {4});
    if (with_sum) {
      const ValueId scaled =
          build.make(Op::mul, kI32, {build.get(sum), build.i32(static_cast<int32_t>(2 * n + 3))});
      build.set(sum, build.make(Op::add, kI32, {scaled, number}));
    }
    build.emit(Op::store, {memory, with_sum ? build.get(sum) : number}, {}, {4});
    if (g[n].empty()) {
      build.ret();
    } else if (g[n].size() == 1) {
      build.br(blocks[g[n][0]]);
    } else if (g[n].size() == 2) {
      const ValueId first = build.make(Op::slt, kI1, {number, build.i32(static_cast<int32_t>(n))});
      build.br_if(first, {blocks[g[n][0]], {}}, {blocks[g[n][1]], {}});
    } else {
      const InstId end = build.emit(Op::switch_, {number});
      f.inst(end).targets.push_back({blocks[g[n][0]], {}});
      for (size_t k = 1; k < g[n].size(); ++k) {
        f.inst(end).operands.push_back(build.i32(static_cast<int32_t>(k)));
        f.inst(end).targets.push_back({blocks[g[n][k]], {}});
      }
    }
  }
  mem2reg(f);
  return f;
}

}  // namespace kc::test
