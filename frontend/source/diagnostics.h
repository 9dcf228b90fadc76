// SPDX-License-Identifier: Apache-2.0
// Diagnostics about the user's source. They are collected during compilation and rendered at the end as text
// or JSON.
#pragma once
#include <deque>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "frontend/source/source.h"
#include "frontend/source/warnings.h"

namespace kc::front {

enum class Severity { Error, Warning, Note, Remark };

/// A source edit that would fix the problem. An empty range inserts, an empty text deletes.
struct FixIt {
  SourceRange range;
  std::string text;
};

struct Diagnostic {
  Severity severity = Severity::Error;
  Position caret = 0;
  SourceRange range;
  std::string message;
  Warning flag = Warning::Count_;   // of a warning; preserved if an option turns it into an error
  std::string pass;                 // of a remark: the pass that emits it
  std::vector<SourceRange> others;  // additional underlined ranges
  std::vector<FixIt> fixits;
  std::vector<Diagnostic> notes;

  Diagnostic& note(SourceRange where, std::string text);
  Diagnostic& underline(SourceRange where);
  /// Only for an edit that is certain to match the intent.
  Diagnostic& fix(SourceRange where, std::string replacement);
  Diagnostic& insert(Position at, std::string text) { return fix({at, at}, std::move(text)); }
  Diagnostic& remove(SourceRange where) { return fix(where, ""); }
};

class Diagnostics {
 public:
  static constexpr int MaxWarnings = 100;
  static constexpr size_t MaxMacroNotes = 6;
  static constexpr size_t MaxIncludeLines = 8;

  explicit Diagnostics(const Sources& sources) : sources_(sources) {}
  void set_error_limit(int limit) { error_limit_ = limit; }  // 0: unlimited
  void set_warning_options(const WarningOptions& options) { options_ = options; }
  /// Takes options without their "-W"; an unknown name causes a warning.
  void apply_warning_options(const std::vector<std::string>& options);

  Diagnostic& error(SourceRange range, std::string message) {
    return error_at(range.begin, range, std::move(message));
  }
  /// For errors that recur: only the first error of a key is shown, with the fix-its of all.
  Diagnostic& error_once(std::string key, SourceRange range, std::string message);
  bool said(const std::string& key) const { return keys_.contains(key); }
  /// Records that a directive was not understood. The names it would have declared are unknown, so undeclared
  /// names are not reported.
  void set_names_uncertain() { names_uncertain_ = true; }
  bool names_uncertain() const { return names_uncertain_; }
  /// The caret is separate from the underlined range, for example at the operator of an expression.
  Diagnostic& error_at(Position caret, SourceRange range, std::string message);
  Diagnostic& warning(Warning flag, SourceRange range, std::string message) {
    return warning_at(flag, range.begin, range, std::move(message));
  }
  Diagnostic& warning_at(Warning flag, Position caret, SourceRange range, std::string message);
  Diagnostic& remark(std::string pass, Position at, std::string message);
  /// Whether a warning with this name is enabled; expensive analyses check first.
  bool wants(Warning flag) const { return options_.shown(flag); }

  int errors() const { return errors_; }
  /// Counts errors other than warnings raised by -Werror; after such an error the tree is incomplete.
  int hard_errors() const { return hard_errors_; }
  /// Where in a file they are, macros where they are used, and where that file is included.
  std::vector<Position> error_places() const;
  int warnings() const { return warnings_; }
  bool saturated() const { return saturated_; }
  const Sources& sources() const { return sources_; }

  /// In reading order of the program, followed by a summary line.
  std::string render(bool color) const;
  /// One JSON object per line and diagnostic; docs/diagnostics.md contains the schema.
  std::string render_json() const;

 private:
  Diagnostic& add(Severity severity, Position caret, SourceRange range, std::string message);
  std::vector<const Diagnostic*> in_order() const;
  /// The diagnostic, the macro expansion steps to the spelling of its text, and its notes with their steps.
  std::vector<const Diagnostic*> with_notes(const Diagnostic& d, std::deque<Diagnostic>& made) const;
  /// Empty if one of them would edit the text of a macro.
  std::vector<FixIt> usable_fixits(const Diagnostic& d) const;
  void render_includes(std::string& out, Position caret) const;
  void render_message(std::string& out, const Diagnostic& d, bool color) const;
  void render_snippet(std::string& out, const Diagnostic& d, bool color) const;
  void render_json_one(std::string& out, const Diagnostic& d) const;
  void render_json_place(std::string& out, const Diagnostic& d) const;
  std::string flag_text(const Diagnostic& d) const;  // "-Wname", "-Werror,-Wname", "-Rpass=name", or empty

  const Sources& sources_;
  WarningOptions options_;
  std::deque<Diagnostic> list_;
  Diagnostic discarded_;
  int error_limit_ = 20;
  int errors_ = 0;
  int hard_errors_ = 0;
  int warnings_ = 0;
  bool saturated_ = false;
  bool names_uncertain_ = false;
  std::map<std::string, Diagnostic*> keys_;
};

}  // namespace kc::front
