// SPDX-License-Identifier: Apache-2.0
#include "ir/check.h"

#include <cstdio>
#include <cstdlib>

namespace kc {

void internal_error(const char* file, int line, std::string_view message) {
  fmt::print(stderr,
             "kernelc: internal error: {} ({}:{})\nThis is a bug of kernelc; keep the input and run with "
             "--print-after=all to see the last good stage.\n",
             message, file, line);
  std::fflush(stderr);
  std::_Exit(70);
}

}  // namespace kc
