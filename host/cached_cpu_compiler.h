// SPDX-License-Identifier: Apache-2.0
// A CpuCompiler whose results later processes find.
//
//   kernel, options, build ---key--> traits of the kernel: no pass runs until code is missing
//   and a form             ---key--> machine code
//   and a size of launches ---key--> the form that was fastest
#pragma once

#include <expected>
#include <memory>
#include <mutex>
#include <optional>
#include <string>

#include "host/cpu_code.h"
#include "runtime/cache/code_cache.h"

namespace kc {

struct CachedCpuOptions {
  int optimisation = 2;        // 0 to 3
  bool check_bounds = false;   // accesses outside the buffers are traps
  uint32_t width = 0;          // lanes, or 0 for as many as are best
  Remarks* remarks = nullptr;  // of passes that run while the object is made
};

/// From any thread.
class CachedCpuCompiler {
 public:
  /// The kernel must live as long as the result. `cache`: null for none.
  static std::expected<std::unique_ptr<CachedCpuCompiler>, CompileError> create(
      const Function& kernel, const CachedCpuOptions& options, const TargetDesc& target,
      const CodeCache* cache);

  const CpuFormChoice& choice() const { return *choice_; }
  /// `cached`: whether the code was found.
  std::expected<CpuCode, CompileError> compile(const CpuForm& form, bool& cached);
  /// As CpuCompiler does.
  std::expected<CpuCode, CompileError> compile(const CpuRival& rival);

  /// What was fastest for launches of this kernel that begin in this form and have about so many work-items,
  /// on this processor; nothing if it is not known. `size`: the binary order of magnitude.
  std::optional<CpuRival> fastest(const CpuForm& form, const LaunchSpec& spec, int size) const;
  void note_fastest(const CpuForm& form, int size, const CpuRival& fastest) const;

 private:
  CachedCpuCompiler(const Function& kernel, const CachedCpuOptions& options, const TargetDesc& target,
                    const CodeCache* cache)
      : kernel_(kernel), options_(options), target_(target), cache_(cache) {}
  /// `remarks`: where it reports, if it is made now. Where it is made for code that the cache lacks, any
  /// thread may be the one that makes it, so there are none.
  std::expected<const CpuCompiler*, CompileError> compiler(Remarks* remarks);
  CacheKey key(const CpuRival& rival) const;
  CacheKey fastest_key(const CpuForm& form, int size) const;
  template <typename Compile>
  std::expected<CpuCode, CompileError> find(const CpuRival& rival, bool& cached, Compile&& compile);

  const Function& kernel_;
  const CachedCpuOptions options_;
  const TargetDesc& target_;
  const CodeCache* const cache_;
  std::string key_;  // of the kernel; empty without a cache
  std::optional<CpuFormChoice> choice_;
  std::mutex mutex_;
  std::optional<CpuCompiler> compiler_;  // once something is missing
};

}  // namespace kc
