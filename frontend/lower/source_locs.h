// SPDX-License-Identifier: Apache-2.0
// Translates source positions to the Locs of the IR.
#pragma once

#include <array>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "frontend/source/source.h"
#include "ir/function.h"

namespace kc::front {

/// Numbers the files that locations refer to; all functions of a module share the numbers.
class SourceLocs {
 public:
  explicit SourceLocs(const Sources& sources) : sources_(sources) {}
  /// In the file that contains the text, or the file that #line names.
  Loc of(Position p) {
    Line& line = lines_[p / kStretch % lines_.size()];
    const SourceRange known = line.stretch.range;
    if (p < known.begin || p >= known.end) read_line(p, line);
    return {line.begin.line, line.begin.column + line.stretch.columns_before(p), line.begin.file};
  }
  /// The files other than the one being compiled, as Function::files.
  const std::vector<std::string>& files() const { return files_; }

 private:
  // The location of the first position of a stretch.
  struct Line {
    Sources::Stretch stretch;
    Loc begin;
  };
  void read_line(Position p, Line& line);
  uint32_t number(std::string_view file);

  const Sources& sources_;
  std::vector<std::string> files_;
  std::unordered_map<std::string, uint32_t> numbers_;
  // A cache of the last line for each stretch of positions; inlined calls alternate between lines.
  static constexpr Position kStretch = 32;
  std::array<Line, 128> lines_{};
  std::string_view last_file_;  // the file that was numbered last
  uint32_t last_number_ = 0;
};

}  // namespace kc::front
