// SPDX-License-Identifier: Apache-2.0
// One file of a cache on disk. It only saves time, so any failure counts as a missing file.
#pragma once

#include <array>
#include <cstddef>
#include <filesystem>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace kc {

/// What a file holds, and in which format: its first bytes.
using CacheFileKind = std::array<char, 8>;

/// The folder that the environment variable names, or by default kernelc's in the user's caches (XDG base
/// directories). Empty if the variable is "off", if the user has no folder, or in a process that runs with
/// other rights than its user's.
std::string cache_folder(const char* variable);

/// What `write_cache_file` left there; nothing if it is damaged, of another kind, of more than `most` bytes,
/// or if others than this user could have written it.
std::optional<std::vector<std::byte>> read_cache_file(const std::filesystem::path& path,
                                                      const CacheFileKind& kind, size_t most);

/// Replaces the file atomically, so that readers never see a part. Makes its folder, for this user alone.
void write_cache_file(const std::filesystem::path& path, const CacheFileKind& kind,
                      std::span<const std::byte> data);

}  // namespace kc
