// SPDX-License-Identifier: Apache-2.0
// Code generation for one group of interleaved accesses (interleaved.h).
#pragma once

#include <array>
#include <functional>
#include <optional>
#include <span>
#include <vector>

#include "backends/x64/lower.h"

namespace kc::x64 {

constexpr int kAnything = -1;
using Places = std::vector<int>;  // for each word of a result its place in the sources, or kAnything

class InterleavedCode {
 public:
  InterleavedCode(X64Lowering& lowering, const Interleaved& group) : to(lowering), e(lowering.e), g(group) {}
  void load();
  void store();
  // In memory order.
  void load_in_order();
  void store_in_order();
  // Of bytes and shorts that leave parts of words (lower_interleaved_bytes.cpp).
  void load_bytes();
  void store_bytes();
  // Of lanes that are anywhere (lower_pieces.cpp).
  void gather();
  void scatter();

 private:
  std::vector<ValueId> stored_words(size_t part, std::vector<Places>& where);
  std::vector<Places> places_of(const Interleaved::Member& m) const;
  std::vector<std::vector<uint8_t>> deciding_lanes() const;
  ValueId mask_of(ValueId lanes, const std::vector<uint8_t>& deciding, size_t part, size_t vector);
  std::function<ValueId(size_t)> masks_in_order();
  ValueId part_of_words(ValueId words, int64_t at);
  ValueId pick(ValueId a, ValueId b, const Places& places);
  ValueId pick_in_halves(ValueId a, ValueId b, const Places& places);
  std::optional<ValueId> pick_from_two(std::span<const ValueId> sources, const Places& places);
  std::vector<ValueId> pick_all(std::span<const ValueId> sources, const std::vector<Places>& results);

  int64_t lanes() const { return static_cast<int64_t>(to.lanes_per_part()); }
  int64_t all_bytes() const { return (int64_t{to.w.width} - 1) * g.stride + g.length; }
  std::vector<ValueId> loaded_parts();
  int64_t vectors_of_part() const;
  ValueId taken(std::span<const ValueId> memory, const Interleaved::Member& m, int64_t begin);
  ValueId shuffled(ValueId v, const std::array<uint8_t, 16>& from);
  std::vector<ValueId> packed_pieces(size_t part);
  void store_vectors(ValueId address);
  struct LaneMemory {
    ValueId address;
    int64_t disp;
  };
  struct Piece {
    int64_t begin, bytes;
  };
  std::vector<ValueId> transposed(Op shuffle, const std::vector<ValueId>& v);
  std::vector<ValueId> transposed_chunks(const std::vector<ValueId>& v);
  void find_lanes();
  std::vector<LaneMemory> memory_of(size_t lane, size_t step);
  std::vector<Piece> pieces() const;
  std::vector<ValueId> load_piece(const Piece& p, const std::vector<LaneMemory>& lanes);
  void store_piece(const Piece& p, const std::vector<LaneMemory>& lanes, const std::vector<ValueId>& chunks);
  std::vector<ValueId> gathered_pairs(const std::vector<ValueId>& pairs, size_t part);
  std::vector<ValueId> gathered_elements(Elem elem), gathered_bytes();
  void write_addresses(size_t part);
  void for_each_vector(const std::function<void(size_t, size_t)>& each);
  size_t elements_per_chunk() const { return g.type.bytes() == 8 ? 2 : 4; }
  /// Whether addresses of lanes are taken out of vectors by way of the launch record: of large ones that
  /// takes fewer instructions.
  bool through_memory() const { return to.bytes_ == 64; }
  size_t first_lane(size_t part, size_t half) const {
    return (part * 2 + half) * to.lanes_per_part() / 2;  // whole parts have no second half
  }
  ValueId stored_element(int64_t at, size_t part, size_t half);

  X64Lowering& to;
  Emit& e;
  const Interleaved& g;
  ValueId near_lanes_;              // the address of lane 0, if others follow from it
  std::vector<ValueId> addresses_;  // else of all lanes
};

}  // namespace kc::x64
