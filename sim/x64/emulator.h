// SPDX-License-Identifier: Apache-2.0
// An emulator of the subset of x86-64 with AVX2 and AVX-512 that our CPU backend uses. It executes the bytes
// of an image, as decoded by a disassembler, for one wave at a time; the host need not support the
// instructions. It is strict: code that works only by accident is an error that names the instruction.
// - Registers, flags and stack bytes must be written before they are read.
// - Accesses must lie in the given ranges, and aligned moves must be aligned.
// - At the return the stack pointer, the preserved registers and the upper halves must be in order.
// Addresses are addresses in this process.
#pragma once

#include <array>
#include <cstdint>
#include <expected>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "ir/launch.h"

namespace kc {

namespace x64sim {
struct Program;
}

/// Code decoded once, to be run any number of times.
class X64Program {
 public:
  explicit X64Program(std::shared_ptr<const x64sim::Program> program) : program_(std::move(program)) {}
  const x64sim::Program& get() const { return *program_; }

 private:
  std::shared_ptr<const x64sim::Program> program_;
};

struct X64Input {
  std::span<const uint8_t> image;  // the code, then its constants
  size_t code_bytes = 0;
};

/// Whether the disassembler (llvm-objdump of LLVM 19) is installed.
bool x64_disassembler_present();
/// Decodes machine code. An instruction outside the table is an error.
std::expected<X64Program, std::string> load_x64(std::span<const uint8_t> image, size_t code_bytes);
/// Decodes many images with one run of the disassembler.
std::expected<std::vector<X64Program>, std::string> load_x64(std::span<const X64Input> inputs);

/// Every instruction counts once: by its memory access, otherwise by its register file.
enum class X64Class : uint8_t { General, Branch, Vector, Mask, Load, Store, Gather, Scatter, Count_ };
std::string_view to_string(X64Class c);

struct X64RunOptions {
  uint64_t max_steps = uint64_t{1} << 32;
  size_t stack_bytes = size_t{1} << 20;
  std::span<const MemoryRange> constant;  // may be read, not written
  std::span<const MemoryRange> spare;     // loads of vectors may extend into these
};

struct X64Result {
  enum Status : uint8_t { Ok, Error, Absent } status = Ok;
  std::string message;  // offset, instruction, and the error
  uint64_t steps = 0;
  std::array<uint64_t, static_cast<size_t>(X64Class::Count_)> executed{};
  bool ok() const { return status == Ok; }
  uint64_t of(X64Class c) const { return executed[static_cast<size_t>(c)]; }
};

/// Calls the code as a function with one argument, the context of a wave. The ranges are readable and
/// writable; the context and its pointees must lie in them or in the constant ones.
X64Result run_x64(const X64Program& program, const void* wave_context, std::span<const MemoryRange> memory,
                  const X64RunOptions& options = {});

/// All mnemonics of the table, sorted.
std::vector<std::string_view> x64_mnemonics();

}  // namespace kc
