// SPDX-License-Identifier: Apache-2.0
// Instructions with their final operands: the form of a machine function just before bytes or text. Both are
// produced from this one list, so the text always matches the bytes.
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "backends/regalloc/regalloc.h"
#include "backends/x64/syntax.h"
#include "backends/x64/x64.h"
#include "ir/function.h"

namespace kc::x64 {

enum class File : uint8_t { None, Gpr, Vec, Mask };

struct AsmReg {
  File file = File::None;
  uint8_t bytes = 0;
  uint16_t index = 0;
};

struct AsmMem {
  AsmReg base, index;
  uint8_t scale = 1;
  uint8_t bytes = 0;     // size of the access, or of the element
  uint8_t elements = 0;  // of the vector that one element in memory stands for, or 0
  bool pool = false;     // relative to the constants after the code
  int32_t label = -1;    // or the position of a label
};

struct AsmOperand {
  enum Kind : uint8_t { None, Reg, Mem, Imm, Label } kind = None;
  AsmReg reg;
  AsmMem mem;
  int64_t value = 0;  // an immediate, the number of a label, or the displacement of an address
};

// A long kernel has a hundred thousand of them, all at once.
struct AsmInst {
  std::string_view mnemonic;  // empty: only a label
  std::array<AsmOperand, kMostOperands> operands{};
  uint8_t count = 0;
  int8_t mask = -1;  // write mask
  bool zeroing = false;
  bool lock = false;
  int32_t label = -1;    // bound before the instruction
  bool aligned = false;  // to kLoopAlignment: the start of a short loop
};
inline constexpr uint32_t kLoopAlignment = 32;

struct Assembly {
  std::string name;
  std::vector<AsmInst> insts;
  std::vector<CodePlace> places;  // counted in instructions
  std::vector<uint8_t> pool;      // constants, aligned to 64 bytes
  uint32_t labels = 0;
  uint32_t frame_bytes = 0;
};

struct ExpandOptions {
  bool avx512 = true;
  bool groups_meet = false;  // see CpuImage
};
/// Orders and completes an allocated machine function: prologue, spills, jumps, constants.
Assembly expand(const Function& machine, const Allocation& allocation, const ExpandOptions& options);

/// Intel syntax, one instruction per line, with constants after the code.
std::string print(const Assembly& assembly);
/// One instruction without indentation or newline.
std::string print(const AsmInst& inst);

struct Encoded {
  std::vector<uint8_t> bytes;
  uint32_t code_bytes = 0;  // the constants follow
  std::vector<CodePlace> places{};
  std::string error{};  // not empty: an instruction could not be encoded
};
/// Internal checks look that no instruction needs more of a processor than the target has.
Encoded encode(const Assembly& assembly, bool avx512);

}  // namespace kc::x64
