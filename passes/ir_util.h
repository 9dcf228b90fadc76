// SPDX-License-Identifier: Apache-2.0
// Utilities for rewriting passes: replacing values everywhere, dropping parameters and their arguments,
// counting uses. Each takes one sweep over the function.
#pragma once

#include <cstdint>
#include <initializer_list>
#include <optional>
#include <span>
#include <unordered_map>
#include <vector>

#include "ir/function.h"
#include "ir/lists.h"

namespace kc {

class AnalysisCache;

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

/// A forest of replacements by value id: an invalid entry means that the value is not replaced.
class Replacements {
 public:
  explicit Replacements(const Function& f) : to_(f.value_count()) {}
  /// `to` must not lead back to `from`.
  void set(ValueId from, ValueId to);
  bool replaced(ValueId v) const { return v.index < to_.size() && to_[v.index].valid(); }
  /// The end of v's chain, with path compression.
  ValueId resolve(ValueId v) { return replaced(v) ? end_of(v) : v; }
  bool empty() const { return count_ == 0; }

 private:
  ValueId end_of(ValueId v);

  std::vector<ValueId> to_;
  size_t count_ = 0;
};

void apply_replacements(Function& f, Replacements& replacements);

/// Drops the marked parameters (by value id) and their arguments. The entry's parameters are those of the
/// kernel and stay. Ids beyond the vector are not marked.
void remove_params(Function& f, const std::vector<bool>& doomed);

/// Replaces parameters with a single incoming value (besides themselves) by that value, also if this holds
/// only for several parameters together. Returns whether any were removed.
bool remove_trivial_params(Function& f);

/// Whether the function has one of these operations.
bool has_any(const Function& f, std::initializer_list<Op> ops);
/// Whether the function has an operation that its work-items must execute together.
bool has_convergent(const Function& f);

/// What a pure instruction computes from its operands' bits, if its opcode has a function for these types.
std::optional<uint64_t> evaluated(const Function& f, const Inst& inst, std::span<const uint64_t> bits);

/// Whether the address is that of a constant object plus indices that are all `known`.
template <typename Known>
bool is_known_place_in_table(const Function& f, ValueId address, Known known) {
  if (f.type(address) != kPtrConstant) return false;
  InstId d = f.def(address);
  for (; d.valid() && f.inst(d).op == Op::ptr_add; d = f.def(f.inst(d).operands[0]))
    if (!known(f.inst(d).operands[1])) return false;
  return d.valid() && f.inst(d).op == Op::object_address;
}

/// By value id: number of uses.
std::vector<uint32_t> count_uses(const Function& f);

/// By value id: the instructions of these blocks that use it, each once, in block order.
Lists<InstId> users_of(const Function& f, std::span<const BlockId> blocks);

/// By value id.
using ValueMap = std::unordered_map<uint32_t, ValueId>;

/// Turns a terminator into a jump along one edge.
void make_jump(Inst& terminator, Target target);

/// Copies the blocks: parameters and instructions, with values defined in the blocks replaced by their
/// copies. Edges lead to the original targets. `copies` are new and empty. `given`: by value id, what
/// replaces a value in the copies, wherever it is defined. Returns all replacements.
ValueMap copy_blocks(Function& f, std::span<const BlockId> blocks, std::span<const BlockId> copies,
                     ValueMap given = {});

/// A copy of an instruction with one result, on other operands and outside any block.
InstId copy_with(Function& f, InstId inst, ValueList operands);

/// k if the value is 1 << k, else none.
ValueId shifts_one_by(const Function& f, ValueId v);

/// The comparison that holds where this one does not: another operation, on exchanged operands or the same.
struct NegatedComparison {
  Op op;
  bool exchange;
};
/// None for other operations, and for orders of floats, whose negation holds for NaN.
std::optional<NegatedComparison> negation_of(Op comparison);

/// Removes instructions whose `erased` flag is set from their blocks.
void sweep_erased(Function& f);

/// Erases unreachable blocks. Returns whether there were any.
bool remove_unreachable_blocks(Function& f);
/// The same; drops all analyses if there were any.
bool remove_unreachable_blocks(Function& f, AnalysisCache& analyses);

}  // namespace kc
