// SPDX-License-Identifier: Apache-2.0
// Everything that can run a kernel, behind one interface: interpreters, machine code, emulators, devices.
#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "driver/arguments.h"
#include "host/compile.h"
#include "host/cpu_form.h"
#include "host/launches.h"
#include "runtime/image.h"
#include "sim/gcn/object.h"
#include "sim/interpreter/race_detector.h"
#include "sim/interpreter/run_result.h"
#include "sim/warp/warp_scheduler.h"

namespace kc {

/// What another compiler is given in our place.
struct SourceText {
  std::string source;   // kernel language; empty when the input was IR
  std::string options;  // -I
};

/// A wave or machine function that was read, and what it is made for.
struct LoweredText {
  const Function* function = nullptr;
  CpuForm form{};                          // for CPUs
  GroupSize local{};                       // for gfx9: the groups of launches, where they are known
  CompileOptions options{};                // how the passes that are left are watched
  std::vector<std::string_view> passes{};  // of the machine, if just these are to run
};

/// One kernel as all engines share it.
struct Program {
  const Function* source = nullptr;     // as the front end made it: what the oracle runs
  std::unique_ptr<Function> optimised;  // thread IR as interpreters and simulators run it, traps lowered
  std::shared_ptr<const KernelCompiler> compiler{};  // from which engines compile; null for binaries
  /// Where engines that compile add to, too.
  std::shared_ptr<std::vector<PassTime>> pass_times = std::make_shared<std::vector<PassTime>>();
  double front_ms = 0;        // parsing and thread passes
  bool check_bounds = false;  // accesses outside the buffers trap
  SourceText text{};
  /// Wave or machine text, and then there is nothing else: engines compile it from where it is.
  std::optional<LoweredText> lowered{};
  /// A code object that was made elsewhere: for gfx9 engines, and then there is nothing else.
  std::shared_ptr<const GcnObject> object{};
  /// A module that kernelc made: for Vulkan, and then there is nothing else.
  std::shared_ptr<const VulkanImage> spirv{};
  bool is_binary() const { return object || spirv; }
};

enum class EngineStatus {
  Ok,
  Trapped,
  Absent,       // the machine or the component is not here
  Unsupported,  // the engine cannot run this kernel and says why
  Failed,       // the engine found an error: out of bounds, a step limit, a strictness violation
};

struct EngineWarning {
  Loc loc;
  std::string message;
};

/// What of a launch depends on the order of work-items.
struct OpenResults {
  OrderDependence first;
  std::vector<std::vector<uint8_t>> bytes{};  // by buffer: a flag for each byte
  bool printed = false, trap = false;
};

/// What of a message goes into a table or behind a place.
inline std::string first_line(const std::string& text) { return text.substr(0, text.find('\n')); }

struct EngineResult {
  EngineStatus status = EngineStatus::Ok;
  std::string message;
  std::optional<TrapReport> trap;
  PrintedText printed{};  // also of a launch that an interpreter stopped
  double launch_ms = 0;
  bool device_gave_out = false;    // it has no memory for this, or is lost
  bool emulated = false;           // machine code, by an emulator
  bool divergent_barrier = false;  // interp: of some group, even if `trap` is another one
  bool out_of_bounds = false;      // Failed: an access outside the buffers and objects stopped the launch
  Loc stopped_at{};                // Failed: where some work-item was when the launch was stopped, if known
  std::vector<std::pair<std::string, double>> stats;
  /// CPUs: what ran in which form, so far.
  struct FormTime {
    std::string form;
    uint64_t tasks = 0;
    double ms = 0;
    bool chosen = false;
  };
  std::vector<FormTime> forms;
  std::vector<EngineWarning> warnings;          // about what the kernel did
  std::optional<OpenResults> order_dependence;  // when it was looked for
};

struct EngineOptions {
  uint32_t width = 0;
  uint32_t threads = 0;
  uint64_t max_steps = 0;
  WarpScheme scheme = WarpScheme::Ipdom;  // sim
  uint32_t warp = 32;                     // sim: lanes; 0: the whole group
  bool rows = false;                      // sim: a warp has work-items of one row of the group
  /// sim, wave: is given the pieces of a trace of each launch.
  std::function<void(std::string_view)> trace{};
  bool find_order_dependence = false;  // interp
  bool adapt = false;                  // CPUs: which form is fastest is found out while launches run
  bool emulate = false;                // avx2, avx512: as if this processor had neither
  bool keep_form = false;              // Engine::form will be asked for
  bool assembly_text = false;  // gfx900: the emulator reads the assembly itself, no assembler is started
};

/// The code of a form that an engine runs, as `kernelc -S` writes it for the same launch.
struct FormText {
  std::string extension;  // of a file
  std::string text;
};

/// How an engine's waves cover a group: that many work-items each, along x in each row or along the linear
/// ids.
struct SubGroups {
  uint32_t lanes = 0;
  bool rows = false;
  auto operator<=>(const SubGroups&) const = default;
};

class Engine {
 public:
  virtual ~Engine() = default;
  /// Compiles for this launch. Ok, Absent, Unsupported or Failed. May be called again for another kernel.
  virtual EngineResult prepare(const Program& program, const LaunchSpec& spec) = 0;
  /// Runs once; buffers are read and written in place.
  virtual EngineResult launch(KernelArguments& args) = 0;
  /// Once prepared; none where work-items do not run together as the source says.
  virtual std::optional<SubGroups> sub_groups() const { return {}; }
  /// Once prepared with EngineOptions::keep_form; none of what interpreters run as it is.
  virtual std::optional<FormText> form() const { return {}; }
  /// Asks the launch that goes on in another thread to end; it may have to be asked again.
  virtual void stop() { stop_ = true; }
  double compile_ms = 0;

 protected:
  StopFlag stop_ = false;
};

struct EngineInfo {
  std::string_view name;
  std::string summary;
  std::unique_ptr<Engine> (*make)(const EngineOptions& options);
  bool in_check = true;       // a route of `check`
  uint32_t width = 0;         // lanes, where the route fixes them
  uint64_t ulp = 0;           // how far its floats may lie from the reference, unless the user says
  bool compiles = false;      // runs code that it compiles with Program::compiler
  bool in_place = true;       // works on the buffers of the launch, not on copies of its own
  bool runs_objects = false;  // takes Program::object
  bool runs_modules = false;  // takes Program::spirv
  bool prints_alike = true;   // printf writes what it writes in the reference
  bool traces = false;        // EngineOptions::trace
  bool counts_steps = false;  // EngineOptions::max_steps
};
/// In the order `check` prints them; the first is the reference.
const std::vector<EngineInfo>& engines();
const EngineInfo* find_engine(std::string_view name);

/// Whether all buffers of a launch are smaller than 2 GiB, hidden ones too.
bool has_small_buffers(const KernelArguments& args, const LaunchSpec& spec);
bool has_disjoint_buffers(const KernelArguments& args);
/// Whether the buffers are larger together than the last-level cache of this machine.
bool exceeds_caches(const KernelArguments& args);

/// The arguments of one launch; sets spec.local_bytes to what a group needs.
BoundArguments bind_arguments(const KernelArguments& args, const Function& kernel, LaunchSpec& spec);
/// What lowered code noted, Trapped or Ok, and what it printed.
EngineResult result_of(const BoundArguments& bound);

/// How the passes are watched that go on from Program::lowered.
PassWatch watch_of(const Program& program);

/// What an engine says of a kernel that could not be compiled.
EngineResult not_compiled(const CompileError& error);
/// And of a launch that gave no results.
EngineResult not_launched(const LaunchError& error);

/// What an interpreter's answer means: traps are its own, or those that lowered code noted, or both. It began
/// at `start` milliseconds.
EngineResult interpreted(const RunResult& result, const BoundArguments& bound, double start);

/// Milliseconds since some fixed point.
double now_ms();

}  // namespace kc
