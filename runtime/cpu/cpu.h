// SPDX-License-Identifier: Apache-2.0
// Runs CPU images in this process: executable memory, and work-groups on threads.
#pragma once

#include <array>
#include <cstdint>
#include <expected>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>

#include "runtime/cpu/faults.h"
#include "runtime/cpu/features.h"
#include "runtime/cpu/form_trial.h"
#include "runtime/image.h"

namespace kc {

/// Global sizes are multiples of local sizes.
struct CpuLaunch {
  uint32_t dims = 1;
  std::array<uint64_t, 3> global{1, 1, 1}, local{1, 1, 1}, offset{0, 0, 0};
  uint32_t local_bytes = 0;    // memory of one group
  uint32_t private_bytes = 0;  // memory of one work-item, a multiple of 4
  unsigned threads = 0;        // maximum; 0: all cores
  bool catch_faults =
      false;  // an access that the processor refuses ends the launch, while a FaultHandler lives
  /// The dimension of the kernel's launch that is in the place of x here, and x in its place.
  uint8_t rows_along = 0;
};

/// Work-items of a group that did not reach a barrier together; their group ended there.
struct CpuBarrierTrap {
  uint32_t site = 0;                    // of the barrier reached by the lowest id
  std::array<uint64_t, 3> global_id{};  // the lowest, in the kernel's launch
  uint64_t count = 0;
};
struct CpuResult {
  std::optional<CpuBarrierTrap> divergent_barrier;
  /// One of those that were caught, or an interruption; what other work-items did is not known.
  std::optional<CpuFault> fault;
  unsigned form = 0;  // in whose code the fault was
};

class CpuKernel {
 public:
  /// Fails if this machine lacks a required feature, or memory.
  static std::expected<CpuKernel, std::string> load(const CpuImage& image);
  /// Runs each wave of the image through a caller-supplied function instead, for example an emulator.
  static CpuKernel load(const CpuImage& image, std::function<void(CpuWaveContext*)> wave);
  ~CpuKernel();
  CpuKernel(CpuKernel&&) noexcept;
  CpuKernel& operator=(CpuKernel&&) noexcept;

  /// `args`: the bits of each parameter of the image; a local parameter is an offset in the group's memory.
  /// The kernel keeps the memory of waves and groups for the next launch. `trial`: between this form, its
  /// first, and others of the same kernel.
  std::expected<CpuResult, std::string> run(const CpuLaunch& launch, std::span<const uint64_t> args,
                                            FormTrial* trial = nullptr) const;

 private:
  struct State;
  class Tasks;
  explicit CpuKernel(std::unique_ptr<State> state);
  std::unique_ptr<State> state_;
};

}  // namespace kc
