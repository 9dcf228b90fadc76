// SPDX-License-Identifier: Apache-2.0
// The state of semantic analysis: names, types, calls, jumps and initializers.
#pragma once
#include <map>
#include <optional>
#include <vector>

#include "frontend/parse/ast.h"

namespace kc::front {

// A part of an object that is being initialized, and the index of its next subobject.
struct InitPart {
  const Type* type = nullptr;
  uint64_t offset = 0;
  uint64_t next = 0;
};

struct Symbol {
  VarDecl* variable = nullptr;  // or a typedef
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
// A region that a jump may leave but not enter.
struct JumpRegion {
  enum Kind : uint8_t { Function, Exception, StatementExpression } kind = Function;
  uint32_t parent = 0;
};
struct InitSteps {
  std::vector<InitStep> list;  // an entry without a value has been replaced by a later one
  std::multimap<uint64_t, size_t> by_offset;
};

}  // namespace kc::front
