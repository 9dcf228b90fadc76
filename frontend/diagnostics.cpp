// SPDX-License-Identifier: Apache-2.0
#include "frontend/diagnostics.h"

#include <fmt/format.h>

#include <algorithm>

namespace kc::front {

namespace {

constexpr std::string_view Bold = "\033[1m", Red = "\033[1;31m", Magenta = "\033[1;35m", Cyan = "\033[1;36m",
                           Green = "\033[1;32m", Reset = "\033[0m";
constexpr size_t MaxSnippet = 160;

std::string_view severity_name(Severity s) {
  return s == Severity::Error ? "error" : s == Severity::Warning ? "warning" : "note";
}

std::string_view severity_color(Severity s) {
  return s == Severity::Error ? Red : s == Severity::Warning ? Magenta : Cyan;
}

bool continues_character(char c) { return (static_cast<unsigned char>(c) & 0xc0) == 0x80; }

// Number of bytes of the well-formed UTF-8 character at `at`, or 0.
size_t character_length(std::string_view s, size_t at) {
  unsigned char c = static_cast<unsigned char>(s[at]);
  size_t n = c < 0x80                ? 1
             : c >= 0xc2 && c < 0xe0 ? 2
             : c >= 0xe0 && c < 0xf0 ? 3
             : c >= 0xf0 && c < 0xf5 ? 4
                                     : 0;
  if (n == 0 || at + n > s.size()) return 0;
  for (size_t i = 1; i < n; ++i)
    if (!continues_character(s[at + i])) return 0;
  return n;
}

}  // namespace

Diagnostic& Diagnostic::note(SourceRange where, std::string text) {
  notes.push_back({Severity::Note, where.begin, where, std::move(text), {}});
  return *this;
}

Diagnostic& Diagnostics::add(Severity severity, Position caret, SourceRange range, std::string message) {
  list_.push_back({severity, caret, range, std::move(message), {}});
  return list_.back();
}

Diagnostic& Diagnostics::error_at(Position caret, SourceRange range, std::string message) {
  if (saturated()) return discarded_ = Diagnostic{};
  ++errors_;
  return add(Severity::Error, caret, range, std::move(message));
}

Diagnostic& Diagnostics::warning(SourceRange range, std::string message) {
  if (warnings_ >= MaxWarnings) return discarded_ = Diagnostic{};
  ++warnings_;
  return add(Severity::Warning, range.begin, range, std::move(message));
}

std::string Diagnostics::render(bool color) const {
  std::vector<std::pair<std::vector<Position>, size_t>> order;
  for (size_t i = 0; i < list_.size(); ++i) order.emplace_back(sources_.reading_order(list_[i].caret), i);
  std::sort(order.begin(), order.end());
  std::string out;
  Position shown = NoPosition;  // the includes that led to a diagnostic are shown once
  for (const auto& [key, i] : order) {
    Position included = list_[i].caret == NoPosition ? NoPosition : sources_.included_at(list_[i].caret);
    if (included != shown) render_includes(out, list_[i].caret);
    shown = included;
    render_one(out, list_[i], color);
    for (const Diagnostic& n : list_[i].notes) render_one(out, n, color);
  }
  if (saturated()) out += "fatal error: too many errors emitted, stopping now\n";
  return out;
}

// From the main file inwards; of a long chain the ends.
void Diagnostics::render_includes(std::string& out, Position caret) const {
  std::vector<std::string> lines;
  if (caret == NoPosition) return;
  for (Position p = sources_.included_at(caret); p != NoPosition; p = sources_.included_at(p))
    lines.push_back(
        fmt::format("in file included from {}:{}:\n", sources_.file_name(p), sources_.line_column(p).line));
  std::reverse(lines.begin(), lines.end());
  size_t skipped = lines.size() > MaxIncludeLines ? lines.size() - MaxIncludeLines : 0;
  for (size_t i = 0; i < lines.size(); ++i) {
    if (skipped && i == MaxIncludeLines / 2)
      out += fmt::format("({} more levels of inclusion)\n", skipped), i += skipped;
    out += lines[i];
  }
}

// The message where the user wrote what it is about, and below it the way through macros to its spelling.
void Diagnostics::render_one(std::string& out, const Diagnostic& d, bool color) const {
  if (d.caret == NoPosition) return render_message(out, d, color);
  Diagnostic seen{d.severity, sources_.in_file(d.caret), sources_.in_file(d.range), d.message, {}};
  render_message(out, seen, color);
  std::vector<Sources::MacroStep> steps = sources_.macro_steps(d.caret, d.range);
  size_t skipped = steps.size() > MaxMacroNotes ? steps.size() - MaxMacroNotes : 0;
  for (size_t i = 0; i < steps.size(); ++i) {
    if (skipped && i == MaxMacroNotes / 2) {
      out += fmt::format("({} more expansions)\n", skipped);
      i += skipped;
    }
    const Sources::MacroStep& s = steps[i];
    render_message(
        out, {Severity::Note, s.caret, s.range, fmt::format("expanded from macro '{}'", s.macro), {}}, color);
  }
}

void Diagnostics::render_message(std::string& out, const Diagnostic& d, bool color) const {
  bool nowhere = d.caret == NoPosition;
  std::string where = "<command line>";
  if (!nowhere) {
    LineColumn at = sources_.line_column(d.caret);
    where = fmt::format("{}:{}:{}", sources_.file_name(d.caret), at.line, at.column);
  }
  if (color)
    out += fmt::format("{}{}: {}{}: {}{}{}{}\n", Bold, where, severity_color(d.severity),
                       severity_name(d.severity), Reset, Bold, d.message, Reset);
  else
    out += fmt::format("{}: {}: {}\n", where, severity_name(d.severity), d.message);
  if (!nowhere) render_snippet(out, d, color);
}

// The source line and below it the caret and the tildes. Characters of several bytes take one column;
// bytes that cannot be shown become '?'; of a very long line only a window around the caret is shown.
void Diagnostics::render_snippet(std::string& out, const Diagnostic& d, bool color) const {
  const SourceFile& file = sources_.file(d.caret);
  uint32_t offset = sources_.offset_in_file(d.caret), line_number = file.line_column(offset).line;
  std::string_view line = file.line_text(line_number);
  size_t caret = offset - file.line_start(line_number);
  Position start = d.caret - static_cast<Position>(caret);
  size_t first = 0, last = line.size();
  if (line.size() > MaxSnippet) {
    first = caret > MaxSnippet / 2 ? caret - MaxSnippet / 2 : 0;
    first = std::min(first, line.size());
    last = std::min(line.size(), first + MaxSnippet);
    while (first > 0 && first < line.size() && continues_character(line[first])) --first;
  }
  std::string source = first > 0 ? "..." : "", marks = first > 0 ? "   " : "";
  for (size_t i = first; i < last || i <= caret;) {
    size_t n = i < last ? character_length(line, i) : 1;
    bool printable = n > 1 || (i < last && n == 1 && (line[i] == '\t' || (line[i] >= 32 && line[i] != 127)));
    size_t step = n == 0 ? 1 : n;
    bool marked = start + i >= d.range.begin && start + i < d.range.end;
    if (i < last) {
      if (printable)
        source.append(line.substr(i, step));
      else
        source += '?';
    }
    if (i <= caret && caret < i + step)
      marks += '^';
    else
      marks += i < last && line[i] == '\t' ? '\t' : marked ? '~' : ' ';
    i += step;
  }
  while (!marks.empty() && (marks.back() == ' ' || marks.back() == '\t')) marks.pop_back();
  out += source + (last < line.size() ? "...\n" : "\n");
  out += color ? fmt::format("{}{}{}\n", Green, marks, Reset) : marks + "\n";
}

std::string_view nearest_name(std::string_view name, const std::vector<std::string_view>& candidates) {
  if (name.size() > 64) return {};
  size_t best = (name.size() + 2) / 3;
  std::string_view found;
  std::vector<size_t> row, previous, before;
  for (std::string_view c : candidates) {
    if (c == name || c.size() > name.size() + best || name.size() > c.size() + best) continue;
    previous.assign(c.size() + 1, 0);
    before = previous;
    for (size_t j = 0; j <= c.size(); ++j) previous[j] = j;
    for (size_t i = 1; i <= name.size(); ++i) {
      row.assign(c.size() + 1, i);
      for (size_t j = 1; j <= c.size(); ++j) {
        row[j] = std::min({previous[j] + 1, row[j - 1] + 1, previous[j - 1] + (name[i - 1] != c[j - 1])});
        bool swapped = i > 1 && j > 1 && name[i - 1] == c[j - 2] && name[i - 2] == c[j - 1];
        if (swapped) row[j] = std::min(row[j], before[j - 2] + 1);
      }
      before.swap(previous);
      previous.swap(row);
    }
    size_t distance = previous[c.size()];
    if (distance >= std::min(c.size(), name.size())) continue;  // nothing in common
    if (distance < best || (distance == best && found.empty())) best = distance, found = c;
  }
  return found;
}

}  // namespace kc::front
