// SPDX-License-Identifier: Apache-2.0
#include "ir/process.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <poll.h>
#include <signal.h>
#include <spawn.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <cerrno>
#include <chrono>
#include <cmath>
#include <cstdio>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <optional>

extern char** environ;

namespace kc {
namespace {

struct Pipe {
  int read = -1, write = -1;
  Pipe() {
    int ends[2];
    if (pipe2(ends, O_CLOEXEC) == 0) read = ends[0], write = ends[1];
  }
  ~Pipe() { close_read(), close_write(); }
  Pipe(const Pipe&) = delete;
  Pipe& operator=(const Pipe&) = delete;
  void close_read() {
    if (read >= 0) close(read);
    read = -1;
  }
  void close_write() {
    if (write >= 0) close(write);
    write = -1;
  }
};

// Entries of a fixed table that a signal handler can read at any moment.
template <typename T>
class Registry {
 public:
  // Whether there was room.
  bool add(T value) {
    for (auto& slot : slots_)
      if (T none{}; slot.compare_exchange_strong(none, value)) return true;
    return false;
  }
  void remove(T value) {
    for (auto& slot : slots_)
      if (T expected = value; slot.compare_exchange_strong(expected, T{})) return;
  }
  // Takes all out.
  template <typename Use>
  void drain(Use use) {
    for (auto& slot : slots_)
      if (T value = slot.exchange(T{}); value) use(value);
  }
  static constexpr size_t kSlots = 64;

 private:
  std::array<std::atomic<T>, kSlots> slots_{};
};
Registry<pid_t> g_running;
Registry<const char*> g_removed;

// While something that a signal's handler must find exists and is not yet in its registry. The signals wait:
// on this thread by its mask, on others in the handler. Once a handler runs, nothing more is begun.
std::atomic<int> g_registering{0};
std::atomic<bool> g_ending{false};
class Registering {
 public:
  Registering() {
    sigset_t ends;
    sigemptyset(&ends);
    for (int signal : kEnds) sigaddset(&ends, signal);
    pthread_sigmask(SIG_BLOCK, &ends, &before_);
    ++g_registering;
    if (!g_ending) return;
    --g_registering;
    for (;;) pause();
  }
  ~Registering() {
    --g_registering;
    pthread_sigmask(SIG_SETMASK, &before_, nullptr);
  }
  Registering(const Registering&) = delete;
  Registering& operator=(const Registering&) = delete;
  const sigset_t& before() const { return before_; }
  static constexpr std::array kEnds{SIGHUP, SIGINT, SIGTERM};

 private:
  sigset_t before_{};
};

// Calls only what POSIX permits in a handler; _Fork and execv remove whole folders.
void end_by_signal(int signal) {
  g_ending = true;
  for (int waited = 0; g_registering > 0 && waited < 1000; ++waited) poll(nullptr, 0, 1);
  g_running.drain([](pid_t pid) {
    kill(-pid, SIGKILL);
    waitpid(pid, nullptr, 0);
  });
  std::array<char*, Registry<const char*>::kSlots + 4> argv{const_cast<char*>("rm"), const_cast<char*>("-rf"),
                                                            const_cast<char*>("--")};
  size_t count = 3;
  g_removed.drain([&](const char* path) { argv[count++] = const_cast<char*>(path); });
  if (count > 3) {
    if (const pid_t pid = _Fork(); pid == 0) {
      execv("/bin/rm", argv.data());
      _exit(127);
    } else if (pid > 0) {
      waitpid(pid, nullptr, 0);
    }
  }
  raise(signal);  // with its default effect, when the handler has returned
}

using Clock = std::chrono::steady_clock;

constexpr double kShortestLook = 0.01;  // seconds between two looks at what processes have used

// Seconds of the processor that the processes of a group have used, with those that they have waited for.
double used_by_group(pid_t group) {
  long ticks = 0;
  std::error_code none;
  for (std::filesystem::directory_iterator at("/proc", none), last; at != last; at.increment(none)) {
    if (none) break;
    const std::string name = at->path().filename().string();
    if (name.empty() || name[0] < '0' || name[0] > '9') continue;
    // A stream would throw where the process ends meanwhile. The file has no more than some hundred bytes.
    std::array<char, 4096> bytes;
    const int file = open((at->path() / "stat").c_str(), O_RDONLY | O_CLOEXEC);
    const ssize_t size = file < 0 ? 0 : read(file, bytes.data(), bytes.size());
    if (file >= 0) close(file);
    const std::string text(bytes.data(), size > 0 ? static_cast<size_t>(size) : 0);
    // Behind the name, which may have any characters: the state, the parent and the group, eight others, and
    // ticks of its own in user and kernel mode and of those that it has waited for (proc(5)).
    pid_t its_group = 0;
    std::array<long, 4> its{};
    const size_t behind = text.rfind(')');
    if (behind != std::string::npos &&
        std::sscanf(text.c_str() + behind + 1, " %*c %*d %d %*d %*d %*d %*u %*u %*u %*u %*u %ld %ld %ld %ld",
                    &its_group, &its[0], &its[1], &its[2], &its[3]) == 5 &&
        its_group == group)
      ticks += its[0] + its[1] + its[2] + its[3];
  }
  return static_cast<double>(ticks) / static_cast<double>(sysconf(_SC_CLK_TCK));
}

double seconds_used(const rusage& u) {
  return static_cast<double>(u.ru_utime.tv_sec + u.ru_stime.tv_sec) +
         1e-6 * static_cast<double>(u.ru_utime.tv_usec + u.ru_stime.tv_usec);
}

Clock::duration time_of(double seconds) {
  return std::chrono::duration_cast<Clock::duration>(std::chrono::duration<double>(seconds));
}

// The limits of time of a process and of what it has started.
class Watch {
 public:
  explicit Watch(const ToolLimits& limits)
      : limits_(limits), end_(Clock::now() + time_of(limits.seconds)), look_(end_) {
    if (limits.processor_seconds) look_again(limits.processor_seconds);
  }
  void begin(pid_t group) {
    group_ = group;
    if (!limits_.processor_seconds) return;
    // What leaves the group is not seen, but cannot go on for ever either. The second more is for us: we say
    // which limit it was.
    const auto most = static_cast<rlim_t>(std::ceil(limits_.processor_seconds)) + 1;
    const rlimit of_each{most, most};
    prlimit(group, RLIMIT_CPU, &of_each, nullptr);
  }
  // The limit that is exceeded now, or nothing.
  std::string exceeded() {
    const auto now = Clock::now();
    if (now >= end_) {
      late_ = true;
      return fmt::format("takes longer than {:g} s{}", limits_.seconds,
                         limits_.processor_seconds ? " of the clock" : "");
    }
    if (now < look_) return {};
    const double left = limits_.processor_seconds - used_by_group(group_);
    if (left <= 0) return too_much();
    look_again(left);
    return {};
  }
  // The same of a process that has ended. It may have exceeded its limit since the last look.
  std::string exceeded(const rusage& used) {
    return limits_.processor_seconds && seconds_used(used) > limits_.processor_seconds ? too_much() : "";
  }
  // Whether one was.
  bool late() const { return late_; }
  // Until something can be exceeded, rounded up, at most some minutes.
  int milliseconds() const {
    const auto left = std::chrono::ceil<std::chrono::milliseconds>(std::min(look_, end_) - Clock::now());
    return static_cast<int>(std::clamp<int64_t>(left.count(), 0, 1'000'000));
  }

 private:
  std::string too_much() {
    late_ = true;
    return fmt::format("takes more than {:g} s of processor time", limits_.processor_seconds);
  }
  // Half of what is left: several processes use more than a second in a second.
  void look_again(double left) {
    look_ = std::min(end_, Clock::now() + time_of(std::max(left / 2, kShortestLook)));
  }

  const ToolLimits& limits_;
  pid_t group_ = 0;
  bool late_ = false;
  Clock::time_point end_, look_;
};

// Reads both streams to the end in parallel, so that neither blocks the child. Why it stopped earlier, or
// nothing.
std::string drain(Pipe& out, Pipe& err, ToolOutput& result, const ToolLimits& limits, Watch& watch) {
  std::array<char, 65536> buffer;
  std::array<pollfd, 2> fds{pollfd{out.read, POLLIN, 0}, pollfd{err.read, POLLIN, 0}};
  std::array<std::string*, 2> sinks{&result.out, &result.err};
  while (fds[0].fd >= 0 || fds[1].fd >= 0) {
    if (std::string limit = watch.exceeded(); !limit.empty()) return limit;
    if (poll(fds.data(), fds.size(), watch.milliseconds()) < 0) {
      if (errno == EINTR) continue;
      return "cannot be read";
    }
    for (size_t i = 0; i < fds.size(); ++i) {
      if (fds[i].fd < 0 || fds[i].revents == 0) continue;
      ssize_t n = read(fds[i].fd, buffer.data(), buffer.size());
      if (n > 0)
        sinks[i]->append(buffer.data(), static_cast<size_t>(n));
      else if (n == 0 || errno != EINTR)
        fds[i].fd = -1;
    }
    if (result.out.size() + result.err.size() > limits.output_bytes)
      return fmt::format("prints more than {} bytes", limits.output_bytes);
  }
  return {};
}

// What of a tool's failure is not the fault of its input.
std::optional<ToolError> failed_here(const std::string& tool, int status, const std::string& err) {
  const std::string first = err.substr(0, err.find('\n'));
  if (err.find(std::strerror(ENOSPC)) != std::string::npos ||
      err.find(std::strerror(EDQUOT)) != std::string::npos)
    return ToolError{fmt::format("{}: {}", tool, first), false, true};
  const bool no_memory = err.find("out of memory") != std::string::npos ||
                         err.find("bad_alloc") != std::string::npos ||
                         err.find(std::strerror(ENOMEM)) != std::string::npos;
  if (WIFSIGNALED(status))
    return ToolError{fmt::format("{} was killed by signal {} ({}){}{}", tool, WTERMSIG(status),
                                 strsignal(WTERMSIG(status)), first.empty() ? "" : ": ", first),
                     true};
  // 127: the tool's own libraries could not be loaded.
  if (no_memory || WEXITSTATUS(status) == 127)
    return ToolError{fmt::format("{} cannot run here: {}", tool, first), true};
  return std::nullopt;
}

// How a process ended, and what it printed.
struct Ended {
  int status = 0;
  std::string exceeded;  // the limit, if it was ended for one
  bool late = false;     // it is one of time
  ToolOutput printed{};
};

// The process has closed its streams. Waits until it has finished, or says which limit it exceeds. It stays a
// zombie, so that its number, which is that of its group, is not given to another.
std::string wait_for_end(pid_t pid, Watch& watch) {
  for (useconds_t pause = 50;; pause = std::min<useconds_t>(pause * 2, 20'000)) {
    siginfo_t info{};
    const int failed = waitid(P_PID, static_cast<id_t>(pid), &info, WEXITED | WNOHANG | WNOWAIT);
    if (failed == 0 && info.si_pid == pid) return {};
    if (failed != 0 && errno != EINTR) return {};
    if (std::string limit = watch.exceeded(); !limit.empty()) return limit;
    usleep(pause);
  }
}

// Runs a process in a group of its own, so that what it starts ends with it. `input`: a descriptor, or -1.
std::expected<Ended, ToolError> run_process(const std::vector<std::string>& argv, int input,
                                            const ToolLimits& limits) {
  if (argv.empty()) return std::unexpected(ToolError{"no tool named"});
  Pipe out, err;
  if (out.read < 0 || err.read < 0) return std::unexpected(ToolError{"cannot create a pipe", true});
  posix_spawn_file_actions_t actions;
  posix_spawn_file_actions_init(&actions);
  if (input < 0)
    posix_spawn_file_actions_addopen(&actions, 0, "/dev/null", O_RDONLY, 0);
  else
    posix_spawn_file_actions_adddup2(&actions, input, 0);
  posix_spawn_file_actions_adddup2(&actions, out.write, 1);
  posix_spawn_file_actions_adddup2(&actions, err.write, 2);
  posix_spawnattr_t attributes;
  posix_spawnattr_init(&attributes);
  posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETPGROUP | POSIX_SPAWN_SETSIGMASK);
  std::vector<char*> args;
  for (const std::string& a : argv) args.push_back(const_cast<char*>(a.c_str()));
  args.push_back(nullptr);
  pid_t pid = 0;
  Watch watch(limits);
  int error = 0;
  {
    const Registering registering;
    posix_spawnattr_setsigmask(&attributes, &registering.before());
    error = posix_spawnp(&pid, args[0], &actions, &attributes, args.data(), environ);
    if (error == 0) g_running.add(pid);
  }
  posix_spawn_file_actions_destroy(&actions);
  posix_spawnattr_destroy(&attributes);
  if (error == ENOENT)
    return std::unexpected(ToolError{fmt::format("component absent: {} is not installed", argv[0]), true});
  if (error != 0)
    return std::unexpected(ToolError{fmt::format("cannot run {}: {}", argv[0], std::strerror(error)), true});
  watch.begin(pid);
  if (limits.memory_bytes) {
    // Of data, not of addresses: some languages reserve terabytes of these.
    const rlimit most{limits.memory_bytes, limits.memory_bytes};
    prlimit(pid, RLIMIT_DATA, &most, nullptr);
  }
  out.close_write();
  err.close_write();
  Ended ended;
  ended.exceeded = drain(out, err, ended.printed, limits, watch);
  if (ended.exceeded.empty()) ended.exceeded = wait_for_end(pid, watch);
  kill(-pid, SIGKILL);  // what it has started and left, too
  rusage used{};
  while (wait4(pid, &ended.status, 0, &used) < 0 && errno == EINTR) {
  }
  if (ended.exceeded.empty()) ended.exceeded = watch.exceeded(used);
  ended.late = watch.late();
  g_running.remove(pid);
  return ended;
}

}  // namespace

std::expected<ToolOutput, ToolError> run_tool(const std::vector<std::string>& argv,
                                              const ToolLimits& limits) {
  auto ended = run_process(argv, -1, limits);
  if (!ended) return std::unexpected(std::move(ended.error()));
  if (!ended->exceeded.empty())
    return std::unexpected(ToolError{fmt::format("{} {} and was ended", argv[0], ended->exceeded)});
  ToolOutput& result = ended->printed;
  if (ended->status != 0)
    if (auto here = failed_here(argv[0], ended->status, result.err)) return std::unexpected(std::move(*here));
  result.exit_code = WEXITSTATUS(ended->status);
  return std::move(result);
}

std::expected<ProgramOutput, ProgramError> run_program(const std::vector<std::string>& argv,
                                                       std::string_view input, const ToolLimits& limits) {
  // A file in memory: a program need not read all of it, and cannot make us wait.
  const int file = memfd_create("kernelc-input", MFD_CLOEXEC);
  bool written = file >= 0;
  for (std::string_view rest = input; written && !rest.empty();) {
    const ssize_t n = write(file, rest.data(), rest.size());
    if (n > 0) rest.remove_prefix(static_cast<size_t>(n));
    written = n > 0 || errno == EINTR;
  }
  written = written && lseek(file, 0, SEEK_SET) == 0;
  auto ended = written
                   ? run_process(argv, file, limits)
                   : std::unexpected(ToolError{fmt::format("no memory for the input of {}", argv[0]), true});
  if (file >= 0) close(file);
  if (!ended) return std::unexpected(ProgramError{std::move(ended.error())});
  if (!ended->exceeded.empty())
    return std::unexpected(
        ProgramError{{.message = fmt::format("it {} and was ended", ended->exceeded), .late = ended->late},
                     std::move(ended->printed.err)});
  ProgramOutput r{.out = std::move(ended->printed.out), .err = std::move(ended->printed.err)};
  if (WIFSIGNALED(ended->status))
    r.signal = WTERMSIG(ended->status);
  else
    r.exit_code = WEXITSTATUS(ended->status);
  return r;
}

void clean_up_on_signals() {
  struct sigaction action {};
  action.sa_handler = &end_by_signal;
  action.sa_flags = SA_RESETHAND;
  for (int signal : Registering::kEnds) {
    struct sigaction before {};
    // One that the parent has us ignore stays ignored, as nohup wants it.
    if (sigaction(signal, nullptr, &before) == 0 && before.sa_handler != SIG_IGN)
      sigaction(signal, &action, nullptr);
  }
}

RemovedOnSignal::RemovedOnSignal(std::string path) : path_(std::move(path)) {
  if (!path_.empty()) g_removed.add(path_.c_str());
}
RemovedOnSignal::~RemovedOnSignal() {
  if (!path_.empty()) g_removed.remove(path_.c_str());
}

namespace {

// A new directory, or nothing.
RemovedOnSignal make_directory() {
  const Registering registering;
  std::error_code ec;
  auto base = std::filesystem::temp_directory_path(ec);
  std::string name = (ec ? std::string("/tmp") : base.string()) + "/kernelc-XXXXXX";
  return RemovedOnSignal(mkdtemp(name.data()) ? name : std::string());
}

}  // namespace

TempDir::TempDir() : made_(make_directory()) {}
TempDir::~TempDir() {
  std::error_code ec;
  if (valid()) std::filesystem::remove_all(made_.path(), ec);
}

ToolError with_packages(ToolError error, std::string_view packages) {
  if (error.absent)
    error.message += fmt::format(" (package{} {})", packages.find(' ') == packages.npos ? "" : "s", packages);
  return error;
}

ToolError temporary_file_error(std::string_view path) {
  const std::string why = errno ? std::strerror(errno) : "error";
  return {path.empty() ? fmt::format("cannot make a temporary directory (TMPDIR): {}", why)
                       : fmt::format("cannot write the temporary file {} (TMPDIR): {}", path, why),
          false, true};
}

bool write_file(const std::string& path, std::string_view bytes) {
  std::ofstream f(path, std::ios::binary);
  f.write(bytes.data(), static_cast<std::streamsize>(bytes.size()));
  return static_cast<bool>(f.flush());
}

std::expected<std::string, std::string> read_file(const std::string& path) {
  std::ifstream f(path, std::ios::binary);
  if (!f) return std::unexpected("cannot read " + path);
  return std::string(std::istreambuf_iterator<char>(f), {});
}

}  // namespace kc
