// SPDX-License-Identifier: Apache-2.0
// A kernel as code for gfx9.
#pragma once

#include <expected>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "backends/gcn/gcn.h"
#include "host/compile.h"
#include "host/launches.h"

namespace kc {

struct GcnProgram {
  std::unique_ptr<Function> wave;
  GroupSize local{};  // of the launches, where it is known
  GcnTarget target;
  GcnCode code;
};

/// What an error of the assembler, the linker or the disassembler means for the compilation.
CompileError compile_error(const ToolError& error);

/// What a function is made for, as a note in it, and the groups of such a note; an error says what is wrong.
TargetNote note_of(const TargetDesc& target, const GroupSize& local);
std::expected<GroupSize, std::string> groups_of(const Function& f);

/// Compiles for launches of groups of this size; of any size if it is not known.
std::expected<GcnProgram, CompileError> compile_for_gcn(const KernelCompiler& kernel,
                                                        const TargetDesc& target, const GroupSize& local);
/// The rest of the path, from wave IR on.
std::expected<GcnProgram, CompileError> compile_wave_for_gcn(std::unique_ptr<Function> wave,
                                                             const TargetDesc& target, const GroupSize& local,
                                                             const PassWatch& watch = {});

/// The explicit part of the kernarg segment: the arguments' bits at the offsets of their parameters. The
/// hidden part follows it (KernargLayout).
std::vector<uint8_t> explicit_arguments(const Function& wave, std::span<const uint64_t> bits);
/// Bytes of local memory of a group that the code object does not ask for itself, when the launch has been
/// bound; an error if gfx9 does not have as much as a group needs.
std::expected<uint32_t, LaunchError> dynamic_lds(const Function& wave, const LaunchSpec& spec);

/// The assembly of kernels for one target; its first lines say for what each is made.
std::string assembly_of(std::span<GcnProgram> kernels);

}  // namespace kc
