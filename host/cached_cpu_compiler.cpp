// SPDX-License-Identifier: Apache-2.0
#include "host/cached_cpu_compiler.h"

#include <fmt/format.h>

#include <algorithm>

#include "host/cpu_kept.h"
#include "ir/text.h"
#include "runtime/cpu/features.h"

namespace kc {
namespace {

// All that tells forms of a kernel from each other.
std::string text_of(const CpuRival& rival) {
  const CpuForm& form = rival.form;
  std::string text = fmt::format("{} lanes={} apart={}", form.target->name, form.width, rival.apart);
  for (const auto& [name, value] : note_of(form).settings) text += fmt::format(" {}={}", name, value);
  return text + fmt::format(" groups={}", fmt::join(form.groups, "x"));
}

std::string text_of(const CachedCpuOptions& o) {
  return fmt::format("O{} bounds={} lanes={}", o.optimisation, o.check_bounds, o.width);
}

std::span<const std::byte> bytes_of(const std::string& text) { return std::as_bytes(std::span(text)); }

}  // namespace

std::expected<std::unique_ptr<CachedCpuCompiler>, CompileError> CachedCpuCompiler::create(
    const Function& kernel, const CachedCpuOptions& options, const TargetDesc& target,
    const CodeCache* cache) {
  std::unique_ptr<CachedCpuCompiler> c(new CachedCpuCompiler(kernel, options, target, cache));
  CacheKey of_traits;
  if (cache) {
    c->key_ = cache_key({build_identity(), target.name, text_of(options), print(kernel)}).text();
    of_traits = cache_key({c->key_, "traits"});
    if (auto kept = cache->load(of_traits))
      if (auto traits = cpu_traits_of(*kept)) c->choice_.emplace(target, *traits);
  }
  if (c->choice_) return c;
  auto compiler = c->compiler(options.remarks);
  if (!compiler) return std::unexpected(std::move(compiler.error()));
  c->choice_ = (*compiler)->choice();
  if (cache) cache->save(of_traits, to_bytes(c->choice_->traits()));
  return c;
}

std::expected<const CpuCompiler*, CompileError> CachedCpuCompiler::compiler(Remarks* remarks) {
  std::lock_guard lock(mutex_);
  if (!compiler_) {
    CompileOptions options{
        .optimisation = options_.optimisation, .check_bounds = options_.check_bounds, .remarks = remarks};
    if (!options_.width) options.one_lane = one_lane_on({&target_});
    auto shared = KernelCompiler::start(kernel_, std::move(options));
    if (!shared) return std::unexpected(std::move(shared.error()));
    auto made = CpuCompiler::create(std::move(*shared), target_, options_.width);
    if (!made) return std::unexpected(std::move(made.error()));
    compiler_.emplace(std::move(*made));
  }
  return &*compiler_;
}

CacheKey CachedCpuCompiler::key(const CpuRival& rival) const { return cache_key({key_, text_of(rival)}); }

template <typename Compile>
std::expected<CpuCode, CompileError> CachedCpuCompiler::find(const CpuRival& rival, bool& cached,
                                                             Compile&& compile) {
  cached = false;
  if (cache_)
    if (auto kept = cache_->load(key(rival)))
      if (auto code = cpu_code_of(*kept)) {
        cached = true;
        return std::move(*code);
      }
  auto made = compiler(nullptr);
  if (!made) return std::unexpected(std::move(made.error()));
  auto code = compile(**made);
  if (code && cache_) cache_->save(key(rival), to_bytes(*code));
  return code;
}

std::expected<CpuCode, CompileError> CachedCpuCompiler::compile(const CpuForm& form, bool& cached) {
  return find({form}, cached, [&](const CpuCompiler& c) { return c.compile(form); });
}

std::expected<CpuCode, CompileError> CachedCpuCompiler::compile(const CpuRival& rival) {
  bool cached = false;
  return find(rival, cached, [&](const CpuCompiler& c) { return c.compile(rival); });
}

CacheKey CachedCpuCompiler::fastest_key(const CpuForm& form, int size) const {
  return cache_key({key_, text_of({form}), "fastest", std::to_string(size), processor_name()});
}

std::optional<CpuRival> CachedCpuCompiler::fastest(const CpuForm& form, const LaunchSpec& spec,
                                                   int size) const {
  if (!cache_) return {};
  const auto kept = cache_->load(fastest_key(form, size));
  if (!kept) return {};
  auto is_it = [&](const CpuRival& r) { return std::ranges::equal(bytes_of(text_of(r)), *kept); };
  if (is_it({form})) return CpuRival{form};
  for (const CpuRival& r : choice().rivals(form, spec))
    if (is_it(r)) return r;
  return {};
}

void CachedCpuCompiler::note_fastest(const CpuForm& form, int size, const CpuRival& fastest) const {
  if (cache_) cache_->save(fastest_key(form, size), bytes_of(text_of(fastest)));
}

}  // namespace kc
