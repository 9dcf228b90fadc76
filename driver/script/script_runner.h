// SPDX-License-Identifier: Apache-2.0
// Scripts of launches: run alone, or compared on all engines.
#pragma once

#include <expected>
#include <functional>
#include <map>
#include <tuple>

#include "driver/engines/engines.h"
#include "driver/options.h"
#include "driver/script/script.h"

namespace kc {

/// A launch of a script that is over.
struct ScriptLaunch {
  const ScriptStatement& statement;
  const Function& kernel;
  const Program& program;
  const LaunchSpec& spec;
  const KernelArguments& inputs;  // as they were before
  const KernelArguments& outputs;
  const EngineResult& result;
};
using ScriptObserver = std::function<void(const ScriptLaunch&)>;

/// What is prepared for the launches of a script on one engine, as long as there is little of it.
class PreparedEngines {
 public:
  explicit PreparedEngines(const EngineInfo& info) : info_(info) {}
  /// The error is what `prepare` answered.
  std::expected<std::shared_ptr<Engine>, EngineResult> get(const Options& options, const std::string& kernel,
                                                           const Program& program, const LaunchSpec& spec);

 private:
  using Key = std::tuple<std::string, uint32_t, std::array<uint64_t, 3>, std::array<uint64_t, 3>,
                         std::array<uint64_t, 3>, bool, bool, bool>;
  const EngineInfo& info_;
  std::map<Key, std::shared_ptr<Engine>> engines_;
};

/// kernelc run --script: the status to exit with. With an observer, which sees each launch, nothing is
/// printed or written but errors.
int run_script(const Options& options, const EngineInfo& target, const ScriptObserver& observer = {});

/// kernelc check --script.
int check_script(const Options& options);

}  // namespace kc
