// SPDX-License-Identifier: Apache-2.0
// Forms of a kernel, one lane and many say, that give the same results: which is fastest is measured while
// launches run. No estimate knows how long the rows of somebody's matrix are.
//
//   tasks of a launch:   0  1  2  3  4 5  6 7  8 9 10 11   ...
//   form:                A  B  A  B  A A  B B  A A  A  A   the rest in the faster one
//
// A task runs once, in one of the forms. Until a kernel has run for as long as it takes to compile it again,
// there is one form only.
#pragma once

#include <array>
#include <atomic>
#include <cstdint>
#include <functional>
#include <mutex>
#include <vector>

namespace kc {

class CpuKernel;

class FormTrial {
 public:
  static constexpr unsigned kMostForms = 3;
  struct Form {
    const CpuKernel* kernel = nullptr;
    uint32_t private_bytes = 0;  // of a work-item
  };
  /// So many tasks in one of the forms. The first form has number 0.
  struct Chunk {
    unsigned form = 0;
    uint64_t tasks = 0;
    bool measured = false;
  };
  struct Times {
    uint64_t tasks = 0;
    double nanoseconds = 0;
  };
  /// Launches with fewer tasks run in the form that was chosen before, if one was.
  static constexpr uint64_t kFewestTasks = 16;

  /// `make`: compiles the other forms, at most kMostForms - 1. Called once, by one thread.
  explicit FormTrial(std::function<std::vector<Form>()> make) : make_(std::move(make)) {}

  /// What a thread runs next of a launch of `all` tasks, `left` of which are its own to run.
  Chunk next(uint64_t left, uint64_t all);
  void note(const Chunk& chunk, double nanoseconds);
  /// How many forms there are; all are there once there is more than one.
  unsigned count() const { return count_.load(std::memory_order_acquire); }
  /// Form 1 or a later one.
  const Form& other(unsigned form) const { return others_[form - 1]; }
  /// The form that was chosen, or -1 while it is not known.
  int chosen() const { return chosen_.load(std::memory_order_acquire); }
  /// What was measured so far, by form.
  std::array<Times, kMostForms> times() const;
  /// Called when a launch begins: after many of them the times are measured again.
  void launched();

 private:
  double per_task(unsigned form) const;
  void decide();
  void start();

  std::function<std::vector<Form>()> make_;
  std::vector<Form> others_;
  std::atomic<unsigned> count_ = 1;
  std::atomic<bool> making_ = false;
  std::atomic<int> chosen_ = -1;
  std::atomic<uint32_t> turn_ = 0, launches_ = 0;
  mutable std::mutex mutex_;
  std::array<Times, kMostForms> times_{};
  // Of the present trial: samples by form, and the forms that are still in it; their number is in `turn_`'s
  // order.
  std::array<std::vector<Times>, kMostForms> samples_{};
  std::array<std::atomic<unsigned>, kMostForms> in_{};
  std::atomic<unsigned> in_count_ = 0;
  bool close_ = true;  // the last trial found no large difference
};

}  // namespace kc
