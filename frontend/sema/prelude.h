// SPDX-License-Identifier: Apache-2.0
// Built-in functions that are written in the kernel language (the folder prelude/). Sema asks for them by
// name; those asked for, with all that they use, are parsed and checked once the user's source has been.
#pragma once
#include <map>
#include <memory>
#include <string>
#include <string_view>

#include "frontend/parse/arena.h"
#include "frontend/parse/ast.h"
#include "frontend/sema/builtins.h"
#include "frontend/source/diagnostics.h"
#include "frontend/source/interner.h"

namespace kc::front {

class Prelude {
 public:
  Prelude(Arena& arena, TypeTable& types, Sources& sources, Diagnostics& diagnostics)
      : arena_(arena), types_(types), sources_(sources), diagnostics_(diagnostics) {}

  /// The function for a call with these types of arguments, or null. Its definition comes with `resolve`.
  FunctionDecl* find(const BuiltinRow& row, std::span<Expr*> arguments);
  /// Gives all functions that were asked for their definitions.
  void resolve();

 private:
  std::string text_of_definitions() const;

  Arena& arena_;
  TypeTable& types_;
  Sources& sources_;
  Diagnostics& diagnostics_;
  std::map<uint16_t, FunctionDecl*> requested_;  // by definition
  std::shared_ptr<const SourceFile> file_;       // what the tree points into
  Interner words_;
};

}  // namespace kc::front
