// SPDX-License-Identifier: Apache-2.0
// Diagnostics as text: the message, the source line, and below it the marked ranges and fix-its.
#include <fmt/format.h>

#include <algorithm>

#include "frontend/source/diagnostics.h"
#include "frontend/source/utf8.h"

namespace kc::front {

namespace {

constexpr std::string_view Bold = "\033[1m", Red = "\033[1;31m", Magenta = "\033[1;35m", Cyan = "\033[1;36m",
                           Green = "\033[1;32m", GreenText = "\033[32m", Reset = "\033[0m";
constexpr size_t MaxSnippet = 160;         // columns
constexpr size_t MaxNeighbourhood = 4096;  // bytes
constexpr size_t TabStop = 8;

std::string_view severity_name(Severity s) {
  static constexpr std::string_view Names[] = {"error", "warning", "note", "remark"};
  return Names[static_cast<int>(s)];
}

std::string_view severity_color(Severity s) {
  return s == Severity::Error ? Red : s == Severity::Warning ? Magenta : Cyan;
}

std::string plural(int n, std::string_view what) {
  return fmt::format("{} {}{}", n, what, n == 1 ? "" : "s");
}

// A source line for display: tabs become spaces, and unprintable characters '?'.
struct ShownLine {
  std::string_view line;
  std::vector<std::string> cells;  // text of each column; empty after a wide character
  std::vector<size_t> column_of;   // by byte, including one past the end

  explicit ShownLine(std::string_view text) : line(text) {
    for (size_t i = 0; i < line.size();) {
      size_t n = utf8_length(line, i), step = n == 0 ? 1 : n;
      column_of.insert(column_of.end(), step, cells.size());
      unsigned char c = static_cast<unsigned char>(line[i]);
      if (c == '\t') {
        do cells.push_back(" ");
        while (cells.size() % TabStop != 0);
      } else if (n == 0 || c < 32 || c == 127) {
        cells.push_back("?");
      } else {
        int width = display_width(line, i, n);
        if (width == 0 && !cells.empty())
          cells.back() += line.substr(i, n);
        else
          cells.emplace_back(line.substr(i, n));
        if (width == 2) cells.emplace_back();
      }
      i += step;
    }
    column_of.push_back(cells.size());
  }
  size_t column(size_t byte) const { return column_of[std::min(byte, line.size())] + (byte > line.size()); }
};

// Trims an enormous line to the neighbourhood of the caret. Returns the number of bytes removed at the front.
size_t trim(std::string_view& line, size_t caret) {
  size_t from = caret > MaxNeighbourhood ? caret - MaxNeighbourhood : 0;
  while (from < caret && (static_cast<unsigned char>(line[from]) & 0xc0) == 0x80) ++from;
  line = line.substr(std::min(from, line.size()), 2 * MaxNeighbourhood);
  return from;
}

// The rows below the source line grow as they are written.
void put(std::string& row, size_t column, char c) {
  if (row.size() <= column) row.resize(column + 1, ' ');
  row[column] = c;
}

// The part of a range on this line, without leading and trailing blanks; returns false if it is empty.
bool clip(const SourceRange& range, uint32_t start, std::string_view line, size_t& from, size_t& to) {
  from = range.begin > start ? range.begin - start : 0;
  to = range.end > start ? std::min<size_t>(range.end - start, line.size()) : 0;
  auto blank = [](char c) { return c == ' ' || c == '\t' || c == '\r'; };
  while (from < to && blank(line[from])) ++from;
  while (from < to && blank(line[to - 1])) --to;
  return from < to;
}

struct Window {
  size_t first, last;
};

// Of a very long line, shows the part around the caret with as much of the ranges as fits.
Window choose_window(size_t columns, size_t caret, const std::string& marks) {
  if (columns <= MaxSnippet) return {0, columns};
  size_t begin = marks.find_first_not_of(' '), end = marks.size();
  if (begin == std::string::npos || end - begin > MaxSnippet - 20) begin = caret, end = caret + 1;
  size_t margin = (MaxSnippet - (end - begin)) / 2;
  size_t first = begin > margin ? begin - margin : 0;
  first = std::min(first, columns - std::min(columns, MaxSnippet));
  return {first, std::min(columns, first + MaxSnippet)};
}

std::string cut(const std::string& row, const Window& w) {
  std::string part = row.size() > w.first ? row.substr(w.first, w.last + 1 - w.first) : "";
  while (!part.empty() && part.back() == ' ') part.pop_back();
  return part;
}

// Replacements and insertions below their columns; overlapping ones move to the right.
std::string fixit_row(const std::vector<FixIt>& fixits, uint32_t start, const ShownLine& shown) {
  std::string out;
  for (const FixIt& f : fixits) {
    bool here = f.range.begin >= start && f.range.begin <= start + shown.line.size();
    if (!here || f.text.empty() || f.text.find('\n') != std::string::npos) continue;
    size_t column = shown.column(f.range.begin - start);
    if (!out.empty()) column = std::max(column, out.size() + 1);
    out.resize(column, ' ');
    out += f.text;
  }
  return out;
}

}  // namespace

void Diagnostics::render_snippet(std::string& out, const Diagnostic& d, bool color) const {
  const SourceFile& file = sources_.file(d.caret);
  // Only the location is known in a file whose text is unavailable.
  if (file.text().find_first_not_of(" \n") == std::string_view::npos) return;
  uint32_t offset = sources_.offset_in_file(d.caret), line_number = file.line_column(offset).line;
  std::string_view line = file.line_text(line_number);
  size_t caret_byte = offset - file.line_start(line_number), whole = line.size();
  size_t left_out = trim(line, caret_byte);
  caret_byte -= left_out;
  ShownLine shown(line);
  Position start = sources_.in_file(d.caret) - static_cast<Position>(caret_byte);
  std::string marks;
  auto underline = [&](SourceRange range) {
    size_t from = 0, to = 0;
    range = sources_.in_file(range);
    if (!clip(range, start, shown.line, from, to)) return;
    for (size_t c = shown.column(from); c < shown.column(to); ++c) put(marks, c, '~');
  };
  underline(d.range);
  for (const SourceRange& r : d.others) underline(r);
  size_t caret = shown.column(caret_byte);
  put(marks, caret, '^');
  Window w = choose_window(shown.cells.size(), caret, marks);
  bool cut_left = w.first > 0 || left_out > 0;
  bool cut_right = w.last < shown.cells.size() || left_out + line.size() < whole;
  for (size_t c = w.first; c < w.last; ++c) {
    if (c == w.first && cut_left) out += "...";
    out += shown.cells[c];
  }
  out += cut_right ? "...\n" : "\n";
  auto below = [&](const std::string& row, std::string_view style) {
    std::string text = cut(row, w);
    if (text.empty()) return;
    out += cut_left ? "   " : "";
    out += color ? fmt::format("{}{}{}\n", style, text, Reset) : text + "\n";
  };
  below(marks, Green);
  below(fixit_row(usable_fixits(d), start, shown), GreenText);
}

std::string Diagnostics::render(bool color) const {
  std::string out;
  Position shown = NoPosition;  // the include stack of a diagnostic is printed once
  for (const Diagnostic* d : in_order()) {
    Position included = d->caret == NoPosition ? NoPosition : sources_.included_at(d->caret);
    if (included != shown) render_includes(out, d->caret);
    shown = included;
    std::deque<Diagnostic> made;
    for (const Diagnostic* one : with_notes(*d, made)) render_message(out, *one, color);
  }
  if (saturated()) out += "fatal error: too many errors emitted, stopping now [-ferror-limit=]\n";
  if (warnings_ > MaxWarnings)
    out += fmt::format("note: only the first {} of {} warnings are shown\n", MaxWarnings, warnings_);
  if (errors_ + warnings_ > 0)
    out += fmt::format("{}{}{} generated.\n", errors_ ? plural(errors_, "error") : "",
                       errors_ && warnings_ ? " and " : "", warnings_ ? plural(warnings_, "warning") : "");
  return out;
}

// From the main file inwards; a long stack is abbreviated to its ends.
void Diagnostics::render_includes(std::string& out, Position caret) const {
  std::vector<std::string> lines;
  if (caret == NoPosition) return;
  for (Position p = sources_.included_at(caret); p != NoPosition; p = sources_.included_at(p)) {
    const auto [name, at] = sources_.place(p);
    lines.push_back(fmt::format("in file included from {}:{}:\n", name, at.line));
  }
  std::reverse(lines.begin(), lines.end());
  size_t skipped = lines.size() > MaxIncludeLines ? lines.size() - MaxIncludeLines : 0;
  for (size_t i = 0; i < lines.size(); ++i) {
    if (skipped && i == MaxIncludeLines / 2)
      out += fmt::format("({} more levels of inclusion)\n", skipped), i += skipped;
    out += lines[i];
  }
}

void Diagnostics::render_message(std::string& out, const Diagnostic& d, bool color) const {
  bool nowhere = d.caret == NoPosition;
  std::string where = "<command line>";
  if (!nowhere) {
    const auto [name, at] = sources_.place(d.caret);
    where = fmt::format("{}:{}:{}", name, at.line, at.column);
  }
  std::string flag = flag_text(d);
  if (!flag.empty()) flag = fmt::format(" [{}]", flag);
  if (color)
    out += fmt::format("{}{}: {}{}: {}{}{}{}{}\n", Bold, where, severity_color(d.severity),
                       severity_name(d.severity), Reset, Bold, d.message, flag, Reset);
  else
    out += fmt::format("{}: {}: {}{}\n", where, severity_name(d.severity), d.message, flag);
  if (!nowhere) render_snippet(out, d, color);
}

}  // namespace kc::front
