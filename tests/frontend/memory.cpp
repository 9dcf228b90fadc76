// SPDX-License-Identifier: Apache-2.0
// Structs, unions, arrays, pointers and enumerations, run in the reference interpreter. All expected values
// are those of a C compiler's program.
#include "running.h"

namespace {

using Ints = std::vector<int>;

// The first elements of the result of `ints`.
Ints first(size_t n, const std::string& statements, const std::string& before = "") {
  Ints p = ints(statements, before);
  p.resize(n);
  return p;
}

const std::string Types = R"(
  struct pair { int a, b; };
  struct mixed { char c; double d; short s; };
  struct outer { struct pair p[2]; struct { char c; long l; } in; };
  union bits { int i; float f; uchar b[4]; };
  typedef struct node { int value; struct node* next; } node;
  struct pair swap(struct pair p) { struct pair r = { p.b, p.a }; p.a = 1000; return r; }
  int sum(const int* p, int n) { int s = 0; for (int i = 0; i < n; i++) s += p[i]; return s; }
)";

}  // namespace

TEST_CASE("structs are laid out as C does") {
  CHECK(first(9, R"(p[0] = sizeof(struct pair); p[1] = sizeof(struct mixed); p[2] = sizeof(struct outer);
    p[3] = sizeof(union bits); p[4] = sizeof(node); struct mixed m[3]; p[5] = sizeof m; p[6] = (char*)&m[1].s - (char*)m;
    struct { char c[3]; struct { short s; } in; char d; } x; p[7] = sizeof x; p[8] = (char*)&x.d - (char*)&x;)",
              Types) == Ints{8, 24, 32, 4, 16, 72, 40, 8, 6});
  CHECK(
      first(
          3,
          R"(struct __attribute__((aligned(32))) big { int i; }; struct small { char c; } __attribute__((aligned(8)));
    p[0] = sizeof(struct big); p[1] = sizeof(struct small); int a[3] __attribute__((aligned(64)));
    p[2] = (int)((ulong)&a[0] & 63);)") == Ints{32, 8, 0});
}

TEST_CASE("structs are values") {
  CHECK(
      first(6,
            R"(struct pair x = {1, 2}, y, z; y = swap(x); p[0] = y.a * 10 + y.b; p[1] = x.a; z = y = swap(y);
    p[2] = z.a; p[3] = swap(swap(swap(x))).a; p[4] = (p[0] > 3 ? x : y).b; p[5] = (x.a = 7, x).a;)",
            Types) == Ints{21, 1, 1, 2, 2, 7});
  CHECK(
      first(
          4,
          R"(struct outer a = { { {1, 2}, {3, 4} }, { 'x', 5000000000L } }, b = a, *q = &b; q->p[1].b = 40; b.in.c++;
    p[0] = a.p[1].b + b.p[1].b; p[1] = b.in.c - a.in.c; p[2] = b.in.l == a.in.l; *q = (struct outer){ .p[1] = {8} };
    p[3] = b.p[0].a * 100 + b.p[1].a * 10 + b.in.c + (int)b.in.l;)",
          Types) == Ints{44, 1, 1, 80});
  // Arguments are copied when they are evaluated.
  CHECK(first(1, "struct pair x = {1, 2}; p[0] = both(x, (x.a = 50, x));",
              Types + "int both(struct pair x, struct pair y) { return x.a * 100 + y.a; }") == Ints{150});
}

TEST_CASE("compound literals are values until somebody takes their address") {
  CHECK(first(6, R"(struct pair x = (struct pair){.b = 2}, *s = &(struct pair){3, 4}; s->a += 6;
    p[0] = x.a * 10 + x.b; p[1] = s->a * 10 + s->b; int* b = &(struct pair){7, 8}.b; p[2] = ++*b;
    p[3] = (struct pair){5, x.b}.b + ((int){3} += 2); for (int i = 0; i < 3; ++i) p[4] = ((struct pair){.a = i}).a++;
    int* a = (int[]){1, 2, 3}; a[1] = 9; p[5] = a[0] + a[1] + (int[2]){4, 5}[1];)",
              Types) == Ints{2, 94, 9, 7, 2, 15});
}

TEST_CASE("arrays and their initializers") {
  CHECK(
      first(
          8,
          R"(int a[2][3] = {1, 2, 3, 4, 5}, b[] = {1, [5] = 6, 7, [1] = 2}, c[4][5] = { {1, 2}, [2] = {3, [4] = 9}, 7 };
    p[0] = sum(a[1], 3); p[1] = sizeof b / sizeof b[0]; p[2] = sum(b, 7); p[3] = sum(&c[0][0], 20); p[4] = c[2][4] + c[3][0];
    int (*row)[5] = c + 2; p[5] = (*row)[0] + row[1][0] + sizeof *row; p[6] = &c[3][1] - &c[1][2]; p[7] = 2[b] + *(a[1] + 1);)",
          Types) == Ints{9, 7, 16, 22, 16, 30, 9, 5});
  CHECK(first(6, R"(struct outer o[2] = { { 1, 2, 3, 4, 5, 6 }, { .in = {7}, .p[1].b = 8 } };
    p[0] = o[0].p[1].b * 10 + o[0].in.c; p[1] = (int)o[0].in.l; p[2] = o[1].in.c + o[1].p[1].b + o[1].p[0].a;
    struct { int a; struct pair q[2]; int z; } s = { 1, .q[0].b = 2, 3, 4, 5 };
    p[3] = s.q[0].a * 1000 + s.q[0].b * 100 + s.q[1].a * 10 + s.q[1].b; p[4] = s.z; struct pair y = {3, 4}, w[2] = { y, 5 };
    p[5] = w[0].b * 10 + w[1].a;)",
              Types) == Ints{45, 6, 15, 234, 5, 45});
  CHECK(
      first(
          3,
          R"(int big[1000] = {1, [500] = 2, [999] = 3}; int s = 0; for (int i = 0; i < 1000; i++) s += big[i] * (i + 1);
    p[0] = s; struct { int v[100]; short w; } x = { {[7] = 4} }, y; y = x; p[1] = y.v[7] + y.v[99] + y.w + sum(y.v, 100);
    long l[2][2][2] = { { {1}, {2, 3} }, { {[1] = 4} } }; p[2] = (int)(l[0][1][1] * 100 + l[1][0][1] * 10 + l[1][1][1]);)",
          Types) == Ints{4003 - 1000 + 1000, 8, 340});
  CHECK(first(2,
              "int n = 0; for (int i = 0; i < 3; i++) { int a[2] = {i}; n += a[0] + a[1]; a[1] = 9; } p[0] = "
              "n; p[1] = "
              "((int[]){4, 5, 6})[p[1]];") == Ints{3, 5});
}

TEST_CASE("a list in braces replaces what was said before about the same object") {
  CHECK(
      first(
          4,
          R"(struct pair v[2] = { { 1, 2 }, 3, 4, [0] = { .b = 5 } }, w[2] = { [0].a = 6, [0].b = 7, [0] = { 8 }, [0].b = 9 };
    p[0] = v[0].a * 10 + v[0].b; p[1] = v[1].a * 10 + v[1].b; p[2] = w[0].a * 10 + w[0].b; p[3] = w[1].a;)",
          Types) == Ints{5, 34, 89, 0});
}

TEST_CASE("unions show the same bytes") {
  CHECK(
      first(
          6,
          R"(union bits u; u.f = 1.0f; p[0] = u.i; p[1] = u.b[3]; u.b[0] = 255; union bits v = u; p[2] = v.i & 0xffff;
    union bits w = { .f = -2.0f }; p[3] = w.b[3]; struct { int tag; union { int i; float f; }; } t = { 1, { .f = 0.5f } };
    p[4] = t.i; t.i = 7; p[5] = t.tag + t.i + sizeof t;)",
          Types) == Ints{0x3f800000, 0x3f, 0xff, 0xc0, 0x3f000000, 16});
  CHECK(
      first(3, R"(ulong l = 0x1122334455667788ul; uchar* b = (uchar*)&l; p[0] = b[0]; p[1] = ((ushort*)b)[3];
    *(float*)(b + 4) = 2.0f; p[2] = (int)(l >> 32);)") == Ints{0x88, 0x1122, 0x40000000});
}

TEST_CASE("pointers to private memory") {
  CHECK(
      first(9, R"(int z; p[0] = z; int* q = &z, **qq = &q; **qq = 8; p[1] = z; swap2(&p0, &z);
    p[2] = z; p[3] = q != 0 && *q == z; int a[5] = {1, 2, 3, 4, 5}, *e = a + 5, s = 0; for (int* i = a; i < e; ++i) s += *i;
    p[4] = s; p[5] = (int)(e - a); void* v = a; p[6] = *((int*)v + 2); ulong n = (ulong)&a[3] - (ulong)a; p[7] = (int)n;
    int* back = (int*)((ulong)a + 4); p[8] = *back;)",
            "void swap2(int* a, int* b) { int t = *a; *a = *b; *b = t; }\n#define p0 (((int[1]){5})[0])\n") ==
      Ints{0, 8, 5, 1, 15, 5, 3, 12, 2});
  CHECK(first(2, R"(node n3 = {3, 0}, n2 = {2, &n3}, n1 = {.next = &n2, .value = 1}; int s = 0;
    for (node* n = &n1; n; n = n->next) s = s * 10 + n->value; p[0] = s; n1.next->next->value += 4; p[1] = n3.value;)",
              Types) == Ints{123, 7});
  // An address-taken variable starts at 0 each time, also when a jump passes its declaration.
  CHECK(first(2,
              "for (int i = 0; i < 3; i++) { int x, *q = &x; p[0] = *q; *q = 5; } goto in; { int y = 3, *q = "
              "&y; in: q = "
              "&y; p[1] = *q; }") == Ints{0, 0});
  CHECK(first(2, "int a = 5; f(&a, a); p[0] = a; uchar c = 250; g(&c); p[1] = c;",
              "void f(int* r, int by) { int* s = &by; *s += 1; *r += by; } void g(uchar* c) { ++*c; *c += 6; "
              "}") == Ints{11, 1});
  CHECK(first(1, "bool b[3] = {2, 0, 0.5f}; bool* q = b; p[0] = q[0] * 100 + q[1] * 10 + b[2];") ==
        Ints{101});
}

TEST_CASE("pointers in structs and arrays keep their address space") {
  CHECK(first(5, R"(struct view { global int* base; int n; } v = { p + 8, 3 }, w[2] = { v, { p + 2 } };
    int s = 0; for (int i = 0; i < v.n; i++) s += v.base[i]; p[0] = s; w[1].base[1] = 70; global int* table[3] = { p, &p[4] };
    *table[1] = 90; p[1] = table[2] == 0; global int** t = table; p[2] = t[0][5] + (t + 1)[0][2];)") ==
        Ints{27, 1, 11, 70, 90});
}

TEST_CASE("buffers of structs") {
  struct Pair {
    int a, b;
  };
  struct Mixed {
    char c;
    double d;
    short s;
  };
  std::vector<Mixed> m(3, {1, 2.5, 3});
  std::vector<Pair> v{{1, 2}, {3, 4}, {5, 6}};
  kc::RunResult r = run(Types + R"(kernel void k(global struct pair* v, global struct mixed* m) {
    size_t i = get_global_id(0); global struct pair* x = &v[i]; struct pair old = *x; *x = swap(*x); x->b += 100;
    m[i].d *= x->a; m[i].s = (short)-old.b; m[i].c = sizeof *m; if (i == 2) { v[i] = v[0]; } })",
                        "k", {3, 1, 1}, {address(v), address(m)}, {range(v), range(m)});
  INFO(r.message);
  REQUIRE(r.ok());
  CHECK((v[0].a == 2 && v[0].b == 101 && v[1].a == 4 && v[1].b == 103 && v[2].a == 2 && v[2].b == 101));
  CHECK((m[2].d == 15.0 && m[2].s == -6 && m[2].c == 24));
}

TEST_CASE("enumerations, switches and statement expressions") {
  CHECK(
      first(
          4,
          R"(enum color c = BLUE; p[0] = RED + GREEN * 10 + c * 100; p[1] = sizeof c; typedef enum { A = 1 << 4, B } e;
    int table[B + 1]; p[2] = sizeof table; e x = (e)17; p[3] = x == B;)",
          "enum color { RED, GREEN = 5, BLUE, };") == Ints{650, 4, 72, 1});
  CHECK(
      first(
          16,
          R"(for (int i = 0; i < 16; i++) switch (i - 3) { case -3 ... -1: p[i] = 1; break; case 5: case 7 ... 100: p[i] = 2;
    break; case 6 ... 2: p[i] = 99; default: p[i] = 3; })") ==
      Ints{1, 1, 1, 3, 3, 3, 3, 3, 2, 3, 2, 2, 2, 2, 2, 2});
  CHECK(
      first(
          3,
          R"(uchar c = 200; switch (c) { case 200: p[0] = 1; } long l = -5000000000L; switch (l) { case -5000000000L: p[1] = 2;
    break; case 705032704: p[1] = 3; } ulong u = ~0ul; switch (u) { case ~0ul - 3 ... ~0ul: p[2] = 4; })") ==
      Ints{1, 2, 4});
  CHECK(
      first(
          4,
          R"(p[0] = ({ int q = p[3]; q * 2; }) + ({ int s = 0; for (int i = 0; i < 4; i++) { if (i == 3) break; s += i; } s; });
    struct pair x = ({ struct pair t = {4, 5}; swap(t); }); p[1] = x.a; ({ p[2] = 9; }); for (int i = 0; i < 5; i++)
    p[3] = 1 + ({ if (i == 3) goto out; i; }); out: ;)",
          Types) == Ints{9, 5, 9, 3});
  std::string cases;
  for (int i = 0; i < 700; ++i)
    cases += "case " + std::to_string(3 * i) + ": p[0] += " + std::to_string(i) + "; break; ";
  CHECK(first(1, "for (int i = 0; i < 2100; i++) switch (i) { " + cases + "default: p[0]--; }") ==
        Ints{700 * 699 / 2 - 1400});
}

TEST_CASE("structs are thrown and caught") {
  const std::string Throwing = Types + R"(
    struct other { int a, b; };
    void thrower(int x) { if (x == 0) throw (struct pair){ x + 1, 2 }; if (x == 1) { struct other o = {3, 4}; throw o; }
      if (x == 2) throw RED; if (x == 3) throw 2.0f; }
    enum { RED = 6 };
    int loops(int x) { for (int i = 0; ; i++) { try { thrower(x); if (i > x) throw i; } catch (struct pair p) { p.a++; throw p; } } }
  )";
  std::string early = Types + "enum { RED = 6 };" + Throwing.substr(Types.size());
  early.erase(early.rfind("enum { RED"), 17);
  CHECK(
      first(
          6,
          R"(for (int i = 0; i < 5; i++) try { try { loops(i); } catch (struct other o) { p[i] = o.a + o.b; } catch (...) {
    p[5]++; throw; } } catch (struct pair q) { p[i] = q.a * 10 + q.b; q.a = 99; } catch (int e) { p[i] = e; }
    catch (float f) { p[i] = (int)f + 50; })",
          early) == Ints{22, 7, 6, 52, 5, 9});
  Ints p(4);
  kc::RunResult r = run(
      early +
          "kernel void k(global int* p) { struct other o = { 40, 2 }; try { throw o; } catch (struct pair x) "
          "{ p[0] = 1; } }",
      "k", {1, 1, 1}, {address(p)}, {range(p)});
  CHECK(r.status == kc::RunStatus::Trapped);
  REQUIRE(r.trap);
  CHECK(r.trap->site.type == "struct other");
  CHECK(r.trap->value == 40);
  CHECK(p[0] == 0);
}

TEST_CASE("kernels tell what their pointers point to") {
  kc::FrontendResult r =
      compile(Types + "kernel void k(global struct outer* o, local float* t, constant int (*m)[4]) {}");
  REQUIRE(r.module);
  const std::vector<kc::ParamInfo>& p = r.module->functions[0]->params;
  CHECK(p[0].pointee == kc::Elem::Void);
  CHECK(p[0].pointee_size == 32);
  CHECK(p[1].pointee == kc::Elem::F32);
  CHECK(p[2].pointee == kc::Elem::I32);
}

TEST_CASE("copies and clears of large objects are loops") {
  std::string text = compile_to_text(
      "struct s { int a[5000]; }; kernel void k(global struct s* p) { struct s x = *p; p[1] = x; int y[9000] "
      "= {1}; p->a[0] = "
      "y[p->a[1]]; }");
  CHECK(count(text, "\n") < 80);
  CHECK(compile("kernel void k(global int* p) { int a[300000]; p[0] = a[p[1]]; }").errors == 1);
}

TEST_CASE("tables in constant memory") {
  const std::string tables = Types + R"(
    #define N 4
    constant int squares[N] = { 0, 1, 4, [3] = 9 };
    __constant float scale = -0.5f * 3 + 1 / 4.0f;
    static constant struct outer o[] = { { .p = { { 1, 2 } }, .in = { 'a', -7L } }, { { { 3 } } } };
    constant const uchar bytes[2][3] = { 1, 2, 300 & 255, 4 }, * constant none = 0;
    constant double wide = 1e-3; constant bool yes = 3, no = 0.0f; constant union bits u = { .f = 1.0f };
    constant short negative = -2 + (short)70000;
    int pick(constant int* t, int i) { return t[i]; }
  )";
  CHECK(
      first(
          10,
          R"(p[0] = squares[p[3]] + pick(squares, 2); p[1] = (int)(scale * 100); p[2] = o[0].p[0].b + o[1].p[0].a;
    p[3] = o[0].in.c + (int)o[0].in.l; p[4] = bytes[0][2] * 10 + bytes[1][0] + bytes[1][2]; p[5] = sizeof o / sizeof o[0];
    p[6] = (int)(wide * 1e6) + yes * 2 + no; p[7] = u.i == 0x3f800000; p[8] = negative == 4462 && !none;
    constant int primes[3] = {2, 3, 5}; struct outer c = o[0]; constant int* q = primes; p[9] = q[p[2] - 4] + c.p[0].a;)",
          tables) == Ints{13, -125, 5, 90, 444, 2, 1002, 1, 1, 4});
  std::string text = compile_to_text(
      "constant int t[2] = {1, 2}; int f(int i) { return t[i]; } kernel void k(global int* p) { p[0] = "
      "f(p[1]) + f(p[2]) + t[1]; }");
  CHECK(count(text, "object $") == 1);
  CHECK(has(text, "ptr<constant> size=8"));
  CHECK(compile("constant float f = sqrt(2.0f);").errors == 1);
  CHECK(compile("constant int a[600000] = {1};").errors == 1);
  std::string sum = "1.0f";
  for (int i = 0; i < 50000; ++i) sum += " + 1.0f";
  CHECK(compile("constant float f = " + sum + ";").errors == 0);
}
