// SPDX-License-Identifier: Apache-2.0
#include "ir/op.h"

#include <unordered_map>

#include "backends/gcn/isa/eval.h"
#include "backends/gcn/isa/table.h"
#include "backends/x64/isa/table.h"
#include "ir/check.h"
#include "ir/forever.h"

namespace kc {
namespace {

// Rows whose names are C++ keywords or operators carry a trailing underscore in C++ only.
constexpr std::string_view row_name(std::string_view id) {
  if (id.ends_with('_')) id.remove_suffix(1);
  return id;
}

}  // namespace

// In the order of the enumeration, which clang-format must not change.
// clang-format off
constexpr std::array<OpInfo, kOpCount> kOpTable{{
#define OP(id, ...) OpInfo{.name = row_name(#id), __VA_ARGS__},
#include "ir/common.def"
#include "ir/thread.def"
#include "ir/wave.def"
#include "backends/x64/isa/ops.def"
#include "backends/gcn/isa/ops.def"
#include "backends/gcn/isa/pseudo.def"
#undef OP
}};
// clang-format on
static_assert(kOpTable[static_cast<size_t>(Op::trap)].name == "trap" &&
              kOpTable[static_cast<size_t>(Op::uniform_load)].name == "uniform_load");

namespace {

SigItem parse_item(std::string_view text) {
  SigItem item;
  item.text = text;
  if (text.starts_with("l:"))
    item.shape = SigItem::MustLane, text.remove_prefix(2);
  else if (text.starts_with("u:"))
    item.shape = SigItem::MustUniform, text.remove_prefix(2);
  if (text.ends_with("*")) item.repeats = true, text.remove_suffix(1);
  while (!text.empty()) {
    size_t bar = text.find('|');
    std::string_view part = text.substr(0, bar);
    text = bar == std::string_view::npos ? std::string_view{} : text.substr(bar + 1);
    if (part == "T")
      item.type_t = true;
    else if (part == "U")
      item.type_u = true;
    else if (part == "any")
      item.any = true;
    else if (part == "imm")
      item.imm = true;
    else {
      auto type = parse_type(part);
      KC_CHECK(type.has_value(), "opcode table: '{}' is not a type", part);
      item.types.push_back(*type);
    }
  }
  return item;
}

SigShape parse_signature(std::string_view text) {
  SigShape shape;
  bool results = false;
  while (!text.empty()) {
    size_t space = text.find(' ');
    std::string_view word = text.substr(0, space);
    text = space == std::string_view::npos ? std::string_view{} : text.substr(space + 1);
    if (word.empty()) continue;
    if (word == "->")
      results = true;
    else
      (results ? shape.results : shape.operands).push_back(parse_item(word));
  }
  return shape;
}

}  // namespace

size_t OpInfo::attr_count() const {
  size_t n = 0;
  while (n < kMaxAttrs && !attrs[n].name.empty()) ++n;
  return n;
}

std::string_view to_string(Dialect dialect) {
  constexpr std::array<std::string_view, 4> names{"thread", "wave", "x64", "gcn"};
  return names[static_cast<size_t>(dialect)];
}

std::string_view name_of(Op op) { return info(op).name; }
std::string_view mnemonic_of(Op op) {
  const OpInfo& row = info(op);
  return row.machine.mnemonic.empty() ? row.name : row.machine.mnemonic;
}

Op find_op(Dialect dialect, std::string_view name) {
  using Map = std::unordered_map<std::string_view, Op>;
  static const auto& maps = forever([] {
    std::array<Map, 4> result;
    for (size_t d = 0; d < 4; ++d)
      for (size_t i = 0; i < kOpCount; ++i)
        if (kOpTable[i].dialects & (1u << d)) result[d].emplace(kOpTable[i].name, static_cast<Op>(i));
    return result;
  });
  const Map& map = maps[static_cast<size_t>(dialect)];
  auto it = map.find(name);
  return it == map.end() ? Op::Count_ : it->second;
}

const SigShape& signature_of(Op op) {
  static const auto& shapes = forever([] {
    std::vector<SigShape> result;
    result.reserve(kOpCount);
    for (const OpInfo& row : kOpTable) result.push_back(parse_signature(row.signature));
    return result;
  });
  return shapes[static_cast<size_t>(op)];
}

}  // namespace kc
