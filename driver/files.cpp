// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>
#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <cstring>
#include <filesystem>
#include <utility>

#include "driver/arguments.h"
#include "host/source.h"

namespace kc {
std::expected<std::string, DriverError> read_input(const std::string& path, size_t most) {
  auto text = path == "-" ? read_stream(stdin, "standard input", most) : read_source(path, most);
  if (!text) return std::unexpected(DriverError{ExitIo, text.error()});
  return std::move(*text);
}

OutputFile::~OutputFile() { discard(); }

std::unexpected<DriverError> OutputFile::failed() {
  std::string why = std::strerror(errno);
  if (file_ == stdout) std::clearerr(stdout);  // it is reported here
  discard();
  return std::unexpected(DriverError{
      ExitIo,
      fmt::format("cannot write {}: {}", path_ == "-" ? "'standard output'" : "'" + path_ + "'", why)});
}

void OutputFile::discard() {
  if (file_ && file_ != stdout) std::fclose(file_);
  if (file_ && !in_place_) std::remove(temporary_.c_str());
  file_ = nullptr;
  removed_.reset();
}

std::expected<void, DriverError> OutputFile::open(const std::string& path) {
  path_ = path;
  std::error_code ec;
  auto kind = std::filesystem::status(path, ec).type();
  // A device or pipe is written in place: replacing it by a file would be a surprise.
  in_place_ = path == "-" || kind == std::filesystem::file_type::character ||
              kind == std::filesystem::file_type::fifo;
  temporary_ = in_place_ ? path : fmt::format("{}.{}.tmp", path, ::getpid());
  file_ = path == "-" ? stdout : std::fopen(temporary_.c_str(), "wb");
  if (!file_) return failed();
  if (!in_place_) removed_.emplace(temporary_);
  return {};
}

void OutputFile::write(std::string_view bytes) {
  if (ok_ && std::fwrite(bytes.data(), 1, bytes.size(), file_) != bytes.size()) ok_ = false;
}

std::expected<void, DriverError> OutputFile::close() {
  ok_ = std::fflush(file_) == 0 && ok_;
  if (!ok_) return failed();
  if (file_ != stdout && std::fclose(std::exchange(file_, nullptr)) != 0) return failed();
  file_ = nullptr;
  if (!in_place_ && std::rename(temporary_.c_str(), path_.c_str()) != 0) {
    auto error = failed();
    std::remove(temporary_.c_str());
    return error;
  }
  removed_.reset();
  return {};
}

std::expected<void, DriverError> write_output(const std::string& path, std::string_view bytes) {
  OutputFile file;
  if (auto ok = file.open(path); !ok) return ok;
  file.write(bytes);
  return file.close();
}

}  // namespace kc
