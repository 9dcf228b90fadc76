// SPDX-License-Identifier: Apache-2.0
// sroa: scalar replacement of aggregates.
//
// Structures and small arrays in private memory become variables. Follows the address of each private object
// through additions of constants. If all its uses are loads and stores, and these access slots that are
// disjoint or identical, each slot becomes a variable.
//
// Needs ThreadForm, Ssa; kills Ssa.
//
//   object $p.0: ptr<private> size=8 align=4
//   %1: ptr<private> = object_address object=$p.0          var $p.0: i32
//   %2: ptr<private> = ptr_add %1, 0:i32, offset=4    ==>  var_set %5, var=$p.0
//   store %2, %5
#include "passes/transform/sroa.h"

#include <fmt/format.h>

#include <algorithm>
#include <numeric>

namespace kc {
namespace {

class Promotion {
 public:
  Promotion(Function& function, Remarks* remarks)
      : f(function),
        remarks_(remarks),
        address_(f.value_count()),
        place_of_(f.inst_count()),
        objects_(f.objects.size()) {}

  bool run(const Cfg& cfg) {
    follow(cfg);
    bool changed = false;
    for (size_t i = 0; i < objects_.size(); ++i) {
      changed |= place(i);
      if (remarks_) explain(i);
    }
    if (!changed) return false;
    rewrite();
    remove_objects();
    return true;
  }

 private:
  void explain(size_t i) {
    const Object& o = objects_[i];
    if (f.objects[i].type != kPtrPrivate) return;
    std::string text = o.stays ? fmt::format("'{}' stays in memory: {}", f.objects[i].name, o.why)
                               : fmt::format("'{}' becomes {} variable{}", f.objects[i].name, o.places.size(),
                                             o.places.size() == 1 ? "" : "s");
    remarks_->add({"sroa", o.loc, std::move(text)});
  }

  // A value that is an object's address plus a constant.
  struct Address {
    uint32_t object = UINT32_MAX;
    int64_t offset = 0;
    bool known() const { return object != UINT32_MAX; }
  };
  struct Access {
    InstId inst;
    int64_t offset = 0;
    Type type;
  };
  struct Place {
    int64_t offset = 0;
    Type type;
    VarId var;
  };
  struct Object {
    bool stays = false;
    Loc loc;               // of the use that prevents replacement, or else of the first use
    const char* why = "";  // the reason to keep it in memory
    std::vector<Access> accesses;
    std::vector<Place> places;  // by offset
  };

  // In reverse post-order definitions come before uses, except on edges, which are not followed.
  void follow(const Cfg& cfg) {
    for (size_t i = 0; i < f.objects.size(); ++i) objects_[i].stays = f.objects[i].type != kPtrPrivate;
    for (BlockId b : cfg.rpo)
      for (InstId i : f.block(b).insts) visit(i);
    for (BlockId b : f.layout)
      if (!cfg.reachable(b))
        for (InstId i : f.block(b).insts) visit(i);
  }

  void visit(InstId id) {
    const Inst& inst = f.inst(id);
    if (inst.op == Op::object_address)
      address_[inst.results[0].index] = {static_cast<uint32_t>(inst.attrs[0]), 0};
    for (size_t k = 0; k < inst.operands.size(); ++k) {
      const Address a = address_[inst.operands[k].index];
      if (!a.known()) continue;
      Object& o = objects_[a.object];
      if (k == 0 && inst.op == Op::load)
        o.accesses.push_back({id, a.offset, f.type(inst.results[0])});
      else if (k == 0 && inst.op == Op::store)
        o.accesses.push_back({id, a.offset, f.type(inst.operands[1])});
      else if (k == 0 && inst.op == Op::ptr_add && f.is_const(inst.operands[1]))
        address_[inst.results[0].index] = {a.object, a.offset + constant_step(inst)};
      else
        keep(o, inst.loc,
             k > 0 && inst.op == Op::store ? "its address is stored"
             : inst.op == Op::ptr_add      ? "its index is not constant"
                                           : "its address is used as a value");
      if (o.loc.line == 0) o.loc = inst.loc;
    }
    for (const Target& t : inst.targets)
      for (ValueId v : t.args)
        if (address_[v.index].known())
          keep(objects_[address_[v.index].object], inst.loc, "its address depends on the path taken");
  }

  static void keep(Object& o, Loc loc, const char* why) {
    if (o.stays) return;
    o.stays = true;
    o.loc = loc;
    o.why = why;
  }

  int64_t constant_step(const Inst& inst) const {
    const Value& index = f.value(inst.operands[1]);
    int64_t wide =
        index.type.bits() == 32 ? static_cast<int32_t>(index.bits) : static_cast<int64_t>(index.bits);
    return wide * inst.attrs[0] + inst.attrs[1];
  }

  // Splits an object into slots; false if it must stay in memory.
  bool place(size_t index) {
    Object& o = objects_[index];
    if (o.stays) return false;
    std::vector<uint32_t> by_offset(o.accesses.size());
    std::iota(by_offset.begin(), by_offset.end(), 0);
    std::ranges::sort(by_offset, {}, [&](uint32_t k) { return std::pair(o.accesses[k].offset, k); });
    uint32_t odd = UINT32_MAX;  // the first access of a different size than the preceding one to its slot
    for (uint32_t k : by_offset) {
      const Access& a = o.accesses[k];
      if (o.places.empty() || o.places.back().offset != a.offset)
        o.places.push_back({a.offset, a.type, {}});
      else if (o.places.back().type.bytes() != a.type.bytes())
        odd = std::min(odd, k);
      place_of_[a.inst.index] = static_cast<uint32_t>(o.places.size() - 1);
    }
    if (odd != UINT32_MAX)
      keep(o, f.inst(o.accesses[odd].inst).loc, "one place is accessed in several sizes");
    int64_t end = 0;
    for (const Place& p : o.places) {
      if (p.offset < end) keep(o, o.loc, "its accesses overlap");
      end = p.offset + static_cast<int64_t>(p.type.bytes());
    }
    if (end > static_cast<int64_t>(f.objects[index].size)) keep(o, o.loc, "an access lies outside");
    if (o.stays) return false;
    for (Place& p : o.places) p.var = f.add_var(f.objects[index].name, p.type);
    return true;
  }

  ValueId cast(Builder& b, ValueId v, Type to) { return f.type(v) == to ? v : b.make(Op::bitcast, to, {v}); }

  void rewrite() {
    for (BlockId block : f.layout) {
      std::vector<InstId> old = std::move(f.block(block).insts);
      f.block(block).insts.clear();
      f.block(block).insts.reserve(old.size());
      Builder b(f);
      b.block = block;
      if (block == f.entry()) set_zero(b);
      for (InstId i : old)
        if (!access(b, i)) f.append(block, i);
    }
  }

  // Unwritten memory is unspecified; a variable needs some value.
  void set_zero(Builder& b) {
    for (const Object& o : objects_)
      for (const Place& p : o.places)
        if (p.var.valid()) b.set(p.var, f.constant(p.type, 0));
  }

  // Whether the instruction is replaced, or is a dead address.
  bool access(Builder& b, InstId id) {
    Inst& inst = f.inst(id);
    bool defines = inst.op == Op::object_address || inst.op == Op::ptr_add;
    ValueId pointer = defines ? inst.results[0] : inst.operands.empty() ? ValueId() : inst.operands[0];
    if (!pointer.valid() || pointer.index >= address_.size()) return false;
    const Address a = address_[pointer.index];
    if (!a.known() || objects_[a.object].stays) return false;
    inst.erased = defines || inst.op == Op::store;
    if (defines) return true;
    b.loc = inst.loc;
    const Place& p = objects_[a.object].places[place_of_[id.index]];
    if (inst.op == Op::store) {
      b.set(p.var, cast(b, inst.operands[1], p.type));
      return true;
    }
    // The load's own result stays, so that its uses need no change.
    if (p.type == f.type(inst.results[0])) {
      become(id, Op::var_get, {}, p.var.index);
    } else {
      ValueId raw = b.get(p.var);
      become(id, Op::bitcast, {raw}, 0);
    }
    f.append(b.block, id);
    return true;
  }

  void become(InstId id, Op op, std::vector<ValueId> operands, int64_t attr) {
    Inst& inst = f.inst(id);
    inst.op = op;
    inst.operands = std::move(operands);
    inst.attrs = {attr};
  }

  void remove_objects() {
    std::vector<int64_t> number(f.objects.size(), -1);
    std::vector<MemoryObject> kept;
    for (size_t i = 0; i < f.objects.size(); ++i) {
      if (!objects_[i].stays) continue;
      number[i] = static_cast<int64_t>(kept.size());
      kept.push_back(std::move(f.objects[i]));
    }
    f.objects = std::move(kept);
    for (BlockId b : f.layout)
      for (InstId i : f.block(b).insts)
        if (f.inst(i).op == Op::object_address)
          f.inst(i).attrs[0] = number[static_cast<size_t>(f.inst(i).attrs[0])];
  }

  Function& f;
  Remarks* remarks_;
  std::vector<Address> address_;    // by value
  std::vector<uint32_t> place_of_;  // by access: its slot in the object
  std::vector<Object> objects_;
};

// Whether private objects have addresses already, so that accesses are no longer visible.
bool has_places(const Function& f) {
  return std::ranges::any_of(f.layout, [&](BlockId b) {
    return std::ranges::any_of(f.block(b).insts, [&](InstId i) {
      return std::ranges::any_of(f.inst(i).operands, [&](ValueId v) {
        return f.is_const(v) && f.type(v) == kPtrPrivate && f.value(v).bits != 0;
      });
    });
  });
}

}  // namespace

bool sroa(Function& f, AnalysisCache& analyses, Remarks* remarks) {
  return !f.objects.empty() && !has_places(f) && Promotion(f, remarks).run(analyses.cfg());
}

}  // namespace kc
