// SPDX-License-Identifier: Apache-2.0
// Machine code of CPUs comes in forms: one kernel, compiled for launches of different shapes.
#pragma once

#include <array>
#include <cstdint>
#include <expected>
#include <string>

#include "host/targets.h"
#include "ir/function.h"
#include "passes/analysis/shape.h"

namespace kc {

/// What code is compiled for. It runs every launch whose buffers are as small as it believes; where rows of
/// groups are shorter than a wave, lanes stay idle. If waves are packed, it runs launches of groups of that
/// shape with ids below LaneLayout::kIds.
struct CpuForm {
  const TargetDesc* target = nullptr;  // one of the table
  uint32_t width = 8;
  bool small_buffers = true;
  bool disjoint_buffers = false;  // those of different arguments, where that makes a difference
  bool streams = false;           // stores go past the caches, where nothing reads what they store
  LaneLayout layout{};
  /// Groups that stand for those of the launch, whose waves are tiles of the grid; 0: they are its own.
  std::array<uint64_t, 3> tile{};
  /// The dimension that its rows lie along: it runs launches that are transposed by it (ir/launch.h).
  uint8_t rows_along = 0;
  /// The size of the groups, as a constant of the code; 0: any.
  GroupSize groups{};
  CpuForm with_rows_along(uint8_t dimension) const {
    CpuForm form = *this;
    form.rows_along = dimension;
    return form;
  }
  auto operator<=>(const CpuForm&) const = default;
};

/// A form that a kernel may have beside another one.
struct CpuRival {
  CpuForm form;
  bool apart = false;  // nothing is melded
  bool operator==(const CpuRival&) const = default;
};

/// The form as a note in a function that is made for it, and back; an error says what is wrong with the note.
TargetNote note_of(const CpuForm& form);
std::expected<CpuForm, std::string> form_of(const Function& f);
/// "avx512, 32 lanes along x, buffers below 2 GiB"
std::string describe(const CpuForm& form);

}  // namespace kc
