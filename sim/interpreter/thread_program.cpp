// SPDX-License-Identifier: Apache-2.0
#include "sim/interpreter/thread_program.h"

#include <fmt/format.h>

#include <algorithm>
#include <optional>

#include "ir/cfg.h"
#include "ir/fold.h"
#include "ir/verify.h"
#include "sim/interpreter/run_result.h"

namespace kc::threads {
namespace {

std::optional<LaunchRow> launch_row(Op op) {
  switch (op) {
    case Op::global_id:
      return GlobalId;
    case Op::local_id:
      return LocalId;
    case Op::group_id:
      return GroupId;
    case Op::global_size:
      return GlobalSize;
    case Op::local_size:
      return LocalSize;
    case Op::num_groups:
      return NumGroups;
    case Op::global_offset:
      return GlobalOffset;
    case Op::work_dim:
      return WorkDim;
    default:
      return std::nullopt;
  }
}

Space space_of(Type pointer) {
  return pointer == kPtrLocal ? Space::Local : pointer == kPtrPrivate ? Space::Private : Space::Global;
}

class Decoder {
 public:
  explicit Decoder(Program& program) : p(program), f(*program.f) {}
  void run();

 private:
  void objects();
  void find_uses();
  void decode(InstId id);
  void operation(Code& c, const Inst& inst);
  void evaluation(Code& c, const Inst& inst);
  void atomic(Code& c, const Inst& inst);
  void sub_group(Code& c, const Inst& inst);
  uint32_t edge(const Target& t, BlockId from);
  void find_loops();
  bool mark_barriers(BlockId header, uint32_t loop, const Cfg& cfg, const DominatorTree& tree);

  Program& p;
  const Function& f;
  std::vector<uint32_t> block_start_;
  std::vector<uint32_t> read_;       // the last edge, counted from 1, that reads a register
  std::vector<bool> used_, copied_;  // by value; copied: only stored to private or local memory
};

void Decoder::run() {
  p.first_var = static_cast<uint32_t>(f.value_count());
  p.registers.assign(f.value_count() + f.vars.size(), 0);
  read_.assign(f.value_count(), 0);
  for (size_t i = 0; i < f.value_count(); ++i)
    if (f.is_const(ValueId(i))) p.registers[i] = f.value(ValueId(i)).bits;
  for (ValueId v : f.block(f.entry()).params) p.params.push_back(v.index);
  objects();
  find_uses();
  block_start_.assign(f.block_count(), 0);
  for (BlockId b : f.layout) {
    block_start_[b.index] = static_cast<uint32_t>(p.code.size());
    for (InstId i : f.block(b).insts) decode(i);
  }
  for (Edge& e : p.edges) e.pc = block_start_[e.block.index];
  if (!p.barriers.empty()) find_loops();
}

void Decoder::objects() {
  p.private_memory = lay_out_objects(f, kPtrPrivate);
  p.local_memory = lay_out_objects(f, kPtrLocal);
  p.constants.resize(f.objects.size());
  for (size_t i = 0; i < f.objects.size(); ++i) {
    const MemoryObject& o = f.objects[i];
    if (o.type != kPtrConstant) continue;
    p.constants[i] = o.init;
    p.constant_ranges.push_back({reinterpret_cast<uint64_t>(p.constants[i].data()), o.size});
  }
}

// A load of unwritten bytes is reported only if its value is used. Copying a structure also copies unwritten
// members, which is no use; a store to a buffer is one.
void Decoder::find_uses() {
  copied_.assign(f.value_count(), true);
  used_.assign(f.value_count(), false);
  for (BlockId b : f.layout)
    for (InstId i : f.block(b).insts) {
      const Inst& inst = f.inst(i);
      for (size_t k = 0; k < inst.operands.size(); ++k) {
        used_[inst.operands[k].index] = true;
        bool copied = stores(inst.op) && k == 1 && space_of(f.type(inst.operands[0])) != Space::Global;
        if (!copied) copied_[inst.operands[k].index] = false;
      }
      for (const Target& t : inst.targets)
        for (ValueId v : t.args) used_[v.index] = true, copied_[v.index] = false;
    }
}

uint32_t Decoder::edge(const Target& t, BlockId from) {
  const auto& to = f.block(t.block).params;
  Edge e{.first_copy = static_cast<uint32_t>(p.copies.size()), .block = t.block, .from = from};
  std::vector<Copy> moves;
  for (size_t i = 0; i < to.size(); ++i)
    if (to[i] != t.args[i]) moves.push_back({to[i].index, t.args[i].index});
  // From the last move to the first: `read_` marks the registers that later moves read.
  bool clash = false;
  auto mark = static_cast<uint32_t>(p.edges.size() + 1);
  for (size_t i = moves.size(); i-- > 0;) {
    clash |= read_[moves[i].dst] == mark;
    read_[moves[i].src] = mark;
  }
  if (clash) {
    // Through temporaries at the end of the register file, which grows to the widest such edge.
    uint32_t temp = p.first_var + static_cast<uint32_t>(f.vars.size());
    if (p.registers.size() < temp + moves.size()) p.registers.resize(temp + moves.size(), 0);
    for (size_t i = 0; i < moves.size(); ++i)
      p.copies.push_back({temp + static_cast<uint32_t>(i), moves[i].src});
    for (size_t i = 0; i < moves.size(); ++i)
      p.copies.push_back({moves[i].dst, temp + static_cast<uint32_t>(i)});
  } else {
    p.copies.insert(p.copies.end(), moves.begin(), moves.end());
  }
  e.copies = static_cast<uint32_t>(p.copies.size()) - e.first_copy;
  p.edges.push_back(e);
  return static_cast<uint32_t>(p.edges.size() - 1);
}

void Decoder::evaluation(Code& c, const Inst& inst) {
  const OpInfo& row = info(inst.op);
  auto reg = [&](size_t i) { return inst.operands[i].index; };
  // The first operand of a select is its condition; the element type is that of the data.
  size_t data = inst.op == Op::select ? 1 : 0;
  if (row.eval && !inst.operands.empty() && inst.operands.size() <= 3)
    c.eval = row.eval(f.type(inst.operands[data]).elem, f.type(inst.results[0]).elem);
  if (!c.eval) {
    p.error = fmt::format("the thread interpreter cannot run {}", describe(f, c.inst));
    return;
  }
  c.kind = inst.operands.size() == 1 ? Kind::Eval1 : inst.operands.size() == 2 ? Kind::Eval2 : Kind::Eval3;
  c.a = reg(0);
  if (inst.operands.size() > 1) c.b = reg(1);
  if (inst.operands.size() > 2) c.c = reg(2);
}

// a: pointer, b and c: the other operands (c is a copy of b if there is only one).
void Decoder::atomic(Code& c, const Inst& inst) {
  Elem elem = f.type(inst.operands[1]).elem;
  c.kind = Kind::Atomic;
  c.space = space_of(f.type(inst.operands[0]));
  c.bytes = static_cast<uint8_t>(Type{elem}.bytes());
  c.a = inst.operands[0].index, c.b = inst.operands[1].index;
  c.c = inst.operands.size() > 2 ? inst.operands[2].index : c.b;
  c.eval = info(inst.op).eval(elem, elem);
  c.result_used = used_[inst.results[0].index];
}

void Decoder::sub_group(Code& c, const Inst& inst) {
  if (!p.sub_group) p.sub_group = c.inst;
  if (inst.operands.empty()) {
    c.kind = Kind::SubGroupId;
    c.a = static_cast<uint32_t>(inst.op) - static_cast<uint32_t>(Op::sub_group_local_id);
    return;
  }
  c.kind = Kind::CrossLane, c.a = inst.operands[0].index;
  if (inst.operands.size() > 1) c.b = inst.operands[1].index;
  if (inst.op != Op::reduce && inst.op != Op::scan) return;
  Type type = f.type(inst.results[0]);
  c.eval = info(fold_op(inst.attrs[0], type)).eval(type.elem, type.elem);
  c.scale = static_cast<int64_t>(fold_identity(inst.attrs[0], type));
  c.offset = inst.op == Op::scan ? inst.attrs[1] : 0;
}

// All instructions except terminators.
void Decoder::operation(Code& c, const Inst& inst) {
  auto reg = [&](size_t i) { return inst.operands[i].index; };
  if (!inst.results.empty()) c.dst = inst.results[0].index;
  switch (inst.op) {
    case Op::ptr_add:
      c.kind = Kind::PtrAdd, c.a = reg(0), c.b = reg(1);
      c.scale = inst.attrs[0], c.offset = inst.attrs[1];
      c.index64 = f.type(inst.operands[1]).bits() == 64;
      c.pointer64 = f.type(inst.operands[0]).bits() == 64;
      return;
    case Op::var_get:
      c.kind = Kind::Copy, c.a = p.first_var + static_cast<uint32_t>(inst.attrs[0]);
      return;
    case Op::var_set:
      c.kind = Kind::Copy, c.a = reg(0), c.dst = p.first_var + static_cast<uint32_t>(inst.attrs[0]);
      return;
    case Op::load:
    case Op::volatile_load:
      c.kind = Kind::Load, c.a = reg(0), c.bytes = static_cast<uint8_t>(f.type(inst.results[0]).bytes());
      c.space = space_of(f.type(inst.operands[0])), c.copies = copied_[inst.results[0].index];
      return;
    case Op::store:
    case Op::volatile_store:
      c.kind = Kind::Store, c.a = reg(0), c.b = reg(1);
      c.bytes = static_cast<uint8_t>(f.type(inst.operands[1]).bytes());
      c.space = space_of(f.type(inst.operands[0]));
      return;
    case Op::barrier:
      c.kind = Kind::Barrier, c.a = static_cast<uint32_t>(p.barriers.size());
      p.barriers.push_back({c.inst, static_cast<uint32_t>(inst.attrs[1]), {}});
      return;
    default:
      break;
  }
  if (auto row = launch_row(inst.op)) {
    c.kind = Kind::LaunchId;
    c.a = *row * 3u + (inst.op == Op::work_dim ? 0 : static_cast<uint32_t>(inst.attrs[0]));
    c.bytes = static_cast<uint8_t>(f.type(inst.results[0]).bytes());
  } else if (is_sub_group(class_of(inst.op)) && inst.op != Op::sub_group_barrier) {
    sub_group(c, inst);
  } else if (info(inst.op).has(Atomic)) {
    atomic(c, inst);
  } else {
    evaluation(c, inst);
  }
}

void Decoder::decode(InstId id) {
  const Inst& inst = f.inst(id);
  // All accesses take effect immediately here, and registers are initially 0.
  if (inst.op == Op::fence || inst.op == Op::sub_group_barrier || inst.op == Op::opaque_false) return;
  if (inst.op == Op::object_address) {
    auto i = static_cast<size_t>(inst.attrs[0]);
    Type space = f.objects[i].type;
    p.registers[inst.results[0].index] =
        space == kPtrConstant ? reinterpret_cast<uint64_t>(p.constants[i].data())
                              : (space == kPtrLocal ? p.local_memory : p.private_memory).offsets[i];
    return;
  }
  Code c;
  c.inst = id;
  // Steps are counted at terminators: the number of instructions of the block.
  auto length = static_cast<int64_t>(p.code.size() + 1 - block_start_[inst.block.index]);
  switch (inst.op) {
    case Op::br:
      c.kind = Kind::Br, c.a = edge(inst.targets[0], inst.block), c.offset = length;
      break;
    case Op::br_if:
      c.kind = Kind::BrIf, c.a = inst.operands[0].index, c.offset = length;
      c.b = edge(inst.targets[0], inst.block), c.c = edge(inst.targets[1], inst.block);
      break;
    case Op::switch_:
      c.kind = Kind::Switch, c.a = inst.operands[0].index, c.offset = length;
      c.b = static_cast<uint32_t>(p.cases.size()), c.dst = static_cast<uint32_t>(inst.operands.size() - 1);
      for (size_t i = 1; i < inst.operands.size(); ++i) p.cases.push_back(inst.operands[i].index);
      c.c = static_cast<uint32_t>(p.edges.size());  // default, then the cases
      for (const Target& t : inst.targets) edge(t, inst.block);
      break;
    case Op::ret:
      c.kind = Kind::Ret, c.offset = length;
      break;
    case Op::trap:
      c.kind = Kind::Trap, c.a = inst.operands[0].index, c.b = static_cast<uint32_t>(inst.attrs[0]);
      c.offset = length;
      break;
    default:
      operation(c, inst);
  }
  p.code.push_back(c);
}

// Marks the barriers in the natural loop of `header` with number `loop`; returns whether there are any.
bool Decoder::mark_barriers(BlockId header, uint32_t loop, const Cfg& cfg, const DominatorTree& tree) {
  std::vector<BlockId> work;
  for (BlockId from : cfg.preds[header.index])
    if (cfg.reachable(from) && tree.dominates(header, from)) work.push_back(from);
  if (work.empty()) return false;
  std::vector<bool> inside(f.block_count(), false);
  inside[header.index] = true;
  while (!work.empty()) {
    BlockId b = work.back();
    work.pop_back();
    if (inside[b.index]) continue;
    inside[b.index] = true;
    for (BlockId from : cfg.preds[b.index])
      if (cfg.reachable(from)) work.push_back(from);
  }
  bool any = false;
  for (BarrierCode& barrier : p.barriers)
    if (inside[f.inst(barrier.inst).block.index]) barrier.loops.push_back(loop), any = true;
  return any;
}

// Iterations are counted in natural loops only: an irreducible loop has no header to count at. The loops are
// not those of passes/analysis/cycles.h, because the reference shares no code with what is compared with it.
void Decoder::find_loops() {
  Cfg cfg(f);
  DominatorTree tree(f, cfg);
  std::vector<uint32_t> loop_of(f.block_count(), Edge::kNoLoop);
  for (BlockId header : cfg.rpo)
    if (mark_barriers(header, p.loops, cfg, tree)) loop_of[header.index] = p.loops++;
  for (Edge& e : p.edges) {
    e.loop = loop_of[e.block.index];
    e.back = cfg.reachable(e.from) && tree.dominates(e.block, e.from);
  }
}

}  // namespace

Program::Program(const Function& function) : f(&function) {
  if (f->dialect != Dialect::Thread) {
    error = fmt::format("@{} is a {} function: the thread interpreter takes thread functions", f->name,
                        to_string(f->dialect));
    return;
  }
  if (auto errors = verify(*f); !errors.empty()) {
    error = render(*f, errors);
    return;
  }
  Decoder(*this).run();
}

}  // namespace kc::threads
