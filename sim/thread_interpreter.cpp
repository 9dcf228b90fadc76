// SPDX-License-Identifier: Apache-2.0
#include "sim/thread_interpreter.h"

#include <fmt/format.h>

#include <algorithm>
#include <vector>

#include "sim/race_detector.h"
#include "sim/thread_program.h"

namespace kc {
namespace {

using namespace kc::threads;

constexpr uint64_t kMaxGroupState = uint64_t{4} << 30;  // bytes of all work-items of one group together

/// Memory that starts anew for each group or work-item, with a mark for each byte that was written.
struct OwnMemory {
  uint8_t* data = nullptr;
  uint8_t* written = nullptr;
  uint64_t size = 0;

  bool contains(uint64_t offset, uint64_t bytes) const {
    return offset >= kFirstOffset && bytes <= size && offset <= size - bytes;
  }
  bool is_written(uint64_t offset, unsigned bytes) const {
    return std::all_of(written + offset, written + offset + bytes, [](uint8_t w) { return w != 0; });
  }
  void clear() {
    if (size) std::memset(data, 0, 2 * size);
  }
  static uint64_t room(uint64_t size) { return 2 * size; }
  OwnMemory(uint8_t* at, uint64_t bytes) : data(at), written(at + bytes), size(bytes) {}
  OwnMemory() = default;
};

// Whether a work-item goes on, and why not.
enum class Stop : uint8_t { GoesOn, AtBarrier, Ended, Launch };

struct Item {
  uint64_t* registers = nullptr;
  uint32_t* iterations = nullptr;  // of each loop with a barrier, since it was entered
  OwnMemory own;
  const Code* at = nullptr;
  uint64_t local = 0;  // linear id in its group
  bool ended = false;
};

// One launch.
class Launch {
 public:
  Launch(const Program& program, const LaunchSpec& spec, const ThreadRunOptions& options)
      : p(program),
        f(*program.f),
        spec_(spec),
        options_(options),
        ranges_(options.memory.begin(), options.memory.end()),
        memory_((add_constants(), ranges_)) {}

  ThreadRunResult run(std::span<const uint64_t> arguments);

 private:
  void add_constants() { ranges_.insert(ranges_.end(), p.constant_ranges.begin(), p.constant_ranges.end()); }
  void set_launch_ids();
  void set_item_ids(const std::array<uint64_t, 3>& group, const std::array<uint64_t, 3>& local);
  std::array<uint64_t, 3> local_position(uint64_t linear) const;
  void run_in_order();
  void run_by_groups();
  void run_group(const std::array<uint64_t, 3>& group);
  bool meet(const std::array<uint64_t, 3>& group);
  bool same_instance(const Item& a, const Item& b) const;
  void begin(Item& item);
  template <bool Barriers>
  Stop run_item(Item& item);
  Stop access(const Code& c, Item& item);
  void note(const Code& c, uint64_t pointer);
  void unwritten(const Code& c, uint64_t offset);
  Stop out_of_bounds(const Code& c, uint64_t pointer);
  void trapped(const TrapSite& site, uint64_t value);
  Stop stop(RunStatus status, std::string message) {
    result_.status = status;
    result_.message = std::move(message);
    return Stop::Launch;
  }
  std::string where() const {
    return fmt::format("work-item ({}, {}, {})", ids_[GlobalId * 3], ids_[GlobalId * 3 + 1],
                       ids_[GlobalId * 3 + 2]);
  }

  const Program& p;
  const Function& f;
  const LaunchSpec& spec_;
  const ThreadRunOptions& options_;
  std::vector<MemoryRange> ranges_;
  MemoryMap memory_;
  ThreadRunResult result_;
  std::array<uint64_t, LaunchRows * 3> ids_{};
  uint64_t linear_ = 0;        // global id of the item that runs
  uint64_t group_linear_ = 0;  // and its group
  uint32_t epoch_ = 0;         // barriers that the group has passed
  std::vector<uint64_t> initial_;
  std::vector<uint8_t> local_bytes_;
  OwnMemory local_;
  std::vector<Item> items_;
};

void Launch::set_launch_ids() {
  for (size_t d = 0; d < 3; ++d) {
    ids_[GlobalSize * 3 + d] = spec_.global[d], ids_[LocalSize * 3 + d] = spec_.local[d];
    ids_[NumGroups * 3 + d] = spec_.groups(d), ids_[GlobalOffset * 3 + d] = spec_.offset[d];
  }
  ids_[WorkDim * 3] = spec_.dims;
}

void Launch::set_item_ids(const std::array<uint64_t, 3>& group, const std::array<uint64_t, 3>& local) {
  std::array<uint64_t, 3> at{};
  for (size_t d = 0; d < 3; ++d) {
    at[d] = group[d] * spec_.local[d] + local[d];
    ids_[GlobalId * 3 + d] = at[d] + spec_.offset[d];
    ids_[LocalId * 3 + d] = local[d];
    ids_[GroupId * 3 + d] = group[d];
  }
  linear_ = (at[2] * spec_.global[1] + at[1]) * spec_.global[0] + at[0];
}

std::array<uint64_t, 3> Launch::local_position(uint64_t linear) const {
  return {linear % spec_.local[0], linear / spec_.local[0] % spec_.local[1],
          linear / (spec_.local[0] * spec_.local[1])};
}

void Launch::trapped(const TrapSite& site, uint64_t value) {
  const uint64_t* id = &ids_[GlobalId * 3];
  add_trap(result_.trap, {.site = site, .value = value, .global_id = {id[0], id[1], id[2]}, .count = 1});
}

Stop Launch::out_of_bounds(const Code& c, uint64_t pointer) {
  const char* what = c.kind == Kind::Load ? "load" : c.kind == Kind::Store ? "store" : "atomic operation";
  std::string access = fmt::format("{} of {} bytes", what, c.bytes);
  if (options_.trap_bounds) {
    trapped({.kind = TrapKind::OutOfBounds, .type = access, .loc = f.inst(c.inst).loc}, 0);
    return Stop::Ended;
  }
  std::string place =
      c.space == Space::Global
          ? fmt::format("at {:#x} is outside every buffer", pointer)
          : fmt::format("at offset {} is outside the {} memory of {} bytes",
                        static_cast<int64_t>(pointer) - static_cast<int64_t>(kFirstOffset),
                        c.space == Space::Local ? "group's local" : "work-item's private",
                        (c.space == Space::Local ? local_.size : p.private_memory.size) - kFirstOffset);
  return stop(RunStatus::OutOfBounds,
              fmt::format("{}: {} {}: {}", where(), access, place, describe(f, c.inst)));
}

void Launch::unwritten(const Code& c, uint64_t offset) {
  if (result_.unwritten) return;
  const MemoryLayout& layout = c.space == Space::Local ? p.local_memory : p.private_memory;
  UnwrittenRead r{.object = c.space == Space::Local ? "local memory" : "private memory",
                  .loc = f.inst(c.inst).loc};
  for (size_t i = 0; i < f.objects.size(); ++i)
    if (layout.offsets[i] && offset - layout.offsets[i] < f.objects[i].size) r.object = f.objects[i].name;
  for (size_t d = 0; d < 3; ++d) r.global_id[d] = ids_[GlobalId * 3 + d];
  result_.unwritten = std::move(r);
}

void Launch::note(const Code& c, uint64_t pointer) {
  if (!options_.races || c.space == Space::Private) return;
  const Inst& inst = f.inst(c.inst);
  bool atomic = c.kind == Kind::Atomic;
  options_.races->note({.address = pointer,
                        .bytes = c.bytes,
                        .writes = c.kind != Kind::Load,
                        .atomic = atomic,
                        .local = c.space == Space::Local,
                        .order_shows = atomic && (c.result_used || inst.op == Op::atomic_xchg ||
                                                  inst.op == Op::atomic_cmpxchg),
                        .op = inst.op,
                        .item = linear_,
                        .group = group_linear_,
                        .epoch = epoch_,
                        .loc = inst.loc});
}

// A load, store or atomic operation of local or private memory, or one that is watched, or an atomic one of
// global memory.
Stop Launch::access(const Code& c, Item& item) {
  uint64_t* r = item.registers;
  uint64_t pointer = r[c.a], address = pointer;
  if (c.space == Space::Global) {
    if (!memory_.contains(pointer, c.bytes)) return out_of_bounds(c, pointer);
  } else {
    OwnMemory& own = c.space == Space::Local ? local_ : item.own;
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

// Runs one work-item from where it stands.
template <bool Barriers>
Stop Launch::run_item(Item& item) {
  uint64_t* const r = item.registers;
  const Code* const code = p.code.data();
  const Code* c = item.at;
  const bool traced = static_cast<bool>(options_.on_block);
  const bool watched = options_.races != nullptr;
  auto take = [&](const Edge& e) {
    const Copy* copy = p.copies.data() + e.first_copy;
    for (uint32_t i = 0; i < e.copies; ++i) r[copy[i].dst] = r[copy[i].src];
    c = code + e.pc;
    if constexpr (Barriers)
      if (e.loop != Edge::kNoLoop) item.iterations[e.loop] = e.back ? item.iterations[e.loop] + 1 : 0;
    if (traced) [[unlikely]]
      options_.on_block(linear_, e.block);
  };
  // Counts the steps of the block that ends here.
  auto in_budget = [&] {
    result_.steps += static_cast<uint64_t>(c->offset);
    if (result_.steps <= options_.max_steps) [[likely]]
      return true;
    stop(RunStatus::StepLimit,
         fmt::format("{}: more than {} steps, at {}", where(), options_.max_steps, describe(f, c->inst)));
    return false;
  };
  for (;;) {
    switch (c->kind) {
      case Kind::Eval1:
        r[c->dst] = c->eval(&r[c->a]);
        break;
      case Kind::Eval2: {
        const uint64_t operands[2] = {r[c->a], r[c->b]};
        r[c->dst] = c->eval(operands);
        break;
      }
      case Kind::Eval3: {
        const uint64_t operands[3] = {r[c->a], r[c->b], r[c->c]};
        r[c->dst] = c->eval(operands);
        break;
      }
      case Kind::Copy:
        r[c->dst] = r[c->a];
        break;
      case Kind::LaunchId:
        r[c->dst] = c->bytes == 8 ? ids_[c->a] : static_cast<uint32_t>(ids_[c->a]);
        break;
      case Kind::PtrAdd:
        r[c->dst] = element_address(r[c->a], r[c->b], c->index64, c->pointer64, c->scale, c->offset);
        break;
      case Kind::Load:
        if (c->space == Space::Global && !watched && memory_.contains(r[c->a], c->bytes)) [[likely]] {
          r[c->dst] = load_bits(r[c->a], c->bytes);
          break;
        }
        if (Stop s = access(*c, item); s != Stop::GoesOn) return s;
        break;
      case Kind::Store:
        if (c->space == Space::Global && !watched && memory_.contains(r[c->a], c->bytes)) [[likely]] {
          store_bits(r[c->a], c->bytes, r[c->b]);
          break;
        }
        [[fallthrough]];
      case Kind::Atomic:
        if (Stop s = access(*c, item); s != Stop::GoesOn) return s;
        break;
      case Kind::Barrier:
        item.at = c;
        return Stop::AtBarrier;
      case Kind::Br:
        if (!in_budget()) return Stop::Launch;
        take(p.edges[c->a]);
        continue;
      case Kind::BrIf:
        if (!in_budget()) return Stop::Launch;
        take(p.edges[r[c->a] & 1 ? c->b : c->c]);
        continue;
      case Kind::Switch: {
        if (!in_budget()) return Stop::Launch;
        uint32_t which = 0;
        for (uint32_t i = 0; i < c->dst && !which; ++i)
          if (r[p.cases[c->b + i]] == r[c->a]) which = i + 1;
        take(p.edges[c->c + which]);
        continue;
      }
      case Kind::Ret:
        return in_budget() ? Stop::Ended : Stop::Launch;
      case Kind::Trap:
        if (!in_budget()) return Stop::Launch;
        trapped(f.traps[c->b], r[c->a]);
        return Stop::Ended;
    }
    ++c;
  }
}

void Launch::begin(Item& item) {
  item.at = p.code.data();
  item.ended = false;
  item.own.clear();
  std::fill_n(item.registers + p.first_var, f.vars.size(), 0);
  std::fill_n(item.iterations, p.loops, 0);
  if (options_.on_block) options_.on_block(linear_, f.entry());
}

// Linear order of global ids, one register file.
void Launch::run_in_order() {
  std::vector<uint8_t> own(OwnMemory::room(p.private_memory.size));
  Item item;
  item.registers = initial_.data();
  item.own = OwnMemory(own.data(), p.private_memory.size);
  for (uint64_t z = 0; z < spec_.global[2]; ++z)
    for (uint64_t y = 0; y < spec_.global[1]; ++y)
      for (uint64_t x = 0; x < spec_.global[0]; ++x) {
        set_item_ids({x / spec_.local[0], y / spec_.local[1], z / spec_.local[2]},
                     {x % spec_.local[0], y % spec_.local[1], z % spec_.local[2]});
        group_linear_ = (ids_[GroupId * 3 + 2] * spec_.groups(1) + ids_[GroupId * 3 + 1]) * spec_.groups(0) +
                        ids_[GroupId * 3];
        begin(item);
        if (run_item<false>(item) == Stop::Launch) return;
      }
}

// Group after group: each has its own local memory, and its work-items meet at barriers.
void Launch::run_by_groups() {
  uint64_t size = spec_.local[0] * spec_.local[1] * spec_.local[2];
  uint64_t local_size = std::max(p.local_memory.size, spec_.local_bytes);
  uint64_t each = initial_.size() * 8 + uint64_t{p.loops} * 4 + OwnMemory::room(p.private_memory.size);
  if (size > kMaxGroupState / each || local_size > kMaxGroupState) {
    stop(RunStatus::Error, fmt::format("@{}: a group of {} work-items needs more than {} GiB here", f.name,
                                       size, kMaxGroupState >> 30));
    return;
  }
  local_bytes_.resize(OwnMemory::room(local_size));
  local_ = OwnMemory(local_bytes_.data(), local_size);
  std::vector<uint64_t> registers(size * initial_.size());
  std::vector<uint32_t> iterations(size * p.loops);
  std::vector<uint8_t> own(size * OwnMemory::room(p.private_memory.size));
  items_.resize(size);
  for (uint64_t i = 0; i < size; ++i) {
    items_[i].registers = registers.data() + i * initial_.size();
    items_[i].iterations = iterations.data() + i * p.loops;
    items_[i].own = OwnMemory(own.data() + i * OwnMemory::room(p.private_memory.size), p.private_memory.size);
    items_[i].local = i;
    std::copy(initial_.begin(), initial_.end(), items_[i].registers);
  }
  for (uint64_t z = 0; z < spec_.groups(2); ++z)
    for (uint64_t y = 0; y < spec_.groups(1); ++y)
      for (uint64_t x = 0; x < spec_.groups(0); ++x) {
        run_group({x, y, z});
        if (!result_.ok()) return;
        ++group_linear_;
      }
}

void Launch::run_group(const std::array<uint64_t, 3>& group) {
  local_.clear();
  epoch_ = 0;
  if (options_.races) options_.races->next_group();
  for (Item& item : items_) {
    set_item_ids(group, local_position(item.local));
    begin(item);
  }
  for (;; ++epoch_) {
    bool waiting = false;
    for (Item& item : items_) {
      if (item.ended) continue;
      set_item_ids(group, local_position(item.local));
      Stop s = run_item<true>(item);
      if (s == Stop::Launch) return;
      item.ended = s == Stop::Ended;
      waiting |= !item.ended;
    }
    if (!waiting) return;
    if (!meet(group)) return;
  }
}

bool Launch::same_instance(const Item& a, const Item& b) const {
  if (a.at != b.at) return false;
  for (uint32_t loop : p.barriers[a.at->a].loops)
    if (a.iterations[loop] != b.iterations[loop]) return false;
  return true;
}

// All that have not ended stand at a barrier. Lets them go on when it is the same instance; otherwise each of
// them traps at its barrier.
bool Launch::meet(const std::array<uint64_t, 3>& group) {
  const Item* first = nullptr;
  bool same = true;
  for (const Item& item : items_) {
    if (item.ended) continue;
    if (!first) first = &item;
    same &= same_instance(*first, item);
  }
  for (Item& item : items_) {
    if (item.ended) continue;
    if (same) {
      ++item.at;
      continue;
    }
    set_item_ids(group, local_position(item.local));
    trapped(f.traps[p.barriers[item.at->a].site], 0);
  }
  return same;
}

ThreadRunResult Launch::run(std::span<const uint64_t> arguments) {
  initial_ = p.registers;
  for (size_t i = 0; i < arguments.size(); ++i) {
    unsigned width = f.type(ValueId(p.params[i])).bits();
    initial_[p.params[i]] = width >= 64 ? arguments[i] : arguments[i] & ((uint64_t{1} << width) - 1);
  }
  set_launch_ids();
  if (p.barriers.empty() && p.local_memory.size == 0 && spec_.local_bytes == 0)
    run_in_order();
  else
    run_by_groups();
  if (result_.ok() && result_.trap)
    stop(RunStatus::Trapped, fmt::format("{} work-items of @{} trapped", result_.trap->count, f.name));
  return std::move(result_);
}

}  // namespace

ThreadInterpreter::ThreadInterpreter(const Function& f) : program_(std::make_unique<Program>(f)) {}
ThreadInterpreter::~ThreadInterpreter() = default;
ThreadInterpreter::ThreadInterpreter(ThreadInterpreter&&) noexcept = default;

ThreadRunResult ThreadInterpreter::run(const LaunchSpec& launch, std::span<const uint64_t> arguments,
                                       const ThreadRunOptions& options) const {
  const Program& p = *program_;
  std::string error =
      p.error.empty() ? check_launch(*p.f, launch, arguments.size(), p.params.size()) : p.error;
  if (!error.empty()) {
    ThreadRunResult r;
    r.status = RunStatus::Error, r.message = error;
    return r;
  }
  return Launch(p, launch, options).run(arguments);
}

ThreadRunResult run_threads(const Function& f, const LaunchSpec& launch, std::span<const uint64_t> arguments,
                            const ThreadRunOptions& options) {
  return ThreadInterpreter(f).run(launch, arguments, options);
}

}  // namespace kc
