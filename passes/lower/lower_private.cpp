// SPDX-License-Identifier: Apache-2.0
// lower_private: gives private objects their addresses, and splits accesses into sizes that the machine has.
//
// Machines interleave the private memory of a wave's lanes, so that lanes which access the same element
// access neighbouring memory. Where the unit is 32 bits, wider accesses are split; bytes and halves are
// extracted from a word and inserted into it. Private words are not shared between work-items, so
// read-modify-write is correct.
//
// Where each access is interleaved in units of its own size s, an element at offset o of lane k is at
// o * width + k * s. Accesses of another size at the same bytes of an object would find other lanes' bytes
// there. So accesses that may overlap must have one size; the others are split. Which may overlap is decided
// by sets of objects that some pointer may point to, and within a set by the offsets modulo the strides of
// its arrays: members of the structures of an array do not overlap.
//
// Needs ThreadForm, Ssa and NoObjects; gives PrivateLowered.
//
//   object $a.0: ptr<private> size=16 align=8
//   %1: ptr<private> = object_address object=$a.0            %2: i32 = load 16:ptr<private>
//   %2: f64 = load %1                                        %3: i32 = load 20:ptr<private>
//   %3: i32 = load %1                                  ==>   %4: i64 = or (shl (zext %3), 32), (zext %2) ...
#include "passes/lower/lower_private.h"

#include <algorithm>
#include <numeric>
#include <span>
#include <utility>
#include <vector>

#include "ir/known_bits.h"
#include "ir/launch.h"
#include "passes/ir_util.h"

namespace kc {
namespace {

constexpr unsigned kWord = 4;

// Sets of numbered nodes whose differences are known, modulo a number of each set; 0: exactly.
class OffsetSets {
 public:
  explicit OffsetSets(size_t nodes) : parent_(nodes), delta_(nodes), modulus_(nodes) {
    std::iota(parent_.begin(), parent_.end(), 0);
  }
  struct Place {
    uint32_t set;
    uint64_t offset;  // from the set's own zero
  };
  Place find(uint32_t node) {
    uint32_t root = node;
    uint64_t offset = 0;
    for (; parent_[root] != root; root = parent_[root]) offset += delta_[root];
    // Path compression: each node on the way is as far from the root as what is left of the sum.
    uint64_t left = offset;
    for (uint32_t at = node; at != root;) {
      const uint32_t next = parent_[at];
      const uint64_t step = delta_[at];
      parent_[at] = root, delta_[at] = left;
      left -= step, at = next;
    }
    return {root, offset};
  }
  /// a is b plus `distance`.
  void unite(uint32_t a, uint32_t b, uint64_t distance) {
    const Place x = find(a), y = find(b);
    const uint64_t apart = y.offset + distance - x.offset;
    if (x.set == y.set) return forget(x.set, apart);
    parent_[x.set] = y.set;
    delta_[x.set] = apart;
    forget(y.set, modulus_[x.set]);
  }
  /// Distances in the set of this node are known modulo `n` only.
  void weaken(uint32_t node, uint64_t n) { forget(find(node).set, n); }
  uint64_t modulus(uint32_t set) const { return modulus_[set]; }

 private:
  void forget(uint32_t set, uint64_t n) {
    const uint64_t size = static_cast<int64_t>(n) < 0 ? 0 - n : n;
    modulus_[set] = std::gcd(modulus_[set], size);
  }
  std::vector<uint32_t> parent_;
  std::vector<uint64_t> delta_;  // from the parent
  std::vector<uint64_t> modulus_;
};

// The size in which an access is made: its own, unless overlapping accesses have others.
class AccessUnits {
 public:
  explicit AccessUnits(const Function& function)
      : f(function),
        unknown_(static_cast<uint32_t>(f.objects.size())),
        sets_(f.objects.size() + 1 + f.value_count()) {
    sets_.weaken(unknown_, 1);
  }

  struct Unit {
    unsigned bytes = 0;     // 0: no private access
    bool in_words = false;  // bytes and halves are parts of words
  };
  /// By instruction id.
  std::vector<Unit> run() {
    for (ValueId p : f.block(f.entry()).params)
      if (is_private(p)) sets_.unite(node(p), unknown_, 0);
    for (BlockId b : f.layout)
      for (InstId i : f.block(b).insts) instruction(i);
    return choose();
  }

 private:
  struct Access {
    uint32_t set;
    uint64_t offset;
    unsigned bytes;  // at once, at most
    unsigned size;
    bool store;
    InstId inst;
  };

  bool is_private(ValueId v) const { return f.type(v).scalar() == kPtrPrivate; }
  uint32_t node(ValueId v) const {
    return f.is_const(v) ? unknown_ : static_cast<uint32_t>(f.objects.size() + 1 + v.index);
  }
  // No access through the null pointer, or an undefined one, is defined.
  bool points_nowhere(ValueId v) const { return f.is_undef(v) || (f.is_const(v) && f.value(v).bits == 0); }
  void same(ValueId a, ValueId b, uint64_t distance = 0) {
    if (!points_nowhere(a) && !points_nowhere(b)) sets_.unite(node(a), node(b), distance);
  }
  void escapes(ValueId v) {
    if (!points_nowhere(v)) sets_.unite(node(v), unknown_, 0);
  }

  void instruction(InstId i) {
    const Inst& inst = f.inst(i);
    for (const Target& t : inst.targets)
      for (size_t k = 0; k < t.args.size(); ++k)
        if (is_private(t.args[k])) same(f.block(t.block).params[k], t.args[k]);
    const bool defines = inst.results.size() == 1 && is_private(inst.results[0]);
    switch (inst.op) {
      case Op::object_address:
        if (defines) sets_.unite(node(inst.results[0]), static_cast<uint32_t>(inst.attrs[0]), 0);
        return;
      case Op::ptr_add:
        if (defines) sum(inst);
        return;
      case Op::select:
        if (defines) same(inst.results[0], inst.operands[1]), same(inst.results[0], inst.operands[2]);
        return;
      case Op::load:
      case Op::store: {
        const bool store = inst.op == Op::store;
        ValueId data = store ? inst.operands[1] : inst.results[0];
        if (is_private(data)) escapes(data);
        if (!is_private(inst.operands[0])) return;
        const unsigned size = f.type(data).bytes();
        const auto align = static_cast<unsigned>(inst.attrs[0]);
        accesses_.push_back({.set = 0,
                             .offset = 0,
                             .bytes = align && align < size ? align : size,
                             .size = size,
                             .store = store,
                             .inst = i});
        return;
      }
      default:
        // Comparisons show no address; what else takes a pointer may make another one of it.
        if (!is_comparison(class_of(inst.op)))
          for (ValueId v : inst.operands)
            if (is_private(v)) escapes(v);
        if (defines) escapes(inst.results[0]);
    }
  }

  void sum(const Inst& inst) {
    const ValueId base = inst.operands[0], index = inst.operands[1];
    auto distance = static_cast<uint64_t>(inst.attrs[1]);
    const auto scale = static_cast<uint64_t>(inst.attrs[0]);
    if (f.is_const(index))
      distance += static_cast<uint64_t>(as_signed(f.type(index).bits(), f.value(index).bits)) * scale;
    same(inst.results[0], base, distance);
    if (!f.is_const(index)) sets_.weaken(node(inst.results[0]), scale);
  }

  std::vector<Unit> choose() {
    std::vector<Unit> units(f.inst_count());
    for (Access& a : accesses_) {
      const ValueId pointer = f.inst(a.inst).operands[0];
      const auto place = sets_.find(points_nowhere(pointer) ? unknown_ : node(pointer));
      a.set = place.set, a.offset = place.offset;
      units[a.inst.index].bytes = a.bytes;
    }
    std::ranges::stable_sort(accesses_, {}, &Access::set);
    for (size_t from = 0; from < accesses_.size();) {
      size_t to = from;
      bool mixed = false;
      for (; to < accesses_.size() && accesses_[to].set == accesses_[from].set; ++to)
        mixed |= accesses_[to].bytes != accesses_[from].bytes;
      if (mixed) split({accesses_.begin() + static_cast<ptrdiff_t>(from), to - from}, units);
      from = to;
    }
    return units;
  }

  // Accesses of one set that have several sizes.
  void split(std::span<const Access> all, std::vector<Unit>& units) {
    const uint64_t modulus = sets_.modulus(all[0].set);
    struct Byte {
      uint64_t at;
      uint32_t access;
    };
    std::vector<Byte> bytes;
    for (uint32_t a = 0; a < all.size(); ++a)
      for (unsigned k = 0; k < all[a].size; ++k) {
        const uint64_t at = all[a].offset + k;
        bytes.push_back({modulus ? residue(at, modulus) : at, a});
      }
    std::ranges::sort(bytes, {}, [](const Byte& b) { return std::pair(b.at, b.access); });
    OffsetSets groups(all.size());  // of accesses that may overlap, directly or by others
    for (size_t k = 1; k < bytes.size(); ++k)
      if (bytes[k].at == bytes[k - 1].at) groups.unite(bytes[k].access, bytes[k - 1].access, 0);
    std::vector<unsigned> smallest(all.size(), ~0u);
    for (uint32_t a = 0; a < all.size(); ++a) {
      unsigned& least = smallest[groups.find(a).set];
      least = std::min(least, all[a].bytes);
    }
    // By elements, or all of the set by words: whichever makes fewer accesses.
    size_t by_elements = 0, by_words = 0;
    for (uint32_t a = 0; a < all.size(); ++a) {
      by_elements += all[a].size / smallest[groups.find(a).set];
      by_words += all[a].size >= kWord ? all[a].size / kWord : all[a].store ? 2 : 1;
    }
    const bool in_words = by_words < by_elements && std::ranges::all_of(all, [](const Access& a) {
                            return a.bytes >= kWord || a.bytes == a.size;
                          });
    for (uint32_t a = 0; a < all.size(); ++a)
      units[all[a].inst.index] = {in_words ? kWord : smallest[groups.find(a).set], in_words};
  }
  static uint64_t residue(uint64_t offset, uint64_t modulus) {
    const auto m = static_cast<int64_t>(modulus);
    const int64_t rest = static_cast<int64_t>(offset) % m;
    return static_cast<uint64_t>(rest < 0 ? rest + m : rest);
  }

  const Function& f;
  // Nodes: the objects, all that unknown pointers may point to, and the values.
  const uint32_t unknown_;
  OffsetSets sets_;
  std::vector<Access> accesses_;
};

class PrivateLowering {
 public:
  PrivateLowering(Function& function, PrivateUnits units)
      : f(function), b_(function), replaced_(function), layout_(lay_out_objects(f, kPtrPrivate)) {
    if (units == PrivateUnits::Elements) units_ = AccessUnits(f).run();
    if (units == PrivateUnits::Words) units_.assign(f.inst_count(), {kWord, true});
  }

  bool run() {
    for (BlockId block : f.layout) {
      std::vector<InstId> old = std::move(f.block(block).insts);
      f.block(block).insts.clear();
      b_.block = block;
      for (InstId i : old)
        if (!instruction(i)) f.append(block, i);
    }
    if (!replaced_.empty()) apply_replacements(f, replaced_);
    return changed_;
  }

 private:
  // Replaces the instruction if necessary; returns whether it did.
  bool instruction(InstId id) {
    const Inst& inst = f.inst(id);
    b_.loc = inst.loc;
    bool done = false;
    if (inst.op == Op::object_address && f.type(inst.results[0]) == kPtrPrivate) {
      replaced_.set(inst.results[0],
                    f.constant(kPtrPrivate, layout_.offsets[static_cast<size_t>(inst.attrs[0])]));
      done = true;
    } else if ((inst.op == Op::load || inst.op == Op::store) && f.type(inst.operands[0]) == kPtrPrivate &&
               !units_.empty()) {
      done = inst.op == Op::load ? load(inst, units_[id.index]) : store(inst, units_[id.index]);
    }
    f.inst(id).erased = done;
    changed_ |= done;
    return done;
  }

  ValueId unary(Op op, Type to, ValueId x) {
    if (f.type(x) == to) return x;
    if (!f.is_const(x)) return b_.make(op, to, {x});
    const uint64_t bits[] = {f.value(x).bits};
    return f.constant(to, info(op).eval(f.type(x).elem, to.elem)(bits));
  }
  ValueId binary(Op op, ValueId x, ValueId y) {
    const Type type = f.type(x);
    if (!f.is_const(x) || !f.is_const(y)) return b_.make(op, type, {x, y});
    const uint64_t bits[] = {f.value(x).bits, f.value(y).bits};
    return f.constant(type, info(op).eval(type.elem, type.elem)(bits));
  }
  ValueId cast(ValueId v, Type to) { return unary(Op::bitcast, to, v); }
  ValueId behind(ValueId p, unsigned bytes) {
    if (!bytes) return p;
    if (f.is_const(p)) return f.constant(kPtrPrivate, f.value(p).bits + bytes);
    return b_.make(Op::ptr_add, kPtrPrivate, {p, b_.i32(0)}, {1, bytes});
  }
  static Type integer(unsigned bytes) {
    return bytes == 1 ? kI8 : bytes == 2 ? Type{Elem::I16} : bytes == 4 ? kI32 : kI64;
  }

  // The word that contains a byte or half, and the bit offset within.
  struct Part {
    ValueId word, shift;
  };
  Part part(ValueId p) {
    ValueId at = cast(p, kI32);
    return {cast(binary(Op::and_, at, b_.i32(~3)), kPtrPrivate),
            binary(Op::shl, binary(Op::and_, at, b_.i32(3)), b_.i32(3))};
  }

  using Unit = AccessUnits::Unit;
  // Whether the machine has the access as it is. Words have the type of an integer, so that what moves them
  // need not know others.
  static bool stays(Type type, Unit unit) {
    return unit.in_words ? type == kI32 : type.bytes() == unit.bytes;
  }

  bool load(const Inst& inst, Unit unit) {
    const ValueId p = replaced_.resolve(inst.operands[0]), result = inst.results[0];
    const Type type = f.type(result);
    const unsigned size = type.bytes();
    if (stays(type, unit)) return false;
    ValueId v;
    if (unit.in_words && size < kWord) {
      Part at = part(p);
      v = unary(Op::trunc, type, binary(Op::lshr, b_.make(Op::load, kI32, {at.word}), at.shift));
    } else {
      const Type whole = integer(size);
      for (unsigned at = 0; at < size; at += unit.bytes) {
        ValueId piece = b_.make(Op::load, integer(unit.bytes), {behind(p, at)});
        piece = unary(Op::zext, whole, piece);
        if (at) piece = binary(Op::shl, piece, f.constant(whole, uint64_t{8} * at));
        v = at ? binary(Op::or_, v, piece) : piece;
      }
    }
    replaced_.set(result, cast(v, type));
    return true;
  }

  bool store(const Inst& inst, Unit unit) {
    const ValueId p = replaced_.resolve(inst.operands[0]), v = inst.operands[1];
    const Type type = f.type(v);
    const unsigned size = type.bytes();
    if (stays(type, unit)) return false;
    if (unit.in_words && size < kWord) {
      Part at = part(p);
      ValueId ones = b_.i32(size == 1 ? 0xff : 0xffff);
      ValueId others = binary(Op::xor_, binary(Op::shl, ones, at.shift), b_.i32(-1));
      ValueId fresh = binary(Op::shl, unary(Op::zext, kI32, v), at.shift);
      ValueId word = b_.make(Op::load, kI32, {at.word});
      b_.emit(Op::store, {at.word, binary(Op::or_, binary(Op::and_, word, others), fresh)});
      return true;
    }
    const ValueId whole = cast(v, integer(size));
    for (unsigned at = 0; at < size; at += unit.bytes) {
      ValueId piece = at ? binary(Op::lshr, whole, f.constant(f.type(whole), uint64_t{8} * at)) : whole;
      b_.emit(Op::store, {behind(p, at), unary(Op::trunc, integer(unit.bytes), piece)});
    }
    return true;
  }

  Function& f;
  Builder b_;
  Replacements replaced_;
  const MemoryLayout layout_;
  std::vector<Unit> units_;  // by instruction; empty: every access stays
  bool changed_ = false;
};

}  // namespace

bool lower_private(Function& f, PrivateUnits units) { return PrivateLowering(f, units).run(); }

}  // namespace kc
