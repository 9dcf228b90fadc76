// SPDX-License-Identifier: Apache-2.0
// The machines, one row each: what of them matters for generated code and its execution, after LLVM's "User
// Guide for AMDGPU Backend".
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "ir/type.h"

namespace kc::gcn {

/// Machines of a generation have the same instructions: the rows of ops.def.
enum class Generation : uint8_t { Gfx9 };
constexpr std::string_view to_string(Generation) { return "gfx9"; }

struct MachineModel {
  std::string_view cpu;
  std::string_view products;  // some that have it
  Generation generation = Generation::Gfx9;
  uint32_t wave_lanes = 64;
  uint32_t elf_number = 0;  // in the flags of a code object
  /// The ids of a work-item are in v0, ten bits each, rather than in v0 to v2.
  bool packed_ids = false;
  /// Tuples of vector registers begin at even numbers; registers are allocated in units of eight; matrix
  /// registers follow the others, at an offset given in the descriptor.
  bool even_tuples = false;
  /// Private memory has its own instructions, and the hardware holds each wave's base: no registers are
  /// needed for a descriptor and an offset.
  bool flat_scratch = false;
  /// The program must insert wait states between a vector instruction that writes a scalar register, or
  /// computes an estimate, and a vector instruction that reads the result.
  bool vector_waits = false;
  /// Whether the emulator runs its code.
  bool emulated = true;
};

inline constexpr MachineModel kModels[] = {
    {.cpu = "gfx900", .products = "Radeon RX Vega 56 and 64, MI25", .elf_number = 0x2c},
    {.cpu = "gfx906", .products = "Radeon VII, MI50, MI60", .elf_number = 0x2f},
    {.cpu = "gfx908", .products = "MI100", .elf_number = 0x30},
    {.cpu = "gfx90a",
     .products = "MI210, MI250",
     .elf_number = 0x3f,
     .packed_ids = true,
     .even_tuples = true},
    {.cpu = "gfx942",
     .products = "MI300",
     .elf_number = 0x4c,
     .packed_ids = true,
     .even_tuples = true,
     .flat_scratch = true,
     .vector_waits = true,
     .emulated = false},
};

/// The registers that hold a bit for each lane of a wave: masks, lane conditions, carries.
constexpr Type lane_mask(const MachineModel& model) { return sgpr(model.wave_lanes / 32); }

/// Null for unsupported machines.
constexpr const MachineModel* find_model(std::string_view cpu) {
  for (const MachineModel& m : kModels)
    if (m.cpu == cpu) return &m;
  return nullptr;
}
/// "gfx900, gfx906, ...", those that are emulated.
inline std::string emulated_names() {
  std::string names;
  for (const MachineModel& m : kModels)
    if (m.emulated) names += (names.empty() ? "" : ", ") + std::string(m.cpu);
  return names;
}
/// Null for machines that are not emulated.
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
