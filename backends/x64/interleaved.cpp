// SPDX-License-Identifier: Apache-2.0
#include "backends/x64/interleaved.h"

#include <algorithm>
#include <functional>
#include <optional>
#include <set>
#include <span>
#include <tuple>
#include <utility>

#include "backends/x64/memory_order.h"
#include "passes/analysis/alias.h"

namespace kc::x64 {
namespace {

constexpr int64_t kWord = 4;
constexpr int64_t kMostWords = 8;     // of a stride
constexpr int64_t kMostBytes = 8;     // of a stride of bytes or shorts that leave parts of words
constexpr int64_t kMostOrdered = 16;  // elements of a stride that can be in memory order
constexpr int64_t kMostNear = 256;    // bytes of a lane in one group, if lanes are apart
constexpr int64_t kNear = 1 << 16;    // a constant that counts as an offset
constexpr int64_t kMostBetween = 12;  // bytes between two members that are loaded with them

struct OpenGroup {
  // Store, mask, base, index, scale, element, stride. An index may be a sum; no stride is 0.
  std::tuple<bool, ValueId, ValueId, ValueId, ValueId, int64_t, Elem, int64_t> key;
  Interleaved group;
  int64_t lowest = 0, highest = 0;  // offsets of members
  bool aligned = true;              // members, as bytes and shorts must be that leave parts of words
  std::vector<Access> passed{};     // of a group of loads: stores that it would pass, of other bytes
  std::set<InstId> moved{};         // the first ones of the groups of stores that are among them
};

Type integers_of(Type type) {
  return type.bytes() == 1 ? kI8 : type.bytes() == 2 ? kI16 : type.bytes() == kWord ? kI32 : kI64;
}

// How many of the first members, in memory order, are accessed together where lanes are apart.
size_t first_apart(std::span<const Interleaved::Member> left, bool store, int64_t size, int64_t most) {
  auto fits = [&](const Interleaved::Member& m, const Interleaved::Member& before) {
    const int64_t at = m.at - left[0].at, between = m.at - before.at - size;
    return at + size <= most && between <= (store ? 0 : kMostBetween) && at % size == 0;
  };
  size_t count = 1;
  while (count < left.size() && fits(left[count], left[count - 1])) ++count;
  return count;
}

// Groups of lanes that are apart, with some of the members; others are accessed by themselves.
std::vector<Interleaved> lanes_apart(const Function& w, const Interleaved& g, const GatherModel& model) {
  std::vector<Interleaved> r;
  const int64_t size = g.type.bytes();
  auto add = [&](std::span<const Interleaved::Member> members, int64_t begin, int64_t length) {
    if (members.size() < 2) return;
    Interleaved some = g;
    some.apart = true;
    some.type = integers_of(g.type);
    some.words.clear();
    some.members.assign(members.begin(), members.end());
    const auto [first, last] = std::ranges::minmax_element(members, {}, &Interleaved::Member::seen);
    const Interleaved::Member& place = g.store ? *last : *first;
    some.place = place.inst;
    some.pointer = w.inst(place.inst).operands[1];
    some.first = begin - place.at;
    for (auto& m : some.members) m.at -= begin;
    some.length = length;
    r.push_back(std::move(some));
  };
  for (std::span<const Interleaved::Member> left = g.members; !left.empty();) {
    const size_t count = first_apart(left, g.store, size, model.most_apart);
    std::span<const Interleaved::Member> now = left.first(count);
    left = left.subspan(count);
    const int64_t begin = now[0].at, length = now.back().at + size - begin;
    if (length >= kLaneChunk || length % kWord == 0) {
      add(now, begin, length);
      continue;
    }
    // The rest of the last word is not known to exist: another word ends with it.
    const int64_t words = length / kWord * kWord;
    if (words == 0) {
      // At known distances the lanes of full waves are loaded one by one (lower_apart.cpp).
      if (!g.store && g.stride == 0) add(now, begin, length);
      continue;
    }
    const auto in_words = static_cast<size_t>(
        std::ranges::find_if(now, [&](const auto& m) { return m.at + size > begin + words; }) - now.begin());
    add(now.first(in_words), begin, words);
    if (!g.store) add(now.subspan(in_words), begin + length - kWord, kWord);
  }
  return r;
}

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
      if (o.key == access->key && take(o, *access)) return note_moved(o);
    if (access->group.store) close([&](const OpenGroup& o) { return o.key == access->key; });
    open_.push_back(std::move(*access));
  }

  // The earlier stores of a group move down to the one that it has taken last, and then pass the open groups
  // of loads, those that began after them, too.
  void note_moved(const OpenGroup& stores) {
    if (!stores.group.store) return;
    for (OpenGroup& o : open_) {
      if (o.group.store || !o.moved.insert(stores.group.members[0].inst).second) continue;
      for (const auto& m : stores.group.members)
        if (m.seen < o.group.members[0].seen) o.passed.push_back(accessed(w.inst(m.inst)));
    }
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

  std::optional<OpenGroup> member_of_group(InstId i) {
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
    const bool strided = shape.kind == Shape::Strided && shape.stride > type.bytes();
    const bool in_runs = strided && (words || bytes || vector);
    const bool gathers = (shape.kind == Shape::Arbitrary || strided) && gathers_.gathers(pointer, type.elem);
    const bool apart = gathers && !in_runs;
    const bool fits = apart || in_runs;
    InstId def = w.def(pointer);
    if (!fits || w.type(pointer).elem == Elem::PtrPrivate || !def || w.inst(def).op != Op::ptr_add) return {};
    const Inst& sum = w.inst(def);
    const auto [index, more, offset] = terms_of(sum);
    const Type members = apart ? integers_of(type) : type;
    OpenGroup o{.key = {store, inst.operands[0], sum.operands[0], index, more, sum.attrs[0], members.elem,
                        strided ? shape.stride : 0}};
    o.group = {.store = store,
               .mask = inst.operands[0],
               .type = members,
               .stride = strided ? shape.stride : 0,
               .place = i,
               .pointer = pointer,
               .apart = apart,
               .can_be_apart = gathers};
    o.group.members = {{i, offset, seen_++}};
    o.lowest = o.highest = offset;
    o.aligned = aligned;
    return o;
  }

  // What an address is the sum of, its base apart.
  struct Terms {
    ValueId index, more;  // `more` may be none
    int64_t offset = 0;   // bytes
  };
  // Constants in the index count as offset, also those in a term of a sum. A sum of 32 bits could wrap
  // between two such addresses only if one object contained both, 4 GiB apart.
  Terms terms_of(const Inst& sum) const {
    int64_t more = 0;
    const ValueId index = without_constant(sum.operands[1], more);
    Terms r{index, {}};
    if (InstId d = w.def(index); d && w.inst(d).op == Op::add) {
      r.index = without_constant(w.inst(d).operands[0], more);
      r.more = without_constant(w.inst(d).operands[1], more);
      if (r.more.index < r.index.index) std::swap(r.index, r.more);
    }
    r.offset = sum.attrs[1] + more * sum.attrs[0];
    return r;
  }
  // x, if the value is x + constant, which is added to `sum`.
  ValueId without_constant(ValueId v, int64_t& sum) const {
    const InstId d = w.def(v);
    if (!d || w.inst(d).op != Op::add || !w.is_const(w.inst(d).operands[1])) return v;
    auto constant = static_cast<int64_t>(w.value(w.inst(d).operands[1]).bits);
    if (w.type(v).bits() != 64) constant = static_cast<int32_t>(constant);
    if (constant < -kNear || constant > kNear) return v;
    sum += constant;
    return w.inst(d).operands[0];
  }

  // Members do not overlap, and all lie within one stride.
  bool take(OpenGroup& o, const OpenGroup& more) const {
    const int64_t at = more.lowest, size = o.group.type.bytes();
    const int64_t lowest = std::min(o.lowest, at), highest = std::max(o.highest, at);
    if (highest + size - lowest > (o.group.stride ? o.group.stride : kMostNear)) return false;
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
      arrange(o);
      if (o.group.apart || !finish(o)) {
        if (o.group.can_be_apart)
          std::ranges::move(lanes_apart(w, o.group, gathers_), std::back_inserter(found_));
      } else {
        found_.push_back(std::move(o.group));
      }
      return true;
    });
  }

  static bool may_leave_bytes(Type type, int64_t stride) {
    return type.bytes() < kWord && stride > 0 && stride <= kMostBytes;
  }

  // Offsets become relative to the first byte.
  void arrange(OpenGroup& o) const {
    Interleaved& g = o.group;
    const int64_t placed = terms_of(w.inst(w.def(g.pointer))).offset;
    g.first = o.lowest - placed;
    for (auto& m : g.members) m.at -= o.lowest;
    std::ranges::sort(g.members, {}, &Interleaved::Member::at);
    g.length = g.members.back().at + g.type.bytes();
  }

  // Whether the group is valid.
  bool finish(OpenGroup& o) const {
    Interleaved& g = o.group;
    if (consists_of_words(g))
      return gathers_.masks_bytes || !g.store || std::ranges::all_of(g.words, std::identity());
    g.words.clear();
    const bool leaves_bytes = !g.store || gathers_.masks_bytes || g.is_whole();
    if (o.aligned && may_leave_bytes(g.type, g.stride) && leaves_bytes) return true;
    return g.only_in_memory_order = g.is_whole();
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
  uint32_t seen_ = 0;
  std::vector<OpenGroup> open_;
  std::vector<Interleaved> found_;
};

}  // namespace

InterleavedAccesses::InterleavedAccesses(const Function& wave, const std::vector<Shape>& shapes,
                                         const GatherModel& gathers)
    : model_(gathers),
      groups_(InterleavedAccessFinder(wave, shapes, gathers).run()),
      group_of_(wave.inst_count(), kNone) {
  number_members();
}

void InterleavedAccesses::order(const Function& wave, const std::vector<Shape>& shapes,
                                const std::function<bool(ValueId)>& full) {
  if (groups_.empty()) return;
  const std::vector<bool> ordered = groups_in_memory_order(wave, groups_, shapes, full);
  std::vector<Interleaved> kept;
  std::ranges::fill(group_of_, kNone);
  for (size_t g = 0; g < groups_.size(); ++g) {
    groups_[g].in_memory_order = ordered[g];
    if (ordered[g] || !groups_[g].only_in_memory_order)
      kept.push_back(std::move(groups_[g]));
    else if (groups_[g].can_be_apart)
      std::ranges::move(lanes_apart(wave, groups_[g], model_), std::back_inserter(kept));
  }
  groups_ = std::move(kept);
  number_members();
}

void InterleavedAccesses::number_members() {
  for (size_t g = 0; g < groups_.size(); ++g)
    for (const auto& m : groups_[g].members) group_of_[m.inst.index] = static_cast<uint32_t>(g);
}

}  // namespace kc::x64
