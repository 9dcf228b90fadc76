// SPDX-License-Identifier: Apache-2.0
#include "runtime/cpu/cpu.h"

#include <asmjit/core.h>
#include <fmt/format.h>
#include <tbb/parallel_for.h>
#include <tbb/task_arena.h>

#include <algorithm>
#include <cstring>
#include <memory>
#include <vector>

namespace kc {
namespace {

using Size3 = std::array<uint64_t, 3>;

// Ids that cross this line change their sign as 32-bit numbers; compiled code relies on no wave doing so.
constexpr uint64_t kWaveBoundary = uint64_t{1} << 31;

// A stretch of memory for one thread, aligned to a cache line.
class Scratch {
 public:
  explicit Scratch(size_t bytes) : bytes_(bytes ? new (std::align_val_t{64}) uint8_t[bytes]() : nullptr) {}
  ~Scratch() { ::operator delete[](bytes_, std::align_val_t{64}); }
  Scratch(const Scratch&) = delete;
  Scratch& operator=(const Scratch&) = delete;
  uint8_t* data() const { return bytes_; }

 private:
  uint8_t* bytes_;
};

// Machine code, or a function that stands for it.
struct WaveCode {
  CpuEntry entry = nullptr;
  std::function<void(const CpuWaveContext*)> stand_in;
  void operator()(const CpuWaveContext* c) const { entry ? entry(c) : stand_in(c); }
};

// One row of a group, or, where groups cannot be seen, of the whole grid: waves along x.
void run_row(const WaveCode& code, uint32_t width, CpuWaveContext& c, uint64_t local_x, uint64_t count) {
  for (uint64_t x = 0; x < count;) {
    uint64_t n = std::min<uint64_t>(width, count - x);
    n = std::min(n, kWaveBoundary - c.global_id[0] % kWaveBoundary);
    c.local_id[0] = local_x + x;
    c.mask = n == 64 ? ~uint64_t{0} : (uint64_t{1} << n) - 1;
    code(&c);
    c.global_id[0] += n;
    x += n;
  }
}

}  // namespace

CpuFeatures cpu_features() {
  __builtin_cpu_init();
  CpuFeatures f;
  f.avx2 = __builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma") && __builtin_cpu_supports("bmi") &&
           __builtin_cpu_supports("bmi2");
  f.avx512 = f.avx2 && __builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512bw") &&
             __builtin_cpu_supports("avx512dq") && __builtin_cpu_supports("avx512vl");
  return f;
}

struct CpuKernel::State {
  asmjit::JitAllocator allocator;
  WaveCode code;
  uint32_t width = 8;
  bool uses_groups = false;
  size_t params = 0;
  std::string name;
  void describe(const CpuImage& image) {
    width = image.width, uses_groups = image.uses_groups, params = image.params.size(), name = image.kernel;
  }
};

CpuKernel::CpuKernel(std::unique_ptr<State> state) : state_(std::move(state)) {}
CpuKernel::~CpuKernel() = default;
CpuKernel::CpuKernel(CpuKernel&&) noexcept = default;
CpuKernel& CpuKernel::operator=(CpuKernel&&) noexcept = default;

std::expected<CpuKernel, std::string> CpuKernel::load(const CpuImage& image) {
  CpuFeatures have = cpu_features();
  if (!have.avx2) return std::unexpected("this processor has no AVX2, FMA and BMI2");
  if (image.needs_avx512 && !have.avx512)
    return std::unexpected("this processor has no AVX-512 (F, BW, DQ, VL)");
  auto state = std::make_unique<State>();
  void *executable = nullptr, *writable = nullptr;
  asmjit::Error error = state->allocator.alloc(&executable, &writable, image.code.size());
  if (error != asmjit::kErrorOk)
    return std::unexpected(fmt::format("no executable memory for @{}: {}", image.kernel,
                                       asmjit::DebugUtils::errorAsString(error)));
  asmjit::VirtMem::protectJitMemory(asmjit::VirtMem::ProtectJitAccess::kReadWrite);
  std::memcpy(writable, image.code.data(), image.code.size());
  asmjit::VirtMem::protectJitMemory(asmjit::VirtMem::ProtectJitAccess::kReadExecute);
  asmjit::VirtMem::flushInstructionCache(executable, image.code.size());
  state->code.entry = reinterpret_cast<CpuEntry>(executable);
  state->describe(image);
  return CpuKernel(std::move(state));
}

CpuKernel CpuKernel::load(const CpuImage& image, std::function<void(const CpuWaveContext*)> wave) {
  auto state = std::make_unique<State>();
  state->code.stand_in = std::move(wave);
  state->describe(image);
  return CpuKernel(std::move(state));
}

std::expected<void, std::string> CpuKernel::run(const CpuLaunch& launch,
                                                std::span<const uint64_t> args) const {
  const State& s = *state_;
  if (args.size() != s.params)
    return std::unexpected(fmt::format("@{} takes {} arguments, got {}", s.name, s.params, args.size()));
  Size3 groups{};
  uint64_t total = 1;
  for (size_t d = 0; d < 3; ++d) {
    if (launch.local[d] == 0 || launch.global[d] % launch.local[d] != 0)
      return std::unexpected(
          fmt::format("@{}: global size {} is no multiple of local size {} in dimension {}", s.name,
                      launch.global[d], launch.local[d], d));
    groups[d] = launch.global[d] / launch.local[d];
    total *= launch.global[d];
  }
  if (total == 0) return {};

  auto context = [&] {
    CpuWaveContext c;
    c.args = args.data();
    std::copy(launch.global.begin(), launch.global.end(), c.global_size);
    std::copy(launch.local.begin(), launch.local.end(), c.local_size);
    std::copy(groups.begin(), groups.end(), c.num_groups);
    std::copy(launch.offset.begin(), launch.offset.end(), c.global_offset);
    c.dims = launch.dims;
    return c;
  };
  size_t private_bytes = size_t{launch.private_bytes} * s.width;

  // Groups cannot be seen: pieces of whole rows, each some thousands of work-items.
  uint64_t piece = std::max<uint64_t>(4096, s.width), pieces = (launch.global[0] + piece - 1) / piece;
  auto run_piece = [&](uint64_t from, uint64_t to) {
    Scratch mine(private_bytes);
    CpuWaveContext c = context();
    c.private_memory = mine.data();
    for (uint64_t i = from; i < to; ++i) {
      uint64_t row = i / pieces, x = i % pieces * piece;
      c.global_id[0] = launch.offset[0] + x;
      c.global_id[1] = launch.offset[1] + row % launch.global[1];
      c.global_id[2] = launch.offset[2] + row / launch.global[1];
      run_row(s.code, s.width, c, x, std::min(piece, launch.global[0] - x));
    }
  };
  auto run_groups = [&](uint64_t from, uint64_t to) {
    Scratch mine(private_bytes), local(launch.local_bytes);
    CpuWaveContext c = context();
    c.private_memory = mine.data();
    c.local_memory = local.data();
    for (uint64_t g = from; g < to; ++g) {
      Size3 group{g % groups[0], g / groups[0] % groups[1], g / groups[0] / groups[1]};
      std::copy(group.begin(), group.end(), c.group_id);
      for (uint64_t z = 0; z < launch.local[2]; ++z)
        for (uint64_t y = 0; y < launch.local[1]; ++y) {
          c.local_id[1] = y, c.local_id[2] = z;
          c.global_id[0] = launch.offset[0] + group[0] * launch.local[0];
          c.global_id[1] = launch.offset[1] + group[1] * launch.local[1] + y;
          c.global_id[2] = launch.offset[2] + group[2] * launch.local[2] + z;
          run_row(s.code, s.width, c, 0, launch.local[0]);
        }
    }
  };

  bool by_group = s.uses_groups || launch.local_bytes != 0;
  uint64_t tasks =
      by_group ? groups[0] * groups[1] * groups[2] : pieces * launch.global[1] * launch.global[2];
  auto run_some = [&](uint64_t from, uint64_t to) { by_group ? run_groups(from, to) : run_piece(from, to); };
  if (launch.threads == 1 || tasks == 1) {
    run_some(0, tasks);
    return {};
  }
  auto parallel = [&] {
    tbb::parallel_for(tbb::blocked_range<uint64_t>(0, tasks),
                      [&](const auto& range) { run_some(range.begin(), range.end()); });
  };
  if (launch.threads == 0) {
    parallel();
  } else {
    tbb::task_arena arena(static_cast<int>(launch.threads));
    arena.execute(parallel);
  }
  return {};
}

}  // namespace kc
