// SPDX-License-Identifier: Apache-2.0
#include "ir/fold.h"

#include <array>
#include <bit>
#include <limits>

namespace kc {
namespace {

constexpr int64_t kFloatFolds = 4;

struct FoldRow {
  Op integer, floating;
};
constexpr std::array<FoldRow, static_cast<size_t>(Fold::Count_)> kRows{{
    {Op::add, Op::fadd},
    {Op::mul, Op::fmul},
    {Op::smin, Op::fmin},
    {Op::smax, Op::fmax},
    {Op::umin, Op::Count_},
    {Op::umax, Op::Count_},
    {Op::and_, Op::Count_},
    {Op::or_, Op::Count_},
    {Op::xor_, Op::Count_},
}};

template <typename T>
T float_identity(Fold fold) {
  switch (fold) {
    case Fold::Mul:
      return 1;
    case Fold::Smin:
      return std::numeric_limits<T>::infinity();
    case Fold::Smax:
      return -std::numeric_limits<T>::infinity();
    default:
      return 0;
  }
}

}  // namespace

bool is_fold(int64_t fold, Type type) {
  const int64_t count = type.is_float() ? kFloatFolds : static_cast<int64_t>(Fold::Count_);
  return fold >= 0 && fold < count;
}

Op fold_op(int64_t fold, Type type) {
  const FoldRow& row = kRows[static_cast<size_t>(fold)];
  return type.is_float() ? row.floating : row.integer;
}

uint64_t fold_identity(int64_t fold, Type type) {
  const Fold which = static_cast<Fold>(fold);
  if (type.elem == Elem::F32) return std::bit_cast<uint32_t>(float_identity<float>(which));
  if (type.elem == Elem::F64) return std::bit_cast<uint64_t>(float_identity<double>(which));
  const uint64_t all = ~uint64_t{0} >> (64 - type.bits()), sign = uint64_t{1} << (type.bits() - 1);
  switch (which) {
    case Fold::Mul:
      return 1;
    case Fold::Smin:
      return all ^ sign;
    case Fold::Smax:
      return sign;
    case Fold::Umin:
    case Fold::And:
      return all;
    default:
      return 0;
  }
}

}  // namespace kc
