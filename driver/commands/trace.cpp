// SPDX-License-Identifier: Apache-2.0
// kernelc trace: a trace that `run --trace` wrote, as text.
#include <fmt/format.h>

#include "driver/compiler.h"
#include "sim/warp/trace.h"

namespace kc {

int command_trace(const Options& o) {
  auto bytes = read_input(o.file);
  if (!bytes) return report(bytes.error());
  auto reader = TraceReader::open(*bytes);
  if (!reader) return report({ExitIo, fmt::format("'{}': {}", o.file, reader.error())});
  const TraceHeader& header = reader->header();
  fmt::print("{}\n", render_head(header));
  TraceEvent event;
  bool first = true;
  for (uint64_t warp = 0;; warp = event.warp) {
    auto more = reader->next(event);
    if (!more) return report({ExitIo, fmt::format("'{}': {}", o.file, more.error())});
    if (!*more) return ExitOk;
    if (first || event.warp != warp) fmt::print("warp {}\n", event.warp);
    first = false;
    fmt::print("{}\n", render(header, event));
  }
}

}  // namespace kc
