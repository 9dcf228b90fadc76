// SPDX-License-Identifier: Apache-2.0
// A file that keeps a device's compiled pipelines from one process to the next. Internal to this folder.
#pragma once
#include <array>
#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <span>
#include <string>
#include <vector>

namespace kc {

/// What the driver promises to read again: pipelines of this device, by this version of its driver.
struct PipelineStoreKey {
  uint32_t vendor = 0, device = 0, driver_version = 0;
  std::array<uint8_t, 16> uuid{};
};

/// One file of a folder. It only saves time, so whatever goes wrong with it is as if it were not there.
class PipelineStore {
 public:
  static constexpr size_t kMaxBytes = size_t{64} << 20;

  /// An empty folder keeps nothing.
  PipelineStore(const std::string& folder, const PipelineStoreKey& key);

  /// What was saved, or nothing: unless every byte is as save() left it and made for the key, the driver
  /// does not see it, as drivers check no more than the header.
  std::vector<std::byte> load() const;

  /// Replaces the file as a whole, so that no reader sees a part. More than kMaxBytes empties the store.
  void save(std::span<const std::byte> data) const;

  /// The file's name; empty when nothing is kept.
  const std::filesystem::path& path() const { return path_; }

 private:
  bool made_for_key(std::span<const std::byte> data) const;

  PipelineStoreKey key_;
  std::filesystem::path path_;
};

}  // namespace kc
