// SPDX-License-Identifier: Apache-2.0
// Reads TOML files strictly: errors name the place, unknown keys are errors, numbers have limits. Positions
// are those of the library's parser.
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "driver/arguments.h"

namespace kc {

/// One table of a file, whose keys are asked for one after the other. The first error is kept, and every
/// later answer is a default; `finish` complains about keys that were never asked for.
class TomlTable {
 public:
  struct Data;  // the library's

  /// Reads a whole file. ExitUsage with "FILE:LINE:COLUMN: ..." if it is no TOML, ExitIo if it cannot be
  /// read.
  static std::expected<TomlTable, DriverError> read(const std::string& path);

  bool has(std::string_view key) const;
  std::string string(std::string_view key, std::optional<std::string> otherwise = {});
  /// One of the list.
  std::string choice(std::string_view key, const std::vector<std::string_view>& choices);
  int64_t integer(std::string_view key, int64_t least, int64_t most, std::optional<int64_t> otherwise = {});
  double number(std::string_view key, double least, double most, std::optional<double> otherwise = {});
  bool boolean(std::string_view key, bool otherwise);
  /// A list of strings; empty if the key is absent.
  std::vector<std::string> strings(std::string_view key);
  /// `key = { name = [LEAST, MOST], ... }`; empty if the key is absent.
  std::map<std::string, std::pair<int64_t, int64_t>> ranges(std::string_view key);
  /// `[key]`; a table without keys if it is absent.
  TomlTable table(std::string_view key);
  /// `[[key]]`; empty if it is absent.
  std::vector<TomlTable> tables(std::string_view key);

  /// Records an error at a key, or at the table itself if the key is absent.
  void complain(std::string_view key, const std::string& message);
  /// Complains about keys that nothing has asked for.
  void finish();
  /// The first error of the file, in this table or another one.
  const std::optional<DriverError>& error() const;

 private:
  explicit TomlTable(std::shared_ptr<Data> data) : data_(std::move(data)) {}
  std::shared_ptr<Data> data_;
};

}  // namespace kc
