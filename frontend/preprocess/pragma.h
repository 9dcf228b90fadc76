// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <string_view>

#include "frontend/source/source.h"

namespace kc::front {

// In place of the number of a `#pragma pack(push)`: the alignment does not change.
inline constexpr uint32_t KeepPack = UINT32_MAX;

// A #pragma that affects later phases, or that preprocessed output repeats.
struct Pragma {
  enum Kind : uint8_t { Other, ContractOn, ContractOff, ContractDefault, Unroll, Pack, PackPush, PackPop };
  size_t before = 0;  // index of the token after it
  Kind kind = Other;
  // Of Unroll, an UnrollHint. Of the others, the most alignment of members, 0 for any, or KeepPack.
  uint32_t number = 0;
  SourceRange range;
  std::string_view text;  // the text after #pragma
};

}  // namespace kc::front
