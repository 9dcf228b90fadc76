// SPDX-License-Identifier: Apache-2.0
// A kernel that somebody has written in gfx900 assembly, in the strict emulator.
#pragma once

#include <memory>

#include "driver/engines/engines.h"
#include "host/gcn_emulation.h"

namespace kc {

/// `prepare` takes the program of a reference: its parameters are those of the assembly's kernel, which has
/// its name. The emulator reads the text itself, so no tool is needed.
class AssemblyEngine : public Engine {
 public:
  AssemblyEngine(std::shared_ptr<const GcnObject> object, uint64_t max_steps)
      : object_(std::move(object)), max_steps_(max_steps) {}
  EngineResult prepare(const Program& program, const LaunchSpec& spec) override;
  EngineResult launch(KernelArguments& args) override;

 private:
  std::shared_ptr<const GcnObject> object_;
  uint64_t max_steps_;
  LaunchSpec spec_;
  std::unique_ptr<Function> wave_;  // the reference's, for the layout of the arguments
};

}  // namespace kc
