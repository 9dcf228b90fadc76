// SPDX-License-Identifier: Apache-2.0
// Runs a structured program with an active mask that every statement narrows and restores. It uses neither a
// CFG nor a block order, and shares nothing with the compiler.
#include <algorithm>
#include <array>
#include <bit>

#include "fuzz/structured_tree.h"

namespace kc::fuzz {
namespace {

constexpr uint32_t kLanes = 64;
using Mask = uint64_t;
template <typename T>
using Each = std::array<T, kLanes>;

template <typename Visit>
void each(Mask mask, Visit visit) {
  for (; mask; mask &= mask - 1) visit(static_cast<uint32_t>(std::countr_zero(mask)));
}

class SubGroup {
 public:
  SubGroup(const StructuredTree& tree, uint32_t n, uint64_t* out) : tree_(tree), n_(n), out_(out) {}

  void run(uint32_t first, uint32_t count) {
    Activation a = activation(tree_.procedures.size() - 1);
    for (uint32_t l = 0; l < count; ++l) a.x[l] = (first + l) * 2654435761u, a.acc[l] = 1;
    Mask all = count == kLanes ? ~Mask{0} : (Mask{1} << count) - 1;
    body(tree_.procedures.back().body, all, a);
    each(all, [&](uint32_t l) { out_[4 * l] += a.acc[l]; });
  }

 private:
  // One call of a procedure, with the masks of its work-items that left by jumps.
  struct Activation {
    Each<uint32_t> x{};
    Each<uint64_t> acc{};
    std::vector<Each<uint32_t>> counters;
    std::array<Mask, kFlags> flags{};
    Mask broke = 0, continued = 0, returned = 0, thrown = 0;
  };
  Activation activation(size_t procedure) const {
    Activation a;
    a.counters.resize(tree_.procedures[procedure].counters);
    return a;
  }

  Mask where(const Condition& c, Mask mask, const Activation& a) const {
    if (c.test == Test::Votes) {
      auto votes = static_cast<uint32_t>(std::popcount(where(c.parts[0], mask, a)));
      return votes > c.n ? mask : 0;
    }
    if (c.test == Test::And) return where(c.parts[1], where(c.parts[0], mask, a), a);
    if (c.test == Test::Or) {
      Mask first = where(c.parts[0], mask, a);
      return first | where(c.parts[1], mask & ~first, a);
    }
    if (c.test == Test::Constant) return c.bits ? mask : 0;
    if (c.test == Test::Flag) return mask & a.flags[c.n];
    Mask result = 0;
    each(mask, [&](uint32_t l) {
      bool yes = false;
      switch (c.test) {
        case Test::Mask:
          yes = c.bits >> l & 1;
          break;
        case Test::Uniform:
          yes = n_ >> c.n & 1;
          break;
        case Test::Data:
          yes = a.x[l] >> c.n & 1;
          break;
        case Test::Counter:
          yes = (a.counters[c.n][l] + a.x[l]) % 3 == c.bits;
          break;
        default:
          yes = l < c.n;
      }
      result |= Mask{yes} << l;
    });
    return result;
  }

  // Each function returns the mask of the work-items that reach the end.
  Mask body(const Body& b, Mask mask, Activation& a) {
    for (const Statement& s : b) {
      if (!mask) break;
      mask = statement(s, mask, a);
    }
    return mask;
  }

  Mask statement(const Statement& s, Mask mask, Activation& a) {
    switch (s.step) {
      case Step::Ballot: {
        Mask bits = where(s.condition, mask, a);
        each(mask, [&](uint32_t l) { a.acc[l] = a.acc[l] * 33 + bits; });
        return mask;
      }
      case Step::Convergent:
        meet(s, mask, a);
        return mask;
      case Step::Store:
        each(mask, [&](uint32_t l) { out_[4 * l + s.n] += a.acc[l]; });
        return mask;
      case Step::Change:
        each(mask, [&](uint32_t l) { a.x[l] = a.x[l] * 5 + (a.x[l] >> 7) + l + s.n; });
        return mask;
      case Step::Flag:
        a.flags[s.n] = (a.flags[s.n] & ~mask) | where(s.condition, mask, a);
        return mask;
      case Step::Break:
        a.broke |= mask;
        return 0;
      case Step::Continue:
        a.continued |= mask;
        return 0;
      case Step::Return:
        a.returned |= mask;
        return 0;
      case Step::Throw:
        a.thrown |= mask;
        return 0;
      case Step::Call:
        call(s, mask, a);
        return mask;
      case Step::If: {
        Mask yes = where(s.condition, mask, a);
        return body(s.bodies[0], yes, a) | body(s.bodies[1], mask & ~yes, a);
      }
      case Step::Try: {
        Mask outer = a.thrown;
        a.thrown = 0;
        Mask ends = body(s.bodies[0], mask, a), caught = a.thrown;
        a.thrown = outer;
        return ends | body(s.bodies[1], caught, a);
      }
      case Step::Switch:
        return choose(s, mask, a);
      default:
        return loop(s, mask, a);
    }
  }

  void meet(const Statement& s, Mask mask, Activation& a) {
    uint32_t sum = 0, largest = 0;
    const auto lowest = static_cast<uint32_t>(std::countr_zero(mask));
    const Mask yes = s.n == 4 || s.n == 5 ? where(s.condition, mask, a) : 0;
    Each<uint32_t> got{};
    each(mask, [&](uint32_t l) {
      auto from = [&](uint32_t lane) { return lane < kLanes && (mask >> lane & 1) ? a.x[lane] : 0; };
      largest = std::max(largest, a.x[l]);
      got[l] = s.n == 1   ? largest
               : s.n == 2 ? from(l ^ 1)
               : s.n == 3 ? a.x[lowest]
               : s.n == 4 ? yes != 0
               : s.n == 5 ? yes == mask
               : s.n == 6 ? sum
                          : from(s.counter);
      sum += a.x[l];
    });
    each(mask, [&](uint32_t l) { a.acc[l] = a.acc[l] * 31 + (s.n == 0 ? sum : got[l]); });
  }

  void call(const Statement& s, Mask mask, Activation& a) {
    Activation inner = activation(s.n);
    inner.acc = a.acc;
    each(mask, [&](uint32_t l) { inner.x[l] = a.x[l] + s.counter; });
    body(tree_.procedures[s.n].body, mask, inner);
    each(mask, [&](uint32_t l) { a.acc[l] = inner.acc[l]; });
  }

  Mask choose(const Statement& s, Mask mask, Activation& a) {
    Mask outer = a.broke, rest = mask, ends = 0;
    a.broke = 0;
    for (size_t k = 0; k < s.bodies.size(); ++k) {
      Mask here = rest;
      if (k + 1 < s.bodies.size()) {
        here = 0;
        each(rest, [&](uint32_t l) { here |= Mask{(a.x[l] >> s.n & 3) == k} << l; });
      }
      rest &= ~here;
      // A body may change x; work-items that have executed one are not tested for the later ones.
      ends |= body(s.bodies[k], here, a);
    }
    ends |= a.broke;
    a.broke = outer;
    return ends;
  }

  Mask loop(const Statement& s, Mask mask, Activation& a) {
    Each<uint32_t>& counter = a.counters[s.counter];
    auto unfinished = [&](Mask here) {
      Mask result = 0;
      each(here, [&](uint32_t l) {
        result |= Mask{counter[l] < (s.uniform ? (n_ >> s.n & 1) + 2 : a.x[l] >> s.n & 3)} << l;
      });
      return result;
    };
    auto count = [&](Mask here) { each(here, [&](uint32_t l) { ++counter[l]; }); };
    const Mask outer_broke = a.broke, outer_continued = a.continued;
    each(mask, [&](uint32_t l) { counter[l] = 0; });
    Mask ends = 0;
    for (Mask here = mask; here;) {
      if (s.step == Step::For || s.step == Step::While) {
        Mask in = unfinished(here);
        if (s.step == Step::While) count(here);  // before the other condition, which may read it
        if (s.also) in = where(s.condition, in, a);
        ends |= here & ~in;
        here = in;
      }
      a.broke = a.continued = 0;
      Mask leave = 0;
      if (s.step == Step::Elect) leave = here & (~here + 1);
      if (s.step == Step::Until) {
        leave = here & ~unfinished(here);
        leave |= where(s.condition, here & ~leave, a);
      }
      const Mask rest = here & ~leave;
      if (leave) a.broke |= body(s.bodies[0], leave, a);  // only these loops have two bodies
      here = body(s.bodies.back(), rest, a) | a.continued;
      ends |= a.broke;
      if (s.step != Step::While) count(here);
      if (s.step == Step::Do) {
        Mask in = unfinished(here);
        if (s.also) in = where(s.condition, in, a);
        ends |= here & ~in;
        here = in;
      }
    }
    a.broke = outer_broke, a.continued = outer_continued;
    return ends;
  }

  const StructuredTree& tree_;
  uint32_t n_;
  uint64_t* out_;
};

}  // namespace

std::vector<uint64_t> run_structured(const StructuredTree& tree, const StructuredRun& run) {
  std::vector<uint64_t> out(size_t{4} * run.items);
  for (uint32_t group = 0; group < run.items; group += run.group)
    for (uint32_t first = 0; first < run.group; first += run.width)
      SubGroup(tree, run.n, out.data() + 4 * (group + first))
          .run(group + first, std::min(run.width, run.group - first));
  return out;
}

}  // namespace kc::fuzz
