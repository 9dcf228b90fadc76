// SPDX-License-Identifier: Apache-2.0
// Thread IR to SPIR-V 1.5 for Vulkan 1.2. Ask `check` first; `emit_spirv` then cannot fail.
#pragma once

#include <array>
#include <expected>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "ir/function.h"
#include "runtime/image.h"

namespace kc {

struct SpirvOptions {
  std::array<uint32_t, 3> local_size{1, 1, 1};  // unless whoever loads the module says otherwise
  std::string source_name;
  // Facts of the device; the defaults hold everywhere.
  bool fused_fma32 = false, fused_fma64 = false;
  bool rounding_even32 = false, rounding_even64 = false;
  bool signed_zero_inf_nan_preserve32 = false, signed_zero_inf_nan_preserve64 = false;
  // The driver computes values of a loop on for work-items that have left it, so that what they carry
  // out is lost. Such values are then sent through phis that it cannot remove.
  bool guard_loop_values = false;
  // The driver leaves loops after a fixed number of iterations. Work-items that come out of a loop by none of
  // its exits then set the block's `cut` and end.
  bool detect_loop_limits = false;
  // Sub-groups of so many lanes lie in rows, and the driver runs the lanes after the end of a row, too, with
  // stores switched off: in loops they may take paths that no work-item takes.
  uint32_t lanes_of_rows = 0;
  // The driver compares a sign-extended number with a constant as if it knew better.
  bool hide_sign_extension = false;
};

struct SpirvProblem {
  BlockId block;
  Loc loc;
  std::string message;  // complete: kernel, construct, block, line
};

/// What is known of the launches and of the device.
struct SpirvLaunches {
  bool small_buffers = false;    // all are smaller than 2 GiB
  uint32_t sub_group_lanes = 0;  // 0: unknown, and sub-groups are refused; a power of two up to 64
  bool sub_group_rows = false;   // they lie along x in each row, and not along the linear ids
};

/// What this backend cannot do with the function, which PipelineKind::SpirvLower prepared for such launches;
/// empty when it can be emitted.
std::vector<SpirvProblem> check_spirv(const Function& f, const SpirvLaunches& launches = {});

/// The function must be prepared, and without problems.
VulkanImage emit_spirv(const Function& f, const SpirvOptions& options);

/// The image's module with what a launcher must know beside the code, for files. The function is what it was
/// made of.
std::vector<uint32_t> with_signature(const VulkanImage& image, const Function& f);

/// Whether a file begins as modules do.
bool is_spirv(std::string_view bytes);

struct SignedModule {
  VulkanImage image;
  std::unique_ptr<Function> kernel;  // without instructions
};
/// A module from a file, or why it cannot be launched.
std::expected<SignedModule, std::string> read_signed_module(std::span<const uint32_t> words);

/// Why nobody need accept the module, however valid its parts, or nothing.
std::string spirv_limit(const VulkanImage& image);

namespace spirv {

/// Why an opcode has no lowering, or nothing; what works on sub-groups has one where these are known.
std::string unsupported(Op op, bool sub_groups = false);

}  // namespace spirv

}  // namespace kc
