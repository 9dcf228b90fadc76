// SPDX-License-Identifier: Apache-2.0
// Remarks in the form of diagnostics. The IR knows only lines, columns and file names, so the files are read
// again.
#include <algorithm>

#include "frontend/frontend.h"
#include "frontend/source/diagnostics.h"

namespace kc {

namespace {

using namespace front;

// File positions count bytes without line splices.
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

// The files that remarks refer to.
class Texts {
 public:
  Texts(std::string_view text, const FrontendOptions& options, std::span<const std::string> files)
      : files_(1 + files.size()) {
    files_[0].name = options.file_name;
    if (!text.empty()) add(files_[0], text);
    for (size_t i = 0; i < files.size(); ++i) {
      files_[i + 1].name = files[i];
      if (text.empty() || !options.read_file) continue;
      if (auto included = options.read_file(files[i])) add(files_[i + 1], *included);
    }
  }

  const Sources& sources() const { return sources_; }
  Position find(Loc loc) {
    if (loc.file >= files_.size()) return stand_in("<unknown file>", loc);
    const Text& text = files_[loc.file];
    bool known = text.file && loc.line >= 1 && loc.line <= text.lines && loc.column >= 1;
    return known ? position_of(*text.file, text.base, loc) : stand_in(text.name, loc);
  }

 private:
  struct Text {
    std::string name;
    std::shared_ptr<SourceFile> file;
    Position base = 0;
    uint64_t lines = 0;
  };
  static constexpr uint32_t kMaxColumn = 1000;  // of a location whose text is unknown

  void add(Text& text, std::string_view content) {
    auto file = std::make_shared<SourceFile>(text.name, content);
    const Position base = sources_.add_file(file);
    if (base == NoPosition) return;
    text.file = std::move(file), text.base = base;
    text.lines = text.file->line_count();
  }

  // A blank line with the number of a line whose text is unknown or has changed.
  Position stand_in(const std::string& name, Loc loc) {
    const uint32_t in_front = std::clamp(loc.column, 1u, kMaxColumn) - 1;
    auto file = std::make_shared<SourceFile>(name, "\n" + std::string(in_front, ' '));
    const Position base = sources_.add_file(file);
    if (base == NoPosition) return NoPosition;
    sources_.renumber(base, loc.line, "");
    return base + 1 + in_front;
  }

  Sources sources_;
  std::vector<Text> files_;
};

}  // namespace

std::string render_remarks(std::string_view text, const FrontendOptions& options,
                           std::span<const std::string> files, std::span<const Remark> remarks) {
  Texts texts(text, options, files);
  Diagnostics diagnostics(texts.sources());
  for (const Remark& r : remarks) {
    Diagnostic& d = diagnostics.remark(r.pass, texts.find(r.loc), r.text);
    for (const RemarkNote& n : r.notes) {
      const Position at = texts.find(n.loc);
      d.note({at, at}, n.text);
    }
  }
  return options.diagnostics.json ? diagnostics.render_json() : diagnostics.render(options.diagnostics.color);
}

}  // namespace kc
