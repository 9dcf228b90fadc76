// SPDX-License-Identifier: Apache-2.0
// The typings of the elementwise rows, and edge-case operands.
#pragma once

#include <random>
#include <string>
#include <vector>

#include "ir/op.h"

namespace kc::test {

struct Case {
  Op op;
  std::vector<Elem> operands;
  Elem result = Elem::Void;
};
/// Every typing of the opcode that the verifier accepts; elements only, no masks.
std::vector<Case> cases_of(Op op);
std::vector<Elem> elems_of(TypeSet set);
std::string describe(const Case& c);

/// Zeros, ones, extremes, halves, NaNs of both kinds, denormals, limits of other types.
std::vector<uint64_t> edges(Elem e);
/// One of the edges, or random bits; random floats mostly have nearby exponents.
uint64_t draw(Elem e, const std::vector<uint64_t>& edge, std::mt19937_64& random);
/// The same bits, or both NaN.
bool same(Elem e, uint64_t a, uint64_t b);

/// Without directives that a file may contain only once, so that several kernels fit in one file.
std::string without_metadata(const std::string& assembly);

}  // namespace kc::test
