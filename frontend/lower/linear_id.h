// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "ir/function.h"

namespace kc::front {

/// The number of the work-item in its launch, without the launch's offset, or in its group: x first.
ValueId linear_id(Builder& b, bool in_group);
/// How many work-items the group has.
ValueId group_size(Builder& b);

}  // namespace kc::front
