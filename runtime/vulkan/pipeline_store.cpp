// SPDX-License-Identifier: Apache-2.0
#include "runtime/vulkan/pipeline_store.h"

#include <fmt/format.h>
#include <stdlib.h>
#include <unistd.h>

#include <cstdio>
#include <cstring>
#include <memory>

namespace kc {

namespace {

namespace fs = std::filesystem;

using File = std::unique_ptr<std::FILE, decltype([](std::FILE* f) { std::fclose(f); })>;

// The file's header before the driver's data.
struct Prefix {
  std::array<char, 8> magic{'k', 'c', 'p', 'i', 'p', 'e', '0', '1'};
  uint64_t size = 0, hash = 0;
};

// FNV-1a: detects damage, not tampering.
uint64_t hash_of(std::span<const std::byte> data) {
  uint64_t hash = 0xcbf29ce484222325;
  for (std::byte b : data) hash = (hash ^ static_cast<uint64_t>(b)) * 0x100000001b3;
  return hash;
}

bool write_all(std::FILE* file, const Prefix& prefix, std::span<const std::byte> data) {
  return std::fwrite(&prefix, sizeof prefix, 1, file) == 1 &&
         std::fwrite(data.data(), 1, data.size(), file) == data.size() && std::fflush(file) == 0;
}

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
  std::error_code error;
  if (path_.empty() || !fs::is_regular_file(path_, error)) return {};
  const File file(std::fopen(path_.c_str(), "rb"));
  if (!file) return {};
  const Prefix expected;
  Prefix prefix;
  if (std::fread(&prefix, sizeof prefix, 1, file.get()) != 1 || prefix.magic != expected.magic ||
      prefix.size > kMaxBytes || fs::file_size(path_, error) != sizeof prefix + prefix.size)
    return {};
  std::vector<std::byte> data(prefix.size);
  if (std::fread(data.data(), 1, data.size(), file.get()) != data.size()) return {};
  if (hash_of(data) != prefix.hash || !made_for_key(data)) return {};
  return data;
}

void PipelineStore::save(std::span<const std::byte> data) const {
  std::error_code error;
  if (path_.empty() || !made_for_key(data)) return;
  if (data.size() > kMaxBytes) {
    fs::remove(path_, error);
    return;
  }
  fs::create_directories(path_.parent_path(), error);
  std::string temporary = path_.string() + ".XXXXXX";
  const int descriptor = mkstemp(temporary.data());
  if (descriptor < 0) return;
  bool written = false;
  if (const File file(fdopen(descriptor, "wb")); file)
    written = write_all(file.get(), {.size = data.size(), .hash = hash_of(data)}, data);
  else
    close(descriptor);
  if (written) fs::rename(temporary, path_, error);
  if (!written || error) fs::remove(temporary, error);
}

}  // namespace kc
