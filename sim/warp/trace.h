// SPDX-License-Identifier: Apache-2.0
// Which block ran for which lanes, in which order: one compact format, written by the warp simulator and by
// the wave interpreter alike. docs/simulator.md describes its bytes.
#pragma once

#include <expected>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "sim/warp/warp_scheduler.h"

namespace kc {

struct TraceBlock {
  std::string label;  // as the text form has it: "b3.loop"
  // Of its first instruction that has a line: the file, counted from 1 (0: the one that was compiled).
  uint32_t file = 0, line = 0;
};
struct TraceHeader {
  std::string kernel, scheme;
  uint64_t width = 0;  // lanes of a warp
  std::vector<std::string> files;
  std::vector<TraceBlock> blocks;
  size_t place_width = 6;  // characters of the longest place, or more
  /// "12", "head.h:12", or "-"; of a long name the end.
  std::string place(const TraceBlock& block) const;
};
struct TraceEvent {
  uint64_t warp = 0;
  uint32_t block = 0;  // index in the header's blocks
  LaneSet lanes;
};

class TraceWriter {
 public:
  using Sink = std::function<void(std::string_view)>;
  /// The sink is given pieces of the trace, and outlives the writer.
  TraceWriter(const Function& f, std::string_view scheme, uint64_t width, const Sink& sink);
  void block(uint64_t warp, BlockId block, const LaneSet& lanes);
  /// A trace that was not finished cannot be read to its end.
  void finish();

 private:
  void number(uint64_t n);
  void text(std::string_view s);
  void flush(size_t limit);

  const Sink& sink_;
  std::string bytes_;
  std::vector<uint32_t> index_;  // by block id
  uint64_t warp_ = 0, events_ = 0;
  LaneSet lanes_;  // of the event before
};

/// Reads what a writer wrote; anything else is an error, found before or at the place where it matters.
class TraceReader {
 public:
  static std::expected<TraceReader, std::string> open(std::string_view bytes);
  const TraceHeader& header() const { return header_; }
  /// The next event: true, and it is there; false at the end. The event is kept up to date from one call to
  /// the next, so it must be the same object.
  std::expected<bool, std::string> next(TraceEvent& event);

 private:
  explicit TraceReader(std::string_view bytes) : bytes_(bytes) {}
  std::expected<void, std::string> read_header();
  bool number(uint64_t& n);
  bool text(std::string& s);
  bool lanes(LaneSet& set);

  std::string_view bytes_;
  size_t at_ = 0;
  uint64_t events_ = 0;
  TraceHeader header_;
};

/// What stands above the lines of events.
std::string render_head(const TraceHeader& header);
/// A line for an event: block, place in the source, and the lanes as a picture. Lanes beyond 64 are counted.
std::string render(const TraceHeader& header, const TraceEvent& event);

}  // namespace kc
