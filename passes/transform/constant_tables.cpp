// SPDX-License-Identifier: Apache-2.0
// constant_tables: private objects that only ever hold constants move to constant memory.
//
// Pointers that may point to the same objects form a class: additions, selects, comparisons and edges join
// classes (union-find). A class is a table if all its uses are visible, all its stores store constants to
// known bytes, and no byte gets two different values. A load then gives that value wherever it is, because
// memory without a store is unspecified; so neither order nor dominance of the stores matters. The objects of
// a class become one constant object, its pointers offsets in there. Offsets have 32 bits and wrap as
// private addresses do; an index that cannot wrap (integer_range_analysis.h) stays the index of the load.
//
// Runs before `unroll` and `sroa`: stores of a table are no work, and a load at a known offset is a constant.
// Needs ThreadForm, Ssa; gives and kills nothing.
//
//   %1: ptr<private> = object_address object=$k.0      %1: ptr<constant> = object_address object=$k.1
//   store %1, 7:i32                                    %2: ptr<constant> = ptr_add %1, %i, scale=4
//   %2: ptr<private> = ptr_add %1, 1:i32, scale=4  ==> %3: i32 = load %2
//   store %2, 9:i32
//   %3: ptr<private> = ptr_add %1, %i, scale=4
//   %4: i32 = load %3
#include "passes/transform/constant_tables.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>

#include "ir/disjoint_sets.h"
#include "ir/eval.h"
#include "passes/ir_util.h"

namespace kc {
namespace {

constexpr int kMostTableSweeps = 3;  // copies of tables are tables once the loads of the originals are known
constexpr size_t kMostIndices = 3;   // of a store in nested loops
constexpr int64_t kMostPrivateOffset = INT32_MAX;  // of a private address
constexpr uint32_t kNoNumber = UINT32_MAX;

class Tables {
 public:
  Tables(Function& function, AnalysisCache& analyses, Remarks* remarks)
      : f(function),
        analyses_(analyses),
        remarks_(remarks),
        values_(f.value_count()),
        classes_(values_ + f.objects.size()),
        stays_(classes_.size()),
        place_(values_),
        is_distance_(values_),
        replaced_(f) {}

  /// Whether anything was changed. `folded`: a load became a constant.
  bool run(bool& folded) {
    collect();
    check_distances();
    images_.resize(f.objects.size());
    for (InstId i : stores_)
      if (uint32_t c = root(f.inst(i).operands[0].index); !stays_[c] && !write(f.inst(i))) stays_[c] = true;
    if (!choose()) return false;
    find_uses();
    rewrite();
    apply_replacements(f, replaced_);
    folded = folded_;
    return true;
  }

 private:
  // A variable part of an address: index * scale.
  struct Term {
    InstId add;
    int64_t scale = 0;
  };
  // The address of a private pointer, if it is that of an object plus constants and a few terms.
  struct Place {
    uint32_t object = kNoNumber;
    int64_t offset = 0;
    ShortList<Term, 1> terms;
    bool known() const { return object != kNoNumber; }
    bool is_constant() const { return known() && terms.empty(); }
  };
  struct Image {
    std::vector<uint8_t> bytes;
    std::vector<bool> written;
  };
  // The constant object of a class.
  struct Table {
    ObjectId object;
    std::vector<uint8_t> bytes;
  };

  // --- classes
  uint32_t root(uint32_t n) const { return classes_.root(n); }
  uint32_t node(size_t object) const { return static_cast<uint32_t>(values_ + object); }
  void unite(uint32_t a, uint32_t b) {
    a = root(a), b = root(b);
    if (a == b) return;
    classes_.join(a, b);
    stays_[a] = stays_[a] || stays_[b];
  }
  // Undef points nowhere; other inline pointers are null, or addresses that are numbers already.
  void unite(ValueId a, ValueId b) {
    if (f.is_undef(a) || f.is_undef(b)) return;
    if (f.is_const(a) || f.is_const(b)) {
      stay(a), stay(b);
      return;
    }
    unite(a.index, b.index);
  }
  void stay(ValueId v) {
    if (!f.is_inline(v)) stays_[root(v.index)] = true;
  }
  bool is_private(ValueId v) const { return f.type(v) == kPtrPrivate; }

  void collect() {
    for (ValueId p : f.block(f.entry()).params)
      if (is_private(p)) stay(p);
    for (BlockId b : analyses_.cfg().rpo) {
      for (InstId i : f.block(b).insts) visit(i);
      for (const Target& t : f.successors(b))
        for (size_t k = 0; k < t.args.size(); ++k)
          if (is_private(t.args[k])) unite(f.block(t.block).params[k], t.args[k]);
    }
  }

  void visit(InstId id) {
    const Inst& inst = f.inst(id);
    const auto& x = inst.operands;
    const ValueId result = inst.results.empty() ? ValueId() : inst.results[0];
    const bool gives = result.valid() && is_private(result);
    switch (inst.op) {
      case Op::object_address:
        if (!gives) return;
        unite(node(static_cast<size_t>(inst.attrs[0])), result.index);
        place_[result.index].object = static_cast<uint32_t>(inst.attrs[0]);
        return;
      case Op::ptr_add:
        if (!gives) return;
        unite(result, x[0]);
        if (!f.is_inline(x[0])) place_[result.index] = place_of(id);
        return;
      case Op::select:
        if (gives) unite(result, x[1]), unite(result, x[2]);
        return;
      case Op::load:
        if (gives) stay(result);
        return;
      case Op::store:
        if (is_private(x[1])) stay(x[1]);
        if (!is_private(x[0]) || f.is_inline(x[0])) return;
        // Here and not in write(), so that no intervals are computed for classes that are no tables anyhow.
        if (!f.is_const(x[1]) || !place_[x[0].index].known())
          stay(x[0]);
        else
          stores_.push_back(id);
        return;
      case Op::eq:
      case Op::ne:
      case Op::ult:
      case Op::ule:
        if (is_private(x[0])) unite(x[0], x[1]);
        return;
      case Op::bitcast:
        if (is_private(x[0]) && !f.is_inline(x[0])) {
          if (f.type(result) != kI32) return stay(x[0]);
          is_distance_[result.index] = true;
          distances_.push_back(result);
        }
        if (gives) stay(result);
        return;
      default:
        for (ValueId v : x)
          if (is_private(v)) stay(v);
        for (ValueId v : inst.results)
          if (is_private(v)) stay(v);
    }
  }

  Place place_of(InstId add) const {
    const Inst& inst = f.inst(add);
    Place p = place_[inst.operands[0].index];
    if (!p.known()) return p;
    p.offset = wrapping_add(p.offset, inst.attrs[1]);
    const Value& index = f.value(inst.operands[1]);
    if (index.kind == ValueKind::Const)
      p.offset =
          wrapping_add(p.offset, wrapping_mul(as_signed(index.type.bits(), index.bits), inst.attrs[0]));
    else if (p.terms.size() < kMostIndices)
      p.terms.push_back({add, inst.attrs[0]});
    else
      return {};
    p.offset = static_cast<int32_t>(static_cast<uint32_t>(p.offset));
    return p;
  }

  // An address may become a number only in the difference of two addresses in one table.
  void check_distances() {
    if (distances_.empty()) return;
    for_each_inst([&](const Inst& inst) {
      const auto& x = inst.operands;
      const bool difference = inst.op == Op::sub && is_distance(x[0]) && is_distance(x[1]);
      if (difference) unite(source(x[0]), source(x[1]));
      for (ValueId v : x)
        if (!difference && is_distance(v)) stay(source(v));
      for (const Target& t : inst.targets)
        for (ValueId v : t.args)
          if (is_distance(v)) stay(source(v));
    });
  }
  bool is_distance(ValueId v) const { return v.index < values_ && is_distance_[v.index]; }
  ValueId source(ValueId distance) const { return f.inst(f.def(distance)).operands[0]; }

  template <class Visit>
  void for_each_inst(Visit visit) const {
    for (BlockId b : f.layout)
      for (InstId i : f.block(b).insts) visit(f.inst(i));
  }

  // --- contents
  // Whether the bytes of a store of a constant are known, and get no other value.
  bool write(const Inst& store) {
    const Place& p = place_[store.operands[0].index];
    Image& image = images_[p.object];
    if (image.bytes.empty()) {
      image.bytes.resize(f.objects[p.object].size);
      image.written.resize(f.objects[p.object].size);
    }
    int64_t budget = static_cast<int64_t>(image.bytes.size());
    return write(image, p, 0, p.offset, f.value(store.operands[1]), budget);
  }

  // Stores for every value of the terms from `term` on.
  bool write(Image& image, const Place& p, size_t term, int64_t offset, const Value& value, int64_t& budget) {
    if (term == p.terms.size()) {
      const unsigned bytes = value.type.bytes();
      if (--budget < 0 || offset < 0 || offset + bytes > static_cast<int64_t>(image.bytes.size()))
        return false;
      for (unsigned k = 0; k < bytes; ++k) {
        const size_t at = static_cast<size_t>(offset) + k;
        const auto byte = static_cast<uint8_t>(value.bits >> (8 * k));
        if (image.written[at] && image.bytes[at] != byte) return false;
        image.bytes[at] = byte;
        image.written[at] = true;
      }
      return true;
    }
    const Term& t = p.terms[term];
    const KnownBits& index = analyses_.ranges().operand(t.add, 1);
    if (index.nothing) return true;  // it is never executed
    if (!is_small(t, index)) return false;
    for (int64_t k = index.smin; k <= index.smax; ++k)
      if (!write(image, p, term + 1, offset + k * t.scale, value, budget)) return false;
    return true;
  }

  // --- which classes become tables
  bool choose() {
    table_of_.assign(classes_.size(), kNoNumber);
    for (uint32_t o = 0; o < f.objects.size(); ++o) {
      const MemoryObject& object = f.objects[o];
      const uint32_t c = root(node(o));
      if (object.type != kPtrPrivate || stays_[c] || c == node(o)) continue;
      if (table_of_[c] == kNoNumber) {
        table_of_[c] = static_cast<uint32_t>(tables_.size());
        tables_.push_back({});
        names_.push_back({object.name, object.align});
      }
      Table& table = tables_[table_of_[c]];
      auto& [name, align] = names_[table_of_[c]];
      align = std::max(align, object.align);
      table.bytes.resize((table.bytes.size() + object.align - 1) / object.align * object.align);
      position_.resize(f.objects.size());
      position_[o] = static_cast<int32_t>(table.bytes.size());
      images_[o].bytes.resize(object.size);
      table.bytes.insert(table.bytes.end(), images_[o].bytes.begin(), images_[o].bytes.end());
    }
    return !tables_.empty();
  }
  bool in_table(ValueId v) {
    return v.index < values_ && !f.is_inline(v) && table_of_[root(v.index)] != kNoNumber;
  }
  const Table& table_of(ValueId v) { return tables_[table_of_[root(v.index)]]; }

  // --- uses
  std::optional<int32_t> constant_offset(ValueId v) const {
    const Place& p = place_[v.index];
    if (!p.is_constant()) return std::nullopt;
    return static_cast<int32_t>(p.offset + position_[p.object]);
  }

  // Whether the pointer is a known offset plus indices whose sum cannot wrap.
  bool is_direct(ValueId v) {
    const Place& p = place_[v.index];
    if (!p.known() || p.terms.empty()) return false;
    int64_t low = p.offset + position_[p.object], high = low;
    for (const Term& t : p.terms) {
      const KnownBits& index = analyses_.ranges().operand(t.add, 1);
      if (!is_small(t, index)) return false;
      low += index.smin * t.scale;
      high += index.smax * t.scale;
      if (low < -kMostPrivateOffset || high > kMostPrivateOffset) return false;
    }
    return true;
  }
  static bool is_small(const Term& t, const KnownBits& index) {
    return !index.nothing && index.smin >= -kMostPrivateOffset && index.smax <= kMostPrivateOffset &&
           t.scale >= 0 && t.scale <= kMostPrivateOffset;
  }

  // Which pointers are needed as offsets.
  void find_uses() {
    direct_.assign(values_, false);
    needed_.assign(values_, false);
    for (BlockId b : analyses_.cfg().rpo)
      for (InstId i : f.block(b).insts) {
        const Inst& inst = f.inst(i);
        if (inst.op == Op::ptr_add && in_table(inst.results[0]))
          direct_[inst.results[0].index] = is_direct(inst.results[0]);
      }
    for_each_inst([&](const Inst& inst) {
      for (size_t k = 0; k < inst.operands.size(); ++k)
        if (ValueId v = inst.operands[k]; in_table(v) && !(inst.op == Op::load && direct_[v.index]))
          needed_[v.index] = true;
      for (const Target& t : inst.targets)
        for (ValueId v : t.args)
          if (in_table(v)) needed_[v.index] = true;
    });
  }

  // --- rewriting
  void rewrite() {
    offset_.resize(values_);
    for (BlockId b : f.layout)
      for (ValueId p : f.block(b).params)
        if (in_table(p)) f.value(p).type = kI32, offset_[p.index] = p;
    for (BlockId block : analyses_.cfg().rpo) {
      std::vector<InstId> old = std::move(f.block(block).insts);
      f.block(block).insts.clear();
      f.block(block).insts.reserve(old.size());
      Builder b(f);
      b.block = block;
      for (InstId i : old) {
        b.loc = f.inst(i).loc;
        if (instruction(b, i))
          f.inst(i).erased = true;
        else
          f.append(block, i);
      }
      for (Target& t : f.inst(f.terminator(block)).targets)
        for (size_t k = 0; k < t.args.size(); ++k) to_offset(t.args[k], f.block(t.block).params[k]);
    }
  }

  // Replaces a pointer that is passed to a parameter or a select of a table.
  void to_offset(ValueId& v, ValueId receiver) {
    if (in_table(v))
      v = offset(v);
    else if (is_private(v) && f.is_undef(v) && in_table(receiver))
      v = f.undef(kI32);
  }

  // The pointer as an offset in its table.
  ValueId offset(ValueId v) {
    if (f.is_undef(v)) return f.undef(kI32);
    if (offset_[v.index].valid()) return offset_[v.index];
    return f.constant(kI32, static_cast<uint32_t>(*constant_offset(v)));
  }

  // Whether the instruction is replaced, or no longer needed.
  bool instruction(Builder& b, InstId id) {
    Inst& inst = f.inst(id);
    const ValueId result = inst.results.empty() ? ValueId() : inst.results[0];
    switch (inst.op) {
      case Op::object_address:
        return in_table(result);
      case Op::ptr_add:
        if (!in_table(result)) return false;
        if (!constant_offset(result) && needed_[result.index]) offset_[result.index] = sum(b, inst);
        return true;
      case Op::select:
        if (!in_table(result)) return false;
        to_offset(inst.operands[1], result);
        to_offset(inst.operands[2], result);
        f.value(result).type = kI32;
        offset_[result.index] = result;
        return false;
      case Op::eq:
      case Op::ne:
      case Op::ult:
      case Op::ule:
        compare(inst);
        return false;
      case Op::bitcast:
        if (!in_table(inst.operands[0])) return false;
        replaced_.set(result, offset(inst.operands[0]));
        return true;
      case Op::load:
        return in_table(inst.operands[0]) && load(b, inst);
      case Op::store:
        return in_table(inst.operands[0]);
      default:
        return false;
    }
  }

  // Private addresses before an object are smaller than those inside, and so are negative offsets.
  void compare(Inst& inst) {
    ValueId &x = inst.operands[0], &y = inst.operands[1];
    if (!in_table(x) && !in_table(y)) return;
    ValueId first = x;
    to_offset(x, y);
    to_offset(y, first);
    if (inst.op == Op::ult) inst.op = Op::slt;
    if (inst.op == Op::ule) inst.op = Op::sle;
  }

  ValueId sum(Builder& b, const Inst& add) {
    const Value& known = f.value(add.operands[1]);
    int64_t constant = add.attrs[1];
    ValueId total = offset(add.operands[0]), index;
    if (known.kind == ValueKind::Const)
      constant = wrapping_add(constant, wrapping_mul(as_signed(known.type.bits(), known.bits), add.attrs[0]));
    else if (index = index_of(b, add); add.attrs[0] != 1)
      index = b.make(Op::mul, kI32, {index, b.i32(static_cast<int32_t>(add.attrs[0]))});
    if (f.is_const(total))
      constant = wrapping_add(constant, static_cast<int32_t>(f.value(total).bits)), total = index;
    else if (index.valid())
      total = b.make(Op::add, kI32, {total, index});
    if (constant == 0) return total;
    return b.make(Op::add, kI32, {total, b.i32(static_cast<int32_t>(constant))});
  }
  ValueId index_of(Builder& b, const Inst& add) {
    ValueId index = add.operands[1];
    return f.type(index) == kI32 ? index : b.make(Op::trunc, kI32, {index});
  }

  // Whether the load became a constant.
  bool load(Builder& b, Inst& inst) {
    const ValueId pointer = inst.operands[0];
    const Type type = f.type(inst.results[0]);
    const Table& table = table_of(pointer);
    const auto at = constant_offset(pointer);
    if (at && *at >= 0 && *at + int64_t{type.bytes()} <= static_cast<int64_t>(table.bytes.size())) {
      uint64_t bits = 0;
      for (unsigned k = type.bytes(); k-- > 0;) bits = bits << 8 | table.bytes[static_cast<size_t>(*at) + k];
      replaced_.set(inst.results[0], f.constant(type, bits));
      return folded_ = true;
    }
    ValueId base = b.object_address(object_of(pointer, inst.loc));
    if (!direct_[pointer.index]) {
      inst.operands[0] = b.make(Op::ptr_add, kPtrConstant, {base, offset(pointer)}, {1, 0});
      return false;
    }
    const Place& p = place_[pointer.index];
    int64_t from = p.offset + position_[p.object];
    for (const Term& t : p.terms) {
      base = b.make(Op::ptr_add, kPtrConstant, {base, index_of(b, f.inst(t.add))}, {t.scale, from});
      from = 0;
    }
    inst.operands[0] = base;
    return false;
  }

  // The constant object of a table; tables with the same contents share one. The place is that of a load.
  ObjectId object_of(ValueId pointer, const Loc& loc) {
    const uint32_t t = table_of_[root(pointer.index)];
    Table& table = tables_[t];
    if (table.object.valid()) return table.object;
    const auto& [name, align] = names_[t];
    if (objects_.empty())
      for (uint32_t o = 0; o < f.objects.size(); ++o)
        if (f.objects[o].type == kPtrConstant) objects_.emplace(f.objects[o].init, ObjectId(o));
    auto [known, fresh] = objects_.emplace(table.bytes, ObjectId());
    if (fresh) known->second = f.add_object({name, kPtrConstant, table.bytes.size(), align, table.bytes});
    MemoryObject& object = f.objects[known->second.index];
    object.align = std::max(object.align, align);
    if (remarks_)
      remarks_->add({"constant_tables", loc,
                     fmt::format("'{}' only holds constants: it moves to constant memory", name)});
    return table.object = known->second;
  }

  Function& f;
  AnalysisCache& analyses_;
  Remarks* remarks_;
  const size_t values_;       // values there were at first
  DisjointSets classes_;      // of values, then objects
  std::vector<bool> stays_;   // by root of a class: it is no table
  std::vector<Place> place_;  // by value
  std::vector<bool> is_distance_;
  std::vector<ValueId> distances_;
  std::vector<InstId> stores_;
  std::vector<Image> images_;       // by object
  std::vector<uint32_t> table_of_;  // by root of a class
  std::vector<int32_t> position_;   // by object: its offset in its table
  std::vector<Table> tables_;
  std::vector<std::pair<std::string, uint32_t>> names_;  // by table: name and alignment
  std::vector<bool> direct_, needed_;                    // by value
  std::vector<ValueId> offset_;                          // by value: the offset of a pointer, of 32 bits
  std::map<std::vector<uint8_t>, ObjectId> objects_;     // by contents
  Replacements replaced_;
  bool folded_ = false;
};

bool has_private_objects(const Function& f) {
  return std::ranges::any_of(f.objects, [](const MemoryObject& o) { return o.type == kPtrPrivate; });
}

}  // namespace

bool constant_tables(Function& f, AnalysisCache& analyses, Remarks* remarks) {
  bool again = has_private_objects(f);
  bool changed = again && remove_unreachable_blocks(f, analyses);
  for (int n = 0; n < kMostTableSweeps && again; ++n) {
    again = false;
    if (!Tables(f, analyses, remarks).run(again)) break;
    analyses.keep(GraphAnalyses);
    changed = true;
  }
  return changed;
}

}  // namespace kc
