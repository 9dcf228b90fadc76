// SPDX-License-Identifier: Apache-2.0
// printf: how formats are read, and how a kernel leaves messages for the host.
//
// A kernel that prints has the hidden parameter `printf: ptr<global>`, a buffer that begins with a head. Each
// call takes room behind what was taken before by an atomic addition, and writes a message there in words of
// 64 bits:
//
//   the number of the format (low half), the number of words (high half)
//   the linear global id of the work-item, without the launch's offset
//   one word for each argument
//
// Texts, that is formats and what %s prints, are constant objects of the function. Their number is one more
// than that of the constant objects in front of them, so that 0 is no text. Integers are extended to 64
// bits as their signs say; a float of 32 bits has its bits in the low half, which the format says by `hl`.
// A message that has no room is counted instead.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "ir/function.h"

namespace kc {

/// Where in the buffer things are, in bytes. The capacity, which the host writes, has a line of the cache of
/// its own, since GPUs may read it past what the launch writes.
struct PrintfHead {
  static constexpr int64_t kUsed = 0;       // bytes that were taken, more than there are if some had no room
  static constexpr int64_t kLost = 8;       // messages without room
  static constexpr int64_t kCapacity = 64;  // bytes behind the head
  static constexpr int64_t kBytes = 128;
};

/// What a buffer for messages has unless somebody says otherwise, and what it may have.
inline constexpr uint64_t kPrintfBytes = uint64_t{1} << 20, kMaxPrintfBytes = uint64_t{1} << 30;

/// One conversion of a format, such as `%-8.3hd`.
struct PrintfConversion {
  enum class Length : uint8_t { None, Char, Short, Half, Long };  // hh, h, hl, l and ll
  size_t begin = 0, end = 0;                                      // where it stands in the format
  std::string flags;                                              // of "-+ #0"
  std::optional<uint32_t> width, precision;
  uint32_t vector = 1;  // elements
  Length length = Length::None;
  char kind = 0;        // `d`, `s`, ... or `%`; 0 if it is no conversion
  std::string problem;  // then: why
  bool is_signed() const { return kind == 'd' || kind == 'i'; }
  bool is_unsigned() const { return kind && std::string_view("uoxX").find(kind) != std::string_view::npos; }
  bool is_float() const { return kind && std::string_view("fFeEgGaA").find(kind) != std::string_view::npos; }
  /// Whether it takes an argument.
  bool takes() const { return kind && kind != '%'; }
};

/// The largest width and precision.
inline constexpr uint32_t kMaxPrintfWidth = 4095;

/// The conversions of a format in their order.
std::vector<PrintfConversion> printf_conversions(std::string_view format);

/// The hidden parameter, if the function prints.
std::optional<size_t> printf_parameter(const Function& f);

}  // namespace kc
