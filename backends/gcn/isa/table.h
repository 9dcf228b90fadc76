// SPDX-License-Identifier: Apache-2.0
// The private columns of backends/gcn/isa/ops.def (form, uses, defs, extra), and the relation of a row to
// assembly text:
//   mnemonic  results...  operands except the tied one...  attributes
// vcc, exec, m0 and scc are hidden state. vcc is also an ordinary pair of scalar registers (106, 107): if an
// s2 result or operand is allocated to it, the short encodings apply.
#pragma once

#include <cstdint>

namespace kc::gcn {

/// Operands of `eval` and `status`: the explicit ones in order, then scc (s_addc, s_cselect), the lane's bit
/// of vcc (v_div_fmas), or the lane number (v_mbcnt), if the row reads them.

/// Hidden state read (`uses`) or written (`defs`) in addition to explicit operands.
enum State : uint16_t { Exec = 1, Scc = 2, Vcc = 4, M0 = 8, Mode = 16 };

/// Encoding family (`form`).
enum Form : uint16_t {
  Pseudo,  // no instruction of its own
  Sop1,
  Sop2,
  Sopc,
  Sopk,
  Sopp,
  Smem,
  Vop1,
  Vop2,
  Vop3,        // has only the long encoding: no 32-bit literal
  Vopc,        // result: one bit per lane
  Global,      // operands: 64-bit address in v2; text has `off`
  GlobalBase,  // operands: 32-bit unsigned offset in v, and base in s2 as the last operand
  Buffer,      // operands: byte offset in v; text has `offen`
  BufferOff,   // no lane offset: text has `off`
  Ds,
};
constexpr bool is_salu(uint16_t form) { return form >= Sop1 && form <= Sopp; }
constexpr bool is_valu(uint16_t form) { return form >= Vop1 && form <= Vopc; }
constexpr bool is_vmem(uint16_t form) { return form >= Global && form <= BufferOff; }

/// Traits for the emulator and the code generator (`extra`).
enum Trait : uint64_t {
  SccNonZero = 1,      // scc = (result 0 is not zero)
  MaskIn = 2,          // the last operand holds one bit per lane
  FloatMath = 4,       // source modifiers, output modifiers and the denormal mode apply
  AlwaysFlush = 8,     // flushes denormals whatever the mode
  FloatFirst = 16,     // FloatMath applies to operand 0 only, the others are integers
  QuarterRate = 32,    // four times the issue time of a simple operation
  Float64Rate = 64,    // sixteen times the issue time
  Atomic = 128,        // memory is replaced by eval(old value, data...)
  WholeWave = 256,     // ignores exec
  High16 = 512,        // a 16-bit load or store that uses the upper half of its register
  Keeps16 = 1024,      // writes half of a register; the other half is preserved (the tied operand)
  TwoOffsets = 2048,   // ds: two addresses, offsets in units of the element
  Stride64 = 4096,     // ds: these offsets count 64 elements
  LaneSelect = 8192,   // operand 1 is a lane number, read from a scalar register or an immediate
  WritesExec = 16384,  // result 0 is also written to exec
  SaveExec = 32768,    // exec = eval(operand 0, exec); result 0 is the old exec
  LaneId = 65536,      // the lane number is a last operand of eval
  InOut = 131072,      // every operand is tied to the result with the same index; text names them once
};

/// Named scalar registers, as encoded in operands.
enum SpecialReg : uint32_t {
  kFlatScratch = 102,
  kXnackMask = 104,
  kVcc = 106,
  kM0 = 124,
  kExec = 126,
};
inline constexpr uint32_t kSgprCount = 102;  // s0 to s101 are allocatable on gfx9
inline constexpr uint32_t kVgprCount = 256;
inline constexpr uint32_t kMostLanes = 64;  // of a wave of any machine

/// Of a compute unit, where all waves of a group must find place at once: each SIMD has kVgprCount registers.
inline constexpr uint32_t kSimds = 4;
/// What a work-group and a work-item may have; more makes no code object that can run.
inline constexpr uint32_t kMaxGroupItems = 1024, kMaxLocalBytes = 65536, kMaxScratchBytes = 131056;

}  // namespace kc::gcn
