// SPDX-License-Identifier: Apache-2.0
// The same kernels on kernelc's engines and on another OpenCL implementation: buffers and printed text are
// compared with the thread interpreter's. Missing implementations are reported.
#include <fmt/format.h>

#include <catch2/catch.hpp>
#include <sstream>

#include "driver/compare.h"
#include "driver/compiler.h"
#include "driver/engines/engines.h"
#include "tests/opencl/cases.h"

using namespace kc;
using namespace kc::test;

namespace {

struct Answer {
  KernelArguments args;
  EngineResult result;
};

Answer run(const OpenclCase& c, std::string_view engine_name) {
  std::vector<std::string> line{"run", "case.cl", "-w", "-ffp-contract=off"};
  line.insert(line.end(), c.launch.begin(), c.launch.end());
  CommandLine command = parse_command_line(std::move(line));
  if (!command.options) FAIL(command.text);
  FrontendResult compiled = compile_source(c.source, frontend_options(*command.options));
  if (!compiled.module) FAIL(compiled.diagnostics);
  const Function& kernel = *compiled.module->functions.at(0);
  auto program = make_program(kernel, *command.options);
  auto spec = make_launch(kernel, *command.options);
  auto args = parse_arguments(kernel, command.options->args);
  if (!program) FAIL(program.error().message);
  if (!spec) FAIL(spec.error().message);
  if (!args) FAIL(args.error().message);
  program->text = source_text(c.source, *command.options);
  args->printf_bytes = command.options->printf_bytes;
  auto engine = find_engine(engine_name)->make({.width = 16, .threads = 1, .assembly_text = true});
  Answer a{std::move(*args), engine->prepare(*program, *spec)};
  if (a.result.status == EngineStatus::Ok) a.result = engine->launch(a.args);
  return a;
}

/// The first few lines that differ.
std::string different_lines(const std::string& want, const std::string& got) {
  std::istringstream a(want), b(got);
  std::string all, x, y;
  for (int shown = 0; shown < 30;) {
    const bool more_x = static_cast<bool>(std::getline(a, x)), more_y = static_cast<bool>(std::getline(b, y));
    if (!more_x && !more_y) break;
    if (more_x == more_y && x == y) continue;
    all += fmt::format("'{}' and not '{}'\n", more_y ? y : "the end", more_x ? x : "the end");
    ++shown;
  }
  return all;
}

void compare(const std::vector<OpenclCase>& cases) {
  for (const OpenclCase& c : cases) {
    INFO(c.name << "\n" << c.source);
    Answer want = run(c, "interp");
    INFO(want.result.message);
    REQUIRE(want.result.status == EngineStatus::Ok);
    for (std::string_view name : {"passes", "wave16", "avx2", "gfx900", "opencl"}) {
      if (name == "opencl" && c.ours_alone) continue;
      Answer got = run(c, name);
      INFO(name << ": " << got.result.message);
      if (got.result.status == EngineStatus::Absent) {
        WARN("not compared: " << name << ": " << got.result.message);
        continue;
      }
      CHECK(got.result.status == EngineStatus::Ok);
      CHECK(compare_buffers(want.args, got.args, 0).first == "");
      CHECK(different_lines(want.result.printed.text, got.result.printed.text) == "");
    }
  }
}

}  // namespace

TEST_CASE("vectors of all widths, as OpenCL has them") { compare(vector_cases()); }
TEST_CASE("atomics and copies of work-groups, as OpenCL has them") { compare(memory_cases()); }
TEST_CASE("structures, pointers, tables and jumps, as OpenCL has them") { compare(language_cases()); }
TEST_CASE("printf, as OpenCL has it") { compare(printf_cases()); }
