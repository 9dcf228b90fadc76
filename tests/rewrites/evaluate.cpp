// SPDX-License-Identifier: Apache-2.0
#include "tests/rewrites/evaluate.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <limits>

#include "ir/check.h"

namespace kc::rewrites {
namespace {

bool is_nan(unsigned width, uint64_t bits) {
  return width == 32 ? std::isnan(std::bit_cast<float>(static_cast<uint32_t>(bits)))
                     : std::isnan(std::bit_cast<double>(bits));
}
uint64_t kept(uint64_t bits, unsigned width) {
  return width < 64 ? bits & ((uint64_t{1} << width) - 1) : bits;
}

std::vector<uint64_t> specials_of(Elem e) {
  if (e == Elem::F32 || e == Elem::F64) {
    std::vector<uint64_t> all;
    auto add = [&](double d) {
      all.push_back(e == Elem::F32 ? std::bit_cast<uint32_t>(static_cast<float>(d))
                                   : std::bit_cast<uint64_t>(d));
    };
    using Float = std::numeric_limits<float>;
    using Double = std::numeric_limits<double>;
    const bool single = e == Elem::F32;
    for (double d : {0.0, 1.0, 2.0, 0.5, 3.0, HUGE_VAL}) add(d), add(-d);
    add(std::nan(""));
    add(single ? double{Float::denorm_min()} : Double::denorm_min());
    add(single ? double{Float::max()} : Double::max());
    add(single ? double{Float::min()} : Double::min());  // the smallest normal power of two
    add(single ? 0x1p127 : 0x1p1023);                    // its inverse is denormal
    add(single ? 0x1p-149 : 0x1p-1074);
    return all;
  }
  const unsigned width = Type{e}.bits();
  if (width == 1) return {0, 1};
  if (Type{e}.is_pointer()) return {0, 16, kept(~uint64_t{0}, width)};
  const uint64_t top = uint64_t{1} << (width - 1), half = uint64_t{1} << (width / 2);
  std::vector<uint64_t> all{
      0, 1, 2, 6, 7, width - 1, width, half - 1, half, top - 1, top, ~uint64_t{0}, ~uint64_t{0} - 1};
  for (uint64_t& v : all) v = kept(v, width);
  return all;
}

}  // namespace

std::span<const uint64_t> special_values(Elem e) {
  static const auto all = [] {
    std::vector<std::vector<uint64_t>> lists;
    for (size_t k = 0; k < static_cast<size_t>(Elem::Count_); ++k) {
      const Type type{static_cast<Elem>(k)};
      lists.push_back(type.bits() ? specials_of(type.elem) : std::vector<uint64_t>());
    }
    return lists;
  }();
  return all[static_cast<size_t>(e)];
}

std::pair<uint64_t, uint64_t> launch_range(Op op) {
  constexpr uint64_t kMostItems = (uint64_t{1} << 31) - 1, kMostInGroup = 1024;
  switch (op) {
    case Op::local_id:
      return {0, kMostInGroup - 1};
    case Op::local_size:
      return {1, kMostInGroup};
    case Op::global_size:
    case Op::num_groups:
      return {1, kMostItems};
    case Op::work_dim:
      return {1, 3};
    default:
      return {0, kMostItems};
  }
}

Evaluation::Evaluation(const Terms& terms, TermId before, TermId after)
    : terms_(terms), variables_(terms.variables({before, after})), elem_(terms[before].elem) {
  for (TermId v : variables_) slot_.emplace(v, static_cast<uint32_t>(slot_.size()));
  slots_.resize(slot_.size());
  before_ = slot_of(before, true);
  after_ = slot_of(after, false);
}

uint32_t Evaluation::slot_of(TermId id, bool is_before) {
  if (auto known = slot_.find(id); known != slot_.end()) return known->second;
  const Term& t = terms_[id];
  KC_CHECK(t.kind == Term::Constant || t.kind == Term::Operation, "a term without a value");
  Step step{.count = t.count, .attrs = t.attrs};
  for (size_t k = 0; k < t.count; ++k) step.operands[k] = slot_of(t.operands[k], is_before);
  const auto slot = static_cast<uint32_t>(slots_.size());
  slots_.push_back(t.bits);
  slot_.emplace(id, slot);
  if (t.kind == Term::Constant) return slot;
  const Elem from = terms_[t.operands[0]].elem;
  if (t.op == Op::ptr_add) {
    step.width = Type{terms_[t.operands[1]].elem}.bits();
    step.result = Type{t.elem}.bits();
  } else {
    step.eval = info(t.op).eval(from, t.elem);
    KC_CHECK(step.eval != nullptr, "{} has no evaluation", name_of(t.op));
    step.reads_nan = is_before && t.op == Op::bitcast && Type{from}.is_float() && !Type{t.elem}.is_float();
    step.width = Type{from}.bits();
  }
  steps_.push_back(step);
  into_.push_back(slot);
  return slot;
}

unsigned Evaluation::bits() const {
  unsigned sum = 0;
  for (TermId v : variables_) sum += Type{terms_[v].elem}.bits();
  return sum;
}

Agreement Evaluation::operator()(std::span<const uint64_t> values) {
  std::ranges::copy(values, slots_.begin());
  bool unspecified = false;
  for (size_t n = 0; n < steps_.size(); ++n) {
    const Step& s = steps_[n];
    uint64_t operands[3];
    for (size_t k = 0; k < s.count; ++k) operands[k] = slots_[s.operands[k]];
    if (s.eval) {
      slots_[into_[n]] = s.eval(operands);
      if (s.reads_nan) unspecified |= is_nan(s.width, operands[0]);
      continue;
    }
    // pointer + sext(index) * scale + offset, modulo the width of the pointer
    const uint64_t index =
        static_cast<uint64_t>(static_cast<int64_t>(operands[1] << (64 - s.width)) >> (64 - s.width));
    slots_[into_[n]] =
        kept(operands[0] + index * static_cast<uint64_t>(s.attrs[0]) + static_cast<uint64_t>(s.attrs[1]),
             s.result);
  }
  if (unspecified) return Agreement::Unspecified;
  const uint64_t a = slots_[before_], b = slots_[after_];
  if (a == b) return Agreement::Equal;
  const unsigned width = Type{elem_}.bits();
  return Type{elem_}.is_float() && is_nan(width, a) && is_nan(width, b) ? Agreement::Equal
                                                                        : Agreement::Different;
}

}  // namespace kc::rewrites
