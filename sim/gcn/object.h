// SPDX-License-Identifier: Apache-2.0
// A gfx9 program in the form that the emulator runs: from a code object (ELF), or from assembly text.
#pragma once

#include <array>
#include <cstdint>
#include <expected>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "backends/gcn/isa/models.h"
#include "ir/op.h"
#include "ir/process.h"
#include "sim/gcn/lanes.h"

namespace kc {

/// An explicit operand. Scalar registers have the numbers of the hardware encoding (vcc 106, m0 124, exec
/// 126).
struct GcnOperand {
  enum Kind : uint8_t { None, Scalar, Vector, Immediate, Scc, Vccz, Execz } kind = None;
  uint8_t regs = 1;
  uint16_t reg = 0;
  uint64_t value = 0;  // of an immediate, as bits
  Elem elem = Elem::I32;
  bool neg = false, abs = false, sext = false;
  uint8_t select_shift = 0, select_bits = 0;  // SDWA: a byte or word of the register
};

struct GcnInst {
  Op op = Op::Count_;
  EvalFn eval = nullptr, status = nullptr;
  gcn_sim::LaneLoop loop = nullptr;  // set if there are no modifiers that it does not implement
  gcn_sim::CompareLoop compare = nullptr;
  std::vector<GcnOperand> results, operands;
  int64_t offset = 0, offset1 = 0;
  uint8_t vmcnt = 63, lgkmcnt = 15;
  uint8_t omod = 0;
  bool clamp = false, glc = false;
  bool sdwa = false;
  uint8_t dst_shift = 0, dst_bits = 0;  // SDWA: position of the result in the register
  enum Unused : uint8_t { Pad, Sext, Preserve } dst_unused = Pad;
  uint32_t target = UINT32_MAX;  // index of the branch target
  uint64_t pc = 0;
  uint32_t line = 0;  // in the kernel's source, else in the assembly text
  std::string text;
  const OpInfo& row() const { return info(op); }
};

struct GcnArg {
  uint64_t offset = 0, size = 0;
  std::string kind;             // global_buffer, by_value, hidden_...
  std::string name, type_name;  // as written by the compiler; may be empty
};

struct GcnKernel {
  std::string name;
  uint32_t entry = 0;  // index of the first instruction
  uint32_t lds_bytes = 0, private_bytes = 0, kernarg_bytes = 0;
  uint32_t rsrc1 = 0, rsrc2 = 0;
  uint16_t properties = 0;
  uint32_t vgprs = 256, sgprs = 102;
  std::vector<GcnArg> args;  // empty if the object has no metadata
  std::array<uint32_t, 3> reqd_local{};
};

struct GcnObject {
  const gcn::MachineModel* model = &gcn::kModels[0];
  std::vector<GcnKernel> kernels;
  std::vector<GcnInst> code;
  std::map<uint64_t, uint32_t> index_of_pc;
  std::vector<uint8_t> image;  // loaded segments, from address 0 of the object
  bool from_text = false;
  const GcnKernel* find(std::string_view name) const;
};

/// Reads a linked code object. Its instructions come from llvm-objdump-19, run as a child process. The
/// error says whether that tool is absent.
std::expected<GcnObject, ToolError> load_code_object(std::string_view bytes);
/// Reads assembly text, including the directives of .amdhsa_kernel, without external tools.
std::expected<GcnObject, std::string> load_assembly(std::string_view text);

// --- parts of the above, for tests
struct ElfKernels {
  const gcn::MachineModel* model = nullptr;
  std::vector<GcnKernel> kernels;  // entry not known yet
  std::vector<uint64_t> entry_pc;
  std::vector<uint8_t> image;
};
std::expected<ElfKernels, std::string> read_elf(std::string_view bytes);
/// Adds the instructions of a text, and the kernels described by its `.amdhsa_kernel` directives.
std::expected<void, std::string> parse_gcn_text(std::string_view text, GcnObject& object);

}  // namespace kc
