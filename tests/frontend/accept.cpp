// SPDX-License-Identifier: Apache-2.0
// Programs that the language accepts.
#include "helpers.h"

TEST_CASE("whole kernels compile to well-formed IR") {
  for (const char* name : {"mandelbrot.cl", "scanner.cl", "exceptions.cl", "irreducible.cl", "words.cl",
                           "structs.cl", "vectors.cl"}) {
    INFO(name);
    std::string text = compile_to_text(read_kernel(name));
    CHECK(has(text, "kernel {"));
  }
}

TEST_CASE("kernels are described for those who launch them") {
  kc::FrontendResult r = compile(read_kernel("mandelbrot.cl"));
  REQUIRE(r.module);
  REQUIRE(r.module->functions.size() == 2);
  const kc::Function& f = *r.module->functions[0];
  CHECK(f.name == "mandelbrot");
  REQUIRE(f.params.size() == 7);
  CHECK(f.params[0].name == "out");
  CHECK(f.params[0].pointee == kc::Elem::I32);
  CHECK(f.params[0].is_restrict);
  CHECK_FALSE(f.params[0].is_const);
  const kc::Function& g = *r.module->find("mandelbrot_2d");
  CHECK(g.reqd_local == std::array<uint32_t, 3>{8, 8, 1});
  kc::FrontendResult s = compile(read_kernel("scanner.cl"));
  REQUIRE(s.module);
  CHECK(s.module->functions[0]->params[0].is_const);
  CHECK(s.module->functions[0]->params[0].is_unsigned);
  CHECK(s.module->functions[0]->params[0].pointee == kc::Elem::I8);
}

TEST_CASE("spellings of types") {
  compile_to_text(R"(
    typedef unsigned int word; typedef global const float* floats;
    kernel void k(__global const unsigned char* restrict a, const __global short* b, global volatile long* const c,
                  __constant double* d, float const global* e, word w, unsigned long int u, size_t s, signed char sc,
                  unsigned un, short int si, uchar uc, ushort us, global bool* flags, floats fs) {
      const long x = sizeof(int) + sizeof(w) + sizeof a[0];
      word word = 3; /* hides the type */
      { typedef char word; word y = 1; c[0] = y; }
      c[1] = word * x + (bool)u + fs[1] + d[0];
      flags[0] = word > 2 && flags[1];
    })");
}

TEST_CASE("expressions of C") {
  compile_to_text(R"(
    kernel void k(global int* p, global float* f, global double* d, int n) {
      global int* q = p + n; global int* end = &p[10];
      int a = n++ + --n - ~n + !n, b = (a, n) ? a << 3 : a >> n, c;
      a = b = c = 4; a += 2.5f; a <<= 33; a %= b; a &= 3, b |= 1; b ^= a; q += 2; q -= n; ++q; q--;
      c = q - p; c += q < end; c += q == 0 || !q; *q = *p++ + -*q + 2[p];
      f[0] = (float)a * 1.5e3f + 0x1p-2f + .5f + 1.f; d[0] = 1.0 + 2e-3 + f[1];
      p[1] = n > 0 ? n : f[0] > 1 ? 2u : 'a' + '\n' + '\x41' + '\101' + '\\';
      p[2] = 0x7fffffff + 017 + 5000000000L + 3ul;
      (void)p[3]; p[4] = as_int(f[0]) + convert_int(d[0]) + (int)as_float(n) + as_uint(1.0f);
      p[5] = min(a, b) + max(1u, 2u) + abs(n) + clamp(n, 0, 9) + (int)get_global_size(n) + get_work_dim();
      f[2] = fabs(f[0]) + fmin(f[0], 1) + fmax(f[1], f[2]) + sqrt(f[3]) + floor(f[4]) + ceil(f[5]) + trunc(f[6]) +
             rint(f[7]) + fma(f[0], f[1], f[2]) + mad(f[0], f[1], f[2]);
    })");
}

TEST_CASE("statements in every order") {
  compile_to_text(R"(
    int helper(int x) { if (x > 3) return 1; else if (x > 2) goto end; while (1) { if (x++) break; else continue; }
      do x--; while (x > 0); end: ; }
    kernel void k(global int* p) {
      for (;;) { for (int i = 0, j = 1; i < j; i++, j--) continue; break; }
      switch (p[0]) { case -1: { case 'a': p[1] = 2; } default: for (;;) { case 9: break; } break; case 1 + 2 * 3: ; }
      switch (p[0]) p[1] = 3;
      switch (p[0]) { }
      if (p[2]) l1: l2: p[2] = 0; else l3: ;
      int x = helper(p[3]); goto l2; dead: p[9] = 3; x = 4;
      return; ;
    })");
}

TEST_CASE("try, throw and catch are words only where they mean something") {
  compile_to_text(
      "kernel void k(global int* p) { int try = 1; int throw = try; throw = 2; int catch = 3; p[0] = catch; "
      "}");
  CHECK(compile("kernel void k(global int* p) { throw = 2; }").errors > 0);
}

TEST_CASE("conditional compilation and -D") {
  std::string source = R"(
    #ifdef WIDE
    typedef long number;
    #else
    typedef int number;
    #endif
    #ifndef VALUE
    #define VALUE 1
    #endif
    #if\
def __kernelc__
    kernel void k(global number* p) { p[0] = VALUE; }  // a comment \
       p[1] = 4;
    #endif
  )";
  CHECK(has(compile_to_text(source), "store %1, 1:i32"));
  kc::FrontendOptions options;
  options.defines = {"WIDE", "VALUE=(3 + 4)"};
  CHECK(has(compile_to_text(source, options), "store %1, 7:i64"));
  options.undefines = {"WIDE"};
  CHECK(has(compile_to_text(source, options), "store %1, 7:i32"));
}

TEST_CASE("#if and #elif") {
  auto taken = [](const std::string& condition) {
    return has(compile_to_text("#define TWO (1 + 1)\n#define EMPTY\n#if " + condition +
                               "\nkernel void yes() {}\n#elif 0\n@\n#elif 1\nkernel void no() {}\n#else\n#if "
                               "1/0\n#endif\n#endif"),
               "@yes");
  };
  CHECK(taken("1"));
  CHECK(taken("TWO == 2 && defined(TWO) && defined EMPTY && !defined OTHER"));
  CHECK(taken("OTHER == 0 || 1 / 0"));
  CHECK(taken("(TWO + 3 * 2 - 1) % 4 == 3 ? 0x10 >> 2 == 4 : 0"));
  CHECK(taken("-1 > 0u && -1 < 0 && ~0 == -1"));
  CHECK(taken("__OPENCL_VERSION__ >= 120 EMPTY"));
  CHECK_FALSE(taken("OTHER"));
  CHECK_FALSE(taken("TWO - 2"));
  for (const char* bad :
       {"", "1 +", "(1", "1 / 0", "1.5", "defined", "defined(", "defined(X", "1 2", "1 ? 2", "@"}) {
    INFO(bad);
    CHECK(compile(std::string("#if ") + bad + "\n#endif\n").errors > 0);
  }
}

TEST_CASE("positions survive line splicing and macros") {
  kc::FrontendResult r = compile("#define A wrong\nkernel void k(global int* p) {\n  p[0] = \\\n   A;\n}");
  CHECK(has(r.diagnostics, "kernel.cl:4:4: error: use of undeclared identifier 'wrong'"));
}

TEST_CASE("dumps") {
  std::string source = "kernel void k(global int* p) { p[0] = 1 + p[1]; }";
  CHECK(has(kc::dump_tokens(source, {}), "1:32 p\n1:33 [\n"));
  CHECK(has(kc::dump_ast(source, {}), "assign =: int"));
  std::string tree = kc::dump_ast(R"(struct node { int v; struct node* next; }; constant int t[2] = {1, 2};
    kernel void k(global int* p) { struct node a = { .next = &a, .v = 3 }, b = (struct node){ t[1] }; local int l[4];
    switch (a.next->v) { case 1 ... 4: p[0] = ({ int x = b.v; x; }); } })",
                                  {});
  for (const char* line :
       {"constant variable t: int[2]", "at 8: private struct node *", "local variable l: int[4]",
        "literal: struct node", "member ->v: int", "case 1 ... 4", "statements: int"}) {
    INFO(line);
    CHECK(has(tree, line));
  }
}
