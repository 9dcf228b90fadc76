// SPDX-License-Identifier: Apache-2.0
#include "ir/json/node.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <charconv>

#include "ir/json/bytes.h"
#include "ir/text_reader.h"

namespace kc {
namespace {

bool read_digits(std::string_view digits, uint64_t& v) {
  const int base = digits.starts_with("0x") ? 16 : 10;
  if (base == 16) digits.remove_prefix(2);
  const char* end = digits.data() + digits.size();
  auto [stop, ec] = std::from_chars(digits.data(), end, v, base);
  return !digits.empty() && ec == std::errc{} && stop == end;
}

}  // namespace

std::string JsonNode::pointer() const {
  std::vector<std::string> parts;
  for (const JsonNode* n = this; n->up; n = n->up) {
    if (n->up->json->is_array()) {
      parts.push_back(std::to_string(n->index));
      continue;
    }
    std::string& part = parts.emplace_back();
    for (char c : n->key)
      if (c == '~' || c == '/')
        part += c == '~' ? "~0" : "~1";
      else
        part += c;
  }
  std::string s;
  for (auto part = parts.rbegin(); part != parts.rend(); ++part) s += "/" + *part;
  return s;
}

bool JsonValues::fail(const JsonNode& at, std::string message) {
  if (ok()) message_ = std::move(message), pointer_ = at.pointer();
  return false;
}

bool JsonValues::object(const JsonNode& at, std::initializer_list<std::string_view> keys) {
  if (!ok()) return false;
  if (!at.json->is_object()) return fail(at, fmt::format("expected an object, got {}", at.json->type_name()));
  for (auto it = at.json->begin(); it != at.json->end(); ++it)
    if (std::ranges::find(keys, it.key()) == keys.end())
      return fail({.json = &*it, .up = &at, .key = it.key()},
                  fmt::format("there is no such key here (keys: {})", fmt::join(keys, ", ")));
  return true;
}

bool JsonValues::array(const JsonNode& at) {
  if (!ok()) return false;
  return at.json->is_array() || fail(at, fmt::format("expected an array, got {}", at.json->type_name()));
}

std::optional<JsonNode> JsonValues::member(const JsonNode& object, std::string_view key) const {
  auto it = object.json->find(std::string(key));
  if (it == object.json->end()) return std::nullopt;
  return JsonNode{.json = &*it, .up = &object, .key = key};
}

std::optional<JsonNode> JsonValues::needed(const JsonNode& object, std::string_view key) {
  auto found = member(object, key);
  if (!found) fail(object, fmt::format("'{}' is missing", key));
  return found;
}

bool JsonValues::integer(const JsonNode& at, int64_t& v) {
  if (!ok()) return false;
  const nlohmann::json& j = *at.json;
  if (j.is_number_unsigned() && j.get<uint64_t>() <= INT64_MAX)
    return v = static_cast<int64_t>(j.get<uint64_t>()), true;
  if (j.is_number_integer() && !j.is_number_unsigned()) return v = j.get<int64_t>(), true;
  if (j.is_string()) {
    std::string_view s = j.get_ref<const std::string&>();
    const bool negative = s.starts_with('-');
    uint64_t bits = 0;
    if (read_digits(s.substr(negative), bits) && bits <= uint64_t{INT64_MAX} + negative)
      return v = static_cast<int64_t>(negative ? uint64_t{0} - bits : bits), true;
  }
  return fail(at, "expected an integer from -2^63 to 2^63 - 1");
}

bool JsonValues::whole(const JsonNode& at, uint64_t& v) {
  if (!ok()) return false;
  const nlohmann::json& j = *at.json;
  if (j.is_number_unsigned()) return v = j.get<uint64_t>(), true;
  if (j.is_string() && read_digits(j.get_ref<const std::string&>(), v)) return true;
  return fail(at, "expected an integer from 0 to 2^64 - 1");
}

bool JsonValues::small(const JsonNode& at, uint32_t low, uint32_t high, uint32_t& v) {
  if (!ok()) return false;
  if (!at.json->is_number_unsigned() || at.json->get<uint64_t>() < low || at.json->get<uint64_t>() > high)
    return fail(at, fmt::format("expected an integer from {} to {}", low, high));
  v = at.json->get<uint32_t>();
  return true;
}

bool JsonValues::boolean(const JsonNode& at, bool& v) {
  if (!ok()) return false;
  if (!at.json->is_boolean()) return fail(at, "expected true or false");
  v = at.json->get<bool>();
  return true;
}

bool JsonValues::text(const JsonNode& at, std::string& v) {
  if (!ok()) return false;
  if (!at.json->is_string()) return fail(at, fmt::format("expected a string, got {}", at.json->type_name()));
  v = bytes_of_json(at.json->get_ref<const std::string&>());
  return true;
}

bool JsonValues::word(const JsonNode& at, std::string& v) {
  if (!text(at, v)) return false;
  if (v.empty() || !std::ranges::all_of(v, TextReader::is_word))
    return fail(at, "expected a name of letters, digits, '_' and '.'");
  return true;
}

}  // namespace kc
