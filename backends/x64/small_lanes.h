// SPDX-License-Identifier: Apache-2.0
// Lane values of 8 and 16 bits that are vectors of bytes and shorts: four or two times as many lanes in each
// register as words.
//
//   %2: lane<i16> = lane_load ...      one load for 32 lanes (AVX-512)
//   %3: lane<i16> = add %2, 3:i16      one vpaddw; as words two vpaddd and two instructions that cut them
//
// Values that are operands and results of each other's operations are decided on together: small, if this
// saves more than converting to words and back costs where other operations meet them.
#pragma once

#include <functional>
#include <optional>
#include <vector>

#include "backends/x64/byte_masks.h"
#include "ir/cfg.h"

namespace kc::x64 {

struct SmallModel {
  unsigned parts = 0;  // vectors of a lane value of words
  bool avx512 = false;
  /// Whether a load or store is of consecutive bytes or shorts.
  std::function<bool(InstId)> is_run;
  const ByteMasks& masks;
};

/// The bytes of the elements of a comparison or choice that vectors of bytes or shorts have; 4 of others.
unsigned small_size(const Function& f, const Inst& inst);

/// The upper half of a product of shorts: `trunc (lshr (mul (sext a) (sext b)) 16)`, or with zext.
struct HighProduct {
  ValueId a, b;
  bool is_signed;
};
std::optional<HighProduct> high_product(const Function& f, const Inst& inst);

/// A choice that is what saturates an unsigned sum or difference: a + b, or all ones if that is below a; a -
/// b, or zero if a is below b.
struct Saturated {
  ValueId a, b;
  bool is_sum;
};
std::optional<Saturated> saturated(const Function& f, const Inst& inst);

class SmallLanes {
 public:
  /// An analysis that keeps all values as words.
  SmallLanes() = default;
  SmallLanes(const Function& wave, const Cfg& cfg, const SmallModel& model);

  bool any() const { return any_; }
  /// Whether the value is vectors of bytes or shorts.
  bool has(ValueId v) const { return v.index < small_.size() && small_[v.index]; }
  /// Whether this operation works on bytes or shorts. False for loads and stores.
  bool computes(const Inst& inst) const;

 private:
  friend class SmallLanesFinder;
  const Function* f_ = nullptr;
  std::vector<bool> small_;
  bool any_ = false;
};

}  // namespace kc::x64
