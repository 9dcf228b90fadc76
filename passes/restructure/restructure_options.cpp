// SPDX-License-Identifier: Apache-2.0
#include "passes/restructure/restructure_options.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <span>

namespace kc {
namespace {

struct Option {
  std::string_view name;
  void (*set)(RestructureOptions& scheme);
};

template <SwitchForm Form>
void set_form(RestructureOptions& s) {
  s.structurize.form = Form;
}

template <BlockOrder Order>
void set_order(RestructureOptions& s) {
  s.reconverge = {ReconvergeOptions::OpenTree, Order};
}

constexpr Option kReconverge[] = {
    {"order=df", set_order<BlockOrder::DepthFirst>},
    {"order=dfpd", set_order<BlockOrder::DepthFirstPostDominance>},
    {"order=bf", set_order<BlockOrder::BreadthFirst>},
    {"order=rpot", set_order<BlockOrder::CycleContiguous>},
};

constexpr Option kStructurize[] = {
    {"switch=native", set_form<SwitchForm::Native>},
    {"switch=chain", set_form<SwitchForm::Chain>},
    {"switch=tree", set_form<SwitchForm::Tree>},
    {"whole", [](RestructureOptions& s) { s.structurize.whole = true; }},
    {"head", [](RestructureOptions& s) { s.structurize.head = true; }},
};

// Only the optimisations that are named are on, or all if none is named.
constexpr LinearizeOptions kPlain{.skip = false, .fold = false, .known = false, .late = false};
template <bool LinearizeOptions::*Flag>
void add_optimisation(RestructureOptions& s) {
  LinearizeOptions& o = s.linearize;
  if (!s.chosen) {
    const LinearizeOptions before = o;
    o = kPlain;
    o.whole = before.whole, o.merge = before.merge, o.max_stack = before.max_stack;
    o.interleave = before.interleave;
    s.chosen = true;
  }
  if constexpr (Flag != nullptr) o.*Flag = true;
}

template <uint32_t Depth>
void set_max_stack(RestructureOptions& s) {
  s.linearize.max_stack = Depth;
}

constexpr Option kLinearize[] = {
    {"plain", add_optimisation<nullptr>},
    {"o1", add_optimisation<&LinearizeOptions::skip>},
    {"o1b", add_optimisation<&LinearizeOptions::past>},
    {"o2", add_optimisation<&LinearizeOptions::nest>},
    {"o3", add_optimisation<&LinearizeOptions::fold>},
    {"o4", add_optimisation<&LinearizeOptions::known>},
    {"late", add_optimisation<&LinearizeOptions::late>},
    {"max-stack=1", set_max_stack<1>},
    {"max-stack=2", set_max_stack<2>},
    {"max-stack=3", set_max_stack<3>},
    {"max-stack=4", set_max_stack<4>},
    {"interleave", [](RestructureOptions& s) { s.linearize.interleave = true; }},
    {"whole", [](RestructureOptions& s) { s.linearize.whole = true; }},
    {"merge", [](RestructureOptions& s) { s.linearize.merge = true; }},
};

struct Row {
  std::string_view name, pass;
  std::span<const Option> options{};
  ReconvergeOptions reconverge{};
};
constexpr Row kSchemes[] = {
    {"auto", ""},
    {"reconverge", "reconverge", kReconverge, {ReconvergeOptions::Scans}},
    {"frontier", "reconverge", {}, {ReconvergeOptions::Frontiers}},
    {"structurize", "structurize", kStructurize},
    {"linearize", "linearize", kLinearize},
    {"node-split", "node_split"},
};

template <typename Rows>
std::string names_of(const Rows& rows) {
  std::string s;
  for (const auto& row : rows) s += fmt::format("{}{}", s.empty() ? "" : ", ", row.name);
  return s;
}

}  // namespace

std::expected<RestructureOptions, std::string> parse_restructure(std::string_view text) {
  const size_t colon = std::min(text.find(':'), text.size());
  const std::string_view name = text.substr(0, colon);
  auto row = std::ranges::find(kSchemes, name, &Row::name);
  if (row == std::end(kSchemes))
    return std::unexpected(fmt::format("no restructuring '{}' (there are: {})", name, names_of(kSchemes)));
  RestructureOptions scheme{.pass = row->pass, .reconverge = row->reconverge};
  std::string_view rest = text.substr(std::min(colon + 1, text.size()));
  if (colon < text.size() && rest.empty())
    return std::unexpected(fmt::format("restructuring '{}' has no options after its colon", text));
  while (!rest.empty()) {
    const size_t comma = std::min(rest.find(','), rest.size());
    const std::string_view word = rest.substr(0, comma);
    auto option = std::ranges::find(row->options, word, &Option::name);
    if (option == row->options.end())
      return std::unexpected(fmt::format("restructuring '{}' has no option '{}' (there are: {})", name, word,
                                         row->options.empty() ? "none" : names_of(row->options)));
    option->set(scheme);
    rest.remove_prefix(std::min(comma + 1, rest.size()));
  }
  return scheme;
}

std::vector<std::string_view> scheme_names() {
  std::vector<std::string_view> names;
  for (const Row& row : kSchemes)
    if (!row.pass.empty()) names.push_back(row.name);
  return names;
}

}  // namespace kc
