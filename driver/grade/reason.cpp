// SPDX-License-Identifier: Apache-2.0
#include "driver/grade/reason.h"

#include <algorithm>
#include <cctype>

namespace kc {
namespace {

bool is_of_word(char c) {
  return std::isalpha(static_cast<unsigned char>(c)) || c == '-' || c == '\'' || c == '.';
}
bool is_mark(char c) { return c == ',' || c == ':' || c == ';' || c == '.'; }

// A word of the language of messages; not a name, a number or an opcode.
bool says_why(std::string_view word) {
  constexpr std::string_view kNumbers[] = {"nan", "-nan", "inf", "-inf"};
  return word.size() > 1 && word.front() != '\'' && std::ranges::all_of(word, is_of_word) &&
         std::ranges::find(kNumbers, word) == std::end(kNumbers);
}

std::string without_parentheses(std::string_view text) {
  std::string rest;
  size_t depth = 0;
  for (const char c : text) {
    depth += c == '(';
    if (depth == 0) rest += c;
    depth -= c == ')' && depth > 0;
  }
  return rest;
}

}  // namespace

std::string reason_of(std::string_view difference) {
  // The instruction stands before it.
  constexpr std::string_view kLaw = " breaks a law of wave IR: ";
  if (const size_t law = difference.find(kLaw); law != std::string_view::npos) difference.remove_prefix(law);
  const std::string text = without_parentheses(difference);
  std::string reason;
  std::string_view last;
  for (size_t at = 0; at < text.size();) {
    const size_t end = std::min(text.find(' ', at), text.size());
    std::string_view word(text.data() + at, end - at);
    at = end + 1;
    while (!word.empty() && is_mark(word.back())) word.remove_suffix(1);
    const bool name = last == "variable";
    last = word;
    if (!name && says_why(word)) reason += (reason.empty() ? "" : " ") + std::string(word);
  }
  return reason;
}

}  // namespace kc
