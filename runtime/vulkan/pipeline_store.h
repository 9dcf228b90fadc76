// SPDX-License-Identifier: Apache-2.0
// A file that preserves a device's compiled pipelines between processes. Internal to this folder.
#pragma once
#include <array>
#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <span>
#include <string>
#include <vector>

namespace kc {

/// The identity under which a driver guarantees to accept its data: this device and this driver version.
struct PipelineStoreKey {
  uint32_t vendor = 0, device = 0, driver_version = 0;
  std::array<uint8_t, 16> uuid{};
};

/// One file of a folder. It only saves time, so any failure counts as a missing file.
class PipelineStore {
 public:
  static constexpr size_t kMaxBytes = size_t{64} << 20;

  /// An empty folder disables the store.
  PipelineStore(const std::string& folder, const PipelineStoreKey& key);

  /// The saved data, or empty. Drivers check only the header, so data that is damaged or made for another key
  /// is withheld from the driver.
  std::vector<std::byte> load() const;

  /// Replaces the file atomically, so that readers never see a part. Data above kMaxBytes empties the store.
  void save(std::span<const std::byte> data) const;

  /// The file's name; empty if the store is disabled.
  const std::filesystem::path& path() const { return path_; }

 private:
  bool made_for_key(std::span<const std::byte> data) const;

  PipelineStoreKey key_;
  std::filesystem::path path_;
};

}  // namespace kc
