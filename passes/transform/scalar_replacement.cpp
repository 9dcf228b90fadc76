// SPDX-License-Identifier: Apache-2.0
// Variables in place of private objects: what sroa and sroa_indices share.
//
// Follows the address of each private object through additions of constants and, for sroa_indices, of one
// index. If all its uses are loads and stores, and these access slots that are disjoint or identical, each
// slot becomes a variable.
#include "passes/transform/scalar_replacement.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <numeric>

#include "passes/ir_util.h"

namespace kc {
namespace {

// The most elements of an array, and operations in place of all accesses to it and to all arrays.
constexpr int64_t kMostElements = 8, kMostOfArray = 256, kMostOfAll = 2'048;
// Of an access in memory whose index differs between lanes, and of any other one, in operations on vectors of
// words. Vectors of 64-bit elements are twice as many, gathers of them take as long. (Measured with AVX2.)
constexpr int64_t kGather = 16, kScatter = 20, kAccess = 1;
constexpr unsigned kPerLoop = 3, kDeepest = 4;  // a loop has 2^3 iterations

class Promotion {
 public:
  /// `uniformity`: arrays with an index are also promoted, where that costs less.
  Promotion(Function& function, AnalysisCache& analyses, const Uniformity* uniformity, Remarks* remarks)
      : f(function),
        analyses_(analyses),
        uniformity_(uniformity),
        remarks_(remarks),
        address_(f.value_count()),
        place_of_(f.inst_count()),
        objects_(f.objects.size()) {}

  bool run() {
    follow(analyses_.cfg());
    bool changed = false;
    for (size_t i = 0; i < objects_.size(); ++i) {
      changed |= place(i);
      if (remarks_) explain(i);
    }
    if (!changed) return false;
    share_tests();
    rewrite();
    remove_objects();
    return true;
  }

 private:
  // sroa has said why arrays without an index stay.
  void explain(size_t i) {
    const Object& o = objects_[i];
    if (f.objects[i].type != kPtrPrivate || (uniformity_ && o.stays && o.indexed.empty())) return;
    std::string text = o.stays ? fmt::format("'{}' stays in memory: {}", f.objects[i].name, o.why)
                               : fmt::format("'{}' becomes {} variable{}{}", f.objects[i].name,
                                             o.places.size(), o.places.size() == 1 ? "" : "s",
                                             o.indexed.empty() ? "" : ", among which its index selects");
    remarks_->add({uniformity_ ? "sroa_indices" : "sroa", o.loc, std::move(text)});
  }

  // An index in addition to a constant: the element that a number of elements lies behind it.
  struct Index {
    ValueId value;
    int64_t scale = 0;
  };
  // A value that is an object's address plus a constant, and perhaps an index.
  struct Address {
    uint32_t object = UINT32_MAX;
    int64_t offset = 0;
    Index index{};
    bool known() const { return object != UINT32_MAX; }
  };
  struct Access {
    InstId inst;
    int64_t offset = 0;
    Type type;
    Index index{};
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
    std::vector<Place> places;    // by offset
    std::vector<InstId> indexed;  // accesses with an index
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
        o.accesses.push_back({id, a.offset, f.type(inst.results[0]), a.index});
      else if (k == 0 && inst.op == Op::store)
        o.accesses.push_back({id, a.offset, f.type(inst.operands[1]), a.index});
      else if (k == 0 && inst.op == Op::ptr_add && f.is_const(inst.operands[1]))
        address_[inst.results[0].index] = {a.object, a.offset + constant_step(inst), a.index};
      else if (k == 0 && inst.op == Op::ptr_add && may_index(a, inst))
        address_[inst.results[0].index] = {
            a.object, a.offset + inst.attrs[1], {as_word(inst.operands[1]), inst.attrs[0]}};
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

  bool may_index(const Address& a, const Inst& add) const {
    return uniformity_ && !a.index.value.valid() && !f.is_inline(as_word(add.operands[1])) &&
           add.attrs[0] > 0 && static_cast<int64_t>(f.objects[a.object].size) <= kMostElements * add.attrs[0];
  }

  // An index that was extended. Private addresses have 32 bits, so its upper half tells nothing.
  ValueId as_word(ValueId index) const {
    const InstId def = f.def(index);
    if (!def.valid() || (f.inst(def).op != Op::zext && f.inst(def).op != Op::sext)) return index;
    const ValueId word = f.inst(def).operands[0];
    return f.type(word) == kI32 ? word : index;
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

  // Replaces the accesses with an index by one for each element, in the list of accesses; or keeps the object
  // in memory, where it costs less there.
  void find_elements(Object& o, int64_t size) {
    std::vector<Access> all;
    int64_t memory = 0, selects = 0, code = 0;
    bool differs = false;
    for (const Access& a : o.accesses) {
      const Inst& inst = f.inst(a.inst);
      const int64_t weight = weight_of(inst.block);
      if (!a.index.value.valid()) {
        all.push_back(a);
        memory += weight * kAccess;
        continue;
      }
      o.indexed.push_back(a.inst);
      const int64_t first = first_element(a.offset, a.index);
      int64_t elements = 0;
      for (int64_t at = first; at + int64_t{a.type.bytes()} <= size; at += a.index.scale, ++elements)
        all.push_back({a.inst, at, a.type});
      const bool is_store = inst.op == Op::store;
      const bool divergent = uniformity_->divergent_use(f, inst.block, a.index.value);
      differs |= divergent;
      memory += weight * (!divergent ? kAccess : is_store ? kScatter : kGather);
      const int64_t chosen = is_store ? elements : elements - 1;
      selects += weight * chosen * cost_of_choice(a.type, f.type(a.index.value));
      code += 2 * chosen;
      if (elements == 0) return keep(o, inst.loc, "an access lies outside");
    }
    if (!differs) return keep(o, o.loc, "its index is the same for all lanes");
    if (selects >= memory || code > kMostOfArray || code > kMostOfAll - code_)
      return keep(o, o.loc, "its index is not constant, and to select among its elements would cost more");
    code_ += code;
    o.accesses = std::move(all);
  }

  // Of a comparison with the number of an element, and of a selection; that of two vectors by the comparison
  // of one needs its mask to be widened, in three instructions.
  static int64_t cost_of_choice(Type element, Type index) {
    auto vectors = [](Type type) { return type.bytes() == 8 ? 2 : 1; };
    const int64_t masks = vectors(element) > vectors(index) ? 3 : 0;
    return vectors(index) + masks + vectors(element);
  }

  // The offset of the first element that an index leads to.
  static int64_t first_element(int64_t offset, const Index& index) {
    const int64_t rest = offset % index.scale;
    return rest < 0 ? rest + index.scale : rest;
  }

  int64_t weight_of(BlockId b) const {
    const uint32_t loop = analyses_.cycles().innermost[b.index];
    const uint32_t depth = loop == kNone ? 0 : analyses_.cycles().cycles[loop].depth;
    return int64_t{1} << kPerLoop * std::min(depth, kDeepest);
  }

  // Splits an object into slots; false if it must stay in memory.
  bool place(size_t index) {
    Object& o = objects_[index];
    const bool indexed =
        std::ranges::any_of(o.accesses, [](const Access& a) { return a.index.value.valid(); });
    if (!o.stays && indexed) find_elements(o, static_cast<int64_t>(f.objects[index].size));
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
    if (a.index.value.valid()) {
      inst.op == Op::store ? store_indexed(b, a, inst.operands[1]) : load_indexed(b, a, id);
      return true;
    }
    const Place& p = objects_[a.object].places[place_of_[id.index]];
    if (inst.op == Op::store) {
      b.set(p.var, cast(b, inst.operands[1], p.type));
      return true;
    }
    load(b, p, id);
    return true;
  }

  // The load's own result stays, so that its uses need no change.
  void load(Builder& b, const Place& p, InstId id) {
    if (p.type == f.type(f.result(id)))
      become(b, id, Op::var_get, {}, p.var.index);
    else
      become(b, id, Op::bitcast, {b.get(p.var)});
  }

  void become(Builder& b, InstId id, Op op, std::vector<ValueId> operands, int64_t attr = 0) {
    Inst& inst = f.inst(id);
    inst.op = op;
    inst.operands = std::move(operands);
    inst.attrs = {attr};
    f.append(b.block, id);
  }

  // The elements that an access with an index may access.
  std::vector<const Place*> elements_of(const Address& a, Type type) const {
    const std::vector<Place>& places = objects_[a.object].places;
    const auto size = static_cast<int64_t>(f.objects[a.object].size);
    std::vector<const Place*> elements;
    for (int64_t at = first_element(a.offset, a.index); at + int64_t{type.bytes()} <= size;
         at += a.index.scale)
      elements.push_back(&*std::ranges::lower_bound(places, at, {}, &Place::offset));
    return elements;
  }

  // The index that leads to this element.
  ValueId number_of(const Address& a, int64_t element) {
    const int64_t before = (a.offset - first_element(a.offset, a.index)) / a.index.scale;
    return f.constant(f.type(a.index.value), static_cast<uint64_t>(element - before));
  }
  ValueId is_element(Builder& b, const Address& a, size_t element) {
    const ValueId number = number_of(a, static_cast<int64_t>(element));
    const auto shared = tests_.find({a.index.value, number});
    return shared != tests_.end() ? shared->second : b.make(Op::eq, kI1, {a.index.value, number});
  }

  // Accesses in several blocks by one index, the arms of a switch for example, share its comparisons, which
  // are behind its definition. Not outside of a loop that defines it: it would be compared in each iteration.
  void share_tests() {
    std::map<ValueId, std::vector<InstId>> by_index;
    for (const Object& o : objects_)
      if (!o.stays)
        for (InstId i : o.indexed) by_index[address_of(i).index.value].push_back(i);
    std::map<BlockId, std::map<ValueId, std::vector<InstId>>> tests;  // by block and index
    for (const auto& [index, accesses] : by_index) {
      const BlockId home = block_of(f, index), first = f.inst(accesses[0]).block;
      const uint32_t loop = analyses_.cycles().innermost[home.index];
      auto same = [&](InstId i) { return f.inst(i).block == first; };
      auto outside = [&](InstId i) {
        return loop != kNone && !analyses_.cycles().contains(loop, f.inst(i).block);
      };
      if (std::ranges::all_of(accesses, same) || std::ranges::any_of(accesses, outside)) continue;
      tests[home][index] = make_tests(home, accesses);
    }
    for (const auto& [home, by_definition] : tests) insert_tests(home, by_definition);
  }

  const Address& address_of(InstId access) const { return address_[f.inst(access).operands[0].index]; }

  // Comparisons of an index for all of its accesses, in no block yet.
  std::vector<InstId> make_tests(BlockId home, const std::vector<InstId>& accesses) {
    Builder b(f);
    b.block = home;
    const auto before = static_cast<std::ptrdiff_t>(f.block(home).insts.size());
    for (InstId i : accesses) {
      b.loc = f.inst(i).loc;
      const Address a = address_of(i);
      const bool is_store = f.inst(i).op == Op::store;
      const size_t elements = elements_of(a, f.type(is_store ? f.inst(i).operands[1] : f.result(i))).size();
      for (size_t k = is_store && elements != 2 ? 0 : 1; k < elements; ++k) {
        const ValueId test = is_element(b, a, k);
        tests_.try_emplace({a.index.value, number_of(a, static_cast<int64_t>(k))}, test);
      }
    }
    std::vector<InstId>& insts = f.block(home).insts;
    std::vector<InstId> made(insts.begin() + before, insts.end());
    insts.erase(insts.begin() + before, insts.end());
    return made;
  }

  void insert_tests(BlockId home, const std::map<ValueId, std::vector<InstId>>& by_definition) {
    std::vector<InstId> all;
    auto insert = [&](ValueId index) {
      const auto found = by_definition.find(index);
      if (found != by_definition.end()) all.insert(all.end(), found->second.begin(), found->second.end());
    };
    for (ValueId p : f.block(home).params) insert(p);
    for (InstId i : f.block(home).insts) {
      all.push_back(i);
      for (ValueId r : f.inst(i).results) insert(r);
    }
    f.block(home).insts = std::move(all);
  }

  void load_indexed(Builder& b, const Address& a, InstId id) {
    const Type type = f.type(f.result(id));
    const std::vector<const Place*> places = elements_of(a, type);
    if (places.size() == 1) return load(b, *places[0], id);
    std::vector<ValueId> elements;
    for (const Place* p : places) elements.push_back(cast(b, b.get(p->var), type));
    ValueId chosen = elements[0];
    for (size_t k = 1; k + 1 < elements.size(); ++k)
      chosen = b.make(Op::select, type, {is_element(b, a, k), elements[k], chosen});
    become(b, id, Op::select, {is_element(b, a, elements.size() - 1), elements.back(), chosen});
  }

  void store_indexed(Builder& b, const Address& a, ValueId stored) {
    const std::vector<const Place*> places = elements_of(a, f.type(stored));
    if (places.size() == 1) return b.set(places[0]->var, cast(b, stored, places[0]->type));
    for (size_t k = 0; k < places.size(); ++k) {
      const Place& p = *places[k];
      const ValueId old = b.get(p.var), now = cast(b, stored, p.type);
      // Of two elements it is the one or the other.
      const bool is_other = places.size() == 2 && k == 0;
      const ValueId condition = is_element(b, a, is_other ? 1 : k);
      b.set(p.var, b.make(Op::select, p.type, {condition, is_other ? old : now, is_other ? now : old}));
    }
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
  AnalysisCache& analyses_;
  const Uniformity* uniformity_;
  Remarks* remarks_;
  std::vector<Address> address_;    // by value
  std::vector<uint32_t> place_of_;  // by access: its slot in the object
  std::vector<Object> objects_;
  int64_t code_ = 0;                                      // operations in place of accesses with an index
  std::map<std::pair<ValueId, ValueId>, ValueId> tests_;  // by index and number: comparisons that are shared
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

bool replace_aggregates(Function& f, AnalysisCache& analyses, const Uniformity* uniformity,
                        Remarks* remarks) {
  return !f.objects.empty() && !has_places(f) && Promotion(f, analyses, uniformity, remarks).run();
}

}  // namespace kc
