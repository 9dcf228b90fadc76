// SPDX-License-Identifier: Apache-2.0
#include "passes/explain.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <set>

#include "passes/shape.h"

namespace kc {

namespace {

constexpr size_t MaxSteps = 8;  // of a chain that are shown

// Follows one value back to what makes it differ.
class Divergence {
 public:
  Divergence(const Function& function, UniformityOptions options)
      : f(function), cfg_(f), tree_(f, cfg_), u_(analyse_uniformity(f, options)) {}

  void run(Remarks& remarks) {
    for (BlockId b : f.layout) {
      const Inst& end = f.inst(f.terminator(b));
      if (!cfg_.reachable(b) || !u_.divergent_branch[b.index] || end.loc.line == 0) continue;
      Remark remark{"uniformity", end.loc, {}};
      std::string source = follow(end.operands[0], b, remark);
      remark.text = fmt::format("{} is divergent{}", end.op == Op::switch_ ? "switch" : "branch",
                                source.empty() ? "" : ": depends on " + source);
      if (remark.notes.size() > MaxSteps) remark.notes.resize(MaxSteps);
      remarks.add(std::move(remark));
    }
  }

 private:
  // The name of what the value depends on; the steps on the way become notes.
  std::string follow(ValueId v, BlockId user, Remark& remark) {
    std::set<ValueId> seen;
    while (seen.insert(v).second) {
      if (!u_.divergent[v.index]) {  // it differs only because the loop around it is left in different rounds
        BlockId leaves = leaving(v, user);
        if (!leaves.valid()) return {};
        step(remark, leaves, "work-items leave the loop in different rounds");
        v = f.inst(f.terminator(leaves)).operands[0];
        user = leaves;
        continue;
      }
      InstId def = f.def(v);
      if (!def.valid()) {
        if (!at_join(v, remark)) return {};
        v = next_;
        user = next_user_;
        continue;
      }
      const Inst& inst = f.inst(def);
      ValueId operand = first_divergent(inst);
      if (!operand.valid()) return named(inst);
      note(remark, inst.loc,
           info(inst.op).effects == Effects::Read ? "loaded here from an address that differs"
                                                  : "this value differs");
      v = operand;
      user = inst.block;
    }
    return {};
  }

  static void note(Remark& remark, Loc loc, const char* text) {
    Loc before = remark.notes.empty() ? remark.loc : remark.notes.back().loc;
    if (loc.line != before.line) remark.notes.push_back({loc, text});
  }
  void step(Remark& remark, BlockId branch, const char* text) const {
    note(remark, f.inst(f.terminator(branch)).loc, text);
  }

  ValueId first_divergent(const Inst& inst) const {
    for (ValueId o : inst.operands)
      if (u_.divergent_use(f, inst.block, o)) return o;
    return {};
  }

  static std::string named(const Inst& inst) {
    const OpInfo& row = info(inst.op);
    std::string what = row.has(Atomic)                ? "an atomic operation"
                       : row.effects == Effects::Read ? "private memory"
                       : inst.op == Op::global_id     ? "get_global_id"
                       : inst.op == Op::local_id      ? "get_local_id"
                                                      : std::string(row.name);
    return inst.loc.line ? fmt::format("{} at line {}", what, inst.loc.line) : what;
  }

  // A parameter differs because of an argument, or because of the branch that decides which edge is taken.
  bool at_join(ValueId v, Remark& remark) {
    BlockId block(f.value(v).owner);
    uint32_t k = f.value(v).index;
    for (BlockId p : cfg_.preds[block.index])
      for (const Target& t : f.successors(p))
        if (t.block == block && t.args[k] != v && u_.divergent_use(f, p, t.args[k])) {
          next_ = t.args[k];
          next_user_ = p;
          return true;
        }
    for (BlockId b = tree_.idom[block.index]; b.valid(); b = tree_.idom[b.index])
      if (u_.divergent_branch[b.index]) {
        step(remark, b, "which value it has is decided by this divergent branch");
        next_ = f.inst(f.terminator(b)).operands[0];
        next_user_ = b;
        return true;
      }
    return false;
  }

  // A divergent branch out of the largest cycle that defines v and does not hold its user.
  BlockId leaving(ValueId v, BlockId user) const {
    BlockId def = block_of(f, v);
    if (!def.valid()) return {};
    uint32_t c = u_.cycles.largest_between(def.index, user.index);
    if (c == Cycles::kNone) return {};
    for (uint32_t n : u_.cycles.nodes(c)) {
      if (!u_.divergent_branch[n]) continue;
      for (const Target& t : f.successors(BlockId(n)))
        if (!u_.cycles.contains(c, t.block)) return BlockId(n);
    }
    return {};
  }

  const Function& f;
  Cfg cfg_;
  DominatorTree tree_;
  Uniformity u_;
  ValueId next_;
  BlockId next_user_;
};

// The instruction behind which the lanes of an address are in no known step.
InstId loses_step(const Function& f, const std::vector<Shape>& shapes, ValueId v) {
  std::set<ValueId> seen;
  while (seen.insert(v).second) {
    InstId def = f.def(v);
    if (!def.valid()) return {};
    ValueId next;
    for (ValueId o : f.inst(def).operands)
      if (!next.valid() && f.type(o).lane && shapes[o.index].kind == Shape::Arbitrary) next = o;
    if (!next.valid() || info(f.inst(def).op).effects == Effects::Read) return def;
    v = next;
  }
  return {};
}

}  // namespace

void explain_divergence(const Function& thread, UniformityOptions options, Remarks& remarks) {
  if (remarks.wants("uniformity")) Divergence(thread, options).run(remarks);
}

void explain_accesses(const Function& wave, Remarks& remarks) {
  if (!remarks.wants("shape")) return;
  std::vector<Shape> shapes = analyse_shapes(wave);
  for (BlockId b : wave.layout)
    for (InstId i : wave.block(b).insts) {
      const Inst& inst = wave.inst(i);
      bool load = inst.op == Op::lane_load;
      if (!load && inst.op != Op::lane_store) continue;
      ValueId address = inst.operands[1];
      Type moved = wave.type(load ? inst.results[0] : inst.operands[2]);
      const Shape& shape = shapes[address.index];
      std::string_view what = load ? "load" : "store", scattered = load ? "gather" : "scatter";
      Remark remark{"shape", inst.loc, {}};
      bool uniform = !wave.type(address).lane || shape.uniform();
      if (uniform && wave.type(address).elem == Elem::PtrPrivate) {
        remark.text =
            fmt::format("{} is contiguous: one place in the private memory of each work-item", what);
      } else if (uniform) {
        remark.text = fmt::format("{} is uniform: all lanes have one address", what);
      } else if (shape.kind == Shape::Strided &&
                 shape.stride == static_cast<int64_t>(moved.scalar().bytes())) {
        remark.text = fmt::format("{} is contiguous", what);
      } else if (shape.kind == Shape::Strided) {
        remark.text = fmt::format("{} is a {}: its lanes are {} bytes apart", what, scattered, shape.stride);
      } else {
        remark.text = fmt::format("{} is a {}: its addresses are in no known step", what, scattered);
        InstId cause = loses_step(wave, shapes, address);
        if (cause.valid() && wave.inst(cause).loc != inst.loc)
          remark.notes.push_back({wave.inst(cause).loc, wave.inst(cause).op == Op::lane_load
                                                            ? "the address depends on what is loaded here"
                                                            : "the step is lost here"});
      }
      remarks.add(std::move(remark));
    }
}

void explain_flow_blocks(const Function& thread, size_t first, Remarks& remarks) {
  if (!remarks.wants("reconverge")) return;
  Cfg cfg(thread);
  for (BlockId b : thread.layout) {
    if (b.index < first || thread.block(b).hint != "flow") continue;
    std::vector<Loc> from;
    for (BlockId p : cfg.preds[b.index])
      if (Loc loc = thread.inst(thread.terminator(p)).loc;
          loc.line && std::ranges::find(from, loc) == from.end())
        from.push_back(loc);
    if (from.empty()) continue;
    Remark remark{"reconverge", from[0],
                  "work-items that part wait for each other at a block added behind this"};
    for (size_t k = 1; k < from.size(); ++k) remark.notes.push_back({from[k], "and behind this"});
    remarks.add(std::move(remark));
  }
}

}  // namespace kc
