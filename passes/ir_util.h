// SPDX-License-Identifier: Apache-2.0
// What every rewriting pass needs: replacing values everywhere, dropping parameters together with the
// arguments of their edges, counting uses. Each takes one sweep over the function.
#pragma once

#include <cstdint>
#include <functional>
#include <initializer_list>
#include <span>
#include <string_view>
#include <vector>

#include "ir/function.h"
#include "ir/lists.h"

namespace kc {

/// Calls visit(ValueId&) for every use: operands, edge arguments, and the masks of blocks.
template <typename F, typename Visit>
void for_each_use(F& f, Visit visit) {
  for (BlockId b : f.layout) {
    auto& block = f.block(b);
    if (block.mask.valid()) visit(block.mask);
    for (InstId i : block.insts) {
      auto& inst = f.inst(i);
      for (auto& v : inst.operands) visit(v);
      for (auto& t : inst.targets)
        for (auto& v : t.args) visit(v);
    }
  }
}

/// A forest of replacements, indexed by value id: an invalid entry stands for the value itself.
class Replacements {
 public:
  explicit Replacements(const Function& f) : to_(f.value_count()) {}
  /// `to` must not lead back to `from`.
  void set(ValueId from, ValueId to);
  bool replaced(ValueId v) const { return v.index < to_.size() && to_[v.index].valid(); }
  /// The end of v's chain; shortens the chain on the way.
  ValueId resolve(ValueId v) { return replaced(v) ? end_of(v) : v; }
  bool empty() const { return count_ == 0; }

 private:
  ValueId end_of(ValueId v);

  std::vector<ValueId> to_;
  size_t count_ = 0;
};

void apply_replacements(Function& f, Replacements& replacements);

/// Drops the marked parameters (by value id) and the arguments that edges pass for them. The entry's
/// parameters are the kernel's and stay. Ids beyond the vector are not marked.
void remove_params(Function& f, const std::vector<bool>& doomed);

/// Replaces parameters that receive one value on all edges (or themselves) by that value, also when several
/// parameters do so only together. Returns whether any went.
bool remove_trivial_params(Function& f);

/// Whether one of these operations is in the function.
bool has_any(const Function& f, std::initializer_list<Op> ops);
/// Whether the function has an operation whose work-items must come to it together.
bool has_convergent(const Function& f);

/// By value id: how often it is used.
std::vector<uint32_t> count_uses(const Function& f);

/// By value id: the instructions of these blocks that use it, each once, in the order of the blocks.
Lists<InstId> users_of(const Function& f, std::span<const BlockId> blocks);

/// Makes a terminator a jump along one edge.
void make_jump(Inst& terminator, Target target);

/// Gives each of the blocks a copy: parameters, and instructions with what the blocks define replaced by what
/// the copies define. Edges lead where those of the originals lead. `copies` are new and empty.
void copy_blocks(Function& f, std::span<const BlockId> blocks, std::span<const BlockId> copies);

/// Uses for which crosses(v, block) holds read variables instead, which are set where the values are defined;
/// `mem2reg` makes block parameters of them. The blocks are all that are reachable.
void pass_through_variables(Function& f, std::span<const BlockId> blocks, std::string_view name,
                            const std::function<bool(ValueId, BlockId)>& crosses);

/// Takes instructions whose `erased` flag is set out of their blocks.
void sweep_erased(Function& f);

/// Erases blocks that the entry does not reach. Returns whether there were any.
bool remove_unreachable_blocks(Function& f);

}  // namespace kc
