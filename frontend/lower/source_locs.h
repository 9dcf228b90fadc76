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
    if (p < line.range.begin || p >= line.range.end) read_line(p, line);
    const uint32_t ahead = line.is_one_place ? 0 : p - line.range.begin;
    return {line.begin.line, line.begin.column + ahead, line.begin.file};
  }
  /// The files other than the one being compiled, as Function::files.
  const std::vector<std::string>& files() const { return files_; }

 private:
  // Positions that differ only in the column, or not at all, and the location of the first of them.
  struct Line {
    SourceRange range{};
    bool is_one_place = false;
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
