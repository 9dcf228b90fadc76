// SPDX-License-Identifier: Apache-2.0
// Selects the width of waves on a machine with short vectors.
#pragma once

#include <optional>

#include "ir/function.h"
#include "passes/analysis/cache.h"

namespace kc {

/// The number of machine vectors per lane value: 4, 2 or 1. With one vector, chains of dependent operations
/// leave the units idle; with four, work done once per wave (uniform code, branches, wave start) is shared by
/// more lanes. On twelve kernels four were up to twice as fast as two, and slower on one only. Fewer are
/// chosen
/// - where divergent loops are nested: the more lanes, the longer those that left the inner loop wait;
/// - where a divergent loop does most of its work on paths that only some lanes take: with more lanes some
///   lane nearly always takes one;
/// - where most values of divergent loops have 64 bits: four vectors of words are eight of them;
/// - where many values are live at once and would be spilled: one vector if most of them have 64 bits;
/// - for long kernels, whose compile time grows with the width.
/// Kernels with barriers get four: a group should have few waves; two if most of their values have 64 bits.
/// Four, too, get those whose loops compute with little else than bytes and shorts, and those that mostly
/// compare bytes where the machine has `byte_lanes`: four vectors of words are one vector of bytes. Needs
/// thread IR in SSA form, with bytes and shorts where these are computed (narrow_small.h). For kernels about
/// which vectors_decided_early says nothing.
unsigned choose_vectors(const Function& thread, bool byte_lanes, AnalysisCache& analyses);
/// Their number where length, barriers or sub-group operations decide.
std::optional<unsigned> vectors_decided_early(const Function& thread, AnalysisCache& analyses);

/// Whether waves of a two-dimensional grid should be tiles rather than row segments: the kernel has nested
/// divergent loops, which nearby work-items leave in nearly the same iteration, and the items of a tile are
/// nearby. Not where loops access divergent addresses: rows are loaded as whole vectors. Needs thread IR in
/// SSA form.
bool prefers_tiles(const Function& thread, AnalysisCache& analyses);

/// Whether the kernel asks for ids along the dimension.
bool sees_ids(const Function& thread, int64_t dimension);
/// Whether neighbours along x access neighbouring places in some accesses, and neighbours along y in others,
/// as in a transpose: tiles then use whole cache lines of both. `in_columns` is for lanes along y.
bool has_crossing_accesses(const Function& thread, AnalysisCache& analyses, const Uniformity& in_columns);

}  // namespace kc
