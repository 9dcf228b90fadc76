// SPDX-License-Identifier: Apache-2.0
#include "ir/printf.h"

#include <fmt/format.h>

namespace kc {
namespace {

class Reader {
 public:
  Reader(std::string_view text, size_t at) : text_(text), at_(at) {}

  PrintfConversion read() {
    using Length = PrintfConversion::Length;
    c_.begin = at_++;
    while (at_ < text_.size() && std::string_view("-+ #0").find(text_[at_]) != std::string_view::npos)
      c_.flags += text_[at_++];
    if (is_digit()) c_.width = number("field width");
    if (take('.')) c_.precision = is_digit() ? number("precision") : 0;
    if (take('v')) {
      if (is_digit()) c_.vector = number("vector size");
      if (c_.vector != 2 && c_.vector != 3 && c_.vector != 4 && c_.vector != 8 && c_.vector != 16)
        fail("a vector has 2, 3, 4, 8 or 16 elements");
    }
    if (take('h')) {
      c_.length = take('h') ? Length::Char : take('l') ? Length::Half : Length::Short;
    } else if (take('l')) {
      take('l');
      c_.length = Length::Long;
    }
    if (at_ == text_.size()) {
      fail("incomplete format specifier");
    } else {
      char kind = text_[at_++];
      if (std::string_view("diouxXcfFeEgGaAsp%").find(kind) != std::string_view::npos)
        c_.kind = kind;
      else if (kind == '*')
        fail("a field width or precision from an argument is not part of OpenCL C");
      else if (std::string_view("jztL").find(kind) != std::string_view::npos)
        fail(fmt::format("the length modifier '{}' is not part of OpenCL C", kind));
      else if (kind == 'n')
        fail("'%n' is not part of OpenCL C");
      else
        fail(kind > ' ' && kind < 127 ? fmt::format("invalid conversion specifier '{}'", kind)
                                      : "invalid conversion specifier");
    }
    if (!c_.problem.empty()) c_.kind = 0;
    c_.end = at_;
    return c_;
  }

 private:
  bool is_digit() const { return at_ < text_.size() && text_[at_] >= '0' && text_[at_] <= '9'; }
  bool take(char c) {
    if (at_ == text_.size() || text_[at_] != c) return false;
    ++at_;
    return true;
  }
  uint32_t number(const char* what) {
    uint32_t n = 0;
    for (; is_digit(); ++at_)
      if (n <= kMaxPrintfWidth) n = n * 10 + static_cast<uint32_t>(text_[at_] - '0');
    if (n > kMaxPrintfWidth) fail(fmt::format("a {} is at most {}", what, kMaxPrintfWidth));
    return n;
  }
  void fail(std::string why) {
    if (c_.problem.empty()) c_.problem = std::move(why);
  }

  std::string_view text_;
  size_t at_;
  PrintfConversion c_;
};

}  // namespace

std::vector<PrintfConversion> printf_conversions(std::string_view format) {
  std::vector<PrintfConversion> all;
  for (size_t at = format.find('%'); at != std::string_view::npos; at = format.find('%', at)) {
    all.push_back(Reader(format, at).read());
    at = all.back().end;
  }
  return all;
}

}  // namespace kc
