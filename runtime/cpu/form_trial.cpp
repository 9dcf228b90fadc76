// SPDX-License-Identifier: Apache-2.0
#include "runtime/cpu/form_trial.h"

#include <algorithm>
#include <cmath>
#include <condition_variable>
#include <new>

namespace kc {
namespace {

// Nanoseconds: clocks are not exact, and reading them takes time.
constexpr double kLeastSample = 2e4;
// Samples of each form. From a few on, what is much slower is given up. From enough on, the comparison ends
// when one form is known to be the fastest; with the most, in any case: groups may take different times.
constexpr size_t kFew = 3, kEnough = 8, kMost = 40;
// Another form than the best so far must be so much faster. After a few samples a form is given up if it is
// so much slower than another one, and that is no chance.
constexpr double kFaster = 0.97, kSlower = 1.05, kDeviations = 2;
constexpr uint32_t kTurnsOfASize = 4;  // samples of a form before they grow
constexpr uint32_t kLaunchesBetween = 256;

// Which of `forms` comes at a turn. Each comes once in as many turns, in an order that changes: tasks at
// equal places of launches may be alike.
unsigned place_of(uint32_t turn, unsigned forms) {
  const uint32_t round = turn / forms * 0x9E3779B1u;
  return (turn + (round >> 16)) % forms;
}

// The threads that compile. A program may end without releasing its kernels; what compilation uses must not
// be destroyed under them. This object is made after that, and so is destroyed before it.
class Compilations {
 public:
  static Compilations& get() {
    static Compilations all;
    return all;
  }
  ~Compilations() {
    std::unique_lock lock(mutex_);
    ending_ = true;
    none_.wait(lock, [this] { return running_ == 0; });
  }
  void begin() {
    std::lock_guard lock(mutex_);
    ++running_;
  }
  void end() {
    std::lock_guard lock(mutex_);
    if (--running_ == 0) none_.notify_all();
  }
  bool ending() {
    std::lock_guard lock(mutex_);
    return ending_;
  }

 private:
  std::mutex mutex_;
  std::condition_variable none_;
  unsigned running_ = 0;
  bool ending_ = false;
};

}  // namespace

void FormTrial::settle(const std::optional<Form>& faster) {
  std::lock_guard lock(mutex_);
  if (faster) others_[0] = *faster, count_ = compared_ = 2, last_ = {1, 0};
  chosen_ = faster ? 1 : 0;
  compiling_ = true;
  complete_.store(true, std::memory_order_release);
}

FormTrial::Chunk FormTrial::next(uint64_t left, uint64_t all, double items) {
  const auto least = static_cast<uint64_t>(kLeastSample * pace_.load(std::memory_order_relaxed) / items);
  const uint64_t most = std::max({all / kParts, least, uint64_t{1}});
  if (const int chosen = this->chosen(); chosen >= 0)
    return {static_cast<unsigned>(chosen), settled() ? left : std::min(left, most)};
  const unsigned in = in_count_.load(std::memory_order_acquire);
  if (in == 0) return {0, std::min(left, most), true};
  const uint32_t turn = turn_.fetch_add(1, std::memory_order_relaxed);
  const uint64_t growing = std::max(least, uint64_t{1})
                           << std::min<uint32_t>(turn / (kTurnsOfASize * in), 20);
  const unsigned form = in_[place_of(turn, in)].load(std::memory_order_acquire);
  return {form, std::min({left, most, growing}), true};
}

void FormTrial::note(const Chunk& chunk, double items, double nanoseconds) {
  if (!chunk.measured) return;
  const double all = items * static_cast<double>(chunk.tasks);
  std::lock_guard lock(mutex_);
  Times& t = times_[chunk.form];
  t.tasks += chunk.tasks, t.nanoseconds += nanoseconds;
  if (const auto pace = static_cast<float>(all / std::max(nanoseconds, 1.0)); pace > pace_) pace_ = pace;
  if (in_count_ > 0 && chosen() < 0) {
    samples_[chunk.form].push_back({all, nanoseconds});
    decide();
  }
  if (t.nanoseconds <= worth_ || compiling_.exchange(true)) return;
  Compilations::get().begin();
  compiler_ = std::jthread([this](const std::stop_token& stop) {
    compile(stop);
    Compilations::get().end();
  });
}

void FormTrial::compile(const std::stop_token& stop) {
  std::optional<Form> form;
  auto next = [&] {
    if (stop.stop_requested() || Compilations::get().ending() || count() == kMostForms) return false;
    try {
      form = make_();
    } catch (const std::bad_alloc&) {
      form.reset();  // as if there were no more
    }
    return form.has_value();
  };
  while (next()) {
    std::lock_guard lock(mutex_);
    others_[count() - 1] = *form;
    ++count_;
    if (in_count_ == 0 || chosen() >= 0) start_with_new();
  }
  std::lock_guard lock(mutex_);
  if (count() == 1) chosen_ = 0;
  complete_.store(true, std::memory_order_release);
}

// The best form so far and those that have not been compared with it.
void FormTrial::start_with_new() {
  std::vector<unsigned> forms{static_cast<unsigned>(std::max(chosen(), 0))};
  for (; compared_ < count(); ++compared_) forms.push_back(compared_);
  start(forms);
}

void FormTrial::start(const std::vector<unsigned>& forms) {
  last_ = forms;
  samples_ = {};
  turn_ = 0;
  close_ = true;
  for (size_t k = 0; k < forms.size(); ++k) in_[k] = forms[k];
  in_count_.store(static_cast<unsigned>(forms.size()), std::memory_order_release);
  chosen_.store(-1, std::memory_order_release);
}

// Without the slowest sample, which something else may have interrupted. The deviation is that of the mean.
FormTrial::Pace FormTrial::pace_of(unsigned form) const {
  const std::vector<Sample>& all = samples_[form];
  auto slow = [](const Sample& s) { return s.nanoseconds / s.items; };
  const auto slowest = std::ranges::max_element(all, {}, slow);
  double items = 0, nanoseconds = 0, squares = 0;
  for (auto s = all.begin(); s != all.end(); ++s)
    if (s != slowest) items += s->items, nanoseconds += s->nanoseconds;
  const double mean = nanoseconds / items;
  for (auto s = all.begin(); s != all.end(); ++s)
    if (s != slowest) squares += (slow(*s) - mean) * (slow(*s) - mean);
  const auto n = static_cast<double>(all.size() - 1);
  return {mean, std::sqrt(squares / n / std::max(n - 1, 1.0))};
}

void FormTrial::decide() {
  std::vector<unsigned> in;
  size_t fewest = kMost;
  for (unsigned k = 0; k < in_count_; ++k)
    in.push_back(in_[k]), fewest = std::min(fewest, samples_[in_[k]].size());
  if (fewest < kFew) return;
  std::array<Pace, kMostForms> paces;
  for (unsigned form : in) paces[form] = pace_of(form);
  auto time = [&](unsigned form) { return paces[form].mean * (form == last_.front() ? kFaster : 1); };
  const unsigned best = *std::ranges::min_element(in, {}, time);
  const double limit = paces[best].mean + kDeviations * paces[best].deviation;
  const size_t before = in.size();
  std::erase_if(in, [&](unsigned form) {
    return form != best && paces[form].mean - kDeviations * paces[form].deviation > kSlower * limit;
  });
  if (in.size() < before) {
    close_ = in.size() > 1;
    for (unsigned k = 0; k < in.size(); ++k) in_[k] = in[k];
    in_count_.store(static_cast<unsigned>(in.size()), std::memory_order_release);
  }
  const bool open = std::ranges::any_of(in, [&](unsigned form) {
    return form != best && paces[form].mean - kDeviations * paces[form].deviation < kFaster * limit;
  });
  if (in.size() > 1 && (fewest < kEnough || (open && fewest < kMost))) return;
  chosen_.store(static_cast<int>(best), std::memory_order_release);
  if (compared_ < count()) start_with_new();
}

std::array<FormTrial::Times, FormTrial::kMostForms> FormTrial::times() const {
  std::lock_guard lock(mutex_);
  return times_;
}

void FormTrial::launched() {
  if (!settled() || count() == 1 || ++launches_ % kLaunchesBetween != 0) return;
  std::lock_guard lock(mutex_);
  if (!close_ || last_.size() < 2) return;
  std::vector<unsigned> again{static_cast<unsigned>(chosen())};
  for (unsigned form : last_)
    if (form != again.front()) again.push_back(form);
  start(again);
}

}  // namespace kc
