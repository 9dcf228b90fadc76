// SPDX-License-Identifier: Apache-2.0
// From the code of one work-item to the code of a wave of 16 lanes. Blocks without branches are done.
//
//   kernelc k.cl --emit=ir --passes=mem2reg,reconverge,exec:build/release/masks,mem2reg,dce
//
// It uses the compiler's own functions (ir/function.h); lower_to_wave is not for use here.
#include <fmt/format.h>

#include <cstdlib>
#include <string>
#include <vector>

#include "ir/cfg.h"
#include "ir/json/json.h"
#include "ir/parameters.h"
#include "lab.h"

namespace {

using namespace kc;

constexpr uint32_t kLanes = 16;

[[noreturn]] void give_up(const char* what) {
  fmt::print(stderr, "masks: {}\n", what);
  std::exit(1);
}

class Masks {
 public:
  explicit Masks(const Function& thread) : t(thread), value_(t.value_count()), blocks_(t.block_count()) {
    w.name = t.name, w.dialect = Dialect::Wave, w.is_kernel = t.is_kernel, w.width = kLanes;
    w.reqd_local = t.reqd_local, w.reqd_sub_group = t.reqd_sub_group, w.params = t.params, w.files = t.files;
  }

  Function run() {
    const Cfg cfg(t);
    for (BlockId b : cfg.rpo) blocks_[b.index] = w.add_block(t.block(b).hint);
    const BlockId entry = blocks_[t.entry().index];
    for (ValueId p : t.block(t.entry()).params) value_[p.index] = w.add_param(entry, t.type(p));
    lanes_ = add_hidden_parameter(w, ParamRole::EntryMask);
    for (BlockId b : cfg.rpo) {  // dominators first
      build_.block = blocks_[b.index];
      begin(b);
      for (InstId i : t.block(b).insts)
        if (i == t.terminator(b))
          end(t.inst(i));
        else
          instruction(t.inst(i));
    }
    return std::move(w);
  }

 private:
  /// The mask of the block, and the values of its parameters.
  void begin(BlockId b) {
    if (b != t.entry()) give_up("branches are yours");
    mask_ = w.block(build_.block).mask = lanes_;
  }

  /// The masks of the next blocks, and where the wave goes.
  void end(const Inst& inst) {
    if (inst.op != Op::ret) give_up("branches are yours");
    build_.ret();
  }

  // w.add_var(name, type) makes a variable; build_.get and build_.set read and set it. The pass mem2reg,
  // which runs next, makes values of variables.

  /// The wave's value of an operand.
  ValueId use(ValueId v) {
    if (t.is_const(v)) return w.constant(t.type(v), t.value(v).bits);
    if (t.is_undef(v)) return w.undef(t.type(v));
    return value_[v.index];
  }

  /// The same with an element for each lane.
  ValueId lanes(ValueId v) {
    const Type type = w.type(v);
    if (type.lane) return v;
    if (w.is_const(v)) return w.constant(type.lanes(), w.value(v).bits);
    if (w.is_undef(v)) return w.undef(type.lanes());
    return build_.make(Op::splat, type.lanes(), {v});
  }

  void instruction(const Inst& inst) {
    build_.loc = inst.loc;
    ValueList operands;
    bool differs = inst.op == Op::global_id || inst.op == Op::local_id;
    for (ValueId v : inst.operands) {
      operands.push_back(use(v));
      differs |= w.type(operands.back()).lane;
    }
    if (inst.op == Op::store) {
      build_.emit(Op::lane_store, {mask_, lanes(operands[0]), lanes(operands[1])}, {}, {inst.attrs[0]});
      return;
    }
    const Type type = t.type(inst.results[0]);
    ValueId& made = value_[inst.results[0].index];
    if (inst.op == Op::load)
      made = build_.make(Op::lane_load, type.lanes(), {mask_, lanes(operands[0])}, {inst.attrs[0]});
    else
      made = build_.make(inst.op, differs ? type.lanes() : type, std::move(operands),
                         {inst.attrs[0], inst.attrs[1], inst.attrs[2], inst.attrs[3]});
  }

  const Function& t;
  Function w;
  Builder build_{w};
  std::vector<ValueId> value_;   // of thread values: the wave's
  std::vector<BlockId> blocks_;  // of thread blocks: the wave's
  ValueId lanes_, mask_;         // that exist; those of the block
};

}  // namespace

int main() {
  const auto module = lab::read();
  if (!module) return 1;
  fmt::print("{}", write_json(Masks(*module->functions.front()).run()));
}
