// SPDX-License-Identifier: Apache-2.0
#include "runtime/vulkan/pipeline_store.h"

#include <catch2/catch.hpp>
#include <cstring>
#include <fstream>
#include <optional>

#include "runtime/vulkan/device.h"
#include "tests/temporary_folder.h"

using namespace kc;
namespace fs = std::filesystem;

namespace {

std::ptrdiff_t files_of(const TemporaryFolder& folder) {
  return std::distance(fs::directory_iterator(folder.path), fs::directory_iterator());
}

PipelineStoreKey some_key() {
  PipelineStoreKey key{.vendor = 0x10005, .device = 3, .driver_version = 7};
  for (size_t i = 0; i < key.uuid.size(); ++i) key.uuid[i] = static_cast<uint8_t>(i * 11);
  return key;
}

// In a driver's format: Vulkan's header, then driver data.
std::vector<std::byte> pipelines(const PipelineStoreKey& key, size_t own) {
  const uint32_t header[] = {32, 1, key.vendor, key.device};
  std::vector<std::byte> data(32 + own, std::byte{0x5a});
  std::memcpy(data.data(), header, sizeof header);
  std::memcpy(data.data() + sizeof header, key.uuid.data(), key.uuid.size());
  return data;
}

void flip_byte(const fs::path& path, std::streamoff at) {
  std::fstream file(path, std::ios::in | std::ios::out | std::ios::binary);
  file.seekg(at);
  const int byte = file.get();
  file.seekp(at);
  file.put(static_cast<char>(byte ^ 1));
  REQUIRE(file.good());
}

}  // namespace

TEST_CASE("pipelines come back as they were saved, for the same device and driver only") {
  const TemporaryFolder folder("pipelines");
  const PipelineStore store((folder.path / "deep" / "down").string(), some_key());
  CHECK(store.load().empty());
  const auto data = pipelines(some_key(), 1000);
  store.save(data);
  CHECK(store.load() == data);
  auto newer = some_key();
  newer.driver_version = 8;
  CHECK(PipelineStore((folder.path / "deep" / "down").string(), newer).load().empty());
  auto other = some_key();
  other.device = 4;  // a file of the same name
  CHECK(PipelineStore((folder.path / "deep" / "down").string(), other).load().empty());
}

TEST_CASE("a damaged file of pipelines is as none, wherever the damage is") {
  const TemporaryFolder folder("pipelines");
  const PipelineStore store(folder.path.string(), some_key());
  const auto data = pipelines(some_key(), 8);
  store.save(data);
  const auto size = fs::file_size(store.path());
  for (std::streamoff at = 0; at < static_cast<std::streamoff>(size); ++at) {
    flip_byte(store.path(), at);
    INFO("byte " << at);
    CHECK(store.load().empty());
    flip_byte(store.path(), at);
  }
  CHECK(store.load() == data);
  for (uintmax_t shorter = 0; shorter < size; ++shorter) {
    store.save(data);
    fs::resize_file(store.path(), shorter);
    CHECK(store.load().empty());
  }
  store.save(data);
  std::ofstream(store.path(), std::ios::app) << "more";
  CHECK(store.load().empty());
  store.save(data);
  CHECK(store.load() == data);
  CHECK(files_of(folder) == 1);  // no temporary one is left
}

TEST_CASE("a store without a folder, or beyond its bound, keeps nothing") {
  const PipelineStore none("", some_key());
  none.save(pipelines(some_key(), 8));
  CHECK(none.path().empty());
  CHECK(none.load().empty());
  const PipelineStore impossible("/dev/null/folder", some_key());
  impossible.save(pipelines(some_key(), 8));
  CHECK(impossible.load().empty());
  const TemporaryFolder folder("pipelines");
  const PipelineStore store(folder.path.string(), some_key());
  store.save(pipelines(some_key(), 8));
  CHECK(files_of(folder) == 1);
  store.save(pipelines(some_key(), PipelineStore::kMaxBytes));
  CHECK(files_of(folder) == 0);
  fs::create_directory(store.path());
  CHECK(store.load().empty());
  store.save(pipelines(some_key(), 8));
  CHECK(files_of(folder) == 1);
}

TEST_CASE("a device reads what another one saved, and nothing that is damaged") {
  const TemporaryFolder folder("pipelines");
  VulkanOptions options;
  options.validation = true;
  options.cache_folder = folder.path.string();
  uint64_t cached[3] = {};
  for (uint64_t& bytes : cached) {
    if (&bytes == &cached[2])
      for (const auto& entry : fs::directory_iterator(folder.path)) flip_byte(entry.path(), 40);
    auto device = VulkanDevice::open(options);
    if (!device && device.error().kind == DeviceError::Absent) {
      WARN("skipped: " << device.error().message);
      return;
    }
    REQUIRE(device);
    bytes = device->info().cached_bytes;
    device = std::unexpected(DeviceError{});  // closed: what the probes compiled is saved
    CHECK(files_of(folder) == 1);
  }
  CHECK(cached[0] == 0);
  CHECK(cached[1] > 0);
  CHECK(cached[2] == 0);
}
