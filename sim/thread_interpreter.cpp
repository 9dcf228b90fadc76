// SPDX-License-Identifier: Apache-2.0
#include "sim/thread_interpreter.h"

#include <fmt/format.h>

#include <vector>

#include "ir/check.h"
#include "ir/verify.h"

namespace kc {
namespace {

enum class Kind : uint8_t {
  Eval1,
  Eval2,
  Eval3,
  Copy,
  LaunchId,
  PtrAdd,
  Load,
  Store,
  Br,
  BrIf,
  Switch,
  Ret,
  Trap
};

// Launch ids are rows of one table of numbers, three dimensions each.
enum LaunchRow : uint8_t {
  GlobalId,
  LocalId,
  GroupId,
  GlobalSize,
  LocalSize,
  NumGroups,
  GlobalOffset,
  WorkDim,
  LaunchRows
};
using LaunchTable = std::array<uint64_t, LaunchRows * 3>;

struct Code {
  Kind kind = Kind::Ret;
  uint8_t bytes = 0;  // of a memory access, or of a launch id
  bool index64 = false, pointer64 = false;
  uint32_t dst = 0, a = 0, b = 0, c = 0;  // registers; edges and cases of terminators
  EvalFn eval = nullptr;
  int64_t scale = 0, offset = 0;
  InstId inst;
};

struct Copy {
  uint32_t dst, src;
};
// An edge's copies are already in an order that makes one after the other mean all at once.
struct Edge {
  uint32_t first_copy = 0, copies = 0;
  uint32_t pc = 0;
  BlockId block;
};

}  // namespace

struct ThreadInterpreter::Program {
  const Function* f = nullptr;
  std::string error;  // why it cannot run
  std::vector<Code> code;
  std::vector<Edge> edges;
  std::vector<Copy> copies;
  std::vector<uint32_t> cases;      // registers of switch cases
  std::vector<uint64_t> registers;  // initial contents: constants in place, all else 0
  std::vector<uint32_t> params;     // registers of the parameters
  std::vector<uint32_t> read;       // while decoding: the last edge, counted from 1, that reads a register
  uint32_t first_var = 0;

  explicit Program(const Function& function);
  void decode(InstId id, std::vector<uint32_t>& block_start);
  void operation(Code& c, const Inst& inst);
  uint32_t edge(const Target& t);
  bool launch_id(Code& c, const Inst& inst) const;
};

ThreadInterpreter::Program::Program(const Function& function) : f(&function) {
  if (f->dialect != Dialect::Thread) {
    error = fmt::format("@{} is a {} function: the thread interpreter takes thread functions", f->name,
                        to_string(f->dialect));
    return;
  }
  if (auto errors = verify(*f); !errors.empty()) {
    error = render(*f, errors);
    return;
  }
  first_var = static_cast<uint32_t>(f->value_count());
  registers.assign(f->value_count() + f->vars.size(), 0);
  read.assign(f->value_count(), 0);
  for (size_t i = 0; i < f->value_count(); ++i)
    if (f->is_const(ValueId(i))) registers[i] = f->value(ValueId(i)).bits;
  for (ValueId p : f->block(f->entry()).params) params.push_back(p.index);
  std::vector<uint32_t> block_start(f->block_count(), 0);
  for (BlockId b : f->layout) {
    block_start[b.index] = static_cast<uint32_t>(code.size());
    for (InstId i : f->block(b).insts) decode(i, block_start);
  }
  for (Edge& e : edges) e.pc = block_start[e.block.index];
}

uint32_t ThreadInterpreter::Program::edge(const Target& t) {
  const auto& to = f->block(t.block).params;
  Edge e{.first_copy = static_cast<uint32_t>(copies.size()), .block = t.block};
  std::vector<Copy> moves;
  for (size_t i = 0; i < to.size(); ++i)
    if (to[i] != t.args[i]) moves.push_back({to[i].index, t.args[i].index});
  // From the last move to the first: `read` marks the registers that later moves read.
  bool clash = false;
  auto mark = static_cast<uint32_t>(edges.size() + 1);
  for (size_t i = moves.size(); i-- > 0;) {
    clash |= read[moves[i].dst] == mark;
    read[moves[i].src] = mark;
  }
  if (clash) {
    // Through temporaries at the end of the register file, which grows to the widest such edge.
    uint32_t temp = first_var + static_cast<uint32_t>(f->vars.size());
    if (registers.size() < temp + moves.size()) registers.resize(temp + moves.size(), 0);
    for (size_t i = 0; i < moves.size(); ++i)
      copies.push_back({temp + static_cast<uint32_t>(i), moves[i].src});
    for (size_t i = 0; i < moves.size(); ++i)
      copies.push_back({moves[i].dst, temp + static_cast<uint32_t>(i)});
  } else {
    copies.insert(copies.end(), moves.begin(), moves.end());
  }
  e.copies = static_cast<uint32_t>(copies.size()) - e.first_copy;
  edges.push_back(e);
  return static_cast<uint32_t>(edges.size() - 1);
}

bool ThreadInterpreter::Program::launch_id(Code& c, const Inst& inst) const {
  uint32_t row = 0;
  switch (inst.op) {
    case Op::global_id:
      row = GlobalId;
      break;
    case Op::local_id:
      row = LocalId;
      break;
    case Op::group_id:
      row = GroupId;
      break;
    case Op::global_size:
      row = GlobalSize;
      break;
    case Op::local_size:
      row = LocalSize;
      break;
    case Op::num_groups:
      row = NumGroups;
      break;
    case Op::global_offset:
      row = GlobalOffset;
      break;
    case Op::work_dim:
      row = WorkDim;
      break;
    default:
      return false;
  }
  c.kind = Kind::LaunchId;
  c.a = row * 3 + (inst.op == Op::work_dim ? 0 : static_cast<uint32_t>(inst.attrs[0]));
  c.bytes = static_cast<uint8_t>(f->type(inst.results[0]).bytes());
  return true;
}

// Everything but terminators.
void ThreadInterpreter::Program::operation(Code& c, const Inst& inst) {
  auto reg = [&](size_t i) { return inst.operands[i].index; };
  const OpInfo& row = info(inst.op);
  if (!inst.results.empty()) c.dst = inst.results[0].index;
  switch (inst.op) {
    case Op::ptr_add:
      c.kind = Kind::PtrAdd, c.a = reg(0), c.b = reg(1);
      c.scale = inst.attrs[0], c.offset = inst.attrs[1];
      c.index64 = f->type(inst.operands[1]).bits() == 64;
      c.pointer64 = f->type(inst.operands[0]).bits() == 64;
      return;
    case Op::var_get:
      c.kind = Kind::Copy, c.a = first_var + static_cast<uint32_t>(inst.attrs[0]);
      return;
    case Op::var_set:
      c.kind = Kind::Copy, c.a = reg(0), c.dst = first_var + static_cast<uint32_t>(inst.attrs[0]);
      return;
    case Op::load:
      c.kind = Kind::Load, c.a = reg(0), c.bytes = static_cast<uint8_t>(f->type(inst.results[0]).bytes());
      return;
    case Op::store:
      c.kind = Kind::Store, c.a = reg(0), c.b = reg(1);
      c.bytes = static_cast<uint8_t>(f->type(inst.operands[1]).bytes());
      return;
    default:
      break;
  }
  if (launch_id(c, inst)) return;
  // The first operand of a select is its condition; the element type is that of the data.
  size_t data = inst.op == Op::select ? 1 : 0;
  if (row.eval && !inst.operands.empty() && inst.operands.size() <= 3)
    c.eval = row.eval(f->type(inst.operands[data]).elem, f->type(inst.results[0]).elem);
  if (!c.eval) {
    error = fmt::format("the thread interpreter cannot run {}", describe(*f, c.inst));
    return;
  }
  c.kind = inst.operands.size() == 1 ? Kind::Eval1 : inst.operands.size() == 2 ? Kind::Eval2 : Kind::Eval3;
  c.a = reg(0);
  if (inst.operands.size() > 1) c.b = reg(1);
  if (inst.operands.size() > 2) c.c = reg(2);
}

void ThreadInterpreter::Program::decode(InstId id, std::vector<uint32_t>& block_start) {
  const Inst& inst = f->inst(id);
  Code c;
  c.inst = id;
  // Steps are counted at terminators: how many instructions the block has.
  auto length = static_cast<int64_t>(code.size() + 1 - block_start[inst.block.index]);
  switch (inst.op) {
    case Op::br:
      c.kind = Kind::Br, c.a = edge(inst.targets[0]), c.offset = length;
      break;
    case Op::br_if:
      c.kind = Kind::BrIf, c.a = inst.operands[0].index, c.offset = length;
      c.b = edge(inst.targets[0]), c.c = edge(inst.targets[1]);
      break;
    case Op::switch_:
      c.kind = Kind::Switch, c.a = inst.operands[0].index, c.offset = length;
      c.b = static_cast<uint32_t>(cases.size()), c.dst = static_cast<uint32_t>(inst.operands.size() - 1);
      for (size_t i = 1; i < inst.operands.size(); ++i) cases.push_back(inst.operands[i].index);
      c.c = static_cast<uint32_t>(edges.size());  // default, then the cases
      for (const Target& t : inst.targets) edge(t);
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
  code.push_back(c);
}

namespace {

// One launch: the state that outlives a work-item.
struct Launch {
  const Function& f;
  const ThreadRunOptions& options;
  MemoryMap memory;
  LaunchTable ids{};
  RunResult result;
  uint64_t item = 0;  // linear global id

  std::string where() const {
    return fmt::format("work-item ({}, {}, {})", ids[GlobalId * 3], ids[GlobalId * 3 + 1],
                       ids[GlobalId * 3 + 2]);
  }
  void stop(RunStatus status, std::string message) {
    result.status = status;
    result.message = std::move(message);
  }
  void out_of_bounds(const Code& c, uint64_t address) {
    stop(RunStatus::OutOfBounds,
         fmt::format("{}: {} of {} bytes at {:#x} is outside every buffer: {}", where(),
                     c.kind == Kind::Load ? "load" : "store", c.bytes, address, describe(f, c.inst)));
  }
  void trapped(uint32_t site, uint64_t value) {
    if (!result.trap) {
      result.trap = TrapReport{.site = f.traps[site], .value = value};
      for (size_t d = 0; d < 3; ++d) result.trap->global_id[d] = ids[GlobalId * 3 + d];
    }
    ++result.trap->count;
  }
};

// Runs one work-item; false when the launch must stop.
template <typename Program>
bool run_item(const Program& p, Launch& l, uint64_t* r) {
  const Code* const code = p.code.data();
  const Code* c = code;
  const bool traced = static_cast<bool>(l.options.on_block);
  if (traced) l.options.on_block(l.item, p.f->entry());
  auto take = [&](const Edge& e) {
    const Copy* copy = p.copies.data() + e.first_copy;
    for (uint32_t i = 0; i < e.copies; ++i) r[copy[i].dst] = r[copy[i].src];
    c = code + e.pc;
    if (traced) [[unlikely]]
      l.options.on_block(l.item, e.block);
  };
  // Counts the steps of the block that ends here.
  auto in_budget = [&] {
    l.result.steps += static_cast<uint64_t>(c->offset);
    if (l.result.steps <= l.options.max_steps) [[likely]]
      return true;
    l.stop(RunStatus::StepLimit, fmt::format("{}: more than {} steps, at {}", l.where(), l.options.max_steps,
                                             describe(*p.f, c->inst)));
    return false;
  };
  for (;;) {
    switch (c->kind) {
      case Kind::Eval1:
        r[c->dst] = c->eval(&r[c->a]);
        break;
      case Kind::Eval2: {
        const uint64_t operands[2] = {r[c->a], r[c->b]};
        r[c->dst] = c->eval(operands);
        break;
      }
      case Kind::Eval3: {
        const uint64_t operands[3] = {r[c->a], r[c->b], r[c->c]};
        r[c->dst] = c->eval(operands);
        break;
      }
      case Kind::Copy:
        r[c->dst] = r[c->a];
        break;
      case Kind::LaunchId:
        r[c->dst] = c->bytes == 8 ? l.ids[c->a] : static_cast<uint32_t>(l.ids[c->a]);
        break;
      case Kind::PtrAdd:
        r[c->dst] = element_address(r[c->a], r[c->b], c->index64, c->pointer64, c->scale, c->offset);
        break;
      case Kind::Load:
        if (!l.memory.contains(r[c->a], c->bytes)) [[unlikely]]
          return l.out_of_bounds(*c, r[c->a]), false;
        r[c->dst] = load_bits(r[c->a], c->bytes);
        break;
      case Kind::Store:
        if (!l.memory.contains(r[c->a], c->bytes)) [[unlikely]]
          return l.out_of_bounds(*c, r[c->a]), false;
        store_bits(r[c->a], c->bytes, r[c->b]);
        break;
      case Kind::Br:
        if (!in_budget()) return false;
        take(p.edges[c->a]);
        continue;
      case Kind::BrIf:
        if (!in_budget()) return false;
        take(p.edges[r[c->a] & 1 ? c->b : c->c]);
        continue;
      case Kind::Switch: {
        if (!in_budget()) return false;
        uint32_t which = 0;
        for (uint32_t i = 0; i < c->dst && !which; ++i)
          if (r[p.cases[c->b + i]] == r[c->a]) which = i + 1;
        take(p.edges[c->c + which]);
        continue;
      }
      case Kind::Ret:
        return in_budget();
      case Kind::Trap:
        if (!in_budget()) return false;
        l.trapped(c->b, r[c->a]);
        return true;
    }
    ++c;
  }
}

}  // namespace

ThreadInterpreter::ThreadInterpreter(const Function& f) : program_(std::make_unique<Program>(f)) {}
ThreadInterpreter::~ThreadInterpreter() = default;
ThreadInterpreter::ThreadInterpreter(ThreadInterpreter&&) noexcept = default;

RunResult ThreadInterpreter::run(const LaunchSpec& launch, std::span<const uint64_t> arguments,
                                 const ThreadRunOptions& options) const {
  const Program& p = *program_;
  Launch l{.f = *p.f, .options = options, .memory = MemoryMap(options.memory), .result = {}};
  std::string error =
      p.error.empty() ? check_launch(*p.f, launch, arguments.size(), p.params.size()) : p.error;
  if (!error.empty()) {
    l.stop(RunStatus::Error, error);
    return std::move(l.result);
  }
  std::vector<uint64_t> registers = p.registers;
  for (size_t i = 0; i < arguments.size(); ++i) {
    unsigned width = p.f->type(ValueId(p.params[i])).bits();
    registers[p.params[i]] = width >= 64 ? arguments[i] : arguments[i] & ((uint64_t{1} << width) - 1);
  }
  for (size_t d = 0; d < 3; ++d) {
    l.ids[GlobalSize * 3 + d] = launch.global[d], l.ids[LocalSize * 3 + d] = launch.local[d];
    l.ids[NumGroups * 3 + d] = launch.groups(d), l.ids[GlobalOffset * 3 + d] = launch.offset[d];
  }
  l.ids[WorkDim * 3] = launch.dims;
  // Linear order, so that the first trap met is the one to report.
  for (uint64_t z = 0; z < launch.global[2]; ++z)
    for (uint64_t y = 0; y < launch.global[1]; ++y)
      for (uint64_t x = 0; x < launch.global[0]; ++x, ++l.item) {
        const std::array<uint64_t, 3> at{x, y, z};
        for (size_t d = 0; d < 3; ++d) {
          l.ids[GlobalId * 3 + d] = at[d] + launch.offset[d];
          l.ids[LocalId * 3 + d] = at[d] % launch.local[d];
          l.ids[GroupId * 3 + d] = at[d] / launch.local[d];
        }
        std::fill_n(registers.begin() + p.first_var, p.f->vars.size(), 0);
        if (!run_item(p, l, registers.data())) return std::move(l.result);
      }
  if (l.result.trap)
    l.stop(RunStatus::Trapped, fmt::format("{} work-items of @{} trapped", l.result.trap->count, p.f->name));
  return std::move(l.result);
}

RunResult run_threads(const Function& f, const LaunchSpec& launch, std::span<const uint64_t> arguments,
                      const ThreadRunOptions& options) {
  return ThreadInterpreter(f).run(launch, arguments, options);
}

}  // namespace kc
