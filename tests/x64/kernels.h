// SPDX-License-Identifier: Apache-2.0
// Wave functions for the tests: one for each typing of the elementwise rows, and some with control flow.
#pragma once

#include <string>
#include <vector>

#include "ir/op.h"

namespace kc::test {

struct Case {
  Op op;
  std::vector<Elem> args;
  Elem result;
};
/// All typings of the elementwise rows, from the table itself.
std::vector<Case> cases();
/// out[i] = op(a[i], b[i], c[i]); i1 is stored as a byte.
std::string kernel(Op op, const std::vector<Elem>& args, Elem result, unsigned width, bool lanes);
/// Iterations of n -> n/2 or 3n+1 until 1: one loop for all lanes of the wave.
std::string collatz(unsigned width);
/// out[i * 3 + 1] = table[index[i]]: a gather and a scatter with a tail.
std::string indirect(unsigned width, const std::string& elem, unsigned bytes, bool wide_index);
/// out[i ^ distance] = in[i & ~distance], only for i with the bits of `only`, unless that is 0: nearby or
/// distant elements.
std::string neighbours(unsigned width);
/// A loop whose uniform test comes first; lanes whose value has grown enough leave with their sum.
std::string uniform_steps(unsigned width);
/// z = z*z + c until it leaves the circle: the customary benchmark loop of vector machines.
std::string mandelbrot(unsigned width);
/// Some kernels of each kind.
std::vector<std::string> all_kernels();

}  // namespace kc::test
