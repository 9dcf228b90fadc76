// SPDX-License-Identifier: Apache-2.0
// Vectors, structures and small arrays have no cost: kernels that use them have no more instructions, as
// waves and on every machine, than the same kernels written with scalars.
#include <catch2/catch.hpp>
#include <string>

#include "backends/gcn/gcn.h"
#include "backends/x64/x64.h"
#include "frontend/frontend.h"
#include "host/cpu_code.h"
#include "host/gcn_code.h"

using namespace kc;

namespace {

struct Twins {
  const char* name;
  const char* composed;
  const char* numbers;
};

constexpr Twins kTwins[] = {
    {"vectors in registers",
     R"(kernel void k(global const float* a, global float* out, int n) {
    int i = get_global_id(0);
    float4 v = (float4)(a[i], a[i + n], 2.0f, n), sum = 0;
    for (int j = 0; j < n; j++) {
        sum += v * v;
        v.xy = v.yx + (float2)(1.0f, sum.w);
    }
    out[i] = sum.x + sum.y * sum.z;
})",
     R"(kernel void k(global const float* a, global float* out, int n) {
    int i = get_global_id(0);
    float x = a[i], y = a[i + n], z = 2.0f, w = n, sx = 0, sy = 0, sz = 0, sw = 0;
    for (int j = 0; j < n; j++) {
        sx += x * x, sy += y * y, sz += z * z, sw += w * w;
        float old = x;
        x = y + 1.0f, y = old + sw;
    }
    out[i] = sx + sy * sz;
})"},
    {"vectors in memory",
     R"(kernel void k(global const float4* in, global float4* out, float a) {
    int i = get_global_id(0);
    out[i] = in[i] * a + out[i];
})",
     R"(kernel void k(global const float* in, global float* out, float a) {
    int i = get_global_id(0);
    float x = in[4 * i] * a + out[4 * i], y = in[4 * i + 1] * a + out[4 * i + 1];
    float z = in[4 * i + 2] * a + out[4 * i + 2], w = in[4 * i + 3] * a + out[4 * i + 3];
    out[4 * i] = x, out[4 * i + 1] = y, out[4 * i + 2] = z, out[4 * i + 3] = w;
})"},
    {"structures that functions take and give",
     R"(struct cplx { float re, im; };
struct cplx times(struct cplx a, struct cplx b) {
    struct cplx r = {a.re * b.re - a.im * b.im, a.re * b.im + a.im * b.re};
    return r;
}
kernel void k(global float* x, global float* y, int n) {
    int i = get_global_id(0);
    struct cplx z = {x[i], y[i]}, c = z;
    for (int j = 0; j < n; j++) {
        z = times(z, c);
        if (z.re > 4.0f) z.re = c.im;
    }
    x[i] = z.re;
    y[i] = z.im;
})",
     R"(kernel void k(global float* x, global float* y, int n) {
    int i = get_global_id(0);
    float re = x[i], im = y[i], cre = re, cim = im;
    for (int j = 0; j < n; j++) {
        float r = re * cre - im * cim, m = re * cim + im * cre;
        re = r, im = m;
        if (re > 4.0f) re = cim;
    }
    x[i] = re;
    y[i] = im;
})"},
    {"a structure with an array, through pointers",
     R"(struct state { int at[3]; int2 last; };
void step(struct state* s, int x) {
    s->last = (int2)(x, s->at[0]);
    for (int k = 0; k < 2; k++) s->at[k] = s->at[k + 1] ^ x;
    s->at[2] += s->last.y;
}
kernel void k(global const int* in, global int* out, int n) {
    int i = get_global_id(0);
    struct state s = {{1, 2, 3}, {0, 0}};
    for (int j = 0; j < n; j++) step(&s, in[j]);
    out[i] = s.at[0] + s.at[1] + s.at[2] + s.last.x + i;
})",
     R"(kernel void k(global const int* in, global int* out, int n) {
    int i = get_global_id(0), a = 1, b = 2, c = 3, last = 0;
    for (int j = 0; j < n; j++) {
        int x = in[j], first = a;
        last = x;
        a = b ^ x, b = c ^ x, c += first;
    }
    out[i] = a + b + c + last + i;
})"},
};

struct Costs {
  size_t wave = 0, avx2 = 0, avx512 = 0, gfx900 = 0;
};

size_t size_of(const Function& f) {
  size_t n = 0;
  for (BlockId b : f.layout) n += f.block(b).insts.size();
  return n;
}

size_t on_cpu(const Function& thread, std::string_view name) {
  const TargetDesc& target = *find_target(name);
  AnalysisCache analyses(thread);
  const auto wave = make_wave(thread, target, {.width = cpu_width(thread, target, analyses)});
  auto code = compile_x64(*wave, {.avx512 = target.avx512()});
  REQUIRE(code);
  return size_of(code->allocated);
}

Costs costs_of(const char* source) {
  FrontendResult compiled = compile_source(source, {});
  INFO(compiled.diagnostics);
  REQUIRE(compiled.module);
  const auto thread = optimise(*compiled.module->functions.back());
  const auto wave = make_wave(*thread, interpreter_target(), {.width = 64});
  auto gcn = compile_gcn(*wave);
  REQUIRE(gcn);
  return {.wave = size_of(*wave),
          .avx2 = on_cpu(*thread, "avx2"),
          .avx512 = on_cpu(*thread, "avx512"),
          .gfx900 = gcn->resources.instructions};
}

}  // namespace

TEST_CASE("vectors and structures cost what their numbers would") {
  for (const Twins& t : kTwins) {
    INFO(t.name);
    const Costs composed = costs_of(t.composed), numbers = costs_of(t.numbers);
    CHECK(composed.wave <= numbers.wave);
    CHECK(composed.avx2 <= numbers.avx2);
    CHECK(composed.avx512 <= numbers.avx512);
    CHECK(composed.gfx900 <= numbers.gfx900);
  }
}
