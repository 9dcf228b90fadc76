// SPDX-License-Identifier: Apache-2.0
// What lowering keeps of functions and handlers while it is inside them.
#pragma once

#include <array>
#include <map>
#include <optional>
#include <set>
#include <utility>
#include <vector>

#include "frontend/lower/share_variables.h"
#include "frontend/parse/ast.h"
#include "ir/check.h"
#include "ir/function.h"

namespace kc::front {

/// The value of an expression: one IR value, or one for each number in a vector or a small struct; none of
/// void. Of other aggregates it is the address of where they lie.
class Value {
 public:
  Value() = default;
  Value(ValueId v) { add(v); }
  operator ValueId() const {
    KC_CHECK(count_ <= 1, "a vector or a struct is used as a single value");
    return parts_[0];
  }
  void add(ValueId v) { parts_[count_++] = v; }
  unsigned count() const { return count_; }
  /// Of a single value, that one for every component.
  ValueId part(unsigned i) const { return parts_[count_ == 1 ? 0 : i]; }
  /// Some parts in a row.
  Value slice(unsigned first, unsigned count) const {
    Value v;
    for (unsigned i = 0; i < count; ++i) v.add(part(first + i));
    return v;
  }
  /// The components that a swizzle names, four bits for each.
  Value select(uint64_t selection, unsigned count) const {
    Value v;
    for (unsigned i = 0; i < count; ++i) v.add(part(static_cast<unsigned>(selection >> (4 * i)) & 15));
    return v;
  }
  void add(const Value& other) {
    for (unsigned i = 0; i < other.count_; ++i) add(other.parts_[i]);
  }
  bool valid() const { return count_ > 0 && parts_[0].valid(); }

 private:
  std::array<ValueId, Type::MaxParts> parts_;
  unsigned count_ = 0;
};

// Where a variable lives: one of the two.
struct Home {
  VarId variable;  // of a vector or a struct, the first of as many as it has parts
  ObjectId object;
};
constexpr uint64_t WholeVector = 0xfedcba9876543210;
struct Place {  // of an lvalue
  VarId variable;
  ValueId address;
  const Type* type = nullptr;
  uint64_t selection = WholeVector;  // of a vector: which components, four bits for each
  uint32_t align = 0;                // of the address, where it is less than the type asks for
  bool is_volatile = false;          // and in memory that others see
};
constexpr Op load_op(bool is_volatile) { return is_volatile ? Op::volatile_load : Op::load; }
constexpr Op store_op(bool is_volatile) { return is_volatile ? Op::volatile_store : Op::store; }
/// Whether others see, or change, what lies in such a place: private memory is as good without `volatile`.
bool is_observed(uint8_t qualifiers, AddressSpace space);

struct Known {  // of a variable: its value in the block that read or wrote it last
  BlockId block;
  ValueId value;
};

struct ByteRange {
  uint64_t begin = 0, end = 0;
  auto operator<=>(const ByteRange&) const = default;
};
struct Product {  // a multiplication that may become part of an fma
  ValueId left, right;
};
// One exception handler of one instance of a try statement, or the way out of a shared region.
struct HandlerState {
  const Handler* handler = nullptr;
  BlockId block;
  VarId site;                                          // which throw arrived
  std::vector<std::pair<const Type*, Home>> payloads;  // by type, in order of first arrival
  std::set<uint32_t> arrivals;                         // sites
};
struct TryContext {
  TryContext* outer = nullptr;
  std::vector<HandlerState> handlers;
};
struct ThrowSite {
  const Type* type;
  Loc loc;
  std::optional<int64_t> trap{};  // the number of its trap site, once nothing catches it
};
// One activation of a function: the kernel, an inlined call, or all calls of a shared region.
struct InlineFrame {
  FunctionDecl* function = nullptr;
  std::vector<Home> variables;
  std::vector<BlockId> labels;
  std::map<const CaseStmt*, BlockId> cases;
  std::vector<BlockId> breaks, continues;
  HandlerState* handler = nullptr;  // the one being lowered, for `throw;`
  BlockId return_block;             // invalid in the kernel, and if the function returns at its end alone
  Home result;
  bool returns_at_end = false;
  Value returned;  // there, instead of the result
  // Of an inlined function, by index of the parameter; none of those that are variables or in memory.
  std::vector<Value> arguments;
};
// A shared region. There is no recursion, so one work-item is in it at most once.
struct Region {
  InlineFrame frame;
  VarId caller;         // which of the calls is served
  HandlerState escape;  // of what no handler in it takes
  RegionBlocks blocks;
};

}  // namespace kc::front
