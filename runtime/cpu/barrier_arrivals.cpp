// SPDX-License-Identifier: Apache-2.0
#include "runtime/cpu/barrier_arrivals.h"

#include <array>
#include <bit>
#include <tuple>
#include <utility>

namespace kc {
namespace {

uint64_t arrived(const CpuWaveContext& wave) { return wave.resume ? wave.arrived : 0; }

using Id = std::array<uint64_t, 3>;

// Of one lane.
Id global_id(const CpuWaveContext& wave, uint32_t packed, size_t lane, uint8_t rows_along) {
  Id id{wave.global_id[0], wave.global_id[1], wave.global_id[2]};
  if (!packed) id[0] += lane;
  for (size_t d = 0; packed && d < 3; ++d)
    id[d] += static_cast<uint64_t>(int64_t{wave.steps[d * packed + lane]});
  std::swap(id[0], id[rows_along]);
  return id;
}

void add_lanes(std::optional<CpuBarrierTrap>& trap, const CpuWaveContext& wave, uint32_t packed,
               uint8_t rows_along, uint64_t lanes, uint64_t site) {
  for (; lanes; lanes &= lanes - 1)
    add_trap(trap,
             {.site = static_cast<uint32_t>(site),
              .global_id = global_id(wave, packed, static_cast<size_t>(std::countr_zero(lanes)), rows_along),
              .count = 1});
}

}  // namespace

void add_trap(std::optional<CpuBarrierTrap>& all, const CpuBarrierTrap& more) {
  auto order = [](const CpuBarrierTrap& t) {
    return std::tuple(t.global_id[2], t.global_id[1], t.global_id[0]);
  };
  uint64_t count = more.count + (all ? all->count : 0);
  if (!all || order(more) < order(*all)) all = more;
  all->count = count;
}

void BarrierArrivals::start(size_t waves, uint8_t rows_along) {
  waves_ = waves, rows_along_ = rows_along;
  missed_.assign(waves, 0);
  sites_.clear();
  present_.clear();
}

bool BarrierArrivals::arrive(std::span<const CpuWaveContext> waves, uint32_t packed,
                             std::optional<CpuBarrierTrap>& trap) {
  uint64_t place = 0, site = 0;
  bool same = true, late = false, some_missing = false;
  for (size_t i = 0; i < waves.size(); ++i) {
    const CpuWaveContext& w = waves[i];
    if (!w.resume) continue;
    if (!place) place = w.resume, site = w.site;
    same &= w.resume == place;
    late |= (arrived(w) & missed_[i]) != 0;
    some_missing |= (w.mask & ~arrived(w) & ~missed_[i]) != 0;
  }
  if (!same || late) {
    report(waves, packed, trap);
    return false;
  }
  if (!some_missing) return true;
  for (size_t i = 0; i < waves.size(); ++i) {
    if (waves[i].resume) missed_[i] |= waves[i].mask & ~arrived(waves[i]);
    present_.push_back(arrived(waves[i]));
  }
  sites_.push_back(site);
  return true;
}

void BarrierArrivals::report(std::span<const CpuWaveContext> waves, uint32_t packed,
                             std::optional<CpuBarrierTrap>& trap) const {
  std::vector<uint64_t> late(waves_);
  uint64_t any = 0;
  for (size_t i = 0; i < waves_; ++i) any |= late[i] = arrived(waves[i]) & missed_[i];
  for (size_t i = 0; i < waves_; ++i)
    add_lanes(trap, waves[i], packed, rows_along_, any ? late[i] : arrived(waves[i]), waves[i].site);
  if (!any) return;
  // The first barrier that one of them did not reach.
  for (size_t m = 0; m < sites_.size(); ++m) {
    const uint64_t* present = &present_[m * waves_];
    bool was_missing = false;
    for (size_t i = 0; i < waves_; ++i) was_missing |= (late[i] & ~present[i]) != 0;
    if (!was_missing) continue;
    for (size_t i = 0; i < waves_; ++i) add_lanes(trap, waves[i], packed, rows_along_, present[i], sites_[m]);
    return;
  }
}

}  // namespace kc
