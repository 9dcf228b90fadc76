// SPDX-License-Identifier: Apache-2.0
#include "runtime/cpu/form_trial.h"

#include <algorithm>

namespace kc {
namespace {

// Nanoseconds of a kernel that are worth compiling it once more.
constexpr double kWorthCompiling = 6e6;
// The largest part of a launch that is one sample.
constexpr uint64_t kParts = 64;
constexpr size_t kEnough = 8, kFew = 3;
// Another form than the first must be so much faster; after a few samples a form is given up if it is so much
// slower than another one.
constexpr double kFaster = 0.93, kClear = 3;
constexpr uint32_t kLaunchesBetween = 256;

}  // namespace

FormTrial::Chunk FormTrial::next(uint64_t left, uint64_t all) {
  if (const int chosen = this->chosen(); chosen >= 0) return {static_cast<unsigned>(chosen), left};
  const unsigned in = in_count_.load(std::memory_order_acquire);
  if (all < kFewestTasks) return {0, left, in == 0};
  const uint64_t most = std::max<uint64_t>(all / kParts, 1);
  if (in == 0) return {0, std::min(left, most), true};
  const uint32_t turn = turn_.fetch_add(1, std::memory_order_relaxed);
  const uint64_t growing = uint64_t{1} << std::min<uint32_t>(turn / (2 * in), 20);
  return {in_[turn % in].load(std::memory_order_relaxed), std::min({left, most, growing}), true};
}

void FormTrial::note(const Chunk& chunk, double nanoseconds) {
  if (!chunk.measured) return;
  bool worth = false;
  {
    std::lock_guard lock(mutex_);
    Times& t = times_[chunk.form];
    t.tasks += chunk.tasks, t.nanoseconds += nanoseconds;
    worth = t.nanoseconds > kWorthCompiling;
    if (count() > 1) {
      samples_[chunk.form].push_back({chunk.tasks, nanoseconds});
      if (chosen() < 0) decide();
    }
  }
  if (!worth || count() > 1 || making_.exchange(true)) return;
  others_ = make_();
  if (others_.empty()) return void(chosen_ = 0);
  std::lock_guard lock(mutex_);
  count_.store(static_cast<unsigned>(others_.size()) + 1, std::memory_order_release);
  start();
}

void FormTrial::start() {
  samples_ = {};
  turn_ = 0;
  close_ = true;
  for (unsigned form = 0; form < count(); ++form) in_[form] = form;
  in_count_.store(count(), std::memory_order_release);
}

// Without the slowest sample, which something else may have interrupted.
double FormTrial::per_task(unsigned form) const {
  double tasks = 0, nanoseconds = 0, slowest = 0, of_slowest = 0;
  for (const Times& s : samples_[form]) {
    const auto n = static_cast<double>(s.tasks);
    tasks += n, nanoseconds += s.nanoseconds;
    if (s.nanoseconds / n > slowest) slowest = s.nanoseconds / n, of_slowest = n;
  }
  return samples_[form].size() < kFew ? nanoseconds / tasks
                                      : (nanoseconds - slowest * of_slowest) / (tasks - of_slowest);
}

void FormTrial::decide() {
  std::vector<unsigned> in;
  size_t fewest = kEnough;
  for (unsigned k = 0; k < in_count_; ++k)
    in.push_back(in_[k]), fewest = std::min(fewest, samples_[in_[k]].size());
  if (fewest < kFew) return;
  auto time = [&](unsigned form) { return per_task(form) * (form == 0 ? kFaster : 1); };
  const unsigned best = *std::ranges::min_element(in, {}, time);
  const size_t before = in.size();
  std::erase_if(in, [&](unsigned form) { return per_task(form) > kClear * per_task(best); });
  if (in.size() < before) {
    close_ = in.size() > 1;
    for (unsigned k = 0; k < in.size(); ++k) in_[k] = in[k];
    in_count_.store(static_cast<unsigned>(in.size()), std::memory_order_release);
  }
  if (in.size() == 1 || fewest == kEnough) chosen_ = static_cast<int>(best);
}

std::array<FormTrial::Times, FormTrial::kMostForms> FormTrial::times() const {
  std::lock_guard lock(mutex_);
  return times_;
}

void FormTrial::launched() {
  if (chosen() < 0 || count() == 1 || ++launches_ % kLaunchesBetween != 0) return;
  std::lock_guard lock(mutex_);
  if (!close_) return;
  start();
  chosen_ = -1;
}

}  // namespace kc
