// SPDX-License-Identifier: Apache-2.0
// rebase_indices: indices that count from the start of their buffer.
//
// That lanes are next to each other follows from their 32-bit indices only if these do not wrap around
// between lane 0, which may be inactive, and the others. Those that count from the start of a buffer do not:
// no lane is before it. Counted from somewhere else, as in a row of a matrix, they might.
//
//   %2: ptr = ptr_add %x, %row scale=4             %2: i32 = trunc %row
//   %3: ptr = ptr_add %2, %i scale=4      ==>      %3: i32 = add %i, %2
//   %4: f32 = load %3                              %4: ptr = ptr_add %x, %3 scale=4
//                                                  %5: f32 = load %4
//
// The number of an element of a buffer below 2 GiB has 31 bits, so that sums of 32 bits give it. The address
// of no element may become another one; only accesses use it.
#include "passes/transform/rebase_indices.h"

#include <map>
#include <optional>
#include <unordered_map>
#include <utility>
#include <vector>

#include "passes/analysis/lane_steps.h"
#include "passes/analysis/shape.h"
#include "passes/analysis/steps.h"
#include "passes/ir_util.h"

namespace kc {
namespace {

constexpr size_t kMostSums = 4;
constexpr int64_t kMostApart = 8;  // elements from lane to lane: those farther apart are gathered anyhow

class Rebaser {
 public:
  Rebaser(Function& function, AnalysisCache& analyses)
      : f(function), u_(analyses.uniformity()), lanes_(function, analyses.cfg(), u_) {}

  bool run() {
    for (BlockId b : f.layout)
      for (InstId i : f.block(b).insts) access(b, i);
    if (before_.empty()) return false;
    for (BlockId b : f.layout)
      for (InstId i : std::exchange(f.block(b).insts, {})) {
        place(b, before_, i);
        f.block(b).insts.push_back(i);
        place(b, behind_, i);
      }
    return true;
  }

 private:
  // Where a pointer is: elements and bytes from the start of a buffer.
  struct Place {
    ValueId buffer, elements;  // the latter may be none
    int64_t offset = 0;
  };

  using Placed = std::unordered_map<uint32_t, std::vector<InstId>>;  // by instruction: what comes beside it
  void place(BlockId b, const Placed& placed, InstId at) {
    if (const auto some = placed.find(at.index); some != placed.end())
      for (InstId i : some->second) f.append(b, i);
  }

  void access(BlockId b, InstId i) {
    const Op op = f.inst(i).op;
    if (op != Op::load && op != Op::store) return;
    const InstId d = f.def(f.inst(i).operands[0]);
    if (!d || f.inst(d).op != Op::ptr_add) return;
    const auto [pointer, index] = std::pair(f.inst(d).operands[0], f.inst(d).operands[1]);
    const int64_t scale = f.inst(d).attrs[0], offset = f.inst(d).attrs[1];
    if (f.type(index) != kI32 || scale <= 0 || !next_to_each_other(pointer, index)) return;
    const auto from = is_near(offset) ? place_of(pointer, scale) : std::nullopt;
    if (!from || !from->elements.valid()) return;
    const int64_t sum = from->offset + offset;
    if (sum < -kRoomBehindBuffer || sum >= kNearBuffer) return;
    auto [at, fresh] = made_.try_emplace({d, b});
    if (fresh) {
      const Loc loc = f.inst(d).loc;
      const InstId count = f.create(Op::add, {index, from->elements}, {}, loc);
      const InstId address = f.create(Op::ptr_add, {from->buffer, f.add_result(count, kI32)}, {}, loc);
      f.inst(address).attrs = {scale, sum};
      at->second = f.add_result(address, f.type(pointer));
      before_[i.index] = {count, address};
    }
    f.inst(i).operands[0] = at->second;
  }

  bool next_to_each_other(ValueId pointer, ValueId index) {
    if (u_.divergent[pointer.index] || !u_.divergent[index.index]) return false;
    const auto step = lanes_.of(index);
    return step && *step != 0 && *step >= -kMostApart && *step <= kMostApart;
  }

  // Sums and products of these do not overflow.
  static bool is_near(int64_t n) { return n > -kNearBuffer && n < kNearBuffer; }

  // In elements of `scale` bytes. Nothing for pointers to other memory, or to places within elements.
  std::optional<Place> place_of(ValueId pointer, int64_t scale) {
    auto [at, fresh] = places_.try_emplace({pointer, scale});
    if (!fresh) return at->second;
    Place r{.buffer = pointer, .elements = {}};
    std::vector<InstId> sums;  // whose terms are not constant
    for (size_t n = 0; n < kMostSums && f.def(r.buffer); ++n) {
      const InstId d = f.def(r.buffer);
      const Inst& sum = f.inst(d);
      if (sum.op != Op::ptr_add || !is_near(sum.attrs[0]) || !is_near(sum.attrs[1])) return {};
      r.buffer = sum.operands[0];
      r.offset += sum.attrs[1];
      if (const auto number = signed_constant(f, sum.operands[1])) {
        if (!is_near(*number)) return {};
        r.offset += *number * sum.attrs[0];
      } else if (f.type(sum.operands[1]).bits() >= 32 && sum.attrs[0] % scale == 0) {
        sums.push_back(d);
      } else {
        return {};
      }
    }
    const Value& start = f.value(r.buffer);
    const Elem memory = f.type(r.buffer).elem;
    if (start.kind != ValueKind::Param || start.owner != f.entry().index || memory == Elem::PtrPrivate ||
        memory == Elem::PtrLocal)
      return {};
    if (!sums.empty()) r.elements = elements_of(sums, scale, behind_[f.def(pointer).index]);
    return at->second = r;
  }

  ValueId elements_of(const std::vector<InstId>& sums, int64_t scale, std::vector<InstId>& placed) {
    auto make = [&](Op op, ValueList operands) {
      placed.push_back(f.create(op, std::move(operands), {}, f.inst(sums.front()).loc));
      return f.add_result(placed.back(), kI32);
    };
    ValueId all;
    for (InstId d : sums) {
      ValueId n = f.inst(d).operands[1];
      if (f.type(n).bits() > 32) n = make(Op::trunc, {n});
      if (const int64_t each = f.inst(d).attrs[0] / scale; each != 1)
        n = make(Op::mul, {n, f.constant(kI32, static_cast<uint32_t>(each))});
      all = all.valid() ? make(Op::add, {all, n}) : n;
    }
    return all;
  }

  Function& f;
  const Uniformity& u_;
  LaneSteps lanes_;
  std::map<std::pair<ValueId, int64_t>, std::optional<Place>> places_;
  std::map<std::pair<InstId, BlockId>, ValueId> made_;  // by address and block
  Placed before_, behind_;
};

}  // namespace

bool rebase_indices(Function& f, AnalysisCache& analyses) { return Rebaser(f, analyses).run(); }

}  // namespace kc
