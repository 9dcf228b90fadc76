// SPDX-License-Identifier: Apache-2.0
// Enumerates expressions: operations with typed operands, and leaves that are variables or constants that
// matter.
#pragma once

#include <functional>
#include <string_view>

#include "tests/rewrites/terms.h"

namespace kc::rewrites {

/// An elementwise opcode of work-items at one choice of types (and attributes, of an address).
struct TypedOp {
  Op op = Op::Count_;
  Elem result = Elem::Void;
  std::vector<Elem> operands;
  std::array<int64_t, 2> attrs{1, 0};
};
/// All of them. Constant and private pointers stay out: they are like global and local ones.
const std::vector<TypedOp>& typed_ops();

/// An expression with open leaves.
class Skeleton {
 public:
  struct Node {
    enum Kind : uint8_t {
      Operation,
      Leaf,      // a variable, shared with other leaves or not, or a constant that matters
      Named,     // a variable by its name
      Matters,   // a constant that matters; with a number, the same in the whole expression
      Literal,   // the constant `number`
      AnyUndef,  // undef
      Launch,    // a launch value
    } kind = Leaf;
    Elem elem = Elem::Void;
    const TypedOp* op = nullptr;  // of an operation
    Op launch = Op::Count_;
    int64_t number = 0;  // a name, a literal, the dimension of a launch value
    std::vector<Node> operands;
  };
  explicit Skeleton(Node root);
  /// The number of choices for the leaves.
  uint64_t size() const { return size_; }
  /// Choice `index`; none if it repeats another, or if an operation below the root has only constants.
  std::optional<TermId> expression(Terms& terms, uint64_t index) const;

 private:
  Node root_;
  uint64_t size_ = 1;
};

using VisitSkeleton = std::function<void(const Skeleton&)>;
/// Every opcode at every type.
void for_each_single(const VisitSkeleton& visit);
/// Every opcode at every type with every other one as each of its operands.
void for_each_pair(const VisitSkeleton& visit);
/// The pattern at all types. A pattern is an operation with its operands in parentheses, a leaf `?`, a
/// variable `x`, `y`, `z`, a constant that matters `#` or by a name `c`, `d`, a number, `undef`, or a launch
/// value, as in
/// `(add (mul x #) ?)` and `(trunc (global_id 0))`.
void for_each_typing(std::string_view pattern, const VisitSkeleton& visit);
/// The pattern with one operation replaced by each other one that takes as many operands.
std::vector<std::string> near_misses(std::string_view pattern);
/// Each operation with the pattern as each of its operands, and leaves as the others.
std::vector<std::string> users_of_pattern(std::string_view pattern);

}  // namespace kc::rewrites
