// SPDX-License-Identifier: Apache-2.0
#include "passes/analysis/wave_width.h"

#include <algorithm>

#include "ir/cfg.h"
#include "passes/analysis/costs.h"
#include "passes/analysis/lane_steps.h"
#include "passes/ir_util.h"

namespace kc {
namespace {

// In instructions; longer kernels have two vectors, or one. (A sort in local memory, unrolled to 400
// instructions, would be a third faster with four, and takes 13 ms to compile instead of 9.)
constexpr size_t kLong = 300, kVeryLong = 2000, kOutside = 4;
// The limit of live lane values for four vectors each, in bytes of a lane: with more, most are spilled. Where
// most values have 64 bits, temporaries also need twice the registers, so half as many may be live. (Checked
// with 63 kernels of bench/cpu and 48 that compute with bytes, with AVX2 and AVX-512.)
constexpr unsigned kFewValues = 11 * 4, kFewLongValues = kFewValues / 2;
// The same in words and with addresses and indices, for bytes that are mostly compared where there are no
// byte lanes. Those four of 49 kernels that have more would take 0.8 to 1.5 of the time with four vectors,
// and twice the code; of twelve others with such bytes none has more, and four vectors take 0.6 to 0.9 of the
// time of two.
constexpr unsigned kFewWords = 12 * 4;

bool nested_divergence(const Uniformity& u) {
  for (size_t c = 0; c < u.cycles.cycles.size(); ++c) {
    if (!u.divergent_exit[c]) continue;
    for (uint32_t p = u.cycles.cycles[c].parent; p != kNone; p = u.cycles.cycles[p].parent)
      if (u.divergent_exit[p]) return true;
  }
  return false;
}

// Factor by which divergent work must exceed the work of all lanes.
constexpr uint32_t kMuchMore = 3;

// Whether a divergent loop does much more on paths that some lanes take than for all lanes: for example a
// loop that starts a new task for each lane that is done. The more lanes, the more often one takes such a
// path.
bool ways_outweigh(const Function& f, const Uniformity& u, AnalysisCache& analyses) {
  const Cfg& cfg = analyses.cfg();
  const DominatorTree& dom = analyses.dominators();
  for (uint32_t c = 0; c < u.cycles.cycles.size(); ++c) {
    if (!u.divergent_exit[c]) continue;
    uint32_t all = 0, some = 0;
    for (uint32_t b : u.cycles.nodes(c)) {
      uint32_t cost = 0;
      for (InstId i : f.block(BlockId(b)).insts) cost += masked_cost(f, f.inst(i), kCpuCosts);
      const bool common = std::ranges::all_of(cfg.preds[u.cycles.cycles[c].header], [&](BlockId p) {
        return !u.cycles.contains(c, p) || dom.dominates(BlockId(b), p);
      });
      (common ? all : some) += cost;
    }
    if (some > kMuchMore * all) return true;
  }
  return false;
}

// A character, a digit relative to a letter, a state.
class SmallNumbers {
 public:
  explicit SmallNumbers(const Function& function) : f(function) {}
  bool compared(const Inst& inst) const {
    return class_of(inst.op) == OpClass::IntCompare &&
           (is_byte(inst.operands[0]) || is_byte(inst.operands[1]));
  }

 private:
  bool is_byte(ValueId v) const {
    if (f.type(v).elem == Elem::I8) return true;
    InstId d = f.def(v);
    if (!d) return false;
    const Inst& inst = f.inst(d);
    if (inst.op == Op::add && f.is_const(inst.operands[1])) return is_byte(inst.operands[0]);
    return inst.op == Op::zext && f.type(inst.operands[0]).elem == Elem::I8;
  }
  const Function& f;
};

// Whether loops mostly compare bytes and select states: work that a machine can do for four vectors of words
// at once.
bool mostly_bytes(const Function& f, const Uniformity& u) {
  const SmallNumbers small(f);
  size_t bytes = 0, words = 0;
  for (BlockId b : f.layout) {
    if (b.index >= u.cycles.innermost.size() || u.cycles.innermost[b.index] == kNone) continue;
    for (InstId i : f.block(b).insts) {
      const Inst& inst = f.inst(i);
      const bool divergent =
          std::ranges::any_of(inst.operands, [&](ValueId v) { return u.divergent[v.index]; });
      if (!divergent) continue;
      const bool sum = inst.op == Op::zext || inst.op == Op::add;  // most are parts of comparisons
      if (inst.op == Op::switch_)
        bytes += inst.operands.size() - 1;
      else if (small.compared(inst))
        ++bytes;
      else if (!info(inst.op).has(Terminator) && !sum && f.type(inst.operands[0]).elem != Elem::I1)
        ++words;
    }
  }
  return bytes > words;
}

// Whether loops compute more than twice as much with bytes and shorts as with words: four vectors of words
// are one or two of those. What only converts, compares, or accesses memory does not count.
bool mostly_small(const Function& f, const Uniformity& u) {
  constexpr size_t kTwice = 2;
  size_t small = 0, words = 0;
  for (BlockId b : f.layout) {
    if (b.index >= u.cycles.innermost.size() || u.cycles.innermost[b.index] == kNone) continue;
    for (InstId i : f.block(b).insts) {
      const Inst& inst = f.inst(i);
      if (inst.results.size() != 1 || !u.divergent[inst.results[0].index] ||
          class_of(inst.op) == OpClass::Conversion || info(inst.op).effects != Effects::None)
        continue;
      const Type type = f.type(inst.results[0]);
      if (type.is_pointer() || type.bits() == 1) continue;
      ++(type.is_int() && type.bits() <= 16 ? small : words);
    }
  }
  return small > kTwice * words;
}

// Whether most of what lanes compute, or only in divergent loops, has 64 bits: as many lanes then need twice
// the vectors. Loops that all lanes leave together gain from many lanes, which share what is uniform. Indices
// that differ by a constant from lane to lane are scalars.
bool mostly_long(const Function& f, const Uniformity& u, LaneSteps& steps, bool in_divergent_loops) {
  size_t longs = 0, all = 0;
  for (BlockId b : f.layout) {
    const uint32_t loop = b.index < u.cycles.innermost.size() ? u.cycles.innermost[b.index] : kNone;
    if (in_divergent_loops && (loop == kNone || !u.divergent_exit[loop])) continue;
    for (InstId i : f.block(b).insts)
      for (ValueId r : f.inst(i).results) {
        const Type type = f.type(r);
        if (!u.divergent[r.index] || type.is_pointer() || type.bits() == 1 || steps.of(r)) continue;
        ++all;
        longs += type.bits() == 64;
      }
  }
  return 2 * longs > all;
}

// The maximal size of the divergent values live at once, in bytes of a lane. Addresses and indices that
// differ by a constant from lane to lane are scalars.
class Pressure {
 public:
  /// `in_words`: no value counts less than a word, and addresses and indices count, too. That stands for the
  /// masks and copies as words that bytes have beside them.
  Pressure(const Function& function, const Uniformity& uniformity, const Cfg& cfg, LaneSteps& steps,
           bool in_words)
      : f(function), u_(uniformity), cfg_(cfg), steps_(steps), in_words_(in_words), live_(f.block_count()) {}

  unsigned run() {
    for (bool changed = true; changed;) {
      changed = false;
      for (auto b = cfg_.rpo.rbegin(); b != cfg_.rpo.rend(); ++b) changed |= block(*b);
    }
    return most_;
  }

 private:
  unsigned size(ValueId v) const {
    return f.type(v).elem == Elem::I1 ? 0 : std::max(in_words_ ? 4u : 1u, f.type(v).bytes());
  }
  bool counts(ValueId v) {
    return !f.is_inline(v) && u_.divergent[v.index] && size(v) != 0 && (in_words_ || !steps_.of(v));
  }

  // From the end of the block to its start; returns whether the live-in set has grown.
  bool block(BlockId b) {
    std::vector<bool> live(f.value_count());
    unsigned now = 0;
    auto add = [&](ValueId v) {
      if (!counts(v) || live[v.index]) return;
      live[v.index] = true;
      now += size(v);
    };
    auto remove = [&](ValueId v) {
      if (!live[v.index]) return;
      live[v.index] = false;
      now -= size(v);
    };
    for (const Target& t : f.successors(b))
      for (ValueId v : live_[t.block.index]) add(v);
    const auto& insts = f.block(b).insts;
    for (size_t k = insts.size(); k-- > 0;) {
      const Inst& inst = f.inst(insts[k]);
      for (ValueId r : inst.results) remove(r);
      for (ValueId v : inst.operands) add(v);
      for (const Target& t : inst.targets)
        for (ValueId v : t.args) add(v);
      most_ = std::max(most_, now);
    }
    for (ValueId p : f.block(b).params) remove(p);
    std::vector<ValueId> in;
    for (uint32_t v = 0; v < live.size(); ++v)
      if (live[v]) in.push_back(ValueId(v));
    bool more = in.size() > live_[b.index].size();
    if (more) live_[b.index] = std::move(in);
    return more;
  }

  const Function& f;
  const Uniformity& u_;
  const Cfg& cfg_;
  LaneSteps& steps_;
  bool in_words_;
  std::vector<std::vector<ValueId>> live_;  // by block: live-in values
  unsigned most_ = 0;
};

}  // namespace

std::optional<unsigned> vectors_decided_early(const Function& thread, AnalysisCache& analyses) {
  // Code outside of loops is executed less often than loops are.
  size_t in_loops = 0, outside = 0;
  const Cycles& cycles = analyses.cycles();
  for (BlockId b : thread.layout)
    (cycles.innermost[b.index] == kNone ? outside : in_loops) += thread.block(b).insts.size();
  const size_t length = in_loops ? in_loops + outside / kOutside : outside;
  if (length > kVeryLong) return 1;
  const Uniformity& u = analyses.uniformity();
  LaneSteps steps(thread, analyses.cfg(), u);
  if (length > kLong) return mostly_long(thread, u, steps, false) ? 1 : 2;
  // Data may move from each vector to each other vector.
  if (has_any(thread, {Op::shuffle, Op::reduce, Op::scan})) return 1;
  // Waves stop at a barrier and are called again: fewer waves are faster.
  if (has_any(thread, {Op::barrier})) return mostly_long(thread, u, steps, false) ? 2 : 4;
  return std::nullopt;
}

unsigned choose_vectors(const Function& thread, bool byte_lanes, AnalysisCache& analyses) {
  const Uniformity& u = analyses.uniformity();
  LaneSteps steps(thread, analyses.cfg(), u);
  if (byte_lanes && mostly_bytes(thread, u)) return 4;
  if (nested_divergence(u) || mostly_long(thread, u, steps, true)) return 2;
  if (mostly_small(thread, u)) return 4;
  if (ways_outweigh(thread, u, analyses)) return 2;
  const bool is_long = mostly_long(thread, u, steps, false);
  const bool in_words = !byte_lanes && mostly_bytes(thread, u);
  const unsigned few = is_long ? kFewLongValues : in_words ? kFewWords : kFewValues;
  if (Pressure(thread, u, analyses.cfg(), steps, in_words).run() <= few) return 4;
  return is_long ? 1 : 2;
}

bool sees_ids(const Function& thread, int64_t dimension) {
  return std::ranges::any_of(thread.layout, [&](BlockId b) {
    return std::ranges::any_of(thread.block(b).insts, [&](InstId i) {
      const Inst& inst = thread.inst(i);
      return (inst.op == Op::global_id || inst.op == Op::local_id) && inst.attrs[0] == dimension;
    });
  });
}

bool has_crossing_accesses(const Function& thread, AnalysisCache& analyses, const Uniformity& in_columns) {
  LaneSteps x(thread, analyses.cfg(), analyses.uniformity()), y(thread, analyses.cfg(), in_columns, 1);
  bool rows = false, columns = false;
  for (BlockId b : analyses.cfg().rpo)
    for (InstId i : thread.block(b).insts) {
      const Inst& inst = thread.inst(i);
      if (!loads(inst.op) && !stores(inst.op)) continue;
      const int64_t bytes = thread.type(loads(inst.op) ? inst.results[0] : inst.operands[1]).bytes();
      const auto along_x = x.of(inst.operands[0]), along_y = y.of(inst.operands[0]);
      rows |= along_x == bytes && along_y != bytes && along_y != 0;
      columns |= along_y == bytes && along_x != bytes && along_x != 0;
    }
  return rows && columns;
}

bool prefers_tiles(const Function& thread, AnalysisCache& analyses) {
  if (!sees_ids(thread, 1) || !nested_divergence(analyses.uniformity())) return false;
  const Uniformity tiles = analyse_uniformity(thread, {.lane_y = true}, analyses.cfg());
  for (BlockId b : thread.layout)
    for (InstId i : thread.block(b).insts) {
      const Inst& inst = thread.inst(i);
      const Effects effects = info(inst.op).effects;
      const bool accesses = effects == Effects::Read || effects == Effects::Write;
      if (!accesses || tiles.cycles.innermost[b.index] == kNone) continue;
      if (inst.operands.empty() || tiles.divergent[inst.operands[0].index]) return false;
    }
  return true;
}

}  // namespace kc
