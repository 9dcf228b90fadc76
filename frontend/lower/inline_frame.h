// SPDX-License-Identifier: Apache-2.0
// The state of lowering inside a function and inside exception handlers.
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

/// The value of an expression: one IR value, or one for each number in a vector or a small struct; empty for
/// void. The value of any other aggregate is its address.
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
  /// A single value serves as every component.
  ValueId part(unsigned i) const { return parts_[count_ == 1 ? 0 : i]; }
  /// `count` consecutive parts.
  Value slice(unsigned first, unsigned count) const {
    Value v;
    for (unsigned i = 0; i < count; ++i) v.add(part(first + i));
    return v;
  }
  /// The components that a swizzle selects, four bits for each.
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

// The storage of a variable: either IR variables or an object.
struct VariableStorage {
  VarId variable;  // for a vector or a struct, the first of consecutive variables, one per part
  ObjectId object;
};
constexpr uint64_t WholeVector = 0xfedcba9876543210;
struct LValue {  // what an lvalue designates
  VarId variable;
  ValueId address;
  const Type* type = nullptr;
  uint64_t selection = WholeVector;  // of a vector: the selected components, four bits for each
  uint32_t align = 0;                // of the address, if lower than the type's alignment; otherwise 0
  bool is_volatile = false;          // volatile, and in memory visible to other work-items
};
constexpr Op load_op(bool is_volatile) { return is_volatile ? Op::volatile_load : Op::load; }
constexpr Op store_op(bool is_volatile) { return is_volatile ? Op::volatile_store : Op::store; }
/// Whether an access with these qualifiers is observable. Private memory is not: `volatile` has no effect on
/// it.
bool is_observed(uint8_t qualifiers, AddressSpace space);

struct CachedValue {  // the value of a variable in the block that read or wrote it last
  BlockId block;
  ValueId value;
};

struct ByteRange {
  uint64_t begin = 0, end = 0;
  auto operator<=>(const ByteRange&) const = default;
};
struct Product {  // a multiplication that may be contracted to an fma
  ValueId left, right;
};
// One exception handler of one instance of a try statement, or the exceptional exit of a shared region.
struct HandlerState {
  const Handler* handler = nullptr;
  BlockId block;
  VarId site;                                                     // the throw site that was taken
  std::vector<std::pair<const Type*, VariableStorage>> payloads;  // by type, in order of first arrival
  std::set<uint32_t> arrivals;                                    // the throw sites that reach this handler
};
struct TryContext {
  TryContext* outer = nullptr;
  std::vector<HandlerState> handlers;
};
struct ThrowSite {
  const Type* type;
  Loc loc;
  std::optional<int64_t> trap{};  // the number of its trap site, if some path has no handler for it
};
// One instance of a function: the kernel, an inlined call, or all calls of a shared region.
struct InlineFrame {
  FunctionDecl* function = nullptr;
  std::vector<VariableStorage> variables;
  std::vector<BlockId> labels;
  std::map<const CaseStmt*, BlockId> cases;
  std::vector<BlockId> breaks, continues;
  HandlerState* handler = nullptr;  // the handler being lowered, for `throw;`
  BlockId return_block;             // invalid in the kernel, and if the function's only return is at its end
  VariableStorage result;
  bool returns_at_end = false;
  Value returned;  // the value of that return, used instead of `result`
  // Of an inlined function, by parameter index; empty for parameters that are variables or in memory.
  std::vector<Value> arguments;
};
// A shared region. Recursion does not exist, so a work-item is inside it at most once at a time.
struct Region {
  InlineFrame frame;
  VarId caller;         // the index of the active call
  HandlerState escape;  // for exceptions that no handler in the region catches
  RegionBlocks blocks;
};

}  // namespace kc::front
