// SPDX-License-Identifier: Apache-2.0
// The functions of the math library: call syntax, required accuracy, and reference results.
#pragma once
#include <string>
#include <vector>

namespace kc::test {

enum class Arguments { One, Two, Int };  // f(x), f(x, y), f(x, int)

/// The reference value in higher precision: double for float, __float128 for double.
template <class Wide>
using Reference = Wide (*)(Wide x, Wide y);

struct MathFunction {
  std::string name;
  Arguments arguments = Arguments::One;
  double ulp = 0;            // OpenCL 1.2, section 7.4; both types
  double low = 0, high = 0;  // the main range of arguments; special values and random bits are tested as well
  Reference<double> of_double = nullptr;
  Reference<__float128> of_quad = nullptr;
  std::string call = {};  // an expression in x, y, n and the type T, if it is not "name(x, y)"
};

const std::vector<MathFunction>& math_functions();

}  // namespace kc::test
