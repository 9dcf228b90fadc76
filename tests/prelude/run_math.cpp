// SPDX-License-Identifier: Apache-2.0
#include "tests/prelude/run_math.h"

#include <fmt/format.h>
#include <quadmath.h>

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstring>
#include <limits>
#include <random>

#include "driver/compiler.h"

namespace kc::test {
namespace {

template <class T>
using Bits = std::conditional_t<sizeof(T) == 8, uint64_t, uint32_t>;

template <class T>
std::vector<T> special_values() {
  using L = std::numeric_limits<T>;
  std::vector<T> v{0,
                   L::denorm_min(),
                   L::min() / 2,
                   L::min(),
                   L::epsilon(),
                   T(0.25),
                   T(0.5),
                   1 - L::epsilon() / 2,
                   1,
                   1 + L::epsilon(),
                   T(1.5),
                   2,
                   T(2.5),
                   3,
                   4,
                   7,
                   100,
                   T(1e6),
                   T(1e6) + T(0.5),
                   T(1) / L::epsilon(),
                   3 / L::epsilon(),
                   L::max() / 2,
                   L::max(),
                   L::infinity(),
                   T(M_PI),
                   T(M_PI_2),
                   T(33.5),
                   T(70),
                   T(709)};
  for (size_t i = 0, n = v.size(); i < n; ++i) v.push_back(-v[i]);
  v.push_back(L::quiet_NaN());
  return v;
}

template <class T>
T random_bits(std::mt19937_64& random) {
  return std::bit_cast<T>(static_cast<Bits<T>>(random()));
}

template <class T>
constexpr const char* kName = sizeof(T) == 8 ? "double" : "float";

double quad_to_double(__float128 x) { return static_cast<double>(x); }
double quad_to_double(double x) { return x; }

template <class W>
W truth(const MathFunction& f, W x, W y) {
  if constexpr (sizeof(W) == 16)
    return f.of_quad(x, y);
  else
    return f.of_double(x, y);
}

// The distance between adjacent values at x, of the type T.
template <class T, class W>
W ulp_at(W x) {
  using L = std::numeric_limits<T>;
  int exponent = 0;
  std::frexp(quad_to_double(x), &exponent);
  if (std::fabs(quad_to_double(x)) < std::numeric_limits<double>::min()) exponent = L::min_exponent;
  exponent = std::clamp(exponent, L::min_exponent, L::max_exponent);
  return static_cast<W>(std::ldexp(1.0, std::max(exponent - L::digits, -1074)));
}

}  // namespace

std::string call_of(const MathFunction& f) {
  if (!f.call.empty()) return f.call;
  const char* rest = f.arguments == Arguments::One ? "" : f.arguments == Arguments::Two ? ", y" : ", n";
  return fmt::format("{}(x{})", f.name, rest);
}

template <class T>
Samples<T> samples(const MathFunction& f, size_t count, uint64_t seed) {
  Samples<T> s;
  auto add = [&](T x, T y, int32_t n) { s.x.push_back(x), s.y.push_back(y), s.n.push_back(n); };
  const int32_t whole[] = {0,         1,  2,  3,  5,  8,         1000,         16777217,
                           INT32_MAX, -1, -2, -3, -7, INT32_MIN, INT32_MIN + 1};
  for (T x : special_values<T>()) {
    if (f.arguments == Arguments::One) add(x, 0, 0);
    if (f.arguments == Arguments::Two)
      for (T y : special_values<T>()) add(x, y, 0);
    if (f.arguments == Arguments::Int)
      for (int32_t n : whole) add(x, 0, n);
  }
  std::mt19937_64 random(seed);
  // Limits a float to arguments that only doubles exceed.
  double most = sizeof(T) == 8 ? 1e300 : 110, low = std::max(f.low, -most), high = std::min(f.high, most);
  std::uniform_real_distribution<double> inside(low, high);
  while (s.x.size() < count) {
    T x = static_cast<T>(inside(random)), y = static_cast<T>(inside(random));
    auto n = static_cast<int32_t>(random() % 64) - 32;
    switch (random() % 4) {
      case 0:
        x = random_bits<T>(random), y = random_bits<T>(random), n = static_cast<int32_t>(random());
        break;
      case 1:  // uniformly distributed exponents, with y near x
        x = random_bits<T>(random), y = static_cast<T>(x * std::exp2(inside(random) / 4));
        // Powers over their full range: the error of the logarithm grows with the product.
        if (f.name.starts_with("pow"))
          x = static_cast<T>(std::exp2(inside(random) / 60)),
          y = static_cast<T>((static_cast<double>(random() % 4096) / 4096 - 0.5) *
                             (sizeof(T) == 8 ? 2200 : 300) / std::log2(static_cast<double>(x)));
        break;
      case 2:
        x = static_cast<T>(std::exp2(inside(random) / std::max(std::fabs(low), std::fabs(high)) * 3));
        break;
      default:
        break;
    }
    add(x, y, n);
  }
  return s;
}

template <class T>
std::expected<std::vector<T>, std::string> run_math(const std::string& expression, const std::string& engine,
                                                    const Samples<T>& samples) {
  std::string source = fmt::format(
      "#define T {0}\n#define x xs[i]\n#define y ys[i]\n#define n ns[i]\n"
      "kernel void k(global const {0}* xs, global const {0}* ys, global const int* ns, global {0}* out) {{\n"
      "  size_t i = get_global_id(0); out[i] = {1}; (void)ys; (void)ns;\n}}\n",
      kName<T>, expression);
  size_t count = (samples.x.size() + 63) / 64 * 64;
  std::string buffer = fmt::format("{}[{}]", sizeof(T) == 8 ? "f64" : "f32", count);
  CommandLine command = parse_command_line({"run", "k.cl", "--global", std::to_string(count), "--local", "64",
                                            "--arg", "xs=" + buffer, "--arg", "ys=" + buffer, "--arg",
                                            fmt::format("ns=i32[{}]", count), "--arg", "out=" + buffer});
  if (!command.options) return std::unexpected(command.text);
  FrontendOptions front = frontend_options(*command.options);
  front.diagnostics.warnings = {"everything", "error"};
  FrontendResult compiled = compile_source(source, front);
  if (!compiled.module) return std::unexpected(compiled.diagnostics);
  const Function& kernel = *compiled.module->functions[0];
  auto program = make_program(kernel, *command.options);
  auto spec = make_launch(kernel, *command.options);
  auto args = parse_arguments(kernel, command.options->args);
  if (!program || !spec || !args) return std::unexpected("no program, launch or arguments");
  auto fill = [&](size_t k, const auto& values) {
    std::memcpy(args->buffers[k].bytes.data(), values.data(), values.size() * sizeof values[0]);
  };
  fill(0, samples.x), fill(1, samples.y), fill(2, samples.n);
  const EngineInfo* info = find_engine(engine);
  auto route = info->make({.width = info->width, .threads = 1, .assembly_text = true});
  EngineResult r = route->prepare(*program, *spec);
  if (r.status == EngineStatus::Ok) r = route->launch(*args);
  if (r.status != EngineStatus::Ok)
    return std::unexpected((r.status == EngineStatus::Unsupported || r.status == EngineStatus::Absent
                                ? "refused: "
                                : "failed: ") +
                           r.message);
  std::vector<T> out(samples.x.size());
  std::memcpy(out.data(), args->buffers[3].bytes.data(), out.size() * sizeof(T));
  return out;
}

template <class T>
double error_in_ulp(T got, const MathFunction& f, T x, T y, int32_t n) {
  using W = std::conditional_t<sizeof(T) == 8, __float128, double>;
  constexpr double wrong = 1e30;
  W right = truth<W>(f, x, f.arguments == Arguments::Int ? W(n) : W(y));
  T nearest = static_cast<T>(right);
  if (right != right || got != got) return (right != right) == (got != got) ? 0 : wrong;
  if (got == nearest) return got == 0 && right == 0 && std::signbit(got) != std::signbit(nearest) ? wrong : 0;
  if (std::isinf(quad_to_double(right)) && right == static_cast<W>(quad_to_double(right)) &&
      std::isinf(nearest) && quad_to_double(right) == INFINITY &&
      right > static_cast<W>(std::numeric_limits<double>::max()) * 2)
    return wrong;
  // Infinity counts as the successor of the largest number.
  W value = got;
  if (std::isinf(got)) {
    value = static_cast<W>(std::numeric_limits<T>::max());
    value += ulp_at<T, W>(value);
    value = got < 0 ? -value : value;
  }
  W error = value - right;
  if (error < 0) error = -error;
  return std::min(wrong, quad_to_double(error / ulp_at<T, W>(right)));
}

template <class T>
WorstError worst_error(const std::vector<T>& got, const MathFunction& f, const Samples<T>& s) {
  WorstError worst;
  for (size_t i = 0; i < got.size(); ++i) {
    double e = error_in_ulp<T>(got[i], f, s.x[i], s.y[i], s.n[i]);
    if (e > worst.ulp) worst = {e, i};
  }
  return worst;
}

#define FOR_TYPE(T)                                                                                       \
  template Samples<T> samples<T>(const MathFunction&, size_t, uint64_t);                                  \
  template std::expected<std::vector<T>, std::string> run_math<T>(const std::string&, const std::string&, \
                                                                  const Samples<T>&);                     \
  template double error_in_ulp<T>(T, const MathFunction&, T, T, int32_t);                                 \
  template WorstError worst_error<T>(const std::vector<T>&, const MathFunction&, const Samples<T>&);
FOR_TYPE(float)
FOR_TYPE(double)
#undef FOR_TYPE

}  // namespace kc::test
