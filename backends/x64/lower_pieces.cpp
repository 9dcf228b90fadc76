// SPDX-License-Identifier: Apache-2.0
// Members of lanes whose memory is not side by side (interleaved.h): the memory of each lane is loaded or
// stored in pieces of 16 to 64 bytes, and words are transposed in registers. Gathers and scatters take about
// as long as one access for each lane and word.
//
//   loads:       | lane 0: x y z w | lane 4: x y z w | ...
//                | lane 1: x y z w | lane 5 ...
//   transposed:  x of lanes 0 to 7, y of lanes 0 to 7 ...
//
// A *chunk* is 16 bytes of a lane's memory; a vector holds that of each fourth lane (of each second one, if
// elements have 64 bits). Up to 8 bytes of a lane are one element of a gather or of a scatter.
#include <bit>
#include <cstddef>

#include "backends/x64/interleaved_code.h"
#include "ir/check.h"
#include "runtime/image.h"

namespace kc::x64 {
namespace {

constexpr int64_t kWordOfLane = 4, kPair = 8, kHalf = 32, kLine = 64;  // bytes
// Immediates of vshufps: words of two vectors, in each 128 bits; and of vshufi32x4: their quarters.
constexpr int64_t kLowHalves = 0x44, kHighHalves = 0xee, kEven = 0x88, kOdd = 0xdd;

}  // namespace

/// Words of each 128 bits of four vectors, or quarters of four vectors, transposed: its own inverse.
std::vector<ValueId> InterleavedCode::transposed(Op shuffle, const std::vector<ValueId>& v) {
  auto of = [&](ValueId a, ValueId b, int64_t how) { return e.vec(shuffle, {a, b}, to.bytes_, how); };
  const ValueId low = of(v[0], v[1], kLowHalves), low2 = of(v[2], v[3], kLowHalves),
                high = of(v[0], v[1], kHighHalves), high2 = of(v[2], v[3], kHighHalves);
  return {of(low, low2, kEven), of(low, low2, kOdd), of(high, high2, kEven), of(high, high2, kOdd)};
}

/// Likewise for what chunks of lanes consist of: four words, or two elements of 64 bits.
std::vector<ValueId> InterleavedCode::transposed_chunks(const std::vector<ValueId>& v) {
  if (v.size() == 4) return transposed(Op::x64_vshufps, v);
  return {e.vec(Op::x64_vshufps, {v[0], v[1]}, to.bytes_, kLowHalves),
          e.vec(Op::x64_vshufps, {v[0], v[1]}, to.bytes_, kHighHalves)};
}

/// Decides how lanes are addressed. Inactive lanes get the address of a part of the launch record.
void InterleavedCode::find_lanes() {
  constexpr int64_t kNearLanes = 1 << 20;
  const bool full = to.known_full(g.mask);
  if (full && g.stride != 0 && g.stride < kNearLanes) {
    near_lanes_ = to.flat_address(g.pointer);
    return;
  }
  addresses_ = to.long_addresses(g.pointer);
  if (full) return;
  const auto at =
      static_cast<int64_t>(g.store ? offsetof(CpuWaveContext, sink) : offsetof(CpuWaveContext, zeros));
  const ValueId other = e.splat_gpr(to.context_address(at - g.first), to.vec64());
  const std::vector<ValueId> masks = to.parts(g.mask);
  for (size_t h = 0; h < addresses_.size(); ++h)
    addresses_[h] = e.blend(e.mask_half(masks[h / 2], h % 2, to.vec32()), addresses_[h], other, to.vec64());
}

/// The memory of lanes in the order of quarters, from one on in steps.
std::vector<InterleavedCode::LaneMemory> InterleavedCode::memory_of(size_t lane, size_t step) {
  const size_t each = to.vec64().lanes();
  auto address_of = [&](size_t l) {
    if (!through_memory())
      return e.extract(addresses_[l / each], static_cast<unsigned>(l % each), to.vec64());
    const size_t at = offsetof(CpuWaveContext, addresses) + l % to.lanes_per_part() * 8;
    return to.m_.result(e.row(Op::x64_ctx_load, {}, {kGpr}, {8, 0, 1, static_cast<int64_t>(at)}));
  };
  std::vector<LaneMemory> r;
  for (size_t q = 0; q < to.bytes_ / kLaneChunk; ++q, lane += step)
    r.push_back(near_lanes_ ? LaneMemory{near_lanes_, g.first + static_cast<int64_t>(lane) * g.stride}
                            : LaneMemory{address_of(lane), g.first});
  return r;
}

/// The pieces that all members are in. The last one may overlap the one before.
std::vector<InterleavedCode::Piece> InterleavedCode::pieces() const {
  std::vector<Piece> r;
  for (int64_t at = 0; at < g.length;) {
    const int64_t left = g.length - at;
    Piece p{at, kLaneChunk};
    if (to.bytes_ == kLine && left >= kLine)
      p.bytes = kLine;
    else if (to.bytes_ == kLine && left >= kHalf && !g.store)
      p.bytes = kHalf;
    else if (left < kLaneChunk && g.length >= kLaneChunk)
      p.begin = g.length - kLaneChunk;
    else if (left < kLaneChunk)
      p.bytes = left;
    r.push_back(p);
    at = p.begin + p.bytes;
  }
  return r;
}

/// One vector for each chunk of the piece, with that of one lane in each 128 bits.
std::vector<ValueId> InterleavedCode::load_piece(const Piece& p, const std::vector<LaneMemory>& lanes) {
  auto load = [&](size_t lane, int64_t bytes) {
    return to.m_.result(
        e.row(Op::x64_vload, {lanes[lane].address}, {kVec}, {bytes, 0, 1, lanes[lane].disp + p.begin}));
  };
  auto insert = [&](Op op, ValueId low, size_t lane, int64_t place) {
    return to.m_.result(
        e.row(op, {low, lanes[lane].address}, {kVec}, {to.bytes_, place, 1, lanes[lane].disp + p.begin}));
  };
  if (p.bytes == kLine)
    return transposed(Op::x64_vshufi32x4, {load(0, kLine), load(1, kLine), load(2, kLine), load(3, kLine)});
  if (p.bytes == kHalf) {
    const ValueId low = insert(Op::x64_vinserti64x4_load, load(0, kHalf), 1, 1),
                  high = insert(Op::x64_vinserti64x4_load, load(2, kHalf), 3, 1);
    return {e.vec(Op::x64_vshufi32x4, {low, high}, kLine, kEven),
            e.vec(Op::x64_vshufi32x4, {low, high}, kLine, kOdd)};
  }
  ValueId r;
  if (p.bytes == kLaneChunk) {
    r = load(0, kLaneChunk);
    const Op op = e.avx512 ? Op::x64_vinserti32x4_load : Op::x64_vinserti128_load;
    for (size_t lane = 1; lane < lanes.size(); ++lane) r = insert(op, r, lane, static_cast<int64_t>(lane));
    return {r};
  }
  // Three words, and maybe nothing behind them.
  const VecType words{kLaneChunk, 32};
  const ValueId mask = e.avx512 ? e.mask_from_bits(e.gpr_const(7), words)
                                : e.shl(e.numbers({1, 1, 1, 0}, to.bytes_), 31, to.vec32());
  for (size_t lane = 0; lane < lanes.size(); ++lane)
    r = e.insert_quarter(r,
                         to.load_run(mask, lanes[lane].address, lanes[lane].disp + p.begin, Elem::I32, words),
                         static_cast<unsigned>(lane), to.vec32());
  return {r};
}

/// The inverse.
void InterleavedCode::store_piece(const Piece& p, const std::vector<LaneMemory>& lanes,
                                  const std::vector<ValueId>& chunks) {
  auto store = [&](ValueId v, size_t lane, int64_t bytes) {
    e.row(Op::x64_vstore, {lanes[lane].address, v}, {}, {bytes, 0, 1, lanes[lane].disp + p.begin});
  };
  if (p.bytes == kLine) {
    const std::vector<ValueId> lines = transposed(Op::x64_vshufi32x4, chunks);
    for (size_t lane = 0; lane < lanes.size(); ++lane) store(lines[lane], lane, kLine);
    return;
  }
  KC_CHECK(p.bytes == kLaneChunk, "x64: a piece is a chunk or a line");
  store(chunks[0], 0, kLaneChunk);
  for (size_t lane = 1; lane < lanes.size(); ++lane)
    e.row(e.avx512 ? Op::x64_vextracti32x4_store : Op::x64_vextracti128_store,
          {lanes[lane].address, chunks[0]}, {},
          {to.bytes_, static_cast<int64_t>(lane), 1, lanes[lane].disp + p.begin});
}

/// For each word of a pair the lanes of the part.
std::vector<ValueId> InterleavedCode::gathered_pairs(const std::vector<ValueId>& pairs, size_t part) {
  std::vector<ValueId> r;
  for (int word = 0; word < 2; ++word) {
    Places places;
    for (int lane = 0; lane < lanes(); ++lane) places.push_back(2 * lane + word);
    r.push_back(pick(pairs[2 * part], pairs[2 * part + 1], places));
  }
  return r;
}

/// From the lanes' first bytes on.
std::vector<ValueId> InterleavedCode::gathered_elements(Elem elem) {
  Indexed at;
  if (to.indexed_address(g.pointer, at)) {
    at.disp += g.first;
    return to.gather_indexed(to.parts(g.mask), at, elem);
  }
  return to.gather_long(g.mask, to.long_addresses(g.pointer, g.first), elem);
}

/// Two or three bytes of each lane in the lowest ones of a word. Where its end would be in the next page,
/// which need not exist, the word that is gathered ends with the last of these bytes.
std::vector<ValueId> InterleavedCode::gathered_bytes() {
  const VecType t = to.vec32();
  const auto others = static_cast<uint64_t>(kWordOfLane - g.length);  // of the word
  const ValueId last_whole = e.constant(kPage - kWordOfLane, t);
  // By how many bytes each word begins before those of its lane.
  std::vector<ValueId> back, words;
  auto step_back = [&](ValueId address) {
    const ValueId in_page = e.and_(address, e.constant(kPage - 1, t), t);
    back.push_back(e.keep(e.compare(true, Lt, last_whole, in_page, t), e.constant(others, t), t));
    return back.back();
  };
  Indexed at;
  if (to.indexed_address(g.pointer, at) && to.gathers_words(g.pointer)) {
    at.base = e.gpr(Op::x64_add, {at.base, e.number(at.disp + g.first)});
    const ValueId base = e.splat_gpr(at.base, t);
    const auto scale = static_cast<unsigned>(std::countr_zero(static_cast<uint64_t>(at.scale)));
    for (ValueId& index : at.index) {
      index = e.shl(index, scale, t);
      // Local memory is followed by padding.
      if (to.w.type(g.pointer).elem != Elem::PtrLocal)
        index = e.sub(index, step_back(e.add(base, index, t)), t);
    }
    at.scale = 1, at.disp = 0;
    words = to.gather_indexed(to.parts(g.mask), at, Elem::I32);
  } else {
    std::vector<ValueId> addresses = to.long_addresses(g.pointer, g.first);
    for (size_t k = 0; k < addresses.size(); k += 2) {
      const ValueId by = step_back(e.narrow(addresses[k], addresses[k + 1], t));
      for (unsigned h = 0; h < 2; ++h)
        addresses[k + h] = e.sub(addresses[k + h], e.widen(by, h, false, t), to.vec64());
    }
    words = to.gather_long(g.mask, addresses, Elem::I32);
  }
  for (size_t k = 0; k < back.size(); ++k) words[k] = e.lshr(words[k], e.shl(back[k], 3, t), t);
  return words;
}

/// Stores a part's addresses to the launch record. In halves of vectors: a Golden Cove reads 16 addresses
/// back from two stores of 64 bytes in 17 ns, from four of 32 in 8.
void InterleavedCode::write_addresses(size_t part) {
  const ValueId record = to.context_address(0);
  auto at = static_cast<int64_t>(offsetof(CpuWaveContext, addresses));
  for (size_t h = 0; h < 2; ++h, at += kLine) {
    const ValueId addresses = addresses_[2 * part + h];
    e.row(Op::x64_vstore, {record, addresses}, {}, {kHalf, 0, 1, at});
    e.row(Op::x64_vextracti64x4_store, {record, addresses}, {}, {kLine, 1, 1, at + kHalf});
  }
}

/// Calls `each` for each vector of elements, with the part, and the half of it that they are in, if they have
/// 64 bits.
void InterleavedCode::for_each_vector(const std::function<void(size_t, size_t)>& each) {
  const size_t halves = g.type.bytes() == 8 ? 2 : 1;
  for (size_t k = 0; k < to.count_; ++k) {
    if (!near_lanes_ && through_memory()) write_addresses(k);
    for (size_t h = 0; h < halves; ++h) each(k, h);
  }
}

void InterleavedCode::gather() {
  std::vector<Lowered> loaded(g.members.size());
  const auto element = static_cast<int64_t>(std::max(g.type.bytes(), 4u));
  std::vector<bool> found;  // members for the present lanes
  // Vectors with the elements of each lane from an offset on.
  auto take = [&](const std::vector<ValueId>& vectors, int64_t begin) {
    for (size_t n = 0; n < loaded.size(); ++n) {
      const int64_t at = g.members[n].at - begin, size = g.type.bytes();
      const int64_t vector = at / element;
      if (found[n] || at < 0 || vector >= static_cast<int64_t>(vectors.size()) ||
          at % element + size > element)
        continue;
      found[n] = true;
      loaded[n].parts.push_back(part_of_words(vectors[static_cast<size_t>(vector)], at));
    }
  };
  auto start = [&] { found.assign(g.members.size(), false); };
  if (g.length <= kPair) {
    const bool pair = g.length > kWordOfLane;
    const std::vector<ValueId> elements =
        g.length < kWordOfLane ? gathered_bytes() : gathered_elements(pair ? Elem::I64 : Elem::I32);
    for (size_t k = 0; k < to.count_; ++k) {
      start();
      take(pair ? gathered_pairs(elements, k) : std::vector{elements[k]}, 0);
    }
  } else {
    find_lanes();
    for_each_vector([&](size_t part, size_t half) {
      start();
      std::vector<std::vector<ValueId>> chunks;  // by chunk and place in it
      std::vector<int64_t> begins;
      const std::vector<Piece> all = pieces();
      for (size_t l = 0; l < elements_per_chunk(); ++l) {
        const std::vector<LaneMemory> lanes = memory_of(first_lane(part, half) + l, elements_per_chunk());
        size_t c = 0;
        for (const Piece& p : all)
          for (const ValueId& v : load_piece(p, lanes)) {
            if (l == 0) chunks.emplace_back();
            chunks[c++].push_back(v);
          }
      }
      for (const Piece& p : all)
        for (int64_t at = p.begin; at < p.begin + p.bytes; at += kLaneChunk) begins.push_back(at);
      for (size_t c = 0; c < chunks.size(); ++c) take(transposed_chunks(chunks[c]), begins[c]);
    });
  }
  for (size_t n = 0; n < loaded.size(); ++n) to.bind(to.w.result(g.members[n].inst), std::move(loaded[n]));
}

/// What the lanes of a vector store at an offset: a word of members, or an element of 64 bits.
ValueId InterleavedCode::stored_element(int64_t at, size_t part, size_t half) {
  ValueId word;
  const int64_t size = g.type.bytes();
  for (const Interleaved::Member& m : g.members) {
    if (m.at < at || m.at >= at + std::max(size, kWordOfLane)) continue;
    const std::vector<ValueId> data = to.parts(to.w.inst(m.inst).operands[2]);
    if (size == 8) return data[2 * part + half];
    const auto up = static_cast<unsigned>(m.at - at) * 8;
    const ValueId moved = up ? e.shl(data[part], up, to.vec32()) : data[part];
    word = word ? e.or_(word, moved, to.vec32()) : moved;
  }
  KC_CHECK(word.valid(), "x64: a stored word without members");
  return word;
}

void InterleavedCode::scatter() {
  if (g.length < kLaneChunk) {
    int64_t at = 0;
    if (g.length >= kPair) {
      std::vector<ValueId> pairs;
      const auto n = static_cast<int>(lanes());
      for (size_t k = 0; k < to.count_; ++k) {
        const ValueId low = stored_element(0, k, 0), high = stored_element(kWordOfLane, k, 0);
        for (int h = 0; h < 2; ++h) {
          Places places;
          for (int p = 0; p < n; ++p) places.push_back(p % 2 * n + h * n / 2 + p / 2);
          pairs.push_back(pick(low, high, places));
        }
      }
      to.scatter(g.mask, g.pointer, Elem::I64, pairs, g.first);
      at = kPair;
    }
    if (at == g.length) return;
    std::vector<ValueId> words;
    for (size_t k = 0; k < to.count_; ++k) words.push_back(stored_element(at, k, 0));
    return to.scatter(g.mask, g.pointer, Elem::I32, words, g.first + at);
  }
  find_lanes();
  for_each_vector([&](size_t part, size_t half) {
    const std::vector<Piece> all = pieces();
    const size_t each = elements_per_chunk();
    std::vector<std::vector<std::vector<ValueId>>> chunks(all.size());  // by piece, lane in them and chunk
    for (size_t p = 0; p < all.size(); ++p) {
      chunks[p].resize(each);
      for (int64_t c = all[p].begin; c < all[p].begin + all[p].bytes; c += kLaneChunk) {
        std::vector<ValueId> elements;
        for (size_t n = 0; n < each; ++n)
          elements.push_back(stored_element(
              c + static_cast<int64_t>(n) * kLaneChunk / static_cast<int64_t>(each), part, half));
        const std::vector<ValueId> by_lane = transposed_chunks(elements);
        for (size_t l = 0; l < each; ++l) chunks[p][l].push_back(by_lane[l]);
      }
    }
    for (size_t l = 0; l < each; ++l) {
      const std::vector<LaneMemory> lanes = memory_of(first_lane(part, half) + l, each);
      for (size_t p = 0; p < all.size(); ++p) store_piece(all[p], lanes, chunks[p][l]);
    }
  });
}

}  // namespace kc::x64
