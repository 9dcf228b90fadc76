// SPDX-License-Identifier: Apache-2.0
#include "tests/opencl/cases.h"

namespace kc::test {

std::vector<OpenclCase> language_cases() {
  const std::vector<std::string> launch{"--global",           "16",    "--local",    "8", "--arg",
                                        "in=i32[64]:rand(3)", "--arg", "out=i32[64]"};
  return {
      {"structures by value", R"(
struct inner { short2 v; char c; };
typedef struct { int a; struct inner in[2]; union { float f; uint u; uchar4 b; } u; long l; } outer;
outer change(outer o, int by) { o.a += by; o.in[1].v.y -= by; o.u.f += 1.0f; o.in[0] = o.in[1]; return o; }
struct inner pick(outer o, int i) { return o.in[i & 1]; }
kernel void k(global const int* in, global int* out) {
  int i = get_global_id(0);
  outer o = {in[i], {{{1, 2}, 3}, {(short2)(in[i + 1], 5), 'x'}}, {2.5f}, -1}, p = o, all[2] = {o};
  all[1] = change(o, i);
  p = i & 1 ? all[1] : all[0];
  out[i] = p.a + p.in[0].v.x * 3 + p.in[1].v.y * 5 + pick(p, i).c + (int)p.u.u;
  out[16 + i] = all[1].u.b.w + all[1].in[0].c + sizeof(outer) + o.a + (int)o.l;
  out[32 + i] = change(change(o, 3), 4).in[0].v.y;
})",
       launch},
      {"pointers to pointers", R"(
struct node { int value; struct node* next; };
void set(int** p, int* to) { *p = to; }
int walk(struct node* n) { int s = 0; while (n) { s = s * 7 + n->value; n = n->next; } return s; }
kernel void k(global const int* in, global int* out) {
  int i = get_global_id(0);
  int a[4] = {in[i], 2, 3, 4}, b = 9, *p = &a[1], **q = &p, ***r = &q;
  set(*r, i & 1 ? &b : a + (i >> 2));
  **q += 5;
  int* ways[3] = {a, &b, p};
  **(ways + 2) *= 3;
  struct node n[3] = {{a[0], 0}, {b, &n[0]}, {in[i], &n[1]}};
  if (i & 2) n[0].next = 0, n[1].next = 0;
  global const int* g = in + i;
  global const int** gg = &g;
  *gg += 2;
  out[i] = ***r + a[0] * 3 + a[3] + b;
  out[16 + i] = walk(&n[2]);
  out[32 + i] = *g + (int)(*gg - in) + (int)(ways[2] - a == p - a);
  int m[3][4] = {{1, 2}, {3}}; int(*row)[4] = m + 1;
  (*row)[i & 3] += i; row[1][2] = 8;
  out[48 + i] = m[1][0] * 100 + m[1][3] * 10 + m[2][2] + row[-1][1];
})",
       launch},
      {"tables in constant memory", R"(
constant int squares[] = {0, 1, 4, 9, 16, [7] = 49};
constant float2 pairs[3] = {(float2)(1.5f, 2.0f), {3.0f, 4.0f}, (float2)(7.0f)};
constant char text[] = "kernel", words[3][6] = {"one", "two", "three"};
typedef struct { uchar tag; int2 v; double d; } entry;
constant entry table[] = {{1, {2, 3}, 4.0}, {.d = 0.5, .tag = 200}, {7, (int2)(8, -9), 1e3}};
constant uint masks[2][2] = {{0xffffffffu, 1u << 31}, {~0u >> 4}};
int look(constant const entry* e) { return e->tag + e->v.y * 3 + (int)(e->d * 2); }
kernel void k(global const int* in, global int* out) {
  int i = get_global_id(0), j = in[i] & 7;
  out[i] = squares[j] + (int)(pairs[j % 3].y * 4) + text[j % 7] * 1000;
  out[16 + i] = look(&table[(uint)in[i] % 3]) + look(table + 1);
  out[32 + i] = words[j % 3][i % 6] + masks[i & 1][j & 1] % 1000 + sizeof(words);
  constant int* end = squares + sizeof(squares) / sizeof(*squares);
  int s = 0;
  for (constant int* p = squares; p != end; ++p) s += *p;
  out[48 + i] = s;
})",
       launch},
      {"switch", R"(
int step(int x) {
  switch (x & 15) {
    case 0: x += 1;
    case 1: return x * 3;
    case 2: { if (x > 5) break; default: x ^= 0x55; }
    case 5: case 6: x -= 2; break;
    case -1: return 99;
    case 9: switch (x >> 4 & 3) { case 0: return 7; case 2: break; default: x = 0; } x += 4;
  }
  return x + 1;
}
kernel void k(global const int* in, global int* out) {
  int i = get_global_id(0);
  out[i] = step(in[i]);
  int n = in[16 + i] & 31, c = 0;
  switch (n & 3) { case 0: do { c += 1; case 3: c += 10; case 2: c += 100; case 1: c += 1000; } while ((n -= 4) > 0); }
  out[16 + i] = c;
  switch ((long)in[i] << 32) { case 0L: out[32 + i] = 1; break; case 0x100000000L: out[32 + i] = 2; break; default: out[32 + i] = 3; }
  switch ((uchar)in[i]) { case 'a' ... 'z': out[48 + i] = 1; break; case 255: out[48 + i] = 2; break; default: out[48 + i] = (uchar)in[i]; }
})",
       launch},
      {"goto", R"(
kernel void k(global const int* in, global int* out) {
  int i = get_global_id(0), n = in[i] & 63, steps = 0, s = 0;
again:
  if (n == 1) goto done;
  if (++steps > 20) goto late;
  n = n & 1 ? 3 * n + 1 : n >> 1;
  goto again;
late:
  s = 1000;
done:
  out[i] = s + steps + n;
  for (int a = 0; a < 5; ++a)
    for (int b = 0; b < 5; ++b) {
      s += a * b + 1;
      if ((in[i + a] + b & 7) == 3) goto out_of_both;
      if (b > (in[i] & 3)) goto next;
      s ^= b;
    next:;
    }
out_of_both:
  out[16 + i] = s;
  {
    int x = in[i] & 7;
  state0:
    s = s * 5 + x;
    if (x & 1) goto state2;
    x >>= 1;
    if (x == 0) goto end;
    goto state0;
  state2:
    s ^= 77;
    x -= 1;
    goto state0;
  }
end:
  out[32 + i] = s;
})",
       launch},
      {"expressions with statements", R"(
#define MAX(a, b) ({ int a_ = (a), b_ = (b); a_ > b_ ? a_ : b_; })
kernel void k(global const int* in, global int* out) {
  int i = get_global_id(0), x = in[i], y = in[i + 7];
  out[i] = MAX(x, y) + MAX(i, ({ int t = y & 7; for (int j = 0; j < 3; ++j) t += j; t; }));
  out[16 + i] = ({ int r; if (x & 1) r = x >> 3; else { r = y >> 5; r ^= 3; } r; }) + (x, y, i);
  out[32 + i] = (x > y && ({ x++; x & 1; })) || ({ y--; y & 2; }) ? x - y : x ^ y;
  out[48 + i] = ({ int4 v = {x, y, i, 1}; v.wzyx + v; }).s1;
})",
       launch},
      {"barriers and local memory", R"(
void turn(local int* tile, int l, int n) {
  int t = tile[(l + 1) % n];
  barrier(CLK_LOCAL_MEM_FENCE);
  tile[l] = t;
  barrier(CLK_LOCAL_MEM_FENCE);
}
kernel void k(global const int* in, global int* out) {
  local int tile[8], sum;
  local struct { int a; char4 b; } pair[8];
  int i = get_global_id(0), l = get_local_id(0), n = get_local_size(0);
  tile[l] = in[i];
  pair[l].a = i, pair[l].b = (char4)(in[i], 1, 2, 3);
  if (l == 0) sum = 0;
  barrier(CLK_LOCAL_MEM_FENCE);
  for (int r = 0; r < 3; ++r) turn(tile, l, n);
  out[i] = tile[l] + pair[7 - l].a + pair[7 - l].b.x;
  for (int d = 1; d < n; d *= 2) {
    int v = l >= d ? tile[l - d] : 0;
    barrier(CLK_LOCAL_MEM_FENCE);
    tile[l] += v;
    barrier(CLK_LOCAL_MEM_FENCE);
  }
  out[16 + i] = tile[l];
  if (l == n - 1) sum = tile[l];
  barrier(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE);
  out[32 + i] = sum + out[(i & ~7) + (l ^ 1)];
})",
       launch},
  };
}

}  // namespace kc::test
