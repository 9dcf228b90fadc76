// SPDX-License-Identifier: Apache-2.0
#include "backends/x64/memory_operands.h"

#include <algorithm>

#include "backends/x64/elements.h"
#include "backends/x64/registers.h"
#include "backends/x64/syntax.h"
#include "passes/ir_util.h"

namespace kc::x64 {
namespace {

// What may be read where a load reads: so many bytes, or one element for all of a vector.
struct Readable {
  int64_t bytes = 0;  // 0: nothing
  bool element = false;
};

Readable readable(const Inst& load) {
  if (const auto scalar = scalar_access_of(load.op))
    return {scalar->store || scalar->bytes < 4 ? 0 : int64_t{scalar->bytes}};
  switch (load.op) {
    case Op::x64_vload:
    case Op::x64_vload_index:
    case Op::x64_viota:
      return {load.attrs[0]};
    case Op::x64_vbroadcast32:
    case Op::x64_vbroadcast32_index:
    case Op::x64_vconst32:
      return {4, true};
    case Op::x64_vbroadcast64:
    case Op::x64_vbroadcast64_index:
    case Op::x64_vconst64:
      return {8, true};
    default:
      return {};
  }
}

// The bytes that a row reads of an operand in memory.
int64_t bytes_read(const Inst& inst, size_t operand) {
  const Syntax& syntax = syntax_of(inst.op);
  for (const SyntaxInst& part : syntax.insts)
    for (const SyntaxOperand& o : part.operands) {
      if (o.kind != SyntaxOperand::Reg || o.reg.place != Place::Operand || o.reg.number != operand) continue;
      if (o.reg.size == 'x')
        return part.mnemonic.ends_with("ss") ? 4 : part.mnemonic.ends_with("sd") ? 8 : 16;
      return inst.attrs[0];  // G and V
    }
  return 0;
}

}  // namespace

MemoryOperands::MemoryOperands(const Function& machine, bool avx512)
    : f(machine),
      avx512_(avx512),
      uses_(count_uses(machine)),
      user_of_(machine.value_count()),
      folded_(machine.inst_count(), false),
      reads_(machine.inst_count()) {
  for (BlockId b : f.layout)
    for (InstId i : f.block(b).insts)
      for (ValueId v : f.inst(i).operands) user_of_[v.index] = i;
  for (BlockId b : f.layout) {
    open_.clear();
    for (InstId i : f.block(b).insts) row(i);
  }
}

void MemoryOperands::row(InstId i) {
  const Inst& inst = f.inst(i);
  if (info(inst.op).machine.memory) fold(i);
  close(inst);
  if (inst.results.size() != 1 || uses_[inst.results[0].index] != 1) return;
  const InstId user = user_of_[inst.results[0].index];
  if (!user || f.inst(user).block != inst.block || info(f.inst(user).op).machine.memory == 0) return;
  if (inst.op == Op::x64_reload && f.type(inst.results[0]).elem != Elem::Kreg)
    open_.push_back({i, inst.results[0], inst.attrs[0]});
  else if (readable(inst).bytes != 0)
    open_.push_back({i, inst.results[0]});
}

void MemoryOperands::fold(InstId user) {
  const Inst& inst = f.inst(user);
  const MachineInfo& m = info(inst.op).machine;
  for (size_t k = 0; k < inst.operands.size(); ++k) {
    // With the operands exchanged, what the second one may be is what the first one may be.
    const size_t other = m.swaps && k < 2 ? 1 - k : k;
    const bool exchanged = !(m.memory >> k & 1);
    if (exchanged && !(m.memory >> other & 1)) continue;
    const auto from = std::ranges::find(open_, inst.operands[k], &Open::value);
    if (from == open_.end()) continue;
    Read read{
        .load = from->load, .operand = static_cast<uint8_t>(exchanged ? other : k), .swapped = exchanged};
    if (!complete(inst, read)) continue;
    folded_[from->load.index] = true;
    reads_[user.index] = read;
    open_.erase(from);
    return;
  }
}

// Sets how much is read; false if that is more than the load's.
bool MemoryOperands::complete(const Inst& user, Read& read) const {
  const int64_t wanted = bytes_read(user, read.operand);
  const Inst& load = f.inst(read.load);
  Readable from = readable(load);
  if (load.op == Op::x64_reload)
    from.bytes = f.type(load.results[0]).elem == Elem::Vec ? vector_bytes(f.width, avx512_) : 8;
  read.bytes = static_cast<uint8_t>(from.element ? from.bytes : wanted);
  if (!from.element) return wanted > 0 && wanted <= from.bytes;
  read.elements = static_cast<uint8_t>(wanted / from.bytes);
  return avx512_ && info(user.op).machine.broadcast == from.bytes && wanted <= load.attrs[0];
}

// What the row writes: registers of addresses, memory.
void MemoryOperands::close(const Inst& inst) {
  if (open_.empty()) return;
  const OpInfo& row = info(inst.op);
  const bool spills = inst.op == Op::x64_spill;
  if ((row.effects == Effects::Write && !spills) || row.machine.clobbers != std::array<uint32_t, 3>{})
    return open_.clear();
  if (spills) std::erase_if(open_, [&](const Open& o) { return o.slot == inst.attrs[0]; });
  for (ValueId v : inst.results) {
    if (f.type(v).elem != Elem::Gpr) continue;
    const Location& at = f.value(v).location;
    std::erase_if(open_, [&](const Open& o) {
      return std::ranges::any_of(f.inst(o.load).operands,
                                 [&](ValueId a) { return !f.is_const(a) && f.value(a).location == at; });
    });
  }
}

}  // namespace kc::x64
