// SPDX-License-Identifier: Apache-2.0
// How wide the waves of a kernel should be on a machine with short vectors.
#pragma once

#include "ir/function.h"
#include "passes/analysis/uniformity.h"

namespace kc {

/// How many machine vectors each lane value should have: 4, 2 or 1. Chains of dependent operations leave the
/// units idle with one vector, and what a wave does once (uniform work, branches, its start) is shared by
/// more lanes with four: on twelve kernels four were up to twice as fast as two, and never slower but in one.
/// Fewer are taken
/// - where divergent loops are nested: the more lanes, the longer those that left the inner one wait;
/// - where a divergent loop does most of its work on ways that only some lanes take: with more lanes there is
///   nearly always one that takes it;
/// - where many values live at once, which would lie on the stack;
/// - for long kernels, whose compile time grows with the width.
/// Kernels with barriers have four: a group should have few waves. So have those whose loops mostly compare
/// bytes, where the machine has `byte_lanes`: four vectors of words are one of bytes. Needs thread IR in SSA
/// form.
unsigned choose_vectors(const Function& thread, bool byte_lanes = false, UniformityOptions options = {});

/// Whether waves of a grid of two dimensions had better be tiles than pieces of rows: there are nested
/// divergent loops, which work-items near each other leave in nearly the same round, and those of a tile are
/// all near. Not where loops access places that differ between lanes: rows are loaded as whole vectors. Needs
/// thread IR in SSA form.
bool prefers_tiles(const Function& thread);

}  // namespace kc
