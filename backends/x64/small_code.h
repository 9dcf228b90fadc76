// SPDX-License-Identifier: Apache-2.0
// Code generation for lane values that are bytes and shorts (small_lanes.h), and their conversions.
#pragma once

#include <functional>
#include <vector>

#include "backends/x64/lower.h"

namespace kc::x64 {

class SmallCode {
 public:
  explicit SmallCode(X64Lowering& lowering) : to(lowering), e(lowering.e) {}

  /// Decides which values are bytes and shorts, and which masks bytes. `is_run`: whether a load or store is
  /// of consecutive bytes or shorts.
  void decide(const std::function<bool(InstId)>& is_run);
  /// Lowers an operation on bytes or shorts, or a load or store of a run of them; false for other
  /// instructions.
  bool lower(const Inst& inst);
  /// Whether lanes access consecutive bytes or shorts of the type, in private memory those of one offset.
  bool is_run(ValueId pointer, Type type) const;
  /// All lanes' bytes of a run, as one vector (byte_lanes.h).
  ValueId load_whole(ValueId mask, ValueId pointer);
  void store_whole(ValueId mask, ValueId pointer, ValueId bytes);
  /// The masks of a mask or truth value for elements of so many bytes.
  std::vector<ValueId> masks(ValueId v, unsigned bytes);
  /// The bytes of one vector of a mask as it is kept.
  unsigned mask_vector_bytes(ValueId mask) const;
  /// The masks of bytes of those of words, and those of words of a mask that is bytes.
  std::vector<ValueId> bytes_of_masks(const std::vector<ValueId>& words);
  std::vector<ValueId> words_of_mask(ValueId v);
  /// The vectors of bytes or shorts of any value of such an element type.
  std::vector<ValueId> small(ValueId v);
  /// The words of a value that is bytes or shorts: extended by zeros, or by signs.
  std::vector<ValueId> words(ValueId v, bool is_signed);
  /// Makes vectors of bytes or shorts of words with zeros above.
  std::vector<ValueId> from_words(const std::vector<ValueId>& parts, Elem elem);
  /// The uniform value in all elements.
  std::vector<ValueId> splat(ValueId scalar, Elem elem);
  /// How a value of the element type is divided into vectors.
  VecType vector_type(unsigned bytes) const;
  size_t vectors(unsigned bytes) const;
  /// A run of memory without a mask, from `disp` on.
  std::vector<ValueId> load_run(ValueId address, int64_t disp, Elem elem);
  void store_run(ValueId address, int64_t disp, const std::vector<ValueId>& data, Elem elem);

 private:
  bool lower_comparison(const Inst& inst);
  std::vector<ValueId> computed(const Inst& inst);
  std::vector<ValueId> converted(const Inst& inst);
  std::vector<ValueId> both(Op op, ValueId left, ValueId right);
  RunStart start_of_run(ValueId mask, ValueId pointer);
  void load(const Inst& inst);
  void store(const Inst& inst);
  bool lower_mask(const Inst& inst);
  std::vector<ValueId> masks_of_words(const std::vector<ValueId>& masks, unsigned bytes);
  ValueId packed(Op pack, ValueId low, ValueId high, unsigned bytes);
  std::vector<ValueId> halved(Op pack, const std::vector<ValueId>& vectors);
  std::vector<ValueId> quartered(Op pack, Op pack_again, const std::vector<ValueId>& vectors);
  ValueId piece(const std::vector<ValueId>& vectors, size_t index, size_t of, unsigned element_bytes);

  X64Lowering& to;
  Emit& e;
};

}  // namespace kc::x64
