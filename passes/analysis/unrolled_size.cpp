// SPDX-License-Identifier: Apache-2.0
#include "passes/analysis/unrolled_size.h"

#include <algorithm>
#include <unordered_map>
#include <unordered_set>
#include <vector>

#include "passes/ir_util.h"

namespace kc {
namespace {

constexpr size_t kMostExecuted = 8192;  // instructions: what this analysis may take
constexpr size_t kMostBlocks = 128;     // of a nest

// One execution of a nest. Blocks are visited in reverse post-order, an inner loop where its header is.
class NestRun {
 public:
  NestRun(const Function& function, const Cfg& cfg, const Cycles& cycles, uint32_t most_trips,
          size_t most_kept)
      : f(function), cfg_(cfg), cycles_(cycles), most_trips_(most_trips), most_kept_(most_kept) {}

  std::optional<UnrolledSize> run(uint32_t cycle) {
    if (cycles_.nodes(cycle).size() > kMostBlocks) return std::nullopt;
    const BlockId header(cycles_.cycles[cycle].header);
    every_edge_into(f, cfg_, header, [&](BlockId p, const Target& t) {
      if (cfg_.reachable(p) && !cycles_.contains(cycle, p)) arrive(t);
      return true;
    });
    if (!execute(cycle)) return std::nullopt;
    return size_;
  }

 private:
  // A place is the address of a private object plus a constant: sroa may make a register of what is there.
  enum Kind : uint8_t { Other, Constant, Place };
  struct Known {
    Kind kind = Other;
    uint64_t number = 0;  // the bits of a constant, else a value number
    bool operator==(const Known&) const = default;
  };

  static uint64_t mixed(uint64_t hash, uint64_t with) {
    hash = (hash ^ with) * 0x9e3779b97f4a7c15;
    return hash ^ hash >> 29;
  }
  uint64_t number_of(const Known& k) const { return k.kind == Constant ? mixed(k.number, 1) : k.number; }
  Known fresh() { return {Other, mixed(++fresh_, 2)}; }

  Known known(ValueId v) const {
    if (f.is_const(v)) return {Constant, f.value(v).bits};
    const auto at = known_.find(v.index);
    return at != known_.end() ? at->second : Known{Other, mixed(v.index, 3)};
  }

  // The arguments of the edges that were taken to a block; those that differ are not known.
  void arrive(const Target& t) {
    auto [at, first] = arrived_.try_emplace(t.block.index);
    std::vector<Known>& args = at->second;
    for (size_t k = 0; k < t.args.size(); ++k) {
      const Known now = known(t.args[k]);
      if (first)
        args.push_back(now);
      else if (args[k] != now)
        args[k] = fresh();
    }
  }
  bool enter(BlockId b) {
    const auto at = arrived_.find(b.index);
    if (at == arrived_.end()) return false;
    const std::vector<Known> args = std::move(at->second);
    arrived_.erase(at);
    for (size_t k = 0; k < args.size(); ++k) known_[f.block(b).params[k].index] = args[k];
    return true;
  }

  // All iterations, the loop having been reached; false where this is not possible.
  bool execute(uint32_t c) {
    if (!cycles_.cycles[c].reducible()) return false;
    const BlockId header(cycles_.cycles[c].header);
    std::vector<BlockId> order;
    for (uint32_t n : cycles_.nodes(c)) order.emplace_back(n);
    std::ranges::sort(order, {}, [&](BlockId b) { return cfg_.number[b.index]; });
    for (uint32_t trip = 0; enter(header); ++trip) {
      if (trip > most_trips_) return false;
      if (!visit(header, c)) return false;
      for (BlockId b : order) {
        if (b == header || !arrived_.contains(b.index)) continue;
        if (const uint32_t inner = cycles_.innermost[b.index]; inner != c) {
          if (cycles_.cycles[inner].parent != c || b.index != cycles_.cycles[inner].header) return false;
          if (!execute(inner)) return false;
        } else if (enter(b) && !visit(b, c)) {
          return false;
        }
      }
    }
    return true;
  }

  bool visit(BlockId b, uint32_t c) {
    for (InstId i : f.block(b).insts) {
      const Inst& inst = f.inst(i);
      if (info(inst.op).has(Terminator)) return leave(inst, c);
      if (info(inst.op).has(Convergent)) return false;
      if (++size_.executed > kMostExecuted) return false;
      evaluate(inst);
      if (size_.kept > most_kept_) return false;
    }
    return false;
  }

  bool leave(const Inst& end, uint32_t c) {
    if (++size_.executed > kMostExecuted) return false;
    if (end.op == Op::br_if)
      if (const Known condition = known(end.operands[0]); condition.kind == Constant) {
        arrive(end.targets[condition.number & 1 ? 0 : 1]);
        return true;
      }
    if (end.targets.size() > 1) ++size_.kept;
    // Whether the loop ends must be known.
    const BlockId header(cycles_.cycles[c].header);
    const auto stays = [&](const Target& t) { return t.block != header && cycles_.contains(c, t.block); };
    if (end.targets.empty() || (end.targets.size() > 1 && !std::ranges::all_of(end.targets, stays)))
      return false;
    for (const Target& t : end.targets) arrive(t);
    return true;
  }

  void evaluate(const Inst& inst) {
    const OpInfo& row = info(inst.op);
    std::vector<Known> operands;
    for (ValueId v : inst.operands) operands.push_back(known(v));
    const bool pure = row.effects == Effects::None && inst.results.size() == 1;
    if (!pure) {
      const bool place = !operands.empty() && operands[0].kind == Place;
      // A load of a constant table's element becomes a constant.
      const bool table = inst.op == Op::load && is_known_place_in_table(f, inst.operands[0], [&](ValueId v) {
                           return is_constant(v);
                         });
      if (!table) ++size_.kept, size_.arrays += place;
      for (ValueId r : inst.results) known_[r.index] = fresh();
      return;
    }
    const ValueId result = inst.results[0];
    if (inst.op == Op::select && operands[0].kind == Constant) {
      known_[result.index] = operands[operands[0].number & 1 ? 1 : 2];
      return;
    }
    if (const auto bits = constant(inst, operands)) {
      known_[result.index] = {Constant, *bits};
      return;
    }
    uint64_t number = mixed(static_cast<uint64_t>(inst.op), f.type(result).bits());
    for (int64_t a : inst.attrs) number = mixed(number, static_cast<uint64_t>(a));
    for (const Known& o : operands) number = mixed(number, number_of(o));
    const bool object = inst.op == Op::object_address && f.type(result).elem == Elem::PtrPrivate;
    const bool moved = inst.op == Op::ptr_add && operands[0].kind == Place && operands[1].kind == Constant;
    known_[result.index] = {object || moved ? Place : Other, number};
    if (!object && !moved && seen_.insert(number).second) ++size_.kept;
  }

  bool is_constant(ValueId v) const { return known(v).kind == Constant; }

  std::optional<uint64_t> constant(const Inst& inst, const std::vector<Known>& operands) const {
    uint64_t bits[3] = {};
    if (operands.empty() || operands.size() > std::size(bits)) return std::nullopt;
    for (size_t k = 0; k < operands.size(); ++k) {
      if (operands[k].kind != Constant) return std::nullopt;
      bits[k] = operands[k].number;
    }
    return evaluated(f, inst, bits);
  }

  const Function& f;
  const Cfg& cfg_;
  const Cycles& cycles_;
  const uint32_t most_trips_;
  const size_t most_kept_;
  UnrolledSize size_;
  uint64_t fresh_ = 0;
  std::unordered_map<uint32_t, Known> known_;                 // by value
  std::unordered_map<uint32_t, std::vector<Known>> arrived_;  // by block: what its parameters will be
  std::unordered_set<uint64_t> seen_;                         // value numbers
};

}  // namespace

std::optional<UnrolledSize> unrolled_size(const Function& f, const Cfg& cfg, const Cycles& cycles,
                                          uint32_t cycle, uint32_t most_trips, size_t most_kept) {
  return NestRun(f, cfg, cycles, most_trips, most_kept).run(cycle);
}

}  // namespace kc
