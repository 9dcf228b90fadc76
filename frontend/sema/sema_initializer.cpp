// SPDX-License-Identifier: Apache-2.0
// Initializers. A list becomes steps (offset, type, value) in source order; they replace nested braces, brace
// elision and designators.
#include <fmt/format.h>

#include <utility>

#include "frontend/lower/escapes.h"
#include "frontend/sema/sema.h"
#include "frontend/source/nearest_name.h"

namespace kc::front {

namespace {

uint64_t part_count(const Type* type) {
  if (type->is_array()) return type->length;
  return type->record->fields.size();
}

InitPart part_of(const Type* type, uint64_t offset, uint64_t index) {
  if (type->is_array()) return {type->element, offset + index * type->element->size(), 0};
  const Field& f = type->record->fields[index];
  return {f.type, offset + f.offset, 0};
}

// Whether a string literal can initialize an object of this type.
bool holds_text(const Type* type) {
  return type->is_array() &&
         (type->element->kind == TypeKind::Char || type->element->kind == TypeKind::UChar);
}

constexpr std::string_view kFlexible =
    "a flexible array member has no initializer: the object ends before it";
bool is_flexible(const Type* object, const Type* part) { return object->is_record() && part->lacks_length(); }

}  // namespace

// Checks the initializer of a variable; it also sets the length of an array without one.
void Sema::check_initializer(VarDecl* v) {
  Expr*& e = v->initializer;
  if (v->type->is_error()) {
    e = e->kind == ExprKind::InitList ? failed(e) : check_value(e);
    return;
  }
  if (e->kind == ExprKind::InitList) {
    InitListExpr* list = as<InitListExpr>(e);
    if (v->type->is_vector()) {
      e = vector_of_list(list, v->type);
      return;
    }
    check_list(list, v->type);
    v->type = list->type;
    if (v->type->is_scalar() && !list->steps.empty()) e = list->steps[0].value;
    return;
  }
  if (e->kind == ExprKind::String && holds_text(v->type)) {
    InitListExpr* list = arena_.make<InitListExpr>();
    list->kind = ExprKind::InitList;
    list->range = e->range;
    list->depth = e->depth;
    list->items = arena_.copy(std::vector<Expr*>{e});
    check_list(list, v->type);
    e = list;
    v->type = list->type;
    return;
  }
  if (v->type->is_array()) {
    diagnostics_.error(e->range, "an array must be initialized with a list in braces");
    failed(e);
    if (v->type->lacks_length()) v->type = types_.get(TypeKind::Error);
    return;
  }
  e = coerce(check_value(e), v->type, Use::Initialize, v->range);
}

// Sets the list's type, which completes an array without a length.
void Sema::check_list(InitListExpr* list, const Type* type) {
  InitSteps outer;  // of an enclosing list, if the list is a compound literal
  std::swap(outer, init_steps_);
  uint64_t length = fill(list, {type, 0, 0});
  if (type->lacks_length()) {
    if (length == 0)
      diagnostics_.error(list->range, "the size of this array is missing");
    else if (length > TypeTable::MaxSize / std::max<uint64_t>(type->element->size(), 1))
      diagnostics_.error(list->range, "array is too large"), length = 0;
    type = length ? types_.array(type->element, length) : types_.get(TypeKind::Error);
  }
  list->type = type;
  std::erase_if(init_steps_.list, [](const InitStep& s) { return !s.value; });
  list->steps = arena_.copy(init_steps_.list);
  std::swap(outer, init_steps_);
}

// Initializes the object that a brace-enclosed list belongs to. Returns the number of elements for an array
// without a length.
uint64_t Sema::fill(InitListExpr* list, InitPart object) {
  if (object.type->is_vector()) {
    add_step(vector_of_list(list, object.type), object);
    return 0;
  }
  if (object.type->is_scalar()) {
    if (list->items.empty()) return 0;  // zero, like what lists leave out
    if (list->items[0]->kind == ExprKind::Designated) {
      diagnostics_.error(list->range, fmt::format("'{}' takes one value", type_name(object.type)));
      return 0;
    }
    fill_part(list->items[0], object);
    if (list->items.size() > 1) warn_of_excess(list->items[1], object.type);
    return 0;
  }
  forget_steps(object);
  if (holds_text(object.type) && list->items.size() == 1 && list->items[0]->kind == ExprKind::String)
    return add_text(as<StringExpr>(list->items[0]), object);
  // The path to the part that the next item without a designator initializes: an index for each level entered
  // without braces.
  std::vector<InitPart> levels{object};
  uint64_t length = 0;
  bool excess = false;
  for (Expr* item : list->items) {
    Expr* value = item;
    uint64_t repeated = 1;  // for a range of elements
    if (item->kind == ExprKind::Designated) {
      value = as<DesignatedExpr>(item)->value;
      if (!designate(as<DesignatedExpr>(item), levels, repeated)) continue;
    }
    while (levels.size() > 1 && levels.back().next >= part_count(levels.back().type)) levels.pop_back();
    if (levels.back().next >= part_count(levels.back().type)) {
      if (!std::exchange(excess, true)) warn_of_excess(value, object.type);
      continue;
    }
    const size_t level = levels.size() - 1, before = init_steps_.list.size();
    if (value->kind == ExprKind::InitList) {
      fill_part(value, enter_part(levels.back(), value->range));
    } else {
      bool text = value->kind == ExprKind::String;
      if (!text) value = check_value(value);
      InitPart part = enter_part(levels.back(), value->range);
      auto takes = [&](const Type* type) {
        return text ? holds_text(type) : value->type == type || value->type->is_error();
      };
      while (part.type->is_aggregate() && !takes(part.type)) {
        if (part_count(part.type) == 0) {
          diagnostics_.error(value->range,
                             fmt::format("'{}' has no members: its initializer needs braces of its own",
                                         type_name(part.type)));
          return length;
        }
        levels.push_back(part);
        part = enter_part(levels.back(), value->range);
      }
      if (text && holds_text(part.type))
        add_text(as<StringExpr>(value), part);
      else
        add_step(text ? check_value(value) : value, part);
    }
    if (repeated > 1) {
      levels.resize(level + 1);
      repeat_steps(before, levels.back(), repeated);
    }
    length = std::max(length, levels[0].next);
  }
  return length;
}

// What was added for the element before `next` holds for `count` elements from there on. Equal values stand
// together.
void Sema::repeat_steps(size_t before, InitPart& array, uint64_t count) {
  const std::vector<InitStep> steps(init_steps_.list.begin() + static_cast<std::ptrdiff_t>(before),
                                    init_steps_.list.end());
  const uint64_t size = array.type->element->size();
  for (uint64_t k = 0; k < count; ++k) forget_steps(part_of(array.type, array.offset, array.next - 1 + k));
  for (const InitStep& s : steps)
    for (uint64_t k = 0; s.value && k < count; ++k) {
      init_steps_.by_offset.emplace(s.offset + k * size, init_steps_.list.size());
      init_steps_.list.push_back({s.offset + k * size, s.type, s.value});
    }
  array.next += count - 1;
}

// An excess initializer is not evaluated.
void Sema::warn_of_excess(Expr* value, const Type* object) {
  diagnostics_.warning(Warning::ExcessInitializers, value->range,
                       fmt::format("excess elements in initializer of '{}'", type_name(object)));
}

// The next part of an object; advances past it. A union has one part only.
InitPart Sema::enter_part(InitPart& object, SourceRange where) {
  InitPart part = part_of(object.type, object.offset, object.next);
  if (is_flexible(object.type, part.type)) {
    diagnostics_.error(where, std::string(kFlexible));
    part.type = types_.get(TypeKind::Error);
  }
  object.next = object.type->is_union() ? part_count(object.type) : object.next + 1;
  return part;
}

void Sema::fill_part(Expr* value, InitPart part) {
  if (value->kind != ExprKind::InitList)
    add_step(check_value(value), part);
  else if (!part.type->is_error())
    fill(as<InitListExpr>(value), part);
}

void Sema::add_step(Expr* value, InitPart part) {
  value = coerce(value, part.type, Use::Initialize, value->range);
  if (value->type->is_error()) return;
  init_steps_.by_offset.emplace(part.offset, init_steps_.list.size());
  init_steps_.list.push_back({part.offset, part.type, value});
}

// Adds the characters of a literal one by one, and the terminating zero if it fits. Returns the number of
// elements for an array without a length.
uint64_t Sema::add_text(StringExpr* e, InitPart part) {
  const Type* character = part.type->element;
  if (!read_text(e, arena_, diagnostics_)) return 1;
  uint64_t room = part.type->lacks_length() ? e->text.size() + 1 : part.type->length;
  if (e->text.size() > room)
    diagnostics_.warning(
        Warning::ExcessInitializers, e->range,
        fmt::format("a string of {} characters is too long for '{}'", e->text.size(), type_name(part.type)));
  forget_steps(part);
  for (uint64_t i = 0; i < std::min<uint64_t>(room, e->text.size() + 1); ++i) {
    NumberExpr* value = arena_.make<NumberExpr>();
    value->kind = ExprKind::Character;
    value->range = e->range;
    value->type = character;
    set_constant(value, i < e->text.size() ? e->text[i] : 0);
    add_step(value, {character, part.offset + i, 0});
  }
  return room;
}

// A list in braces replaces all earlier initializers of parts of the same object.
void Sema::forget_steps(InitPart object) {
  auto& known = init_steps_.by_offset;
  auto first = known.lower_bound(object.offset), last = first;
  uint64_t end = object.type->is_complete() ? object.offset + object.type->size() : UINT64_MAX;
  for (; last != known.end() && last->first < end; ++last) init_steps_.list[last->second].value = nullptr;
  known.erase(first, last);
}

// Moves to the part that the designators name. Returns false, with an error, if it does not exist.
// `repeated`: the number of elements that a range at the end names.
bool Sema::designate(DesignatedExpr* e, std::vector<InitPart>& levels, uint64_t& repeated) {
  levels.resize(1);
  bool first = true;
  auto select = [&](uint64_t index) {
    if (!first) levels.push_back(enter_part(levels.back(), e->range));
    levels.back().next = index;
    first = false;
  };
  for (Designator& d : e->designators) {
    const Type* type = first ? levels[0].type : part_of(levels.back().type, 0, levels.back().next).type;
    if (type->is_error()) return false;
    if (!first && is_flexible(levels.back().type, type)) {
      diagnostics_.error(d.range, std::string(kFlexible));
      return false;
    }
    if (d.index) {
      std::optional<uint64_t> index = designated_index(d.index, type, d.range);
      std::optional<uint64_t> last = d.last && index ? designated_index(d.last, type, d.range) : index;
      if (!index || !last) return false;
      if (d.last) beyond_standard(d.range, "a range of elements");
      if (*last < *index) {
        diagnostics_.error(d.range,
                           fmt::format("the range of elements from {} to {} is empty", *index, *last));
        return false;
      }
      if (d.last && &d != &e->designators.back()) {
        unsupported(d.range, "designators after a range of elements are");
        return false;
      }
      repeated = *last - *index + 1;
      constexpr uint64_t most = 1 << 20;
      if (repeated > most) {
        unsupported(d.range, fmt::format("ranges of more than {} elements are", most));
        return false;
      }
      select(*index);
      continue;
    }
    auto found =
        type->is_record() ? type->record->names.find(d.member) : decltype(type->record->names.end()){};
    if (!type->is_record() || found == type->record->names.end()) {
      std::vector<std::string_view> names;
      if (type->is_record())
        for (const auto& [name, path] : type->record->names) names.push_back(name);
      std::string_view near = nearest_name(d.member, names);
      Diagnostic& report = diagnostics_.error(
          d.range,
          fmt::format("'{}' has no member named '{}'{}", type_name(type), d.member, did_you_mean(near)));
      Position end = d.range.end;
      if (!near.empty()) report.fix({end - static_cast<Position>(d.member.size()), end}, std::string(near));
      return false;
    }
    for (size_t index : found->second) select(index);
  }
  return true;
}

// An index of an array of this type, or nothing after an error.
std::optional<uint64_t> Sema::designated_index(Expr*& e, const Type* type, SourceRange where) {
  e = check_value(e);
  if (e->type->is_error()) return std::nullopt;
  bool constant = e->is_constant && e->constant >= 0;
  uint64_t index = static_cast<uint64_t>(e->constant);
  if (type->is_array() && constant && index < part_count(type) && index < TypeTable::MaxSize) return index;
  diagnostics_.error(where, !type->is_array() ? fmt::format("'{}' is not an array", type_name(type))
                            : constant        ? "array designator index exceeds the size of the array"
                                       : "array designator index is not a constant that is at least 0");
  return std::nullopt;
}

// An unnamed object; parts that the list omits are zero.
Expr* Sema::check_compound_literal(CompoundLiteralExpr* e) {
  Qualified q = resolve_specifiers(e->of_type->specifiers, e->of_type->range);
  q = resolve_declarator(q, e->of_type->declarator, nullptr, false);
  if (q.type->is_error()) return failed(e);
  if (!function_) {
    unsupported(e->range, "compound literals outside functions are");
    return failed(e);
  }
  VarDecl* v = arena_.make<VarDecl>();
  v->range = e->of_type->range;
  v->initializer = e->list;
  check_object(v, q);
  v->index = function_->variables++;
  check_initializer(v);
  e->variable = v;
  e->type = v->type;
  e->qualifiers = v->qualifiers;
  e->is_lvalue = true;
  return v->initializer->type->is_error() || v->type->is_error() ? failed(e) : e;
}

}  // namespace kc::front
