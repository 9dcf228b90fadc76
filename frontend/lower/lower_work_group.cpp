// SPDX-License-Identifier: Apache-2.0
// Work-group functions: votes, broadcasts, reductions and scans, through local memory and barriers.
#include "frontend/lower/linear_id.h"
#include "frontend/lower/lower.h"
#include "frontend/sema/builtins.h"
#include "ir/fold.h"
#include "ir/known_bits.h"

namespace kc::front {

/// One call. It has an element of local memory for each work-item of the group, by linear local id. All calls
/// with elements of one size share this memory: each call ends with a barrier after its last access to the
/// elements of others.
class WorkGroupCall {
 public:
  WorkGroupCall(KernelLowering& kernel, kc::Type type);

  ValueId any(ValueId condition);
  ValueId broadcast(ValueId value, ValueId from);
  ValueId reduce(Op op, ValueId value);
  ValueId scan(Op op, ValueId value, bool exclusive, ValueId identity);

 private:
  ValueId op(Op o, ValueId a, ValueId b) { return b_.make(o, kI32, {a, b}); }
  ValueId test(Op o, ValueId a, ValueId b) { return b_.make(o, kI1, {a, b}); }
  ValueId address(ValueId index) {
    return b_.make(Op::ptr_add, kPtrLocal, {memory_, index}, {type_.bits() / 8});
  }
  ValueId get(ValueId index) { return b_.make(Op::load, type_, {address(index)}); }
  void put(ValueId index, ValueId value) { b_.emit(Op::store, {address(index), value}); }
  void meet() { b_.emit(Op::barrier, {}, {}, {1, kernel_.trap_site(TrapKind::DivergentBarrier, "")}); }
  template <class Then>
  ValueId value_if(ValueId condition, ValueId otherwise, Then then);
  template <class Then>
  void when(ValueId condition, Then then);

  KernelLowering& kernel_;
  Builder& b_;
  kc::Type type_;               // of an element
  ValueId memory_, own_, all_;  // address; index of the own element and number of elements, as i32
  ValueId zero_, one_;
};

WorkGroupCall::WorkGroupCall(KernelLowering& kernel, kc::Type type)
    : kernel_(kernel), b_(kernel.b_), type_(type), zero_(b_.i32(0)), one_(b_.i32(1)) {
  const bool wide = type.bits() == 64;
  ObjectId& object = kernel.group_memory_[wide];
  if (!object.valid()) {
    uint64_t count = 1;
    for (uint32_t size : kernel.f_->reqd_local) count *= size;
    const Type* element = kernel.types_.get(wide ? TypeKind::ULong : TypeKind::UInt);
    const Type* elements = kernel.types_.array(element, count ? count : kMostLocal);
    object = kernel.add_object("group_values", elements, AddressSpace::Local, 1);
  }
  memory_ = b_.object_address(object);
  own_ = b_.make(Op::trunc, kI32, {linear_id(b_, true)});
  all_ = b_.make(Op::trunc, kI32, {group_size(b_)});
}

// The value of `then` where the condition holds.
template <class Then>
ValueId WorkGroupCall::value_if(ValueId condition, ValueId otherwise, Then then) {
  BlockId yes = kernel_.new_block("takes_part"), join = kernel_.new_block("joined");
  b_.br_if(condition, {yes, {}}, {join, {otherwise}});
  kernel_.start(yes);
  b_.br(join, {then()});
  kernel_.start(join);
  return kernel_.f_->add_param(join, kernel_.f_->type(otherwise));
}

template <class Then>
void WorkGroupCall::when(ValueId condition, Then then) {
  BlockId yes = kernel_.new_block("takes_part"), join = kernel_.new_block("joined");
  b_.br_if(condition, {yes, {}}, {join, {}});
  kernel_.start(yes);
  then();
  b_.br(join);
  kernel_.start(join);
}

// One work-item clears a flag; those for which the condition holds set it.
ValueId WorkGroupCall::any(ValueId condition) {
  when(test(Op::eq, own_, zero_), [&] { put(zero_, zero_); });
  meet();
  when(condition, [&] { op(Op::atomic_or, memory_, one_); });
  meet();
  ValueId flag = get(zero_);
  meet();
  return test(Op::ne, flag, zero_);
}

ValueId WorkGroupCall::broadcast(ValueId value, ValueId from) {
  when(test(Op::eq, own_, from), [&] { put(zero_, value); });
  meet();
  ValueId result = get(zero_);
  meet();
  return result;
}

// Of n elements, the first p take in the others, where p is the largest power of two below n; then the first
// p / 2 of these, and so on. Values are loaded anew in each step: what is carried through a barrier is in
// memory, too, on CPUs.
ValueId WorkGroupCall::reduce(Op fold, ValueId value) {
  put(own_, value);
  meet();
  BlockId head = kernel_.new_block("reduce"), step = kernel_.new_block("halve"),
          done = kernel_.new_block("reduced");
  ValueId bits = op(Op::sub, b_.i32(32), b_.make(Op::clz, kI32, {op(Op::sub, all_, one_)}));
  b_.br(head, {op(Op::lshr, op(Op::shl, one_, bits), one_), all_});
  kernel_.start(head);
  ValueId half = kernel_.f_->add_param(head, kI32), count = kernel_.f_->add_param(head, kI32);
  b_.br_if(test(Op::ne, half, zero_), {step, {}}, {done, {}});
  kernel_.start(step);
  when(test(Op::ult, own_, op(Op::sub, count, half)), [&] {
    put(own_, b_.make(fold, type_, {get(own_), get(op(Op::add, own_, half))}));
  });
  meet();
  b_.br(head, {op(Op::lshr, half, one_), half});
  kernel_.start(done);
  ValueId result = get(zero_);
  meet();
  return result;
}

// In steps d = 1, 2, 4, ... each element takes in the one d before it.
ValueId WorkGroupCall::scan(Op fold, ValueId value, bool exclusive, ValueId identity) {
  put(own_, value);
  meet();
  BlockId head = kernel_.new_block("scan"), step = kernel_.new_block("double"),
          done = kernel_.new_block("scanned");
  b_.br(head, {one_});
  kernel_.start(head);
  ValueId distance = kernel_.f_->add_param(head, kI32);
  b_.br_if(test(Op::ult, distance, all_), {step, {}}, {done, {}});
  kernel_.start(step);
  ValueId has_other = test(Op::ule, distance, own_);
  ValueId other = value_if(has_other, identity, [&] { return get(op(Op::sub, own_, distance)); });
  meet();
  when(has_other, [&] { put(own_, b_.make(fold, type_, {other, get(own_)})); });
  meet();
  b_.br(head, {op(Op::shl, distance, one_)});
  kernel_.start(done);
  if (!exclusive) return get(own_);
  ValueId before =
      value_if(test(Op::ne, own_, zero_), identity, [&] { return get(op(Op::sub, own_, one_)); });
  meet();
  return before;
}

ValueId KernelLowering::lower_work_group(const CallExpr* e) {
  const BuiltinRow& row = *e->builtin;
  const bool is_vote = row.shape == BuiltinShape::GroupVote;
  std::vector<ValueId> v{is_vote ? lower_bit(e->arguments[0]) : ValueId(lower(e->arguments[0]))};
  for (size_t i = 1; i < e->arguments.size(); ++i) v.push_back(lower(e->arguments[i]));
  if (over_budget(e->range)) return {};
  at(e->range);
  const kc::Type type = ir_type(e->type);
  WorkGroupCall call(*this, type);
  if (is_vote) {
    const bool all = row.id == Builtin::work_group_all;  // the condition fails for none
    auto inverse_if_all = [&](ValueId bit) {
      return all ? b_.make(Op::xor_, kI1, {bit, f_->constant(kI1, 1)}) : bit;
    };
    return b_.make(Op::zext, kI32, {inverse_if_all(call.any(inverse_if_all(v[0])))});
  }
  if (row.shape == BuiltinShape::GroupBroadcast) {
    ValueId from = v.back();  // the linear id of the place, x first
    for (size_t i = v.size() - 1; i-- > 1;) {
      ValueId size = b_.make(Op::local_size, kI32, {}, {static_cast<int64_t>(i - 1)});
      from = b_.make(Op::add, kI32, {b_.make(Op::mul, kI32, {from, size}), v[i]});
    }
    return call.broadcast(v[0], from);
  }
  const int64_t fold = row.fold_of(e->type);
  const Op op = fold_op(fold, type);
  return row.op == Op::reduce
             ? call.reduce(op, v[0])
             : call.scan(op, v[0], row.is_exclusive(), f_->constant(type, fold_identity(fold, type)));
}

}  // namespace kc::front
