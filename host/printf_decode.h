// SPDX-License-Identifier: Apache-2.0
// What a kernel printed: the messages that it left in its buffer, as text.
#pragma once

#include <cstdint>
#include <span>
#include <string>

#include "ir/function.h"

namespace kc {

struct PrintedText {
  std::string text;
  uint64_t lost = 0;  // messages that had no room
  bool operator==(const PrintedText&) const = default;
};

/// Which addresses %p shows. They are not the same on any two engines.
enum class Addresses : uint8_t { Shown, Hidden };

/// The messages in the order of the work-items' linear ids, those of one work-item in the order in which it
/// left them. `buffer` is as a launch of the kernel left it, begun by its head (ir/printf.h).
PrintedText printed_text(std::span<const uint64_t> buffer, const Function& kernel,
                         Addresses addresses = Addresses::Shown);

/// A line about what was lost.
std::string describe_lost(const PrintedText& printed, uint64_t buffer_bytes);

}  // namespace kc
