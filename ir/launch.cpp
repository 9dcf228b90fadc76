// SPDX-License-Identifier: Apache-2.0
#include "ir/launch.h"

#include <algorithm>
#include <tuple>
#include <utility>

namespace kc {

namespace {
uint64_t align_to(uint64_t at, uint64_t alignment) { return (at + alignment - 1) & ~(alignment - 1); }
}  // namespace

LaunchSpec transposed(LaunchSpec spec, size_t rows_along) {
  for (auto* sizes : {&spec.global, &spec.local, &spec.offset}) std::swap((*sizes)[0], (*sizes)[rows_along]);
  return spec;
}

void transpose(Function& f, size_t rows_along) {
  const auto by = static_cast<int64_t>(rows_along);
  for (BlockId b : f.layout)
    for (InstId i : f.block(b).insts) {
      Inst& inst = f.inst(i);
      if (info(inst.op).op_class != OpClass::LaunchId) continue;
      int64_t& dim = inst.attrs[0];
      dim = dim == 0 ? by : dim == by ? 0 : dim;
    }
  std::swap(f.reqd_local[0], f.reqd_local[rows_along]);
}

std::array<uint32_t, 3> required_groups(const Function& f) {
  std::array<uint32_t, 3> groups = f.reqd_local;
  const int64_t rows_along = f.target ? f.target->setting(kRowsAlong) : 0;
  if (rows_along == 1 || rows_along == 2) std::swap(groups[0], groups[static_cast<size_t>(rows_along)]);
  return groups;
}

MemoryLayout lay_out_objects(const Function& f, Type space) {
  constexpr uint32_t kWord = 4;
  MemoryLayout layout;
  layout.offsets.assign(f.objects.size(), 0);
  uint64_t at = kFirstOffset;
  for (size_t i = 0; i < f.objects.size(); ++i) {
    const MemoryObject& o = f.objects[i];
    if (o.type != space) continue;
    // Private objects share no words: bytes may be accessed as parts of them.
    at = align_to(at, space == kPtrPrivate ? std::max(o.align, kWord) : o.align);
    layout.offsets[i] = static_cast<uint32_t>(at);
    at += o.size;
    layout.size = align_to(at, 16);
  }
  return layout;
}

std::vector<uint8_t> constant_bytes(const Function& f) {
  MemoryLayout layout = lay_out_objects(f, kPtrConstant);
  std::vector<uint8_t> bytes(layout.size);
  for (size_t i = 0; i < f.objects.size(); ++i)
    std::copy(f.objects[i].init.begin(), f.objects[i].init.end(), bytes.begin() + layout.offsets[i]);
  return bytes;
}

uint32_t place_local_argument(uint64_t bytes, LaunchSpec& launch) {
  // Aligned for the widest vector of the language.
  uint64_t at = align_to(std::max(launch.local_bytes, kFirstOffset), 128);
  launch.local_bytes = at + bytes;
  return static_cast<uint32_t>(at);
}

void add_trap(std::optional<TrapReport>& all, const TrapReport& more) {
  auto order = [](const TrapReport& t) { return std::tuple(t.global_id[2], t.global_id[1], t.global_id[0]); };
  uint64_t count = more.count + (all ? all->count : 0);
  if (!all || order(more) < order(*all)) all = more;
  all->count = count;
}

std::optional<TrapReport> find_trap(std::span<const TrapSlot> slots, const LaunchSpec& spec,
                                    std::span<const TrapSite> sites) {
  std::optional<TrapReport> report;
  for (size_t i = 0; i < slots.size(); ++i) {
    if (!slots[i].site_plus_one) continue;
    if (!report) {
      report.emplace();
      if (slots[i].site_plus_one <= sites.size()) report->site = sites[slots[i].site_plus_one - 1];
      report->value = slots[i].value;
      report->global_id = {i % spec.global[0] + spec.offset[0],
                           i / spec.global[0] % spec.global[1] + spec.offset[1],
                           i / (spec.global[0] * spec.global[1]) + spec.offset[2]};
    }
    ++report->count;
  }
  return report;
}

}  // namespace kc
