// SPDX-License-Identifier: Apache-2.0
// Compiled kernels run in the reference interpreter and are compared with the same source compiled by the
// host's C++ compiler, one work-item after the other, and with literal values where the meaning is undefined
// in C++.
#include <cmath>
#include <functional>

#include "running.h"

#pragma GCC diagnostic ignored "-Wsign-compare"
#pragma GCC diagnostic ignored "-Wparentheses"
#pragma GCC diagnostic ignored "-Wimplicit-fallthrough"

namespace host {
thread_local size_t id[3], size[3];
size_t get_global_id(int d) { return id[d]; }
size_t get_global_size(int d) { return size[d]; }
using uchar = unsigned char;
using uint = unsigned int;
using std::sqrt;
#define kernel
#define __kernel
#define global
#define __global
#define restrict __restrict
#define __attribute__(x)
#include "kernels/exceptions.cl"
#include "kernels/mandelbrot.cl"
#include "kernels/scanner.cl"
#undef kernel
#undef __kernel
#undef global
#undef __global
#undef restrict
#undef __attribute__
}  // namespace host

namespace {

void on_host(std::array<uint64_t, 3> items, const std::function<void()>& item) {
  std::copy(items.begin(), items.end(), host::size);
  for (host::id[2] = 0; host::id[2] < items[2]; ++host::id[2])
    for (host::id[1] = 0; host::id[1] < items[1]; ++host::id[1])
      for (host::id[0] = 0; host::id[0] < items[0]; ++host::id[0]) item();
}

}  // namespace

TEST_CASE("mandelbrot agrees with the host") {
  std::vector<int> ours(64 * 48), theirs(64 * 48);
  kc::RunResult r = run(read_kernel("mandelbrot.cl"), "mandelbrot", {64 * 48, 1, 1},
                        {address(ours), 64, 48, bits(-2.0f), bits(-1.2f), bits(0.05f), 100}, {range(ours)});
  REQUIRE(r.ok());
  on_host({64 * 48, 1, 1}, [&] { host::mandelbrot(theirs.data(), 64, 48, -2.0f, -1.2f, 0.05f, 100); });
  CHECK(ours == theirs);
  CHECK(std::accumulate(ours.begin(), ours.end(), 0) > 10000);
  std::fill(ours.begin(), ours.end(), -1);
  REQUIRE(run(read_kernel("mandelbrot.cl"), "mandelbrot_2d", {64, 48, 1}, {address(ours), bits(0.0625f)},
              {range(ours)})
              .ok());
  on_host({64, 48, 1}, [&] { host::mandelbrot_2d(theirs.data(), 0.0625f); });
  CHECK(ours == theirs);
}

TEST_CASE("the scanner agrees with the host") {
  const std::string pattern =
      "int x1 = 42; /* a ** comment */ y = x1/2 + 3.25 // z\n /*/ odd */ while (a_b) {} 7seven ";
  std::vector<unsigned char> text;
  while (text.size() < 32 * 61) text.insert(text.end(), pattern.begin(), pattern.end());
  text.resize(32 * 61);
  std::vector<unsigned> w(32), n(32), c(32), hw(32), hn(32), hc(32);
  kc::RunResult r = run(read_kernel("scanner.cl"), "scanner", {32, 1, 1},
                        {address(text), 61, address(w), address(n), address(c)},
                        {range(text), range(w), range(n), range(c)});
  REQUIRE(r.ok());
  on_host({32, 1, 1}, [&] { host::scanner(text.data(), 61, hw.data(), hn.data(), hc.data()); });
  CHECK(w == hw);
  CHECK(n == hn);
  CHECK(c == hc);
  CHECK(w[0] > 3);
}

TEST_CASE("exceptions agree with the host") {
  std::vector<float> in{4, -1, 9, -0.0f, 2, -100}, out(6), expected(6);
  REQUIRE(run(read_kernel("exceptions.cl"), "caught", {6, 1, 1}, {address(in), address(out)},
              {range(in), range(out)})
              .ok());
  on_host({6, 1, 1}, [&] { host::caught(in.data(), expected.data()); });
  CHECK(out == expected);

  std::vector<int> values{5, -3, -20, 1500, 7, -11, 2000, 0}, ours(8, 99), theirs(8, 99);
  kc::RunResult r = run(read_kernel("exceptions.cl"), "rethrown", {8, 1, 1}, {address(values), address(ours)},
                        {range(values), range(ours)});
  size_t escaped = 0;
  on_host({8, 1, 1}, [&] {
    try {
      host::rethrown(values.data(), theirs.data());
    } catch (float) {
      ++escaped;
    }
  });
  CHECK(ours == theirs);
  CHECK(r.status == kc::RunStatus::Trapped);
  REQUIRE(r.trap);
  CHECK(r.trap->count == escaped);
  CHECK(r.trap->site.type == "float");
  CHECK(r.trap->value == bits(2.5f));
  CHECK(r.trap->global_id[0] == 3);
}

TEST_CASE("an uncaught throw is reported with type, value and line") {
  std::vector<int> in{1, 2, -7, 4000, -9}, out(5);
  kc::RunResult r = run(read_kernel("exceptions.cl"), "uncaught", {5, 1, 1}, {address(in), address(out)},
                        {range(in), range(out)});
  CHECK(r.status == kc::RunStatus::Trapped);
  REQUIRE(r.trap);
  CHECK(r.trap->site.type == "int");
  CHECK(r.trap->site.loc.line == 8);
  CHECK(static_cast<int32_t>(r.trap->value) == -7);
  CHECK(r.trap->global_id[0] == 2);
  CHECK(r.trap->count == 3);
  CHECK(out == std::vector<int>{2, 4, 0, 0, 0});
}

TEST_CASE("a rethrow keeps the type of what arrived") {
  auto anything = [](int x) {
    std::vector<int> p{2, x, 0, 0, 0, 0};
    REQUIRE(run(read_kernel("words.cl"), "anything", {1, 1, 1}, {address(p)}, {range(p)}).ok());
    return p;
  };
  CHECK(anything(5) == std::vector<int>{2, 5, 0, 0, 0, 0});
  CHECK(anything(-5) == std::vector<int>{2, -5, 1, 12, -5, 0});
  CHECK(anything(5000) == std::vector<int>{2, 5000, 1, 0, 0, 5});
}

TEST_CASE("Duff's device copies every count") {
  for (int count = 0; count < 20; ++count) {
    std::vector<int> from(40), to(40);
    std::iota(from.begin(), from.end(), 1);
    REQUIRE(run(read_kernel("irreducible.cl"), "duff", {2, 1, 1},
                {address(from), address(to), static_cast<uint64_t>(count)}, {range(from), range(to)})
                .ok());
    for (int i = 0; i < 40; ++i) CHECK(to[i] == (i < 2 * count ? i + 1 : 0));
  }
}

TEST_CASE("a goto into a loop") {
  auto model = [](std::vector<int> data, int n) {
    int i = 0, sum = 0, step = 0;
    bool enter = data[0] & 1;
    while (enter || i < n) {
      if (!enter) {
        step = 0;
        sum += data[i];
      }
      enter = false;
      sum ^= i + step;
      step = 2;
      i += step;
      if (sum == 77) return sum;
    }
    for (;;) {
      if (i-- == 0) break;
      int s = sum & 3;
      if (s == 0) {
        sum++;
        continue;
      }
      if (s == 1) sum += 3;
      if (s == 1 || s == 2) {
        if (sum > 100) sum -= 5;
      } else {
        sum -= 5;
      }
      sum *= 3;
    }
    return sum;
  };
  for (int first = 0; first < 40; ++first) {
    std::vector<int> data{first, 5, 9, -4, 77, 3, 12, 1};
    int expected = model(data, 7);
    REQUIRE(
        run(read_kernel("irreducible.cl"), "into_loop", {1, 1, 1}, {address(data), 7}, {range(data)}).ok());
    CHECK(data[0] == expected);
  }
}

TEST_CASE("arithmetic is defined everywhere") {
  std::vector<int> p = ints(R"(
    int zero = p[0], min = -2147483647 - 1, minus = -1;
    p[0] = 7 / zero; p[1] = 7 % zero; p[2] = min / minus; p[3] = min % minus; p[4] = 1 << (zero + 33);
    p[5] = -8 >> (zero + 65); p[6] = 2147483647 + minus * minus; p[7] = (int)3e10f; p[8] = (int)-3e10f;
    p[9] = (int)as_float(0x7fc00000); p[10] = (uchar)300.0f; p[11] = (char)(200 + zero); p[12] = (uint)-1.5f;
    p[13] = (ushort)70000 > (short)zero; p[14] = -1 < 1u; p[15] = (bool)0.25f + !0.5;)");
  CHECK(p == std::vector<int>{-1, 7, INT32_MIN, 0, 2, -4, INT32_MIN, INT32_MAX, INT32_MIN, 0, 255, -56, 0, 1,
                              0, 1});
}

TEST_CASE("statements and values") {
  CHECK(ints("int x; p[1] = x; for (int i = 0; i < 3; i++) { int y; p[2 + i] = y; y = 9; }")[4] == 0);
  CHECK(ints("goto in; { int x = 5; in: p[0] = x; }")[0] == 0);
  CHECK(ints("for (int i = 0; i < 3; i++) { switch (i) { int y = 4; case 1: p[i] = y + 1; y = 7; } }")[1] ==
        1);
  CHECK(ints("int n = 0; do { n++; if (n == 3) continue; if (n > 5) break; } while (n != 3); p[0] = n;")[0] ==
        3);
  CHECK(ints("p[0] = 0; for (int i = 0; i < 10; i++) switch (i % 4) { case 2: p[0] += 100; case 0: p[0]++; "
             "break; default: "
             "p[0] += 10; }")[0] == 255);
  CHECK(ints("int a = 1; a = a++ + a; p[0] = a; p[1] = (a, 5); p[2] = a > 1 ? 8 : 9;")[0] == 3);
  CHECK(ints("global int* q = p + 3; *q++ = 40; *q = 50; q[-2] = 60; p[0] = (int)(q - p); p[1] = 2[p] + *(1 "
             "+ q);")[1] == 65);
  CHECK(ints("p[0] = p[15] && p[1]++ && !p[1]++; ")[1] == 3);
  CHECK(ints("p[0] = f(-4) + f(6);", "int f(int x) { if (x < 0) return 1000; }")[0] == 1000);
  CHECK(ints("try { try { throw (uchar)7; } catch (int e) { p[0] = 1; } catch (uchar e) { e++; p[1] = e; "
             "throw; } }"
             "catch (uchar again) { p[0] = again; }")[0] == 7);
  CHECK(ints("for (int i = 0; i < 4; i++) try { if (i == 2) continue; if (i == 3) break; throw i; } catch "
             "(int e) { p[e] = 70; "
             "if (e == 1) goto out; } out: p[5] = 50;") ==
        std::vector<int>{70, 70, 2, 3, 4, 50, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15});
  CHECK(ints("uchar c = 250; c += 10; p[0] = c; short s = -1; p[1] = s >>= 1; p[2] = (s *= 2.5f); bool b = "
             "4; p[3] = b++; "
             "p[4] = --b;") == std::vector<int>{4, -1, -2, 1, 0, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15});
  CHECK(ints("p[0] = rotate(0x80000001, 1u); p[1] = abs(-3) + max(2, 9) * min(-1, 1); p[2] = clamp(50, 0, "
             "9); p[3] = "
             "(int)get_global_size(7) + (int)get_global_id(p[1]);")[0] == 3);
}

TEST_CASE("contraction rounds once") {
  auto value = [](const std::string& expression, bool contract) {
    std::vector<float> f{1.0f + 0x1p-12f, 1.0f + 0x1p-12f, -1.0f - 0x1p-11f, 0};
    REQUIRE(run("kernel void k(global float* f) { f[3] = " + expression + "; }", "k", {1, 1, 1}, {address(f)},
                {range(f)}, contract)
                .ok());
    return f[3];
  };
  CHECK(value("f[0] * f[1] + f[2]", true) == 0x1p-24f);
  CHECK(value("f[0] * f[1] + f[2]", false) == 0.0f);
  CHECK(value("-f[2] - f[0] * f[1]", true) == -0x1p-24f);
  CHECK(value("f[0] * f[1] - -f[2]", true) == 0x1p-24f);
}
