// SPDX-License-Identifier: Apache-2.0
// Accesses of generated code to memory that it may not access, as results in place of signals.
#pragma once

#include <csetjmp>
#include <cstdint>
#include <optional>

namespace kc {

/// An access of generated code that the processor refused, or where it was when it was interrupted.
struct CpuFault {
  bool interrupted = false;
  uint64_t address = 0;      // 0 where the processor does not say: an address that cannot exist
  uint32_t code_offset = 0;  // of the instruction
};

/// Handles SIGSEGV and SIGBUS of the process while one lives, and SIGURG for `interrupt`. Signals whose
/// program counter is not in code that a `FaultScope` runs go to the handlers before.
class FaultHandler {
 public:
  FaultHandler();
  ~FaultHandler();
  FaultHandler(const FaultHandler&) = delete;
  /// Ends the code of all scopes, as a fault does. Threads that are between two calls of it do not notice.
  static void interrupt();
};

/// Where faults of one thread go while it runs the code in a range of addresses.
class FaultScope {
 public:
  FaultScope(const void* code, uint64_t bytes);
  FaultScope(const FaultScope&) = delete;
  ~FaultScope();

  /// Calls the body, which ends at the first fault: objects that it has made are not destroyed then, so it
  /// makes none that need it. A handler must live.
  template <typename Body>
  std::optional<CpuFault> run(Body&& body) {
    // Without the signal mask: the handler runs with the one of the code, so nothing has to be put back.
    if (sigsetjmp(back_, 0) != 0) return fault_;
    current_ = this;
    body();
    current_ = outer_;
    return std::nullopt;
  }

 private:
  friend struct FaultSignals;
  uintptr_t code_;
  uint64_t bytes_;
  FaultScope* outer_;
  sigjmp_buf back_;
  CpuFault fault_;
  static thread_local FaultScope* current_;
};

}  // namespace kc
