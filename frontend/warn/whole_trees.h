// SPDX-License-Identifier: Apache-2.0
// What errors leave whole of a checked tree: functions and statements without an error and without an
// expression whose type an error elsewhere left unknown. Somebody with an error in one place still reads the
// warnings about the others.
#pragma once
#include <unordered_set>
#include <vector>

#include "frontend/parse/ast.h"
#include "frontend/source/diagnostics.h"

namespace kc::front {

class WholeTrees {
 public:
  WholeTrees(const TranslationUnit& unit, const Diagnostics& diagnostics);

  /// A function of the unit with a body; built-in functions are not contained.
  bool contains(const FunctionDecl& f) const { return functions_.contains(&f); }
  /// The largest whole statements of a function that is not whole itself.
  std::vector<const Stmt*> parts_of(const FunctionDecl& f) const;

 private:
  bool add_unknown(const FunctionDecl& f);
  bool holds(SourceRange range, Position in_file) const;
  bool has_error(SourceRange range) const;

  const Sources& sources_;
  std::vector<Position> errors_;  // and what they left unknown: places in files, sorted
  std::unordered_set<const FunctionDecl*> functions_, damaged_;
};

}  // namespace kc::front
