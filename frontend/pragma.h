// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <string_view>

#include "frontend/source.h"

namespace kc::front {

// A #pragma that later phases are interested in, or that preprocessed text repeats.
struct Pragma {
  enum Kind : uint8_t { Other, ContractOn, ContractOff, ContractDefault };
  size_t before = 0;  // index of the token that follows it
  Kind kind = Other;
  SourceRange range;
  std::string_view text;  // what follows the word #pragma
};

}  // namespace kc::front
