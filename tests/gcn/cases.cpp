// SPDX-License-Identifier: Apache-2.0
#include "tests/gcn/cases.h"

#include <bit>
#include <cmath>
#include <limits>

#include "ir/function.h"
#include "ir/verify.h"

namespace kc::test {
namespace {

Elem elem_of(const SigItem& item, Elem t, Elem u) {
  if (item.type_t) return t;
  if (item.type_u) return u;
  return item.types.front().elem;
}

bool accepted(const Case& c) {
  Function f;
  f.name = "k", f.dialect = Dialect::Wave, f.width = 64;
  Builder b(f);
  b.block = f.add_block();
  std::vector<ValueId> operands;
  for (Elem e : c.operands) {
    operands.push_back(f.add_param(b.block, Type{e}));
    f.params.push_back({.name = "p"});
  }
  b.make(c.op, Type{c.result}, operands);
  b.ret();
  return verify(f).empty();
}

template <typename F, typename Bits>
std::vector<uint64_t> float_edges() {
  using L = std::numeric_limits<F>;
  std::vector<uint64_t> r;
  for (F x : {F(0), F(1), F(0.5), F(1.5), F(2.5), L::denorm_min(), L::min() / 2, L::min(), L::max(),
              L::infinity(), L::quiet_NaN(), L::signaling_NaN(), 1 - L::epsilon(), F(127.5), F(65535.5),
              F(2147483648.0), F(4294967296.0), F(9223372036854775808.0), F(18446744073709551616.0)})
    for (Bits sign : {Bits{0}, Bits{1} << (8 * sizeof(Bits) - 1)}) r.push_back(std::bit_cast<Bits>(x) ^ sign);
  return r;
}

}  // namespace

std::vector<Elem> elems_of(TypeSet set) {
  std::vector<Elem> elems;
  for (unsigned e = 0; e < static_cast<unsigned>(Elem::Count_); ++e)
    if (set & (1u << e) && static_cast<Elem>(e) != Elem::Mask) elems.push_back(static_cast<Elem>(e));
  return elems.empty() ? std::vector<Elem>{Elem::Void} : elems;
}

std::vector<Case> cases_of(Op op) {
  std::vector<Case> cases;
  const OpInfo& row = info(op);
  const SigShape& shape = signature_of(op);
  for (Elem t : elems_of(row.T))
    for (Elem u : elems_of(row.U)) {
      Case c{.op = op, .operands = {}, .result = elem_of(shape.results[0], t, u)};
      for (const SigItem& item : shape.operands) c.operands.push_back(elem_of(item, t, u));
      if (accepted(c)) cases.push_back(std::move(c));
    }
  return cases;
}

std::string describe(const Case& c) {
  std::string s(name_of(c.op));
  for (Elem e : c.operands) s += " " + to_string(Type{e});
  return s + " -> " + to_string(Type{c.result});
}

std::vector<uint64_t> edges(Elem e) {
  if (e == Elem::F32) return float_edges<float, uint32_t>();
  if (e == Elem::F64) return float_edges<double, uint64_t>();
  unsigned bits = Type{e}.bits();
  uint64_t mask = ~uint64_t{0} >> (64 - bits), top = uint64_t{1} << (bits - 1);
  std::vector<uint64_t> r;
  for (uint64_t x : {uint64_t{0}, uint64_t{1}, uint64_t{2}, uint64_t{3}, uint64_t{bits}, uint64_t{bits} - 1,
                     mask, mask - 1, top, top - 1, top + 1, mask / 3, (uint64_t{1} << (bits / 2)) - 1,
                     uint64_t{1} << (bits / 2), uint64_t{16777217}, uint64_t{33554435},
                     uint64_t{9007199254740993}, uint64_t{0x8000008000000001}, uint64_t{0x7fffffbfffffffff}})
    r.push_back(x & mask);
  return r;
}

uint64_t draw(Elem e, const std::vector<uint64_t>& edge, std::mt19937_64& random) {
  uint64_t bits = random();
  if (random() % 2) return edge[bits % edge.size()];
  double sign = random() % 2 ? 1 : -1;
  if (e == Elem::F32 && random() % 4)
    return std::bit_cast<uint32_t>(static_cast<float>(std::ldexp(
        sign * (1 + static_cast<double>(bits >> 41) * 0x1p-23), static_cast<int>(random() % 61) - 30)));
  if (e == Elem::F64 && random() % 4)
    return std::bit_cast<uint64_t>(std::ldexp(sign * (1 + static_cast<double>(bits >> 12) * 0x1p-52),
                                              static_cast<int>(random() % 121) - 60));
  // Integers of all magnitudes.
  if (e != Elem::F32 && e != Elem::F64 && random() % 2) bits >>= random() % 64;
  return bits & (~uint64_t{0} >> (64 - Type{e}.bits()));
}

bool same(Elem e, uint64_t a, uint64_t b) {
  auto f32 = [](uint64_t bits) { return std::bit_cast<float>(static_cast<uint32_t>(bits)); };
  if (e == Elem::F32 && std::isnan(f32(a))) return std::isnan(f32(b));
  if (e == Elem::F64 && std::isnan(std::bit_cast<double>(a))) return std::isnan(std::bit_cast<double>(b));
  return a == b;
}

std::string without_metadata(const std::string& assembly) {
  size_t from = assembly.find("\t.amdgpu_metadata"), to = assembly.find("\t.end_amdgpu_metadata\n");
  if (from == std::string::npos || to == std::string::npos) return assembly;
  return assembly.substr(0, from) + assembly.substr(assembly.find('\n', to) + 1);
}

}  // namespace kc::test
