// SPDX-License-Identifier: Apache-2.0
#include "ir/text_reader.h"

#include <fmt/format.h>

#include <charconv>

#include "ir/check.h"

namespace kc {

void TextReader::fail_at(size_t where, std::string message) const {
  TextError e{1, 1, std::move(message)};
  for (size_t i = 0; i < where && i < text_.size(); ++i)
    if (text_[i] == '\n')
      ++e.line, e.column = 1;
    else
      ++e.column;
#ifdef __cpp_exceptions
  throw e;
#else
  internal_error(__FILE__, __LINE__, fmt::format("text of IR, {}:{}: {}", e.line, e.column, e.message));
#endif
}

void TextReader::skip() {
  while (at_ < text_.size()) {
    char c = text_[at_];
    if (c == ';')
      while (at_ < text_.size() && text_[at_] != '\n') ++at_;
    else if (c == ' ' || c == '\n' || c == '\t' || c == '\r')
      ++at_;
    else
      break;
  }
}

char TextReader::peek() {
  skip();
  return at_ < text_.size() ? text_[at_] : '\0';
}

bool TextReader::try_punct(std::string_view p) {
  skip();
  if (!text_.substr(at_).starts_with(p)) return false;
  at_ += p.size();
  return true;
}

void TextReader::punct(std::string_view p) {
  if (!try_punct(p)) fail(fmt::format("expected '{}'", p));
}

std::string_view TextReader::word() {
  skip();
  size_t start = at_;
  while (at_ < text_.size() && is_word(text_[at_])) ++at_;
  if (start == at_) fail("expected a name");
  return text_.substr(start, at_ - start);
}

bool TextReader::try_word(std::string_view w) {
  skip();
  if (!text_.substr(at_).starts_with(w)) return false;
  size_t end = at_ + w.size();
  if (end < text_.size() && is_word(text_[end])) return false;
  at_ = end;
  return true;
}

int64_t TextReader::integer() {
  skip();
  size_t start = at_;
  bool negative = try_punct("-");
  int base = 10;
  if (text_.substr(at_).starts_with("0x")) base = 16, at_ += 2;
  uint64_t v = 0;
  auto [end, ec] = std::from_chars(text_.data() + at_, text_.data() + text_.size(), v, base);
  if (ec != std::errc{}) fail_at(start, "expected an integer");
  at_ = static_cast<size_t>(end - text_.data());
  return static_cast<int64_t>(negative ? uint64_t{0} - v : v);
}

uint32_t TextReader::small(std::string_view what, uint32_t limit) {
  size_t start = at_;
  int64_t v = integer();
  if (v < 0 || v > limit) fail_at(start, fmt::format("{} must be from 0 to {}", what, limit));
  return static_cast<uint32_t>(v);
}

std::string TextReader::string() {
  punct("\"");
  std::string r;
  while (at_ < text_.size() && text_[at_] != '"') {
    char c = text_[at_++];
    if (c == '\n') fail("string is not closed");
    if (c == '\\' && at_ < text_.size()) {
      c = text_[at_++];
      if (c == 'x') {
        unsigned v = 0;
        if (at_ + 2 > text_.size() ||
            std::from_chars(text_.data() + at_, text_.data() + at_ + 2, v, 16).ptr != text_.data() + at_ + 2)
          fail("expected two hexadecimal digits");
        at_ += 2, c = static_cast<char>(v);
      }
    }
    r += c;
  }
  punct("\"");
  return r;
}

Type TextReader::type() {
  skip();
  size_t start = at_, depth = 0;
  while (at_ < text_.size() && (is_word(text_[at_]) || text_[at_] == '<' || (text_[at_] == '>' && depth))) {
    if (text_[at_] == '<') ++depth;
    if (text_[at_] == '>') --depth;
    ++at_;
  }
  auto t = parse_type(text_.substr(start, at_ - start));
  if (!t) fail_at(start, fmt::format("'{}' is not a type", text_.substr(start, at_ - start)));
  return *t;
}

}  // namespace kc
