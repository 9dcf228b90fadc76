// SPDX-License-Identifier: Apache-2.0
// No input crashes the front end, and every rejected input is reported with a position.
#include <fmt/format.h>

#include <chrono>
#include <random>

#include "helpers.h"

namespace {

std::vector<std::string> seeds() {
  std::vector<std::string> list;
  for (const char* name : {"mandelbrot.cl", "scanner.cl", "exceptions.cl", "irreducible.cl", "words.cl",
                           "structs.cl", "vectors.cl"})
    list.push_back(read_kernel(name));
  return list;
}

void check_outcome(const std::string& text) {
  kc::FrontendResult r = kc::compile_source(text, {});
  bool has_position = has(r.diagnostics, "kernel.cl:") && has(r.diagnostics, ": error: ");
  if ((r.errors > 0) == (r.module == nullptr) && (r.errors == 0 || has_position) && r.errors <= 20) return;
  INFO(text);
  INFO(r.diagnostics);
  FAIL("neither accepted nor refused properly");
}

// Fragments that mutations insert: brackets, keywords, incomplete constructs.
constexpr const char* Pieces[] = {"(",
                                  ")",
                                  "{",
                                  "}",
                                  "[",
                                  "]",
                                  ";",
                                  ",",
                                  ":",
                                  "try {",
                                  "throw ",
                                  "catch (",
                                  "goto ",
                                  "kernel ",
                                  "global ",
                                  "int ",
                                  "float",
                                  "*",
                                  "++",
                                  "?",
                                  "switch (",
                                  "case 1:",
                                  "default:",
                                  "do ",
                                  "else ",
                                  "for (",
                                  "while (",
                                  "/*",
                                  "*/",
                                  "//",
                                  "\\\n",
                                  "\n#define x ",
                                  "\n#ifdef y\n",
                                  "\n#define f(x, y) x##y #x f(y, x)\n",
                                  "\n#define g(x, ...) f(x, ##__VA_ARGS__)\n",
                                  " f(",
                                  " g(x, f(1, ",
                                  " ## ",
                                  "\n#if f(1, 2) || defined x\n",
                                  "\n#elif 1\n",
                                  "\n#else\n",
                                  "\n#undef f\n",
                                  "\n#line 7\n",
                                  "\n#include <x>\n",
                                  "\n#pragma unroll\n",
                                  " _Pragma(\"OPENCL FP_CONTRACT OFF\") ",
                                  " __LINE__ ",
                                  "\n#endif\n",
                                  "'",
                                  "\"",
                                  "\xff",
                                  "...",
                                  "sizeof ",
                                  "typedef ",
                                  "struct s {",
                                  "union ",
                                  "enum {",
                                  "({",
                                  "[3] = ",
                                  "&",
                                  "local ",
                                  "0x",
                                  "1e",
                                  "return ",
                                  "break;",
                                  "continue;",
                                  "__attribute__((",
                                  "=",
                                  "==",
                                  "->",
                                  ".",
                                  "float4 ",
                                  "(int8)(",
                                  ".hi",
                                  ".s01",
                                  ".wzyx",
                                  " half ",
                                  " vload3(",
                                  " vstore_half2_rtz(",
                                  " convert_uchar4_sat(",
                                  " as_int3(",
                                  " shuffle2(",
                                  " min(",
                                  " sincos(",
                                  " vec_step(",
                                  " event_t ",
                                  " async_work_group_copy(",
                                  "const "};

std::string mutate(std::string text, std::mt19937& random) {
  auto below = [&](size_t n) { return static_cast<size_t>(random() % n); };
  for (size_t edits = 1 + below(4); edits > 0 && !text.empty(); --edits) {
    size_t at = below(text.size()), length = 1 + below(24);
    switch (below(6)) {
      case 0:
        text.erase(at, length);
        break;
      case 1:
        text.insert(at, Pieces[below(std::size(Pieces))]);
        break;
      case 2:
        text[at] = static_cast<char>(random());
        break;
      case 3:
        text.insert(below(text.size()), text.substr(at, length));
        break;
      case 4:
        text.replace(at, length, Pieces[below(std::size(Pieces))]);
        break;
      case 5:
        text.resize(at);
        break;
    }
  }
  return text;
}

}  // namespace

TEST_CASE("every truncation is handled") {
  for (const std::string& seed : seeds())
    for (size_t n = 0; n < seed.size(); n += 7) check_outcome(seed.substr(0, n));
}

TEST_CASE("thousands of mutations are handled") {
  std::vector<std::string> list = seeds();
  const char* wanted = std::getenv("KC_MUTATIONS");
  int rounds = wanted ? std::atoi(wanted) : 3000;
  const char* seed = std::getenv("KC_SEED");
  std::mt19937 random(seed ? static_cast<unsigned>(std::atoi(seed)) : 1u);
  for (int i = 0; i < rounds; ++i) check_outcome(mutate(list[static_cast<size_t>(i) % list.size()], random));
}

TEST_CASE("macros cannot blow up") {
  std::string text = "#define A0 x\n";
  for (int i = 1; i < 40; ++i) {
    std::string n = std::to_string(i), m = std::to_string(i - 1);
    text += "#define A" + n + " A" + m + " A" + m + "\n";
  }
  kc::FrontendResult r = compile(text + "kernel void k() { A39; }");
  CHECK(r.errors > 0);
  CHECK(has(r.diagnostics, "too many tokens"));
  // A macro is not expanded inside its own expansion.
  compile_to_text("kernel void k(global int* p, int n) {\n#define n (n + 1)\n#define m 2 * n\n p[0] = m; }");
}

TEST_CASE("chains of macros of any length are followed in time") {
  std::string text;
  constexpr int Length = 50'000;
  for (int i = 0; i < Length; ++i)
    text += "#define M" + std::to_string(i) + " M" + std::to_string(i + 1) + "\n";
  // Every statement of the innermost macro queries its source position.
  text += "#define M" + std::to_string(Length);
  for (int i = 0; i < 1000; ++i) text += " p[0] += 1;";
  text += "\nkernel void k(global int* p) {\n  M0\n  ;M0 x;\n}\n";
  kc::FrontendResult r = compile(text);
  CHECK(r.errors == 1);
  CHECK(has(r.diagnostics, "kernel.cl:50004:7: error: use of undeclared identifier 'x'"));
  std::string good = text.replace(text.rfind(" x;"), 3, "");
  CHECK(has(compile_to_text(good), "!50003:3"));
}

TEST_CASE("messages refer to what stands thousands of tokens before") {
  std::string text = "struct point { int x; };\n";
  for (int n = 0; n < 400; ++n) text += fmt::format("int f{}(int a) {{ return a + 1; }}\n", n);
  text += "kernel void k(global int* out) {\n";
  for (int n = 0; n < 1000; ++n) text += "  out[0] += 1;\n";
  text += "  point p;\n  out[1] = (2;\n";
  const kc::FrontendResult r = kc::compile_source(text, {});
  INFO(r.diagnostics);
  CHECK(r.errors == 3);
  CHECK(has(r.diagnostics, "kernel.cl:1403:3: error: the type 'point' is called 'struct point'"));
  CHECK(has(r.diagnostics, "kernel.cl:1404:14: error: expected ')'"));
  CHECK(has(r.diagnostics, "kernel.cl:402:32: note: to match this '{'"));
}

TEST_CASE("the limit of errors is reached inside a statement expression") {
  std::string text = "kernel void k() {";
  for (int i = 0; i < 20; ++i) text += " x" + std::to_string(i) + ";";
  kc::FrontendResult r = compile(text + " int z = ({ last; 1; }); }");
  CHECK(r.errors == 20);
  CHECK(has(r.diagnostics, "too many errors"));
}
