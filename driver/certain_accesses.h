// SPDX-License-Identifier: Apache-2.0
// Buffers that are too small for what a launch is certain to access, found before it runs.
#pragma once

#include <expected>

#include "driver/arguments.h"
#include "ir/launch.h"

namespace kc {

/// Evaluates the kernel (thread IR as the front end makes it) for the work-items at the corners of the
/// launch, as far as scalars and ids determine the control flow. An access on this path at a known offset
/// outside its buffer is an error (ExitUsage) that names parameter, element, line and work-item. What depends
/// on the contents of memory is not examined, so a launch whose accesses lie in its buffers is never refused.
std::expected<void, DriverError> check_certain_accesses(const Function& kernel, const LaunchSpec& spec,
                                                        const KernelArguments& args);

}  // namespace kc
