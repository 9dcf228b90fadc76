// SPDX-License-Identifier: Apache-2.0
// test_opencl_calls: random sequences of calls of the OpenCL driver, compared with a model.
#include <charconv>
#include <cstdio>
#include <string_view>

#include "tests/opencl_calls/runner.h"

// A leak is an error like any other.
extern "C" const char* __asan_default_options() { return "detect_leaks=1:exitcode=99"; }

namespace {

constexpr const char* kUsage =
    "usage: test_opencl_calls [--seed N] [--count N] [--calls N] [--cpu SECONDS]\n"
    "  --seed N       the first seed (1)\n"
    "  --count N      so many sequences (100)\n"
    "  --calls N      calls in a sequence (120)\n"
    "  --cpu SECONDS  end after so much processor time, if that comes first\n";

bool number(std::string_view text, uint64_t& value) {
  auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  return error == std::errc() && end == text.data() + text.size();
}

void print(const calls::Sequence& s) {
  for (size_t t = 0; t < s.threads.size(); ++t) {
    std::printf("thread %zu:", t);
    for (uint64_t call : s.threads[t]) std::printf(" %llx", static_cast<unsigned long long>(call));
    std::printf("\n");
  }
}

}  // namespace

int main(int argc, char** argv) {
  uint64_t seed = 1, count = 100, calls = 120, cpu = 0;
  for (int i = 1; i < argc; i += 2) {
    const std::string_view name = argv[i];
    uint64_t* to = name == "--seed"    ? &seed
                   : name == "--count" ? &count
                   : name == "--calls" ? &calls
                   : name == "--cpu"   ? &cpu
                                       : nullptr;
    if (!to || i + 1 == argc || !number(argv[i + 1], *to)) return std::fputs(kUsage, stderr), 2;
  }
  constexpr unsigned kSeconds = 120;
  constexpr uint64_t kTogether = 20;  // in one process
  double used = 0;
  uint64_t done = 0, wrong = 0;
  while (done < count && (!cpu || used < static_cast<double>(cpu))) {
    std::vector<calls::Sequence> group;
    for (uint64_t i = 0; i < kTogether && done + i < count; ++i)
      group.push_back(calls::sequence_of(seed + done + i, calls));
    const calls::Outcome all = calls::try_in_process(group, kSeconds);
    used += all.cpu_seconds;
    done += group.size();
    if (all.right) continue;
    // Which of them, each by itself; one that fails only after others is reported as that.
    bool found = false;
    for (const calls::Sequence& s : group) {
      const calls::Outcome one = calls::try_in_process({&s, 1}, kSeconds);
      used += one.cpu_seconds;
      if (one.right) continue;
      found = true;
      std::printf("seed %llu, %llu calls: %s", static_cast<unsigned long long>(s.seed),
                  static_cast<unsigned long long>(calls), one.message.c_str());
      std::fflush(stdout);
      const calls::Sequence small = calls::shrink(s, 20, 150);
      const calls::Outcome why = calls::try_in_process({&small, 1}, kSeconds);
      std::printf("shrunk: %s", why.right ? "(it does not always fail)\n" : why.message.c_str());
      print(small);
      if (++wrong >= 3) break;
    }
    if (!found) {
      ++wrong;
      std::printf("seeds %llu to %llu in one process: %s",
                  static_cast<unsigned long long>(group.front().seed),
                  static_cast<unsigned long long>(group.back().seed), all.message.c_str());
    }
    std::fflush(stdout);
    if (wrong >= 3) break;
  }
  std::printf("%llu sequences of %llu calls from seed %llu, %.1f s of processor time, %llu failures\n",
              static_cast<unsigned long long>(done), static_cast<unsigned long long>(calls),
              static_cast<unsigned long long>(seed), used, static_cast<unsigned long long>(wrong));
  return wrong ? 1 : 0;
}
