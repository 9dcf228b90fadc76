// SPDX-License-Identifier: Apache-2.0
#include "backends/x64/lower.h"

#include <algorithm>
#include <array>
#include <cstddef>
#include <span>

#include "backends/x64/cleanup.h"
#include "backends/x64/elements.h"
#include "backends/x64/full_waves.h"
#include "backends/x64/small_code.h"
#include "ir/case_clusters.h"
#include "ir/check.h"
#include "ir/known_bits.h"
#include "ir/parameters.h"
#include "ir/text.h"
#include "passes/ir_util.h"
#include "runtime/image.h"

namespace kc::x64 {
namespace {

unsigned part_bytes(bool avx512, uint32_t width) { return avx512 && width >= 16 ? 64u : 32u; }

}  // namespace

X64Lowering::X64Lowering(const Function& wave, const X64Options& options)
    : w(wave),
      e(m_, options.avx512),
      analyses_(wave),
      cfg_(analyses_.cfg()),
      tree_(analyses_.dominators()),
      layout_(options.layout),
      shapes_(analyse_shapes(wave, layout_, analyses_)),
      patterns_(analyse_patterns(wave, shapes_, layout_, options.small_buffers, analyses_)),
      guesses_(guess_neighbours(wave, shapes_)),
      quiet_(wave, options.avx512),
      bytes_(part_bytes(options.avx512, wave.width)),
      count_(std::max(1u, wave.width * 4 / bytes_)),
      full_waves_(all_waves_are_full(wave, layout_)),
      stops_(has_any(wave, {Op::lane_barrier})),
      moves_(has_any(wave, {Op::move_wave})),
      small_buffers_(options.small_buffers),
      streams_(options.streams),
      values_(wave.value_count()),
      lane_used_(wave.value_count(), false),
      divisor_{std::vector<bool>(wave.value_count()), std::vector<bool>(wave.value_count())},
      used_(wave.value_count(), false),
      needed_(wave.value_count(), false),
      sign_extended_(wave.value_count(), false),
      used_otherwise_(wave.value_count(), false),
      signed_loads_(wave.value_count(), false),
      block_of_(wave.block_count()),
      block_mask_(wave.block_count()),
      interleaved_(wave, shapes_,
                   {.gathers =
                        [this](ValueId pointer, Elem elem) {
                          return shapes_[pointer.index].kind == Shape::Strided || gathers(pointer, elem);
                        },
                    .masks_bytes = options.avx512,
                    .most_apart = bytes_ == 64 ? 64 : 32}) {
  auto accesses_run = [&](InstId i) {
    const Inst& inst = wave.inst(i);
    return SmallCode(*this).is_run(inst.operands[1],
                                   wave.type(inst.results.empty() ? inst.operands[2] : inst.results[0]));
  };
  if (options.avx512 && count_ > 1) {
    byte_lanes_ =
        ByteLanes(wave, cfg_,
                  {.gathers =
                       [&](ValueId pointer) {
                         return shapes_[pointer.index].kind == Shape::Arbitrary && gathers(pointer, Elem::I8);
                       },
                   .is_run = [&](InstId i) { return !interleaved_.of(i) && accesses_run(i); }});
    dense_ = byte_lanes_.worthwhile();
  }
  interleaved_.order(wave, shapes_, [&](ValueId mask) { return !dense_ && known_full(mask); });
  if (count_ == 1 || dense_) return;
  SmallCode(*this).decide([&](InstId i) {
    const Interleaved* g = interleaved_.of(i);
    return g ? g->in_memory_order : accesses_run(i);
  });
}

// Whether the lanes' elements at a pointer without a stride are gathered: it has no pattern, and they are
// neither near each other nor in a table.
bool X64Lowering::gathers(ValueId pointer, Elem elem) {
  return !patterns_[pointer.index] && near_form(pointer, elem) == NearForm::None && !table_of(pointer, elem);
}

Function X64Lowering::run() {
  m_.name = w.name;
  m_.dialect = Dialect::X64;
  m_.is_kernel = w.is_kernel;
  m_.width = w.width;
  m_.files = w.files;
  for (BlockId b : cfg_.rpo) {
    for (InstId i : w.block(b).insts) {
      const Inst& inst = w.inst(i);
      bool lane = false;
      const bool extends = inst.op == Op::sext && w.type(inst.results[0]).bits() == 32;
      for (ValueId v : inst.operands) {
        lane |= w.type(v).lane, used_[v.index] = true;
        (extends ? sign_extended_ : used_otherwise_)[v.index] = true;
      }
      for (const Target& t : inst.targets)
        for (ValueId v : t.args) used_[v.index] = used_otherwise_[v.index] = needed_[v.index] = true;
      for (ValueId v : inst.results) lane |= w.type(v).lane;
      const bool accesses = inst.op == Op::uniform_load || inst.op == Op::uniform_store ||
                            (inst.op == Op::ptr_add && w.is_const(inst.operands[1]));
      for (size_t k = accesses ? 1 : 0; k < inst.operands.size(); ++k) needed_[inst.operands[k].index] = true;
      for (ValueId v : inst.operands)
        if (lane && !w.type(v).lane) lane_used_[v.index] = true;
      if (lane && is_division(inst.op))
        divisor_[inst.op == Op::sdiv || inst.op == Op::srem][inst.operands[1].index] = true;
    }
    InstId last = w.terminator(b);
    const Inst& inst = w.inst(last);
    if (inst.op != Op::br_if || inst.targets[0].block == inst.targets[1].block) continue;
    InstId cond = w.def(inst.operands[0]);
    BlockId yes = inst.targets[0].block;
    if (cond && w.inst(cond).op == Op::any && cfg_.preds[yes.index].size() == 1)
      block_mask_[yes.index] = w.inst(cond).operands[0];
  }
  for (BlockId b : w.layout)
    if (cfg_.reachable(b)) block_of_[b.index] = m_.add_block(w.block(b).hint);
  for (BlockId b : w.layout)
    if (cfg_.reachable(b) && b != w.entry()) block_parameters(b);
  std::vector<std::vector<BlockId>> pieces(w.block_count());
  for (BlockId b : cfg_.rpo) {
    order_ = {block_of_[b.index]};
    block(b);
    pieces[b.index] = std::move(order_);
  }
  m_.layout.clear();
  for (BlockId b : w.layout)
    m_.layout.insert(m_.layout.end(), pieces[b.index].begin(), pieces[b.index].end());
  if (!table_loads_.empty()) {
    auto& insts = m_.block(m_.entry()).insts;
    const ValueId base = scalar(w.block(w.entry()).params[*param_with_role(w, ParamRole::Constants)]);
    const auto at = std::ranges::find(insts, m_.def(base)) + 1;
    insts.insert(at, table_loads_.begin(), table_loads_.end());
  }
  e.finish();
  for (BlockId b : rare_) m_.block(b).is_rare = true;
  rare_.insert(rare_.end(), guarded_.begin(), guarded_.end());
  sink_into(m_, rare_);
  return std::move(m_);
}

BlockId X64Lowering::fresh_block(std::string hint) {
  BlockId b = m_.add_block(std::move(hint));
  order_.push_back(b);
  return b;
}

bool X64Lowering::has_scalar(ValueId v) const {
  const Shape& s = shapes_[v.index];
  Type type = w.type(v);
  if (!type.lane) return !type.is_mask();
  if (w.is_inline(v) || patterns_[v.index]) return true;
  return s.kind == Shape::Strided && (s.stride == 0 || type.is_int() || type.is_pointer());
}

void X64Lowering::bind(ValueId v, Lowered value) {
  if (value.scalar && value.parts.empty() && lane_used_[v.index])
    value.parts = splat(value.scalar, w.type(v).elem);
  // Dead code elimination removes what is not used.
  if (small_.lanes.any() && is_small(w.type(v).elem) && value.small.empty()) {
    if (value.scalar && !w.type(v).lane && lane_used_[v.index])
      value.small = SmallCode(*this).splat(value.scalar, w.type(v).elem);
    else if (small_.lanes.has(v) && !value.parts.empty())
      value.small = SmallCode(*this).from_words(value.parts, w.type(v).elem);
  }
  if (small_.byte_masks.has(v) && value.small.empty() && !value.parts.empty())
    value.small = SmallCode(*this).bytes_of_masks(value.parts);
  if (!value.whole && !value.parts.empty() && is_whole(v))
    value.whole = w.type(v).is_mask() || w.type(v).elem == Elem::I1 ? joined_masks(value.parts)
                                                                    : joined_bytes(value.parts);
  // An inverse is computed once, at the divisor's definition, which is often outside a loop.
  for (bool is_signed : {false, true})
    if (value.scalar && divisor_[is_signed][v.index] && !w.type(v).lane && w.type(v).bits() <= 32) {
      values_[v.index] = value;
      inverses_[{v, is_signed}] = make_inverse(v, is_signed);
    }
  values_[v.index] = std::move(value);
}

// Mask, vectors and scalar of each parameter become separate parameters.
void X64Lowering::block_parameters(BlockId b) {
  BlockId to = block_of_[b.index];
  e.block = to;
  for (ValueId p : w.block(b).params) {
    Type type = w.type(p);
    Lowered r;
    if (is_whole(p)) {
      r.whole = m_.add_param(to, byte_lanes_.has(p) ? kVec : kKreg);
    } else if (small_.lanes.has(p) || small_.byte_masks.has(p)) {
      for (size_t k = 0; k < SmallCode(*this).vectors(small_.lanes.has(p) ? type.bytes() : 1); ++k)
        r.small.push_back(m_.add_param(to, kVec));
    } else if (type.is_mask() || type.lane) {
      bool mask = type.is_mask() || type.elem == Elem::I1;
      size_t n = count_ * (!mask && type.bits() == 64 ? 2 : 1);
      for (size_t k = 0; k < n; ++k) r.parts.push_back(m_.add_param(to, mask ? e.mask_type() : kVec));
    }
    if (has_scalar(p)) r.scalar = m_.add_param(to, type.is_float() ? kVec : kGpr);
    values_[p.index] = std::move(r);
  }
}

Target X64Lowering::edge(const Target& t) {
  Target r{block_of_[t.block.index], {}};
  for (size_t k = 0; k < t.args.size(); ++k) {
    ValueId p = w.block(t.block).params[k], a = t.args[k];
    if (is_whole(p))
      r.args.push_back(whole(a));
    else if (small_.lanes.has(p))
      for (ValueId v : SmallCode(*this).small(a)) r.args.push_back(v);
    else if (small_.byte_masks.has(p))
      for (ValueId v : SmallCode(*this).masks(a, 1)) r.args.push_back(v);
    else if (w.type(p).is_mask() || w.type(p).lane)
      for (ValueId part : parts(a)) r.args.push_back(part);
    if (has_scalar(p)) r.args.push_back(scalar(a));
  }
  return r;
}

void X64Lowering::block(BlockId b) {
  wave_block_ = b;
  e.block = block_of_[b.index];
  if (b == w.entry())
    parameters();
  else
    for (ValueId p : w.block(b).params)
      if (!w.type(p).lane && !w.type(p).is_mask()) bind(p, values_[p.index]);
  for (InstId i : w.block(b).insts) {
    e.loc = w.inst(i).loc;
    if (!interleaved(i)) instruction(w.inst(i));
  }
}

// Arguments are loaded from the launch record; so is the mask parameter.
void X64Lowering::parameters() {
  size_t n = 0;
  ValueId args;
  for (ValueId p : w.block(w.entry()).params) {
    Type type = w.type(p);
    if (type.is_mask()) {
      Lowered r;
      if (full_waves_) {
        bind(p, full_mask());
        continue;
      }
      ValueId bits = context_field(offsetof(CpuWaveContext, mask));
      if (dense_) r.whole = e.kreg(Op::x64_kmov64_from_gpr, {bits}, w.width);
      for (unsigned k = 0; k < count_ && !dense_; ++k) {
        ValueId shifted = k ? e.gpr(Op::x64_shr_imm, {bits, e.number(k * lanes_per_part())}) : bits;
        r.parts.push_back(e.mask_from_bits(shifted, vec32()));
      }
      bind(p, std::move(r));
      continue;
    }
    if (!args) args = context_field(offsetof(CpuWaveContext, args));
    bind(p, {{}, load_scalar({args, {}, 1, static_cast<int64_t>(8 * n)}, type.elem)});
    ++n;
  }
}

Lowered X64Lowering::full_mask() {
  const uint64_t lanes = ~uint64_t{0} >> (64 - w.width);
  if (dense_) return {{}, {}, e.kreg(Op::x64_kmov64_from_gpr, {e.gpr_const(lanes)}, w.width)};
  const uint64_t all = (uint64_t{1} << lanes_per_part()) - 1;
  const ValueId part = (lanes & all) == all ? e.constant_mask(true, bytes_)
                                            : e.mask_from_bits(e.gpr_const(lanes & all), vec32());
  return {std::vector<ValueId>(count_, part), {}, {}};
}

std::vector<ValueId> X64Lowering::parts(ValueId v) {
  Lowered& r = values_[v.index];
  if (!r.parts.empty()) return r.parts;
  if (r.whole) return split(v);
  Type type = w.type(v);
  if (!r.small.empty())
    return type.is_mask() || type.elem == Elem::I1 ? SmallCode(*this).words_of_mask(v)
                                                   : SmallCode(*this).words(v, false);
  uint64_t bits = w.is_const(v) ? w.value(v).bits : 0;
  KC_CHECK(w.is_inline(v), "x64: value %{} of @{} has no vector form", v.index, w.name);
  bool mask = type.is_mask() || type.elem == Elem::I1;
  if (type.is_mask() || (mask && e.avx512)) {
    // Not cached: a mask constant belongs to the block that creates it. The parts share what they can.
    std::vector<ValueId> fresh;
    std::array<ValueId, 2> same;
    const uint64_t lanes = ~uint64_t{0} >> (64 - std::min(lanes_per_part(), w.width));
    for (unsigned k = 0; k < count_; ++k) {
      const uint64_t part = (type.is_mask() ? bits >> (k * lanes_per_part())
                             : bits         ? ~uint64_t{0}
                                            : 0) &
                            lanes;
      if (part != 0 && part != lanes) {
        fresh.push_back(e.mask_from_bits(e.gpr_const(part), vec32()));
        continue;
      }
      ValueId& shared = same[part != 0];
      if (!shared) shared = e.constant_mask(part != 0, bytes_);
      fresh.push_back(shared);
    }
    return fresh;
  }
  for (unsigned k = 0; k < count_ * (!mask && type.bits() == 64 ? 2 : 1); ++k) {
    if (mask)
      r.parts.push_back(bits ? e.ones() : e.zero());
    else
      r.parts.push_back(e.constant(bits, {bytes_, element_bits(type.elem)}));
  }
  return r.parts;
}

ValueId X64Lowering::scalar(ValueId v) {
  if (!w.is_inline(v)) {
    KC_CHECK(values_[v.index].scalar.valid(), "x64: {} of @{} has no scalar form",
             w.def(v) ? print(w, w.def(v)) : print_operand(w, v), w.name);
    return values_[v.index].scalar;
  }
  uint64_t bits = w.is_const(v) ? w.value(v).bits : 0;
  if (w.type(v).is_float()) return e.constant(bits, {bytes_, element_bits(w.type(v).elem)});
  return e.gpr_const(bits);
}

ValueId X64Lowering::scalar_or_imm(ValueId v) {
  if (!w.is_const(v) || w.type(v).is_float()) return scalar(v);
  return e.imm_or_gpr(w.value(v).bits, w.type(v).bits() == 64 ? 8 : 4);
}

std::vector<ValueId> X64Lowering::splat(ValueId s, Elem elem) {
  VecType t{bytes_, element_bits(elem)};
  ValueId one = elem == Elem::I1        ? e.mask_from_bool(s, vec32())
                : Type{elem}.is_float() ? e.splat_vec(s, t)
                                        : e.splat_gpr(s, t);
  return std::vector<ValueId>(count_ * (t.bits == 64 ? 2 : 1), one);
}

void X64Lowering::launch_id(const Inst& inst) {
  auto dim = static_cast<size_t>(inst.attrs[0]);
  auto field = [&]() -> size_t {
    switch (inst.op) {
      case Op::global_id:
        return offsetof(CpuWaveContext, global_id) + 8 * dim;
      case Op::local_id:
        return offsetof(CpuWaveContext, local_id) + 8 * dim;
      case Op::group_id:
        return offsetof(CpuWaveContext, group_id) + 8 * dim;
      case Op::global_size:
        return offsetof(CpuWaveContext, global_size) + 8 * dim;
      case Op::local_size:
        return offsetof(CpuWaveContext, local_size) + 8 * dim;
      case Op::num_groups:
        return offsetof(CpuWaveContext, num_groups) + 8 * dim;
      case Op::global_offset:
        return offsetof(CpuWaveContext, global_offset) + 8 * dim;
      default:
        return offsetof(CpuWaveContext, dims);
    }
  };
  ValueId r = inst.results[0];
  Type type = w.type(r);
  Op load = type.bits() == 64 ? Op::x64_ctx_load : Op::x64_ctx_load32;
  ValueId base = inst.op == Op::lane_id
                     ? e.gpr_const(0)
                     : m_.result(e.row(load, {}, {kGpr}, {8, 0, 1, static_cast<int64_t>(field())}));
  Lowered value{{}, base};
  if (type.lane) {
    value.parts = splat(base, type.elem);
    VecType t{bytes_, element_bits(type.elem)};
    if (shapes_[r.index].kind != Shape::Strided) {
      std::vector<ValueId> steps = steps_along(dim, r);
      for (size_t k = 0; k < value.parts.size(); ++k) value.parts[k] = e.add(value.parts[k], steps[k], t);
      if (!patterns_[r.index]) value.scalar = {};
    } else if (shapes_[r.index].stride != 0) {
      for (size_t k = 0; k < value.parts.size(); ++k) {
        ValueId steps = e.iota(static_cast<int64_t>(k * t.lanes()), 1, t.bits / 8, t.bytes);
        value.parts[k] = inst.op == Op::lane_id ? steps : e.add(value.parts[k], steps, t);
      }
    }
  }
  bind(r, std::move(value));
}

void X64Lowering::instruction(const Inst& inst) {
  if (whole_op(inst) || SmallCode(*this).lower(inst)) return;
  switch (inst.op) {
    case Op::lane_id:
    case Op::global_id:
    case Op::local_id:
    case Op::group_id:
    case Op::global_size:
    case Op::local_size:
    case Op::num_groups:
    case Op::global_offset:
    case Op::work_dim:
      return launch_id(inst);
    case Op::splat:
      return bind(inst.results[0], {parts(inst.operands[0]), scalar(inst.operands[0])});
    case Op::blend:
      return merge(inst);
    case Op::first_lane:
      return first_lane(inst);
    case Op::mask_bits:
      return bind(inst.results[0], {{}, wave_bits(inst.operands[0])});
    case Op::lane_shuffle:
      return lane_shuffle(inst);
    case Op::lane_load:
      return lane_load(inst);
    case Op::lane_volatile_load:
      lane_load(inst);
      for (ValueId part : parts(inst.results[0])) e.row(Op::x64_use, {part}, {});
      return;
    case Op::lane_store:
    case Op::lane_volatile_store:
      return lane_store(inst);
    case Op::uniform_load:
      return uniform_load(inst);
    case Op::uniform_volatile_load:
      uniform_load(inst);
      e.row(Op::x64_use, {scalar(inst.results[0])}, {});
      return;
    case Op::uniform_store:
    case Op::uniform_volatile_store:
      return uniform_store(inst);
    case Op::lane_barrier:
      return barrier(inst);
    case Op::fence:
      return fence(inst);
    case Op::full_waves:
      return bind(inst.results[0], {{}, context_field(offsetof(CpuWaveContext, full_waves))});
    case Op::next_wave:
      return next_wave();
    case Op::move_wave:
      return move_wave(inst);
    case Op::mask_and:
    case Op::mask_or:
    case Op::mask_andnot:
    case Op::mask_cond:
    case Op::mask_if:
    case Op::any:
      return mask_op(inst);
    default:
      break;
  }
  if (info(inst.op).has(Terminator)) return terminator(inst);
  if (info(inst.op).has(Atomic))
    return w.type(inst.operands[0]).is_mask() ? atomic(inst) : uniform_atomic(inst);
  ValueId r = inst.results[0];
  if (w.type(r).is_mask()) return mask_op(inst);  // select
  if (w.type(r).lane) return lane_op(inst);
  bind(r, {{}, uniform_op(inst)});
}

void X64Lowering::terminator(const Inst& inst) {
  switch (inst.op) {
    case Op::br: {
      Target t = edge(inst.targets[0]);
      return e.jump(t.block, std::move(t.args));
    }
    case Op::br_if: {
      Target yes = edge(inst.targets[0]), no = edge(inst.targets[1]);
      return conditional(inst.operands[0], std::move(yes), std::move(no));
    }
    case Op::switch_:
      return multiway(inst);
    default:
      e.row(Op::x64_leave, {}, {});
  }
}

// A comparison or mask test is repeated at the branch: flags are not live across machine opcodes. Two
// comparisons have a branch each, which is less than both as numbers and a test.
void X64Lowering::conditional(ValueId c, Target yes, Target no) {
  InstId def = w.def(c);
  if (def) {
    const Inst& d = w.inst(def);
    if (d.op == Op::any) {
      if (auto test = scalar_test(d.operands[0])) {
        guarded_.push_back(yes.block);  // the mask is not needed before
        return e.branch(Op::x64_jcmp, {test->a, test->b}, test->size, test->cc, std::move(yes),
                        std::move(no));
      }
      ValueId all = all_parts_or(d.operands[0]);
      return e.branch(dense_     ? Op::x64_jkortest64
                      : e.avx512 ? Op::x64_jkortest
                                 : Op::x64_jptest,
                      {all, all}, SmallCode(*this).mask_vector_bytes(d.operands[0]), NotEqual, std::move(yes),
                      std::move(no));
    }
    if ((d.op == Op::and_ || d.op == Op::or_) && std::ranges::all_of(d.operands, [&](ValueId v) {
          const OpClass of = w.def(v) ? info(w.inst(w.def(v)).op).op_class : OpClass::None;
          return of == OpClass::IntCompare || of == OpClass::FloatCompare;
        })) {
      const BlockId here = e.block, next = fresh_block("second");
      e.block = here;
      if (d.op == Op::or_)
        conditional(d.operands[0], yes, {next, {}});
      else
        conditional(d.operands[0], {next, {}}, no);
      e.block = next;
      return conditional(d.operands[1], std::move(yes), std::move(no));
    }
    Elem elem = d.operands.empty() ? Elem::Void : w.type(d.operands[0]).elem;
    bool word = elem == Elem::I1 || Type{elem}.bits() >= 32, small = !word;
    auto cc = [&]() -> int {
      switch (d.op) {
        case Op::eq:
          return Equal;
        case Op::ne:
          return NotEqual;
        case Op::slt:
          return small ? -1 : Less;
        case Op::sle:
          return small ? -1 : LessEqual;
        case Op::ult:
          return Below;
        case Op::ule:
          return BelowEqual;
        default:
          return -1;
      }
    }();
    if (cc >= 0) {
      unsigned size = Type{elem}.bits() == 64 ? 8 : 4;
      ValueId a = scalar(d.operands[0]), b = scalar_or_imm(d.operands[1]);
      return e.branch(Op::x64_jcmp, {a, b}, size, static_cast<Condition>(cc), std::move(yes), std::move(no));
    }
    if (d.op == Op::flt || d.op == Op::fle) {
      ValueId a = scalar(d.operands[0]), b = scalar(d.operands[1]);
      return e.branch(elem == Elem::F32 ? Op::x64_jucomiss : Op::x64_jucomisd, {b, a}, 16,
                      d.op == Op::flt ? Above : AboveEqual, std::move(yes), std::move(no));
    }
  }
  ValueId bit = scalar(c);
  e.branch(Op::x64_jtest, {bit, bit}, 4, NotEqual, std::move(yes), std::move(no));
}

// A binary search for the cluster of cases; a few clusters are tested one after the other. `low` and `high`:
// bounds of the value that tests before have set.
void X64Lowering::multiway(const Inst& inst) {
  constexpr size_t kFew = 3;
  const ValueId v = scalar(inst.operands[0]);
  const Type type = w.type(inst.operands[0]);
  const unsigned size = type.bits() == 64 ? 8 : 4;
  std::vector<CaseCluster> clusters = case_clusters(w, inst);
  if (clusters.size() <= kFew) std::ranges::sort(clusters, {}, &CaseCluster::target);  // as they are written
  auto branch = [&](ValueId value, uint64_t limit, Condition cc, Target yes, Target no) {
    e.branch(Op::x64_jcmp, {value, e.imm_or_gpr(limit, size)}, size, cc, std::move(yes), std::move(no));
  };
  auto test = [&](const CaseCluster& c, uint64_t low, uint64_t high, Target yes, Target no) {
    if (c.first == c.last) return branch(v, c.first, Equal, std::move(yes), std::move(no));
    if (c.first <= low) return branch(v, c.last, BelowEqual, std::move(yes), std::move(no));
    if (c.last >= high) return branch(v, c.first, AboveEqual, std::move(yes), std::move(no));
    const ValueId distance = e.gpr(Op::x64_sub, {v, e.imm_or_gpr(c.first, size)}, size);
    branch(distance, c.last - c.first, BelowEqual, std::move(yes), std::move(no));
  };
  auto search = [&](auto& self, std::span<const CaseCluster> some, uint64_t low, uint64_t high) -> void {
    const BlockId here = e.block;
    if (some.size() > kFew) {
      const size_t half = some.size() / 2;
      const uint64_t pivot = some[half].first;
      const BlockId below = fresh_block("cases"), above = fresh_block("cases");
      order_.pop_back();  // it comes behind all that is below
      branch(v, pivot, Below, {below, {}}, {above, {}});
      e.block = below;
      self(self, some.first(half), low, pivot - 1);
      order_.push_back(e.block = above);
      return self(self, some.subspan(half), pivot, high);
    }
    if (some.empty() || (some[0].first <= low && some[0].last >= high)) {
      Target t = edge(inst.targets[some.empty() ? 0 : some[0].target]);
      return e.jump(t.block, std::move(t.args));
    }
    const CaseCluster& c = some[0];
    Target yes = edge(inst.targets[c.target]);
    const bool last = some.size() == 1 && inst.targets[c.target].block != inst.targets[0].block;
    Target no = last ? edge(inst.targets[0]) : Target{fresh_block("case"), {}};
    const BlockId next = no.block;
    e.block = here;
    test(c, low, high, std::move(yes), std::move(no));
    if (last) return;
    e.block = next;
    self(self, some.subspan(1), c.first <= low && c.last < high ? c.last + 1 : low, high);
  };
  search(search, clusters, 0, low_ones(type.bits()));
}

}  // namespace kc::x64
