// SPDX-License-Identifier: Apache-2.0
// Halves of pairs without copies. Before allocation a half is a value of its own, so p_lo and p_hi would copy
// it. Where nothing overwrites the pair's register before the half's last use, its users can read it there.
#include <algorithm>

#include "backends/gcn/machine.h"

namespace kc::gcn {
namespace {

struct Range {
  uint32_t first = 0, count = 0;
  bool overlaps(const Range& o) const { return first < o.first + o.count && o.first < first + count; }
};

class Finder {
 public:
  explicit Finder(const Function& function)
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
  // Where a value may be read in place: all uses in one block, none that must be in its own register.
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
      // The last user reads before it writes, unless it stands for several instructions.
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

}  // namespace

std::vector<std::optional<uint32_t>> find_aliases(const Function& allocated) {
  return Finder(allocated).run();
}

}  // namespace kc::gcn
