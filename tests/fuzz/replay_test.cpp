// SPDX-License-Identifier: Apache-2.0
// Every entry point reads the inputs of corpus/ENTRY, and changed ones. libFuzzer looks for more of them
// (run.sh); what it finds is added here.
//
//   KC_REPLAYS=n changes of each input
#include <catch2/catch.hpp>
#include <chrono>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <sstream>
#include <vector>

#include "fuzz/random.h"
#include "tests/fuzz/fuzz.h"

namespace {

namespace fs = std::filesystem;
const fs::path kRoot = KC_SOURCE_DIR;
// Kernels that are elsewhere in the repository, for the entry `source`.
constexpr const char* kKernels[] = {"docs/collatz.cl", "docs/knots.cl", "examples/exceptions/exceptions.cl"};

std::string bytes_of(const fs::path& file) {
  std::ifstream in(file, std::ios::binary);
  std::stringstream bytes;
  bytes << in.rdbuf();
  return bytes.str();
}

std::vector<fs::path> corpus_of(std::string_view entry) {
  std::vector<fs::path> files;
  if (const fs::path own = kRoot / "tests/fuzz/corpus" / entry; fs::exists(own))
    for (const auto& file : fs::directory_iterator(own)) files.push_back(file.path());
  if (entry == "source")
    for (const char* kernel : kKernels) files.push_back(kRoot / kernel);
  std::ranges::sort(files);
  return files;
}

// Cuts, copies, and changed bytes; also numbers at their limits, of which binary forms consist.
std::string changed(std::string bytes, kc::fuzz::Random& random) {
  for (uint64_t n = 1 + random.below(3); n > 0 && !bytes.empty(); --n) {
    const uint64_t at = random.below(static_cast<uint32_t>(bytes.size()));
    const uint64_t length = 1 + random.below(static_cast<uint32_t>(std::min<size_t>(32, bytes.size() - at)));
    switch (random.below(7)) {
      case 0:
        bytes.resize(at);
        break;
      case 1:
        bytes.erase(at, length);
        break;
      case 2:
        bytes.insert(random.below(static_cast<uint32_t>(bytes.size())), bytes.substr(at, length));
        break;
      case 3:
        bytes[at] = static_cast<char>(random.below(256));
        break;
      case 4:
        bytes[at] = static_cast<char>(bytes[at] ^ 1 << random.below(8));
        break;
      case 5:
        bytes.replace(at, length, length, random.below(2) ? '\xff' : '\0');
        break;
      default:
        bytes.insert(at, std::to_string(random.bits()));
    }
  }
  return bytes;
}

void replay(std::span<const Entry> entries, uint64_t usual) {
  const char* setting = std::getenv("KC_REPLAYS");
  const uint64_t changes = setting ? std::strtoull(setting, nullptr, 10) : usual;
  for (const Entry& entry : entries) {
    const auto files = corpus_of(entry.name);
    CHECK(files.size() >= 3);
    const auto start = std::chrono::steady_clock::now();
    uint64_t inputs = 0;
    for (const fs::path& file : files) {
      INFO(file);
      const std::string bytes = bytes_of(file);
      kc::fuzz::Random random(inputs);
      entry.run(bytes);
      for (uint64_t n = 0; n < changes; ++n) entry.run(changed(bytes, random));
      inputs += 1 + changes;
    }
    const double seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
    INFO(entry.name << ": " << inputs << " inputs in " << seconds << " s");
    CHECK(seconds < 1 + 0.05 * static_cast<double>(inputs));
  }
}

}  // namespace

TEST_CASE("source text of any kind is compiled or refused") { replay(source_entries(), 20); }
TEST_CASE("readers accept or refuse any bytes") { replay(reader_entries(), 200); }
TEST_CASE("the driver's readers accept or refuse any bytes") { replay(driver_entries(), 100); }
