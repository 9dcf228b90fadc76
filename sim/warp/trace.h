// SPDX-License-Identifier: Apache-2.0
// Execution traces: which block was issued for which lanes, in order. A compact format, written by the warp
// simulator and the wave interpreter. docs/simulator.md specifies it.
#pragma once

#include <expected>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "sim/warp/warp_scheduler.h"

namespace kc {

struct TraceBlock {
  std::string label;  // as in the text form: "b3.loop"
  // Position of its first instruction with a line; the file is counted from 1 (0: the compiled file).
  uint32_t file = 0, line = 0;
};
struct TraceHeader {
  std::string kernel, scheme;
  uint64_t width = 0;  // lanes of a warp
  std::vector<std::string> files;
  std::vector<TraceBlock> blocks;
  size_t place_width = 6;  // width of the longest position in characters, or more
  /// "12", "head.h:12", or "-"; long names are truncated at the front.
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
  /// The sink receives pieces of the trace and must outlive the writer.
  TraceWriter(const Function& f, std::string_view scheme, uint64_t width, const Sink& sink);
  void block(uint64_t warp, BlockId block, const LaneSet& lanes);
  /// Must be called: an unfinished trace cannot be read to its end.
  void finish();

 private:
  void number(uint64_t n);
  void text(std::string_view s);
  void flush(size_t limit);

  const Sink& sink_;
  std::string bytes_;
  std::vector<uint32_t> index_;  // by block id
  uint64_t warp_ = 0, events_ = 0;
  LaneSet lanes_;  // of the previous event
};

/// Reads the output of a writer. Any other input is an error, detected at the latest where it matters.
class TraceReader {
 public:
  static std::expected<TraceReader, std::string> open(std::string_view bytes);
  const TraceHeader& header() const { return header_; }
  /// The next event: true if there is one, false at the end. Events are encoded as differences, so each call
  /// must be given the same object.
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

/// The text above the event lines.
std::string render_head(const TraceHeader& header);
/// One line per event: block, source position, and a picture of the lanes. Lanes beyond 64 are counted.
std::string render(const TraceHeader& header, const TraceEvent& event);

}  // namespace kc
