// SPDX-License-Identifier: Apache-2.0
#include "backends/x64/registers.h"

namespace kc::x64 {

unsigned vector_bytes(uint32_t width, bool avx512) { return width == 1 ? 16 : avx512 ? 64 : 32; }

RegTarget reg_target(uint32_t width, bool avx512) {
  RegTarget t;
  t.dialect = Dialect::X64;
  t.copy = Op::x64_copy;
  t.spill = Op::x64_spill;
  t.reload = Op::x64_reload;
  t.jump = Op::x64_jmp;
  RegClass gpr{"gpr", Elem::Gpr, {Rax, Rcx, Rdx, Rsi, R8, R9, R10, R11, Rbx, R12, R13, R14, R15}, 8};
  RegClass vec{"vec", Elem::Vec, {}, vector_bytes(width, avx512)};
  for (uint32_t i = 0; i < (avx512 ? 32u : 16u); ++i) vec.order.push_back(i);
  t.classes = {gpr, vec};
  if (avx512) t.classes.push_back({"k", Elem::Kreg, {1, 2, 3, 4, 5, 6, 7}, 8});  // k0 cannot mask a write
  return t;
}

}  // namespace kc::x64
