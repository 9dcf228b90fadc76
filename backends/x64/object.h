// SPDX-License-Identifier: Apache-2.0
// Relocatable ELF objects for machine code without relocations.
#pragma once

#include <cstdint>
#include <expected>
#include <span>
#include <string>
#include <vector>

namespace kc {

struct ObjectPart {
  std::string symbol;  // global; a function, or an object in read-only data
  std::span<const uint8_t> bytes;
  bool is_code = true;
};

/// An x86-64 object with one global symbol per part, each aligned to a cache line. Deterministic: equal parts
/// give equal bytes.
std::expected<std::string, std::string> write_object(std::span<const ObjectPart> parts);

}  // namespace kc
