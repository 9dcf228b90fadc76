// SPDX-License-Identifier: Apache-2.0
#include "driver/explore/graph.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>

#include "driver/explore/json_text.h"
#include "ir/cfg.h"
#include "ir/text.h"
#include "passes/analysis/uniformity.h"

namespace kc {
namespace {

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

std::vector<uint32_t> block_lines(const Function& f) {
  std::vector<uint32_t> lines;
  for (BlockId b : f.layout) {
    uint32_t line = 0;
    for (InstId i : f.block(b).insts)
      if (const Loc loc = f.inst(i).loc; loc.line && !loc.file) {
        line = loc.line;
        break;
      }
    lines.push_back(line);
  }
  return lines;
}

std::vector<std::string> block_labels(std::string_view text) {
  std::vector<std::string> labels;
  for (Place& p : places_of(text)) labels.push_back(std::move(p.label));
  return labels;
}

Causes causes_of(const std::vector<Remark>& why) {
  Causes causes;
  for (const Remark& r : why) {
    std::string text = "[";
    auto add = [&](uint32_t line, std::string_view what) {
      add_comma(text), text += '{';
      add_json_key(text, "line"), add_json_number(text, line);
      add_json_key(text, "text"), add_json_string(text, what);
      text += '}';
    };
    add(r.loc.line, r.text);
    for (const RemarkNote& n : r.notes) add(n.loc.line, n.text);
    causes.emplace(r.loc, text + ']');
  }
  return causes;
}

bool write_graph(std::string& out, const Function& f, std::string_view text, const Causes& causes,
                 std::string_view regions) {
  const std::vector<Place> places = places_of(text);
  if (places.size() != f.layout.size()) return false;
  const Cfg cfg(f);
  const DominatorTree dom(f, cfg);
  const PostDominatorTree post(f, cfg);
  const Cycles cycles(f, cfg);
  std::vector<int> number(f.block_count(), -1);  // in the layout, by block id
  for (size_t n = 0; n < f.layout.size(); ++n) number[f.layout[n].index] = static_cast<int>(n);
  auto number_of = [&](BlockId b) { return b.valid() ? number[b.index] : -1; };
  auto text_of = [&](std::string_view key, std::string_view value) {
    add_json_key(out, key), add_json_string(out, value);
  };
  auto number_at = [&](std::string_view key, int64_t value) {
    add_json_key(out, key), add_json_number(out, value);
  };
  const std::vector<uint32_t> lines = block_lines(f);
  out += "{\"blocks\":[";
  for (size_t n = 0; n < places.size(); ++n) {
    const BlockId b = f.layout[n];
    const Inst& end = f.inst(f.terminator(b));
    add_comma(out), out += '{';
    text_of("label", places[n].label);
    if (lines[n]) number_at("line", lines[n]);
    if (!places[n].params.empty()) text_of("params", places[n].params);
    if (!places[n].mask.empty()) text_of("mask", places[n].mask);
    const auto cause = end.targets.size() > 1 ? causes.find(end.loc) : causes.end();
    if (f.block(b).is_flow)
      text_of("kind", "flow");
    else if (end.targets.size() > 1)
      text_of("kind", cause != causes.end() ? "divergent" : "uniform");
    if (cause != causes.end()) add_json_key(out, "why"), out += cause->second;
    number_at("first", static_cast<int64_t>(places[n].first));
    number_at("last", static_cast<int64_t>(places[n].last));
    out += ",\"succ\":[";
    for (size_t t = 0; t < end.targets.size(); ++t) {
      add_comma(out), out += '{';
      number_at("to", number_of(end.targets[t].block));
      text_of("label", label_of(end, t));
      out += '}';
    }
    out += ']';
    number_at("idom", cfg.reachable(b) ? number_of(dom.idom[b.index]) : -1);
    number_at("ipdom", cfg.reachable(b) ? number_of(post.ipdom[b.index]) : -1);
    const uint32_t loop = cycles.innermost[b.index];
    number_at("loop", loop == kNone ? -1 : static_cast<int>(loop));
    out += '}';
  }
  out += "],\"loops\":[";
  for (uint32_t c = 0; c < cycles.cycles.size(); ++c) {
    add_comma(out), out += '{';
    number_at("header", number_of(BlockId(cycles.cycles[c].header)));
    out += ",\"blocks\":[";
    for (uint32_t b : cycles.nodes(c)) add_comma(out), add_json_number(out, number_of(BlockId(b)));
    out += ']';
    number_at("depth", cycles.cycles[c].depth - 1);
    out += '}';
  }
  out += ']';
  if (!regions.empty()) add_json_key(out, "regions"), out += regions;
  out += '}';
  return true;
}

}  // namespace kc
