// SPDX-License-Identifier: Apache-2.0
// The kernels of this repository and random ones as modules: all are valid, and control flow that is
// structured in the source needs no selector variable.
#include <fmt/format.h>

#include <catch2/catch.hpp>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <sstream>

#include "backends/structured/region_tree.h"
#include "driver/commands/fuzz_program.h"
#include "frontend/frontend.h"
#include "fuzz/random_program.h"
#include "host/vulkan_code.h"
#include "ir/text.h"
#include "runtime/vulkan/spirv_tools.h"
#include "tests/run/program.h"

using namespace kc;
using namespace kc::test;

namespace {

// For devices without faults, and for one with all known faults.
void check_valid(const Function& lowered) {
  const SpirvLaunches launches{.sub_group_lanes = 8, .sub_group_rows = true};
  auto prepared = make_spirv_form(lowered, wave_config(launches));
  for (const auto& problem : check_spirv(*prepared, launches)) FAIL(problem.message);
  SpirvOptions plain{.source_name = "kernel.cl", .fused_fma32 = true, .fused_fma64 = true};
  SpirvOptions careful{
      .guard_loop_values = true, .detect_loop_limits = true, .lanes_of_rows = 8, .hide_sign_extension = true};
  for (const SpirvOptions& options : {plain, careful}) {
    auto valid = validate_spirv(emit_spirv(*prepared, options).words);
    if (valid.status == SpirvToolsStatus::Failed) FAIL(valid.text << "\n" << print(*prepared));
  }
}

size_t check_all_kernels(const Module& module) {
  size_t count = 0;
  for (const auto& f : module.functions) {
    if (!f->is_kernel) continue;
    INFO(f->name);
    check_valid(*optimise(*f, *find_target("vulkan")));
    ++count;
  }
  return count;
}

std::unique_ptr<Module> compile_file(const std::filesystem::path& path) {
  std::ifstream in(path);
  std::stringstream text;
  text << in.rdbuf();
  return std::move(compile_source(text.str(), {}).module);
}

// Counts blocks in which several paths join and continue to several targets.
size_t selectors(const Function& f) {
  size_t count = 0;
  for (const structured::Join& join : structured::build_regions(f).joins) count += join.targets.size() > 1;
  return count;
}

}  // namespace

TEST_CASE("modules of the programs of tests/run are valid") {
  auto programs = read_programs(KC_SOURCE_DIR "/tests/run");
  REQUIRE(programs.has_value());
  size_t count = 0;
  for (const RunProgram& p : *programs) {
    if (p.chapter == "macros") continue;  // they need a specific working directory
    auto compiled = compile_program(p);
    INFO(p.full_name());
    REQUIRE(compiled.has_value());
    if (p.chapter == "sub_groups") {
      auto problems = check_spirv(*make_spirv_form(*(*compiled)->program.optimised));
      REQUIRE(!problems.empty());
      CHECK(problems[0].message.find("a sub-group operation") != std::string::npos);
    }
    check_valid(*(*compiled)->program.optimised);
    ++count;
  }
  CHECK(count > 500);
}

TEST_CASE("modules of the examples and of the benchmarks' kernels are valid") {
  size_t count = 0;
  for (const char* folder : {"/examples", "/bench"})
    for (const auto& entry :
         std::filesystem::recursive_directory_iterator(std::string(KC_SOURCE_DIR) + folder)) {
      if (entry.path().extension() != ".cl") continue;
      if (entry.path().string().find("/embed/") != std::string::npos)
        continue;  // its host defines its macros
      INFO(entry.path().string());
      auto module = compile_file(entry.path());
      REQUIRE(module);
      count += check_all_kernels(*module);
    }
  CHECK(count > 15);
}

// KC_SEEDS=n: their number.
TEST_CASE("modules of random programs are valid") {
  const char* seeds = std::getenv("KC_SEEDS");
  const uint64_t count = seeds ? std::strtoull(seeds, nullptr, 10) : 150;
  for (uint64_t seed = 0; seed < count; ++seed) {
    INFO("seed " << seed);
    fuzz::RandomProgram p = fuzz::random_program(seed);
    std::vector<std::string> options = p.launch;
    if (seed % 5 == 0) options.push_back("-O0");
    if (seed % 7 == 0) options.push_back("--check-bounds");
    auto input = compile_random(p.source, options);
    REQUIRE(input.has_value());
    check_valid(*(*input)->program.optimised);
  }
}

TEST_CASE("what the source nests needs no variable") {
  constexpr std::string_view kBodies[] = {
      "while (n > 1) n = n % 2 ? 3 * n + 1 : n / 2; out[i] = n;",
      "do { n = in[n & 63]; } while (n > 5); out[i] = n;",
      "for (int k = 0; k < n; k++) out[i] += in[k];",
      "for (int k = 0; k < n; k++) { if (in[k] == 7) break; out[i] += in[k]; }",
      "for (int k = 0; k < n; k++) { if (in[k] == 7) continue; out[i] += in[k]; }",
      "for (int k = 0; k < n; k++) { if (in[k] == 7) continue; if (in[k] == 9) break; out[i] += in[k]; }",
      "for (;;) { n = in[n & 63]; if (n < 0) break; out[i] += n; if (n > 90) break; out[i] ^= n; }",
      "for (int k = 0; k < n; k++) for (int j = 0; j < k; j++) { if (in[j] > k) break; out[i] += in[j]; }",
      "for (int k = 0; k < n; k++) { int s = 0; while (s < in[k]) { s += in[s & 63]; if (s == 3) continue; "
      "out[i] ^= s; } out[i] += s; }",
      "if (n > 4) out[i] = in[n & 63]; else if (n > 2) out[i] = 7; else out[i] = in[i & 63] / n;",
      "if (n > 4) { if (in[0]) out[i] = 3; else out[i] = in[1]; out[i] += 2; } else out[i] = in[2];",
      "switch (n) { case 0: out[i] = in[3]; break; case 1: out[i] = in[n] * 3; break; case 2: case 5: "
      "out[i] = in[7] / n; break; default: out[i] = in[n & 15]; }",
      "switch (n) { case 0: out[i] = in[3]; case 1: out[i] += in[n] * 3; break; default: out[i] = in[n & "
      "15]; }",
      "switch (n) { case 3: out[i] = in[3]; case 7: out[i] += in[n] * 3; case -1: out[i] ^= in[5]; break; "
      "case 2: out[i] = 7 / in[9]; default: out[i] += in[n & 15]; }",
      "switch (n) { case 0: if (in[2] > n) break; out[i] = in[3]; case 1: out[i] += in[n] * 3; break; "
      "default: if (in[7]) out[i] = 5; else out[i] = in[4]; case 9: out[i] += in[n & 15]; }",
      "for (int k = 0; k < n; k++) switch (in[k]) { case 0: out[i] = in[3]; case 1: while (n > in[n]) n -= "
      "in[4]; "
      "case 2: out[i] += in[n & 7]; continue; case 4: if (n < 3) continue; out[i]++; default: out[i] ^= n; }",
      "while (n > 0) { switch (n & 3) { case 0: n = in[n & 63]; break; case 1: n -= in[5]; break; default: "
      "n /= 2; out[i] += in[n & 7]; } }",
      "if (n == 3) return; while (n > 0) { n -= in[n & 63]; } out[i] = n;",
  };
  for (std::string_view body : kBodies)
    for (int level : {0, 2}) {
      // Without optimisation, two labels of one case are a case that falls through to another.
      if (level == 0 && body.find("case 2: case 5:") != std::string_view::npos) continue;
      INFO(body << " -O" << level);
      std::string source = fmt::format(
          "kernel void k(global int* out, global const int* in, int n) {{\n"
          "int i = get_global_id(0); n += in[i];\n{}\n}}\n",
          body);
      FrontendResult r = compile_source(source, {});
      REQUIRE(r.module);
      auto thread = optimise(*r.module->functions[0], *find_target("vulkan"), {.optimisation = level});
      CHECK(selectors(*make_spirv_form(*thread)) == 0);
    }
}

TEST_CASE("a module can be read beside its source") {
  auto module = compile_file(KC_SOURCE_DIR "/examples/mandelbrot/mandelbrot.cl");
  REQUIRE(module);
  auto prepared = make_spirv_form(*optimise(*module->functions[0], *find_target("vulkan")));
  auto text = disassemble_spirv(emit_spirv(*prepared, {.source_name = "mandelbrot.cl"}).words);
  if (text.status != SpirvToolsStatus::Ok) {
    WARN("skipped: " << text.text);
    return;
  }
  for (const char* line :
       {"OpSource OpenCL_C 120 %", "= OpString \"mandelbrot.cl\"", "OpName %limit \"limit\"",
        "OpName %global_id_x \"global_id_x\"", "OpLine %", " 13 23\n"}) {
    INFO(line);
    CHECK(text.text.find(line) != std::string::npos);
  }
}

// Every exit of a chain of conditions is a nesting level.
TEST_CASE("control flow that nests too deeply is refused, not written") {
  for (const auto& [length, fits] : {std::pair{300, true}, std::pair{1500, false}}) {
    std::string source = "kernel void k(global int* out, global const int* in) {\nint s = 0;\n";
    for (int i = 0; i < length; ++i)
      source += fmt::format("if (in[{}] == s) goto end;\ns += in[s & 63];\nout[s & 63] = s;\n", i);
    source += "end: out[0] = s;\n}\n";
    FrontendResult r = compile_source(source, {});
    REQUIRE(r.module);
    auto prepared = make_spirv_form(*optimise(*r.module->functions[0], *find_target("vulkan")));
    auto problems = check_spirv(*prepared);
    REQUIRE(problems.empty() == fits);
    if (fits)
      CHECK(emit_spirv(*prepared, {}).nesting > 200);
    else
      CHECK(problems[0].message.find("nests in more than 1000 levels") != std::string::npos);
  }
}
