// SPDX-License-Identifier: Apache-2.0
// Conversions of the x86-64 emulator. Out-of-range inputs give the most negative integer, or all ones for an
// unsigned target.
#include <bit>
#include <cmath>
#include <limits>

#include "sim/x64/machine.h"

namespace kc::x64sim {
namespace {

template <typename F>
F float_of(uint64_t v) {
  if constexpr (sizeof(F) == 4)
    return std::bit_cast<float>(static_cast<uint32_t>(v));
  else
    return std::bit_cast<double>(v);
}
uint64_t bits_of(float f) { return std::bit_cast<uint32_t>(f); }
uint64_t bits_of(double d) { return std::bit_cast<uint64_t>(d); }

template <typename F, typename I, bool Cut>
I integer_of(uint64_t v) {
  constexpr I kNone = std::is_signed_v<I> ? std::numeric_limits<I>::min() : std::numeric_limits<I>::max();
  F x = float_of<F>(v), r = Cut ? std::trunc(x) : std::nearbyint(x);
  F limit = std::ldexp(F{1}, std::numeric_limits<I>::digits);
  bool fits = std::is_signed_v<I> ? r >= -limit && r < limit : r >= 0 && r < limit;
  return fits ? static_cast<I>(r) : kNone;
}
template <typename F, typename I, bool Cut>
uint64_t to_integer(const uint64_t* s, unsigned) {
  return static_cast<uint64_t>(integer_of<F, I, Cut>(s[0]));
}
template <typename I, typename F>
uint64_t from_integer(const uint64_t* s, unsigned) {
  return bits_of(static_cast<F>(static_cast<I>(s[0])));
}
uint64_t widened(const uint64_t* s, unsigned) {
  float x = float_of<float>(s[0]);
  if (!std::isnan(x)) return bits_of(static_cast<double>(x));
  return (s[0] >> 31) << 63 | uint64_t{0x7ff8} << 48 | (s[0] & 0x7fffff) << 29;
}
uint64_t narrowed(const uint64_t* s, unsigned) {
  double x = float_of<double>(s[0]);
  if (!std::isnan(x)) return bits_of(static_cast<float>(x));
  return (s[0] >> 63) << 31 | 0x7fc00000u | (s[0] >> 29 & 0x7fffff);
}

// General registers. param: truncation.
template <typename F>
void exec_to_gpr(Machine& m, const Inst& in) {
  const Operand &d = in.operands[0], &o = in.operands[1];
  uint64_t v = o.is_mem() ? m.load(m.address(o), sizeof(F)) : m.vec(o.reg).get(sizeof(F) * 8, 0);
  bool cut = in.row->param;
  uint64_t r;
  if (d.reg.bytes == 8)
    r = static_cast<uint64_t>(cut ? integer_of<F, int64_t, true>(v) : integer_of<F, int64_t, false>(v));
  else
    r = static_cast<uint32_t>(cut ? integer_of<F, int32_t, true>(v) : integer_of<F, int32_t, false>(v));
  m.write(d.reg, r);
}
template <typename F>
void exec_from_gpr(Machine& m, const Inst& in) {
  const Operand& o = in.operands[2];
  unsigned n = o.is_mem() ? o.bytes : o.reg.bytes;
  F x = static_cast<F>(sign_extend(m.value(o, n), n * 8));
  Vec r = m.vec(in.operands[1].reg);
  r.set(sizeof(F) * 8, 0, bits_of(x));
  if (!m.failed()) m.write_vec(in.operands[0].reg.index, 16, r);
}

#define C(name, d, s, ...) \
  Row { name, "v vm", X64Class::Vector, exec_lanes, d, s, __VA_ARGS__ }
#define TO(name, d, s, F, I) \
  C("vcvt" name, d, s, (to_integer<F, I, false>)), C("vcvtt" name, d, s, (to_integer<F, I, true>))

constexpr Row kConvertRows[] = {
    TO("ps2dq", 32, 32, float, int32_t),
    TO("ps2udq", 32, 32, float, uint32_t),
    TO("ps2qq", 64, 32, float, int64_t),
    TO("ps2uqq", 64, 32, float, uint64_t),
    TO("pd2dq", 32, 64, double, int32_t),
    TO("pd2udq", 32, 64, double, uint32_t),
    TO("pd2qq", 64, 64, double, int64_t),
    TO("pd2uqq", 64, 64, double, uint64_t),
    C("vcvtdq2ps", 32, 32, (from_integer<int32_t, float>)),
    C("vcvtudq2ps", 32, 32, (from_integer<uint32_t, float>)),
    C("vcvtdq2pd", 64, 32, (from_integer<int32_t, double>)),
    C("vcvtudq2pd", 64, 32, (from_integer<uint32_t, double>)),
    C("vcvtqq2ps", 32, 64, (from_integer<int64_t, float>)),
    C("vcvtuqq2ps", 32, 64, (from_integer<uint64_t, float>)),
    C("vcvtqq2pd", 64, 64, (from_integer<int64_t, double>)),
    C("vcvtuqq2pd", 64, 64, (from_integer<uint64_t, double>)),
    C("vcvtps2pd", 64, 32, widened),
    C("vcvtpd2ps", 32, 64, narrowed),
    Row{"vcvtss2sd", "v v vm", X64Class::Vector, exec_scalar, 64, 32, widened, LowOnly},
    Row{"vcvtsd2ss", "v v vm", X64Class::Vector, exec_scalar, 32, 64, narrowed, LowOnly},
    Row{"vcvttss2si", "r vm", X64Class::Vector, exec_to_gpr<float>, 0, 0, nullptr, 0, 1},
    Row{"vcvttsd2si", "r vm", X64Class::Vector, exec_to_gpr<double>, 0, 0, nullptr, 0, 1},
    Row{"vcvtss2si", "r vm", X64Class::Vector, exec_to_gpr<float>},
    Row{"vcvtsd2si", "r vm", X64Class::Vector, exec_to_gpr<double>},
    Row{"vcvtsi2ss", "v v rm", X64Class::Vector, exec_from_gpr<float>},
    Row{"vcvtsi2sd", "v v rm", X64Class::Vector, exec_from_gpr<double>},
};
#undef C
#undef TO

}  // namespace

std::span<const Row> convert_rows() { return kConvertRows; }

}  // namespace kc::x64sim
