// SPDX-License-Identifier: Apache-2.0
#include "passes/ir_util.h"

#include "passes/analysis/cache.h"

#include <algorithm>
#include <unordered_map>

#include "ir/cfg.h"
#include "ir/check.h"

namespace kc {

void Replacements::set(ValueId from, ValueId to) {
  if (from.index >= to_.size()) to_.resize(from.index + 1);
  KC_CHECK(from != to, "a value replaced by itself");
  to_[from.index] = to;
  ++count_;
}

ValueId Replacements::end_of(ValueId v) {
  ValueId end = v;
  while (replaced(end)) end = to_[end.index];
  while (replaced(v)) {
    ValueId next = to_[v.index];
    to_[v.index] = end;
    v = next;
  }
  return end;
}

void apply_replacements(Function& f, Replacements& replacements) {
  if (replacements.empty()) return;
  for_each_use(f, [&](ValueId& v) { v = replacements.resolve(v); });
}

void remove_params(Function& f, const std::vector<bool>& doomed) {
  auto marked = [&](ValueId v) { return v.index < doomed.size() && doomed[v.index]; };
  std::vector<char> touched(f.block_count(), 0);
  for (BlockId b : f.layout)
    if (b != f.entry()) touched[b.index] = std::ranges::any_of(f.block(b).params, marked);
  for (BlockId b : f.layout)
    for (Target& t : f.inst(f.terminator(b)).targets) {
      if (!touched[t.block.index]) continue;
      const auto& params = f.block(t.block).params;
      size_t kept = 0;
      for (size_t k = 0; k < params.size(); ++k)
        if (!marked(params[k])) t.args[kept++] = t.args[k];
      t.args.resize(kept);
    }
  for (BlockId b : f.layout) {
    if (!touched[b.index]) continue;
    auto& params = f.block(b).params;
    std::erase_if(params, marked);
    for (size_t k = 0; k < params.size(); ++k) f.value(params[k]).index = static_cast<uint32_t>(k);
  }
}

namespace {

// Copy propagation through parameters, optimistic: initially every parameter may be a copy of anything. It
// becomes a copy of the one value its edges agree on, or itself if they disagree. At the fixed point a copy's
// original is on every path to it, hence dominates it.
class ParamCopies {
 public:
  explicit ParamCopies(const Function& function) : f(function), first_(f.block_count(), 0) {
    uint32_t count = 0;
    for (BlockId b : f.layout) {
      first_[b.index] = count;
      count += static_cast<uint32_t>(f.block(b).params.size());
    }
    copy_of_.resize(count);
    queued_.assign(count, 0);
    changes_.assign(count, 0);
    std::vector<std::pair<ValueId, ValueId>> passed;  // parameters, and an edge's arguments for them
    for (BlockId b : f.layout)
      for (const Target& t : f.successors(b)) {
        const auto& params = f.block(t.block).params;
        for (size_t k = 0; k < params.size(); ++k) passed.push_back({params[k], t.args[k]});
      }
    incoming_ = Lists<ValueId>(count, [&](auto add) {
      for (auto [p, v] : passed) add(number(p), v);
    });
    users_ = Lists<ValueId>(count, [&](auto add) {
      for (auto [p, v] : passed)
        if (f.value(v).kind == ValueKind::Param) add(number(v), p);
    });
    for (ValueId p : f.block(f.entry()).params) copy_of_[number(p)] = p;
  }

  // Whether there are any copies.
  bool run() {
    for (auto it = f.layout.rbegin(); it != f.layout.rend(); ++it)
      if (*it != f.entry())
        for (ValueId p : f.block(*it).params) push(p);
    while (!work_.empty()) {
      ValueId p = work_.back();
      work_.pop_back();
      const uint32_t n = number(p);
      queued_[n] = 0;
      ValueId now = meet(p);
      if (now == copy_of_[n] || copy_of_[n] == p) continue;
      // A parameter changes if its original turns out to be no copy; a limit guarantees termination.
      copy_of_[n] = ++changes_[n] > kMaxChanges ? p : now;
      changed_again_ |= changes_[n] > 1;
      for (ValueId user : users_[n]) push(user);
    }
    for (BlockId b : f.layout)
      for (ValueId p : f.block(b).params)
        if (is_copy(p)) return true;
    return false;
  }
  // Whether a parameter may have been taken for no copy because of what turned out to be wrong of another.
  bool may_leave_some() const { return changed_again_; }
  bool is_copy(ValueId p) const { return original(p).valid() && original(p) != p; }
  ValueId original(ValueId p) const { return copy_of_[number(p)]; }

 private:
  // Parameters are few among the values.
  uint32_t number(ValueId p) const { return first_[f.value(p).owner] + f.value(p).index; }
  void push(ValueId p) {
    if (char& queued = queued_[number(p)]; !queued) queued = 1, work_.push_back(p);
  }
  ValueId meet(ValueId p) const {
    ValueId one;
    for (ValueId arg : incoming_[number(p)]) {
      ValueId v = f.value(arg).kind == ValueKind::Param ? copy_of_[number(arg)] : arg;
      if (!v.valid() || v == p) continue;
      if (one.valid() && one != v) return p;
      one = v;
    }
    return one;
  }

  static constexpr uint8_t kMaxChanges = 8;
  const Function& f;
  std::vector<uint32_t> first_;   // by block: the number of its first parameter
  std::vector<ValueId> copy_of_;  // by number; invalid: unknown yet
  std::vector<char> queued_;
  std::vector<uint8_t> changes_;
  bool changed_again_ = false;
  Lists<ValueId> incoming_, users_;  // by number: incoming arguments, and parameters that receive it
  std::vector<ValueId> work_;
};

}  // namespace

bool remove_trivial_params(Function& f) {
  bool changed = false;
  for (int round = 0; round < 4; ++round) {
    ParamCopies copies(f);
    if (!copies.run()) break;
    Replacements replaced(f);
    std::vector<bool> doomed(f.value_count());
    for (BlockId b : f.layout)
      for (ValueId p : f.block(b).params)
        if (copies.is_copy(p)) replaced.set(p, copies.original(p)), doomed[p.index] = true;
    apply_replacements(f, replaced);
    remove_params(f, doomed);
    changed = true;
    if (!copies.may_leave_some()) break;
  }
  return changed;
}

std::optional<uint64_t> evaluated(const Function& f, const Inst& inst, std::span<const uint64_t> bits) {
  const OpInfo& row = info(inst.op);
  const Type type = f.type(inst.results[0]);
  const EvalFn eval = row.eval ? row.eval(f.type(inst.operands[0]).elem, type.elem) : nullptr;
  if (!eval) return std::nullopt;
  const uint64_t r = eval(bits.data());
  return type.bits() < 64 ? r & ((uint64_t{1} << type.bits()) - 1) : r;
}

std::vector<uint32_t> count_uses(const Function& f) {
  std::vector<uint32_t> uses(f.value_count(), 0);
  for_each_use(f, [&](const ValueId& v) { ++uses[v.index]; });
  return uses;
}

Lists<InstId> users_of(const Function& f, std::span<const BlockId> blocks) {
  return Lists<InstId>(f.value_count(), [&](auto add) {
    std::vector<InstId> last(f.value_count());
    auto use = [&](ValueId v, InstId i) {
      if (last[v.index] != i) add(v.index, i);
      last[v.index] = i;
    };
    for (BlockId b : blocks)
      for (InstId i : f.block(b).insts) {
        for (ValueId v : f.inst(i).operands) use(v, i);
        for (const Target& t : f.inst(i).targets)
          for (ValueId v : t.args) use(v, i);
      }
  });
}

void make_jump(Inst& terminator, Target target) {
  terminator.op = Op::br;
  terminator.operands.clear();
  terminator.targets = {std::move(target)};
}

InstId copy_with(Function& f, InstId inst, ValueList operands) {
  const Inst& from = f.inst(inst);
  const InstId copy = f.create(from.op, std::move(operands), {}, from.loc);
  f.inst(copy).attrs = from.attrs;
  f.add_result(copy, f.type(from.results[0]));
  return copy;
}

ValueMap copy_blocks(Function& f, std::span<const BlockId> blocks, std::span<const BlockId> copies,
                     ValueMap given) {
  for (size_t k = 0; k < blocks.size(); ++k)
    for (ValueId p : f.block(blocks[k]).params) given[p.index] = f.add_param(copies[k], f.type(p));
  for (size_t k = 0; k < blocks.size(); ++k)
    for (InstId i : f.block(blocks[k]).insts) {
      const Inst& inst = f.inst(i);
      InstId copy = f.create(inst.op, inst.operands, {}, inst.loc);
      for (ValueId v : inst.results) given.try_emplace(v.index, f.add_result(copy, f.type(v)));
      f.inst(copy).attrs = inst.attrs;
      f.inst(copy).targets = inst.targets;
      f.append(copies[k], copy);
    }
  auto replace = [&](ValueList& list) {
    for (ValueId& v : list)
      if (auto it = given.find(v.index); it != given.end()) v = it->second;
  };
  for (BlockId b : copies)
    for (InstId i : f.block(b).insts) {
      replace(f.inst(i).operands);
      for (Target& t : f.inst(i).targets) replace(t.args);
    }
  return given;
}

ValueId shifts_one_by(const Function& f, ValueId v) {
  const InstId d = f.def(v);
  if (!d || f.inst(d).erased || f.inst(d).op != Op::shl) return {};
  const ValueId one = f.inst(d).operands[0];
  return f.is_const(one) && f.value(one).bits == 1 ? f.inst(d).operands[1] : ValueId();
}

std::optional<NegatedComparison> negation_of(Op comparison) {
  struct Row {
    Op from;
    NegatedComparison to;
  };
  static constexpr Row kRows[] = {{Op::eq, {Op::ne, false}},   {Op::ne, {Op::eq, false}},
                                  {Op::slt, {Op::sle, true}},  {Op::sle, {Op::slt, true}},
                                  {Op::ult, {Op::ule, true}},  {Op::ule, {Op::ult, true}},
                                  {Op::feq, {Op::fne, false}}, {Op::fne, {Op::feq, false}}};
  const auto* row = std::ranges::find(kRows, comparison, &Row::from);
  return row == std::end(kRows) ? std::nullopt : std::optional(row->to);
}

void sweep_erased(Function& f) {
  for (BlockId b : f.layout)
    std::erase_if(f.block(b).insts, [&](InstId i) {
      Inst& inst = f.inst(i);
      if (inst.erased) inst.block = BlockId();
      return inst.erased;
    });
}

bool remove_unreachable_blocks(Function& f) {
  std::vector<bool> reached(f.block_count());
  std::vector<BlockId> work{f.entry()}, doomed;
  reached[f.entry().index] = true;
  while (!work.empty()) {
    BlockId b = work.back();
    work.pop_back();
    for (const Target& t : f.successors(b))
      if (!reached[t.block.index]) reached[t.block.index] = true, work.push_back(t.block);
  }
  for (BlockId b : f.layout)
    if (!reached[b.index]) doomed.push_back(b);
  f.erase_blocks(doomed);
  return !doomed.empty();
}

bool remove_unreachable_blocks(Function& f, AnalysisCache& analyses) {
  if (analyses.cfg().rpo.size() == f.layout.size()) return false;
  remove_unreachable_blocks(f);
  analyses.keep(NoAnalyses);
  return true;
}

bool has_any(const Function& f, std::initializer_list<Op> ops) {
  for (BlockId b : f.layout)
    for (InstId i : f.block(b).insts)
      if (std::ranges::find(ops, f.inst(i).op) != ops.end()) return true;
  return false;
}

bool has_convergent(const Function& f) {
  for (BlockId b : f.layout)
    for (InstId i : f.block(b).insts)
      if (info(f.inst(i).op).has(Convergent)) return true;
  return false;
}

}  // namespace kc
