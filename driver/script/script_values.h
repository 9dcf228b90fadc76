// SPDX-License-Identifier: Apache-2.0
// What a script computes on the host.
#pragma once

#include <map>

#include "driver/arguments.h"
#include "driver/script/script.h"

namespace kc {

/// Buffers and variables by name; expressions read them.
class ScriptState {
 public:
  std::map<std::string, BufferArg> buffers;
  std::map<std::string, ScriptValue> variables;

  /// Of the buffers and the variables.
  std::vector<std::string_view> names() const;

  // Throws TextError.
  ScriptValue evaluate(const ScriptExpr& e) const;
  int64_t whole(const ScriptExpr& e) const;                          // an integer
  uint64_t count(const ScriptExpr& e, std::string_view what) const;  // that is not negative
  bool truth(const ScriptExpr& e) const;
  BufferArg& buffer(const std::string& name, ScriptPlace place);
  const BufferArg& buffer(const std::string& name, ScriptPlace place) const;
  uint64_t index(const BufferArg& buffer, const ScriptExpr& e) const;

  /// As --arg takes it.
  static std::string literal(const ScriptValue& v);
};

}  // namespace kc
