// SPDX-License-Identifier: Apache-2.0
// A wave function decoded for the wave interpreter: the location of every value, and one record per
// instruction. Private to the interpreter.
#pragma once

#include <array>
#include <string>
#include <vector>

#include "sim/interpreter/wave_interpreter.h"

namespace kc::wave {

constexpr uint32_t kMaxWidth = 64;
constexpr uint64_t kAll = ~uint64_t{0};
using Lanes = uint64_t;  // one bit per lane

// The location of a value: `width` words for a lane value, one for a uniform value or a mask; and the word of
// the lanes in which it is unspecified (all or none of them for a uniform value).
struct Ref {
  uint32_t at = 0, poison = 0;
  bool lane = false;
};

struct Code {
  Op op = Op::ret;
  WaveCategory category = WaveCategory::Control;
  bool needs_non_empty = false;
  bool mask_known = false;  // the block's mask is defined here
  bool index64 = false, pointer64 = false;
  uint8_t bits = 0;         // of the result's element, or of the stored value
  Elem space = Elem::Void;  // of the pointer of a memory access
  std::array<Ref, 4> in{};
  Ref out;
  EvalFn eval = nullptr;
  int64_t scale = 0, offset = 0;  // of ptr_add; dim of a launch id
  uint32_t edge = 0;              // first edge of a terminator
  std::vector<Ref> cases;
  InstId inst;
};

struct CopyRef {
  Ref to, from;
};
struct Edge {
  BlockId block;
  uint32_t first_copy = 0, copies = 0;
  bool clash = false;  // a copy overwrites the source of another one
};
struct BlockCode {
  uint32_t pc = 0;
  Ref mask;
  bool has_mask = false;
};

inline uint64_t low_bits(uint64_t bits, unsigned width) {
  return width == 0 || width >= 64 ? bits : bits & ((uint64_t{1} << width) - 1);
}

struct Program {
  const Function* f = nullptr;
  std::string error;
  uint32_t width = 0;
  Lanes full = 0;
  std::vector<Ref> values;        // by value id
  std::vector<Ref> vars;          // by variable
  uint32_t words = 0, flags = 0;  // sizes of the register file and of its poison
  std::vector<BlockCode> blocks;  // by block id
  std::vector<Code> code;
  std::vector<Edge> edges;
  std::vector<CopyRef> copies;
  MemoryLayout private_memory, local_memory;
  std::vector<uint32_t> read;  // while decoding: the last edge, counted from 1, that reads a value

  explicit Program(const Function& function);
  Ref place(Type type) {
    Ref r{words, flags++, type.lane};
    words += type.lane ? width : 1;
    return r;
  }
  void decode(BlockId b);
  void decode(Code& c, const Inst& inst);
  bool supported(const Code& c, const Inst& inst) const;
};

}  // namespace kc::wave
