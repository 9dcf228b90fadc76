// SPDX-License-Identifier: Apache-2.0
#include "sim/interpreter/order_dependence.h"

namespace kc {

OrderDependentResults find_order_dependence(const ThreadInterpreter& interpreter, const LaunchSpec& launch,
                                            std::span<const uint64_t> arguments,
                                            const ThreadRunOptions& options, const MemoryRange& messages,
                                            const std::function<void()>& restore) {
  auto run = [&](ThreadRunOptions with) {
    ThreadRunResult r = interpreter.run(launch, arguments, with);
    return r.ok() || r.status == RunStatus::Trapped;
  };
  RaceDetector races;
  races.ignore(messages);
  ThreadRunOptions observed = options;
  observed.races = &races;
  const bool ended = run(observed);
  OrderDependentResults results{.first = races.found()};
  if (!results.first) return results;
  ShadowedLaunch shadowed{.global = races.global_bytes(), .local = races.local_bytes()};
  shadowed.ranges.resize(options.memory.size());
  shadowed.everything = !ended;
  ThreadRunOptions with = options;
  with.shadow = &shadowed;
  // A store that may go elsewhere may meet loads that came before it: its object is open from the start of
  // the next launch. Each launch but the last opens one more, so there are few.
  auto opened = [&] { return std::pair(shadowed.ranges, shadowed.local_memory); };
  for (bool more = ended; more && !shadowed.everything;) {
    auto before = opened();
    restore();
    if (!run(with)) shadowed.everything = true;
    more = opened() != before;
  }
  results.trap = shadowed.trap || shadowed.everything;
  results.bytes.resize(options.memory.size());
  for (size_t k = 0; k < options.memory.size(); ++k) {
    const MemoryRange& range = options.memory[k];
    if (shadowed.everything || shadowed.ranges[k])
      results.bytes[k].assign(range.size, 1);
    else
      results.bytes[k] = std::move(shadowed.bytes[k]);
  }
  // Where stores are unordered the last one may be another, whatever they store.
  races.global_bytes().each([&](uint64_t address, uint8_t what) {
    if (!(what & UnorderedBytes::Contents)) return;
    for (size_t k = 0; k < options.memory.size(); ++k)
      if (address - options.memory[k].base < options.memory[k].size)
        results.bytes[k][address - options.memory[k].base] = 1;
  });
  return results;
}

}  // namespace kc
