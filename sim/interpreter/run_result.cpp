// SPDX-License-Identifier: Apache-2.0
#include "sim/interpreter/run_result.h"

#include <fmt/format.h>

#include <array>

#include "ir/text.h"

namespace kc {

std::string_view to_string(RunStatus status) {
  constexpr std::array<std::string_view, 5> names{"ok", "trapped", "out of bounds", "step limit", "error"};
  return names[static_cast<size_t>(status)];
}

bool MemoryMap::search(uint64_t address, uint64_t bytes) {
  for (size_t i = 0; i < ranges_.size(); ++i)
    if (inside(ranges_[i], address, bytes)) return last_ = i, true;
  return false;
}

std::string describe(const Function& f, InstId inst) {
  return fmt::format("@{}: {}", f.name, print(f, inst));
}

std::string check_launch(const Function& f, const LaunchSpec& launch, size_t arguments, size_t parameters) {
  if (arguments != parameters)
    return fmt::format("@{} takes {} arguments, got {}", f.name, parameters, arguments);
  if (launch.dims < 1 || launch.dims > 3)
    return fmt::format("a launch has 1 to 3 dimensions, not {}", launch.dims);
  for (size_t d = 0; d < 3; ++d) {
    if (launch.local[d] == 0 || launch.global[d] % launch.local[d] != 0)
      return fmt::format("dimension {}: the local size {} does not divide the global size {}", d,
                         launch.local[d], launch.global[d]);
    if (f.reqd_local[0] && launch.local[d] != f.reqd_local[d])
      return fmt::format("dimension {}: @{} requires the local size {}, not {}", d, f.name, f.reqd_local[d],
                         launch.local[d]);
  }
  return {};
}

}  // namespace kc
