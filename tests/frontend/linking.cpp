// SPDX-License-Identifier: Apache-2.0
// Several units as one program. What runs is tested through the OpenCL driver.
#include <algorithm>
#include <regex>

#include "tests/frontend/helpers.h"

namespace {

kc::FrontendResult linked(std::initializer_list<const char*> texts) {
  std::vector<kc::SourceUnit> units;
  for (const char* text : texts) units.push_back({text, {}});
  return kc::link_units(units);
}

// The functions of the linked module, as text; the units must link.
std::string linked_text(std::initializer_list<const char*> texts) {
  kc::FrontendResult r = linked(texts);
  INFO(r.diagnostics);
  REQUIRE(r.module);
  return kc::print(*r.module);
}

}  // namespace

TEST_CASE("a unit alone may call what it only declares") {
  const char* text = "int f(int); extern constant int c[]; kernel void k(global int* a) { a[0] = f(c[1]); }";
  CHECK(kc::check_unit(text, {}).errors == 0);
  CHECK(kc::compile_source(text, {}).errors == 2);
  CHECK(kc::check_unit("static int f(int); kernel void k(global int* a) { a[0] = f(1); }", {}).errors == 1);
  CHECK(kc::check_unit("constant int c;", {}).errors == 1);
}

TEST_CASE("constants may be declared before and after their definition") {
  CHECK(compile("extern constant int c; constant int c = 3; extern constant int c;"
                "kernel void k(global int* a) { a[0] = c; }")
            .errors == 0);
  CHECK(compile("extern constant int c; constant float c = 3;").errors == 1);
  CHECK(compile("extern constant int c; constant int c = 3; constant int c = 3;").errors == 1);
  CHECK(compile("extern constant int c;").errors == 1);
}

TEST_CASE("linked units give the code of one text") {
  const char* callee = "float f(float x) { return x * x; } constant float table[2] = {3, 4};";
  const char* caller = "kernel void k(global float* a, int i) { a[i] = f(a[i]) + table[i]; }";
  const char* declared = "float f(float); extern constant float table[2];";
  const std::string whole = std::string(callee) + caller, separate = std::string(declared) + caller;
  auto body = [](const std::string& text) {  // without positions
    return std::regex_replace(text.substr(text.find("{")), std::regex(" ![0-9:]+"), "");
  };
  CHECK(body(linked_text({separate.c_str(), callee})) == body(compile_to_text(whole)));
}

TEST_CASE("overloaded functions are chosen by their parameters, also across units") {
  const std::string text =
      linked_text({"__attribute__((overloadable)) int f(int); __attribute__((overloadable)) int f(float);"
                   "kernel void k(global int* a) { a[0] = f(1); a[1] = f(1.0f); }",
                   "__attribute__((overloadable)) int f(float x) { return 77; }"
                   "__attribute__((overloadable)) int f(int x) { return 55; }"});
  CHECK(text.find("55:i32") < text.find("77:i32"));
  CHECK(text.find("77:i32") != std::string::npos);
}

TEST_CASE("inline functions and statics of a header may be in every unit") {
  const char* unit =
      "inline int f(int x) { return x + 1; } static int g(int x) { return f(x); }"
      "kernel void %(global int* a) { a[0] = g(a[1]); }";
  std::string one = unit, two = unit;
  one.replace(one.find('%'), 1, "k1");
  two.replace(two.find('%'), 1, "k2");
  const std::string text = linked_text({one.c_str(), two.c_str()});
  CHECK(text.find("@k1") != std::string::npos);
  CHECK(text.find("@k2") != std::string::npos);
  CHECK(linked({one.c_str(), one.c_str()}).diagnostics.find("redefinition of 'k1'") != std::string::npos);
}

TEST_CASE("tables of pointers keep their targets in every unit") {
  const kc::FrontendResult r = linked(
      {"constant char a[] = \"a\"; constant char* constant first[] = {a, \"bb\"}; constant char* one(int i);"
       "kernel void k(global char* out, int i) { out[0] = first[i][0]; out[1] = one(i)[0]; }",
       "constant char* constant second[] = {\"ccc\", \"dddd\"}; constant char* one(int i) { return "
       "second[i]; }"});
  INFO(r.diagnostics);
  REQUIRE(r.module);
  const auto& objects = r.module->functions[0]->objects;
  auto has = [&](size_t bytes) {
    return std::ranges::any_of(objects, [&](const auto& o) { return o.size == bytes; });
  };
  for (size_t bytes : {2, 3, 4, 5}) CHECK(has(bytes));
}
