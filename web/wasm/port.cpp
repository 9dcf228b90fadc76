// SPDX-License-Identifier: Apache-2.0
// What the compiler asks of a machine, for one that has no files, processes, signals and backends.
#include <cstdio>
#include <cstdlib>
#include <new>

#include "driver/compiler.h"
#include "driver/engines/engine_list.h"
#include "driver/grade/registers.h"
#include "driver/lab/answer.h"
#include "driver/lowered_text.h"
#include "driver/program.h"
#include "host/pass_list.h"
#include "host/source.h"
#include "ir/check.h"

namespace kc {

// The engines are the interpreters and the simulator.
const std::vector<EngineInfo>& engines() {
  static const std::vector<EngineInfo> table = interpreter_engines();
  return table;
}
const EngineInfo* find_engine(std::string_view name) {
  for (const EngineInfo& e : engines())
    if (e.name == name) return &e;
  return nullptr;
}
CpuFeatures cpu_features() { return {}; }
uint64_t last_level_cache() { return ~uint64_t{0}; }

// There are no passes on machine functions; a pipeline with a name that it does not know says so itself.
std::span<const std::string_view> machine_pass_names() { return {}; }
std::expected<void, DriverError> check_passes(const Options&, const TargetDesc*) { return {}; }

// Files are those that the request brings.
std::expected<std::string, std::string> read_include(const std::string& path) {
  if (const std::string* text = given_file(path)) return *text;
  return std::unexpected("");
}
std::expected<std::string, DriverError> read_input(const std::string& path, size_t) {
  if (const std::string* text = given_file(path)) return *text;
  return failed(ExitIo, fmt::format("cannot read '{}': the request brings no such file", path));
}
// Nothing is written.
std::expected<void, DriverError> check_outputs(const Function&, const KernelArguments&, const Options&) {
  return {};
}
// Registers are those of a machine.
std::expected<RegisterQuestion, std::string> ask_registers(const LabFile&, const ProgramCase&, uint32_t) {
  return std::unexpected("there are no machines here");
}
std::expected<RegisterVerdict, std::string> try_registers(const LabFile&, const ProgramCase&, uint32_t,
                                                          const std::string&) {
  return std::unexpected("there are no machines here");
}
std::expected<RegisterVerdict, std::string> own_registers(const LabFile&, const ProgramCase&, uint32_t) {
  return std::unexpected("there are no machines here");
}
// The lab takes kernel source, which is in the thread dialect.
std::unique_ptr<Function> launch_signature(const Function& f) {
  internal_error(__FILE__, __LINE__, fmt::format("'{}' is in the {} dialect", f.name, to_string(f.dialect)));
}

// Memory has no pages that fault: it is as aligned as on other machines, and no more.
GuardedMemory::GuardedMemory(size_t size) {
  if (!size) return;
  mapping_ = std::aligned_alloc(64, (size + 63) / 64 * 64);
  if (!mapping_) std::fputs("out of memory\n", stderr), std::exit(70);
  data_ = static_cast<uint8_t*>(mapping_);
}
GuardedMemory::~GuardedMemory() { std::free(mapping_); }

}  // namespace kc
