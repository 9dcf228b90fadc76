// SPDX-License-Identifier: Apache-2.0
// Tells ThreadSanitizer what orders the tasks of a launch: TBB does, and its library is not instrumented.
// Tasks are not ordered among themselves. Without ThreadSanitizer nothing remains of this.
#pragma once

#if defined(__SANITIZE_THREAD__)
extern "C" void __tsan_acquire(void* address);
extern "C" void __tsan_release(void* address);
/// A function that reads what finds the TaskOrder, and calls it first.
#define KC_BEFORE_ORDER __attribute__((no_sanitize("thread")))
#else
#define KC_BEFORE_ORDER
#endif

namespace kc {

class TaskOrder {
 public:
  /// The thread that launches, before there are tasks.
  void launched() { release(begun_); }
  /// A task, where it begins and ends.
  void begins() { acquire(begun_); }
  void ends() { release(ended_); }
  /// The thread that launches, once all tasks have ended.
  void joined() { acquire(ended_); }

 private:
#if defined(__SANITIZE_THREAD__)
  static void acquire(char& tag) { __tsan_acquire(&tag); }
  static void release(char& tag) { __tsan_release(&tag); }
#else
  static void acquire(char&) {}
  static void release(char&) {}
#endif
  char begun_ = 0, ended_ = 0;
};

}  // namespace kc
