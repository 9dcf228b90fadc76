// SPDX-License-Identifier: Apache-2.0
// The IR generated for source constructs.
#include "helpers.h"

namespace {

std::string body(const std::string& statements, bool contract = true) {
  kc::FrontendOptions options;
  options.contract = contract;
  return compile_to_text(
      "kernel void k(global float* f, float a, float b, float c, float d, global int* p, int n) {" +
          statements + "}",
      options);
}

}  // namespace

TEST_CASE("contraction follows the written expression") {
  CHECK(count(body("f[0] = a * b + c;"), "ffma") == 1);
  CHECK(count(body("f[0] = a * b + c;"), "fmul") == 0);
  CHECK(count(body("f[0] = (a * b) + c;"), "ffma") == 1);
  CHECK(count(body("f[0] = a + b * c;"), "ffma") == 1);
  std::string both = body("f[0] = a * b + c * d;");  // the left product is fused, the right one is its addend
  CHECK(count(both, "ffma") == 1);
  CHECK(count(both, "fmul") == 1);
  std::string minus = body("f[0] = a * b - c;");
  CHECK(count(minus, "ffma") == 1);
  CHECK(count(minus, "fneg") == 1);
  CHECK(count(body("f[0] = c - a * b;"), "fsub") == 0);
  CHECK(count(body("float x = c; x += a * b; f[0] = x;"), "ffma") == 1);
  CHECK(count(body("f[0] = a * b + c * d + a;"), "ffma") == 1);
  CHECK(count(body("f[0] = (float)(a * b) + c;"), "ffma") == 0);
  CHECK(count(body("f[0] = fabs(a * b) + c;"), "ffma") == 0);
  CHECK(count(body("float x = a * b; f[0] = x + c;"), "ffma") == 0);
  CHECK(count(body("p[0] = n * n + n;"), "ffma") == 0);
  CHECK(count(body("f[0] = a * b + 1.0;"), "ffma") == 0);  // the conversion to double prevents fusion
  CHECK(count(body("f[0] = a * b + c - a * d;", false), "ffma") == 0);
}

TEST_CASE("short circuit is control flow") {
  std::string text = body("if (p[0] && (p[1] || !p[2])) p[3] = 1;");
  CHECK(count(text, "br_if") == 3);
  CHECK(count(text, " switch ") == 0);
}

TEST_CASE("integer operations choose signedness") {
  CHECK(has(body("p[0] = n / 3;"), "sdiv"));
  CHECK(has(body("p[0] = n / 3u;"), "udiv"));
  CHECK(has(body("p[0] = n >> 3;"), "ashr"));
  CHECK(has(body("p[0] = (uint)n >> 3;"), "lshr"));
  CHECK(has(body("p[0] = n < 3;"), "slt"));
  CHECK(has(body("p[0] = n < 3u;"), "ult"));
  CHECK(has(body("p[0] = (uchar)n < 3u;"), "zext"));
  CHECK(has(body("uchar u = n; u += 200; p[0] = u;"), "trunc"));
}

TEST_CASE("constants are folded as the program would compute them") {
  CHECK(has(body("p[0] = 7 / 0;"), "-1:i32"));
  CHECK(has(body("p[0] = 7 % 0;"), "7:i32"));
  CHECK(has(body("p[0] = 1 << 33;"), ", 2:i32"));
  CHECK(has(body("p[0] = 2147483647 + 1;"), "-2147483648:i32"));
}

TEST_CASE("a variable without a value reads 0, each time its declaration is passed") {
  std::string text = body("for (int i = 0; i < n; i++) { int x; p[i] = x; x = 3; }");
  CHECK(has(text, "var_set 0:i32, var=$x."));
}

TEST_CASE("a jump into the scope of a variable leaves it 0") {
  std::string text = body("goto in; { int x = 5; in: p[0] = x; }");
  CHECK(count(text, "var_set 0:i32, var=$x.") == 1);
  CHECK(has(body("switch (n) { int y = 4; case 1: p[0] = y; }"), "b1.enter"));
}

TEST_CASE("throws branch straight to the handler of their type") {
  std::string source = read_kernel("exceptions.cl");
  kc::FrontendResult r = compile(source);
  REQUIRE(r.module);
  std::string caught = kc::print(*r.module->find("caught"));
  CHECK(count(caught, "trap") == 0);
  CHECK(r.module->find("caught")->traps.empty());
  const kc::Function& uncaught = *r.module->find("uncaught");
  REQUIRE(uncaught.traps.size() == 2);
  CHECK(uncaught.traps[0].type == "int");
  CHECK(uncaught.traps[0].loc == kc::Loc{8, 16});
  CHECK(uncaught.traps[1].type == "float");
  const kc::Function& rethrown = *r.module->find("rethrown");
  REQUIRE(rethrown.traps.size() == 1);  // only the float leaves the kernel; it is reported at its throw
  CHECK(rethrown.traps[0].loc == kc::Loc{9, 19});
  CHECK(has(compile_to_text(read_kernel("words.cl")), " switch"));  // the type of the exception decides
}

TEST_CASE("helpers and small structs leave nothing behind") {
  const std::string text = compile_to_text(R"(
    struct vec { float x, y, z; };
    struct hit { struct vec at; float t; int what; };
    struct vec make(float x, float y, float z) { return (struct vec){x, y, z}; }
    struct vec add(struct vec a, struct vec b) { return make(a.x + b.x, a.y + b.y, a.z + b.z); }
    struct hit along(struct vec from, struct vec way, float t) { return (struct hit){add(from, way), t, 3}; }
    kernel void k(global float* f) { f[0] = along(make(f[1], f[2], 0), make(f[3], 1, 1), f[4]).at.x; }
  )");
  for (const char* left : {"object_address", "var_get", "br ", "call"}) {
    INFO(left);
    CHECK(!has(text, left));
  }
  CHECK(count(text, "fadd") == 3);
  CHECK(count(text, "load") == 4);
  // A parameter that is modified, or whose address is taken, is not the argument's value.
  const std::string changed = compile_to_text(R"(
    int twice(int x) { x += x; return x; }
    int through(int x) { int* p = &x; *p = 2; return x; }
    kernel void k(global int* p, int n) { p[0] = twice(n) + through(n) + n; }
  )");
  CHECK(has(changed, "var_set"));
  CHECK(has(changed, "object_address"));
}

TEST_CASE("unreachable code is dropped") {
  std::string text = body("return; p[0] = 12345; while (1) p[1] = 2;");
  CHECK_FALSE(has(text, "12345"));
  CHECK(count(text, "  br") == 0);
}

TEST_CASE("long chains are no problem, deep nesting is refused") {
  std::string sum = "n", logic = "n";
  for (int i = 0; i < 20000; ++i) sum += " + n", logic += i % 2 ? " && n" : " || n";
  CHECK(compile("kernel void k(global int* p, int n) { p[0] = " + sum + "; }").errors == 0);
  CHECK(compile("kernel void k(global int* p, int n) { p[0] = " + logic + "; }").errors == 0);
  std::string compares = "f";
  for (int i = 0; i < 5000; ++i) compares += " < f";
  CHECK(compile("kernel void k(global int* p, float f) { p[0] = " + compares + "; }").errors == 0);
  std::string nested = std::string(5000, '(') + "n" + std::string(5000, ')');
  kc::FrontendResult deep = compile("kernel void k(global int* p, int n) { p[0] = " + nested + "; }");
  CHECK(deep.errors == 1);
  CHECK(has(deep.diagnostics, "nested too deeply"));
  std::string fine = std::string(900, '(') + "n" + std::string(900, ')');
  CHECK(compile("kernel void k(global int* p, int n) { p[0] = " + fine + "; }").errors == 0);
  std::string signs(100000, '~');
  CHECK(compile("kernel void k(global int* p, int n) { p[0] = " + signs + "n; }").errors > 0);
  std::string blocks = std::string(50000, '{') + std::string(50000, '}');
  CHECK(compile("kernel void k(global int* p, int n) " + blocks).errors > 0);
}
