// SPDX-License-Identifier: Apache-2.0
// Neighbours at places without a constant stride (interleaved.h): a gather takes one element of each lane at
// a time, and takes about as long as so many loads. Two words of a lane are one element of 64 bits of a
// gather. On AVX2, whose gathers are dear, more are 16 bytes of a plain load, and two such loads fill a
// vector.
//
//   loads:     | lane 0: x y z w | lane 4: x y z w |
//              | lane 1: x y z w | lane 5 ...      |
//   shuffles:  x of lanes 0 to 7, y of lanes 0 to 7 ...
#include <cstddef>

#include "backends/x64/interleaved_code.h"
#include "runtime/image.h"

namespace kc::x64 {
namespace {

constexpr int64_t kWordOfLane = 4, kPair = 8, kLanePiece = 16;  // bytes
constexpr size_t kAddresses = 4;                                // in a vector
// Immediates of vshufps: words of two vectors, in each 128 bits.
constexpr int64_t kLowHalves = 0x44, kHighHalves = 0xee, kEven = 0x88, kOdd = 0xdd;

}  // namespace

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

/// The members of one lane, and nothing behind them. AVX2 only, like all of these.
ValueId InterleavedCode::piece_of_memory(ValueId mask, ValueId address) {
  const std::initializer_list<int64_t> at{kLanePiece, 0, 1, g.first};
  if (mask) return to.m_.result(e.row(Op::x64_vload32, {mask, address}, {kVec}, at));
  return to.m_.result(e.row(Op::x64_vload, {address}, {kVec}, at));
}

/// Pieces of two lanes. The addresses are vectors of 64-bit elements.
ValueId InterleavedCode::two_pieces(ValueId mask, const std::vector<ValueId>& addresses, size_t lane,
                                    size_t other) {
  auto address = [&](size_t of) {
    return e.extract(addresses[of / kAddresses], static_cast<unsigned>(of % kAddresses), to.vec64());
  };
  const ValueId low = piece_of_memory(mask, address(lane));
  if (mask) return e.insert_quarter(low, piece_of_memory(mask, address(other)), 1, to.vec32());
  return to.m_.result(
      e.row(Op::x64_vinserti128_load, {low, address(other)}, {kVec}, {to.bytes_, 1, 1, g.first}));
}

/// The addresses of the lanes' members; of inactive lanes that of zeros, less `disp`.
std::vector<ValueId> InterleavedCode::gathered_addresses(int64_t disp) {
  std::vector<ValueId> r = to.long_addresses(g.pointer);
  if (to.known_full(g.mask)) return r;
  const int64_t zeros = static_cast<int64_t>(offsetof(CpuWaveContext, zeros)) - disp;
  const ValueId nothing =
      e.splat_gpr(to.m_.result(e.row(Op::x64_ctx_address, {}, {kGpr}, {8, 0, 1, zeros})), to.vec64());
  const std::vector<ValueId> masks = to.parts(g.mask);
  for (size_t h = 0; h < r.size(); ++h)
    r[h] = e.blend(e.mask_half(masks[h / 2], h % 2, to.vec32()), r[h], nothing, to.vec64());
  return r;
}

void InterleavedCode::gather() {
  std::vector<Lowered> loaded(g.members.size());
  auto add = [&](const std::vector<ValueId>& vectors, int64_t unit) {
    for (size_t n = 0; n < loaded.size(); ++n)
      loaded[n].parts.push_back(vectors[static_cast<size_t>(g.members[n].at / unit)]);
  };
  auto shuffle = [&](ValueId a, ValueId b, int64_t how) {
    return e.vec(Op::x64_vshufps, {a, b}, to.bytes_, how);
  };
  Indexed at;
  if (g.length <= kPair && to.indexed_address(g.pointer, at)) {
    at.disp += g.first;
    const std::vector<ValueId> pairs = to.gather_indexed(g.mask, at, Elem::I64);
    for (size_t k = 0; k < to.count_; ++k) add(gathered_pairs(pairs, k), kWordOfLane);
  } else if (g.length <= kPair) {
    std::vector<ValueId> addresses = to.long_addresses(g.pointer);
    if (g.first)
      for (ValueId& a : addresses)
        a = e.add(a, e.constant(static_cast<uint64_t>(g.first), to.vec64()), to.vec64());
    const std::vector<ValueId> pairs = to.gather_long(g.mask, addresses, Elem::I64);
    for (size_t k = 0; k < to.count_; ++k) add(gathered_pairs(pairs, k), kWordOfLane);
  } else {
    const std::vector<ValueId> addresses = gathered_addresses(g.first);
    // A mask of three words, if there is nothing behind them.
    const ValueId mask =
        g.length == kLanePiece ? ValueId() : e.shl(e.numbers({1, 1, 1, 0}, to.bytes_), 31, to.vec32());
    const bool wide = g.type.bytes() == 8;
    for (size_t lane = 0; lane < addresses.size() * kAddresses; lane += wide ? kAddresses : 2 * kAddresses) {
      auto pieces = [&](size_t first, size_t apart) {
        return two_pieces(mask, addresses, lane + first, lane + first + apart);
      };
      if (wide) {
        const ValueId a = pieces(0, 2), b = pieces(1, 2);
        add({shuffle(a, b, kLowHalves), shuffle(a, b, kHighHalves)}, 8);
        continue;
      }
      const ValueId p[] = {pieces(0, 4), pieces(1, 4), pieces(2, 4), pieces(3, 4)};
      const ValueId low = shuffle(p[0], p[1], kLowHalves), low2 = shuffle(p[2], p[3], kLowHalves),
                    high = shuffle(p[0], p[1], kHighHalves), high2 = shuffle(p[2], p[3], kHighHalves);
      add({shuffle(low, low2, kEven), shuffle(low, low2, kOdd), shuffle(high, high2, kEven),
           shuffle(high, high2, kOdd)},
          kWordOfLane);
    }
  }
  for (size_t n = 0; n < loaded.size(); ++n) to.bind(to.w.result(g.members[n].inst), std::move(loaded[n]));
}

}  // namespace kc::x64
