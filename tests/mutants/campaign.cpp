// SPDX-License-Identifier: Apache-2.0
// Runs tests against mutants until one fails or none is left:
//
//   mutant_campaign LIST STAGES FOLDER LOG COMMIT PART SECONDS [NUMBER...]
//
// LIST is the list of mutants that mutant_sources wrote. A line of STAGES is a name and a command, whose
// program lies beside this one. One stage after the other runs, first without a mutant: so it is known which
// mutants it comes to. Then it runs with each mutant that is left and whose expression had another value.
// FOLDER keeps what has passed, so an interrupted campaign goes on. PART is like 2/3: every third mutant from
// the second on. LOG has one line for each mutant; those that it has are not run again. Nothing begins after
// SECONDS. With numbers, only these mutants.
//
// A test fails by its exit status, by a signal, by taking ten times as long, or by 4 GiB of memory.
#include <fcntl.h>
#include <fmt/format.h>
#include <signal.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <cstdint>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <set>
#include <sstream>
#include <string>
#include <vector>

#include "tests/mutants/switch.h"

namespace {

namespace fs = std::filesystem;
namespace mutants = kc::mutants;

struct Mutant {
  unsigned id = 0;
  std::string place, function, kind;
  bool reached = false, differs = false, killed = false;
  double seconds = 0;  // of the processor
};

struct Stage {
  std::string name;
  std::vector<std::string> command;
  double seconds = 0;  // of the processor, without a mutant
  std::string seen;    // a byte for each mutant

  bool meets(unsigned id, unsigned char what) const {
    return id < seen.size() && (static_cast<unsigned char>(seen[id]) & what) != 0;
  }
};

struct Outcome {
  std::string failure;  // empty: the test passed
  double seconds = 0;
};

[[noreturn]] void fail(const std::string& message) {
  fmt::print(stderr, "mutant_campaign: error: {}\n", message);
  std::exit(1);
}

double now() {
  return std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch()).count();
}

std::string read(const fs::path& file) {
  std::ifstream in(file, std::ios::binary);
  std::ostringstream text;
  text << in.rdbuf();
  return text.str();
}

double seconds_of(const timeval& t) {
  return static_cast<double>(t.tv_sec) + static_cast<double>(t.tv_usec) / 1e6;
}

void become(const Stage& stage, const std::string& variable, const std::string& value, rlim_t seconds) {
  ::setpgid(0, 0);
  ::setenv(variable.c_str(), value.c_str(), 1);
  const rlimit time{seconds, seconds + 1}, memory{rlim_t{4} << 30, rlim_t{4} << 30}, core{0, 0};
  ::setrlimit(RLIMIT_CPU, &time);
  ::setrlimit(RLIMIT_DATA, &memory);
  ::setrlimit(RLIMIT_CORE, &core);
  const int nothing = ::open("/dev/null", O_RDWR);
  for (int fd : {0, 1, 2}) ::dup2(nothing, fd);
  std::vector<char*> words;
  for (const std::string& word : stage.command) words.push_back(const_cast<char*>(word.c_str()));
  words.push_back(nullptr);
  ::execv(words[0], words.data());
  ::_exit(127);
}

std::string failure_of(int status) {
  if (WIFSIGNALED(status)) {
    const int signal = WTERMSIG(status);
    return signal == SIGXCPU || signal == SIGKILL ? "time" : fmt::format("signal-{}", signal);
  }
  return WEXITSTATUS(status) ? fmt::format("status-{}", WEXITSTATUS(status)) : "";
}

// Ticks of the processor that a process has used.
uint64_t ticks_of(pid_t process) {
  const std::string text = read(fmt::format("/proc/{}/stat", process));
  std::istringstream words(text.substr(std::min(text.size(), text.rfind(')') + 1)));
  std::string skipped;
  for (int k = 0; k < 11; ++k) words >> skipped;
  uint64_t user = 0, system = 0;
  words >> user >> system;
  return user + system;
}

// At most `limit` seconds of the processor, and no stretch of 30 seconds without any: what only waits hangs,
// and on a machine with much other work the clock says nothing.
Outcome run(const Stage& stage, const std::string& variable, const std::string& value, double limit) {
  constexpr double kStill = 30;
  const pid_t child = ::fork();
  if (child < 0) fail("cannot start a process");
  if (child == 0) become(stage, variable, value, static_cast<rlim_t>(limit) + 1);
  double moved = now();
  uint64_t ticks = 0;
  int status = 0;
  rusage used{};
  for (useconds_t pause = 200; ::wait4(child, &status, WNOHANG, &used) == 0;
       pause = std::min(pause * 2, 10'000u)) {
    if (const uint64_t t = ticks_of(child); t != ticks) ticks = t, moved = now();
    if (now() > moved + kStill) ::kill(-child, SIGKILL);
    ::usleep(pause);
  }
  ::kill(-child, SIGKILL);  // what it started
  return {failure_of(status), seconds_of(used.ru_utime) + seconds_of(used.ru_stime)};
}

std::vector<Mutant> read_list(const fs::path& file) {
  std::vector<Mutant> list;
  std::istringstream in(read(file));
  for (std::string line; std::getline(in, line);) {
    std::vector<std::string> column;
    std::istringstream columns(line);
    for (std::string c; std::getline(columns, c, '\t');) column.push_back(c);
    if (column.size() < 5) fail(fmt::format("a line of {} has {} columns", file.string(), column.size()));
    list.push_back({.id = static_cast<unsigned>(std::strtoul(column[0].c_str(), nullptr, 10)),
                    .place = column[1] + ":" + column[2],
                    .function = column[3],
                    .kind = column[4]});
  }
  if (list.empty()) fail(fmt::format("{} has no mutants", file.string()));
  return list;
}

std::vector<Stage> read_stages(const fs::path& file, const fs::path& programs) {
  std::vector<Stage> stages;
  std::istringstream in(read(file));
  for (std::string line; std::getline(in, line);) {
    std::istringstream words(line);
    Stage s;
    words >> s.name;
    for (std::string word; words >> word;) s.command.push_back(word);
    if (s.command.empty()) fail(fmt::format("a line of {} has no command: {}", file.string(), line));
    s.command[0] = programs / s.command[0];
    stages.push_back(std::move(s));
  }
  if (stages.empty()) fail(fmt::format("{} has no stages", file.string()));
  return stages;
}

// Runs a stage without a mutant, unless it has run since its program was built.
void record(Stage& s, const fs::path& folder) {
  const fs::path seen = folder / (s.name + ".seen"), time = folder / (s.name + ".seconds");
  std::error_code ec;
  if (!fs::exists(s.command[0])) fail(fmt::format("{} is not built", s.command[0]));
  if (fs::exists(time) && fs::last_write_time(time, ec) > fs::last_write_time(s.command[0], ec)) {
    s.seconds = std::strtod(read(time).c_str(), nullptr);
  } else {
    fs::remove(seen, ec);
    fs::remove(folder / (s.name + ".passed"), ec);
    constexpr double kLimit = 600;
    const Outcome o = run(s, "KC_MUTANTS_SEEN", seen, kLimit);
    if (!o.failure.empty()) fail(fmt::format("stage {} fails without a mutant: {}", s.name, o.failure));
    s.seconds = o.seconds;
    std::ofstream(time) << s.seconds << '\n';
  }
  s.seen = read(seen);
}

// The second words of the lines of a file.
std::set<unsigned> numbers_in(const fs::path& file) {
  std::set<unsigned> numbers;
  std::istringstream in(read(file));
  std::string word;
  for (std::string line; std::getline(in, line);) {
    std::istringstream words(line);
    unsigned id = 0;
    if (words >> word >> id) numbers.insert(id);
  }
  return numbers;
}

// What a line of the log begins with: with other sources a number means another mutant.
std::string name_of(const Mutant& m) {
  return fmt::format("mutant {} {} {} {} ", m.id, m.place, m.function, m.kind);
}

bool has_line(const std::string& log, const std::string& begin) {
  return log.starts_with(begin) || log.find("\n" + begin) != std::string::npos;
}

void append(const fs::path& file, const std::string& line) {
  std::ofstream out(file, std::ios::app);
  if (!(out << line << '\n').flush()) fail(fmt::format("cannot write {}", file.string()));
}

class Campaign {
 public:
  Campaign(std::vector<Mutant> left, fs::path folder, fs::path log, std::string commit, double end)
      : left_(std::move(left)),
        folder_(std::move(folder)),
        log_(std::move(log)),
        commit_(std::move(commit)),
        end_(end) {}

  /// Returns false if there was no time for all mutants.
  bool stage(Stage& s) {
    if (left_.empty()) return true;
    if (now() > end_) return false;
    record(s, folder_);
    const fs::path passed = folder_ / (s.name + ".passed");
    const std::set<unsigned> known = numbers_in(passed);
    size_t killed = 0, met = 0;
    for (Mutant& m : left_) {
      m.reached = m.reached || s.meets(m.id, mutants::Reached);
      if (!s.meets(m.id, mutants::Differs)) continue;
      m.differs = true;
      if (known.contains(m.id)) continue;
      if (now() > end_) return false;
      const Outcome o = run(s, "KC_MUTANT", std::to_string(m.id), 1 + s.seconds * 10);
      m.seconds += o.seconds;
      ++met;
      if (o.failure.empty()) {
        append(passed, fmt::format("mutant {}", m.id));
      } else {
        m.killed = true;
        ++killed;
        write(m, fmt::format("killed {} {}", s.name, o.failure));
      }
    }
    std::erase_if(left_, [](const Mutant& m) { return m.killed; });
    fmt::print("{:<28} {:6.2f} s  killed {:3} of {:3}, left {}\n", s.name, s.seconds, killed, met,
               left_.size());
    std::fflush(stdout);
    return true;
  }

  /// "survived", "same" (reached, always with the same value), "unreached".
  void finish() {
    for (const Mutant& m : left_) write(m, m.differs ? "survived" : m.reached ? "same" : "unreached");
  }

 private:
  void write(const Mutant& m, const std::string& result) {
    append(log_, fmt::format("{}{} {:.1f} {}", name_of(m), commit_, m.seconds, result));
  }

  std::vector<Mutant> left_;
  fs::path folder_, log_;
  std::string commit_;
  double end_;
};

}  // namespace

int main(int argc, char** argv) {
  const std::vector<std::string> words(argv + 1, argv + argc);
  if (words.size() < 7) fail("usage: mutant_campaign LIST STAGES FOLDER LOG COMMIT PART SECONDS [NUMBER...]");
  const fs::path folder = words[2], log = words[3];
  const size_t slash = words[5].find('/');
  const unsigned long part = std::strtoul(words[5].c_str(), nullptr, 10);
  const unsigned long parts =
      slash == std::string::npos ? 0 : std::strtoul(words[5].c_str() + slash + 1, nullptr, 10);
  if (!part || part > parts) fail(fmt::format("the part '{}' is not like 2/3", words[5]));
  const double end = now() + std::strtod(words[6].c_str(), nullptr);
  std::set<unsigned> only;
  for (size_t k = 7; k < words.size(); ++k)
    only.insert(static_cast<unsigned>(std::strtoul(words[k].c_str(), nullptr, 10)));

  const std::vector<Mutant> list = read_list(words[0]);
  std::vector<Stage> stages = read_stages(words[1], fs::absolute(argv[0]).parent_path());
  fs::create_directories(folder);
  const std::string done = read(log);
  std::vector<Mutant> left;
  for (const Mutant& m : list)
    if (!has_line(done, name_of(m)) && (only.empty() ? (m.id - part) % parts == 0 : only.contains(m.id)))
      left.push_back(m);
  Campaign campaign(std::move(left), folder, log, words[4], end);
  for (Stage& s : stages)
    if (!campaign.stage(s)) return 0;
  campaign.finish();
  return 0;
}
