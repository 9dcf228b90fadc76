// SPDX-License-Identifier: Apache-2.0
// The syntax column of backends/x64/isa/ops.def, parsed once into a form that is fast to walk.
#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

#include "ir/op.h"

namespace kc::x64 {

enum class Place : uint8_t { Result, Operand, Context, UnusedMask, None };

struct SyntaxReg {
  Place place = Place::None;
  uint8_t number = 0;
  char size = 0;
};

struct SyntaxOperand {
  enum Kind : uint8_t { Reg, Mem, Imm, AttrImm, LocalLabel, Target, Pool32, Pool64, Iota } kind = Reg;
  SyntaxReg reg;          // or the base
  SyntaxReg index, mask;  // mask: write mask given after this operand
  char access = 0;
  bool zeroing = false;
  int64_t number = 0;
};

/// Of an instruction of the table.
inline constexpr size_t kMostOperands = 4;
struct SyntaxInst {
  std::string_view mnemonic;
  bool conditional = false;  // the mnemonic ends in '?'
  bool lock = false;
  int8_t label = -1;                    // of this table entry, bound before the instruction
  std::vector<SyntaxOperand> operands;  // no more than kMostOperands
};

struct Syntax {
  std::vector<SyntaxInst> insts;
  uint32_t labels = 0;
  // Attribute indices, -1 if the opcode has none.
  int8_t size = -1, imm = -1, cc = -1, scale = -1, disp = -1;
};

const Syntax& syntax_of(Op op);

}  // namespace kc::x64
