// SPDX-License-Identifier: Apache-2.0
// Runs a math function on an engine for many arguments, and measures the error of its results.
#pragma once
#include <cstdint>
#include <expected>
#include <string>
#include <vector>

#include "tests/prelude/functions.h"

namespace kc::test {

/// Arguments of one type, float or double.
template <class T>
struct Samples {
  std::vector<T> x, y;
  std::vector<int32_t> n;
};

/// Special values in all pairs, then random ones: over the range of the table, and over all bit patterns.
template <class T>
Samples<T> samples(const MathFunction& f, size_t count, uint64_t seed);

/// Evaluates an expression of the kernel language in x, y and n for each sample. The error is the reason for
/// failure.
template <class T>
std::expected<std::vector<T>, std::string> run_math(const std::string& expression, const std::string& engine,
                                                    const Samples<T>& samples);

/// "sin(x)"
std::string call_of(const MathFunction& f);

struct WorstError {
  double ulp = 0;
  size_t at = 0;  // index of the sample
};
/// 1e30 if only one of the two is NaN, or a zero has the wrong sign.
template <class T>
double error_in_ulp(T got, const MathFunction& f, T x, T y, int32_t n);
template <class T>
WorstError worst_error(const std::vector<T>& got, const MathFunction& f, const Samples<T>& samples);

}  // namespace kc::test
