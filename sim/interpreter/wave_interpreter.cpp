// SPDX-License-Identifier: Apache-2.0
#include "sim/interpreter/wave_interpreter.h"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <span>
#include <vector>

#include "sim/interpreter/wave_runner.h"

namespace kc {

std::string_view to_string(WaveCategory category) {
  constexpr std::array<std::string_view, static_cast<size_t>(WaveCategory::Count_)> names{
      "uniform", "lane", "mask", "merge", "move", "uniform load", "lane load", "lane store", "control"};
  return names[static_cast<size_t>(category)];
}

namespace wave {

void Runner::start(std::span<const uint64_t> arguments) {
  data_.assign(p_.words, 0);
  poison_.assign(p_.flags, 0);
  copied_.assign(p_.words + p_.flags, 0);
  // Unwritten registers are unspecified; verified functions observe that only through undef and variables.
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
  // The work-items that are divided into waves: the whole group, or one row of it.
  uint64_t row = options_.packed ? size[0] * size[1] * size[2] : size[0];
  uint64_t rows = size[0] * size[1] * size[2] / row;
  barriers_ = {};
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

// Assigns to `count` lanes the work-items of the group from the linear local id `first` on.
void Runner::begin_wave(uint64_t first, uint64_t count) {
  const auto& size = launch_.local;
  for (uint32_t l = 0; l < p_.width; ++l) {
    uint64_t linear = l < count ? first + l : garbage(16);
    local_[0][l] = linear % size[0];
    local_[1][l] = linear / size[0] % size[1];
    local_[2][l] = linear / size[0] / size[1];
    for (size_t d = 0; d < 3; ++d) global_[d][l] = launch_.offset[d] + group_[d] * size[d] + local_[d][l];
  }
  number_ = result_.statistics.waves;
  visits_ = BlockVisits(f_.block_count(), count);
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

// Swaps the current wave with a waiting one. The remaining state is set by begin_wave.
void Runner::exchange(Waiting& w) {
  if (w.data.empty()) w.data = data_, w.poison = poison_;
  std::swap(w.data, data_), std::swap(w.poison, poison_);
  std::swap(w.private_memory, private_memory_);
  std::swap(w.global, global_), std::swap(w.local, local_);
  std::swap(w.valid, valid_);
  std::swap(w.block, block_);
  std::swap(w.visits, visits_);
  std::swap(w.number, number_);
}

// Continues the waves that wait at a barrier, or reports work-items at different ones.
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
  std::vector<StrandedItem> stranded = barriers_.arrive(standing);
  for (const StrandedItem& s : stranded) {
    auto site = static_cast<size_t>(f_.inst(InstId(static_cast<uint32_t>(s.place))).attrs[1]);
    add_trap(result_.trap, {.site = f_.traps[site], .global_id = s.global_id, .count = 1});
  }
  for (Waiting& w : waves) ++w.at;
  return stranded.empty();
}

// Called at the end of a block, where its mask is known.
void Runner::count_block(const Code& end) {
  Lanes lanes = end.mask_known ? active_ : valid_;
  BlockId block = f_.inst(end.inst).block;
  if (options_.on_block) options_.on_block(number_, block, lanes & valid_);
  visits_.issue(block.index, result_.statistics, [&](auto visit) {
    for (Lanes l = lanes & valid_; l; l &= l - 1) visit(static_cast<uint32_t>(std::countr_zero(l)));
  });
}

const Code* Runner::wave(const Code* from) {
  const Code* c = from;
  if (!c) {
    block_ = &p_.blocks[f_.entry().index];
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
    if (result_.steps > options_.max_steps || is_set(options_.stop)) {
      result_.stopped_at = f_.inst(c->inst).loc;
      stop(RunStatus::StepLimit, fmt::format("the wave of {}: more than {} steps, at {}", where(0),
                                             options_.max_steps, describe(f_, c->inst)));
      return nullptr;
    }
    count_block(*c);
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
    // All sources are read before any destination is written.
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

}  // namespace wave

WaveInterpreter::WaveInterpreter(const Function& f) : program_(std::make_unique<wave::Program>(f)) {}
WaveInterpreter::~WaveInterpreter() = default;
WaveInterpreter::WaveInterpreter(WaveInterpreter&&) noexcept = default;

WaveRunResult WaveInterpreter::run(const LaunchSpec& launch, std::span<const uint64_t> arguments,
                                   const WaveRunOptions& options) const {
  const wave::Program& p = *program_;
  std::string error = p.error;
  if (error.empty())
    error = check_launch(*p.f, launch, arguments.size(), p.f->block(p.f->entry()).params.size() - 1);
  if (error.empty()) return wave::Runner(p, launch, options).run(arguments);
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
