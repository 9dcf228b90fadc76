// SPDX-License-Identifier: Apache-2.0
#include "passes/analysis/neighbours.h"

#include <algorithm>
#include <bit>
#include <cstdlib>

#include "ir/cfg.h"

namespace kc {
namespace {

constexpr int64_t kNear = 8;  // as a step or a factor
// A quotient by this number is the same in so many lanes.
constexpr unsigned kManyBits = 4;
constexpr uint64_t kManyLanes = 1 << kManyBits;

NeighbourGuess steady() { return {.kind = NeighbourGuess::Steady}; }
NeighbourGuess near_by(std::optional<int64_t> step) {
  if (step && std::abs(*step) > kNear) return {};
  return {.kind = NeighbourGuess::Near, .step = step};
}

class Guesser {
 public:
  Guesser(const Function& wave, const std::vector<Shape>& shapes) : f(wave), shapes_(shapes) {
    for (uint32_t i = 0; i < f.value_count(); ++i) {
      const Shape& s = shapes_[i];
      if (s.uniform())
        guesses_.push_back(steady());
      else
        guesses_.push_back(s.kind == Shape::Strided ? near_by(s.stride) : NeighbourGuess{});
    }
  }

  std::vector<NeighbourGuess> run() {
    const Cfg cfg(f);
    for (BlockId b : cfg.rpo)
      for (InstId i : f.block(b).insts) {
        const Inst& inst = f.inst(i);
        if (inst.results.size() != 1) continue;
        NeighbourGuess& g = guesses_[inst.results[0].index];
        if (g.kind == NeighbourGuess::Far) g = guess(inst);
      }
    return std::move(guesses_);
  }

 private:
  using Guess = NeighbourGuess;

  bool uniform(ValueId v) const { return shapes_[v.index].uniform(); }
  std::optional<uint64_t> constant(ValueId v) const {
    return f.is_const(v) ? std::optional(f.value(v).bits) : std::nullopt;
  }

  static Guess sum(const Guess& a, const Guess& b, int64_t sign) {
    if (b.kind == Guess::Steady) return a;
    if (a.kind == Guess::Steady) return near_by(b.step ? std::optional(sign * *b.step) : std::nullopt);
    if (!a.step || !b.step) return near_by(std::nullopt);
    const int64_t step = *a.step + sign * *b.step;
    return step == 0 ? steady() : near_by(step);  // id - id % n
  }

  // A bound, or a mask, that most lanes do not notice.
  static Guess limited(const Guess& a, const Guess& b) {
    if (b.kind == Guess::Steady) return a;
    if (a.kind == Guess::Steady) return b;
    return a == b ? a : near_by(std::nullopt);
  }

  // ~x, which takes single bits away, as those of a butterfly.
  bool is_complement(ValueId v) const {
    const InstId d = f.is_inline(v) ? InstId() : f.def(v);
    return d && f.inst(d).op == Op::xor_ &&
           constant(f.inst(d).operands[1]) == ~uint64_t{0} >> (64 - f.type(v).bits());
  }

  Guess masked(const Guess& a, const Guess& b, ValueId by) const {
    const auto bits = constant(by);
    if (a.kind == Guess::Near && !bits && is_complement(by)) return near_by(std::nullopt);
    if (a.kind != Guess::Near || !bits) return limited(a, b);
    // Without its low bits a number is the same in many lanes; with few of them it begins again in each
    // vector.
    if (std::countr_zero(*bits) >= static_cast<int>(kManyBits)) return steady();
    return std::countr_one(*bits) >= static_cast<int>(kManyBits) ? a : near_by(std::nullopt);
  }

  static Guess scaled(const Guess& a, uint64_t factor) {
    if (a.kind == Guess::Steady) return a;
    if (factor > static_cast<uint64_t>(kNear)) return {};
    return near_by(a.step ? std::optional(*a.step * static_cast<int64_t>(factor)) : std::nullopt);
  }

  // A divisor that is not known is large.
  static Guess divided(const Guess& a, std::optional<uint64_t> divisor) {
    if (a.kind == Guess::Steady || !divisor || *divisor >= kManyLanes) return steady();
    return near_by(a.step ? std::optional(*a.step / static_cast<int64_t>(std::max<uint64_t>(*divisor, 1)))
                          : std::nullopt);
  }

  Guess guess(const Inst& inst) const {
    auto at = [&](size_t k) -> const Guess& { return guesses_[inst.operands[k].index]; };
    auto far = [&](size_t k) { return at(k).kind == Guess::Far; };
    const size_t first = inst.op == Op::select || inst.op == Op::blend ? 1 : 0;
    for (size_t k = first; k < inst.operands.size(); ++k)
      if (far(k)) return {};
    switch (inst.op) {
      case Op::add:
        return sum(at(0), at(1), 1);
      case Op::sub:
        return sum(at(0), at(1), -1);
      case Op::and_:
        return masked(at(0), at(1), inst.operands[1]);
      case Op::or_:
      case Op::smin:
      case Op::smax:
      case Op::umin:
      case Op::umax:
        return limited(at(0), at(1));
      case Op::xor_:
        return at(0).kind == Guess::Steady && at(1).kind == Guess::Steady ? steady() : near_by(std::nullopt);
      case Op::select:
      case Op::blend:
        return limited(at(1), at(2));
      case Op::sext:
      case Op::zext:
      case Op::trunc:
        return at(0);
      case Op::lshr:
      case Op::ashr: {
        if (!uniform(inst.operands[1])) return {};
        const auto count = constant(inst.operands[1]);
        return divided(at(0),
                       count && *count < kManyBits ? std::optional(uint64_t{1} << *count) : std::nullopt);
      }
      case Op::sdiv:
      case Op::udiv:
        return uniform(inst.operands[1]) ? divided(at(0), constant(inst.operands[1])) : Guess{};
      case Op::srem:
      case Op::urem: {
        if (!uniform(inst.operands[1])) return {};
        const auto divisor = constant(inst.operands[1]);
        return divisor && *divisor < kManyLanes && at(0).kind == Guess::Near ? near_by(std::nullopt) : at(0);
      }
      case Op::mul: {
        if (at(0).kind == Guess::Steady && at(1).kind == Guess::Steady) return steady();
        const auto factor = constant(inst.operands[1]);
        return factor ? scaled(at(0), *factor) : Guess{};
      }
      case Op::shl: {
        if (at(0).kind == Guess::Steady && uniform(inst.operands[1])) return steady();
        const auto count = constant(inst.operands[1]);
        return count && *count < kManyBits ? scaled(at(0), uint64_t{1} << *count) : Guess{};
      }
      case Op::ptr_add:
        if (!uniform(inst.operands[0]) || inst.attrs[0] < 0 || inst.attrs[0] > kNear) return {};
        return scaled(at(1), static_cast<uint64_t>(inst.attrs[0]));
      default:
        return {};
    }
  }

  const Function& f;
  const std::vector<Shape>& shapes_;
  std::vector<NeighbourGuess> guesses_;
};

}  // namespace

std::vector<NeighbourGuess> guess_neighbours(const Function& wave, const std::vector<Shape>& shapes) {
  return Guesser(wave, shapes).run();
}

}  // namespace kc
