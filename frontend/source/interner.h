// SPDX-License-Identifier: Apache-2.0
// The interner: stores each identifier once, with its keyword and macro entries.
#pragma once
#include <deque>
#include <vector>

#include "frontend/preprocess/keywords.h"

namespace kc::front {

struct Macro;

struct Identifier {
  std::string_view text;
  const KeywordRow* keyword = nullptr;
  Macro* macro = nullptr;  // its definition, if it is a macro
  uint16_t parameter = 0;  // 1 + its parameter index while a macro body is being read
};

class Interner {
 public:
  Interner() : slots_(1024) {}
  // The text must outlive the interner.
  Identifier* intern(std::string_view text);

 private:
  struct Slot {
    uint32_t hash = 0;
    Identifier* identifier = nullptr;
  };
  void grow();

  std::vector<Slot> slots_;  // a power of two in size, at most half full
  std::deque<Identifier> identifiers_;
};

}  // namespace kc::front
