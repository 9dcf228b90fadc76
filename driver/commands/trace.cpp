// SPDX-License-Identifier: Apache-2.0
// kernelc trace: a trace that `run --trace` wrote, as text.
#include <fmt/format.h>

#include <nlohmann/json.hpp>

#include "driver/compiler.h"
#include "sim/warp/trace.h"

namespace kc {
namespace {

// One object, its events on a line each: a trace may be long.
int print_json(const Options& o, TraceReader& reader) {
  using Json = nlohmann::ordered_json;
  const TraceHeader& header = reader.header();
  Json blocks = Json::array();
  for (const TraceBlock& b : header.blocks) {
    Json block{{"label", b.label}, {"line", b.line}};
    if (b.file) block["file"] = header.files[b.file - 1];
    blocks.push_back(std::move(block));
  }
  fmt::print("{{\"kernel\": {}, \"scheme\": {}, \"width\": {},\n\"blocks\": {},\n\"events\": [",
             Json(header.kernel).dump(), Json(header.scheme).dump(), header.width, blocks.dump());
  TraceEvent event;
  for (const char* before = "\n";; before = ",\n") {
    auto more = reader.next(event);
    if (!more) return report({ExitIo, fmt::format("'{}': {}", o.file, more.error())});
    if (!*more) break;
    fmt::print("{}{}", before,
               Json{{"warp", event.warp}, {"block", event.block}, {"lanes", event.lanes}}.dump());
  }
  fmt::print("\n]}}\n");
  return ExitOk;
}

}  // namespace

int command_trace(const Options& o) {
  auto bytes = read_input(o.file, kMostDataBytes);
  if (!bytes) return report(bytes.error());
  auto reader = TraceReader::open(*bytes);
  if (!reader) return report({ExitIo, fmt::format("'{}': {}", o.file, reader.error())});
  if (o.json) return print_json(o, *reader);
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
