// SPDX-License-Identifier: Apache-2.0
// lower_sub_groups: lowers sub-group reductions, scans, ids and sizes to operations of waves of a known
// width.
//
// A scan is over the active work-items, not over all lanes: each finds the preceding active one in the bits
// of a ballot. In each iteration it combines with the value of its predecessor and then takes the
// predecessor's predecessor. Inactive lanes compute nothing, and the iterations are those of ir/fold.h. The
// highest bit is found as the exponent of a float.
//
// If all lanes are active, the value of iteration d = 1, 2, 4 ... is that of lane - d. A reduction, which
// takes what the last lane has, then asks lane ^ d instead, a permutation: in the last lane, and in those
// that its value comes from, both are the same lane.
//
// Needs ThreadForm; gives NoSubGroups.
//
//   %2: i32 = scan %1   ==>   %3: i64 = ballot true:i1
//                             %4: i1 = eq %3, 65535:i64         of 16 lanes
//                             %7: i32 = ...                     highest bit of %3 below the own one, or -1
//                             %8: i32 = select %4, %lane - 1, %7
//                             %9: i32 = add (shuffle %1, %8), %1
//                             %10: i32 = select %8 >= 0, %9, %1
//                             ...                               until the width is reached
#include "passes/lower/lower_sub_groups.h"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <utility>
#include <vector>

#include "ir/check.h"
#include "ir/fold.h"
#include "passes/ir_util.h"

namespace kc {
namespace {

class SubGroupLowering {
 public:
  SubGroupLowering(Function& f, SubGroupShape shape)
      : b(f),
        shape_(shape),
        log2_(std::countr_zero(shape.width)),
        width_(static_cast<int32_t>(shape.width)) {}
  Builder b;

  ValueId lower(const Inst& inst) {
    switch (inst.op) {
      case Op::max_sub_group_size:
        return b.i32(width_);
      case Op::sub_group_size:
        return make(Op::smin, {b.i32(width_), make(Op::sub, {length(), first()})});
      case Op::sub_group_id:
        return shape_.rows ? make(Op::add, {make(Op::mul, {row(), in_row()}), number()}) : number();
      case Op::num_sub_groups:
        return shape_.rows
                   ? make(Op::mul,
                          {in_row(), make(Op::mul, {local(Op::local_size, 1), local(Op::local_size, 2)})})
                   : in_row();
      default:
        return fold(inst);
    }
  }

 private:
  // Braced lists evaluate operands from left to right.
  ValueId make(Op op, std::vector<ValueId> operands) { return b.make(op, kI32, std::move(operands)); }
  ValueId local(Op op, int64_t dim) {
    const uint32_t size = b.f.reqd_local[static_cast<size_t>(dim)];
    if (size != 0 && op == Op::local_size) return b.i32(static_cast<int32_t>(size));
    if (size == 1 && op == Op::local_id) return b.i32(0);
    return b.make(op, kI32, {}, {dim});
  }
  // z * size_y + y
  ValueId row() {
    return make(Op::add,
                {make(Op::mul, {local(Op::local_id, 2), local(Op::local_size, 1)}), local(Op::local_id, 1)});
  }
  // The work-item's index in the range that is divided into waves, and the size of that range.
  ValueId position() {
    ValueId x = local(Op::local_id, 0);
    return shape_.rows ? x : make(Op::add, {make(Op::mul, {row(), local(Op::local_size, 0)}), x});
  }
  ValueId length() {
    ValueId x = local(Op::local_size, 0);
    if (shape_.rows) return x;
    return make(Op::mul, {x, make(Op::mul, {local(Op::local_size, 1), local(Op::local_size, 2)})});
  }
  // The index of the sub-group's lane 0, active or not.
  ValueId first() {
    return b.make(Op::broadcast_first, kI32, {make(Op::and_, {position(), b.i32(-width_)})});
  }
  ValueId number() { return make(Op::lshr, {first(), b.i32(log2_)}); }
  ValueId in_row() { return make(Op::lshr, {make(Op::add, {length(), b.i32(width_ - 1)}), b.i32(log2_)}); }

  // The index of the highest set bit of a word; negative if there is none.
  ValueId highest_of_word(ValueId word) {
    constexpr int kExactInFloat = 24;
    if (width_ <= kExactInFloat) {
      ValueId bits = b.make(Op::bitcast, kI32, {b.make(Op::uitofp, kF32, {word})});
      return make(Op::sub, {make(Op::lshr, {bits, b.i32(23)}), b.i32(127)});
    }
    ValueId bits = b.make(Op::bitcast, kI64, {b.make(Op::uitofp, kF64, {word})});
    ValueId exponent = b.make(Op::trunc, kI32, {b.make(Op::lshr, kI64, {bits, b.i64(52)})});
    return make(Op::sub, {exponent, b.i32(1023)});
  }
  ValueId highest(ValueId bits) {
    ValueId low = b.make(Op::trunc, kI32, {bits});
    if (width_ <= 32) return highest_of_word(low);
    ValueId high = b.make(Op::trunc, kI32, {b.make(Op::lshr, kI64, {bits, b.i64(32)})});
    ValueId above = b.make(Op::ne, kI1, {high, b.i32(0)});
    ValueId found = highest_of_word(b.make(Op::select, kI32, {above, high, low}));
    return b.make(Op::select, kI32, {above, make(Op::add, {found, b.i32(32)}), found});
  }
  // The nearest lane in `here` before this one.
  ValueId previous(ValueId here) {
    ValueId bit =
        b.make(Op::shl, kI64, {b.i64(1), b.make(Op::zext, kI64, {b.make(Op::sub_group_local_id, kI32, {})})});
    return highest(b.make(Op::and_, kI64, {here, b.make(Op::sub, kI64, {bit, b.i64(1)})}));
  }
  ValueId exists(ValueId lane) { return b.make(Op::slt, kI1, {b.i32(-1), lane}); }

  ValueId fold(const Inst& inst) {
    const int64_t kind = inst.attrs[0];
    const bool exclusive = inst.op == Op::scan && inst.attrs[1];
    ValueId held = inst.operands[0];
    Type type = b.f.type(held);
    ValueId here = b.make(Op::ballot, kI64, {b.f.constant(kI1, 1)});
    const ValueId neighbour = previous(here);
    const ValueId all = b.make(Op::eq, kI1, {here, b.f.constant(kI64, ~uint64_t{0} >> (64 - width_))});
    const bool reduces = inst.op == Op::reduce;
    const ValueId lane = b.make(Op::sub_group_local_id, kI32, {});
    ValueId chain = neighbour;
    for (int32_t d = 1; d < width_; d *= 2) {
      const ValueId full = make(reduces ? Op::xor_ : Op::sub, {lane, b.i32(d)});
      const ValueId from = make(Op::select, {all, full, chain});
      const ValueId before = exists(chain);
      const ValueId found = reduces ? b.make(Op::or_, kI1, {all, before}) : exists(from);
      ValueId both = b.make(fold_op(kind, type), type, {b.make(Op::shuffle, type, {held, from}), held});
      held = b.make(Op::select, type, {found, both, held});
      if (2 * d < width_) chain = make(Op::select, {before, make(Op::shuffle, {chain, chain}), b.i32(-1)});
    }
    if (reduces) return b.make(Op::shuffle, type, {held, highest(here)});
    if (!exclusive) return held;
    ValueId none = b.f.constant(type, fold_identity(kind, type));
    return b.make(Op::select, type, {exists(neighbour), b.make(Op::shuffle, type, {held, neighbour}), none});
  }

  SubGroupShape shape_;
  int32_t log2_, width_;
};

}  // namespace

bool uses_sub_groups(const Function& f) {
  return std::ranges::any_of(f.layout, [&](BlockId b) {
    return std::ranges::any_of(f.block(b).insts,
                               [&](InstId i) { return is_sub_group(class_of(f.inst(i).op)); });
  });
}

std::string wrong_sub_group_size(const Function& wave) {
  if (!wave.reqd_sub_group || wave.reqd_sub_group == wave.width) return {};
  return fmt::format("@{} needs sub-groups of {} work-items, and these waves have {}", wave.name,
                     wave.reqd_sub_group, wave.width);
}

bool is_sub_group_row(Op op) {
  return class_of(op) == OpClass::SubGroupShape || class_of(op) == OpClass::SubGroupFold;
}

bool lower_sub_groups(Function& f, SubGroupShape shape) {
  KC_CHECK(std::has_single_bit(shape.width) && shape.width <= 64, "sub-groups of {} work-items", shape.width);
  std::vector<std::pair<ValueId, ValueId>> replaced;
  SubGroupLowering lowering(f, shape);
  for (BlockId b : f.layout) {
    std::vector<InstId> old = f.block(b).insts;
    if (std::ranges::none_of(old, [&](InstId i) { return is_sub_group_row(f.inst(i).op); })) continue;
    f.block(b).insts.clear();
    lowering.b.block = b;
    for (InstId i : old) {
      if (!is_sub_group_row(f.inst(i).op)) {
        f.append(b, i);
        continue;
      }
      lowering.b.loc = f.inst(i).loc;
      const Inst inst = f.inst(i);
      replaced.emplace_back(f.result(i), lowering.lower(inst));
      f.inst(i).erased = true;
    }
  }
  Replacements replacements(f);
  for (auto [from, to] : replaced) replacements.set(from, to);
  apply_replacements(f, replacements);
  return !replaced.empty();
}

}  // namespace kc
