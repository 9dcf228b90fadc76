// SPDX-License-Identifier: Apache-2.0
// Emits instructions of the function body in terms of IR types. Internal to this folder.
#pragma once

#include "backends/spirv/module.h"
#include "backends/spirv/spirv.h"

namespace kc::spirv {

/// The GLSL.std.450 instructions in use.
enum class Glsl : Word {
  Trunc = 3,
  FAbs = 4,
  Floor = 8,
  Ceil = 9,
  RoundEven = 2,
  Sqrt = 31,
  Fma = 50,
  FindUMsb = 75,
  NMin = 79,
  NMax = 80
};

/// Ids of specialisation constants: the three local sizes come first.
inline constexpr uint32_t kFirstLocalConstant = 3;

class Code {
 public:
  ModuleWriter m;

  /// Pointers are integers: 64-bit addresses, or 32-bit offsets for local and private ones.
  Word type(Elem e);
  Word constant(Elem e, uint64_t bits);
  Word zero(Elem e) { return constant(e, 0); }

  /// An instruction with a result.
  Word make(spv::Op op, Elem result, std::initializer_list<Word> operands);
  /// Float arithmetic with its own rounding: no contraction.
  Word exact(spv::Op op, Elem result, std::initializer_list<Word> operands);
  Word glsl(Glsl instruction, Elem result, std::initializer_list<Word> operands);
  Word select(Elem e, Word condition, Word yes, Word no) {
    return make(spv::Op::OpSelect, e, {condition, yes, no});
  }

  /// Work-items communicate through memory: their accesses must be ordered by barriers.
  void synchronise();
  /// Something is ordered among all work-items of the device.
  void use_device_scope();
  /// Whether the following accesses are volatile.
  void set_volatile(bool on) { volatile_ = on; }
  /// Access through a pointer to a variable.
  Word load_from(Elem e, Word pointer);
  void store_to(Word pointer, Word value);
  /// Returns the old value of the element. `operands` follow the pointer in the instruction's order.
  Word atomic(spv::Op op, Elem e, Word pointer, bool is_local, std::span<const Word> operands);
  Word scope(spv::Scope scope) { return constant(Elem::I32, static_cast<Word>(scope)); }
  Word pointer_at(Elem e, Word address, unsigned offset);

  /// Access through a 64-bit address; an `align` of 0 means the element's size.
  Word load(Elem e, Word address, unsigned align = 0);
  void store(Elem e, Word address, Word value, unsigned align = 0);

  /// Private memory of the work-item: an array of 32-bit words, accessed at byte offsets that are multiples
  /// of 4.
  void declare_private(uint64_t bytes);
  Word load_private(Word offset);
  /// An opaque 32-bit zero: with it, the driver cannot propagate constants through private memory.
  void hide_private(Word zero) { hidden_zero_ = zero; }
  void store_private(Word offset, Word value);

 private:
  Word private_word(Word offset);
  Words access(unsigned align) const;
  Word load_through(Elem e, Word pointer, unsigned align);
  void store_through(Word pointer, Word value, unsigned align);
  Word load_pieces(Elem e, Word address, unsigned align);
  void store_pieces(Elem e, Word address, Word value, unsigned align);

  Word private_ = 0, hidden_zero_ = 0;
  bool synchronises_ = false, volatile_ = false;
};

inline unsigned width(Elem e) { return Type{e}.bits(); }
constexpr bool is_float(Elem e) { return e == Elem::F32 || e == Elem::F64; }
/// The integer type of the same width.
Elem integer_of(Elem e);
Elem integer_of_bytes(unsigned bytes);

/// Lowers one side-effect-free opcode with a result; a, b, c are operands already emitted.
struct Operands {
  Elem type = Elem::Void;  // of the first operand
  std::vector<Word> ids;
  bool second_is_safe = false;  // a constant divisor other than 0 and -1, or a shift count below the width
};
Word lower_arithmetic(Code& code, Op op, Elem result, const Operands& operands, const SpirvOptions& options);

/// Fused multiply-add for devices without one.
Word emulate_fma32(Code& code, Word a, Word b, Word c);
Word emulate_fma64(Code& code, Word a, Word b, Word c);

}  // namespace kc::spirv
