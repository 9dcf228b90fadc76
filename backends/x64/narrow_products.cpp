// SPDX-License-Identifier: Apache-2.0
// Products of 32 bits whose factors fit in a short, as in
//
//   sum += row[x + k] * weight[k];       (short or uchar row, short weight)
//
// `vpmaddwd` adds the products of the two shorts of each word, which is the product of the lower ones if an
// upper one is zero. On Intel's cores it is one operation of 5 cycles, where `vpmulld` is two of 10.
//
//   %3 = vpmulld (vpmovsxwd %1), (vpmovzxbd %2)   ->   %3 = vpmaddwd (vpmovsxwd %1), (vpmovzxbd %2)
#include <algorithm>
#include <limits>
#include <optional>
#include <utility>
#include <vector>

#include "backends/x64/cleanup.h"
#include "passes/ir_util.h"

namespace kc::x64 {
namespace {

constexpr int kDepth = 5;  // of operands that are looked at

// What each 32 bits of a vector are, signed.
struct Interval {
  int64_t low = std::numeric_limits<int32_t>::min(), high = std::numeric_limits<int32_t>::max();

  bool is_within(int64_t least, int64_t most) const { return least <= low && high <= most; }
};
constexpr Interval kByte{0, 0xff}, kSignedByte{-0x80, 0x7f}, kShort{0, 0xffff}, kSignedShort{-0x8000, 0x7fff};

Interval cut(int64_t low, int64_t high) {
  return Interval().low <= low && high <= Interval().high ? Interval{low, high} : Interval();
}

Interval product(Interval a, Interval b) {
  const auto [low, high] = std::minmax({a.low * b.low, a.low * b.high, a.high * b.low, a.high * b.high});
  return cut(low, high);
}

// Extensions of bytes and shorts, in vectors and in general registers.
std::optional<Interval> extension(Op op) {
  switch (op) {
    case Op::x64_vpmovzxbd:
    case Op::x64_vload8x8:
    case Op::x64_vload8_all:
    case Op::x64_vload8_k:
    case Op::x64_movzx8:
    case Op::x64_load8:
    case Op::x64_load8_index:
      return kByte;
    case Op::x64_vpmovsxbd:
    case Op::x64_vload8sx8:
    case Op::x64_vload8s_all:
    case Op::x64_vload8s_k:
    case Op::x64_movsx8:
    case Op::x64_load8s:
    case Op::x64_load8s_index:
      return kSignedByte;
    case Op::x64_vpmovzxwd:
    case Op::x64_vload16x8:
    case Op::x64_vload16_all:
    case Op::x64_vload16_k:
    case Op::x64_movzx16:
    case Op::x64_load16:
    case Op::x64_load16_index:
      return kShort;
    case Op::x64_vpmovsxwd:
    case Op::x64_vload16sx8:
    case Op::x64_vload16s_all:
    case Op::x64_vload16s_k:
    case Op::x64_movsx16:
    case Op::x64_load16s:
    case Op::x64_load16s_index:
      return kSignedShort;
    default:
      return std::nullopt;
  }
}

// The same with zeros above.
std::optional<Op> zero_extension(Op op) {
  constexpr std::pair<Op, Op> kForms[] = {{Op::x64_vpmovsxwd, Op::x64_vpmovzxwd},
                                          {Op::x64_vload16sx8, Op::x64_vload16x8},
                                          {Op::x64_vload16s_all, Op::x64_vload16_all},
                                          {Op::x64_vload16s_k, Op::x64_vload16_k}};
  const auto form = std::ranges::find(kForms, op, &std::pair<Op, Op>::first);
  return form == std::end(kForms) ? std::nullopt : std::optional(form->second);
}

class NarrowProducts {
 public:
  explicit NarrowProducts(Function& machine) : f(machine), uses_(count_uses(machine)) {}

  void run() {
    for (BlockId b : f.layout)
      for (InstId i : std::exchange(f.block(b).insts, {})) {
        if (f.inst(i).op == Op::x64_vpmulld) narrow(b, i);
        f.append(b, i);
      }
  }

 private:
  const Inst* def(ValueId v) const {
    const InstId i = f.is_inline(v) ? InstId() : f.def(v);
    return i ? &f.inst(i) : nullptr;
  }

  Interval interval(ValueId v, int depth = kDepth) const {
    const Inst* d = def(v);
    if (!d || depth == 0) return {};
    if (const auto known = extension(d->op)) return *known;
    auto of = [&](size_t k) { return interval(d->operands[k], depth - 1); };
    switch (d->op) {
      case Op::x64_vzero:
      case Op::x64_vzero512:
        return {0, 0};
      case Op::x64_vconst32:
        return {static_cast<int32_t>(d->attrs[1]), static_cast<int32_t>(d->attrs[1])};
      case Op::x64_vpbroadcastd:
      case Op::x64_vpbroadcastd_gpr:
      case Op::x64_vmovd_from_gpr:
        return of(0);
      case Op::x64_vpand:
      case Op::x64_vpandd: {
        const Interval a = of(0), b = of(1);
        int64_t most = Interval().high;
        if (a.low >= 0) most = std::min(most, a.high);
        if (b.low >= 0) most = std::min(most, b.high);
        return a.low >= 0 || b.low >= 0 ? Interval{0, most} : Interval();
      }
      case Op::x64_vpsrld: {
        const auto n = d->attrs[1];
        if (n < 1 || n > 31) return {};
        const Interval a = of(0);
        return a.low >= 0 ? Interval{a.low >> n, a.high >> n} : Interval{0, (int64_t{1} << (32 - n)) - 1};
      }
      case Op::x64_vpsrad: {
        const auto n = std::clamp<int64_t>(d->attrs[1], 0, 31);
        const Interval a = of(0);
        return {a.low >> n, a.high >> n};
      }
      case Op::x64_vpslld: {
        const auto n = d->attrs[1];
        const Interval a = of(0);
        return n >= 0 && n < 31 ? cut(a.low << n, a.high << n) : Interval();
      }
      case Op::x64_vpaddd: {
        const Interval a = of(0), b = of(1);
        return cut(a.low + b.low, a.high + b.high);
      }
      case Op::x64_vpsubd: {
        const Interval a = of(0), b = of(1);
        return cut(a.low - b.high, a.high - b.low);
      }
      case Op::x64_vpmulld:
        return product(of(0), of(1));
      case Op::x64_vpminsd: {
        const Interval a = of(0), b = of(1);
        return {std::min(a.low, b.low), std::min(a.high, b.high)};
      }
      case Op::x64_vpmaxsd: {
        const Interval a = of(0), b = of(1);
        return {std::max(a.low, b.low), std::max(a.high, b.high)};
      }
      case Op::x64_vpblendmd:
      case Op::x64_vblendvps: {
        const Interval a = of(1), b = of(2);
        return {std::min(a.low, b.low), std::max(a.high, b.high)};
      }
      default:
        return {};
    }
  }

  void narrow(BlockId b, InstId i) {
    const ValueList& factors = f.inst(i).operands;
    const Interval x = interval(factors[0]), y = interval(factors[1]);
    if (!x.is_within(kSignedShort.low, kSignedShort.high) ||
        !y.is_within(kSignedShort.low, kSignedShort.high))
      return;
    if (x.low < 0 && y.low < 0 && !clear_upper(b, i)) return;
    f.inst(i).op = Op::x64_vpmaddwd;
  }

  // Gives one factor zeros in place of copies of its sign.
  bool clear_upper(BlockId b, InstId i) {
    for (size_t k = 0; k < 2; ++k) {
      const Inst* d = def(f.inst(i).operands[k]);
      if (!d) continue;
      const bool constant = d->op == Op::x64_vconst32;
      const auto form = constant ? std::optional(Op::x64_vconst32) : zero_extension(d->op);
      // A load is not repeated.
      if (!form || (!constant && uses_[f.inst(i).operands[k].index] > 1)) continue;
      if (!constant) {
        f.inst(f.def(f.inst(i).operands[k])).op = *form;
        return true;
      }
      const Inst made = *d;
      const Type result[] = {f.type(f.inst(i).operands[k])};
      const InstId c = f.create(made.op, {}, result, made.loc);
      f.inst(c).attrs = made.attrs;
      f.inst(c).attrs[1] = made.attrs[1] & 0xffff;
      f.append(b, c);
      f.inst(i).operands[k] = f.result(c);
      return true;
    }
    return false;
  }

  Function& f;
  std::vector<uint32_t> uses_;
};

}  // namespace

void narrow_products(Function& machine) {
  if (has_any(machine, {Op::x64_vpmulld})) NarrowProducts(machine).run();
}

}  // namespace kc::x64
