// SPDX-License-Identifier: Apache-2.0
#include "driver/explore/graph.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <map>

#include "ir/cfg.h"
#include "ir/text.h"
#include "passes/analysis/uniformity.h"

namespace kc {
namespace {

using Json = nlohmann::ordered_json;

// Where the blocks of the layout stand in the text, as numbers of lines from 1.
struct Place {
  size_t first = 0, last = 0;
  std::string label, params, mask;
};

bool is_head(std::string_view line) {
  return !line.empty() && line[0] == 'b' && line.size() > 1 && line[1] >= '0' && line[1] <= '9' &&
         line.back() == ':';
}

Place read_head(std::string_view line) {
  Place p;
  line.remove_suffix(1);
  if (const size_t at = line.find(" mask "); at != std::string_view::npos)
    p.mask = line.substr(at + 6, line.find(' ', at + 6) - at - 6), line = line.substr(0, at);
  const size_t open = line.find('('), close = line.rfind(')');
  p.label = line.substr(0, line.find_first_of("( "));
  if (open != std::string_view::npos && close != std::string_view::npos)
    p.params = line.substr(open + 1, close - open - 1);
  return p;
}

std::vector<Place> places_of(std::string_view text) {
  std::vector<Place> places;
  size_t number = 0;
  while (!text.empty()) {
    const size_t end = std::min(text.find('\n'), text.size());
    const std::string_view line = text.substr(0, end);
    text.remove_prefix(std::min(end + 1, text.size()));
    ++number;
    if (is_head(line)) {
      places.push_back(read_head(line));
      places.back().first = number;
    } else if (!places.empty() && line == "}") {
      break;
    }
    if (!places.empty()) places.back().last = number;
  }
  return places;
}

std::string label_of(const Inst& end, size_t target) {
  if (end.targets.size() < 2) return "";
  if (end.targets.size() == 2 && end.op != Op::switch_) return target == 0 ? "true" : "false";
  return end.op == Op::switch_ && target == 0 ? "default" : std::to_string(target);
}

}  // namespace

std::vector<uint32_t> source_lines(std::string_view text) {
  std::vector<uint32_t> lines;
  while (!text.empty()) {
    const size_t end = std::min(text.find('\n'), text.size());
    const std::string_view line = text.substr(0, end);
    text.remove_prefix(std::min(end + 1, text.size()));
    uint32_t number = 0;
    // "!line:column", and "!line:column:file" in included files, is the last word of an instruction.
    if (const size_t mark = line.rfind(" !"); mark != std::string_view::npos) {
      const std::string_view place = line.substr(mark + 2);
      if (std::ranges::count(place, ':') == 1)
        std::from_chars(place.data(), place.data() + place.size(), number);
    }
    lines.push_back(number);
  }
  return lines;
}

Json causes_of(const Remark& remark) {
  Json why = Json::array();
  why.push_back({{"line", remark.loc.line}, {"text", remark.text}});
  for (const RemarkNote& n : remark.notes) why.push_back({{"line", n.loc.line}, {"text", n.text}});
  return why;
}

Json graph_of(const Function& f, std::string_view text, const std::vector<Remark>& why) {
  const std::vector<Place> places = places_of(text);
  if (places.size() != f.layout.size()) return nullptr;
  const Cfg cfg(f);
  const DominatorTree dom(f, cfg);
  const PostDominatorTree post(f, cfg);
  const Cycles cycles(f, cfg);
  std::map<uint32_t, size_t> number;  // by block id
  for (size_t n = 0; n < f.layout.size(); ++n) number[f.layout[n].index] = n;
  auto number_of = [&](BlockId b) {
    auto it = b.valid() ? number.find(b.index) : number.end();
    return it == number.end() ? -1 : static_cast<int>(it->second);
  };
  std::map<Loc, const Remark*> causes;
  for (const Remark& r : why) causes.emplace(r.loc, &r);
  Json blocks = Json::array();
  for (size_t n = 0; n < places.size(); ++n) {
    const BlockId b = f.layout[n];
    const Inst& end = f.inst(f.terminator(b));
    Json block{{"label", places[n].label}};
    for (InstId i : f.block(b).insts)
      if (const Loc loc = f.inst(i).loc; loc.line && !loc.file) {
        block["line"] = loc.line;
        break;
      }
    if (!places[n].params.empty()) block["params"] = places[n].params;
    if (!places[n].mask.empty()) block["mask"] = places[n].mask;
    const auto cause = end.targets.size() > 1 ? causes.find(end.loc) : causes.end();
    if (f.block(b).is_flow)
      block["kind"] = "flow";
    else if (end.targets.size() > 1)
      block["kind"] = cause != causes.end() ? "divergent" : "uniform";
    if (cause != causes.end()) block["why"] = causes_of(*cause->second);
    block["first"] = places[n].first, block["last"] = places[n].last;
    Json succ = Json::array();
    for (size_t t = 0; t < end.targets.size(); ++t)
      succ.push_back({{"to", number_of(end.targets[t].block)}, {"label", label_of(end, t)}});
    block["succ"] = std::move(succ);
    block["idom"] = cfg.reachable(b) ? number_of(dom.idom[b.index]) : -1;
    block["ipdom"] = cfg.reachable(b) ? number_of(post.ipdom[b.index]) : -1;
    const uint32_t loop = cycles.innermost[b.index];
    block["loop"] = loop == kNone ? -1 : static_cast<int>(loop);
    blocks.push_back(std::move(block));
  }
  Json loops = Json::array();
  for (uint32_t c = 0; c < cycles.cycles.size(); ++c) {
    Json members = Json::array();
    for (uint32_t b : cycles.nodes(c)) members.push_back(number_of(BlockId(b)));
    loops.push_back({{"header", number_of(BlockId(cycles.cycles[c].header))},
                     {"blocks", std::move(members)},
                     {"depth", cycles.cycles[c].depth - 1}});
  }
  return {{"blocks", std::move(blocks)}, {"loops", std::move(loops)}};
}

}  // namespace kc
