// SPDX-License-Identifier: Apache-2.0
#include "ir/check.h"

#include <stdexcept>

namespace kc {

// Whoever runs the compiler says it in its own way: the command ends with status 70, the library gives an
// error.
void internal_error(const char* file, int line, std::string_view message) {
  throw std::logic_error(fmt::format("{} ({}:{})", message, file, line));
}

}  // namespace kc
