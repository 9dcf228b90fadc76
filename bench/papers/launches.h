// SPDX-License-Identifier: Apache-2.0
// A kernel of the suite with its launch: what it costs under a scheme, each time compared with the
// interpreter.
#pragma once

#include <expected>
#include <memory>
#include <string>
#include <string_view>

#include "driver/session.h"
#include "papers/suite.h"
#include "passes/analysis/uniformity.h"
#include "sim/warp/warp_simulator.h"

namespace kc::bench {

struct Size {
  uint64_t instructions = 0, blocks = 0;
};
Size size_of(const Function& f);

/// Why a run does not count; empty when it does.
struct Cost {
  std::string problem;
  WarpStatistics run{};
  uint64_t loads = 0, stores = 0;  // issues of accesses of global memory; atomics are stores
};

/// Code for gfx900 with 64 lanes.
struct MachineCode {
  uint64_t instructions = 0;
  uint32_t vgprs = 0, sgprs = 0;
};

class PaperKernel {
 public:
  /// `root` is the repository, `data` the folder of make_data.
  static std::expected<PaperKernel, std::string> open(const PaperCase& what, const std::string& root,
                                                      const std::string& data);
  const PaperCase& what() const { return what_; }
  /// Thread IR after all passes, with the control flow of the source.
  const Function& thread() const { return *session_.program.optimised; }
  /// A copy behind a scheme, as --restructure names it.
  std::unique_ptr<Function> restructured(std::string_view scheme) const;
  /// Runs a function that came from `thread`, in warps of so many lanes; 0: of a whole group.
  Cost simulate(const Function& f, WarpScheme scheme, uint32_t warp) const;
  UniformityOptions uniformity() const;
  MachineCode machine_code(const Function& f) const;
  /// Compares every engine of this machine with the interpreter, as `kernelc check`; its exit status.
  int check() const;

 private:
  PaperKernel(const PaperCase& what, Options options, Session session)
      : what_(what), options_(std::move(options)), session_(std::move(session)) {}
  std::string interpret();

  PaperCase what_;
  Options options_;
  Session session_;
  KernelArguments after_;  // what the interpreter leaves
};

}  // namespace kc::bench
