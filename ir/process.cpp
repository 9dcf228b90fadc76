// SPDX-License-Identifier: Apache-2.0
#include "ir/process.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <poll.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <iterator>

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

// Reads both streams to the end in parallel, so that neither blocks the child.
void drain(Pipe& out, Pipe& err, ToolOutput& result) {
  std::array<char, 65536> buffer;
  std::array<pollfd, 2> fds{pollfd{out.read, POLLIN, 0}, pollfd{err.read, POLLIN, 0}};
  std::array<std::string*, 2> sinks{&result.out, &result.err};
  while (fds[0].fd >= 0 || fds[1].fd >= 0) {
    if (poll(fds.data(), fds.size(), -1) < 0) {
      if (errno == EINTR) continue;
      return;
    }
    for (size_t i = 0; i < fds.size(); ++i) {
      if (fds[i].fd < 0 || fds[i].revents == 0) continue;
      ssize_t n = read(fds[i].fd, buffer.data(), buffer.size());
      if (n > 0)
        sinks[i]->append(buffer.data(), static_cast<size_t>(n));
      else if (n == 0 || errno != EINTR)
        fds[i].fd = -1;
    }
  }
}

}  // namespace

std::expected<ToolOutput, ToolError> run_tool(const std::vector<std::string>& argv) {
  if (argv.empty()) return std::unexpected(ToolError{"no tool named"});
  Pipe out, err;
  if (out.read < 0 || err.read < 0) return std::unexpected(ToolError{"cannot create a pipe"});
  posix_spawn_file_actions_t actions;
  posix_spawn_file_actions_init(&actions);
  posix_spawn_file_actions_addopen(&actions, 0, "/dev/null", O_RDONLY, 0);
  posix_spawn_file_actions_adddup2(&actions, out.write, 1);
  posix_spawn_file_actions_adddup2(&actions, err.write, 2);
  std::vector<char*> args;
  for (const std::string& a : argv) args.push_back(const_cast<char*>(a.c_str()));
  args.push_back(nullptr);
  pid_t pid = 0;
  int error = posix_spawnp(&pid, args[0], &actions, nullptr, args.data(), environ);
  posix_spawn_file_actions_destroy(&actions);
  if (error == ENOENT)
    return std::unexpected(ToolError{fmt::format("component absent: {} is not installed", argv[0]), true});
  if (error != 0)
    return std::unexpected(ToolError{fmt::format("cannot run {}: {}", argv[0], std::strerror(error))});
  out.close_write();
  err.close_write();
  ToolOutput result;
  drain(out, err, result);
  int status = 0;
  while (waitpid(pid, &status, 0) < 0 && errno == EINTR) {
  }
  result.exit_code = WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
  return result;
}

TempDir::TempDir() {
  std::error_code ec;
  auto base = std::filesystem::temp_directory_path(ec);
  std::string name = (ec ? std::string("/tmp") : base.string()) + "/kernelc-XXXXXX";
  if (mkdtemp(name.data())) path_ = name;
}
TempDir::~TempDir() {
  std::error_code ec;
  if (valid()) std::filesystem::remove_all(path_, ec);
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
