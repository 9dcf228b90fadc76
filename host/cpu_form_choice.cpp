// SPDX-License-Identifier: Apache-2.0
#include "host/cpu_form_choice.h"

#include <algorithm>
#include <bit>

#include "runtime/cpu/features.h"

namespace kc {
namespace {

// The lanes of a row that are loaded at once, and how many more lanes must have work for packing to pay.
constexpr uint32_t kPiece = 4;
constexpr double kGain = 1.4, kMuchGain = 2.5;
constexpr uint64_t kMostItems = 4096;  // of groups whose size is a constant
// Lanes of forms. Half a vector of AVX-512 is best where a gather costs by the lane, and for the shortest
// rows of groups with barriers.
constexpr uint32_t kLeastLanes = 8, kMostLanes = 64;
// The sides of tiles; waves of few lanes would be flat in wide ones.
constexpr uint64_t kTileHeight = 8, kTileWidth = 8, kNarrowTile = 4;
constexpr uint32_t kFewLanes = 16;
// Of these, lanes would be mostly idle.
constexpr uint64_t kFewItems = 4;

uint64_t cut(uint64_t items, uint32_t width) { return (items + width - 1) / width; }

// The effort of a wave with so many lanes in use, in the time of one vector: what is the same for all lanes,
// which weighs more beside vectors of 8 lanes than of 16, and its vectors, of which `each` takes so much.
// Half a vector takes less than one. `same`: an estimate of the first, where that is more. The numbers here
// and below fit ten kernels with barriers in groups of 35 shapes, on AVX2 and AVX-512.
double effort(uint64_t lanes, uint32_t vector, double each = 1, double same = 0) {
  constexpr double kSame = 8, kHalf = 0.75;
  const double vectors = 2 * lanes <= vector ? kHalf : static_cast<double>((lanes + vector - 1) / vector);
  return std::max(kSame / vector, same) + vectors * each;
}

// The same of a row of a group in waves along it. A wave that is not full has masks: constants in loops over
// the waves of a group, where it is the only one of its row and has no empty vectors; the last of several
// takes as long as a full one.
double effort_of_row(uint64_t row, uint32_t width, uint32_t vector, bool loops, double same = 0) {
  constexpr double kConstantMask = 1.1, kMask = 1.2;
  const double full = effort(width, vector, 1, same);
  if (row < width && loops) return kConstantMask * effort(width <= vector ? width : row, vector, 1, same);
  const double last = row % width == 0 ? 0 : loops ? full : kMask * full;
  return static_cast<double>(row / width) * full + last;
}

// The same of a group in packed waves. A wave whose lanes are in several rows has addresses of several
// pieces, `piece` lanes in a row each, and the lanes' ids take divisions where the row is no power of two.
double effort_of_packed(uint64_t items, uint64_t row, uint32_t piece, uint32_t width, uint32_t vector) {
  const bool divides = !std::has_single_bit(row);
  const double each = row % width == 0      ? 1
                      : piece >= vector     ? (divides ? 2.2 : 1.45)
                      : piece * 2 >= vector ? (divides ? 2.9 : 1.9)
                      : piece * 4 >= vector ? (divides ? 4 : 2.2)
                                            : (divides ? 4 : 2.8);
  return static_cast<double>(cut(items, width)) * effort(width, vector, each);
}

// The part of lanes that are work-items, when `items` in a row are cut into waves.
double used(uint64_t items, uint32_t width) {
  return static_cast<double>(items) / static_cast<double>(cut(items, width) * width);
}

}  // namespace

// No more lanes than so many work-items in a row need.
uint32_t CpuFormChoice::limited(uint64_t items) const {
  uint32_t width = traits_.width;
  while (!traits_.fixed_width && width > target_->vector_lanes && width / 2 >= items) width /= 2;
  return width;
}

// Whether groups are a line along y or z, and lanes may be, too; or `across`: should not be.
bool CpuFormChoice::is_line(const LaunchSpec& spec, bool across) const {
  const uint64_t items = spec.local[0] * spec.local[1] * spec.local[2];
  return items > 1 && items == std::max(spec.local[1], spec.local[2]) &&
         traits_.across_lines[spec.local[1] > 1 ? 1 : 2] == across;
}

// The group whose waves are tiles, where they are wanted and fill the grid; else none.
std::array<uint64_t, 3> CpuFormChoice::tile(const LaunchSpec& spec) const {
  const std::array<uint64_t, 3> size{traits_.width > kFewLanes ? kTileWidth : kNarrowTile, kTileHeight, 1};
  const bool fits = spec.global[0] % size[0] == 0 && spec.global[1] % size[1] == 0;
  return traits_.tiles && fits ? size : std::array<uint64_t, 3>{};
}

// Where the rows of a grid are too short for a wave: a part of a column, or a few rows if these fill pieces
// of vectors. A column is better for what all work-items along y have in common, and its addresses are
// simpler.
std::array<uint64_t, 3> CpuFormChoice::narrow_tile(const LaunchSpec& spec, const CpuForm& rows) const {
  if (traits_.sees_groups || traits_.has_barriers || traits_.sub_groups || traits_.fixed_width) return {};
  if (spec.items() == 0) return {};
  const uint64_t row = spec.global[0] % kPiece == 0 ? spec.global[0] : 1;
  uint64_t count = traits_.width / row;
  while (count > 1 && spec.global[1] % count != 0) --count;
  if (count <= 1) return {};
  const double gain = used(row * count, limited(row * count)) / used(spec.global[0], rows.width);
  return gain >= kGain ? std::array<uint64_t, 3>{row, count, 1} : std::array<uint64_t, 3>{};
}

// Lanes of waves along a row.
uint32_t CpuFormChoice::of_row(uint64_t row) const {
  uint32_t width = limited(row);
  if (traits_.fixed_width || traits_.sub_groups) return width;
  auto taken = [&](uint32_t w) {
    return effort_of_row(row, w, target_->vector_lanes, traits_.has_barriers, traits_.same_for_lanes);
  };
  const uint32_t least = traits_.has_barriers ? kLeastLanes : target_->vector_lanes;
  for (uint32_t w = width / 2; w >= least; w /= 2)
    if (taken(w) < taken(width)) width = w;
  return width;
}

// The form, made for this one size of groups if all lanes of all waves are work-items, or waves that meet at
// barriers are rows, and become loops.
CpuForm CpuFormChoice::with_size(CpuForm form, const LaunchSpec& spec) const {
  const bool seen = traits_.sees_groups || traits_.has_barriers, known = traits_.groups_known;
  if (!seen || known || form.width == 1 || form.tile[0] || !form.layout.aligned) return form;
  const auto& groups = spec.local;
  const uint64_t items = groups[0] * groups[1] * groups[2], row = form.layout.packed ? items : groups[0];
  const bool full = row % form.width == 0, loops = traits_.has_barriers && !form.layout.packed;
  if ((full || loops) && items <= kMostItems) form.groups = groups;
  return form;
}

// Whether lanes are iterations: where they would be far apart in memory otherwise, or where there are only a
// few work-items for them.
bool CpuFormChoice::vectorises_loops(const LaunchSpec& spec) const {
  const uint64_t items = spec.global[0] * spec.global[1];
  return traits_.loop_lanes && spec.disjoint_buffers && spec.small_buffers && spec.global[2] == 1 &&
         spec.offset[2] == 0 && spec.offset[0] + spec.global[0] <= LaneLayout::kIds &&
         spec.offset[1] + spec.global[1] <= LaneLayout::kIds && (traits_.loops_first || items <= kFewItems);
}

// Whether rows of the transposed launch are long enough.
bool CpuFormChoice::transposes(const LaunchSpec& spec) const {
  if (traits_.transposed.empty()) return false;
  const bool by_group = traits_.sees_groups || traits_.has_barriers;
  return (by_group ? spec.local : spec.global)[traits_.rows_along] >= traits_.least_row;
}

CpuForm CpuFormChoice::form(const LaunchSpec& spec) const {
  if (transposes(spec)) {
    const CpuForm form = of_transposed().form(transposed(spec, traits_.rows_along));
    return form.with_rows_along(traits_.rows_along);
  }
  return untransposed_form(spec);
}

CpuForm CpuFormChoice::untransposed_form(const LaunchSpec& spec) const {
  if (vectorises_loops(spec))
    return {.target = target_,
            .width = traits_.loop_lanes,
            .small_buffers = spec.small_buffers,
            .disjoint_buffers = true,
            .layout = layout_of_copies(traits_.loop_lanes)};
  return with_size(form_of_any_size(spec, goes_alone(spec)), spec);
}

// The form of many lanes with this width, for launches whose tasks are those of `form`.
CpuForm CpuFormChoice::rival(const CpuForm& form, const LaunchSpec& spec, uint32_t width) const {
  CpuFormChoice narrow = *this;
  narrow.traits_.width = width;
  CpuForm other = narrow.form_of_any_size(spec, false, true);
  const bool by_group = (form.layout.packed && !form.layout.copies) || traits_.sees_groups ||
                        traits_.has_barriers || spec.local_bytes != 0;
  if (form.tile[0])
    other.tile = form.tile, other.layout = packed_layout(form.tile), other.width = width;
  else if (!by_group && other.layout.packed)
    other.tile = {}, other.layout = {.aligned = true}, other.width = width;
  return narrow.with_size(other, spec);
}

std::vector<CpuRival> CpuFormChoice::rivals(const CpuForm& form, const LaunchSpec& spec) const {
  if (form.rows_along) {
    auto rivals = of_transposed().rivals(form.with_rows_along(0), transposed(spec, form.rows_along));
    for (CpuRival& r : rivals) r.form.rows_along = form.rows_along;
    return rivals;
  }
  const bool alone = form.width == 1;
  if (form.layout.copies) {
    CpuForm other = rival(form, spec, traits_.width);
    if (goes_alone(spec)) other.width = 1, other.groups = {}, other.layout = {.aligned = true};
    return {{other}};
  }
  if (traits_.shows_lanes || traits_.sub_groups || traits_.fixed_width || !form.layout.aligned ||
      (alone && traits_.width == 1))
    return {};
  std::vector<CpuRival> r;
  auto add = [&](const CpuForm& other, bool apart = false) {
    const CpuRival next{other, apart};
    if (next != CpuRival{form} && std::ranges::find(r, next) == r.end()) r.push_back(next);
  };
  if (alone && traits_.near) add(rival(form, spec, traits_.width));
  if (alone && !traits_.near) return {};
  if (!alone && traits_.near) {
    CpuForm one = form;
    one.width = 1, one.groups = {}, one.layout = {.aligned = true};
    add(one);
  }
  const CpuForm wide = alone ? r.front().form : form;
  if (!alone && traits_.has_barriers && !form.tile[0])  // rows of groups, or packed waves
    add(with_size(form_of_any_size(spec, false, false, !form.layout.packed), spec));
  auto width = [&](uint32_t w) {
    if (w >= kLeastLanes && w <= kMostLanes && w != wide.width) add(rival(form, spec, w));
  };
  width(wide.width / 2);
  width(wide.width * 2);
  if (traits_.melds) add(wide, true);
  for (uint32_t w = kLeastLanes; w <= kMostLanes; w *= 2) width(w);
  return r;
}

bool CpuFormChoice::goes_alone(const LaunchSpec& spec) const {
  return traits_.width == 1 || traits_.alone[is_line(spec) ? (spec.local[1] > 1 ? 1 : 2) : 0];
}

CpuForm CpuFormChoice::form_of_any_size(const LaunchSpec& spec, bool alone, bool as_wide,
                                        std::optional<bool> packs) const {
  CpuForm form = any_form();
  form.small_buffers = spec.small_buffers;
  form.disjoint_buffers = spec.disjoint_buffers && traits_.tells_overlap;
  constexpr uint64_t kPart = 4;
  form.streams = !alone && spec.beyond_caches && spec.items() * traits_.streamed > last_level_cache() / kPart;
  const uint64_t items = spec.local[0] * spec.local[1] * spec.local[2];
  // Where groups cannot be seen, rows are those of the grid, but for groups that are a line along another
  // dimension: there they expect neighbours in memory.
  const uint64_t row = traits_.sees_groups || is_line(spec) ? spec.local[0] : spec.global[0];
  form.width = alone ? 1 : as_wide ? limited(row) : of_row(row);
  form.layout.aligned = std::ranges::all_of(
      std::array{0, 1, 2}, [&](size_t d) { return spec.offset[d] + spec.global[d] <= LaneLayout::kIds; });
  if (alone || !form.layout.aligned) return form;
  form.tile = tile(spec);
  if (form.tile[0]) {
    form.layout = packed_layout(form.tile);
    return form;
  }
  if (items == spec.local[0]) {
    form.tile = narrow_tile(spec, form);
    if (!form.tile[0]) return form;
    form.layout = packed_layout(form.tile);
    form.width = limited(form.tile[0] * form.tile[1]);
    return form;
  }
  const LaneLayout packed = packed_layout(spec.local);
  const uint32_t width = limited(items);
  const double gain = used(items, width) / used(row, form.width);
  // Sub-groups follow the linear local ids. Groups with barriers are packed where that takes less. Without
  // barriers the lanes of packed waves must make up for what they lose with addresses, which is much where no
  // row fills a piece of a vector.
  auto packing_takes_less = [&] {
    const uint32_t vector = target_->vector_lanes;
    const double rows = static_cast<double>(items) / static_cast<double>(row);
    return effort_of_packed(items, row, packed.row, width, vector) <
           rows * effort_of_row(row, form.width, vector, true);
  };
  const bool pack = packs                  ? *packs
                    : traits_.sub_groups   ? row % form.width != 0
                    : traits_.has_barriers ? packing_takes_less()
                    : is_line(spec, true)  ? false
                                           : gain >= (packed.row < kPiece ? kMuchGain : kGain);
  if (pack) form.width = width, form.layout = packed;
  return form;
}

}  // namespace kc
