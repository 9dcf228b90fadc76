// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "ir/function.h"

namespace kc {

/// Whether all work-items of a group that come to a branch in front of a barrier leave it the same way, by
/// what is known of its condition: then they all come to the same barriers. Needs SSA form.
bool barriers_are_uniform(const Function& f);

/// Makes one barrier of all, at which every work-item of the group arrives in every round, those too that
/// have ended; unless barriers_are_uniform. Who waits for others that wait elsewhere traps. Adds a local
/// object. Returns whether f changed.
bool unify_barriers(Function& f);

}  // namespace kc
