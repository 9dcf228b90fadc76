// SPDX-License-Identifier: Apache-2.0
#include "sim/wave_interpreter.h"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <span>
#include <vector>

#include "sim/barrier_meetings.h"
#include "sim/wave_program.h"

namespace kc {

std::string_view to_string(WaveCategory category) {
  constexpr std::array<std::string_view, static_cast<size_t>(WaveCategory::Count_)> names{
      "uniform", "lane", "mask", "merge", "move", "uniform load", "lane load", "lane store", "control"};
  return names[static_cast<size_t>(category)];
}

namespace {

using namespace kc::wave;

constexpr uint8_t kUnwritten = 0xa5;  // local and private memory start unspecified

// One launch.
class Runner {
 public:
  Runner(const Program& program, const LaunchSpec& launch, const WaveRunOptions& options)
      : p_(program), f_(*program.f), launch_(launch), options_(options), memory_(options.memory) {}

  WaveRunResult run(std::span<const uint64_t> arguments);

 private:
  // A wave that stands at a barrier while others of its group run.
  struct Waiting {
    std::vector<uint64_t> data;
    std::vector<Lanes> poison;
    std::vector<uint8_t> private_memory;
    std::array<std::array<uint64_t, kMaxWidth>, 3> global{}, local{};
    Lanes valid = 0;
    BarrierHistory history;
    const BlockCode* block = nullptr;
    const Code* at = nullptr;
  };

  void start(std::span<const uint64_t> arguments);
  void cover_group(std::array<uint64_t, 3> group);
  void begin_wave(uint64_t first, uint64_t count);
  void exchange(Waiting& w);
  bool meet(std::vector<Waiting>& waves);
  /// Runs the wave from here on, or from the start; gives the barrier that it arrives at, or null at its end.
  const Code* wave(const Code* from);
  bool terminator(const Code& c, const Code*& next);
  bool operation(const Code& c);
  bool lane_operation(const Code& c);
  bool elementwise(const Code& c);
  bool mask_operation(const Code& c);
  bool memory_operation(const Code& c);
  bool uniform_load(const Code& c);
  uint64_t place(const Code& c, uint64_t pointer, uint32_t lane, unsigned bytes);
  bool launch_id(const Code& c);
  void copy(const Ref& to, const Ref& from);
  bool take(uint32_t edge, const Code*& next);

  uint64_t& word(const Ref& r, uint32_t lane = 0) { return data_[r.at + (r.lane ? lane : 0)]; }
  size_t words(const Ref& r) const { return r.lane ? p_.width : 1; }
  Lanes& poison(const Ref& r) { return poison_[r.poison]; }
  bool poisoned(const Ref& r, uint32_t lane) { return (poison_[r.poison] >> lane) & 1; }
  /// Arbitrary bits for a lane that nothing specifies; the sequence is the same in every run.
  uint64_t garbage(unsigned bits) {
    garbage_ = garbage_ * 6364136223846793005u + 1442695040888963407u;
    return low_bits(garbage_ >> 17 ^ 0xdeadbeefdeadbeefu, bits);
  }
  bool stop(RunStatus status, std::string message) {
    result_.status = status;
    result_.message = std::move(message);
    return false;
  }
  std::string where(uint32_t lane) const {
    return fmt::format("lane {} (work-item ({}, {}, {}))", lane, global_[0][lane], global_[1][lane],
                       global_[2][lane]);
  }
  bool broken(const Code& c, std::string what) {
    return stop(RunStatus::Error,
                fmt::format("{} {}: {}, in the wave of work-item ({}, {}, {})", describe(f_, c.inst),
                            "breaks a law of wave IR", what, global_[0][0], global_[1][0], global_[2][0]));
  }
  /// In strict mode, stops when any of the lanes is poisoned.
  bool specified(const Code& c, const Ref& r, Lanes lanes, std::string_view what) {
    Lanes bad = poison(r) & lanes;
    if (!bad || !options_.strict) return true;
    return stop(RunStatus::Error,
                fmt::format("unspecified content of {} reaches the {} of {}",
                            where(static_cast<uint32_t>(std::countr_zero(bad))), what, describe(f_, c.inst)));
  }
  bool out_of_bounds(const Code& c, uint64_t address, uint32_t lane) {
    return stop(RunStatus::OutOfBounds, fmt::format("{}: {} of {} bytes at {:#x} is outside every buffer: {}",
                                                    where(lane), c.op == Op::lane_store ? "store" : "load",
                                                    (c.bits + 7) / 8, address, describe(f_, c.inst)));
  }

  const Program& p_;
  const Function& f_;
  const LaunchSpec& launch_;
  const WaveRunOptions& options_;
  MemoryMap memory_;
  WaveRunResult result_;
  std::vector<uint64_t> data_, copied_;
  std::vector<Lanes> poison_;
  // Of the group that runs; of the wave, one lane after the other.
  std::vector<uint8_t> local_memory_, private_memory_;
  BarrierMeetings meetings_;  // of the group
  uint64_t garbage_ = 1;
  // The wave that runs.
  Lanes valid_ = 0, active_ = 0;
  const BlockCode* block_ = nullptr;
  std::array<std::array<uint64_t, kMaxWidth>, 3> global_{}, local_{};
  std::array<uint64_t, 3> group_{};
};

void Runner::start(std::span<const uint64_t> arguments) {
  data_.assign(p_.words, 0);
  poison_.assign(p_.flags, 0);
  copied_.assign(p_.words + p_.flags, 0);
  // What has not been written is unspecified; verified functions only see it through undef and variables.
  for (size_t i = 0; i < f_.value_count(); ++i) {
    const Value& v = f_.value(ValueId(i));
    const Ref& r = p_.values[i];
    for (uint32_t l = 0; l < (r.lane ? p_.width : 1); ++l)
      data_[r.at + l] = v.kind == ValueKind::Const ? v.bits : garbage(v.type.bits());
    if (v.type.is_mask()) data_[r.at] &= p_.full;
    poison(r) = v.kind == ValueKind::Const ? 0 : kAll;
  }
  const auto& params = f_.block(f_.entry()).params;
  for (size_t i = 0; i < arguments.size(); ++i) {
    const Ref& r = p_.values[params[i].index];
    for (uint32_t l = 0; l < (r.lane ? p_.width : 1); ++l)
      data_[r.at + l] = low_bits(arguments[i], f_.type(params[i]).bits());
    poison(r) = 0;
  }
}

WaveRunResult Runner::run(std::span<const uint64_t> arguments) {
  start(arguments);
  for (uint64_t z = 0; z < launch_.groups(2); ++z)
    for (uint64_t y = 0; y < launch_.groups(1); ++y)
      for (uint64_t x = 0; x < launch_.groups(0); ++x) {
        cover_group({x, y, z});
        if (!result_.ok()) return std::move(result_);
      }
  if (result_.trap) {
    result_.status = RunStatus::Trapped;
    result_.message = fmt::format("trap: {}", to_string(result_.trap->site.kind));
  }
  return std::move(result_);
}

void Runner::cover_group(std::array<uint64_t, 3> group) {
  group_ = group;
  local_memory_.assign(std::max(p_.local_memory.size, launch_.local_bytes), kUnwritten);
  const auto& size = launch_.local;
  // A run of work-items that waves cut into pieces: the whole group, or one row of it.
  uint64_t row = options_.packed ? size[0] * size[1] * size[2] : size[0];
  uint64_t rows = size[0] * size[1] * size[2] / row;
  meetings_ = {};
  std::vector<Waiting> waiting;
  for (uint64_t r = 0; r < rows; ++r)
    for (uint64_t first = 0; first < row; first += p_.width) {
      begin_wave(r * row + first, std::min<uint64_t>(p_.width, row - first));
      const Code* at = wave(nullptr);
      if (!result_.ok()) return;
      ++result_.statistics.waves;
      if (!at) continue;
      exchange(waiting.emplace_back());
      waiting.back().at = at;
    }
  while (!waiting.empty() && meet(waiting)) {
    for (Waiting& w : waiting) {
      exchange(w);
      w.at = wave(w.at);
      if (!result_.ok()) return;
      exchange(w);
    }
    std::erase_if(waiting, [](const Waiting& w) { return !w.at; });
  }
}

// Gives `count` lanes the work-items of the group from the linear local id `first` on.
void Runner::begin_wave(uint64_t first, uint64_t count) {
  const auto& size = launch_.local;
  for (uint32_t l = 0; l < p_.width; ++l) {
    uint64_t linear = l < count ? first + l : garbage(16);
    local_[0][l] = linear % size[0];
    local_[1][l] = linear / size[0] % size[1];
    local_[2][l] = linear / size[0] / size[1];
    for (size_t d = 0; d < 3; ++d) global_[d][l] = launch_.offset[d] + group_[d] * size[d] + local_[d][l];
  }
  valid_ = count == 64 ? kAll : (Lanes{1} << count) - 1;
  const Ref mask = p_.values[f_.block(f_.entry()).params.back().index];
  word(mask) = valid_;
  poison(mask) = 0;
  private_memory_.assign(p_.private_memory.size * p_.width, kUnwritten);
  for (size_t v = 0; v < f_.vars.size(); ++v) {
    const Ref& var = p_.vars[v];
    for (uint32_t l = 0; l < (var.lane ? p_.width : 1); ++l) word(var, l) = garbage(f_.vars[v].type.bits());
    if (f_.vars[v].type.is_mask()) word(var) &= p_.full;
    poison(var) = kAll;
  }
}

// Trades the wave that runs for one that waits. What is not in it is set anew by begin_wave.
void Runner::exchange(Waiting& w) {
  if (w.data.empty()) w.data = data_, w.poison = poison_;
  std::swap(w.data, data_), std::swap(w.poison, poison_);
  std::swap(w.private_memory, private_memory_);
  std::swap(w.global, global_), std::swap(w.local, local_);
  std::swap(w.valid, valid_);
  std::swap(w.block, block_);
}

// Lets the waves go on that stand at a barrier, or reports work-items at different ones.
bool Runner::meet(std::vector<Waiting>& waves) {
  std::vector<WaveAtBarrier> standing;
  for (Waiting& w : waves)
    standing.push_back({.place = w.at->inst.index,
                        .arrived = w.data[w.at->in[0].at] & p_.full,
                        .valid = w.valid,
                        .global_id =
                            [&w](uint32_t l) {
                              return std::array{w.global[0][l], w.global[1][l], w.global[2][l]};
                            },
                        .history = &w.history});
  std::vector<StrandedItem> stranded = meetings_.meet(standing);
  for (const StrandedItem& s : stranded) {
    auto site = static_cast<size_t>(f_.inst(InstId(static_cast<uint32_t>(s.place))).attrs[1]);
    add_trap(result_.trap, {.site = f_.traps[site], .global_id = s.global_id, .count = 1});
  }
  for (Waiting& w : waves) ++w.at;
  return stranded.empty();
}

const Code* Runner::wave(const Code* from) {
  const Code* c = from;
  auto enter = [&](BlockId b) {
    block_ = &p_.blocks[b.index];
    if (options_.on_block)
      options_.on_block(result_.statistics.waves, b, block_->mask_on_entry ? word(block_->mask) : 0);
  };
  if (!c) {
    enter(f_.entry());
    c = &p_.code[block_->pc];
  }
  for (;;) {
    ++result_.steps;
    ++result_.statistics.issued[static_cast<size_t>(c->category)];
    active_ = c->mask_known ? word(block_->mask) : 0;
    if (c->needs_non_empty) {
      if (c->mask_known && !specified(*c, block_->mask, p_.full, "block's mask")) return nullptr;
      if (!c->mask_known) {
        broken(*c, "it runs before its block's mask is known");
        return nullptr;
      }
      if (!active_) {
        broken(*c, "it runs with an empty mask");
        return nullptr;
      }
    }
    if (c->op == Op::lane_barrier) {
      if (!specified(*c, c->in[0], p_.full, "mask")) return nullptr;
      if (Lanes outside = word(c->in[0]) & ~active_) {
        broken(*c, fmt::format("lanes {:#x} are outside the block's mask", outside));
        return nullptr;
      }
      return c;
    }
    if (c->category != WaveCategory::Control) {
      if (!operation(*c)) return nullptr;
      ++c;
      continue;
    }
    if (result_.steps > options_.max_steps) {
      stop(RunStatus::StepLimit, fmt::format("the wave of {}: more than {} steps, at {}", where(0),
                                             options_.max_steps, describe(f_, c->inst)));
      return nullptr;
    }
    if (c->op == Op::ret) {
      if (options_.strict && options_.all_return && c->mask_known && active_ != valid_)
        broken(*c, fmt::format("lanes {:#x} return, but the wave has {:#x}", active_, valid_));
      return nullptr;
    }
    const Code* next = nullptr;
    if (!terminator(*c, next)) return nullptr;
    c = next;
  }
}

void Runner::copy(const Ref& to, const Ref& from) {
  std::copy_n(&data_[from.at], words(to), &data_[to.at]);
  poison(to) = poison(from);
}

bool Runner::take(uint32_t edge, const Code*& next) {
  const Edge& e = p_.edges[edge];
  std::span<const CopyRef> moves(p_.copies.data() + e.first_copy, e.copies);
  if (!e.clash) {
    for (const CopyRef& m : moves) copy(m.to, m.from);
  } else {
    // All are read before any is written.
    size_t at = 0;
    for (const CopyRef& m : moves) {
      std::copy_n(&data_[m.from.at], words(m.from), &copied_[at]);
      copied_[at + words(m.from)] = poison(m.from);
      at += words(m.from) + 1;
    }
    at = 0;
    for (const CopyRef& m : moves) {
      std::copy_n(&copied_[at], words(m.to), &data_[m.to.at]);
      poison(m.to) = copied_[at + words(m.to)];
      at += words(m.to) + 1;
    }
  }
  result_.statistics.issued[static_cast<size_t>(WaveCategory::Move)] += e.copies;
  block_ = &p_.blocks[e.block.index];
  if (options_.on_block)
    options_.on_block(result_.statistics.waves, e.block, block_->mask_on_entry ? word(block_->mask) : 0);
  next = &p_.code[block_->pc];
  return true;
}

bool Runner::terminator(const Code& c, const Code*& next) {
  if (c.op == Op::br) return take(c.edge, next);
  if (!specified(c, c.in[0], 1, "condition")) return false;
  if (c.op == Op::br_if) return take(c.edge + (word(c.in[0]) & 1 ? 0 : 1), next);
  uint32_t which = 0;
  for (uint32_t i = 0; i < c.cases.size() && !which; ++i) {
    if (!specified(c, c.cases[i], 1, "case")) return false;
    if (word(c.cases[i]) == word(c.in[0])) which = i + 1;
  }
  return take(c.edge + which, next);
}

bool Runner::operation(const Code& c) {
  switch (c.category) {
    case WaveCategory::Mask:
      return mask_operation(c);
    case WaveCategory::Move:
      copy(c.out, c.in[0]);
      return true;
    case WaveCategory::Merge:
      for (uint32_t l = 0; l < p_.width; ++l)
        word(c.out, l) = word(word(c.in[0]) >> l & 1 ? c.in[1] : c.in[2], l);
      poison(c.out) =
          poison(c.in[0]) | (word(c.in[0]) & poison(c.in[1])) | (~word(c.in[0]) & poison(c.in[2]));
      return true;
    case WaveCategory::Uniform:
      if (c.op == Op::fence) return true;  // every access is made at once here
      return c.eval || c.op == Op::ptr_add ? elementwise(c) : launch_id(c);
    case WaveCategory::UniformLoad:
      return uniform_load(c);
    default:
      break;
  }
  if (!specified(c, block_->mask, p_.full, "block's mask")) return false;
  ++result_.statistics.lane_issues;
  result_.statistics.active_lanes += static_cast<uint64_t>(std::popcount(active_));
  if (c.category != WaveCategory::Lane) return memory_operation(c);
  return lane_operation(c);
}

bool Runner::lane_operation(const Code& c) {
  switch (c.op) {
    case Op::lane_id:
      for (uint32_t l = 0; l < p_.width; ++l) word(c.out, l) = active_ >> l & 1 ? l : garbage(c.bits);
      poison(c.out) = ~active_;
      return true;
    case Op::splat:
      for (uint32_t l = 0; l < p_.width; ++l)
        word(c.out, l) = active_ >> l & 1 ? word(c.in[0]) : garbage(c.bits);
      poison(c.out) = ~active_ | poison(c.in[0]);
      return true;
    case Op::first_lane: {
      Lanes mask = word(c.in[0]);
      if (!specified(c, c.in[0], p_.full, "mask")) return false;
      if (!mask) return broken(c, "its mask is empty");
      if (mask & ~active_)
        return broken(c, fmt::format("lanes {:#x} are outside the block's mask", mask & ~active_));
      auto l = static_cast<uint32_t>(std::countr_zero(mask));
      if (!specified(c, c.in[1], Lanes{1} << l, "value")) return false;
      word(c.out) = word(c.in[1], l);
      poison(c.out) = 0;
      return true;
    }
    default:
      return c.eval || c.op == Op::ptr_add ? elementwise(c) : launch_id(c);
  }
}

bool Runner::elementwise(const Code& c) {
  std::array<uint64_t, 3> a{};
  uint32_t count = c.out.lane ? p_.width : 1;
  Lanes lanes = c.out.lane ? active_ : 1;
  for (uint32_t l = 0; l < count; ++l) {
    if (!(lanes >> l & 1)) {
      word(c.out, l) = garbage(c.bits);
      continue;
    }
    for (size_t i = 0; i < 3; ++i) a[i] = word(c.in[i], l);
    word(c.out, l) = c.op == Op::ptr_add
                         ? element_address(a[0], a[1], c.index64, c.pointer64, c.scale, c.offset)
                         : c.eval(a.data());
  }
  // The value that a select does not take may be unspecified, and so may a condition where the other one
  // decides.
  Lanes bad = 0;
  size_t operands = f_.inst(c.inst).operands.size();
  auto ones = [&](const Ref& r) {
    Lanes set = 0;
    for (uint32_t l = 0; l < p_.width; ++l) set |= (word(r, l) & 1) << l;
    return set;
  };
  if (c.op == Op::select) {
    Lanes takes_first = ones(c.in[0]);
    bad = poison(c.in[0]) | (takes_first & poison(c.in[1])) | (~takes_first & poison(c.in[2]));
  } else if (c.bits == 1 && (c.op == Op::and_ || c.op == Op::or_)) {
    Lanes a = ones(c.in[0]), b = ones(c.in[1]), pa = poison(c.in[0]), pb = poison(c.in[1]);
    if (c.op == Op::and_) a = ~a, b = ~b;
    bad = (pa | pb) & ~((a & ~pa) | (b & ~pb));
  } else {
    for (size_t i = 0; i < operands; ++i) bad |= poison(c.in[i]);
  }
  if (c.out.lane) bad |= ~active_;
  poison(c.out) = bad;
  return true;
}

bool Runner::mask_operation(const Code& c) {
  Lanes a = word(c.in[0]), pa = poison(c.in[0]);
  Lanes b = 0, pb = 0;
  if (f_.inst(c.inst).operands.size() > 1 && c.op != Op::mask_cond) b = word(c.in[1]), pb = poison(c.in[1]);
  Lanes result = 0, bad = 0;
  // A bit is specified as soon as one operand decides it.
  switch (c.op) {
    case Op::mask_or:
      result = a | b;
      bad = (pa | pb) & ~((a & ~pa) | (b & ~pb));
      break;
    case Op::mask_andnot:
      b = ~b;
      [[fallthrough]];
    case Op::mask_and:
      result = a & b;
      bad = (pa | pb) & ~((~a & ~pa) | (~b & ~pb));
      break;
    case Op::mask_cond:
      for (uint32_t l = 0; l < p_.width; ++l) result |= (word(c.in[1], l) & 1) << l;
      result &= a;
      bad = pa | (a & poison(c.in[1]));
      break;
    case Op::mask_if:
      result = b & 1 ? a : 0;
      bad = pa | (poison(c.in[1]) & 1 ? a : 0);
      break;
    default:  // any
      result = (a & p_.full) != 0;
      bad = !(a & ~pa & p_.full) && (pa & p_.full) ? kAll : 0;
      word(c.out) = result;
      poison(c.out) = bad;
      return true;
  }
  word(c.out) = result & p_.full;
  poison(c.out) = bad;
  return true;
}

/// The address in this process of what a lane accesses; 0 when it lies outside its memory.
uint64_t Runner::place(const Code& c, uint64_t pointer, uint32_t lane, unsigned bytes) {
  if (c.space != Elem::PtrLocal && c.space != Elem::PtrPrivate)
    return memory_.contains(pointer, bytes) ? pointer : 0;
  bool is_local = c.space == Elem::PtrLocal;
  std::vector<uint8_t>& memory = is_local ? local_memory_ : private_memory_;
  uint64_t size = is_local ? local_memory_.size() : p_.private_memory.size;
  if (pointer < kFirstOffset || bytes > size || pointer > size - bytes) return 0;
  return reinterpret_cast<uint64_t>(memory.data() + (is_local ? 0 : lane * size) + pointer);
}

bool Runner::uniform_load(const Code& c) {
  unsigned bytes = (c.bits + 7u) / 8u;
  if (!specified(c, c.in[0], 1, "address")) return false;
  if (c.space == Elem::PtrPrivate) return broken(c, "private memory is another one for each lane");
  uint64_t address = place(c, word(c.in[0]), 0, bytes);
  if (!address) return out_of_bounds(c, word(c.in[0]), 0);
  word(c.out) = load_bits(address, bytes);
  poison(c.out) = 0;
  return true;
}

bool Runner::memory_operation(const Code& c) {
  unsigned bytes = (c.bits + 7u) / 8u;
  if (!specified(c, c.in[0], p_.full, "mask")) return false;
  Lanes mask = word(c.in[0]);
  if (mask & ~active_)
    return broken(c, fmt::format("lanes {:#x} are outside the block's mask", mask & ~active_));
  if (!specified(c, c.in[1], mask, "address")) return false;
  size_t operands = f_.inst(c.inst).operands.size();
  for (size_t i = 2; i < operands; ++i)
    if (!specified(c, c.in[i], mask, "value")) return false;
  bool store = c.op == Op::lane_store;
  for (uint32_t l = 0; l < p_.width; ++l) {
    if (!(mask >> l & 1)) {
      if (!store) word(c.out, l) = garbage(c.bits);
      continue;
    }
    uint64_t address = place(c, word(c.in[1], l), l, bytes);
    if (!address) return out_of_bounds(c, word(c.in[1], l), l);
    if (store) {
      store_bits(address, bytes, word(c.in[2], l));
      continue;
    }
    uint64_t old = load_bits(address, bytes);
    if (c.eval) {
      const std::array<uint64_t, 3> a{old, word(c.in[2], l), operands > 3 ? word(c.in[3], l) : 0};
      store_bits(address, bytes, c.eval(a.data()));
    }
    word(c.out, l) = old;
  }
  if (!store) poison(c.out) = ~mask;
  return true;
}

bool Runner::launch_id(const Code& c) {
  auto d = static_cast<size_t>(c.offset);
  auto uniform = [&](uint64_t value) {
    word(c.out) = low_bits(value, c.bits);
    poison(c.out) = 0;
    return true;
  };
  switch (c.op) {
    case Op::group_id:
      return uniform(group_[d]);
    case Op::global_size:
      return uniform(launch_.global[d]);
    case Op::local_size:
      return uniform(launch_.local[d]);
    case Op::num_groups:
      return uniform(launch_.groups(d));
    case Op::global_offset:
      return uniform(launch_.offset[d]);
    case Op::work_dim:
      return uniform(launch_.dims);
    default:
      break;
  }
  const auto& ids = c.op == Op::global_id ? global_[d] : local_[d];
  if (c.out.lane) {
    for (uint32_t l = 0; l < p_.width; ++l)
      word(c.out, l) = low_bits(active_ >> l & 1 ? ids[l] : garbage(c.bits), c.bits);
    poison(c.out) = ~active_;
    return true;
  }
  for (uint32_t l = 0; l < p_.width; ++l)
    if ((valid_ >> l & 1) && ids[l] != ids[0])
      return broken(c, fmt::format("lanes 0 and {} differ in an id that is declared uniform", l));
  return uniform(ids[0]);
}

}  // namespace

WaveInterpreter::WaveInterpreter(const Function& f) : program_(std::make_unique<wave::Program>(f)) {}
WaveInterpreter::~WaveInterpreter() = default;
WaveInterpreter::WaveInterpreter(WaveInterpreter&&) noexcept = default;

WaveRunResult WaveInterpreter::run(const LaunchSpec& launch, std::span<const uint64_t> arguments,
                                   const WaveRunOptions& options) const {
  const wave::Program& p = *program_;
  std::string error = p.error;
  if (error.empty())
    error = check_launch(*p.f, launch, arguments.size(), p.f->block(p.f->entry()).params.size() - 1);
  if (error.empty()) return Runner(p, launch, options).run(arguments);
  WaveRunResult r;
  r.status = RunStatus::Error;
  r.message = std::move(error);
  return r;
}

WaveRunResult run_waves(const Function& f, const LaunchSpec& launch, std::span<const uint64_t> arguments,
                        const WaveRunOptions& options) {
  return WaveInterpreter(f).run(launch, arguments, options);
}

}  // namespace kc
