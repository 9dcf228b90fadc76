// SPDX-License-Identifier: Apache-2.0
// Execution of one instruction for one work-item: shared by the thread interpreter, which runs work-items one
// after another, and the warp simulator, which runs them in lockstep.
#pragma once

#include "sim/interpreter/thread_interpreter.h"
#include "sim/interpreter/thread_program.h"

namespace kc::threads {

/// Memory that is reset for each group or work-item, with a flag per written byte.
struct OwnMemory {
  uint8_t* data = nullptr;
  uint8_t* written = nullptr;
  uint64_t size = 0;

  bool contains(uint64_t offset, uint64_t bytes) const {
    return offset >= kFirstOffset && bytes <= size && offset <= size - bytes;
  }
  bool is_written(uint64_t offset, unsigned bytes) const;
  void clear() {
    if (size) std::memset(data, 0, 2 * size);
  }
  static uint64_t room(uint64_t size) { return 2 * size; }
  OwnMemory(uint8_t* at, uint64_t bytes) : data(at), written(at + bytes), size(bytes) {}
  OwnMemory() = default;
};

// Whether a work-item continues, or why it stops.
enum class Stop : uint8_t { GoesOn, AtBarrier, Ended, Launch };

struct Item {
  uint64_t* registers = nullptr;
  uint32_t* iterations = nullptr;  // of each loop with a barrier, since its entry
  OwnMemory own;
  const Code* at = nullptr;
  uint64_t local = 0;  // linear id in its group
  bool ended = false;
};

/// State of a group's work-items.
struct ItemStore {
  std::vector<Item> items;
  std::vector<uint64_t> registers;
  std::vector<uint32_t> iterations;
  std::vector<uint8_t> own;
};

/// One launch and its current state.
struct Machine {
  Machine(const Program& program, const LaunchSpec& launch, const ThreadRunOptions& run_options);
  Machine(const Machine&) = delete;

  const Program& p;
  const Function& f;
  const LaunchSpec& spec;
  const ThreadRunOptions& options;
  std::vector<MemoryRange> ranges;  // the launch's, then constants
  MemoryMap memory;
  ThreadRunResult result;
  std::array<uint64_t, LaunchRows * 3> ids{};
  uint64_t linear = 0;            // global id of the current work-item
  uint64_t group_linear = 0;      // linear id of its group
  uint32_t epoch = 0;             // barriers that the group has passed
  std::vector<uint64_t> initial;  // initial registers of a work-item
  std::vector<uint8_t> local_bytes;
  OwnMemory local;

  void set_arguments(std::span<const uint64_t> arguments);
  void set_item_ids(const std::array<uint64_t, 3>& group, const std::array<uint64_t, 3>& local_id);
  std::array<uint64_t, 3> local_position(uint64_t linear_id) const;
  /// Allocates that many work-items and the group's local memory. Returns false, with the launch stopped, if
  /// that is too much.
  bool allocate(ItemStore& store, uint64_t count);
  /// Resets a work-item to its start; its ids must be set.
  void begin(Item& item);
  /// Whether both wait at the same barrier in the same iteration of the enclosing loops.
  bool same_instance(const Item& a, const Item& b) const;

  /// Executes an instruction that is neither barrier nor terminator.
  [[gnu::always_inline]] Stop evaluate(const Code& c, Item& item);
  /// The edge that a branch takes.
  [[gnu::always_inline]] const Edge& way(const Code& c, const uint64_t* registers) const;
  /// Copies values along an edge. `Barriers`: counts iterations.
  template <bool Barriers>
  [[gnu::always_inline]] void pass(const Edge& e, Item& item) const;

  void trapped(const TrapSite& site, uint64_t value);
  Stop stop(RunStatus status, std::string message);
  Stop too_many_steps(const Code& c);

 private:
  Stop access(const Code& c, Item& item);
  void note(const Code& c, uint64_t pointer);
  void unwritten(const Code& c, uint64_t offset);
  Stop out_of_bounds(const Code& c, uint64_t pointer);
  std::string where() const;
};

inline Stop Machine::evaluate(const Code& c, Item& item) {
  uint64_t* const r = item.registers;
  switch (c.kind) {
    case Kind::Eval1:
      r[c.dst] = c.eval(&r[c.a]);
      return Stop::GoesOn;
    case Kind::Eval2: {
      const uint64_t operands[2] = {r[c.a], r[c.b]};
      r[c.dst] = c.eval(operands);
      return Stop::GoesOn;
    }
    case Kind::Eval3: {
      const uint64_t operands[3] = {r[c.a], r[c.b], r[c.c]};
      r[c.dst] = c.eval(operands);
      return Stop::GoesOn;
    }
    case Kind::Copy:
      r[c.dst] = r[c.a];
      return Stop::GoesOn;
    case Kind::LaunchId:
      r[c.dst] = c.bytes == 8 ? ids[c.a] : static_cast<uint32_t>(ids[c.a]);
      return Stop::GoesOn;
    case Kind::PtrAdd:
      r[c.dst] = element_address(r[c.a], r[c.b], c.index64, c.pointer64, c.scale, c.offset);
      return Stop::GoesOn;
    case Kind::Load:
      if (c.space == Space::Global && !options.races && memory.contains(r[c.a], c.bytes)) [[likely]] {
        r[c.dst] = load_bits(r[c.a], c.bytes);
        return Stop::GoesOn;
      }
      return access(c, item);
    case Kind::Store:
      if (c.space == Space::Global && !options.races && memory.contains(r[c.a], c.bytes)) [[likely]] {
        store_bits(r[c.a], c.bytes, r[c.b]);
        return Stop::GoesOn;
      }
      return access(c, item);
    default:  // sub-group operations involve more than one work-item
      return access(c, item);
  }
}

inline const Edge& Machine::way(const Code& c, const uint64_t* r) const {
  if (c.kind == Kind::Br) return p.edges[c.a];
  if (c.kind == Kind::BrIf) return p.edges[r[c.a] & 1 ? c.b : c.c];
  uint32_t which = 0;
  for (uint32_t i = 0; i < c.dst && !which; ++i)
    if (r[p.cases[c.b + i]] == r[c.a]) which = i + 1;
  return p.edges[c.c + which];
}

template <bool Barriers>
inline void Machine::pass(const Edge& e, Item& item) const {
  const Copy* copy = p.copies.data() + e.first_copy;
  for (uint32_t i = 0; i < e.copies; ++i) item.registers[copy[i].dst] = item.registers[copy[i].src];
  if constexpr (Barriers)
    if (e.loop != Edge::kNoLoop) item.iterations[e.loop] = e.back ? item.iterations[e.loop] + 1 : 0;
}

}  // namespace kc::threads
