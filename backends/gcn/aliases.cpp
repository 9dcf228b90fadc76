// SPDX-License-Identifier: Apache-2.0
// Reads halves of register pairs in place. Before allocation a half is a value of its own, so p_lo and p_hi
// would copy it. If nothing overwrites the pair's register before the last use of the half, the users read it
// there.
#include <algorithm>

#include "backends/gcn/machine.h"

namespace kc::gcn {
namespace {

struct Range {
  uint32_t first = 0, count = 0;
  bool overlaps(const Range& o) const { return first < o.first + o.count && o.first < first + count; }
};

class PairAliasFinder {
 public:
  explicit PairAliasFinder(const Function& function)
      : f(function), last_use_(f.value_count()), aliases_(f.value_count()) {}

  std::vector<std::optional<uint32_t>> run() {
    find_uses();
    for (BlockId b : f.layout) {
      const auto& insts = f.block(b).insts;
      for (size_t i = 0; i < insts.size(); ++i) {
        const Inst& inst = f.inst(insts[i]);
        if (inst.op == Op::gcn_p_lo || inst.op == Op::gcn_p_hi) consider(insts, i);
      }
    }
    return std::move(aliases_);
  }

 private:
  // A value can be read in place if all uses are in one block and none needs the value's own register.
  struct LastUse {
    BlockId block;
    size_t position = 0;
    bool fixed = false;
  };

  void find_uses() {
    for (BlockId b : f.layout) {
      const auto& insts = f.block(b).insts;
      for (size_t i = 0; i < insts.size(); ++i) {
        const Inst& inst = f.inst(insts[i]);
        const MachineInfo& machine = info(inst.op).machine;
        for (size_t k = 0; k < inst.operands.size(); ++k) {
          LastUse& use = last_use_[inst.operands[k].index];
          bool tied = static_cast<int>(k) == machine.tied || static_cast<int>(k) == machine.tied_second;
          use.fixed |= tied || (use.block.valid() && use.block != b);
          use.block = b, use.position = i;
        }
        for (const Target& t : inst.targets)
          for (ValueId v : t.args) last_use_[v.index].fixed = true;
      }
    }
  }

  Range range_of(ValueId v) const { return {f.value(v).location.index, f.type(v).regs}; }

  void consider(const std::vector<InstId>& insts, size_t at) {
    const Inst& inst = f.inst(insts[at]);
    ValueId half = inst.results[0], pair = inst.operands[0];
    const LastUse& use = last_use_[half.index];
    if (f.is_inline(pair) || f.value(pair).location.kind != Location::Register || use.fixed ||
        use.block != inst.block)
      return;
    Range part{range_of(pair).first + (inst.op == Op::gcn_p_hi), 1};
    for (size_t i = at + 1; i <= use.position; ++i) {
      // The last user reads before it writes, unless it expands to several instructions.
      const Inst& later = f.inst(insts[i]);
      if (i == use.position && info(later.op).machine.form != Pseudo) break;
      for (ValueId r : later.results)
        if (f.type(r).elem == f.type(pair).elem && f.value(r).location.kind == Location::Register &&
            range_of(r).overlaps(part))
          return;
    }
    aliases_[half.index] = part.first;
  }

  const Function& f;
  std::vector<LastUse> last_use_;
  std::vector<std::optional<uint32_t>> aliases_;
};

// Pairs made of two values whose users read the halves one after the other.
class SplitPairFinder {
 public:
  SplitPairFinder(const Function& function, const std::vector<std::optional<uint32_t>>& aliases)
      : f(function), aliases_(aliases), split_(f.value_count()), ends_(f.value_count()) {}

  std::vector<std::optional<std::pair<ValueId, ValueId>>> run() {
    find_ends();
    for (BlockId b : f.layout) {
      const auto& insts = f.block(b).insts;
      for (size_t i = 0; i < insts.size(); ++i)
        if (f.inst(insts[i]).op == Op::gcn_p_pack) consider(insts, i);
    }
    return std::move(split_);
  }

 private:
  struct End {
    BlockId block;
    size_t position = 0;  // of the last reader
    bool halves = true;   // all readers are in one block and accept halves
    bool first = true;    // all readers take it as their first operand
  };
  static bool takes_halves(Op op) {
    return op == Op::gcn_p_s_add64 || op == Op::gcn_p_s_sub64 || op == Op::gcn_p_v_add64 ||
           op == Op::gcn_p_v_sub64;
  }

  void find_ends() {
    for (BlockId b : f.layout) {
      const auto& insts = f.block(b).insts;
      for (size_t i = 0; i < insts.size(); ++i) {
        const Inst& inst = f.inst(insts[i]);
        for (size_t k = 0; k < inst.operands.size(); ++k) {
          End& end = ends_[inst.operands[k].index];
          end.first &= k == 0;
          end.halves &= takes_halves(inst.op) && (!end.block.valid() || end.block == b);
          end.block = b, end.position = i;
        }
        for (const Target& t : inst.targets)
          for (ValueId v : t.args) ends_[v.index].halves = false;
      }
    }
  }

  std::optional<Range> range_of(ValueId v) const {
    if (f.is_inline(v)) return Range{};
    if (aliases_[v.index] || f.value(v).location.kind != Location::Register) return std::nullopt;
    return Range{f.value(v).location.index, f.type(v).regs};
  }

  // Whether the instructions that add can encode such a half: no literals, and a constant only as the first
  // operand of a vector addition.
  bool encodes(ValueId half, Elem file, bool first) const {
    if (!f.is_inline(half)) return f.type(half).elem == file;
    if (f.is_const(half) && !is_inline_constant(static_cast<uint32_t>(f.value(half).bits))) return false;
    return first || file == Elem::Sgpr;
  }

  void consider(const std::vector<InstId>& insts, size_t at) {
    const Inst& pack = f.inst(insts[at]);
    ValueId pair = pack.results[0];
    const End& end = ends_[pair.index];
    auto low = range_of(pack.operands[0]), high = range_of(pack.operands[1]);
    if (!low || !high || !end.halves || end.block != pack.block) return;
    const Elem file = f.type(pair).elem;
    for (ValueId half : pack.operands)
      if (!encodes(half, file, end.first)) return;
    for (size_t i = at + 1; i <= end.position; ++i) {
      const Inst& later = f.inst(insts[i]);
      const bool last = i == end.position;
      for (ValueId r : later.results) {
        if (f.value(r).location.kind != Location::Register) continue;
        const Range written{f.value(r).location.index, f.type(r).regs};
        for (size_t k : {0, 1}) {
          ValueId half = pack.operands[k];
          if (f.is_inline(half) || f.type(half).elem != f.type(r).elem) continue;
          const Range& read = k ? *high : *low;
          // The low half of the last reader's result is written after the low halves are read.
          const bool in_turn =
              last && k == 0 && file == f.type(r).elem && written.count == 2 && written.first == read.first;
          if (written.overlaps(read) && !in_turn) return;
        }
      }
    }
    split_[pair.index] = {pack.operands[0], pack.operands[1]};
  }

  const Function& f;
  const std::vector<std::optional<uint32_t>>& aliases_;
  std::vector<std::optional<std::pair<ValueId, ValueId>>> split_;
  std::vector<End> ends_;
};

}  // namespace

std::vector<std::optional<std::pair<ValueId, ValueId>>> find_split_pairs(
    const Function& allocated, const std::vector<std::optional<uint32_t>>& aliases) {
  return SplitPairFinder(allocated, aliases).run();
}

std::vector<std::optional<uint32_t>> find_aliases(const Function& allocated) {
  return PairAliasFinder(allocated).run();
}

}  // namespace kc::gcn
