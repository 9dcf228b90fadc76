// SPDX-License-Identifier: Apache-2.0
// x86-64 registers available to the allocator, and reserved ones.
#pragma once

#include "backends/regalloc/regalloc.h"

namespace kc::x64 {

enum : uint8_t { Rax, Rcx, Rdx, Rbx, Rsp, Rbp, Rsi, Rdi, R8, R9, R10, R11, R12, R13, R14, R15 };
/// Holds the address of the launch record from entry to exit, as passed by the caller.
inline constexpr uint8_t kContext = Rdi;
inline constexpr uint32_t kGprClass = 0, kVecClass = 1, kMaskClass = 2;

inline bool callee_saved(uint32_t gpr) { return gpr == Rbx || gpr == Rbp || gpr >= R12; }
/// Of the vectors that copies and spills move: in waves of one lane only the lowest element counts.
unsigned vector_bytes(uint32_t width, bool avx512);
RegTarget reg_target(uint32_t width, bool avx512);

}  // namespace kc::x64
