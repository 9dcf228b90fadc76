// SPDX-License-Identifier: Apache-2.0
#include "bench/compile/shapes.h"

#include <fmt/format.h>

#include <iterator>

namespace kc {
namespace {

constexpr size_t kDepth = 40;  // of nested branches

// A kernel around the lines that `line` writes for 0, 1, ... below `count`. {} in a line is the number.
std::string kernel(size_t count, std::string (*line)(size_t), const char* before = "",
                   const char* after = "") {
  std::string text = fmt::format(
      "kernel void k(global int* o, global const int* a, int n) {{\n"
      "  int i = get_global_id(0), x = a[i], y = a[i + n], z = 1;\n{}",
      before);
  for (size_t k = 0; k < count; ++k) text += line(k);
  return text + after + "  o[i] = x + y + z;\n}\n";
}

std::string straight(size_t n) {
  return kernel(n / 2, [](size_t k) {
    return fmt::format("  x = x * {} + (y ^ {}); y += x >> {};\n", 2 * k + 3, k, k % 7 + 1);
  });
}

std::string branches(size_t n) {
  return kernel(n / 3, [](size_t k) {
    return fmt::format("  if (x > {0}) {{ y += x * {0}; }} else {{ x ^= a[i + {0}]; }}\n", k + 2);
  });
}

std::string nested(size_t n) {
  return kernel(n / (2 * kDepth), [](size_t k) {
    std::string text;
    for (size_t d = 0; d < kDepth; ++d)
      text += fmt::format("  if (x > {}) {{ y += a[i + {}];\n", k * kDepth + d, d);
    return text + "  x += y;\n" + std::string(kDepth, '}') + "\n";
  });
}

std::string cases(size_t n) {
  return kernel(
      n / 3,
      [](size_t k) { return fmt::format("  case {}: y += x * {}; x ^= a[y & 1023]; break;\n", k, k + 3); },
      "  for (int j = 0; j < n; j++) switch (x & 0xfffff) {\n", "  default: x++; }\n");
}

std::string loops(size_t n) {
  return kernel(n / 4, [](size_t k) {
    return fmt::format("  for (int j = 0; j < (x & {}); j++) {{ y += a[j + {}] * x; x ^= y; }}\n", k % 31 + 1,
                       k);
  });
}

std::string calls(size_t n) {
  return "int f(int x, int y, int k) { if (x > k) return x * y + k; y ^= x; return y - k; }\n" +
         kernel(n / 4, [](size_t k) { return fmt::format("  x = f(x, y, {}); y += x;\n", k); });
}

std::string arrays(size_t n) {
  return kernel(n / 8, [](size_t k) {
    return fmt::format(
        "  {{ int t[8]; for (int j = 0; j < 8; j++) t[j] = x * j + {}; y += t[x & 7]; x ^= t[y >> 3 & 7]; "
        "}}\n",
        k);
  });
}

// All of them at once, across a loop.
std::string live(size_t n) {
  std::string sums = "  for (int j = 0; j < n; j++) if (a[j] > x) { y += j; } else x += 2;\n";
  for (size_t k = 0; k < n / 2; ++k) sums += fmt::format("  z += v{} * x;\n", k);
  return kernel(
      n / 2, [](size_t k) { return fmt::format("  int v{} = a[i * {}] ^ y;\n", k, k + 1); }, "",
      sums.c_str());
}

std::string accesses(size_t n) {
  return kernel(n / 2, [](size_t k) { return fmt::format("  o[i * 3 + {0}] = a[i + {0}] + x;\n", k); });
}

std::string expression(size_t n) {
  return kernel(
      n, [](size_t k) { return fmt::format("  + (a[i + {}] * y)\n", k); }, "  x =\n", ";\n");
}

std::string continues(size_t n) {
  return kernel(
      n / 3,
      [](size_t k) {
        return fmt::format("  if (a[j + {0}] == x) {{ y += {0}; continue; }} x += y & {0};\n", k);
      },
      "  for (int j = 0; j < n; j++) {\n", "  }\n");
}

std::string returns(size_t n) {
  return kernel(n / 3, [](size_t k) {
    return fmt::format("  if (a[i + {0}] == x) {{ o[i] = {0}; return; }} x += y & {0};\n", k);
  });
}

std::string floats(size_t n) {
  return kernel(
      n / 3,
      [](size_t k) {
        return fmt::format("  f = f * {0}.5f + g; g = fma(f, g, 2.0f) / ({0}.0f + f); f = sqrt(g);\n", k);
      },
      "  float f = x, g = y;\n", "  z = f;\n");
}

constexpr KernelShape kShapes[] = {
    {"straight code", straight},
    {"branches", branches},
    {"nested branches", nested},
    {"cases", cases},
    {"loops", loops},
    {"calls", calls},
    {"arrays", arrays},
    {"live values", live},
    {"accesses", accesses},
    {"one expression", expression},
    {"continue", continues},
    {"returns", returns},
    {"floating point", floats},
};

}  // namespace

std::span<const KernelShape> kernel_shapes() { return kShapes; }

}  // namespace kc
