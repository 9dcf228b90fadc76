// SPDX-License-Identifier: Apache-2.0
// General registers, flags and control of the x86-64 emulator.
#include <bit>

#include "sim/x64/machine.h"

namespace kc::x64sim {
namespace {

unsigned size_of(const Operand& o) { return o.is_mem() ? o.bytes : o.reg.bytes; }

uint8_t result_flags(uint64_t v, unsigned bits) {
  uint8_t f = 0;
  if (v == 0) f |= Zero;
  if (v >> (bits - 1) & 1) f |= Sign;
  if (std::popcount(v & 0xff) % 2 == 0) f |= Parity;
  return f;
}

void exec_add(Machine& m, const Inst& in) {
  const Operand& d = in.operands[0];
  unsigned n = size_of(d), bits = n * 8;
  uint64_t a = m.value(d, n), b = m.value(in.operands[1], n), r = low_bits(a + b, bits);
  uint8_t f = result_flags(r, bits);
  if (r < a) f |= Carry;
  if (((a ^ r) & (b ^ r)) >> (bits - 1) & 1) f |= Overflow;
  m.set_value(d, r);
  m.set_flags(AllFlags, f);
}

// param: keep the result (sub) or not (cmp).
void exec_sub(Machine& m, const Inst& in) {
  const Operand& d = in.operands[0];
  unsigned n = size_of(d), bits = n * 8;
  bool same = in.row->param && d.kind == Operand::Register && in.operands[1].reg == d.reg &&
              in.operands[1].kind == Operand::Register;
  uint64_t a = same ? 0 : m.value(d, n), b = same ? 0 : m.value(in.operands[1], n);
  uint64_t r = low_bits(a - b, bits);
  uint8_t f = result_flags(r, bits);
  if (a < b) f |= Carry;
  if (((a ^ b) & (a ^ r)) >> (bits - 1) & 1) f |= Overflow;
  if (in.row->param) m.set_value(d, r);
  m.set_flags(AllFlags, f);
}

// param: 0 and, 1 or, 2 xor, 3 test.
void exec_logic(Machine& m, const Inst& in) {
  const Operand &d = in.operands[0], &s = in.operands[1];
  unsigned n = size_of(d);
  bool zeroing =
      in.row->param == 2 && d.kind == Operand::Register && s.kind == Operand::Register && s.reg == d.reg;
  uint64_t a = zeroing ? 0 : m.value(d, n), b = zeroing ? 0 : m.value(s, n);
  uint64_t r = in.row->param == 1 ? a | b : in.row->param == 2 ? a ^ b : a & b;
  if (in.row->param != 3) m.set_value(d, r);
  m.set_flags(AllFlags, result_flags(r, n * 8));
}

// param: 0 neg, 1 not, 2 inc, 3 dec.
void exec_unary(Machine& m, const Inst& in) {
  const Operand& d = in.operands[0];
  unsigned n = size_of(d), bits = n * 8;
  uint64_t a = m.value(d, n), sign = uint64_t{1} << (bits - 1);
  unsigned p = in.row->param;
  uint64_t r = low_bits(p == 0 ? 0 - a : p == 1 ? ~a : p == 2 ? a + 1 : a - 1, bits);
  m.set_value(d, r);
  if (p == 1) return;
  uint8_t f = result_flags(r, bits);
  if (p == 3 ? a == sign : r == sign) f |= Overflow;
  if (p == 0 && a != 0) f |= Carry;
  m.set_flags(p == 0 ? AllFlags : AllFlags & ~Carry, f);
}

void exec_imul(Machine& m, const Inst& in) {
  const Operand& d = in.operands[0];
  unsigned n = d.reg.bytes, bits = n * 8;
  bool three = in.count == 3;
  int64_t a = sign_extend(m.value(three ? in.operands[1] : d, n), bits),
          b = sign_extend(m.value(in.operands[three ? 2 : 1], n), bits);
  __int128 wide = static_cast<__int128>(a) * b;
  uint64_t r = low_bits(static_cast<uint64_t>(wide), bits);
  bool cut = wide != sign_extend(r, bits);
  m.set_value(d, r);
  m.undefine_flags(AllFlags);
  m.set_flags(Carry | Overflow, cut ? Carry | Overflow : 0);
}

// The product with rax goes to rdx and rax.
void exec_mul(Machine& m, const Inst& in) {
  const Operand& s = in.operands[0];
  const unsigned n = size_of(s), bits = n * 8;
  if (n < 4) return m.fail("multiplication of this size is not known");
  const Reg rax{File::Gpr, Rax, static_cast<uint8_t>(n)}, rdx{File::Gpr, Rdx, static_cast<uint8_t>(n)};
  const unsigned __int128 product = static_cast<unsigned __int128>(m.read(rax)) * m.value(s, n);
  if (m.failed()) return;
  const auto high = static_cast<uint64_t>(product >> bits);
  m.write(rax, low_bits(static_cast<uint64_t>(product), bits));
  m.write(rdx, high);
  m.undefine_flags(AllFlags);
  m.set_flags(Carry | Overflow, high != 0 ? Carry | Overflow : 0);
}

// param: signed. The dividend is in rdx and rax.
void exec_div(Machine& m, const Inst& in) {
  const Operand& s = in.operands[0];
  unsigned n = size_of(s), bits = n * 8;
  if (n < 4) return m.fail("division of this size is not known");
  Reg rax{File::Gpr, Rax, static_cast<uint8_t>(n)}, rdx{File::Gpr, Rdx, static_cast<uint8_t>(n)};
  unsigned __int128 dividend = static_cast<unsigned __int128>(m.read(rdx)) << bits | m.read(rax);
  uint64_t divisor = m.value(s, n);
  if (m.failed()) return;
  if (divisor == 0) return m.fail("division by zero");
  uint64_t q, r;
  bool fits;
  if (in.row->param) {
    __int128 a = static_cast<__int128>(dividend << (128 - 2 * bits)) >> (128 - 2 * bits);
    int64_t b = sign_extend(divisor, bits);
    if (b == -1) return m.fail("signed division by -1 is not expected");
    __int128 quotient = a / b;
    q = low_bits(static_cast<uint64_t>(quotient), bits);
    r = low_bits(static_cast<uint64_t>(a % b), bits);
    fits = quotient == sign_extend(q, bits);
  } else {
    unsigned __int128 quotient = dividend / divisor;
    q = static_cast<uint64_t>(quotient), r = static_cast<uint64_t>(dividend % divisor);
    fits = quotient == low_bits(q, bits);
  }
  if (!fits) return m.fail("the quotient does not fit");
  m.write(rax, q);
  m.write(rdx, r);
  m.undefine_flags(AllFlags);
}

// Atomic operations need no special treatment: one thread runs.
void exec_xadd(Machine& m, const Inst& in) {
  const Operand &d = in.operands[0], &s = in.operands[1];
  unsigned n = s.reg.bytes;
  uint64_t old = m.value(d, n);
  exec_add(m, in);
  m.write(s.reg, old);
}

void exec_xchg(Machine& m, const Inst& in) {
  const Operand &d = in.operands[0], &s = in.operands[1];
  unsigned n = s.reg.bytes;
  uint64_t old = m.value(d, n);
  m.set_value(d, m.value(s, n));
  m.write(s.reg, old);
}

// Compares the accumulator with the destination. If they are equal the destination gets the source, otherwise
// the accumulator gets the destination.
void exec_cmpxchg(Machine& m, const Inst& in) {
  const Operand &d = in.operands[0], &s = in.operands[1];
  unsigned n = s.reg.bytes, bits = n * 8;
  Reg rax{File::Gpr, Rax, static_cast<uint8_t>(n)};
  uint64_t old = m.value(d, n), a = m.read(rax), b = m.value(s, n), r = low_bits(a - old, bits);
  uint8_t f = result_flags(r, bits);
  if (a < old) f |= Carry;
  if (((a ^ old) & (a ^ r)) >> (bits - 1) & 1) f |= Overflow;
  m.set_value(d, a == old ? b : old);
  if (a != old) m.write(rax, old);
  m.set_flags(AllFlags, f);
}

enum ShiftKind : uint8_t { Left, Right, Arithmetic, RotateRight };
uint64_t shifted(uint64_t a, unsigned n, unsigned bits, uint8_t kind) {
  if (kind == Left) return low_bits(a << n, bits);
  if (kind == Right) return a >> n;
  if (kind == RotateRight) return n == 0 ? a : low_bits(a >> n | a << (bits - n), bits);
  return low_bits(static_cast<uint64_t>(sign_extend(a, bits) >> n), bits);
}

void exec_shift(Machine& m, const Inst& in) {
  const Operand& d = in.operands[0];
  unsigned n = size_of(d), bits = n * 8;
  uint64_t count = in.count == 1 ? 1 : m.value(in.operands[1], 1);
  count &= bits == 64 ? 63 : 31;
  uint64_t a = m.value(d, n);
  if (count >= bits) return m.fail("a shift by more than the operand has");
  if (count == 0) return;
  uint64_t r = shifted(a, static_cast<unsigned>(count), bits, in.row->param);
  m.set_value(d, r);
  bool out = in.row->param == Left ? a >> (bits - count) & 1 : a >> (count - 1) & 1;
  m.set_flags(Zero | Sign | Parity | Carry, static_cast<uint8_t>(result_flags(r, bits) | (out ? Carry : 0)));
  m.undefine_flags(Overflow);
}

// shlx, shrx, sarx and rorx do not change the flags.
void exec_shift3(Machine& m, const Inst& in) {
  unsigned n = in.operands[0].reg.bytes, bits = n * 8;
  const Operand& by = in.operands[2];
  uint64_t a = m.value(in.operands[1], n),
           count = m.value(by, in.row->param == RotateRight ? 1 : n) & (bits - 1);
  m.set_value(in.operands[0], shifted(a, static_cast<unsigned>(count), bits, in.row->param));
}

void exec_andn(Machine& m, const Inst& in) {
  unsigned n = in.operands[0].reg.bytes;
  uint64_t r = low_bits(~m.value(in.operands[1], n) & m.value(in.operands[2], n), n * 8);
  m.set_value(in.operands[0], r);
  m.undefine_flags(Parity);
  m.set_flags(Zero | Sign | Carry | Overflow, result_flags(r, n * 8));
}

// param: 0 tzcnt, 1 lzcnt, 2 popcnt.
void exec_count(Machine& m, const Inst& in) {
  unsigned n = in.operands[0].reg.bytes, bits = n * 8;
  uint64_t a = m.value(in.operands[1], n), r;
  if (in.row->param == 2)
    r = static_cast<uint64_t>(std::popcount(a));
  else if (a == 0)
    r = bits;
  else if (in.row->param == 0)
    r = static_cast<uint64_t>(std::countr_zero(a));
  else
    r = static_cast<uint64_t>(std::countl_zero(a)) - (64 - bits);
  m.set_value(in.operands[0], r);
  m.undefine_flags(AllFlags);
  m.set_flags(Zero | Carry, static_cast<uint8_t>((r == 0 ? Zero : 0) | (a == 0 ? Carry : 0)));
}

void exec_bt(Machine& m, const Inst& in) {
  unsigned n = in.operands[0].reg.bytes;
  uint64_t a = m.value(in.operands[0], n), bit = m.value(in.operands[1], n) & (n * 8 - 1);
  m.undefine_flags(AllFlags & ~Zero);
  m.set_flags(Carry, a >> bit & 1 ? Carry : 0);
}

void exec_mov(Machine& m, const Inst& in) {
  const Operand& d = in.operands[0];
  m.set_value(d, m.value(in.operands[1], size_of(d)));
}
void exec_movzx(Machine& m, const Inst& in) {
  m.set_value(in.operands[0], m.value(in.operands[1], size_of(in.operands[1])));
}
void exec_movsx(Machine& m, const Inst& in) {
  unsigned n = size_of(in.operands[1]);
  m.set_value(in.operands[0], static_cast<uint64_t>(sign_extend(m.value(in.operands[1], n), n * 8)));
}
void exec_lea(Machine& m, const Inst& in) { m.set_value(in.operands[0], m.address(in.operands[1])); }
void exec_push(Machine& m, const Inst& in) { m.push(in.operands[0].reg); }
void exec_pop(Machine& m, const Inst& in) { m.pop(in.operands[0].reg); }
void exec_ret(Machine& m, const Inst&) { m.leave(); }
void exec_jmp(Machine& m, const Inst& in) {
  const Operand& to = in.operands[0];
  if (to.kind == Operand::Immediate)
    m.jump(to.imm);
  else
    m.jump_to(m.value(to, 8));
}
void exec_nop(Machine&, const Inst&) {}
void exec_vzeroupper(Machine& m, const Inst&) { m.forget_upper(); }
// cqo and cdq: param is the size.
void exec_widen_rax(Machine& m, const Inst& in) {
  uint8_t n = in.row->param;
  bool negative = m.read({File::Gpr, Rax, n}) >> (n * 8 - 1) & 1;
  m.write({File::Gpr, Rdx, n}, negative ? ~uint64_t{0} : 0);
}

void exec_jcc(Machine& m, const Inst& in) {
  if (m.condition(in.row->param)) m.jump(in.operands[0].imm);
}
void exec_setcc(Machine& m, const Inst& in) { m.set_value(in.operands[0], m.condition(in.row->param)); }
// A 4-byte move clears the upper half even if the condition is false.
void exec_cmov(Machine& m, const Inst& in) {
  const Operand& d = in.operands[0];
  uint64_t yes = m.value(in.operands[1], d.reg.bytes), no = m.value(d, d.reg.bytes);
  m.set_value(d, m.condition(in.row->param) ? yes : no);
}

#define G(name, form, exec, p) \
  Row { name, form, X64Class::General, exec, 0, 0, nullptr, 0, p }
#define CC(s, cc)                                                                                      \
  Row{"j" s, "i", X64Class::Branch, exec_jcc, 0, 0, nullptr, 0, cc}, G("set" s, "rm", exec_setcc, cc), \
      G("cmov" s, "r rm", exec_cmov, cc)

constexpr Row kGeneralRows[] = {
    G("add", "rm rmi", exec_add, 0),
    G("sub", "rm rmi", exec_sub, 1),
    G("cmp", "rm rmi", exec_sub, 0),
    G("and", "rm rmi", exec_logic, 0),
    G("or", "rm rmi", exec_logic, 1),
    G("xor", "rm rmi", exec_logic, 2),
    G("test", "rm ri", exec_logic, 3),
    G("neg", "rm", exec_unary, 0),
    G("not", "rm", exec_unary, 1),
    G("inc", "rm", exec_unary, 2),
    G("dec", "rm", exec_unary, 3),
    G("imul", "r rm i?", exec_imul, 0),
    G("mul", "rm", exec_mul, 0),
    G("div", "rm", exec_div, 0),
    G("idiv", "rm", exec_div, 1),
    G("shl", "rm ri?", exec_shift, Left),
    G("shr", "rm ri?", exec_shift, Right),
    G("sar", "rm ri?", exec_shift, Arithmetic),
    G("shlx", "r rm r", exec_shift3, Left),
    G("shrx", "r rm r", exec_shift3, Right),
    G("sarx", "r rm r", exec_shift3, Arithmetic),
    G("rorx", "r rm i", exec_shift3, RotateRight),
    G("andn", "r r rm", exec_andn, 0),
    G("tzcnt", "r rm", exec_count, 0),
    G("lzcnt", "r rm", exec_count, 1),
    G("popcnt", "r rm", exec_count, 2),
    G("bt", "r ri", exec_bt, 0),
    G("xadd", "rm r", exec_xadd, 0),
    G("xchg", "rm r", exec_xchg, 0),
    G("cmpxchg", "rm r", exec_cmpxchg, 0),
    G("mfence", "", exec_nop, 0),
    G("mov", "rm rmi", exec_mov, 0),
    G("movabs", "r i", exec_mov, 0),
    G("movzx", "r rm", exec_movzx, 0),
    G("movsx", "r rm", exec_movsx, 0),
    G("movsxd", "r rm", exec_movsx, 0),
    G("lea", "r m", exec_lea, 0),
    G("push", "r", exec_push, 0),
    G("pop", "r", exec_pop, 0),
    G("cqo", "", exec_widen_rax, 8),
    G("cdq", "", exec_widen_rax, 4),
    G("nop", "rm?", exec_nop, 0),
    G("vzeroupper", "", exec_vzeroupper, 0),
    Row{"ret", "", X64Class::Branch, exec_ret},
    Row{"jmp", "irm", X64Class::Branch, exec_jmp},
    CC("o", 0),
    CC("no", 1),
    CC("b", 2),
    CC("ae", 3),
    CC("e", 4),
    CC("ne", 5),
    CC("be", 6),
    CC("a", 7),
    CC("s", 8),
    CC("ns", 9),
    CC("p", 10),
    CC("np", 11),
    CC("l", 12),
    CC("ge", 13),
    CC("le", 14),
    CC("g", 15),
};
#undef CC
#undef G

}  // namespace

std::span<const Row> general_rows() { return kGeneralRows; }

}  // namespace kc::x64sim
