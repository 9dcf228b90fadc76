// SPDX-License-Identifier: Apache-2.0
#include "driver/compare.h"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstring>

#include "ir/text.h"

namespace kc {
namespace {

// Distance of two floats counted in representable values.
template <typename I>
uint64_t ulp_distance(uint64_t a, uint64_t b) {
  auto order = [](I bits) {
    constexpr auto sign = static_cast<I>(I{1} << (sizeof(I) * 8 - 1));
    return bits & sign ? -static_cast<int64_t>(bits & ~sign) : static_cast<int64_t>(bits);
  };
  int64_t p = order(static_cast<I>(a)), q = order(static_cast<I>(b));
  return p > q ? static_cast<uint64_t>(p) - static_cast<uint64_t>(q)
               : static_cast<uint64_t>(q) - static_cast<uint64_t>(p);
}

uint64_t distance(const ElementType& type, uint64_t a, uint64_t b) {
  if (a == b) return 0;
  if (!type.is_float()) return UINT64_MAX;
  const bool nan = std::isnan(float_value(type, a));
  if (nan != std::isnan(float_value(type, b))) return UINT64_MAX;
  if (nan) return 0;
  // -0 and +0 are different bits: at distance 0 in value, so count them as one.
  return std::max<uint64_t>(1, type.bytes() == 2   ? ulp_distance<uint16_t>(a, b)
                               : type.bytes() == 4 ? ulp_distance<uint32_t>(a, b)
                                                   : ulp_distance<uint64_t>(a, b));
}

}  // namespace

Difference compare_buffers(const KernelArguments& want, const KernelArguments& got, uint64_t allowed,
                           std::span<const std::vector<uint8_t>> open) {
  Difference d;
  for (size_t k = 0; k < want.buffers.size(); ++k) {
    const BufferArg& b = want.buffers[k];
    const ElementType type = b.pointee.value_or(b.type);
    const size_t size = type.bytes(), n = b.bytes.size() / size;
    if (n && std::memcmp(b.bytes.data(), got.buffers[k].bytes.data(), n * size) == 0) continue;
    auto is_open = [&](size_t i) {
      if (k >= open.size()) return false;
      auto first = open[k].begin() + static_cast<std::ptrdiff_t>(i * size);
      return std::any_of(first, first + static_cast<std::ptrdiff_t>(size),
                         [](uint8_t flag) { return flag != 0; });
    };
    for (size_t i = 0; i < n; ++i) {
      uint64_t x = load_element(b, type, i), y = load_element(got.buffers[k], type, i);
      uint64_t ulp = distance(type, x, y);
      if (ulp == 0 || is_open(i)) continue;
      ++d.elements;
      d.largest = std::max(d.largest, ulp);
      if (ulp > allowed && d.first.empty())
        d.first = fmt::format("{}[{}] is {}, expected {}", b.name, i, format_element(type, y),
                              format_element(type, x));
    }
  }
  return d;
}

std::string compare_printed(const PrintedText& want, const PrintedText& got) {
  if (want.lost || got.lost || want.text == got.text) return {};
  auto line = [](std::string_view text, size_t at) {
    size_t begin = at == 0 ? 0 : text.rfind('\n', at - 1) + 1;
    return text.substr(begin, text.find('\n', at) - begin).substr(0, 60);
  };
  size_t at = static_cast<size_t>(std::ranges::mismatch(want.text, got.text).in1 - want.text.begin());
  auto number = 1 + std::count(want.text.begin(), want.text.begin() + static_cast<std::ptrdiff_t>(at), '\n');
  return fmt::format("prints '{}' in line {} and not '{}'", line(got.text, at), number, line(want.text, at));
}

bool same_trap(const std::optional<TrapReport>& a, const std::optional<TrapReport>& b) {
  if (!a || !b) return a.has_value() == b.has_value();
  const TrapSite &x = a->site, &y = b->site;
  if (x.kind != y.kind || x.type != y.type || x.loc != y.loc || a->global_id != b->global_id ||
      a->count != b->count)
    return false;
  // Which buffer a pointer comes from, and by which steps, may show only after some passes.
  if (x.kind == TrapKind::OutOfBounds && (x.object.empty() || y.object.empty())) return true;
  return x.object == y.object && a->value == b->value;
}

bool both_meet_no_more(const std::optional<TrapReport>& a, const std::optional<TrapReport>& b) {
  return a && b && a->site.kind == TrapKind::DivergentBarrier && b->site.kind == TrapKind::DivergentBarrier;
}

std::string describe(const OrderDependence& dependence, const Function& kernel) {
  const auto& [kind, first, second] = dependence;
  const std::string lines =
      first.file || second.file
          ? fmt::format("{} and {}", describe_line(kernel, first), describe_line(kernel, second))
          : fmt::format("lines {} and {}", first.line, second.line);
  return fmt::format(
      "{} {}", lines,
      kind == OrderDependence::Race ? "race" : "depend on the order of their atomic operations");
}

}  // namespace kc
