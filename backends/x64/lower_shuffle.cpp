// SPDX-License-Identifier: Apache-2.0
// Lane shuffles: a permutation of each source vector for each result vector.
#include <bit>
#include <optional>

#include "backends/x64/elements.h"
#include "backends/x64/lower.h"

namespace kc::x64 {

namespace {

// k where lane i takes the value of lane i ^ k.
std::optional<uint64_t> distance_in_butterfly(const Function& w, ValueId index) {
  const InstId exchange = w.def(index);
  if (!exchange || w.inst(exchange).op != Op::xor_) return std::nullopt;
  const auto& of = w.inst(exchange).operands;
  const InstId lane = w.def(of[0]);
  if (!lane || w.inst(lane).op != Op::lane_id || !w.is_const(of[1]) || w.value(of[1]).bits >= w.width)
    return std::nullopt;
  return w.value(of[1]).bits;
}

}  // namespace

// Lanes outside the mask are zeroed before the permutation. A lane number outside a vector selects nothing
// from it.
void X64Lowering::lane_shuffle(const Inst& inst) {
  std::vector<ValueId> mask = parts(inst.operands[0]), from = parts(inst.operands[1]),
                       index = parts(inst.operands[2]);
  const bool wide = element_bits(w.type(inst.results[0]).elem) == 64;
  const VecType t = wide ? vec64() : vec32();
  const unsigned per = wide ? 2 : 1, log2_lanes = static_cast<unsigned>(std::countr_zero(t.lanes()));
  for (size_t s = 0; s < from.size() && !known_full(inst.operands[0]); ++s) {
    ValueId lanes = wide ? e.mask_half(mask[s / 2], s % 2, vec32()) : mask[s];
    from[s] = e.keep(lanes, from[s], t);
  }
  const auto butterfly = distance_in_butterfly(w, inst.operands[2]);
  Lowered r;
  for (size_t d = 0; d < count_ * per; ++d) {
    ValueId lane = wide ? e.widen(index[d / 2], d % 2, false, vec32()) : index[d];
    ValueId part = e.lshr(lane, log2_lanes, t), word = lane;
    if (wide) {  // two words: 2i and 2i + 1
      ValueId low = e.add(lane, lane, t);
      word = e.add(e.or_(e.shl(low, 32, t), low, t), e.constant(uint64_t{1} << 32, t), t);
    }
    if (butterfly) {
      ValueId& other = from[d ^ *butterfly / t.lanes()];
      r.parts.push_back(*butterfly % t.lanes() ? e.vec(Op::x64_vpermd, {word, other}, bytes_) : other);
      continue;
    }
    ValueId all;
    for (size_t s = 0; s < from.size(); ++s) {
      ValueId found = e.vec(Op::x64_vpermd, {word, from[s]}, bytes_);
      ValueId here = e.compare(false, Predicate::Eq, part, e.constant(s, t), t);
      all = all ? e.blend(here, found, all, t) : e.keep(here, found, t);
    }
    r.parts.push_back(all);
  }
  bind(inst.results[0], std::move(r));
}

}  // namespace kc::x64
