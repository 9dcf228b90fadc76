// SPDX-License-Identifier: Apache-2.0
// AMD devices through HIP. The library is opened at run time and its interface is declared here, so a build
// needs none of its headers.
#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <string_view>

#include "runtime/device_error.h"

namespace kc {

namespace hip {
struct Api;
}

/// Device memory, freed with the object.
class HipBuffer {
 public:
  uint64_t address() const { return reinterpret_cast<uint64_t>(memory_.get()); }
  /// From so many bytes behind its start on.
  DeviceResult<void> write(std::span<const uint8_t> bytes, size_t at = 0);
  DeviceResult<void> read(std::span<uint8_t> bytes, size_t at = 0) const;

 private:
  friend class HipDevice;
  std::shared_ptr<const hip::Api> api_;
  std::shared_ptr<void> memory_;
};

/// A kernel of a loaded code object.
class HipKernel {
 private:
  friend class HipDevice;
  std::shared_ptr<void> module_;
  void* function_ = nullptr;
};

struct HipLaunch {
  std::array<uint32_t, 3> groups{1, 1, 1}, local{1, 1, 1};
  uint32_t dynamic_lds = 0;
  /// The explicit arguments in kernarg layout; the runtime adds the hidden ones.
  std::span<const uint8_t> arguments{};
};

class HipDevice {
 public:
  /// Opens the first device of the library; an empty name selects the first loadable name of libamdhip64.
  static DeviceResult<HipDevice> open(const std::string& library = {});

  const std::string& name() const { return name_; }
  /// Without feature suffixes: gfx90a, not gfx90a:sramecc+:xnack-.
  const std::string& arch() const { return arch_; }

  DeviceResult<HipBuffer> allocate(size_t bytes) const;
  DeviceResult<HipKernel> load(std::string_view object, const std::string& kernel) const;
  /// Runs to completion; returns milliseconds of this process's clock.
  DeviceResult<double> launch(const HipKernel& kernel, const HipLaunch& launch) const;

 private:
  std::shared_ptr<const hip::Api> api_;
  std::string name_, arch_;
};

}  // namespace kc
