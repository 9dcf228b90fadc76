// SPDX-License-Identifier: Apache-2.0
#include "tests/property/engines.h"

#include <fmt/format.h>

#include <bit>
#include <cmath>
#include <cstring>

#include "sim/interpreter/thread_interpreter.h"

namespace kc::test {
namespace {

std::string difference(const Buffer& want, const Buffer& got) {
  unsigned size = Type{want.elem}.bytes();
  for (size_t at = 0; at + size <= want.bytes; at += size) {
    uint64_t w = 0, g = 0;
    std::memcpy(&w, reinterpret_cast<const char*>(want.storage.data()) + at, size);
    std::memcpy(&g, reinterpret_cast<const char*>(got.storage.data()) + at, size);
    if (w == g) continue;
    if (want.elem == Elem::F32) {
      auto x = std::bit_cast<float>(static_cast<uint32_t>(w)),
           y = std::bit_cast<float>(static_cast<uint32_t>(g));
      if (std::isnan(x) && std::isnan(y)) continue;
      return fmt::format("{}[{}]: expected {} ({:#x}), got {} ({:#x})", want.name, at / size, x, w, y, g);
    }
    if (want.elem == Elem::F64) {
      auto x = std::bit_cast<double>(w), y = std::bit_cast<double>(g);
      if (std::isnan(x) && std::isnan(y)) continue;
      return fmt::format("{}[{}]: expected {} ({:#x}), got {} ({:#x})", want.name, at / size, x, w, y, g);
    }
    return fmt::format("{}[{}]: expected {:#x}, got {:#x}", want.name, at / size, w, g);
  }
  return {};
}

std::string describe_trap(const std::optional<TrapReport>& t) {
  if (!t) return "none";
  return fmt::format("{} \"{}\" !{}:{} value {:#x} at ({}, {}, {}), {} in all",
                     t->site.kind == TrapKind::Assert ? "assert" : "throw", t->site.type, t->site.loc.line,
                     t->site.loc.column, t->value, t->global_id[0], t->global_id[1], t->global_id[2],
                     t->count);
}

}  // namespace

std::vector<uint64_t> RunData::arguments() const {
  std::vector<uint64_t> bits;
  for (const Argument& a : args)
    bits.push_back(a.buffer < 0
                       ? a.bits
                       : reinterpret_cast<uint64_t>(buffers[static_cast<size_t>(a.buffer)].storage.data()));
  return bits;
}

std::vector<MemoryRange> RunData::memory() const {
  std::vector<MemoryRange> ranges;
  for (const Buffer& b : buffers) ranges.push_back({reinterpret_cast<uint64_t>(b.storage.data()), b.bytes});
  return ranges;
}

Reference run_reference(const Function& thread_function, const RunData& data, uint64_t max_steps) {
  Reference r{data, {}};
  auto arguments = r.after.arguments();
  auto memory = r.after.memory();
  r.result = run_threads(thread_function, data.launch, arguments, {.memory = memory, .max_steps = max_steps});
  return r;
}

std::string compare(const Reference& expected, const RunData& after, const RunResult& result) {
  if (expected.result.status != result.status)
    return fmt::format("expected status '{}', got '{}' {}", to_string(expected.result.status),
                       to_string(result.status), result.message);
  std::string want = describe_trap(expected.result.trap), got = describe_trap(result.trap);
  if (want != got) return fmt::format("expected trap {}, got {}", want, got);
  for (size_t i = 0; i < after.buffers.size(); ++i)
    if (auto d = difference(expected.after.buffers[i], after.buffers[i]); !d.empty()) return d;
  return {};
}

std::string check_engine(const Reference& expected, const RunData& data, const Engine& engine) {
  RunData copy = data;
  RunResult result = engine(copy);
  return compare(expected, copy, result);
}

RunResult with_trap_slots(const Function& f, RunData& data,
                          const std::function<RunResult(std::span<const uint64_t> arguments,
                                                        std::span<const MemoryRange> memory)>& run) {
  auto arguments = data.arguments();
  auto memory = data.memory();
  std::vector<TrapSlot> slots;
  for (const ParamInfo& p : f.params)
    if (p.role == ParamRole::Traps) slots.resize(data.launch.items());
  if (!slots.empty()) {
    memory.push_back({reinterpret_cast<uint64_t>(slots.data()), slots.size() * sizeof(TrapSlot)});
    arguments.push_back(memory.back().base);
  }
  RunResult result = run(arguments, memory);
  if (!result.ok() && result.status != RunStatus::Trapped) return result;
  if (auto noted = find_trap(slots, data.launch, f.traps)) add_trap(result.trap, *noted);
  if (result.trap) result.status = RunStatus::Trapped;
  return result;
}

}  // namespace kc::test
