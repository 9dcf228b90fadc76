// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "ir/function.h"

namespace kc {

/// Replaces instructions whose row has an expansion by that expansion, so that backends never see them.
/// Returns whether f changed.
bool expand_ops(Function& f);

}  // namespace kc
