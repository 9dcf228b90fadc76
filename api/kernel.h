// SPDX-License-Identifier: Apache-2.0
// A kernel that is launched any number of times, from any number of threads.
#pragma once

#include <expected>
#include <memory>
#include <mutex>
#include <optional>
#include <set>
#include <span>
#include <string>

#include "api/include/kernelc/kernelc.h"
#include "api/runner.h"
#include "ir/launch.h"

namespace kc {

class Kernel {
 public:
  /// The function belongs to the module, which lives as long as the kernel. `cache`: of code for CPUs,
  /// between processes; null for none.
  static std::expected<std::unique_ptr<Kernel>, Failure> create(std::shared_ptr<const Module> module,
                                                                const Function& function,
                                                                const kc_kernel_options& options,
                                                                const CodeCache* cache = nullptr);

  const Function& source() const { return *source_; }
  const Runner& runner() const { return *runner_; }

  std::expected<std::optional<TrapReport>, Failure> launch(const kc_range& range,
                                                           std::span<const kc_argument> arguments) const;
  std::expected<void, Failure> prepare(const kc_range& range) const;

  /// The same text, for as long as the kernel lives.
  const char* keep(const std::string& text) const;

 private:
  Kernel(std::shared_ptr<const Module> module, const Function& function)
      : module_(std::move(module)), source_(&function) {}
  void print(const PrintedText& printed) const;

  std::shared_ptr<const Module> module_;
  const Function* source_;
  std::unique_ptr<Runner> runner_;
  kc_print print_ = nullptr;
  void* print_user_ = nullptr;
  // Texts of traps that are no part of the source: few, since they name a kind and size of access.
  mutable std::mutex mutex_;
  mutable std::set<std::string> texts_;
};

/// The range with its local size completed; an error says which size is wrong.
std::expected<LaunchSpec, Failure> launch_of(const Function& kernel, const kc_range& range);

}  // namespace kc
