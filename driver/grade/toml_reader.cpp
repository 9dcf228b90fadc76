// SPDX-License-Identifier: Apache-2.0
#include "driver/grade/toml_reader.h"

#include <fmt/format.h>

#include <algorithm>

#define TOML_HEADER_ONLY 1
#define TOML_EXCEPTIONS 0
#define TOML_ENABLE_FORMATTERS 0
#include <toml++/toml.h>

#include "driver/usage_errors.h"

namespace kc {
namespace {

// Files are written by hand; a larger one is something else.
constexpr size_t kMostTomlBytes = size_t{1} << 20;

struct TomlFile {
  std::string path;
  toml::table root;
  std::optional<DriverError> error{};
};

}  // namespace

struct TomlTable::Data {
  std::shared_ptr<TomlFile> file;
  const toml::table* table = nullptr;
  std::set<std::string, std::less<>> asked{};

  const toml::node* find(std::string_view key) {
    asked.emplace(key);
    return table->get(key);
  }
};

std::expected<TomlTable, DriverError> TomlTable::read(const std::string& path) {
  auto text = read_input(path);
  if (!text) return std::unexpected(text.error());
  if (text->size() > kMostTomlBytes)
    return usage_error(fmt::format("{}: more than {} bytes", path, kMostTomlBytes));
  toml::parse_result parsed = toml::parse(std::string_view(*text), std::string_view(path));
  if (!parsed) {
    const toml::source_position at = parsed.error().source().begin;
    return usage_error(fmt::format("{}:{}:{}: {}", path, at.line, at.column, parsed.error().description()));
  }
  auto file = std::make_shared<TomlFile>(TomlFile{.path = path, .root = std::move(parsed).table()});
  return TomlTable(std::make_shared<Data>(Data{.file = file, .table = &file->root}));
}

const std::optional<DriverError>& TomlTable::error() const { return data_->file->error; }

void TomlTable::complain(std::string_view key, const std::string& message) {
  if (data_->file->error) return;
  const toml::node* node = data_->table->get(key);
  const toml::source_position at = node ? node->source().begin : data_->table->source().begin;
  data_->file->error =
      DriverError{ExitUsage, fmt::format("{}:{}:{}: {}", data_->file->path, std::max<uint32_t>(at.line, 1),
                                         std::max<uint32_t>(at.column, 1), message)};
}

bool TomlTable::has(std::string_view key) const { return data_->table->get(key) != nullptr; }

std::string TomlTable::string(std::string_view key, std::optional<std::string> otherwise) {
  const toml::node* node = data_->find(key);
  if (!node && otherwise) return *otherwise;
  if (!node)
    complain(key, fmt::format("'{}' is missing", key));
  else if (auto value = node->value_exact<std::string>())
    return *value;
  else
    complain(key, fmt::format("'{}' must be a string", key));
  return {};
}

std::string TomlTable::choice(std::string_view key, const std::vector<std::string_view>& choices) {
  std::string value = string(key);
  if (!error() && std::ranges::find(choices, value) == choices.end())
    complain(key, unknown_name(key, value, choices));
  return value;
}

int64_t TomlTable::integer(std::string_view key, int64_t least, int64_t most,
                           std::optional<int64_t> otherwise) {
  const toml::node* node = data_->find(key);
  if (!node && otherwise) return *otherwise;
  const auto value = node ? node->value_exact<int64_t>() : std::nullopt;
  if (value && *value >= least && *value <= most) return *value;
  complain(key, node ? fmt::format("'{}' must be a whole number from {} to {}", key, least, most)
                     : fmt::format("'{}' is missing", key));
  return otherwise.value_or(least);
}

double TomlTable::number(std::string_view key, double least, double most, std::optional<double> otherwise) {
  const toml::node* node = data_->find(key);
  if (!node && otherwise) return *otherwise;
  const auto value = node && node->is_number() ? node->value<double>() : std::nullopt;
  if (value && *value >= least && *value <= most) return *value;
  complain(key, node ? fmt::format("'{}' must be a number from {:g} to {:g}", key, least, most)
                     : fmt::format("'{}' is missing", key));
  return otherwise.value_or(least);
}

bool TomlTable::boolean(std::string_view key, bool otherwise) {
  const toml::node* node = data_->find(key);
  if (!node) return otherwise;
  if (auto value = node->value_exact<bool>()) return *value;
  complain(key, fmt::format("'{}' must be true or false", key));
  return otherwise;
}

std::vector<std::string> TomlTable::strings(std::string_view key) {
  std::vector<std::string> all;
  const toml::node* node = data_->find(key);
  if (!node) return all;
  const toml::array* list = node->as_array();
  if (list)
    for (const toml::node& one : *list)
      if (auto value = one.value_exact<std::string>()) all.push_back(*value);
  if (!list || all.size() != list->size()) complain(key, fmt::format("'{}' must be a list of strings", key));
  return all;
}

std::map<std::string, std::pair<int64_t, int64_t>> TomlTable::ranges(std::string_view key) {
  std::map<std::string, std::pair<int64_t, int64_t>> all;
  const toml::node* node = data_->find(key);
  if (!node) return all;
  const toml::table* table = node->as_table();
  bool good = table != nullptr;
  if (table)
    for (const auto& [name, value] : *table) {
      const toml::array* pair = value.as_array();
      const auto least = pair && pair->size() == 2 ? (*pair)[0].value_exact<int64_t>() : std::nullopt;
      const auto most = pair && pair->size() == 2 ? (*pair)[1].value_exact<int64_t>() : std::nullopt;
      constexpr int64_t kFar = int64_t{1} << 40;
      if (least && most && -kFar <= *least && *least <= *most && *most <= kFar)
        all[std::string(name.str())] = {*least, *most};
      else
        good = false;
    }
  if (!good) complain(key, fmt::format("'{}' must be {{ NAME = [LEAST, MOST], ... }} of whole numbers", key));
  return all;
}

TomlTable TomlTable::table(std::string_view key) {
  static const toml::table none;
  const toml::node* node = data_->find(key);
  const toml::table* table = node ? node->as_table() : &none;
  if (!table) complain(key, fmt::format("'{}' must be a table, [{}]", key, key));
  return TomlTable(std::make_shared<Data>(Data{.file = data_->file, .table = table ? table : &none}));
}

std::vector<TomlTable> TomlTable::tables(std::string_view key) {
  std::vector<TomlTable> all;
  const toml::node* node = data_->find(key);
  if (!node) return all;
  const toml::array* list = node->as_array();
  if (list)
    for (const toml::node& one : *list)
      if (const toml::table* table = one.as_table())
        all.push_back(TomlTable(std::make_shared<Data>(Data{.file = data_->file, .table = table})));
  if (!list || all.size() != list->size())
    complain(key, fmt::format("'{}' must be tables, each after [[{}]]", key, key));
  return all;
}

void TomlTable::finish() {
  std::vector<std::string_view> known(data_->asked.begin(), data_->asked.end());
  for (const auto& [key, value] : *data_->table)
    if (!data_->asked.contains(key.str())) complain(key.str(), unknown_name("key", key.str(), known));
}

}  // namespace kc
