// SPDX-License-Identifier: Apache-2.0
#include "passes/analysis/form_costs.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <tuple>
#include <unordered_map>

#include "ir/cfg.h"
#include "passes/analysis/lane_walks.h"
#include "passes/ir_util.h"

namespace kc {
namespace {

constexpr int kDepth = 6;  // of searches among definitions
// A counter may begin at one of an earlier loop. Searches for launch ids follow so many of these, and visit
// so many values in all.
constexpr int kLoops = 3;
constexpr size_t kMostVisited = 20'000;

// What is not known of a kernel: how often its loops iterate, more often if all lanes leave them together,
// and how much more often for the slowest lane of a wave, for each doubling of the lanes; less for loops that
// a counter ends, and hardly for those that nothing else ends; most for loops along rows whose lengths are
// data, for usually a few rows are long. Fitted, as the prices, to times of a hundred kernels on a Zen 5,
// with AVX2 and AVX-512.
constexpr double kIterations = 4, kIterationsCounted = 6, kIterationsTogether = 10;
constexpr double kSlowest = 0.3, kSlowestCounted = 0.2, kSlowestEven = 0.02, kSlowestRow = 0.9;
// Where an inner loop ends as an outer one does, the lanes that are left late are those that iterate often:
// of lengths with the tail of a Pareto distribution (1.2), or geometric ones, the most of 8 to 64 squared
// over the mean of the squares is 0.22 to 0.31 times more for each doubling than the same without squares; of
// even ones 0.03 to 0.11.
constexpr double kSlowestOfRow = 0.25;
// How often a number is large.
constexpr double kRare = 0.001;
// Cycles. Of branches that differ between work-items the processor foresees about half.
constexpr double kWrongGuess = 20, kUnforeseen = 0.5;
constexpr double kStartOfWave = 1;
// Chains of operations wait for their results: the fewer parts a value has, the longer. In parts.
constexpr double kWaiting = 0.2;
// Half a vector is less than one for values of 64 bits and for what memory does lane by lane.
constexpr double kLeastPart = 0.5;
// Of a divergent branch: its masks, for each part, and its test.
constexpr double kMasks = 5.3, kTest = 8;
// Cycles until a result can be used. A chain of two gathers of bytes takes 144 cycles for each step of 16
// lanes on a Zen 5; bytes and shorts are cut out of gathered words.
constexpr double kGatherLatency = 45, kPartOfWord = 6, kLoadLatency = 6, kQuotientLatency = 15,
                 kProductLatency = 4;
// AVX-512 has bytes of 32 and 64 lanes in one register; in parts.
constexpr double kBytes = 0.4;
constexpr uint32_t kByteLanes = 32;

bool is_plain_access(const Inst& inst) { return inst.op == Op::load || inst.op == Op::store; }

}  // namespace

const std::array<FormCosts::Price, FormCosts::Kinds> FormCosts::kPrices = [] {
  std::array<Price, Kinds> p;
  p[ByWave] = {.scalar = 0.5, .avx512 = 0, .avx2 = 0, .by_wave = true};
  p[WaveQuotient] = {.scalar = 9, .avx512 = 0, .avx2 = 0, .by_wave = true};
  p[Branch] = {.scalar = 0.75, .avx512 = 0, .avx2 = 0, .by_wave = true};
  p[Address] = {.scalar = 0.3, .avx512 = 0.4, .avx2 = 0.4};
  p[Word] = {.scalar = 0.77, .avx512 = 0.55, .avx2 = 0.45};
  p[Byte] = {.scalar = 0.6, .avx512 = 0.3, .avx2 = 0.25};
  p[Float] = {.scalar = 1.9, .avx512 = 0.65, .avx2 = 0.65};
  p[Product] = {.scalar = 1.2, .avx512 = 1.5, .avx2 = 1.5};
  p[Quotient] = {.scalar = 7.5, .avx512 = 11, .avx2 = 6};
  p[IntQuotient] = {.scalar = 12, .avx512 = 15, .avx2 = 9};
  p[Contiguous] = {.scalar = 0.9, .avx512 = 1, .avx2 = 0.8};
  p[Gather] = {.scalar = 1.2, .avx512 = 33, .avx2 = 22};
  p[Scatter] = {.scalar = 1.5, .avx512 = 22, .avx2 = 17};
  p[SmallGather] = {.scalar = 1.2, .avx512 = 9, .avx2 = 6};
  p[SmallScatter] = {.scalar = 1.5, .avx512 = 81, .avx2 = 48};
  p[Walk] = {.scalar = 1.2, .avx512 = 5, .avx2 = 5};
  p[Interleaved] = {.scalar = 1.2, .avx512 = 4, .avx2 = 4};
  p[Neighbour] = {.scalar = 1.2, .avx512 = 18, .avx2 = 9};
  p[LocalAtomic] = {.scalar = 4.5, .avx512 = 4, .avx2 = 4, .by_lane = true};
  p[GlobalAtomic] = {.scalar = 30, .avx512 = 20, .avx2 = 20, .by_lane = true};
  return p;
}();

FormCosts::FormCosts(const Function& thread, AnalysisCache& analyses, const Uniformity& uniformity,
                     const VectorModel& machine, int64_t along)
    : f_(thread),
      cfg_(analyses.cfg()),
      dom_(analyses.dominators()),
      u_(uniformity),
      machine_(machine),
      work_(thread.block_count()) {
  LaneSteps steps(f_, cfg_, u_, along);
  for (const LaneWalk& walk : find_lane_walks(f_, analyses, u_, steps))
    for (InstId load : walk.loads) walks_.insert(&f_.inst(load));
  for (BlockId b : cfg_.rpo) {
    const Arrays arrays = arrays_in(b, steps);
    find_neighbours(b, steps);
    for (InstId i : f_.block(b).insts) count(f_.inst(i), steps, arrays, work_[b.index]);
  }
  for (uint32_t c = 0; c < u_.cycles.cycles.size(); ++c) {
    counted_.push_back(!u_.divergent_exit[c] || is_counted(c));
    row_ends_.push_back(u_.divergent_exit[c] ? row_end(c) : std::nullopt);
    later_.push_back(how_much_later(c));
    trips_.push_back(estimate_trip_count(f_, cfg_, dom_, u_.cycles, c));
  }
}

// How much more often than the mean the slowest lane iterates, for each doubling of the lanes.
double FormCosts::how_much_later(uint32_t cycle) const {
  if (!u_.divergent_exit[cycle]) return 0;
  if (is_even(cycle)) return kSlowestEven;
  if (counted_[cycle]) return kSlowestCounted;
  if (ends_as_outer(cycle)) return kSlowestOfRow;
  return row_ends_[cycle] ? kSlowestRow : kSlowest;
}

bool FormCosts::leaves(const Inst& terminator, uint32_t cycle) const {
  return std::ranges::any_of(terminator.targets,
                             [&](const Target& t) { return !u_.cycles.contains(cycle, t.block); });
}

// Whether a loop ends when a counter reaches a bound that no memory decides: lanes iterate about equally
// often then, also if they may leave earlier.
bool FormCosts::is_counted(uint32_t cycle) const {
  for (uint32_t n : u_.cycles.nodes(cycle)) {
    const Inst& end = f_.inst(f_.terminator(BlockId(n)));
    if (end.op == Op::br_if && leaves(end, cycle) && counts(end.operands[0], cycle, kDepth)) return true;
  }
  return false;
}

// Whether all that makes lanes leave the loop at different times are comparisons of a counter with a bound:
// `counts` says so of the two.
bool FormCosts::ends_by_counters(uint32_t cycle,
                                 const std::function<bool(ValueId counter, ValueId bound)>& counts) const {
  return std::ranges::all_of(u_.cycles.nodes(cycle), [&](uint32_t n) {
    const Inst& end = f_.inst(f_.terminator(BlockId(n)));
    if (!leaves(end, cycle)) return true;
    if (end.op != Op::br_if) return false;
    if (!u_.divergent[end.operands[0].index]) return true;
    const InstId d = f_.def(end.operands[0]);
    if (!d || class_of(f_.inst(d).op) != OpClass::IntCompare) return false;
    const ValueId a = f_.inst(d).operands[0], b = f_.inst(d).operands[1];
    return counts(a, b) || counts(b, a);
  });
}

// Whether these count from ids, in steps that all lanes have, to what is made of ids: lanes then iterate
// equally often, or nearly so.
bool FormCosts::is_even(uint32_t cycle) const {
  return ends_by_counters(cycle, [&](ValueId counter, ValueId bound) {
    return from_ids(bound, kLoops) && advances(counter, cycle, true, kLoops);
  });
}

// The bound, where lanes leave the loop only when counters reach what each of them loaded before; the last of
// several.
std::optional<ValueId> FormCosts::row_end(uint32_t cycle) const {
  std::optional<ValueId> end;
  const bool is_row = ends_by_counters(cycle, [&](ValueId counter, ValueId bound) {
    if (!was_loaded(bound, cycle, kDepth) || !advances(counter, cycle, false, kLoops)) return false;
    end = bound;
    return true;
  });
  return is_row ? end : std::nullopt;
}

// Whether the loop ends where one around it does, as in `for (m = 0; m < n; m++) for (l = m; l < n; l++)`.
bool FormCosts::ends_as_outer(uint32_t cycle) const {
  for (uint32_t c = u_.cycles.cycles[cycle].parent; row_ends_[cycle] && c != kNone;
       c = u_.cycles.cycles[c].parent)
    if (row_ends_[c] == row_ends_[cycle]) return true;
  return false;
}

// Whether v is, or is made of, what lanes loaded from buffers before the loop.
bool FormCosts::was_loaded(ValueId v, uint32_t cycle, int depth) const {
  const InstId d = f_.is_inline(v) || !u_.divergent[v.index] || depth == 0 ? InstId() : f_.def(v);
  if (!d || u_.cycles.contains(cycle, f_.inst(d).block)) return false;
  const Inst& inst = f_.inst(d);
  if (loads(inst.op)) return f_.type(inst.operands[0]) != kPtrPrivate;
  return info(inst.op).effects == Effects::None &&
         std::ranges::any_of(inst.operands, [&](ValueId o) { return was_loaded(o, cycle, depth - 1); });
}

bool FormCosts::counts(ValueId condition, uint32_t cycle, int depth) const {
  const InstId d = f_.def(condition);
  if (!d || depth == 0) return false;
  const Inst& inst = f_.inst(d);
  if (inst.op == Op::and_ || inst.op == Op::or_ || inst.op == Op::xor_)
    return std::ranges::any_of(inst.operands, [&](ValueId v) { return counts(v, cycle, depth - 1); });
  if (class_of(inst.op) != OpClass::IntCompare) return false;
  for (size_t k = 0; k < 2; ++k) {
    if (!from_ids(inst.operands[1 - k], kLoops)) continue;
    if (advances(inst.operands[k], cycle, false, kLoops)) return true;
  }
  return false;
}

// Whether every iteration of the cycle adds constants of one sign, or something that all lanes have, to a
// variable of it, and does nothing else with it. `starts_at_ids`: and whether it starts with what is made of
// ids.
bool FormCosts::advances(ValueId variable, uint32_t cycle, bool starts_at_ids, int loops) const {
  std::vector<ValueId> work{variable};
  std::set<uint32_t> seen{variable.index};
  bool up = false, down = false;
  auto visit = [&](ValueId v) {
    if (!f_.is_undef(v) && seen.insert(v.index).second) work.push_back(v);
  };
  while (!work.empty()) {
    const ValueId v = work.back();
    work.pop_back();
    if (f_.is_inline(v)) return false;
    if (f_.value(v).kind == ValueKind::Param) {
      const BlockId b(f_.value(v).owner);
      if (!u_.cycles.contains(cycle, b)) return false;
      const auto& params = f_.block(b).params;
      const auto k = static_cast<size_t>(std::ranges::find(params, v) - params.begin());
      const bool starts = every_edge_into(f_, cfg_, b, [&](BlockId from, const Target& t) {
        if (!u_.cycles.contains(cycle, from)) return !starts_at_ids || from_ids(t.args[k], loops);
        visit(t.args[k]);
        return true;
      });
      if (!starts) return false;
      continue;
    }
    const Inst& inst = f_.inst(f_.def(v));
    if (inst.op == Op::select) {
      visit(inst.operands[1]), visit(inst.operands[2]);
      continue;
    }
    if (inst.op == Op::add && !f_.is_const(inst.operands[1])) {  // of a number that all lanes have
      const auto is_step = [&](ValueId v) {
        if (u_.divergent[v.index]) return false;
        const BlockId from = block_of(f_, v);
        return !from.valid() || !u_.cycles.contains(cycle, from);
      };
      const bool first = is_step(inst.operands[0]);
      if (!first && !is_step(inst.operands[1])) return false;
      up = true;
      visit(inst.operands[first]);
      continue;
    }
    if ((inst.op != Op::add && inst.op != Op::ptr_add) || !f_.is_const(inst.operands[1])) return false;
    const unsigned bits = f_.type(inst.operands[1]).bits();
    const bool negative = (f_.value(inst.operands[1]).bits >> (bits - 1) & 1) != 0;
    (negative ? down : up) = true;
    visit(inst.operands[0]);
  }
  return up != down;
}

// Whether v is made of launch ids, of what counts from there in even steps, and of what all lanes share.
bool FormCosts::from_ids(ValueId v, int loops) const {
  constexpr size_t kMostValues = 64;
  std::vector<ValueId> work{v};
  std::set<uint32_t> seen;
  while (!work.empty()) {
    const ValueId at = work.back();
    work.pop_back();
    if (f_.is_inline(at) || !u_.divergent[at.index] || !seen.insert(at.index).second) continue;
    if (seen.size() > kMostValues || ++visited_ > kMostVisited) return false;
    if (f_.value(at).kind == ValueKind::Param) {
      const uint32_t c = header_of(BlockId(f_.value(at).owner));
      if (loops == 0 || c == kNone || !advances(at, c, true, loops - 1)) return false;
      continue;
    }
    const Inst& inst = f_.inst(f_.def(at));
    if (info(inst.op).effects != Effects::None) return false;
    work.insert(work.end(), inst.operands.begin(), inst.operands.end());
  }
  return true;
}

FormCosts::Arrays FormCosts::arrays_in(BlockId b, LaneSteps& steps) const {
  Arrays arrays;
  for (InstId i : f_.block(b).insts) {
    const Inst& inst = f_.inst(i);
    if (!is_plain_access(inst) || !u_.divergent[inst.operands[0].index]) continue;
    const bool store = inst.op == Op::store;
    const int64_t bytes = f_.type(store ? inst.operands[1] : inst.results[0]).bytes();
    if (const auto step = steps.of(inst.operands[0]); step && *step > bytes)
      arrays[{store, base_of(inst.operands[0]), *step}] += bytes;
  }
  return arrays;
}

// As backends/x64/interleaved.h has it: pairs of words; without scatters what a lane has within 16 bytes.
void FormCosts::find_neighbours(BlockId b, LaneSteps& steps) {
  const int64_t together = machine_.scatters ? 8 : 16;
  struct Load {
    ValueId base, index;
    int64_t scale = 0, at = 0;
    const Inst* inst = nullptr;
  };
  std::vector<Load> loads;
  for (InstId i : f_.block(b).insts) {
    const Inst& inst = f_.inst(i);
    if (inst.op != Op::load || !u_.divergent[inst.operands[0].index] || steps.of(inst.operands[0])) continue;
    const InstId d = f_.def(inst.operands[0]);
    if (!d || f_.inst(d).op != Op::ptr_add || f_.type(inst.operands[0]) == kPtrPrivate) continue;
    const Inst& sum = f_.inst(d);
    if (f_.type(inst.results[0]).bytes() < 4) continue;
    Load l{sum.operands[0], sum.operands[1], sum.attrs[0], sum.attrs[1], &inst};
    if (const InstId e = f_.is_inline(l.index) ? InstId() : f_.def(l.index);
        e && f_.inst(e).op == Op::add && f_.is_const(f_.inst(e).operands[1])) {
      const Value& more = f_.value(f_.inst(e).operands[1]);
      l.at += l.scale *
              (more.type.bits() == 64 ? static_cast<int64_t>(more.bits) : static_cast<int32_t>(more.bits));
      l.index = f_.inst(e).operands[0];
    }
    loads.push_back(l);
  }
  std::ranges::sort(loads, {}, [](const Load& l) { return std::tuple(l.base, l.index, l.scale, l.at); });
  for (size_t n = 1; n < loads.size(); ++n) {
    const Load &a = loads[n - 1], &c = loads[n];
    if (a.base == c.base && a.index == c.index && a.scale == c.scale && c.at - a.at < together)
      near_.insert({a.inst, c.inst});
  }
}

// The array that an element's address starts from.
ValueId FormCosts::base_of(ValueId address) const {
  const InstId d = f_.is_inline(address) ? InstId() : f_.def(address);
  return d && f_.inst(d).op == Op::ptr_add ? f_.inst(d).operands[0] : address;
}

// As the backend decides (backends/x64/interleaved.h). Long vectors are not shuffled: they stay in memory
// order if they are stored as they are loaded.
bool FormCosts::is_interleaved(const Array& array, int64_t bytes, const Arrays& arrays) const {
  constexpr int64_t kWord = 4, kMostWords = 8, kMostBytes = 8, kLongest = 16, kPerVector = 3, kPerMember = 16;
  const int64_t all = arrays.at(array);
  if (array.step % kWord == 0 && array.step <= kMostWords * kWord) {
    const int64_t vectors = array.step / kWord, planes = std::min(vectors, (all + kWord - 1) / kWord);
    return kPerVector * vectors + planes * vectors < kPerMember * (all / bytes);
  }
  if (bytes < kWord && array.step <= kMostBytes) return !array.store || all == array.step;
  return all == array.step && array.step <= kLongest * bytes &&
         std::ranges::any_of(arrays, [&](const auto& other) {
           return other.first.store != array.store && other.second == other.first.step;
         });
}

void FormCosts::count(const Inst& inst, LaneSteps& steps, const Arrays& arrays, Work& work) {
  const OpInfo& row = info(inst.op);
  if (row.has(Terminator)) {
    work.add(Branch, inst.targets.size() > 1 ? 1 : 0.3f);
    return;
  }
  const bool reads = row.effects == Effects::Read || loads(inst.op), writes = row.effects == Effects::Write;
  if ((reads || writes) && !inst.operands.empty() && f_.type(inst.operands[0]).is_pointer())
    return access(inst, steps, arrays, work);
  if (inst.results.empty()) return;
  const ValueId result = inst.results[0];
  const Type type = f_.type(inst.operands.empty() ? result : inst.operands[0]);
  const float parts = std::max(type.bits(), f_.type(result).bits()) == 64 ? 2 : 1;
  const bool wave = !u_.divergent[result.index];
  const bool folds = inst.op == Op::ptr_add || is_launch_value(row.op_class);
  if (folds) return work.add(wave ? ByWave : Address, 1);
  if (row.op_class == OpClass::IntDivision) return work.add(wave ? WaveQuotient : IntQuotient, parts);
  if (inst.op == Op::fdiv || inst.op == Op::fsqrt) return work.add(wave ? WaveQuotient : Quotient, parts);
  if (wave) return work.add(ByWave, 1);
  if (is_small(inst)) return work.add(Byte, 1);
  if (inst.op == Op::mul) return work.add(Product, parts == 2 ? 3 : 1);
  work.add(type.is_float() ? Float : Word, parts);
}

// Of bytes or of characters and digits, which AVX-512 code has as bytes.
bool FormCosts::is_small(const Inst& inst) const {
  auto small = [&](ValueId v) {
    InstId d = f_.def(v);
    if (f_.type(v).bits() <= 8) return true;
    if (!d) return false;
    const Inst* at = &f_.inst(d);
    if (at->op == Op::add && f_.is_const(at->operands[1])) {
      InstId e = f_.def(at->operands[0]);
      if (!e) return false;
      at = &f_.inst(e);
    }
    return at->op == Op::zext && f_.type(at->operands[0]).elem == Elem::I8;
  };
  if (class_of(inst.op) == OpClass::IntCompare) return small(inst.operands[0]) || small(inst.operands[1]);
  return f_.type(inst.results[0]).bits() <= 8;
}

void FormCosts::access(const Inst& inst, LaneSteps& steps, const Arrays& arrays, Work& work) {
  const OpInfo& row = info(inst.op);
  const ValueId address = inst.operands[0];
  const Type space = f_.type(address);
  if (row.has(Atomic)) return work.add(space == kPtrLocal ? LocalAtomic : GlobalAtomic, 1);
  const bool store = inst.results.empty();
  const Type data = f_.type(store ? inst.operands[1] : inst.results[0]);
  const float parts = data.bits() == 64 ? 2 : 1;
  const bool small = data.bits() < 32;
  const bool divergent = u_.divergent[address.index];
  // Lanes at one offset of their private memory access neighbouring words.
  const bool in_line = space == kPtrPrivate
                           ? !divergent
                           : divergent && steps.of(address) == static_cast<int64_t>(data.bytes());
  if (in_line) return work.add(Contiguous, parts);
  if (!divergent) return work.add(store ? Scatter : ByWave, 1);
  const auto step = is_plain_access(inst) && space != kPtrPrivate ? steps.of(address) : std::nullopt;
  if (const Array array{store, base_of(address), step.value_or(0)};
      arrays.contains(array) && is_interleaved(array, data.bytes(), arrays))
    return work.add(Interleaved, parts);
  if (near_.contains(&inst)) return work.add(Neighbour, parts);
  if (walks_.contains(&inst)) return work.add(Walk, 1);
  if (!store) gathers_.insert(&inst);
  if (small && (store || space != kPtrPrivate)) return work.add(store ? SmallScatter : SmallGather, 1);
  work.add(store ? Scatter : Gather, parts);
}

// The nearest dominator that is in no loop that the block is not in; none of the entry.
BlockId FormCosts::before_loops(BlockId b) const {
  BlockId d = b == f_.entry() ? BlockId() : dom_.idom[b.index];
  while (d.valid()) {
    const uint32_t loop = u_.cycles.largest_between(d.index, b.index);
    if (loop == kNone) break;
    d = dom_.idom[u_.cycles.cycles[loop].header];
  }
  return d;
}

// How often a work-item and a wave execute each block, by the probabilities of branches in reverse
// post-order. An edge out of a loop is taken as often as the loop is entered.
std::vector<FormCosts::Visits> FormCosts::visits(uint32_t width) const {
  const double lanes = width, doublings = std::log2(lanes);
  std::vector<Visits> at(f_.block_count()), entered(u_.cycles.cycles.size());
  std::vector<double> exits(u_.cycles.cycles.size());
  for (BlockId b : cfg_.rpo)
    for (const Target& t : f_.successors(b))
      for (uint32_t c = u_.cycles.innermost[b.index]; c != kNone; c = u_.cycles.cycles[c].parent)
        if (!u_.cycles.contains(c, t.block)) exits[c] += 1;
  at[f_.entry().index] = {1, 1};
  for (BlockId b : cfg_.rpo) {
    Visits& here = at[b.index];
    // No block is executed more often than those it comes after, but for loops: the ways out of a loop meet
    // behind it.
    if (BlockId d = before_loops(b);
        d.valid() && u_.cycles.innermost[d.index] == u_.cycles.innermost[b.index]) {
      here.by_wave = std::min(here.by_wave, at[d.index].by_wave);
      here.by_lane = std::min(here.by_lane, at[d.index].by_lane);
    }
    here.by_wave = std::max(here.by_wave, here.by_lane);
    if (uint32_t c = header_of(b); c != kNone) {
      entered[c] = here;
      const bool together = !u_.divergent_exit[c];
      double mean = together ? kIterationsTogether : counted_[c] ? kIterationsCounted : kIterations;
      const std::optional<TripCountEstimate>& trips = trips_[c];
      if (trips && (!trips->ends_earlier || trips->iterations < mean)) mean = trips->iterations;
      const double slowest = mean * (1 + later_[c] * doublings);
      here.by_lane *= mean;
      here.by_wave *= trips ? std::min(slowest, trips->most) : slowest;
    }
    const auto targets = f_.successors(b);
    const uint32_t home = u_.cycles.innermost[b.index];
    size_t staying = 0;
    for (const Target& t : targets) staying += home == kNone || u_.cycles.contains(home, t.block);
    const std::optional<size_t> rare = rare_way(b);
    const double active = here.by_wave > 0 ? std::max(1.0, lanes * here.by_lane / here.by_wave) : 1;
    for (const Target& t : targets) {
      if (u_.cycles.leads_to_header(b.index, t.block.index)) continue;
      Visits& to = at[t.block.index];
      if (uint32_t left = u_.cycles.largest_between(b.index, t.block.index); left != kNone) {
        const double part = 1 / exits[left];
        const bool diverges = u_.divergent_exit[left];
        to.by_lane += entered[left].by_lane * part;
        to.by_wave += entered[left].by_wave * (diverges ? 1 - std::pow(1 - part, lanes) : part);
        continue;
      }
      double part = 1.0 / static_cast<double>(std::max<size_t>(staying, 1));
      if (rare && staying == 2) part = &t == &targets[*rare] ? kRare : 1 - kRare;
      const bool diverges = u_.divergent_branch[b.index];
      to.by_lane += here.by_lane * part;
      to.by_wave += here.by_wave * (diverges ? 1 - std::pow(1 - part, active) : part);
    }
  }
  return at;
}

// The way that only large numbers take, of a branch on a comparison with one: reductions of angles,
// overflows.
std::optional<size_t> FormCosts::rare_way(BlockId b) const {
  constexpr double kLarge = 65536;
  const Inst& end = f_.inst(f_.terminator(b));
  const InstId d = end.op == Op::br_if ? f_.def(end.operands[0]) : InstId();
  if (!d || (f_.inst(d).op != Op::flt && f_.inst(d).op != Op::fle)) return std::nullopt;
  for (size_t k = 0; k < 2; ++k) {
    const ValueId v = f_.inst(d).operands[k];
    if (!f_.is_const(v) || f_.type(v).bits() < 32) continue;
    const uint64_t bits = f_.value(v).bits;
    const double x = f_.type(v).bits() == 64
                         ? std::bit_cast<double>(bits)
                         : static_cast<double>(std::bit_cast<float>(static_cast<uint32_t>(bits)));
    if (x >= kLarge) return k;
    if (x <= -kLarge) return 1 - k;
  }
  return std::nullopt;
}

uint32_t FormCosts::header_of(BlockId b) const {
  const uint32_t c = u_.cycles.innermost[b.index];
  return c != kNone && u_.cycles.cycles[c].header == b.index ? c : kNone;
}

// Of one execution.
double FormCosts::block_cycles(BlockId b, uint32_t width) const {
  const Work& w = work_[b.index];
  const bool open = u_.divergent_branch[b.index];
  double sum = 0;
  if (width == 1) {
    for (size_t k = 0; k < Kinds; ++k) sum += kPrices[k].scalar * w.of[k];
    const auto targets = static_cast<double>(f_.successors(b).size());
    return sum + (open && !rare_way(b) ? kWrongGuess * kUnforeseen * (1 - 1 / targets) : 0);
  }
  const double parts = std::max(kLeastPart, static_cast<double>(width) / machine_.lanes);
  const double bytes = machine_.scatters && width >= kByteLanes ? kBytes : parts;
  for (size_t k = 0; k < Kinds; ++k) {
    const Price& price = kPrices[k];
    const double once = machine_.scatters ? price.avx512 : price.avx2;
    if (price.by_lane) continue;
    sum += w.of[k] * (price.by_wave ? price.scalar : once * ((k == Byte ? bytes : parts) + kWaiting));
  }
  return sum + (open ? kMasks * parts + kTest : 0);
}

// Of one lane that executes the block: what a wave does for one lane after the other.
double FormCosts::lane_cycles(BlockId b, uint32_t width) const {
  double sum = 0;
  for (size_t k = 0; width > 1 && k < Kinds; ++k)
    if (const Price& price = kPrices[k]; price.by_lane)
      sum += work_[b.index].of[k] * (machine_.scatters ? price.avx512 : price.avx2);
  return sum;
}

double FormCosts::scattered() const {
  const std::vector<Visits> at = visits(1);
  double sum = 0;
  for (BlockId b : cfg_.rpo) {
    const auto& of = work_[b.index].of;
    sum += at[b.index].by_lane * (of[Gather] + of[Scatter] + of[SmallGather] + of[SmallScatter]);
  }
  return sum;
}

double FormCosts::accesses() const {
  const std::vector<Visits> at = visits(1);
  double sum = 0;
  for (BlockId b : cfg_.rpo) {
    const auto& of = work_[b.index].of;
    for (Kind k : {Contiguous, Interleaved, Neighbour, Gather, Scatter, SmallGather, SmallScatter, Walk})
      sum += at[b.index].by_lane * of[k];
  }
  return sum;
}

bool FormCosts::open() const { return std::ranges::count(u_.divergent_exit, true) != 0; }

double FormCosts::latency(const Inst& inst) const {
  const Type type = f_.type(inst.results[0]);
  if (gathers_.contains(&inst)) return kGatherLatency + (type.bits() < 32 ? kPartOfWord : 0);
  if (loads(inst.op)) return kLoadLatency;
  if (inst.op == Op::fdiv || inst.op == Op::fsqrt || class_of(inst.op) == OpClass::IntDivision)
    return kQuotientLatency;
  return inst.op == Op::mul || (type.is_float() && inst.op != Op::select) ? kProductLatency : 1;
}

// From a variable of the loop to its value in the next iteration, in cycles.
double FormCosts::longest_chain(std::span<const BlockId> loop, uint32_t cycle, size_t variable) const {
  const BlockId header(u_.cycles.cycles[cycle].header);
  // How long after the variable each value is known; values that do not depend on it are not in here.
  std::unordered_map<uint32_t, double> known{{f_.block(header).params[variable].index, 0}};
  double longest = 0;
  auto after = [&](ValueId v) {
    const auto at = known.find(v.index);
    return at == known.end() ? -1 : at->second;
  };
  auto take = [&](ValueId v, double time) {
    if (auto [at, fresh] = known.try_emplace(v.index, time); !fresh) at->second = std::max(at->second, time);
  };
  for (BlockId b : loop)
    for (InstId i : f_.block(b).insts) {
      const Inst& inst = f_.inst(i);
      for (ValueId v : inst.operands)
        if (const double time = after(v); time >= 0 && !inst.results.empty())
          take(inst.results[0], time + latency(inst));
      for (const Target& t : inst.targets) {
        if (!u_.cycles.contains(cycle, t.block)) continue;
        for (size_t k = 0; k < t.args.size(); ++k) {
          const double time = after(t.args[k]);
          if (time < 0) continue;
          if (t.block != header)
            take(f_.block(t.block).params[k], time);
          else if (k == variable)
            longest = std::max(longest, time);
        }
      }
    }
  return longest;
}

// By cycle: the longest chain of an innermost loop; 0 for others.
std::vector<double> FormCosts::recurrences() const {
  constexpr size_t kMostVariables = 16;
  std::vector<double> longest(u_.cycles.cycles.size());
  for (uint32_t c = 0; c < longest.size(); ++c) {
    if (!u_.cycles.is_innermost(c)) continue;
    std::vector<BlockId> loop;
    for (uint32_t b : u_.cycles.nodes(c)) loop.push_back(BlockId(b));
    std::ranges::sort(loop, {}, [&](BlockId b) { return cfg_.number[b.index]; });
    const size_t variables = f_.block(BlockId(u_.cycles.cycles[c].header)).params.size();
    for (size_t v = 0; v < std::min(variables, kMostVariables); ++v)
      longest[c] = std::max(longest[c], longest_chain(loop, c, v));
  }
  return longest;
}

double FormCosts::waits(uint32_t width) const {
  if (recurrences_.empty()) recurrences_ = recurrences();
  const std::vector<Visits> at = visits(width);
  double sum = 0;
  for (uint32_t c = 0; c < recurrences_.size(); ++c) {
    if (recurrences_[c] == 0) continue;
    double busy = 0;
    for (uint32_t b : u_.cycles.nodes(c)) busy += at[b].by_wave * block_cycles(BlockId(b), width);
    sum += std::max(0.0, at[u_.cycles.cycles[c].header].by_wave * recurrences_[c] - busy);
  }
  return sum / width;
}

double FormCosts::cycles(uint32_t width) const {
  const std::vector<Visits> at = visits(width);
  double sum = kStartOfWave;
  for (BlockId b : cfg_.rpo)
    sum += at[b.index].by_wave * block_cycles(b, width) + at[b.index].by_lane * width * lane_cycles(b, width);
  return sum / width;
}

}  // namespace kc
