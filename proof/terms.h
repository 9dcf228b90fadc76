// SPDX-License-Identifier: Apache-2.0
// Hash-consed pure terms: what a value is, as an expression over results of effects and values at joins.
// Equal numbers mean equal values. A few normal forms make negated and swapped comparisons equal.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <span>
#include <vector>

#include "ir/function.h"

namespace kc::proof {

/// The number of a term in its table.
using Term = uint32_t;

class TermTable {
 public:
  /// Sums of constants are folded where `whole` is set. A loop without effects is then run to its end.
  explicit TermTable(bool whole);
  Term constant(Type type, uint64_t bits);
  Term undef(Type type);
  /// A value that is known by nothing but its number: a parameter, the result of an effect, or what a state
  /// of the walk joins. Each call makes another. `tag` is kept for the caller.
  Term fresh(Type type, uint64_t tag = 0);
  /// The tag of a fresh term; 0 for others.
  uint64_t tag(Term t) const { return nodes_[t].kind == Fresh ? nodes_[t].bits : 0; }
  /// The result of a pure operation. `attrs` are those of the instruction, objects in the numbering of one
  /// function.
  Term pure(Op op, Type type, std::span<const int64_t> attrs, std::span<const Term> operands);
  Term negated(Term t);

  Type type(Term t) const { return nodes_[t].type; }
  bool is_const(Term t) const { return nodes_[t].kind == Const; }
  /// Constants, undef, and no others.
  bool is_literal(Term t) const { return nodes_[t].kind <= Undef; }
  uint64_t bits(Term t) const { return nodes_[t].bits; }
  /// The operation of a pure term, or Op::Count_.
  Op op(Term t) const { return nodes_[t].kind == Pure ? nodes_[t].op : Op::Count_; }
  std::span<const Term> operands(Term t) const {
    return std::span(words_).subspan(nodes_[t].first, nodes_[t].count);
  }
  /// Whether it has a boolean or a choice somewhere, so that more knowledge may simplify it.
  bool conditional(Term t) const { return nodes_[t].conditional; }
  /// Whether a fresh term with this tag may be in it; false is sure.
  bool may_have_tag(Term t, uint64_t tag) const { return (nodes_[t].tags & bit_of(tag)) != 0; }
  /// Whether both are the same operation, on whatever operands.
  bool same_operation(Term a, Term b) const {
    const Node &x = nodes_[a], &y = nodes_[b];
    return x.kind == Pure && y.kind == Pure && x.op == y.op && x.type == y.type && x.attrs == y.attrs &&
           x.count == y.count;
  }
  /// The same operation on other operands.
  Term with_operands(Term t, std::span<const Term> operands);
  /// The number below its negations, which `positive` counts.
  Term base(Term t, bool& positive) const;
  size_t size() const { return nodes_.size(); }

 private:
  enum Kind : uint8_t { Const, Undef, Fresh, Pure };
  struct Node {
    Kind kind = Fresh;
    bool conditional = false;
    Op op = Op::Count_;
    Type type;
    uint32_t first = 0, count = 0;  // operands in words_
    uint32_t attrs = 0;             // in attrs_
    uint64_t bits = 0;
    uint64_t tags = 0;  // of all fresh terms in it, folded to a set of 64
  };
  static uint64_t bit_of(uint64_t tag) { return tag ? uint64_t{1} << (tag % 64) : 0; }
  static uint64_t hash_of(const Node& node, std::span<const Term> operands);
  Term intern(const Node& node, std::span<const Term> operands);
  std::optional<Term> boolean(Op op, Type type, std::span<const int64_t> attrs,
                              std::span<const Term> operands);
  std::optional<Term> folded(Op op, Type type, std::span<const Term> operands);
  uint32_t intern_attrs(Op op, std::span<const int64_t> attrs);
  void grow();

  std::vector<Node> nodes_;
  std::vector<Term> words_;
  std::map<std::vector<int64_t>, uint32_t> attr_numbers_;
  std::vector<const std::vector<int64_t>*> attrs_{nullptr};  // by number; 0 is none
  std::vector<Term> slots_;                                  // of the hash table; its size is a power of two
  size_t used_ = 0;
  bool whole_;
};

}  // namespace kc::proof
