// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "ir/function.h"
#include "ir/remarks.h"

namespace kc {

/// Loads of values that the work-item has just stored or loaded become those values; stores that are
/// overwritten before anything reads them go, and so do stores of what is there. Returns whether f changed.
bool store_to_load_forwarding(Function& f, Remarks* remarks = nullptr);

}  // namespace kc
