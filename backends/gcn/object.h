// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "backends/gcn/isa/models.h"
#include "backends/gcn/machine.h"

namespace kc::gcn {

/// The code alone, without directives but labels.
std::string print_blocks(const Function& wave, const std::vector<MachineBlock>& blocks,
                         const MachineModel& model);
/// The assembly of a kernel with its descriptor.
std::string print_kernel(const Function& wave, const std::vector<MachineBlock>& blocks,
                         const GcnResources& resources, const MachineModel& model);
/// The kernel's entry in the metadata.
std::string print_metadata(const Function& wave, const GcnResources& resources);

}  // namespace kc::gcn
