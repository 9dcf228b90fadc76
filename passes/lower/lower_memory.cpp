// SPDX-License-Identifier: Apache-2.0
// lower_memory: replaces memory objects by addresses, and accesses to private memory by accesses of words.
//
// Machines interleave the private memory of a wave's lanes in units of 32 bits. Wider accesses are split;
// bytes and halves are extracted from a word and inserted into it. Private words are not shared between
// work-items, so read-modify-write is correct. Accesses are aligned to their size, or to 4 bytes.
//
// Needs ThreadForm; gives NoObjects.
//
//   %1: ptr<private> = object_address object=$a.0          %2: i32 = load 16:ptr<private>
//   %2: f32 = load %1                                 ==>  %3: f32 = bitcast %2
#include "passes/lower/lower_memory.h"

#include "ir/launch.h"
#include "ir/parameters.h"
#include "passes/ir_util.h"

namespace kc {
namespace {

class MemoryLowering {
 public:
  explicit MemoryLowering(Function& function)
      : f(function),
        b_(function),
        replaced_(function),
        layouts_{lay_out_objects(f, kPtrPrivate), lay_out_objects(f, kPtrLocal),
                 lay_out_objects(f, kPtrConstant)} {}

  bool run() {
    for (BlockId block : f.layout) {
      std::vector<InstId> old = std::move(f.block(block).insts);
      f.block(block).insts.clear();
      b_.block = block;
      for (InstId i : old)
        if (!instruction(i)) f.append(block, i);
    }
    if (!replaced_.empty()) apply_replacements(f, replaced_);
    return changed_;
  }

 private:
  // Replaces the instruction if necessary; returns whether it did.
  bool instruction(InstId id) {
    Op op = f.inst(id).op;
    bool access = op == Op::load || op == Op::store;
    if (op != Op::object_address && !(access && f.type(f.inst(id).operands[0]) == kPtrPrivate)) return false;
    const Inst& inst = f.inst(id);
    b_.loc = inst.loc;
    bool done = op == Op::load ? load(inst) : op == Op::store ? store(inst) : object(inst);
    f.inst(id).erased = done;
    changed_ |= done;
    return done;
  }

  bool object(const Inst& inst) {
    auto i = static_cast<size_t>(inst.attrs[0]);
    Type space = f.objects[i].type;
    size_t which = space == kPtrPrivate ? 0 : space == kPtrLocal ? 1 : 2;
    uint32_t offset = layouts_[which].offsets[i];
    ValueId address = space == kPtrConstant ? b_.make(Op::ptr_add, kPtrConstant, {constants(), b_.i64(0)},
                                                      {1, static_cast<int64_t>(offset)})
                                            : f.constant(space, offset);
    replaced_.set(inst.results[0], address);
    return true;
  }

  ValueId constants() {
    if (!constants_.valid()) constants_ = add_hidden_parameter(f, ParamRole::Constants);
    return constants_;
  }

  ValueId binary(Op op, ValueId x, ValueId y) { return b_.make(op, f.type(x), {x, y}); }
  ValueId cast(ValueId v, Type to) { return f.type(v) == to ? v : b_.make(Op::bitcast, to, {v}); }
  ValueId load_word(ValueId p) { return b_.make(Op::load, kI32, {p}); }
  ValueId behind(ValueId p) { return b_.make(Op::ptr_add, kPtrPrivate, {p, b_.i32(0)}, {1, 4}); }

  // The word that contains a byte or half, and the bit offset within.
  struct Part {
    ValueId word, shift;
  };
  Part part(ValueId p) {
    ValueId at = cast(p, kI32);
    return {cast(binary(Op::and_, at, b_.i32(~3)), kPtrPrivate),
            binary(Op::shl, binary(Op::and_, at, b_.i32(3)), b_.i32(3))};
  }

  bool load(const Inst& inst) {
    ValueId p = inst.operands[0], result = inst.results[0];
    Type type = f.type(result);
    if (type == kI32) return false;
    ValueId v;
    if (type.bytes() == 4) {
      v = load_word(p);
    } else if (type.bytes() == 8) {
      ValueId low = b_.make(Op::zext, kI64, {load_word(p)});
      ValueId high = b_.make(Op::zext, kI64, {load_word(behind(p))});
      v = binary(Op::or_, low, binary(Op::shl, high, b_.i64(32)));
    } else {
      Part at = part(p);
      v = b_.make(Op::trunc, type, {binary(Op::lshr, load_word(at.word), at.shift)});
    }
    replaced_.set(result, cast(v, type));
    return true;
  }

  bool store(const Inst& inst) {
    ValueId p = inst.operands[0], v = inst.operands[1];
    Type type = f.type(v);
    if (type == kI32) return false;
    if (type.bytes() == 4) {
      b_.emit(Op::store, {p, cast(v, kI32)});
    } else if (type.bytes() == 8) {
      ValueId wide = cast(v, kI64);
      b_.emit(Op::store, {p, b_.make(Op::trunc, kI32, {wide})});
      b_.emit(Op::store, {behind(p), b_.make(Op::trunc, kI32, {binary(Op::lshr, wide, b_.i64(32))})});
    } else {
      Part at = part(p);
      ValueId ones = b_.i32(type.bytes() == 1 ? 0xff : 0xffff);
      ValueId others = binary(Op::xor_, binary(Op::shl, ones, at.shift), b_.i32(-1));
      ValueId fresh = binary(Op::shl, b_.make(Op::zext, kI32, {v}), at.shift);
      b_.emit(Op::store, {at.word, binary(Op::or_, binary(Op::and_, load_word(at.word), others), fresh)});
    }
    return true;
  }

  Function& f;
  Builder b_;
  Replacements replaced_;
  MemoryLayout layouts_[3];
  ValueId constants_;
  bool changed_ = false;
};

}  // namespace

bool lower_memory(Function& f) { return MemoryLowering(f).run(); }

}  // namespace kc
