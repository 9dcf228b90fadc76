// SPDX-License-Identifier: Apache-2.0
#include "proof/terms.h"

#include <algorithm>
#include <array>

#include "ir/eval.h"
#include "ir/op.h"

namespace kc::proof {
namespace {

constexpr size_t kFirstSlots = 256;
constexpr size_t kMostFolded = 4;  // operands

uint64_t mixed(uint64_t h, uint64_t value) {
  h = (h ^ value) * 0x9e3779b97f4a7c15u;
  return h ^ (h >> 29);
}

}  // namespace

TermTable::TermTable(bool whole) : slots_(kFirstSlots, kNone), whole_(whole) {}

uint64_t TermTable::hash_of(const Node& node, std::span<const Term> operands) {
  uint64_t h = mixed(static_cast<uint64_t>(node.op) << 8 | node.kind, node.bits);
  h = mixed(h, static_cast<uint64_t>(node.type.elem) << 40 | uint64_t{node.attrs} << 8 | node.type.regs);
  for (Term t : operands) h = mixed(h, t);
  return h;
}

Term TermTable::intern(const Node& node, std::span<const Term> operands) {
  if (2 * used_ >= slots_.size()) grow();
  const size_t mask = slots_.size() - 1;
  for (size_t at = hash_of(node, operands) & mask;; at = (at + 1) & mask) {
    const Term t = slots_[at];
    if (t == kNone) {
      const Term made = static_cast<Term>(nodes_.size());
      nodes_.push_back(node);
      nodes_.back().first = static_cast<uint32_t>(words_.size());
      nodes_.back().count = static_cast<uint32_t>(operands.size());
      words_.insert(words_.end(), operands.begin(), operands.end());
      slots_[at] = made;
      ++used_;
      return made;
    }
    const Node& n = nodes_[t];
    if (n.kind == node.kind && n.op == node.op && n.type == node.type && n.bits == node.bits &&
        n.attrs == node.attrs && std::ranges::equal(this->operands(t), operands))
      return t;
  }
}

void TermTable::grow() {
  slots_.assign(slots_.size() * 2, kNone);
  used_ = 0;
  const size_t mask = slots_.size() - 1;
  for (Term t = 0; t < nodes_.size(); ++t) {
    const Node& n = nodes_[t];
    if (n.kind == Fresh) continue;
    size_t at = hash_of(n, operands(t)) & mask;
    while (slots_[at] != kNone) at = (at + 1) & mask;
    slots_[at] = t;
    ++used_;
  }
}

Term TermTable::constant(Type type, uint64_t bits) {
  return intern({.kind = Const, .type = type, .bits = bits}, {});
}
Term TermTable::undef(Type type) { return intern({.kind = Undef, .type = type}, {}); }
Term TermTable::fresh(Type type, uint64_t tag) {
  nodes_.push_back({.kind = Fresh, .type = type, .bits = tag, .tags = bit_of(tag)});
  return static_cast<Term>(nodes_.size() - 1);
}

uint32_t TermTable::intern_attrs(Op op, std::span<const int64_t> attrs) {
  attrs = attrs.first(info(op).attr_count());
  if (attrs.empty()) return 0;
  const auto [known, fresh] = attr_numbers_.try_emplace(std::vector<int64_t>(attrs.begin(), attrs.end()),
                                                        static_cast<uint32_t>(attrs_.size()));
  if (fresh) attrs_.push_back(&known->first);
  return known->second;
}

Term TermTable::negated(Term t) {
  const std::array<Term, 2> operands{t, constant(kI1, 1)};
  return pure(Op::xor_, kI1, {}, operands);
}

Term TermTable::base(Term t, bool& positive) const {
  while (op(t) == Op::xor_ && type(t) == kI1 && is_const(operands(t)[1]) && bits(operands(t)[1])) {
    t = operands(t)[0];
    positive = !positive;
  }
  return t;
}

Term TermTable::with_operands(Term t, std::span<const Term> operands) {
  const Node node = nodes_[t];
  std::array<int64_t, kMaxAttrs> all{};
  if (node.attrs) std::ranges::copy(*attrs_[node.attrs], all.begin());
  return pure(node.op, node.type, all, operands);
}

std::optional<Term> TermTable::folded(Op op, Type type, std::span<const Term> operands) {
  const OpInfo& row = info(op);
  const bool bounded = whole_ || type == kI1 || row.op_class == OpClass::Conversion;
  if (!bounded || !row.eval || operands.empty() || operands.size() > kMostFolded) return std::nullopt;
  std::array<uint64_t, kMostFolded> values{};
  for (size_t i = 0; i < operands.size(); ++i) {
    if (!is_const(operands[i])) return std::nullopt;
    values[i] = bits(operands[i]);
  }
  EvalFn eval = row.eval(this->type(operands[0]).elem, type.elem);
  if (!eval) return std::nullopt;
  return constant(type, eval(values.data()));
}

std::optional<Term> TermTable::boolean(Op op, Type type, std::span<const int64_t> attrs,
                                       std::span<const Term> o) {
  const auto known = [&](size_t i, uint64_t value) { return is_const(o[i]) && bits(o[i]) == value; };
  const auto swapped = [&](Op other) {
    const std::array<Term, 2> back{o[1], o[0]};
    return negated(pure(other, kI1, attrs, back));
  };
  switch (op) {
    case Op::ne:
      return negated(pure(Op::eq, kI1, attrs, o));
    case Op::fne:
      return negated(pure(Op::feq, kI1, attrs, o));
    case Op::sle:
      return swapped(Op::slt);
    case Op::ule:
      return swapped(Op::ult);
    case Op::eq:
      if (this->type(o[0]) != kI1 || !is_const(o[1])) return std::nullopt;
      return bits(o[1]) ? o[0] : negated(o[0]);
    case Op::xor_:
      if (type != kI1 || !is_const(o[1])) return std::nullopt;
      if (!bits(o[1])) return o[0];
      if (this->op(o[0]) == Op::xor_ && is_const(operands(o[0])[1])) return operands(o[0])[0];
      return std::nullopt;
    case Op::and_:
    case Op::or_:
      if (type != kI1) return std::nullopt;
      if (o[0] == o[1] || known(1, op == Op::and_)) return o[0];
      if (known(1, op == Op::or_)) return o[1];
      return std::nullopt;
    case Op::select: {
      if (is_const(o[0])) return bits(o[0]) ? o[1] : o[2];
      if (o[1] == o[2]) return o[1];
      bool positive = true;
      const Term c = base(o[0], positive);
      if (!positive) return pure(op, type, attrs, std::array{c, o[2], o[1]});
      if (type != kI1) return std::nullopt;
      if (known(1, 1)) return pure(Op::or_, kI1, {}, std::array{c, o[2]});
      if (known(2, 0)) return pure(Op::and_, kI1, {}, std::array{c, o[1]});
      if (known(1, 0)) return pure(Op::and_, kI1, {}, std::array{negated(c), o[2]});
      if (known(2, 1)) return pure(Op::or_, kI1, {}, std::array{negated(c), o[1]});
      return std::nullopt;
    }
    default:
      return std::nullopt;
  }
}

Term TermTable::pure(Op op, Type type, std::span<const int64_t> attrs, std::span<const Term> operands) {
  std::vector<Term> o(operands.begin(), operands.end());
  // Constants last, as the rules above expect them.
  if (info(op).has(Commutes) && o.size() >= 2 &&
      std::pair(is_const(o[1]), o[1]) < std::pair(is_const(o[0]), o[0]))
    std::swap(o[0], o[1]);
  if (auto t = folded(op, type, o)) return *t;
  if (auto t = boolean(op, type, attrs, o)) return *t;
  Node node{.kind = Pure, .op = op, .type = type};
  node.attrs = attrs.empty() ? 0 : intern_attrs(op, attrs);
  node.conditional =
      type == kI1 || op == Op::select || std::ranges::any_of(o, [&](Term t) { return conditional(t); });
  for (Term t : o) node.tags |= nodes_[t].tags;
  return intern(node, o);
}

}  // namespace kc::proof
