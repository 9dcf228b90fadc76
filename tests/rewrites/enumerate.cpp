// SPDX-License-Identifier: Apache-2.0
#include "tests/rewrites/enumerate.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>

#include "ir/check.h"
#include "tests/rewrites/evaluate.h"

namespace kc::rewrites {
namespace {

using Node = Skeleton::Node;

constexpr Elem kElems[] = {Elem::I1,  Elem::I8,  Elem::I16,       Elem::I32,     Elem::I64,
                           Elem::F32, Elem::F64, Elem::PtrGlobal, Elem::PtrLocal};

bool related(Relation relation, Elem t, Elem u) {
  const unsigned from = Type{t}.bits(), to = Type{u}.bits();
  switch (relation) {
    case Relation::Widens:
      return to > from;
    case Relation::Narrows:
      return to < from;
    case Relation::SameBits:
      return to == from;
    case Relation::None:
      break;
  }
  return true;
}

void add_typings(std::vector<TypedOp>& all, Op op) {
  const OpInfo& row = info(op);
  const SigShape& signature = signature_of(op);
  for (Elem t : kElems) {
    if (row.T && !(row.T & set_of(t))) continue;
    for (Elem u : kElems) {
      if (row.U ? !(row.U & set_of(u)) || !related(row.relation, t, u) : u != kElems[0]) continue;
      auto elem_of = [&](const SigItem& item) {
        return item.type_t ? t : item.type_u ? u : item.types[0].elem;
      };
      TypedOp typed{.op = op, .result = elem_of(signature.results[0])};
      for (const SigItem& item : signature.operands) typed.operands.push_back(elem_of(item));
      all.push_back(typed);
      if (op != Op::ptr_add) continue;
      for (std::array<int64_t, 2> attrs : {std::array<int64_t, 2>{4, 0}, {12, -16}}) {
        typed.attrs = attrs;
        all.push_back(typed);
      }
    }
    if (!row.T) break;
  }
}

// Typed operations by the type of their result.
const std::vector<const TypedOp*>& ops_with(Elem result) {
  static const auto by_result = [] {
    std::vector<std::vector<const TypedOp*>> lists(static_cast<size_t>(Elem::Count_));
    for (const TypedOp& typed : typed_ops()) lists[static_cast<size_t>(typed.result)].push_back(&typed);
    return lists;
  }();
  return by_result[static_cast<size_t>(result)];
}

Node operation(const TypedOp& typed) {
  Node n{.kind = Node::Operation, .elem = typed.result, .op = &typed};
  for (Elem e : typed.operands) n.operands.push_back({.kind = Node::Leaf, .elem = e});
  return n;
}

constexpr uint64_t kNamedConstants = 18;  // at least as many as any type has

// Open leaves choose a variable: the first, or one more for each leaf of their type before them.
class Chooser {
 public:
  Chooser(Terms& terms, uint64_t index) : terms_(terms), index_(index) {}
  std::optional<TermId> choose(const Node& n, bool is_root) {
    switch (n.kind) {
      case Node::Named:
        return terms_.variable(n.elem, static_cast<uint64_t>(n.number));
      case Node::Literal:
        return terms_.constant(n.elem, static_cast<uint64_t>(n.number));
      case Node::AnyUndef:
        return terms_.undef(n.elem);
      case Node::Launch:
        return terms_.add(
            {.kind = Term::Launch, .elem = n.elem, .op = n.launch, .bits = static_cast<uint64_t>(n.number)});
      case Node::Matters:
      case Node::Leaf:
        return leaf(n);
      case Node::Operation:
        break;
    }
    std::vector<TermId> operands;
    bool varies = is_root;
    for (const Node& o : n.operands) {
      auto operand = choose(o, false);
      if (!operand) return std::nullopt;
      varies |= terms_[*operand].kind != Term::Constant;
      operands.push_back(*operand);
    }
    if (!varies) return std::nullopt;
    return terms_.operation(n.op->op, n.elem, operands, n.op->attrs);
  }

 private:
  std::optional<TermId> leaf(const Node& n) {
    const auto constants = special_values(n.elem);
    if (n.kind == Node::Matters && n.number) {
      auto& named = constants_[static_cast<size_t>(n.number - 1)];
      if (!named) named = index_ % kNamedConstants, index_ /= kNamedConstants;
      if (*named >= constants.size()) return std::nullopt;
      return terms_.constant(n.elem, constants[*named]);
    }
    auto& [leaves, used] = of_type_[static_cast<size_t>(n.elem)];
    const uint64_t variables = n.kind == Node::Leaf ? ++leaves : 0;
    const uint64_t choice = index_ % (variables + constants.size());
    index_ /= variables + constants.size();
    if (choice >= variables) return terms_.constant(n.elem, constants[choice - variables]);
    if (choice > used) return std::nullopt;
    used = std::max(used, choice + 1);
    return terms_.variable(n.elem, kNames + choice);
  }

  static constexpr uint64_t kNames = 3;  // x, y and z
  Terms& terms_;
  uint64_t index_;
  std::array<std::optional<uint64_t>, 2> constants_;
  std::array<std::pair<uint64_t, uint64_t>, static_cast<size_t>(Elem::Count_)> of_type_{};
};

void count_choices(const Node& n, std::array<uint64_t, static_cast<size_t>(Elem::Count_)>& leaves,
                   uint64_t& size) {
  if (n.kind == Node::Matters && n.number)
    size *= kNamedConstants;  // once too often for each repetition
  else if (n.kind == Node::Leaf || n.kind == Node::Matters)
    size *=
        special_values(n.elem).size() + (n.kind == Node::Leaf ? ++leaves[static_cast<size_t>(n.elem)] : 0);
  for (const Node& o : n.operands) count_choices(o, leaves, size);
}

// A pattern before it has types.
struct Pattern {
  std::string word;  // the opcode, or the leaf
  std::vector<Pattern> operands;
  bool is_operation = false;
};

Pattern parse(std::string_view& text) {
  auto skip = [&] { text.remove_prefix(std::min(text.find_first_not_of(' '), text.size())); };
  auto word = [&] {
    skip();
    const size_t end = std::min(text.find_first_of(" ()"), text.size());
    std::string w(text.substr(0, end));
    text.remove_prefix(end);
    return w;
  };
  skip();
  KC_CHECK(!text.empty(), "a pattern ends early");
  if (text[0] != '(') return {.word = word()};
  text.remove_prefix(1);
  Pattern p{.word = word(), .is_operation = true};
  for (skip(); !text.empty() && text[0] != ')'; skip()) p.operands.push_back(parse(text));
  KC_CHECK(!text.empty(), "a pattern lacks a parenthesis");
  text.remove_prefix(1);
  return p;
}
std::string print(const Pattern& p) {
  if (!p.is_operation) return p.word;
  std::string s = "(" + p.word;
  for (const Pattern& o : p.operands) s += " " + print(o);
  return s + ")";
}

int64_t number_of(std::string_view word) {
  int64_t n = 0;
  auto [end, error] = std::from_chars(word.data(), word.data() + word.size(), n);
  KC_CHECK(error == std::errc() && end == word.data() + word.size(), "no leaf of a pattern: {}", word);
  return n;
}

// The pattern at all types with a result of type e, or of any.
std::vector<Node> typings(const Pattern& p, Elem e) {
  if (!p.is_operation) {
    Node n{.elem = e};
    if (p.word == "?") return {n};
    const bool is_name = p.word == "x" || p.word == "y" || p.word == "z";
    n.kind = p.word == "#"       ? Node::Matters
             : p.word == "undef" ? Node::AnyUndef
             : is_name           ? Node::Named
                                 : Node::Literal;
    if (is_name) n.number = p.word[0] - 'x';
    if (p.word == "c" || p.word == "d") n.kind = Node::Matters, n.number = p.word[0] - 'c' + 1;
    if (n.kind == Node::Literal) n.number = number_of(p.word);
    return {n};
  }
  const Op op = find_op(Dialect::Thread, p.word);
  KC_CHECK(op != Op::Count_, "no opcode of a pattern: {}", p.word);
  std::vector<Node> all;
  if (is_launch_value(class_of(op))) {
    Node n{.kind = Node::Launch, .launch = op};
    if (!p.operands.empty()) n.number = number_of(p.operands[0].word);
    for (Elem id : {Elem::I32, Elem::I64}) {
      n.elem = id;
      if (e == Elem::Void || e == id) all.push_back(n);
    }
    return all;
  }
  for (const TypedOp& typed : typed_ops()) {
    if (typed.op != op || (e != Elem::Void && typed.result != e) ||
        typed.operands.size() != p.operands.size())
      continue;
    std::vector<Node> partial{{.kind = Node::Operation, .elem = typed.result, .op = &typed}};
    for (size_t k = 0; k < p.operands.size(); ++k) {
      std::vector<Node> longer;
      for (const Node& operand : typings(p.operands[k], typed.operands[k]))
        for (Node n : partial) {
          n.operands.push_back(operand);
          longer.push_back(std::move(n));
        }
      partial = std::move(longer);
    }
    all.insert(all.end(), partial.begin(), partial.end());
  }
  return all;
}

// Whether each name has one type.
bool agrees(const Node& n, std::array<Elem, 3>& of_name) {
  if (n.kind == Node::Named) {
    Elem& known = of_name[static_cast<size_t>(n.number)];
    if (known != Elem::Void && known != n.elem) return false;
    known = n.elem;
  }
  return std::ranges::all_of(n.operands, [&](const Node& o) { return agrees(o, of_name); });
}

// Opcodes by their number of operands.
std::vector<Op> ops_of(size_t operands) {
  std::vector<Op> ops;
  for (const TypedOp& typed : typed_ops())
    if (typed.operands.size() == operands && (ops.empty() || ops.back() != typed.op)) ops.push_back(typed.op);
  return ops;
}

void replace_each(const Pattern& root, Pattern& part, std::vector<std::string>& all) {
  if (!part.is_operation || is_launch_value(class_of(find_op(Dialect::Thread, part.word)))) return;
  const std::string word = part.word;
  for (Op op : ops_of(part.operands.size())) {
    if (name_of(op) == word) continue;
    part.word = name_of(op);
    all.push_back(print(root));
  }
  part.word = word;
  for (Pattern& o : part.operands) replace_each(root, o, all);
}

}  // namespace

const std::vector<TypedOp>& typed_ops() {
  static const auto all = [] {
    std::vector<TypedOp> list;
    for (size_t n = 0; n < kOpCount; ++n)
      if (const Op op = static_cast<Op>(n); info(op).dialects & InThread && info(op).has(Elementwise))
        add_typings(list, op);
    return list;
  }();
  return all;
}

Skeleton::Skeleton(Node root) : root_(std::move(root)) {
  std::array<uint64_t, static_cast<size_t>(Elem::Count_)> leaves{};
  count_choices(root_, leaves, size_);
}
std::optional<TermId> Skeleton::expression(Terms& terms, uint64_t index) const {
  return Chooser(terms, index).choose(root_, true);
}

void for_each_single(const VisitSkeleton& visit) {
  for (const TypedOp& typed : typed_ops()) visit(Skeleton(operation(typed)));
}

void for_each_pair(const VisitSkeleton& visit) {
  for (const TypedOp& root : typed_ops())
    for (size_t k = 0; k < root.operands.size(); ++k)
      for (const TypedOp* inner : ops_with(root.operands[k])) {
        Node n = operation(root);
        n.operands[k] = operation(*inner);
        visit(Skeleton(std::move(n)));
      }
}

void for_each_typing(std::string_view pattern, const VisitSkeleton& visit) {
  for (Node& n : typings(parse(pattern), Elem::Void)) {
    std::array<Elem, 3> of_name{};
    if (agrees(n, of_name)) visit(Skeleton(std::move(n)));
  }
}

std::vector<std::string> near_misses(std::string_view pattern) {
  Pattern p = parse(pattern);
  std::vector<std::string> all;
  replace_each(p, p, all);
  return all;
}

std::vector<std::string> users_of_pattern(std::string_view pattern) {
  std::vector<std::string> all;
  for (size_t operands = 1; operands <= 3; ++operands)
    for (Op op : ops_of(operands))
      for (size_t k = 0; k < operands; ++k) {
        std::string s = fmt::format("({}", name_of(op));
        for (size_t n = 0; n < operands; ++n) s += n == k ? fmt::format(" {}", pattern) : " ?";
        all.push_back(s + ")");
      }
  return all;
}

}  // namespace kc::rewrites
