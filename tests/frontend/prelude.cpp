// SPDX-License-Identifier: Apache-2.0
// Built-in functions written in the kernel language: the parts visible to users, and the parts that must stay
// hidden.
#include <regex>

#include "ir/remarks.h"
#include "running.h"

namespace {

std::string kernel(const std::string& body, const std::string& before = "") {
  return before + "kernel void k(global float* p) {\n    size_t i = get_global_id(0);\n    " + body + "\n}\n";
}

// The largest source line of any instruction.
int last_line(const std::string& ir) {
  static const std::regex place(R"(!(\d+):\d+)");
  int last = 0;
  for (std::sregex_iterator m(ir.begin(), ir.end(), place), end; m != end; ++m)
    last = std::max(last, std::stoi((*m)[1]));
  return last;
}

}  // namespace

TEST_CASE("a function of the user hides the built-in one") {
  std::vector<float> p{3};
  auto r = run(kernel("p[i] = exp(p[i]);", "float exp(float x) { return x + 40; }\n"), "k", {1, 1, 1},
               {address(p)}, {range(p)});
  CHECK(r.ok());
  CHECK(p[0] == 43);
}

TEST_CASE("the user's names mean nothing in the prelude") {
  std::vector<float> p{0};
  std::string hostile =
      "#define fma(a, b, c) 7\n#define x y\n"
      "int scaled_f32(int y) { return y; }\ntypedef int exp_poly_f32;\n"
      "constant int exp_f32 = 1;\n";
  auto r = run(kernel("p[i] = exp(p[i]) + log(1.0f);", hostile), "k", {1, 1, 1}, {address(p)}, {range(p)});
  CHECK(r.ok());
  CHECK(p[0] == 1);
}

TEST_CASE("instructions of the prelude stand at the call") {
  for (int budget : {0, 4000}) {
    kc::FrontendOptions options;
    options.inline_budget = static_cast<uint64_t>(budget);
    std::string ir = compile_to_text(kernel("p[i] = sin(p[i]) + pow(p[i], 2.0f) + sin(p[i + 1]);"), options);
    CHECK(last_line(ir) == 4);
    CHECK(has(ir, "!3:12"));
  }
}

TEST_CASE("remarks name the call, not what the prelude calls") {
  kc::Remarks remarks([](std::string_view) { return true; });
  kc::FrontendOptions options;
  options.remarks = &remarks;
  REQUIRE(compile(kernel("p[i] = exp(p[i]);"), options).module);
  REQUIRE(remarks.sorted().size() == 1);
  CHECK(remarks.sorted()[0].text == "'exp' is inlined");
  CHECK(remarks.sorted()[0].loc.line == 3);
}

TEST_CASE("what is printed of a source is the source") {
  std::string source = kernel("p[i] = exp(p[i]);");
  CHECK_FALSE(has(kc::dump_ast(source, {}), "scaled"));
  CHECK_FALSE(has(kc::dump_tokens(source, {}), "fma"));
  CHECK_FALSE(has(kc::preprocess_source(source, {}).text, "fma"));
}

TEST_CASE("wrong calls are reported in the user's source alone") {
  auto errors = [](const std::string& body) { return compile(kernel(body)).diagnostics; };
  CHECK(has(errors("p[i] = exp(p);"), "no form of the built-in function 'exp' takes"));
  CHECK(has(errors("p[i] = pow(p[i]);"), "too few arguments"));
  CHECK(has(errors("p[i] = pown(p[i], p);"), "no form of the built-in function 'pown' takes"));
  CHECK(errors("p[i] = pown(p[i], 2.0f);").empty());
  CHECK(has(errors("p[i] = sincos(p[i], 1);"), "no form of the built-in function 'sincos' takes"));
  CHECK(has(errors("exp(p[i]);"), "is not used"));
  CHECK_FALSE(has(errors("p[i] = exq(p[i]);"), "prelude"));
  CHECK(errors("sincos(p[i], p + 1);").empty());
}

TEST_CASE("contraction in the prelude is its own affair") {
  std::string source = kernel("p[i] = asinh(p[i]);");
  kc::FrontendOptions on, off;
  off.contract = false;
  CHECK(compile_to_text(source, on) == compile_to_text(source, off));
}

TEST_CASE("many calls share one copy") {
  std::string calls;
  for (int n = 0; n < 100; ++n) calls += "p[i] += pow(p[i], p[i + 1] + " + std::to_string(n) + ");\n";
  kc::FrontendResult r = compile(kernel(calls));
  REQUIRE(r.module);
  CHECK(r.module->functions[0]->inst_count() < 8'000);
}
