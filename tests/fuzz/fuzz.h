// SPDX-License-Identifier: Apache-2.0
// Common parts of the libFuzzer programs.
#pragma once
#include <cstdint>

#include "ir/text.h"
#include "ir/verify.h"

/// Stops with the message unless the condition is true; the fuzzer saves the input.
void require(bool condition, std::string_view message);
/// The printed text parses and prints identically.
void require_round_trip(const std::string& printed);
