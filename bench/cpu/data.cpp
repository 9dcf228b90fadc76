// SPDX-License-Identifier: Apache-2.0
#include "cpu/data.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <map>
#include <string_view>
#include <vector>

namespace kc::bench {
namespace {

using Numbers = std::vector<int64_t>;

class Random {
 public:
  explicit Random(int64_t seed) : state_(static_cast<uint64_t>(seed) * 2 + 1) {}
  uint64_t next() {
    state_ = state_ * 6364136223846793005u + 1442695040888963407u;
    return state_ >> 33;
  }
  uint64_t below(uint64_t n) { return next() % n; }
  double unit() { return static_cast<double>(next()) * 0x1p-31; }

 private:
  uint64_t state_;
};

template <typename T>
void append(std::string& bytes, T value) {
  bytes.append(reinterpret_cast<const char*>(&value), sizeof value);
}

// row_starts(rows, mean, elements, seed): where the rows of a sparse matrix start, and where the last one
// ends, in arrays of so many elements. Lengths have a power law: a few rows are a hundred times as long as
// most.
std::string row_starts(const Numbers& n) {
  Random random(n[3]);
  const double mean = static_cast<double>(n[1]);
  std::string bytes;
  int32_t at = 0;
  append(bytes, at);
  for (int64_t i = 0; i < n[0]; ++i) {
    const double tail = std::pow(1.0 - random.unit(), -0.8);
    at = std::min(at + static_cast<int32_t>(std::min(mean * 0.25 * tail, mean * 64)),
                  static_cast<int32_t>(n[2]));
    append(bytes, at);
  }
  return bytes;
}

// text(lines): lines of 256 bytes of a small language.
std::string text(const Numbers& n) {
  constexpr std::array<std::string_view, 16> words{
      "alpha", "beta_2",         "x",  "\"text\"", "\"a\\n\\\"b\"", "42",  "3.14", "0", ",",
      ";",     "long_name_here", "cc", "1999",     "\"\"",          "8.5", "z_z"};
  std::string all;
  uint64_t seed = 1;
  for (int64_t line = 0; line < n[0]; ++line) {
    std::string one;
    while (one.size() < 256) {
      seed = seed * 6364136223846793005u + 1442695040888963407u;
      one.append(words[seed >> 60]).append(" ");
    }
    one.resize(256);
    all += one;
  }
  return all;
}

// numbers(lines): lines of 64 bytes of decimal numbers, some with signs and fractions, between commas.
std::string numbers(const Numbers& n) {
  Random random(3);
  std::string all;
  for (int64_t line = 0; line < n[0]; ++line) {
    std::string one;
    while (one.size() < 64) {
      if (random.below(4) == 0) one += '-';
      one += std::to_string(random.below(uint64_t{1} << random.below(20)));
      if (random.below(3) == 0) one += '.' + std::to_string(random.below(1000));
      one += random.below(8) ? "," : " ,";
    }
    one.resize(64);
    one.back() = '\n';
    all += one;
  }
  return all;
}

// programs(count, length): byte code of a stack machine with eight operations; no jump goes out of a program,
// and no stack is deeper than 16.
std::string programs(const Numbers& n) {
  Random random(4);
  std::string all;
  for (int64_t p = 0; p < n[0]; ++p) {
    int depth = 0;
    for (int64_t i = 0; i < n[1]; ++i) {
      uint64_t op = random.below(8);
      if (depth < 2) op = 0;
      if (depth > 14) op = 1 + random.below(3);
      depth += op == 0 || op == 7 ? 1 : op <= 4 ? -1 : 0;
      all += static_cast<char>(op << 4 | random.below(16));
    }
  }
  return all;
}

// boxes(levels): a complete binary tree of nested boxes over random spheres, level by level, eight floats a
// node: least corner, radius of a leaf's sphere, greatest corner, nothing.
std::string boxes(const Numbers& n) {
  Random random(5);
  const size_t leaves = size_t{1} << n[0], nodes = 2 * leaves - 1;
  struct Sphere {
    std::array<float, 3> centre;
    float radius;
  };
  std::vector<Sphere> spheres(leaves);
  for (Sphere& s : spheres) {
    for (float& c : s.centre) c = static_cast<float>(random.unit() * 2 - 1);
    s.radius = static_cast<float>(0.01 + 0.03 * random.unit());
  }
  // Median splits, x, y and z in turn.
  for (size_t width = leaves, axis = 0; width > 1; width /= 2, axis = (axis + 1) % 3)
    for (size_t from = 0; from < leaves; from += width)
      std::sort(spheres.begin() + static_cast<std::ptrdiff_t>(from),
                spheres.begin() + static_cast<std::ptrdiff_t>(from + width),
                [&](const Sphere& a, const Sphere& b) { return a.centre[axis] < b.centre[axis]; });
  std::vector<std::array<float, 8>> tree(nodes);
  for (size_t i = nodes; i-- > 0;) {
    auto& t = tree[i];
    if (i >= leaves - 1) {
      const Sphere& s = spheres[i - (leaves - 1)];
      for (size_t k = 0; k < 3; ++k) t[k] = s.centre[k] - s.radius, t[4 + k] = s.centre[k] + s.radius;
      t[3] = s.radius;
    } else {
      const auto &a = tree[2 * i + 1], &b = tree[2 * i + 2];
      for (size_t k = 0; k < 3; ++k) t[k] = std::min(a[k], b[k]), t[4 + k] = std::max(a[4 + k], b[4 + k]);
    }
  }
  return {reinterpret_cast<const char*>(tree.data()), nodes * sizeof tree[0]};
}

// clamped(n, by): i + by for all i below n, but not outside of 0 to n - 1.
std::string clamped(const Numbers& n) {
  std::string bytes;
  for (int64_t i = 0; i < n[0]; ++i)
    append(bytes, static_cast<int32_t>(std::clamp<int64_t>(i + n[1], 0, n[0] - 1)));
  return bytes;
}

struct Generator {
  size_t numbers;
  std::string (*make)(const Numbers&);
};
const std::map<std::string_view, Generator> kGenerators{
    {"row_starts", {4, row_starts}}, {"text", {1, text}},   {"numbers", {1, numbers}},
    {"programs", {2, programs}},     {"boxes", {1, boxes}}, {"clamped", {2, clamped}}};

}  // namespace

std::expected<std::string, std::string> generate(const std::string& call) {
  const size_t open = call.find('(');
  const auto found = kGenerators.find(std::string_view(call).substr(0, open));
  if (open == std::string::npos || found == kGenerators.end())
    return std::unexpected(fmt::format("no generator '{}'", call));
  Numbers numbers;
  for (size_t at = open + 1; at < call.size();) {
    const size_t end = call.find_first_of(",)", at);
    if (end == std::string::npos || end == at) return std::unexpected(fmt::format("cannot read '{}'", call));
    numbers.push_back(std::stoll(call.substr(at, end - at)));
    at = end + 1;
  }
  if (numbers.size() != found->second.numbers)
    return std::unexpected(fmt::format("'{}' takes {} numbers", found->first, found->second.numbers));
  return found->second.make(numbers);
}

}  // namespace kc::bench
