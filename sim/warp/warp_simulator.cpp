// SPDX-License-Identifier: Apache-2.0
#include "sim/warp/warp_simulator.h"

#include <fmt/format.h>

#include <algorithm>
#include <bit>

#include "sim/interpreter/barrier_tracker.h"
#include "sim/interpreter/thread_machine.h"

namespace kc {

using namespace kc::threads;

struct WarpSimulator::Decoded {
  Decoded(const Function& f, BlockPriorities block_priorities)
      : program(f), priorities(std::move(block_priorities)) {
    if (!program.error.empty()) return;
    post = std::make_unique<PostDominatorTree>(f, Cfg(f));
    start.assign(f.block_count(), 0);
    for (const Edge& e : program.edges) start[e.block.index] = e.pc;
  }
  Program program;
  BlockPriorities priorities;
  std::unique_ptr<PostDominatorTree> post;
  std::vector<uint32_t> start;  // by block: its position in the code
};

namespace {

constexpr uint32_t kChunk = 64;              // lanes that the barrier tracker treats as one wave
constexpr uint32_t kMostSubGroupLanes = 64;  // of a sub-group

struct Warp {
  uint64_t number = 0;
  uint32_t in_group = 0;  // index in its group
  std::span<Item> items;
  std::unique_ptr<WarpScheduler> scheduler;
  const Code* at = nullptr;  // the barrier at which it waits
  bool ended = false;
  std::vector<BarrierHistory> history;  // by chunk of lanes
  BlockVisits visits;
};

class StateOf : public WarpState {
 public:
  explicit StateOf(const Warp& warp) : w_(warp) {}
  std::vector<WarpExit> waiting() const override { return w_.scheduler->waiting(); }
  uint64_t value(uint32_t lane, ValueId v) const override { return w_.items[lane].registers[v.index]; }

 private:
  const Warp& w_;
};

// One launch.
class WarpLaunch {
 public:
  WarpLaunch(const Program& program, const PostDominatorTree& post, const BlockPriorities& priorities,
             const std::vector<uint32_t>& block_start, const LaunchSpec& spec, const WarpRunOptions& options)
      : p(program),
        post_(post),
        priorities_(priorities),
        start_(block_start),
        spec_(spec),
        options_(options),
        thread_options_{.memory = options.memory, .max_steps = options.max_steps},
        m(program, spec, thread_options_) {}

  WarpRunResult run(std::span<const uint64_t> arguments);

 private:
  void run_group(const std::array<uint64_t, 3>& group);
  void begin(Warp& w, uint64_t first, std::span<Item> items);
  Stop run_warp(Warp& w);
  void enter(Warp& w, BlockId b);
  Stop run_block(Warp& w, const Code* c);
  Stop execute(Warp& w, const Code& c, const LaneSet& lanes);
  void sub_group_id(Warp& w, const Code& c, const LaneSet& lanes);
  void cross_lane(Warp& w, const Code& c, const LaneSet& lanes);
  void fold(const Code& c);
  Stop leave(Warp& w, const Code& c, const LaneSet& lanes);
  void count_access(const Code& c);
  bool meet(std::vector<Warp>& warps);
  void arrivals(Warp& w, std::vector<WaveAtBarrier>& all, std::vector<const Item*>& instances);
  void set_ids(const Item& item) { m.set_item_ids(group_, m.local_position(item.local)); }

  const Program& p;
  const PostDominatorTree& post_;
  const BlockPriorities& priorities_;
  const std::vector<uint32_t>& start_;
  const LaunchSpec& spec_;
  const WarpRunOptions& options_;
  ThreadRunOptions thread_options_;
  Machine m;
  WarpStatistics count_;
  uint32_t width_ = 0, warps_in_group_ = 0;
  std::vector<uint64_t> held_, folded_;  // by lane of the cross-lane operation
  std::array<uint64_t, 3> group_{};
  ItemStore store_;
  BarrierTracker barriers_;
  std::vector<WarpExit> exits_;
  std::vector<uint64_t> addresses_;  // of the lanes of one access
  AccessCounter access_;
};

void WarpLaunch::begin(Warp& w, uint64_t first, std::span<Item> items) {
  w.number = count_.warps++;
  w.items = items;
  LaneSet lanes;
  for (Item& item : items) {
    lanes.push_back(static_cast<uint32_t>(lanes.size()));
    item.local = first++;
    set_ids(item);
    m.begin(item);
  }
  w.history.resize((items.size() + kChunk - 1) / kChunk);
  w.visits = BlockVisits(m.f.block_count(), items.size());
  w.scheduler = make_scheduler(options_.scheme, post_, priorities_);
  w.scheduler->start(m.f.entry(), std::move(lanes));
}

// Runs from the current position to the next barrier or the end.
Stop WarpLaunch::run_warp(Warp& w) {
  const Code* from = w.at ? w.at + 1 : nullptr;
  for (BlockId b; (b = w.scheduler->block()).valid(); from = nullptr) {
    if (!from) {
      enter(w, b);
      from = p.code.data() + start_[b.index];
    }
    if (Stop s = run_block(w, from); s != Stop::GoesOn) return s;
  }
  count_.merges += w.scheduler->merges;
  w.ended = true;
  return Stop::Ended;
}

void WarpLaunch::enter(Warp& w, BlockId b) {
  const LaneSet& lanes = w.scheduler->lanes();
  uint64_t length = m.f.block(b).insts.size();
  count_.dynamic_instructions += length;
  count_.active_lanes += length * lanes.size();
  count_.lane_slots += length * width_;
  count_.max_stack = std::max<uint64_t>(count_.max_stack, w.scheduler->depth());
  w.visits.issue(b.index, count_, [&](auto visit) { std::ranges::for_each(lanes, visit); });
  if (options_.on_block) options_.on_block(w.number, b, lanes);
  if (options_.on_state) options_.on_state(w.number, b, lanes, StateOf(w));
}

Stop WarpLaunch::run_block(Warp& w, const Code* c) {
  const LaneSet& lanes = w.scheduler->lanes();
  for (; c->kind <= Kind::Barrier; ++c) {
    if (c->kind != Kind::Barrier) {
      if (Stop s = execute(w, *c, lanes); s != Stop::GoesOn) return s;
    } else if (!lanes.empty()) {
      w.at = c;
      for (uint32_t l : lanes) w.items[l].at = c;
      return Stop::AtBarrier;
    }
  }
  m.result.steps += static_cast<uint64_t>(c->offset) * std::max<size_t>(1, lanes.size());
  if (m.result.steps > options_.max_steps || is_set(options_.stop)) {
    set_ids(w.items[lanes.empty() ? 0 : lanes[0]]);
    return m.too_many_steps(*c);
  }
  return leave(w, *c, lanes);
}

// Executes one instruction, for one lane after another.
Stop WarpLaunch::execute(Warp& w, const Code& c, const LaneSet& lanes) {
  if (c.kind == Kind::SubGroupId) sub_group_id(w, c, lanes);
  if (c.kind == Kind::CrossLane) cross_lane(w, c, lanes);
  if (c.kind == Kind::SubGroupId || c.kind == Kind::CrossLane) return Stop::GoesOn;
  bool memory = c.kind == Kind::Load || c.kind == Kind::Store || c.kind == Kind::Atomic;
  bool counted = memory && c.space == Space::Global && !lanes.empty();
  bool needs_ids = memory || c.kind == Kind::LaunchId;  // a failing access is reported with its work-item
  addresses_.clear();
  for (uint32_t l : lanes) {
    Item& item = w.items[l];
    if (needs_ids) set_ids(item);
    if (counted) addresses_.push_back(item.registers[c.a]);
    if (Stop s = m.evaluate(c, item); s != Stop::GoesOn) return s;
  }
  if (counted) count_access(c);
  return Stop::GoesOn;
}

void WarpLaunch::sub_group_id(Warp& w, const Code& c, const LaneSet& lanes) {
  const std::array<uint64_t, 4> same{w.items.size(), width_, w.in_group, warps_in_group_};
  for (uint32_t l : lanes) w.items[l].registers[c.dst] = c.a == 0 ? l : same[c.a - 1];
}

// Cross-lane operations among the active lanes.
void WarpLaunch::cross_lane(Warp& w, const Code& c, const LaneSet& lanes) {
  if (lanes.empty()) return;
  held_.clear();
  for (uint32_t l : lanes) held_.push_back(w.items[l].registers[c.a]);
  if (c.eval) fold(c);
  const Op op = m.f.inst(c.inst).op;
  uint64_t bits = 0;
  for (size_t i = 0; op == Op::ballot && i < lanes.size(); ++i) bits |= (held_[i] & 1) << lanes[i];
  for (size_t i = 0; i < lanes.size(); ++i) {
    uint64_t* r = w.items[lanes[i]].registers;
    if (op == Op::ballot) {
      r[c.dst] = bits;
    } else if (op == Op::shuffle) {
      auto from = std::ranges::lower_bound(lanes, r[c.b]);
      bool here = from != lanes.end() && *from == r[c.b];
      r[c.dst] = here ? held_[static_cast<size_t>(from - lanes.begin())] : 0;
    } else if (op == Op::scan) {
      const auto identity = static_cast<uint64_t>(c.scale);
      r[c.dst] = !c.offset ? held_[i] : i ? held_[i - 1] : identity;
    } else {
      r[c.dst] = op == Op::reduce ? held_.back() : held_.front();
    }
  }
}

// As specified in ir/fold.h.
void WarpLaunch::fold(const Code& c) {
  for (size_t d = 1; d < held_.size(); d *= 2) {
    folded_ = held_;
    for (size_t i = d; i < held_.size(); ++i) {
      const uint64_t two[2] = {held_[i - d], held_[i]};
      folded_[i] = c.eval(two);
    }
    held_.swap(folded_);
  }
}

void WarpLaunch::count_access(const Code& c) {
  for (uint64_t a : addresses_) {
    m.memory.contains(a, c.bytes);
    access_.lane(m.memory.last(), a - m.ranges[m.memory.last()].base, c.bytes);
  }
  access_.finish(count_);
}

// The end of the block: every lane takes its edge.
Stop WarpLaunch::leave(Warp& w, const Code& c, const LaneSet& lanes) {
  exits_.clear();
  for (uint32_t l : lanes) {
    Item& item = w.items[l];
    item.ended = c.kind == Kind::Ret || c.kind == Kind::Trap;
    if (c.kind == Kind::Trap) {
      set_ids(item);
      m.trapped(m.f.traps[c.b], item.registers[c.a]);
    }
    if (item.ended) continue;
    const Edge& e = m.way(c, item.registers);
    m.pass<true>(e, item);
    auto exit = std::ranges::find(exits_, e.block, &WarpExit::to);
    if (exit == exits_.end()) exit = exits_.insert(exit, {e.block, {}});
    exit->lanes.push_back(l);
  }
  if (exits_.size() > 1) {
    const auto& targets = m.f.inst(c.inst).targets;
    std::ranges::sort(exits_, {}, [&](const WarpExit& e) {
      return std::ranges::find(targets, e.to, &Target::block) - targets.begin();
    });
  }
  if (w.scheduler->leave(exits_)) return Stop::GoesOn;
  return m.stop(RunStatus::Error, fmt::format("work-items wait outside the frontier of the block of {}",
                                              describe(m.f, c.inst)));
}

// The warp's lanes at barriers, in chunks of the size of the barrier tracker. Lanes at another barrier, or in
// another iteration of a loop, than those in `instances` add an instance.
void WarpLaunch::arrivals(Warp& w, std::vector<WaveAtBarrier>& all, std::vector<const Item*>& instances) {
  const LaneSet& lanes = w.scheduler->lanes();
  // A number that identifies the barrier and the iteration.
  auto instance = [&](const Item& item) {
    size_t i = 0;
    while (i < instances.size() && !m.same_instance(*instances[i], item)) ++i;
    if (i == instances.size()) instances.push_back(&item);
    return i * p.barriers.size() + item.at->a;
  };
  auto next = lanes.begin();
  for (uint32_t chunk = 0; chunk < w.history.size(); ++chunk) {
    uint32_t first = chunk * kChunk;
    auto count = std::min<size_t>(kChunk, w.items.size() - first);
    WaveAtBarrier wave{
        .place = instance(w.items[lanes[0]]),
        .valid = count == kChunk ? ~uint64_t{0} : (uint64_t{1} << count) - 1,
        .global_id =
            [this, &w, first](uint32_t l) {
              set_ids(w.items[first + l]);
              return std::array{m.ids[GlobalId * 3], m.ids[GlobalId * 3 + 1], m.ids[GlobalId * 3 + 2]};
            },
        .history = &w.history[chunk]};
    std::vector<WaveAtBarrier> others;
    for (; next != lanes.end() && *next < first + kChunk; ++next) {
      uint64_t place = instance(w.items[*next]), lane = uint64_t{1} << (*next - first);
      if (place == wave.place) {
        wave.arrived |= lane;
        continue;
      }
      others.push_back(wave);
      others.back().place = place, others.back().arrived = lane;
    }
    all.push_back(wave);
    all.insert(all.end(), others.begin(), others.end());
  }
}

// All warps that have not ended wait at a barrier. Continues them, or reports the stranded work-items.
bool WarpLaunch::meet(std::vector<Warp>& warps) {
  std::vector<WaveAtBarrier> all;
  std::vector<const Item*> instances;
  for (Warp& w : warps)
    if (!w.ended) arrivals(w, all, instances);
  std::vector<StrandedItem> stranded = barriers_.arrive(all);
  for (const StrandedItem& s : stranded) {
    const BarrierCode& barrier = p.barriers[s.place % p.barriers.size()];
    add_trap(m.result.trap, {.site = m.f.traps[barrier.site], .global_id = s.global_id, .count = 1});
  }
  return stranded.empty();
}

void WarpLaunch::run_group(const std::array<uint64_t, 3>& group) {
  group_ = group;
  m.local.clear();
  barriers_ = {};
  uint64_t size = spec_.local[0] * spec_.local[1] * spec_.local[2];
  // The work-items that are divided into warps: the whole group, or one row of it.
  const uint64_t row = options_.rows ? spec_.local[0] : size;
  bool keep = !p.barriers.empty();
  std::vector<Warp> warps;
  warps_in_group_ = static_cast<uint32_t>((row + width_ - 1) / width_ * (size / row));
  uint32_t number = 0;
  for (uint64_t first = 0, count = 0; first < size; first += count) {
    count = std::min<uint64_t>(width_, row - first % row);
    auto items = std::span(store_.items).subspan(keep ? first : 0, count);
    Warp w;
    w.in_group = number++;
    begin(w, first, items);
    if (run_warp(w) == Stop::Launch) return;
    if (!w.ended) warps.push_back(std::move(w));
  }
  while (std::ranges::any_of(warps, [](const Warp& w) { return !w.ended; })) {
    if (!meet(warps)) return;
    for (Warp& w : warps)
      if (!w.ended && run_warp(w) == Stop::Launch) return;
  }
}

WarpRunResult WarpLaunch::run(std::span<const uint64_t> arguments) {
  m.set_arguments(arguments);
  uint64_t size = spec_.local[0] * spec_.local[1] * spec_.local[2];
  width_ = static_cast<uint32_t>(options_.width ? options_.width : std::min<uint64_t>(size, UINT32_MAX));
  bool keep = !p.barriers.empty();
  if (p.sub_group.valid() && width_ > kMostSubGroupLanes)
    m.stop(RunStatus::Error,
           fmt::format("a sub-group has at most {} work-items, not {}", kMostSubGroupLanes, width_));
  else if (m.allocate(store_, keep ? size : std::min<uint64_t>(width_, size)))
    for (uint64_t z = 0; z < spec_.groups(2) && m.result.ok(); ++z)
      for (uint64_t y = 0; y < spec_.groups(1) && m.result.ok(); ++y)
        for (uint64_t x = 0; x < spec_.groups(0) && m.result.ok(); ++x) run_group({x, y, z});
  if (m.result.ok() && m.result.trap)
    m.stop(RunStatus::Trapped, fmt::format("{} work-items of @{} trapped", m.result.trap->count, m.f.name));
  WarpRunResult result;
  static_cast<ThreadRunResult&>(result) = std::move(m.result);
  result.statistics = count_;
  return result;
}

}  // namespace

WarpSimulator::WarpSimulator(const Function& f, BlockPriorities priorities)
    : decoded_(std::make_unique<Decoded>(f, std::move(priorities))) {}
WarpSimulator::~WarpSimulator() = default;
WarpSimulator::WarpSimulator(WarpSimulator&&) noexcept = default;

WarpRunResult WarpSimulator::run(const LaunchSpec& launch, std::span<const uint64_t> arguments,
                                 const WarpRunOptions& options) const {
  const Program& p = decoded_->program;
  std::string error =
      p.error.empty() ? check_launch(*p.f, launch, arguments.size(), p.params.size()) : p.error;
  if (error.empty())
    return WarpLaunch(p, *decoded_->post, decoded_->priorities, decoded_->start, launch, options)
        .run(arguments);
  WarpRunResult r;
  r.status = RunStatus::Error, r.message = error;
  return r;
}

}  // namespace kc
