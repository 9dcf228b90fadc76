// SPDX-License-Identifier: Apache-2.0
// Diagnostics about the user's source: collected while compiling, rendered at the end.
#pragma once
#include <string>
#include <string_view>
#include <vector>

#include "frontend/source.h"

namespace kc::front {

enum class Severity { Error, Warning, Note };

struct Diagnostic {
  Severity severity = Severity::Error;
  Position caret = 0;
  SourceRange range;
  std::string message;
  std::vector<Diagnostic> notes;

  Diagnostic& note(SourceRange where, std::string text);
};

class Diagnostics {
 public:
  static constexpr int MaxErrors = 20;
  static constexpr int MaxWarnings = 50;
  static constexpr size_t MaxMacroNotes = 6;
  static constexpr size_t MaxIncludeLines = 8;

  explicit Diagnostics(const Sources& sources) : sources_(sources) {}

  Diagnostic& error(SourceRange range, std::string message) { return error_at(range.begin, range, message); }
  // The caret stands apart from the underlined range: at the operator of an expression.
  Diagnostic& error_at(Position caret, SourceRange range, std::string message);
  Diagnostic& warning(SourceRange range, std::string message);

  int errors() const { return errors_; }
  int warnings() const { return warnings_; }
  bool saturated() const { return errors_ >= MaxErrors; }
  const Sources& sources() const { return sources_; }
  // In the order in which the program is read. Tabs are kept in the caret line so that it aligns at any tab
  // width.
  std::string render(bool color) const;

 private:
  Diagnostic& add(Severity severity, Position caret, SourceRange range, std::string message);
  void render_one(std::string& out, const Diagnostic& d, bool color) const;
  void render_includes(std::string& out, Position caret) const;
  void render_message(std::string& out, const Diagnostic& d, bool color) const;
  void render_snippet(std::string& out, const Diagnostic& d, bool color) const;

  const Sources& sources_;
  std::vector<Diagnostic> list_;
  Diagnostic discarded_;
  int errors_ = 0;
  int warnings_ = 0;
};

// The candidate nearest to a misspelt name, or nothing if none is near enough.
std::string_view nearest_name(std::string_view name, const std::vector<std::string_view>& candidates);

}  // namespace kc::front
