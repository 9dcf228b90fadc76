// SPDX-License-Identifier: Apache-2.0
#include "tests/property/naive_waves.h"

#include "ir/check.h"
#include "ir/parameters.h"

namespace kc::test {
namespace {

class Lowering {
 public:
  Lowering(const Function& thread, uint32_t width, const NaiveOptions& options)
      : t_(thread), options_(options), owned_(std::make_unique<Function>()), w_(*owned_), b_(w_) {
    w_.name = t_.name;
    w_.dialect = Dialect::Wave;
    w_.is_kernel = t_.is_kernel;
    w_.width = width;
    w_.reqd_local = t_.reqd_local;
    w_.params = t_.params;
    w_.params.push_back(hidden_parameter(ParamRole::EntryMask));
  }

  std::unique_ptr<Function> run() {
    declare();
    // The dispatcher: one test per block, in layout order.
    for (size_t i = 0; i < t_.layout.size(); ++i) {
      b_.block = tests_[i];
      VarId waiting = masks_[t_.layout[i].index];
      ValueId mask = b_.get(waiting);
      BlockId body = w_.add_block("run");
      b_.br_if(b_.make(Op::any, kI1, {mask}), {body, {}}, {tests_[i + 1], {}});
      b_.block = body;
      w_.block(body).mask = mask;
      mask_ = mask;
      b_.set(waiting, w_.constant(kMask, 0));
      for (InstId inst : t_.block(t_.layout[i]).insts) lower(t_.inst(inst));
    }
    b_.block = tests_.back();
    w_.block(b_.block).mask = valid_;
    b_.ret();
    return std::move(owned_);
  }

 private:
  void declare() {
    BlockId entry = w_.add_block();
    b_.block = entry;
    values_.resize(t_.value_count());
    masks_.resize(t_.block_count());
    for (ValueId p : t_.block(t_.entry()).params) params_.emplace_back(p, w_.add_param(entry, t_.type(p)));
    valid_ = w_.add_param(entry, kMask);
    w_.block(entry).mask = valid_;
    for (const Var& v : t_.vars) {
      vars_.push_back(w_.add_var(v.name, v.type.lanes()));
      b_.set(vars_.back(), lane(w_.constant(v.type, 0)));
    }
    for (BlockId b : t_.layout) {
      masks_[b.index] = w_.add_var("waiting", kMask);
      b_.set(masks_[b.index], b == t_.entry() ? valid_ : w_.constant(kMask, 0));
      if (b != t_.entry())
        for (ValueId p : t_.block(b).params) values_[p.index] = w_.add_var("p", t_.type(p).lanes());
      for (InstId i : t_.block(b).insts)
        for (ValueId r : t_.inst(i).results) values_[r.index] = w_.add_var("r", t_.type(r).lanes());
      tests_.push_back(w_.add_block("test"));
    }
    tests_.push_back(w_.add_block("done"));
    b_.br(tests_[0]);
  }

  ValueId lane(ValueId v) { return w_.type(v).lane ? v : b_.make(Op::splat, w_.type(v).lanes(), {v}); }
  // The current value of a thread value: parameters and constants are uniform.
  ValueId read(ValueId v) {
    if (t_.is_const(v)) return w_.constant(t_.type(v), t_.value(v).bits);
    if (t_.is_undef(v)) return w_.constant(t_.type(v), 0);
    for (auto [thread, wave] : params_)
      if (thread == v) return wave;
    return b_.get(values_[v.index]);
  }
  void write(VarId var, ValueId v) {
    v = lane(v);
    if (options_.merge) v = b_.make(Op::blend, w_.type(v), {mask_, v, b_.get(var)});
    b_.set(var, v);
  }

  void lower(const Inst& inst) {
    if (inst.loc.line) b_.loc = inst.loc;
    switch (inst.op) {
      case Op::var_get:
        return write(values_[inst.results[0].index], b_.get(vars_[static_cast<size_t>(inst.attrs[0])]));
      case Op::var_set:
        return write(vars_[static_cast<size_t>(inst.attrs[0])], read(inst.operands[0]));
      case Op::load: {
        ValueId address = read(inst.operands[0]);
        Type type = t_.type(inst.results[0]);
        return write(values_[inst.results[0].index],
                     w_.type(address).lane
                         ? b_.make(Op::lane_load, type.lanes(), {mask_, address}, {inst.attrs[0]})
                         : b_.make(Op::uniform_load, type, {address}, {inst.attrs[0]}));
      }
      case Op::store: {
        ValueId address = lane(read(inst.operands[0]));
        ValueId value = lane(read(inst.operands[1]));
        b_.emit(Op::lane_store, {mask_, address, value}, {}, {inst.attrs[0]});
        return;
      }
      default:
        return info(inst.op).has(Terminator) ? leave(inst) : compute(inst);
    }
  }

  void compute(const Inst& inst) {
    std::vector<ValueId> operands;
    bool lanes = info(inst.op).has(LaneSource);
    for (ValueId v : inst.operands) {
      operands.push_back(read(v));
      lanes |= w_.type(operands.back()).lane;
    }
    Type type = t_.type(inst.results[0]);
    InstId made = b_.emit(inst.op, std::move(operands), {lanes ? type.lanes() : type});
    w_.inst(made).attrs = inst.attrs;
    write(values_[inst.results[0].index], w_.result(made));
  }

  // The lanes of `mask` continue at the target.
  void go(const Target& target, ValueId mask) {
    std::vector<ValueId> args;
    for (ValueId v : target.args) args.push_back(lane(read(v)));
    const auto& params = t_.block(target.block).params;
    for (size_t i = 0; i < args.size(); ++i) {
      VarId var = values_[params[i].index];
      ValueId old = b_.get(var);
      b_.set(var, b_.make(Op::blend, w_.type(args[i]), {mask, args[i], old}));
    }
    VarId waiting = masks_[target.block.index];
    ValueId old = b_.get(waiting);
    b_.set(waiting, b_.make(Op::mask_or, kMask, {old, mask}));
  }

  void leave(const Inst& inst) {
    KC_CHECK(inst.op != Op::trap, "a function that traps cannot be lowered naively");
    ValueId rest = mask_;
    if (inst.op == Op::br_if) {
      ValueId taken = b_.make(Op::mask_cond, kMask, {rest, lane(read(inst.operands[0]))});
      go(inst.targets[0], taken);
      go(inst.targets[1], b_.make(Op::mask_andnot, kMask, {rest, taken}));
    } else if (inst.op == Op::switch_) {
      ValueId value = lane(read(inst.operands[0]));
      for (size_t i = 1; i < inst.operands.size(); ++i) {
        ValueId is = b_.make(Op::eq, kI1.lanes(), {value, read(inst.operands[i])});
        ValueId taken = b_.make(Op::mask_cond, kMask, {rest, is});
        go(inst.targets[i], taken);
        rest = b_.make(Op::mask_andnot, kMask, {rest, taken});
      }
      go(inst.targets[0], rest);
    } else if (inst.op == Op::br) {
      go(inst.targets[0], rest);
    }
    b_.br(tests_[0]);
  }

  const Function& t_;
  const NaiveOptions& options_;
  std::unique_ptr<Function> owned_;
  Function& w_;
  Builder b_;
  std::vector<std::pair<ValueId, ValueId>> params_;
  std::vector<VarId> values_, vars_;  // by thread value; by thread variable
  std::vector<VarId> masks_;          // by thread block
  std::vector<BlockId> tests_;        // in layout order, then the end
  ValueId valid_, mask_;
};

}  // namespace

std::unique_ptr<Function> naive_waves(const Function& thread, uint32_t width, const NaiveOptions& options) {
  return Lowering(thread, width, options).run();
}

}  // namespace kc::test
