// SPDX-License-Identifier: Apache-2.0
#include "backends/x64/interleaved.h"

#include <algorithm>
#include <optional>
#include <tuple>
#include <utility>

#include "backends/x64/memory_order.h"
#include "passes/analysis/alias.h"

namespace kc::x64 {
namespace {

constexpr int64_t kWord = 4;
constexpr int64_t kMostWords = 8;      // of a stride
constexpr int64_t kMostBytes = 8;      // of a stride of bytes or shorts that leave parts of words
constexpr int64_t kMostOrdered = 16;   // elements of a stride that can be in memory order
constexpr int64_t kMostGathered = 16;  // bytes of a lane that are gathered together

struct OpenGroup {
  std::tuple<bool, ValueId, ValueId, ValueId, int64_t, Elem> key;  // store, mask, base, index, scale, element
  Interleaved group;
  int64_t lowest = 0, highest = 0;  // offsets of members
  bool aligned = true;              // members, as bytes and shorts must be that leave parts of words
  std::vector<Access> passed{};     // of a group of loads: stores that it would pass, of other bytes
};

class InterleavedAccessFinder {
 public:
  InterleavedAccessFinder(const Function& wave, const std::vector<Shape>& shapes, const GatherModel& gathers)
      : w(wave), shapes_(shapes), gathers_(gathers) {}

  std::vector<Interleaved> run() {
    for (BlockId b : w.layout) {
      for (InstId i : w.block(b).insts) see(i);
      close([](const OpenGroup&) { return true; });
    }
    return std::move(found_);
  }

 private:
  void see(InstId i) {
    const Inst& inst = w.inst(i);
    const Effects effects = info(inst.op).effects;
    if (effects == Effects::None) return;
    std::optional<OpenGroup> access = member_of_group(i);
    // Loads do not move across stores of the same bytes; stores do not move across such accesses.
    close([&](const OpenGroup& o) {
      const bool store = std::get<0>(o.key);
      return (effects != Effects::Read || store) && !(access && store && o.key == access->key) &&
             meets(o, inst);
    });
    if (effects != Effects::Read)
      for (OpenGroup& o : open_)
        if (!std::get<0>(o.key)) o.passed.push_back(accessed(inst));
    if (!access) return;
    for (OpenGroup& o : open_)
      if (o.key == access->key && take(o, *access)) return sink(o);
    if (access->group.store) close([&](const OpenGroup& o) { return o.key == access->key; });
    open_.push_back(std::move(*access));
  }

  // The earlier stores of a group move down to the one that it has taken last, and then pass the open groups
  // of loads, those that began after them, too.
  void sink(const OpenGroup& stores) {
    if (!stores.group.store) return;
    for (OpenGroup& o : open_)
      for (const auto& m : stores.group.members)
        if (!o.group.store) o.passed.push_back(accessed(w.inst(m.inst)));
  }

  // Whether the instruction may access bytes of the group, for one lane: other lanes would race.
  bool meets(const OpenGroup& o, const Inst& inst) const {
    if (inst.op != Op::uniform_load && inst.op != Op::lane_load && inst.op != Op::lane_store) return true;
    const Access more = accessed(inst);
    return std::ranges::any_of(o.group.members, [&](const Interleaved::Member& m) {
      return may_overlap(w, accessed(w.inst(m.inst)), more);
    });
  }

  // Of a load or a store.
  Access accessed(const Inst& inst) const {
    const ValueId data = inst.results.empty() ? inst.operands.back() : inst.results[0];
    return access_of(w, inst.operands[inst.op == Op::uniform_load ? 0 : 1], w.type(data).bytes());
  }

  std::optional<OpenGroup> member_of_group(InstId i) const {
    const Inst& inst = w.inst(i);
    const bool store = inst.op == Op::lane_store;
    if (!store && inst.op != Op::lane_load) return {};
    const ValueId pointer = inst.operands[1];
    const Shape& shape = shapes_[pointer.index];
    const Type type = w.type(store ? inst.operands[2] : inst.results[0]);
    const bool words = shape.stride % kWord == 0 && shape.stride <= kMostWords * kWord;
    const bool aligned = !inst.attrs[0] || inst.attrs[0] >= type.bytes();
    const bool bytes = may_leave_bytes(type, shape.stride) && aligned;
    const bool vector = shape.stride % type.bytes() == 0 && shape.stride / type.bytes() <= kMostOrdered;
    const bool gathered =
        shape.kind == Shape::Arbitrary && !store && type.bytes() >= kWord && gathers_.gathers(pointer);
    const bool fits = gathered || (shape.kind == Shape::Strided && shape.stride > type.bytes() &&
                                   (words || bytes || vector));
    InstId def = w.def(pointer);
    if (!fits || w.type(pointer).elem == Elem::PtrPrivate || !def || w.inst(def).op != Op::ptr_add) return {};
    const Inst& sum = w.inst(def);
    auto [index, offset] = index_of(sum);
    const Type words_of = gathered ? (type.bytes() == kWord ? kI32 : kI64) : type;
    OpenGroup o{.key = {store, inst.operands[0], sum.operands[0], index, sum.attrs[0], words_of.elem}};
    o.group = {.store = store,
               .mask = inst.operands[0],
               .type = words_of,
               .stride = gathered ? kMostGathered : shape.stride,
               .place = i,
               .pointer = pointer,
               .gathered = gathered};
    o.group.members = {{i, offset}};
    o.lowest = o.highest = offset;
    o.aligned = aligned;
    return o;
  }

  // Index and offset of an address. Constants in the index of a buffer count as offset: active lanes stay
  // inside the buffer, so none of these sums wraps.
  std::pair<ValueId, int64_t> index_of(const Inst& sum) const {
    ValueId index = sum.operands[1];
    const Value& base = w.value(sum.operands[0]);
    const bool buffer = base.kind == ValueKind::Param && BlockId(base.owner) == w.entry();
    InstId d = w.def(index);
    if (!buffer || !d || w.inst(d).op != Op::add || !w.is_const(w.inst(d).operands[1]))
      return {index, sum.attrs[1]};
    const auto bits = static_cast<int64_t>(w.value(w.inst(d).operands[1]).bits);
    const int64_t more = w.type(index).bits() == 64 ? bits : static_cast<int32_t>(bits);
    constexpr int64_t kNear = 1 << 16;
    if (more < -kNear || more > kNear) return {index, sum.attrs[1]};
    return {w.inst(d).operands[0], sum.attrs[1] + more * sum.attrs[0]};
  }

  // Members do not overlap, and all lie within one stride.
  bool take(OpenGroup& o, const OpenGroup& more) const {
    const int64_t at = more.lowest, size = o.group.type.bytes();
    const int64_t lowest = std::min(o.lowest, at), highest = std::max(o.highest, at);
    if (highest + size - lowest > o.group.stride) return false;
    for (const auto& m : o.group.members)
      if (m.at < at + size && at < m.at + size) return false;
    // A load moves up to the first one, above what was stored since.
    const Access own = accessed(w.inst(more.group.members[0].inst));
    if (std::ranges::any_of(o.passed, [&](const Access& store) { return may_overlap(w, store, own); }))
      return false;
    o.aligned &= more.aligned;
    o.lowest = lowest, o.highest = highest;
    o.group.members.push_back(more.group.members[0]);
    if (o.group.store) o.group.place = more.group.place, o.group.pointer = more.group.pointer;
    return true;
  }

  template <typename Which>
  void close(Which which) {
    std::erase_if(open_, [&](OpenGroup& o) {
      if (!which(o)) return false;
      if (o.group.gathered)
        finish_gathered(o);
      else if (finish(o))
        found_.push_back(std::move(o.group));
      return true;
    });
  }

  static bool may_leave_bytes(Type type, int64_t stride) {
    return type.bytes() < kWord && stride > 0 && stride <= kMostBytes;
  }

  // Whether the group is valid; then its offsets are relative to its first byte.
  bool finish(OpenGroup& o) const {
    Interleaved& g = o.group;
    const int64_t size = g.type.bytes(), placed = index_of(w.inst(w.def(g.pointer))).second;
    g.first = o.lowest - placed;
    for (auto& m : g.members) m.at -= o.lowest;
    std::ranges::sort(g.members, {}, &Interleaved::Member::at);
    g.length = g.members.back().at + size;
    if (consists_of_words(g)) return true;
    g.words.clear();
    const bool leaves_bytes = !g.store || gathers_.masks_bytes || g.is_whole();
    if (o.aligned && may_leave_bytes(g.type, g.stride) && leaves_bytes) return true;
    return g.only_in_memory_order = g.is_whole();
  }

  // All of them, or pairs of neighbours.
  void finish_gathered(OpenGroup& o) {
    Interleaved& g = o.group;
    const int64_t size = g.type.bytes();
    const std::vector<Interleaved::Member> as_found = g.members;
    std::ranges::sort(g.members, {}, &Interleaved::Member::at);
    auto add = [&](size_t from, size_t count) {
      Interleaved some = g;
      some.members.assign(g.members.begin() + static_cast<std::ptrdiff_t>(from),
                          g.members.begin() + static_cast<std::ptrdiff_t>(from + count));
      const auto first = std::ranges::find_if(as_found, [&](const Interleaved::Member& m) {
        return std::ranges::any_of(some.members, [&](const auto& own) { return own.inst == m.inst; });
      });
      some.place = first->inst;
      some.pointer = w.inst(first->inst).operands[1];
      const int64_t lowest = some.members[0].at;
      some.first = lowest - first->at;
      for (auto& m : some.members) m.at -= lowest;
      some.length = some.members.back().at + size;
      found_.push_back(std::move(some));
    };
    if (gathers_.pieces) {
      if (g.members.size() > 1) add(0, g.members.size());
      return;
    }
    for (size_t n = 0; size == kWord && n + 1 < g.members.size(); ++n)
      if (g.members[n + 1].at == g.members[n].at + size) add(n++, 2);
  }

  static bool consists_of_words(Interleaved& g) {
    const int64_t size = g.type.bytes();
    if (g.stride % kWord != 0 || g.stride > kMostWords * kWord) return false;
    std::vector<int64_t> bytes(static_cast<size_t>(g.stride / kWord));
    for (const auto& m : g.members) {
      if (size > kWord ? m.at % kWord != 0 : m.at % size != 0) return false;
      for (int64_t k = 0; k < size; ++k) ++bytes[static_cast<size_t>((m.at + k) / kWord)];
    }
    size_t planes = 0;
    for (int64_t n : bytes) {
      if (n != 0 && n != kWord) return false;
      g.words.push_back(n != 0);
      planes += n != 0;
    }
    return is_cheaper(g, planes);
  }

  // A vector access costs three operations, two of them for its mask; a gather or scatter costs about one per
  // lane.
  static bool is_cheaper(const Interleaved& g, size_t planes) {
    constexpr size_t kPerVector = 3, kPerMember = 16;
    const size_t vectors = g.words.size();
    return kPerVector * vectors + planes * vectors < kPerMember * g.members.size();
  }

  const Function& w;
  const std::vector<Shape>& shapes_;
  const GatherModel& gathers_;
  std::vector<OpenGroup> open_;
  std::vector<Interleaved> found_;
};

}  // namespace

InterleavedAccesses::InterleavedAccesses(const Function& wave, const std::vector<Shape>& shapes,
                                         const GatherModel& gathers)
    : groups_(InterleavedAccessFinder(wave, shapes, gathers).run()), group_of_(wave.inst_count(), kNone) {
  for (size_t g = 0; g < groups_.size(); ++g)
    for (const auto& m : groups_[g].members) group_of_[m.inst.index] = static_cast<uint32_t>(g);
}

void InterleavedAccesses::order(const Function& wave, const std::vector<Shape>& shapes,
                                const std::function<bool(ValueId)>& full) {
  if (groups_.empty()) return;
  const std::vector<bool> ordered = groups_in_memory_order(wave, groups_, shapes, full);
  for (size_t g = 0; g < groups_.size(); ++g) {
    groups_[g].in_memory_order = ordered[g];
    if (ordered[g] || !groups_[g].only_in_memory_order) continue;
    for (const auto& m : groups_[g].members) group_of_[m.inst.index] = kNone;
  }
}

}  // namespace kc::x64
