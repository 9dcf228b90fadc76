// SPDX-License-Identifier: Apache-2.0
// Lowering of vectors, and the scopes of their names.
#include "helpers.h"

TEST_CASE("operations on vectors need no memory, and fuse as those on numbers do") {
  std::string text = compile_to_text(
      "float4 twice(float4 v) { v.xy *= 2; v.zw = v.zw + v.zw; return v; }\n"
      "kernel void k(global float4* p, float s) {\n"
      "  int i = get_global_id(0);\n"
      "  float4 v = p[i];\n"
      "  p[i] = i > 3 ? twice(v) * s + v.wzyx : v;\n}\n");
  CHECK(count(text, " object ") == 0);
  CHECK(count(text, "ffma") == 4);
  CHECK(count(text, "= fmul") == 2);
  CHECK(count(text, "= load") == 4);
  CHECK(count(text, "store") == 4);
}

TEST_CASE("parameters in parts say where they lie") {
  std::string text = compile_to_text(
      "struct s { uchar a; double3 d; };\nkernel void k(ushort3 v, struct s t, global int* p) { p[0] = v.z + "
      "t.a; }");
  CHECK(has(text,
            "@k(%0: i16 v.0 of 8 unsigned, %1: i16 v.2 of 8 unsigned, %2: i16 v.4 of 8 unsigned, "
            "%3: i8 t.0 of 64 unsigned, %4: f64 t.32 of 64, %5: f64 t.40 of 64, %6: f64 t.48 of 64, "));
}

TEST_CASE("names of types and functions of vectors can be hidden") {
  compile_to_text(
      "typedef struct { float a; } float4;\n"
      "float dot(float4 x, float y) { return x.a * y; }\n"
      "kernel void k(global float* p) {\n"
      "  float4 f = {2};\n"
      "  int int4 = 3, event_t = 4, half = 5;\n"
      "  p[0] = dot(f, 3) + int4 * event_t + half;\n}\n");
}

TEST_CASE("wide vectors end at the limit of instructions") {
  std::string text = "kernel void k(global double16* p, double16 v) {\n";
  for (int i = 0; i < 4000; ++i)
    text += "  v = normalize(v.s0123).xyzwxyzwxyzwxyzw + fma(v, v, v) - nextafter(v, v);\n";
  kc::FrontendResult r = compile(text + "  p[0] = v;\n}\n");
  CHECK(r.errors == 1);
  CHECK(has(r.diagnostics, "more than 1000000 instructions"));
}
