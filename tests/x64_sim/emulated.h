// SPDX-License-Identifier: Apache-2.0
// Launches of compiled kernels in the x86-64 emulator.
#pragma once

#include "sim/x64/emulator.h"
#include "tests/x64/support.h"

namespace kc::test {

/// False, with a warning, if the disassembler is not installed.
bool have_emulator();
/// Loads all of them in one run of the disassembler.
std::vector<X64Program> load(const std::vector<X64Code>& codes);
/// All waves of a launch, or those up to the first error; counters are summed.
X64Result run_grid(const X64Program& program, uint32_t width, const LaunchSpec& launch,
                   std::span<const uint64_t> args, std::span<const MemoryRange> memory);
/// On copies of the buffers; an error fails the test.
std::vector<Bytes> run_emulator(const X64Program& program, const X64Code& code, const Launch& launch);

}  // namespace kc::test
