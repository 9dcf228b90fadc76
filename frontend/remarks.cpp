// SPDX-License-Identifier: Apache-2.0
// Remarks in the form of diagnostics. The IR knows lines and columns only, so all count as those of the file
// that was compiled.
#include <fmt/format.h>

#include <algorithm>

#include "frontend/diagnostics.h"
#include "frontend/frontend.h"

namespace kc {

namespace {

using namespace front;

// Positions of a file count its bytes without line splices.
Position position_of(const SourceFile& file, Position base, Loc loc) {
  std::string_view end = file.line_text(loc.line);
  uint32_t offset =
      file.line_start(loc.line) + std::min<uint32_t>(loc.column - 1, static_cast<uint32_t>(end.size()));
  uint32_t low = 0, high = static_cast<uint32_t>(file.spliced().size());
  while (low < high) {
    uint32_t middle = low + (high - low) / 2;
    if (file.original_offset(middle) < offset)
      low = middle + 1;
    else
      high = middle;
  }
  return base + low;
}

std::string without_source(const FrontendOptions& options, std::span<const Remark> remarks) {
  std::string out;
  for (const Remark& r : remarks) {
    out += fmt::format("{}:{}:{}: remark: {} [-Rpass={}]\n", options.file_name, r.loc.line, r.loc.column,
                       r.text, r.pass);
    for (const RemarkNote& n : r.notes)
      out += fmt::format("{}:{}:{}: note: {}\n", options.file_name, n.loc.line, n.loc.column, n.text);
  }
  return out;
}

}  // namespace

std::string render_remarks(std::string_view text, const FrontendOptions& options,
                           std::span<const Remark> remarks) {
  auto lines = static_cast<size_t>(std::ranges::count(text, '\n')) + 1;
  auto inside = [&](Loc loc) { return loc.line >= 1 && loc.line <= lines && loc.column >= 1; };
  bool all_inside = std::ranges::all_of(remarks, [&](const Remark& r) {
    return inside(r.loc) && std::ranges::all_of(r.notes, [&](const RemarkNote& n) { return inside(n.loc); });
  });
  if (text.empty() || !all_inside) return without_source(options, remarks);
  Sources sources;
  auto file = std::make_shared<SourceFile>(options.file_name, text);
  Position base = sources.add_file(file);
  Diagnostics diagnostics(sources);
  for (const Remark& r : remarks) {
    Diagnostic& d = diagnostics.remark(r.pass, position_of(*file, base, r.loc), r.text);
    for (const RemarkNote& n : r.notes) {
      Position at = position_of(*file, base, n.loc);
      d.note({at, at}, n.text);
    }
  }
  return options.diagnostics.json ? diagnostics.render_json() : diagnostics.render(options.diagnostics.color);
}

}  // namespace kc
