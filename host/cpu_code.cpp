// SPDX-License-Identifier: Apache-2.0
#include "host/cpu_code.h"

#include "host/pipelines.h"
#include "passes/analysis/wave_width.h"
#include "passes/ir_util.h"
#include "passes/lower/lower_sub_groups.h"

namespace kc {
namespace {

constexpr uint64_t kIds = uint64_t{1} << 31;  // packed waves have smaller ones
// The lanes of a row that are loaded at once, and how many more lanes must have work for packing to pay.
constexpr uint32_t kPiece = 4;
constexpr double kGain = 1.4, kMuchGain = 2.5;
// The sides of tiles; waves of few lanes would be flat in wide ones.
constexpr uint64_t kTileHeight = 8, kTileWidth = 8, kNarrowTile = 4;
constexpr uint32_t kFewLanes = 16;

// The part of lanes that are work-items, when `items` in a row are cut into waves.
double used(uint64_t items, uint32_t width) {
  return static_cast<double>(items) / static_cast<double>((items + width - 1) / width * width);
}

}  // namespace

CpuFormChooser::CpuFormChooser(const Function& thread, bool avx512, uint32_t width)
    : avx512_(avx512),
      fixed_width_(width || thread.reqd_sub_group),
      sees_groups_(sees_groups(thread)),
      sub_groups_(uses_sub_groups(thread)),
      has_barriers_(has_any(thread, {Op::barrier})),
      tiles_(!sees_groups_ && prefers_tiles(thread)),
      width_(width ? width : cpu_width(thread, avx512)) {}

// No more lanes than so many work-items in a row need.
uint32_t CpuFormChooser::limited(uint64_t items) const {
  uint32_t width = width_;
  const uint32_t least = avx512_ ? 16 : 8;
  while (!fixed_width_ && width > least && width / 2 >= items) width /= 2;
  return width;
}

// The group whose waves are tiles, where they are wanted and fill the grid; else none.
std::array<uint64_t, 3> CpuFormChooser::tile(const LaunchSpec& spec) const {
  const std::array<uint64_t, 3> size{width_ > kFewLanes ? kTileWidth : kNarrowTile, kTileHeight, 1};
  const bool fits = spec.global[0] % size[0] == 0 && spec.global[1] % size[1] == 0;
  return tiles_ && fits ? size : std::array<uint64_t, 3>{};
}

CpuForm CpuFormChooser::form(const LaunchSpec& spec) const {
  CpuForm form{.avx512 = avx512_, .width = width_, .small_buffers = spec.small_buffers};
  const uint64_t items = spec.local[0] * spec.local[1] * spec.local[2];
  // Where groups cannot be seen, rows are those of the grid,
  // but for groups that are a line along another dimension: there they expect neighbours in memory.
  const bool line = items > 1 && items == std::max(spec.local[1], spec.local[2]);
  const uint64_t row = sees_groups_ || line ? spec.local[0] : spec.global[0];
  if (sees_groups_) form.width = limited(row);
  for (size_t d = 0; d < 3; ++d)
    if (spec.offset[d] + spec.global[d] > kIds) return form;
  form.layout.aligned = true;
  form.tile = tile(spec);
  if (form.tile[0]) form.layout = packed_layout(form.tile);
  if (form.tile[0] || items == spec.local[0]) return form;
  const LaneLayout packed = packed_layout(spec.local);
  const uint32_t width = limited(items);
  const double gain = used(items, width) / used(row, form.width);
  // Sub-groups follow the linear local ids. Groups with barriers should have few waves. Otherwise the lanes
  // of packed waves must make up for what they lose with addresses, which is much where no row fills a piece
  // of a vector.
  const bool pack = sub_groups_                           ? row % form.width != 0
                    : packed.row < kPiece                 ? gain >= kMuchGain
                    : has_barriers_ && width > form.width ? true
                                                          : gain >= kGain;
  if (pack) form.width = width, form.layout = packed;
  return form;
}

std::expected<CpuCode, CpuCodeError> compile_for_cpu(const Function& thread, const CpuForm& form) {
  CpuCode code;
  UniformityOptions uniformity;
  if (form.layout.packed) uniformity = {.lane_y = form.layout.varies[1], .lane_z = form.layout.varies[2]};
  code.wave =
      make_wave(thread, {.width = form.width, .uniformity = uniformity, .small_buffers = form.small_buffers});
  X64Options options{.avx512 = form.avx512, .small_buffers = form.small_buffers, .layout = form.layout};
  if (auto reasons = check_x64(*code.wave, options); !reasons.empty())
    return std::unexpected(CpuCodeError{true, reasons.front()});
  auto machine = compile_x64(*code.wave, options);
  if (!machine) return std::unexpected(CpuCodeError{false, machine.error()});
  code.machine = std::move(*machine);
  code.tile = form.tile;
  code.private_bytes = lay_out_objects(*code.wave, kPtrPrivate).size;
  return code;
}

std::expected<std::optional<TrapReport>, std::string> launch_on_cpu(const CpuCode& code,
                                                                    const CpuKernel& kernel,
                                                                    const BoundArguments& bound,
                                                                    const LaunchSpec& spec,
                                                                    unsigned threads) {
  CpuLaunch launch{.dims = spec.dims,
                   .global = spec.global,
                   .local = code.tile[0] ? code.tile : spec.local,
                   .offset = spec.offset,
                   .local_bytes = static_cast<uint32_t>(spec.local_bytes),
                   .private_bytes = static_cast<uint32_t>(code.private_bytes),
                   .threads = threads};
  auto ran = kernel.run(launch, bound.bits);
  if (!ran) return std::unexpected(ran.error());
  std::optional<TrapReport> trap = bound.trap();
  if (const auto& late = ran->divergent_barrier)
    add_trap(trap, {.site = code.wave->traps[late->site],
                    .value = 0,
                    .global_id = late->global_id,
                    .count = late->count});
  return trap;
}

}  // namespace kc
