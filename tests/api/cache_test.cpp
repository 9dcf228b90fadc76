// SPDX-License-Identifier: Apache-2.0
// Kernels whose code an earlier process compiled, as far as one process can tell: everything that launches
// show is as if the code had been compiled here.
#include <algorithm>
#include <catch2/catch.hpp>
#include <filesystem>
#include <fstream>
#include <iterator>

#include "api/kernel.h"
#include "host/cached_cpu_compiler.h"
#include "host/cpu_kept.h"
#include "host/cpu_trial.h"
#include "host/source.h"
#include "runtime/cache/code_cache.h"
#include "tests/temporary_folder.h"

using namespace kc;

namespace {

namespace fs = std::filesystem;

std::vector<fs::path> files_of(const TemporaryFolder& folder) {
  std::vector<fs::path> all;
  std::error_code none;
  for (fs::directory_iterator at(folder.path / "code", none), end; at != end; ++at) all.push_back(at->path());
  return all;
}

std::shared_ptr<const Module> module_of(const char* text) {
  LoadedSource loaded = load_source(text, Language::Kernel, {});
  INFO(loaded.diagnostics);
  REQUIRE(loaded.module);
  return std::move(loaded.module);
}

// Packed waves, tables, messages, traps, a barrier that some work-items miss, and structures as arguments.
constexpr const char* kText = R"(
constant int table[5] = {3, 1, 4, 1, 5};
struct pair { int first; float second; };
kernel void k(global int* out, struct pair p, local int* shared, int bad) {
  int i = get_global_id(0), l = get_local_id(0);
  shared[l] = table[i % 5] * p.first;
  barrier(CLK_LOCAL_MEM_FENCE);
  out[i] = shared[get_local_size(0) - 1 - l] + (int)(p.second * i);
  if (i % 7 == 0) printf("item %d: %d\n", i, out[i]);
  if (i == bad) throw i * 2;
}
)";

struct Seen {
  std::vector<int> out;
  std::string printed, trap;
  bool operator==(const Seen&) const = default;
};

Seen launch(const Module& module, std::shared_ptr<const Module> owner, const CodeCache* cache, int bad,
            std::string_view target) {
  Seen seen;
  kc_kernel_options options;
  kc_kernel_options_init(&options);
  const std::string name(target);
  options.target = name.c_str();
  options.print = [](void* to, const char* text, size_t size, uint64_t) {
    static_cast<std::string*>(to)->append(text, size);
  };
  options.print_user = &seen.printed;
  auto kernel = Kernel::create(std::move(owner), *module.find("k"), options, cache);
  REQUIRE(kernel);
  seen.out.assign(96, 0);
  const struct {
    int first;
    float second;
  } pair{10, 0.5f};
  const kc_argument arguments[] = {kc_buffer(seen.out.data(), seen.out.size() * sizeof(int)),
                                   kc_bytes(&pair, sizeof pair), kc_local(24 * sizeof(int)), kc_long(bad)};
  kc_range range{};
  range.dims = 1, range.global[0] = 96, range.local[0] = 24, range.threads = 1;
  auto trap = (*kernel)->launch(range, arguments);
  if (!trap) FAIL(trap.error().message);
  if (*trap) seen.trap = (*trap)->site.type + " " + std::to_string((*trap)->value);
  return seen;
}

std::string content_of(const fs::path& file) {
  std::ifstream stream(file, std::ios::binary);
  return {std::istreambuf_iterator<char>(stream), {}};
}

std::vector<std::string> cpu_targets() {
  std::vector<std::string> all;
  for (const TargetDesc& t : targets())
    if (t.is_cpu() && cpu_features().*t.needs) all.emplace_back(t.name);
  return all;
}

}  // namespace

TEST_CASE("code from the cache gives what compiled code gives") {
  const auto module = module_of(kText);
  for (const std::string& target : cpu_targets()) {
    const TemporaryFolder folder("code");
    const CodeCache cache(folder.path);
    for (int bad : {-1, 30}) {
      INFO(target << ", work-item " << bad << " throws");
      const Seen compiled = launch(*module, module, nullptr, bad, target);
      CHECK(launch(*module, module, &cache, bad, target) == compiled);
      const size_t files = files_of(folder).size();
      CHECK(files >= 2);  // what decides forms, and a form
      CHECK(launch(*module, module, &cache, bad, target) == compiled);
      CHECK(files_of(folder).size() == files);
      CHECK(compiled.printed.find("item 91: ") != std::string::npos);
      CHECK(compiled.trap.empty() == (bad < 0));
    }
  }
}

TEST_CASE("entries that hold something else are as none") {
  const auto module = module_of(kText);
  const std::string target = cpu_targets().empty() ? "" : cpu_targets().front();
  if (target.empty()) {
    WARN("skipped: this processor has no AVX2");
    return;
  }
  const TemporaryFolder folder("code");
  const CodeCache cache(folder.path);
  const Seen compiled = launch(*module, module, &cache, -1, target);
  const std::vector<fs::path> files = files_of(folder);
  REQUIRE(files.size() >= 2);
  // Each entry gets the content of another one; the files are undamaged.
  for (size_t k = 0; k < files.size(); ++k) {
    const fs::path& from = files[(k + 1) % files.size()];
    const std::string kept = files[k].string() + ".kept";
    fs::rename(files[k], kept);
    fs::copy_file(from, files[k]);
    CHECK(launch(*module, module, &cache, -1, target) == compiled);
    CHECK(content_of(files[k]) != content_of(from));  // it was written anew
    fs::rename(kept, files[k]);
  }
}

TEST_CASE("one kernel's code is not another's, nor that of other options") {
  const auto module = module_of(kText);
  std::string other_text = kText;
  other_text.replace(other_text.find("{3, 1, 4"), 8, "{2, 7, 1");
  const auto other = module_of(other_text.c_str());
  for (const std::string& target : cpu_targets()) {
    const TemporaryFolder folder("code");
    const CodeCache cache(folder.path);
    launch(*module, module, &cache, -1, target);
    CHECK(launch(*other, other, &cache, -1, target) == launch(*other, other, nullptr, -1, target));
    const size_t files = files_of(folder).size();
    auto of = [&](const CachedCpuOptions& options) {
      auto compiler = CachedCpuCompiler::create(*module->find("k"), options, *find_target(target), &cache);
      REQUIRE(compiler);
      bool cached = false;
      REQUIRE((*compiler)->compile((*compiler)->choice().any_form(), cached));
      return cached;
    };
    CHECK_FALSE(of({.optimisation = 0}));
    CHECK(of({.optimisation = 0}));
    CHECK_FALSE(of({.check_bounds = true}));
    CHECK_FALSE(of({.width = 16}));
    CHECK(of({.width = 16}));
    CHECK(files_of(folder).size() > files + 3);
  }
}

TEST_CASE("what was fastest is known to the next process") {
  const auto module = module_of("kernel void k(global int* out) { out[get_global_id(0)] += 3; }");
  for (const std::string& target : cpu_targets()) {
    const TemporaryFolder folder("code");
    const CodeCache cache(folder.path);
    auto compiler = CachedCpuCompiler::create(*module->find("k"), {}, *find_target(target), &cache);
    REQUIRE(compiler);
    CachedCpuCompiler& c = **compiler;
    const LaunchSpec spec{.global = {4096, 1, 1}, .local = {64, 1, 1}, .small_buffers = true};
    const CpuForm first = c.choice().form(spec);
    const std::vector<CpuRival> rivals = c.choice().rivals(first, spec);
    REQUIRE(!rivals.empty());
    CHECK_FALSE(c.fastest(first, spec, 13));
    for (const CpuRival& r : rivals) {
      c.note_fastest(first, 13, r);
      CHECK(c.fastest(first, spec, 13) == r);
      CHECK_FALSE(c.fastest(first, spec, 14));
    }
    c.note_fastest(first, 13, {first});
    CHECK(c.fastest(first, spec, 13) == CpuRival{first});
    auto code = c.compile(CpuRival{first});
    REQUIRE(code);
    auto settled = [&](const CpuRival& fastest) {
      auto trial = CpuTrial::create(
          c.choice(), [&](const CpuRival& r) { return c.compile(r); }, first, *code, spec, fastest);
      REQUIRE(trial);
      CHECK(trial->forms().settled());
      CHECK(trial->newly_chosen() == -1);
      return trial->rival(static_cast<unsigned>(trial->forms().chosen()));
    };
    CHECK(settled({first}) == CpuRival{first});
    CHECK(settled(rivals.back()) == rivals.back());
  }
}

TEST_CASE("what is kept of code and of a kernel reads back") {
  const auto module = module_of(kText);
  for (const std::string& target : cpu_targets()) {
    auto compiler = CachedCpuCompiler::create(*module->find("k"), {}, *find_target(target), nullptr);
    REQUIRE(compiler);
    const CpuTraits& traits = (*compiler)->choice().traits();
    CHECK(cpu_traits_of(to_bytes(traits)) == traits);
    auto code = (*compiler)->compile(CpuRival{(*compiler)->choice().any_form()});
    REQUIRE(code);
    const auto bytes = to_bytes(*code);
    const auto read = cpu_code_of(bytes);
    REQUIRE(read);
    CHECK(read->machine.image.code == code->machine.image.code);
    CHECK(to_bytes(*read) == bytes);
    CHECK_FALSE(cpu_traits_of(bytes));
    CHECK_FALSE(cpu_code_of(to_bytes(traits)));
    for (size_t size = 0; size < bytes.size(); size += 1 + bytes.size() / 97)
      CHECK_FALSE(cpu_code_of(std::span(bytes).first(size)));
  }
}
