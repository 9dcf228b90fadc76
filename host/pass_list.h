// SPDX-License-Identifier: Apache-2.0
// The passes of all dialects in one list, in the order in which compilation reaches the dialects.
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "passes/pass_runner.h"

namespace kc {

/// Passes on functions of one dialect.
struct PassGroup {
  std::string_view dialect;  // "thread", "thread and wave", "wave", "x64", "gcn"
  std::vector<PassInfo> passes;
};
std::vector<PassGroup> pass_groups();

/// The names of passes on machine functions, each once.
std::span<const std::string_view> machine_pass_names();
/// The names of all passes, each once.
std::vector<std::string_view> all_pass_names();
/// "there is no pass 'x'", with the name that may have been meant.
std::string unknown_pass(std::string_view name);

}  // namespace kc
