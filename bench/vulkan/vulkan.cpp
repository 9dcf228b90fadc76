// SPDX-License-Identifier: Apache-2.0
// Our SPIR-V against that of kernels written by hand in GLSL, on the same Vulkan device, in turns.
// Contraction is off on both sides, so the results must be the same bits. Ratios are times of ours by times
// of GLSL.
//
//   bench_vulkan ROOT [REPEAT]
//
// glslangValidator makes the modules of the GLSL. Without it, or without a device, there is nothing to
// measure.
#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <cstdlib>
#include <cstring>
#include <ctime>

#include "backends/spirv/spirv.h"
#include "driver/session.h"
#include "host/vulkan_code.h"
#include "ir/process.h"

namespace kc::bench {
namespace {

using Clock = std::chrono::steady_clock;

struct Case {
  std::string_view name, file;
  std::vector<std::string> launch;
};

const Case kCases[] = {
    {"mandelbrot",
     "examples/mandelbrot/mandelbrot.cl",
     {"--global", "768,512", "--local", "64,1", "--arg", "out=u32[393216]", "--arg", "width=768", "--arg",
      "left=-2.2f", "--arg", "top=-1.2f", "--arg", "step=0.003125f", "--arg", "limit=256"}},
    {"ray_march",
     "bench/cpu/kernels/ray_march.cl",
     {"--global", "512,512", "--local", "64,1", "--arg", "image=f32[262144]", "--arg", "width=512", "--arg",
      "height=512", "--arg", "steps=96", "--arg", "count=9"}},
    {"scanner",
     "examples/scanner/scanner.cl",
     {"--global", "16384", "--local", "64", "--arg", "text=@TEXT", "--arg", "stride=64", "--arg",
      "out=i32[65536]"}},
};

// One module with its arguments in buffers of the device.
struct Side {
  std::optional<VulkanKernel> kernel;
  std::vector<VulkanBuffer> buffers;
  VulkanLaunch launch{};
  std::vector<double> times{};
  double least() const { return std::ranges::min(times); }
};

[[noreturn]] void give_up(const std::string& message) {
  fmt::print("{}\n", message);
  std::exit(1);
}

// The same text for every run: lines of words, numbers, strings and a few errors.
std::string make_text() {
  constexpr std::string_view kPieces[] = {"word ",   "x1,",   "12 ",   "3.25;", "\"a string\" ",
                                          "\"\\n\"", "name ", "_id_ ", "4711,", "a \"b\\\"c\" "};
  std::string text;
  uint64_t state = 1;
  for (int line = 0; line < 16384; ++line) {
    std::string s;
    while (s.size() < 64) {
      state = state * 6364136223846793005u + 1442695040888963407u;
      s += kPieces[(state >> 33) % std::size(kPieces)];
      if ((state >> 40) % 97 == 0) s += '#';
      if ((state >> 48) % 211 == 0) s += '!';
    }
    text += s.substr(0, 64);
  }
  return text;
}

std::vector<uint32_t> compile_glsl(const std::string& source, const std::string& out) {
  auto ran = run_tool({"glslangValidator", "-V", "--target-env", "vulkan1.2", source, "-o", out});
  if (!ran) give_up("skipped: " + ran.error().message);
  if (ran->exit_code != 0) give_up(ran->out + ran->err);
  auto bytes = read_file(out);
  if (!bytes) give_up(bytes.error());
  std::vector<uint32_t> words(bytes->size() / 4);
  std::memcpy(words.data(), bytes->data(), words.size() * 4);
  return words;
}

Side prepare(VulkanDevice& device, const VulkanImage& image, const Session& session) {
  Side side;
  auto kernel = device.load(image);
  if (!kernel) give_up(kernel.error().message);
  side.kernel.emplace(std::move(*kernel));
  side.launch = {.dims = session.spec.dims,
                 .global = session.spec.global,
                 .offset = session.spec.offset,
                 .params = std::vector<std::byte>(image.params_size)};
  for (const BufferArg& b : session.inputs.buffers) {
    auto buffer = device.create_buffer(b.bytes.size());
    if (!buffer) give_up(buffer.error().message);
    std::memcpy(buffer->bytes().data(), b.bytes.data(), b.bytes.size());
    side.buffers.push_back(std::move(*buffer));
  }
  for (size_t i = 0; i < session.inputs.values.size(); ++i) {
    const ArgumentValue& v = session.inputs.values[i];
    uint64_t bits = v.buffer < 0 ? v.bits : side.buffers[static_cast<size_t>(v.buffer)].address();
    std::memcpy(side.launch.params.data() + image.params[i].offset, &bits, image.params[i].size);
  }
  return side;
}

// What the threads of this process have computed so far, which is what a device on the CPU does.
double cpu_ms() {
  timespec t{};
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
  return static_cast<double>(t.tv_sec) * 1e3 + static_cast<double>(t.tv_nsec) * 1e-6;
}

void launch(VulkanDevice& device, Side& side) {
  const bool on_cpu = device.info().name.find("llvmpipe") != std::string::npos;
  const double start = cpu_ms();
  auto time = device.launch(*side.kernel, side.launch);
  if (!time) give_up(time.error().message);
  side.times.push_back(on_cpu ? cpu_ms() - start : *time);
}

// Launches that follow each other share what else the machine does.
double ratio_of(const Side& ours, const Side& theirs) {
  std::vector<double> ratios;
  for (size_t i = 0; i < ours.times.size(); ++i) ratios.push_back(ours.times[i] / theirs.times[i]);
  std::ranges::sort(ratios);
  return ratios[ratios.size() / 2];
}

bool same_results(const Side& a, const Side& b) {
  for (size_t i = 0; i < a.buffers.size(); ++i)
    if (!std::ranges::equal(a.buffers[i].bytes(), b.buffers[i].bytes())) return false;
  return true;
}

void measure(VulkanDevice& device, const Case& c, const std::string& root, const TempDir& work, int repeat) {
  std::vector<std::string> words{"run", fmt::format("{}/{}", root, c.file), "-ffp-contract=off"};
  for (std::string word : c.launch) {
    if (size_t at = word.find("@TEXT"); at != std::string::npos) word.replace(at + 1, 4, work.file("text"));
    words.push_back(word);
  }
  CommandLine line = parse_command_line(words);
  if (!line.options) give_up(line.text);
  auto session = open_session(*line.options);
  if (!session) give_up(session.error().message);

  VulkanImage image;
  double emission_ms = 1e9;
  for (int round = 0; round < 5; ++round) {
    auto start = Clock::now();
    auto prepared = make_spirv_form(*session->program.optimised,
                                    wave_config({.small_buffers = session->spec.small_buffers}));
    image = emit_spirv(*prepared, spirv_options(device.info(), session->spec.local));
    emission_ms =
        std::min(emission_ms, std::chrono::duration<double, std::milli>(Clock::now() - start).count());
  }
  VulkanImage glsl = image;
  glsl.entry_point = "main";
  glsl.sized_at_load = true;
  glsl.words = compile_glsl(fmt::format("{}/bench/vulkan/{}.comp", root, c.name), work.file("glsl.spv"));

  Side ours = prepare(device, image, *session), theirs = prepare(device, glsl, *session);
  for (int k = 0; k < repeat; ++k) launch(device, ours), launch(device, theirs);
  fmt::print("{:<12}{:>10.2f}{:>10.2f}{:>8.2f}{:>14.2f}  {}\n", c.name, theirs.least(), ours.least(),
             ratio_of(ours, theirs), emission_ms, same_results(ours, theirs) ? "" : "RESULTS DIFFER");
}

}  // namespace
}  // namespace kc::bench

int main(int argc, char** argv) {
  using namespace kc;
  if (argc < 2) bench::give_up("usage: bench_vulkan ROOT [REPEAT]");
  auto device = VulkanDevice::open(vulkan_device_options());
  if (!device) bench::give_up("skipped: " + device.error().message);
  const TempDir work;
  if (!work.valid() || !write_file(work.file("text"), bench::make_text()))
    bench::give_up("cannot write to a temporary folder");
  fmt::print("{}\n{:<12}{:>10}{:>10}{:>8}{:>14}\n", device->info().name, "kernel", "GLSL ms", "ours ms",
             "ratio", "emission ms");
  for (const bench::Case& c : bench::kCases)
    bench::measure(*device, c, argv[1], work, argc > 2 ? std::atoi(argv[2]) : 15);
}
