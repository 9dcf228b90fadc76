// SPDX-License-Identifier: Apache-2.0
// The functions of the math library: how each is called, how exact it must be, and what is right.
#pragma once
#include <string>
#include <vector>

namespace kc::test {

enum class Arguments { One, Two, Int };  // f(x), f(x, y), f(x, int)

/// The value in more precision than the function has: double for float, __float128 for double.
template <class Wide>
using Reference = Wide (*)(Wide x, Wide y);

struct MathFunction {
  std::string name;
  Arguments arguments = Arguments::One;
  double ulp = 0;            // OpenCL 1.2, section 7.4; both types
  double low = 0, high = 0;  // where most arguments matter; special values and random bits are tried besides
  Reference<double> of_double = nullptr;
  Reference<__float128> of_quad = nullptr;
  std::string call = {};  // an expression in x, y, n and the type T, where it is not "name(x, y)"
};

const std::vector<MathFunction>& math_functions();

}  // namespace kc::test
