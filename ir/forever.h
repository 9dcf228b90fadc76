// SPDX-License-Identifier: Apache-2.0
// Tables that are made once and never destroyed: a thread may still compile while the program ends.
#pragma once

#include <type_traits>

namespace kc {

/// What `make` returns, for as long as the process lives: `static const auto& table = forever([] { ... });`
template <typename Make>
const std::invoke_result_t<Make>& forever(Make make) {
  return *new std::invoke_result_t<Make>(make());
}

}  // namespace kc
