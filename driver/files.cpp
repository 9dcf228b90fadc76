// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>
#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <cstring>
#include <filesystem>
#include <iostream>
#include <iterator>

#include "driver/arguments.h"
#include "host/source.h"

namespace kc {
std::expected<std::string, DriverError> read_input(const std::string& path) {
  if (path == "-") return std::string(std::istreambuf_iterator<char>(std::cin), {});
  auto text = read_source(path);
  if (!text) return std::unexpected(DriverError{ExitIo, text.error()});
  return std::move(*text);
}

std::expected<void, DriverError> write_output(const std::string& path, std::string_view bytes) {
  auto failed = [&](const std::string& what) {
    return std::unexpected(
        DriverError{ExitIo, fmt::format("cannot write '{}': {}", what, std::strerror(errno))});
  };
  if (path == "-") {
    if (std::fwrite(bytes.data(), 1, bytes.size(), stdout) != bytes.size() || std::fflush(stdout) != 0)
      return failed("standard output");
    return {};
  }
  std::error_code ec;
  auto kind = std::filesystem::status(path, ec).type();
  // A device or pipe is written in place: replacing it by a file would be a surprise.
  bool in_place = kind == std::filesystem::file_type::character || kind == std::filesystem::file_type::fifo;
  std::string temporary = in_place ? path : fmt::format("{}.{}.tmp", path, ::getpid());
  FILE* file = std::fopen(temporary.c_str(), "wb");
  if (!file) return failed(path);
  bool ok = std::fwrite(bytes.data(), 1, bytes.size(), file) == bytes.size();
  ok = std::fclose(file) == 0 && ok;
  if (ok && !in_place) ok = std::rename(temporary.c_str(), path.c_str()) == 0;
  if (!ok) {
    auto error = failed(path);
    if (!in_place) std::remove(temporary.c_str());
    return error;
  }
  return {};
}

}  // namespace kc
