// SPDX-License-Identifier: Apache-2.0
// Runs a wave function on this processor and in the wave interpreter, on copies of the same buffers.
#pragma once

#include <catch2/catch.hpp>
#include <cmath>
#include <cstring>
#include <string>
#include <vector>

#include "backends/x64/x64.h"
#include "ir/text.h"
#include "ir/verify.h"
#include "runtime/cpu/cpu.h"
#include "sim/interpreter/wave_interpreter.h"

namespace kc::test {

using Bytes = std::vector<uint8_t>;

inline Module parse_wave(const std::string& text) {
  auto m = parse_module(text);
  if (!m) FAIL(m.error().render("test", text));
  auto errors = verify(*m->functions[0]);
  if (!errors.empty()) FAIL(render(*m->functions[0], errors) << text);
  return std::move(*m);
}

// In one copy, whose instructions can be counted.
inline X64Code compile(const Function& f, bool avx512 = false) {
  auto code = compile_x64(
      f,
      {.avx512 = avx512, .small_buffers = true, .full_waves = false, .keep_stages = true, .assembly = true});
  if (!code) FAIL(code.error().message << "\n" << print(f));
  return std::move(*code);
}

struct Launch {
  std::array<uint64_t, 3> global{1, 1, 1}, local{1, 1, 1};
  std::vector<Bytes> buffers;     // the first arguments
  std::vector<uint64_t> scalars;  // the arguments after the buffers
  uint32_t local_bytes = 0;
};

template <typename T>
Bytes bytes_of(const std::vector<T>& v) {
  Bytes b(v.size() * sizeof(T));
  if (!b.empty()) std::memcpy(b.data(), v.data(), b.size());
  return b;
}
template <typename T>
std::vector<T> values_of(const Bytes& b) {
  std::vector<T> v(b.size() / sizeof(T));
  if (!b.empty()) std::memcpy(v.data(), b.data(), b.size());
  return v;
}

inline std::vector<uint64_t> arguments(std::vector<Bytes>& buffers, const Launch& launch) {
  std::vector<uint64_t> args;
  for (Bytes& b : buffers) args.push_back(reinterpret_cast<uint64_t>(b.data()));
  args.insert(args.end(), launch.scalars.begin(), launch.scalars.end());
  return args;
}

inline std::vector<Bytes> run_machine(const X64Code& code, const Launch& launch, unsigned threads = 1) {
  auto kernel = CpuKernel::load(code.image);
  if (!kernel) FAIL(kernel.error());
  std::vector<Bytes> buffers = launch.buffers;
  CpuLaunch l;
  l.global = launch.global, l.local = launch.local, l.threads = threads;
  l.local_bytes = launch.local_bytes;
  l.private_bytes = static_cast<uint32_t>(code.private_bytes);
  auto ran = kernel->run(l, arguments(buffers, launch));
  if (!ran) FAIL(ran.error());
  return buffers;
}

inline std::vector<Bytes> run_interpreter(const Function& f, const Launch& launch) {
  std::vector<Bytes> buffers = launch.buffers;
  std::vector<MemoryRange> memory;
  for (Bytes& b : buffers) memory.push_back({reinterpret_cast<uint64_t>(b.data()), b.size()});
  LaunchSpec l;
  l.global = launch.global, l.local = launch.local, l.local_bytes = launch.local_bytes;
  WaveRunOptions options;
  options.memory = memory;
  WaveRunResult r = run_waves(f, l, arguments(buffers, launch), options);
  if (!r.ok()) FAIL(r.message << "\n" << print(f));
  return buffers;
}

/// The same bits, or both NaN.
inline bool same(Elem e, const uint8_t* a, const uint8_t* b) {
  if (std::memcmp(a, b, Type{e}.bytes()) == 0) return true;
  if (e == Elem::F32) {
    float x, y;
    std::memcpy(&x, a, 4), std::memcpy(&y, b, 4);
    return std::isnan(x) && std::isnan(y);
  }
  if (e == Elem::F64) {
    double x, y;
    std::memcpy(&x, a, 8), std::memcpy(&y, b, 8);
    return std::isnan(x) && std::isnan(y);
  }
  return false;
}

}  // namespace kc::test
