// SPDX-License-Identifier: Apache-2.0
#include "sim/interpreter/thread_interpreter.h"

#include <fmt/format.h>

#include <vector>

#include "sim/interpreter/order_shadow.h"
#include "sim/interpreter/race_detector.h"
#include "sim/interpreter/thread_machine.h"

namespace kc {
namespace {

using namespace kc::threads;

// One launch.
class Launch {
 public:
  Launch(const Program& program, const LaunchSpec& spec, const ThreadRunOptions& options)
      : m(program, spec, options), p(program), spec_(spec) {}

  ThreadRunResult run(std::span<const uint64_t> arguments);

 private:
  template <bool Shadowed>
  void run_in_order();
  template <bool Shadowed>
  void run_by_groups();
  template <bool Shadowed>
  void run_group(const std::array<uint64_t, 3>& group);
  bool meet(const std::array<uint64_t, 3>& group);
  template <bool Barriers, bool Shadowed>
  Stop run_item(Item& item);

  Machine m;
  const Program& p;
  const LaunchSpec& spec_;
  ItemStore store_;
  std::unique_ptr<OrderShadow> shadow_;
};

// Runs one work-item from its current position.
template <bool Barriers, bool Shadowed>
Stop Launch::run_item(Item& item) {
  const Code* c = item.at;
  const bool traced = static_cast<bool>(m.options.on_block);
  for (;;) {
    if (c->kind < Kind::Barrier) [[likely]] {
      if constexpr (Shadowed) shadow_->step(*c, item);
      if (Stop s = m.evaluate(*c, item); s != Stop::GoesOn) [[unlikely]]
        return s;
      ++c;
      continue;
    }
    if (c->kind == Kind::Barrier) {
      item.at = c;
      return Stop::AtBarrier;
    }
    // Counts the steps of the block that ends here.
    m.result.steps += static_cast<uint64_t>(c->offset);
    if (m.result.steps > m.options.max_steps || is_set(m.options.stop)) [[unlikely]]
      return m.too_many_steps(*c);
    if constexpr (Shadowed) shadow_->leave_block(*c, item);
    if (c->kind == Kind::Ret) return Stop::Ended;
    if (c->kind == Kind::Trap) {
      m.trapped(m.f.traps[c->b], item.registers[c->a]);
      return Stop::Ended;
    }
    const Edge& e = m.way(*c, item.registers);
    m.pass<Barriers>(e, item);
    if constexpr (Shadowed) shadow_->pass(e, item);
    c = p.code.data() + e.pc;
    if (traced) [[unlikely]]
      m.options.on_block(m.linear, e.block);
  }
}

// In linear order of global ids, with the state of one work-item.
template <bool Shadowed>
void Launch::run_in_order() {
  if (!m.allocate(store_, 1)) return;
  if constexpr (Shadowed) shadow_->allocate(store_);
  Item& item = store_.items[0];
  for (uint64_t z = 0; z < spec_.global[2]; ++z)
    for (uint64_t y = 0; y < spec_.global[1]; ++y)
      for (uint64_t x = 0; x < spec_.global[0]; ++x) {
        m.set_item_ids({x / spec_.local[0], y / spec_.local[1], z / spec_.local[2]},
                       {x % spec_.local[0], y % spec_.local[1], z % spec_.local[2]});
        m.group_linear =
            (m.ids[GroupId * 3 + 2] * spec_.groups(1) + m.ids[GroupId * 3 + 1]) * spec_.groups(0) +
            m.ids[GroupId * 3];
        m.begin(item);
        if constexpr (Shadowed) shadow_->begin(item);
        if (run_item<false, Shadowed>(item) == Stop::Launch) return;
      }
}

// Group by group: each has its own local memory, and its work-items synchronise at barriers.
template <bool Shadowed>
void Launch::run_by_groups() {
  if (!m.allocate(store_, spec_.local[0] * spec_.local[1] * spec_.local[2])) return;
  if constexpr (Shadowed) shadow_->allocate(store_);
  for (uint64_t z = 0; z < spec_.groups(2); ++z)
    for (uint64_t y = 0; y < spec_.groups(1); ++y)
      for (uint64_t x = 0; x < spec_.groups(0); ++x) {
        run_group<Shadowed>({x, y, z});
        if (!m.result.ok()) return;
        ++m.group_linear;
      }
}

template <bool Shadowed>
void Launch::run_group(const std::array<uint64_t, 3>& group) {
  m.local.clear();
  m.epoch = 0;
  if (m.options.races) m.options.races->next_group();
  if constexpr (Shadowed) shadow_->begin_group();
  for (Item& item : store_.items) {
    m.set_item_ids(group, m.local_position(item.local));
    m.begin(item);
    if constexpr (Shadowed) shadow_->begin(item);
  }
  for (;; ++m.epoch) {
    bool waiting = false;
    for (Item& item : store_.items) {
      if (item.ended) continue;
      m.set_item_ids(group, m.local_position(item.local));
      Stop s = run_item<true, Shadowed>(item);
      if (s == Stop::Launch) return;
      item.ended = s == Stop::Ended;
      if (item.ended && m.options.races) m.options.races->ended(m.linear, m.epoch);
      waiting |= !item.ended;
    }
    if (!waiting) return;
    if (!meet(group)) return;
  }
}

// All work-items that have not ended wait at a barrier. They continue if it is the same barrier instance;
// otherwise each of them traps at its barrier.
bool Launch::meet(const std::array<uint64_t, 3>& group) {
  const Item* first = nullptr;
  bool same = true;
  for (const Item& item : store_.items) {
    if (item.ended) continue;
    if (!first) first = &item;
    same &= m.same_instance(*first, item);
  }
  if (!same) m.result.divergent_barrier = true;
  for (Item& item : store_.items) {
    if (item.ended) continue;
    if (same) {
      ++item.at;
      continue;
    }
    m.set_item_ids(group, m.local_position(item.local));
    m.trapped(m.f.traps[p.barriers[item.at->a].site], 0);
  }
  return same;
}

ThreadRunResult Launch::run(std::span<const uint64_t> arguments) {
  m.set_arguments(arguments);
  const bool in_order = p.barriers.empty() && p.local_memory.size == 0 && spec_.local_bytes == 0;
  if (m.options.shadow) {
    shadow_ = std::make_unique<OrderShadow>(m, arguments, *m.options.shadow);
    in_order ? run_in_order<true>() : run_by_groups<true>();
  } else {
    in_order ? run_in_order<false>() : run_by_groups<false>();
  }
  if (m.result.ok() && m.result.trap)
    m.stop(RunStatus::Trapped, fmt::format("{} work-items of @{} trapped", m.result.trap->count, m.f.name));
  return std::move(m.result);
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
  if (error.empty() && p.sub_group.valid())
    error = fmt::format("work-items run one after the other here, not in sub-groups: {}",
                        describe(*p.f, p.sub_group));
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
