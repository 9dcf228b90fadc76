// SPDX-License-Identifier: Apache-2.0
#include "runtime/cache/code_cache.h"

#include <sys/stat.h>

#include <algorithm>
#include <catch2/catch.hpp>
#include <chrono>
#include <cstdlib>
#include <fstream>

#include "runtime/cache/cache_file.h"
#include "tests/temporary_folder.h"

using namespace kc;
namespace fs = std::filesystem;

namespace {

std::vector<std::byte> bytes(size_t size, uint8_t first) {
  std::vector<std::byte> all(size);
  for (size_t i = 0; i < size; ++i) all[i] = static_cast<std::byte>(first + i);
  return all;
}

constexpr CacheFileKind kKind{'t', 'e', 's', 't', ' ', ' ', ' ', '1'},
    kOther{'t', 'e', 's', 't', ' ', ' ', ' ', '2'};

}  // namespace

TEST_CASE("a key depends on every text and on where it ends") {
  const CacheKey key = cache_key({"ab", "c"});
  CHECK(key == cache_key({"ab", "c"}));
  CHECK_FALSE(key == cache_key({"a", "bc"}));
  CHECK_FALSE(key == cache_key({"abc"}));
  CHECK_FALSE(key == cache_key({"ab", "c", ""}));
  CHECK_FALSE(key == cache_key({"ab", "d"}));
  CHECK(key.text().size() == 32);
  CHECK(cache_key({}).text() != key.text());
}

TEST_CASE("this program has an identity") {
  CHECK(build_identity().size() >= 16);
  CHECK(build_identity().find_first_not_of("0123456789abcdef") == std::string::npos);
}

TEST_CASE("a cache file comes back only whole, of its kind, and from this user") {
  const TemporaryFolder folder("cache");
  const fs::path path = folder.path / "deep" / "file";
  CHECK_FALSE(read_cache_file(path, kKind, 1000));
  const auto data = bytes(100, 7);
  write_cache_file(path, kKind, data);
  CHECK(read_cache_file(path, kKind, 1000) == data);
  CHECK(read_cache_file(path, kKind, 100) == data);
  CHECK_FALSE(read_cache_file(path, kKind, 99));
  CHECK_FALSE(read_cache_file(path, kOther, 1000));
  CHECK(std::distance(fs::directory_iterator(path.parent_path()), {}) == 1);  // no temporary one is left
  CHECK((fs::status(path).permissions() & fs::perms(0077)) == fs::perms::none);
  CHECK((fs::status(path.parent_path()).permissions() & fs::perms(0077)) == fs::perms::none);
  fs::permissions(path, fs::perms::group_write, fs::perm_options::add);
  CHECK_FALSE(read_cache_file(path, kKind, 1000));
  write_cache_file(path, kKind, {});
  CHECK(read_cache_file(path, kKind, 1000) == std::vector<std::byte>());
  // A pipe without a writer is not waited for.
  fs::remove(path);
  REQUIRE(::mkfifo(path.c_str(), 0600) == 0);
  CHECK_FALSE(read_cache_file(path, kKind, 1000));
}

TEST_CASE("the variable chooses the folder") {
  ::setenv("KC_TEST_CACHE", "/some/where", 1);
  CHECK(cache_folder("KC_TEST_CACHE") == "/some/where");
  ::setenv("KC_TEST_CACHE", "off", 1);
  CHECK(cache_folder("KC_TEST_CACHE").empty());
  ::unsetenv("KC_TEST_CACHE");
  ::setenv("XDG_CACHE_HOME", "/caches", 1);
  CHECK(cache_folder("KC_TEST_CACHE") == "/caches/kernelc");
  ::setenv("XDG_CACHE_HOME", "relative", 1);  // which the specification says to ignore
  ::setenv("HOME", "/home/one", 1);
  CHECK(cache_folder("KC_TEST_CACHE") == "/home/one/.cache/kernelc");
  ::unsetenv("HOME");
  CHECK(cache_folder("KC_TEST_CACHE").empty());
}

TEST_CASE("a cache keeps to its size: what was not used for longest goes") {
  const TemporaryFolder folder("cache");
  constexpr size_t kEntry = 1000, kEntries = 200;
  const auto key = [](size_t i) { return cache_key({std::to_string(i)}); };
  const CodeCache cache(folder.path, 100 * kEntry);
  const auto now = fs::file_time_type::clock::now();
  for (size_t i = 0; i < kEntries; ++i) {
    cache.save(key(i), bytes(kEntry, static_cast<uint8_t>(i)));
    fs::last_write_time(folder.path / "code" / key(i).text(), now - std::chrono::hours(kEntries + 2 - i));
    if (i == 50) CHECK(cache.load(key(0)));  // used
  }
  uint64_t size = 0, left = 0;
  for (const auto& entry : fs::directory_iterator(folder.path / "code")) size += entry.file_size(), ++left;
  CHECK(left < 140);  // it looks once in 64 entries
  CHECK(left >= 64);
  CHECK(cache.load(key(0)) == bytes(kEntry, 0));
  CHECK_FALSE(cache.load(key(1)));
  CHECK(cache.load(key(kEntries - 1)) == bytes(kEntry, static_cast<uint8_t>(kEntries - 1)));
  // What is too large for the whole is not kept.
  cache.save(key(kEntries), bytes(30 * kEntry, 1));
  CHECK_FALSE(cache.load(key(kEntries)));
}
