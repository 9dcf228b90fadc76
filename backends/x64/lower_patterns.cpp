// SPDX-License-Identifier: Apache-2.0
// Word accesses whose lanes have known offsets from lane 0 (passes/analysis/lane_patterns.h). If the lanes of
// a vector lie within two vectors of memory, those are loaded and the lanes are selected by a permutation, or
// the lanes are permuted and stored. Only words of active lanes are accessed.
//
//   block[2 * id]   ->   two loads and a vpermi2d for each vector, under masks permuted in the same way
#include <algorithm>

#include "backends/x64/lower.h"

namespace kc::x64 {

/// The memory windows of the vectors of an access. Nothing if they are too large, or if lanes share a word.
std::optional<std::vector<Window>> X64Lowering::windows(ValueId pointer) const {
  const auto& pattern = patterns_[pointer.index];
  if (!pattern) return {};
  const unsigned lanes = lanes_per_part();
  std::vector<Window> r;
  for (unsigned k = 0; k < count_; ++k) {
    const auto from = pattern->steps.begin() + k * lanes, to = from + lanes;
    Window window{.at = *std::min_element(from, to)};
    std::vector<bool> taken(2 * size_t{lanes});
    for (auto step = from; step != to; ++step) {
      const int64_t distance = *step - window.at, place = distance / 4;
      if (distance % 4 != 0 || place >= 2 * lanes || taken[static_cast<size_t>(place)]) return {};
      taken[static_cast<size_t>(place)] = true;
      window.places.push_back(static_cast<uint8_t>(place));
    }
    window.vectors = *std::ranges::max_element(window.places) < lanes ? 1 : 2;
    window.in_row = std::ranges::is_sorted(window.places) && window.places.back() == lanes - 1;
    r.push_back(std::move(window));
  }
  return r;
}

/// For each word of one vector of a window: its lane, or a number that is no lane.
std::vector<uint8_t> X64Lowering::lanes_by_place(const Window& window, unsigned vector) const {
  const unsigned lanes = lanes_per_part();
  std::vector<uint8_t> r(lanes, static_cast<uint8_t>(lanes));
  for (unsigned l = 0; l < lanes; ++l)
    if (window.places[l] / lanes == vector) r[window.places[l] % lanes] = static_cast<uint8_t>(l);
  return r;
}

/// A lane mask as a word mask: `from` gives the controlling lane of each word, or a number that is no lane.
ValueId X64Lowering::spread_mask(ValueId lanes, const std::vector<uint8_t>& from) {
  ValueId& made = spread_masks_[{lanes, from, e.block}];
  if (made) return made;
  const bool all = std::ranges::all_of(from, [&](uint8_t lane) { return lane < lanes_per_part(); });
  ValueId by = e.numbers(from, bytes_);
  if (!e.avx512) {
    made = e.vec(Op::x64_vpermd, {by, lanes}, bytes_);
    if (all) return made;
    ValueId some = e.compare(true, Predicate::Lt, by, e.constant(lanes_per_part(), vec32()), vec32());
    return made = e.and_(made, some, vec32());
  }
  ValueId& words = mask_words_[{lanes, e.block}];
  if (!words) words = e.vec(Op::x64_vpmovm2d, {lanes}, bytes_);
  ValueId spread = all ? e.vec(Op::x64_vpermd, {by, words}, bytes_)
                       : e.vec(Op::x64_vpermi2d, {by, words, e.zero()}, bytes_);
  return made = e.kreg(Op::x64_vpmovd2m, {spread}, bytes_);
}

/// A lane mask as a mask of window words.
ValueId X64Lowering::mask_by_place(ValueId lanes, const Window& window, unsigned vector) {
  return window.in_row ? lanes : spread_mask(lanes, lanes_by_place(window, vector));
}

std::vector<ValueId> X64Lowering::load_windows(ValueId mask, ValueId pointer, Elem elem) {
  auto all = windows(pointer);
  if (!all) return {};
  // Words between lanes may be loaded, and so may words after local memory.
  const bool full = known_full(mask), is_local = w.type(pointer).elem == Elem::PtrLocal;
  auto plain = [&](const Window& window, unsigned vector) {
    return full && (is_local || window.reaches_end_of(vector));
  };
  // Under masks AVX2 gathers are at least as fast as two loads and a selection.
  if (!e.avx512 && std::ranges::any_of(*all, [&](const Window& window) {
        return window.vectors > 1 && !plain(window, window.vectors - 1);
      }))
    return {};
  std::vector<ValueId> m = parts(mask), r;
  ValueId address = flat_address(pointer);
  for (size_t k = 0; k < all->size(); ++k) {
    const Window& window = (*all)[k];
    std::vector<ValueId> found;
    for (unsigned v = 0; v < window.vectors; ++v) {
      ValueId lanes = plain(window, v) ? ValueId() : mask_by_place(m[k], window, v);
      found.push_back(load_run(lanes, address, window.at + v * int64_t{bytes_}, elem, vec32()));
    }
    if (window.in_row) {
      r.push_back(found[0]);
      continue;
    }
    ValueId places = e.numbers(window.places, bytes_);
    if (window.vectors == 2 && e.avx512) {
      r.push_back(e.vec(Op::x64_vpermi2d, {places, found[0], found[1]}, bytes_));
      continue;
    }
    for (ValueId& one : found) one = e.vec(Op::x64_vpermd, {places, one}, bytes_);
    if (window.vectors == 2) {
      ValueId in_second =
          e.compare(true, Predicate::Lt, e.constant(lanes_per_part() - 1, vec32()), places, vec32());
      found[0] = e.blend(in_second, found[1], found[0], vec32());
    }
    r.push_back(found[0]);
  }
  return r;
}

bool X64Lowering::store_windows(ValueId mask, ValueId pointer, Elem elem, const std::vector<ValueId>& data) {
  auto all = windows(pointer);
  if (!all) return false;
  std::vector<ValueId> m = parts(mask);
  ValueId address = flat_address(pointer);
  for (size_t k = 0; k < all->size(); ++k) {
    const Window& window = (*all)[k];
    for (unsigned v = 0; v < window.vectors; ++v) {
      ValueId placed = window.in_row ? data[k]
                                     : e.vec(Op::x64_vpermd,
                                             {e.numbers(lanes_by_place(window, v), bytes_), data[k]}, bytes_);
      store_run(mask_by_place(m[k], window, v), address, window.at + v * int64_t{bytes_}, elem, placed,
                vec32());
    }
  }
  return true;
}

}  // namespace kc::x64
