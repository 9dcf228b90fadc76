// SPDX-License-Identifier: Apache-2.0
#include "sim/interpreter/thread_machine.h"

#include <fmt/format.h>

#include <algorithm>

#include "sim/interpreter/race_detector.h"

namespace kc::threads {
namespace {

constexpr uint64_t kMaxGroupState = uint64_t{4} << 30;  // bytes, sum over the work-items of one group

std::vector<MemoryRange> all_ranges(const Program& p, std::span<const MemoryRange> buffers) {
  std::vector<MemoryRange> ranges(buffers.begin(), buffers.end());
  ranges.insert(ranges.end(), p.constant_ranges.begin(), p.constant_ranges.end());
  return ranges;
}

}  // namespace

bool OwnMemory::is_written(uint64_t offset, unsigned bytes) const {
  return std::all_of(written + offset, written + offset + bytes, [](uint8_t w) { return w != 0; });
}

Machine::Machine(const Program& program, const LaunchSpec& launch, const ThreadRunOptions& run_options)
    : p(program),
      f(*program.f),
      spec(launch),
      options(run_options),
      ranges(all_ranges(program, run_options.memory)),
      memory(ranges) {
  for (size_t d = 0; d < 3; ++d) {
    ids[GlobalSize * 3 + d] = spec.global[d], ids[LocalSize * 3 + d] = spec.local[d];
    ids[NumGroups * 3 + d] = spec.groups(d), ids[GlobalOffset * 3 + d] = spec.offset[d];
  }
  ids[WorkDim * 3] = spec.dims;
}

void Machine::set_arguments(std::span<const uint64_t> arguments) {
  initial = p.registers;
  for (size_t i = 0; i < arguments.size(); ++i) {
    unsigned width = f.type(ValueId(p.params[i])).bits();
    initial[p.params[i]] = width >= 64 ? arguments[i] : arguments[i] & ((uint64_t{1} << width) - 1);
  }
}

void Machine::set_item_ids(const std::array<uint64_t, 3>& group, const std::array<uint64_t, 3>& local_id) {
  std::array<uint64_t, 3> at{};
  for (size_t d = 0; d < 3; ++d) {
    at[d] = group[d] * spec.local[d] + local_id[d];
    ids[GlobalId * 3 + d] = at[d] + spec.offset[d];
    ids[LocalId * 3 + d] = local_id[d];
    ids[GroupId * 3 + d] = group[d];
  }
  linear = (at[2] * spec.global[1] + at[1]) * spec.global[0] + at[0];
}

std::array<uint64_t, 3> Machine::local_position(uint64_t linear_id) const {
  return {linear_id % spec.local[0], linear_id / spec.local[0] % spec.local[1],
          linear_id / (spec.local[0] * spec.local[1])};
}

bool Machine::allocate(ItemStore& store, uint64_t count) {
  uint64_t local_size = std::max(p.local_memory.size, spec.local_bytes);
  uint64_t own_size = OwnMemory::room(p.private_memory.size);
  uint64_t each = std::max<uint64_t>(1, initial.size() * 8 + uint64_t{p.loops} * 4 + own_size);
  if (count > kMaxGroupState / each || local_size > kMaxGroupState) {
    stop(RunStatus::Error, fmt::format("@{}: a group of {} work-items needs more than {} GiB here", f.name,
                                       count, kMaxGroupState >> 30));
    return false;
  }
  local_bytes.resize(OwnMemory::room(local_size));
  local = OwnMemory(local_bytes.data(), local_size);
  store.registers.reserve(count * initial.size());
  for (uint64_t i = 0; i < count; ++i)
    store.registers.insert(store.registers.end(), initial.begin(), initial.end());
  store.iterations.resize(count * p.loops);
  store.own.resize(count * own_size);
  store.items.resize(count);
  for (uint64_t i = 0; i < count; ++i) {
    Item& item = store.items[i];
    item.registers = store.registers.data() + i * initial.size();
    item.iterations = store.iterations.data() + i * p.loops;
    item.own = OwnMemory(store.own.data() + i * own_size, p.private_memory.size);
    item.local = i;
  }
  return true;
}

void Machine::begin(Item& item) {
  item.at = p.code.data();
  item.ended = false;
  item.own.clear();
  std::fill_n(item.registers + p.first_var, f.vars.size(), 0);
  std::fill_n(item.iterations, p.loops, 0);
  if (options.on_block) options.on_block(linear, f.entry());
}

bool Machine::same_instance(const Item& a, const Item& b) const {
  if (a.at != b.at) return false;
  for (uint32_t loop : p.barriers[a.at->a].loops)
    if (a.iterations[loop] != b.iterations[loop]) return false;
  return true;
}

Stop Machine::stop(RunStatus status, std::string message) {
  result.status = status;
  result.message = std::move(message);
  return Stop::Launch;
}

std::string Machine::where() const {
  return fmt::format("work-item ({}, {}, {})", ids[GlobalId * 3], ids[GlobalId * 3 + 1],
                     ids[GlobalId * 3 + 2]);
}

Stop Machine::too_many_steps(const Code& c) {
  result.stopped_at = f.inst(c.inst).loc;
  return stop(RunStatus::StepLimit,
              fmt::format("{}: more than {} steps, at {}", where(), options.max_steps, describe(f, c.inst)));
}

void Machine::trapped(const TrapSite& site, uint64_t value) {
  const uint64_t* id = &ids[GlobalId * 3];
  add_trap(result.trap, {.site = site, .value = value, .global_id = {id[0], id[1], id[2]}, .count = 1});
}

Stop Machine::out_of_bounds(const Code& c, uint64_t pointer) {
  const char* what = c.kind == Kind::Load ? "load" : c.kind == Kind::Store ? "store" : "atomic operation";
  std::string access = fmt::format("{} of {} bytes", what, c.bytes);
  std::string place = "outside every buffer";
  if (c.space == Space::Global)
    result.address = pointer;
  else
    place = fmt::format("at offset {} is outside the {} memory of {} bytes",
                        static_cast<int64_t>(pointer) - static_cast<int64_t>(kFirstOffset),
                        c.space == Space::Local ? "group's local" : "work-item's private",
                        (c.space == Space::Local ? local.size : p.private_memory.size) - kFirstOffset);
  return stop(RunStatus::OutOfBounds,
              fmt::format("{}: {} {}: {}", where(), access, place, describe(f, c.inst)));
}

void Machine::unwritten(const Code& c, uint64_t offset) {
  if (result.unwritten) return;
  const MemoryLayout& layout = c.space == Space::Local ? p.local_memory : p.private_memory;
  UnwrittenRead r{.object = c.space == Space::Local ? "local memory" : "private memory",
                  .loc = f.inst(c.inst).loc};
  for (size_t i = 0; i < f.objects.size(); ++i)
    if (layout.offsets[i] && offset - layout.offsets[i] < f.objects[i].size) r.object = f.objects[i].name;
  for (size_t d = 0; d < 3; ++d) r.global_id[d] = ids[GlobalId * 3 + d];
  result.unwritten = std::move(r);
}

void Machine::note(const Code& c, uint64_t pointer) {
  if (!options.races || c.space == Space::Private) return;
  const Inst& inst = f.inst(c.inst);
  bool atomic = c.kind == Kind::Atomic;
  options.races->note({.address = pointer,
                       .bytes = c.bytes,
                       .writes = c.kind != Kind::Load,
                       .atomic = atomic,
                       .local = c.space == Space::Local,
                       .order_shows = atomic && (c.result_used || inst.op == Op::atomic_xchg ||
                                                 inst.op == Op::atomic_cmpxchg),
                       .op = inst.op,
                       .item = linear,
                       .group = group_linear,
                       .epoch = epoch,
                       .loc = inst.loc});
}

// An access to local or private memory, an observed access, or an atomic operation on global memory.
Stop Machine::access(const Code& c, Item& item) {
  uint64_t* r = item.registers;
  uint64_t pointer = r[c.a], address = pointer;
  if (c.space == Space::Global) {
    if (!memory.contains(pointer, c.bytes)) return out_of_bounds(c, pointer);
  } else {
    OwnMemory& own = c.space == Space::Local ? local : item.own;
    if (!own.contains(pointer, c.bytes)) return out_of_bounds(c, pointer);
    address = reinterpret_cast<uint64_t>(own.data + pointer);
    if (c.kind != Kind::Store && !c.copies && !own.is_written(pointer, c.bytes)) unwritten(c, pointer);
    if (c.kind != Kind::Load) std::memset(own.written + pointer, 1, c.bytes);
  }
  note(c, pointer);
  if (c.kind == Kind::Store) {
    store_bits(address, c.bytes, r[c.b]);
  } else {
    uint64_t old = load_bits(address, c.bytes);
    if (c.kind == Kind::Atomic) {
      const uint64_t operands[3] = {old, r[c.b], r[c.c]};
      store_bits(address, c.bytes, c.eval(operands));
    }
    r[c.dst] = old;
  }
  return Stop::GoesOn;
}

}  // namespace kc::threads
