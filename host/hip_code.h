// SPDX-License-Identifier: Apache-2.0
// A kernel as a code object on an AMD device, through HIP.
#pragma once

#include <expected>
#include <memory>
#include <string>
#include <vector>

#include "host/device_memory.h"
#include "host/gcn_code.h"
#include "runtime/hip/hip.h"

namespace kc {

/// KERNELC_HIP_LIBRARY, or empty: the machine's own.
std::string hip_library();

/// The machine that the device is; CompileError::Unsupported if no code is made for it.
std::expected<const TargetDesc*, CompileError> target_of(const HipDevice& device);

/// Why HIP cannot run such a launch, or nothing.
std::string hip_refusal(const LaunchSpec& spec);

/// Code for groups of one size, loaded on the device.
struct HipCode {
  std::unique_ptr<Function> wave;
  HipKernel kernel;
};
/// Runs LLVM's assembler and linker, each as a process. CompileError::Absent if they are not installed.
std::expected<HipCode, CompileError> compile_for_hip(const KernelCompiler& kernel, const HipDevice& device,
                                                     const GroupSize& local);

/// Copies the buffers to the device, runs once, and copies them back, except those that `constant` names (by
/// the index of the range; ranges after its end are written). `bound` was made for the wave function and
/// bound to this launch. A device is used by one launch at a time.
std::expected<DeviceRun, LaunchError> launch_on_hip(const HipDevice& device, const HipCode& code,
                                                    const BoundArguments& bound, const LaunchSpec& spec,
                                                    const std::vector<bool>& constant = {});

}  // namespace kc
