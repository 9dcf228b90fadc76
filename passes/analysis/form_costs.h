// SPDX-License-Identifier: Apache-2.0
// Estimates what a work-item costs in waves of so many lanes on a CPU, one lane included.
//
//   for (i = first[id]; i < first[id + 1]; i++) sum += v[c[i]];
//       1 lane:   about 20 iterations, each a few instructions
//       16 lanes: as many iterations as the longest of 16 rows has, each with three gathers
//
// A wave executes a block if one of its lanes does, so the more lanes, the more often; a loop that lanes
// leave in different iterations runs until the last one has left. Against that stand operations on whole
// vectors. The lengths of loops and the outcomes of branches are not known here: a loop that lanes leave
// together is taken to have one mean length, one that a counter ends another, any other loop a third; every
// branch to be open, but those that only large numbers take. The constants of the model come from measured
// times of many kernels (bench/cpu).
#pragma once

#include <array>
#include <functional>
#include <map>
#include <optional>
#include <set>
#include <span>
#include <vector>

#include "ir/function.h"
#include "passes/analysis/cache.h"
#include "passes/analysis/lane_steps.h"
#include "passes/analysis/trip_count_estimate.h"

namespace kc {

/// What the vector unit is like.
struct VectorModel {
  uint32_t lanes = 16;   // 32-bit elements of a register
  bool scatters = true;  // has an instruction that scatters
};

class FormCosts {
 public:
  /// Of thread IR in SSA form, optimised for waves of several lanes. The analyses are of that function.
  FormCosts(const Function& thread, AnalysisCache& analyses, const VectorModel& machine)
      : FormCosts(thread, analyses, analyses.uniformity(), machine, 0) {}
  /// For lanes along another dimension, with their uniformity.
  FormCosts(const Function& thread, AnalysisCache& analyses, const Uniformity& uniformity,
            const VectorModel& machine, int64_t along);
  /// In cycles for each work-item; only ratios mean something.
  double cycles(uint32_t width) const;
  /// What is added where each iteration of an innermost loop waits for the one before, and other work does
  /// not fill that time: a chain of gathers takes as long for 64 lanes as for 8.
  double waits(uint32_t width) const;
  /// Both. In waves of one lane the next work-item's loop is too far ahead to fill the time.
  double time(uint32_t width) const { return cycles(width) + waits(width); }
  /// Whether the estimates depend on how often loops iterate that lanes leave at different times.
  bool open() const;
  /// How often a work-item accesses memory.
  double accesses() const;
  /// How often a work-item gathers or scatters in waves of several lanes.
  double scattered() const;

 private:
  // What the instructions of a block are, for the costs.
  enum Kind : uint8_t {
    ByWave,        // once for the wave: uniform values
    WaveQuotient,  // the same, a division
    Branch,
    Address,      // sums that mostly become parts of accesses
    Word,         // an operation on lanes, in units of 32-bit elements
    Byte,         // the same on bytes
    Float,        // the same on floats
    Product,      // of integers
    Quotient,     // a division or square root of floats
    IntQuotient,  // a division of integers
    Contiguous,   // an access of neighbouring places
    Gather,
    Scatter,
    SmallGather,  // of bytes or shorts
    SmallScatter,
    Walk,         // a load of bytes or shorts that runtime_unroll makes with those of other iterations
    Interleaved,  // members of structures or vectors, side by side: vectors of memory and shuffles
    Neighbour,    // a load of words beside others that are loaded, too, anywhere: several at a time
    LocalAtomic,
    GlobalAtomic,
    Kinds
  };
  // Cycles of each kind: of a wave of one lane or once for a wave; of a vector of words; and whether it is
  // each lane that costs so much.
  struct Price {
    double scalar, avx512, avx2;
    bool by_wave = false, by_lane = false;
  };
  static const std::array<Price, Kinds> kPrices;
  struct Work {
    std::array<float, Kinds> of{};
    void add(Kind kind, float n) { of[kind] += n; }
  };
  struct Visits {
    double by_lane = 0, by_wave = 0;  // how often a work-item, and a wave, executes a block
  };

  // What the accesses of a block have in common that are to one array: how many bytes of it, lane by lane.
  struct Array {
    bool store = false;
    ValueId base;
    int64_t step = 0;
    auto operator<=>(const Array&) const = default;
  };
  using Arrays = std::map<Array, int64_t>;
  Arrays arrays_in(BlockId b, LaneSteps& steps) const;
  void find_neighbours(BlockId b, LaneSteps& steps);
  ValueId base_of(ValueId address) const;
  bool is_interleaved(const Array& array, int64_t bytes, const Arrays& arrays) const;
  void count(const Inst& inst, LaneSteps& steps, const Arrays& arrays, Work& work);
  void access(const Inst& inst, LaneSteps& steps, const Arrays& arrays, Work& work);
  double latency(const Inst& inst) const;
  std::vector<double> recurrences() const;
  double longest_chain(std::span<const BlockId> loop, uint32_t cycle, size_t variable) const;
  bool is_small(const Inst& inst) const;
  uint32_t header_of(BlockId b) const;
  BlockId before_loops(BlockId b) const;
  bool leaves(const Inst& terminator, uint32_t cycle) const;
  bool is_counted(uint32_t cycle) const, is_even(uint32_t cycle) const, ends_as_outer(uint32_t cycle) const;
  std::optional<ValueId> row_end(uint32_t cycle) const;
  double how_much_later(uint32_t cycle) const;
  bool ends_by_counters(uint32_t cycle,
                        const std::function<bool(ValueId counter, ValueId bound)>& counts) const;
  bool was_loaded(ValueId v, uint32_t cycle, int depth) const;
  bool counts(ValueId condition, uint32_t cycle, int depth) const;
  bool advances(ValueId variable, uint32_t cycle, bool starts_at_ids, int loops) const;
  std::optional<size_t> rare_way(BlockId b) const;
  bool from_ids(ValueId v, int loops) const;
  std::vector<Visits> visits(uint32_t width) const;
  double block_cycles(BlockId b, uint32_t width) const;
  double lane_cycles(BlockId b, uint32_t width) const;

  const Function& f_;
  const Cfg& cfg_;
  const DominatorTree& dom_;
  const Uniformity& u_;
  VectorModel machine_;
  std::set<const Inst*> near_;                           // loads of neighbours
  std::set<const Inst*> walks_;                          // loads of lanes that walk along memory of their own
  std::set<const Inst*> gathers_;                        // loads
  std::vector<Work> work_;                               // by block
  std::vector<bool> counted_;                            // by cycle
  std::vector<double> later_;                            // likewise
  std::vector<std::optional<ValueId>> row_ends_;         // likewise
  std::vector<std::optional<TripCountEstimate>> trips_;  // by cycle
  mutable size_t visited_ = 0;                           // values, by searches for launch ids
  mutable std::vector<double> recurrences_;              // by cycle, once they are asked for
};

}  // namespace kc
