// SPDX-License-Identifier: Apache-2.0
// What is compiled for a CPU as bytes that later processes read.
#pragma once

#include <cstddef>
#include <optional>
#include <span>
#include <vector>

#include "host/cpu_code.h"

namespace kc {

std::vector<std::byte> to_bytes(const CpuTraits& traits);
/// Nothing if the bytes are of something else.
std::optional<CpuTraits> cpu_traits_of(std::span<const std::byte> bytes);

/// What launches need: the machine code, and of the wave function all but its instructions. Not the places of
/// the code in the source, which tell where faults were: libraries catch none.
std::vector<std::byte> to_bytes(const CpuCode& code);
std::optional<CpuCode> cpu_code_of(std::span<const std::byte> bytes);

}  // namespace kc
