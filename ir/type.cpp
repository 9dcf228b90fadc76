// SPDX-License-Identifier: Apache-2.0
#include "ir/type.h"

#include <array>

namespace kc {
namespace {

struct ElemInfo {
  std::string_view name;
  unsigned bits;
};
constexpr std::array<ElemInfo, static_cast<size_t>(Elem::Count_)> kElems{{
    {"void", 0},
    {"i1", 1},
    {"i8", 8},
    {"i16", 16},
    {"i32", 32},
    {"i64", 64},
    {"f32", 32},
    {"f64", 64},
    {"ptr<global>", 64},
    {"ptr<constant>", 64},
    {"ptr<local>", 32},
    {"ptr<private>", 32},
    {"mask", 0},
    {"gpr", 0},
    {"vec", 0},
    {"k", 0},
    {"s", 0},
    {"v", 0},
}};

}  // namespace

unsigned Type::bits() const { return kElems[static_cast<size_t>(elem)].bits; }

std::string to_string(Type type) {
  std::string name(kElems[static_cast<size_t>(type.elem)].name);
  if (type.regs != 1) name += std::to_string(type.regs);
  return type.lane ? "lane<" + name + ">" : name;
}

std::optional<Type> parse_type(std::string_view text) {
  if (text.starts_with("lane<") && text.ends_with(">")) {
    auto inner = parse_type(text.substr(5, text.size() - 6));
    if (!inner || inner->lane || inner->is_mask() || inner->is_register() || inner->is_void())
      return std::nullopt;
    return inner->lanes();
  }
  for (size_t i = 0; i < kElems.size(); ++i)
    if (kElems[i].name == text) return Type{static_cast<Elem>(i)};
  if (text.size() >= 2 && text.size() <= 3 && (text[0] == 's' || text[0] == 'v')) {
    unsigned n = 0;
    for (char c : text.substr(1)) {
      if (c < '0' || c > '9') return std::nullopt;
      n = n * 10 + static_cast<unsigned>(c - '0');
    }
    if (n >= 2 && n <= 16) return text[0] == 's' ? sgpr(n) : vgpr(n);
  }
  return std::nullopt;
}

}  // namespace kc
