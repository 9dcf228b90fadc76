// SPDX-License-Identifier: Apache-2.0
#include "passes/remarks.h"

#include <fmt/format.h>

#include <algorithm>
#include <set>

#include "ir/text.h"
#include "passes/analysis/alias.h"
#include "passes/analysis/shape.h"

namespace kc {

namespace {

constexpr size_t MaxSteps = 8;  // of a chain that are shown

// Leads from each value that differs, by the shortest way, back to what makes it differ. One search from all
// those sources at once, so that many branches cost no more than one.
class Divergence {
 public:
  Divergence(const Function& function, UniformityOptions options)
      : f(function),
        cfg_(f),
        tree_(f, cfg_),
        u_(analyse_uniformity(f, options)),
        decided_by_(f.block_count()),
        below_(f.block_count()),
        left_at_(u_.cycles.cycles.size()),
        why_(f.value_count()),
        source_(f.value_count()) {
    const PostDominatorTree after(f, cfg_);
    for (BlockId b : cfg_.rpo) {
      BlockId up = tree_.idom[b.index];
      if (!up.valid()) continue;
      below_[b.index] = up = u_.divergent_branch[up.index] ? up : below_[up.index];
      // Work-items of a branch that have met again before b come to b by any edge together.
      auto met = [&](BlockId branch) {
        const BlockId meet = after.ipdom[branch.index];
        return meet.valid() && meet != b && tree_.dominates(meet, b);
      };
      while (up.valid() && met(up)) up = decided_by_[up.index];
      decided_by_[b.index] = up;
    }
    for (BlockId b : cfg_.rpo)
      for (uint32_t c = u_.cycles.innermost[b.index]; c != kNone && u_.divergent_branch[b.index];
           c = u_.cycles.cycles[c].parent)
        for (const Target& t : f.successors(b))
          if (!left_at_[c].valid() && !u_.cycles.contains(c, t.block)) left_at_[c] = b;
    search();
  }

  void run(Remarks& remarks) {
    for (BlockId b : f.layout) {
      const Inst& end = f.inst(f.terminator(b));
      if (!cfg_.reachable(b) || !u_.divergent_branch[b.index] || end.loc.line == 0) continue;
      Remark remark{"uniformity", end.loc, {}};
      std::string source = follow(reason(end.operands[0], b, {}, NoteKind::Place), remark);
      remark.text = fmt::format("{} is divergent{}", end.op == Op::switch_ ? "switch" : "branch",
                                source.empty() ? "" : ": depends on " + source);
      remarks.add(std::move(remark));
    }
  }

 private:
  // `from` differs, and therefore something else does; why, and where. Of a Place nothing is said.
  struct Reason {
    ValueId from;
    Loc loc;
    NoteKind kind = NoteKind::Place;
  };
  struct Dependent {
    ValueId to;
    Loc loc;
    NoteKind kind = NoteKind::Place;
  };

  // Why v differs for its user: because it does, or because the loop around it is left in different rounds.
  Reason reason(ValueId v, BlockId user, Loc loc, NoteKind kind) const {
    if (u_.divergent[v.index]) return {v, loc, kind};
    BlockId def = block_of(f, v);
    uint32_t c = def.valid() ? u_.cycles.largest_between(def.index, user.index) : kNone;
    if (c == kNone || !left_at_[c].valid()) return {};
    const Inst& end = f.inst(f.terminator(left_at_[c]));
    return {end.operands[0], end.loc, NoteKind::Loop};
  }

  template <typename Visit>
  void for_each_reason(ValueId v, BlockId b, Visit visit) const {
    if (InstId def = f.def(v); def.valid()) {
      const Inst& inst = f.inst(def);
      const NoteKind kind = info(inst.op).effects == Effects::Read ? NoteKind::Address : NoteKind::Data;
      for (ValueId o : inst.operands)
        if (u_.divergent_use(f, b, o)) visit(reason(o, b, inst.loc, kind));
      return;
    }
    // A parameter differs because of an argument, or because of the branch that decides which edge is taken.
    bool passed = false;
    every_edge_into(f, cfg_, b, [&](BlockId p, const Target& t) {
      ValueId o = t.args[f.value(v).index];
      if (o != v && u_.divergent_use(f, p, o)) passed = true, visit(reason(o, p, {}, NoteKind::Place));
      return true;
    });
    const BlockId decides = decided_by_[b.index];
    if (BlockId branch = decides.valid() || passed ? decides : below_[b.index]; branch.valid()) {
      const Inst& end = f.inst(f.terminator(branch));
      visit(reason(end.operands[0], branch, end.loc, NoteKind::Join));
    }
  }

  void search() {
    auto for_each_value = [&](auto visit) {
      for (BlockId b : cfg_.rpo) {
        for (ValueId v : f.block(b).params) visit(v, b);
        for (InstId i : f.block(b).insts)
          for (ValueId v : f.inst(i).results) visit(v, b);
      }
    };
    const Lists<Dependent> dependents(f.value_count(), [&](auto add) {
      for_each_value([&](ValueId v, BlockId b) {
        if (!u_.divergent[v.index]) return;
        for_each_reason(v, b, [&](const Reason& r) {
          if (r.from.valid()) add(r.from.index, {v, r.loc, r.kind});
        });
      });
    });
    std::vector<ValueId> queue;
    for_each_value([&](ValueId v, BlockId b) {
      bool caused = !f.def(v).valid() || !u_.divergent[v.index];
      if (!caused) for_each_reason(v, b, [&](const Reason&) { caused = true; });
      if (!caused) source_[v.index] = v, queue.push_back(v);
    });
    for (size_t n = 0; n < queue.size(); ++n)
      for (const Dependent& d : dependents[queue[n].index]) {
        if (source_[d.to.index].valid()) continue;
        source_[d.to.index] = source_[queue[n].index];
        why_[d.to.index] = {queue[n], d.loc, d.kind};
        queue.push_back(d.to);
      }
  }

  // The name of what the value depends on; the steps on the way become notes.
  std::string follow(Reason why, Remark& remark) const {
    if (!why.from.valid() || !source_[why.from.index].valid()) return {};
    ValueId source = source_[why.from.index];
    for (; why.from.valid() && remark.notes.size() < MaxSteps; why = why_[why.from.index])
      if (why.kind != NoteKind::Place) note(remark, why.loc, why.kind);
    return named(f.inst(f.def(source)));
  }

  static void note(Remark& remark, Loc loc, NoteKind kind) {
    Loc before = remark.notes.empty() ? remark.loc : remark.notes.back().loc;
    if (!loc.same_line(before)) remark.notes.push_back({loc, text_of(kind), kind});
  }
  static const char* text_of(NoteKind kind) {
    switch (kind) {
      case NoteKind::Place:
        break;
      case NoteKind::Data:
        return "this value differs";
      case NoteKind::Address:
        return "loaded here from an address that differs";
      case NoteKind::Join:
        return "which value it has is decided by this divergent branch";
      case NoteKind::Loop:
        return "work-items leave the loop in different iterations";
    }
    return "";
  }

  std::string named(const Inst& inst) const {
    const OpInfo& row = info(inst.op);
    std::string what = row.has(Atomic)                ? "an atomic operation"
                       : row.effects == Effects::Read ? "private memory"
                       : inst.op == Op::global_id     ? "get_global_id"
                       : inst.op == Op::local_id      ? "get_local_id"
                                                      : std::string(row.name);
    return inst.loc.line ? fmt::format("{} at {}", what, describe_line(f, inst.loc)) : what;
  }

  const Function& f;
  Cfg cfg_;
  DominatorTree tree_;
  Uniformity u_;
  std::vector<BlockId>
      decided_by_;              // by block: the nearest divergent branch above it whose work-items meet there
  std::vector<BlockId> below_;  // by block: the nearest divergent branch above it
  std::vector<BlockId> left_at_;  // by cycle: a divergent branch out of it
  std::vector<Reason> why_;       // by value, towards its source
  std::vector<ValueId> source_;   // by value
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

// Notes of traps and printf to the host, which nobody wrote as accesses.
bool is_note(const Function& f, ValueId address) {
  ValueId buffer = buffer_of(f, address);
  if (!buffer.valid()) return false;
  const size_t parameter = f.value(buffer).index;
  if (parameter >= f.params.size()) return false;
  const ParamRole role = f.params[parameter].role;
  return role == ParamRole::Traps || role == ParamRole::Printf;
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
      if (is_note(wave, address)) continue;
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

void explain_flow_blocks(const Function& thread, const Cfg& cfg, size_t first, Remarks& remarks) {
  if (!remarks.wants("reconverge")) return;
  for (BlockId b : thread.layout) {
    if (b.index < first || !thread.block(b).is_flow) continue;
    std::vector<Loc> from;
    for (BlockId p : cfg.preds[b.index])
      if (Loc loc = thread.inst(thread.terminator(p)).loc;
          loc.line && std::ranges::find(from, loc) == from.end())
        from.push_back(loc);
    if (from.empty()) continue;
    Remark remark{"reconverge", from[0],
                  "work-items that diverge here reconverge at a block added after this"};
    for (size_t k = 1; k < from.size(); ++k) remark.notes.push_back({from[k], "and after this"});
    remarks.add(std::move(remark));
  }
}

void explain_failed_plan(const Function& thread, Remarks& remarks) {
  if (!remarks.wants("reconverge")) return;
  for (BlockId b : thread.layout)
    if (Loc loc = thread.inst(thread.terminator(b)).loc; loc.line) {
      remarks.add({"reconverge", loc,
                   "work-items would not always reconverge in this order of blocks; the default is taken"});
      return;
    }
}

}  // namespace kc
