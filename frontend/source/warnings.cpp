// SPDX-License-Identifier: Apache-2.0
#include "frontend/source/warnings.h"

#include <algorithm>

namespace kc::front {

std::span<const WarningRow> warning_rows() {
  static constexpr WarningRow Rows[] = {
#define WARNING(id, name, level, family, about) {name, WarningLevel::level, family, about},
#include "frontend/source/warnings.def"
#undef WARNING
  };
  return Rows;
}

WarningOptions::WarningOptions() {
  for (size_t i = 0; i < enabled_.size(); ++i) enabled_[i] = warning_rows()[i].level == WarningLevel::On;
}

// The warnings that a name selects: one warning, a family, or a level. Enabling a level includes all lower
// ones; -Wno-extra disables only what -Wextra adds.
WarningOptions::Set WarningOptions::find(std::string_view name, bool turn_off) {
  Set found;
  for (size_t i = 0; i < found.size(); ++i) {
    const WarningRow& r = warning_rows()[i];
    bool by_level = (name == "all" && r.level <= WarningLevel::All) ||
                    (name == "extra" && r.level == WarningLevel::Extra) ||
                    (name == "extra" && !turn_off && r.level == WarningLevel::All) || name == "everything";
    found[i] = r.name == name || (!name.empty() && r.family == name) || by_level;
  }
  return found;
}

bool WarningOptions::apply(std::string_view option) {
  if (option == "error" || option == "no-error") {
    all_errors_ = option == "error";
    if (!all_errors_) as_error_.reset();
    return true;
  }
  bool error = option.starts_with("error="), no_error = option.starts_with("no-error=");
  bool off = !no_error && option.starts_with("no-");
  option.remove_prefix(error ? 6 : no_error ? 9 : off ? 3 : 0);
  std::vector<std::string_view> names = warning_option_names();
  if (option == "error" || !std::binary_search(names.begin(), names.end(), option)) return false;
  Set chosen = find(option, off || no_error);
  if (no_error) {
    as_error_ &= ~chosen;
    never_error_ |= chosen;
  } else if (off) {
    enabled_ &= ~chosen;
  } else {
    enabled_ |= chosen;
  }
  if (error) {
    as_error_ |= chosen;
    never_error_ &= ~chosen;
  }
  return true;
}

std::vector<std::string_view> warning_option_names() {
  std::vector<std::string_view> names{"all", "extra", "everything", "error"};
  for (const WarningRow& r : warning_rows()) {
    names.push_back(r.name);
    if (!r.family.empty()) names.push_back(r.family);
  }
  std::sort(names.begin(), names.end());
  names.erase(std::unique(names.begin(), names.end()), names.end());
  return names;
}

}  // namespace kc::front
