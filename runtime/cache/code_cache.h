// SPDX-License-Identifier: Apache-2.0
// Compiled code that processes leave to each other, in a folder of bounded size.
//
//   <folder>/code/5f0c...e1   one entry; its name is the hash of all that it depends on
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <initializer_list>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace kc {

/// A hash of 128 bits.
struct CacheKey {
  uint64_t high = 0, low = 0;
  bool operator==(const CacheKey&) const = default;
  /// 32 hexadecimal digits.
  std::string text() const;
};

/// Of texts, in this order; it depends on where one ends and the next begins.
CacheKey cache_key(std::initializer_list<std::string_view> texts);

/// What the linker calls the program or library that has this code, as hexadecimal digits: another one for
/// each build. Empty if it gave no such name.
const std::string& build_identity();

/// From any thread and process. It only saves time: what cannot be read or written is missing.
class CodeCache {
 public:
  static constexpr uint64_t kMostBytes = uint64_t{256} << 20;

  /// `most_bytes`: of all entries together, about; those that were not used for longest go first.
  explicit CodeCache(const std::filesystem::path& folder, uint64_t most_bytes = kMostBytes);
  /// The one in the folder that KERNELC_CACHE chooses, or by default in the user's caches. Null if there is
  /// none, or if this build has no identity.
  static const CodeCache* of_user();

  std::optional<std::vector<std::byte>> load(const CacheKey& key) const;
  void save(const CacheKey& key, std::span<const std::byte> data) const;

 private:
  void shrink() const;
  std::filesystem::path folder_;
  uint64_t most_bytes_;
  mutable std::atomic<uint32_t> saved_ = 0;
};

}  // namespace kc
