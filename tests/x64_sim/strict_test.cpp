// SPDX-License-Identifier: Apache-2.0
// Code that works only by accident, or fails, is an error with its location. The code is given as bytes; the
// comments give the assembly.
#include <initializer_list>

#include "tests/x64_sim/emulated.h"

using namespace kc;
using namespace kc::test;

namespace {

std::string message(std::vector<uint8_t> code, uint64_t steps = 1000) {
  auto p = load_x64(code, code.size());
  if (!p) return "load: " + p.error();
  alignas(64) uint64_t context[16] = {1, 2, 3};
  MemoryRange range{reinterpret_cast<uint64_t>(context), sizeof context};
  X64RunOptions options;
  options.max_steps = steps;
  X64Result r = run_x64(*p, context, {&range, 1}, options);
  return r.message;
}
bool contains(const std::string& s, const char* part) { return s.find(part) != std::string::npos; }

}  // namespace

TEST_CASE("strictness of the x86-64 emulator") {
  if (!have_emulator()) return;
  CHECK(message({0xc3}) == "");
  // mov rax, [rdi]; ret
  CHECK(message({0x48, 0x8b, 0x07, 0xc3}) == "");
  // mov rax, [rdi - 8]; ret
  CHECK(contains(message({0x48, 0x8b, 0x47, 0xf8, 0xc3}), "0x0: mov rax, qword ptr [rdi - 0x8]: load of 8"));
  // mov rax, rcx; ret
  CHECK(contains(message({0x48, 0x89, 0xc8, 0xc3}), "read before it is written"));
  // vaddps ymm0, ymm0, ymm1; ret
  CHECK(contains(message({0xc5, 0xfc, 0x58, 0xc1, 0xc3}), "zmm0 is read before it is written"));
  // vpxor ymm0, ymm0, ymm0; ret: without vzeroupper, and with it
  CHECK(contains(message({0xc5, 0xfd, 0xef, 0xc0, 0xc3}), "vzeroupper"));
  CHECK(message({0xc5, 0xfd, 0xef, 0xc0, 0xc5, 0xf8, 0x77, 0xc3}) == "");
  // kandw k1, k2, k3; ret
  CHECK(contains(message({0xc5, 0xec, 0x41, 0xcb, 0xc3}), "is read before it is written"));
  // je +0; ret
  CHECK(contains(message({0x74, 0x00, 0xc3}), "a flag is read before it is written"));
  // jmp to itself
  CHECK(contains(message({0xeb, 0xfe}), "step limit"));
  // jmp into the middle of an instruction
  CHECK(contains(message({0xeb, 0xff, 0xc3}), "no instruction starts"));
  // xor ebx, ebx; ret
  CHECK(contains(message({0x31, 0xdb, 0xc3}), "is not preserved"));
  // push rbx; ret
  CHECK(contains(message({0x53, 0xc3}), "stack pointer"));
  // push rbx; xor ebx, ebx; pop rbx; ret
  CHECK(message({0x53, 0x31, 0xdb, 0x5b, 0xc3}) == "");
  // mov rax, [rsp - 8]; ret
  CHECK(contains(message({0x48, 0x8b, 0x44, 0x24, 0xf8, 0xc3}), "below the stack pointer"));
  // sub rsp, 16; mov rax, [rsp]
  CHECK(contains(message({0x48, 0x83, 0xec, 0x10, 0x48, 0x8b, 0x04, 0x24}), "stack at"));
  // vmovaps xmm0, [rdi + 8]; ret
  CHECK(contains(message({0xc5, 0xf8, 0x28, 0x47, 0x08, 0xc3}), "not a multiple of 16"));
  // xor edx, edx; mov eax, 1; xor ecx, ecx; div ecx
  CHECK(contains(message({0x31, 0xd2, 0xb8, 1, 0, 0, 0, 0x31, 0xc9, 0xf7, 0xf1}), "division by zero"));
  // cpuid
  CHECK(contains(message({0x0f, 0xa2, 0xc3}), "load: 0x0: cpuid: no such mnemonic"));
  // nop without a successor
  CHECK(contains(message({0x90}), "runs past the code"));
}
