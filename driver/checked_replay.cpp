// SPDX-License-Identifier: Apache-2.0
#include "driver/checked_replay.h"

namespace kc {

std::optional<LimitedLaunch> replay_checked(const Options& options, const EngineInfo& info,
                                            const EngineOptions& engine, const Session& session) {
  // Text of machines and binaries are as they are, and so is what --passes makes.
  if (session.lowered || session.program.is_binary() || options.check_bounds || !options.passes.empty())
    return std::nullopt;
  Options checked = options;
  checked.check_bounds = true;
  checked.remarks = nullptr;
  checked.print_after.clear(), checked.stop_after.clear(), checked.dump_dir.clear();
  auto program =
      make_program(*session.kernel, checked, info.compiles ? PassesOf::Machine : PassesOf::Interpreters);
  if (!program) return std::nullopt;
  std::shared_ptr<Engine> replay = info.make(engine);
  if (replay->prepare(*program, session.spec).status != EngineStatus::Ok) return std::nullopt;
  LimitedLaunch one = launch_within(options.timeout, std::move(replay), session.inputs, session.kernel->name);
  const auto& trap = one.result.trap;
  if (one.ended && !(trap && trap->site.kind == TrapKind::OutOfBounds)) return std::nullopt;
  return one;
}

}  // namespace kc
