// SPDX-License-Identifier: Apache-2.0
// Interleaved bytes and shorts that leave parts of words, or that lie a number of bytes apart which no words
// fill: pixels of three bytes, every other byte, the alpha of a pixel. A test decides at run time: if all
// lanes of the wave are active, the memory from its first member to its last one is accessed as vectors;
// otherwise each member is gathered or scattered.
//
//   3 bytes a lane, for 16 lanes:   48 bytes
//   vpermd:                         | words 0 1 2 - | 3 4 5 - | 6 7 8 - | 9 10 11 - |
//   vpshufb, for the second byte:   | bytes 1 4 7 10 of each, as 32-bit elements     |
#include <algorithm>
#include <map>

#include "backends/x64/interleaved_code.h"

namespace kc::x64 {
namespace {

constexpr int64_t kElement = 4, kPiece = 16;  // in bytes; vpshufb moves bytes within pieces
constexpr int64_t kPieceLanes = kPiece / kElement;
constexpr uint8_t kZero = 0x80;

}  // namespace

/// The bytes of each piece at the given places in it.
ValueId InterleavedCode::shuffled(ValueId v, const std::array<uint8_t, 16>& from) {
  return e.vec(Op::x64_vpshufb, {v, e.bytes16(from, to.bytes_)}, to.bytes_);
}

/// A member in one part of the lanes, as 32-bit elements. `begin`: where the first lane's first member is in
/// the memory, in bytes.
ValueId InterleavedCode::taken(std::span<const ValueId> memory, const Interleaved::Member& m, int64_t begin) {
  const int64_t size = g.type.bytes(), words = static_cast<int64_t>(memory.size()) * lanes();
  // The lanes of a piece start at the same place in a word as those of each other piece. One window of words
  // is for all members if they fit into it.
  auto span_of = [&](int64_t first, int64_t end) {
    return first % kElement + (kPieceLanes - 1) * g.stride + end - first;
  };
  const bool shared = span_of(begin, begin + g.length) <= kPiece;
  const int64_t window = shared ? begin : begin + m.at;
  const int64_t last = shared ? begin + g.length : begin + m.at + size;
  const int64_t used = (span_of(window, last) + kElement - 1) / kElement;
  std::vector<Places> wanted((static_cast<size_t>(used) + 3) / 4);
  for (int64_t piece = 0; piece < lanes() / kPieceLanes; ++piece)
    for (int64_t n = 0; n < static_cast<int64_t>(wanted.size()) * 4; ++n) {
      const int64_t word = window / kElement + piece * g.stride + n;
      wanted[static_cast<size_t>(n / 4)].push_back(n < used && word < words ? static_cast<int>(word)
                                                                            : kAnything);
    }
  ValueId r;
  const std::vector<ValueId> picked = pick_all(memory, wanted);
  for (size_t h = 0; h < picked.size(); ++h) {
    std::array<uint8_t, 16> from;
    from.fill(kZero);
    for (int64_t lane = 0; lane < kPieceLanes; ++lane)
      for (int64_t b = 0; b < size; ++b) {
        const int64_t at = begin + m.at - window + window % kElement + lane * g.stride + b;
        if (at / kPiece == static_cast<int64_t>(h))
          from[static_cast<size_t>(lane * kElement + b)] = static_cast<uint8_t>(at % kPiece);
      }
    const ValueId bytes = shuffled(picked[h], from);
    r = r ? e.or_(r, bytes, to.vec32()) : bytes;
  }
  return r;
}

/// Vectors of memory for one part of the lanes.
int64_t InterleavedCode::vectors_of_part() const {
  return ((lanes() - 1) * g.stride + g.length + to.bytes_ - 1) / to.bytes_;
}

/// All members of a wave with all its lanes, those of each part of the lanes together.
std::vector<ValueId> InterleavedCode::loaded_parts() {
  const ValueId address = to.flat_address(g.pointer);
  const int64_t each = lanes() * g.stride, vectors = vectors_of_part();
  std::vector<ValueId> r;
  for (int64_t k = 0; k < int64_t{to.count_}; ++k) {
    // No vector ends after the last member.
    const int64_t start = std::min(k * each, all_bytes() - vectors * to.bytes_);
    std::vector<ValueId> memory;
    for (int64_t v = 0; v < vectors; ++v)
      memory.push_back(to.load_run({}, address, g.first + start + v * to.bytes_, Elem::I32, to.vec32()));
    for (const auto& m : g.members) r.push_back(taken(memory, m, k * each - start));
  }
  return r;
}

void InterleavedCode::load_bytes() {
  auto bind = [&](std::span<const ValueId> parts) {
    for (size_t n = 0; n < g.members.size(); ++n) {
      Lowered r;
      for (size_t k = 0; k < to.count_; ++k) r.parts.push_back(parts[k * g.members.size() + n]);
      to.bind(to.w.result(g.members[n].inst), std::move(r));
    }
  };
  auto gathered = [&] {
    std::vector<ValueId> r(g.members.size() * to.count_);
    for (size_t n = 0; n < g.members.size(); ++n) {
      const auto parts = to.gather_small(g.mask, g.pointer, g.type.elem, g.first + g.members[n].at);
      for (size_t k = 0; k < to.count_; ++k) r[k * g.members.size() + n] = parts[k];
    }
    return r;
  };
  if (all_bytes() < vectors_of_part() * to.bytes_) return bind(gathered());
  bind(to.where_readable(
      g.mask, {to.flat_address(g.pointer), g.first, all_bytes()}, [&] { return loaded_parts(); }, gathered));
}

/// The members of the lanes of each piece side by side, from the start of the piece: 16 bytes of them in each
/// vector.
std::vector<ValueId> InterleavedCode::packed_pieces(size_t part) {
  std::vector<ValueId> r;
  for (int64_t begin = 0; begin < kPieceLanes * g.stride; begin += kPiece) {
    ValueId all;
    for (const auto& m : g.members) {
      std::array<uint8_t, 16> from;
      for (int64_t b = 0; b < kPiece; ++b) {
        const int64_t lane = (begin + b) / g.stride, in_member = (begin + b) % g.stride - m.at;
        const bool mine = lane < kPieceLanes && in_member >= 0 && in_member < int64_t{g.type.bytes()};
        from[static_cast<size_t>(b)] = mine ? static_cast<uint8_t>(lane * kElement + in_member) : kZero;
      }
      if (std::ranges::count(from, kZero) == kPiece) continue;
      const ValueId bytes = shuffled(to.parts(to.w.inst(m.inst).operands[2])[part], from);
      all = all ? e.or_(all, bytes, to.vec32()) : bytes;
    }
    r.push_back(all ? all : e.zero());  // no member may be in the last bytes
  }
  return r;
}

void InterleavedCode::store_bytes() {
  auto scatter_all = [&] {
    for (const auto& m : g.members) {
      const Inst& inst = to.w.inst(m.inst);
      to.scatter(g.mask, inst.operands[1], g.type.elem, to.parts(inst.operands[2]));
    }
  };
  // A mask leaves out what is behind the last member.
  const int64_t stored = g.is_whole() ? all_bytes() : int64_t{to.w.width} * g.stride;
  if (stored < int64_t{to.bytes_}) return scatter_all();
  const ValueId address = to.flat_address(g.pointer);
  to.where_full(
      g.mask, [&] { return store_vectors(address), std::vector<ValueId>(); },
      [&] { return scatter_all(), std::vector<ValueId>(); });
}

/// All members of a wave with all its lanes, as vectors of memory.
void InterleavedCode::store_vectors(ValueId address) {
  std::vector<ValueId> pieces;
  for (size_t k = 0; k < to.count_; ++k)
    for (ValueId v : packed_pieces(k)) pieces.push_back(v);
  // A piece becomes `stride` words, in memory one after the other.
  const int64_t words = int64_t{to.w.width} * g.stride / kElement, in_part = lanes() / kPieceLanes * g.stride;
  const int64_t vectors = static_cast<int64_t>(pieces.size() / to.count_);
  std::vector<Places> wanted;
  std::vector<int64_t> starts;
  for (int64_t at = 0; at < words; at += lanes()) {
    starts.push_back(std::min(at, words - lanes()));  // the last vector may store words again
    wanted.emplace_back();
    for (int64_t word = starts.back(); word < starts.back() + lanes(); ++word) {
      const int64_t part = word / in_part, piece = word % in_part / g.stride, n = word % g.stride;
      wanted.back().push_back(static_cast<int>((part * vectors + n / kPieceLanes) * lanes() +
                                               piece * kPieceLanes + n % kPieceLanes));
    }
  }
  // Of the bytes from this word on, those of members.
  auto members_from = [&](int64_t word) {
    uint64_t bits = 0;
    for (int64_t b = 0; b < int64_t{to.bytes_}; ++b)
      for (const auto& m : g.members) {
        const int64_t at = (word * kElement + b) % g.stride - m.at;
        if (at >= 0 && at < int64_t{g.type.bytes()}) bits |= uint64_t{1} << b;
      }
    return bits;
  };
  for (size_t v = 0; v < wanted.size(); ++v) {
    const ValueId data = pick_all(pieces, {wanted[v]})[0];
    const int64_t at = g.first + starts[v] * kElement;
    if (g.is_whole()) {
      to.store_run({}, address, at, Elem::I32, data, to.vec32());
      continue;
    }
    const ValueId bytes = e.kreg(Op::x64_kmov64_from_gpr, {e.gpr_const(members_from(starts[v]))}, to.bytes_);
    e.row(Op::x64_vstore_bytes_k, {bytes, address, data}, {}, {to.bytes_, 0, 1, at});
  }
}

}  // namespace kc::x64
