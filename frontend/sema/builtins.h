// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <optional>
#include <string_view>
#include <vector>

#include "frontend/sema/types.h"
#include "ir/op.h"

namespace kc::front {

enum class BuiltinShape : uint8_t {
  WorkItem,  // size_t f(uint dimension)
  LinearId,  // size_t f()
  WorkDim,   // uint f(); sub-group queries, too
  Barrier,   // void f(flags); also Fence
  Fence,
  Assert,          // void f(condition)
  Printf,          // int f(literal, ...)
  Prefetch,        // void f(pointer, size_t)
  AsyncCopy,       // event_t f(pointer, pointer, size_t, event_t); a stride precedes the event
  AsyncWait,       // void f(int, pointer to event_t)
  CopyBytes,       // void f(pointer, pointer, size_t)
  SetBytes,        // void f(pointer, int, size_t)
  Atomic,          // T f(pointer to T, T...)
  AtomicOrdered,   // T's signedness selects the op
  AtomicExchange,  // T may be float
  AtomicObject,    // loads, stores, comparisons of OpenCL C 2.0; may end in memory orders and a scope
  AtomicStep,      // T f(pointer to T)
  IntegerDot,      // int or uint f(four bytes, four bytes), f(four bytes, four bytes, T); see builtins.def
  SubGroupBallot,  // ulong f(int)
  SubGroupVote,    // int f(int), int f()
  SubGroupEqual,   // int f(T)
  SubGroupLane,    // T f(T, lane)
  SubGroupFold,    // T f(T)
  SubGroupBits,    // T f(T), integers only
  GroupVote,       // int f(int)
  GroupBroadcast,  // T f(T, x), f(T, x, y), f(T, x, y, z)
  GroupFold,       // T f(T), after promotion
  BallotMask,      // uint4 f(int), uint4 f()
  BallotQuery,     // int or uint f(uint4), f(uint4, uint)
  Geometric,       // whole vectors of floats
  Quantifier,      // int f(integers)
  Shuffle,         // T f(T, indices), T f(T, T, indices)
  Number,          // integers or floats, result of the same type
  Select,          // T f(T, T, integer of T's size)
  Integer,         // integers, result an integer of the same type
  Unsigned,        // integers, result unsigned of the same width
  Upsample,        // integer and unsigned, result of twice the width
  Float,           // floats, result of the same type
  FloatTest,       // floats to int
  FromBits,        // float f(uint), double f(ulong)
  Scale,           // float f(float, int)
  Split,           // float f(float, pointer to float)
  SplitExponent,   // float f(float, pointer to int)
  SplitQuotient,   // float f(float, float, pointer to int)
};

/// Combined with the fold of a scan: the scan excludes the work-item's own value.
inline constexpr int kExclusiveScan = 16;

enum class Builtin : uint16_t {
#define BUILTIN(name, ...) name,
#define PRELUDE(name, ...) name,
#include "frontend/sema/builtins.def"
#undef BUILTIN
#undef PRELUDE
};

struct BuiltinRow {
  std::string_view name;
  Builtin id{};
  BuiltinShape shape{};
  int parameters = 0;
  Op op{};
  int otherwise = 0;        // of folds: a Fold, and kExclusiveScan
  bool in_prelude = false;  // written in the kernel language

  /// Whether a call has an effect besides its value.
  bool has_effects() const;
  /// Whether the call is a barrier of the work-group.
  bool is_barrier() const;
  /// Whether all work-items of a group get the same result.
  bool is_same_in_group() const;
  /// Whether the call is a convergent sub-group operation.
  bool is_meeting() const;
  /// Of reductions and scans: the Fold of values of this type, which selects signed or unsigned extremes.
  int64_t fold_of(const Type* type) const;
  bool is_exclusive() const { return (otherwise & kExclusiveScan) != 0; }
};

/// How `convert_T` rounds a value that T cannot represent exactly.
enum class Rounding : uint8_t { Default, ToEven, ToZero, Up, Down };
struct Conversion {
  TypeShape to;
  bool saturate = false;
  Rounding rounding = Rounding::Default;
};

/// `vloadN`, `vstoreN`, and their `half` variants.
struct VectorAccess {
  unsigned length = 1;
  bool store = false;
  bool half = false;
  bool padded = false;  // three components occupy the space of four
  Rounding rounding = Rounding::Default;
};

/// A function of GCC and clang that is one of this language on numbers of `type`.
struct GnuFunction {
  const BuiltinRow* row;
  TypeKind type;
};
/// `__builtin_sqrt`, `__builtin_sqrtf`, ...
std::optional<GnuFunction> find_gnu_function(std::string_view name);
/// Whether the language defines a function of this name.
bool is_language_function(std::string_view name);
const BuiltinRow* find_builtin(std::string_view name);
std::vector<std::string_view> builtin_names();
/// The function that a misspelt name of a family of functions (`convert_uint_satt`, `atomic_ad`) may mean.
std::vector<std::string_view> functions_near(std::string_view name);
// Whether this is a function of OpenCL C that this version does not implement.
bool is_unsupported_builtin(std::string_view name);
// `convert_T`, `convert_T_sat`, `convert_T_rte`, ... for an arithmetic T.
std::optional<Conversion> find_conversion(std::string_view name);
// `vload4`, `vstore_half3_rtz`, `vloada_half8`, ...
std::optional<VectorAccess> find_vector_access(std::string_view name);
// `as_T` for an arithmetic T.
std::optional<TypeShape> find_reinterpretation(std::string_view name);

}  // namespace kc::front
