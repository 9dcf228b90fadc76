// SPDX-License-Identifier: Apache-2.0
#include "backends/x64/word_bytes.h"

#include <algorithm>

namespace kc::x64 {

unsigned WordBytes::Bytes::count() const {
  return static_cast<unsigned>(std::ranges::count_if(taken, [](int8_t b) { return b != kZero; }));
}

bool WordBytes::Bytes::is_word() const { return taken == std::array<int8_t, 4>{0, 1, 2, 3}; }

void WordBytes::note(ValueId part, ValueId word, unsigned first, unsigned count) {
  Bytes b{word, {kZero, kZero, kZero, kZero}};
  for (unsigned n = 0; n < count; ++n) b.taken[n] = static_cast<int8_t>(first + n);
  bytes_[part] = b;
}

void WordBytes::note_shifted(ValueId result, ValueId a, unsigned bits) {
  const auto it = bytes_.find(a);
  if (it == bytes_.end() || bits % 8 != 0 || bits >= 32) return;
  Bytes b{it->second.word, {kZero, kZero, kZero, kZero}};
  for (unsigned n = bits / 8; n < 4; ++n) b.taken[n] = it->second.taken[n - bits / 8];
  bytes_[result] = b;
}

std::optional<WordBytes::Bytes> WordBytes::joined(ValueId a, ValueId b) const {
  const auto x = bytes_.find(a), y = bytes_.find(b);
  if (x == bytes_.end() || y == bytes_.end() || x->second.word != y->second.word) return {};
  Bytes r = x->second;
  for (unsigned n = 0; n < 4; ++n) {
    if (y->second.taken[n] == kZero) continue;
    if (r.taken[n] != kZero) return {};
    r.taken[n] = y->second.taken[n];
  }
  return r;
}

}  // namespace kc::x64
