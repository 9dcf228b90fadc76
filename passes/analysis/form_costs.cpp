// SPDX-License-Identifier: Apache-2.0
#include "passes/analysis/form_costs.h"

#include <algorithm>
#include <cmath>

#include "ir/cfg.h"

namespace kc {
namespace {

// What is not known of a kernel: how often its loops iterate, and how much more often for the slowest lane of
// a wave, for each doubling of the lanes.
double P(int i, double d) { static std::vector<double> v = [] { std::vector<double> r; if (const char* e = getenv("KC_P")) { char* q = const_cast<char*>(e); while (*q) { r.push_back(strtod(q, &q)); if (*q) ++q; } } return r; }(); return i < (int)v.size() && v[i] >= 0 ? v[i] : d; }
const double kIterations = P(0, 16), kSlowest = P(1, 0.35);
// Cycles. A branch whose outcome nobody can foresee is guessed wrong every other time.
const double kWrongGuess = 20, kOpen = P(2, 0.25);
const double kStartOfWave = P(3, 12);
// Chains of operations wait for their results: the fewer parts a value has, the longer.
const double kWaiting = P(4, 0.5);

}  // namespace

const std::array<FormCosts::Price, FormCosts::Kinds> FormCosts::kPrices = [] {
  std::array<Price, Kinds> p;
  p[ByWave] = {.scalar = 0.35, .avx512 = 0, .avx2 = 0, .by_wave = true};
  p[WaveQuotient] = {.scalar = 6, .avx512 = 0, .avx2 = 0, .by_wave = true};
  p[Branch] = {.scalar = 0.5, .avx512 = 0, .avx2 = 0, .by_wave = true};
  p[Address] = {.scalar = 0.2, .avx512 = 0.4, .avx2 = 0.4};
  p[Word] = {.scalar = 0.4, .avx512 = 0.6, .avx2 = 0.5};
  p[Byte] = {.scalar = 0.4, .avx512 = 0.6, .avx2 = 0.5};
  p[Float] = {.scalar = 0.8, .avx512 = 0.6, .avx2 = 0.6};
  p[Product] = {.scalar = 0.8, .avx512 = 1.5, .avx2 = 1.5};
  p[Quotient] = {.scalar = 5, .avx512 = 11, .avx2 = 6};
  p[IntQuotient] = {.scalar = 8, .avx512 = 30, .avx2 = 18};
  p[Contiguous] = {.scalar = 0.6, .avx512 = 1, .avx2 = 0.8};
  p[Gather] = {.scalar = 0.8, .avx512 = 14, .avx2 = 9};
  p[Scatter] = {.scalar = 1, .avx512 = 20, .avx2 = 16};
  p[SmallGather] = {.scalar = 0.8, .avx512 = 18, .avx2 = 12};
  p[SmallScatter] = {.scalar = 1, .avx512 = 36, .avx2 = 18};
  p[LocalAtomic] = {.scalar = 3, .avx512 = 4, .avx2 = 4, .by_lane = true};
  p[GlobalAtomic] = {.scalar = 20, .avx512 = 20, .avx2 = 20, .by_lane = true};
  return p;
}();

FormCosts::FormCosts(const Function& thread, AnalysisCache& analyses, const VectorModel& machine)
    : f_(thread),
      cfg_(analyses.cfg()),
      dom_(analyses.dominators()),
      u_(analyses.uniformity()),
      machine_(machine),
      work_(thread.block_count()) {
  LaneSteps steps(f_, cfg_, u_);
  for (BlockId b : cfg_.rpo)
    for (InstId i : f_.block(b).insts) count(f_.inst(i), steps, work_[b.index]);
}

void FormCosts::count(const Inst& inst, LaneSteps& steps, Work& work) const {
  const OpInfo& row = info(inst.op);
  if (row.has(Terminator)) {
    work.add(Branch, inst.targets.size() > 1 ? 1 : 0.3f);
    return;
  }
  const bool reads = row.effects == Effects::Read || loads(inst.op), writes = row.effects == Effects::Write;
  if ((reads || writes) && !inst.operands.empty() && f_.type(inst.operands[0]).is_pointer())
    return access(inst, steps, work);
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

void FormCosts::access(const Inst& inst, LaneSteps& steps, Work& work) const {
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
  if (small) return work.add(store ? SmallScatter : SmallGather, 1);
  work.add(store ? Scatter : Gather, parts);
}

// How often a work-item and a wave execute each block, by the probabilities of branches in reverse
// post-order. An edge out of a loop is taken as often as the loop is entered.
std::vector<FormCosts::Visits> FormCosts::visits(uint32_t width) const {
  const double lanes = width, slowest = 1 + kSlowest * std::log2(lanes), nested = 1 + kSlowest * P(13, 1) * std::log2(lanes);
  std::vector<Visits> at(f_.block_count()), entered(u_.cycles.cycles.size());
  std::vector<double> exits(u_.cycles.cycles.size());
  for (BlockId b : cfg_.rpo)
    for (const Target& t : f_.successors(b))
      for (uint32_t c = u_.cycles.innermost[b.index]; c != kNone; c = u_.cycles.cycles[c].parent)
        if (!u_.cycles.contains(c, t.block)) exits[c] += 1;
  at[f_.entry().index] = {1, 1};
  for (BlockId b : cfg_.rpo) {
    Visits& here = at[b.index];
    // No block is executed more often than those it comes after, but for loops.
    if (BlockId d = dom_.idom[b.index];
        b != f_.entry() && d.valid() && u_.cycles.innermost[d.index] == u_.cycles.innermost[b.index]) {
      here.by_wave = std::min(here.by_wave, at[d.index].by_wave);
      here.by_lane = std::min(here.by_lane, at[d.index].by_lane);
    }
    here.by_wave = std::max(here.by_wave, here.by_lane);
    if (uint32_t c = header_of(b); c != kNone) {
      entered[c] = here;
      here.by_lane *= kIterations;
      here.by_wave *= kIterations * (!u_.divergent_exit[c] ? 1 : u_.cycles.cycles[c].parent == kNone ? slowest : nested);
    }
    const auto targets = f_.successors(b);
    const uint32_t home = u_.cycles.innermost[b.index];
    size_t staying = 0;
    for (const Target& t : targets) staying += home == kNone || u_.cycles.contains(home, t.block);
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
      const double part = 1.0 / static_cast<double>(std::max<size_t>(staying, 1));
      const bool diverges = u_.divergent_branch[b.index];
      to.by_lane += here.by_lane * part;
      to.by_wave += here.by_wave * (diverges ? 1 - std::pow(1 - part, active) : part);
    }
  }
  return at;
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
    for (size_t k = 0; k < Kinds; ++k) sum += kPrices[k].scalar * P(5, 1) * w.of[k];
    return sum + (open ? kWrongGuess * kOpen : 0);
  }
  const double parts = std::max(1.0, static_cast<double>(width) / machine_.lanes);
  const double bytes = machine_.scatters && width >= 32 ? P(14, 1) : parts;
  for (size_t k = 0; k < Kinds; ++k) {
    const Price& price = kPrices[k];
    double once = machine_.scatters ? price.avx512 : price.avx2;
    if (k == Gather) once *= P(6, 1);
    if (k == Scatter) once *= P(7, 1);
    if (k == SmallGather) once *= P(8, 1);
    if (k == SmallScatter) once *= P(9, 1);
    if (k == Word || k == Float) once *= P(10, 1);
    sum += w.of[k] * (price.by_wave   ? price.scalar
                      : price.by_lane ? once * width
                                      : once * ((k == Byte ? bytes : parts) + kWaiting));
  }
  // A mask of each part, a test, a guess.
  return sum + (open ? P(11, 3) * parts + P(12, 3) : 0);
}

double FormCosts::cycles(uint32_t width) const {
  const std::vector<Visits> at = visits(width);
  double sum = kStartOfWave;
  for (BlockId b : cfg_.rpo) sum += at[b.index].by_wave * block_cycles(b, width);
  if (getenv("KC_COSTS2"))
    for (BlockId b : cfg_.rpo) {
      fprintf(stderr, "w%u b%u lane %.2f wave %.2f cycles %.1f div %d:", width, b.index, at[b.index].by_lane, at[b.index].by_wave, block_cycles(b, width), (int)u_.divergent_branch[b.index]);
      for (size_t k = 0; k < Kinds; ++k) if (work_[b.index].of[k]) fprintf(stderr, " %zu:%.1f", k, work_[b.index].of[k]);
      fprintf(stderr, "\n");
    }
  return sum / width;
}

}  // namespace kc
