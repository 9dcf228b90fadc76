// SPDX-License-Identifier: Apache-2.0
// Typed integer ids: mixing up blocks and values is a compile-time error.
#pragma once

#include <compare>
#include <cstdint>
#include <functional>

namespace kc {

/// The index of nothing: of a block, loop, register or node that there is not.
inline constexpr uint32_t kNone = 0xffffffffu;

template <typename Tag>
struct Id {
  uint32_t index = kNone;

  constexpr Id() = default;
  constexpr explicit Id(uint32_t i) : index(i) {}
  constexpr explicit Id(size_t i) : index(static_cast<uint32_t>(i)) {}
  constexpr bool valid() const { return index != kNone; }
  constexpr explicit operator bool() const { return valid(); }
  constexpr auto operator<=>(const Id&) const = default;
};

using ValueId = Id<struct ValueTag>;
using InstId = Id<struct InstTag>;
using BlockId = Id<struct BlockTag>;
using VarId = Id<struct VarTag>;
using ObjectId = Id<struct ObjectTag>;

}  // namespace kc

template <typename Tag>
struct std::hash<kc::Id<Tag>> {
  size_t operator()(kc::Id<Tag> id) const noexcept { return id.index; }
};
