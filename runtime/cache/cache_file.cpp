// SPDX-License-Identifier: Apache-2.0
#include "runtime/cache/cache_file.h"

#include <fcntl.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cstdint>
#include <cstdio>
#include <memory>
#include <string_view>

#define XXH_INLINE_ALL
#include <xxhash.h>

namespace kc {

namespace {

namespace fs = std::filesystem;

using File = std::unique_ptr<std::FILE, decltype([](std::FILE* f) { std::fclose(f); })>;

struct Prefix {
  CacheFileKind kind{};
  uint64_t size = 0, hash = 0;  // of the data, against damage
};

uint64_t hash_of(std::span<const std::byte> data) { return XXH3_64bits(data.data(), data.size()); }

bool write_all(std::FILE* file, const Prefix& prefix, std::span<const std::byte> data) {
  return std::fwrite(&prefix, sizeof prefix, 1, file) == 1 &&
         std::fwrite(data.data(), 1, data.size(), file) == data.size() && std::fflush(file) == 0;
}

}  // namespace

std::string cache_folder(const char* variable) {
  const auto value = [](const char* name) {
    const char* found = ::secure_getenv(name);
    return std::string(found ? found : "");
  };
  if (std::string chosen = value(variable); !chosen.empty()) return chosen == "off" ? "" : chosen;
  if (std::string caches = value("XDG_CACHE_HOME"); caches.starts_with('/')) return caches + "/kernelc";
  if (std::string home = value("HOME"); home.starts_with('/')) return home + "/.cache/kernelc";
  return {};
}

std::optional<std::vector<std::byte>> read_cache_file(const fs::path& path, const CacheFileKind& kind,
                                                      size_t most) {
  // Nothing that waits for a writer is opened.
  const int descriptor = ::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK);
  if (descriptor < 0) return {};
  const File file(::fdopen(descriptor, "rb"));
  if (!file) {
    ::close(descriptor);
    return {};
  }
  struct stat about {};
  if (::fstat(descriptor, &about) != 0 || !S_ISREG(about.st_mode) || about.st_uid != ::geteuid() ||
      (about.st_mode & (S_IWGRP | S_IWOTH)))
    return {};
  Prefix prefix;
  if (std::fread(&prefix, sizeof prefix, 1, file.get()) != 1 || prefix.kind != kind || prefix.size > most ||
      static_cast<uint64_t>(about.st_size) != sizeof prefix + prefix.size)
    return {};
  std::vector<std::byte> data(prefix.size);
  if (std::fread(data.data(), 1, data.size(), file.get()) != data.size()) return {};
  if (hash_of(data) != prefix.hash) return {};
  return data;
}

void write_cache_file(const fs::path& path, const CacheFileKind& kind, std::span<const std::byte> data) {
  std::error_code error;
  if (fs::create_directories(path.parent_path(), error))
    fs::permissions(path.parent_path(), fs::perms::owner_all, error);
  std::string temporary = path.string() + ".XXXXXX";
  const int descriptor = ::mkostemp(temporary.data(), O_CLOEXEC);
  if (descriptor < 0) return;
  bool written = false;
  if (const File file(::fdopen(descriptor, "wb")); file)
    written = write_all(file.get(), {.kind = kind, .size = data.size(), .hash = hash_of(data)}, data);
  else
    ::close(descriptor);
  error.clear();
  if (written) fs::rename(temporary, path, error);
  if (!written || error) fs::remove(temporary, error);
}

}  // namespace kc
