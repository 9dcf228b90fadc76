// SPDX-License-Identifier: Apache-2.0
#include "tests/opencl_calls/runner.h"

#include <signal.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <new>
#include <thread>

#include "tests/opencl_calls/world.h"

namespace calls {
namespace {

// One of the threads of a run.
std::string run_thread(Shared& shared, const std::vector<uint64_t>& seeds, uint64_t last,
                       std::atomic<bool>& stop) {
  std::string at = "the beginning";
  size_t i = 0;
  World* world = nullptr;
  try {
    world = new World(shared, at);
    for (; i < seeds.size() && !stop; ++i) world->call(seeds[i]);
    if (stop) return "";  // the process ends soon, and commands still use what the world has
    world->end(last);
    delete world;
  } catch (const std::exception& e) {
    stop = true;
    return "call " + std::to_string(i) + " (" + at + "): " + e.what();
  }
  return "";
}

// In a process that ends when something is wrong, so nothing has to be released then.
std::string run(const Sequence& sequence) {
  Shared shared;
  std::atomic<bool> stop = false;
  std::vector<std::string> wrong(sequence.threads.size());
  std::vector<std::thread> threads;
  for (size_t i = 0; i < wrong.size(); ++i)
    threads.emplace_back(
        [&, i] { wrong[i] = run_thread(shared, sequence.threads[i], sequence.seed + i, stop); });
  for (std::thread& t : threads) t.join();
  for (const std::string& w : wrong)
    if (!w.empty()) return w;
  if (clReleaseCommandQueue(shared.queue) || clReleaseContext(shared.context))
    return "the last releases fail";
  for (int i = 0; i < 20'000 && !shared.ended; ++i) std::this_thread::sleep_for(std::chrono::milliseconds(1));
  return shared.ended == 1 ? "" : "objects are left: the context has not ended";
}

// How long the process's thread that has waited most for a processor has done so, in seconds.
double waited_for_processor(pid_t process) {
  double most = 0;
  std::error_code gone;
  const std::string tasks = "/proc/" + std::to_string(process) + "/task";
  for (const auto& task : std::filesystem::directory_iterator(tasks, gone)) {
    double ran = 0, waited = 0;  // in nanoseconds
    if (std::ifstream(task.path() / "schedstat") >> ran >> waited) most = std::max(most, waited / 1e9);
  }
  return most;
}

// Waits for the end of a process, which counts its sequences in `begun`. It is ended, and the answer is
// false, when a sequence takes `seconds`. Time in which other programs kept the process from running does not
// count.
bool ends_in_time(pid_t process, const std::atomic<unsigned>& begun, unsigned seconds) {
  using Clock = std::chrono::steady_clock;
  auto since = Clock::now();
  double waited = 0;
  unsigned sequence = begun;
  for (unsigned looked = 1;; ++looked) {
    siginfo_t ended{};
    if (waitid(P_PID, static_cast<id_t>(process), &ended, WEXITED | WNOHANG | WNOWAIT) || ended.si_pid)
      return true;
    std::this_thread::sleep_for(std::chrono::milliseconds(5));
    if (looked % 200) continue;
    const double waits = waited_for_processor(process);
    if (const unsigned now = begun; now != sequence) {
      sequence = now, since = Clock::now(), waited = waits;
      continue;
    }
    const std::chrono::duration<double> took = Clock::now() - since;
    if (took.count() - (waits - waited) < seconds) continue;
    kill(process, SIGKILL);
    return false;
  }
}

}  // namespace

Sequence sequence_of(uint64_t seed, size_t calls) {
  Dice dice(seed);
  Sequence s{seed, {}};
  s.threads.resize(dice.one_in(4) ? 2 + dice(2) : 1);
  for (size_t i = 0; i < calls; ++i) s.threads[dice(s.threads.size())].push_back(dice.bits());
  return s;
}

Outcome try_in_process(std::span<const Sequence> sequences, unsigned seconds) {
  std::fflush(nullptr);
  std::FILE* told = std::tmpfile();
  void* shared =
      mmap(nullptr, sizeof(std::atomic<unsigned>), PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
  if (shared == MAP_FAILED) throw std::bad_alloc();
  auto& begun = *new (shared) std::atomic<unsigned>(0);
  const pid_t child = fork();
  if (child == 0) {
    dup2(fileno(told), STDERR_FILENO);
    if (!std::freopen("/dev/null", "w", stdout)) _exit(3);  // what kernels print
    for (const Sequence& s : sequences) {
      ++begun;
      const std::string wrong = run(s);
      if (wrong.empty()) continue;
      std::fprintf(stderr, "seed %llu: %s\n", static_cast<unsigned long long>(s.seed), wrong.c_str());
      std::fflush(stderr);
      _exit(1);
    }
    ++begun;
    std::exit(0);  // a leak is found here
  }
  Outcome out;
  int status = 0;
  rusage usage{};
  const bool in_time = ends_in_time(child, begun, seconds);
  wait4(child, &status, 0, &usage);
  munmap(shared, sizeof begun);
  out.cpu_seconds = static_cast<double>(usage.ru_utime.tv_sec + usage.ru_stime.tv_sec) +
                    static_cast<double>(usage.ru_utime.tv_usec + usage.ru_stime.tv_usec) / 1e6;
  out.right = WIFEXITED(status) && WEXITSTATUS(status) == 0;
  if (WIFSIGNALED(status))
    out.message = in_time ? "signal " + std::to_string(WTERMSIG(status)) + "\n" : "it hangs\n";
  std::rewind(told);
  char text[4096];
  for (size_t n; out.message.size() < 16'000 && (n = std::fread(text, 1, sizeof text, told)) > 0;)
    out.message.append(text, n);
  std::fclose(told);
  return out;
}

Sequence shrink(Sequence sequence, unsigned seconds, int tries) {
  for (size_t part = 64; part >= 1 && tries > 0; part /= 2) {
    for (size_t t = 0; t < sequence.threads.size(); ++t) {
      for (size_t at = 0; at < sequence.threads[t].size() && tries > 0; --tries) {
        Sequence shorter = sequence;
        auto& calls = shorter.threads[t];
        calls.erase(calls.begin() + static_cast<long>(at),
                    calls.begin() + static_cast<long>(std::min(at + part, calls.size())));
        if (try_in_process({&shorter, 1}, seconds).right)
          at += part;
        else
          sequence = std::move(shorter);
      }
    }
  }
  return sequence;
}

}  // namespace calls
