// SPDX-License-Identifier: Apache-2.0
// Addresses in constant memory: objects, pointers in tables of constants, texts that printf prints.
#include "frontend/lower/lower.h"

namespace kc::front {

// All uses of a table in constant memory share one object.
ObjectId KernelLowering::constant_object(const VarDecl* v) {
  if (v->definition) v = v->definition;
  auto [known, fresh] = constants_.emplace(v, ObjectId());
  if (fresh)
    known->second = f_->add_object({.name = std::string(v->name),
                                    .type = kPtrConstant,
                                    .size = v->bytes.size(),
                                    .align = std::max(v->align, v->type->align()),
                                    .init = {v->bytes.begin(), v->bytes.end()}});
  return known->second;
}

// Whether a pointer read here is the number of an object and an offset.
bool KernelLowering::is_numbered(const Type* type, ValueId address) const {
  return type->is_pointer() && type->space == AddressSpace::Constant && !unit_.addressed.empty() &&
         f_->type(address) == kPtrConstant;
}

// The pointer that a table of constants keeps as the number of an object and an offset.
ValueId KernelLowering::numbered_address(ValueId place) {
  ValueId number = b_.make(Op::lshr, kI64, {place, b_.i64(32)}), address = f_->constant(kPtrConstant, 0);
  for (const VarDecl* v : unit_.addressed) {
    ValueId this_one = b_.make(Op::eq, kI1, {number, b_.i64(v->address_number)});
    ValueId here = b_.object_address(constant_object(v));
    address = b_.make(Op::select, kPtrConstant, {this_one, here, address});
  }
  ValueId offset = b_.make(Op::trunc, kI32, {place});
  return b_.make(Op::ptr_add, kPtrConstant, {address, offset}, {1, 0});
}

// What printf notes for a pointer to characters: the number of the text that it points into, and an offset.
ValueId KernelLowering::text_at(ValueId pointer) {
  ValueId address = b_.make(Op::bitcast, kI64, {pointer}), found = b_.i64(0);
  for (const VarDecl* v : unit_.texts) {
    ObjectId text = constant_object(v);
    ValueId begin = b_.make(Op::bitcast, kI64, {b_.object_address(text)});
    ValueId offset = b_.make(Op::sub, kI64, {address, begin});
    ValueId inside =
        b_.make(Op::ult, kI1, {offset, b_.i64(static_cast<int64_t>(f_->objects[text.index].size))});
    ValueId high = b_.make(Op::shl, kI64, {offset, b_.i64(32)});
    ValueId place = b_.make(Op::or_, kI64, {high, b_.i64(text_number(*f_, text))});
    found = b_.make(Op::select, kI64, {inside, place, found});
  }
  return found;
}

}  // namespace kc::front
