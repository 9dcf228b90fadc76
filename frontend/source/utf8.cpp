// SPDX-License-Identifier: Apache-2.0
#include "frontend/source/utf8.h"

#include <algorithm>
#include <cstdint>
#include <iterator>

namespace kc::front {

size_t utf8_length(std::string_view s, size_t at) {
  auto byte = [&](size_t i) { return static_cast<unsigned char>(s[at + i]); };
  unsigned char c = byte(0);
  size_t n = c < 0x80                ? 1
             : c >= 0xc2 && c < 0xe0 ? 2
             : c >= 0xe0 && c < 0xf0 ? 3
             : c >= 0xf0 && c < 0xf5 ? 4
                                     : 0;
  if (n == 0 || at + n > s.size()) return 0;
  for (size_t i = 1; i < n; ++i)
    if ((byte(i) & 0xc0) != 0x80) return 0;
  // An overlong form, a surrogate, or a value beyond the last code point.
  bool bad = (c == 0xe0 && byte(1) < 0xa0) || (c == 0xed && byte(1) >= 0xa0) ||
             (c == 0xf0 && byte(1) < 0x90) || (c == 0xf4 && byte(1) >= 0x90);
  return bad ? 0 : n;
}

int display_width(std::string_view s, size_t at, size_t n) {
  if (n == 1) return 1;
  uint32_t code = static_cast<unsigned char>(s[at]) & (0xffu >> (n + 1));
  for (size_t i = 1; i < n; ++i) code = code << 6 | (static_cast<unsigned char>(s[at + i]) & 0x3f);
  struct Block {
    uint32_t first, last;
    int width;
  };
  // Combining marks and joiners occupy no column; East Asian scripts and emoji occupy two (Unicode's
  // EastAsianWidth, by whole blocks).
  static constexpr Block Blocks[] = {
      {0x0300, 0x036f, 0},   {0x1100, 0x115f, 2},   {0x200b, 0x200f, 0},   {0x20d0, 0x20ff, 0},
      {0x2e80, 0x303e, 2},   {0x3041, 0xa4cf, 2},   {0xac00, 0xd7a3, 2},   {0xf900, 0xfaff, 2},
      {0xfe00, 0xfe0f, 0},   {0xfe30, 0xfe6f, 2},   {0xff00, 0xff60, 2},   {0xffe0, 0xffe6, 2},
      {0x1f300, 0x1f64f, 2}, {0x1f680, 0x1f6ff, 2}, {0x1f900, 0x1f9ff, 2}, {0x20000, 0x3fffd, 2}};
  const Block* block = std::find_if(std::begin(Blocks), std::end(Blocks),
                                    [&](const Block& b) { return code >= b.first && code <= b.last; });
  return block == std::end(Blocks) ? 1 : block->width;
}

}  // namespace kc::front
