// SPDX-License-Identifier: Apache-2.0
// Operators and built-in functions at the limits of their types: every engine against the interpreter, and
// against the machine's OpenCL implementation, if present. Only results that OpenCL specifies exactly are
// compared with the latter.
#include <fmt/format.h>

#include <catch2/catch.hpp>
#include <cstring>

#include "driver/compiler.h"
#include "tests/edges/rows.h"

using namespace kc;
using namespace kc::test;

namespace {

/// The arguments of each work-item: y and z iterate over all edge values while x stays constant for a while.
struct Items {
  std::vector<uint64_t> x, y, z;
};

Items items_of(const EdgeType& t) {
  Items items;
  size_t n = t.edges.size(), rounds = std::min<size_t>(n, 16);
  for (size_t r = 0; r < rounds; ++r)
    for (size_t i = 0; i < n; ++i) {
      items.x.push_back(t.edges[i]);
      items.y.push_back(t.edges[(i * (r + 1) + r) % n]);
      items.z.push_back(t.edges[(i + 3 * r + 1) % n]);
    }
  return items;
}

std::string source_of(const EdgeType& t, bool only_defined) {
  std::string s = fmt::format(
      "#pragma OPENCL EXTENSION cl_khr_fp64 : enable\n#pragma OPENCL FP_CONTRACT OFF\n"
      "kernel void k(global const {0}* xs, global const {0}* ys, global const {0}* zs, global ulong* out) "
      "{{\n"
      "  size_t i = get_global_id(0), n = get_global_size(0);\n  {0} x = xs[i], y = ys[i], z = zs[i];\n",
      t.name);
  for (size_t k = 0; k < t.rows.size(); ++k) {
    const Row& row = t.rows[k];
    if (only_defined && !row.is_defined) continue;
    const char* form = row.outcome == Outcome::Integer ? "  out[{} * n + i] = (ulong)({});\n"
                       : row.outcome == Outcome::Float
                           ? "  {{ float r = {1}; out[{0} * n + i] = isnan(r) ? 77 : as_uint(r); }}\n"
                           : "  {{ double r = {1}; out[{0} * n + i] = isnan(r) ? 77 : as_ulong(r); }}\n";
    s += fmt::format(fmt::runtime(form), k, row.expression);
  }
  return s + "}\n";
}

/// The kernel's output; the error is empty if the engine is absent or rejects the kernel.
std::expected<std::vector<uint64_t>, std::string> run(const EdgeType& t, const Items& items,
                                                      const std::string& name) {
  size_t count = items.x.size();
  std::string buffer = fmt::format("={}[{}]", t.element, count);
  CommandLine command = parse_command_line(
      {"run", "edges.cl", "-w", "--global", std::to_string(count), "--arg", "xs" + buffer, "--arg",
       "ys" + buffer, "--arg", "zs" + buffer, "--arg", fmt::format("out=u64[{}]", count * t.rows.size())});
  if (!command.options) return std::unexpected(command.text);
  std::string source = source_of(t, name == "opencl");
  FrontendResult compiled = compile_source(source, frontend_options(*command.options));
  if (!compiled.module) return std::unexpected(compiled.diagnostics);
  const Function& kernel = *compiled.module->functions[0];
  auto program = make_program(kernel, *command.options);
  auto spec = make_launch(kernel, *command.options);
  auto args = parse_arguments(kernel, command.options->args);
  if (!program || !spec || !args) return std::unexpected("no program, launch or arguments");
  program->text = source_text(source, *command.options);
  const std::vector<uint64_t>* values[] = {&items.x, &items.y, &items.z};
  for (size_t k = 0; k < 3; ++k)
    for (size_t i = 0; i < count; ++i)
      std::memcpy(args->buffers[k].bytes.data() + i * t.bytes, &(*values[k])[i], t.bytes);
  const EngineInfo* info = find_engine(name);
  auto engine = info->make({.width = info->width, .threads = 1, .assembly_text = true});
  EngineResult r = engine->prepare(*program, *spec);
  if (r.status == EngineStatus::Ok) r = engine->launch(*args);
  if (r.status == EngineStatus::Absent || r.status == EngineStatus::Unsupported) return std::unexpected("");
  if (r.status != EngineStatus::Ok) return std::unexpected(r.message);
  std::vector<uint64_t> out(count * t.rows.size());
  std::memcpy(out.data(), args->buffers[3].bytes.data(), out.size() * 8);
  return out;
}

void compare(const EdgeType& t, const std::string& name, const Items& items,
             const std::vector<uint64_t>& want) {
  auto got = run(t, items, name);
  INFO(t.name << " on " << name);
  if (!got && got.error().empty()) {
    WARN(name << " is absent or refuses " << t.name << ": not compared");
    return;
  }
  if (!got) FAIL(got.error());
  size_t count = items.x.size(), wrong = 0;
  for (size_t k = 0; k < t.rows.size(); ++k) {
    if (name == "opencl" && !t.rows[k].is_defined) continue;
    size_t i = 0;
    while (i < count && want[k * count + i] == (*got)[k * count + i]) ++i;
    if (i == count) continue;
    ++wrong;
    UNSCOPED_INFO(fmt::format("{}: x={:#x} y={:#x} z={:#x} gives {:#x}, in the interpreter {:#x}",
                              t.rows[k].expression, items.x[i], items.y[i], items.z[i], (*got)[k * count + i],
                              want[k * count + i]));
  }
  CHECK(wrong == 0);
}

void check(const std::vector<EdgeType>& types, const std::vector<std::string>& engines) {
  for (const EdgeType& t : types) {
    Items items = items_of(t);
    auto want = run(t, items, "interp");
    if (!want) FAIL(want.error());
    for (const std::string& name : engines) compare(t, name, items, *want);
  }
}

const std::vector<std::string> kOwn{"passes", "wave16", "avx2", "avx512", "gfx900"};

}  // namespace

TEST_CASE("integers at their edges, on all engines") { check(integer_edge_types(), kOwn); }
TEST_CASE("floats at their edges, on all engines") { check(float_edge_types(), kOwn); }
TEST_CASE("integers at their edges, as OpenCL has them") { check(integer_edge_types(), {"opencl"}); }
TEST_CASE("floats at their edges, as OpenCL has them") { check(float_edge_types(), {"opencl"}); }
