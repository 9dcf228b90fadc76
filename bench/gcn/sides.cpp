// SPDX-License-Identifier: Apache-2.0
#include "gcn/sides.h"

#include <fmt/format.h>

#include "driver/engines/engines.h"
#include "host/gcn_code.h"
#include "ir/process.h"
#include "sim/gcn/kernarg.h"

namespace kc::bench {
namespace {

auto failed(std::string message) { return std::unexpected(NoSide{.message = std::move(message)}); }

uint64_t group_items(const LaunchSpec& spec) { return spec.local[0] * spec.local[1] * spec.local[2]; }

// `signature` says what the launch binds: of our wave function also its hidden parameters.
std::expected<Side, NoSide> execute(const Session& session, const GcnObject& object,
                                    const Function& signature, bool strict, bool foreign) {
  const GcnKernel* kernel = object.find(signature.name);
  if (!kernel) return failed("the object has not the kernel");
  Side side{.vgprs = kernel->vgprs, .sgprs = kernel->sgprs, .after = session.inputs};
  LaunchSpec spec = session.spec;
  BoundArguments bound = bind_arguments(side.after, signature, spec);
  LaunchSpec placed = spec;
  placed.local_bytes = 0;
  // Our constant tables stand in the object.
  std::vector<uint64_t> values;
  for (size_t i = 0; i < bound.bits.size(); ++i)
    if (signature.params[i].role != ParamRole::Constants) values.push_back(bound.bits[i]);
  auto kernarg = fill_kernarg(*kernel, placed, values);
  if (!kernarg) return failed(kernarg.error());
  GcnResult r = run_gcn(object, kernel->name, spec, *kernarg, bound.ranges,
                        {.strict = strict, .foreign = foreign, .profile = true});
  if (r.status != GcnResult::Ok) return failed(r.message);
  if (bound.trap()) return failed("work-items trapped");
  side.counters = r.counters;
  for (size_t i = 0; i < r.issues.size(); ++i)
    side.listing += fmt::format("{:>9}  {:x}: {}\n", r.issues[i], object.code[i].pc, object.code[i].text);
  side.occupancy = occupancy(side.vgprs, side.sgprs, kernel->lds_bytes, group_items(spec));
  side.cycles = estimate_cycles(r.counters, side.occupancy);
  return side;
}

}  // namespace

std::expected<Side, NoSide> run_ours(const Session& session, bool strict) {
  auto made = compile_for_gcn(*session.program.compiler, *find_target("gfx900"), session.spec.local);
  if (!made) return failed(made.error().message);
  auto bytes = assemble_gcn(made->code.assembly);
  if (!bytes)
    return std::unexpected(NoSide{.absent = bytes.error().absent, .message = bytes.error().message});
  auto object = load_code_object(*bytes);
  if (!object) return failed(object.error().message);
  return execute(session, *object, *made->wave, strict, false);
}

std::expected<Side, NoSide> run_clang(const Session& session, const std::string& file,
                                      const std::vector<std::string>& options, bool strict) {
  TempDir work;
  if (!work.valid()) return failed("cannot make a temporary folder");
  std::vector<std::string> line{"clang-19",
                                "-x",
                                "cl",
                                "-target",
                                "amdgcn-amd-amdhsa",
                                "-mcpu=gfx900",
                                "-cl-std=CL1.2",
                                "-mcode-object-version=4",
                                "--rocm-device-lib-path=/usr/lib/x86_64-linux-gnu/amdgcn/bitcode",
                                "-Xclang",
                                "-finclude-default-header",
                                "-cl-kernel-arg-info",
                                "-w",
                                "-O3",
                                file,
                                "-o",
                                work.file("object")};
  line.insert(line.end(), options.begin(), options.end());
  auto ran = run_tool(line);
  if (!ran) return std::unexpected(NoSide{.absent = ran.error().absent, .message = ran.error().message});
  if (ran->exit_code != 0) {
    bool extension =
        ran->err.find("'throw'") != std::string::npos || ran->err.find("'try'") != std::string::npos;
    bool libraries = ran->err.find("ROCm device librar") != std::string::npos;
    return std::unexpected(NoSide{.absent = libraries, .not_opencl = extension, .message = ran->err});
  }
  auto bytes = read_file(work.file("object"));
  if (!bytes) return failed(bytes.error());
  auto object = load_code_object(*bytes);
  if (!object) return failed(object.error().message);
  return execute(session, *object, *session.kernel, strict, true);
}

}  // namespace kc::bench
