// SPDX-License-Identifier: Apache-2.0
#include "runtime/vulkan/pipeline_store.h"

#include <fmt/format.h>

#include <cstring>

#include "runtime/cache/cache_file.h"

namespace kc {

namespace {

namespace fs = std::filesystem;

constexpr CacheFileKind kKind{'k', 'c', 'p', 'i', 'p', 'e', '0', '2'};

}  // namespace

PipelineStore::PipelineStore(const std::string& folder, const PipelineStoreKey& key) : key_(key) {
  if (folder.empty()) return;
  std::string name = "pipelines-";
  for (uint8_t byte : key.uuid) name += fmt::format("{:02x}", byte);
  path_ = fs::path(folder) / fmt::format("{}-{:08x}", name, key.driver_version);
}

// Checks the first version of Vulkan's own cache header: its length, 1, and the device of the pipelines.
bool PipelineStore::made_for_key(std::span<const std::byte> data) const {
  uint32_t words[4];
  if (data.size() < sizeof words + key_.uuid.size()) return false;
  std::memcpy(words, data.data(), sizeof words);
  return words[0] >= sizeof words + key_.uuid.size() && words[0] <= data.size() && words[1] == 1 &&
         words[2] == key_.vendor && words[3] == key_.device &&
         std::memcmp(data.data() + sizeof words, key_.uuid.data(), key_.uuid.size()) == 0;
}

std::vector<std::byte> PipelineStore::load() const {
  if (path_.empty()) return {};
  auto data = read_cache_file(path_, kKind, kMaxBytes);
  return data && made_for_key(*data) ? std::move(*data) : std::vector<std::byte>();
}

void PipelineStore::save(std::span<const std::byte> data) const {
  if (path_.empty() || !made_for_key(data)) return;
  std::error_code error;
  if (data.size() > kMaxBytes)
    fs::remove(path_, error);
  else
    write_cache_file(path_, kKind, data);
}

}  // namespace kc
