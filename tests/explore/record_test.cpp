// SPDX-License-Identifier: Apache-2.0
// The record of a launch: its schema (docs/record.md), its bounds, and its counts, which are those of
// `stats`.
#include <fmt/format.h>

#include <algorithm>
#include <catch2/catch.hpp>
#include <nlohmann/json.hpp>
#include <set>

#include "ir/process.h"

namespace {

using namespace kc;
using Json = nlohmann::json;

constexpr size_t kMostBytes = 3'000'000, kMostSteps = 10'000, kMostWarps = 4, kMostPlaces = 64,
                 kMostOthers = 32;

struct Launch {
  std::string file;
  std::vector<std::string> options;
};

const std::vector<Launch>& launches() {
  static const std::vector<Launch> all{
      {"examples/mandelbrot/mandelbrot.cl",
       {"--global", "64,8", "--arg", "out=u32[512]", "--arg", "width=64", "--arg", "left=-2.25f", "--arg",
        "top=-1.152f", "--arg", "step=0.05f", "--arg", "limit=32"}},
      {"examples/exceptions/exceptions.cl",
       {"--global", "64", "--arg", "in=f32[64]:rand(3,-1000,900000)", "--arg", "out=f32[64]", "--arg",
        "limit=20"}},
      {"examples/scanner/scanner.cl",
       {"--global", "256", "--local", "64", "--warp", "64", "--arg", "text=u8[16384]:rand(1,32,126)", "--arg",
        "stride=64", "--arg", "out=i32[1024]"}},
      {"bench/melding/kernels/bitonic.cl",
       {"--global", "128", "--local", "64", "--arg", "data=i32[128]:rand(1,0,100000)"}},
      {"docs/collatz.cl",
       {"--global", "64", "--arg", "in=u32[64]:rand(5,1,20)", "--arg", "out=u32[64]", "--warp", "8"}},
      {"docs/knots.cl", {"--global", "64", "--arg", "in=i32[64]:iota", "--arg", "out=i32[64]"}},
      {"bench/cpu/wide/queens.cl",
       {"--global", "125", "--local", "25", "--arg", "solutions=i32[125]", "--arg", "n=5"}},
      {"bench/cpu/wide/levenshtein.cl",
       {"--global", "64", "--local", "32", "--arg", "words=u8[2048]:rand(1,97,101)", "--arg",
        "query=u8[32]:rand(2,97,101)", "--arg", "distance=i32[64]", "--arg", "length=31"}},
      {"docs/short_circuit.cl", {"--global", "64", "--arg", "in=i32[64]:iota", "--arg", "out=i32[64]"}},
      {"bench/cpu/wide/reduce_tree.cl",
       {"--global", "256", "--local", "256", "--arg", "in=f32[512]:rand(1,0,1)", "--arg", "out=f32[1]",
        "--arg", "scratch=f32[256]"}},
  };
  return all;
}

Json output_of(const std::vector<std::string>& words) {
  std::vector<std::string> line{std::string(KC_BINARY_DIR) + "/kernelc"};
  line.insert(line.end(), words.begin(), words.end());
  auto done = run_tool(line);
  REQUIRE(done.has_value());
  INFO(done->err);
  REQUIRE(done->exit_code == 0);
  return done->out.empty() ? Json() : Json::parse(done->out);
}

void check_graph(const Json& graph, size_t lines) {
  const size_t count = graph["blocks"].size(), loops = graph["loops"].size();
  auto is_block = [&](const Json& n) { return n.get<int>() >= -1 && n.get<int>() < static_cast<int>(count); };
  std::set<std::string> labels;
  for (const Json& b : graph["blocks"]) {
    CHECK(labels.insert(b["label"]).second);
    CHECK(b["first"].get<size_t>() >= 1);
    CHECK(b["first"] <= b["last"]);
    CHECK(b["last"].get<size_t>() <= lines);
    for (const Json& edge : b["succ"]) CHECK((is_block(edge["to"]) && edge["to"] != -1));
    CHECK((is_block(b["idom"]) && is_block(b["ipdom"])));
    CHECK(b["loop"].get<int>() < static_cast<int>(loops));
    if (b.value("kind", "") == "divergent") CHECK(b.contains("why"));
  }
  CHECK(graph["blocks"][0]["idom"] == -1);
  for (const Json& loop : graph["loops"]) {
    CHECK(loop["depth"].get<int>() >= 0);
    CHECK(std::ranges::find(loop["blocks"], loop["header"]) != loop["blocks"].end());
  }
}

void check_stages(const Json& stages) {
  std::set<std::string> dialects;
  size_t graphs = 0;
  for (const Json& s : stages) {
    dialects.insert(s["dialect"].get<std::string>());
    if (s.value("same", false)) continue;
    const auto text = s["text"].get<std::string>();
    const auto lines = static_cast<size_t>(std::ranges::count(text, '\n')) + 1;
    CHECK((s["lines"].empty() || s["lines"].size() == lines));
    if (s.contains("graph")) ++graphs, check_graph(s["graph"], lines);
  }
  for (const char* d : {"tokens", "ast", "thread", "wave", "x64", "gcn", "assembly"})
    CHECK(dialects.contains(d));
  CHECK(graphs > 10);
}

void check_traces(const Json& record) {
  for (const Json& t : record["traces"]) {
    CHECK(t["lanes"] == record["stats"]["warp"]);
    CHECK(t["warps"].size() <= kMostWarps);
    REQUIRE(t["stage"].get<size_t>() < record["stages"].size());
    CHECK(record["stages"][t["stage"].get<size_t>()]["graph"]["blocks"].size() == t["blocks"].size());
    for (const Json& w : t["warps"]) {
      CHECK(w["blocks"].size() == w["lanes"].size());
      CHECK(w["blocks"].size() <= std::min(kMostSteps, w["total"].get<size_t>()));
      for (const Json& b : w["blocks"]) CHECK(b.get<size_t>() < t["blocks"].size());
    }
  }
}

// What lanes wait for is all that is issued and not active. `how` is that of the graph: what comes to a block
// is post-dominated by it.
void check_waits(const Json& record) {
  for (const Json& t : record["traces"]) {
    const Json& blocks = record["stages"][t["stage"].get<size_t>()]["graph"]["blocks"];
    auto comes = [&](size_t from, size_t to) {
      for (auto at = static_cast<int>(from); at >= 0; at = blocks[static_cast<size_t>(at)]["ipdom"])
        if (static_cast<size_t>(at) == to) return true;
      return false;
    };
    auto idle = t["ended"].get<uint64_t>();
    uint64_t last = UINT64_MAX;
    CHECK(t["waits"].size() <= kMostPlaces);
    for (const Json& at : t["waits"]) {
      const auto slots = at["slots"].get<uint64_t>();
      CHECK((slots > 0 && slots <= last));
      idle += last = slots;
      uint64_t sum = 0;
      CHECK(at["for"].size() <= kMostOthers);
      for (const Json& other : at["for"]) {
        sum += other["slots"].get<uint64_t>();
        const size_t from = other["block"], to = at["block"];
        CHECK((other["how"] == "comes") == (from != to && comes(from, to)));
        CHECK((other["how"] == "comes" || other["how"] == "may" || other["how"] == "turn"));
      }
      CHECK((at["for"].size() == kMostOthers ? sum <= slots : sum == slots));
    }
    for (const Json& c : record["costs"])
      if (c["scheme"] == t["scheme"] && t["waits"].size() < kMostPlaces)
        CHECK(idle == c["issued"].get<uint64_t>() - c["active"].get<uint64_t>());
  }
}

// Regions own their blocks: two of them are apart, or one is in the other.
void check_regions(const Json& stages) {
  const auto structured = std::ranges::find_if(
      stages, [](const Json& s) { return s.value("name", "") == "structured control flow"; });
  REQUIRE(structured != stages.end());
  std::vector<std::set<size_t>> all;
  for (const Json& r : (*structured)["graph"]["regions"]) {
    std::set<size_t> blocks = r["blocks"];
    CHECK(!blocks.empty());
    CHECK(*blocks.rbegin() < (*structured)["graph"]["blocks"].size());
    for (const std::set<size_t>& outer : all) {
      std::vector<size_t> both;
      std::ranges::set_intersection(blocks, outer, std::back_inserter(both));
      CHECK((both.empty() || both.size() == blocks.size()));
    }
    all.push_back(std::move(blocks));
  }
}

// A slot is a lane of an issued instruction: what stats counts, times the lanes.
void check_counts(const Json& record) {
  const auto lanes = record["stats"]["warp"].get<uint64_t>();
  size_t compared = 0;
  for (const Json& c : record["costs"]) {
    const Json& s = record["stats"]["schemes"][c["scheme"].get<std::string>()];
    CHECK(c["issued"] == s["dynamic_instructions"].get<uint64_t>() * lanes);
    CHECK(c["active"].get<double>() / c["issued"].get<double>() ==
          Approx(s["activity_factor"].get<double>()));
    uint64_t issued = 0, active = 0;
    for (const Json& l : c["lines"]) {
      issued += l["issued"].get<uint64_t>(), active += l["active"].get<uint64_t>();
      CHECK(l["active"] <= l["issued"]);
    }
    CHECK(issued <= c["issued"].get<uint64_t>());
    CHECK(active <= c["active"].get<uint64_t>());
    CHECK(active > 0);
    ++compared;
  }
  CHECK(compared == 3);
  double before = 1;
  CHECK(record["findings"].size() <= 5);
  for (const Json& f : record["findings"]) {
    CHECK((f["wasted"].get<double>() > 0 && f["wasted"].get<double>() <= before));
    before = f["wasted"];
  }
}

void check_registers(const Json& all) {
  REQUIRE(all.size() == 2);
  for (const Json& r : all) {
    const size_t count = r["code"].size();
    CHECK(!r["kinds"].empty());
    for (const Json& k : r["kinds"]) {
      CHECK(k["pressure"].size() == count);
      for (const Json& n : k["pressure"]) CHECK(n <= k["limit"]);
    }
    for (const Json& range : r["ranges"]) {
      CHECK(range["from"] <= range["to"]);
      CHECK(range["to"].get<size_t>() < count);
    }
  }
}

}  // namespace

TEST_CASE("a record has its schema, its bounds and the counts of stats") {
  const std::string source = KC_SOURCE_DIR, folder = KC_BINARY_DIR;
  for (const Launch& launch : launches()) {
    INFO(launch.file);
    const std::string path = folder + "/record_test.json";
    std::vector<std::string> words{"explore", source + "/" + launch.file, "-o", path};
    words.insert(words.end(), launch.options.begin(), launch.options.end());
    output_of(words);
    auto text = read_file(path);
    REQUIRE(text.has_value());
    CHECK(text->size() < kMostBytes);
    const Json record = Json::parse(*text);
    CHECK(record["version"] == 1);
    check_stages(record["stages"]);
    check_regions(record["stages"]);
    check_traces(record);
    check_waits(record);
    check_counts(record);
    check_registers(record["registers"]);
    words[0] = "stats";
    words.erase(words.begin() + 2, words.begin() + 4);
    words.push_back("--json");
    CHECK(record["stats"] == output_of(words));
  }
}
