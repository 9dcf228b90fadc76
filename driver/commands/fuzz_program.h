// SPDX-License-Identifier: Apache-2.0
// One random program through the engines of this machine, compared with the thread interpreter.
#pragma once

#include <expected>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "driver/engines/engines.h"
#include "fuzz/structured_random.h"

namespace kc {

/// A random program as far as all engines share it. Not to be moved: the program points into the module.
struct FuzzInput {
  Module module;
  const Function* kernel = nullptr;
  LaunchSpec spec;
  KernelArguments inputs;
  Program program;
};
/// `options` are those of the command: sizes, arguments, -O. The error is one line; `status` is then what the
/// command would exit with.
std::expected<std::unique_ptr<FuzzInput>, std::string> compile_random(const std::string& source,
                                                                      const std::vector<std::string>& options,
                                                                      int* status = nullptr);

enum class FuzzVerdict : uint8_t { Agrees, Skipped, Absent, Differs };
struct FuzzResult {
  FuzzVerdict verdict = FuzzVerdict::Agrees;
  std::string note;  // one line: why it was skipped, or the first difference
};

struct FuzzOutcome {
  /// Why the program itself is of no use: it does not compile, or the interpreter complains about it.
  std::string fault;
  /// What a pass that is a program did wrong; then no route has run.
  std::string wrong_pass{};
  std::vector<FuzzResult> routes{};  // one for each, unless there is a fault
  /// The first route that differs, or none.
  const FuzzResult* difference() const;
};

/// Engines, made once and used for any number of programs.
class FuzzRoutes {
 public:
  /// The interpreter need not be among the routes. `assemble`: gfx900 runs what LLVM's assembler makes,
  /// otherwise the emulator reads the assembly itself, which is faster.
  /// `width`: lanes of a wave where the route does not say, 0 for what the compiler chooses.
  /// `largest`: all routes skip a program of more instructions of optimised thread IR, unless it is 0.
  FuzzRoutes(std::vector<const EngineInfo*> routes, bool assemble, uint32_t width = 0, uint32_t largest = 0);
  /// `before` is told the number of each route that is about to run.
  /// Programs with sub-groups are compared with the simulator, and the simulator with `structured`.
  FuzzOutcome run(const std::string& source, const std::vector<std::string>& options,
                  const std::function<void(size_t)>& before = {},
                  const fuzz::StructuredProgram* structured = nullptr);

 private:
  struct Reference {
    KernelArguments args;
    std::optional<TrapReport> trap;
  };
  FuzzOutcome run_sub_groups(const FuzzInput& c, const std::function<void(size_t)>& before,
                             const fuzz::StructuredProgram* structured);
  std::expected<Reference, std::string> simulate(const FuzzInput& c, SubGroups shape,
                                                 const fuzz::StructuredProgram* structured);
  std::optional<FuzzResult> prepare(size_t k, const FuzzInput& c, const LaunchSpec& spec);
  FuzzResult launch(size_t k, const FuzzInput& c, const Reference& want);
  std::vector<const EngineInfo*> infos_;
  std::vector<std::unique_ptr<Engine>> engines_;
  uint32_t largest_;
};

}  // namespace kc
