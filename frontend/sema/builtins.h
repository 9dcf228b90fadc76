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
  WorkDim,   // uint f(), also of sub-groups
  Barrier,   // void f(flags); also Fence
  Fence,
  Assert,          // void f(condition)
  Printf,          // int f(literal, ...)
  Prefetch,        // void f(pointer, size_t)
  AsyncCopy,       // event_t f(pointer, pointer, size_t, event_t); with a stride in front of the event
  AsyncWait,       // void f(int, pointer to event_t)
  Atomic,          // T f(pointer to T, T...)
  AtomicOrdered,   // the signedness of T decides
  AtomicExchange,  // T may be float
  AtomicStep,      // T f(pointer to T)
  SubGroupBallot,  // ulong f(int)
  SubGroupVote,    // int f(int), int f()
  SubGroupEqual,   // int f(T)
  SubGroupLane,    // T f(T, lane)
  SubGroupFold,    // T f(T)
  SubGroupBits,    // the same of integers
  BallotMask,      // uint4 f(int), uint4 f()
  BallotQuery,     // int or uint f(uint4), f(uint4, uint)
  Geometric,       // of vectors of floats as a whole
  Quantifier,      // int f(integers)
  Shuffle,         // T f(T, indices), T f(T, T, indices)
  Number,          // integers, or floats, to one of their type
  Select,          // T f(T, T, integer of T's size)
  Integer,         // integers to an integer of their type
  Unsigned,        // integers to the unsigned integer of their type
  Upsample,        // integer and unsigned integer to one of twice the width
  Float,           // floats to a float of their type
  FloatTest,       // floats to int
  FromBits,        // float f(uint), double f(ulong)
  Scale,           // float f(float, int)
  Split,           // float f(float, pointer to float)
  SplitExponent,   // float f(float, pointer to int)
  SplitQuotient,   // float f(float, float, pointer to int)
};

/// Beside the fold of a scan: without the work-item itself.
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

  /// Whether a call does anything but give a value.
  bool has_effects() const;
  /// Whether the work-items of a group wait for each other in it.
  bool is_barrier() const;
  /// Whether work-items of a sub-group meet in it.
  bool is_meeting() const;
};

/// How `convert_T` rounds where the exact value is not in T.
enum class Rounding : uint8_t { Default, ToEven, ToZero, Up, Down };
struct Conversion {
  TypeShape to;
  bool saturate = false;
  Rounding rounding = Rounding::Default;
};

/// `vloadN`, `vstoreN`, and those of `half`.
struct VectorAccess {
  unsigned length = 1;
  bool store = false;
  bool half = false;
  bool padded = false;  // three components take the place of four
  Rounding rounding = Rounding::Default;
};

const BuiltinRow* find_builtin(std::string_view name);
std::vector<std::string_view> builtin_names();
// A function of OpenCL C that this version does not have.
bool is_unsupported_builtin(std::string_view name);
// `convert_T`, `convert_T_sat`, `convert_T_rte`, ... with a T of numbers.
std::optional<Conversion> find_conversion(std::string_view name);
// `vload4`, `vstore_half3_rtz`, `vloada_half8`, ...
std::optional<VectorAccess> find_vector_access(std::string_view name);
// `as_T` with a T of numbers.
std::optional<TypeShape> find_reinterpretation(std::string_view name);

}  // namespace kc::front
