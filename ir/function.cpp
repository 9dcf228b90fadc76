// SPDX-License-Identifier: Apache-2.0
#include "ir/function.h"

#include <algorithm>

#include "ir/check.h"

namespace kc {
namespace {

// The start of the search for an inline value in a hash table whose size is a power of two. Constants often
// differ in their highest bits only: doubles, shifted numbers.
size_t place_of(const Value& v, size_t places) {
  constexpr uint64_t kOdd = 0xd6e8feb86659fd93u;
  const uint64_t kind = static_cast<uint64_t>(v.kind) << 32 | static_cast<uint64_t>(v.type.elem) << 16 |
                        static_cast<uint64_t>(v.type.lane) << 8 | v.type.regs;
  uint64_t hash = v.bits ^ kind * kOdd;
  for (int round = 0; round < 2; ++round) hash = (hash ^ hash >> 32) * kOdd;
  return (hash ^ hash >> 32) & (places - 1);
}

}  // namespace

std::string_view to_string(TrapKind kind) {
  constexpr std::array<std::string_view, static_cast<size_t>(TrapKind::Count_)> names{"throw", "assert",
                                                                                      "barrier", "bounds"};
  return names[static_cast<size_t>(kind)];
}

ValueId Function::add_value(Value value) {
  values_.push_back(value);
  return ValueId(values_.size() - 1);
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

ValueId* Function::place_to_intern(const Value& value) {
  // At least half of the table stays empty, so that searches are short.
  if (interned_count_ * 2 >= interned_.size()) {
    std::vector<ValueId> old(std::max<size_t>(32, interned_.size() * 2));
    old.swap(interned_);
    for (ValueId v : old) {
      if (!v.valid()) continue;
      size_t at = place_of(values_[v.index], interned_.size());
      while (interned_[at].valid()) at = (at + 1) & (interned_.size() - 1);
      interned_[at] = v;
    }
  }
  size_t at = place_of(value, interned_.size());
  for (; interned_[at].valid(); at = (at + 1) & (interned_.size() - 1)) {
    const Value& known = values_[interned_[at].index];
    if (known.kind == value.kind && known.type == value.type && known.bits == value.bits)
      return &interned_[at];
  }
  ++interned_count_;
  return &interned_[at];
}

ValueId Function::intern(const Value& value) {
  ValueId* place = place_to_intern(value);
  if (!place->valid()) *place = add_value(value);
  return *place;
}

ValueId Function::constant(Type type, uint64_t bits) {
  unsigned width = type.bits();
  if (width && width < 64) bits &= (uint64_t{1} << width) - 1;
  return intern({.kind = ValueKind::Const, .type = type, .bits = bits});
}

ValueId Function::undef(Type type) { return intern({.kind = ValueKind::Undef, .type = type}); }

ValueId Function::add_result(InstId inst, Type type) {
  auto index = static_cast<uint32_t>(insts_[inst.index].results.size());
  ValueId id = add_value({.kind = ValueKind::Result, .type = type, .owner = inst.index, .index = index});
  insts_[inst.index].results.push_back(id);
  return id;
}

InstId Function::create(Op op, ValueList operands, std::span<const Type> results, Loc loc) {
  InstId id(insts_.size());
  Inst& inst = insts_.add();
  inst.op = op;
  inst.operands = std::move(operands);
  inst.loc = loc;
  const OpInfo& row = info(op);
  for (size_t i = 0; i < kMaxAttrs; ++i) inst.attrs[i] = row.attrs[i].fallback;
  for (Type type : results) add_result(id, type);
  return id;
}

void Function::append(BlockId block, InstId inst) {
  insts_[inst.index].block = block;
  auto& list = blocks_[block.index].insts;
  if (list.capacity() == 0) list.reserve(8);
  list.push_back(inst);
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

std::vector<std::string> files_of(const Module& module) {
  std::vector<std::string> files;
  for (const auto& f : module.functions)
    if (f->files.size() > files.size()) files = f->files;
  return files;
}

InstId Builder::emit(Op op, ValueList operands, std::initializer_list<Type> results,
                     std::initializer_list<int64_t> attrs) {
  KC_CHECK(block.valid(), "builder without a block");
  InstId id = f.create(op, std::move(operands), std::span(results.begin(), results.size()), loc);
  std::copy(attrs.begin(), attrs.end(), f.inst(id).attrs.begin());
  f.append(block, id);
  return id;
}

InstId Builder::br(BlockId to, ValueList args) {
  InstId id = emit(Op::br, {});
  f.inst(id).targets.push_back({to, std::move(args)});
  return id;
}

InstId Builder::br_if(ValueId condition, Target yes, Target no) {
  InstId id = emit(Op::br_if, {condition});
  f.inst(id).targets = {std::move(yes), std::move(no)};
  return id;
}

int64_t TargetNote::setting(std::string_view key) const {
  for (const auto& [name, value] : settings)
    if (name == key) return value;
  return 0;
}

std::unique_ptr<Function> signature_of(const Function& f) {
  auto s = std::make_unique<Function>();
  s->name = f.name;
  s->dialect = Dialect::Wave;
  s->is_kernel = f.is_kernel;
  s->width = f.width;
  s->reqd_local = f.reqd_local;
  s->reqd_sub_group = f.reqd_sub_group;
  s->objects = f.objects, s->traps = f.traps, s->files = f.files;
  s->target = f.target;
  Builder b(*s);
  b.block = s->add_block();
  auto add = [&](Type type, const ParamInfo& info) {
    const ValueId v = s->add_param(b.block, type);
    s->params.push_back(info);
    if (info.role == ParamRole::EntryMask) s->block(b.block).mask = v;
  };
  if (f.dialect == Dialect::Wave)
    for (size_t k = 0; k < f.params.size(); ++k) add(f.type(f.block(f.entry()).params[k]), f.params[k]);
  else
    for (const TargetNote::Argument& a : f.target->arguments) add(a.type, a.info);
  b.ret();
  return s;
}

}  // namespace kc
