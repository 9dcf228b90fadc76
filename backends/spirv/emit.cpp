// SPDX-License-Identifier: Apache-2.0
// Walks the region tree and writes the module. The tree has decided everything about control flow.
#include <fmt/format.h>

#include <algorithm>

#include "backends/spirv/launch.h"
#include "backends/spirv/leaving.h"
#include "backends/spirv/memory.h"
#include "backends/spirv/regions.h"
#include "backends/spirv/zeros.h"
#include "ir/check.h"
#include "ir/launch.h"
#include "passes/pipeline.h"

namespace kc {
namespace spirv {
namespace {

/// One way into a join or a loop's next round: the block it comes from and what it brings.
struct Incoming {
  Word pred = 0;
  BlockId target;           // when it is known
  Words values;             // for the target's parameters
  uint32_t from = kNoJoin;  // else: everything that this join gathered goes on
  Words kept;               // for the join's kept values
  Word token = 0;
};

/// What joins carry for the parameters of their targets: the k-th of each type has one place for all targets.
using Slot = std::pair<Elem, size_t>;

struct JoinState {
  Word label = 0, selector = 0;
  std::vector<Incoming> incoming;
  std::map<Slot, Word> slots;
  // Of a loop that drivers may cut: the least token that its exits bring in this execution, and those of its
  // targets.
  Word first_token = 0;
  Words tokens;
};

struct LoopState {
  BlockId header;
  Word continue_label = 0;
  std::vector<Incoming> incoming;
};

/// Types that are one in SPIR-V.
Elem type_class(Elem e) { return Type{e}.is_pointer() ? integer_of(e) : e; }

class Emitter {
 public:
  Emitter(const Function& function, const SpirvOptions& options)
      : f(function),
        options_(options),
        launch_(c, options, function.reqd_local[0] == 0),
        memory_(f, c, [this](ValueId v) { return value(v); }),
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
  Words arriving(const Arrival& arrival, BlockId block);
  Words carried(uint32_t join, BlockId block) const;
  void select(const Region& r);
  void exit_if(const Region& r);
  void loop(const Region& r);
  void test(const Region& r);
  void leave_if(const Region& r);
  void leave_all(const Region& r);
  void jump(const Region& r);
  Word go(const Region& r, Incoming incoming);  // the label to branch to
  bool only_jumps_to(const RegionList& arm, uint32_t join) const;
  void begin_join(uint32_t join);
  void begin_selector(JoinState& join);
  void make_tokens(uint32_t join);
  Word exit_token(uint32_t join, const Incoming& incoming);
  void compare_token(JoinState& join, Word token);
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
  HiddenZeros zeros_;
  RegionTree tree_;
  const LeavingValues leaving_;
  VulkanImage image_;
  Words values_;  // by value id
  std::vector<JoinState> joins_;
  std::vector<LoopState> loops_;  // open ones, innermost last
  Word current_ = 0, named_ = 0;  // label of the block being written, and of the one named last
  Word file_ = 0, never_ = 0;
  Word loop_count_ = 0;  // local variable: the first token of the loop entered last
  uint32_t line_ = 0;
};

// --- values

Word Emitter::value(ValueId v) {
  const Value& info = f.value(v);
  if (info.kind == ValueKind::Const && info.type == kPtrLocal) return memory_.local.constant(info.bits);
  if (info.kind == ValueKind::Const) return c.constant(info.type.elem, info.bits);
  if (info.kind == ValueKind::Undef) return c.zero(info.type.elem);
  KC_CHECK(values_[v.index], "spirv: value {} of kernel {} is used before it is emitted", v.index, f.name);
  return leaving_.demoted[v.index] ? load_demoted(v) : values_[v.index];
}

Word Emitter::load_demoted(ValueId v) { return c.make(spv::Op::OpLoad, f.type(v).elem, {values_[v.index]}); }

// Exits before the definition carry no value.
Word Emitter::read_kept(ValueId v) { return values_[v.index] ? load_demoted(v) : c.zero(f.type(v).elem); }

void Emitter::define(ValueId v, Word id) {
  if (!leaving_.demoted[v.index]) {
    values_[v.index] = id;
    return;
  }
  Word& variable = values_[v.index];
  if (!variable)
    variable = c.m.local_variable(c.m.type_pointer(spv::StorageClass::Function, c.type(f.type(v).elem)));
  c.m.code(spv::Op::OpStore, {variable, id});
}

Words Emitter::values(std::span<const ValueId> ids) {
  Words words;
  for (ValueId v : ids) words.push_back(value(v));
  return words;
}

// --- code

void Emitter::place(const Loc& loc) {
  if (!file_ || loc.line == 0 || loc.line == line_) return;
  line_ = loc.line;
  c.m.code(spv::Op::OpLine, {file_, loc.line, loc.column});
}

void Emitter::begin_block(Word label) {
  c.m.code(spv::Op::OpLabel, {label});
  current_ = label;
  line_ = 0;  // a line holds to the end of its block
}

// After the word that the front end has for a block; several in a row have the first one's.
void Emitter::name_block(Word label, BlockId block, std::string_view otherwise) {
  const std::string& hint = f.block(block).hint;
  if (label == named_ || (hint.empty() && otherwise.empty())) return;
  named_ = label;
  c.m.name(label, hint.empty() ? otherwise : std::string_view(hint));
}

void Emitter::instruction(const Inst& inst) {
  place(inst.loc);
  if (MemoryCode::handles(inst.op)) {
    Word result = memory_.emit(inst);
    if (result) define(inst.results[0], result);
    return;
  }
  switch (inst.op) {
    case Op::global_id:
    case Op::local_id:
    case Op::group_id:
    case Op::global_size:
    case Op::local_size:
    case Op::num_groups:
    case Op::global_offset:
    case Op::work_dim:
      return;  // emitted in the prologue
    default:
      break;
  }
  Operands operands{f.type(inst.operands[0]).elem, values(inst.operands), false};
  if (inst.operands.size() == 2 && f.is_const(inst.operands[1]) && f.type(inst.operands[1]).is_int()) {
    const Value& second = f.value(inst.operands[1]);
    bool is_shift = inst.op == Op::shl || inst.op == Op::lshr || inst.op == Op::ashr;
    uint64_t all_ones = ~uint64_t{0} >> (64 - width(second.type.elem));
    operands.second_is_safe =
        is_shift ? second.bits < width(second.type.elem) : second.bits != 0 && second.bits != all_ones;
  }
  if (inst.op == Op::select) operands.type = f.type(inst.operands[1]).elem;
  zeros_.replace(inst, operands.ids);
  define(inst.results[0], lower_arithmetic(c, inst.op, f.type(inst.results[0]).elem, operands, options_));
}

void Emitter::prologue() {
  launch_.begin();
  if (options_.guard_loop_values || options_.detect_cut_loops) never_ = launch_.never();
  if (options_.detect_cut_loops) {
    loop_count_ = c.m.local_variable(c.m.type_pointer(spv::StorageClass::Function, c.type(Elem::I32)));
    c.m.code(spv::Op::OpStore, {loop_count_, c.zero(Elem::I32)});
  }
  zeros_.emit(f, c, launch_);
  memory_.local.declare(image_);
  if (uint64_t bytes = lay_out_objects(f, kPtrPrivate).size) c.declare_private(bytes);
  uint32_t offset = 0;
  const auto& params = f.block(f.entry()).params;
  for (size_t i = 0; i < params.size(); ++i) {
    Elem e = f.type(params[i]).elem;
    uint32_t size = Type{e}.bytes();
    offset = (offset + size - 1) & ~(size - 1);
    ImageParam param;
    param.name = i < f.params.size() ? f.params[i].name : fmt::format("p{}", i);
    param.kind = e == Elem::PtrLocal              ? ImageParamKind::Local
                 : f.type(params[i]).is_pointer() ? ImageParamKind::Pointer
                                                  : ImageParamKind::Scalar;
    param.size = size;
    param.offset = offset;
    offset += size;
    std::optional<Word> fixed = memory_.local.parameter(i);
    Word id = fixed ? *fixed : launch_.parameter(param, e);
    if (!fixed) c.m.name(id, param.name);
    define(params[i], id);
    image_.params.push_back(std::move(param));
  }
  image_.params_size = (offset + 7) & ~7u;
  for (BlockId b : f.layout)
    for (InstId i : f.block(b).insts) {
      const Inst& inst = f.inst(i);
      bool has_dim = inst.op >= Op::global_id && inst.op <= Op::global_offset;
      if (!has_dim && inst.op != Op::work_dim) continue;
      auto dim = has_dim ? static_cast<unsigned>(inst.attrs[0]) : 0;
      define(inst.results[0], launch_.position(inst.op, dim, f.type(inst.results[0]).elem));
    }
}

void Emitter::modes(Word function) {
  c.m.execution_mode(function, spv::ExecutionMode::LocalSize, options_.local_size);
  auto mode = [&](bool have, spv::Capability capability, spv::ExecutionMode mode, Word bits) {
    if (!have) return;
    c.m.capability(capability);
    const Word operands[] = {bits};
    c.m.execution_mode(function, mode, operands);
  };
  using enum spv::Capability;
  mode(options_.rounding_even32, RoundingModeRTE, spv::ExecutionMode::RoundingModeRTE, 32);
  mode(options_.rounding_even64 && image_.needs_float64, RoundingModeRTE, spv::ExecutionMode::RoundingModeRTE,
       64);
  mode(options_.signed_zero_inf_nan_preserve32, SignedZeroInfNanPreserve,
       spv::ExecutionMode::SignedZeroInfNanPreserve, 32);
  mode(options_.signed_zero_inf_nan_preserve64 && image_.needs_float64, SignedZeroInfNanPreserve,
       spv::ExecutionMode::SignedZeroInfNanPreserve, 64);
}

void Emitter::note_wide_atomics() {
  for (BlockId b : f.layout)
    for (InstId i : f.block(b).insts) {
      const Inst& inst = f.inst(i);
      if (!(info(inst.op).flags & Atomic) || f.type(inst.operands[1]) != kI64) continue;
      (f.type(inst.operands[0]) == kPtrLocal ? image_.needs_local_int64_atomics
                                             : image_.needs_int64_atomics) = true;
    }
}

VulkanImage Emitter::run() {
  KC_CHECK(check_spirv(f).empty(), "spirv: kernel {} was not checked", f.name);
  values_.assign(f.value_count(), 0);
  joins_.resize(tree_.joins.size());
  for (JoinState& join : joins_) join.label = c.m.id();

  c.m.capability(spv::Capability::Shader);
  c.m.capability(spv::Capability::PhysicalStorageBufferAddresses);
  Word function = c.m.id();
  current_ = c.m.id();
  if (!options_.source_name.empty()) c.m.source(file_ = c.m.string(options_.source_name));
  if (synchronises(f)) c.synchronise();
  c.m.name(function, f.name);
  c.m.function_prologue(function, c.m.type_function(c.m.type_void()), current_);
  prologue();
  list(tree_.body);

  image_.kernel = image_.entry_point = f.name;
  image_.local_size = options_.local_size;
  image_.needs_int8 = c.m.has(spv::Capability::Int8);
  image_.needs_int16 = c.m.has(spv::Capability::Int16);
  image_.needs_float64 = c.m.has(spv::Capability::Float64);
  image_.needs_memory_model = c.m.has(spv::Capability::VulkanMemoryModel);
  image_.sized_at_load = launch_.sized_at_load();
  image_.nesting = tree_.nesting;
  note_wide_atomics();
  Words interface = launch_.interface();
  interface.insert(interface.end(), memory_.local.interface().begin(), memory_.local.interface().end());
  c.m.entry_point(function, f.name, interface);
  modes(function);
  image_.words = c.m.finish();
  return std::move(image_);
}

// --- regions

void Emitter::list(const RegionList& regions) {
  for (const Region& r : regions) region(r);
}

void Emitter::region(const Region& r) {
  switch (r.kind) {
    case RegionKind::Block: {
      bind(r.arrival, r.block);
      name_block(current_, r.block, {});
      const auto& insts = f.block(r.block).insts;
      for (size_t i = 0; i + 1 < insts.size(); ++i) instruction(f.inst(insts[i]));
      return place(f.inst(insts.back()).loc);
    }
    case RegionKind::Select:
      return select(r);
    case RegionKind::ExitIf:
      return exit_if(r);
    case RegionKind::Loop:
      return loop(r);
    case RegionKind::Test:
      return test(r);
    case RegionKind::LeaveIf:
      return leave_if(r);
    case RegionKind::LeaveAll:
      return leave_all(r);
    case RegionKind::Jump:
      return jump(r);
    case RegionKind::Return:
      return c.m.code(spv::Op::OpReturn, {});
    case RegionKind::Unreachable:
      return c.m.code(spv::Op::OpUnreachable, {});
  }
}

Words Emitter::carried(uint32_t join, BlockId block) const {
  Words ids;
  std::map<Elem, size_t> count;
  for (ValueId p : f.block(block).params) {
    const Elem e = type_class(f.type(p).elem);
    ids.push_back(joins_[join].slots.at({e, count[e]++}));
  }
  return ids;
}

Words Emitter::arriving(const Arrival& arrival, BlockId block) {
  if (arrival.join != kNoJoin) return carried(arrival.join, block);
  if (arrival.terminator.valid()) return values(f.inst(arrival.terminator).targets[arrival.edge].args);
  return {};
}

// Without an arrival the parameters are known already: the entry's, and a loop header's.
void Emitter::bind(const Arrival& arrival, BlockId block) {
  if (arrival.join == kNoJoin && !arrival.terminator.valid()) return;
  Words ids = arriving(arrival, block);
  for (size_t i = 0; i < ids.size(); ++i) define(f.block(block).params[i], ids[i]);
}

Word Emitter::go(const Region& r, Incoming incoming) {
  incoming.pred = current_;
  if (r.leave == Leave::Continue) {
    loops_.back().incoming.push_back(std::move(incoming));
    return loops_.back().continue_label;
  }
  if (r.leave == Leave::Break)
    for (ValueId v : leaving_.kept[r.to]) incoming.kept.push_back(read_kept(v));
  if (r.leave == Leave::Break && joins_[r.to].first_token) incoming.token = exit_token(r.to, incoming);
  joins_[r.to].incoming.push_back(std::move(incoming));
  return joins_[r.to].label;
}

void Emitter::jump(const Region& r) {
  Incoming incoming{.target = r.block, .values = arriving(r.arrival, r.block)};
  c.m.code(spv::Op::OpBranch, {go(r, std::move(incoming))});
}

void Emitter::leave_all(const Region& r) { c.m.code(spv::Op::OpBranch, {go(r, {.from = r.from})}); }

void Emitter::leave_if(const Region& r) {
  Word condition = selected(r.from, r.targets), next = c.m.id();
  Word label = go(r, {.from = r.from});
  c.m.code(spv::Op::OpBranchConditional, {condition, label, next});
  begin_block(next);
}

void Emitter::exit_if(const Region& r) {
  const Inst& inst = f.inst(f.terminator(r.block));
  Word condition = value(inst.operands[0]), next = c.m.id();
  const Target& target = inst.targets[r.edge];
  Word label = go(r, {.target = target.block, .values = values(target.args)});
  c.m.code(spv::Op::OpBranchConditional, {condition, r.edge == 0 ? label : next, r.edge == 0 ? next : label});
  begin_block(next);
}

bool Emitter::only_jumps_to(const RegionList& arm, uint32_t join) const {
  return arm.size() == 1 && arm[0].kind == RegionKind::Jump && arm[0].leave == Leave::Join &&
         arm[0].to == join;
}

void Emitter::select(const Region& r) {
  const Inst& inst = f.inst(f.terminator(r.block));
  Word join = joins_[r.join].label, control = value(inst.operands[0]);
  // One empty arm may go straight to the join; a second one would name the same predecessor twice.
  Words labels(r.arms.size(), 0), by_edge(inst.targets.size(), 0);
  for (size_t i = 0; i < r.arms.size(); ++i) {
    bool straight = std::ranges::find(labels, join) == labels.end() && only_jumps_to(r.arms[i], r.join);
    labels[i] = straight ? join : c.m.id();
    if (straight) {
      const Region& to = r.arms[i][0];
      go(to, {.target = to.block, .values = arriving(to.arrival, to.block)});
    }
    for (size_t edge : r.arm_edges[i]) by_edge[edge] = labels[i];
  }
  c.m.code(spv::Op::OpSelectionMerge, {join, 0});
  if (inst.op == Op::br_if) {
    c.m.code(spv::Op::OpBranchConditional, {control, by_edge[0], by_edge[1]});
  } else {
    Words words{control, by_edge[0]};
    for (size_t i = 1; i < inst.targets.size(); ++i) {
      uint64_t bits = f.value(inst.operands[i]).bits;
      words.push_back(static_cast<Word>(bits));
      if (width(f.type(inst.operands[0]).elem) == 64) words.push_back(static_cast<Word>(bits >> 32));
      words.push_back(by_edge[i]);
    }
    c.m.code(spv::Op::OpSwitch, words);
  }
  for (size_t i = 0; i < r.arms.size(); ++i) {
    if (labels[i] == join) continue;
    begin_block(labels[i]);
    list(r.arms[i]);
  }
  begin_join(r.join);
}

void Emitter::loop(const Region& r) {
  Words initial = arriving(r.arrival, r.block);
  const auto& params = f.block(r.block).params;
  Word header = c.m.id(), body = c.m.id();
  Words next(params.size());
  for (Word& id : next) id = c.m.id();
  loops_.push_back({r.block, c.m.id(), {}});
  const bool may_be_cut = options_.detect_cut_loops && !tree_.joins[r.join].targets.empty();
  if (may_be_cut) make_tokens(r.join);
  const Word before = current_;
  c.m.code(spv::Op::OpBranch, {header});
  begin_block(header);
  name_block(header, r.block, "loop");
  c.m.name(loops_.back().continue_label, "next_round");
  Words phis;
  for (size_t i = 0; i < params.size(); ++i)
    phis.push_back(c.make(spv::Op::OpPhi, f.type(params[i]).elem,
                          {initial[i], before, next[i], loops_.back().continue_label}));
  c.m.code(spv::Op::OpLoopMerge, {joins_[r.join].label, loops_.back().continue_label, 0});
  c.m.code(spv::Op::OpBranch, {body});
  begin_block(body);
  for (size_t i = 0; i < params.size(); ++i) define(params[i], phis[i]);
  const bool guarded = options_.guard_loop_values || options_.detect_cut_loops;
  if (guarded && !tree_.joins[r.join].targets.empty()) guard(r);
  list(r.arms[0]);

  LoopState state = std::move(loops_.back());
  loops_.pop_back();
  begin_block(state.continue_label);
  for (size_t i = 0; i < params.size(); ++i) {
    Words words{c.type(f.type(params[i]).elem), next[i]};
    for (const Incoming& in : state.incoming) {
      words.push_back(in.from == kNoJoin ? in.values[i] : carried(in.from, r.block)[i]);
      words.push_back(in.pred);
    }
    c.m.code(spv::Op::OpPhi, words);
  }
  c.m.code(spv::Op::OpBranch, {header});
  begin_join(r.join);
}

// A second way out, never taken, which brings zeros: what leaves the loop meets it in a phi.
void Emitter::guard(const Region& r) {
  Word body = c.m.id();
  JoinState& join = joins_[r.join];
  Incoming incoming{.pred = current_, .target = tree_.joins[r.join].targets.front()};
  for (ValueId p : f.block(incoming.target).params) incoming.values.push_back(c.zero(f.type(p).elem));
  for (ValueId v : leaving_.kept[r.join]) incoming.kept.push_back(c.zero(f.type(v).elem));
  if (join.first_token) incoming.token = c.zero(Elem::I32);
  join.incoming.push_back(std::move(incoming));
  c.m.code(spv::Op::OpBranchConditional, {never_, join.label, body});
  begin_block(body);
}

void Emitter::test(const Region& r) {
  Word condition = selected(r.from, {r.block}), arm = c.m.id();
  joins_[r.join].incoming.push_back({.pred = current_, .from = r.from});
  c.m.code(spv::Op::OpSelectionMerge, {joins_[r.join].label, 0});
  c.m.code(spv::Op::OpBranchConditional, {condition, arm, joins_[r.join].label});
  begin_block(arm);
  list(r.arms[0]);
  begin_join(r.join);
}

// --- joins

Word Emitter::phi(Elem e, std::span<const Incoming> incoming,
                  const std::function<Word(const Incoming&)>& of) {
  Words words{c.type(e), c.m.id()};
  for (const Incoming& in : incoming) words.insert(words.end(), {of(in), in.pred});
  c.m.code(spv::Op::OpPhi, words);
  return words[1];
}

// What comes for a slot; zero where the target has no use for it.
Word Emitter::brought(const Incoming& in, Slot slot) {
  if (in.from != kNoJoin) {
    auto it = joins_[in.from].slots.find(slot);
    return it == joins_[in.from].slots.end() ? c.zero(slot.first) : it->second;
  }
  const auto& params = f.block(in.target).params;
  for (size_t i = 0, k = 0; i < params.size(); ++i)
    if (type_class(f.type(params[i]).elem) == slot.first && k++ == slot.second) return in.values[i];
  return c.zero(slot.first);
}

Word Emitter::selector_of(uint32_t join) {
  if (joins_[join].selector && tree_.joins[join].targets.size() > 1) return joins_[join].selector;
  return c.constant(Elem::I32, tree_.number[tree_.joins[join].targets.front().index]);
}

void Emitter::begin_join(uint32_t index) {
  JoinState& join = joins_[index];
  const auto& targets = tree_.joins[index].targets;
  const auto& kept_values = leaving_.kept[index];
  begin_block(join.label);
  for (BlockId target : targets) {
    std::map<Elem, size_t> count;
    for (ValueId p : f.block(target).params) {
      const Elem e = type_class(f.type(p).elem);
      const Slot slot{e, count[e]++};
      if (!join.slots.contains(slot))
        join.slots[slot] = phi(e, join.incoming, [&](const Incoming& in) { return brought(in, slot); });
    }
  }
  Words kept;
  for (size_t i = 0; i < kept_values.size(); ++i)
    kept.push_back(
        phi(f.type(kept_values[i]).elem, join.incoming, [&](const Incoming& in) { return in.kept[i]; }));
  Word token = 0;
  if (join.first_token)
    token = phi(Elem::I32, join.incoming, [](const Incoming& in) { return in.token; });
  else if (targets.size() > 1)
    begin_selector(join);
  for (size_t i = 0; i < kept.size(); ++i) define(kept_values[i], kept[i]);
  if (token) compare_token(join, token);
}

// --- loops that drivers cut

// An execution of a loop has its own range of tokens, so that what an earlier one left behind is none of
// them. In a range there is one for each target, by its number.
void Emitter::make_tokens(uint32_t index) {
  JoinState& join = joins_[index];
  const auto& targets = tree_.joins[index].targets;
  const Elem e = Elem::I32;
  Word count = c.make(spv::Op::OpLoad, e, {loop_count_});
  join.first_token = c.make(spv::Op::OpIAdd, e, {count, c.constant(e, f.block_count())});
  c.m.code(spv::Op::OpStore, {loop_count_, join.first_token});
  for (BlockId target : targets) {
    Word number = c.constant(e, targets.size() > 1 ? tree_.number[target.index] : 0);
    join.tokens.push_back(c.make(spv::Op::OpIAdd, e, {join.first_token, number}));
  }
}

Word Emitter::exit_token(uint32_t index, const Incoming& incoming) {
  JoinState& join = joins_[index];
  const auto& targets = tree_.joins[index].targets;
  if (targets.size() == 1) return join.first_token;
  BlockId target = incoming.target;
  if (incoming.from != kNoJoin) {
    const auto& inner = tree_.joins[incoming.from].targets;
    if (inner.size() > 1)
      return c.make(spv::Op::OpIAdd, Elem::I32, {join.first_token, selector_of(incoming.from)});
    target = inner.front();
  }
  return join.tokens[static_cast<size_t>(std::ranges::find(targets, target) - targets.begin())];
}

// Whoever brings no token, or an older one, came out by none of the exits.
void Emitter::compare_token(JoinState& join, Word token) {
  const Elem e = Elem::I32;
  join.selector = c.make(spv::Op::OpISub, e, {token, join.first_token});
  end_cut_items(
      c.make(spv::Op::OpUGreaterThanEqual, Elem::I1, {join.selector, c.constant(e, f.block_count())}));
}

void Emitter::end_cut_items(Word cut) {
  Word stop = c.m.id(), next = c.m.id();
  c.m.code(spv::Op::OpSelectionMerge, {next, 0});
  c.m.code(spv::Op::OpBranchConditional, {cut, stop, next});
  begin_block(stop);
  launch_.report_cut();
  c.m.code(spv::Op::OpReturn, {});
  begin_block(next);
}

void Emitter::begin_selector(JoinState& join) {
  join.selector = phi(Elem::I32, join.incoming, [&](const Incoming& in) {
    return in.from == kNoJoin ? c.constant(Elem::I32, tree_.number[in.target.index]) : selector_of(in.from);
  });
  c.m.name(join.selector, "to");
}

Word Emitter::selected(uint32_t join, const std::vector<BlockId>& targets) {
  Word result = 0;
  for (BlockId target : targets) {
    Word number = c.constant(Elem::I32, tree_.number[target.index]);
    Word equal = c.make(spv::Op::OpIEqual, Elem::I1, {selector_of(join), number});
    result = result ? c.make(spv::Op::OpLogicalOr, Elem::I1, {result, equal}) : equal;
  }
  return result;
}

}  // namespace
}  // namespace spirv

std::unique_ptr<Function> prepare_for_spirv(const Function& thread) {
  PassState state{std::make_unique<Function>(thread)};
  auto report = run_pipeline(state, default_pipeline(PipelineKind::Structured));
  KC_CHECK(report.has_value(), "spirv: {}", report.error());
  return std::move(state.f);
}

VulkanImage emit_spirv(const Function& f, const SpirvOptions& options) {
  return spirv::Emitter(f, options).run();
}

}  // namespace kc
