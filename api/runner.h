// SPDX-License-Identifier: Apache-2.0
// What runs a kernel: machine code of this processor, an emulator, a device, or the interpreter.
#pragma once

#include <expected>
#include <memory>
#include <mutex>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "api/include/kernelc/kernelc.h"
#include "host/compile.h"
#include "host/launches.h"

namespace kc {

class CodeCache;

struct Failure {
  kc_status status = KC_INTERNAL_ERROR;
  std::string message;
};
inline std::unexpected<Failure> wrong(kc_status status, std::string message) {
  return std::unexpected(Failure{status, std::move(message)});
}

/// With the status that the kind of error has.
Failure failure_of(const CompileError& error);
Failure failure_of(const LaunchError& error);
CompileOptions compile_options(const kc_kernel_options& options);

/// The arguments of a launch that is going on, and afterwards their memory for another one.
struct LaunchMemory {
  explicit LaunchMemory(const Function& kernel) : bound(kernel) {}
  std::vector<ArgumentValue> values;
  std::vector<MemoryRange> buffers;
  std::vector<bool> constant;  // by buffer: it is the caller's const
  BoundArguments bound;
};

/// Lends each launch that runs at the same time as others a memory of its own.
class LaunchMemories {
 public:
  explicit LaunchMemories(const Function& kernel) : kernel_(kernel) {}
  class Loan {
   public:
    explicit Loan(LaunchMemories& from) : from_(from), memory_(from.take()) {}
    ~Loan() { from_.put(std::move(memory_)); }
    Loan(const Loan&) = delete;
    Loan& operator=(const Loan&) = delete;
    LaunchMemory* operator->() const { return memory_.get(); }
    LaunchMemory& operator*() const { return *memory_; }

   private:
    LaunchMemories& from_;
    std::unique_ptr<LaunchMemory> memory_;
  };

 private:
  std::unique_ptr<LaunchMemory> take();
  void put(std::unique_ptr<LaunchMemory> memory) noexcept;

  const Function& kernel_;
  std::mutex mutex_;
  std::vector<std::unique_ptr<LaunchMemory>> free_;
  size_t made_ = 0;
};

/// Arguments as the interface gives them, checked against the parameters and converted to their types.
std::expected<void, Failure> read_arguments(const Function& kernel, std::span<const kc_argument> arguments,
                                            LaunchMemory& memory);

/// Whether all buffers of the launch are below 2 GiB, hidden ones too.
bool has_small_buffers(const LaunchSpec& spec, std::span<const kc_argument> arguments);
bool has_disjoint_buffers(std::span<const kc_argument> arguments);
/// Whether the buffers are larger together than the last-level cache of this machine.
bool exceeds_caches(std::span<const kc_argument> arguments);

class Runner {
 public:
  virtual ~Runner() = default;
  virtual const char* target() const = 0;
  /// Makes what a launch of these sizes needs.
  virtual std::expected<void, Failure> prepare(const LaunchSpec& spec) = 0;
  /// From any thread. What work-items printed is there also when the launch failed.
  virtual std::expected<std::optional<TrapReport>, Failure> launch(LaunchSpec& spec,
                                                                   std::span<const kc_argument> arguments,
                                                                   unsigned threads,
                                                                   PrintedText& printed) = 0;
  /// The room for what a launch prints.
  uint64_t printf_bytes() const { return printf_bytes_; }

 protected:
  explicit Runner(const kc_kernel_options& options)
      : printf_bytes_(options.printf_bytes ? options.printf_bytes : kPrintfBytes) {}

 private:
  uint64_t printf_bytes_;
};

/// The function must live as long as the runner.
using MadeRunner = std::expected<std::unique_ptr<Runner>, Failure>;
/// `cache`: of compiled code, between processes; null for none.
MadeRunner make_cpu_runner(const Function& kernel, const kc_kernel_options& options, const TargetDesc& wanted,
                           const CodeCache* cache);
/// `machine`: one that is emulated.
MadeRunner make_emulator_runner(const Function& kernel, const kc_kernel_options& options,
                                const TargetDesc& machine);
MadeRunner make_hip_runner(const Function& kernel, const kc_kernel_options& options);
MadeRunner make_vulkan_runner(const Function& kernel, const kc_kernel_options& options);
MadeRunner make_interpreter(const Function& kernel, const kc_kernel_options& options);

}  // namespace kc
