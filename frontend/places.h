// SPDX-License-Identifier: Apache-2.0
// Positions of the source as places that the IR knows.
#pragma once

#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "frontend/source.h"
#include "ir/function.h"

namespace kc::front {

/// Numbers the files that places are asked of, as all functions of a module do.
class Places {
 public:
  explicit Places(const Sources& sources) : sources_(sources) {}
  /// In the file that the text was written in, or that #line says.
  Loc of(Position p);
  /// Those other than the one that is compiled, as Function::files.
  const std::vector<std::string>& files() const { return files_; }

 private:
  uint32_t number(std::string_view file);

  const Sources& sources_;
  std::vector<std::string> files_;
  std::unordered_map<std::string, uint32_t> numbers_;
  // The line in which the last answer lies, which mostly has the next one, too; and what was numbered last.
  SourceRange line_{};
  Loc line_begin_;
  std::string_view last_file_;
  uint32_t last_number_ = 0;
};

}  // namespace kc::front
