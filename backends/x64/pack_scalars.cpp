// SPDX-License-Identifier: Apache-2.0
// Superword-level parallelism (Larsen and Amarasinghe 2000) in code for one work-item at a time: scalars that
// lie side by side become vectors of 4, 8 or 16 bytes.
//
//   vmovss_store %p, %a                    %v = vaddps of two loads of 16 bytes
//   vmovss_store %p, %b, disp=4      ==>   vstore %p, %v
//   vmovss_store %p, %c, disp=8
//   vmovss_store %p, %d, disp=12
//
// Stores to neighbours are the seeds. What they store is packed if the same row computes it for all of them,
// out of operands that can be packed: neighbours in memory, one value for all, block parameters whose
// arguments can be packed. Nothing is packed that is used in another way, so no element is ever taken out of
// a vector.
#include <algorithm>
#include <array>
#include <initializer_list>
#include <map>
#include <optional>
#include <span>
#include <tuple>
#include <vector>

#include "backends/x64/cleanup.h"
#include "backends/x64/elements.h"
#include "backends/x64/emit.h"
#include "backends/x64/lowered.h"
#include "ir/cfg.h"
#include "passes/ir_util.h"

namespace kc::x64 {
namespace {

constexpr unsigned kBytes = 16;  // what copies and spills of code for one work-item move
constexpr unsigned kSizes[] = {16, 8, 4};
constexpr size_t kMostPacks = 256;
constexpr uint32_t kFar = 512;  // instructions between accesses that are one

// Of vectors of so many bytes.
struct VectorAccess {
  unsigned bytes;
  Op load, load_index, store, store_index;
};
constexpr VectorAccess kWhole[] = {
    {16, Op::x64_vload, Op::x64_vload_index, Op::x64_vstore, Op::x64_vstore_index},
    {8, Op::x64_vmovsd_load, Op::x64_vmovsd_load_index, Op::x64_vmovsd_store, Op::x64_vmovsd_store_index},
    {4, Op::x64_vmovss_load, Op::x64_vmovss_load_index, Op::x64_vmovss_store, Op::x64_vmovss_store_index},
};

struct Elementwise {
  Op scalar, vector;
  uint8_t bytes;
};
constexpr Elementwise kFloats[] = {
    {Op::x64_vaddss, Op::x64_vaddps, 4},           {Op::x64_vaddsd, Op::x64_vaddpd, 8},
    {Op::x64_vsubss, Op::x64_vsubps, 4},           {Op::x64_vsubsd, Op::x64_vsubpd, 8},
    {Op::x64_vmulss, Op::x64_vmulps, 4},           {Op::x64_vmulsd, Op::x64_vmulpd, 8},
    {Op::x64_vdivss, Op::x64_vdivps, 4},           {Op::x64_vdivsd, Op::x64_vdivpd, 8},
    {Op::x64_vfmadd213ss, Op::x64_vfmadd213ps, 4}, {Op::x64_vfmadd213sd, Op::x64_vfmadd213pd, 8},
};

// Places that differ in the displacement alone have one key.
using PlaceKey = std::tuple<ValueId, ValueId, int64_t>;
PlaceKey key_of(const ScalarPlace& at) { return {at.base, at.index, at.scale}; }

ScalarPlace place_of(const Inst& inst, const ScalarAccess& access) {
  return {inst.operands[0], access.indexed ? inst.operands[1] : ValueId(), inst.attrs[2], inst.attrs[3]};
}
// Volatile stores are as many as in the source, and in its order.
bool is_volatile(const Inst& store) { return store.attrs[1] != 0; }

struct Pack {
  enum Kind : uint8_t { Rows, Loads, Same, Numbers, Params } kind = Same;
  std::vector<ValueId> lanes;
  std::vector<size_t> operands;                  // of Rows: packs
  std::vector<std::pair<InstId, size_t>> edges;  // of Params: terminator and target
  std::vector<uint64_t> numbers;
  ValueId made;
};

class ScalarPacker {
 public:
  ScalarPacker(Function& machine, bool avx512)
      : f(machine),
        cfg_(machine),
        e_(machine, avx512),
        position_(machine.inst_count(), 0),
        uses_(count_uses(machine)),
        covered_(machine.value_count(), 0) {}

  void run() {
    for (BlockId b : f.layout) {
      uint32_t n = 0;
      for (InstId i : f.block(b).insts) position_[i.index] = n++;
    }
    for (BlockId b : f.layout) find_seeds(b);
    for (Seed& seed : seeds_) apply(seed);
    if (seeds_.empty()) return;
    insert_vectors();
    e_.finish();
    sweep_erased(f);
    eliminate_dead_code(f);
  }

 private:
  struct Seed {
    std::vector<InstId> stores;
    unsigned bytes = 4;
    std::vector<Pack> packs;
    size_t stored = 0;
  };

  const Inst* def(ValueId v) const {
    const InstId i = f.def(v);
    return i ? &f.inst(i) : nullptr;
  }
  // In its block, before anything was inserted.
  uint32_t position(InstId i) const { return position_[i.index]; }

  // --- seeds
  void find_seeds(BlockId b) {
    std::map<std::pair<PlaceKey, Op>, std::map<int64_t, InstId>> stores;  // then by displacement
    for (InstId i : f.block(b).insts) {
      const Inst& inst = f.inst(i);
      const auto access = scalar_access_of(inst.op);
      if (!access || !access->store || is_volatile(inst) || f.is_const(inst.operands.back())) continue;
      const ScalarPlace at = place_of(inst, *access);
      stores[{key_of(at), inst.op}].insert_or_assign(at.disp, i);
    }
    for (const auto& [key, by_disp] : stores) {
      const unsigned bytes = scalar_access_of(key.second)->bytes;
      std::vector<InstId> run;
      int64_t next = 0;
      for (const auto& [disp, i] : by_disp) {
        if (disp != next) try_run(run, bytes), run.clear();
        run.push_back(i);
        next = disp + bytes;
      }
      try_run(run, bytes);
    }
  }

  void try_run(std::span<const InstId> run, unsigned bytes) {
    while (run.size() > 1) {
      size_t taken = 1;
      for (unsigned size : kSizes) {
        const size_t lanes = size / bytes;
        if (lanes < 2 || lanes > run.size() || !try_seed(run.first(lanes), bytes)) continue;
        taken = lanes;
        break;
      }
      run = run.subspan(taken);
    }
  }

  bool try_seed(std::span<const InstId> stores, unsigned bytes) {
    if (!may_join(stores)) return false;
    Seed seed{.stores = {stores.begin(), stores.end()}, .bytes = bytes, .packs = {}};
    packs_ = &seed.packs, bytes_ = bytes, lanes_ = stores.size();
    known_.clear();
    std::vector<ValueId> lanes;
    for (InstId i : stores) lanes.push_back(f.inst(i).operands.back());
    const auto stored = plan(lanes);
    if (!stored || !is_whole(seed, *stored) || gain(seed) <= 0) return false;
    seed.stored = *stored;
    seeds_.push_back(std::move(seed));
    return true;
  }
  // Instructions that are saved.
  int64_t gain(const Seed& seed) const {
    const auto saved = static_cast<int64_t>(lanes_ - 1);
    int64_t sum = saved;
    for (const Pack& p : seed.packs) {
      if (p.kind == Pack::Rows || p.kind == Pack::Loads) sum += saved;
      // The way from a general register to a vector takes as long as a few instructions.
      if (p.kind == Pack::Same) sum -= (bytes_ < 4 ? 2 : 1) + (f.type(p.lanes[0]) == kGpr ? 1 : 0);
    }
    return sum;
  }

  // Whether loads of neighbours, or stores to them, can be one where the last of them is: nothing between may
  // touch their memory.
  bool may_join(std::span<const InstId> rows) const {
    uint32_t first = UINT32_MAX, last = 0;
    for (InstId i : rows) first = std::min(first, position(i)), last = std::max(last, position(i));
    if (last - first > kFar) return false;
    const Inst& one = f.inst(rows[0]);
    const ScalarAccess access = *scalar_access_of(one.op);
    const ScalarPlace at = place_of(one, access);
    const int64_t end = at.disp + static_cast<int64_t>(rows.size() * access.bytes);
    const auto& insts = f.block(one.block).insts;
    for (size_t k = first; k < last; ++k) {
      const Inst& between = f.inst(insts[k]);
      const Effects effects = info(between.op).effects;
      if (effects == Effects::None || (!access.store && effects == Effects::Read)) continue;
      if (std::ranges::find(rows, insts[k]) != rows.end()) continue;
      const auto other = scalar_access_of(between.op);
      if (!other || is_volatile(between)) return false;
      const ScalarPlace there = place_of(between, *other);
      const bool apart = there.disp + other->bytes <= at.disp || end <= there.disp;
      if (key_of(there) != key_of(at) || !apart) return false;
    }
    return true;
  }

  // --- packs
  std::optional<size_t> plan(const std::vector<ValueId>& lanes) {
    std::vector<uint32_t> key;
    for (ValueId v : lanes) key.push_back(v.index);
    if (const auto known = known_.find(key); known != known_.end()) return known->second;
    if (packs_->size() >= kMostPacks) return std::nullopt;
    if (auto all = numbers(lanes); !all.empty())
      return add(key, {.kind = Pack::Numbers, .lanes = lanes, .numbers = std::move(all)});
    if (f.is_inline(lanes[0])) return std::nullopt;
    if (std::ranges::all_of(lanes, [&](ValueId v) { return v == lanes[0]; }))
      return add(key, {.kind = Pack::Same, .lanes = lanes});
    for (ValueId v : lanes)
      if (f.is_inline(v) || f.type(v) != f.type(lanes[0])) return std::nullopt;
    if (const auto steps = plan_steps(key, lanes)) return steps;
    const bool params = f.value(lanes[0]).kind == ValueKind::Param;
    return params ? plan_params(key, lanes) : plan_rows(key, lanes);
  }
  size_t add(const std::vector<uint32_t>& key, Pack pack) {
    packs_->push_back(std::move(pack));
    return known_[key] = packs_->size() - 1;
  }

  // The number of each lane, or nothing if one is not known.
  std::vector<uint64_t> numbers(const std::vector<ValueId>& lanes) const {
    std::vector<uint64_t> all;
    for (ValueId v : lanes) {
      const auto n = number(v);
      if (!n) return {};
      all.push_back(*n);
    }
    return all;
  }
  std::optional<uint64_t> number(ValueId v) const {
    if (f.is_const(v)) return f.value(v).bits;
    const Inst* d = def(v);
    if (!d) return std::nullopt;
    const auto bits = static_cast<uint64_t>(d->attrs[1]);
    switch (d->op) {
      case Op::x64_imm:
        if (d->attrs[0] == 4) return static_cast<uint32_t>(f.value(d->operands[0]).bits);
        return f.value(d->operands[0]).bits;
      case Op::x64_vzero:
      case Op::x64_vzero512:
        return 0;
      case Op::x64_vconst32:
        return bits << 32 | (bits & 0xffffffffu);
      case Op::x64_vconst64:
        return bits;
      default:
        return std::nullopt;
    }
  }

  std::optional<size_t> plan_params(const std::vector<uint32_t>& key, const std::vector<ValueId>& lanes) {
    const uint32_t block = f.value(lanes[0]).owner;
    for (ValueId v : lanes)
      if (f.value(v).kind != ValueKind::Param || f.value(v).owner != block) return std::nullopt;
    if (BlockId(block) == f.entry()) return std::nullopt;
    const size_t id = add(key, {.kind = Pack::Params, .lanes = lanes});
    const bool all = every_edge_into(f, cfg_, BlockId(block), [&](BlockId p, const Target& t) {
      std::vector<ValueId> arguments;
      for (ValueId v : lanes) arguments.push_back(t.args[f.value(v).index]);
      const auto passed = plan(arguments);
      if (!passed) return false;
      const InstId end = f.terminator(p);
      Pack& pack = (*packs_)[id];
      pack.operands.push_back(*passed);
      pack.edges.emplace_back(end, &t - &f.inst(end).targets[0]);
      return true;
    });
    return all ? std::optional(id) : std::nullopt;
  }

  // x, x + 1, x + 2: the first of them is x + 0. It needs no instruction, so it is not among the lanes.
  std::optional<size_t> plan_steps(const std::vector<uint32_t>& key, const std::vector<ValueId>& lanes) {
    auto adds = [&](ValueId v) {
      const Inst* d = def(v);
      return d && (d->op == Op::x64_add || d->op == Op::x64_xor_ || d->op == Op::x64_or_) &&
             number(d->operands[1]);
    };
    const auto some = std::ranges::find_if(lanes, adds);
    if (some == lanes.end() || std::ranges::all_of(lanes, adds)) return std::nullopt;
    const Inst& row = f.inst(f.def(*some));
    const ValueId x = row.operands[0];
    if (packed_operands(row) != 2) return std::nullopt;
    std::vector<ValueId> added(lanes.size());
    std::vector<uint64_t> numbers(lanes.size(), 0);
    for (size_t k = 0; k < lanes.size(); ++k) {
      if (lanes[k] == x) continue;
      if (!adds(lanes[k])) return std::nullopt;
      const Inst& inst = f.inst(f.def(lanes[k]));
      if (inst.op != row.op || inst.attrs != row.attrs || inst.block != row.block || inst.operands[0] != x)
        return std::nullopt;
      added[k] = lanes[k], numbers[k] = *number(inst.operands[1]);
    }
    const auto all = plan(std::vector<ValueId>(lanes.size(), x));
    if (!all) return std::nullopt;
    packs_->push_back({.kind = Pack::Numbers, .lanes = {}, .numbers = std::move(numbers)});
    const size_t steps = packs_->size() - 1;
    return add(key, {.kind = Pack::Rows, .lanes = std::move(added), .operands = {*all, steps}});
  }

  std::optional<size_t> plan_rows(const std::vector<uint32_t>& key, const std::vector<ValueId>& lanes) {
    std::vector<InstId> rows;
    for (ValueId v : lanes) rows.push_back(f.def(v));
    const Inst& first = f.inst(rows[0]);
    for (InstId i : rows) {
      if (!i) return std::nullopt;
      const Inst& inst = f.inst(i);
      if (inst.op != first.op || inst.block != first.block || inst.results.size() != 1) return std::nullopt;
    }
    if (const auto load = scalar_access_of(first.op)) return plan_loads(key, lanes, rows, *load);
    const size_t packed = packed_operands(first);
    if (packed == 0) return std::nullopt;
    for (InstId i : rows)
      if (f.inst(i).attrs != first.attrs) return std::nullopt;
    // Known from now on: a loop may lead back to it.
    const size_t id = add(key, {.kind = Pack::Rows, .lanes = lanes});
    for (size_t k = 0; k < first.operands.size(); ++k) {
      std::vector<ValueId> of_lanes;
      for (InstId i : rows) of_lanes.push_back(f.inst(i).operands[k]);
      if (k >= packed) {  // the number of a shift
        const auto by = numbers(of_lanes);
        if (by.empty() || std::ranges::count(by, by[0]) != std::ssize(by)) return std::nullopt;
        continue;
      }
      const auto operand = plan(of_lanes);
      if (!operand) return std::nullopt;
      (*packs_)[id].operands.push_back(*operand);
    }
    return id;
  }

  std::optional<size_t> plan_loads(const std::vector<uint32_t>& key, const std::vector<ValueId>& lanes,
                                   const std::vector<InstId>& rows, const ScalarAccess& load) {
    if (load.bytes != bytes_) return std::nullopt;
    const ScalarPlace at = place_of(f.inst(rows[0]), load);
    for (size_t k = 1; k < rows.size(); ++k) {
      const ScalarPlace next = place_of(f.inst(rows[k]), load);
      if (key_of(next) != key_of(at) || next.disp != at.disp + static_cast<int64_t>(k * bytes_))
        return std::nullopt;
    }
    if (!may_join(rows)) return std::nullopt;
    return add(key, {.kind = Pack::Loads, .lanes = lanes});
  }

  // How many operands of a row are packed; 0 if it has no vector form. A shift's second one is a number.
  size_t packed_operands(const Inst& inst) const {
    for (const Elementwise& row : kFloats)
      if (row.scalar == inst.op) return row.bytes == bytes_ ? inst.operands.size() : 0;
    // Of bytes and shorts only the low bits count.
    const bool small = bytes_ < 4;
    if (small ? inst.attrs[0] < 4 : inst.attrs[0] != bytes_) return 0;
    switch (inst.op) {
      case Op::x64_add:
      case Op::x64_sub:
      case Op::x64_and_:
      case Op::x64_or_:
      case Op::x64_xor_:
        return 2;
      case Op::x64_imul:
      case Op::x64_imul_imm:
        return bytes_ == 2 || bytes_ == 4 ? 2 : 0;
      case Op::x64_shl_imm:
        return bytes_ > 1 && f.value(inst.operands[1]).bits < 8 * bytes_ ? 1 : 0;
      case Op::x64_shr_imm:
        return small ? 0 : 1;
      case Op::x64_movzx8:
        return bytes_ == 1 ? 1 : 0;
      case Op::x64_movzx16:
        return bytes_ <= 2 ? 1 : 0;
      default:
        return 0;
    }
  }

  // Whether all uses of all lanes are in this seed.
  bool is_whole(const Seed& seed, size_t stored) {
    std::vector<ValueId> counted;
    auto cover = [&](size_t pack) {
      for (ValueId v : seed.packs[pack].lanes)
        if (v && !f.is_inline(v)) ++covered_[v.index], counted.push_back(v);
    };
    cover(stored);
    for (const Pack& p : seed.packs)
      for (size_t operand : p.operands) cover(operand);
    bool whole = true;
    for (const Pack& p : seed.packs)
      if (p.kind == Pack::Rows || p.kind == Pack::Loads || p.kind == Pack::Params)
        for (ValueId v : p.lanes) whole &= !v || covered_[v.index] == uses_[v.index];
    for (ValueId v : counted) covered_[v.index] = 0;
    return whole;
  }

  // --- vectors
  void apply(Seed& seed) {
    packs_ = &seed.packs, bytes_ = seed.bytes, lanes_ = seed.stores.size();
    made_params_.clear();
    const ValueId data = make(seed.stored);
    // Arguments in the order of the parameters; making them may add some.
    for (size_t n = 0; n < made_params_.size(); ++n) {
      const Pack p = seed.packs[made_params_[n]];
      for (size_t k = 0; k < p.edges.size(); ++k) {
        const auto [end, t] = p.edges[k];
        const ValueId argument = make(p.operands[k]);
        f.inst(end).targets[t].args.push_back(argument);
      }
    }
    const InstId last = *std::ranges::max_element(seed.stores, {}, [&](InstId i) { return position(i); });
    behind(last, [&] { return access_vector(f.inst(seed.stores[0]), data); });
    for (InstId i : seed.stores) f.inst(i).erased = true;
  }

  // Emits instructions behind this one, or at the start of the block.
  template <class Build>
  ValueId behind(InstId anchor, Build build) {
    e_.loc = f.inst(anchor).loc;
    return emit_at(f.inst(anchor).block, behind_[anchor], build);
  }
  template <class Build>
  ValueId emit_at(BlockId b, std::vector<InstId>& to, Build build) {
    e_.block = b;
    auto& insts = f.block(b).insts;
    const size_t before = insts.size();
    const ValueId made = build();
    to.insert(to.end(), insts.begin() + static_cast<std::ptrdiff_t>(before), insts.end());
    insts.resize(before);
    return made;
  }
  void insert_vectors() {
    std::vector<InstId> all;
    for (BlockId b : f.layout) {
      all.clear();
      if (const auto first = at_start_.find(b); first != at_start_.end()) all = first->second;
      for (InstId i : f.block(b).insts) {
        all.push_back(i);
        if (const auto more = behind_.find(i); more != behind_.end())
          all.insert(all.end(), more->second.begin(), more->second.end());
      }
      if (all.size() != f.block(b).insts.size()) f.block(b).insts = all;
    }
  }
  VecType type() const { return {kBytes, bytes_ * 8}; }
  ValueId make(size_t id) {
    if ((*packs_)[id].made) return (*packs_)[id].made;
    const Pack pack = (*packs_)[id];
    ValueId made;
    switch (pack.kind) {
      case Pack::Numbers:
        made = constant(pack.numbers);
        break;
      case Pack::Same:
        made = splat(pack.lanes[0]);
        break;
      case Pack::Params:
        made_params_.push_back(id);
        made = f.add_param(BlockId(f.value(pack.lanes[0]).owner), kVec);
        break;
      default:
        made = make_rows(pack);
    }
    return (*packs_)[id].made = made;
  }

  ValueId splat(ValueId v) {
    ValueId& made = splats_[{v, bytes_}];
    return made ? made : made = new_splat(v);
  }
  ValueId new_splat(ValueId v) {
    auto build = [&] {
      if (f.type(v) == kVec) return e_.splat_vec(v, type());
      if (bytes_ >= 4) return e_.splat_gpr(v, type());
      const uint32_t everywhere = bytes_ == 1 ? 0x01010101 : 0x00010001;
      const auto load = def(v) ? scalar_access_of(def(v)->op) : std::nullopt;
      const bool extended = load && load->bytes <= bytes_;
      const ValueId low = extended ? v : e_.gpr(bytes_ == 1 ? Op::x64_movzx8 : Op::x64_movzx16, {v});
      return e_.splat_gpr(e_.gpr(Op::x64_imul_imm, {low, e_.number(everywhere)}, 4), {kBytes, 32});
    };
    if (def(v)) return behind(f.def(v), build);
    const BlockId home(f.value(v).owner);  // of a parameter
    return emit_at(home, at_start_[home], build);
  }
  ValueId constant(const std::vector<uint64_t>& numbers) {
    if (std::ranges::count(numbers, numbers[0]) == std::ssize(numbers))
      return e_.constant(numbers[0] & (~uint64_t{0} >> (64 - 8 * bytes_)), type());
    std::array<uint8_t, kBytes> bytes{};
    for (size_t k = 0; k < numbers.size(); ++k)
      for (size_t n = 0; n < bytes_; ++n) bytes[k * bytes_ + n] = static_cast<uint8_t>(numbers[k] >> (8 * n));
    return e_.bytes16(bytes, kBytes);
  }

  InstId first_row(const Pack& pack) const {
    return f.def(*std::ranges::find_if(pack.lanes, [](ValueId v) { return v.valid(); }));
  }
  ValueId make_rows(const Pack& pack) {
    ValueList operands;
    for (size_t k : pack.operands) operands.push_back(make(k));
    InstId last = first_row(pack);
    for (ValueId v : pack.lanes)
      if (v && position(f.def(v)) > position(last)) last = f.def(v);
    return behind(last, [&] { return vector_row(pack, operands); });
  }

  // Loads the vector that begins where this scalar is, or stores `data` there.
  ValueId access_vector(const Inst& first, ValueId data) {
    const ScalarAccess scalar = *scalar_access_of(first.op);
    const ScalarPlace at = place_of(first, scalar);
    const VectorAccess& rows = *std::ranges::find(kWhole, lanes_ * bytes_, &VectorAccess::bytes);
    ValueList operands{at.base};
    if (scalar.indexed) operands.push_back(at.index);
    const std::initializer_list<int64_t> attrs = {kBytes, 0, at.scale, at.disp};
    if (!scalar.store)
      return f.result(
          e_.row(scalar.indexed ? rows.load_index : rows.load, std::move(operands), {kVec}, attrs));
    operands.push_back(data);
    e_.row(scalar.indexed ? rows.store_index : rows.store, std::move(operands), {}, attrs);
    return {};
  }

  ValueId vector_row(const Pack& pack, const ValueList& x) {
    const Inst first = f.inst(first_row(pack));  // making a row may move them
    if (scalar_access_of(first.op)) return access_vector(first, {});
    for (const Elementwise& row : kFloats)
      if (row.scalar == first.op) return e_.vec(row.vector, x, kBytes);
    const VecType t = type();
    using Make = ValueId (Emit::*)(ValueId, ValueId, VecType);
    static constexpr std::pair<Op, Make> kIntegers[] = {
        {Op::x64_add, &Emit::add},     {Op::x64_sub, &Emit::sub},   {Op::x64_and_, &Emit::and_},
        {Op::x64_or_, &Emit::or_},     {Op::x64_xor_, &Emit::xor_}, {Op::x64_imul, &Emit::mul},
        {Op::x64_imul_imm, &Emit::mul}};
    for (const auto& [op, make] : kIntegers)
      if (op == first.op) return (e_.*make)(x[0], x[1], t);
    if (keeps_low_bits(first.op)) return x[0];
    const auto by = static_cast<unsigned>(f.value(first.operands[1]).bits);
    return first.op == Op::x64_shl_imm ? e_.shl(x[0], by, t) : e_.lshr(x[0], by, t);
  }
  static bool keeps_low_bits(Op op) { return op == Op::x64_movzx8 || op == Op::x64_movzx16; }

  Function& f;
  const Cfg cfg_;
  Emit e_;
  std::vector<uint32_t> position_;                   // by instruction
  std::vector<uint32_t> uses_, covered_;             // by value
  std::map<InstId, std::vector<InstId>> behind_;     // what is inserted behind an instruction
  std::map<BlockId, std::vector<InstId>> at_start_;  // and at the start of a block
  std::vector<size_t> made_params_;                  // of the current seed: packs
  std::vector<Seed> seeds_;
  std::map<std::pair<ValueId, unsigned>, ValueId> splats_;  // by scalar and size
  // Of the current seed.
  std::vector<Pack>* packs_ = nullptr;
  std::map<std::vector<uint32_t>, size_t> known_;
  unsigned bytes_ = 4;  // of an element
  size_t lanes_ = 4;
};

}  // namespace

void pack_scalars(Function& machine, bool avx512) {
  if (machine.width == 1) ScalarPacker(machine, avx512).run();
}

}  // namespace kc::x64
