// SPDX-License-Identifier: Apache-2.0
// Variables of loops as what they start with, which differs between work-items, and a sum that is the same
// for all.
#pragma once

#include <cstdint>
#include <functional>
#include <vector>

#include "ir/function.h"
#include "passes/analysis/cache.h"

namespace kc {

class InductionSplitter {
 public:
  InductionSplitter(Function& function, AnalysisCache& analyses);

  struct Increment {
    InstId sum;
    size_t by = 1;  // its operand
  };
  /// A value as something that differs between work-items and what is added to that.
  struct Sums {
    ValueId from;
    std::vector<Increment> increments;  // the first one last
  };
  struct Edge {
    BlockId from;
    size_t target = 0;
    Sums passed;
  };
  /// A parameter of a loop's header.
  struct Loop {
    uint32_t cycle = 0;
    BlockId header;
    size_t param = 0;
    std::vector<Edge> edges;  // into the header, that from outside first
    ValueId start() const { return edges.front().passed.from; }
  };
  /// A variable as what it starts with and a sum, of a pointer in units of so many bytes.
  struct Counter {
    ValueId start, sum;
    int64_t unit = 1;
  };

  const Cycles& cycles() const { return u_.cycles; }
  /// The numbers and pointers of a reducible loop that differ between work-items, have one start, and grow by
  /// what is the same for all.
  void each_variable(uint32_t cycle, const std::function<void(const Loop&)>& visit);
  ValueId variable(const Loop& loop) const { return f.block(loop.header).params[loop.param]; }
  /// Down to the parameter, or as far as what is added is the same for all.
  Sums sums(ValueId v, ValueId param) const;

  /// Makes the sum a parameter of the header. That of the variable is to be removed.
  ValueId add_sum(const Loop& loop, int64_t unit);
  bool is_removed(ValueId param) const { return doomed_[param.index]; }
  /// The variable, computed at a place of a block.
  ValueId computed(const Counter& counter, BlockId b, size_t place);
  /// A sum with these increments, computed before an instruction.
  ValueId increased(ValueId sum, const Sums& by, int64_t unit, InstId before);
  /// Removes the parameters. Returns whether there are any.
  bool finish();

 private:
  // Between work-items; or new.
  bool differs(ValueId v) const {
    return !f.is_inline(v) && (v.index >= u_.divergent.size() || u_.divergent[v.index]);
  }
  std::vector<Edge> find_edges(uint32_t cycle, BlockId header, size_t k) const;

  Function& f;
  const Cfg& cfg_;
  const Uniformity u_;        // of all work-items of a group
  std::vector<bool> doomed_;  // by value: parameters
};

}  // namespace kc
