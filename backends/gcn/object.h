// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "backends/gcn/machine.h"

namespace kc::gcn {

/// The whole assembly file of one kernel.
std::string print_file(const Function& wave, const std::vector<MachineBlock>& blocks,
                       const GcnResources& resources, const GcnTarget& options);

}  // namespace kc::gcn
