// SPDX-License-Identifier: Apache-2.0
// Registers of x86-64 as the allocator sees them, and those that it never gets.
#pragma once

#include "backends/regalloc/regalloc.h"

namespace kc::x64 {

enum : uint8_t { Rax, Rcx, Rdx, Rbx, Rsp, Rbp, Rsi, Rdi, R8, R9, R10, R11, R12, R13, R14, R15 };
/// The launch record's address lives here from entry to exit: where the caller put it.
inline constexpr uint8_t kContext = Rdi;
inline constexpr uint32_t kGprClass = 0, kVecClass = 1, kMaskClass = 2;

inline bool callee_saved(uint32_t gpr) { return gpr == Rbx || gpr == Rbp || gpr >= R12; }
RegTarget reg_target(bool avx512);

}  // namespace kc::x64
