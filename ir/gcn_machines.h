// SPDX-License-Identifier: Apache-2.0
// In what the machines of gfx9 differ for which code is made and run, after LLVM's "User Guide for AMDGPU
// Backend".
#pragma once

#include <cstdint>
#include <string_view>

namespace kc::gcn {

struct MachineModel {
  std::string_view cpu;
  uint32_t elf_number = 0;  // in the flags of a code object
  /// The ids of a work-item come in v0, ten bits each, rather than in v0 to v2.
  bool packed_ids = false;
  /// Tuples of vector registers begin at even numbers; registers are allotted in eights, and those for
  /// matrices stand behind the others, from where the descriptor says.
  bool even_tuples = false;
  /// Private memory has instructions of its own, and the hardware knows where that of a wave is: no registers
  /// bring a descriptor and an offset.
  bool flat_scratch = false;
  /// The program keeps the distance between a vector instruction that writes a scalar register, or computes
  /// an estimate, and a vector instruction that reads the result.
  bool vector_waits = false;
  /// Whether our emulator runs its code.
  bool emulated = true;
};

inline constexpr MachineModel kModels[] = {
    {.cpu = "gfx900", .elf_number = 0x2c},
    {.cpu = "gfx906", .elf_number = 0x2f},
    {.cpu = "gfx90a", .elf_number = 0x3f, .packed_ids = true, .even_tuples = true},
    {.cpu = "gfx942",
     .elf_number = 0x4c,
     .packed_ids = true,
     .even_tuples = true,
     .flat_scratch = true,
     .vector_waits = true,
     .emulated = false},
};

/// Null for machines that no code is made for.
constexpr const MachineModel* find_model(std::string_view cpu) {
  for (const MachineModel& m : kModels)
    if (m.cpu == cpu) return &m;
  return nullptr;
}
/// Null for machines that the emulator does not run.
constexpr const MachineModel* find_emulated(std::string_view cpu) {
  const MachineModel* m = find_model(cpu);
  return m && m->emulated ? m : nullptr;
}
constexpr const MachineModel* find_emulated(uint32_t elf_number) {
  for (const MachineModel& m : kModels)
    if (m.elf_number == elf_number && m.emulated) return &m;
  return nullptr;
}

}  // namespace kc::gcn
