// SPDX-License-Identifier: Apache-2.0
// lower_traps: a trap becomes a record for the host and a return.
//
// Each work-item has one slot, in order of linear global id without the launch's offset; the host reads the
// first slot that is not zero. The id is computed at the trap, which is rarely executed, not at the entry.
//
// Needs ThreadForm; gives NoTraps; kills Reconverging, Structured.
//
//   trap %5, site=2   ==>   ... %9: i64 = linear global id
//                           %10: ptr<global> = ptr_add %traps, %9, scale=16
//                           %11: ptr<global> = ptr_add %10, 0:i64, offset=8
//                           %12: i64 = zext %5
//                           store %11, %12
//                           store %10, 3:i32
//                           ret
#include "passes/lower/lower_traps.h"

#include <cstddef>

#include "ir/launch.h"
#include "ir/parameters.h"

namespace kc {
namespace {

static_assert(sizeof(TrapSlot) == 16 && offsetof(TrapSlot, value) == 8);

// ((z * size_y) + y) * size_x + x, of ids without the launch's offset.
ValueId linear_id(Builder& b) {
  auto id = [&](Op op, int64_t dim) { return b.make(op, kI64, {}, {dim}); };
  ValueId linear;
  for (int64_t dim = 2; dim >= 0; --dim) {
    ValueId here = b.make(Op::sub, kI64, {id(Op::global_id, dim), id(Op::global_offset, dim)});
    if (!linear.valid()) {
      linear = here;
      continue;
    }
    ValueId rows = b.make(Op::mul, kI64, {linear, id(Op::global_size, dim)});
    linear = b.make(Op::add, kI64, {rows, here});
  }
  return linear;
}

// The value's bits, zero-extended.
ValueId as_i64(Builder& b, ValueId v) {
  Type type = b.f.type(v);
  unsigned bits = type.bits();
  if (!type.is_int() && bits > 1) v = b.make(Op::bitcast, bits == 64 ? kI64 : kI32, {v});
  return bits == 64 ? v : b.make(Op::zext, kI64, {v});
}

void lower(Function& f, BlockId block, ValueId traps) {
  InstId trap = f.terminator(block);
  ValueId thrown = f.inst(trap).operands[0];
  int64_t site = f.inst(trap).attrs[0];
  Builder b(f);
  b.block = block;
  b.loc = f.inst(trap).loc;
  f.erase(trap);
  ValueId slot = b.make(Op::ptr_add, kPtrGlobal, {traps, linear_id(b)}, {sizeof(TrapSlot), 0});
  ValueId value = b.make(Op::ptr_add, kPtrGlobal, {slot, b.i64(0)}, {1, offsetof(TrapSlot, value)});
  b.emit(Op::store, {value, as_i64(b, thrown)});
  b.emit(Op::store, {slot, b.i32(static_cast<int32_t>(site + 1))});
  b.ret();
}

}  // namespace

bool lower_traps(Function& f) {
  ValueId traps;
  bool changed = false;
  if (auto known = param_with_role(f, ParamRole::Traps)) traps = f.block(f.entry()).params[*known];
  for (BlockId b : f.layout) {
    if (f.inst(f.terminator(b)).op != Op::trap) continue;
    if (!traps.valid()) traps = add_hidden_parameter(f, ParamRole::Traps);
    lower(f, b, traps);
    changed = true;
  }
  return changed;
}

}  // namespace kc
