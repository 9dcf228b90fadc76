// SPDX-License-Identifier: Apache-2.0
// Elementwise vector instructions of the x86-64 emulator, and those on integers.
#include <algorithm>
#include <bit>

#include "sim/x64/machine.h"

namespace kc::x64sim {
namespace {

// Equal sources that do not affect the result may be unwritten.
bool is_idiom(const Inst& in) {
  if (!(in.row->flags & Idiom) || in.operands[1].kind != Operand::Register) return false;
  for (unsigned i = 2; i <= in.sources(); ++i)
    if (!(in.operands[i].reg == in.operands[1].reg)) return false;
  if (!(in.row->flags & ReadsDst)) return true;
  return in.operands[0].reg == in.operands[1].reg && (in.imm() == 0 || in.imm() == 255);
}

unsigned lanes_of(const Inst& in) {
  const Operand &d = in.operands[0], &s = in.operands[1];
  bool from_source = d.reg.file == File::Mask || in.row->dst_bits < in.row->src_bits;
  if (from_source)
    return s.broadcast ? s.broadcast : (s.is_mem() ? s.bytes : s.reg.bytes) * 8u / in.row->src_bits;
  return (d.is_mem() ? d.bytes : d.reg.bytes) * 8u / in.row->dst_bits;
}

// Elements of inactive lanes in memory are not accessed.
bool read_source(Machine& m, const Inst& in, const Operand& o, uint64_t on, unsigned lanes, Vec& v) {
  unsigned bits = in.row->src_bits;
  if (!o.is_mem()) {
    if (!is_idiom(in) || m.written(o.reg)) v = m.vec(o.reg);
    return !m.failed();
  }
  uint64_t base = m.address(o);
  if ((in.row->flags & Aligned) && !m.check_aligned(o)) return false;
  if (!in.mask && !o.broadcast) {
    m.load_vector(base, lanes * bits / 8, v.bytes);
    return !m.failed();
  }
  for (unsigned i = 0; i < lanes && !m.failed(); ++i)
    if (on >> i & 1) v.set(bits, i, m.load(base + (o.broadcast ? 0 : i * bits / 8), bits / 8));
  return !m.failed();
}

void write_compared(Machine& m, const Inst& in, uint64_t bits, unsigned lanes) {
  if (in.operands[0].reg.file == File::Mask) return m.write_k(in.operands[0].reg.index, bits);
  Vec r;
  for (unsigned i = 0; i < lanes; ++i) r.set(in.row->dst_bits, i, bits >> i & 1 ? ~uint64_t{0} : 0);
  m.result(in, r, in.operands[0].reg.bytes, in.row->dst_bits);
}

}  // namespace

void exec_lanes(Machine& m, const Inst& in) {
  const Row& row = *in.row;
  unsigned lanes = lanes_of(in), first = row.flags & ReadsDst ? 1 : 0, n = first + in.sources();
  uint64_t on = m.active(in, lanes);
  Vec sources[4];
  if (first && (!is_idiom(in) || m.written(in.operands[0].reg))) sources[0] = m.vec(in.operands[0].reg);
  for (unsigned i = first; i < n; ++i)
    if (!read_source(m, in, in.operands[i - first + 1], on, lanes, sources[i])) return;
  if (in.operands[0].is_mem() && (row.flags & Aligned) && !m.check_aligned(in.operands[0])) return;
  Vec r;
  uint64_t compared = 0;
  for (unsigned i = 0; i < lanes; ++i) {
    if (!(on >> i & 1)) continue;
    uint64_t s[4] = {};
    for (unsigned j = 0; j < n; ++j) s[j] = sources[j].get(row.src_bits, i);
    uint64_t v = row.lane(s, in.imm());
    if (row.flags & Compares)
      compared |= (v & 1) << i;
    else
      r.set(row.dst_bits, i, v);
  }
  if (m.failed()) return;
  if (row.flags & Compares)
    write_compared(m, in, compared, lanes);
  else
    m.result(in, r, lanes * row.dst_bits / 8, row.dst_bits);
}

// Computes element 0; the rest comes from the first source, or from the destination if that is one.
void exec_scalar(Machine& m, const Inst& in) {
  const Row& row = *in.row;
  if (in.mask) return m.fail("a masked scalar is not known");
  auto low = [&](const Operand& o) {
    return o.is_mem() ? m.load(m.address(o), row.src_bits / 8) : m.vec(o.reg).get(row.src_bits, 0);
  };
  bool fused = row.flags & ReadsDst;
  uint64_t s[4] = {};
  unsigned n = 0;
  if (fused) s[n++] = low(in.operands[0]);
  if (!(row.flags & LowOnly)) s[n++] = low(in.operands[1]);
  s[n++] = low(in.operands[2]);
  Vec r = m.vec(fused ? in.operands[0].reg : in.operands[1].reg);
  if (m.failed()) return;
  r.set(row.dst_bits, 0, row.lane(s, in.imm()));
  m.write_vec(in.operands[0].reg.index, 16, r);
}

namespace {

// Selects one source where the mask is set, the other elsewhere.
void exec_blend_mask(Machine& m, const Inst& in) {
  unsigned bits = in.row->dst_bits, bytes = in.operands[0].reg.bytes, lanes = bytes * 8u / bits;
  uint64_t on = m.active(in, lanes);
  Vec no = m.vec(in.operands[1].reg), yes, r;
  if (!read_source(m, in, in.operands[2], on, lanes, yes)) return;
  for (unsigned i = 0; i < lanes; ++i)
    r.set(bits, i, on >> i & 1 ? yes.get(bits, i) : in.zeroing ? 0 : no.get(bits, i));
  m.write_vec(in.operands[0].reg.index, bytes, r);
}

#define LANE(name, expr) \
  uint64_t name(const uint64_t* s, unsigned imm) { return (void)s, (void)imm, (expr); }
LANE(copy, s[0])
LANE(i_add, s[0] + s[1])
LANE(i_sub, s[0] - s[1])
LANE(i_mul, s[0] * s[1])
LANE(upper_product_unsigned, s[0] * s[1] >> 16)
LANE(mul_low_words, (s[0] & 0xffffffffu) * (s[1] & 0xffffffffu))
LANE(mul_low_words_signed, static_cast<uint64_t>(sign_extend(s[0], 32) * sign_extend(s[1], 32)))
LANE(i_and, s[0] & s[1])
LANE(i_andn, ~s[0] & s[1])
LANE(i_or, s[0] | s[1])
LANE(i_xor, s[0] ^ s[1])
LANE(test_set, (s[0] & s[1]) != 0)
LANE(test_clear, (s[0] & s[1]) == 0)
LANE(i_equal, s[0] == s[1])
LANE(u_min, s[0] < s[1] ? s[0] : s[1])
LANE(u_max, s[0] > s[1] ? s[0] : s[1])

uint64_t ternary(const uint64_t* s, unsigned imm) {
  uint64_t r = 0;
  for (unsigned row = 0; row < 8; ++row)
    if (imm >> row & 1) r |= (row & 4 ? s[0] : ~s[0]) & (row & 2 ? s[1] : ~s[1]) & (row & 1 ? s[2] : ~s[2]);
  return r;
}

#define SIZED(name, expr)                                                        \
  template <unsigned N>                                                          \
  uint64_t name(const uint64_t* s, unsigned imm) {                               \
    [[maybe_unused]] int64_t x = sign_extend(s[0], N), y = sign_extend(s[1], N); \
    return (void)imm, static_cast<uint64_t>(expr);                               \
  }
template <unsigned N>
uint64_t rotated_left(uint64_t a, unsigned n) {
  return n == 0 ? a : a << n | a >> (N - n);
}
SIZED(s_min, x < y ? x : y)
SIZED(s_max, x > y ? x : y)
SIZED(s_greater, x > y)
SIZED(i_abs, x < 0 ? 0 - s[0] : s[0])
SIZED(extend_signed, x)
SIZED(shl_var, s[1] < N ? s[0] << s[1] : 0)
SIZED(shr_var, s[1] < N ? s[0] >> s[1] : 0)
SIZED(sar_var, x >> (s[1] < N ? s[1] : N - 1))
SIZED(shl_imm, imm < N ? s[0] << imm : 0)
SIZED(shr_imm, imm < N ? s[0] >> imm : 0)
SIZED(sar_imm, x >> (imm < N ? imm : N - 1))
SIZED(rol_var, rotated_left<N>(s[0], static_cast<unsigned>(s[1] % N)))
SIZED(rol_imm, rotated_left<N>(s[0], imm % N))
SIZED(by_sign, s[2] >> (N - 1) & 1 ? s[1] : s[0])
SIZED(sign_bit, x < 0)
SIZED(sum_up_to_limit, std::min(s[0] + s[1], ~uint64_t{0} >> (64 - N)))
SIZED(difference_from_zero, s[0] > s[1] ? s[0] - s[1] : 0)

uint64_t sum_of_differences(const uint64_t* s, unsigned) {
  uint64_t r = 0;
  for (unsigned b = 0; b < 64; b += 8) {
    const uint64_t x = s[0] >> b & 0xff, y = s[1] >> b & 0xff;
    r += x > y ? x - y : y - x;
  }
  return r;
}
// Unsigned bytes times signed ones; the sum of two products saturates.
uint64_t sum_of_byte_products(const uint64_t* s, unsigned) {
  int64_t r = 0;
  for (unsigned b = 0; b < 16; b += 8)
    r += static_cast<int64_t>(s[0] >> b & 0xff) * sign_extend(s[1] >> b, 8);
  return static_cast<uint64_t>(std::clamp<int64_t>(r, -0x8000, 0x7fff));
}
uint64_t sum_of_word_products(const uint64_t* s, unsigned) {
  int64_t r = 0;
  for (unsigned b = 0; b < 32; b += 16) r += sign_extend(s[0] >> b, 16) * sign_extend(s[1] >> b, 16);
  return static_cast<uint64_t>(r);
}
uint64_t upper_product(const uint64_t* s, unsigned) {
  return static_cast<uint64_t>(sign_extend(s[0], 16) * sign_extend(s[1], 16)) >> 16;
}
template <unsigned N>
uint64_t leading_zeros(const uint64_t* s, unsigned) {
  return static_cast<uint64_t>(std::countl_zero(s[0])) - (64 - N);
}

template <typename T>
uint64_t ordered(T a, T b, unsigned predicate) {
  bool r = (predicate & 3) == 0   ? a == b
           : (predicate & 3) == 1 ? a < b
           : (predicate & 3) == 2 ? a <= b
                                  : false;
  return r != ((predicate & 4) != 0);
}
uint64_t u_compare(const uint64_t* s, unsigned imm) { return ordered(s[0], s[1], imm); }
SIZED(s_compare, ordered(x, y, imm))

#define L(name, form, d, s, fn, flags) \
  Row { name, form, X64Class::Vector, exec_lanes, d, s, fn, flags, 0 }
#define BIN(name, bits, fn, flags) L(name, "v v vm", bits, bits, fn, flags)
#define BOTH(name, fn, flags) BIN(name "d", 32, fn, flags), BIN(name "q", 64, fn, flags)
#define BOTH_SIZED(name, fn, flags) BIN(name "d", 32, fn<32>, flags), BIN(name "q", 64, fn<64>, flags)
#define SMALL(name, fn, flags) BIN(name "b", 8, fn, flags), BIN(name "w", 16, fn, flags)
#define SMALL_SIZED(name, fn, flags) BIN(name "b", 8, fn<8>, flags), BIN(name "w", 16, fn<16>, flags)
#define MOVE(name, bits, flags) L(name, "vm vm", bits, bits, copy, flags)

constexpr Row kLanesRows[] = {
    BOTH("vpadd", i_add, 0),
    BOTH("vpsub", i_sub, Idiom),
    SMALL("vpadd", i_add, 0),
    SMALL("vpsub", i_sub, Idiom),
    SMALL("vpminu", u_min, 0),
    SMALL("vpmaxu", u_max, 0),
    SMALL_SIZED("vpmins", s_min, 0),
    SMALL_SIZED("vpmaxs", s_max, 0),
    SMALL_SIZED("vpaddus", sum_up_to_limit, 0),
    SMALL_SIZED("vpsubus", difference_from_zero, 0),
    BIN("vpmullw", 16, i_mul, 0),
    BIN("vpmulhw", 16, upper_product, 0),
    BIN("vpmulhuw", 16, upper_product_unsigned, 0),
    L("vpsllw", "v vm i", 16, 16, shl_imm<16>, 0),
    L("vpsrlw", "v vm i", 16, 16, shr_imm<16>, 0),
    L("vpsraw", "v vm i", 16, 16, sar_imm<16>, 0),
    BIN("vpmulld", 32, i_mul, 0),
    BIN("vpmullq", 64, i_mul, 0),
    BIN("vpmuludq", 64, mul_low_words, 0),
    BIN("vpmuldq", 64, mul_low_words_signed, 0),
    BOTH_SIZED("vpmins", s_min, 0),
    BOTH_SIZED("vpmaxs", s_max, 0),
    BOTH("vpminu", u_min, 0),
    BOTH("vpmaxu", u_max, 0),
    L("vpabsd", "v vm", 32, 32, i_abs<32>, 0),
    L("vpabsq", "v vm", 64, 64, i_abs<64>, 0),
    BIN("vpand", 64, i_and, 0),
    BIN("vandps", 32, i_and, 0),
    BIN("vandpd", 64, i_and, 0),
    BIN("vpandn", 64, i_andn, 0),
    BIN("vandnps", 32, i_andn, 0),
    BIN("vandnpd", 64, i_andn, 0),
    BIN("vpor", 64, i_or, 0),
    BIN("vorps", 32, i_or, 0),
    BIN("vorpd", 64, i_or, 0),
    BIN("vpxor", 64, i_xor, Idiom),
    BIN("vxorps", 32, i_xor, Idiom),
    BIN("vxorpd", 64, i_xor, Idiom),
    BOTH("vpand", i_and, 0),
    BOTH("vpandn", i_andn, 0),
    BOTH("vpor", i_or, 0),
    BOTH("vpxor", i_xor, Idiom),
    L("vpternlogd", "v v vm i", 32, 32, ternary, ReadsDst | Idiom),
    L("vpternlogq", "v v vm i", 64, 64, ternary, ReadsDst | Idiom),
    BOTH_SIZED("vpsllv", shl_var, 0),
    BOTH_SIZED("vpsrlv", shr_var, 0),
    BOTH_SIZED("vpsrav", sar_var, 0),
    BOTH_SIZED("vprolv", rol_var, 0),
    BIN("vpsadbw", 64, sum_of_differences, 0),
    BIN("vpmaddubsw", 16, sum_of_byte_products, 0),
    BIN("vpmaddwd", 32, sum_of_word_products, 0),
    L("vplzcntd", "v vm", 32, 32, leading_zeros<32>, 0),
    L("vplzcntq", "v vm", 64, 64, leading_zeros<64>, 0),
    L("vprold", "v vm i", 32, 32, rol_imm<32>, 0),
    L("vprolq", "v vm i", 64, 64, rol_imm<64>, 0),
    L("vpslld", "v vm i", 32, 32, shl_imm<32>, 0),
    L("vpsllq", "v vm i", 64, 64, shl_imm<64>, 0),
    L("vpsrld", "v vm i", 32, 32, shr_imm<32>, 0),
    L("vpsrlq", "v vm i", 64, 64, shr_imm<64>, 0),
    L("vpsrad", "v vm i", 32, 32, sar_imm<32>, 0),
    L("vpsraq", "v vm i", 64, 64, sar_imm<64>, 0),
    // Comparisons: to elements of all ones, or to mask registers.
    L("vpcmpeqd", "vk v vm", 32, 32, i_equal, Compares | Idiom),
    L("vpcmpeqq", "vk v vm", 64, 64, i_equal, Compares | Idiom),
    L("vpcmpgtd", "vk v vm", 32, 32, s_greater<32>, Compares),
    L("vpcmpgtq", "vk v vm", 64, 64, s_greater<64>, Compares),
    L("vpcmpd", "k v vm i", 32, 32, s_compare<32>, Compares),
    L("vpcmpq", "k v vm i", 64, 64, s_compare<64>, Compares),
    L("vpcmpud", "k v vm i", 32, 32, u_compare, Compares),
    L("vpcmpuq", "k v vm i", 64, 64, u_compare, Compares),
    L("vpcmpb", "k v vm i", 8, 8, s_compare<8>, Compares),
    L("vpcmpub", "k v vm i", 8, 8, u_compare, Compares),
    L("vpcmpw", "k v vm i", 16, 16, s_compare<16>, Compares),
    L("vpcmpuw", "k v vm i", 16, 16, u_compare, Compares),
    L("vpcmpeqb", "vk v vm", 8, 8, i_equal, Compares | Idiom),
    L("vpcmpeqw", "vk v vm", 16, 16, i_equal, Compares | Idiom),
    L("vpcmpgtb", "vk v vm", 8, 8, s_greater<8>, Compares),
    L("vpcmpgtw", "vk v vm", 16, 16, s_greater<16>, Compares),
    L("vptestmd", "k v vm", 32, 32, test_set, Compares),
    L("vptestmq", "k v vm", 64, 64, test_set, Compares),
    L("vptestnmd", "k v vm", 32, 32, test_clear, Compares),
    L("vptestnmq", "k v vm", 64, 64, test_clear, Compares),
    L("vpmovd2m", "k v", 32, 32, sign_bit<32>, Compares),
    L("vpmovq2m", "k v", 64, 64, sign_bit<64>, Compares),
    // Blends.
    L("vblendvps", "v v vm v", 32, 32, by_sign<32>, 0),
    L("vblendvpd", "v v vm v", 64, 64, by_sign<64>, 0),
    Row{"vpblendmd", "v v vm", X64Class::Vector, exec_blend_mask, 32, 32},
    L("vpblendvb", "v v vm v", 8, 8, by_sign<8>, 0),
    Row{"vpblendmw", "v v vm", X64Class::Vector, exec_blend_mask, 16, 16},
    Row{"vpblendmb", "v v vm", X64Class::Vector, exec_blend_mask, 8, 8},
    Row{"vpblendmq", "v v vm", X64Class::Vector, exec_blend_mask, 64, 64},
    Row{"vblendmps", "v v vm", X64Class::Vector, exec_blend_mask, 32, 32},
    Row{"vblendmpd", "v v vm", X64Class::Vector, exec_blend_mask, 64, 64},
    // Moves.
    MOVE("vmovups", 32, 0),
    MOVE("vmovupd", 64, 0),
    MOVE("vmovdqu", 64, 0),
    MOVE("vmovdqu16", 16, 0),
    MOVE("vmovdqu32", 32, 0),
    MOVE("vmovdqu64", 64, 0),
    MOVE("vmovntps", 32, Aligned),
    MOVE("vmovaps", 32, Aligned),
    MOVE("vmovapd", 64, Aligned),
    MOVE("vmovdqa", 64, Aligned),
    MOVE("vmovdqa32", 32, Aligned),
    MOVE("vmovdqa64", 64, Aligned),
    // Other widths.
    L("vpmovzxbd", "v vm", 32, 8, copy, 0),
    L("vpmovzxbq", "v vm", 64, 8, copy, 0),
    L("vpmovzxbw", "v vm", 16, 8, copy, 0),
    L("vpmovzxwd", "v vm", 32, 16, copy, 0),
    L("vpmovzxwq", "v vm", 64, 16, copy, 0),
    L("vpmovzxdq", "v vm", 64, 32, copy, 0),
    L("vpmovsxbd", "v vm", 32, 8, extend_signed<8>, 0),
    L("vpmovsxbq", "v vm", 64, 8, extend_signed<8>, 0),
    L("vpmovsxbw", "v vm", 16, 8, extend_signed<8>, 0),
    L("vpmovsxwd", "v vm", 32, 16, extend_signed<16>, 0),
    L("vpmovsxwq", "v vm", 64, 16, extend_signed<16>, 0),
    L("vpmovsxdq", "v vm", 64, 32, extend_signed<32>, 0),
    L("vpmovqd", "vm v", 32, 64, copy, 0),
    L("vpmovqw", "vm v", 16, 64, copy, 0),
    L("vpmovqb", "vm v", 8, 64, copy, 0),
    L("vpmovdw", "vm v", 16, 32, copy, 0),
    L("vpmovdb", "vm v", 8, 32, copy, 0),
    L("vpmovwb", "vm v", 8, 16, copy, 0),
};
#undef LANE
#undef SIZED
#undef L
#undef BIN
#undef BOTH
#undef BOTH_SIZED
#undef SMALL
#undef SMALL_SIZED
#undef MOVE

}  // namespace

std::span<const Row> lane_rows() { return kLanesRows; }

}  // namespace kc::x64sim
