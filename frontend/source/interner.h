// SPDX-License-Identifier: Apache-2.0
// Identifiers, each kept once, with what the front end wants to know about a spelling.
#pragma once
#include <deque>
#include <vector>

#include "frontend/preprocess/keywords.h"

namespace kc::front {

struct Macro;

struct Identifier {
  std::string_view text;
  const KeywordRow* keyword = nullptr;
  Macro* macro = nullptr;  // what the preprocessor replaces it by, if anything
  uint16_t parameter = 0;  // 1 + its index while the body of a macro is read
};

class Interner {
 public:
  Interner() : slots_(1024) {}
  // The text must live as long as the table.
  Identifier* intern(std::string_view text);

 private:
  struct Slot {
    uint32_t hash = 0;
    Identifier* identifier = nullptr;
  };
  void grow();

  std::vector<Slot> slots_;  // a power of two of them, at most half full
  std::deque<Identifier> identifiers_;
};

}  // namespace kc::front
