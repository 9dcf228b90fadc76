// SPDX-License-Identifier: Apache-2.0
// Execution of wave instructions.
#include <algorithm>

#include "sim/interpreter/wave_runner.h"

namespace kc::wave {

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
      if (c.op == Op::fence) return true;  // all accesses take effect immediately here
      return c.eval || c.op == Op::ptr_add ? elementwise(c) : launch_id(c);
    case WaveCategory::UniformAccess:
      return uniform_access(c);
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
    case Op::lane_shuffle:
      return shuffle(c);
    default:
      return c.eval || c.op == Op::ptr_add ? elementwise(c) : launch_id(c);
  }
}

bool Runner::shuffle(const Code& c) {
  if (!specified(c, c.in[0], p_.full, "mask")) return false;
  const Lanes mask = word(c.in[0]);
  if (mask & ~active_)
    return broken(c, fmt::format("lanes {:#x} are outside the block's mask", mask & ~active_));
  std::array<uint64_t, kMaxWidth> found{};
  Lanes bad = ~mask | poison(c.in[2]);
  for (uint32_t l = 0; l < p_.width; ++l) {
    uint64_t from = word(c.in[2], l);
    if (!(mask >> l & 1)) {
      found[l] = garbage(c.bits);
    } else if (from < p_.width && (mask >> from & 1)) {
      found[l] = word(c.in[1], static_cast<uint32_t>(from));
      if (poisoned(c.in[1], static_cast<uint32_t>(from))) bad |= Lanes{1} << l;
    }
  }
  for (uint32_t l = 0; l < p_.width; ++l) word(c.out, l) = found[l];
  poison(c.out) = bad;
  return true;
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
  // The operand that a select does not choose may be unspecified, and so may a condition if another operand
  // determines the result.
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
  // A bit is specified if one specified operand determines it.
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
    case Op::mask_bits:
      word(c.out) = a & p_.full;
      poison(c.out) = pa & p_.full ? kAll : 0;
      return true;
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

// For global and constant memory; the address was just found in one of the ranges.
void Runner::count_lane(const Code& c, uint64_t address, unsigned bytes) {
  if (c.space == Elem::PtrLocal || c.space == Elem::PtrPrivate) return;
  access_.lane(memory_.last(), address - options_.memory[memory_.last()].base, bytes);
}

/// The address in this process of a lane's access; 0 if it is outside its memory.
uint64_t Runner::place(const Code& c, uint64_t pointer, uint32_t lane, unsigned bytes) {
  if (c.space != Elem::PtrLocal && c.space != Elem::PtrPrivate)
    return memory_.contains(pointer, bytes) ? pointer : 0;
  bool is_local = c.space == Elem::PtrLocal;
  std::vector<uint8_t>& memory = is_local ? local_memory_ : private_memory_;
  uint64_t size = is_local ? local_memory_.size() : p_.private_memory.size;
  if (pointer < kFirstOffset || bytes > size || pointer > size - bytes) return 0;
  // Private memory is interleaved in units of the access.
  return reinterpret_cast<uint64_t>(memory.data() + (is_local ? pointer : pointer * p_.width + lane * bytes));
}

bool Runner::uniform_access(const Code& c) {
  unsigned bytes = (c.bits + 7u) / 8u;
  if (!specified(c, c.in[0], 1, "address")) return false;
  const size_t operands = f_.inst(c.inst).operands.size();
  for (size_t i = 1; i < operands; ++i)
    if (!specified(c, c.in[i], 1, "value")) return false;
  if (c.space == Elem::PtrPrivate && p_.width > 1)
    return broken(c, "private memory is another one for each lane");
  uint64_t address = place(c, word(c.in[0]), 0, bytes);
  if (!address) return out_of_bounds(c, word(c.in[0]), 0);
  count_lane(c, address, bytes);
  access_.finish(result_.statistics);
  if (uniform_stores(c.op)) {
    store_bits(address, bytes, word(c.in[1]));
    return true;
  }
  const uint64_t old = load_bits(address, bytes);
  if (c.eval) {
    const std::array<uint64_t, 3> a{old, word(c.in[1]), operands > 2 ? word(c.in[2]) : 0};
    store_bits(address, bytes, c.eval(a.data()));
  }
  word(c.out) = old;
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
  const bool store = stores(c.op);
  for (uint32_t l = 0; l < p_.width; ++l) {
    if (!(mask >> l & 1)) {
      if (!store) word(c.out, l) = garbage(c.bits);
      continue;
    }
    if (c.space == Elem::PtrPrivate && p_.width > 1 && word(c.in[1], l) % bytes != 0)
      return broken(c,
                    fmt::format("private offset {} is no multiple of the access's size", word(c.in[1], l)));
    uint64_t address = place(c, word(c.in[1], l), l, bytes);
    if (!address) return out_of_bounds(c, word(c.in[1], l), l);
    count_lane(c, address, bytes);
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
  access_.finish(result_.statistics);
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

}  // namespace kc::wave
