// SPDX-License-Identifier: Apache-2.0
#include "host/cpu_form.h"

#include <fmt/format.h>

#include <utility>

#include "ir/launch.h"

namespace kc {
namespace {

constexpr const char* kTileKeys[] = {"tile_x", "tile_y", "tile_z"};

}  // namespace

std::string describe(const CpuForm& form) {
  auto tile = form.tile;
  GroupSize size = form.groups;
  std::swap(tile[0], tile[form.rows_along]);
  std::swap(size[0], size[form.rows_along]);
  std::string names = "xyz";
  std::swap(names[0], names[form.rows_along]);
  std::string lanes = fmt::format("{} lanes along {}", form.width, names[form.layout.along]);
  if (form.width == 1) lanes = "one lane";
  if (form.layout.packed) {
    lanes = fmt::format("{} lanes in rows of {}", form.width, form.layout.row);
    if (form.rows_along) lanes += fmt::format(" along {}", names[form.layout.along]);
  }
  if (form.layout.copies)
    lanes = fmt::format("{} lanes along loops", form.width);
  else if (form.tile[0])
    lanes += fmt::format(", tiles of {} x {}{}", tile[0], tile[1],
                         tile[2] > 1 ? fmt::format(" x {}", tile[2]) : "");
  std::string groups;
  if (size[0]) groups = fmt::format(", groups of {} x {} x {}", size[0], size[1], size[2]);
  return fmt::format("{}, {}, buffers {}{}{}{}", form.target->name, lanes,
                     form.small_buffers ? "below 2 GiB" : "of any size",
                     form.disjoint_buffers ? " that do not overlap" : "",
                     form.streams ? ", stores past the caches" : "", groups);
}

TargetNote note_of(const CpuForm& form) {
  TargetNote note{.name = std::string(form.target->name), .after = {}};
  auto add = [&](const char* key, uint64_t value) {
    note.settings.emplace_back(key, static_cast<int64_t>(value));
  };
  const LaneLayout& l = form.layout;
  add("small_buffers", form.small_buffers);
  if (form.disjoint_buffers) add("disjoint_buffers", 1);
  if (form.streams) add("streams", 1);
  add("aligned", l.aligned), add("packed", l.packed);
  add("varies", l.varies[0] | l.varies[1] << 1 | l.varies[2] << 2);
  if (l.copies) add("copies", 1);
  if (form.rows_along) note.settings.emplace_back(kRowsAlong, form.rows_along);
  add("along", l.along), add("row", l.row);
  for (size_t d = 0; form.tile[0] && d < 3; ++d) add(kTileKeys[d], form.tile[d]);
  return note;
}

std::expected<CpuForm, std::string> form_of(const Function& f) {
  const TargetNote& note = *f.target;
  CpuForm form{.target = find_target(note.name), .width = f.width};
  if (!form.target || !form.target->is_cpu())
    return std::unexpected(fmt::format("'{}' is not the name of a CPU", note.name));
  for (const auto& [key, value] : note.settings) {
    const bool flag = value == 0 || value == 1;
    bool right = false;
    if (key == "small_buffers") form.small_buffers = value, right = flag;
    if (key == "disjoint_buffers") form.disjoint_buffers = value, right = flag;
    if (key == "streams") form.streams = value, right = flag;
    if (key == "aligned") form.layout.aligned = value, right = flag;
    if (key == "copies") form.layout.copies = value, right = flag;
    if (key == "packed") form.layout.packed = value, right = flag;
    if (key == "sees_groups" || key == "takes_rows" || key == "groups_meet" || key == "whole_groups")
      right = flag;
    if (key == kRowsAlong) form.rows_along = static_cast<uint8_t>(value), right = value > 0 && value < 3;
    if (key == "along") form.layout.along = static_cast<uint8_t>(value), right = value >= 0 && value < 3;
    if (key == "row")
      form.layout.row = static_cast<uint32_t>(value),
      right = value > 0 && value <= 64 && !(value & (value - 1));
    if (key == "varies") {
      for (size_t d = 0; d < 3; ++d) form.layout.varies[d] = value >> d & 1;
      right = value >= 0 && value < 8;
    }
    for (size_t d = 0; d < 3; ++d)
      if (key == kTileKeys[d]) form.tile[d] = static_cast<uint64_t>(value), right = value > 0 && value <= 64;
    if (!right) return std::unexpected(fmt::format("target {} has no setting {}={}", note.name, key, value));
  }
  return form;
}

}  // namespace kc
