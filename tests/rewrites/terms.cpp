// SPDX-License-Identifier: Apache-2.0
#include "tests/rewrites/terms.h"

#include <fmt/format.h>

#include <algorithm>
#include <bit>

#include "ir/text.h"

namespace kc::rewrites {

size_t Terms::Hash::operator()(const Term& t) const {
  uint64_t h =
      static_cast<uint64_t>(t.kind) << 32 | static_cast<uint64_t>(t.elem) << 16 | static_cast<uint64_t>(t.op);
  auto mix = [&](uint64_t v) { h = (std::rotl(h, 23) ^ v) * 0x9e3779b97f4a7c15u; };
  mix(t.bits);
  for (int64_t a : t.attrs) mix(static_cast<uint64_t>(a));
  for (size_t k = 0; k < t.count; ++k) mix(t.operands[k]);
  return h ^ h >> 32;
}

TermId Terms::add(const Term& t) {
  auto [at, is_new] = numbers_.try_emplace(t, static_cast<TermId>(terms_.size()));
  if (is_new) terms_.push_back(t);
  return at->second;
}

TermId Terms::constant(Elem e, uint64_t bits) {
  const unsigned width = Type{e}.bits();
  if (width < 64) bits &= (uint64_t{1} << width) - 1;
  return add({.kind = Term::Constant, .elem = e, .bits = bits});
}

TermId Terms::operation(Op op, Elem e, const std::vector<TermId>& operands, std::array<int64_t, 2> attrs) {
  Term t{.kind = Term::Operation,
         .elem = e,
         .op = op,
         .attrs = attrs,
         .count = static_cast<uint8_t>(operands.size())};
  std::ranges::copy(operands, t.operands.begin());
  return add(t);
}

TermId Terms::replace(TermId id, std::unordered_map<TermId, TermId>& by) {
  if (auto known = by.find(id); known != by.end()) return known->second;
  Term t = terms_[id];
  if (t.count == 0) return id;
  for (size_t k = 0; k < t.count; ++k) t.operands[k] = replace(t.operands[k], by);
  return by[id] = add(t);
}

std::vector<TermId> Terms::variables(std::initializer_list<TermId> roots) const {
  std::vector<TermId> found, stack(roots.begin(), roots.end());
  std::ranges::reverse(stack);
  while (!stack.empty()) {
    const TermId id = stack.back();
    stack.pop_back();
    const Term& t = terms_[id];
    const bool is_free = t.kind == Term::Variable || t.kind == Term::Launch;
    if (is_free && std::ranges::find(found, id) == found.end()) found.push_back(id);
    for (size_t k = t.count; k-- > 0;) stack.push_back(t.operands[k]);
  }
  return found;
}

bool Terms::has(TermId id, TermId part) const {
  if (id == part) return true;
  for (size_t k = 0; k < terms_[id].count; ++k)
    if (has(terms_[id].operands[k], part)) return true;
  return false;
}

std::vector<TermId> Terms::choices_of_undef(Elem e, TermId before, TermId after) {
  std::vector<TermId> found{constant(e, 0)}, stack{before, after};
  while (!stack.empty()) {
    const TermId id = stack.back();
    stack.pop_back();
    const bool fits = terms_[id].elem == e && !any(id, [](const Term& t) { return t.kind == Term::Undef; });
    if (fits && std::ranges::find(found, id) == found.end()) found.push_back(id);
    for (size_t k = 0; k < terms_[id].count; ++k) stack.push_back(terms_[id].operands[k]);
  }
  return found;
}

std::string Terms::text(TermId id) const {
  const Term& t = terms_[id];
  const std::string type = to_string(Type{t.elem});
  switch (t.kind) {
    case Term::Variable:
      return fmt::format("v{}:{}", t.bits, type);
    case Term::Constant:
      return Type{t.elem}.is_float() ? fmt::format("bits({:#x}):{}", t.bits, type)
                                     : fmt::format("{:#x}:{}", t.bits, type);
    case Term::Undef:
      return "undef:" + type;
    case Term::Launch:
      return fmt::format("({} {}):{}", name_of(t.op), t.bits, type);
    case Term::Operation:
      break;
  }
  std::string s = fmt::format("({}", name_of(t.op));
  for (size_t k = 0; k < t.count; ++k) s += " " + text(t.operands[k]);
  if (t.op == Op::ptr_add) s += fmt::format(" scale={} offset={}", t.attrs[0], t.attrs[1]);
  return s + "):" + type;
}

Kernel::Kernel(const Terms& terms, TermId root, Leaves leaves) : leaves_(leaves), builder_(f) {
  f.name = "expression";
  f.traps.push_back({});
  builder_.block = f.add_block();
  work_item_ = builder_.make(Op::global_id, kI64, {}, {0});
  builder_.emit(Op::trap, {emit(terms, root)}, {}, {0});
}

ValueId Kernel::leaf(const Term& t) {
  for (const auto& [known, value] : variables_)
    if (known == t) return value;
  ValueId v;
  if (t.elem == Elem::I1) {
    v = builder_.make(Op::opaque_false, kI1, {});
  } else if (leaves_ == Leaves::EveryThirdDivergent && t.bits % 3) {
    v = f.add_param(f.entry(), Type{t.elem});
    f.params.push_back({.name = fmt::format("v{}", t.bits)});
  } else {
    const ValueId array = f.add_param(f.entry(), kPtrGlobal);
    f.params.push_back({.name = fmt::format("v{}", t.bits), .pointee = t.elem});
    const ValueId at = builder_.make(Op::ptr_add, kPtrGlobal, {array, work_item_}, {Type{t.elem}.bytes(), 0});
    v = builder_.make(Op::load, Type{t.elem}, {at});
  }
  variables_.emplace_back(t, v);
  return v;
}

ValueId Kernel::emit(const Terms& terms, TermId id) {
  const Term& t = terms[id];
  switch (t.kind) {
    case Term::Variable:
      return leaf(t);
    case Term::Constant:
      return f.constant(Type{t.elem}, t.bits);
    case Term::Undef:
      return f.undef(Type{t.elem});
    case Term::Launch:
      return builder_.make(t.op, Type{t.elem}, {}, {static_cast<int64_t>(t.bits)});
    case Term::Operation:
      break;
  }
  ValueList operands;
  for (size_t k = 0; k < t.count; ++k) operands.push_back(emit(terms, t.operands[k]));
  const InstId i = builder_.emit(t.op, std::move(operands), {Type{t.elem}});
  if (t.op == Op::ptr_add) f.inst(i).attrs[0] = t.attrs[0], f.inst(i).attrs[1] = t.attrs[1];
  return f.result(i);
}

std::optional<TermId> Kernel::read(Terms& terms) const {
  const Inst& end = f.inst(f.terminator(f.layout.back()));
  if (end.op != Op::trap) return std::nullopt;
  std::unordered_map<uint32_t, TermId> done;
  return read(terms, end.operands[0], done);
}

std::optional<TermId> Kernel::read(Terms& terms, ValueId v,
                                   std::unordered_map<uint32_t, TermId>& done) const {
  const Elem e = f.type(v).elem;
  if (f.is_const(v)) return terms.constant(e, f.value(v).bits);
  if (f.is_undef(v)) return terms.undef(e);
  for (const auto& [known, value] : variables_)
    if (value == v) return terms.variable(known.elem, known.bits);
  if (auto known = done.find(v.index); known != done.end()) return known->second;
  const InstId def = f.def(v);
  if (!def.valid()) return std::nullopt;
  const Inst& inst = f.inst(def);
  const OpInfo& row = info(inst.op);
  TermId id = 0;
  if (is_launch_value(row.op_class)) {
    id = terms.add(
        {.kind = Term::Launch, .elem = e, .op = inst.op, .bits = static_cast<uint64_t>(inst.attrs[0])});
  } else {
    if (!row.has(Elementwise) || inst.operands.size() > 3) return std::nullopt;
    std::vector<TermId> operands;
    for (ValueId o : inst.operands) {
      auto operand = read(terms, o, done);
      if (!operand) return std::nullopt;
      operands.push_back(*operand);
    }
    id = inst.op == Op::ptr_add ? terms.operation(inst.op, e, operands, {inst.attrs[0], inst.attrs[1]})
                                : terms.operation(inst.op, e, operands);
  }
  done.emplace(v.index, id);
  return id;
}

}  // namespace kc::rewrites
