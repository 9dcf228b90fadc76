// SPDX-License-Identifier: Apache-2.0
#include "runtime/cache/code_cache.h"

#include <fmt/format.h>
#include <link.h>

#include <algorithm>
#include <chrono>
#include <cstring>

#include "runtime/cache/cache_file.h"

#define XXH_INLINE_ALL
#include <xxhash.h>

namespace kc {

namespace {

namespace fs = std::filesystem;

constexpr CacheFileKind kKind{'k', 'c', 'c', 'o', 'd', 'e', '0', '1'};
constexpr uint32_t kSavesBetween = 64;             // looks at the size of the folder
constexpr std::chrono::hours kFreshlyUsed{1};      // a use is noted so often at most
constexpr std::chrono::minutes kAbandoned{10};     // for what a writer that ended early left
constexpr size_t kKeyDigits = 32, kUniqueEnd = 7;  // of names; of those of files that are being written

// Looks for the loaded object that has this function, and in it for the linker's note.
int note_of_object(dl_phdr_info* object, size_t, void* result) {
  const auto here = reinterpret_cast<uintptr_t>(&note_of_object);
  auto bytes_at = [&](const ElfW(Phdr) & part) {
    return std::string_view(reinterpret_cast<const char*>(object->dlpi_addr + part.p_vaddr), part.p_memsz);
  };
  const std::span parts(object->dlpi_phdr, object->dlpi_phnum);
  const bool is_this = std::ranges::any_of(parts, [&](const ElfW(Phdr) & part) {
    const auto start = static_cast<uintptr_t>(object->dlpi_addr + part.p_vaddr);
    return part.p_type == PT_LOAD && here >= start && here - start < part.p_memsz;
  });
  if (!is_this) return 0;
  for (const ElfW(Phdr) & part : parts) {
    if (part.p_type != PT_NOTE) continue;
    std::string_view notes = bytes_at(part);
    ElfW(Nhdr) head{};
    while (notes.size() >= sizeof head) {
      std::memcpy(&head, notes.data(), sizeof head);
      auto padded = [](uint64_t size) { return (size + 3) / 4 * 4; };
      const uint64_t name = padded(head.n_namesz), content = padded(head.n_descsz);
      if (sizeof head + name + content > notes.size()) break;
      const std::string_view owner = notes.substr(sizeof head, head.n_namesz);
      if (head.n_type == NT_GNU_BUILD_ID && owner == std::string_view("GNU\0", 4)) {
        auto& text = *static_cast<std::string*>(result);
        for (char c : notes.substr(sizeof head + name, head.n_descsz))
          text += fmt::format("{:02x}", static_cast<unsigned char>(c));
        return 1;
      }
      notes.remove_prefix(sizeof head + name + content);
    }
  }
  return 1;
}

}  // namespace

std::string CacheKey::text() const { return fmt::format("{:016x}{:016x}", high, low); }

CacheKey cache_key(std::initializer_list<std::string_view> texts) {
  XXH3_state_t state;
  XXH3_128bits_reset(&state);
  for (std::string_view text : texts) {
    const uint64_t size = text.size();
    XXH3_128bits_update(&state, &size, sizeof size);
    XXH3_128bits_update(&state, text.data(), text.size());
  }
  const XXH128_hash_t hash = XXH3_128bits_digest(&state);
  return {hash.high64, hash.low64};
}

const std::string& build_identity() {
  // Exit handlers of the program may still compile.
  static const auto& identity = *new std::string([] {
    std::string text;
    ::dl_iterate_phdr(note_of_object, &text);
    return text;
  }());
  return identity;
}

CodeCache::CodeCache(const fs::path& folder, uint64_t most_bytes)
    : folder_(folder / "code"), most_bytes_(most_bytes) {}

const CodeCache* CodeCache::of_user() {
  static const CodeCache* const cache = []() -> const CodeCache* {
    const std::string folder = cache_folder("KERNELC_CACHE");
    return folder.empty() || build_identity().empty() ? nullptr : new CodeCache(fs::absolute(folder));
  }();
  return cache;
}

std::optional<std::vector<std::byte>> CodeCache::load(const CacheKey& key) const {
  const fs::path path = folder_ / key.text();
  auto data = read_cache_file(path, kKind, most_bytes_);
  // The key, for an entry that somebody has renamed, and the data.
  if (!data || data->size() < sizeof key || std::memcmp(data->data(), &key, sizeof key) != 0) return {};
  data->erase(data->begin(), data->begin() + sizeof key);
  std::error_code error;
  const auto now = fs::file_time_type::clock::now();
  if (now - fs::last_write_time(path, error) > kFreshlyUsed && !error) fs::last_write_time(path, now, error);
  return data;
}

void CodeCache::save(const CacheKey& key, std::span<const std::byte> data) const {
  if (data.size() > most_bytes_ / 4) return;
  const auto* start = reinterpret_cast<const std::byte*>(&key);
  std::vector<std::byte> entry(start, start + sizeof key);
  entry.insert(entry.end(), data.begin(), data.end());
  write_cache_file(folder_ / key.text(), kKind, entry);
  if (saved_++ % kSavesBetween == 0) shrink();
}

// Other processes may remove the same files.
void CodeCache::shrink() const {
  struct Entry {
    fs::path path;
    uint64_t size;
    fs::file_time_type used;
  };
  std::vector<Entry> entries;
  uint64_t bytes = 0;
  std::error_code error;
  const auto now = fs::file_time_type::clock::now();
  for (fs::directory_iterator at(folder_, error), end; !error && at != end; at.increment(error)) {
    std::error_code gone;
    Entry e{at->path(), at->file_size(gone), {}};
    if (!gone) e.used = at->last_write_time(gone);
    if (gone) continue;
    // The folder may have files of others.
    const std::string name = e.path.filename().native();
    if (name.find_first_not_of("0123456789abcdef") < kKeyDigits || name.size() < kKeyDigits) continue;
    if (name.size() > kKeyDigits) {
      const bool is_part = name.size() == kKeyDigits + kUniqueEnd && name[kKeyDigits] == '.';
      if (is_part && now - e.used > kAbandoned) fs::remove(e.path, gone);
      continue;
    }
    bytes += e.size;
    entries.push_back(std::move(e));
  }
  if (bytes <= most_bytes_) return;
  std::ranges::sort(entries, {}, &Entry::used);
  for (const Entry& e : entries) {
    if (bytes <= most_bytes_ / 4 * 3) return;
    fs::remove(e.path, error);
    bytes -= e.size;
  }
}

}  // namespace kc
