// SPDX-License-Identifier: Apache-2.0
#include "backends/x64/borders.h"

#include <algorithm>
#include <optional>
#include <unordered_map>
#include <utility>

#include "backends/x64/lane_tests.h"

namespace kc::x64 {
namespace {

constexpr size_t kMostBorders = 8;  // each is a test for every wave
constexpr size_t kMostRows = 8;     // divisions and remainders; each pair is a test
constexpr int kMostDepth = 4;       // of the instructions that such a test repeats
// A border below this constant is a lower one: an id is rarely below it. Neighbourhoods are smaller.
constexpr int64_t kNearZero = 64;

class Borders {
 public:
  Borders(const Function& wave, std::span<const BlockId> blocks, const std::function<bool(ValueId)>& given,
          std::span<const FlatRow> rows)
      : f(wave), given_(given), rows_(rows.begin(), rows.end()), masks_(wave.value_count()) {
    find_masks(blocks);
  }

  std::optional<Border> border_of(InstId i) const {
    const Inst& inst = f.inst(i);
    if (inst.results.size() != 1 || inst.operands.size() != 2) return std::nullopt;
    // Other comparisons that are the same for all lanes are branches.
    const Type type = f.type(inst.results[0]);
    if (!type.lane && !(type == kI1 && masks_[inst.results[0].index])) return std::nullopt;
    const ValueId x = inst.operands[0], y = inst.operands[1];
    auto moves = [&](ValueId v) { return f.type(v).lane == type.lane && follows_ids(v); };
    const bool left = moves(x) && is_invariant(y), right = moves(y) && is_invariant(x);
    if (!left && !right) return std::nullopt;
    const ValueId id = left ? x : y;
    const bool low = near_zero(left ? y : x);
    switch (inst.op) {
      case Op::eq:
        return Border{i, false, {}};
      case Op::ne:
        return Border{i, true, {}};
      case Op::slt:
      case Op::sle:
      case Op::ult:
      case Op::ule:
        return Border{i, left != low, {}, left};
      case Op::smin:
      case Op::umin:
        return low ? std::nullopt : std::optional(Border{i, false, id});
      case Op::smax:
        return low ? std::optional(Border{i, false, id}) : std::nullopt;
      default:
        return std::nullopt;
    }
  }

  std::vector<FlatRow> find_rows(std::span<const BlockId> blocks) {
    for (BlockId b : blocks)
      for (InstId i : f.block(b).insts) {
        const Inst& inst = f.inst(i);
        const bool is_signed = inst.op == Op::sdiv || inst.op == Op::srem,
                   is_remainder = inst.op == Op::srem || inst.op == Op::urem;
        if (!is_signed && !is_remainder && inst.op != Op::udiv) continue;
        const Type type = f.type(inst.results[0]);
        if (!type.lane || type.bits() < 32 || !f.type(inst.operands[0]).lane) continue;
        const bool short_row = f.is_const(inst.operands[1]) && f.value(inst.operands[1]).bits < 2 * f.width;
        if (!short_row && rows_.size() < kMostRows && is_column(inst.operands[0]) &&
            is_invariant(inst.operands[1]))
          rows_.push_back({.inst = i, .is_remainder = is_remainder, .is_signed = is_signed});
      }
    return std::move(rows_);
  }

 private:
  // Computed from ids without divisions, but for those of rows_.
  bool follows_ids(ValueId v, int depth = kMostDepth) const {
    const InstId d = f.def(v);
    if (!d) return false;
    const Inst& inst = f.inst(d);
    switch (inst.op) {
      case Op::global_id:
      case Op::local_id:
        return true;
      case Op::add:
      case Op::sub:
      case Op::mul:
      case Op::shl:
      case Op::sext:
      case Op::zext:
      case Op::trunc: {
        auto ids = [&](ValueId o) { return follows_ids(o, depth - 1); };
        return depth > 0 && std::ranges::any_of(inst.operands, ids) &&
               std::ranges::all_of(inst.operands,
                                   [&](ValueId o) { return ids(o) || is_invariant(o, depth - 1); });
      }
      case Op::sdiv:
      case Op::udiv:
      case Op::srem:
      case Op::urem:
        return is_row(d);
      default:
        return false;
    }
  }

  bool is_row(InstId i) const { return std::ranges::find(rows_, i, &FlatRow::inst) != rows_.end(); }

  // An id, a remainder of one that is in rows_, or such a number plus or minus what follows ids.
  bool is_column(ValueId v, int depth = kMostDepth) const {
    const InstId d = f.def(v);
    if (!d || depth == 0) return false;
    const Inst& inst = f.inst(d);
    switch (inst.op) {
      case Op::global_id:
      case Op::local_id:
        return f.type(v).lane;
      case Op::srem:
      case Op::urem:
        return is_row(d);
      case Op::add:
      case Op::sub: {
        const ValueId x = inst.operands[0], y = inst.operands[1];
        const bool left = is_column(x, depth - 1), right = is_column(y, depth - 1);
        const ValueId other = left ? y : x;
        return left != right && (is_invariant(other) || follows_ids(other, depth - 1));
      }
      case Op::sext:
      case Op::zext:
      case Op::trunc:
        return is_column(inst.operands[0], depth - 1);
      default:
        return false;
    }
  }

  // Computed from parameters and constants: the same in all waves of a row.
  bool is_invariant(ValueId v, int depth = kMostDepth) const {
    if (f.is_inline(v) || (given_ && given_(v))) return true;
    const InstId d = f.def(v);
    if (!d) return f.value(v).owner == f.entry().index && !f.type(v).lane;
    const Inst& inst = f.inst(d);
    if (depth == 0 || inst.results.size() != 1 || info(inst.op).effects != Effects::None ||
        info(inst.op).has(Terminator) || (f.type(v).lane && inst.op != Op::splat))
      return false;
    return std::ranges::all_of(inst.operands, [&](ValueId o) { return is_invariant(o, depth - 1); });
  }

  bool near_zero(ValueId v) const {
    if (!f.is_const(v)) return false;
    const unsigned unused = 64 - f.type(v).bits();
    return static_cast<int64_t>(f.value(v).bits << unused) >> unused < kNearZero;
  }

  void find_masks(std::span<const BlockId> blocks) {
    for (size_t k = blocks.size(); k-- > 0;) {
      const auto& insts = f.block(blocks[k]).insts;
      for (size_t i = insts.size(); i-- > 0;) {
        const Inst& inst = f.inst(insts[i]);
        if (inst.results.size() != 1) continue;
        const ValueId r = inst.results[0];
        const bool chooses = f.type(r).is_mask() || (f.type(r).lane && f.type(r).elem == Elem::I1),
                   joins = f.type(r) == kI1 && masks_[r.index];
        if (chooses || joins)
          for (ValueId v : inst.operands) masks_[v.index] = masks_[v.index] || f.type(v) == kI1;
      }
    }
  }

  const Function& f;
  const std::function<bool(ValueId)>& given_;
  std::vector<FlatRow> rows_;
  std::vector<bool> masks_;  // by value: whether a mask or a condition of lanes is made of this boolean
};

}  // namespace

std::vector<Border> find_borders(const Function& wave, std::span<const BlockId> blocks,
                                 const std::function<bool(ValueId)>& given, std::span<const FlatRow> rows) {
  const Borders borders(wave, blocks, given, rows);
  std::vector<Border> found;
  for (BlockId b : blocks)
    for (InstId i : wave.block(b).insts)
      if (auto border = borders.border_of(i); border && found.size() < kMostBorders) found.push_back(*border);
  return found;
}

bool is_local_id(const Function& f, ValueId v) {
  const InstId d = f.is_inline(v) ? InstId() : f.def(v);
  return d && f.inst(d).op == Op::local_id && f.inst(d).attrs[0] == 0;
}

std::vector<FlatRow> find_rows_of_ids(const Function& wave, std::span<const BlockId> blocks) {
  return Borders(wave, blocks, {}, {}).find_rows(blocks);
}

ValueMap copy_inside(Function& f, std::span<const BlockId> blocks, std::span<const BlockId> copies,
                     std::span<const Border> borders, ValueMap known) {
  for (const Border& b : borders)
    if (!b.id) known[f.result(b.inst).index] = f.constant(f.type(f.result(b.inst)), b.truth ? 1 : 0);
  ValueMap copied = copy_blocks(f, blocks, copies, std::move(known));
  auto copy_of = [&](ValueId v) {
    const auto at = copied.find(v.index);
    return at == copied.end() ? v : at->second;
  };
  std::unordered_map<uint32_t, BlockId> copy_of_block;
  for (size_t k = 0; k < blocks.size(); ++k) copy_of_block[blocks[k].index] = copies[k];
  for (size_t k = 0; k < blocks.size(); ++k) {
    if (const ValueId m = f.block(blocks[k]).mask; m.valid()) f.block(copies[k]).mask = copy_of(m);
    for (Target& t : f.inst(f.terminator(copies[k])).targets)
      if (const auto at = copy_of_block.find(t.block.index); at != copy_of_block.end()) t.block = at->second;
  }
  Replacements ids(f);
  for (const Border& b : borders)
    if (b.id) ids.set(copy_of(f.result(b.inst)), copy_of(b.id));
  if (!ids.empty()) apply_replacements(f, ids);
  return copied;
}

ValueId negated(Builder& build, ValueId c) {
  const Function& f = build.f;
  const Type type = f.type(c);
  if (const InstId d = f.def(c))
    if (const auto other = negation_of(f.inst(d).op)) {
      const ValueList& of = f.inst(d).operands;
      return build.make(other->op, type, {of[other->exchange], of[!other->exchange]});
    }
  return build.make(Op::xor_, type, {c, build.f.constant(type, 1)});
}

ValueId is_outside(Builder& build, const Border& b, const std::function<ValueId(ValueId)>& here) {
  Function& f = build.f;
  const Inst inst = f.inst(b.inst);
  const ValueId x = here(inst.operands[0]), y = here(inst.operands[1]);
  const Type flag{Elem::I1, f.type(inst.results[0]).lane};
  ValueId outside;
  if (b.id) {
    const ValueId id = here(b.id), bound = id == x ? y : x;
    const Op less = inst.op == Op::umin ? Op::ult : Op::slt;
    outside = inst.op == Op::smax ? build.make(less, flag, {id, bound}) : build.make(less, flag, {bound, id});
  } else {
    outside = build.make(inst.op, flag, {x, y});
    if (b.truth) outside = negated(build, outside);
  }
  return in_some_lane(build, outside);
}

}  // namespace kc::x64
