// SPDX-License-Identifier: Apache-2.0
// Types of all dialects. Thread IR uses the scalar types; wave IR adds `lane<T>` (one T per lane)
// and `mask` (one bit per lane, defined in every lane); machine dialects use register classes.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace kc {

enum class Elem : uint8_t {
  Void,
  I1,
  I8,
  I16,
  I32,
  I64,
  F32,
  F64,
  PtrGlobal,
  PtrConstant,
  PtrLocal,
  PtrPrivate,  // 64-bit addresses; 32-bit offsets for local and private
  Mask,        // wave: a set of lanes
  Gpr,
  Vec,
  Kreg,  // x64 register classes
  Sgpr,
  Vgpr,  // gcn register classes, with a count of 32-bit units
  Count_
};

struct Type {
  Elem elem = Elem::Void;
  bool lane = false;  // one element per lane
  uint8_t regs = 1;   // tuple size of a gcn register class

  constexpr bool operator==(const Type&) const = default;
  constexpr bool is_void() const { return elem == Elem::Void; }
  constexpr bool is_int() const { return elem >= Elem::I8 && elem <= Elem::I64; }
  constexpr bool is_float() const { return elem == Elem::F32 || elem == Elem::F64; }
  constexpr bool is_pointer() const { return elem >= Elem::PtrGlobal && elem <= Elem::PtrPrivate; }
  constexpr bool is_mask() const { return elem == Elem::Mask; }
  constexpr bool is_register() const { return elem >= Elem::Gpr && elem <= Elem::Vgpr; }
  constexpr Type scalar() const { return {elem, false, regs}; }
  constexpr Type lanes() const { return {elem, true, regs}; }
  /// Width of one element in bits; 0 for void, masks and register classes.
  unsigned bits() const;
  /// Size of one element in memory, in bytes (i1 takes one byte).
  unsigned bytes() const { return (bits() + 7) / 8; }
};

inline constexpr Type kVoid{}, kI1{Elem::I1}, kI8{Elem::I8}, kI16{Elem::I16}, kI32{Elem::I32},
    kI64{Elem::I64}, kF32{Elem::F32}, kF64{Elem::F64}, kPtrGlobal{Elem::PtrGlobal},
    kPtrConstant{Elem::PtrConstant}, kPtrLocal{Elem::PtrLocal}, kPtrPrivate{Elem::PtrPrivate},
    kMask{Elem::Mask}, kGpr{Elem::Gpr}, kVec{Elem::Vec}, kKreg{Elem::Kreg};
constexpr Type sgpr(unsigned n = 1) { return {Elem::Sgpr, false, static_cast<uint8_t>(n)}; }
constexpr Type vgpr(unsigned n = 1) { return {Elem::Vgpr, false, static_cast<uint8_t>(n)}; }

std::string to_string(Type type);
/// Parses all of `text` as a type; nullopt if it is none.
std::optional<Type> parse_type(std::string_view text);

}  // namespace kc
