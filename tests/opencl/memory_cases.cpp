// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include "tests/opencl/cases.h"

namespace kc::test {
namespace {

constexpr const char* kPragmas =
    "#pragma OPENCL EXTENSION cl_khr_int64_base_atomics : enable\n"
    "#pragma OPENCL EXTENSION cl_khr_int64_extended_atomics : enable\n"
    "#pragma OPENCL EXTENSION cl_khr_fp64 : enable\n";

struct Atomic {
  const char* name;
  const char* operands;  // after the pointer
  const char* old;       // the order-independent part of the old value, in `old`
};
// Each on a cell of its own. Old values of sums are a permutation, so their sum is known, too.
constexpr Atomic kAtomics[] = {
    {"add", ", 1", "old"},
    {"add", ", in[i]", "0"},
    {"sub", ", in[i]", "0"},
    {"sub", ", 3", "old"},
    {"inc", "", "old"},
    {"dec", "", "old"},
    {"min", ", in[i]", "0"},
    {"max", ", in[i]", "0"},
    {"and", ", in[i]", "0"},
    {"or", ", in[i]", "0"},
    {"xor", ", in[i]", "0"},
    {"xchg", ", 5", "old != 5"},
    {"cmpxchg", ", cells[c], 77", "0"},
    {"cmpxchg", ", 1234567, 7", "old"},
};

// On cells in global or local memory; `prefix` is that of 32 or of 64 bits, or the older spelling.
OpenclCase atomics(const std::string& type, const std::string& buffer, const std::string& space,
                   const std::string& prefix) {
  std::string body;
  size_t cell = 0;
  for (const Atomic& a : kAtomics) {
    body += fmt::format("  {{ const int c = {}; {} old = {}{}(&cells[c]{});\n    {}add(&sums[c], {}); }}\n",
                        cell, type, prefix, a.name, a.operands, prefix, a.old);
    ++cell;
  }
  const bool local = space == "local";
  std::string source = fmt::format(
      "{0}kernel void k(global const {1}* in, global {1}* out, global {1}* sums) {{\n"
      "  size_t i = get_global_id(0);\n",
      kPragmas, type);
  if (local)
    source += fmt::format(
        "  local {0} cells[{1}];\n  if (i < {1}) cells[i] = out[i];\n  barrier(CLK_LOCAL_MEM_FENCE);\n", type,
        cell);
  else
    source += fmt::format("  global {}* cells = out;\n", type);
  source += body;
  if (local)
    source += fmt::format("  barrier(CLK_LOCAL_MEM_FENCE);\n  if (i < {0}) out[i] = cells[i];\n", cell);
  return {
      fmt::format("{}* on {} {}", prefix, space, type),
      source + "}\n",
      {"--global", "32", "--local", "32", "--arg", fmt::format("in={}[32]:rand(3)", buffer), "--arg",
       fmt::format("out={}[{}]:rand(9)", buffer, cell), "--arg", fmt::format("sums={}[{}]", buffer, cell)}};
}

// A unique slot for each work-item, from the result of an atomic addition.
OpenclCase places() {
  return {"places by atomic_inc",
          "kernel void k(global int* next, global int* taken, global float* last) {\n"
          "  taken[atomic_inc(next)] = 1;\n  taken[32 + atomic_add(next + 1, 2)] += 3;\n"
          "  taken[128 + atomic_sub(next + 2, 1)] = 5;\n  atomic_xchg(last, 2.5f);\n}\n",
          {"--global", "32", "--arg", "next=i32[3]", "--arg", "taken=i32[129]", "--arg", "last=f32[1]"}};
}

// To local memory and back, in vectors of all widths, with a stride and without.
OpenclCase copies(const std::string& element, const std::string& buffer) {
  std::string body;
  size_t at = 0;
  for (const char* width : {"", "2", "4", "8", "16"}) {
    const std::string type = element + width;
    const size_t lanes = *width ? std::stoul(width) : 1;
    body += fmt::format(
        "  local {0} a{3}[40], b{3}[40]; event_t e{3}, f{3}[2];\n"
        "  for (int j = l; j < 40; j += n) a{3}[j] = b{3}[j] = ({0})(({1})0);\n  "
        "barrier(CLK_LOCAL_MEM_FENCE);\n"
        "  e{3} = async_work_group_copy(a{3}, (global const {0}*)in + g, 37, 0);\n"
        "  e{3} = async_work_group_strided_copy(b{3}, (global const {0}*)in, 13, 3, e{3});\n"
        "  wait_group_events(1, &e{3});\n"
        "  for (int j = l; j < 40; j += n) a{3}[j] += b{3}[39 - j];\n  barrier(CLK_LOCAL_MEM_FENCE);\n"
        "  f{3}[0] = async_work_group_copy((global {0}*)(out + {2}) + g * 128, a{3}, 40, 0);\n"
        "  f{3}[1] = async_work_group_strided_copy((global {0}*)(out + {2}) + g * 128 + 40, b{3}, 22, 4, "
        "0);\n"
        "  wait_group_events(2, f{3});\n",
        type, element, at, lanes);
    at += 2 * 128 * lanes;
  }
  return {"copies of " + element,
          fmt::format("{0}kernel void k(global const {1}* in, global {1}* out) {{\n"
                      "  int l = get_local_id(0), n = get_local_size(0), g = get_group_id(0);\n"
                      "  prefetch(in + l, 4);\n{2}}}\n",
                      kPragmas, element, body),
          {"--global", "14", "--local", "7", "--arg",
           fmt::format("in={}[640]:{}", buffer, buffer[0] == 'f' ? "rand(3,-30,30)" : "rand(3)"), "--arg",
           fmt::format("out={}[{}]", buffer, at)}};
}

}  // namespace

std::vector<OpenclCase> memory_cases() {
  std::vector<OpenclCase> cases{places()};
  for (const char* space : {"global", "local"}) {
    cases.push_back(atomics("int", "i32", space, "atomic_"));
    cases.push_back(atomics("uint", "u32", space, "atom_"));
    cases.push_back(atomics("uint", "u32", space, "atomic_"));
    cases.push_back(atomics("long", "i64", space, "atom_"));
    cases.push_back(atomics("ulong", "u64", space, "atom_"));
  }
  const std::pair<const char*, const char*> elements[] = {{"char", "i8"},   {"ushort", "u16"},
                                                          {"int", "i32"},   {"long", "i64"},
                                                          {"float", "f32"}, {"double", "f64"}};
  for (const auto& [element, buffer] : elements) cases.push_back(copies(element, buffer));
  return cases;
}

}  // namespace kc::test
