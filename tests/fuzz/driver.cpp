// SPDX-License-Identifier: Apache-2.0
// Readers of the driver and of devices.
#include <unistd.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <string>
#include <vector>

#include "backends/spirv/spirv.h"
#include "driver/options.h"
#include "driver/script/script.h"
#include "host/cpu_kept.h"
#include "runtime/vulkan/pipeline_store.h"
#include "tests/fuzz/fuzz.h"

namespace {

namespace fs = std::filesystem;

void run_script(std::string_view input) {
  const auto script = kc::parse_script(input);
  if (!script) require(!script.error().render("input", std::string(input)).empty(), "no message");
}

// One word for each line.
void run_command(std::string_view input) {
  std::vector<std::string> words{""};
  for (const char c : input) {
    if (c == '\n')
      words.emplace_back();
    else if (c)
      words.back() += c;
  }
  // Those of response files are others' bytes.
  for (const std::string& word : words)
    if (word.starts_with('@')) return;
  const kc::CommandLine line = kc::parse_command_line(words);
  if (!line.options) require(!line.text.empty(), "no message");
}

void run_spirv(std::string_view input) {
  std::vector<uint32_t> words(input.size() / 4);
  std::ranges::copy(input.substr(0, 4 * words.size()), reinterpret_cast<char*>(words.data()));
  const auto module = kc::read_signed_module(words);
  if (!module) return require(!module.error().empty(), "no message");
  require(module->kernel != nullptr, "a module without a kernel");
}

// The file of a device's compiled pipelines, which may hold anything.
void run_pipelines(std::string_view input) {
  static const fs::path folder = fs::temp_directory_path() / ("kernelc-fuzz-" + std::to_string(::getpid()));
  const kc::PipelineStore store(folder.string(), {.vendor = 1, .device = 2, .driver_version = 3, .uuid = {}});
  fs::create_directories(folder);
  std::ofstream(store.path(), std::ios::binary)
      .write(input.data(), static_cast<std::streamsize>(input.size()));
  require(store.load().size() <= input.size(), "more than the file has");
  // As the data of an undamaged file.
  const auto data = std::as_bytes(std::span(input));
  store.save(data);
  if (const auto loaded = store.load(); !loaded.empty())
    require(std::ranges::equal(loaded, data), "other data than was saved");
  fs::remove_all(folder);
}

// What an earlier process kept of compiled code, in an undamaged file of the cache.
void run_code(std::string_view input) {
  const auto bytes = std::as_bytes(std::span(input));
  if (const auto traits = kc::cpu_traits_of(bytes))
    require(kc::cpu_traits_of(kc::to_bytes(*traits)) == traits, "other traits than were written");
  if (const auto code = kc::cpu_code_of(bytes)) {
    const auto written = kc::to_bytes(*code);
    const auto again = kc::cpu_code_of(written);
    require(again && kc::to_bytes(*again) == written, "other code than was written");
  }
}

constexpr Entry kDriver[] = {{"script", run_script},
                             {"command", run_command},
                             {"spirv", run_spirv},
                             {"pipelines", run_pipelines},
                             {"code", run_code}};

}  // namespace

std::span<const Entry> driver_entries() { return kDriver; }
