// SPDX-License-Identifier: Apache-2.0
#include "driver/commands/fuzz_workers.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <poll.h>
#include <sys/prctl.h>
#include <sys/signalfd.h>
#include <sys/time.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <csignal>
#include <cstdio>
#include <cstring>

#include "fuzz/random_program.h"
#include "fuzz/random_rows.h"
#include "fuzz/random_strides.h"
#include "runtime/cpu/guarded_memory.h"

namespace kc {
namespace {

// A worker that dies takes a process start with it, and each opens its devices anew.
constexpr uint64_t kChunk = 250;

// The buffers that a program has at a time, and their copies: few more pages than they have bytes.
constexpr size_t kKeptBuffers = 64;

std::vector<std::string> all_options(const FuzzPlan& plan, std::vector<std::string> options) {
  options.insert(options.end(), plan.options.begin(), plan.options.end());
  return options;
}

void put(int fd, const std::string& line) {
  // Shorter than what a pipe takes in one piece.
  std::string text = line.substr(0, 2000) + "\n";
  for (size_t at = 0; at < text.size();) {
    ssize_t n = ::write(fd, text.data() + at, text.size() - at);
    if (n <= 0) _exit(ExitIo);
    at += static_cast<size_t>(n);
  }
}

// So many seconds of the processor, or many more of the clock: the machine may have other things to do.
void allow(uint32_t seconds) {
  itimerval limit{};
  limit.it_value.tv_sec = seconds;
  ::setitimer(ITIMER_PROF, &limit, nullptr);
  ::alarm(seconds * 10);
}
bool stopped(int status) {
  return WIFSIGNALED(status) && (WTERMSIG(status) == SIGALRM || WTERMSIG(status) == SIGPROF);
}

// One letter for each event: S and the seed of a program, B and a route that is about to run, R with a route,
// its verdict and a note; at last E, or F with what is wrong with the program itself, or P with what a pass
// that is a program of its own did wrong.
void work(const FuzzPlan& plan, uint64_t from, uint64_t to, int fd) {
  FuzzRoutes routes(plan.routes, plan.assemble, plan.width, plan.largest);
  keep_guarded_memory(kKeptBuffers);
  for (uint64_t seed = from; seed < to; ++seed) {
    put(fd, fmt::format("S{}", seed));
    allow(plan.seconds);
    fuzz::RandomProgram p = program_of(plan, seed);
    std::optional<fuzz::StructuredProgram> structured;
    if (plan.style == FuzzStyle::Structured) structured = fuzz::random_structured(seed);
    FuzzOutcome o = routes.run(
        p.source, all_options(plan, std::move(p.launch)), [&](size_t k) { put(fd, fmt::format("B{}", k)); },
        structured ? &*structured : nullptr);
    for (size_t k = 0; k < o.routes.size(); ++k)
      put(fd, fmt::format("R{} {}{}", k, static_cast<int>(o.routes[k].verdict), o.routes[k].note));
    put(fd, !o.fault.empty() ? "F" + o.fault : !o.wrong_pass.empty() ? "P" + o.wrong_pass : "E");
  }
}

// The other process must not come back into what its parent was doing.
[[noreturn]] void work_and_exit(const FuzzPlan& plan, uint64_t from, uint64_t to, int fd) {
  try {
    work(plan, from, to, fd);
  } catch (const std::exception& e) {
    fmt::print(stderr, "kernelc: internal error: {}\n", e.what());
    _exit(ExitInternal);
  }
  _exit(ExitOk);
}

std::string describe_end(int status) {
  if (stopped(status)) return "no end in sight";
  if (WIFSIGNALED(status)) {
    return fmt::format("killed by signal {} ({})", WTERMSIG(status), ::strsignal(WTERMSIG(status)));
  }
  return fmt::format("ended with status {}", WEXITSTATUS(status));
}

struct Worker {
  pid_t pid = 0;
  int fd = -1;
  std::string input;
  uint64_t next = 0, end = 0;  // seeds that are not done; the first is running
  int route = -1;
  FuzzFinding finding;  // of the program that is running
  bool found = false;
};

class Crew {
 public:
  explicit Crew(const FuzzPlan& plan) : plan_(plan), next_(plan.first), end_(plan.first + plan.count) {
    report_.routes.resize(plan.routes.size());
    // Ctrl-C arrives as an event like the others.
    sigset_t set;
    sigemptyset(&set);
    sigaddset(&set, SIGINT);
    sigaddset(&set, SIGTERM);
    ::sigprocmask(SIG_BLOCK, &set, &before_);
    signals_ = ::signalfd(-1, &set, SFD_CLOEXEC);
  }
  ~Crew() {
    ::close(signals_);
    if (!interrupted_) ::sigprocmask(SIG_SETMASK, &before_, nullptr);
  }
  Crew(const Crew&) = delete;
  Crew& operator=(const Crew&) = delete;

  FuzzReport run() {
    while (!interrupted_) {
      while (workers_.size() < plan_.jobs && next_ < end_) {
        uint64_t to = std::min(next_ + kChunk, end_);
        start(next_, to);
        next_ = to;
      }
      if (workers_.empty()) break;
      wait();
    }
    for (Worker& w : workers_) {
      report_.unfinished.push_back(w.next);
      ::kill(w.pid, SIGTERM);  // which leaves no temporary files behind
      ::waitpid(w.pid, nullptr, 0);
      ::close(w.fd);
    }
    if (plan_.progress) fmt::print(stderr, "\r\033[K");
    report_.interrupted = interrupted_;
    std::sort(report_.unfinished.begin(), report_.unfinished.end());
    std::sort(report_.findings.begin(), report_.findings.end(),
              [](const FuzzFinding& a, const FuzzFinding& b) { return a.seed < b.seed; });
    return std::move(report_);
  }

 private:
  void start(uint64_t from, uint64_t to) {
    int ends[2];
    if (::pipe2(ends, O_CLOEXEC) != 0) throw std::runtime_error("cannot make a pipe");
    std::fflush(nullptr);
    pid_t pid = ::fork();
    if (pid < 0) throw std::runtime_error("cannot start a process");
    if (pid == 0) {
      ::prctl(PR_SET_PDEATHSIG, SIGKILL);
      ::sigprocmask(SIG_SETMASK, &before_, nullptr);
      work_and_exit(plan_, from, to, ends[1]);
    }
    ::close(ends[1]);
    workers_.push_back({.pid = pid, .fd = ends[0], .input = {}, .next = from, .end = to, .finding = {}});
  }

  void wait() {
    std::vector<pollfd> events{{signals_, POLLIN, 0}};
    for (const Worker& w : workers_) events.push_back({w.fd, POLLIN, 0});
    if (::poll(events.data(), events.size(), -1) < 0) return;
    signalfd_siginfo taken;
    if (events[0].revents && ::read(signals_, &taken, sizeof taken) > 0) interrupted_ = true;
    for (size_t i = workers_.size(); i-- > 0;)
      if (events[i + 1].revents) read(i);
  }

  void read(size_t i) {
    char bytes[4096];
    ssize_t n = ::read(workers_[i].fd, bytes, sizeof bytes);
    if (n <= 0) return finish(i);
    Worker& w = workers_[i];
    w.input.append(bytes, static_cast<size_t>(n));
    size_t at = 0;
    for (size_t end; (end = w.input.find('\n', at)) != std::string::npos; at = end + 1)
      event(w, w.input.substr(at, end - at));
    w.input.erase(0, at);
  }

  void event(Worker& w, const std::string& line) {
    switch (line[0]) {
      case 'S':
        w.route = -1;
        w.found = false;
        break;
      case 'B':
        w.route = std::stoi(line.substr(1));
        break;
      case 'R':
        return count(w, line);
      case 'P':
        report_.findings.push_back({.seed = w.next, .what = line.substr(1), .pass = true});
        return done(w);
      case 'F':
        report_.findings.push_back({.seed = w.next, .what = line.substr(1), .fault = true});
        [[fallthrough]];
      default:
        done(w);
    }
  }

  void count(Worker& w, const std::string& line) {
    size_t blank = line.find(' ');
    int k = std::stoi(line.substr(1, blank - 1));
    FuzzCount& c = report_.routes[static_cast<size_t>(k)];
    std::string note = line.substr(blank + 2);
    switch (static_cast<FuzzVerdict>(line[blank + 1] - '0')) {
      case FuzzVerdict::Absent:
        ++c.absent;
        [[fallthrough]];
      case FuzzVerdict::Skipped:
        ++c.skipped[note];
        return;
      case FuzzVerdict::Differs:
        ++c.different;
        if (!w.found) w.finding = {.seed = w.next, .route = k, .what = note};
        w.found = true;
        break;
      default:
        break;
    }
    ++c.run;
  }

  void done(Worker& w) {
    if (w.found) report_.findings.push_back(w.finding);
    ++w.next;
    ++report_.programs;
    if (plan_.progress && report_.programs % 16 == 0)
      fmt::print(stderr, "\r{} of {} programs", report_.programs, plan_.count);
  }

  void finish(size_t i) {
    Worker w = std::move(workers_[i]);
    workers_.erase(workers_.begin() + static_cast<std::ptrdiff_t>(i));
    ::close(w.fd);
    int status = 0;
    ::waitpid(w.pid, &status, 0);
    if (w.next == w.end) return;
    // Ctrl-C reaches the whole group of processes, and here perhaps first.
    if (WIFSIGNALED(status) && (WTERMSIG(status) == SIGINT || WTERMSIG(status) == SIGTERM)) {
      report_.unfinished.push_back(w.next);
      interrupted_ = true;
      return;
    }
    if (w.route >= 0) {
      FuzzCount& c = report_.routes[static_cast<size_t>(w.route)];
      ++c.run, ++c.different;
    }
    report_.findings.push_back({.seed = w.next,
                                .route = w.route,
                                .what = describe_end(status),
                                .died = true,
                                .hung = stopped(status)});
    ++report_.programs;
    if (w.next + 1 < w.end) start(w.next + 1, w.end);
  }

  const FuzzPlan& plan_;
  uint64_t next_, end_;
  sigset_t before_{};
  int signals_ = -1;
  std::vector<Worker> workers_;
  FuzzReport report_;
  bool interrupted_ = false;
};

}  // namespace

fuzz::RandomProgram program_of(const FuzzPlan& plan, uint64_t seed) {
  if (plan.style == FuzzStyle::Usual) return fuzz::random_program(seed);
  if (plan.style == FuzzStyle::Rows) return fuzz::random_rows(seed);
  if (plan.style == FuzzStyle::Strides) return fuzz::random_strides(seed);
  fuzz::StructuredProgram p = fuzz::random_structured(seed);
  return {.source = std::move(p.source), .launch = std::move(p.launch)};
}

FuzzReport run_fuzz(const FuzzPlan& plan) { return Crew(plan).run(); }

namespace {

// What a pass did, in whichever line and with whichever value.
std::string without_numbers(std::string text) {
  std::erase_if(text, [](char c) { return c >= '0' && c <= '9'; });
  return text;
}

}  // namespace

bool shows_again(const FuzzFinding& finding, const FuzzPlan& plan, const std::string& source) {
  if (plan.style == FuzzStyle::Structured && !fuzz::keeps_ownership(source)) return false;
  constexpr int kDiffers = 1;
  std::fflush(nullptr);
  pid_t pid = ::fork();
  if (pid < 0) throw std::runtime_error("cannot start a process");
  if (pid == 0) {
    ::prctl(PR_SET_PDEATHSIG, SIGKILL);
    allow(std::min(plan.seconds, 20u));
    // Errors of the compiler itself are written there, once for every attempt.
    if (int null = ::open("/dev/null", O_WRONLY); null >= 0) ::dup2(null, 2);
    std::vector<const EngineInfo*> routes;
    if (finding.route >= 0) routes.push_back(plan.routes[static_cast<size_t>(finding.route)]);
    FuzzOutcome o = FuzzRoutes(routes, plan.assemble, plan.width)
                        .run(source, all_options(plan, program_of(plan, finding.seed).launch));
    const bool wrong_again = without_numbers(o.wrong_pass) == without_numbers(finding.what);
    _exit((finding.pass ? wrong_again : o.difference() != nullptr) ? kDiffers : ExitOk);
  }
  int status = 0;
  ::waitpid(pid, &status, 0);
  if (!finding.died) return WIFEXITED(status) && WEXITSTATUS(status) == kDiffers;
  return describe_end(status) == finding.what;
}

}  // namespace kc
