// SPDX-License-Identifier: Apache-2.0
#include "backends/x64/emit.h"

#include <algorithm>
#include <bit>

#include "ir/check.h"

namespace kc::x64 {
namespace {
/// The opcode for 32-bit or 64-bit elements.
Op pick(VecType t, Op op32, Op op64) { return t.bits == 64 ? op64 : op32; }
/// The opcode for elements of 8, 16, 32 or 64 bits.
Op pick(VecType t, Op op8, Op op16, Op op32, Op op64) {
  return t.bits == 8 ? op8 : t.bits == 16 ? op16 : pick(t, op32, op64);
}
}  // namespace

InstId Emit::row(Op op, ValueList operands, std::initializer_list<Type> results,
                 std::initializer_list<int64_t> attrs) {
  InstId id = m.create(op, std::move(operands), std::span(results.begin(), results.size()), loc);
  std::copy(attrs.begin(), attrs.end(), m.inst(id).attrs.begin());
  m.append(block, id);
  return id;
}
ValueId Emit::gpr(Op op, ValueList operands, int64_t size, int64_t imm, int64_t cc) {
  return m.result(row(op, std::move(operands), {kGpr}, {size, imm, cc}));
}
ValueId Emit::vec(Op op, ValueList operands, unsigned bytes, int64_t imm) {
  return m.result(row(op, std::move(operands), {kVec}, {bytes, imm}));
}
ValueId Emit::kreg(Op op, ValueList operands, unsigned bytes, int64_t imm) {
  return m.result(row(op, std::move(operands), {kKreg}, {bytes, imm}));
}
ValueId Emit::gpr_const(uint64_t v) {
  int64_t size = v <= 0xffffffffu ? 4 : 8;
  return m.result(row(Op::x64_imm, {number(static_cast<int64_t>(v))}, {kGpr}, {size}));
}
ValueId Emit::imm_or_gpr(uint64_t v, unsigned size) {
  auto s = static_cast<int64_t>(v);
  if (size <= 4) return number(static_cast<int32_t>(v));
  return s == static_cast<int32_t>(s) ? number(s) : gpr_const(v);
}
void Emit::jump(BlockId to, ValueList args) {
  InstId id = row(Op::x64_jmp, {}, {});
  m.inst(id).targets.push_back({to, std::move(args)});
}
void Emit::branch(Op op, ValueList operands, int64_t size, Condition cc, Target yes, Target no) {
  InstId id = row(op, std::move(operands), {}, {size, 0, cc});
  m.inst(id).targets = {std::move(yes), std::move(no)};
}

ValueId Emit::hoisted(Op op, int64_t a, int64_t b, int64_t c, int64_t d) {
  auto [it, fresh] = constants_.try_emplace({op, a, b, c, d}, ValueId());
  if (!fresh) return it->second;
  return it->second = in_entry(op, {}, kVec, {a, b, c, d});
}
ValueId Emit::in_entry(Op op, ValueList operands, const Type& result, std::array<int64_t, kMaxAttrs> attrs) {
  const InstId id = m.create(op, std::move(operands), std::span(&result, 1));
  m.inst(id).attrs = attrs;
  hoisted_.push_back(id);
  return m.result(id);
}
ValueId Emit::lane_mask(unsigned lane) {
  auto [it, fresh] = constants_.try_emplace({Op::x64_kmov_from_gpr, lane, 0, 0, 0}, ValueId());
  if (!fresh) return it->second;
  const ValueId bits = in_entry(Op::x64_imm, {number(int64_t{1} << lane)}, kGpr, {4});
  return it->second = in_entry(Op::x64_kmov_from_gpr, {bits}, kKreg, {full()});
}
ValueId Emit::zero() { return hoisted(avx512 ? Op::x64_vzero512 : Op::x64_vzero, full(), 0, 0, 0); }
ValueId Emit::ones() { return hoisted(avx512 ? Op::x64_vones512 : Op::x64_vones, full(), 0, 0, 0); }
ValueId Emit::constant(uint64_t bits, VecType t) {
  for (; t.bits < 32; t.bits *= 2) bits = (bits & ((1u << t.bits) - 1)) * ((1u << t.bits) + 1);
  if (t.bits == 64 && (bits >> 32) == (bits & 0xffffffffu)) t.bits = 32;
  if (t.bits == 32) bits &= 0xffffffffu;
  if (bits == 0) return zero();
  if (bits == (t.bits == 32 ? 0xffffffffu : ~uint64_t{0})) return ones();
  return hoisted(t.bits == 32 ? Op::x64_vconst32 : Op::x64_vconst64, full(), static_cast<int64_t>(bits), 0,
                 0);
}
ValueId Emit::fconstant(double v, VecType t) {
  return constant(t.bits == 32 ? std::bit_cast<uint32_t>(static_cast<float>(v)) : std::bit_cast<uint64_t>(v),
                  t);
}
ValueId Emit::iota(int64_t first, int64_t step, unsigned element_bytes, unsigned bytes) {
  return hoisted(Op::x64_viota, bytes, first, step, element_bytes);
}
// A viota without element size lists its numbers, five bits each, twelve of them in `first`.
ValueId Emit::numbers(const std::vector<uint8_t>& numbers, unsigned bytes) {
  uint64_t words[2] = {};
  for (size_t k = 0; k < numbers.size(); ++k) words[k / 12] |= uint64_t{numbers[k]} << (k % 12 * 5);
  return hoisted(Op::x64_viota, bytes, static_cast<int64_t>(words[0]), static_cast<int64_t>(words[1]), 0);
}
// A viota of 16 bytes to an element has them in `first` and `step`.
ValueId Emit::bytes16(const std::array<uint8_t, 16>& in_each, unsigned bytes) {
  const auto words = std::bit_cast<std::array<int64_t, 2>>(in_each);
  return hoisted(Op::x64_viota, bytes, words[0], words[1], 16);
}
void Emit::finish() {
  auto& insts = m.block(m.entry()).insts;
  for (InstId id : hoisted_) m.inst(id).block = m.entry();
  insts.insert(insts.begin(), hoisted_.begin(), hoisted_.end());
  hoisted_.clear();
}

ValueId Emit::and_(ValueId a, ValueId b, VecType t) {
  return vec(avx512 ? Op::x64_vpandd : Op::x64_vpand, {a, b}, t.bytes);
}
ValueId Emit::or_(ValueId a, ValueId b, VecType t) {
  const auto bytes = word_bytes.joined(a, b);
  if (bytes && bytes->is_word()) return bytes->word;
  const ValueId r = bytes && bytes->count() > 2 ? word_shuffled(*bytes, t)
                                                : vec(avx512 ? Op::x64_vpord : Op::x64_vpor, {a, b}, t.bytes);
  if (bytes) word_bytes.note(r, *bytes);
  return r;
}
ValueId Emit::word_shuffled(const WordBytes::Bytes& bytes, VecType t) {
  std::array<uint8_t, 16> from;
  for (unsigned n = 0; n < 16; ++n) {
    const int8_t taken = bytes.taken[n % 4];
    from[n] =
        taken == WordBytes::kZero ? 0x80 : static_cast<uint8_t>(n / 4 * 4 + static_cast<unsigned>(taken));
  }
  return vec(Op::x64_vpshufb, {bytes.word, bytes16(from, t.bytes)}, t.bytes);
}
ValueId Emit::xor_(ValueId a, ValueId b, VecType t) {
  return vec(avx512 ? Op::x64_vpxord : Op::x64_vpxor, {a, b}, t.bytes);
}
ValueId Emit::andn(ValueId a, ValueId b, VecType t) {
  return vec(avx512 ? Op::x64_vpandnd : Op::x64_vpandn, {a, b}, t.bytes);
}
ValueId Emit::add(ValueId a, ValueId b, VecType t) {
  return vec(pick(t, Op::x64_vpaddb, Op::x64_vpaddw, Op::x64_vpaddd, Op::x64_vpaddq), {a, b}, t.bytes);
}
ValueId Emit::sub(ValueId a, ValueId b, VecType t) {
  return vec(pick(t, Op::x64_vpsubb, Op::x64_vpsubw, Op::x64_vpsubd, Op::x64_vpsubq), {a, b}, t.bytes);
}
ValueId Emit::mul(ValueId a, ValueId b, VecType t) {
  if (t.bits == 16) return vec(Op::x64_vpmullw, {a, b}, t.bytes);
  if (t.bits == 32) return vec(Op::x64_vpmulld, {a, b}, t.bytes);
  if (avx512) return vec(Op::x64_vpmullq, {a, b}, t.bytes);
  // a * b = low(a) * low(b) + ((low(a) * high(b) + high(a) * low(b)) << 32)
  ValueId low = vec(Op::x64_vpmuludq, {a, b}, t.bytes);
  ValueId cross = add(vec(Op::x64_vpmuludq, {a, lshr(b, 32, t)}, t.bytes),
                      vec(Op::x64_vpmuludq, {lshr(a, 32, t), b}, t.bytes), t);
  return add(low, shl(cross, 32, t), t);
}
ValueId Emit::min(bool is_signed, ValueId a, ValueId b, VecType t) {
  if (t.bits < 64 || avx512)
    return vec(is_signed ? pick(t, Op::x64_vpminsb, Op::x64_vpminsw, Op::x64_vpminsd, Op::x64_vpminsq)
                         : pick(t, Op::x64_vpminub, Op::x64_vpminuw, Op::x64_vpminud, Op::x64_vpminuq),
               {a, b}, t.bytes);
  return blend(compare(is_signed, Lt, a, b, t), a, b, t);
}
ValueId Emit::max(bool is_signed, ValueId a, ValueId b, VecType t) {
  if (t.bits < 64 || avx512)
    return vec(is_signed ? pick(t, Op::x64_vpmaxsb, Op::x64_vpmaxsw, Op::x64_vpmaxsd, Op::x64_vpmaxsq)
                         : pick(t, Op::x64_vpmaxub, Op::x64_vpmaxuw, Op::x64_vpmaxud, Op::x64_vpmaxuq),
               {a, b}, t.bytes);
  return blend(compare(is_signed, Lt, b, a, t), a, b, t);
}
// Bytes are shifted as shorts, and what crosses from one to its neighbour is cut.
ValueId Emit::shl(ValueId a, unsigned n, VecType t) {
  if (n == 0) return a;
  if (t.bits == 8) return and_(shl(a, n, t.as(16)), constant(0xffu << n, t), t);
  if (t.bits == 16) return vec(Op::x64_vpsllw, {a}, t.bytes, n);
  const ValueId r = vec(pick(t, Op::x64_vpslld, Op::x64_vpsllq), {a}, t.bytes, n);
  if (t.bits == 32) word_bytes.note_shifted(r, a, n);
  return r;
}
ValueId Emit::lshr(ValueId a, unsigned n, VecType t) {
  if (n == 0) return a;
  if (t.bits == 8) return and_(lshr(a, n, t.as(16)), constant(0xffu >> n, t), t);
  if (t.bits == 16) return vec(Op::x64_vpsrlw, {a}, t.bytes, n);
  return vec(pick(t, Op::x64_vpsrld, Op::x64_vpsrlq), {a}, t.bytes, n);
}
ValueId Emit::ashr(ValueId a, unsigned n, VecType t) {
  if (n == 0) return a;
  if (t.bits == 16) return vec(Op::x64_vpsraw, {a}, t.bytes, n);
  if (t.bits == 32 || (t.bits == 64 && avx512))
    return vec(pick(t, Op::x64_vpsrad, Op::x64_vpsraq), {a}, t.bytes, n);
  // Logical shift of the biased value, then the bias is subtracted.
  ValueId sign = constant(uint64_t{1} << (t.bits - 1 - n), t);
  return sub(xor_(lshr(a, n, t), sign, t), sign, t);
}
ValueId Emit::shl(ValueId a, ValueId n, VecType t) {
  return vec(pick(t, Op::x64_vpsllvd, Op::x64_vpsllvq), {a, n}, t.bytes);
}
ValueId Emit::lshr(ValueId a, ValueId n, VecType t) {
  return vec(pick(t, Op::x64_vpsrlvd, Op::x64_vpsrlvq), {a, n}, t.bytes);
}
ValueId Emit::ashr(ValueId a, ValueId n, VecType t) {
  if (t.bits == 32 || avx512) return vec(pick(t, Op::x64_vpsravd, Op::x64_vpsravq), {a, n}, t.bytes);
  ValueId sign = lshr(constant(uint64_t{1} << 63, t), n, t);
  return sub(xor_(lshr(a, n, t), sign, t), sign, t);
}

ValueId Emit::compare(bool is_signed, Predicate p, ValueId a, ValueId b, VecType t) {
  if (avx512) {
    Op op = is_signed ? pick(t, Op::x64_vpcmpb, Op::x64_vpcmpw, Op::x64_vpcmpd, Op::x64_vpcmpq)
                      : pick(t, Op::x64_vpcmpub, Op::x64_vpcmpuw, Op::x64_vpcmpud, Op::x64_vpcmpuq);
    return kreg(op, {a, b}, t.bytes, p);
  }
  auto equal = [&](ValueId x, ValueId y) {
    return vec(pick(t, Op::x64_vpcmpeqb, Op::x64_vpcmpeqw, Op::x64_vpcmpeqd, Op::x64_vpcmpeqq), {x, y},
               t.bytes);
  };
  auto inverted = [&](ValueId x) { return xor_(x, ones(), t); };
  if (p == Eq) return equal(a, b);
  if (p == NotEq) return inverted(equal(a, b));
  if (!is_signed && t.bits < 64) {
    // Unsigned comparison by equality with the minimum.
    ValueId le = equal(min(false, a, b, t), p == Le || p == NotLe ? a : b);
    return p == Le || p == NotLt ? le : inverted(le);
  }
  if (!is_signed) {
    ValueId bias = constant(uint64_t{1} << 63, t);
    a = xor_(a, bias, t), b = xor_(b, bias, t);
  }
  auto greater = [&](ValueId x, ValueId y) {
    return vec(pick(t, Op::x64_vpcmpgtb, Op::x64_vpcmpgtw, Op::x64_vpcmpgtd, Op::x64_vpcmpgtq), {x, y},
               t.bytes);
  };
  switch (p) {
    case Lt:
      return greater(b, a);
    case NotLe:
      return greater(a, b);
    case Le:
      return inverted(greater(a, b));
    default:
      return inverted(greater(b, a));
  }
}
ValueId Emit::blend(ValueId mask, ValueId yes, ValueId no, VecType t) {
  if (yes == no || is_none(mask)) return no;
  if (avx512)
    return vec(pick(t, Op::x64_vpblendmb, Op::x64_vpblendmw, Op::x64_vpblendmd, Op::x64_vpblendmq),
               {mask, yes, no}, t.bytes);
  return vec(pick(t, Op::x64_vpblendvb, Op::x64_vpblendvb, Op::x64_vblendvps, Op::x64_vblendvpd),
             {mask, yes, no}, t.bytes);
}
ValueId Emit::keep(ValueId mask, ValueId a, VecType t) {
  if (avx512) return vec(pick(t, Op::x64_vmovdqa32_z, Op::x64_vmovdqa64_z), {mask, a}, t.bytes);
  return and_(mask, a, t);
}

ValueId Emit::fadd(ValueId a, ValueId b, VecType t) {
  return vec(pick(t, Op::x64_vaddps, Op::x64_vaddpd), {a, b}, t.bytes);
}
ValueId Emit::fsub(ValueId a, ValueId b, VecType t) {
  return vec(pick(t, Op::x64_vsubps, Op::x64_vsubpd), {a, b}, t.bytes);
}
ValueId Emit::fmul(ValueId a, ValueId b, VecType t) {
  return vec(pick(t, Op::x64_vmulps, Op::x64_vmulpd), {a, b}, t.bytes);
}
ValueId Emit::fdiv(ValueId a, ValueId b, VecType t) {
  return vec(pick(t, Op::x64_vdivps, Op::x64_vdivpd), {a, b}, t.bytes);
}
ValueId Emit::fsqrt(ValueId a, VecType t) {
  return vec(pick(t, Op::x64_vsqrtps, Op::x64_vsqrtpd), {a}, t.bytes);
}
ValueId Emit::raw_min(ValueId a, ValueId b, VecType t) {
  return vec(pick(t, Op::x64_vminps, Op::x64_vminpd), {a, b}, t.bytes);
}
ValueId Emit::raw_max(ValueId a, ValueId b, VecType t) {
  return vec(pick(t, Op::x64_vmaxps, Op::x64_vmaxpd), {a, b}, t.bytes);
}
ValueId Emit::round(ValueId a, unsigned mode, VecType t) {
  if (avx512) return vec(pick(t, Op::x64_vrndscaleps, Op::x64_vrndscalepd), {a}, t.bytes, mode | 8);
  return vec(pick(t, Op::x64_vroundps, Op::x64_vroundpd), {a}, t.bytes, mode | 8);
}
ValueId Emit::fcompare(Predicate p, ValueId a, ValueId b, VecType t) {
  if (avx512) return kreg(pick(t, Op::x64_vcmpps_k, Op::x64_vcmppd_k), {a, b}, t.bytes, p);
  return vec(pick(t, Op::x64_vcmpps, Op::x64_vcmppd), {a, b}, t.bytes, p);
}

ValueId Emit::constant_mask(bool all, unsigned bytes) {
  if (!avx512) return all ? ones() : zero();
  const uint64_t lanes = (uint64_t{1} << (bytes / 4)) - 1;
  // With fewer lanes than 16 a mask may have bits beyond them.
  const bool ones = all && lanes == 0xffff;
  const ValueId mask = ones ? kreg(Op::x64_kones, {}, bytes)
                            : kreg(Op::x64_kmov_from_gpr, {gpr_const(all ? lanes : 0)}, bytes);
  if (!all || ones) constant_masks_[mask] = all;
  return mask;
}
bool Emit::is_constant_mask(ValueId mask, bool all) const {
  if (avx512) {
    const auto at = constant_masks_.find(mask);
    return at != constant_masks_.end() && at->second == all;
  }
  const auto at = constants_.find({all ? Op::x64_vones : Op::x64_vzero, full(), 0, 0, 0});
  return at != constants_.end() && at->second == mask;
}
ValueId Emit::mask_and(ValueId a, ValueId b, VecType t) {
  if (is_none(a) || is_all(b)) return a;
  if (is_none(b) || is_all(a)) return b;
  return avx512 ? kreg(Op::x64_kand, {a, b}, t.bytes) : note_halves(and_(a, b, t), a, b, &Emit::and_);
}
ValueId Emit::mask_or(ValueId a, ValueId b, VecType t) {
  if (is_none(a)) return b;
  if (is_none(b)) return a;
  return avx512 ? kreg(Op::x64_kor, {a, b}, t.bytes) : note_halves(or_(a, b, t), a, b, &Emit::or_);
}
ValueId Emit::mask_xor(ValueId a, ValueId b, VecType t) {
  if (avx512 && (is_all(a) || is_all(b))) return kreg(Op::x64_knot, {is_all(a) ? b : a}, t.bytes);
  return avx512 ? kreg(Op::x64_kxor, {a, b}, t.bytes) : note_halves(xor_(a, b, t), a, b, &Emit::xor_);
}
ValueId Emit::mask_xnor(ValueId a, ValueId b, VecType t) {
  return avx512 ? kreg(Op::x64_kxnor, {a, b}, t.bytes) : xor_(xor_(a, b, t), ones(), t);
}
ValueId Emit::mask_andn(ValueId a, ValueId b, VecType t) {
  if (is_none(a) || is_none(b)) return a;
  if (avx512 && is_all(a)) return kreg(Op::x64_knot, {b}, t.bytes);
  return avx512 ? kreg(Op::x64_kandn, {b, a}, t.bytes) : note_halves(andn(b, a, t), b, a, &Emit::andn);
}
ValueId Emit::mask_bits(ValueId mask, VecType t) {
  if (avx512) return gpr(Op::x64_kmov_to_gpr, {mask});
  return gpr(pick(t, Op::x64_vmovmskps, Op::x64_vmovmskpd), {mask}, t.bytes);
}
ValueId Emit::mask_from_bits(ValueId bits, VecType t) {
  if (avx512) return kreg(Op::x64_kmov_from_gpr, {bits}, t.bytes);
  // Each lane shifts its bit to the sign position.
  ValueId word = splat_gpr(bits, t);
  return ashr(shl(word, iota(t.bits - 1, -1, t.bits / 8, t.bytes), t), t.bits - 1, t);
}
ValueId Emit::mask_from_bool(ValueId bit, VecType t) {
  ValueId all = gpr(Op::x64_neg, {bit}, 4);
  if (avx512) return kreg(Op::x64_kmov_from_gpr, {all}, t.bytes);
  return splat_gpr(all, t.as(32));
}
ValueId Emit::note_halves(ValueId result, ValueId a, ValueId b, Logic logic) {
  // To widen a mask takes no more instructions than so many steps.
  constexpr unsigned kMostSteps = 2;
  const auto of_a = halves_.find(a), of_b = halves_.find(b);
  if (of_a == halves_.end() || of_b == halves_.end()) return result;
  const unsigned steps = 1 + std::max(of_a->second.steps, of_b->second.steps);
  if (steps <= kMostSteps) halves_[result] = {a, b, logic, steps};
  return result;
}
// The mask has an entry in `halves_`.
ValueId Emit::known_half(ValueId mask, unsigned half, VecType t) {
  const Halves& known = halves_.at(mask);
  if (!known.logic) return half ? known.b : known.a;
  const ValueId a = known_half(known.a, half, t), b = known_half(known.b, half, t);
  return (this->*known.logic)(a, b, t);
}
ValueId Emit::mask_half(ValueId mask, unsigned half, VecType t) {
  if (is_none(mask)) return mask;
  if (avx512) return half ? kreg(Op::x64_kshiftr, {mask}, t.bytes, t.bytes / 8) : mask;
  return halves_.contains(mask) ? known_half(mask, half, t) : widen(mask, half, true, t);
}
ValueId Emit::mask_join(ValueId low, ValueId high, VecType t) {
  if (!avx512) {
    const ValueId joined = narrow(low, high, t);
    halves_[joined] = {low, high};
    return joined;
  }
  if (t.bytes == 64) return kreg(Op::x64_kunpck, {high, low}, t.bytes);
  ValueId shifted = kreg(Op::x64_kshiftl, {high}, t.bytes, t.bytes / 8);
  return kreg(Op::x64_kor, {shifted, low}, t.bytes);
}

ValueId Emit::splat_gpr(ValueId a, VecType t) {
  if (avx512) return vec(pick(t, Op::x64_vpbroadcastd_gpr, Op::x64_vpbroadcastq_gpr), {a}, t.bytes);
  return splat_vec(to_vec(a, t.bits), t);
}
ValueId Emit::splat_vec(ValueId a, VecType t) {
  return vec(pick(t, Op::x64_vpbroadcastd, Op::x64_vpbroadcastq), {a}, t.bytes);
}
ValueId Emit::to_vec(ValueId a, unsigned bits) {
  return vec(bits == 64 ? Op::x64_vmovq_from_gpr : Op::x64_vmovd_from_gpr, {a}, 16);
}
ValueId Emit::to_gpr(ValueId a, unsigned bits) {
  return gpr(bits == 64 ? Op::x64_vmovq_to_gpr : Op::x64_vmovd_to_gpr, {a}, 16);
}
ValueId Emit::extract_half(ValueId a, unsigned half, VecType t) {
  if (half == 0 || t.bytes == 16) return a;
  if (t.bytes == 64) return vec(Op::x64_vextracti64x4, {a}, 64, 1);
  return vec(avx512 ? Op::x64_vextracti32x4 : Op::x64_vextracti128, {a}, 32, 1);
}
ValueId Emit::insert_half(ValueId a, ValueId high, VecType t) {
  if (t.bytes == 16) return a;
  if (t.bytes == 64) return vec(Op::x64_vinserti64x4, {a, high}, 64, 1);
  return vec(avx512 ? Op::x64_vinserti32x4 : Op::x64_vinserti128, {a, high}, 32, 1);
}
ValueId Emit::quarter_of(ValueId a, unsigned lane, VecType t) {
  const unsigned quarter = lane / (128 / t.bits);
  if (quarter == 0) return a;
  auto [it, fresh] = lane_parts_.try_emplace({a, block, quarter}, ValueId());
  if (fresh) it->second = vec(avx512 ? Op::x64_vextracti32x4 : Op::x64_vextracti128, {a}, t.bytes, quarter);
  return it->second;
}
ValueId Emit::extract(ValueId a, unsigned lane, VecType t) {
  const unsigned per = 128 / t.bits;
  a = quarter_of(a, lane, t);
  if (lane % per == 0) return to_gpr(a, t.bits);
  return gpr(t.bits == 64 ? Op::x64_vpextrq : Op::x64_vpextrd, {a}, 16, lane % per);
}
ValueId Emit::build(const std::vector<ValueId>& gprs, VecType t) {
  unsigned per = 128 / t.bits;
  ValueId result;
  for (unsigned q = 0; q * per < gprs.size(); ++q) {
    ValueId x = to_vec(gprs[q * per], t.bits);
    for (unsigned i = 1; i < per && q * per + i < gprs.size(); ++i)
      x = vec(t.bits == 64 ? Op::x64_vpinsrq : Op::x64_vpinsrd, {x, gprs[q * per + i]}, 16, i);
    result = insert_quarter(result, x, q, t);
  }
  return result;
}
ValueId Emit::insert_quarter(ValueId a, ValueId part, unsigned quarter, VecType t) {
  if (quarter == 0) return part;
  return vec(avx512 ? Op::x64_vinserti32x4 : Op::x64_vinserti128, {a, part}, t.bytes, quarter);
}
ValueId Emit::widen(ValueId a, unsigned half, bool is_signed, VecType t) {
  return vec(is_signed ? Op::x64_vpmovsxdq : Op::x64_vpmovzxdq, {extract_half(a, half, t)}, t.bytes);
}
ValueId Emit::narrow(ValueId low, ValueId high, VecType t) {
  if (t.bytes == 16) return avx512 ? vec(Op::x64_vpmovqd, {low}, 16) : vec(Op::x64_vpshufd, {low}, 16, 0x08);
  if (avx512)
    return insert_half(vec(Op::x64_vpmovqd, {low}, t.bytes), vec(Op::x64_vpmovqd, {high}, t.bytes), t);
  // Even words of each 128-bit half, then permuted into order.
  return vec(Op::x64_vpermq, {vec(Op::x64_vshufps, {low, high}, 32, 0x88)}, 32, 0xd8);
}

}  // namespace kc::x64
