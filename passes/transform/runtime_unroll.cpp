// SPDX-License-Identifier: Apache-2.0
// runtime_unroll: unrolling of loops whose trip count is known only at run time, with a remainder loop.
//
// It is done where each lane reads bytes or shorts of its own, one after the other (lane_walks.h): alone each
// is a gather, of several iterations the backend makes a load of one or two words for each lane. In front of
// the loop comes another one, which runs while there are as many iterations as it has copies of the body; one
// test takes the place of theirs. The addresses of all copies are those of the first one plus constants.
// Where nothing in the loop stores, the loads of all copies come first, so that branches in the body do not
// separate them. What is left is done by the loop itself. The test of the last copy stays where loops test at
// their end.
//
// Needs ThreadForm, Ssa; kills Reconverging, Structured.
//
//   b1(%j): %1 = load (ptr_add %p, %j)      b4(%j): br_if (slt %j, %n) and (ugt (sub %n, %j), 7) -> b5, b1
//     ...                                   b5: 8 loads at ptr_add %p, %j, offset=0 ... 7
//     br_if (slt %k, %n) -> b1(%k), b2  ==>   ...
//                                             br_if (slt %k8, %n) -> b4(%k8), b2
//                                           b1(%j): as before
#include "passes/transform/runtime_unroll.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "ir/ssa_repair.h"
#include "passes/analysis/lane_walks.h"
#include "passes/ir_util.h"
#include "passes/transform/dce.h"
#include "passes/transform/instcombine.h"
#include "passes/transform/mem2reg.h"
#include "passes/transform/simplify_cfg.h"

namespace kc {
namespace {

class RuntimeUnroller {
 public:
  RuntimeUnroller(Function& function, const Cfg& cfg, const Cycles& cycles, const LaneWalk& walk)
      : f(function),
        cfg_(cfg),
        cycles_(cycles),
        walk_(walk),
        test_(walk.test),
        header_(walk.blocks[0]),
        loc_(f.inst(f.terminator(walk.test.block)).loc),
        check_(f.add_block("enough")),
        first_(f.add_block("unrolled")) {}

  void run() {
    for (ValueId p : f.block(header_).params) params_.push_back(f.add_param(check_, f.type(p)));
    enter_at_check();
    write_check();
    write_addresses();
    std::vector<std::vector<BlockId>> copies(walk_.factor);
    for (uint32_t n = 0; n < walk_.factor; ++n) {
      for (BlockId b : walk_.blocks) copies[n].push_back(f.add_block(f.block(b).hint));
      copy_blocks(f, walk_.blocks, copies[n], given_[n]);
    }
    for (uint32_t n = 0; n < walk_.factor; ++n) connect(copies, n);
    InstId jump = f.create(Op::br, {}, {}, loc_);
    f.inst(jump).targets = {Target{copies[0][0], ValueList(params_)}};
    f.append(first_, jump);
  }

 private:
  bool tests_at_end() const {
    return std::ranges::any_of(f.successors(test_.block),
                               [&](const Target& t) { return t.block == header_; });
  }

  ValueId emit(BlockId b, Op op, ValueList operands, Type type) {
    const InstId i = f.create(op, std::move(operands), std::array{type}, loc_);
    f.append(b, i);
    return f.result(i);
  }

  ValueId moved_by(BlockId b, ValueId number, int64_t by) {
    if (by == 0) return number;
    const Type type = f.type(number);
    if (!type.is_pointer())
      return emit(b, Op::add, {number, f.constant(type, static_cast<uint64_t>(by))}, type);
    const ValueId r = emit(b, Op::ptr_add, {number, f.constant(kI64, 0)}, type);
    f.inst(f.def(r)).attrs = {1, by};
    return r;
  }

  void enter_at_check() {
    for (BlockId p : cfg_.preds[header_.index])
      if (!cycles_.contains(walk_.cycle, p))
        for (Target& t : f.inst(f.terminator(p)).targets)
          if (t.block == header_) t.block = check_;
  }

  bool is_inside(ValueId v) const {
    return !f.is_inline(v) && std::ranges::find(walk_.blocks, block_of(f, v)) != walk_.blocks.end();
  }
  ValueId copy_to(BlockId b, ValueId v) {
    const InstId copy = copy_with(f, f.def(v), f.inst(f.def(v)).operands);
    f.append(b, copy);
    return f.result(copy);
  }

  // The value that a parameter of the header has at the check.
  ValueId at_check(ValueId v) const { return params_[f.value(v).index]; }

  // Whether all iterations of the copies go on whose test is left out: the difference to the bound is exact
  // where the number has not reached it.
  void write_check() {
    const bool up = test_.step > 0;
    ValueId number = moved_by(check_, at_check(test_.param), test_.first);
    ValueId bound = f.inst(test_.comparison).operands[test_.bound];
    if (is_inside(bound)) bound = copy_to(check_, bound);  // a variable that is read
    ValueId goes_on;
    if (!test_.not_equal)
      goes_on = emit(check_, relation(), up ? ValueList{number, bound} : ValueList{bound, number}, kI1);
    if (f.type(number).is_pointer()) number = as_integer(number), bound = as_integer(bound);
    const Type type = f.type(number);
    const ValueId left =
        emit(check_, Op::sub, up ? ValueList{bound, number} : ValueList{number, bound}, type);
    const int64_t tests = int64_t{walk_.factor} - (tests_at_end() ? 1 : 0);
    const ValueId most = f.constant(type, static_cast<uint64_t>((tests - 1) * std::abs(test_.step)));
    ValueId enough = emit(check_, test_.inclusive ? Op::ule : Op::ult, {most, left}, kI1);
    if (goes_on) enough = emit(check_, Op::and_, {goes_on, enough}, kI1);
    const InstId branch = f.create(Op::br_if, {enough}, {}, loc_);
    f.inst(branch).targets = {Target{first_, {}}, Target{header_, ValueList(params_)}};
    f.append(check_, branch);
  }
  Op relation() const {
    if (test_.is_signed) return test_.inclusive ? Op::sle : Op::slt;
    return test_.inclusive ? Op::ule : Op::ult;
  }
  ValueId as_integer(ValueId pointer) {
    return emit(check_, Op::bitcast, {pointer}, f.type(pointer).bits() == 64 ? kI64 : kI32);
  }

  // What the address is computed from, as far as it changes in the loop, once more in front of the copies.
  ValueId copy_in_front(ValueId v) {
    if (!is_inside(v)) return v;
    if (f.value(v).kind == ValueKind::Param) return at_check(v);
    if (auto known = in_front_.find(v.index); known != in_front_.end()) return known->second;
    const InstId def = f.def(v);
    ValueList operands;
    for (ValueId o : f.inst(def).operands) operands.push_back(copy_in_front(o));
    const InstId copy = copy_with(f, def, std::move(operands));
    f.append(first_, copy);
    return in_front_[v.index] = f.result(copy);
  }

  // Addresses of all copies, and what is loaded from them in front.
  void write_addresses() {
    given_.resize(walk_.factor);
    for (const LaneWalk::Access& a : walk_.accesses) {
      const ValueId address = f.inst(a.inst).operands[0], start = copy_in_front(address);
      const bool early = !walk_.stores && std::ranges::find(walk_.loads, a.inst) != walk_.loads.end();
      for (uint32_t n = 0; n < walk_.factor; ++n) {
        const ValueId at = given_[n][address.index] = moved(start, n * a.step);
        if (!early) continue;
        const InstId load = copy_with(f, a.inst, ValueList{at});
        f.append(first_, load);
        given_[n][f.result(a.inst).index] = f.result(load);
      }
    }
  }

  // A sum stays one.
  ValueId moved(ValueId address, int64_t bytes) {
    const InstId def = f.def(address);
    const bool sum = def && f.inst(def).op == Op::ptr_add && f.inst(def).block == first_;
    if (bytes == 0 || !sum) return moved_by(first_, address, bytes);
    const ValueId r = copy_to(first_, address);
    f.inst(f.def(r)).attrs[1] += bytes;
    return r;
  }

  // Each copy goes on with the next one, the last one with the check.
  void connect(const std::vector<std::vector<BlockId>>& copies, uint32_t n) {
    const bool last = n + 1 == walk_.factor;
    for (size_t k = 0; k < walk_.blocks.size(); ++k) {
      Inst& end = f.inst(f.terminator(copies[n][k]));
      const bool tests = walk_.blocks[k] == test_.block && !(last && tests_at_end());
      if (tests) make_jump(end, Target(end.targets[test_.staying]));
      for (Target& t : end.targets) {
        const auto at = std::ranges::find(walk_.blocks, t.block);
        if (at == walk_.blocks.end()) continue;
        const auto to = static_cast<size_t>(at - walk_.blocks.begin());
        t.block = to != 0 ? copies[n][to] : last ? check_ : copies[n + 1][0];
      }
    }
  }

  Function& f;
  const Cfg& cfg_;
  const Cycles& cycles_;
  const LaneWalk& walk_;
  const LoopTest test_;
  const BlockId header_;
  const Loc loc_;
  const BlockId check_, first_;
  std::vector<ValueId> params_;  // of the check
  ValueMap in_front_;
  std::vector<ValueMap> given_;  // by copy: addresses, and what was loaded in front
};

}  // namespace

bool runtime_unroll(Function& f, AnalysisCache& analyses, Remarks* remarks) {
  if (analyses.cycles().cycles.empty()) return false;
  const UniformityOptions& ids = analyses.ids();
  const int64_t along = ids.lane_x ? 0 : ids.lane_y ? 1 : 2;
  LaneSteps lanes(f, analyses.cfg(), analyses.uniformity(), along);
  const std::vector<LaneWalk> walks = find_lane_walks(f, analyses, analyses.uniformity(), lanes);
  if (walks.empty()) return false;
  // What is used behind a loop comes from a copy or from the remainder.
  std::vector<uint32_t> walk_of(f.block_count(), kNone);
  for (size_t w = 0; w < walks.size(); ++w)
    for (BlockId b : walks[w].blocks) walk_of[b.index] = static_cast<uint32_t>(w);
  pass_through_variables(f, analyses.cfg().rpo, "unrolled", [&](ValueId v, BlockId b) {
    const uint32_t walk = walk_of[block_of(f, v).index];
    return walk != kNone && walk != walk_of[b.index];
  });
  for (const LaneWalk& walk : walks) {
    if (remarks)
      remarks->add({"runtime_unroll", f.inst(f.terminator(walk.test.block)).loc,
                    fmt::format("loop is unrolled by {}: each lane reads places of its own, several of them "
                                "at a time",
                                walk.factor)});
    RuntimeUnroller(f, analyses.cfg(), analyses.cycles(), walk).run();
  }
  analyses.keep(NoAnalyses);
  if (!f.vars.empty()) mem2reg(f, analyses);
  instcombine(f, analyses);
  simplify_cfg(f, analyses);
  dce(f, analyses);
  return true;
}

}  // namespace kc
