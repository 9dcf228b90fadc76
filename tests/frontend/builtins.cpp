// SPDX-License-Identifier: Apache-2.0
// Built-in functions, run in the reference interpreter and compared with the host's arithmetic, in wider
// types where available, at the limits of each type and at random values.
#include <cfloat>
#include <cmath>
#include <limits>
#include <random>

#include "running.h"

namespace {

template <class T>
constexpr const char* Name = "";
template <>
constexpr const char* Name<int8_t> = "char";
template <>
constexpr const char* Name<uint8_t> = "uchar";
template <>
constexpr const char* Name<int16_t> = "short";
template <>
constexpr const char* Name<uint16_t> = "ushort";
template <>
constexpr const char* Name<int32_t> = "int";
template <>
constexpr const char* Name<uint32_t> = "uint";
template <>
constexpr const char* Name<int64_t> = "long";
template <>
constexpr const char* Name<uint64_t> = "ulong";
template <>
constexpr const char* Name<float> = "float";
template <>
constexpr const char* Name<double> = "double";

template <class T>
using Bits = std::conditional_t<sizeof(T) == 8, uint64_t, uint32_t>;

template <class T>
std::vector<T> samples() {
  std::mt19937_64 random(7);
  std::vector<T> v;
  using L = std::numeric_limits<T>;
  if constexpr (std::is_integral_v<T>) {
    v = {0,
         1,
         2,
         3,
         7,
         24,
         T(-1),
         T(-2),
         L::max(),
         L::min(),
         T(L::max() - 1),
         T(L::min() + 1),
         T(L::max() / 2)};
    for (int i = 0; i < 12; ++i) v.push_back(static_cast<T>(random() >> (random() % (8 * sizeof(T)))));
  } else {
    v = {0,
         -T(0),
         1,
         -1,
         T(0.5),
         T(-0.5),
         T(1.5),
         T(2.5),
         T(-2.5),
         T(0.49999997),
         T(-0.75),
         3,
         T(-3.25),
         T(1e10),
         T(-1e30),
         L::max(),
         L::lowest(),
         L::min(),
         L::denorm_min(),
         -L::denorm_min(),
         L::infinity(),
         -L::infinity(),
         L::quiet_NaN(),
         T(8388607.5),
         T(4194303.5),
         L::min() * T(0.75),
         L::epsilon()};
    for (int i = 0; i < 20; ++i) v.push_back(std::bit_cast<T>(static_cast<Bits<T>>(random())));
  }
  return v;
}

template <class T>
bool same(T a, T b) {
  if constexpr (std::is_floating_point_v<T>) {
    if (std::isnan(a) || std::isnan(b)) return std::isnan(a) && std::isnan(b);
    return std::bit_cast<Bits<T>>(a) == std::bit_cast<Bits<T>>(b);
  } else {
    return a == b;
  }
}

// Runs `out[i] = expression` for all combinations of samples as x, y and z, and compares with the model.
template <class R, class A, class B = A, class C = A, class Model>
void check(const std::string& expression, Model model) {
  constexpr bool two = std::is_invocable_v<Model, A, B>, three = std::is_invocable_v<Model, A, B, C>;
  std::vector<A> xs, as = samples<A>();
  std::vector<B> ys, bs = samples<B>();
  std::vector<C> zs, cs = samples<C>();
  for (A a : as)
    for (size_t i = 0; i < (two || three ? bs.size() : 1); ++i)
      for (size_t k = 0; k < (three ? cs.size() : 1); ++k)
        xs.push_back(a), ys.push_back(bs[i]), zs.push_back(cs[k]);
  std::vector<R> out(xs.size());
  std::string text = std::string("kernel void k(global ") + Name<R> + "* out, global " + Name<A> +
                     "* xs, global " + Name<B> + "* ys, global " + Name<C> +
                     "* zs) { size_t i = get_global_id(0); " + Name<A> + " x = xs[i]; " + Name<B> +
                     " y = ys[i]; " + Name<C> + " z = zs[i]; out[i] = " + expression + "; }";
  kc::RunResult r = run(text, "k", {xs.size(), 1, 1}, {address(out), address(xs), address(ys), address(zs)},
                        {range(out), range(xs), range(ys), range(zs)});
  INFO(text << r.message);
  REQUIRE(r.ok());
  size_t wrong = 0;
  for (size_t i = 0; i < xs.size() && wrong < 3; ++i) {
    R expected;
    if constexpr (three)
      expected = model(xs[i], ys[i], zs[i]);
    else if constexpr (two)
      expected = model(xs[i], ys[i]);
    else
      expected = model(xs[i]);
    if (same(out[i], expected)) continue;
    ++wrong;
    INFO("x " << +xs[i] << " y " << +ys[i] << " z " << +zs[i] << " gives " << +out[i] << ", not "
              << +expected);
    FAIL_CHECK("wrong");
  }
}

using Wide = __int128;

template <class T>
T saturated(Wide v) {
  Wide low = std::numeric_limits<T>::min(), high = std::numeric_limits<T>::max();
  return static_cast<T>(v < low ? low : v > high ? high : v);
}

template <class T>
void check_integers() {
  using U = std::make_unsigned_t<T>;
  constexpr int width = 8 * sizeof(T);
  auto high = [](T x, T y) {
    if constexpr (std::is_signed_v<T> || sizeof(T) < 8)
      return static_cast<T>(Wide{x} * y >> width);
    else
      return static_cast<T>(static_cast<unsigned __int128>(x) * y >> 64);
  };
  check<T, T>("mul_hi(x, y)", high);
  check<T, T>("mad_hi(x, y, z)",
              [&](T x, T y, T z) { return static_cast<T>(static_cast<U>(high(x, y)) + static_cast<U>(z)); });
  check<T, T>("add_sat(x, y)", [](T x, T y) { return saturated<T>(Wide{x} + y); });
  check<T, T>("sub_sat(x, y)", [](T x, T y) { return saturated<T>(Wide{x} - y); });
  check<T, T>("mad_sat(x, y, z)", [&](T x, T y, T z) {
    if constexpr (std::is_same_v<T, uint64_t>) {
      if (high(x, y) != 0) return ~uint64_t{0};
      return saturated<T>(Wide(x * y) + z);
    }
    return saturated<T>(Wide{x} * y + z);
  });
  check<T, T>("hadd(x, y)", [](T x, T y) { return static_cast<T>((Wide{x} + y) >> 1); });
  check<T, T>("rhadd(x, y)", [](T x, T y) { return static_cast<T>((Wide{x} + y + 1) >> 1); });
  check<U, T>("abs_diff(x, y)", [](T x, T y) { return static_cast<U>(x < y ? Wide{y} - x : Wide{x} - y); });
  check<U, T>("abs(x)", [](T x) { return static_cast<U>(x < 0 ? -Wide{x} : Wide{x}); });
  check<T, T>("ctz(x)", [](T x) { return static_cast<T>(std::countr_zero(static_cast<U>(x))); });
  check<T, T>("rotate(x, y)", [](T x, T y) {
    return static_cast<T>(std::rotl(static_cast<U>(x), static_cast<int>(y & (width - 1))));
  });
  check<T, T>("bitselect(x, y, z)", [](T x, T y, T z) { return static_cast<T>((x & ~z) | (y & z)); });
  check<T, T>("select(x, y, z)", [](T x, T y, T z) { return z ? y : x; });
  check<T, T>("clamp(x, min(y, z), max(y, z))",
              [](T x, T y, T z) { return std::clamp(x, std::min(y, z), std::max(y, z)); });
}

template <class From, class To>
void check_saturation() {
  check<To, From>(std::string("convert_") + Name<To> + "_sat(x)", [](From x) { return saturated<To>(x); });
  check<To, From>(std::string("convert_") + Name<To> + "(x)", [](From x) { return static_cast<To>(x); });
}

template <class F>
void check_floats() {
  using L = std::numeric_limits<F>;
  check<F, F>("round(x)", [](F x) { return std::round(x); });
  check<F, F>("fdim(x, y)", [](F x, F y) { return std::fdim(x, y); });
  check<F, F>("copysign(x, y)", [](F x, F y) { return std::copysign(x, y); });
  check<F, F>("nextafter(x, y)", [](F x, F y) { return std::nextafter(x, y); });
  check<F, F>("sign(x)", [](F x) { return std::isnan(x) || x > 0 ? F(x > 0) : x < 0 ? F(-1) : x; });
  check<F, F>("step(x, y)", [](F x, F y) { return y < x ? F(0) : F(1); });
  check<F, F>("mix(x, y, z)", [](F x, F y, F z) { return std::fma(y - x, z, x); });
  check<F, F>("degrees(x)", [](F x) { return x * F(180 / M_PI); });
  check<F, F>("radians(x)", [](F x) { return x * F(M_PI / 180); });
  check<F, F>("maxmag(x, y)", [](F x, F y) {
    return std::fabs(x) > std::fabs(y)   ? x
           : std::fabs(y) > std::fabs(x) ? y
           : x == 0 && y == 0            ? (std::signbit(x) ? y : x)
                                         : std::fmax(x, y);
  });
  check<F, F, int32_t>("ldexp(x, y)", [](F x, int y) { return std::ldexp(x, y); });
  check<F, F, int32_t>("ldexp(x, y % 200)", [](F x, int y) { return std::ldexp(x, y % 200); });
  check<F, F>("ldexp(x, (int)clamp(y, (float)-1200, (float)1200))", [](F x, F y) {
    F n = std::isnan(y) ? F(-1200) : std::clamp(y, F(-1200), F(1200));
    return std::ldexp(x, static_cast<int>(n));
  });
  auto with_result = [](const std::string& call, const char* type) {
    return "({ " + std::string(type) + " r; " + call + "; })";
  };
  check<F, F>(with_result("modf(x, &r)", Name<F>), [](F x) {
    F r;
    return std::modf(x, &r);
  });
  check<F, F>(with_result("modf(x, &r), r", Name<F>), [](F x) {
    F r;
    return std::modf(x, &r), r;
  });
  check<F, F>(with_result("fract(x, &r), r", Name<F>), [](F x) { return std::floor(x); });
  check<F, F>(with_result("fract(x, &r)", Name<F>), [](F x) {
    if (std::isinf(x)) return std::copysign(F(0), x);
    return x == 0 ? x : std::isnan(x) ? x : std::min(x - std::floor(x), std::nextafter(F(1), F(0)));
  });
  check<F, F>(with_result("frexp(x, &r)", "int"), [](F x) {
    int r;
    return std::frexp(x, &r);
  });
  check<int32_t, F>(with_result("frexp(x, &r), r", "int"), [](F x) {
    int r = 0;
    std::frexp(x, &r);
    return std::isfinite(x) ? r : 0;
  });
  check<int32_t, F>("isnan(x) + 2 * isinf(x) + 4 * isfinite(x) + 8 * isnormal(x) + 16 * signbit(x)", [](F x) {
    return std::isnan(x) + 2 * std::isinf(x) + 4 * std::isfinite(x) + 8 * std::isnormal(x) +
           16 * std::signbit(x);
  });
  check<int32_t, F>(
      "isordered(x, y) + 2 * isunordered(x, y) + 4 * isequal(x, y) + 8 * isnotequal(x, y) + 16 * "
      "isgreater(x, y) + 32 * "
      "isgreaterequal(x, y) + 64 * isless(x, y) + 128 * islessequal(x, y) + 256 * islessgreater(x, y)",
      [](F x, F y) {
        return !std::isunordered(x, y) + 2 * std::isunordered(x, y) + 4 * (x == y) + 8 * (x != y) +
               16 * (x > y) + 32 * (x >= y) + 64 * (x < y) + 128 * (x <= y) + 256 * std::islessgreater(x, y);
      });
  check<F, F>("bitselect(x, y, z)", [](F x, F y, F z) {
    auto b = [](F v) { return std::bit_cast<Bits<F>>(v); };
    return std::bit_cast<F>((b(x) & ~b(z)) | (b(y) & b(z)));
  });
  CHECK(L::is_iec559);
}

}  // namespace

TEST_CASE("integer built-ins") {
  check_integers<int8_t>();
  check_integers<uint8_t>();
  check_integers<int16_t>();
  check_integers<uint16_t>();
  check_integers<int32_t>();
  check_integers<uint32_t>();
  check_integers<int64_t>();
  check_integers<uint64_t>();
  check<uint16_t, uint8_t>("upsample(x, y)", [](uint8_t x, uint8_t y) { return x << 8 | y; });
  check<int64_t, int32_t, uint32_t>("upsample(x, y)", [](int32_t x, uint32_t y) {
    return static_cast<int64_t>(static_cast<uint64_t>(x) << 32 | y);
  });
}

TEST_CASE("float built-ins") {
  check_floats<float>();
  check_floats<double>();
}

TEST_CASE("conversions that saturate and round") {
  check_saturation<int32_t, int8_t>();
  check_saturation<int32_t, uint8_t>();
  check_saturation<uint32_t, int8_t>();
  check_saturation<uint32_t, int32_t>();
  check_saturation<int32_t, uint32_t>();
  check_saturation<int8_t, uint64_t>();
  check_saturation<int64_t, int32_t>();
  check_saturation<int64_t, uint16_t>();
  check_saturation<uint64_t, int64_t>();
  check_saturation<int16_t, int64_t>();
  auto to_int = [](double x) {
    return std::isnan(x) ? 0 : static_cast<int>(std::clamp(x, -2147483648.0, 2147483647.0));
  };
  check<int32_t, double>("convert_int_rte(x)", [&](double x) { return to_int(std::rint(x)); });
  check<int32_t, double>("convert_int_sat_rtp(x)", [&](double x) { return to_int(std::ceil(x)); });
  check<int32_t, double>("convert_int_rtn(x)", [&](double x) { return to_int(std::floor(x)); });
  check<int32_t, double>("convert_int_rtz(x)", to_int);
  auto directed = [](double x, int direction) {  // by definition, from the nearest float
    float f = static_cast<float>(x);
    if (direction > 0 && f < x) return std::nextafter(f, INFINITY);
    if (direction < 0 && f > x) return std::nextafter(f, -INFINITY);
    if (direction == 0 && std::fabs(f) > std::fabs(x)) return std::nextafter(f, 0.0f);
    return f;
  };
  check<float, double>("convert_float_rtp(x)", [&](double x) { return directed(x, 1); });
  check<float, double>("convert_float_rtn(x)", [&](double x) { return directed(x, -1); });
  check<float, double>("convert_float_rtz(x)", [&](double x) { return directed(x, 0); });
  check<float, double>("convert_float_rte(x)", [](double x) { return static_cast<float>(x); });
  check<float, int32_t>("convert_float_rtp(x)", [&](int x) { return directed(x, 1); });
  check<float, uint32_t>("convert_float_rtz(x)", [&](unsigned x) { return directed(x, 0); });
}

TEST_CASE("barriers and local memory") {
  std::vector<int> data(32);
  std::iota(data.begin(), data.end(), 1);
  const std::string source = R"(
    void exchange(local int* tile, int i) { barrier(CLK_LOCAL_MEM_FENCE); tile[i] += tile[i ^ 1]; }
    kernel __attribute__((reqd_work_group_size(8, 1, 1))) void reversed(global int* p) {
      local int tile[8], *first = &tile[0];
      local struct { int count; } shared;
      int l = get_local_id(0), g = get_global_id(0);
      tile[l] = p[g];
      if (l == 0) shared.count = 100;
      barrier(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE);
      p[g] = first[7 - l] + shared.count;
      mem_fence(CLK_GLOBAL_MEM_FENCE);
    })";
  kc::RunResult r = run(source, "reversed", {32, 1, 1}, {address(data)}, {range(data)});
  INFO(r.message);
  REQUIRE(r.ok());
  CHECK(data[0] == 108);
  CHECK(data[7] == 101);
  CHECK(data[31] == 125);

  kc::FrontendResult compiled = compile(
      "kernel void k(global int* p) {\n barrier(CLK_LOCAL_MEM_FENCE);\n "
      "work_group_barrier(CLK_GLOBAL_MEM_FENCE); barrier(p[0]); }");
  REQUIRE(compiled.module);
  const kc::Function& f = *compiled.module->functions[0];
  REQUIRE(f.traps.size() == 3);
  CHECK(f.traps[0].kind == kc::TrapKind::DivergentBarrier);
  CHECK(f.traps[0].loc == kc::Loc{2, 2});
  std::string text = kc::print(f);
  CHECK(has(text, "barrier flags=1, site=0"));
  CHECK(has(text, "barrier flags=2, site=1"));
  CHECK(has(text, "barrier flags=3, site=2"));
}

TEST_CASE("atomics give the old value") {
  auto counters = [](const std::string& statements, const std::string& type = "int") {
    std::vector<int> p{10, -5, 0, 0, 7, 0, 0, 0};
    kc::RunResult r = run("kernel void k(global " + type + "* p) { " + statements + " }", "k", {4, 1, 1},
                          {address(p)}, {range(p)});
    INFO(statements << r.message);
    REQUIRE(r.ok());
    return p;
  };
  using Ints = std::vector<int>;
  CHECK(counters("p[4 + get_global_id(0)] = atomic_add(p, 3); atom_sub(p + 1, 1); atomic_inc(&p[2]); "
                 "atom_dec(&p[3]);") == Ints{22, -9, 4, -4, 10, 13, 16, 19});
  CHECK(counters("int i = get_global_id(0); atomic_min(p, i); atomic_max(p + 1, i); atomic_or(p + 2, 1 << "
                 "i); p[4 + i] = "
                 "atomic_cmpxchg(p + 3, i, i + 1); ") == Ints{0, 3, 15, 4, 0, 1, 2, 3});
  CHECK(counters("uint i = get_global_id(0); atomic_min(p, i + 20); atomic_max(p + 1, i); atomic_and(p + 2, "
                 "0); atomic_xor(p + 3, "
                 "1 << i); p[4 + i] = atomic_xchg(p + 4, i);",
                 "uint") == Ints{10, -5, 0, 15, 3, 7, 1, 2});
  std::vector<float> f{1.5f, 0, 0};
  REQUIRE(run("kernel void k(global float* f) { local float l; l = 3; f[1] = atomic_xchg(f, 2.5f); f[2] = "
              "atom_xchg(&l, 1.0f) + l; }",
              "k", {1, 1, 1}, {address(f)}, {range(f)})
              .ok());
  CHECK(f == std::vector<float>{2.5f, 1.5f, 4.0f});
  std::vector<int64_t> l{1, -1};
  REQUIRE(run("kernel void k(global long* l) { l[1] = atom_add(l, 1L << 40) + atom_max(l, 5L); }", "k",
              {1, 1, 1}, {address(l)}, {range(l)})
              .ok());
  CHECK(l == std::vector<int64_t>{(int64_t{1} << 40) + 1, (int64_t{1} << 40) + 2});
}

TEST_CASE("assert ends the work-item") {
  std::vector<int> p{5, 6, 7, 8};
  kc::RunResult r =
      run("#define LIMIT 7\nkernel void k(global int* p) {\n  int i = get_global_id(0);\n  assert(p[i] <\n   "
          "  LIMIT);\n  "
          "p[i] = 0; }",
          "k", {4, 1, 1}, {address(p)}, {range(p)});
  CHECK(r.status == kc::RunStatus::Trapped);
  REQUIRE(r.trap);
  CHECK(r.trap->site.kind == kc::TrapKind::Assert);
  CHECK(r.trap->site.type == "p[i] < LIMIT");
  CHECK(r.trap->site.loc.line == 4);
  CHECK(r.trap->count == 2);
  CHECK(p == std::vector<int>{0, 0, 7, 8});
}
