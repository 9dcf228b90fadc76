// SPDX-License-Identifier: Apache-2.0
// pointer_to_offset32: divergent pointers become 32-bit offsets from their buffer.
//
// A gather from a uniform base and 32-bit indices costs half of one from 64-bit addresses, and so does
// pointer arithmetic in loops. A divergent pointer based on one kernel parameter on all paths becomes that
// parameter plus an offset. Sums wrap modulo 2^32, so the offset is exact wherever the true one fits; it fits
// because accesses are in bounds and buffers are below 2 GiB. Pointers are compared by signed offsets: one
// just below its buffer stays below. 64-bit indices added to the parameter itself are truncated for the same
// reason, and sums of two indices in one unit stay one index in that unit.
// Needs ThreadForm, Ssa, and a launch whose buffers are all smaller than 2 GiB; kills Reconverging,
// Structured.
//
//   b1(%1: ptr<global>):                         b1(%5: i32):
//     %2: i8 = load %1                     ==>     %6: ptr<global> = ptr_add %p, %5
//     %3: ptr<global> = ptr_add %1, 1:i32          %2: i8 = load %6
//                                                  %7: i32 = add %5, 1:i32
#include "passes/transform/pointer_to_offset32.h"

#include <algorithm>
#include <cstdlib>

#include "ir/cfg.h"
#include "passes/ir_util.h"
#include "passes/transform/dce.h"

namespace kc {
namespace {

// In bytes. An address minus a constant offset is still within 2 GiB of its buffer: buffers are smaller than
// 2 GiB by more than this.
constexpr int64_t kMostOffset = 1024;
constexpr unsigned kMostNarrowed = 16;  // length of a chain of operations repeated in 32 bits

bool is_address(Type type) { return type.elem == Elem::PtrGlobal || type.elem == Elem::PtrConstant; }

bool is_scale(int64_t scale) { return scale == 1 || scale == 2 || scale == 4 || scale == 8; }

// A quick test for candidates: selected pointers, 64-bit indices, and sums of sums.
bool has_candidates(const Function& f) {
  for (BlockId b : f.layout) {
    if (b != f.entry() &&
        std::ranges::any_of(f.block(b).params, [&](ValueId p) { return is_address(f.type(p)); }))
      return true;
    for (InstId i : f.block(b).insts) {
      const Inst& inst = f.inst(i);
      if (inst.results.size() != 1 || !is_address(f.type(inst.results[0]))) continue;
      if (inst.op == Op::select) return true;
      if (inst.op != Op::ptr_add) continue;
      const InstId base = f.def(inst.operands[0]);
      if (f.type(inst.operands[1]).bits() == 64 || (base && f.inst(base).op == Op::ptr_add)) return true;
    }
  }
  return false;
}

class OffsetRewriter {
 public:
  OffsetRewriter(Function& function, AnalysisCache& analyses)
      : f(function),
        cfg_(analyses.cfg()),
        uniformity_(analyses.uniformity()),
        roots_(f.value_count()),
        distances_(f.value_count()),
        narrow_(f.value_count()),
        moves_on_(f.value_count()),
        compares_(f),
        next_(f.inst_count()) {
    for (BlockId b : cfg_.rpo)
      for (size_t k = 0; k + 1 < f.block(b).insts.size(); ++k)
        next_[f.block(b).insts[k].index] = f.block(b).insts[k + 1];
    for (BlockId b : cfg_.rpo)
      for (const Target& t : f.successors(b))
        for (ValueId v : t.args) moves_on_[v.index] = true;
  }

  bool run() {
    find_roots();
    add_parameters();
    for (BlockId b : cfg_.rpo) block(b);
    for (BlockId b : cfg_.rpo) pass_distances(b);
    if (!changed_) return false;
    place();
    apply_replacements(f, compares_);
    dce(f);
    return true;
  }

 private:
  // --- bases of pointers

  struct Root {
    enum Kind : uint8_t { Unknown, One, Several } kind = Unknown;
    ValueId value;
  };

  bool meet(ValueId v, Root with) {
    Root& r = roots_[v.index];
    if (with.kind == Root::Unknown || r.kind == Root::Several) return false;
    if (r.kind == Root::One && with.kind == Root::One && r.value == with.value) return false;
    r = r.kind == Root::Unknown ? with : Root{Root::Several, {}};
    return true;
  }

  Root root(ValueId v) const {
    if (f.is_undef(v)) return {};
    return f.is_const(v) ? Root{Root::Several, {}} : roots_[v.index];
  }

  // An optimistic iteration: a loop-carried pointer keeps its initial root.
  void find_roots() {
    for (ValueId p : f.block(f.entry()).params)
      if (is_address(f.type(p))) roots_[p.index] = {Root::One, p};
    for (bool changed = true; changed;) {
      changed = false;
      for (BlockId b : cfg_.rpo)
        for (InstId i : f.block(b).insts) {
          const Inst& inst = f.inst(i);
          for (const Target& t : inst.targets)
            for (size_t k = 0; k < t.args.size(); ++k) {
              ValueId p = f.block(t.block).params[k];
              if (is_address(f.type(p))) changed |= meet(p, root(t.args[k]));
            }
          if (inst.results.size() != 1 || !is_address(f.type(inst.results[0]))) continue;
          ValueId r = inst.results[0];
          if (inst.op == Op::ptr_add) {
            changed |= meet(r, root(inst.operands[0]));
          } else if (inst.op == Op::select) {
            changed |= meet(r, root(inst.operands[1]));
            changed |= meet(r, root(inst.operands[2]));
          } else {
            changed |= meet(r, {Root::Several, {}});
          }
        }
    }
  }

  bool divergent(ValueId v) const { return !f.is_inline(v) && uniformity_.divergent[v.index]; }

  // Whether v becomes an offset: it is divergent, and not only by its index.
  bool is_relative(ValueId v) const {
    if (f.is_inline(v) || v.index >= roots_.size() || !is_address(f.type(v)) || !divergent(v)) return false;
    if (roots_[v.index].kind != Root::One) return false;
    InstId d = f.def(v);
    if (!d) return roots_[v.index].value != v;
    return f.inst(d).op == Op::select || divergent(f.inst(d).operands[0]);
  }

  // --- building. New instructions are noted with their position, and inserted at the end.

  struct Pending {
    InstId before, inst;
  };

  ValueId make(BlockId b, InstId before, Op op, Type type, std::vector<ValueId> operands,
               std::array<int64_t, kMaxAttrs> attrs = {}, Loc loc = {}) {
    InstId i = f.create(op, std::move(operands), std::span(&type, 1), loc);
    f.inst(i).attrs = attrs;
    f.inst(i).block = b;
    pending_.push_back({before, i});
    changed_ = true;
    return f.result(i);
  }

  // The position directly after the definition of v.
  std::pair<BlockId, InstId> behind(ValueId v) const {
    BlockId b = block_of(f, v);
    InstId d = f.def(v);
    return {b, d ? next_[d.index] : f.block(b).insts.front()};
  }

  ValueId i32(int64_t v) { return f.constant(kI32, static_cast<uint32_t>(v)); }

  ValueId scaled(BlockId b, InstId before, ValueId index, int64_t scale, int64_t offset) {
    if (f.is_const(index)) return i32(static_cast<int32_t>(f.value(index).bits) * scale + offset);
    if (scale != 1) index = make(b, before, Op::mul, kI32, {index, i32(scale)});
    return offset ? make(b, before, Op::add, kI32, {index, i32(offset)}) : index;
  }

  ValueId add(BlockId b, InstId before, ValueId x, ValueId y) {
    if (f.is_const(x)) std::swap(x, y);
    if (f.is_const(y) && f.value(y).bits == 0) return x;
    return make(b, before, Op::add, kI32, {x, y});
  }

  // The low 32 bits of an index.
  ValueId narrowed(ValueId v, unsigned depth = 0) {
    Type type = f.type(v);
    if (type.bits() <= 32) return v;  // ptr_add extends it
    if (f.is_const(v)) return i32(static_cast<int64_t>(f.value(v).bits));
    if (f.is_undef(v)) return f.undef(kI32);
    if (v.index < narrow_.size() && narrow_[v.index].valid()) return narrow_[v.index];
    auto [b, before] = behind(v);
    ValueId r = narrowed_operation(v, b, before, depth);
    if (!r.valid()) r = make(b, before, Op::trunc, kI32, {v});
    if (v.index < narrow_.size()) narrow_[v.index] = r;
    return r;
  }

  ValueId narrowed_operation(ValueId v, BlockId b, InstId before, unsigned depth) {
    InstId d = f.def(v);
    if (!d || depth == kMostNarrowed) return {};
    const Inst inst = f.inst(d);
    switch (inst.op) {
      case Op::sext:
      case Op::zext: {
        ValueId from = inst.operands[0];
        if (f.type(from).bits() == 32) return from;
        return make(b, before, inst.op, kI32, {from});
      }
      case Op::add:
      case Op::sub:
      case Op::mul:
      case Op::and_:
      case Op::or_:
      case Op::xor_: {
        ValueId x = narrowed(inst.operands[0], depth + 1), y = narrowed(inst.operands[1], depth + 1);
        return make(b, before, inst.op, kI32, {x, y});
      }
      case Op::shl:
        if (!f.is_const(inst.operands[1]) || f.value(inst.operands[1]).bits >= 32) return {};
        return make(b, before, Op::shl, kI32,
                    {narrowed(inst.operands[0], depth + 1),
                     i32(static_cast<int64_t>(f.value(inst.operands[1]).bits))});
      default:
        return {};
    }
  }

  // --- offsets

  void add_parameters() {
    for (BlockId b : cfg_.rpo) {
      if (b == f.entry()) continue;
      size_t count = f.block(b).params.size();
      for (size_t k = 0; k < count; ++k)
        if (ValueId p = f.block(b).params[k]; is_relative(p)) {
          distances_[p.index] = f.add_param(b, kI32);
          changed_ = true;
        }
    }
  }

  /// The offset of an address from its root, available where the address is defined.
  ValueId distance(ValueId v) {
    if (f.is_undef(v)) return f.undef(kI32);
    if (roots_[v.index].value == v) return i32(0);
    if (distances_[v.index].valid()) return distances_[v.index];
    auto [b, before] = behind(v);
    InstId d = f.def(v);
    ValueId r;
    auto from_root = [&] { return roots_[v.index].value == f.inst(d).operands[0]; };
    if (d && f.inst(d).op == Op::ptr_add && (divergent(v) || from_root())) {
      const Inst inst = f.inst(d);
      ValueId from = distance(inst.operands[0]);
      r = add(b, before, from, scaled(b, before, narrowed(inst.operands[1]), inst.attrs[0], inst.attrs[1]));
    } else if (d && f.inst(d).op == Op::select && divergent(v)) {
      const Inst inst = f.inst(d);
      ValueId yes = distance(inst.operands[1]), no = distance(inst.operands[2]);
      r = make(b, before, Op::select, kI32, {inst.operands[0], yes, no});
    } else {
      ValueId here = make(b, before, Op::bitcast, kI64, {v});
      ValueId from = make(b, before, Op::bitcast, kI64, {roots_[v.index].value});
      r = make(b, before, Op::trunc, kI32, {make(b, before, Op::sub, kI64, {here, from})});
    }
    distances_[v.index] = r;
    return r;
  }

  /// The address for an access, inserted before it.
  ValueId address(ValueId v, BlockId b, InstId before) {
    int64_t offset = 0;
    ValueId base = v;
    // Trailing constants are left to the machine's addressing modes, where the sum has no other use.
    for (InstId d = f.def(base); d && f.inst(d).op == Op::ptr_add && f.is_const(f.inst(d).operands[1]) &&
                                 is_relative(f.inst(d).operands[0]) && !moves_on_[base.index];
         d = f.def(base)) {
      const Inst& inst = f.inst(d);
      ValueId index = inst.operands[1];
      unsigned shift = 64 - f.type(index).bits();
      int64_t more =
          (static_cast<int64_t>(f.value(index).bits << shift) >> shift) * inst.attrs[0] + inst.attrs[1];
      if (std::abs(offset + more) > kMostOffset) break;
      offset += more;
      base = inst.operands[0];
    }
    ValueId from = distance(base);
    Type type = f.type(v);
    return make(b, before, Op::ptr_add, type, {roots_[v.index].value, from}, {1, offset});
  }

  void block(BlockId b) {
    auto insts = f.block(b).insts;
    for (InstId i : insts) {
      join_indices(b, i);
      Inst inst = f.inst(i);
      if (inst.results.size() == 1 && is_relative(inst.results[0])) {
        distance(inst.results[0]);
        continue;
      }
      if (inst.op == Op::ptr_add && is_address(f.type(inst.results[0])) && divergent(inst.results[0]))
        index(i);
      if (compare(b, i)) continue;
      for (size_t k = 0; k < inst.operands.size(); ++k)
        if (is_relative(inst.operands[k])) f.inst(i).operands[k] = address(inst.operands[k], b, i);
    }
  }

  // (parameter + x) + y with a divergent x, both in the same unit: parameter + (x + y). Modulo 2^32 the sum
  // is exact as it is alone, and stays an index of elements.
  void join_indices(BlockId b, InstId i) {
    const Inst inst = f.inst(i);
    if (inst.op != Op::ptr_add || !is_address(f.type(inst.results[0])) || !divergent(inst.operands[0]))
      return;
    const InstId d = f.def(inst.operands[0]);
    if (!d || f.inst(d).op != Op::ptr_add) return;
    const Inst inner = f.inst(d);
    const Root r = root(inner.operands[0]);
    const int64_t offset = inst.attrs[1] + inner.attrs[1];
    const bool joins = r.kind == Root::One && r.value == inner.operands[0] &&
                       inst.attrs[0] == inner.attrs[0] && is_scale(inst.attrs[0]) &&
                       std::abs(offset) <= kMostOffset;
    if (!joins) return;
    const ValueId x = narrowed(inner.operands[1]), y = narrowed(inst.operands[1]);
    if (f.type(x) != kI32 || f.type(y) != kI32) return;
    f.inst(i).operands = {r.value, add(b, i, x, y)};
    f.inst(i).attrs[1] = offset;
    changed_ = true;
  }

  // Whether an extension of a divergent 32-bit number is part of a 64-bit sum, or if it is one of an unsigned
  // number: as 64-bit numbers its lanes may have no constant stride.
  bool extends_inside(ValueId v, unsigned depth = 0) const {
    const InstId d = f.def(v);
    if (!d || depth == kMostNarrowed) return false;
    const Inst& inst = f.inst(d);
    switch (inst.op) {
      case Op::zext:
        return divergent(v);
      case Op::sext:
        return depth > 0 && divergent(v);
      case Op::add:
      case Op::sub:
      case Op::mul:
      case Op::shl:
        return std::ranges::any_of(inst.operands, [&](ValueId o) { return extends_inside(o, depth + 1); });
      default:
        return false;
    }
  }

  // parameter + index: 32 bits of the index suffice. Likewise for an address that uniform numbers were added
  // to before.
  void index(InstId i) {
    ValueId base = f.inst(i).operands[0], old = f.inst(i).operands[1];
    if (f.type(old).bits() <= 32 || f.is_const(old) || roots_[base.index].kind != Root::One) return;
    if (const ValueId root = roots_[base.index].value; root != base) {
      if (divergent(base) || !extends_inside(old)) return;
      const Inst inst = f.inst(i);
      const BlockId b = inst.block;
      ValueId bytes = add(b, i, distance(base), scaled(b, i, narrowed(old), inst.attrs[0], inst.attrs[1]));
      f.inst(i).operands = {root, bytes};
      f.inst(i).attrs[0] = 1, f.inst(i).attrs[1] = 0;
      return;
    }
    // The sum is exact modulo 2^32, and so is the index if the added constant is small.
    if (std::abs(f.inst(i).attrs[1]) > kMostOffset) return;
    ValueId n = narrowed(old);
    f.inst(i).operands[1] = n;
    changed_ = true;
  }

  bool compare(BlockId b, InstId i) {
    Inst inst = f.inst(i);
    if (inst.op != Op::eq && inst.op != Op::ne && inst.op != Op::ult && inst.op != Op::ule) return false;
    ValueId x = inst.operands[0], y = inst.operands[1];
    if (!is_address(f.type(x)) || (!is_relative(x) && !is_relative(y))) return false;
    if (root(x).kind != Root::One || root(y).kind != Root::One || root(x).value != root(y).value)
      return false;
    Op op = inst.op == Op::ult ? Op::slt : inst.op == Op::ule ? Op::sle : inst.op;
    ValueId r = make(b, i, op, f.type(inst.results[0]), {distance(x), distance(y)}, {}, inst.loc);
    compares_.set(inst.results[0], r);
    return true;
  }

  // Edges pass offsets in addition to the addresses, which dead code elimination removes.
  void pass_distances(BlockId b) {
    InstId end = f.terminator(b);
    for (size_t t = 0; t < f.inst(end).targets.size(); ++t) {
      BlockId to = f.inst(end).targets[t].block;
      size_t count = f.inst(end).targets[t].args.size();
      for (size_t k = 0; k < count; ++k) {
        ValueId p = f.block(to).params[k];
        ValueId arg = f.inst(end).targets[t].args[k];
        if (is_relative(p)) {
          ValueId d = distance(arg);
          f.inst(end).targets[t].args.push_back(d);
        } else if (is_relative(arg)) {
          ValueId made = address(arg, b, end);
          f.inst(end).targets[t].args[k] = made;
        }
      }
    }
  }

  // Later instructions use earlier ones.
  void place() {
    std::ranges::stable_sort(pending_, {}, [](const Pending& p) { return p.before.index; });
    std::vector<size_t> first(next_.size(), pending_.size());
    for (size_t k = pending_.size(); k-- > 0;) first[pending_[k].before.index] = k;
    for (BlockId b : cfg_.rpo) {
      std::vector<InstId> insts;
      for (InstId i : f.block(b).insts) {
        for (size_t k = first[i.index]; k < pending_.size() && pending_[k].before == i; ++k)
          insts.push_back(pending_[k].inst);
        insts.push_back(i);
      }
      f.block(b).insts = std::move(insts);
    }
  }

  Function& f;
  const Cfg& cfg_;
  const Uniformity& uniformity_;
  std::vector<Root> roots_;
  std::vector<ValueId> distances_;  // by address
  std::vector<ValueId> narrow_;     // by 64-bit index
  std::vector<bool> moves_on_;      // by address: passed on an edge
  Replacements compares_;
  std::vector<InstId> next_;  // by instruction: the one after it
  std::vector<Pending> pending_;
  bool changed_ = false;
};

}  // namespace

bool pointer_to_offset32(Function& f, AnalysisCache& analyses) {
  if (!has_candidates(f)) return false;
  bool changed = remove_unreachable_blocks(f, analyses);
  return OffsetRewriter(f, analyses).run() || changed;
}

}  // namespace kc
