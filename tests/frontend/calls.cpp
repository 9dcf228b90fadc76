// SPDX-License-Identifier: Apache-2.0
// Inlining decisions, and the cost of shared regions.
#include <fmt/format.h>

#include "helpers.h"

namespace {

// Levels of functions, each calling the next one twice.
std::string chain(int levels, const std::string& body) {
  std::string text = "int f0(int x) { return x * 3 + 1; }\n";
  for (int i = 1; i <= levels; ++i)
    text += fmt::format("int f{}(int x) {{ {} }}\n", i, fmt::format(fmt::runtime(body), i - 1));
  return text + fmt::format("kernel void k(global int* out) {{ out[0] = f{}(out[0]); }}\n", levels);
}

struct Size {
  size_t instructions = 0, variables = 0;
};
Size size_of(const std::string& text, uint64_t budget = kc::FrontendOptions().inline_budget) {
  kc::FrontendOptions options;
  options.inline_budget = budget;
  kc::FrontendResult result = compile(text, options);
  INFO(result.diagnostics);
  REQUIRE(result.module);
  const kc::Function& f = *result.module->functions.back();
  REQUIRE(kc::verify(f).empty());
  Size size;
  for (kc::BlockId b : f.layout) size.instructions += f.block(b).insts.size();
  size.variables = f.vars.size();
  return size;
}

std::string text_of(const std::string& source, uint64_t budget = kc::FrontendOptions().inline_budget) {
  kc::FrontendOptions options;
  options.inline_budget = budget;
  return compile_to_text(source, options);
}

}  // namespace

TEST_CASE("code of nested calls grows with the program, not with the calls") {
  for (std::string body :
       {"return f{0}(f{0}(x) + x);", "int a; if (x & 1) a = f{0}(x); else a = -f{0}(x + 1); return a * x;"}) {
    INFO(body);
    size_t at_15 = size_of(chain(15, body)).instructions, at_30 = size_of(chain(30, body)).instructions,
           at_60 = size_of(chain(60, body)).instructions;
    CHECK(at_30 < 2500);
    CHECK(at_30 < 3 * at_15);
    CHECK(at_60 < 3 * at_30);
  }
}

TEST_CASE("small programs are inlined, larger ones within the budget") {
  CHECK(!has(text_of(chain(4, "return f{0}(f{0}(x) + x);")), "call"));
  CHECK(has(text_of(chain(4, "return f{0}(f{0}(x) + x);"), 0), ".call"));
  CHECK(has(text_of(chain(12, "return f{0}(f{0}(x) + x);")), ".call"));
  CHECK(!has(text_of(chain(12, "return f{0}(f{0}(x) + x);"), 1'000'000), ".call"));
  // Inlining functions with one call each costs nothing, whatever their size.
  CHECK(!has(text_of(chain(200, "x += 1; x *= 3; x ^= 5; return f{0}(x);")), ".call"));
}

TEST_CASE("more is copied of functions with private pointers, and of those without loops") {
  // A function of more than 40 nodes, with calls that pass addresses of variables, or values.
  auto program = [](bool pointers, int calls, const std::string& declared) {
    std::string text = fmt::format("int f(int{} p, int x) {{ {} int a = {}p ^ x;", pointers ? "*" : "",
                                   declared, pointers ? "*" : "");
    for (int i = 0; i < 8; ++i) text += fmt::format("a = (a >> {}) * x + a;", i + 1);
    text += fmt::format("{} = a; return a; }} kernel void k(global int* out) {{ int x = out[0], y = out[1];",
                        pointers ? "*p" : "x");
    for (int i = 0; i < calls; ++i)
      text += fmt::format("out[{}] = f({}{}, {});", i, pointers ? "&" : "", i % 2 ? "x" : "y", i);
    return text_of(text + "}");
  };
  CHECK(!has(program(false, 10, ""), ".call"));
  const std::string loop = "for (int i = 0; i < x; i++) x -= i;";
  CHECK(has(program(false, 100, loop), ".call"));
  CHECK(!has(program(false, 100, ""), ".call"));
  CHECK(has(program(false, 2000, ""), ".call"));
  CHECK(!has(program(true, 100, loop), ".call"));
  CHECK(has(program(true, 2000, loop), ".call"));
  CHECK(has(program(true, 100, "int t[1000]; for (int i = 0; i < 1000; i++) t[i] = x; x += t[p[0] & 7];"),
            ".call"));
}

TEST_CASE("attributes decide before the budget") {
  std::string f = "int f(int x) { return x; } kernel void k(global int* p) { p[0] = f(1) + f(2); }";
  CHECK(!has(text_of(f), ".call"));
  CHECK(!has(text_of("__attribute__((noinline)) " + f), ".call"));
  CHECK(count(text_of("__attribute__((shared_region)) " + f), ".call") == 3);  // two jumps and the block
  CHECK(!has(text_of("__attribute__((always_inline)) " + f, 0), ".call"));
}

TEST_CASE("a region begins and ends between barriers") {
  std::string text = text_of(
      "__attribute__((shared_region)) int f(int x) { return x * 2; }"
      "int g(int x) { return f(x) + f(x + 1); }"
      "kernel void k(global int* p) { p[0] = g(1); barrier(1); p[0] += g(2); }");
  CHECK(count(text, "= mul") == 2);
}

TEST_CASE("values carried through calls share variables") {
  std::string kernel =
      "__attribute__((shared_region)) int f(int x) { return x; }\n"
      "kernel void k(global int* out) { int a = out[0];\n";
  for (int i = 0; i < 100; ++i)
    kernel += fmt::format("int v{0} = f(a); out[{0}] = v{0} + f(v{0} + {0}) * v{0}; a += v{0};\n", i);
  CHECK(size_of(kernel + "}").variables < 12);
}
