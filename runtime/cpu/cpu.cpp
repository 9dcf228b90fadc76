// SPDX-License-Identifier: Apache-2.0
#include "runtime/cpu/cpu.h"

#include <asmjit/core.h>
#include <fmt/format.h>
#include <tbb/enumerable_thread_specific.h>
#include <tbb/info.h>
#include <tbb/parallel_for.h>
#include <tbb/task_arena.h>
#include <xmmintrin.h>

#include <algorithm>
#include <atomic>
#include <bit>
#include <chrono>
#include <cstring>
#include <memory>
#include <mutex>
#include <new>
#include <utility>
#include <vector>

#include "runtime/cpu/barrier_arrivals.h"
#include "runtime/cpu/code_names.h"
#include "runtime/cpu/packed_waves.h"
#include "runtime/cpu/task_order.h"

namespace kc {
namespace {

using Size3 = std::array<uint64_t, 3>;

// Ids beyond this boundary are negative as 32-bit numbers; compiled code requires that no wave crosses it.
constexpr uint64_t kWaveBoundary = uint64_t{1} << 31;

// Work-items of a row that one task takes. Short pieces are for small launches, which would otherwise occupy
// a single thread, and for forms on trial; where there are many rows, these are the tasks.
constexpr uint64_t kLongPiece = 4096, kShortPiece = 256, kManyRows = 64;
uint64_t piece_of(const CpuLaunch& launch, bool on_trial) {
  const bool rows = launch.threads == 1 || launch.global[1] * launch.global[2] >= kManyRows;
  const uint64_t piece = launch.global[0] <= kLongPiece && !rows ? kShortPiece : kLongPiece;
  if (!on_trial) return piece;
  const uint64_t part = launch.global[0] * launch.global[1] * launch.global[2] / FormTrial::kTasks;
  return std::clamp(std::bit_floor(part), kShortPiece, piece);
}

// Work that takes longer justifies waking other threads.
constexpr std::chrono::microseconds kWorthThreads{30};

// Memory of whole cache lines that only grows. It retains old contents.
class Stretch {
 public:
  uint8_t* get(uint64_t bytes) {
    bytes = (bytes + kSpareBytes + 63) / 64 * 64;
    if (bytes > size_) {
      data_.reset();
      size_ = 0;
      data_.reset(new (std::align_val_t{64}) uint8_t[bytes]());
      size_ = bytes;
    }
    return data_.get();
  }

 private:
  struct Free {
    void operator()(uint8_t* p) const { ::operator delete[](p, std::align_val_t{64}); }
  };
  std::unique_ptr<uint8_t[], Free> data_;
  uint64_t size_ = 0;
};

// Per-thread state, reused between launches.
struct Workspace {
  Stretch private_memory, local_memory, frames;
  std::vector<CpuWaveContext> waves;  // of a group with barriers
  BarrierArrivals barriers;
  PackedWaves packed;
};

// oneTBB arenas, shared by all kernels. The launch of a program's own task must not begin others of its tasks
// while it waits, nor be bound to the threads of the program's arena.
class Arenas {
 public:
  // It outlives the exit handlers of the program, which may still launch.
  static Arenas& get() {
    static Arenas* arenas = new Arenas;
    return *arenas;
  }

  /// `threads`: 0 for all cores.
  template <typename Body>
  void run(unsigned threads, Body&& body) {
    // Where the arena has no room for this thread, another one runs this.
    auto isolated = [&]() KC_BEFORE_ORDER { tbb::this_task_arena::isolate(body); };
    if (threads == 0 || threads >= cores_) return all_.execute(isolated);
    std::unique_ptr<tbb::task_arena> arena = take(static_cast<int>(threads));
    arena->execute(isolated);
    std::lock_guard lock(mutex_);
    free_.push_back(std::move(arena));
  }

 private:
  // Concurrent launches with a number of threads use separate arenas. They are reused: creating one costs
  // more than many launches, and destroyed ones leave growing remains.
  std::unique_ptr<tbb::task_arena> take(int threads) {
    std::lock_guard lock(mutex_);
    for (auto& free : free_)
      if (free->max_concurrency() == threads) {
        std::swap(free, free_.back());
        auto arena = std::move(free_.back());
        free_.pop_back();
        return arena;
      }
    return std::make_unique<tbb::task_arena>(threads);
  }

  // The number of threads never exceeds the number of cores, even if an arena has more slots.
  const unsigned cores_ = static_cast<unsigned>(tbb::info::default_concurrency());
  tbb::task_arena all_{static_cast<int>(cores_)};
  std::mutex mutex_;
  std::vector<std::unique_ptr<tbb::task_arena>> free_;
};

// Machine code computes in the default mode of the processor, whatever that of the program is.
class FloatMode {
 public:
  FloatMode() : before_(_mm_getcsr()) { _mm_setcsr(kDefault); }
  ~FloatMode() { _mm_setcsr(before_); }
  FloatMode(const FloatMode&) = delete;
  FloatMode& operator=(const FloatMode&) = delete;

 private:
  static constexpr unsigned kDefault = 0x1f80;  // to nearest, with denormals, without traps
  const unsigned before_;
};

// Machine code, or a function in its place.
struct WaveCode {
  CpuEntry entry = nullptr;
  uint64_t bytes = 0;
  bool groups_meet = false;  // see CpuImage
  std::function<void(CpuWaveContext*)> stand_in;
  void operator()(CpuWaveContext& c) const { entry ? entry(&c) : stand_in(&c); }
};

uint64_t lanes_below(uint64_t n) { return n == 64 ? ~uint64_t{0} : (uint64_t{1} << n) - 1; }

// One row of a group, or of the whole grid if the kernel does not observe groups: waves along x. `rows`: code
// takes full waves together.
template <typename Wave>
void each_wave(uint32_t width, bool rows, CpuWaveContext& c, uint64_t local_x, uint64_t count, Wave&& wave) {
  const uint64_t first = c.global_id[0];
  for (uint64_t x = 0; x < count;) {
    const uint64_t left = std::min(count - x, kWaveBoundary - (first + x) % kWaveBoundary),
                   full = rows ? left / width : std::min<uint64_t>(left / width, 1),
                   lanes = full ? full * width : left;
    c.global_id[0] = first + x;
    c.local_id[0] = local_x + x;
    c.full_waves = full;
    c.mask = lanes_below(full ? width : left);
    wave();
    x += lanes;
  }
}

}  // namespace

struct CpuKernel::State {
  asmjit::JitAllocator allocator;
  WaveCode code;
  uint32_t width = 8, frame_bytes = 0;
  bool uses_groups = false, has_barriers = false, packed = false, takes_rows = false;
  size_t params = 0;
  std::string name;
  tbb::enumerable_thread_specific<Workspace> workspaces;
  std::optional<CodeName> known_as;  // to debuggers
  void describe(const CpuImage& image) {
    width = image.width, uses_groups = image.uses_groups, params = image.params.size(), name = image.kernel;
    has_barriers = image.has_barriers, frame_bytes = image.frame_bytes, packed = image.packed;
    takes_rows = image.takes_rows;
  }
};

namespace {

// One launch. A task is a group, or a piece of a row if the kernel does not observe groups.
class Launch {
 public:
  Launch(const WaveCode& code, uint32_t width, bool packed, bool rows, uint32_t frame_bytes,
         const CpuLaunch& launch, uint32_t private_bytes, bool on_trial, std::span<const uint64_t> args)
      : code_(code),
        width_(width),
        packed_(packed),
        rows_(rows),
        frame_bytes_(frame_bytes),
        launch_(launch),
        private_bytes_(uint64_t{private_bytes} * width),
        piece_(piece_of(launch, on_trial)),
        pieces_((launch.global[0] + piece_ - 1) / piece_) {
    for (size_t d = 0; d < 3; ++d) groups_[d] = launch.global[d] / launch.local[d];
    context_.args = args.data();
    std::copy(launch.global.begin(), launch.global.end(), context_.global_size);
    std::copy(launch.local.begin(), launch.local.end(), context_.local_size);
    std::copy(groups_.begin(), groups_.end(), context_.num_groups);
    std::copy(launch.offset.begin(), launch.offset.end(), context_.global_offset);
    context_.dims = launch.dims;
    alike_ =
        packed || (launch.offset[0] <= kWaveBoundary && launch.global[0] <= kWaveBoundary - launch.offset[0]);
  }

  uint64_t groups() const { return groups_[0] * groups_[1] * groups_[2]; }
  uint64_t pieces() const { return pieces_ * launch_.global[1] * launch_.global[2]; }
  const CpuResult& result() const { return result_; }
  bool faulted() const { return faulted_.load(std::memory_order_relaxed); }
  void note(const CpuFault& fault) {
    std::lock_guard lock(mutex_);
    if (!result_.fault) result_.fault = fault;
    faulted_ = true;
  }

  void run_pieces(uint64_t from, uint64_t to, Workspace& space) const {
    CpuWaveContext c = context_;
    c.private_memory = space.private_memory.get(private_bytes_);
    for (uint64_t i = from; i < to; ++i) {
      uint64_t row = i / pieces_, x = i % pieces_ * piece_;
      c.global_id[0] = launch_.offset[0] + x;
      c.global_id[1] = launch_.offset[1] + row % launch_.global[1];
      c.global_id[2] = launch_.offset[2] + row / launch_.global[1];
      each_wave(width_, rows_, c, x, std::min(piece_, launch_.global[0] - x), [&] { code_(c); });
    }
  }

  void run_groups(uint64_t from, uint64_t to, Workspace& space) const {
    CpuWaveContext c = context_;
    if (packed_) space.packed.prepare(launch_.local, width_);
    c.private_memory = space.private_memory.get(private_bytes_);
    c.local_memory = space.local_memory.get(launch_.local_bytes);
    Size3 group = group_at(from);
    for (uint64_t g = from; g < to; ++g, group = next(group))
      each_wave_of_group(group, c, space.packed, [&] { code_(c); });
  }

  // Runs all waves up to their first barrier or their end; then, barrier by barrier, those that remain.
  void run_meeting_groups(uint64_t from, uint64_t to, Workspace& space) {
    CpuWaveContext c = context_;
    if (packed_) space.packed.prepare(launch_.local, width_);
    c.local_memory = space.local_memory.get(launch_.local_bytes);
    std::vector<CpuWaveContext>& waves = space.waves;
    waves.clear();
    Size3 group = group_at(from), before = group;
    for (uint64_t g = from; g < to; ++g, before = std::exchange(group, next(group))) {
      if (waves.empty() || !alike_) {
        waves.clear();
        each_wave_of_group(group, c, space.packed, [&] { waves.push_back(c); });
        give_memory(waves, space);
        if (code_.groups_meet) meet(waves);
      } else {
        move(waves, before, group);
      }
      if (code_.groups_meet) {
        code_(waves.front());
        continue;
      }
      space.barriers.start(waves.size(), launch_.rows_along);
      follow(waves, true);
      enter_all(waves);
      while (true) {
        if (space.barriers.all_arrived(waves)) {
          enter_all(waves);
          continue;
        }
        const bool some = std::ranges::any_of(waves, [](const auto& w) { return w.resume != 0; });
        if (!some || !arrive(space)) break;
        follow(waves, false);
        for (CpuWaveContext& w : waves)
          if (w.resume) code_(w);
      }
    }
  }

 private:
  Size3 group_at(uint64_t g) const {
    return {g % groups_[0], g / groups_[0] % groups_[1], g / groups_[0] / groups_[1]};
  }
  Size3 next(Size3 group) const {
    for (size_t d = 0; d < 2; ++d) {
      if (++group[d] < groups_[d]) return group;
      group[d] = 0;
    }
    ++group[2];
    return group;
  }

  static void meet(std::vector<CpuWaveContext>& waves) {
    for (CpuWaveContext& w : waves) w.followed = kMeets;
    waves.back().followed = kLastToMeet;
  }
  // Whether the code enters the waves one after the other, or each is entered alone. A stand-in enters one.
  void follow(std::vector<CpuWaveContext>& waves, bool together) const {
    together &= code_.entry != nullptr;
    if ((waves.front().followed != 0) == (together && waves.size() > 1)) return;
    for (CpuWaveContext& w : waves) w.followed = together ? kGoesOn : kReturns;
    waves.back().followed = kReturns;
  }
  void enter_all(std::vector<CpuWaveContext>& waves) const {
    if (waves.front().followed) return code_(waves.front());
    for (CpuWaveContext& w : waves) code_(w);
  }

  void give_memory(std::vector<CpuWaveContext>& waves, Workspace& space) const {
    uint8_t *memory = space.private_memory.get(private_bytes_ * waves.size()),
            *frames = space.frames.get(uint64_t{frame_bytes_} * waves.size());
    for (size_t i = 0; i < waves.size(); ++i) {
      waves[i].private_memory = memory + private_bytes_ * i;
      waves[i].frame = frames + uint64_t{frame_bytes_} * i;
    }
  }

  // From one group to another. The waves have the same lanes there. Most groups differ from the one before in
  // x alone, and groups that meet have left no wave at a barrier: the less is written, the better for code
  // whose waves take a few instructions.
  void move(std::vector<CpuWaveContext>& waves, const Size3& before, const Size3& group) const {
    for (size_t d = 0; d < 3; ++d) {
      if (group[d] == before[d]) continue;
      const uint64_t first = launch_.offset[d] + group[d] * launch_.local[d];
      for (CpuWaveContext& w : waves) w.group_id[d] = group[d], w.global_id[d] = first + w.local_id[d];
    }
    if (!code_.groups_meet)
      for (CpuWaveContext& w : waves) w.resume = 0;
  }

  template <typename Wave>
  void each_wave_of_group(const Size3& group, CpuWaveContext& c, const PackedWaves& packed,
                          Wave&& wave) const {
    std::copy(group.begin(), group.end(), c.group_id);
    if (packed_) return each_packed_wave(c, packed, wave);
    for (uint64_t z = 0; z < launch_.local[2]; ++z)
      for (uint64_t y = 0; y < launch_.local[1]; ++y) {
        c.local_id[1] = y, c.local_id[2] = z;
        c.global_id[0] = launch_.offset[0] + group[0] * launch_.local[0];
        c.global_id[1] = launch_.offset[1] + group[1] * launch_.local[1] + y;
        c.global_id[2] = launch_.offset[2] + group[2] * launch_.local[2] + z;
        each_wave(width_, rows_, c, 0, launch_.local[0], wave);
      }
  }

  // From one linear local id to another. The caller ensures that no group contains ids of 2^31 or more.
  template <typename Wave>
  void each_packed_wave(CpuWaveContext& c, const PackedWaves& packed, Wave& wave) const {
    for (const PackedWave& p : packed.all()) {
      for (size_t d = 0; d < 3; ++d) {
        c.local_id[d] = p.local[d];
        c.global_id[d] = launch_.offset[d] + c.group_id[d] * launch_.local[d] + p.local[d];
      }
      c.mask = p.mask;
      c.full_waves = p.mask == lanes_below(width_);
      c.steps = p.steps;
      wave();
    }
  }

  bool arrive(Workspace& space) {
    std::optional<CpuBarrierTrap> trap;
    if (space.barriers.arrive(space.waves, packed_ ? width_ : 0, trap)) return true;
    std::lock_guard lock(mutex_);
    if (trap) add_trap(result_.divergent_barrier, *trap);
    return false;
  }

  const WaveCode& code_;
  uint32_t width_;
  bool packed_, rows_;
  uint32_t frame_bytes_;
  const CpuLaunch& launch_;
  uint64_t private_bytes_, piece_, pieces_;
  Size3 groups_{};
  bool alike_ = false;  // no group has a row that kWaveBoundary cuts
  CpuWaveContext context_;
  std::mutex mutex_;
  CpuResult result_;
  std::atomic<bool> faulted_ = false;
};

// Runs tasks on this thread, one, then twice as many ..., while the remaining work is too small for several
// threads. Returns the number of tasks run.
template <typename RunSome>
uint64_t run_first(uint64_t tasks, RunSome& run_some) {
  const auto start = std::chrono::steady_clock::now();
  for (uint64_t done = 0, more = 1;; more *= 2) {
    run_some(done, done + std::min(more, tasks - done));
    done += std::min(more, tasks - done);
    if (done == tasks) return done;
    const auto taken = std::chrono::steady_clock::now() - start;
    if (taken * (tasks - done) > kWorthThreads * done) return done;
  }
}

}  // namespace

CpuKernel::CpuKernel(std::unique_ptr<State> state) : state_(std::move(state)) {}
CpuKernel::~CpuKernel() = default;
CpuKernel::CpuKernel(CpuKernel&&) noexcept = default;
CpuKernel& CpuKernel::operator=(CpuKernel&&) noexcept = default;

std::expected<CpuKernel, std::string> CpuKernel::load(const CpuImage& image) {
  CpuFeatures have = cpu_features();
  if (!have.avx2) return std::unexpected("this processor has no AVX2, FMA and BMI2");
  if (image.needs_avx512 && !have.avx512)
    return std::unexpected("this processor has no AVX-512 (F, BW, CD, DQ, VL)");
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
  state->code.bytes = image.code.size();
  state->code.groups_meet = image.groups_meet;
  state->describe(image);
  state->known_as.emplace(executable, image.code.size(), image.kernel);
  return CpuKernel(std::move(state));
}

CpuKernel CpuKernel::load(const CpuImage& image, std::function<void(CpuWaveContext*)> wave) {
  auto state = std::make_unique<State>();
  state->code.stand_in = std::move(wave);
  state->code.groups_meet = image.whole_groups;
  state->describe(image);
  return CpuKernel(std::move(state));
}

// A launch of kernels that have the same tasks: of one, or of several on trial.
class CpuKernel::Tasks {
 public:
  Tasks(const CpuLaunch& launch, std::span<const uint64_t> args, bool by_group, FormTrial* trial)
      : launch_(launch), args_(args), by_group_(by_group), trial_(trial) {}

  void add(unsigned form, State& s, uint32_t private_bytes) {
    Form& made = forms_[form];
    made.state = &s;
    made.launch.emplace(s.code, s.width, s.packed, s.takes_rows, s.frame_bytes, launch_, private_bytes,
                        trial_ != nullptr, args_);
    made.ready.store(true, std::memory_order_release);
  }
  uint64_t count() const {
    const Launch& one = *forms_[0].launch;
    return by_group_ ? one.groups() : one.pieces();
  }
  // A fault in one of the forms, and what all of them say of barriers.
  CpuResult result() const {
    CpuResult all;
    for (unsigned form = 0; form < forms_.size(); ++form) {
      if (!forms_[form].ready.load(std::memory_order_acquire)) continue;
      const CpuResult& r = forms_[form].launch->result();
      if (r.fault && !all.fault) all.fault = r.fault, all.form = form;
      if (r.divergent_barrier) add_trap(all.divergent_barrier, *r.divergent_barrier);
    }
    return all;
  }

  void run(uint64_t from, uint64_t to) {
    if (!trial_) return run_in(forms_[0], from, to);
    double items = 1 / static_cast<double>(count());
    for (uint64_t n : launch_.global) items *= static_cast<double>(n);
    while (from < to && std::ranges::none_of(forms_, &Form::faulted)) {
      const FormTrial::Chunk chunk = trial_->next(to - from, count(), items);
      if (!forms_[chunk.form].ready.load(std::memory_order_acquire)) add(chunk.form);
      const auto start = std::chrono::steady_clock::now();
      run_in(forms_[chunk.form], from, from + chunk.tasks);
      const std::chrono::duration<double, std::nano> taken = std::chrono::steady_clock::now() - start;
      trial_->note(chunk, items, taken.count());
      from += chunk.tasks;
    }
  }

 private:
  struct Form {
    State* state = nullptr;
    std::optional<Launch> launch;
    std::atomic<bool> ready = false;
    bool faulted() const { return ready.load(std::memory_order_acquire) && launch->faulted(); }
  };

  void add(unsigned form) {
    std::lock_guard lock(mutex_);
    const FormTrial::Form& other = trial_->other(form);
    if (!forms_[form].ready) add(form, *other.kernel->state_, other.private_bytes);
  }

  void run_in(Form& form, uint64_t from, uint64_t to) {
    State& s = *form.state;
    const FloatMode mode;
    auto all = [&] {
      Workspace& space = s.workspaces.local();
      if (s.has_barriers)
        form.launch->run_meeting_groups(from, to, space);
      else if (by_group_)
        form.launch->run_groups(from, to, space);
      else
        form.launch->run_pieces(from, to, space);
      _mm_sfence();  // stores past the caches are done before the launch is
    };
    if (!launch_.catch_faults || !s.code.entry) return all();
    if (form.launch->faulted()) return;
    FaultScope scope(reinterpret_cast<const void*>(s.code.entry), s.code.bytes);
    if (auto fault = scope.run(all)) form.launch->note(*fault);
  }

  const CpuLaunch& launch_;
  std::span<const uint64_t> args_;
  bool by_group_;
  FormTrial* trial_;
  std::mutex mutex_;
  std::array<Form, FormTrial::kMostForms> forms_;
};

std::expected<CpuResult, std::string> CpuKernel::run(const CpuLaunch& launch, std::span<const uint64_t> args,
                                                     FormTrial* trial) const {
  State& s = *state_;
  if (args.size() != s.params)
    return std::unexpected(fmt::format("@{} takes {} arguments, got {}", s.name, s.params, args.size()));
  uint64_t total = 1;
  for (size_t d = 0; d < 3; ++d) {
    if (launch.local[d] == 0 || launch.global[d] % launch.local[d] != 0)
      return std::unexpected(
          fmt::format("@{}: global size {} is no multiple of local size {} in dimension {}", s.name,
                      launch.global[d], launch.local[d], d));
    total *= launch.global[d];
  }
  if (total == 0) return {};

  // Forms on trial have the same tasks, even if only one of them is packed.
  const bool by_group = s.packed || s.uses_groups || s.has_barriers || launch.local_bytes != 0;
  Tasks all(launch, args, by_group, trial);
  all.add(0, s, launch.private_bytes);
  const uint64_t tasks = all.count();
  auto run_some = [&](uint64_t from, uint64_t to) { all.run(from, to); };
  try {
    if (trial) trial->launched();
    if (launch.threads == 1 || tasks == 1) {
      run_some(0, tasks);
      return all.result();
    }
    const bool small = by_group ? !s.uses_groups : launch.global[0] <= kLongPiece;
    const uint64_t begun = small ? run_first(tasks, run_some) : 0;
    if (begun == tasks) return all.result();
    TaskOrder order;
    auto parallel = [&]() KC_BEFORE_ORDER {
      order.begins();
      tbb::parallel_for(tbb::blocked_range<uint64_t>(begun, tasks), [&](const auto& range) KC_BEFORE_ORDER {
        order.begins();
        run_some(range.begin(), range.end());
        order.ends();
      });
      order.ends();
    };
    order.launched();
    Arenas::get().run(launch.threads, parallel);
    order.joined();
  } catch (const std::bad_alloc&) {
    return std::unexpected(fmt::format("@{}: not enough memory for the waves of a group", s.name));
  }
  return all.result();
}

}  // namespace kc
