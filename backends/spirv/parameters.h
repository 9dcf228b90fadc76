// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "ir/function.h"
#include "runtime/image.h"

namespace kc::spirv {

/// Where the kernel's parameters lie in the block, one behind the other at multiples of their sizes.
void lay_out_parameters(const Function& f, VulkanImage& image);

}  // namespace kc::spirv
