// SPDX-License-Identifier: Apache-2.0
// The state of semantic analysis: names, types, calls, jumps and initializers.
#pragma once
#include <map>
#include <optional>
#include <set>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "frontend/parse/arena.h"
#include "frontend/parse/ast.h"
#include "frontend/source/diagnostics.h"

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
  uint32_t align = 0;  // if a typedef sets another one than the type's
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
using Calls = std::map<FunctionDecl*, std::vector<Call>>;
/// Calls of functions, and constants, that a separate unit declares and others may define.
struct Undefined {
  std::vector<Call> calls;
  std::vector<VarDecl*> constants;
};
struct InitSteps {
  std::vector<InitStep> list;  // an entry without a value has been replaced by a later one
  std::multimap<uint64_t, size_t> by_offset;
};

class Prelude;

void report_undefined(const Call& call, Diagnostics& diagnostics);
/// Reports cycles of calls among these functions and those that they call.
void check_recursion(std::span<FunctionDecl* const> definitions, const Calls& calls,
                     Diagnostics& diagnostics);

// What one run of the analysis remembers.
struct SemaState {
  SemaState(Arena& arena, TypeTable& types, Diagnostics& diagnostics,
            const std::set<std::string_view>& tainted, Prelude* prelude, bool single_literals, bool separate)
      : arena_(arena),
        types_(types),
        diagnostics_(diagnostics),
        tainted_(tainted),
        prelude_(prelude),
        single_literals_(single_literals),
        separate_(separate) {}

  Arena& arena_;
  TypeTable& types_;
  Diagnostics& diagnostics_;
  const std::set<std::string_view>& tainted_;
  Prelude* prelude_;  // null while the prelude itself is checked
  bool single_literals_;
  bool separate_;  // other units may define what this one declares
  std::unordered_map<std::string_view, std::vector<Symbol>> symbols_;  // innermost scope last
  std::vector<std::vector<std::string_view>> scopes_;
  std::unordered_map<std::string_view, std::vector<Tag>> tags_;  // likewise
  std::vector<std::vector<std::string_view>> tag_scopes_;
  std::vector<VarDecl*> visible_at_scope_;
  Calls calls_;
  std::vector<VarDecl*> externs_;  // constants that are declared without an initializer
  Undefined undefined_;            // at the end
  uint64_t constant_bytes_ = 0, addresses_written_ = 0;
  std::vector<VarDecl*> addressed_, texts_;       // as in TranslationUnit
  std::map<std::string_view, VarDecl*> strings_;  // literals with the same text share one array

  // State of the function being checked.
  FunctionDecl* function_ = nullptr;
  VarDecl* visible_ = nullptr;  // the last declared local that is still in scope
  std::vector<JumpRegion> regions_;
  uint32_t region_ = 0;
  int loops_ = 0, handlers_ = 0;
  std::vector<SwitchStmt*> switches_;
  std::vector<CaseStmt*> last_cases_;  // of each enclosing switch
  std::vector<uint32_t> switch_regions_;
  std::vector<std::map<uint64_t, CaseStmt*>> case_values_;  // of each enclosing switch, by last value
  std::vector<bool> breakable_;  // innermost last: true for a loop, false for a switch
  std::map<std::string_view, LabelStmt*> labels_;
  std::vector<GotoStmt*> gotos_;
  InitSteps init_steps_;  // of the initializer list being checked
};

}  // namespace kc::front
