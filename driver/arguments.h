// SPDX-License-Identifier: Apache-2.0
// Kernel arguments as the command line gives them, and what is done with buffers after a launch.
#pragma once

#include <algorithm>
#include <cstdio>
#include <expected>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "driver/bytes.h"
#include "driver/options.h"
#include "host/elements.h"
#include "host/launches.h"
#include "host/source.h"
#include "ir/function.h"
#include "ir/process.h"

namespace kc {

/// An error with the status to exit with.
struct DriverError {
  int status = ExitUsage;
  std::string message;
};
inline std::unexpected<DriverError> failed(int status, std::string message) {
  return std::unexpected(DriverError{status, std::move(message)});
}
inline std::unexpected<DriverError> usage_error(std::string message) {
  return failed(ExitUsage, std::move(message));
}

/// The errors of one command line, so that one attempt shows them all.
class Problems {
 public:
  void add(const DriverError& error) {
    if (!error_) {
      error_ = error;
      return;
    }
    error_->status = std::min(error_->status, error.status);  // 2 comes before 3
    error_->message += "\nkernelc: error: " + error.message;
  }
  void add(std::string message) { add(DriverError{ExitUsage, std::move(message)}); }
  const std::optional<DriverError>& error() const { return error_; }

 private:
  std::optional<DriverError> error_;
};

std::optional<ElementType> parse_element_type(std::string_view text);

struct BufferArg {
  std::string name;  // of the parameter it was made for
  ElementType type;
  Bytes bytes;
  /// What bytes are to the kernel, if floats: all NaNs are equal.
  std::optional<ElementType> pointee{};
};

/// One value for each visible parameter.
struct KernelArguments {
  std::vector<ArgumentValue> values;
  std::vector<BufferArg> buffers;
  uint64_t printf_bytes = kPrintfBytes;  // how large the buffer for messages is
  Addresses addresses = Addresses::Shown;
};

/// The values of `[NAME=]VALUE` texts. An error lists all that is wrong with them and all that is missing.
/// `#N` in the place of a buffer is number N of `given`; the buffer of such a value counts among those, and
/// not among those of the result.
std::expected<KernelArguments, DriverError> parse_arguments(const Function& kernel,
                                                            const std::vector<std::string>& specs,
                                                            std::span<const BufferArg* const> given = {});

/// `--dump NAME=FILE`.
std::expected<void, DriverError> dump_buffer(const Function& kernel, const KernelArguments& args,
                                             const std::string& spec);
/// `--print NAME[a:b]`: one element per line.
std::expected<std::vector<std::string>, DriverError> print_buffer(const Function& kernel,
                                                                  const KernelArguments& args,
                                                                  const std::string& spec);
/// `--image NAME=FILE.png:WxH[:map]`; map is grey or heat.
std::expected<void, DriverError> write_image(const Function& kernel, const KernelArguments& args,
                                             const std::string& spec);

/// Checks dump, print and image specifications before anything is run.
std::expected<void, DriverError> check_outputs(const Function& kernel, const KernelArguments& args,
                                               const Options& options);

uint64_t load_element(const BufferArg& buffer, ElementType type, size_t index);
inline uint64_t load_element(const BufferArg& buffer, size_t index) {
  return load_element(buffer, buffer.type, index);
}

std::expected<std::string, DriverError> read_input(const std::string& path, size_t most = kMostTextBytes);
/// A file that is written piece by piece to a temporary name beside it, and renamed when it is closed; "-" is
/// standard output. One that is not closed leaves nothing behind.
class OutputFile {
 public:
  OutputFile() = default;
  OutputFile(const OutputFile&) = delete;
  ~OutputFile();
  std::expected<void, DriverError> open(const std::string& path);
  /// An error is reported by close.
  void write(std::string_view bytes);
  std::expected<void, DriverError> close();

 private:
  std::unexpected<DriverError> failed();
  void discard();
  std::string path_, temporary_;
  std::optional<RemovedOnSignal> removed_;
  std::FILE* file_ = nullptr;
  bool in_place_ = false, ok_ = true;
};
/// All bytes at once.
std::expected<void, DriverError> write_output(const std::string& path, std::string_view bytes);

}  // namespace kc
