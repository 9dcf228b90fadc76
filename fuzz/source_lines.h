// SPDX-License-Identifier: Apache-2.0
// Source text of generated programs, line by line.
#pragma once

#include <cstddef>
#include <string>
#include <utility>

namespace kc::fuzz {

class SourceLines {
 public:
  void line(const std::string& text) { text_ += std::string(2 * indent_, ' ') + text + "\n"; }
  /// A line that ends with an opening brace; what follows is indented.
  void open(const std::string& head = "") {
    line(head.empty() ? "{" : head + " {");
    ++indent_;
  }
  void close(const std::string& end = "}") {
    --indent_;
    line(end);
  }
  void reopen(const std::string& between) {
    close(between);
    ++indent_;
  }
  std::string take() { return std::move(text_); }

 private:
  std::string text_;
  size_t indent_ = 0;
};

}  // namespace kc::fuzz
