// SPDX-License-Identifier: Apache-2.0
#include "runtime/cpu/faults.h"

#include <signal.h>
#include <ucontext.h>

#include <algorithm>
#include <iterator>
#include <mutex>
#include <vector>

namespace kc {
namespace {

// SIGURG: by default it does nothing, so one that comes late does no harm.
constexpr int kSignals[] = {SIGSEGV, SIGBUS, SIGURG};
std::mutex g_mutex;
unsigned g_handlers = 0;            // objects that live
std::vector<pthread_t> g_running;   // threads in scopes
struct sigaction g_before[3] = {};  // what handled the signals without them

}  // namespace

thread_local constinit FaultScope* FaultScope::current_ = nullptr;

struct FaultSignals {
  static void handle(int signal, siginfo_t* info, void* context) {
    const auto at = static_cast<uintptr_t>(static_cast<ucontext_t*>(context)->uc_mcontext.gregs[REG_RIP]);
    FaultScope* scope = FaultScope::current_;
    const bool ours = scope && at - scope->code_ < scope->bytes_;
    if (!ours && signal == SIGURG) return;
    if (!ours) {
      // Not ours: the instruction runs again, and the signal goes where it would have gone.
      for (size_t i = 0; i < std::size(kSignals); ++i)
        if (kSignals[i] == signal) sigaction(signal, &g_before[i], nullptr);
      return;
    }
    // The address of an access that no address space has is not told.
    const bool known = signal != SIGURG && info->si_code != SI_KERNEL;
    scope->fault_ = {.interrupted = signal == SIGURG,
                     .address = known ? reinterpret_cast<uint64_t>(info->si_addr) : 0,
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

void FaultHandler::interrupt() {
  std::lock_guard lock(g_mutex);
  for (pthread_t thread : g_running) pthread_kill(thread, SIGURG);
}

FaultScope::FaultScope(const void* code, uint64_t bytes)
    : code_(reinterpret_cast<uintptr_t>(code)), bytes_(bytes), outer_(current_) {
  std::lock_guard lock(g_mutex);
  g_running.push_back(pthread_self());
}

FaultScope::~FaultScope() {
  current_ = outer_;
  std::lock_guard lock(g_mutex);
  auto self = std::ranges::find_if(g_running, [](pthread_t t) { return pthread_equal(t, pthread_self()); });
  g_running.erase(self);
}

FaultHandler::~FaultHandler() {
  std::lock_guard lock(g_mutex);
  if (--g_handlers) return;
  for (size_t i = 0; i < std::size(kSignals); ++i) sigaction(kSignals[i], &g_before[i], nullptr);
}

}  // namespace kc
