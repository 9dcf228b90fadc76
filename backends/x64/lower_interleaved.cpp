// SPDX-License-Identifier: Apache-2.0
// Interleaved accesses (interleaved.h): vector accesses under masks that state for each word whether its lane
// is active, and permutations that collect the words of a member, or distribute them.
#include <algorithm>
#include <array>
#include <cstdint>
#include <map>
#include <optional>
#include <ranges>
#include <span>

#include "backends/x64/interleaved_code.h"
#include "backends/x64/small_code.h"

namespace kc::x64 {
namespace {

constexpr size_t kNowhere = SIZE_MAX;

// The words that results take from some of the sources; several results share one vector if there is room.
struct Share {
  std::vector<Places> wanted;  // vectors to be built from these sources
  std::vector<size_t> vector;  // by result: index of its vector
  std::vector<Places> slots;   // by result and word: position in the vector, or kAnything
};

// `in_halves`: the words of two results are stored in pairs, one of each result per half of the vector, as
// vshufps requires.
Share share_of(const std::vector<Places>& results, int begin, int end, size_t lanes, bool in_halves) {
  Share s;
  size_t used = lanes;  // of the last vector
  for (const Places& places : results) {
    auto mine = [&](int p) { return p >= begin && p < end; };
    const auto count = static_cast<size_t>(std::ranges::count_if(places, mine));
    if (count == 0) {
      s.vector.push_back(kNowhere), s.slots.emplace_back(places.size(), kAnything);
      continue;
    }
    const bool half = in_halves && count <= lanes / 2;
    if (used + (half ? lanes / 2 : count) > lanes) s.wanted.emplace_back(lanes, kAnything), used = 0;
    s.vector.push_back(s.wanted.size() - 1);
    s.slots.emplace_back(places.size(), kAnything);
    size_t n = 0;
    for (size_t t = 0; t < places.size(); ++t) {
      if (!mine(places[t])) continue;
      const size_t slot = half ? n / 2 * 4 + n % 2 + used / 2 : used + n;
      ++n;
      s.slots.back()[t] = static_cast<int>(slot);
      s.wanted.back()[slot] = places[t] - begin;
    }
    used += half ? lanes / 2 : count;
  }
  return s;
}

// A single source is used unchanged.
Share whole(const std::vector<Places>& results, int begin, int end) {
  Share s{.wanted = {}, .vector = std::vector<size_t>(results.size()), .slots = results};
  for (Places& places : s.slots)
    for (int& p : places) p = p >= begin && p < end ? p - begin : kAnything;
  return s;
}

}  // namespace

/// The AVX2 variant: vshufps takes two words of each half of both vectors; if that is not sufficient, both
/// are permuted.
ValueId InterleavedCode::pick_in_halves(ValueId a, ValueId b, const Places& places) {
  constexpr int kHalf = 4;
  const int lanes = static_cast<int>(to.lanes_per_part());
  std::array<std::vector<int>, 2> from;  // by source: the words of a half
  for (int p : places) {
    if (p == kAnything) continue;
    std::vector<int>& words = from[p >= lanes];
    if (std::ranges::find(words, p % kHalf) == words.end()) words.push_back(p % kHalf);
  }
  if (from[0].size() > 2 || from[1].size() > 2) {
    std::vector<uint8_t> of_b;
    Places first = places, second = places;
    for (size_t t = 0; t < places.size(); ++t) {
      of_b.push_back(places[t] >= lanes);
      (of_b[t] ? first : second)[t] = kAnything;
    }
    ValueId choice = e.shl(e.numbers(of_b, to.bytes_), 31, to.vec32());
    return e.blend(choice, pick(a, b, second), pick(a, b, first), to.vec32());
  }
  for (std::vector<int>& words : from) words.resize(2);
  ValueId both = e.vec(Op::x64_vshufps, {a, b}, to.bytes_,
                       from[0][0] | from[0][1] << 2 | from[1][0] << 4 | from[1][1] << 6);
  Places moved = places;
  for (int& p : moved) {
    if (p == kAnything) continue;
    const int source = p / lanes, second = from[static_cast<size_t>(source)][0] != p % kHalf;
    p = p % lanes / kHalf * kHalf + 2 * source + second;
  }
  return pick(both, both, moved);
}

/// One vector with words of two others; positions in the second follow those of the first. Either may be
/// missing.
ValueId InterleavedCode::pick(ValueId a, ValueId b, const Places& places) {
  const int lanes = static_cast<int>(to.lanes_per_part());
  bool from_a = false, from_b = false, in_order = true;
  for (int t = 0; t < lanes; ++t) {
    const int p = places[static_cast<size_t>(t)];
    if (p == kAnything) continue;
    (p < lanes ? from_a : from_b) = true;
    in_order &= p % lanes == t;
  }
  auto numbers = [&](int most) {
    std::vector<uint8_t> r;
    for (int p : places) r.push_back(static_cast<uint8_t>(p == kAnything ? 0 : p % most));
    return e.numbers(r, to.bytes_);
  };
  if (from_a && from_b && e.avx512) return e.vec(Op::x64_vpermi2d, {numbers(2 * lanes), a, b}, to.bytes_);
  if (from_a && from_b) return pick_in_halves(a, b, places);
  ValueId only = from_b ? b : a;
  return in_order ? only : e.vec(Op::x64_vpermd, {numbers(lanes), only}, to.bytes_);
}

/// The vector from at most two sources, or nothing if it needs more.
std::optional<ValueId> InterleavedCode::pick_from_two(std::span<const ValueId> sources,
                                                      const Places& places) {
  const int lanes = static_cast<int>(to.lanes_per_part());
  std::vector<int> used;
  Places within = places;
  for (int& p : within) {
    if (p == kAnything) continue;
    auto at = std::ranges::find(used, p / lanes);
    p = p % lanes + lanes * static_cast<int>(at - used.begin());
    if (at == used.end()) used.push_back(places[static_cast<size_t>(&p - within.data())] / lanes);
  }
  if (used.size() > 2) return {};
  return pick(sources[static_cast<size_t>(used.front())], sources[static_cast<size_t>(used.back())], within);
}

/// Vectors of the words at the given positions, counted through all sources: first from each half of the
/// sources, for two results at a time if they fit, then from both halves.
std::vector<ValueId> InterleavedCode::pick_all(std::span<const ValueId> sources,
                                               const std::vector<Places>& results) {
  std::vector<ValueId> r(results.size());
  std::vector<Places> left;
  for (size_t n = 0; n < results.size(); ++n)
    if (auto two = pick_from_two(sources, results[n]))
      r[n] = *two;
    else
      left.push_back(results[n]);
  if (left.empty()) return r;
  const size_t lanes = to.lanes_per_part(), half = (sources.size() + 1) / 2;
  const int middle = static_cast<int>(half * lanes), end = static_cast<int>(sources.size() * lanes);
  const Share low = share_of(left, 0, middle, lanes, !e.avx512);
  const bool single = sources.size() - half == 1;
  const Share high = single ? whole(left, middle, end) : share_of(left, middle, end, lanes, !e.avx512);
  const std::vector<ValueId> lows = pick_all(sources.first(half), low.wanted);
  const std::vector<ValueId> highs =
      single ? std::vector<ValueId>{sources.back()} : pick_all(sources.subspan(half), high.wanted);
  auto to = r.begin();
  for (size_t n = 0; n < left.size(); ++n) {
    Places places = low.slots[n];
    for (size_t t = 0; t < lanes; ++t)
      if (high.slots[n][t] != kAnything) places[t] = high.slots[n][t] + static_cast<int>(lanes);
    to = std::ranges::find_if(to, r.end(), [](ValueId v) { return !v.valid(); });
    auto vector = [](const std::vector<ValueId>& all, size_t at) {
      return at == kNowhere ? ValueId() : all[at];
    };
    *to = pick(vector(lows, low.vector[n]), vector(highs, high.vector[n]), places);
  }
  return r;
}

/// Positions of a member's words in the memory of one part of the lanes, by vector of its value.
std::vector<Places> InterleavedCode::places_of(const Interleaved::Member& m) const {
  const int lanes = static_cast<int>(to.lanes_per_part()), words = static_cast<int>(g.words.size());
  const int at = static_cast<int>(m.at / 4), each = g.type.bytes() == 8 ? 2 : 1;
  std::vector<Places> r(static_cast<size_t>(each));
  for (int n = 0; n < each * lanes; ++n)
    r[static_cast<size_t>(n / lanes)].push_back(n / each * words + at + n % each);
  return r;
}

/// For each memory vector of one part: the lane that controls each word, or none; empty if no word is needed.
std::vector<std::vector<uint8_t>> InterleavedCode::deciding_lanes() const {
  const size_t lanes = to.lanes_per_part(), words = g.words.size();
  std::vector<std::vector<uint8_t>> r(words);
  for (size_t v = 0; v < words; ++v) {
    bool any = false;
    for (size_t place = v * lanes; place < (v + 1) * lanes; ++place) {
      const bool wanted = g.words[place % words];
      any |= wanted;
      r[v].push_back(static_cast<uint8_t>(wanted ? place / words : lanes));
    }
    if (!any) r[v].clear();
  }
  return r;
}

/// The mask for one memory vector. None if all lanes are active and an access without mask stays inside the
/// buffer.
ValueId InterleavedCode::mask_of(ValueId lanes, const std::vector<uint8_t>& deciding, size_t part,
                                 size_t vector) {
  auto wanted = [&](uint8_t lane) { return lane < to.lanes_per_part(); };
  const bool last = part + 1 == to.count_ && vector + 1 == g.words.size();
  const bool all = std::ranges::all_of(deciding, wanted) || (!g.store && (!last || wanted(deciding.back())));
  return to.known_full(g.mask) && all ? ValueId() : to.spread_mask(lanes, deciding);
}

/// The masks of vectors by their numbers in memory; none if all lanes are active.
std::function<ValueId(size_t)> InterleavedCode::masks_in_order() {
  if (to.known_full(g.mask)) return [](size_t) { return ValueId(); };
  return [this, lanes = to.parts(g.mask), deciding = deciding_lanes()](size_t number) {
    const size_t part = number / deciding.size(), vector = number % deciding.size();
    return mask_of(lanes[part], deciding[vector], part, vector);
  };
}

/// Extracts a small element from words as 32-bit elements; other elements are words already.
ValueId InterleavedCode::part_of_words(ValueId words, int64_t at) {
  const auto up = static_cast<unsigned>(at % 4 * 8), bits = g.type.bits();
  if (bits >= 32) return words;
  ValueId r = up ? e.lshr(words, up, to.vec32()) : words;
  if (up + bits != 32) r = e.and_(r, e.constant((uint64_t{1} << bits) - 1, to.vec32()), to.vec32());
  e.word_bytes.note(r, words, up / 8, bits / 8);
  return r;
}

void InterleavedCode::load() {
  const std::vector<ValueId> masks = to.parts(g.mask);
  const ValueId address = to.flat_address(g.pointer);
  const auto deciding = deciding_lanes();
  std::vector<Lowered> loaded(g.members.size());
  for (size_t k = 0; k < to.count_; ++k) {
    std::vector<ValueId> memory;
    for (size_t v = 0; v < deciding.size(); ++v) {
      const int64_t disp = g.first + static_cast<int64_t>((k * deciding.size() + v) * to.bytes_);
      memory.push_back(deciding[v].empty() ? e.zero()
                                           : to.load_run(mask_of(masks[k], deciding[v], k, v), address, disp,
                                                         Elem::I32, to.vec32()));
    }
    std::vector<Places> wanted;
    std::map<int64_t, size_t> word_at;  // in `wanted`, by the member's first word
    for (const auto& m : g.members)
      if (word_at.try_emplace(m.at / 4, wanted.size()).second)
        for (Places& p : places_of(m)) wanted.push_back(std::move(p));
    const std::vector<ValueId> words = pick_all(memory, wanted);
    for (size_t n = 0; n < g.members.size(); ++n) {
      const size_t first = word_at[g.members[n].at / 4], each = g.type.bytes() == 8 ? 2 : 1;
      for (size_t h = 0; h < each; ++h)
        loaded[n].parts.push_back(part_of_words(words[first + h], g.members[n].at));
    }
  }
  for (size_t n = 0; n < g.members.size(); ++n) to.bind(to.w.result(g.members[n].inst), std::move(loaded[n]));
}

/// The vectors that contain the stored values of one part of the lanes, and the position of each word of a
/// lane in them.
std::vector<ValueId> InterleavedCode::stored_words(size_t part, std::vector<Places>& where) {
  const int lanes = static_cast<int>(to.lanes_per_part());
  std::vector<ValueId> sources;
  where.assign(g.words.size(), Places(static_cast<size_t>(lanes), kAnything));
  for (const auto& m : g.members) {
    const std::vector<ValueId> data = to.parts(to.w.inst(m.inst).operands[2]);
    const auto word = static_cast<size_t>(m.at / 4);
    const int next = static_cast<int>(sources.size()) * lanes;
    if (g.type.bytes() == 8) {
      sources.insert(sources.end(), {data[2 * part], data[2 * part + 1]});
      for (int l = 0; l < lanes; ++l)
        for (int h = 0; h < 2; ++h)
          where[word + static_cast<size_t>(h)][static_cast<size_t>(l)] = next + 2 * l + h;
    } else if (m.at % 4 == 0) {
      sources.push_back(data[part]);
      for (int l = 0; l < lanes; ++l) where[word][static_cast<size_t>(l)] = next + l;
    } else {  // above the other elements of its word
      ValueId moved = e.shl(data[part], static_cast<unsigned>(m.at % 4 * 8), to.vec32());
      sources.back() = e.or_(sources.back(), moved, to.vec32());
    }
  }
  return sources;
}

void InterleavedCode::store() {
  const std::vector<ValueId> masks = to.parts(g.mask);
  const ValueId address = to.flat_address(g.pointer);
  const auto deciding = deciding_lanes();
  const size_t lanes = to.lanes_per_part(), words = g.words.size();
  for (size_t k = 0; k < to.count_; ++k) {
    std::vector<Places> where, wanted;
    const std::vector<ValueId> sources = stored_words(k, where);
    for (size_t v = 0; v < words; ++v) {
      if (deciding[v].empty()) continue;
      wanted.emplace_back();
      for (size_t place = v * lanes; place < (v + 1) * lanes; ++place)
        wanted.back().push_back(where[place % words][place / words]);
    }
    // On AVX2, vectors half the memory apart are processed together: they take the same words of both halves
    // of a source.
    const size_t apart = e.avx512 || wanted.size() % 2 ? 1 : wanted.size() / 2;
    std::vector<Places> ordered;
    for (size_t n = 0; n < wanted.size(); ++n)
      ordered.push_back(wanted[n * apart % wanted.size() + n * apart / wanted.size()]);
    std::vector<ValueId> found = pick_all(sources, ordered), memory(found.size());
    for (size_t n = 0; n < found.size(); ++n)
      memory[n * apart % found.size() + n * apart / found.size()] = found[n];
    for (size_t v = 0, n = 0; v < words; ++v) {
      if (deciding[v].empty()) continue;
      const int64_t disp = g.first + static_cast<int64_t>((k * words + v) * to.bytes_);
      to.store_run(mask_of(masks[k], deciding[v], k, v), address, disp, Elem::I32, memory[n++], to.vec32());
    }
  }
}

/// Part k of member n is the vector number n * parts + k in memory.
void InterleavedCode::load_in_order() {
  const ValueId address = to.flat_address(g.pointer);
  const int64_t size = g.type.bytes(), bytes = size == 8 ? to.bytes_ : lanes() * size;
  int64_t at = g.first;
  const auto masks = masks_in_order();
  size_t number = 0;
  auto vector = [&] {
    if (const ValueId mask = masks(number++); mask.valid())
      return to.load_run(mask, address, at, Elem::I32, to.vec32());
    if (size < 4 && !e.avx512)
      return to.m_.result(
          e.row(size == 1 ? Op::x64_vload8x8 : Op::x64_vload16x8, {address}, {kVec}, {to.bytes_, 0, 1, at}));
    return to.load_run({}, address, at, g.type.elem, size == 8 ? to.vec64() : to.vec32());
  };
  for (const auto& m : g.members) {
    Lowered r;
    if (to.small_.lanes.has(to.w.result(m.inst))) {
      r.small = SmallCode(to).load_run(address, at, g.type.elem);
      at += int64_t{to.w.width} * size;
      to.bind(to.w.result(m.inst), std::move(r));
      continue;
    }
    for (size_t k = 0; k < to.count_ * (size == 8 ? 2 : 1); ++k, at += bytes) r.parts.push_back(vector());
    to.bind(to.w.result(m.inst), std::move(r));
  }
}

void InterleavedCode::store_in_order() {
  const ValueId address = to.flat_address(g.pointer);
  const int64_t size = g.type.bytes(), bytes = size == 8 ? to.bytes_ : lanes() * size;
  std::vector<ValueId> all;
  auto is_small_value = [&](const Interleaved::Member& m) {
    return to.small_.lanes.has(to.w.inst(m.inst).operands[2]);
  };
  if (std::ranges::all_of(g.members, is_small_value)) {
    SmallCode code(to);
    for (const auto& m : g.members) {
      const std::vector<ValueId> data = code.small(to.w.inst(m.inst).operands[2]);
      all.insert(all.end(), data.begin(), data.end());
    }
    if (to.streams_to(g.mask, g.pointer))
      return to.store_past_caches(address, g.first, all, code.vector_type(static_cast<unsigned>(size)).bytes);
    return code.store_run(address, g.first, all, g.type.elem);
  }
  for (const auto& m : g.members) {
    const std::vector<ValueId> data = to.parts(to.w.inst(m.inst).operands[2]);
    all.insert(all.end(), data.begin(), data.end());
  }
  if (size >= 4 && to.streams_to(g.mask, g.pointer))
    return to.store_past_caches(address, g.first, all, to.bytes_);
  if (size < 4 && !e.avx512) return to.store_small(address, g.first, g.type.elem, all);
  int64_t at = g.first;
  const auto masks = masks_in_order();
  for (size_t n = 0; n < all.size(); ++n, at += bytes) {
    if (const ValueId mask = masks(n); mask.valid())
      to.store_run(mask, address, at, Elem::I32, all[n], to.vec32());
    else
      to.store_run({}, address, at, g.type.elem, all[n], size == 8 ? to.vec64() : to.vec32());
  }
}

/// Handles a member of an interleaved group; emits the whole group at the first load (or last store).
bool X64Lowering::interleaved(InstId i) {
  const Interleaved* g = interleaved_.of(i);
  if (g && g->place == i) {
    InterleavedCode code(*this, *g);
    if (g->apart)
      g->store ? code.scatter() : code.gather();
    else if (g->in_memory_order)
      g->store ? code.store_in_order() : code.load_in_order();
    else if (g->words.empty())
      g->store ? code.store_bytes() : code.load_bytes();
    else
      g->store ? code.store() : code.load();
  }
  return g != nullptr;
}

}  // namespace kc::x64
