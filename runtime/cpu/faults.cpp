// SPDX-License-Identifier: Apache-2.0
#include "runtime/cpu/faults.h"

#include <signal.h>
#include <ucontext.h>

#include <iterator>
#include <mutex>

namespace kc {
namespace {

constexpr int kSignals[] = {SIGSEGV, SIGBUS};
std::mutex g_mutex;
unsigned g_handlers = 0;            // objects that live
struct sigaction g_before[2] = {};  // what handled the signals without them

}  // namespace

thread_local constinit FaultScope* FaultScope::current_ = nullptr;

struct FaultSignals {
  static void handle(int signal, siginfo_t* info, void* context) {
    const auto at = static_cast<uintptr_t>(static_cast<ucontext_t*>(context)->uc_mcontext.gregs[REG_RIP]);
    FaultScope* scope = FaultScope::current_;
    if (!scope || at - scope->code_ >= scope->bytes_) {
      // Not ours: the instruction runs again, and the signal goes where it would have gone.
      for (size_t i = 0; i < std::size(kSignals); ++i)
        if (kSignals[i] == signal) sigaction(signal, &g_before[i], nullptr);
      return;
    }
    // The address of an access that no address space has is not told.
    const bool known = info->si_code != SI_KERNEL;
    scope->fault_ = {.address = known ? reinterpret_cast<uint64_t>(info->si_addr) : 0,
                     .code_offset = static_cast<uint32_t>(at - scope->code_)};
    siglongjmp(scope->back_, 1);
  }
};

FaultHandler::FaultHandler() {
  std::lock_guard lock(g_mutex);
  if (g_handlers++) return;
  struct sigaction action = {};
  action.sa_sigaction = &FaultSignals::handle;
  action.sa_flags = SA_SIGINFO | SA_NODEFER;
  for (size_t i = 0; i < std::size(kSignals); ++i) sigaction(kSignals[i], &action, &g_before[i]);
}

FaultHandler::~FaultHandler() {
  std::lock_guard lock(g_mutex);
  if (--g_handlers) return;
  for (size_t i = 0; i < std::size(kSignals); ++i) sigaction(kSignals[i], &g_before[i], nullptr);
}

}  // namespace kc
