// SPDX-License-Identifier: Apache-2.0
#include "sim/interpreter/order_shadow.h"

#include <algorithm>

namespace kc::threads {
namespace {

bool any(std::span<const uint8_t> flags) {
  return std::ranges::any_of(flags, [](uint8_t flag) { return flag != 0; });
}

}  // namespace

OrderShadow::OrderShadow(const Machine& machine, std::span<const uint64_t> arguments, ShadowedLaunch& launch)
    : m(machine),
      p(machine.p),
      f(machine.f),
      map_(machine.ranges),
      launch_(launch),
      unordered_(launch.ranges.size()),
      range_of_(f.value_count(), -1),
      sets_(f.vars.size()),
      cfg_(f),
      tree_(f, cfg_),
      regions_(f.block_count()) {
  launch_.bytes.assign(launch.ranges.size(), {});
  for (size_t k = 0; k < unordered_.size(); ++k) {
    launch_.bytes[k].resize(m.ranges[k].size);
    unordered_[k].resize(m.ranges[k].size);
  }
  launch.global.each([&](uint64_t address, uint8_t what) {
    if ((what & UnorderedBytes::Loads) && map_.contains(address, 1))
      unordered_[map_.last()][address - m.ranges[map_.last()].base] = 1;
  });
  for (size_t i = 0; i < arguments.size(); ++i)
    if (f.type(ValueId(p.params[i])) == kPtrGlobal)
      for (size_t k = 0; k < unordered_.size(); ++k)
        if (arguments[i] == m.ranges[k].base) range_of_[p.params[i]] = static_cast<int>(k);
  for (BlockId b : f.layout)
    for (InstId i : f.block(b).insts)
      if (const Inst& inst = f.inst(i); inst.op == Op::var_set)
        sets_[static_cast<size_t>(inst.attrs[0])].push_back(inst.operands[0]);
}

void OrderShadow::allocate(const ItemStore& store) {
  items_.resize(store.items.size());
  for (State& s : items_) {
    s.registers.resize(m.initial.size());
    s.own.resize(p.private_memory.size);
  }
  local_.resize(m.local.size);
}

void OrderShadow::begin_group() { std::ranges::fill(local_, uint8_t{Settled}); }

void OrderShadow::begin(const Item& item) {
  State& s = items_[item.local];
  std::ranges::fill(s.registers, uint8_t{Settled});
  std::ranges::fill(s.own, uint8_t{Settled});
  s.controlled = false;
}

void OrderShadow::open_range(size_t range) {
  if (range < launch_.ranges.size()) launch_.ranges[range] = true;
}

void OrderShadow::open_all(Space space, State& s) {
  if (space == Space::Private)
    std::ranges::fill(s.own, uint8_t{Open});
  else if (space == Space::Local)
    launch_.local_memory = true;
  else
    launch_.ranges.assign(launch_.ranges.size(), true);
}

// The range of a pointer in whatever order work-items run, or -1.
int OrderShadow::root(ValueId pointer, unsigned depth) const {
  const Value& v = f.value(pointer);
  if (v.kind == ValueKind::Param) return range_of_[pointer.index];
  if (v.kind != ValueKind::Result || depth == 0) return -1;
  const Inst& inst = f.inst(InstId(v.owner));
  if (inst.op == Op::ptr_add) return root(inst.operands[0], depth - 1);
  if (inst.op != Op::var_get) return -1;
  const auto& sets = sets_[static_cast<size_t>(inst.attrs[0])];
  // `p = p + 1` says nothing new: its own value is looked through.
  int only = -1;
  for (ValueId set : sets) {
    ValueId base = set;
    while (f.value(base).kind == ValueKind::Result && f.inst(InstId(f.value(base).owner)).op == Op::ptr_add)
      base = f.inst(InstId(f.value(base).owner)).operands[0];
    if (f.value(base).kind == ValueKind::Result)
      if (const Inst& from = f.inst(InstId(f.value(base).owner));
          from.op == Op::var_get && from.attrs[0] == inst.attrs[0])
        continue;
    int one = root(base, depth - 1);
    if (one < 0 || (only >= 0 && one != only)) return -1;
    only = one;
  }
  return only;
}

void OrderShadow::open_target(InstId write, State& s) {
  const ValueId pointer = f.inst(write).operands[0];
  const Type type = f.type(pointer);
  constexpr unsigned depth = 4;
  if (int range = type == kPtrGlobal ? root(pointer, depth) : -1; range >= 0)
    open_range(static_cast<size_t>(range));
  else
    open_all(type == kPtrLocal ? Space::Local : type == kPtrPrivate ? Space::Private : Space::Global, s);
}

void OrderShadow::add_block(Region& r, BlockId b) const {
  for (ValueId v : f.block(b).params) r.registers.push_back(v.index);
  for (InstId i : f.block(b).insts) {
    const Inst& inst = f.inst(i);
    // These are as they are from the start.
    if (inst.op == Op::object_address || inst.op == Op::opaque_false) continue;
    for (ValueId v : inst.results) r.registers.push_back(v.index);
    if (inst.op == Op::var_set) r.registers.push_back(p.first_var + static_cast<uint32_t>(inst.attrs[0]));
    if (stores(inst.op) || info(inst.op).has(Atomic)) r.writes.push_back(i);
    r.barrier |= inst.op == Op::barrier;
    r.trap |= inst.op == Op::trap;
  }
}

const OrderShadow::Region& OrderShadow::region(BlockId from) {
  auto& known = regions_[from.index];
  if (known) return *known;
  known = std::make_unique<Region>();
  known->end = tree_.ipdom[from.index];
  std::vector<bool> seen(f.block_count());
  std::vector<BlockId> work;
  auto reach = [&](BlockId b) {
    for (const Target& t : f.successors(b))
      if (!seen[t.block.index] && t.block != known->end) seen[t.block.index] = true, work.push_back(t.block);
  };
  reach(from);
  while (!work.empty()) {
    BlockId b = work.back();
    work.pop_back();
    add_block(*known, b);
    reach(b);
  }
  return *known;
}

OrderShadow::Place OrderShadow::place(const Code& c, uint64_t pointer, State& s) {
  if (c.space == Space::Private) {
    if (pointer > s.own.size() || c.bytes > s.own.size() - pointer) return {};
    return {.bytes = std::span(s.own).subspan(pointer, c.bytes)};
  }
  if (c.space == Space::Local) {
    if (pointer > local_.size() || c.bytes > local_.size() - pointer) return {};
    Place at{.bytes = std::span(local_).subspan(pointer, c.bytes), .open = launch_.local_memory};
    for (uint64_t i = 0; i < c.bytes && !launch_.local.empty(); ++i)
      at.unordered |= (launch_.local.at(m.group_linear, pointer + i) & UnorderedBytes::Loads) != 0;
    return at;
  }
  if (!map_.contains(pointer, c.bytes) || map_.last() >= launch_.bytes.size()) return {};
  const size_t range = map_.last();
  const uint64_t offset = pointer - m.ranges[range].base;
  return {.bytes = std::span(launch_.bytes[range]).subspan(offset, c.bytes),
          .open = launch_.ranges[range],
          .unordered = any(std::span(unordered_[range]).subspan(offset, c.bytes))};
}

void OrderShadow::load(const Code& c, const Item& item, State& s) {
  const Place at = place(c, item.registers[c.a], s);
  const bool open = s.controlled || s.registers[c.a] != Settled || at.open || at.unordered || any(at.bytes);
  s.registers[c.dst] = open ? Open : Settled;
}

// A store, or an atomic operation, which keeps something of what was there.
void OrderShadow::write(const Code& c, const Item& item, State& s) {
  const Place at = place(c, item.registers[c.a], s);
  // In a region the targets of all stores are open already.
  if (!s.controlled && s.registers[c.a] != Settled) {
    if (s.registers[c.a] == Inside && c.space == Space::Global && map_.contains(item.registers[c.a], c.bytes))
      open_range(map_.last());
    else
      open_all(c.space, s);
  }
  const bool open =
      s.controlled || s.registers[c.b] != Settled || (c.kind == Kind::Atomic && s.registers[c.c] != Settled);
  if (c.kind == Kind::Atomic) {
    load(c, item, s);
    if (open) std::ranges::fill(at.bytes, uint8_t{Open});
  } else {
    std::ranges::fill(at.bytes, open ? uint8_t{Open} : uint8_t{Settled});
  }
}

void OrderShadow::step(const Code& c, const Item& item) {
  State& s = items_[item.local];
  auto& r = s.registers;
  const uint8_t least = s.controlled ? Open : Settled;
  auto value = [](uint8_t shadow) { return shadow ? uint8_t{Open} : uint8_t{Settled}; };
  switch (c.kind) {
    case Kind::Eval1:
      r[c.dst] = std::max(least, value(r[c.a]));
      return;
    case Kind::Eval2:
      r[c.dst] = std::max({least, value(r[c.a]), value(r[c.b])});
      return;
    case Kind::Eval3:
      r[c.dst] = std::max({least, value(r[c.a]), value(r[c.b]), value(r[c.c])});
      return;
    case Kind::Copy:
      r[c.dst] = std::max(least, r[c.a]);
      return;
    case Kind::PtrAdd:
      r[c.dst] = std::max({least, r[c.a], r[c.b] ? uint8_t{Inside} : uint8_t{Settled}});
      return;
    case Kind::Load:
      return load(c, item, s);
    case Kind::Store:
    case Kind::Atomic:
      return write(c, item, s);
    default:
      r[c.dst] = least;
  }
}

void OrderShadow::leave_block(const Code& c, const Item& item) {
  State& s = items_[item.local];
  if (c.kind == Kind::Trap) launch_.trap |= s.controlled || s.registers[c.a] != Settled;
  if ((c.kind != Kind::BrIf && c.kind != Kind::Switch) || s.registers[c.a] == Settled || s.controlled) return;
  // The region of a branch inside another region is a part of that.
  const Region& r = region(f.inst(c.inst).block);
  for (uint32_t reg : r.registers) s.registers[reg] = Open;
  for (InstId write : r.writes) open_target(write, s);
  launch_.everything |= r.barrier;
  launch_.trap |= r.trap;
  s.controlled = true;
  s.until = r.end;
}

void OrderShadow::pass(const Edge& e, const Item& item) {
  State& s = items_[item.local];
  const Copy* copy = p.copies.data() + e.first_copy;
  for (uint32_t i = 0; i < e.copies; ++i) s.registers[copy[i].dst] = s.registers[copy[i].src];
  if (!s.controlled) return;
  for (ValueId v : f.block(e.block).params) s.registers[v.index] = Open;
  if (e.block == s.until) s.controlled = false;
}

}  // namespace kc::threads
