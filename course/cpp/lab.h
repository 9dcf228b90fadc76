// SPDX-License-Identifier: Apache-2.0
// What submissions in C++ share: reading a function, writing one or an answer, and moving edges freely.
#pragma once

#include <fmt/format.h>

#include <algorithm>
#include <cstdio>
#include <iostream>
#include <iterator>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "ir/json/json.h"
#include "ir/ssa_repair.h"
#include "passes/ir_util.h"

namespace lab {

/// The module on standard input; nothing, and a message on standard error, if it is none.
inline std::unique_ptr<kc::Module> read() {
  const std::string text(std::istreambuf_iterator<char>(std::cin), {});
  auto module = kc::read_json(text);
  if (module) return std::make_unique<kc::Module>(std::move(*module));
  fmt::print(stderr, "{}", kc::render_json_error(module.error(), "<stdin>"));
  return nullptr;
}

/// A pass: reads a module, changes each function, writes the module. Returns the exit status.
template <typename Work>
int run_pass(Work work) {
  const auto module = read();
  if (!module) return 1;
  for (auto& f : module->functions) work(*f);
  fmt::print("{}", kc::write_json(*module));
  return 0;
}

/// The number of each block in a document: thread functions are numbered in the order of the layout.
inline std::vector<size_t> numbers(const kc::Function& f) {
  std::vector<size_t> number(f.block_count(), 0);
  for (size_t n = 0; n < f.layout.size(); ++n) number[f.layout[n].index] = n;
  return number;
}

/// Puts what passes between blocks into variables, so that edges can be moved freely: blocks have no
/// parameters, and each block computes or loads what it uses. `mem2reg` turns variables into values again.
/// All blocks must be reachable.
inline void demote(kc::Function& f) {
  const std::vector<kc::BlockId> blocks = f.layout;
  // Several edges from one block to another pass different values: each gets a block of its own.
  for (kc::BlockId from : blocks)
    for (size_t k = 0; k < f.successors(from).size(); ++k) {
      const kc::Target edge = f.successors(from)[k];
      const auto same = std::ranges::count(f.successors(from), edge.block, &kc::Target::block);
      if (edge.args.empty() || same < 2) continue;
      kc::Builder between{f};
      between.block = f.add_block("edge");
      between.br(edge.block, edge.args);
      f.inst(f.terminator(from)).targets[k] = {between.block, {}};
    }
  kc::Replacements loads(f);
  for (kc::BlockId to : blocks) {
    if (to == f.entry() || f.block(to).params.empty()) continue;
    const kc::ValueList params(f.block(to).params.begin(), f.block(to).params.end());
    std::vector<kc::VarId> vars;
    for (kc::ValueId p : params) vars.push_back(f.add_var("param", f.type(p)));
    for (kc::BlockId from : f.layout)
      for (size_t k = 0; k < f.successors(from).size(); ++k) {
        if (f.successors(from)[k].block != to) continue;
        const auto args = f.successors(from)[k].args;
        for (size_t i = 0; i < vars.size(); ++i)
          kc::insert_write(f, from, f.block(from).insts.size() - 1, vars[i], args[i]);
        f.inst(f.terminator(from)).targets[k].args.clear();
      }
    const std::vector<kc::ValueId> reads = kc::read_params(f, to, vars);
    for (size_t i = 0; i < vars.size(); ++i) loads.set(params[i], reads[i]);
  }
  kc::apply_replacements(f, loads);
  kc::pass_through_variables(f, f.layout, "value", [&](kc::ValueId v, kc::BlockId user) {
    const kc::BlockId from = kc::block_of(f, v);
    return from.valid() && from != user && f.value(v).kind != kc::ValueKind::Param;
  });
}

/// All `ret` but one become jumps to a block at the end.
inline void one_return(kc::Function& f) {
  std::vector<kc::BlockId> returns;
  for (kc::BlockId b : f.layout)
    if (f.inst(f.terminator(b)).op == kc::Op::ret) returns.push_back(b);
  if (returns.size() < 2) return;
  kc::Builder build{f};
  const kc::BlockId last = build.block = f.add_block("exit");
  build.ret();
  for (kc::BlockId b : returns) {
    f.erase(f.terminator(b));
    build.block = b;
    build.br(last);
  }
}

}  // namespace lab
