// SPDX-License-Identifier: Apache-2.0
// A value of a JSON document and its place, and what is read from such values with errors that name the
// place. After the first error the reader is spent: every call answers false.
#pragma once

#include <cstdint>
#include <initializer_list>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <string_view>

namespace kc {

/// Lives no longer than the node above it.
struct JsonNode {
  const nlohmann::json* json = nullptr;
  const JsonNode* up = nullptr;
  std::string_view key{};  // in an object; of an array's element `index` counts
  size_t index = 0;
  std::string pointer() const;
};

class JsonValues {
 public:
  bool ok() const { return message_.empty(); }
  const std::string& message() const { return message_; }
  const std::string& pointer() const { return pointer_; }
  /// Notes the first error. Returns false.
  bool fail(const JsonNode& at, std::string message);

  /// An object that has no other keys than these.
  bool object(const JsonNode& at, std::initializer_list<std::string_view> keys);
  bool array(const JsonNode& at);
  size_t size(const JsonNode& array) const { return array.json->size(); }
  JsonNode element(const JsonNode& array, size_t i) const {
    return {.json = &(*array.json)[i], .up = &array, .key = {}, .index = i};
  }
  /// A member of an object, if it has it.
  std::optional<JsonNode> member(const JsonNode& object, std::string_view key) const;
  /// The same, whose absence is an error.
  std::optional<JsonNode> needed(const JsonNode& object, std::string_view key);

  /// An integer as a number or as a string of decimal or, after 0x, hexadecimal digits.
  bool integer(const JsonNode& at, int64_t& v);
  /// The same; from 0 to 2^64 - 1.
  bool whole(const JsonNode& at, uint64_t& v);
  bool small(const JsonNode& at, uint32_t low, uint32_t high, uint32_t& v);
  bool boolean(const JsonNode& at, bool& v);
  /// Any bytes (ir/json/bytes.h).
  bool text(const JsonNode& at, std::string& v);
  /// A name: letters, digits, `_` and `.`, at least one.
  bool word(const JsonNode& at, std::string& v);

 private:
  std::string message_, pointer_;
};

}  // namespace kc
