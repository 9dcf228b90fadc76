// SPDX-License-Identifier: Apache-2.0
#include "driver/response_files.h"

#include <fmt/format.h>

#include <cctype>

#include "host/source.h"

namespace kc {
namespace {

constexpr size_t kMaxDepth = 16, kMaxBytes = size_t{4} << 20;

class Expander {
 public:
  std::expected<void, std::string> add(const std::string& word, size_t depth) {
    const bool value = !out.empty() && out.back() == "--arg";
    if (word.size() < 2 || word[0] != '@' || value) {
      out.push_back(word);
      return {};
    }
    const std::string file = word.substr(1);
    if (depth == kMaxDepth) return wrong(file, fmt::format("more than {} files in one another", kMaxDepth));
    auto text = read_source(file);
    if (!text) return std::unexpected(fmt::format("response file: {}", text.error()));
    bytes_ += text->size();
    if (bytes_ > kMaxBytes) return wrong(file, fmt::format("more than {} MiB of arguments", kMaxBytes >> 20));
    return split(file, *text, depth + 1);
  }

  std::vector<std::string> out;

 private:
  static std::unexpected<std::string> wrong(const std::string& file, const std::string& what) {
    return std::unexpected(fmt::format("response file '{}': {}", file, what));
  }

  std::expected<void, std::string> split(const std::string& file, const std::string& text, size_t depth) {
    size_t line = 1, quote_line = 0;
    char quote = 0;
    bool inside = false;
    std::string word;
    for (size_t i = 0; i < text.size(); ++i) {
      const char c = text[i];
      if (c == '\n') ++line;
      if (c == '\\' && i + 1 < text.size() && quote != '\'') {
        word += text[++i];
        inside = true;
      } else if (quote) {
        if (c == quote)
          quote = 0;
        else
          word += c;
      } else if (c == '"' || c == '\'') {
        quote = c, quote_line = line, inside = true;
      } else if (!std::isspace(static_cast<unsigned char>(c))) {
        word += c, inside = true;
      } else if (inside) {
        if (auto ok = add(word, depth); !ok) return ok;
        word.clear(), inside = false;
      }
    }
    if (quote) return wrong(file, fmt::format("the quote {} in line {} is not closed", quote, quote_line));
    return inside ? add(word, depth) : std::expected<void, std::string>();
  }

  size_t bytes_ = 0;
};

}  // namespace

std::expected<std::vector<std::string>, std::string> expand_response_files(
    const std::vector<std::string>& arguments) {
  Expander expander;
  for (const std::string& a : arguments)
    if (auto ok = expander.add(a, 0); !ok) return std::unexpected(ok.error());
  return std::move(expander.out);
}

}  // namespace kc
