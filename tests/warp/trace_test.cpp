// SPDX-License-Identifier: Apache-2.0
// Traces round-trip; any other input is an error without further effect.
#include <algorithm>
#include <catch2/catch.hpp>
#include <random>

#include "sim/warp/trace.h"
#include "tests/sim/support.h"
#include "tests/warp/warps.h"

using namespace kc;
using namespace kc::test;

namespace {

std::string write(const Function& f, uint64_t width, const std::vector<TraceEvent>& events) {
  std::string bytes;
  TraceWriter::Sink sink = [&](std::string_view piece) { bytes += piece; };
  TraceWriter writer(f, "some-scheme", width, sink);
  for (const TraceEvent& e : events) writer.block(e.warp, f.layout[e.block], e.lanes);
  writer.finish();
  return bytes;
}

// The events, or the error.
std::expected<std::vector<TraceEvent>, std::string> read(std::string_view bytes) {
  auto reader = TraceReader::open(bytes);
  if (!reader) return std::unexpected(reader.error());
  std::vector<TraceEvent> events;
  TraceEvent event;
  for (;;) {
    auto more = reader->next(event);
    if (!more) return std::unexpected(more.error());
    if (!*more) return events;
    CHECK(event.block < reader->header().blocks.size());
    CHECK((event.lanes.empty() || event.lanes.back() < reader->header().width));
    events.push_back(event);
  }
}

bool same(const std::vector<TraceEvent>& a, const std::vector<TraceEvent>& b) {
  return std::ranges::equal(a, b, [](const TraceEvent& x, const TraceEvent& y) {
    return x.warp == y.warp && x.block == y.block && x.lanes == y.lanes;
  });
}

std::vector<TraceEvent> random_events(std::mt19937& random, uint32_t blocks, uint32_t width) {
  std::vector<TraceEvent> events(random() % 40);
  for (TraceEvent& e : events) {
    e.warp = random() % 3 * (uint64_t{1} << random() % 50);
    e.block = random() % blocks;
    for (uint32_t l = 0; l < width; ++l)
      if (random() % 3 == 0) e.lanes.push_back(l);
    if (&e != &events[0] && random() % 3 == 0) e.lanes = (&e - 1)->lanes;
  }
  return events;
}

}  // namespace

TEST_CASE("traces read back as they were written") {
  std::mt19937 random(1);
  Graph many(142);  // enough blocks for two-byte numbers
  for (uint32_t n = 0; n + 1 < many.size(); ++n) many[n] = {n + 1};
  PathFunction paths = path_function(many);
  for (uint32_t width : {1u, 4u, 6u, 7u, 8u, 32u, 63u, 64u, 65u, 1000u})
    for (int round = 0; round < 20; ++round) {
      auto events = random_events(random, static_cast<uint32_t>(paths.f.layout.size()), width);
      std::string bytes = write(paths.f, width, events);
      auto again = read(bytes);
      REQUIRE(again);
      CHECK(same(*again, events));
      // A truncated trace is an error at any length.
      for (size_t cut = 0; cut < bytes.size(); cut += 1 + random() % 20) CHECK(!read(bytes.substr(0, cut)));
    }
}

TEST_CASE("bytes that are no trace are errors with a place") {
  std::mt19937 random(2);
  PathFunction paths = path_function(ladder_graph(3));
  uint64_t errors = 0;
  for (int round = 0; round < 3000; ++round) {
    std::string bytes = write(paths.f, 32, random_events(random, 8, 32));
    for (uint32_t k = random() % 4; k < 4; ++k) bytes[random() % bytes.size()] = static_cast<char>(random());
    errors += !read(bytes);
  }
  CHECK(errors > 1000);
  auto message = [](std::string_view bytes) {
    auto r = read(bytes);
    return r ? std::string() : r.error();
  };
  CHECK(message("") == "it is no trace");
  CHECK(message("kctr") == "the trace ends at byte 4");
  CHECK(message("kctr\x03") == "it is a trace of version 3, this command reads version 2");
  std::string bytes = write(paths.f, 32, {{0, 3, {1, 2}}});
  CHECK(message(bytes.substr(0, bytes.size() - 2)).starts_with("the trace ends at byte "));
  CHECK(message(bytes + "x").starts_with("the end does not fit what comes before at byte "));
}

TEST_CASE("blocks know the file that they come from") {
  PathFunction paths = path_function(ladder_graph(3));
  Function& f = paths.f;
  f.files = {"a.h", "deep/er.h", std::string(1000, 'x') + ".h"};
  for (BlockId b : f.layout)
    for (InstId i : f.block(b).insts) f.inst(i).loc = {};
  f.inst(f.terminator(f.layout[0])).loc = {7, 1};
  f.inst(f.terminator(f.layout[1])).loc = {12, 1, 2};
  f.inst(f.terminator(f.layout[3])).loc = {4, 1, 3};
  auto reader = TraceReader::open(write(f, 4, {}));
  REQUIRE(reader);
  const TraceHeader& header = reader->header();
  CHECK(header.place(header.blocks[0]) == "7");
  CHECK(header.place(header.blocks[1]) == "deep/er.h:12");
  CHECK(header.place(header.blocks[2]) == "-");
  CHECK(header.place(header.blocks[3]) == "..." + std::string(38, 'x') + ".h:4");
  CHECK(header.place_width == 45);
  CHECK(render_head(header).ends_with("block" + std::string(57, ' ') + "line  lanes"));
  CHECK(render(header, {0, 1, {2}}).ends_with(" deep/er.h:12  ..#. 1/4"));
}

TEST_CASE("a trace of the simulator") {
  PathFunction paths = path_function({{1, 2}, {2, 5}, {3, 4}, {4, 5}, {5}, {}});
  std::vector<uint32_t> out(paths.items);
  std::vector<MemoryRange> memory{range_of(out)};
  std::vector<uint64_t> arguments{address_of(out)};
  std::string bytes;
  TraceWriter::Sink sink = [&](std::string_view piece) { bytes += piece; };
  TraceWriter writer(paths.f, "tf-stack", 16, sink);
  auto r = WarpSimulator(paths.f, priorities_of(paths.f))
               .run(line(16, 16), arguments,
                    {.memory = memory,
                     .scheme = WarpScheme::TfStack,
                     .width = 16,
                     .on_block = [&](uint64_t w, BlockId b, const LaneSet& l) { writer.block(w, b, l); }});
  writer.finish();
  REQUIRE(r.ok());
  auto reader = TraceReader::open(bytes);
  REQUIRE(reader);
  CHECK(reader->header().kernel == "paths");
  CHECK(reader->header().scheme == "tf-stack");
  std::string text;
  TraceEvent event;
  while (reader->next(event).value_or(false)) text += render(reader->header(), event) + "\n";
  CHECK(text ==
        "b0                        -  ################ 16/16\n"
        "b1                        -  #.#.#.#.#.#.#.#. 8/16\n"
        "b2                        -  ##.###.###.###.# 12/16\n"
        "b3                        -  ##.#....##.#.... 6/16\n"
        "b4                        -  ##.###.#....##.# 9/16\n"
        "b5                        -  ################ 16/16\n");
}
