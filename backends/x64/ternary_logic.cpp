// SPDX-License-Identifier: Apache-2.0
// Bitwise instructions as truth tables. A table has a bit for each combination of three leaves; the leaves
// alone are 0xf0, 0xcc and 0xaa. An instruction takes in its operands while at most three leaves remain.
//
//   %4 = vpandd %1, %2;  %5 = vpandnd %1, %3;  %6 = vpxord %4, %5   ->   %6 = vpternlogd %1, %2, %3, 0xca
#include <array>

#include "backends/x64/cleanup.h"
#include "passes/ir_util.h"

namespace kc::x64 {
namespace {

constexpr size_t kLeaves = 3;
constexpr std::array<uint8_t, kLeaves> kAlone = {0xf0, 0xcc, 0xaa};

struct Table {
  std::array<ValueId, kLeaves> leaves;
  size_t count = 0;
  uint8_t bits = 0;
};

// The table of one of `t` over other leaves, which contain those of `t`.
uint8_t over(const Table& t, const Table& all) {
  std::array<uint8_t, kLeaves> place{};
  for (size_t k = 0; k < t.count; ++k)
    for (size_t n = 0; n < all.count; ++n)
      if (all.leaves[n] == t.leaves[k]) place[k] = kAlone[n];
  uint8_t bits = 0;
  for (unsigned row = 0; row < 8; ++row) {
    unsigned r = 0;
    for (size_t k = 0; k < t.count; ++k)
      if (place[k] >> row & 1) r |= 4u >> k;
    if (t.bits >> r & 1) bits = static_cast<uint8_t>(bits | 1u << row);
  }
  return bits;
}

class Folder {
 public:
  explicit Folder(Function& machine) : f(machine), uses_(count_uses(machine)) {}

  void run() {
    for (BlockId b : f.layout)
      for (InstId i : f.block(b).insts)
        if (is_logic(f.inst(i).op)) fold(f.inst(i));
  }

 private:
  static bool is_logic(Op op) {
    return op == Op::x64_vpandd || op == Op::x64_vpandnd || op == Op::x64_vpord || op == Op::x64_vpxord;
  }
  static uint8_t apply(Op op, uint8_t a, uint8_t b) {
    if (op == Op::x64_vpandd) return a & b;
    if (op == Op::x64_vpandnd) return static_cast<uint8_t>(~a & b);
    return op == Op::x64_vpord ? a | b : a ^ b;
  }
  const Inst* def(ValueId v) const {
    const InstId i = f.def(v);
    return i ? &f.inst(i) : nullptr;
  }

  static bool add(Table& t, ValueId leaf) {
    for (size_t k = 0; k < t.count; ++k)
      if (t.leaves[k] == leaf) return true;
    if (t.count == kLeaves) return false;
    t.leaves[t.count++] = leaf;
    return true;
  }
  static Table alone(ValueId v) { return {.leaves = {v}, .count = 1, .bits = kAlone[0]}; }
  static bool add(Table& t, const Table& from) {
    for (size_t k = 0; k < from.count; ++k)
      if (!add(t, from.leaves[k])) return false;
    return true;
  }

  // What a constant computes, or a bitwise instruction of the block without other uses; false for others.
  bool inside(ValueId v, const Inst& user, Table& t) const {
    const Inst* d = def(v);
    if (!d) return false;
    if (d->op == Op::x64_vones512 || d->op == Op::x64_vzero512) {
      t = {.leaves = {}, .count = 0, .bits = static_cast<uint8_t>(d->op == Op::x64_vones512 ? 0xff : 0)};
      return true;
    }
    if (d->block != user.block || uses_[v.index] != 1 || d->attrs[0] != user.attrs[0]) return false;
    if (d->op == Op::x64_vpternlogd) {
      t = {};
      for (ValueId o : d->operands) t.leaves[t.count++] = o;
      t.bits = static_cast<uint8_t>(d->attrs[1]);
      return true;
    }
    if (!is_logic(d->op)) return false;
    const ValueId a = d->operands[0], b = d->operands[1];
    t = {.leaves = {a, b}, .count = 2, .bits = apply(d->op, kAlone[0], kAlone[1])};
    return true;
  }

  void fold(Inst& inst) {
    const std::array<ValueId, 2> operands = {inst.operands[0], inst.operands[1]};
    if (operands[0] == operands[1]) return;
    std::array<Table, 2> parts = {alone(operands[0]), alone(operands[1])};
    Table all;
    std::array<const Inst*, 2> taken{};
    for (size_t k = 0; k < 2; ++k) {
      Table part, with;
      if (!inside(operands[k], inst, part) || !add(with, parts[1 - k]) || !add(with, part)) continue;
      parts[k] = part, taken[k] = def(operands[k]);
    }
    if ((!taken[0] && !taken[1]) || !add(all, parts[0]) || !add(all, parts[1]) || all.count == 0) return;
    for (size_t k = 0; k < 2; ++k) {
      --uses_[operands[k].index];
      if (taken[k] && uses_[operands[k].index] == 0)
        for (ValueId v : taken[k]->operands) --uses_[v.index];
    }
    // The first operand is overwritten: one that dies here needs no copy.
    for (size_t k = 1; k < all.count; ++k)
      if (uses_[all.leaves[0].index] != 0 && uses_[all.leaves[k].index] == 0)
        std::swap(all.leaves[0], all.leaves[k]);
    const uint8_t bits = apply(inst.op, over(parts[0], all), over(parts[1], all));
    while (all.count < kLeaves) all.leaves[all.count] = all.leaves[0], ++all.count;
    inst.op = Op::x64_vpternlogd;
    inst.attrs = {inst.attrs[0], bits, 0, 0};
    inst.operands = {all.leaves[0], all.leaves[1], all.leaves[2]};
    for (ValueId v : inst.operands) ++uses_[v.index];
  }

  Function& f;
  std::vector<uint32_t> uses_;
};

}  // namespace

void fold_ternary_logic(Function& machine) { Folder(machine).run(); }

}  // namespace kc::x64
