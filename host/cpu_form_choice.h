// SPDX-License-Identifier: Apache-2.0
// Which form of a kernel's code a launch gets.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <vector>

#include "host/cpu_form.h"
#include "ir/launch.h"

namespace kc {

/// What decides the forms of a kernel's launches. Passes and estimates find it once for a kernel and target.
struct CpuTraits {
  uint32_t width = 0;         // of waves that have room for what a row needs
  bool fixed_width = false;   // the user or the kernel chose it
  bool sees_groups = false;   // where groups end can be told from results
  bool groups_known = false;  // the kernel requires their size
  bool sub_groups = false;    // it has operations of them
  bool has_barriers = false;
  bool tiles = false;                   // waves should lie in tiles of the grid
  bool tells_overlap = false;           // launches whose buffers do not overlap have a form of their own
  bool shows_lanes = false;             // how many run together can be told from results
  bool near = false;                    // the estimates of one lane and of many do not differ much
  bool melds = false;                   // estimates decide what is melded
  std::array<bool, 3> alone{};          // where waves would lie along x, y, z: one lane is faster
  std::array<bool, 3> across_lines{};   // lanes lie along x also for groups that are lines along y, z
  uint32_t loop_lanes = 0;              // of the form whose lanes are iterations of loops, if there is one
  bool loops_first = false;             // lanes of work-items would be far apart in memory
  double same_for_lanes = 0;            // what a wave does once, in the time of what it does for a vector
  uint64_t streamed = 0;                // bytes that a work-item stores for nobody in the launch
  uint8_t rows_along = 0;               // lanes along this dimension are faster than along x, where it has
  uint32_t least_row = 0;               // so many work-items at least
  std::vector<CpuTraits> transposed{};  // then: one, what decides the forms of the transposed launches
  /// Whether the form depends on whether buffers overlap.
  bool sees_overlap() const { return tells_overlap || loop_lanes; }
  bool operator==(const CpuTraits&) const = default;
};

class CpuFormChoice {
 public:
  CpuFormChoice(const TargetDesc& target, const CpuTraits& traits) : target_(&target), traits_(traits) {}

  const TargetDesc& target() const { return *target_; }
  const CpuTraits& traits() const { return traits_; }
  CpuForm form(const LaunchSpec& spec) const;
  /// For callers that do not transpose launches.
  CpuForm untransposed_form(const LaunchSpec& spec) const;
  /// For launches of any shape and with buffers of any size.
  CpuForm any_form() const {
    return {.target = target_,
            .width = traits_.alone[0] ? 1 : traits_.width,
            .small_buffers = false,
            .layout = {.aligned = true}};
  }
  /// What to compare this form with while launches run, the most promising first: one lane or many, whichever
  /// it is not, unless the estimates are sure; packed waves or rows in groups with barriers; fewer and more
  /// lanes; what lanes do together done apart. None where results would tell forms from each other (in which
  /// order lanes add to a counter, say), or where the user chose.
  std::vector<CpuRival> rivals(const CpuForm& form, const LaunchSpec& spec) const;

 private:
  uint32_t limited(uint64_t items) const;
  uint32_t of_row(uint64_t row) const;
  /// `as_wide`: with as many lanes as the traits say, but for rows that are shorter. `packs`: not by
  /// estimates.
  CpuForm form_of_any_size(const LaunchSpec& spec, bool alone, bool as_wide = false,
                           std::optional<bool> packs = {}) const;
  CpuForm rival(const CpuForm& form, const LaunchSpec& spec, uint32_t width) const;
  bool goes_alone(const LaunchSpec& spec) const;
  bool is_line(const LaunchSpec& spec, bool across = false) const;
  bool vectorises_loops(const LaunchSpec& spec) const;
  CpuForm with_size(CpuForm form, const LaunchSpec& spec) const;
  bool transposes(const LaunchSpec& spec) const;
  CpuFormChoice of_transposed() const { return {*target_, traits_.transposed.front()}; }
  std::array<uint64_t, 3> tile(const LaunchSpec& spec) const;
  std::array<uint64_t, 3> narrow_tile(const LaunchSpec& spec, const CpuForm& rows) const;

  const TargetDesc* target_;
  CpuTraits traits_;
};

}  // namespace kc
