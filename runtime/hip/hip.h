// SPDX-License-Identifier: Apache-2.0
// AMD devices through HIP. The library is opened at run time, and what is needed of it is declared here: no
// header of it takes part in a build.
#pragma once

#include <array>
#include <cstdint>
#include <expected>
#include <memory>
#include <span>
#include <string>
#include <string_view>

namespace kc {

namespace hip {
struct Api;
}

struct HipError {
  bool absent = false;  // no library, or no device
  std::string message;
};
template <typename T>
using HipResult = std::expected<T, HipError>;

/// Memory of the device; freed with the object.
class HipBuffer {
 public:
  uint64_t address() const { return reinterpret_cast<uint64_t>(memory_.get()); }
  HipResult<void> write(std::span<const uint8_t> bytes);
  HipResult<void> read(std::span<uint8_t> bytes) const;

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
  /// The explicit arguments as they lie in the kernarg segment; the runtime adds the hidden ones.
  std::span<const uint8_t> arguments{};
};

class HipDevice {
 public:
  /// The first device of the library, or of the first of libamdhip64's names that can be opened when that is
  /// empty.
  static HipResult<HipDevice> open(const std::string& library = {});

  const std::string& name() const { return name_; }
  /// Without features: gfx90a, not gfx90a:sramecc+:xnack-.
  const std::string& arch() const { return arch_; }

  HipResult<HipBuffer> allocate(size_t bytes) const;
  HipResult<HipKernel> load(std::string_view object, const std::string& kernel) const;
  /// Runs to the end; milliseconds on this process's clock.
  HipResult<double> launch(const HipKernel& kernel, const HipLaunch& launch) const;

 private:
  std::shared_ptr<const hip::Api> api_;
  std::string name_, arch_;
};

}  // namespace kc
