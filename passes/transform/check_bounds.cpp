// SPDX-License-Identifier: Apache-2.0
// check_bounds: an access outside the buffers and objects becomes a trap.
//
// Runs on request only. The launch passes the sizes of buffers and of local arguments in hidden parameters
// with the role BufferSize. An access is compared with the buffer or object that its pointer is based on,
// through sums, selects and loops; a pointer with several bases, or loaded from memory, may point into
// anything of its address space. The test compares the offset in the buffer, unsigned in 64 bits, with the
// number of valid start offsets of such an access: underflow and wrapped sums give large offsets, a null
// pointer is in no buffer. The limit is uniform and computed in the entry. Runs before all passes that move
// or remove accesses, so the traps are those of the source. The value of a trap is the offset in bytes, where
// there is one base. Needs ThreadForm, Ssa; kills NoTraps, NoObjects, Reconverging, Structured.
//   %2: i32 = load %1   ==>   b0: %4: i1 = ult %size_0, 4:i64;  %5: i64 = sub %size_0, 3:i64
//                                 %6: i64 = select %4, 0:i64, %5 ... %7: i1 = ult %offset, %6
//                                 br_if %7 -> b1.inside, b2.outside
//                             b1: %2: i32 = load %1
//                             b2: trap %offset, site=0
#include "passes/transform/check_bounds.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <vector>

#include "ir/parameters.h"

namespace kc {
namespace {

// Pointers that may point to the same things.
bool same_space(Type a, Type b) {
  auto space = [](Type t) { return t == kPtrConstant ? kPtrGlobal : t; };
  return space(a) == space(b);
}

// The base of a pointer: the number of a root, or one of these.
constexpr uint32_t kNothing = 0xffffffffu;  // not known yet, or null
constexpr uint32_t kAnything = 0xfffffffeu;
constexpr uint32_t kTrusted = 0xfffffffdu;  // a hidden buffer: accesses made by the compiler

uint32_t meet(uint32_t a, uint32_t b) {
  if (a == kNothing || a == b) return b;
  return b == kNothing ? a : kAnything;
}

class BoundsChecker {
 public:
  explicit BoundsChecker(Function& function) : f(function), at_entry_(function), b_(function) {}

  bool run(const Cfg& cfg) {
    find_roots();
    find_origins(cfg);
    const std::vector<BlockId> blocks = f.layout;
    for (BlockId b : blocks) check_block(b);
    if (!computed_.valid()) return false;
    layout_.insert(layout_.end(), ends_.begin(), ends_.end());
    f.layout = std::move(layout_);
    place_at_entry();
    return true;
  }

 private:
  // A buffer, an array in local memory, or an object.
  struct Root {
    Type type;
    ValueId pointer{};        // the parameter
    size_t position = 0;      // index of the parameter, or of the object
    ValueId size{}, start{};  // in the entry; created on demand
    bool is_object = false;
  };

  // --- bases of pointers
  void find_roots() {
    origin_.assign(f.value_count(), kNothing);
    const auto& params = f.block(f.entry()).params;
    for (size_t i = 0; i < params.size(); ++i) {
      const Type type = f.type(params[i]);
      if (!type.is_pointer()) continue;
      if (i < f.params.size() && f.params[i].hidden()) {
        origin_[params[i].index] = kTrusted;
        continue;
      }
      origin_[params[i].index] = static_cast<uint32_t>(roots_.size());
      roots_.push_back({.type = type, .pointer = params[i], .position = i});
    }
    for (size_t i = 0; i < f.objects.size(); ++i)
      roots_.push_back({.type = f.objects[i].type, .position = i, .is_object = true});
  }

  void find_origins(const Cfg& cfg) {
    for (bool changed = true; changed;) {
      changed = false;
      auto note = [&](ValueId v, uint32_t from) {
        uint32_t now = meet(origin_[v.index], from);
        changed |= now != origin_[v.index];
        origin_[v.index] = now;
      };
      for (BlockId b : cfg.rpo) {
        for (InstId i : f.block(b).insts)
          for (ValueId v : f.inst(i).results)
            if (f.type(v).is_pointer()) note(v, origin_of(f.inst(i)));
        for (const Target& t : f.successors(b))
          for (size_t k = 0; k < t.args.size(); ++k)
            if (f.type(t.args[k]).is_pointer()) note(f.block(t.block).params[k], origin(t.args[k]));
      }
    }
  }

  // Null is in no buffer, and undef reads as null.
  uint32_t origin(ValueId v) const {
    if (f.is_const(v) && f.value(v).bits != 0) return kAnything;
    return f.is_inline(v) ? kNothing : origin_[v.index];
  }
  uint32_t origin_of(const Inst& inst) const {
    switch (inst.op) {
      case Op::ptr_add:
        return origin(inst.operands[0]);
      case Op::select:
        return meet(origin(inst.operands[1]), origin(inst.operands[2]));
      case Op::object_address:
        for (uint32_t r = 0; r < roots_.size(); ++r)
          if (roots_[r].is_object && roots_[r].position == static_cast<size_t>(inst.attrs[0])) return r;
        return kAnything;
      default:
        return kAnything;
    }
  }

  // --- values computed once
  ValueId start_of(Root& root) {
    if (!root.start.valid()) {
      ValueId pointer = root.is_object
                            ? at_entry_.object_address(ObjectId(static_cast<uint32_t>(root.position)))
                            : root.pointer;
      root.start = address_of(at_entry_, pointer);
    }
    return root.start;
  }
  // In 64 bits.
  ValueId address_of(Builder& b, ValueId pointer) const {
    if (f.type(pointer).bits() == 64) return b.make(Op::bitcast, kI64, {pointer});
    return b.make(Op::zext, kI64, {b.make(Op::bitcast, kI32, {pointer})});
  }
  ValueId size_of(Root& root) {
    if (root.size.valid()) return root.size;
    if (root.is_object) return root.size = at_entry_.i64(static_cast<int64_t>(f.objects[root.position].size));
    return root.size = add_hidden_parameter(f, ParamRole::BufferSize, root.position);
  }
  // The number of offsets in the buffer where an access of this size can begin.
  ValueId places_in(uint32_t root, unsigned bytes) {
    ValueId& places = places_[{root, bytes}];
    if (places.valid()) return places;
    ValueId size = size_of(roots_[root]);
    if (bytes == 1) return places = size;
    ValueId none = at_entry_.make(Op::ult, kI1, {size, at_entry_.i64(bytes)});
    ValueId some = at_entry_.make(Op::sub, kI64, {size, at_entry_.i64(bytes - 1)});
    return places = at_entry_.make(Op::select, kI64, {none, at_entry_.i64(0), some});
  }
  void place_at_entry() {
    BlockId entry = f.entry();
    std::vector<InstId> first = std::move(f.block(computed_).insts);
    f.block(computed_).insts.clear();
    auto& insts = f.block(entry).insts;
    insts.insert(insts.begin(), first.begin(), first.end());
    for (InstId i : first) f.inst(i).block = entry;
    f.block(computed_).erased = true;
  }

  // --- the checks
  void check_block(BlockId block) {
    std::vector<InstId> insts = std::move(f.block(block).insts);
    f.block(block).insts.clear();
    b_.block = block;
    layout_.push_back(block);
    for (InstId i : insts) {
      if (unsigned bytes = bytes_to_check(f.inst(i))) check(i, bytes);
      f.append(b_.block, i);
    }
  }

  // The size of an access that needs a check, otherwise 0.
  unsigned bytes_to_check(const Inst& inst) const {
    const bool load = loads(inst.op);
    if (!load && !stores(inst.op) && !info(inst.op).has(Atomic)) return 0;
    if (origin(inst.operands[0]) == kTrusted) return 0;
    return f.type(load ? inst.results[0] : inst.operands[1]).bytes();
  }

  void check(InstId access, unsigned bytes) {
    if (!computed_.valid()) computed_ = at_entry_.block = f.add_block();
    const Inst inst = f.inst(access);
    const ValueId pointer = inst.operands[0];
    const uint32_t from = origin(pointer);
    const bool one_base = from < roots_.size();
    b_.loc = inst.loc;
    ValueId offset = one_base ? distance(pointer, roots_[from]) : ValueId();
    ValueId inside =
        one_base ? b_.make(Op::ult, kI1, {offset, places_in(from, bytes)}) : is_inside_any(pointer, bytes);
    BlockId goes_on = f.add_block("inside"), ends = f.add_block("outside");
    b_.br_if(inside, {goes_on, {}}, {ends, {}});
    b_.block = ends;
    b_.emit(Op::trap, {one_base ? offset : b_.i64(0)}, {}, {site(inst, bytes)});
    b_.block = goes_on;
    layout_.push_back(goes_on);
    ends_.push_back(ends);
  }

  // In some root of its address space.
  ValueId is_inside_any(ValueId pointer, unsigned bytes) {
    ValueId inside;
    if (origin(pointer) != kAnything) return f.constant(kI1, 0);
    const ValueId address = address_of(b_, pointer);
    for (uint32_t r = 0; r < roots_.size(); ++r) {
      if (!same_space(roots_[r].type, f.type(pointer))) continue;
      ValueId far = b_.make(Op::sub, kI64, {address, start_of(roots_[r])});
      ValueId in = b_.make(Op::ult, kI1, {far, places_in(r, bytes)});
      inside = inside.valid() ? b_.make(Op::or_, kI1, {inside, in}) : in;
    }
    return inside.valid() ? inside : f.constant(kI1, 0);
  }

  // The offset from the start of the pointer's buffer: the sum of the added terms, as far as visible, so that
  // range analysis applies.
  ValueId distance(ValueId pointer, Root& root) {
    InstId d = f.def(pointer);
    if (pointer == root.pointer || (d.valid() && f.inst(d).op == Op::object_address)) return b_.i64(0);
    if (!d.valid() || f.inst(d).op != Op::ptr_add)
      return b_.make(Op::sub, kI64, {address_of(b_, pointer), start_of(root)});
    const Inst add = f.inst(d);
    ValueId sum = distance(add.operands[0], root), index = add.operands[1];
    if (f.type(index) != kI64) index = b_.make(Op::sext, kI64, {index});
    ValueId step = b_.make(Op::mul, kI64, {index, b_.i64(add.attrs[0])});
    sum = b_.make(Op::add, kI64, {sum, step});
    return b_.make(Op::add, kI64, {sum, b_.i64(add.attrs[1])});
  }

  int64_t site(const Inst& inst, unsigned bytes) {
    const char* what = loads(inst.op) ? "load" : stores(inst.op) ? "store" : "atomic operation";
    TrapSite s{.kind = TrapKind::OutOfBounds,
               .type = fmt::format("{} of {} byte{}", what, bytes, bytes == 1 ? "" : "s"),
               .loc = inst.loc};
    if (const uint32_t from = origin(inst.operands[0]); from < roots_.size()) {
      const Root& root = roots_[from];
      s.object = root.is_object ? f.objects[root.position].name : f.params[root.position].name;
      s.unit = unit(inst.operands[0], bytes, root);
    }
    auto known = std::find(f.traps.begin(), f.traps.end(), s);
    if (known == f.traps.end()) known = f.traps.insert(known, std::move(s));
    return known - f.traps.begin();
  }

  // The bytes of what the source indexes: the smallest step of the sums that holds the access, or the element
  // of the parameter.
  uint32_t unit(ValueId pointer, unsigned bytes, const Root& root) const {
    uint32_t least = 0;
    for (InstId d = f.def(pointer); d.valid() && f.inst(d).op == Op::ptr_add;
         d = f.def(f.inst(d).operands[0]))
      if (const auto step = f.inst(d).attrs[0]; step >= bytes && (!least || step < least))
        least = static_cast<uint32_t>(step);
    if (least) return least;
    const ParamInfo* p = root.is_object ? nullptr : &f.params[root.position];
    const uint64_t element = !p ? 0 : p->pointee_size ? p->pointee_size : Type{p->pointee}.bytes();
    return static_cast<uint32_t>(std::max<uint64_t>(element, bytes));
  }

  Function& f;
  Builder at_entry_, b_;
  std::vector<Root> roots_;
  std::vector<uint32_t> origin_;  // by value
  std::map<std::pair<uint32_t, unsigned>, ValueId> places_;
  BlockId computed_;  // collects code for the front of the entry; valid if there is a check
  std::vector<BlockId> layout_, ends_;
};

}  // namespace

bool check_bounds(Function& f, AnalysisCache& analyses) { return BoundsChecker(f).run(analyses.cfg()); }

}  // namespace kc
