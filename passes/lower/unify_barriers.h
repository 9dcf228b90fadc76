// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "passes/analysis/cache.h"

namespace kc {

/// Whether every branch that controls a barrier is uniform over the work-items of a group, as far as its
/// condition is known: then all items reach the same barriers. Needs SSA form.
bool barriers_are_uniform(const Function& f, AnalysisCache& analyses);

/// Replaces all barriers by one that every work-item of the group reaches in each iteration, ended ones too;
/// unless barriers_are_uniform. Items that wait at different barriers trap. Adds a local object. Returns
/// whether f changed.
bool unify_barriers(Function& f, AnalysisCache& analyses);

}  // namespace kc
