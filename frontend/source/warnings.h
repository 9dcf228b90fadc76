// SPDX-License-Identifier: Apache-2.0
// The warnings by name, and the set that the options enable.
#pragma once
#include <array>
#include <bitset>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace kc::front {

enum class Warning : uint8_t {
#define WARNING(id, name, level, family, about) id,
#include "frontend/source/warnings.def"
#undef WARNING
  Count_
};

enum class WarningLevel : uint8_t { On, All, Extra, DefaultOff };

struct WarningRow {
  std::string_view name;
  WarningLevel level;
  std::string_view family;
  std::string_view about;
};

/// The table, in enumerator order.
std::span<const WarningRow> warning_rows();
inline const WarningRow& row(Warning w) { return warning_rows()[static_cast<size_t>(w)]; }

/// The effect of the -W... and -w options. Later options override earlier ones.
class WarningOptions {
 public:
  WarningOptions();
  /// Applies one option without its "-W": `all`, `no-unused-label`, `error=shadow`. Returns false if the name
  /// is unknown.
  bool apply(std::string_view option);
  void silence() { silent_ = true; }  // -w

  bool shown(Warning w) const { return !silent_ && enabled_[static_cast<size_t>(w)]; }
  bool is_error(Warning w) const {
    size_t i = static_cast<size_t>(w);
    return as_error_[i] || (all_errors_ && !never_error_[i]);
  }

 private:
  using Set = std::bitset<static_cast<size_t>(Warning::Count_)>;
  static Set find(std::string_view name, bool turn_off);

  Set enabled_, as_error_, never_error_;
  bool all_errors_ = false;
  bool silent_ = false;
};

/// Every name that is valid after -W, including families and groups, sorted.
std::vector<std::string_view> warning_option_names();

}  // namespace kc::front
