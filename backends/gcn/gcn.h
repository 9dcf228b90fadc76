// SPDX-License-Identifier: Apache-2.0
// The gfx9 backend: wave IR of 64 lanes to GCN assembly, and to a code object through LLVM's assembler.
#pragma once

#include <expected>
#include <functional>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "backends/gcn/isa/table.h"
#include "backends/regalloc/regalloc.h"
#include "ir/function.h"
#include "ir/process.h"
#include "passes/pass_runner.h"

namespace kc {

struct GcnTarget {
  std::string cpu = "gfx900";  // one of gcn::kModels
  /// Of the launch, where it is known: large groups leave fewer registers for each wave.
  uint64_t group_items = 0;
  /// What allocates vector registers in place of allocate_registers, under the same contract.
  std::function<std::expected<Allocation, std::string>(Function&, const RegTarget&)> allocate_vectors{};
};

/// Why this wave function cannot be compiled for the target, one of kModels; empty when it can.
std::vector<std::string> check_gcn(const Function& wave, const GcnTarget& target = {});

namespace gcn {
/// Why no lowering exists for this row, by the element type of its first operand that is no mask; empty when
/// there is one. Only what the passes before have taken apart is refused.
std::string_view unsupported(Op op, Elem operand);
}  // namespace gcn

struct GcnResources {
  uint32_t sgprs = 0, vgprs = 0;  // highest used + 1
  uint32_t scratch_bytes = 0;     // per lane: private memory, then spilled registers
  uint32_t local_bytes = 0;       // of the group's objects; those of arguments come after them
  uint32_t kernarg_bytes = 0;
  uint32_t max_group_items = 0;  // that find place at once with so many registers
  uint32_t spills = 0, copies = 0, instructions = 0;
};

struct GcnCode {
  bool stopped = false;        // before the last pass: `text` is what was there, and there is nothing else
  std::string assembly;        // the whole file, with this kernel alone
  std::string text, metadata;  // its parts: code with descriptor, and the entry of the list of kernels
  GcnResources resources;
  std::unique_ptr<Function> allocated;  // machine function after register allocation
  std::vector<uint32_t> barrier_sites;  // trap sites of the barriers, in the order of the text
};
/// Takes a machine function too, with the note about its target and before register allocation.
std::expected<GcnCode, CompileError> compile_gcn(const Function& wave, const GcnTarget& options = {},
                                                 const PassWatch& watch = {});
/// The passes that it runs, in order.
std::vector<PassInfo> gcn_passes();

/// One file of several kernels, which must differ in their names.
std::string gcn_file(std::span<const GcnCode> kernels, const GcnTarget& options = {});

/// Assembles and links with llvm-mc-19 and ld.lld-19.
std::expected<std::string, ToolError> assemble_gcn(const std::string& assembly,
                                                   const GcnTarget& options = {});

/// Offsets of the explicit parameters in the kernarg segment, then of the hidden global offsets.
struct KernargLayout {
  static constexpr uint32_t kInObject = UINT32_MAX;  // of constant tables, which stand in the code object
  std::vector<uint32_t> offsets;
  uint32_t hidden_offset = 0;  // three 64-bit global offsets
  uint32_t bytes = 0;
};
KernargLayout kernarg_layout(const Function& wave);

}  // namespace kc
