// SPDX-License-Identifier: Apache-2.0
#include "ir/function.h"

#include <algorithm>

#include "ir/check.h"

namespace kc {

std::string_view to_string(TrapKind kind) {
  constexpr std::array<std::string_view, static_cast<size_t>(TrapKind::Count_)> names{"throw", "assert",
                                                                                      "barrier", "bounds"};
  return names[static_cast<size_t>(kind)];
}

ValueId Function::add_value(Value value) {
  values_.push_back(value);
  return ValueId(values_.size() - 1);
}

InstId Function::def(ValueId id) const {
  const Value& v = values_[id.index];
  return v.kind == ValueKind::Result ? InstId(v.owner) : InstId();
}

BlockId Function::add_block(std::string hint) {
  blocks_.push_back({.hint = std::move(hint)});
  BlockId id(blocks_.size() - 1);
  layout.push_back(id);
  return id;
}

ValueId Function::add_param(BlockId block, Type type) {
  auto& params = blocks_[block.index].params;
  ValueId id = add_value({.kind = ValueKind::Param,
                          .type = type,
                          .owner = block.index,
                          .index = static_cast<uint32_t>(params.size())});
  blocks_[block.index].params.push_back(id);
  return id;
}

VarId Function::add_var(std::string var_name, Type type) {
  vars.push_back({std::move(var_name), type});
  return VarId(vars.size() - 1);
}

ObjectId Function::add_object(MemoryObject object) {
  objects.push_back(std::move(object));
  return ObjectId(objects.size() - 1);
}

ValueId Function::constant(Type type, uint64_t bits) {
  unsigned width = type.bits();
  if (width && width < 64) bits &= (uint64_t{1} << width) - 1;
  auto [it, fresh] = constants_.try_emplace({0, type.elem, type.lane, type.regs, bits}, ValueId());
  if (fresh) it->second = add_value({.kind = ValueKind::Const, .type = type, .bits = bits});
  return it->second;
}

ValueId Function::undef(Type type) {
  auto [it, fresh] = constants_.try_emplace({1, type.elem, type.lane, type.regs, 0}, ValueId());
  if (fresh) it->second = add_value({.kind = ValueKind::Undef, .type = type});
  return it->second;
}

ValueId Function::add_result(InstId inst, Type type) {
  auto index = static_cast<uint32_t>(insts_[inst.index].results.size());
  ValueId id = add_value({.kind = ValueKind::Result, .type = type, .owner = inst.index, .index = index});
  insts_[inst.index].results.push_back(id);
  return id;
}

InstId Function::create(Op op, std::vector<ValueId> operands, std::span<const Type> results, Loc loc) {
  InstId id(insts_.size());
  insts_.push_back({.op = op, .operands = std::move(operands), .loc = loc});
  const OpInfo& row = info(op);
  for (size_t i = 0; i < kMaxAttrs; ++i) insts_.back().attrs[i] = row.attrs[i].fallback;
  for (Type type : results) add_result(id, type);
  return id;
}

void Function::append(BlockId block, InstId inst) {
  insts_[inst.index].block = block;
  blocks_[block.index].insts.push_back(inst);
}

void Function::insert(BlockId block, size_t position, InstId inst) {
  insts_[inst.index].block = block;
  auto& list = blocks_[block.index].insts;
  list.insert(list.begin() + static_cast<ptrdiff_t>(position), inst);
}

void Function::erase(InstId inst) {
  Inst& i = insts_[inst.index];
  if (i.block) std::erase(blocks_[i.block.index].insts, inst);
  i.block = BlockId();
  i.erased = true;
}

void Function::erase_blocks(std::span<const BlockId> doomed) {
  for (BlockId b : doomed) {
    for (InstId i : blocks_[b.index].insts) {
      insts_[i.index].erased = true;
      insts_[i.index].block = BlockId();
    }
    blocks_[b.index].insts.clear();
    blocks_[b.index].erased = true;
  }
  std::erase_if(layout, [&](BlockId b) { return blocks_[b.index].erased; });
}

void Function::remove_param(BlockId block, size_t i) {
  auto& params = blocks_[block.index].params;
  params.erase(params.begin() + static_cast<ptrdiff_t>(i));
  for (size_t k = i; k < params.size(); ++k) values_[params[k].index].index = static_cast<uint32_t>(k);
}

Function* Module::find(std::string_view name) const {
  for (const auto& f : functions)
    if (f->name == name) return f.get();
  return nullptr;
}

InstId Builder::emit(Op op, std::vector<ValueId> operands, std::initializer_list<Type> results,
                     std::initializer_list<int64_t> attrs) {
  KC_CHECK(block.valid(), "builder without a block");
  InstId id = f.create(op, std::move(operands), std::span(results.begin(), results.size()), loc);
  std::copy(attrs.begin(), attrs.end(), f.inst(id).attrs.begin());
  f.append(block, id);
  return id;
}

InstId Builder::br(BlockId to, std::vector<ValueId> args) {
  InstId id = emit(Op::br, {});
  f.inst(id).targets.push_back({to, std::move(args)});
  return id;
}

InstId Builder::br_if(ValueId condition, Target yes, Target no) {
  InstId id = emit(Op::br_if, {condition});
  f.inst(id).targets = {std::move(yes), std::move(no)};
  return id;
}

}  // namespace kc
