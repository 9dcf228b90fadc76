// SPDX-License-Identifier: Apache-2.0
#include "driver/session.h"

#include <fmt/format.h>

#include "backends/spirv/spirv.h"
#include "driver/certain_accesses.h"
#include "driver/engines/gcn_object.h"
#include "driver/engines/spirv_module.h"
#include "driver/lowered_text.h"

namespace kc {

std::expected<Session, DriverError> open_session(const Options& o, PassesOf said, bool any_dialect) {
  auto text = read_input(o.file);
  if (!text) return std::unexpected(text.error());
  if (is_object_file(*text)) return open_object_session(o, *text);
  if (is_spirv(*text)) return open_spirv_session(o, *text);
  auto input = load_input(o, std::move(*text));
  if (!input) return std::unexpected(input.error());
  return session_of(std::move(*input), o, said, any_dialect);
}

std::expected<Session, DriverError> session_of(Input input, const Options& o, PassesOf said,
                                               bool any_dialect) {
  Session s;
  s.module = std::move(input.module);
  if (auto ok = choose_launch(s, o); !ok) return std::unexpected(ok.error());
  if (s.lowered) {
    if (!any_dialect)
      return failed(ExitUsage,
                    fmt::format("'{}' is in the {} dialect: kernelc {} takes kernel source or thread IR, and "
                                "kernelc run takes any dialect",
                                s.kernel->name, to_string(s.lowered->dialect), o.command));
    s.program.source = s.kernel;
    s.program.pass_times = std::make_shared<std::vector<PassTime>>();
    return s;
  }
  auto program = make_program(*s.kernel, o, said);
  if (!program) return std::unexpected(program.error());
  s.program = std::move(*program);
  s.program.text = std::move(input.text);
  return s;
}

std::expected<void, DriverError> choose_launch(Session& s, const Options& o) {
  auto kernel = choose_kernel(s.module, o);
  if (!kernel) return std::unexpected(kernel.error());
  s.kernel = *kernel;
  if (s.kernel->dialect != Dialect::Thread) {
    s.lowered = s.kernel;
    s.signature = launch_signature(*s.lowered);
    s.kernel = s.signature.get();
  }
  auto spec = make_launch(*s.kernel, o);
  auto inputs = parse_arguments(*s.kernel, o.args);
  if (!spec || !inputs) {
    Problems problems;
    if (!spec) problems.add(spec.error());
    if (!inputs) problems.add(inputs.error());
    return std::unexpected(*problems.error());
  }
  s.spec = *spec;
  s.inputs = std::move(*inputs);
  s.inputs.printf_bytes = o.printf_bytes;
  s.spec.small_buffers = has_small_buffers(s.inputs, s.spec);
  s.spec.disjoint_buffers = has_disjoint_buffers(s.inputs);
  s.spec.beyond_caches = exceeds_caches(s.inputs);
  // With --check-bounds such an access is a trap.
  if (!o.check_bounds)
    if (auto ok = check_certain_accesses(*s.kernel, s.spec, s.inputs); !ok) return ok;
  return check_outputs(*s.kernel, s.inputs, o);
}

}  // namespace kc
