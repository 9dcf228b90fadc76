// SPDX-License-Identifier: Apache-2.0
#include "driver/explore/regions.h"

#include <vector>

#include "backends/structured/region_tree.h"
#include "driver/explore/json_text.h"

namespace kc {
namespace {

using structured::Region;
using structured::RegionKind;
using structured::RegionList;

constexpr size_t kMostRegions = 200;

class RegionWriter {
 public:
  explicit RegionWriter(const Function& f) : number_(f.block_count()) {
    for (size_t n = 0; n < f.layout.size(); ++n) number_[f.layout[n].index] = n;
  }

  std::string run(const RegionList& body) {
    list(body);
    std::string out = "[";
    for (const Found& r : found_) {
      if (r.blocks.empty()) continue;
      add_comma(out), out += '{';
      add_json_key(out, "kind"), add_json_string(out, r.kind);
      add_json_key(out, "blocks"), add_json_numbers(out, r.blocks);
      out += '}';
    }
    return out + "]";
  }

 private:
  struct Found {
    std::string_view kind;
    std::vector<size_t> blocks{};
  };

  static std::string_view name_of(RegionKind kind) {
    switch (kind) {
      case RegionKind::Loop:
        return "loop";
      case RegionKind::Select:
        return "selection";
      case RegionKind::Test:
        return "test of a selector";
      default:
        return "";
    }
  }

  void list(const RegionList& regions) {
    for (const Region& r : regions) {
      // A selection's own block is before its arms.
      if (r.kind == RegionKind::Block)
        for (size_t open : open_) found_[open].blocks.push_back(number_[r.block.index]);
      const std::string_view name = name_of(r.kind);
      const bool kept = !name.empty() && found_.size() < kMostRegions;
      if (kept) open_.push_back(found_.size()), found_.push_back({name});
      for (const RegionList& arm : r.arms) list(arm);
      if (kept) open_.pop_back();
    }
  }

  std::vector<size_t> number_;  // of a block in the layout, by id
  std::vector<size_t> open_;    // the regions around what is visited
  std::vector<Found> found_;
};

}  // namespace

std::string regions_of(const Function& f) {
  if (!structured::irreducible_edges(f).empty()) return "";
  const structured::RegionTree tree = structured::build_regions(f);
  if (tree.nesting > structured::kMaxNesting) return "";
  return RegionWriter(f).run(tree.body);
}

}  // namespace kc
