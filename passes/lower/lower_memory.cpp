// SPDX-License-Identifier: Apache-2.0
// lower_memory: replaces local and constant objects by addresses. Private objects come later, for each target
// (lower_private.cpp): until then it shows to which of them a pointer may point.
//
// Needs ThreadForm; gives NoObjects.
//
//   %1: ptr<local> = object_address object=$t.0
//   store %1, %2                                 ==>  store 16:ptr<local>, %2
#include "passes/lower/lower_memory.h"

#include "ir/launch.h"
#include "ir/parameters.h"
#include "passes/ir_util.h"

namespace kc {
namespace {

class MemoryLowering {
 public:
  explicit MemoryLowering(Function& function)
      : f(function),
        b_(function),
        replaced_(function),
        local_(lay_out_objects(f, kPtrLocal)),
        constant_(lay_out_objects(f, kPtrConstant)) {}

  bool run() {
    for (BlockId block : f.layout) {
      std::vector<InstId> old = std::move(f.block(block).insts);
      f.block(block).insts.clear();
      b_.block = block;
      for (InstId i : old)
        if (!instruction(i)) f.append(block, i);
    }
    if (!replaced_.empty()) apply_replacements(f, replaced_);
    return changed_;
  }

 private:
  // Replaces the instruction if necessary; returns whether it did.
  bool instruction(InstId id) {
    const Inst& inst = f.inst(id);
    if (inst.op != Op::object_address || f.type(inst.results[0]) == kPtrPrivate) return false;
    b_.loc = inst.loc;
    object(inst);
    f.inst(id).erased = changed_ = true;
    return true;
  }

  void object(const Inst& inst) {
    auto i = static_cast<size_t>(inst.attrs[0]);
    const ValueId result = inst.results[0];
    const bool local = f.objects[i].type == kPtrLocal;
    const uint32_t offset = (local ? local_ : constant_).offsets[i];
    replaced_.set(result, local ? f.constant(kPtrLocal, offset)
                                : b_.make(Op::ptr_add, kPtrConstant, {constants(), b_.i64(0)},
                                          {1, static_cast<int64_t>(offset)}));
  }

  ValueId constants() {
    if (!constants_.valid()) constants_ = add_hidden_parameter(f, ParamRole::Constants);
    return constants_;
  }

  Function& f;
  Builder b_;
  Replacements replaced_;
  const MemoryLayout local_, constant_;
  ValueId constants_;
  bool changed_ = false;
};

}  // namespace

bool lower_memory(Function& f) { return MemoryLowering(f).run(); }

}  // namespace kc
