// SPDX-License-Identifier: Apache-2.0
// Built-in functions written in the kernel language (the folder prelude/). Sema requests them by name; the
// requested functions and everything they use are parsed and checked after the user's source.
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

  /// The function for a call with these arguments, or null. `resolve` adds its definition. An argument that
  /// it has no use for, an exponent that is written out, is removed.
  FunctionDecl* find(const BuiltinRow& row, std::span<Expr*>& arguments);
  /// Whether functions of floats are their native_ forms, where there is one.
  void prefer_native(bool on) { native_ = on; }
  /// Adds the definitions of all requested functions.
  void resolve();

 private:
  std::string text_of_definitions() const;

  bool native_ = false;
  Arena& arena_;
  TypeTable& types_;
  Sources& sources_;
  Diagnostics& diagnostics_;
  std::map<uint16_t, FunctionDecl*> requested_;  // by definition
  std::shared_ptr<const SourceFile> file_;       // owns the text that the tree points into
  Interner interner_;
};

}  // namespace kc::front
