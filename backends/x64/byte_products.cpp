// SPDX-License-Identifier: Apache-2.0
// Sums of products of bytes, as in
//
//   sum += a.x * b.x + a.y * b.y + a.z * b.z + a.w * b.w;       (char4 a, b)
//
// where the bytes are those of words: of two vectors, or of one and of four places in memory that all lanes
// read. `vpmaddwd` multiplies shorts and adds the products of each word, so it takes the even bytes of the
// words and their odd ones, extended to shorts. No product of bytes, nor the sum of two, leaves 32 bits.
//
//   %5 = vpsrad (vpslld %1, 24), 24;  %6 = vpmulld %5, (vpbroadcastd_gpr (load8s %p))
//   ... three more, and their sum     ==>     vpaddd (vpmaddwd even %1, even %v), (vpmaddwd odd %1, odd %v)
#include <algorithm>
#include <array>
#include <map>
#include <optional>
#include <tuple>
#include <utility>
#include <vector>

#include "backends/x64/cleanup.h"
#include "backends/x64/elements.h"
#include "passes/ir_util.h"

namespace kc::x64 {
namespace {

constexpr size_t kBytes = 4;  // of a word

// Byte `index` of each word of a vector, extended to a word; or of a word in memory, at base + index * scale
// + disp, that all lanes read.
struct Byte {
  ValueId word, base, more;
  int64_t scale = 0, disp = 0;
  bool is_signed = false, in_memory = false;
  size_t index = 0;
  uint32_t writes = 0;  // to memory, before the load

  /// The word that it is a byte of, and how that is extended.
  auto key() const { return std::tuple(word, base, more, scale, disp, is_signed, in_memory, writes); }
};

class ByteProducts {
 public:
  explicit ByteProducts(Function& machine)
      : f(machine),
        uses_(count_uses(machine)),
        inner_(machine.value_count()),
        writes_before_(machine.inst_count()) {}

  void run() {
    for (BlockId b : f.layout)
      for (InstId i : f.block(b).insts) find_inner(f.inst(i));
    for (BlockId b : f.layout) {
      block_ = b;
      halves_.clear();
      for (InstId i : std::exchange(f.block(b).insts, {})) {
        const Effects effects = info(f.inst(i).op).effects;
        if (effects == Effects::Write) ++writes_;
        if (effects == Effects::Read) writes_before_[i.index] = writes_;
        if (f.inst(i).op == Op::x64_vpaddd && !inner_[f.result(i).index]) rewrite(i);
        f.append(b, i);
      }
    }
  }

 private:
  const Inst* def(ValueId v) const {
    const InstId i = f.is_inline(v) ? InstId() : f.def(v);
    return i ? &f.inst(i) : nullptr;
  }
  const Inst* def(ValueId v, Op op) const { return defined_by(f, v, op); }
  // A sum that is a term of another one, and nothing else.
  void find_inner(const Inst& sum) {
    if (sum.op != Op::x64_vpaddd) return;
    for (ValueId v : sum.operands)
      if (const Inst* d = def(v, Op::x64_vpaddd))
        inner_[v.index] = d->block == sum.block && d->attrs[0] == sum.attrs[0] && uses_[v.index] == 1;
  }

  std::optional<Byte> byte_of_word(ValueId v) const {
    const Inst* d = def(v);
    if (!d) return std::nullopt;
    if (d->op == Op::x64_vpsrad && d->attrs[1] == 24) {
      Byte byte{.word = d->operands[0], .is_signed = true, .index = kBytes - 1};
      const Inst* left = def(byte.word, Op::x64_vpslld);
      if (left && left->attrs[1] % 8 == 0 && left->attrs[1] < 32)
        byte.word = left->operands[0], byte.index -= static_cast<size_t>(left->attrs[1] / 8);
      return byte;
    }
    if (d->op == Op::x64_vpsrld && d->attrs[1] == 24)
      return Byte{.word = d->operands[0], .index = kBytes - 1};
    const bool masks = d->op == Op::x64_vpand || d->op == Op::x64_vpandd;
    const Inst* low = masks ? def(d->operands[1], Op::x64_vconst32) : nullptr;
    if (!low || low->attrs[1] != 255) return std::nullopt;
    const Inst* right = def(d->operands[0], Op::x64_vpsrld);
    if (right && right->attrs[1] % 8 == 0 && right->attrs[1] < 32)
      return Byte{.word = right->operands[0], .index = static_cast<size_t>(right->attrs[1] / 8)};
    return Byte{.word = d->operands[0], .index = 0};
  }
  // The displacement says which byte of a word it is, once that is known.
  // `low`: the lower half of the word is multiplied, so the upper one may have been set to zeros.
  std::optional<Byte> byte_in_memory(ValueId v, bool low) const {
    const Inst* splat = def(v, Op::x64_vpbroadcastd_gpr);
    if (const Inst* first = splat ? nullptr : def(v, Op::x64_vpbroadcastd))  // with AVX2
      splat = def(first->operands[0], Op::x64_vmovd_from_gpr);
    const Inst* load = splat ? def(splat->operands[0]) : nullptr;
    if (load && low && load->op == Op::x64_and_) {
      const ValueId mask = load->operands[1];
      load = f.is_const(mask) && f.value(mask).bits == low_ones(16) ? def(load->operands[0]) : nullptr;
    }
    if (!load || load->block != block_) return std::nullopt;
    const bool is_signed = load->op == Op::x64_load8s || load->op == Op::x64_load8s_index;
    const bool indexed = load->op == Op::x64_load8_index || load->op == Op::x64_load8s_index;
    if (!is_signed && !indexed && load->op != Op::x64_load8) return std::nullopt;
    return Byte{.base = load->operands[0],
                .more = indexed ? load->operands[1] : ValueId(),
                .scale = load->attrs[2],
                .disp = load->attrs[3],
                .is_signed = is_signed,
                .in_memory = true,
                .writes = writes_before_[f.def(load->results[0]).index]};
  }

  struct Product {
    Byte a, b;
  };
  std::optional<Product> product_of(ValueId v, int64_t size) const {
    const Inst* d = def(v);
    // With bytes in words, vpmaddwd is a product of the lower halves: the upper ones of one factor are zeros.
    if (!d || (d->op != Op::x64_vpmulld && d->op != Op::x64_vpmaddwd) || d->attrs[0] != size ||
        uses_[v.index] != 1)
      return std::nullopt;
    auto a = byte_of_word(d->operands[0]), b = byte_of_word(d->operands[1]);
    if (a && b) {
      if (a->index != b->index) return std::nullopt;
      if (b->key() < a->key()) std::swap(a, b);
      return Product{*a, *b};
    }
    const size_t other = a ? 1 : 0;
    if (!a) a = b;
    b = byte_in_memory(d->operands[other], d->op == Op::x64_vpmaddwd);
    if (!a || !b || b->writes != writes_) return std::nullopt;
    b->index = a->index;
    b->disp -= static_cast<int64_t>(a->index);
    return Product{*a, *b};
  }

  // Terms of the sum, with four products of one pair of words as two terms.
  void rewrite(InstId root) {
    const int64_t size = f.inst(root).attrs[0];
    std::vector<ValueId> terms, open(f.inst(root).operands.begin(), f.inst(root).operands.end());
    while (!open.empty()) {
      const ValueId v = open.back();
      open.pop_back();
      if (!inner_[v.index]) {
        terms.push_back(v);
        continue;
      }
      const ValueList& of = f.inst(f.def(v)).operands;
      open.insert(open.end(), of.begin(), of.end());
    }
    if (terms.size() < kBytes) return;
    using Key = decltype(std::tuple_cat(Byte().key(), Byte().key()));
    std::map<Key, std::array<size_t, kBytes>> places;  // in `terms`, from 1 on
    std::vector<std::pair<Product, std::array<size_t, kBytes>>> whole;
    for (size_t n = 0; n < terms.size(); ++n) {
      const auto p = product_of(terms[n], size);
      if (!p) continue;
      auto& at = places[std::tuple_cat(p->a.key(), p->b.key())];
      if (at[p->a.index] != 0) continue;
      at[p->a.index] = n + 1;
      if (std::ranges::count(at, 0u) == 0) whole.emplace_back(*p, std::exchange(at, {}));
    }
    if (whole.empty()) return;
    loc_ = f.inst(root).loc;
    std::vector<ValueId> sums, last;
    for (const auto& [p, at] : whole) {
      const auto [even_a, odd_a] = halves(p.a, size);
      const auto [even_b, odd_b] = halves(p.b, size);
      sums.push_back(make(Op::x64_vpmaddwd, {even_a, even_b}, {size, 0, 0, 0}));
      sums.push_back(make(Op::x64_vpmaddwd, {odd_a, odd_b}, {size, 0, 0, 0}));
      for (size_t n : at) terms[n - 1] = ValueId();
    }
    // What comes from another iteration is added last.
    for (ValueId v : terms)
      if (v) (def(v) ? sums : last).push_back(v);
    auto add = [&](ValueId a, ValueId b) { return make(Op::x64_vpaddd, {a, b}, {size, 0, 0, 0}); };
    const size_t least = last.empty() ? 2 : 1;
    for (size_t n = 0; sums.size() - n > least; n += 2) sums.push_back(add(sums[n], sums[n + 1]));
    ValueId a = sums[sums.size() - least], b = last.empty() ? sums.back() : last.front();
    for (size_t n = 1; n < last.size(); ++n) a = add(a, std::exchange(b, last[n]));
    f.inst(root).operands = {a, b};
  }

  // The even and the odd bytes of a word, extended to shorts.
  std::pair<ValueId, ValueId> halves(const Byte& byte, int64_t size) {
    auto& made = halves_[std::tuple_cat(byte.key(), std::tuple(size))];
    if (made.first) return made;
    ValueId word = byte.word;
    if (byte.in_memory)
      word = byte.more
                 ? make(Op::x64_vbroadcast32_index, {byte.base, byte.more}, {size, 0, byte.scale, byte.disp})
                 : make(Op::x64_vbroadcast32, {byte.base}, {size, 0, byte.scale, byte.disp});
    const Op right = byte.is_signed ? Op::x64_vpsraw : Op::x64_vpsrlw;
    made.first = make(right, {make(Op::x64_vpsllw, {word}, {size, 8, 0, 0})}, {size, 8, 0, 0});
    made.second = make(right, {word}, {size, 8, 0, 0});
    return made;
  }

  ValueId make(Op op, ValueList operands, std::array<int64_t, 4> attrs) {
    const Type result[] = {kVec};
    const InstId i = f.create(op, std::move(operands), result, loc_);
    std::ranges::copy(attrs, f.inst(i).attrs.begin());
    f.append(block_, i);
    return f.result(i);
  }

  Function& f;
  std::vector<uint32_t> uses_;
  std::vector<bool> inner_;              // by value
  std::vector<uint32_t> writes_before_;  // by instruction that reads memory
  uint32_t writes_ = 0;
  BlockId block_;
  Loc loc_;
  std::map<decltype(std::tuple_cat(Byte().key(), std::tuple(int64_t{}))), std::pair<ValueId, ValueId>>
      halves_;  // of this block
};

}  // namespace

void join_byte_products(Function& machine) {
  if (has_any(machine, {Op::x64_vpmulld, Op::x64_vpmaddwd})) ByteProducts(machine).run();
}

}  // namespace kc::x64
