// SPDX-License-Identifier: Apache-2.0
// Diagnostics as JSON, one object per line. The schema is in docs/diagnostics.md.
#include <fmt/format.h>

#include "frontend/source/diagnostics.h"
#include "frontend/source/utf8.h"

namespace kc::front {

namespace {

// Bytes that are not UTF-8, which JSON cannot represent, become U+FFFD.
std::string quoted(std::string_view text) {
  std::string out = "\"";
  for (size_t i = 0; i < text.size();) {
    size_t n = utf8_length(text, i);
    unsigned char c = static_cast<unsigned char>(text[i]);
    if (n == 0)
      out += "\\ufffd";
    else if (c == '"' || c == '\\')
      out += fmt::format("\\{}", text[i]);
    else if (c == '\n')
      out += "\\n";
    else if (c == '\t')
      out += "\\t";
    else if (c < 32 || c == 127)
      out += fmt::format("\\u{:04x}", c);
    else
      out += text.substr(i, n);
    i += n == 0 ? 1 : n;
  }
  return out + '"';
}

std::string place(const Sources& sources, Position p, std::string_view prefix) {
  LineColumn at = sources.line_column(p);
  return fmt::format("\"{}line\":{},\"{}column\":{}", prefix, at.line, prefix, at.column);
}

std::string span(const Sources& sources, SourceRange range) {
  range = sources.in_file(range);
  return place(sources, range.begin, "") + "," + place(sources, range.end, "end_");
}

}  // namespace

std::string Diagnostics::render_json() const {
  std::string out;
  for (const Diagnostic* d : in_order()) {
    render_json_one(out, *d);
    out += '\n';
  }
  if (saturated()) out += "{\"severity\":\"fatal\",\"message\":\"too many errors emitted, stopping now\"}\n";
  return out;
}

void Diagnostics::render_json_place(std::string& out, const Diagnostic& d) const {
  static constexpr const char* Names[] = {"error", "warning", "note", "remark"};
  out += fmt::format("{{\"severity\":\"{}\"", Names[static_cast<int>(d.severity)]);
  if (d.caret == NoPosition) return;
  out += fmt::format(",\"file\":{},{}", quoted(sources_.file_name(d.caret)), place(sources_, d.caret, ""));
  out += fmt::format(",\"range\":{{{}}}", span(sources_, d.range));
}

void Diagnostics::render_json_one(std::string& out, const Diagnostic& d) const {
  render_json_place(out, d);
  if (d.flag != Warning::Count_) out += fmt::format(",\"flag\":\"-W{}\"", row(d.flag).name);
  if (!d.pass.empty()) out += fmt::format(",\"flag\":\"-Rpass={}\"", d.pass);
  out += fmt::format(",\"message\":{},\"fixits\":[", quoted(d.message));
  const char* comma = "";
  for (const FixIt& f : usable_fixits(d)) {
    out += fmt::format("{}{{{},\"text\":{}}}", comma, span(sources_, f.range), quoted(f.text));
    comma = ",";
  }
  out += "],\"notes\":[";
  std::deque<Diagnostic> made;
  std::vector<const Diagnostic*> all = with_notes(d, made);
  for (size_t i = 1; i < all.size(); ++i) {
    out += i == 1 ? "" : ",";
    render_json_place(out, *all[i]);
    out += fmt::format(",\"message\":{}}}", quoted(all[i]->message));
  }
  out += "]}";
}

}  // namespace kc::front
