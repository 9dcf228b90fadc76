// SPDX-License-Identifier: Apache-2.0
#include "ir/json/scan.h"

#include <fmt/format.h>

#include <iterator>
#include <nlohmann/json.hpp>
#include <set>
#include <string>
#include <vector>

#include "ir/json/json.h"

namespace kc {
namespace {

using Json = nlohmann::json;

JsonPlace place_of_offset(std::string_view text, size_t offset) {
  JsonPlace p;
  for (size_t i = 0; i < offset && i < text.size(); ++i)
    if (text[i] == '\n')
      ++p.line, p.column = 1;
    else
      ++p.column;
  return p;
}

// Counts what the reader of JSON has taken.
class CountedChars {
 public:
  using iterator_category = std::input_iterator_tag;
  using value_type = char;
  using difference_type = std::ptrdiff_t;
  using pointer = const char*;
  using reference = const char&;
  CountedChars(const char* at, size_t* taken) : at_(at), taken_(taken) {}
  reference operator*() const { return *at_; }
  CountedChars& operator++() { return ++at_, ++*taken_, *this; }
  CountedChars operator++(int) {
    CountedChars old = *this;
    return ++*this, old;
  }
  bool operator==(const CountedChars& other) const { return at_ == other.at_; }
  bool operator!=(const CountedChars& other) const { return at_ != other.at_; }

 private:
  const char* at_;
  size_t* taken_;
};

// Stops at the first error and where the nesting is too deep.
class JsonSyntax : public nlohmann::json_sax<Json> {
 public:
  bool null() override { return true; }
  bool boolean(bool) override { return true; }
  bool number_integer(number_integer_t) override { return true; }
  bool number_unsigned(number_unsigned_t) override { return true; }
  bool number_float(number_float_t, const string_t&) override { return true; }
  bool string(string_t&) override { return true; }
  bool binary(binary_t&) override { return true; }
  bool start_object(size_t) override { return keys_.emplace_back(), deeper(); }
  bool key(string_t& k) override {
    if (keys_.back().insert(k).second) return true;
    message = fmt::format("the key '{}' stands here twice", k);
    return false;
  }
  bool end_object() override { return keys_.pop_back(), --depth_, true; }
  bool start_array(size_t) override { return deeper(); }
  bool end_array() override { return --depth_, true; }
  bool parse_error(size_t, const std::string&, const nlohmann::detail::exception& e) override {
    // "[...] parse error at line 1, column 2: what", where the place is this scan's to say
    const std::string what = e.what();
    size_t at = what.find(": ");
    if (at == std::string::npos)
      at = what.find("] ");  // without a place: "[...] number overflow parsing '1e999'"
    message = at == std::string::npos ? what : what.substr(at + 2);
    return false;
  }
  std::string message;

 private:
  bool deeper() {
    if (++depth_ <= kMaxJsonDepth) return true;
    message = fmt::format("arrays and objects are nested deeper than {}", kMaxJsonDepth);
    return false;
  }
  size_t depth_ = 0;
  std::vector<std::set<std::string>> keys_;  // of the objects that are open
};

// Stops at the value that a pointer names.
class JsonFinder : public nlohmann::json_sax<Json> {
 public:
  explicit JsonFinder(std::string_view pointer) {
    for (size_t at = 0; at < pointer.size();) {
      const size_t end = std::min(pointer.find('/', at + 1), pointer.size());
      std::string part;
      for (size_t i = at + 1; i < end; ++i) {
        if (pointer[i] == '~' && i + 1 < end) {
          part += pointer[++i] == '1' ? '/' : '~';
          continue;
        }
        part += pointer[i];
      }
      wanted_.push_back(std::move(part));
      at = end;
    }
  }
  bool null() override { return value(); }
  bool boolean(bool) override { return value(); }
  bool number_integer(number_integer_t) override { return value(); }
  bool number_unsigned(number_unsigned_t) override { return value(); }
  bool number_float(number_float_t, const string_t&) override { return value(); }
  bool string(string_t&) override { return value(); }
  bool binary(binary_t&) override { return value(); }
  bool start_object(size_t) override { return value() && open(false); }
  bool key(string_t& k) override { return open_.back().key = k, true; }
  bool end_object() override { return close(); }
  bool start_array(size_t) override { return value() && open(true); }
  bool end_array() override { return close(); }
  bool parse_error(size_t, const std::string&, const nlohmann::detail::exception&) override { return false; }
  bool found = false;

 private:
  struct Level {
    bool array = false;
    size_t next = 0;
    std::string key;
    bool on_path = false;  // this array or object is an ancestor of the value
  };
  bool value() {
    here_ = open_.empty();
    if (!open_.empty()) {
      Level& level = open_.back();
      const std::string name = level.array ? std::to_string(level.next++) : level.key;
      here_ = level.on_path && open_.size() <= wanted_.size() && wanted_[open_.size() - 1] == name;
    }
    found = here_ && open_.size() == wanted_.size();
    return !found;
  }
  bool open(bool array) { return open_.push_back({array, 0, {}, here_}), true; }
  bool close() { return open_.pop_back(), true; }

  std::vector<std::string> wanted_;
  std::vector<Level> open_;
  bool here_ = false;  // the value that begins is on the path
};

bool scan(std::string_view text, nlohmann::json_sax<Json>& sax, size_t& taken) {
  taken = 0;
  return Json::sax_parse(CountedChars(text.data(), &taken), CountedChars(text.data() + text.size(), &taken),
                         &sax);
}

}  // namespace

std::optional<TextError> check_json_syntax(std::string_view text) {
  if (text.size() > kMaxJson)
    return TextError{1, 1, fmt::format("the document is larger than {} MiB", kMaxJson >> 20)};
  JsonSyntax syntax;
  size_t taken = 0;
  if (scan(text, syntax, taken)) return std::nullopt;
  const JsonPlace at = place_of_offset(text, taken ? taken - 1 : 0);
  return TextError{at.line, at.column, syntax.message};
}

JsonPlace place_in_json(std::string_view text, std::string_view pointer) {
  JsonFinder finder(pointer);
  size_t taken = 0;
  scan(text, finder, taken);
  // A number is known to have ended only behind it.
  return finder.found && taken ? place_of_offset(text, taken - 1) : JsonPlace{};
}

}  // namespace kc
