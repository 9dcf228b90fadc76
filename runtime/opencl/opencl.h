// SPDX-License-Identifier: Apache-2.0
// Runs kernel source through this machine's OpenCL implementation. libOpenCL is opened when a device is
// requested; without the library or a device, the result is an error of kind Absent.
#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "runtime/device_error.h"

namespace kc {

/// One argument: the bytes of a value, a buffer, or a local memory size.
struct OpenclArgument {
  enum Kind : uint8_t { Value, Buffer, Local } kind = Value;
  std::vector<uint8_t> value;
  size_t buffer = 0;  // index of the launch's buffers
  size_t local_bytes = 0;
};

struct OpenclLaunch {
  uint32_t dims = 1;
  std::array<uint64_t, 3> global{1, 1, 1}, local{1, 1, 1}, offset{0, 0, 0};
  std::vector<OpenclArgument> arguments;
  std::vector<std::span<uint8_t>> buffers;  // read before the launch, written after it
};

struct OpenclTimes {
  double wall_ms = 0;    // from enqueue to completion; the first launch may include compilation
  double kernel_ms = 0;  // by the implementation's own clock
};

namespace opencl {
struct State;
}

class OpenclKernel {
 public:
  DeviceResult<OpenclTimes> launch(const OpenclLaunch& launch) const;

 private:
  friend class OpenclDevice;
  std::shared_ptr<opencl::State> state_;
  std::shared_ptr<void> program_, kernel_;
};

class OpenclDevice {
 public:
  /// Opens the first CPU device, or else the first device.
  static DeviceResult<OpenclDevice> open();
  /// The names that platform and device report.
  const std::string& name() const;
  /// Compiles; `options` are OpenCL's own. Requests correctly rounded division and square root if the device
  /// supports it.
  DeviceResult<OpenclKernel> build(const std::string& source, const std::string& kernel,
                                   const std::string& options) const;

 private:
  std::shared_ptr<opencl::State> state_;
};

}  // namespace kc
