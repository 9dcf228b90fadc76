// SPDX-License-Identifier: Apache-2.0
#include "frontend/source/interner.h"

namespace kc::front {

namespace {

// FNV-1a.
uint32_t hash_of(std::string_view text) {
  uint32_t hash = 2166136261u;
  for (char c : text) hash = (hash ^ static_cast<unsigned char>(c)) * 16777619u;
  return hash ^ (hash >> 15);
}

}  // namespace

Identifier* Interner::intern(std::string_view text) {
  uint32_t hash = hash_of(text);
  size_t mask = slots_.size() - 1;
  for (size_t at = hash & mask;; at = (at + 1) & mask) {
    Slot& slot = slots_[at];
    if (slot.identifier && slot.hash == hash && slot.identifier->text == text) return slot.identifier;
    if (slot.identifier) continue;
    identifiers_.push_back({text, find_keyword(text)});
    slot = {hash, &identifiers_.back()};
    if (identifiers_.size() * 2 > slots_.size()) grow();
    return &identifiers_.back();
  }
}

void Interner::grow() {
  std::vector<Slot> old(slots_.size() * 2);
  old.swap(slots_);
  size_t mask = slots_.size() - 1;
  for (const Slot& s : old) {
    if (!s.identifier) continue;
    size_t at = s.hash & mask;
    while (slots_[at].identifier) at = (at + 1) & mask;
    slots_[at] = s;
  }
}

}  // namespace kc::front
