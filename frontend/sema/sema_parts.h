// SPDX-License-Identifier: Apache-2.0
// What sema keeps of names, types, calls, jumps and initializers while it is inside them.
#pragma once
#include <map>
#include <optional>
#include <vector>

#include "frontend/parse/ast.h"

namespace kc::front {

// A part of an object that is being initialized, and which of its own parts comes next.
struct InitPart {
  const Type* type = nullptr;
  uint64_t offset = 0;
  uint64_t next = 0;
};

struct Symbol {
  VarDecl* variable = nullptr;  // or typedef
  FunctionDecl* function = nullptr;
};
struct Qualified {
  const Type* type = nullptr;
  uint8_t qualifiers = 0;
  std::optional<AddressSpace> space;
  SourceRange space_range;
};
struct Call {
  FunctionDecl* callee;
  SourceRange range;
};
struct Tag {
  const Type* type = nullptr;  // `int` for an enumeration
  SourceRange range;
  size_t scope_depth = 0;
};
// What a jump may leave but not enter.
struct JumpRegion {
  enum Kind : uint8_t { Function, Exception, StatementExpression } kind = Function;
  uint32_t parent = 0;
};
struct InitSteps {
  std::vector<InitStep> list;  // without a value if a later one has replaced it
  std::multimap<uint64_t, size_t> by_offset;
};

}  // namespace kc::front
