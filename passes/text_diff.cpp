// SPDX-License-Identifier: Apache-2.0
// The longest common subsequence of the lines between the first and the last that differ.
#include "passes/text_diff.h"

#include <algorithm>
#include <cstdint>
#include <vector>

namespace kc {
namespace {

constexpr size_t kContext = 2;
// Cells of the table; beyond them all lines in question count as replaced.
constexpr size_t kMaxCells = size_t{1} << 24;

struct DiffLine {
  char mark;
  std::string_view text;
};

std::vector<std::string_view> split_lines(std::string_view text) {
  std::vector<std::string_view> lines;
  while (!text.empty()) {
    const size_t end = std::min(text.find('\n'), text.size());
    lines.push_back(text.substr(0, end));
    text.remove_prefix(std::min(end + 1, text.size()));
  }
  return lines;
}

std::vector<DiffLine> compare(const std::vector<std::string_view>& a,
                              const std::vector<std::string_view>& b) {
  size_t begin = 0, tail = 0;
  const size_t shorter = std::min(a.size(), b.size());
  while (begin < shorter && a[begin] == b[begin]) ++begin;
  while (tail < shorter - begin && a[a.size() - 1 - tail] == b[b.size() - 1 - tail]) ++tail;
  const size_t n = a.size() - begin - tail, m = b.size() - begin - tail;
  const bool small = (n + 1) * (m + 1) <= kMaxCells;
  // common[i][j]: of the lines from i and from j on.
  std::vector<uint32_t> common(small ? (n + 1) * (m + 1) : 0);
  for (size_t i = small ? n : 0; i-- > 0;)
    for (size_t j = m; j-- > 0;)
      common[i * (m + 1) + j] = a[begin + i] == b[begin + j]
                                    ? common[(i + 1) * (m + 1) + j + 1] + 1
                                    : std::max(common[(i + 1) * (m + 1) + j], common[i * (m + 1) + j + 1]);
  std::vector<DiffLine> all;
  for (size_t i = 0; i < begin; ++i) all.push_back({' ', a[i]});
  for (size_t i = 0, j = 0; i < n || j < m;) {
    if (small && i < n && j < m && a[begin + i] == b[begin + j])
      all.push_back({' ', a[begin + i]}), ++i, ++j;
    else if (i < n && (!small || j == m || common[(i + 1) * (m + 1) + j] >= common[i * (m + 1) + j + 1]))
      all.push_back({'-', a[begin + i++]});
    else
      all.push_back({'+', b[begin + j++]});
  }
  for (size_t i = a.size() - tail; i < a.size(); ++i) all.push_back({' ', a[i]});
  return all;
}

}  // namespace

std::string line_diff(std::string_view before, std::string_view now) {
  const auto a = split_lines(before), b = split_lines(now);
  const std::vector<DiffLine> all = compare(a, b);
  std::vector<bool> shown(all.size());
  for (size_t i = 0; i < all.size(); ++i)
    if (all[i].mark != ' ')
      for (size_t k = i < kContext ? 0 : i - kContext; k < std::min(all.size(), i + kContext + 1); ++k)
        shown[k] = true;
  std::string text;
  for (size_t i = 0; i < all.size(); ++i) {
    if (shown[i]) {
      text += all[i].mark;
      text.append(all[i].text) += '\n';
    } else if (i == 0 || shown[i - 1]) {
      text += "...\n";
    }
  }
  return text;
}

}  // namespace kc
