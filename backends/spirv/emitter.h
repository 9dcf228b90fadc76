// SPDX-License-Identifier: Apache-2.0
// The walk over the region tree that writes the module. The tree determines all control flow. Internal to
// this folder: emit.cpp emits blocks, emit_regions.cpp emits the control flow between them, and
// emit_loop_limit_detection.cpp detects drivers that leave loops too early.
#pragma once

#include <functional>
#include <map>

#include "backends/spirv/exit_conditions.h"
#include "backends/spirv/launch.h"
#include "backends/spirv/loop_live_outs.h"
#include "backends/spirv/memory.h"
#include "backends/spirv/opaque_floats.h"
#include "backends/spirv/sub_groups.h"
#include "backends/structured/region_tree.h"

namespace kc::spirv {

/// An edge into a join or to a loop's continue target: its predecessor and the values it carries.
struct Incoming {
  Word pred = 0;
  BlockId target;           // if known
  Words values;             // for the target's parameters
  uint32_t from = kNoJoin;  // otherwise: all values collected by this join are forwarded
  Words kept;               // for the join's kept values
  Word token = 0;
};

/// Joins merge parameters of all targets: the k-th parameter of each type uses one slot for all targets.
using Slot = std::pair<Elem, size_t>;

struct JoinState {
  Word label = 0, selector = 0;
  std::vector<Incoming> incoming;
  std::map<Slot, Word> slots;
  // For a loop with driver limit detection: the smallest token of its exits in this execution, and the tokens
  // of its targets.
  Word first_token = 0;
  Words tokens;
  bool differ = false;  // the exits carry different tokens although they lead to one target
};

struct LoopState {
  BlockId header;
  Word continue_label = 0;
  std::vector<Incoming> incoming;
};

/// Maps types that are identical in SPIR-V to one.
inline Elem type_class(Elem e) { return Type{e}.is_pointer() ? integer_of(e) : e; }

class Emitter {
 public:
  Emitter(const Function& function, const SpirvOptions& options)
      : f(function),
        options_(options),
        launch_(c, options, function.reqd_local[0] == 0),
        memory_(f, c, [this](ValueId v) { return opaque_floats_.stored(v, value(v)); }),
        sub_groups_(f, c, launch_),
        tree_(build_regions(f)),
        leaving_(f, tree_, options) {}
  VulkanImage run();

 private:
  // Values
  Word value(ValueId v);
  void define(ValueId v, Word id);
  Words values(std::span<const ValueId> ids);
  void guard(const Region& r);
  // Code
  void prologue();
  void end_lanes_behind_rows();
  void modes(Word function);
  void note_wide_atomics();
  void instruction(const Inst& inst);
  void place(const Loc& loc);
  void begin_block(Word label);
  void name_block(Word label, BlockId block, std::string_view otherwise);
  Word load_demoted(ValueId v);
  Word read_kept(ValueId v);
  // Regions
  void list(const RegionList& regions);
  void region(const Region& r);
  void bind(const Arrival& arrival, BlockId block);
  Words passed(const Target& target);
  Words arriving(const Arrival& arrival, BlockId block);
  Words carried(uint32_t join, BlockId block) const;
  void select(const Region& r);
  void switch_to(const Region& r, Word control, const Words& labels);
  void exit_if(const Region& r);
  void loop(const Region& r);
  void test(const Region& r);
  void leave_if(const Region& r);
  void leave_all(const Region& r);
  void jump(const Region& r);
  Word go(const Region& r, Incoming incoming);  // returns the label to branch to
  bool only_jumps_to(const RegionList& arm, uint32_t join) const;
  void begin_join(uint32_t join);
  void begin_selector(JoinState& join);
  Word own_number();
  void make_tokens(uint32_t join);
  Word exit_token(uint32_t join, const Incoming& incoming);
  void compare_token(JoinState& join, Word token);
  void ask_again(const Region& r, const ExitConditions& asked);
  void end_cut_items(Word cut);
  Word phi(Elem e, std::span<const Incoming> incoming, const std::function<Word(const Incoming&)>& of);
  Word brought(const Incoming& in, Slot slot);
  Word selector_of(uint32_t join);
  Word selected(uint32_t join, const std::vector<BlockId>& targets);

  const Function& f;
  const SpirvOptions& options_;
  Code c;
  LaunchCode launch_;
  MemoryCode memory_;
  SubGroupCode sub_groups_;
  OpaqueFloats opaque_floats_;
  RegionTree tree_;
  const LoopLiveOuts leaving_;
  VulkanImage image_;
  Words values_;                   // by value id
  std::map<ValueId, Word> again_;  // values that are recomputed and replace those in values_
  bool asking_ = false;
  std::vector<JoinState> joins_;
  std::vector<LoopState> loops_;  // open loops, innermost last
  Word current_ = 0, named_ = 0;  // label of the current block, and of the last block named
  Words files_;                   // file name ids by Loc::file; 0 until needed
  Word loop_count_ = 0;           // local variable: first token of the last loop entered
  Loc at_;                        // last position emitted
};

}  // namespace kc::spirv
