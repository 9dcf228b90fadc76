// SPDX-License-Identifier: Apache-2.0
#include "frontend/source.h"

#include <algorithm>

namespace kc::front {

SourceFile::SourceFile(std::string name, std::string_view text) : name_(std::move(name)), text_(text) {
  line_starts_.push_back(0);
  for (uint32_t i = 0; i < text_.size(); ++i)
    if (text_[i] == '\n') line_starts_.push_back(i + 1);
  spliced_.reserve(text_.size());
  uint32_t removed = 0;
  for (uint32_t i = 0; i < text_.size(); ++i) {
    if (text_[i] == '\\') {
      uint32_t n = 1;
      if (i + n < text_.size() && text_[i + n] == '\r') ++n;
      if (i + n < text_.size() && text_[i + n] == '\n') {
        removed += n + 1;
        splices_.push_back({static_cast<uint32_t>(spliced_.size()), removed});
        i += n;
        continue;
      }
    }
    spliced_ += text_[i];
  }
}

uint32_t SourceFile::original_offset(uint32_t spliced_offset) const {
  auto after = std::upper_bound(splices_.begin(), splices_.end(), spliced_offset,
                                [](uint32_t offset, const Splice& s) { return offset < s.at; });
  return after == splices_.begin() ? spliced_offset : spliced_offset + std::prev(after)->removed;
}

LineColumn SourceFile::line_column(uint32_t offset) const {
  offset = std::min<uint32_t>(offset, static_cast<uint32_t>(text_.size()));
  auto after = std::upper_bound(line_starts_.begin(), line_starts_.end(), offset);
  uint32_t line = static_cast<uint32_t>(after - line_starts_.begin());
  return {line, offset - line_starts_[line - 1] + 1};
}

std::string_view SourceFile::line_text(uint32_t line) const {
  uint32_t begin = line_starts_[line - 1];
  size_t end = line < line_starts_.size() ? line_starts_[line] - 1 : text_.size();
  if (end > begin && text_[end - 1] == '\r') --end;
  return std::string_view(text_).substr(begin, end - begin);
}

}  // namespace kc::front
