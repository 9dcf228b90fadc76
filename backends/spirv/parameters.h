// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "ir/function.h"
#include "runtime/image.h"

namespace kc::spirv {

/// Lays out the kernel's parameters in the block, consecutively, aligned to their sizes.
void lay_out_parameters(const Function& f, VulkanImage& image);

}  // namespace kc::spirv
