// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <string_view>

#include "frontend/source/source.h"

namespace kc::front {

// A #pragma that affects later phases, or that preprocessed output repeats.
struct Pragma {
  enum Kind : uint8_t { Other, ContractOn, ContractOff, ContractDefault, Unroll };
  size_t before = 0;  // index of the token after it
  Kind kind = Other;
  uint32_t rounds = 0;  // of Unroll, an UnrollHint
  SourceRange range;
  std::string_view text;  // the text after #pragma
};

}  // namespace kc::front
