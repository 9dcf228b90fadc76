// SPDX-License-Identifier: Apache-2.0
// Targets beyond this processor: gfx9 code in the emulator, a device through HIP, and a Vulkan device. Every
// result is compared with the interpreter's, bit by bit.
#include <atomic>
#include <cstdlib>
#include <cstring>
#include <thread>

#include "tests/api/support.h"

namespace {

const char* const kEmulated[] = {"gfx900", "gfx906", "gfx908", "gfx90a"};

// The devices of this machine; one that is absent is named with the reason.
std::vector<std::string> devices() {
  ::setenv("KERNELC_VULKAN_CACHE", "off", 0);
  ::setenv("KERNELC_HIP_LIBRARY", KC_HIP_EMULATOR, 0);
  std::vector<std::string> all(std::begin(kEmulated), std::end(kEmulated));
  for (const char* target : {"hip", "vulkan"}) {
    auto program = program_of("kernel void k(global int* p) { p[0] = 1; }");
    auto kernel = program.kernel({.name = "", .target = target});
    auto ready = kernel ? kernel->prepare(kernelc::range(1)) : kernelc::result<void>();
    if (kernel && ready) {
      all.emplace_back(target);
      continue;
    }
    const kernelc::error& why = kernel ? ready.error() : kernel.error();
    CHECK(why.status() == KC_ABSENT);
    CHECK(!why.message().empty());
    WARN("skipped: " << target << ": " << why.message());
  }
  return all;
}

// What a launch leaves and says.
struct Outcome {
  std::vector<uint32_t> data;
  std::string said, printed;
  bool operator==(const Outcome&) const = default;
};

void take_text(void* user, const char* text, size_t size, uint64_t lost) {
  auto* all = static_cast<std::string*>(user);
  all->append(text, size);
  if (lost) *all += "lost " + std::to_string(lost);
}

// Launches `text` on words that are the same on all targets.
Outcome run(const std::string& target, const char* text, const kernelc::range& range, int number,
            size_t local_words = 0, bool check_bounds = false) {
  Outcome o;
  kernelc::kernel_options options{.name = "", .target = target, .check_bounds = check_bounds};
  options.print = &take_text;
  options.print_user = &o.printed;
  auto kernel = kernel_of(text, options);
  CHECK(kernel.info().target == target);
  o.data.resize(512);
  for (uint32_t i = 0; i < o.data.size(); ++i) o.data[i] = i * 2654435761u;
  std::vector<kernelc::argument> arguments{o.data, number};
  if (local_words) arguments.push_back(kernelc::local<uint32_t>(local_words));
  auto done = kernel.launch_list(range, arguments);
  if (done) return o;
  o.said = std::to_string(done.error().status()) + ": " + std::string(done.error().message());
  const kernelc::trap* trap = done.error().trap();
  if (done.error().status() != KC_TRAPPED || !trap) return o;
  o.said += "; " + std::string(trap->kind) + ", " + trap->type + ", " + std::to_string(trap->line) + ", " +
            std::to_string(trap->value) + ", " + std::to_string(trap->global_id[0]) + ", " +
            std::to_string(trap->count);
  return o;
}

}  // namespace

TEST_CASE("devices compute what the interpreter does") {
  using kernelc::range;
  const char* loop =
      "kernel void k(global uint* p, int n) {\n  size_t i = get_global_id(0);\n  uint x = p[i] | 1, c = 0;\n"
      "again:\n  if (x != 1 && c < (uint)n) { x = x % 2 ? x / 3 + 1 : x / 2; c++; goto again; }\n"
      "  p[i] = c + (x << 8);\n}\n";
  const char* floats =
      "kernel void k(global float* q, int n) {\n  size_t i = get_global_id(0); float x = (float)i + 0.25f;\n"
      "  q[i] = sqrt(x) * n + exp(-x) + sin(x) / (x + 1.0f);\n}\n";
  const char* barrier =
      "constant uint table[4] = { 7, 11, 13, 17 };\n"
      "kernel void k(global uint* p, int n, local uint* tile) {\n  local uint sum;\n"
      "  size_t l = get_local_id(0), s = get_local_size(0), g = get_global_id(0);\n"
      "  if (l == 0) sum = n;\n  tile[l] = p[g] + table[g & 3];\n  barrier(CLK_LOCAL_MEM_FENCE);\n"
      "  p[g] = tile[s - 1 - l] + sum;\n}\n";
  const char* plane =
      "kernel void k(global uint* p, int n) {\n"
      "  size_t w = get_global_size(0), x = get_global_id(0) - get_global_offset(0);\n"
      "  size_t y = get_global_id(1) - get_global_offset(1);\n"
      "  p[y * w + x] += (uint)(get_global_id(0) * 100 + get_local_id(1) * n + get_group_id(0));\n}\n";
  for (const std::string& target : devices()) {
    INFO(target);
    auto same = [&](const char* text, const range& r, size_t local_words = 0) {
      INFO(text);
      const Outcome got = run(target, text, r, 40, local_words),
                    want = run("interp", text, r, 40, local_words);
      CHECK(got.said == want.said);
      CHECK(got.data == want.data);
    };
    same(loop, range(512));
    same(loop, range(500).local(20));
    same(loop, range(0));
    same("kernel void k(global double* q, int n) { q[get_global_id(0)] = n / (get_global_id(0) + 1.5); }",
         range(100));
    same(barrier, range(256).local(64), 64);
    same(barrier, range(96).local(32), 32);  // another group size: another form of the code
    same(plane, range(32, 16).local(8, 4));
    if (target != "hip") same(plane, range(32, 16).local(8, 4).offset(5, 7));
    // Floating-point data: the same bits, read as words.
    Outcome bits[2];
    for (size_t k = 0; k < 2; ++k) {
      auto kernel = kernel_of(floats, {.name = "", .target = k ? "interp" : target});
      std::vector<float> q(200);
      require_done(kernel.launch(range(q.size()), q, 3));
      bits[k].data.resize(q.size());
      std::memcpy(bits[k].data.data(), q.data(), q.size() * 4);
    }
    CHECK(bits[0].data == bits[1].data);
  }
}

TEST_CASE("devices report traps and bounds, and print") {
  using kernelc::range;
  const char* traps =
      "kernel void k(global uint* p, int n) {\n  uint i = (uint)get_global_id(0);\n"
      "  if (i % 10 == 7) throw i * n;\n  p[i] = i;\n}\n";
  const char* meets =
      "kernel void k(global uint* p, int n) {\n  if (get_local_id(0) < n) barrier(CLK_LOCAL_MEM_FENCE);\n"
      "  p[get_global_id(0)] = 1;\n}\n";
  const char* outside = "kernel void k(global uint* p, int n) { p[get_global_id(0) * n] = 5; }";
  const char* prints =
      "kernel void k(global uint* p, int n) {\n  uint i = (uint)get_global_id(0);\n"
      "  if (i % 50 == 3) printf(\"%u of %d: %s %f\\n\", i, n, \"words\", i * 0.5f);\n}\n";
  for (const std::string& target : devices()) {
    INFO(target);
    const Outcome trapped = run(target, traps, range(100), 3);
    CHECK(trapped == run("interp", traps, range(100), 3));
    CHECK(trapped.said ==
          "5: kernel 'k': uncaught throw of uint 21 at line 3 by work-item (7, 0, 0); 10 work-items trapped; "
          "uncaught throw, uint, 3, 21, 7, 10");
    // On a device, work-items that wait at different barriers are undefined; the emulator reports them.
    if (target.starts_with("gfx"))
      CHECK(run(target, meets, range(64).local(64), 10).said ==
            run("interp", meets, range(64).local(64), 10).said);
    const Outcome bounds = run(target, outside, range(100), 8, 0, true);
    CHECK(bounds == run("interp", outside, range(100), 8, 0, true));
    CHECK(bounds.said.find("out of bounds") != std::string::npos);
    const Outcome printed = run(target, prints, range(128), 4);
    CHECK(printed == run("interp", prints, range(128), 4));
    CHECK(printed.printed == "3 of 4: words 1.500000\n53 of 4: words 26.500000\n103 of 4: words 51.500000\n");
  }
}

TEST_CASE("buffers of a launch on a device may overlap, be empty or be constant") {
  const char* text =
      "kernel void k(global const uint* in, global uint* out, global const uint* none, int n) {\n"
      "  size_t i = get_global_id(0);\n  out[i] = in[i] * 3 + (none == 0) + n;\n}\n";
  for (const std::string& target : devices()) {
    INFO(target);
    auto kernel = kernel_of(text, {.name = "", .target = target});
    auto interpreted = kernel_of(text, {.name = "", .target = "interp"});
    auto results = [&](const kernelc::kernel& k) {
      std::vector<uint32_t> all(65), none;
      std::iota(all.begin(), all.end(), 0u);
      const std::vector<uint32_t> fixed(64, 9);
      auto part = [&](size_t from, size_t count) { return kernelc::buffer(all.data() + from, count); };
      auto nothing = kernelc::buffer(static_cast<const uint32_t*>(nullptr), 0);
      require_done(k.launch(kernelc::range(64), all, all, nothing, 1));                   // the same
      require_done(k.launch(kernelc::range(32), part(1, 32), part(33, 32), nothing, 2));  // side by side
      require_done(k.launch(kernelc::range(30), part(1, 40), part(35, 30), nothing, 3));  // in part
      require_done(k.launch(kernelc::range(8), fixed, part(3, 8), nothing, 4));
      CHECK(fixed == std::vector<uint32_t>(64, 9));
      return all;
    };
    CHECK(results(kernel) == results(interpreted));
  }
}

TEST_CASE("several threads launch one kernel on a device") {
  const char* text =
      "kernel void k(global uint* out, local uint* sum, uint seed) {\n"
      "  size_t l = get_local_id(0), g = get_global_id(0);\n"
      "  sum[l] = (uint)g * seed; barrier(CLK_LOCAL_MEM_FENCE);\n"
      "  uint total = 0; for (size_t i = 0; i < get_local_size(0); ++i) total += sum[i];\n  out[g] = "
      "total;\n}\n";
  for (const std::string& target : devices()) {
    INFO(target);
    auto kernel = kernel_of(text, {.name = "", .target = target});
    std::atomic<int> wrong{0};
    std::vector<std::thread> threads;
    for (uint32_t t = 0; t < 4; ++t)
      threads.emplace_back([&, t] {
        for (uint32_t i = 0; i < 4; ++i) {
          const uint64_t local = uint64_t{8} << (t + i) % 4;
          const uint32_t seed = 1 + t * 10 + i;
          std::vector<uint32_t> out(128);
          if (!kernel.launch(kernelc::range(out.size()).local(local), out, kernelc::local<uint32_t>(local),
                             seed))
            ++wrong;
          for (uint64_t g = 0; g < out.size(); ++g) {
            uint32_t total = 0;
            for (uint64_t j = 0; j < local; ++j) total += static_cast<uint32_t>(g / local * local + j) * seed;
            wrong += out[g] != total;
          }
        }
      });
    for (std::thread& t : threads) t.join();
    CHECK(wrong == 0);
  }
}

TEST_CASE("targets that are not there, and options that a device does not have") {
  auto program = program_of("kernel void k(global int* p) { while (p[0] == 0) p[1]++; }");
  auto create = [&](const kernelc::kernel_options& options) { return complaint(program.kernel(options)); };
  CHECK(create({.name = "", .target = "z80"}) ==
        "2: unknown target 'z80' (cpu, avx2, avx512, gfx900, gfx906, gfx908, gfx90a, hip, vulkan, interp)");
  CHECK(create({.name = "", .target = "gfx942"}) == "4: code is made for gfx942, but nothing here runs it");
  for (const char* target : {"gfx900", "hip", "vulkan"})
    CHECK(create({.name = "", .target = target, .width = 8}) == "2: the width is for targets that are CPUs");
  for (const char* target : {"avx2", "hip", "vulkan"})
    CHECK(create({.name = "", .target = target, .max_steps = 8}) ==
          "2: max_steps needs the target interp, or one that is emulated");
  auto kernel = program.kernel({.name = "", .target = "gfx900", .max_steps = 1000});
  REQUIRE(kernel);
  std::vector<int> p(2);
  CHECK(complaint(kernel->launch(kernelc::range(1), p)).substr(0, 3) == "7: ");
  CHECK(complaint(kernel->launch(kernelc::range(1), 3)).substr(0, 3) == "2: ");
  auto local =
      kernel_of("kernel void k(local int* p) { p[get_local_id(0)] = 1; }", {.name = "", .target = "gfx900"});
  CHECK(complaint(local.launch(kernelc::range(64), kernelc::local<int>(1 << 20)))
            .find("bytes of local memory (gfx9 has 65536)") != std::string::npos);
}

TEST_CASE("kernels that a device cannot run are errors of the source, at their first launch") {
  const char* text =
      "kernel __attribute__((intel_reqd_sub_group_size(16))) void k(global uint* p) {\n"
      "  p[get_global_id(0)] = sub_group_reduce_add(1u);\n}\n";
  auto program = kernelc::program::from_text(text);
  if (!program) FAIL(program.error().message());
  auto kernel = program->kernel({.name = "", .target = "gfx900"});
  if (!kernel) FAIL(kernel.error().message());
  std::vector<uint32_t> p(64);
  for (int launch = 0; launch < 2; ++launch)  // a failure is not taken for code
    CHECK(complaint(kernel->launch(kernelc::range(64).local(64), p)).find("sub-groups of 16 work-items") !=
          std::string::npos);
  CHECK(complaint(kernel->prepare(kernelc::range(64).local(64))).substr(0, 3) == "1: ");
}

TEST_CASE("kernels share a device, in launches at the same time and one after the other") {
  for (const std::string& target : devices()) {
    INFO(target);
    auto add = kernel_of("kernel void add(global uint* p, uint n) { p[get_global_id(0)] += n; }",
                         {.name = "", .target = target});
    auto twice = kernel_of("kernel void twice(global uint* p) { p[get_global_id(0)] *= 2; }",
                           {.name = "", .target = target});
    require_done(add.prepare(kernelc::range(64)));
    require_done(twice.prepare(kernelc::range(64)));
    std::atomic<int> wrong{0};
    std::vector<std::thread> threads;
    for (uint32_t t = 0; t < 4; ++t)
      threads.emplace_back([&, t] {
        std::vector<uint32_t> p(64, t);
        for (int i = 0; i < 5; ++i)
          if (!add.launch(kernelc::range(64), p, 1) || !twice.launch(kernelc::range(64), p)) ++wrong;
        for (uint32_t v : p) wrong += v != 32 * t + 62;
      });
    for (std::thread& t : threads) t.join();
    CHECK(wrong == 0);
  }
}
