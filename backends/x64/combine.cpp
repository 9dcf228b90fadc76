// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <array>
#include <bit>
#include <cstdint>
#include <initializer_list>
#include <map>
#include <optional>
#include <span>
#include <tuple>
#include <utility>
#include <vector>

#include "backends/x64/cleanup.h"
#include "passes/ir_util.h"

namespace kc::x64 {
namespace {

struct Pair {
  Op from, to;
};

class Combiner {
 public:
  explicit Combiner(Function& machine)
      : f(machine), uses_(count_uses(machine)), writes_before_(f.inst_count(), 0), alone_(machine) {}

  void run() {
    for (BlockId b : f.layout) {
      block_ = b;
      blends_.clear();
      // The list may grow by one instruction before the current one.
      for (size_t at = 0; at < f.block(b).insts.size(); ++at) {
        at_ = at;
        const InstId i = f.block(b).insts[at];
        if (info(f.inst(i).op).effects == Effects::Write) ++writes_;
        if (info(f.inst(i).op).effects == Effects::Read) writes_before_[i.index] = writes_;
        if (!zeros_around(i)) visit(i);
        at = at_;
      }
    }
    apply_replacements(f, alone_);
  }

 private:
  const Inst* def(ValueId v) const {
    InstId i = f.def(v);
    return i ? &f.inst(i) : nullptr;
  }
  bool is_const(ValueId v, uint64_t bits, bool wide) const {
    const Inst* d = def(v);
    if (!d || d->op != (wide ? Op::x64_vconst64 : Op::x64_vconst32)) return false;
    return static_cast<uint64_t>(d->attrs[1]) == bits;
  }
  bool is_ones(ValueId v) const {
    const Inst* d = def(v);
    return d && (d->op == Op::x64_vones || d->op == Op::x64_vones512);
  }
  // A definition in this block whose only use is this one, so that folding removes it.
  const Inst* only_here(ValueId v) const {
    const Inst* d = def(v);
    return d && d->block == block_ && uses_[v.index] == 1 ? d : nullptr;
  }

  // The sum of base and index becomes part of the access, and not of more than two: longer addresses take
  // longer to decode than one sum.
  void indexed(Inst& inst, Op with_index) {
    const Inst* sum = def(inst.operands[0]);
    constexpr uint32_t kMost = 2;
    if (!sum || sum->op != Op::x64_lea_index || sum->block != block_) return;
    if (uses_[inst.operands[0].index] > kMost) return;
    const int64_t disp = inst.attrs[3] + sum->attrs[3];
    if (disp != static_cast<int32_t>(disp)) return;
    --uses_[inst.operands[0].index];
    inst.op = with_index;
    ValueList operands{sum->operands[0], sum->operands[1]};
    for (size_t k = 1; k < inst.operands.size(); ++k) operands.push_back(inst.operands[k]);
    inst.operands = std::move(operands);
    inst.attrs[2] = sum->attrs[2], inst.attrs[3] = disp;
  }

  void visit(InstId id) {
    Inst& inst = f.inst(id);
    switch (inst.op) {
      case Op::x64_vfmadd213ps:
        return fma(inst, false, Op::x64_vfnmadd213ps, Op::x64_vfmsub213ps);
      case Op::x64_vfmadd213pd:
        return fma(inst, true, Op::x64_vfnmadd213pd, Op::x64_vfmsub213pd);
      case Op::x64_vfmadd213ss:
        return fma(inst, false, Op::x64_vfnmadd213ss, Op::x64_vfmsub213ss);
      case Op::x64_vfmadd213sd:
        return fma(inst, true, Op::x64_vfnmadd213sd, Op::x64_vfmsub213sd);
      case Op::x64_vblendvps:
        return blend(id, Op::x64_vpaddd, Op::x64_vpsubd, false);
      case Op::x64_vblendvpd:
        return blend(id, Op::x64_vpaddq, Op::x64_vpsubq, true);
      case Op::x64_vload:
        return indexed(inst, Op::x64_vload_index);
      case Op::x64_vstore:
        return indexed(inst, Op::x64_vstore_index);
      case Op::x64_vpblendmd:
      case Op::x64_vpblendmq:
        return masked(id);
      case Op::x64_vpblendmb:
        blends_[{inst.operands[0], inst.operands[1]}] = id;
        return;
      case Op::x64_vpmovdb:
        return low_byte(inst);
      case Op::x64_vpsrad:
        return signed_field(inst);
      case Op::x64_vpackusdw:
        return saturated_shorts(inst);
      case Op::x64_vpackuswb:
        return saturated_bytes(inst);
      case Op::x64_kand:
      case Op::x64_kand64:
        return masked_compare(inst);
      case Op::x64_kandn:
      case Op::x64_kandn64:
        return opposite_compare(inst);
      case Op::x64_knot:
        return negated_compare(inst);
      case Op::x64_vpord:
      case Op::x64_vpxord:
        return rotation(inst);
      case Op::x64_vpor:
      case Op::x64_vpxor:
        return rotation_by_bytes(inst);
      case Op::x64_or_:
      case Op::x64_xor_:
        return rotation_of_uniform(inst);
      case Op::x64_vpbroadcastd:
        return broadcast(inst, {{{Op::x64_vmovss_load, Op::x64_vbroadcast32},
                                 {Op::x64_vmovss_load_index, Op::x64_vbroadcast32_index}}});
      case Op::x64_vpbroadcastq:
        return broadcast(inst, {{{Op::x64_vmovsd_load, Op::x64_vbroadcast64},
                                 {Op::x64_vmovsd_load_index, Op::x64_vbroadcast64_index}}});
      default:
        return;
    }
  }

  // mask ? (a load under the mask) : 0 is the load: it reads 0 elsewhere.
  bool zeros_around(InstId id) {
    static constexpr struct {
      Op blend;
      std::initializer_list<Op> loads;
    } kLoads[] = {{Op::x64_vpblendmb, {Op::x64_vload_bytes_k}},
                  {Op::x64_vpblendmw, {Op::x64_vload_shorts_k}},
                  {Op::x64_vpblendmd,
                   {Op::x64_vload32_k, Op::x64_vload8_k, Op::x64_vload16_k, Op::x64_vload8s_k,
                    Op::x64_vload16s_k, Op::x64_vgather32_k}},
                  {Op::x64_vpblendmq, {Op::x64_vload64_k, Op::x64_vgather64_k}},
                  {Op::x64_vblendvps, {Op::x64_vload32, Op::x64_vgather32}},
                  {Op::x64_vblendvpd, {Op::x64_vload64, Op::x64_vgather64}}};
    const Inst& inst = f.inst(id);
    const auto row = std::ranges::find(kLoads, inst.op, [](const auto& r) { return r.blend; });
    if (row == std::end(kLoads)) return false;
    const Inst *load = def(inst.operands[1]), *other = def(inst.operands[2]);
    if (!load || !other || (other->op != Op::x64_vzero && other->op != Op::x64_vzero512)) return false;
    if (std::ranges::find(row->loads, load->op) == row->loads.end()) return false;
    constexpr int kHalf = 2;  // instructions that make half a mask
    const bool under_mask = load->results[0] == inst.operands[1] && load->attrs[0] == inst.attrs[0] &&
                            same(load->operands[0], inst.operands[0], kHalf);
    if (!under_mask) return false;
    alone_.set(f.result(id), inst.operands[1]);
    return true;
  }

  // Whether the same instructions, up to so many in a row, make both of the same values.
  bool same(ValueId a, ValueId b, int most) const {
    if (a == b) return true;
    const Inst *c = def(a), *d = def(b);
    if (most == 0 || !c || !d || c->op != d->op || c->attrs != d->attrs ||
        info(c->op).effects != Effects::None || c->operands.size() != d->operands.size())
      return false;
    for (size_t k = 0; k < c->operands.size(); ++k)
      if (!same(c->operands[k], d->operands[k], most - 1)) return false;
    return true;
  }

  struct Shifts {
    const Inst *left, *right;
  };
  // x << n and x >> m that the instruction joins, by these two rows and at its size.
  std::optional<Shifts> shifts_of_one(const Inst& inst, Op left, Op right) const {
    for (size_t k = 0; k < 2; ++k) {
      const Inst *l = def(inst.operands[k]), *r = def(inst.operands[1 - k]);
      if (l && r && l->op == left && r->op == right && l->operands[0] == r->operands[0] &&
          l->attrs[0] == inst.attrs[0] && r->attrs[0] == inst.attrs[0])
        return Shifts{l, r};
    }
    return std::nullopt;
  }

  // x << n | x >> 32 - n. AVX2 has no such instruction; its rows for `or` are others.
  void rotation(Inst& inst) {
    static constexpr struct {
      Op left, right, rotate;
      int64_t bits;
      bool variable;
    } kRotations[] = {{Op::x64_vpslld, Op::x64_vpsrld, Op::x64_vprold, 32, false},
                      {Op::x64_vpsllq, Op::x64_vpsrlq, Op::x64_vprolq, 64, false},
                      {Op::x64_vpsllvd, Op::x64_vpsrlvd, Op::x64_vprolvd, 32, true},
                      {Op::x64_vpsllvq, Op::x64_vpsrlvq, Op::x64_vprolvq, 64, true}};
    for (const auto& row : kRotations) {
      const auto s = shifts_of_one(inst, row.left, row.right);
      if (!s) continue;
      const bool whole = row.variable ? complements(s->left->operands[1], s->right->operands[1], row.bits,
                                                    inst.op == Op::x64_vpord)
                                      : s->left->attrs[1] + s->right->attrs[1] == row.bits;
      if (!whole) return;
      inst.op = row.rotate;
      inst.operands = s->left->operands;
      inst.attrs = {inst.attrs[0], row.variable ? 0 : s->left->attrs[1], 0, 0};
      if (!row.variable) return;
      // The instruction itself takes the remainder.
      const Inst* amount = def(inst.operands[1]);
      if (amount && amount->op == Op::x64_vpandd)
        if (ValueId all = remainder_of(inst.operands[1], row.bits)) inst.operands[1] = all;
      return;
    }
  }

  // The same with AVX2, by whole bytes: a permutation of the bytes of each element.
  void rotation_by_bytes(Inst& inst) {
    auto s = shifts_of_one(inst, Op::x64_vpslld, Op::x64_vpsrld);
    const int64_t bits = s ? 32 : 64;
    if (!s) s = shifts_of_one(inst, Op::x64_vpsllq, Op::x64_vpsrlq);
    if (!s || s->left->attrs[1] + s->right->attrs[1] != bits || s->left->attrs[1] % 8 != 0) return;
    const int64_t by = s->left->attrs[1], bytes = inst.attrs[0];
    const ValueId x = s->left->operands[0];
    if (by == 32) {
      constexpr int64_t kOtherWord = 0xb1;  // 1, 0, 3, 2
      inst.op = Op::x64_vpshufd, inst.attrs = {bytes, kOtherWord, 0, 0}, inst.operands = {x};
      return;
    }
    const ValueId order =
        rotated_bytes(static_cast<unsigned>(bits / 8), static_cast<unsigned>(by / 8), bytes);
    Inst& rotated = f.inst(f.block(block_).insts[at_]);  // a new instruction may have moved the others
    rotated.op = Op::x64_vpshufb, rotated.attrs = {bytes, 0, 0, 0}, rotated.operands = {x, order};
  }

  // For vpshufb, in each element of `size` bytes: byte k comes from `by` bytes below. A constant of the
  // entry.
  ValueId rotated_bytes(unsigned size, unsigned by, int64_t bytes) {
    const auto [known, fresh] = rotated_.try_emplace({size, by, bytes});
    if (!fresh) return known->second;
    std::array<uint8_t, 16> order{};
    for (unsigned k = 0; k < 16; ++k)
      order[k] = static_cast<uint8_t>(k / size * size + (k + size - by) % size);
    const auto words = std::bit_cast<std::array<int64_t, 2>>(order);
    const Type result[] = {kVec};
    const InstId i = f.create(Op::x64_viota, {}, result);
    f.inst(i).attrs = {bytes, words[0], words[1], 16};
    f.insert(f.entry(), 0, i);
    if (block_ == f.entry()) ++at_;
    uses_.resize(f.value_count(), 1);
    writes_before_.resize(f.inst_count(), 0);
    return known->second = f.result(i);
  }

  // Whether x << a | x >> b rotates x by a, for amounts in vectors; one of them is below `bits`. If both are,
  // they are both 0 at the same time: `or` gives x then, and `xor` does not.
  bool complements(ValueId a, ValueId b, int64_t bits, bool is_or) const {
    for (auto [n, other] : {std::pair(a, b), std::pair(b, a)}) {
      const ValueId whole = remainder_of(n, bits), rest = remainder_of(other, bits);
      if (!whole) continue;
      if (is_or && rest && (is_rest(rest, whole, bits) || is_rest(rest, whole, 0))) return true;
      if (!rest && is_rest(other, n, bits)) return true;
    }
    return false;
  }
  // x of v = x & (bits - 1), in a vector or broadcast from a general register.
  ValueId remainder_of(ValueId v, int64_t bits) const {
    const Inst* d = def(v);
    if (!d) return {};
    const bool wide = bits == 64;
    if (d->op == Op::x64_vpandd && is_const(d->operands[1], static_cast<uint64_t>(bits - 1), wide))
      return d->operands[0];
    if (d->op != (wide ? Op::x64_vpbroadcastq_gpr : Op::x64_vpbroadcastd_gpr)) return {};
    const Inst* mask = def(d->operands[0]);
    return mask && mask->op == Op::x64_and_ && is_number(mask->operands[1], bits - 1) ? mask->operands[0]
                                                                                      : ValueId();
  }
  // Whether v is total - x.
  bool is_rest(ValueId v, ValueId x, int64_t total) const {
    const Inst* d = def(v);
    if (!d) return false;
    if (d->op == Op::x64_neg) return total == 0 && d->operands[0] == x;
    if (d->operands.size() != 2 || d->operands[1] != x) return false;
    if (d->op == Op::x64_sub) return is_number(d->operands[0], total);
    if (d->op != Op::x64_vpsubd && d->op != Op::x64_vpsubq) return false;
    const Inst* from = def(d->operands[0]);
    if (total == 0) return from && (from->op == Op::x64_vzero || from->op == Op::x64_vzero512);
    return is_const(d->operands[0], static_cast<uint64_t>(total), d->op == Op::x64_vpsubq);
  }
  bool is_number(ValueId v, int64_t n) const {
    if (f.is_const(v)) return f.value(v).bits == static_cast<uint64_t>(n);
    const Inst* d = def(v);
    return d && d->op == Op::x64_imm && is_number(d->operands[0], n);
  }

  void rotation_of_uniform(Inst& inst) {
    const auto s = shifts_of_one(inst, Op::x64_shl_imm, Op::x64_shr_imm);
    const auto bits = static_cast<uint64_t>(inst.attrs[0]) * 8;
    if (!s || bits < 32) return;
    const uint64_t left = f.value(s->left->operands[1]).bits, right = f.value(s->right->operands[1]).bits;
    if (left + right != bits) return;
    inst.op = Op::x64_rorx;
    inst.operands = s->right->operands;
  }

  // Folds a broadcast load, unless a store is between the load and here. `rows`: loads, and what loads for
  // all elements.
  void broadcast(Inst& inst, const std::array<std::pair<Op, Op>, 2>& rows) {
    const Inst* d = only_here(inst.operands[0]);
    if (!d || writes_before_[f.def(inst.operands[0]).index] != writes_) return;
    const auto row = std::ranges::find(rows, d->op, &std::pair<Op, Op>::first);
    if (row == rows.end()) return;
    inst.op = row->second;
    inst.attrs = {inst.attrs[0], 0, d->attrs[2], d->attrs[3]};
    inst.operands = d->operands;
  }

  // An access to the low bytes of words ignores their upper bits.
  void low_byte(Inst& inst) {
    const Inst* d = def(inst.operands[0]);
    if (d && d->op == Op::x64_vpandd && is_const(d->operands[1], 255, false))
      inst.operands[0] = d->operands[0];
  }

  // x << by >> n, signed: some bits of x, extended with the highest of them. A mask before that keeps these
  // bits, and a shift to the right is part of the one to the left.
  void signed_field(Inst& inst) {
    const Inst* left = only_here(inst.operands[0]);
    if (!left || left->op != Op::x64_vpslld || left->attrs[1] > inst.attrs[1]) return;
    int64_t by = left->attrs[1];
    ValueId x = left->operands[0];
    auto local = [&](ValueId v) {
      const Inst* d = def(v);
      return d && d->block == block_ && d->attrs[0] == inst.attrs[0] ? d : nullptr;
    };
    if (const Inst* d = local(x); d && (d->op == Op::x64_vpandd || d->op == Op::x64_vpand))
      if (const auto mask = word(d->operands[1]); mask && static_cast<uint32_t>(~*mask) << by == 0)
        x = d->operands[0];
    if (const Inst* d = local(x); d && d->op == Op::x64_vpsrld && d->attrs[1] <= by)
      by -= d->attrs[1], x = d->operands[0];
    if (x == left->operands[0]) return;
    if (by == 0) {
      inst.operands[0] = x;
      return;
    }
    Inst& shift = f.inst(f.def(inst.operands[0]));
    shift.operands[0] = x, shift.attrs[1] = by;
  }

  // The same word in all elements.
  std::optional<int32_t> word(ValueId v) const {
    const Inst* d = def(v);
    if (!d) return std::nullopt;
    if (d->op == Op::x64_vzero || d->op == Op::x64_vzero512) return 0;
    if (is_ones(v)) return -1;
    if (d->op != Op::x64_vconst32) return std::nullopt;
    return static_cast<int32_t>(d->attrs[1]);
  }
  // v = x op c, in either order.
  std::optional<std::pair<ValueId, int32_t>> with_word(ValueId v, std::initializer_list<Op> ops) const {
    const Inst* d = def(v);
    if (!d || std::ranges::find(ops, d->op) == ops.end()) return std::nullopt;
    for (size_t k = 0; k < 2; ++k)
      if (const auto c = word(d->operands[k])) return std::pair(d->operands[1 - k], *c);
    return std::nullopt;
  }
  // x of v = max(min(x, high), low), or the other way round; none if v is something else.
  ValueId clamped(ValueId v, int32_t low, int32_t high) const {
    for (auto [outer, inner] :
         {std::pair(Op::x64_vpmaxsd, Op::x64_vpminsd), std::pair(Op::x64_vpminsd, Op::x64_vpmaxsd)}) {
      const int32_t first = outer == Op::x64_vpmaxsd ? low : high, second = low ^ high ^ first;
      const auto a = with_word(v, {outer});
      if (!a || a->second != first) continue;
      if (const auto b = with_word(a->first, {inner}); b && b->second == second) return b->first;
    }
    return {};
  }

  // The low halves of words that have been brought into the range of signed shorts: the saturating pack does
  // that, too.
  void saturated_shorts(Inst& inst) {
    ValueList from;
    for (ValueId v : inst.operands)
      if (const auto low = with_word(v, {Op::x64_vpand, Op::x64_vpandd}); low && low->second == UINT16_MAX)
        if (const ValueId x = clamped(low->first, INT16_MIN, INT16_MAX)) from.push_back(x);
    if (from.size() != 2) return;
    inst.op = Op::x64_vpackssdw;
    inst.operands = std::move(from);
  }

  // The same for unsigned bytes, in two steps: signed shorts that are too large or negative become 255 and 0.
  void saturated_bytes(Inst& inst) {
    std::vector<std::pair<InstId, ValueList>> packs;
    for (ValueId v : inst.operands) {
      const Inst* d = def(v);
      if (!d || d->block != block_ || uses_[v.index] != (inst.operands[0] == inst.operands[1] ? 2u : 1u) ||
          d->op != Op::x64_vpackusdw)
        return;
      ValueList from;
      for (ValueId x : d->operands) {
        if (const auto low = with_word(x, {Op::x64_vpand, Op::x64_vpandd});
            low && (low->second & UINT8_MAX) == UINT8_MAX && low->second > 0)
          x = low->first;
        if (const ValueId all = clamped(x, 0, UINT8_MAX)) from.push_back(all);
      }
      if (from.size() != 2) return;
      packs.emplace_back(f.def(v), std::move(from));
    }
    for (auto& [pack, from] : packs) f.inst(pack).op = Op::x64_vpackssdw, f.inst(pack).operands = from;
  }

  // The operand of a sign flip, or none.
  ValueId negated(ValueId v, bool wide) const {
    const Inst* d = def(v);
    if (!d || (d->op != Op::x64_vpxor && d->op != Op::x64_vpxord)) return {};
    return is_const(d->operands[1], wide ? uint64_t{1} << 63 : uint64_t{1} << 31, wide) ? d->operands[0]
                                                                                        : ValueId();
  }
  void fma(Inst& inst, bool wide, Op negative_product, Op negative_addend) {
    if (ValueId z = negated(inst.operands[2], wide)) {
      inst.op = negative_addend, inst.operands[2] = z;
      return;
    }
    for (size_t k = 0; k < 2; ++k)
      if (ValueId x = negated(inst.operands[k], wide)) {
        inst.op = negative_product, inst.operands[k] = x;
        return;
      }
  }

  // mask ? x + c : x. Mask elements are 0 or -1.
  void blend(InstId id, Op add, Op sub, bool wide) {
    ValueId mask = f.inst(id).operands[0], x = f.inst(id).operands[2];
    const Inst* sum = only_here(f.inst(id).operands[1]);
    if (!sum || sum->op != add) return;
    ValueId a = sum->operands[0], c = sum->operands[1];
    if (a != x) std::swap(a, c);
    if (a != x) return;
    int64_t bytes = f.inst(id).attrs[0];
    auto become = [&](Op op, ValueId second) {
      f.inst(id).op = op;
      f.inst(id).operands = {x, second};
      f.inst(id).attrs = {bytes, 0, 0, 0};
    };
    if (is_const(c, 1, wide)) return become(sub, mask);
    if (is_ones(c)) return become(add, mask);
    const Type result[] = {kVec};
    InstId kept = f.create(Op::x64_vpand, {mask, c}, result, f.inst(id).loc);
    f.inst(kept).attrs = {bytes, 0, 0, 0};
    f.insert(block_, at_, kept);
    ++at_;
    uses_.resize(f.value_count(), 1);
    become(add, f.result(kept));
  }

  void masked(InstId id) {
    Inst& inst = f.inst(id);
    static constexpr Pair kMasked[] = {
        {Op::x64_vaddps, Op::x64_vaddps_m},     {Op::x64_vsubps, Op::x64_vsubps_m},
        {Op::x64_vmulps, Op::x64_vmulps_m},     {Op::x64_vpaddd, Op::x64_vpaddd_m},
        {Op::x64_vpsubd, Op::x64_vpsubd_m},     {Op::x64_vpmulld, Op::x64_vpmulld_m},
        {Op::x64_vpandd, Op::x64_vpandd_m},     {Op::x64_vpord, Op::x64_vpord_m},
        {Op::x64_vpxord, Op::x64_vpxord_m},     {Op::x64_vpsllvd, Op::x64_vpsllvd_m},
        {Op::x64_vpsrlvd, Op::x64_vpsrlvd_m},   {Op::x64_vaddpd, Op::x64_vaddpd_m},
        {Op::x64_vsubpd, Op::x64_vsubpd_m},     {Op::x64_vmulpd, Op::x64_vmulpd_m},
        {Op::x64_vminps, Op::x64_vminps_m},     {Op::x64_vmaxps, Op::x64_vmaxps_m},
        {Op::x64_vrangeps, Op::x64_vrangeps_m}, {Op::x64_vpaddq, Op::x64_vpaddq_m},
        {Op::x64_vpsubq, Op::x64_vpsubq_m}};
    // A mask of words says nothing of 64-bit elements: comparisons of words read blends of words.
    if (inst.op == Op::x64_vpblendmd) blends_[{inst.operands[0], inst.operands[1]}] = id;
    // Bitwise instructions have 32-bit elements whatever their data.
    const Inst* d = only_here(inst.operands[1]);
    if (!d) return;
    auto form = std::find_if(std::begin(kMasked), std::end(kMasked), [&](Pair p) { return p.from == d->op; });
    if (form == std::end(kMasked)) return;
    std::string_view name = info(form->from).name;
    bool wide_row = name.ends_with("pd") || name.ends_with("q");
    if (wide_row != (inst.op == Op::x64_vpblendmq)) return;
    inst.op = form->to;
    inst.attrs[1] = d->attrs[1];
    inst.operands = {inst.operands[0], inst.operands[2], d->operands[0], d->operands[1]};
  }

  void masked_compare(Inst& inst) {
    static constexpr Pair kCompare[] = {{Op::x64_vcmpps_k, Op::x64_vcmpps_m},
                                        {Op::x64_vpcmpd, Op::x64_vpcmpd_m},
                                        {Op::x64_vpcmpud, Op::x64_vpcmpud_m}};
    static constexpr Pair kBytes[] = {{Op::x64_vpcmpb, Op::x64_vpcmpb_m},
                                      {Op::x64_vpcmpub, Op::x64_vpcmpub_m}};
    const std::span<const Pair> compare =
        inst.op == Op::x64_kand ? std::span<const Pair>(kCompare) : std::span<const Pair>(kBytes);
    for (size_t k = 0; k < 2; ++k) {
      const Inst* d = only_here(inst.operands[k]);
      if (!d) continue;
      auto form = std::ranges::find(compare, d->op, &Pair::from);
      if (form == compare.end()) continue;
      ValueId mask = inst.operands[1 - k];
      inst.op = form->to;
      inst.attrs = d->attrs;
      inst.operands = {mask, d->operands[0], d->operands[1]};
      const Op blend = compare.data() == kBytes ? Op::x64_vpblendmb : Op::x64_vpblendmd;
      for (size_t n = 1; n < 3; ++n) read_blended(inst.operands[n], mask, blend);
      return;
    }
  }

  // Under the mask a blend equals the blended value. If the blend is its only other user, the blend is folded
  // into the definition of that value.
  void read_blended(ValueId& operand, ValueId mask, Op op) {
    auto blend = blends_.find({mask, operand});
    if (blend == blends_.end() || f.inst(blend->second).op != op) return;
    --uses_[operand.index];
    operand = f.result(blend->second);
    ++uses_[operand.index];
    if (op == Op::x64_vpblendmd) masked(blend->second);
  }

  // mask and not (mask and comparison): the inverse comparison under the mask.
  void opposite_compare(Inst& inst) {
    const Inst* d = only_here(inst.operands[0]);
    if (!d) return;
    const bool words = d->op == Op::x64_vcmpps_m || d->op == Op::x64_vpcmpd_m || d->op == Op::x64_vpcmpud_m;
    const bool bytes = d->op == Op::x64_vpcmpb_m || d->op == Op::x64_vpcmpub_m;
    if (inst.op == Op::x64_kandn ? !words : !bytes) return;
    if (d->operands[0] != inst.operands[1]) return;
    become_opposite(inst, *d);
  }
  void negated_compare(Inst& inst) {
    const Inst* d = only_here(inst.operands[0]);
    if (d && (d->op == Op::x64_vcmpps_k || d->op == Op::x64_vpcmpd || d->op == Op::x64_vpcmpud))
      become_opposite(inst, *d);
  }
  static void become_opposite(Inst& inst, const Inst& comparison) {
    constexpr int64_t kOpposite = 4;
    inst.op = comparison.op;
    inst.operands = comparison.operands;
    inst.attrs = comparison.attrs;
    inst.attrs[1] ^= kOpposite;
  }

  Function& f;
  std::vector<uint32_t> uses_;
  std::vector<uint32_t> writes_before_;  // by instruction that reads memory: number of writes before it
  uint32_t writes_ = 0;
  std::map<std::tuple<unsigned, unsigned, int64_t>, ValueId>
      rotated_;                                           // constants, by element, distance, vector
  std::map<std::pair<ValueId, ValueId>, InstId> blends_;  // of this block, by mask and blended value
  Replacements alone_;                                    // blends by the loads that they equal
  BlockId block_;
  size_t at_ = 0;
};

}  // namespace

void combine(Function& machine) { Combiner(machine).run(); }

}  // namespace kc::x64
