// SPDX-License-Identifier: Apache-2.0
// Links checked units: what one declares, another one defines.
#pragma once
#include <map>
#include <span>
#include <string_view>
#include <vector>

#include "frontend/parse/arena.h"
#include "frontend/parse/ast.h"
#include "frontend/sema/sema_parts.h"
#include "frontend/source/diagnostics.h"

namespace kc::front {

class Linker {
 public:
  Linker(Arena& arena, Diagnostics& diagnostics) : arena_(arena), diagnostics_(diagnostics) {}

  /// In the order in which the units were checked.
  void add(const TranslationUnit& unit, const Calls& calls, const Undefined& undefined);
  /// All units as one. Names that are defined twice or never, and cycles of calls, are errors.
  TranslationUnit link();

 private:
  void define(FunctionDecl* f);
  void define(VarDecl* v);
  void resolve(const Call& call);
  void resolve(VarDecl* constant);
  void defined_twice(std::string_view name, SourceRange range, SourceRange before);

  Arena& arena_;
  Diagnostics& diagnostics_;
  std::vector<TopLevel> items_;
  std::vector<VarDecl*> texts_;
  std::span<VarDecl*> addressed_;
  Undefined undefined_;
  Calls calls_;
  std::map<std::string_view, std::vector<FunctionDecl*>> functions_;  // definitions that other units see
  std::map<std::string_view, VarDecl*> variables_;                    // likewise
};

}  // namespace kc::front
