// SPDX-License-Identifier: Apache-2.0
// kernelc lab: serves the folder of the lab to browsers of this machine. All files are read when it starts,
// and a request is looked up among them, so no path leads anywhere else.
#include <arpa/inet.h>
#include <fmt/format.h>
#include <netinet/in.h>
#include <poll.h>
#include <sys/signalfd.h>
#include <sys/socket.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cctype>
#include <cerrno>
#include <csignal>
#include <cstdio>
#include <cstring>
#include <filesystem>
#include <functional>
#include <map>
#include <memory>
#include <thread>
#include <utility>

#include "driver/compiler.h"
#include "driver/data_folder.h"

namespace kc {
namespace {

namespace fs = std::filesystem;

constexpr size_t kMostRequest = 16 << 10;
constexpr int kPatienceMs = 20000;  // with a browser that neither sends nor reads

struct File {
  std::string_view type;
  std::string bytes;
  std::string tag = {};  // of these bytes: a browser that has them need not load or compile them again
};
using Files = std::map<std::string, File, std::less<>>;

std::string_view type_of(const fs::path& path) {
  static constexpr std::array<std::pair<std::string_view, std::string_view>, 5> types{
      {{".html", "text/html; charset=utf-8"},
       {".js", "text/javascript; charset=utf-8"},
       {".css", "text/css; charset=utf-8"},
       {".json", "application/json"},
       {".wasm", "application/wasm"}}};
  const std::string ending = path.extension();
  for (const auto& [end, type] : types)
    if (end == ending) return type;
  return "application/octet-stream";
}

std::expected<fs::path, DriverError> lab_folder() {
  std::error_code error;
  if (fs::path folder = data_folder("lab", "kernelc.wasm");
      !folder.empty() && fs::is_regular_file(folder / "index.html", error))
    return folder;
  return failed(
      ExitAbsent,
      "this kernelc has no lab: 'cmake --build build/release --target lab' makes it; that needs node, "
      "npm, clang-19, lld-19, wasi-libc, libc++-19-dev-wasm32, libc++abi-19-dev-wasm32 and "
      "libclang-rt-19-dev-wasm32");
}

std::expected<Files, DriverError> read_folder(const fs::path& folder) {
  Files files;
  std::error_code error;
  for (const auto& entry : fs::directory_iterator(folder, error)) {
    if (!entry.is_regular_file(error)) continue;
    auto bytes = read_input(entry.path());
    if (!bytes) return std::unexpected(bytes.error());
    std::string tag = fmt::format("\"{:016x}\"", std::hash<std::string>{}(*bytes));
    files["/" + entry.path().filename().string()] = {type_of(entry.path()), std::move(*bytes),
                                                     std::move(tag)};
  }
  if (error) return failed(ExitIo, fmt::format("cannot read '{}': {}", folder.string(), error.message()));
  files["/"] = files["/index.html"];
  return files;
}

class Handle {
 public:
  explicit Handle(int handle) : handle_(handle) {}
  Handle(Handle&& other) noexcept : handle_(std::exchange(other.handle_, -1)) {}
  ~Handle() {
    if (handle_ >= 0) ::close(handle_);
  }
  int get() const { return handle_; }

 private:
  int handle_;
};

class Browser {
 public:
  explicit Browser(Handle socket) : socket_(std::move(socket)) {}
  bool ready(short for_what) const {
    pollfd wait{.fd = socket_.get(), .events = for_what, .revents = 0};
    return ::poll(&wait, 1, kPatienceMs) > 0;
  }
  void send(std::string_view bytes) const {
    while (!bytes.empty()) {
      const ssize_t n = ready(POLLOUT) ? ::send(socket_.get(), bytes.data(), bytes.size(), MSG_NOSIGNAL) : -1;
      if (n <= 0) return;
      bytes.remove_prefix(static_cast<size_t>(n));
    }
  }
  // Up to the empty line that ends the head of a request.
  std::string head() const {
    std::string text;
    char chunk[4096];
    while (text.find("\r\n\r\n") == std::string::npos && text.size() < kMostRequest && ready(POLLIN)) {
      const ssize_t n = ::recv(socket_.get(), chunk, sizeof chunk, 0);
      if (n <= 0) break;
      text.append(chunk, static_cast<size_t>(n));
    }
    return text;
  }

 private:
  Handle socket_;
};

void reply(const Browser& to, std::string_view status, const File& file, bool with_bytes = true) {
  to.send(fmt::format(
      "HTTP/1.1 {}\r\nContent-Type: {}\r\nContent-Length: {}\r\nConnection: close\r\n"
      "Cache-Control: no-cache\r\n{}X-Content-Type-Options: nosniff\r\n\r\n",
      status, file.type, file.bytes.size(), file.tag.empty() ? "" : fmt::format("ETag: {}\r\n", file.tag)));
  if (with_bytes) to.send(file.bytes);
}

// Whether a request says that the browser has these bytes.
bool is_known(std::string head, const File& file) {
  std::ranges::transform(head, head.begin(), [](unsigned char c) { return std::tolower(c); });
  constexpr std::string_view name = "\r\nif-none-match:";
  const size_t at = head.find(name);
  if (at == std::string::npos) return false;
  const size_t begin = at + name.size();
  return head.substr(begin, head.find("\r\n", begin) - begin).find(file.tag) != std::string::npos;
}

void serve(const Browser& browser, const Files& files) {
  const std::string head = browser.head();
  auto refuse = [&](std::string_view status) {
    reply(browser, status, {"text/plain", fmt::format("{}\n", status)});
  };
  // Browsers open connections in advance. One that was closed without an answer is opened again.
  if (head.empty()) return;
  if (head.find("\r\n\r\n") == std::string::npos) return refuse("400 Bad Request");
  if (!head.starts_with("GET ")) return refuse("405 Method Not Allowed");
  const std::string_view target = std::string_view(head).substr(4, head.find_first_of(" ?\r", 4) - 4);
  const auto file = files.find(target);
  if (file == files.end()) return refuse("404 Not Found");
  if (is_known(head, file->second)) return reply(browser, "304 Not Modified", file->second, false);
  reply(browser, "200 OK", file->second);
}

}  // namespace

int command_lab(const Options& o) {
  auto folder = lab_folder();
  if (!folder) return report(folder.error());
  auto files = read_folder(*folder);
  if (!files) return report(files.error());
  auto cannot = [&](const char* what) {
    return report({ExitIo, fmt::format("cannot {} port {}: {}; --port takes another, and 0 any that is free",
                                       what, o.port, std::strerror(errno))});
  };
  // Ctrl-C is read like a browser's knock, so threads of browsers inherit that it does not end them.
  sigset_t ends;
  sigemptyset(&ends);
  for (int signal : {SIGINT, SIGTERM}) sigaddset(&ends, signal);
  pthread_sigmask(SIG_BLOCK, &ends, nullptr);
  const Handle ended(::signalfd(-1, &ends, SFD_CLOEXEC));
  const Handle door(::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0));
  if (door.get() < 0 || ended.get() < 0) return cannot("open");
  const int again = 1;  // at once after the last one ended
  ::setsockopt(door.get(), SOL_SOCKET, SO_REUSEADDR, &again, sizeof again);
  sockaddr_in address{};
  address.sin_family = AF_INET;
  address.sin_port = htons(static_cast<uint16_t>(o.port));
  address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  if (::bind(door.get(), reinterpret_cast<const sockaddr*>(&address), sizeof address) != 0 ||
      ::listen(door.get(), SOMAXCONN) != 0)
    return cannot("listen on");
  socklen_t size = sizeof address;
  ::getsockname(door.get(), reinterpret_cast<sockaddr*>(&address), &size);
  fmt::print("The lab is at http://127.0.0.1:{}/ until Ctrl-C ends this.\n", ntohs(address.sin_port));
  std::fflush(stdout);
  const auto served = std::make_shared<const Files>(std::move(*files));
  for (;;) {
    std::array<pollfd, 2> wait{{{.fd = door.get(), .events = POLLIN, .revents = 0},
                                {.fd = ended.get(), .events = POLLIN, .revents = 0}}};
    if (::poll(wait.data(), wait.size(), -1) < 0 && errno != EINTR) return cannot("wait on");
    if (wait[1].revents) return ExitOk;
    if (!wait[0].revents) continue;
    Handle socket(::accept4(door.get(), nullptr, nullptr, SOCK_CLOEXEC));
    if (socket.get() >= 0)
      // Browsers open connections that they may not need: none keeps others waiting.
      std::thread([served, browser = Browser(std::move(socket))] { serve(browser, *served); }).detach();
    else if (errno != EINTR && errno != ECONNABORTED)
      return cannot("accept on");
  }
}

}  // namespace kc
