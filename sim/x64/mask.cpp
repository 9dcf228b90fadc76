// SPDX-License-Identifier: Apache-2.0
// Mask registers of the x86-64 emulator. The param of a table row is the number of bits.
#include "sim/x64/machine.h"

namespace kc::x64sim {
namespace {

bool same_sources(const Inst& in) { return in.operands[1].reg == in.operands[2].reg; }
uint64_t mask_of(Machine& m, const Operand& o) { return m.k(o.reg.index); }

template <uint64_t (*F)(uint64_t, uint64_t)>
void exec_binary(Machine& m, const Inst& in) {
  bool idiom = (in.row->flags & Idiom) && same_sources(in);
  uint64_t a = idiom ? 0 : mask_of(m, in.operands[1]), b = idiom ? 0 : mask_of(m, in.operands[2]);
  m.write_k(in.operands[0].reg.index, low_bits(F(a, b), in.row->param));
}
uint64_t k_and(uint64_t a, uint64_t b) { return a & b; }
uint64_t k_andn(uint64_t a, uint64_t b) { return ~a & b; }
uint64_t k_or(uint64_t a, uint64_t b) { return a | b; }
uint64_t k_xor(uint64_t a, uint64_t b) { return a ^ b; }
uint64_t k_xnor(uint64_t a, uint64_t b) { return ~(a ^ b); }
uint64_t k_add(uint64_t a, uint64_t b) { return a + b; }

void exec_not(Machine& m, const Inst& in) {
  m.write_k(in.operands[0].reg.index, low_bits(~mask_of(m, in.operands[1]), in.row->param));
}
void exec_shift_left(Machine& m, const Inst& in) {
  uint64_t a = mask_of(m, in.operands[1]);
  m.write_k(in.operands[0].reg.index, in.imm() < in.row->param ? low_bits(a << in.imm(), in.row->param) : 0);
}
void exec_shift_right(Machine& m, const Inst& in) {
  uint64_t a = low_bits(mask_of(m, in.operands[1]), in.row->param);
  m.write_k(in.operands[0].reg.index, in.imm() < in.row->param ? a >> in.imm() : 0);
}
// The first source is placed above the second; param is the size of a part.
void exec_unpack(Machine& m, const Inst& in) {
  unsigned n = in.row->param;
  uint64_t high = low_bits(mask_of(m, in.operands[1]), n), low = low_bits(mask_of(m, in.operands[2]), n);
  m.write_k(in.operands[0].reg.index, high << n | low);
}
void exec_kortest(Machine& m, const Inst& in) {
  uint64_t v = low_bits(mask_of(m, in.operands[0]) | mask_of(m, in.operands[1]), in.row->param);
  uint8_t f = v == 0 ? Zero : 0;
  if (v == low_bits(~uint64_t{0}, in.row->param)) f |= Carry;
  m.set_flags(AllFlags, f);
}
void exec_ktest(Machine& m, const Inst& in) {
  uint64_t a = mask_of(m, in.operands[0]), b = mask_of(m, in.operands[1]);
  uint8_t f = low_bits(a & b, in.row->param) == 0 ? Zero : 0;
  if (low_bits(~a & b, in.row->param) == 0) f |= Carry;
  m.set_flags(AllFlags, f);
}
void exec_kmov(Machine& m, const Inst& in) {
  const Operand &d = in.operands[0], &s = in.operands[1];
  unsigned bits = in.row->param;
  uint64_t v;
  if (s.is_mem())
    v = m.load(m.address(s), bits / 8);
  else
    v = low_bits(s.reg.file == File::Mask ? mask_of(m, s) : m.read(s.reg), bits);
  if (m.failed()) return;
  if (d.is_mem())
    m.store(m.address(d), bits / 8, &v);
  else if (d.reg.file == File::Mask)
    m.write_k(d.reg.index, v);
  else
    m.write(d.reg, v);
}

#define K(name, form, exec, flags, bits) \
  Row { name, form, X64Class::Mask, exec, 0, 0, nullptr, flags, bits }
#define WIDTHS(name, form, exec, flags)                                                                      \
  K(name "b", form, exec, flags, 8), K(name "w", form, exec, flags, 16), K(name "d", form, exec, flags, 32), \
      K(name "q", form, exec, flags, 64)

constexpr Row kMaskRows[] = {
    WIDTHS("kand", "k k k", exec_binary<k_and>, 0),
    WIDTHS("kandn", "k k k", exec_binary<k_andn>, 0),
    WIDTHS("kor", "k k k", exec_binary<k_or>, 0),
    WIDTHS("kxor", "k k k", exec_binary<k_xor>, Idiom),
    WIDTHS("kxnor", "k k k", exec_binary<k_xnor>, Idiom),
    WIDTHS("kadd", "k k k", exec_binary<k_add>, 0),
    WIDTHS("knot", "k k", exec_not, 0),
    WIDTHS("kshiftl", "k k i", exec_shift_left, 0),
    WIDTHS("kshiftr", "k k i", exec_shift_right, 0),
    WIDTHS("kortest", "k k", exec_kortest, 0),
    WIDTHS("ktest", "k k", exec_ktest, 0),
    WIDTHS("kmov", "krm krm", exec_kmov, 0),
    K("kunpckbw", "k k k", exec_unpack, 0, 8),
    K("kunpckwd", "k k k", exec_unpack, 0, 16),
    K("kunpckdq", "k k k", exec_unpack, 0, 32),
};
#undef WIDTHS
#undef K

}  // namespace

std::span<const Row> mask_rows() { return kMaskRows; }

}  // namespace kc::x64sim
