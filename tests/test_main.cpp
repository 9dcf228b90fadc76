// SPDX-License-Identifier: Apache-2.0
#define CATCH_CONFIG_MAIN
#include <catch2/catch.hpp>

#include <cstdlib>

// A test program that is started by hand checks the compiler's work, too.
[[maybe_unused]] static const int checks = ::setenv("KERNELC_CHECKS", "1", 0);
