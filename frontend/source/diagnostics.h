// SPDX-License-Identifier: Apache-2.0
// Diagnostics about the user's source: collected while compiling, rendered at the end as text or as JSON.
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

/// A change of the source that would mend it. An empty range inserts, an empty text removes.
struct FixIt {
  SourceRange range;
  std::string text;
};

struct Diagnostic {
  Severity severity = Severity::Error;
  Position caret = 0;
  SourceRange range;
  std::string message;
  Warning flag = Warning::Count_;   // of a warning; kept when an option makes it an error
  std::string pass;                 // of a remark: who makes it
  std::vector<SourceRange> others;  // underlined, too
  std::vector<FixIt> fixits;
  std::vector<Diagnostic> notes;

  Diagnostic& note(SourceRange where, std::string text);
  Diagnostic& underline(SourceRange where);
  /// Only where the change is certain to be what was meant.
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
  void set_error_limit(int limit) { error_limit_ = limit; }  // 0: none
  void set_warning_options(const WarningOptions& options) { options_ = options; }
  /// Takes options without their "-W"; an unknown name draws a warning.
  void apply_warning_options(const std::vector<std::string>& options);

  Diagnostic& error(SourceRange range, std::string message) {
    return error_at(range.begin, range, std::move(message));
  }
  /// For mistakes that come again and again: only the first of a key is shown, and has the fixes of all.
  Diagnostic& error_once(std::string key, SourceRange range, std::string message);
  bool said(const std::string& key) const { return keys_.contains(key); }
  /// A directive was not understood, so that what it would have defined is not known: no error says so.
  void set_names_uncertain() { names_uncertain_ = true; }
  bool names_uncertain() const { return names_uncertain_; }
  /// The caret stands apart from the underlined range: at the operator of an expression.
  Diagnostic& error_at(Position caret, SourceRange range, std::string message);
  Diagnostic& warning(Warning flag, SourceRange range, std::string message) {
    return warning_at(flag, range.begin, range, std::move(message));
  }
  Diagnostic& warning_at(Warning flag, Position caret, SourceRange range, std::string message);
  Diagnostic& remark(std::string pass, Position at, std::string message);
  /// Whether a warning of this name would be seen: analyses that cost something ask first.
  bool wants(Warning flag) const { return options_.shown(flag); }

  int errors() const { return errors_; }
  /// Errors that are not warnings raised by -Werror: after them the tree is incomplete.
  int hard_errors() const { return hard_errors_; }
  int warnings() const { return warnings_; }
  bool saturated() const { return saturated_; }
  const Sources& sources() const { return sources_; }

  /// In the order in which the program is read, then a line that counts them.
  std::string render(bool color) const;
  /// One JSON object per diagnostic and line; docs/diagnostics.md gives the schema.
  std::string render_json() const;

 private:
  Diagnostic& add(Severity severity, Position caret, SourceRange range, std::string message);
  std::vector<const Diagnostic*> in_order() const;
  /// The diagnostic, the way through macros to where its text was spelled, and its notes with theirs.
  std::vector<const Diagnostic*> with_notes(const Diagnostic& d, std::deque<Diagnostic>& made) const;
  /// None if one of them would have to change the text of a macro.
  std::vector<FixIt> usable_fixits(const Diagnostic& d) const;
  void render_includes(std::string& out, Position caret) const;
  void render_message(std::string& out, const Diagnostic& d, bool color) const;
  void render_snippet(std::string& out, const Diagnostic& d, bool color) const;
  void render_json_one(std::string& out, const Diagnostic& d) const;
  void render_json_place(std::string& out, const Diagnostic& d) const;
  std::string flag_text(const Diagnostic& d) const;  // "-Wname", "-Werror,-Wname", "-Rpass=name", or nothing

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
