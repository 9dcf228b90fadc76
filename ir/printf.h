// SPDX-License-Identifier: Apache-2.0
// printf: parsing of formats, and the buffer in which kernels leave messages for the host.
//
// A kernel that prints has a hidden parameter with the role Printf, a buffer that begins with a header.
// Each call reserves space after earlier messages by an atomic addition, and writes a message of 64-bit words
// there:
//
//   the number of the format (low half), the number of words (high half)
//   the linear global id of the work-item, without the launch's offset
//   one word for each argument; for %s the number of a text (low half) and an offset in it (high half)
//
// Texts (formats, and strings for %s) are constant objects of the function. Their number is one more than
// their index among the constant objects, so that 0 is no text. Integers are extended to 64 bits according to
// their signedness; a 32-bit float has its bits in the low half, which the format marks by `hl`. A message
// that does not fit is only counted.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "ir/function.h"

namespace kc {

/// Byte offsets in the buffer's header. The capacity, written by the host, has a cache line of its own, since
/// GPUs may read it past what the launch writes.
struct PrintfHead {
  static constexpr int64_t kUsed = 0;  // bytes reserved, more than the capacity if some messages did not fit
  static constexpr int64_t kLost = 8;  // messages that did not fit
  static constexpr int64_t kCapacity = 64;  // bytes after the header
  static constexpr int64_t kBytes = 128;
};

/// Default and maximal size of the message buffer.
inline constexpr uint64_t kPrintfBytes = uint64_t{1} << 20, kMaxPrintfBytes = uint64_t{1} << 30;

/// One conversion of a format, such as `%-8.3hd`.
struct PrintfConversion {
  enum class Length : uint8_t { None, Char, Short, Half, Long };  // hh, h, hl, l and ll
  size_t begin = 0, end = 0;                                      // its range in the format
  std::string flags;                                              // of "-+ #0"
  std::optional<uint32_t> width, precision;
  uint32_t vector = 1;  // number of elements
  Length length = Length::None;
  char kind = 0;        // `d`, `s`, ... or `%`; 0 if it is not a valid conversion
  std::string problem;  // the reason, if not valid
  bool is_signed() const { return kind == 'd' || kind == 'i'; }
  bool is_unsigned() const { return kind && std::string_view("uoxX").find(kind) != std::string_view::npos; }
  bool is_float() const { return kind && std::string_view("fFeEgGaA").find(kind) != std::string_view::npos; }
  /// Whether it takes an argument.
  bool takes() const { return kind && kind != '%'; }
};

/// The largest width and precision.
inline constexpr uint32_t kMaxPrintfWidth = 4095;

/// The conversions of a format, in order.
std::vector<PrintfConversion> printf_conversions(std::string_view format);

}  // namespace kc
