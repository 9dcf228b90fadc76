// SPDX-License-Identifier: Apache-2.0
// What the programs for libFuzzer share.
#pragma once
#include <cstdint>

#include "ir/text.h"
#include "ir/verify.h"

/// Stops with the message unless the condition holds; the fuzzer keeps the input.
void require(bool condition, std::string_view message);
/// The printed text reads back and prints the same again.
void require_round_trip(const std::string& printed);
