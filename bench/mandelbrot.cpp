// SPDX-License-Identifier: Apache-2.0
// Mandelbrot, 768 x 512 pixels of at most 256 steps, on one thread: kernelc's CPU code against the OpenCL
// implementation of this machine, on the same unmodified file, in one run.
//
//   bench_mandelbrot KERNELC MANDELBROT.CL
#include <fmt/format.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <nlohmann/json.hpp>

namespace {

constexpr int kWidth = 768, kHeight = 512, kLimit = 256;
constexpr float kLeft = -2.2f, kTop = -1.2f, kStep = 0.003125f;
constexpr unsigned kRepeat = 25;

struct Row {
  std::string name, note;
  double compile_ms = 0;
  std::vector<double> launch_ms;  // sorted
  std::vector<uint8_t> out;
  bool skipped() const { return launch_ms.empty(); }
  double median() const { return launch_ms[launch_ms.size() / 2]; }
};

Row skipped(std::string name, std::string why) { return {.name = std::move(name), .note = std::move(why)}; }

Row run_kernelc(const std::string& kernelc, const std::string& file, const std::string& target) {
  std::string dump = fmt::format("bench_{}.bin", target);
  std::string command = fmt::format(
      "'{}' run '{}' --target {} --threads 1 --repeat {} --json --global {},{} --local 64,1 --arg "
      "'out=u32[{}]'"
      " --arg width={} --arg left={}f --arg top={}f --arg step={}f --arg limit={} --dump out={} 2>/dev/null",
      kernelc, file, target, kRepeat, kWidth, kHeight, kWidth * kHeight, kWidth, kLeft, kTop, kStep, kLimit,
      dump);
  std::FILE* pipe = popen(command.c_str(), "r");
  if (!pipe) return skipped(target, "cannot start kernelc");
  std::string text;
  char part[4096];
  while (size_t n = std::fread(part, 1, sizeof part, pipe)) text.append(part, n);
  int status = pclose(pipe);
  auto json = nlohmann::json::parse(text, nullptr, false);
  if (status != 0 || json.is_discarded())
    return skipped(target, fmt::format("exit status {}", (status >> 8) & 255));
  Row row{.name = target,
          .note = json.value("note", ""),
          .compile_ms = json["compile_ms"],
          .launch_ms = json["launch_ms"]};
  std::sort(row.launch_ms.begin(), row.launch_ms.end());
  std::ifstream in(dump, std::ios::binary);
  row.out.assign(std::istreambuf_iterator<char>(in), {});
  std::remove(dump.c_str());
  return row;
}

std::string cpu_name() {
  std::ifstream in("/proc/cpuinfo");
  for (std::string line; std::getline(in, line);)
    if (line.starts_with("model name")) return line.substr(line.find(':') + 2);
  return "unknown CPU";
}

size_t different_pixels(const Row& a, const Row& b) {
  size_t n = 0;
  for (size_t i = 0; i + 4 <= std::min(a.out.size(), b.out.size()); i += 4)
    n += std::memcmp(&a.out[i], &b.out[i], 4) != 0;
  return n;
}

}  // namespace

int main(int argc, char** argv) {
  if (argc != 3) {
    fmt::print(stderr, "usage: bench_mandelbrot KERNELC MANDELBROT.CL\n");
    return 2;
  }
  std::vector<Row> rows;
  rows.push_back(run_kernelc(argv[1], argv[2], "avx2"));
  // Without the hardware that code runs in the emulator, whose time says nothing.
  if (__builtin_cpu_supports("avx512f")) rows.push_back(run_kernelc(argv[1], argv[2], "avx512"));
  // No kernels from earlier runs.
  setenv("POCL_KERNEL_CACHE", "0", 1);
  rows.push_back(run_kernelc(argv[1], argv[2], "opencl"));
  const Row& peer = rows.back();
  fmt::print("mandelbrot {}x{}, {} steps, one thread, median of {} launches, {}\n\n", kWidth, kHeight, kLimit,
             kRepeat, cpu_name());
  fmt::print("{:<28} {:>11} {:>10} {:>10} {:>10} {:>12} {:>14}\n", "", "compile ms", "median ms", "min ms",
             "max ms", "peer / this", "pixels differ");
  for (const Row& r : rows) {
    if (r.skipped()) {
      fmt::print("{:<28} skipped: {}\n", r.name, r.note);
      continue;
    }
    std::string ratio = peer.skipped() ? "-" : fmt::format("{:.2f}", peer.median() / r.median());
    std::string pixels = peer.skipped() ? "-" : std::to_string(different_pixels(r, peer));
    fmt::print("{:<28} {:>11.1f} {:>10.2f} {:>10.2f} {:>10.2f} {:>12} {:>14}\n", r.name, r.compile_ms,
               r.median(), r.launch_ms.front(), r.launch_ms.back(), ratio, pixels);
  }
  if (!peer.skipped()) fmt::print("\nThe peer is {}.\n", peer.note);
  fmt::print(
      "\nPixels may differ from the peer's: each compiler fuses multiplications and additions by its own "
      "rules.\n");
  return 0;
}
