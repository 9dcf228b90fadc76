// SPDX-License-Identifier: Apache-2.0
// Positions of the source as places that the IR knows.
#pragma once

#include <array>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "frontend/source/source.h"
#include "ir/function.h"

namespace kc::front {

/// Numbers the files that places are asked of, as all functions of a module do.
class SourceLocs {
 public:
  explicit SourceLocs(const Sources& sources) : sources_(sources) {}
  /// In the file that the text was written in, or that #line says.
  Loc of(Position p) {
    Line& line = lines_[p / kStretch % lines_.size()];
    if (p < line.range.begin || p >= line.range.end) read_line(p, line);
    return {line.begin.line, line.begin.column + (p - line.range.begin), line.begin.file};
  }
  /// Those other than the one that is compiled, as Function::files.
  const std::vector<std::string>& files() const { return files_; }

 private:
  // Positions that differ in the column alone, and the place of the first of them.
  struct Line {
    SourceRange range{};
    Loc begin;
  };
  void read_line(Position p, Line& line);
  uint32_t number(std::string_view file);

  const Sources& sources_;
  std::vector<std::string> files_;
  std::unordered_map<std::string, uint32_t> numbers_;
  // The last line for each of some stretches of positions: calls that are inlined go to and fro between
  // lines.
  static constexpr Position kStretch = 32;
  std::array<Line, 128> lines_{};
  std::string_view last_file_;  // that was numbered
  uint32_t last_number_ = 0;
};

}  // namespace kc::front
