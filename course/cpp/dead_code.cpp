// SPDX-License-Identifier: Apache-2.0
// A pass in C++ that is a program of its own: dead-code elimination by mark and sweep, as in
// ../python/dead_code.py.
//
//   kernelc k.cl --emit=ir --passes=mem2reg,exec:build/release/dead_code
//
// It uses the compiler's own functions (ir/function.h) and their JSON form. The passes of passes/ are at
// hand, too.
#include <fmt/format.h>

#include <algorithm>
#include <cstdio>
#include <iostream>
#include <iterator>
#include <string>
#include <vector>

#include "ir/json/json.h"

namespace {

using namespace kc;

bool has_effects(const Inst& inst) {
  const Effects e = info(inst.op).effects;
  return e == Effects::Write || e == Effects::Control;
}

void remove_dead_code(Function& f) {
  std::vector<bool> live(f.value_count(), false);
  std::vector<ValueId> work;
  auto use = [&](ValueId v) {
    if (!v.valid() || f.is_inline(v) || live[v.index]) return;
    live[v.index] = true;
    work.push_back(v);
  };
  for (BlockId b : f.layout) {
    use(f.block(b).mask);
    for (InstId i : f.block(b).insts)
      if (has_effects(f.inst(i))) std::ranges::for_each(f.inst(i).operands, use);
  }
  while (!work.empty()) {
    const ValueId v = work.back();
    work.pop_back();
    if (const InstId def = f.def(v); def.valid()) {
      std::ranges::for_each(f.inst(def).operands, use);
      continue;
    }
    // A parameter of a block: so are the arguments of all edges to the block.
    const BlockId owner = block_of(f, v);
    for (BlockId b : f.layout)
      for (const Target& t : f.successors(b))
        if (t.block == owner) use(t.args[f.value(v).index]);
  }
  for (BlockId b : f.layout) {
    std::erase_if(f.block(b).insts, [&](InstId i) {
      const Inst& inst = f.inst(i);
      return !has_effects(inst) &&
             std::ranges::none_of(inst.results, [&](ValueId r) { return live[r.index]; });
    });
    if (b == f.entry()) continue;
    for (size_t k = f.block(b).params.size(); k-- > 0;) {
      if (live[f.block(b).params[k].index]) continue;
      f.remove_param(b, k);
      for (BlockId from : f.layout)
        for (Target& t : f.inst(f.terminator(from)).targets)
          if (t.block == b) t.args.erase(t.args.begin() + static_cast<std::ptrdiff_t>(k));
    }
  }
}

}  // namespace

int main() {
  const std::string text(std::istreambuf_iterator<char>(std::cin), {});
  auto module = read_json(text);
  if (!module) {
    fmt::print(stderr, "{}", render_json_error(module.error(), "<stdin>"));
    return 1;
  }
  for (auto& f : module->functions) remove_dead_code(*f);
  fmt::print("{}", write_json(*module));
}
