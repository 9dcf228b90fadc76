// SPDX-License-Identifier: Apache-2.0
// Vector instructions of the x86-64 emulator that move elements to other positions, vectors or registers. The
// dst_bits of a table row is the element size; param is explained at each function.
#include "sim/x64/machine.h"

namespace kc::x64sim {
namespace {

unsigned bytes_of(const Inst& in) { return in.operands[0].reg.bytes; }
unsigned bits_of(const Inst& in) { return in.row->dst_bits; }
unsigned elements_of(const Inst& in) { return bytes_of(in) * 8u / bits_of(in); }

// Each element comes from position pick(i) of one source.
template <typename Pick>
void rearrange(Machine& m, const Inst& in, const Vec& from, Pick pick) {
  Vec r;
  for (unsigned i = 0; i < elements_of(in); ++i) r.set(bits_of(in), i, from.get(bits_of(in), pick(i)));
  if (!m.failed()) m.result(in, r, bytes_of(in), bits_of(in));
}

// Operand 1 contains indices into operand 2.
void exec_permute(Machine& m, const Inst& in) {
  Vec index = m.vector(in.operands[1]), data = m.vector(in.operands[2]);
  rearrange(m, in, data, [&](unsigned i) {
    return static_cast<unsigned>(index.get(bits_of(in), i) & (elements_of(in) - 1));
  });
}
// The immediate has two bits for each of four positions.
void exec_permute_imm(Machine& m, const Inst& in) {
  rearrange(m, in, m.vector(in.operands[1]),
            [&](unsigned i) { return i / 4 * 4 + (in.imm() >> i % 4 * 2 & 3); });
}
// param: the index is the destination (else it is operand 1, and the destination is the first table).
void exec_permute2(Machine& m, const Inst& in) {
  unsigned n = elements_of(in), bits = bits_of(in);
  Vec old = m.vector(in.operands[0]), second = m.vector(in.operands[1]), high = m.vector(in.operands[2]);
  const Vec &index = in.row->param ? old : second, &low = in.row->param ? second : old;
  Vec r;
  for (unsigned i = 0; i < n; ++i) {
    auto at = static_cast<unsigned>(index.get(bits, i) & (2 * n - 1));
    r.set(bits, i, at < n ? low.get(bits, at) : high.get(bits, at - n));
  }
  if (!m.failed()) m.result(in, r, bytes_of(in), bits);
}
// In each 128 bits: the lower half of the positions from operand 1, the upper half from operand 2.
void exec_shuffle(Machine& m, const Inst& in) {
  unsigned bits = bits_of(in), per = 128 / bits;
  Vec a = m.vector(in.operands[1]), b = m.vector(in.operands[2]), r;
  for (unsigned i = 0; i < elements_of(in); ++i) {
    unsigned place = i % per, pick = bits == 32 ? in.imm() >> place * 2 & 3 : in.imm() >> (i & 7) & 1;
    r.set(bits, i, (place < per / 2 ? a : b).get(bits, i - place + pick));
  }
  if (!m.failed()) m.result(in, r, bytes_of(in), bits);
}
// Interleaves elements of both from one half of each 128 bits; param: the upper half.
void exec_interleave(Machine& m, const Inst& in) {
  unsigned bits = bits_of(in), per = 128 / bits;
  Vec a = m.vector(in.operands[1]), b = m.vector(in.operands[2]), r;
  for (unsigned i = 0; i < elements_of(in); ++i) {
    unsigned place = i % per, from = i - place + place / 2 + (in.row->param ? per / 2 : 0);
    r.set(bits, i, (place % 2 ? b : a).get(bits, from));
  }
  if (!m.failed()) m.result(in, r, bytes_of(in), bits);
}
// Signed elements saturated to half their size; in each 128 bits those of operand 1 come first. param:
// saturate to unsigned.
void exec_pack(Machine& m, const Inst& in) {
  unsigned bits = bits_of(in), per = 128 / bits;
  int64_t low = in.row->param ? 0 : -(int64_t{1} << (bits - 1));
  int64_t high = (int64_t{1} << (in.row->param ? bits : bits - 1)) - 1;
  Vec a = m.vector(in.operands[1]), b = m.vector(in.operands[2]), r;
  for (unsigned i = 0; i < elements_of(in); ++i) {
    unsigned place = i % per, from = i / per * (per / 2) + place % (per / 2);
    int64_t v = sign_extend((place < per / 2 ? a : b).get(2 * bits, from), 2 * bits);
    r.set(bits, i, static_cast<uint64_t>(v < low ? low : v > high ? high : v));
  }
  if (!m.failed()) m.result(in, r, bytes_of(in), bits);
}
// In each 128 bits: the bytes of operand 1 at the places in operand 2, zero where its highest bit is set.
void exec_shuffle_bytes(Machine& m, const Inst& in) {
  Vec a = m.vector(in.operands[1]), places = m.vector(in.operands[2]), r;
  for (unsigned i = 0; i < elements_of(in); ++i) {
    const uint64_t at = places.get(8, i);
    r.set(8, i, at & 0x80 ? 0 : a.get(8, i / 16 * 16 + static_cast<unsigned>(at & 15)));
  }
  if (!m.failed()) m.result(in, r, bytes_of(in), 8);
}
// Concatenates operand 1 above operand 2, and shifts right by elements.
void exec_align(Machine& m, const Inst& in) {
  unsigned n = elements_of(in), bits = bits_of(in), shift = in.imm() & (n - 1);
  Vec high = m.vector(in.operands[1]), low = m.vector(in.operands[2]), r;
  for (unsigned i = 0; i < n; ++i)
    r.set(bits, i, i + shift < n ? low.get(bits, i + shift) : high.get(bits, i + shift - n));
  if (!m.failed()) m.result(in, r, bytes_of(in), bits);
}
// The same with bytes, in each 128 bits.
void exec_align_bytes(Machine& m, const Inst& in) {
  constexpr unsigned kLine = 16;
  const unsigned shift = in.imm() & 0xff;
  const Vec high = m.vector(in.operands[1]), low = m.vector(in.operands[2]);
  Vec r;
  for (unsigned i = 0; i < elements_of(in); ++i) {
    const unsigned from = i % kLine + shift, line = i / kLine * kLine;
    if (from < 2 * kLine)
      r.set(8, i, from < kLine ? low.get(8, line + from) : high.get(8, line + from - kLine));
  }
  if (!m.failed()) m.result(in, r, bytes_of(in), 8);
}
void exec_permute_halves(Machine& m, const Inst& in) {
  Vec s[2] = {m.vector(in.operands[1]), m.vector(in.operands[2])}, r;
  for (unsigned h = 0; h < 2; ++h) {
    unsigned control = in.imm() >> h * 4;
    if (!(control & 8)) std::memcpy(r.bytes + h * 16, s[control >> 1 & 1].bytes + (control & 1) * 16, 16);
  }
  if (!m.failed()) m.result(in, r, 32, 64);
}
// Two quarters of each operand; the immediate has two bits for each.
void exec_shuffle_quarters(Machine& m, const Inst& in) {
  const Vec s[2] = {m.vector(in.operands[1]), m.vector(in.operands[2])};
  Vec r;
  for (unsigned q = 0; q < 4; ++q)
    std::memcpy(r.bytes + q * 16, s[q / 2].bytes + (in.imm() >> q * 2 & 3) * 16, 16);
  if (!m.failed()) m.result(in, r, 64, bits_of(in));
}
// param: size of the part in bytes.
void exec_extract(Machine& m, const Inst& in) {
  unsigned n = in.row->param, parts = in.operands[1].reg.bytes / n;
  Vec s = m.vector(in.operands[1]), r;
  std::memcpy(r.bytes, s.bytes + in.imm() % parts * n, n);
  if (!m.failed()) m.result(in, r, n, bits_of(in));
}
void exec_insert(Machine& m, const Inst& in) {
  unsigned n = in.row->param, parts = bytes_of(in) / n;
  Vec r = m.vector(in.operands[1]), s = m.vector(in.operands[2]);
  std::memcpy(r.bytes + in.imm() % parts * n, s.bytes, n);
  if (!m.failed()) m.result(in, r, bytes_of(in), bits_of(in));
}
// Broadcasts the lowest element, memory or a general register.
void exec_broadcast(Machine& m, const Inst& in) {
  const Operand& o = in.operands[1];
  unsigned bits = bits_of(in);
  uint64_t v = 0;
  if (o.is_mem()) {
    if (m.active(in, elements_of(in))) v = m.load(m.address(o), bits / 8);
  } else {
    v = o.reg.file == File::Gpr ? m.read(o.reg) : m.vec(o.reg).get(bits, 0);
  }
  Vec r;
  for (unsigned i = 0; i < elements_of(in); ++i) r.set(bits, i, v);
  if (!m.failed()) m.result(in, r, bytes_of(in), bits);
}
void exec_insert_element(Machine& m, const Inst& in) {
  Vec r = m.vector(in.operands[1]);
  r.set(bits_of(in), in.imm() & (128 / bits_of(in) - 1), m.value(in.operands[2], bits_of(in) / 8));
  if (!m.failed()) m.write_vec(in.operands[0].reg.index, 16, r);
}
void exec_extract_element(Machine& m, const Inst& in) {
  uint64_t v = m.vec(in.operands[1].reg).get(bits_of(in), in.imm() & (128 / bits_of(in) - 1));
  if (!m.failed()) m.set_value(in.operands[0], v);
}
// vmovd and vmovq: the lowest element, zeros above.
void exec_move_low(Machine& m, const Inst& in) {
  const Operand &d = in.operands[0], &o = in.operands[1];
  unsigned bits = bits_of(in);
  uint64_t v = o.kind == Operand::Register && o.reg.file == File::Vec ? m.vec(o.reg).get(bits, 0)
                                                                      : m.value(o, bits / 8);
  if (m.failed()) return;
  if (d.is_mem()) return m.store(m.address(d), bits / 8, &v);
  if (d.reg.file == File::Gpr) return m.write(d.reg, v);
  Vec r;
  r.set(bits, 0, v);
  m.write_vec(d.reg.index, 16, r);
}
// vmovss and vmovsd: the same for memory; between registers the upper elements come from operand 1.
void exec_move_scalar(Machine& m, const Inst& in) {
  if (in.mask) return m.fail("a masked scalar is not known");
  if (in.count == 2 && !in.operands[0].is_mem() && !in.operands[1].is_mem())
    return m.fail("operands of another form than the emulator knows");
  if (in.count == 2) return exec_move_low(m, in);
  Vec r = m.vector(in.operands[1]);
  r.set(bits_of(in), 0, m.vec(in.operands[2].reg).get(bits_of(in), 0));
  if (!m.failed()) m.write_vec(in.operands[0].reg.index, 16, r);
}
void exec_signs(Machine& m, const Inst& in) {
  unsigned bits = bits_of(in);
  Vec v = m.vector(in.operands[1]);
  uint64_t r = 0;
  for (unsigned i = 0; i < in.operands[1].reg.bytes * 8u / bits; ++i)
    r |= (v.get(bits, i) >> (bits - 1)) << i;
  if (!m.failed()) m.write(in.operands[0].reg, r);
}
void exec_mask_to_vector(Machine& m, const Inst& in) {
  uint64_t k = m.k(in.operands[1].reg.index);
  Vec r;
  for (unsigned i = 0; i < elements_of(in); ++i) r.set(bits_of(in), i, k >> i & 1 ? ~uint64_t{0} : 0);
  if (!m.failed()) m.write_vec(in.operands[0].reg.index, bytes_of(in), r);
}
// Compresses the elements whose mask bit is set to the low end; above them are zeros or the old content.
void exec_compress(Machine& m, const Inst& in) {
  unsigned bits = bits_of(in), n = 0;
  uint64_t on = m.active(in, elements_of(in));
  Vec s = m.vector(in.operands[1]), r = in.zeroing || !in.mask ? Vec() : m.vector(in.operands[0]);
  for (unsigned i = 0; i < elements_of(in); ++i)
    if (on >> i & 1) r.set(bits, n++, s.get(bits, i));
  if (!m.failed()) m.write_vec(in.operands[0].reg.index, bytes_of(in), r);
}
void exec_expand(Machine& m, const Inst& in) {
  unsigned bits = bits_of(in), n = 0;
  uint64_t on = m.active(in, elements_of(in));
  Vec s = m.vector(in.operands[1]), r;
  for (unsigned i = 0; i < elements_of(in); ++i)
    if (on >> i & 1) r.set(bits, i, s.get(bits, n++));
  if (!m.failed()) m.result(in, r, bytes_of(in), bits);
}
void exec_blend_imm(Machine& m, const Inst& in) {
  unsigned bits = bits_of(in);
  Vec r = m.vector(in.operands[1]), b = m.vector(in.operands[2]);
  for (unsigned i = 0; i < elements_of(in); ++i)
    if (in.imm() >> i & 1) r.set(bits, i, b.get(bits, i));
  if (!m.failed()) m.write_vec(in.operands[0].reg.index, bytes_of(in), r);
}
// Zero: no common bits. Carry: operand 0 has all bits of operand 1.
void exec_test(Machine& m, const Inst& in) {
  Vec a = m.vector(in.operands[0]), b = m.vector(in.operands[1]);
  uint64_t both = 0, only_b = 0;
  for (unsigned i = 0; i < bytes_of(in) / 8u; ++i) {
    both |= a.get(64, i) & b.get(64, i);
    only_b |= ~a.get(64, i) & b.get(64, i);
  }
  m.set_flags(AllFlags, static_cast<uint8_t>((both ? 0 : Zero) | (only_b ? 0 : Carry)));
}

#define V(name, form, exec, bits, p) \
  Row { name, form, X64Class::Vector, exec, bits, bits, nullptr, 0, p }
#define PART(name, bits, bytes)                            \
  V("vextract" name, "vm v i", exec_extract, bits, bytes), \
      V("vinsert" name, "v v vm i", exec_insert, bits, bytes)

constexpr Row kShuffleRows[] = {
    V("vpermd", "v v vm", exec_permute, 32, 0),
    V("vpermps", "v v vm", exec_permute, 32, 0),
    V("vpermq", "v vm i", exec_permute_imm, 64, 0),
    V("vpermpd", "v vm i", exec_permute_imm, 64, 0),
    V("vpshufd", "v vm i", exec_permute_imm, 32, 0),
    V("vpermi2d", "v v vm", exec_permute2, 32, 1),
    V("vpermi2q", "v v vm", exec_permute2, 64, 1),
    V("vpermi2ps", "v v vm", exec_permute2, 32, 1),
    V("vpermi2pd", "v v vm", exec_permute2, 64, 1),
    V("vpermt2d", "v v vm", exec_permute2, 32, 0),
    V("vpermt2q", "v v vm", exec_permute2, 64, 0),
    V("vpermt2ps", "v v vm", exec_permute2, 32, 0),
    V("vpermt2pd", "v v vm", exec_permute2, 64, 0),
    V("vshufi32x4", "v v vm i", exec_shuffle_quarters, 32, 0),
    V("vshufps", "v v vm i", exec_shuffle, 32, 0),
    V("vshufpd", "v v vm i", exec_shuffle, 64, 0),
    V("vunpcklps", "v v vm", exec_interleave, 32, 0),
    V("vunpckhps", "v v vm", exec_interleave, 32, 1),
    V("vunpcklpd", "v v vm", exec_interleave, 64, 0),
    V("vunpckhpd", "v v vm", exec_interleave, 64, 1),
    V("vpunpckldq", "v v vm", exec_interleave, 32, 0),
    V("vpunpckhdq", "v v vm", exec_interleave, 32, 1),
    V("vpunpcklqdq", "v v vm", exec_interleave, 64, 0),
    V("vpunpckhqdq", "v v vm", exec_interleave, 64, 1),
    V("vpackssdw", "v v vm", exec_pack, 16, 0),
    V("vpackusdw", "v v vm", exec_pack, 16, 1),
    V("vpacksswb", "v v vm", exec_pack, 8, 0),
    V("vpackuswb", "v v vm", exec_pack, 8, 1),
    V("vpshufb", "v v vm", exec_shuffle_bytes, 8, 0),
    V("valignd", "v v vm i", exec_align, 32, 0),
    V("valignq", "v v vm i", exec_align, 64, 0),
    V("vpalignr", "v v vm i", exec_align_bytes, 8, 0),
    V("vperm2i128", "v v vm i", exec_permute_halves, 64, 0),
    V("vperm2f128", "v v vm i", exec_permute_halves, 64, 0),
    PART("i128", 64, 16),
    PART("f128", 64, 16),
    PART("i32x4", 32, 16),
    PART("f32x4", 32, 16),
    PART("i64x2", 64, 16),
    PART("f64x2", 64, 16),
    PART("i64x4", 64, 32),
    PART("f64x4", 64, 32),
    PART("i32x8", 32, 32),
    PART("f32x8", 32, 32),
    V("vbroadcastss", "v vm", exec_broadcast, 32, 0),
    V("vbroadcastsd", "v vm", exec_broadcast, 64, 0),
    V("vpbroadcastd", "v vmr", exec_broadcast, 32, 0),
    V("vpbroadcastb", "v vmr", exec_broadcast, 8, 0),
    V("vpbroadcastq", "v vmr", exec_broadcast, 64, 0),
    V("vpinsrb", "v v rm i", exec_insert_element, 8, 0),
    V("vpinsrw", "v v rm i", exec_insert_element, 16, 0),
    V("vpinsrd", "v v rm i", exec_insert_element, 32, 0),
    V("vpinsrq", "v v rm i", exec_insert_element, 64, 0),
    V("vpextrd", "rm v i", exec_extract_element, 32, 0),
    V("vpextrq", "rm v i", exec_extract_element, 64, 0),
    V("vmovd", "vrm vrm", exec_move_low, 32, 0),
    V("vmovq", "vrm vrm", exec_move_low, 64, 0),
    V("vmovss", "vm vm v?", exec_move_scalar, 32, 0),
    V("vmovsd", "vm vm v?", exec_move_scalar, 64, 0),
    V("vmovmskps", "r v", exec_signs, 32, 0),
    V("vmovmskpd", "r v", exec_signs, 64, 0),
    V("vpmovm2d", "v k", exec_mask_to_vector, 32, 0),
    V("vpmovm2q", "v k", exec_mask_to_vector, 64, 0),
    V("vpcompressd", "v v", exec_compress, 32, 0),
    V("vpcompressq", "v v", exec_compress, 64, 0),
    V("vpexpandd", "v v", exec_expand, 32, 0),
    V("vpexpandq", "v v", exec_expand, 64, 0),
    V("vpblendd", "v v vm i", exec_blend_imm, 32, 0),
    V("vblendps", "v v vm i", exec_blend_imm, 32, 0),
    V("vblendpd", "v v vm i", exec_blend_imm, 64, 0),
    V("vptest", "v vm", exec_test, 64, 0),
};
#undef V
#undef PART

}  // namespace

std::span<const Row> shuffle_rows() { return kShuffleRows; }

}  // namespace kc::x64sim
