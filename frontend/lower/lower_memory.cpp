// SPDX-License-Identifier: Apache-2.0
// Objects in memory: storage of variables, members and elements, copies, initializer lists. The value of an
// array, a union or a large struct is its address; a user that keeps the value copies it.
#include <fmt/format.h>

#include <algorithm>

#include "frontend/lower/lower.h"

namespace kc::front {

namespace {

constexpr uint64_t MaxUnrolled = 32;  // array scalars that are copied or cleared without a loop

uint64_t leaf_count(const Type* type) {
  if (type->is_array()) return std::min(MaxUnrolled + 1, type->elements() * leaf_count(type->element));
  if (!type->is_record()) return type->components();
  uint64_t count = 0;
  for (const Field& f : type->record->fields) count = std::min(MaxUnrolled + 1, count + leaf_count(f.type));
  return count;
}

kc::Type pointer_type(AddressSpace space) {
  constexpr kc::Type Types[] = {kPtrPrivate, kPtrGlobal, kPtrConstant, kPtrLocal};
  return Types[static_cast<int>(space)];
}

// The widest integer type in which a whole union or packed struct can be copied.
const Type* word_of(TypeTable& types, const Type* type) {
  switch (std::min<uint32_t>(8, type->align())) {
    case 1:
      return types.get(TypeKind::UChar);
    case 2:
      return types.get(TypeKind::UShort);
    case 4:
      return types.get(TypeKind::UInt);
    default:
      return types.get(TypeKind::ULong);
  }
}

}  // namespace

kc::Type stored_type(const Type* type) { return type->kind == TypeKind::Bool ? kI8 : ir_type(type); }
kc::Type integer_type(uint64_t bytes) {
  return bytes == 1 ? kI8 : bytes == 2 ? kI16 : bytes == 4 ? kI32 : kI64;
}

// Visits the scalars of a type, in order of increasing offset.
void KernelLowering::each_number(const Type* type, uint64_t offset,
                                 const std::function<void(uint64_t offset, const Type* type)>& visit) const {
  bool words = type->moves_in_words();
  const Type* element = words ? word_of(types_, type) : type->element;
  uint64_t count = words ? type->size() / element->size() : type->elements();
  if (words || type->is_array() || type->is_vector())
    for (uint64_t i = 0; i < count; ++i) each_number(element, offset + i * element->size(), visit);
  else if (type->is_record())
    for (const Field& f : type->record->fields) each_number(f.type, offset + f.offset, visit);
  else
    visit(offset, type);
}

ObjectId KernelLowering::add_object(std::string_view name, const Type* type, AddressSpace space,
                                    uint32_t align) {
  constexpr uint64_t MaxPrivate = 1 << 20, MaxLocal = 1 << 20;
  bool local = space == AddressSpace::Local;
  uint64_t& used = local ? local_bytes_ : private_bytes_;
  uint64_t limit = local ? MaxLocal : MaxPrivate;
  uint64_t size = std::max<uint64_t>(1, type->size());
  if (size > limit - used) {
    if (!failed_)
      diagnostics_.error(here_, fmt::format("kernel '{}' needs more than {} bytes of {} memory{}", f_->name,
                                            limit, address_space_name(space),
                                            local ? "" : " once the functions it calls are inlined"));
    failed_ = true;
    size = 1;
  }
  used += size;
  return f_->add_object({.name = name.empty() ? "object" : std::string(name),
                         .type = pointer_type(space),
                         .size = size,
                         .align = std::max(align, type->align()),
                         .init = {}});
}

VariableStorage KernelLowering::add_storage(std::string_view name, const Type* type) {
  VariableStorage s;
  if (type->parts())
    s.variable = add_variables(name, type);
  else
    s.object = add_object(name, type, AddressSpace::Private, 1);
  return s;
}

// Adds one variable per part of the type, with consecutive numbers.
VarId KernelLowering::add_variables(std::string_view name, const Type* type) {
  VarId first(f_->vars.size());
  if (type->is_record())
    for (const Field& f : type->record->fields)
      add_variables(f.name.empty() ? std::string(name) : fmt::format("{}.{}", name, f.name), f.type);
  else if (type->is_vector())
    for (unsigned i = 0; i < type->length; ++i)
      f_->add_var(fmt::format("{}.{:x}", name, i), ir_type(type->element));
  else
    f_->add_var(std::string(name), ir_type(type));
  return first;
}

VariableStorage KernelLowering::storage_of(InlineFrame& frame, const VarDecl* v) {
  if (v->space == AddressSpace::Constant) return {{}, constant_object(v)};
  VariableStorage& s = frame.variables[v->index];
  if (s.variable.valid() || s.object.valid()) return s;
  if (v->in_memory)
    s.object = add_object(v->name, v->type, v->space, v->align);
  else
    s.variable = add_variables(v->name.empty() ? "literal" : v->name, v->type);
  return s;
}

LValue KernelLowering::lvalue_of(VariableStorage s, const Type* type) {
  LValue p;
  p.type = type;
  p.variable = s.variable;
  if (s.object.valid()) p.address = b_.object_address(s.object);
  return p;
}

ValueId KernelLowering::offset_by(ValueId address, uint64_t bytes) {
  if (bytes == 0) return address;
  return b_.make(Op::ptr_add, f_->type(address), {address, b_.i32(0)}, {1, static_cast<int64_t>(bytes)});
}

bool is_observed(uint8_t qualifiers, AddressSpace space) {
  return (qualifiers & Volatile) && (space == AddressSpace::Global || space == AddressSpace::Local);
}

LValue KernelLowering::lvalue(const Expr* e) {
  LValue p;
  p.type = e->type;
  p.is_volatile = is_observed(e->qualifiers, e->space);
  switch (e->kind) {
    case ExprKind::Name: {
      const VarDecl* v = as<NameExpr>(e)->variable;
      LValue whole = lvalue_of(storage_of(*frame_, v), v->type);
      whole.is_volatile = p.is_volatile;
      return whole;
    }
    case ExprKind::Index: {
      const IndexExpr* i = as<IndexExpr>(e);
      ValueId first = lower(i->base), second = lower(i->index);
      if (failed_) return p;
      at(e->range);
      bool plain = i->base->type->is_pointer();
      p.address = element(plain ? first : second, plain ? i->base->type : i->index->type,
                          plain ? second : first, false);
      p.align = low_alignment(e);
      return p;
    }
    case ExprKind::Member: {
      const MemberExpr* m = as<MemberExpr>(e);
      LValue whole;
      if (m->arrow || !m->base->is_lvalue) {
        whole.address = lower(m->base);
        whole.type = m->arrow ? m->base->type->element : m->base->type;
      } else {
        whole = lvalue(m->base);
      }
      if (failed_) return p;
      at(e->range);
      LValue part = part_of(whole, m->offset, e->type);
      part.is_volatile = p.is_volatile;
      part.align = low_alignment(e);  // accounts for the pointees of pointers
      return part;
    }
    case ExprKind::Swizzle:
      return swizzled(as<MemberExpr>(e));
    case ExprKind::String:
      return lvalue_of({{}, constant_object(as<StringExpr>(e)->variable)}, e->type);
    case ExprKind::CompoundLiteral: {
      const VarDecl* v = as<CompoundLiteralExpr>(e)->variable;
      p = lvalue_of(storage_of(*frame_, v), v->type);
      initialize(p, v->initializer);
      return p;
    }
    default:
      p.address = lower(as<UnaryExpr>(e)->operand);
      p.align = low_alignment(e);
      return p;
  }
}

CachedValue& KernelLowering::cached(VarId v) {
  if (v.index >= cached_.size()) cached_.resize(f_->vars.size());
  return cached_[v.index];
}

// A variable whose value is known in the current block is not read again.
ValueId KernelLowering::get(VarId v) {
  CachedValue& k = cached(v);
  if (k.block != b_.block) k = {b_.block, b_.get(v)};
  return k.value;
}

void KernelLowering::set(VarId v, ValueId value) {
  cached(v) = {b_.block, value};
  b_.set(v, value);
}

// A number, vector or struct that is part of a larger one.
LValue KernelLowering::part_of(const LValue& whole, uint64_t offset, const Type* type) {
  LValue part;
  part.type = type;
  part.is_volatile = whole.is_volatile;
  if (whole.variable.valid()) {
    part.variable = VarId{whole.variable.index + whole.type->part_at(offset)};
    return part;
  }
  part.address = offset_by(whole.address, offset);
  uint64_t align = whole.align ? whole.align : whole.type->align();
  if (offset) align = std::min(align, offset & (~offset + 1));
  part.align = align < type->align() ? static_cast<uint32_t>(align) : 0;
  return part;
}

Value KernelLowering::load(const LValue& p) {
  if (failed_) return {};
  if (p.type->is_record() && p.type->parts()) {
    Value v;
    for (const Field& f : p.type->record->fields) v.add(load(part_of(p, f.offset, f.type)));
    return v;
  }
  if (p.type->is_vector()) {
    Value v;
    for (unsigned i = 0; i < p.type->length; ++i) v.add(load(component(p, i)));
    return v;
  }
  if (p.variable.valid()) return get(p.variable);
  if (p.type->is_aggregate())
    return (p.align || p.is_volatile) && p.type->is_record() ? copy_of(p) : p.address;
  if (is_numbered(p.type, p.address)) {
    LValue place = p;
    place.type = types_.get(TypeKind::ULong);
    return numbered_address(load(place));
  }
  if (p.align) return load_in_pieces(p);
  ValueId value = b_.make(load_op(p.is_volatile), stored_type(p.type), {p.address});
  if (p.type->kind != TypeKind::Bool) return value;
  return b_.make(Op::ne, kI1, {value, f_->constant(kI8, 0)});
}

void KernelLowering::store(const LValue& p, const Value& whole) {
  if (failed_) return;
  if (p.type->is_record() && p.type->parts()) {
    unsigned first = 0;
    for (const Field& f : p.type->record->fields) {
      store(part_of(p, f.offset, f.type), whole.slice(first, f.type->parts()));
      first += f.type->parts();
    }
    return;
  }
  if (p.type->is_vector()) {
    for (unsigned i = 0; i < p.type->length; ++i) store(component(p, i), whole.part(i));
    return;
  }
  ValueId value = whole;
  if (p.variable.valid()) return set(p.variable, value);
  if (p.type->is_aggregate()) {
    const Type* type = p.align ? pieces(p) : p.type;
    return copy(p.address, value, type, Op::load, store_op(p.is_volatile));
  }
  if (p.align) return store_in_pieces(p, value);
  if (p.type->kind == TypeKind::Bool) value = b_.make(Op::zext, kI8, {value});
  b_.emit(store_op(p.is_volatile), {p.address, value});
}

// Initializes a declared object; without an initializer, each part is set to 0.
void KernelLowering::initialize(const LValue& p, const Expr* value) {
  if (value && value->kind == ExprKind::InitList && p.type->is_aggregate())
    return fill(p, as<InitListExpr>(value));
  if (value) {
    Value v = lower(value);
    at(value->range);
    store(p, v);
  } else if (p.type->parts()) {
    store(p, zero(p.type));
  }
}

// Runs `body` for each index below `count`, which is not 0.
template <class Body>
void KernelLowering::counted_loop(ValueId count, Body body) {
  BlockId head = new_block("each"), exit = new_block("endeach");
  b_.br(head, {b_.i64(0)});
  start(head);
  ValueId i = f_->add_param(head, kI64);
  body(i);
  ValueId next = b_.make(Op::add, kI64, {i, b_.i64(1)});
  ValueId more = b_.make(Op::ult, kI1, {next, count});
  b_.br_if(more, {head, {next}}, {exit, {}});
  start(exit);
}

// Visits the scalars of an object, those of large arrays in loops: `visit(addresses, type)`.
template <size_t N, class Visit>
void KernelLowering::each_scalar(std::array<ValueId, N> addresses, const Type* type, Visit visit) {
  if (over_budget(here_)) return;
  auto moved = [&](uint64_t bytes) {
    std::array<ValueId, N> result;
    for (size_t i = 0; i < N; ++i) result[i] = offset_by(addresses[i], bytes);
    return result;
  };
  if (type->moves_in_words()) {
    const Type* word = word_of(types_, type);
    each_element(addresses, word, type->size() / word->size(), visit);
  } else if (type->is_record()) {
    for (const Field& f : type->record->fields) each_scalar(moved(f.offset), f.type, visit);
  } else if (type->is_array() || type->is_vector()) {
    each_element(addresses, type->element, type->elements(), visit);
  } else {
    visit(addresses, type);
  }
}

template <size_t N, class Visit>
void KernelLowering::each_element(std::array<ValueId, N> addresses, const Type* element, uint64_t count,
                                  Visit visit) {
  if (count == 1) return each_scalar(addresses, element, visit);
  uint64_t size = element->size();
  if (count <= MaxUnrolled && count * leaf_count(element) <= MaxUnrolled) {
    for (uint64_t i = 0; i < count; ++i) {
      std::array<ValueId, N> here;
      for (size_t k = 0; k < N; ++k) here[k] = offset_by(addresses[k], i * size);
      each_scalar(here, element, visit);
    }
    return;
  }
  counted_loop(b_.i64(static_cast<int64_t>(count)), [&](ValueId i) {
    std::array<ValueId, N> here;
    for (size_t k = 0; k < N; ++k)
      here[k] = b_.make(Op::ptr_add, f_->type(addresses[k]), {addresses[k], i}, {static_cast<int64_t>(size)});
    each_scalar(here, element, visit);
  });
}

void KernelLowering::copy(ValueId to, ValueId from, const Type* type, Op load, Op store) {
  if (to == from) return;
  each_scalar(std::array{to, from}, type, [&](std::array<ValueId, 2> at, const Type* scalar) {
    bool numbered = is_numbered(scalar, at[1]);
    ValueId value = b_.make(load, numbered ? kI64 : stored_type(scalar), {at[1]});
    b_.emit(store, {at[0], numbered ? numbered_address(value) : value});
  });
}

void KernelLowering::clear(ValueId at, const Type* type, uint64_t count) {
  each_element(std::array{at}, type, count, [&](std::array<ValueId, 1> at, const Type* scalar) {
    b_.emit(Op::store, {at[0], f_->constant(stored_type(scalar), 0)});
  });
}

// Copies or sets bytes, as many at a time as the size and the types of the pointers allow.
void KernelLowering::lower_bytes(const CallExpr* e) {
  std::vector<ValueId> v;
  for (const Expr* a : e->arguments) v.push_back(lower(a));
  if (over_budget(e->range)) return;
  at(e->range);
  const bool copies = e->builtin->shape == BuiltinShape::CopyBytes, known = e->arguments[2]->is_constant;
  const auto size = static_cast<uint64_t>(e->arguments[2]->constant);
  const Type *to = e->arguments[0]->type->element, *from = copies ? e->arguments[1]->type->element : to;
  if (known && size == 0) return;
  const bool moves = e->builtin->id == Builtin::__builtin_memmove;  // the memory may overlap
  if (known && copies && !moves && to == from && to->is_complete() && to->size() && size % to->size() == 0) {
    each_element(std::array{v[0], v[1]}, to, size / to->size(),
                 [&](std::array<ValueId, 2> at, const Type* scalar) { copy(at[0], at[1], scalar); });
    return;
  }
  auto align = [](const Type* type) { return type->is_complete() ? uint64_t{type->align()} : 1; };
  const uint64_t step = known ? std::min({uint64_t{8}, size & -size, align(to), align(from)}) : 1;
  const kc::Type type = step == 8 ? kI64 : step == 4 ? kI32 : step == 2 ? kI16 : kI8;
  ValueId value = v[1];
  if (!copies && step > 1)
    value = b_.make(
        Op::mul, type,
        {b_.make(Op::zext, type, {value}), f_->constant(type, 0x0101010101010101u >> (64 - 8 * step))});
  ValueId from_end;  // the pieces are moved from the last to the first
  if (moves && f_->type(v[0]) == f_->type(v[1])) from_end = b_.make(Op::ult, kI1, {v[1], v[0]});
  ValueId last;
  auto piece = [&](ValueId i) {
    if (from_end) i = b_.make(Op::select, kI64, {from_end, b_.make(Op::sub, kI64, {last, i}), i});
    auto there = [&](ValueId base) {
      return b_.make(Op::ptr_add, f_->type(base), {base, i}, {static_cast<int64_t>(step)});
    };
    b_.emit(Op::store, {there(v[0]), copies ? b_.make(Op::load, type, {there(v[1])}) : value});
  };
  last = known ? b_.i64(static_cast<int64_t>(size / step - 1)) : b_.make(Op::sub, kI64, {v[2], b_.i64(1)});
  if (known && size / step <= MaxUnrolled) {
    for (uint64_t i = 0; i < size / step; ++i) piece(b_.i64(static_cast<int64_t>(i)));
  } else if (known) {
    counted_loop(b_.i64(static_cast<int64_t>(size / step)), piece);
  } else {
    BlockId some = new_block("some"), done = new_block("bytes");
    b_.br_if(b_.make(Op::ne, kI1, {v[2], b_.i64(0)}), {some, {}}, {done, {}});
    start(some);
    counted_loop(v[2], piece);
    b_.br(done);
    start(done);
  }
}

// Clears what the list leaves out, then stores the listed values in source order.
void KernelLowering::fill(const LValue& p, const InitListExpr* list) {
  std::vector<ByteRange> ranges;
  for (const InitStep& s : list->steps) ranges.push_back({s.offset, s.offset + s.type->size()});
  std::sort(ranges.begin(), ranges.end());
  std::vector<ByteRange> covered;
  for (ByteRange r : ranges) {
    if (!covered.empty() && r.begin <= covered.back().end)
      covered.back().end = std::max(covered.back().end, r.end);
    else
      covered.push_back(r);
  }
  if (p.variable.valid())
    store(p, zero(p.type));
  else
    clear_rest(p.address, list->type, 0, covered);
  const Expr* lowered = nullptr;
  Value value;
  for (const InitStep& s : list->steps) {
    if (over_budget(s.value->range)) return;
    if (s.value != lowered) value = lower(s.value);
    lowered = s.value;
    if (failed_) return;
    store(part_of(p, s.offset, s.type), value);
  }
}

// Clears the bytes outside the covered ranges, which are sorted and disjoint.
void KernelLowering::clear_rest(ValueId address, const Type* type, uint64_t offset,
                                const std::vector<ByteRange>& covered) {
  if (over_budget(here_)) return;
  uint64_t end = offset + type->size();
  auto after = [&](uint64_t position) {  // the first range that ends after it
    return std::upper_bound(covered.begin(), covered.end(), position,
                            [](uint64_t p, const ByteRange& r) { return p < r.end; });
  };
  auto first = after(offset);
  if (first == covered.end() || first->begin >= end) return clear(offset_by(address, offset), type, 1);
  if (first->begin <= offset && first->end >= end) return;
  if (type->is_record() && !type->moves_in_words()) {
    for (const Field& f : type->record->fields) clear_rest(address, f.type, offset + f.offset, covered);
  } else if (type->is_array()) {
    const uint64_t size = type->element->size(), count = type->elements();
    for (uint64_t i = 0; i < count;) {
      uint64_t here = offset + i * size;
      auto next = after(here);
      uint64_t touched = next == covered.end()
                             ? count
                             : std::min(count, (next->begin - std::min(next->begin, offset)) / size);
      if (touched > i) {  // elements that no range overlaps
        clear(offset_by(address, here), type->element, touched - i);
        i = touched;
      } else {
        clear_rest(address, type->element, here, covered);
        ++i;
      }
    }
  } else {
    clear(offset_by(address, offset), type, 1);
  }
}

}  // namespace kc::front
