// SPDX-License-Identifier: Apache-2.0
// Source text: positions are byte offsets into the original text, so that line splicing and
// macro expansion never change where a diagnostic points.
#pragma once
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace kc::front {

struct SourceRange {
  uint32_t begin = 0;
  uint32_t end = 0;
  friend bool operator==(const SourceRange&, const SourceRange&) = default;
};

// A range for things that are in no file, such as the value of a -D option.
constexpr SourceRange NoRange{UINT32_MAX, UINT32_MAX};

struct LineColumn {
  uint32_t line = 0;
  uint32_t column = 0;
};

class SourceFile {
 public:
  SourceFile(std::string name, std::string_view text);

  const std::string& name() const { return name_; }
  std::string_view text() const { return text_; }
  // The text with every backslash-newline removed; what the lexer reads. Ends in a NUL.
  const std::string& spliced() const { return spliced_; }
  uint32_t original_offset(uint32_t spliced_offset) const;
  LineColumn line_column(uint32_t offset) const;  // both count from 1; columns count bytes
  std::string_view line_text(uint32_t line) const;
  uint32_t line_start(uint32_t line) const { return line_starts_[line - 1]; }

 private:
  struct Splice {
    uint32_t at;       // offset in the spliced text
    uint32_t removed;  // bytes removed up to here
  };
  std::string name_;
  std::string text_;
  std::string spliced_;
  std::vector<Splice> splices_;
  std::vector<uint32_t> line_starts_;
};

}  // namespace kc::front
