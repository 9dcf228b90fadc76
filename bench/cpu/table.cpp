// SPDX-License-Identifier: Apache-2.0
#include "cpu/table.h"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <fstream>
#include <map>
#include <set>
#include <sstream>

#include "cpu/data.h"
#include "ir/process.h"

namespace kc::bench {
namespace {

using Sizes = std::map<std::string, int64_t, std::less<>>;

// Sums and products of numbers and names of sizes.
class Formula {
 public:
  Formula(std::string_view text, const Sizes& sizes) : text_(text), sizes_(sizes) {}
  std::expected<int64_t, std::string> value() {
    const int64_t v = sum();
    if (error_.empty() && at_ != text_.size()) error_ = fmt::format("cannot read '{}'", text_);
    if (!error_.empty()) return std::unexpected(error_);
    return v;
  }

 private:
  bool take(char c) {
    if (at_ == text_.size() || text_[at_] != c) return false;
    ++at_;
    return true;
  }
  int64_t sum() {
    int64_t v = product();
    for (;;) {
      if (take('+'))
        v += product();
      else if (take('-'))
        v -= product();
      else
        return v;
    }
  }
  int64_t product() {
    int64_t v = factor();
    for (;;) {
      if (take('*')) {
        v *= factor();
      } else if (take('/')) {
        const int64_t by = factor();
        v = by ? v / by : 0;
      } else {
        return v;
      }
    }
  }
  int64_t factor() {
    if (take('(')) {
      const int64_t v = sum();
      if (!take(')')) error_ = fmt::format("a ')' is missing in '{}'", text_);
      return v;
    }
    std::string word;
    while (at_ < text_.size() && (std::isalnum(static_cast<unsigned char>(text_[at_])) || text_[at_] == '_'))
      word += text_[at_++];
    if (!word.empty() && std::isdigit(static_cast<unsigned char>(word[0]))) return std::stoll(word);
    if (auto found = sizes_.find(word); found != sizes_.end()) return found->second;
    error_ = fmt::format("no size is called '{}' in '{}'", word, text_);
    return 0;
  }

  std::string_view text_;
  const Sizes& sizes_;
  size_t at_ = 0;
  std::string error_;
};

// `text` with the values of the formulas in braces.
std::expected<std::string, std::string> fill_in(std::string_view text, const Sizes& sizes) {
  std::string filled;
  for (size_t at = 0; at < text.size();) {
    if (text[at] != '{') {
      filled += text[at++];
      continue;
    }
    const size_t end = text.find('}', at);
    if (end == std::string_view::npos) return std::unexpected("a '}' is missing");
    auto value = Formula(text.substr(at + 1, end - at - 1), sizes).value();
    if (!value) return std::unexpected(value.error());
    filled += std::to_string(*value);
    at = end + 1;
  }
  return filled;
}

// `NAME=TYPE[N]@GENERATOR(numbers)`: the data goes to a file, whose path takes the place of the generator.
std::expected<std::string, std::string> with_data(const std::string& argument, const std::string& folder) {
  const size_t at = argument.find('@');
  if (at == std::string::npos) return argument;
  const std::string call = argument.substr(at + 1);
  const std::string path = fmt::format("{}/{}.bin", folder, call);
  auto bytes = generate(call);
  if (!bytes) return std::unexpected(bytes.error());
  if (!write_file(path, *bytes)) return std::unexpected(fmt::format("cannot write {}", path));
  return argument.substr(0, at + 1) + path;
}

class Reader {
 public:
  Reader(std::string folder, std::string data, Size size)
      : folder_(std::move(folder)), data_(std::move(data)), size_(size) {}

  std::expected<void, std::string> line(const std::string& text) {
    std::istringstream in(text);
    std::string key, rest;
    if (!(in >> key) || key[0] == '#') return {};
    std::getline(in >> std::ws, rest);
    if (key == "kernel") {
      sizes_.clear();
      rows.push_back({.name = rest});
      rows.back().cl = fmt::format("{}/{}.cl", folder_, rest);
      rows.back().ispc = fmt::format("{}/{}.ispc", folder_, rest);
      return {};
    }
    if (rows.empty()) return std::unexpected("a kernel comes first");
    return field(rows.back(), key, rest);
  }

  std::vector<Row> rows;

 private:
  std::expected<void, std::string> field(Row& r, const std::string& key, const std::string& rest) {
    const std::map<std::string_view, std::string*> texts{{"about", &r.about},
                                                         {"no_opencl", &r.no_opencl},
                                                         {"no_ispc", &r.no_ispc},
                                                         {"no_serial", &r.no_serial},
                                                         {"no_expert", &r.no_expert}};
    if (auto text = texts.find(key); text != texts.end()) {
      *text->second = rest;
      return {};
    }
    if (key == "ulp") r.ulp = std::stoull(rest);
    if (key == "near") r.near = std::stod(rest);
    if (key == "ulp" || key == "near") return {};
    if (key == "file") {
      r.cl = fmt::format("{}/{}.cl", folder_, rest);
      return {};
    }
    std::istringstream words(rest);
    for (std::string word; words >> word;)
      if (auto done = one_word(r, key, word); !done) return done;
    return {};
  }

  std::expected<void, std::string> one_word(Row& r, const std::string& key, const std::string& word) {
    if (key == "size") return size(word);
    auto filled = fill_in(word, sizes_);
    if (!filled) return std::unexpected(filled.error());
    if (key == "launch") {
      r.launch.push_back(*filled);
    } else if (key == "stray") {
      r.stray = std::stoull(*filled);
    } else if (key == "out") {
      r.outputs.push_back(*filled);
    } else if (key == "args") {
      auto argument = with_data(*filled, data_);
      if (!argument) return std::unexpected(argument.error());
      r.arguments.push_back(*argument);
    } else {
      return std::unexpected(fmt::format("unknown key '{}'", key));
    }
    return {};
  }

  // NAME=FULL:SMALL
  std::expected<void, std::string> size(const std::string& word) {
    const size_t equals = word.find('='), colon = word.find(':');
    if (equals == std::string::npos || colon == std::string::npos)
      return std::unexpected(fmt::format("'{}' is not NAME=FULL:SMALL", word));
    const std::string text =
        size_ == Size::Full ? word.substr(equals + 1, colon - equals - 1) : word.substr(colon + 1);
    auto value = Formula(text, sizes_).value();
    if (!value) return std::unexpected(value.error());
    sizes_[word.substr(0, equals)] = *value;
    return {};
  }

  std::string folder_, data_;
  Size size_;
  Sizes sizes_;
};

}  // namespace

std::expected<std::vector<Row>, std::string> read_table(const std::string& folder, const std::string& data,
                                                        Size size) {
  const std::string path = folder + "/suite.txt";
  std::ifstream in(path);
  if (!in) return std::unexpected(fmt::format("cannot read {}", path));
  Reader reader(folder, data, size);
  int number = 0;
  for (std::string text; std::getline(in, text);) {
    ++number;
    if (auto done = reader.line(text); !done)
      return std::unexpected(fmt::format("{}:{}: {}", path, number, done.error()));
  }
  for (const Row& row : reader.rows)
    for (const std::string& out : row.outputs)
      if (std::ranges::none_of(row.arguments, [&](const std::string& a) { return a.starts_with(out + "="); }))
        return std::unexpected(fmt::format("{}: kernel '{}' has no argument '{}'", path, row.name, out));
  return std::move(reader.rows);
}

}  // namespace kc::bench
