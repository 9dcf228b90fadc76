// SPDX-License-Identifier: Apache-2.0
// Forms of instructions on general registers.
//
// Selection keeps bytes, shorts and words zero-extended, and extends an index before each use. Which bits of
// a value are read, and which of them can be set, is known here for the whole function: an extension whose
// upper bits nothing reads goes, and so does one of a value that is extended already.
//
//   %3 = load16 %p;  %4 = movsx16 %3                            ->   %4 = load16s %p
//   %5 = setcmp %a, %b;  %6 = select %5, %x, %y                 ->   %6 = select_cmp %a, %b, %x, %y
//   %6 = and %5, 4;  jcmp %6, 0                                 ->   jtest %5, 4
//   %5 = sub %n, 1;  jcmp %n, 0                                 ->   jcmp %5, -1
//   %7 = load8 %p;  %8 = add %7, 1;  %9 = movzx8 %8;  store8 %p, %9   ->   add_to %p, 1
#include <algorithm>
#include <bit>
#include <iterator>
#include <optional>
#include <utility>
#include <vector>

#include "backends/x64/cleanup.h"
#include "backends/x64/conditions.h"
#include "backends/x64/elements.h"
#include "backends/x64/syntax.h"
#include "passes/ir_util.h"

namespace kc::x64 {
namespace {

constexpr unsigned kAllBits = 64;

// The low bits of the result are computed from those of the operands.
bool is_low_arithmetic(Op op) {
  switch (op) {
    case Op::x64_add:
    case Op::x64_sub:
    case Op::x64_and_:
    case Op::x64_or_:
    case Op::x64_xor_:
    case Op::x64_imul:
    case Op::x64_imul_imm:
    case Op::x64_neg:
    case Op::x64_not_:
      return true;
    default:
      return false;
  }
}

// The bits of an extension's operand, 0 for other rows.
unsigned extended_from(Op op) {
  switch (op) {
    case Op::x64_movzx8:
    case Op::x64_movsx8:
      return 8;
    case Op::x64_movzx16:
    case Op::x64_movsx16:
      return 16;
    case Op::x64_movzx32:
    case Op::x64_movsx32:
      return 32;
    default:
      return 0;
  }
}
// Whether a row reads no more bits of this operand than are read of its result.
bool passes_low_bits(Op op, size_t operand) {
  if (op == Op::x64_select) return operand > 0;
  if (op == Op::x64_select_cmp) return operand > 1;
  if (op == Op::x64_shl_imm || extended_from(op)) return operand == 0;
  return is_low_arithmetic(op);
}
bool is_signed_extension(Op op) {
  return op == Op::x64_movsx8 || op == Op::x64_movsx16 || op == Op::x64_movsx32;
}

struct SignedLoad {
  Op extension, load, with_sign;
};
constexpr SignedLoad kSignedLoads[] = {
    {Op::x64_movsx8, Op::x64_load8, Op::x64_load8s},
    {Op::x64_movsx8, Op::x64_load8_index, Op::x64_load8s_index},
    {Op::x64_movsx16, Op::x64_load16, Op::x64_load16s},
    {Op::x64_movsx16, Op::x64_load16_index, Op::x64_load16s_index},
    {Op::x64_movsx32, Op::x64_load32, Op::x64_load32s},
    {Op::x64_movsx32, Op::x64_load32_index, Op::x64_load32s_index},
};

class ScalarForms {
 public:
  explicit ScalarForms(Function& machine)
      : f(machine),
        read_(machine.value_count(), 0),
        replaced_(machine),
        writes_before_(machine.inst_count(), 0) {}

  void run() {
    // Equal values first: what is read of one is then read of the other.
    each([&](InstId i) { drop_extended_again(i); });
    find_read_bits();
    each([&](InstId i) { simplify(i); });
    eliminate_dead_code(f);
    uses_ = count_uses(f);
    for (BlockId b : f.layout) {
      writes_ = 0;
      decremented_.clear();
      for (InstId i : f.block(b).insts) {
        store(i);
        test_bits(f.inst(i));
        count_down(f.inst(i));
      }
    }
    if (tested_) sweep_erased(f);
  }

 private:
  template <class Visit>
  void each(Visit visit) {
    for (BlockId b : f.layout)
      for (InstId i : f.block(b).insts) visit(i);
    if (replaced_.empty()) return;
    apply_replacements(f, replaced_);
    sweep_erased(f);
    replaced_ = Replacements(f);
  }
  const Inst* def(ValueId v) const {
    const InstId i = f.def(v);
    return i ? &f.inst(i) : nullptr;
  }

  // --- the bits that are read of each value, from the syntax of the rows that read it
  void find_read_bits() {
    edges_.resize(f.block_count());
    for (BlockId b : f.layout) {
      for (const Target& t : f.successors(b)) edges_[t.block.index].push_back(&t);
      for (InstId i : f.block(b).insts) {
        const Inst& inst = f.inst(i);
        for (size_t k = 0; k < inst.operands.size(); ++k)
          if (!passes_low_bits(inst.op, k)) read(inst.operands[k], bits_read(inst, k));
      }
    }
    while (!work_.empty()) {
      const ValueId v = work_.back();
      work_.pop_back();
      const Value& value = f.value(v);
      if (value.kind == ValueKind::Param)
        for (const Target* t : edges_[value.owner]) read(t->args[value.index], read_[v.index]);
      if (value.kind != ValueKind::Result) continue;
      const Inst& inst = f.inst(InstId(value.owner));
      for (size_t k = 0; k < inst.operands.size(); ++k)
        if (passes_low_bits(inst.op, k))
          read(inst.operands[k], std::min<unsigned>(bits_read(inst, k), read_[v.index]));
    }
  }
  void read(ValueId v, unsigned bits) {
    if (f.is_inline(v) || f.type(v).elem != Elem::Gpr || read_[v.index] >= bits) return;
    read_[v.index] = static_cast<uint8_t>(bits);
    work_.push_back(v);
  }
  // Of an operand by the row itself. One that the syntax does not name is tied to a result or has a fixed
  // register.
  unsigned bits_read(const Inst& inst, size_t operand) const {
    if (const unsigned from = extended_from(inst.op)) return from;
    const Syntax& syntax = syntax_of(inst.op);
    const int64_t size = syntax.size < 0 ? 8 : inst.attrs[static_cast<size_t>(syntax.size)];
    if (passes_low_bits(inst.op, operand)) {
      if (inst.op == Op::x64_and_ && f.is_const(inst.operands[1]) && operand == 0)
        if (const auto mask = static_cast<int64_t>(f.value(inst.operands[1]).bits); mask >= 0)
          return std::min<unsigned>(static_cast<unsigned>(size) * 8,
                                    static_cast<unsigned>(std::bit_width(static_cast<uint64_t>(mask))));
      const bool whole = inst.op == Op::x64_select || inst.op == Op::x64_select_cmp;
      return whole ? kAllBits : static_cast<unsigned>(size) * 8;
    }
    unsigned bits = 0;
    for (const SyntaxInst& part : syntax.insts)
      for (const SyntaxOperand& o : part.operands) {
        auto is_operand = [&](const SyntaxReg& r) {
          return r.place == Place::Operand && r.number == operand;
        };
        if (is_operand(o.index) || is_operand(o.mask) || (o.kind == SyntaxOperand::Mem && is_operand(o.reg)))
          return kAllBits;
        if (o.kind == SyntaxOperand::Reg && is_operand(o.reg))
          bits = std::max(bits, bits_of(o.reg.size, size));
      }
    return bits ? bits : kAllBits;
  }
  static unsigned bits_of(char size, int64_t attribute) {
    switch (size) {
      case 'b':
        return 8;
      case 'w':
        return 16;
      case 'd':
        return 32;
      case 'G':
        return std::min<unsigned>(kAllBits, static_cast<unsigned>(attribute) * 8);
      default:
        return kAllBits;
    }
  }

  // The upper bits of v beyond so many are zero.
  unsigned bits_set(ValueId v) const {
    if (f.is_const(v)) return static_cast<unsigned>(std::bit_width(f.value(v).bits));
    const Inst* d = def(v);
    if (!d || f.type(v).elem != Elem::Gpr) return kAllBits;
    const unsigned size = syntax_of(d->op).size < 0 ? kAllBits : static_cast<unsigned>(d->attrs[0]) * 8;
    switch (d->op) {
      case Op::x64_movzx8:
      case Op::x64_load8:
      case Op::x64_load8_index:
        return 8;
      case Op::x64_movzx16:
      case Op::x64_load16:
      case Op::x64_load16_index:
        return 16;
      case Op::x64_movzx32:
      case Op::x64_load32:
      case Op::x64_load32_index:
      case Op::x64_ctx_load32:
        return 32;
      case Op::x64_setcmp:
      case Op::x64_setptest:
      case Op::x64_setkortest:
      case Op::x64_setkortest64:
      case Op::x64_setucomiss:
      case Op::x64_setucomisd:
        return 1;
      case Op::x64_and_:
        if (f.is_const(d->operands[1]))
          return std::min(size, static_cast<unsigned>(std::bit_width(f.value(d->operands[1]).bits)));
        return size;
      case Op::x64_shr_imm:
        return size - static_cast<unsigned>(f.value(d->operands[1]).bits);
      case Op::x64_shlx:
      case Op::x64_shrx:
      case Op::x64_sarx:
      case Op::x64_shl_imm:
      case Op::x64_sar_imm:
      case Op::x64_rorx:
        return size;
      default:
        return is_low_arithmetic(d->op) ? size : kAllBits;
    }
  }

  // --- rows
  void drop_extended_again(InstId i) {
    const Inst& inst = f.inst(i);
    const unsigned from = extended_from(inst.op);
    if (from == 0) return;
    const unsigned set = bits_set(inst.operands[0]);
    if (set < from || (set == from && !is_signed_extension(inst.op))) become(i, inst.operands[0]);
  }
  void simplify(InstId i) {
    Inst& inst = f.inst(i);
    if (inst.op == Op::x64_jcmp || inst.op == Op::x64_setcmp) return compare_with_number(inst);
    if (inst.op == Op::x64_select) return fuse_comparison(inst);
    if (fold(i)) return;
    if (inst.op == Op::x64_and_ && f.is_const(inst.operands[1])) {
      const auto ones = static_cast<unsigned>(std::countr_one(f.value(inst.operands[1]).bits));
      const unsigned kept = std::min(ones, static_cast<unsigned>(inst.attrs[0]) * 8);
      if (read_[inst.results[0].index] <= kept) become(i, inst.operands[0]);
      return;
    }
    const unsigned from = extended_from(inst.op);
    if (from == 0) return;
    if (read_[inst.results[0].index] <= from) return become(i, inst.operands[0]);
    load_with_sign(i);
  }
  std::optional<uint64_t> number(ValueId v) const {
    if (f.is_const(v)) return f.value(v).bits;
    const Inst* d = defined_by(f, v, Op::x64_imm);
    if (!d) return std::nullopt;
    const uint64_t bits = f.value(d->operands[0]).bits;
    return d->attrs[0] == 4 ? static_cast<uint32_t>(bits) : bits;
  }
  // What is computed of the first lane's id where that is 0, or another number.
  bool fold(InstId i) {
    const Inst& inst = f.inst(i);
    switch (inst.op) {
      case Op::x64_lea_index:
      case Op::x64_lea32_index:
        return fold_index(i);
      case Op::x64_movsx32:
        if (const auto x = number(inst.operands[0]))
          return become_number(i, static_cast<uint64_t>(int64_t{static_cast<int32_t>(*x)}));
        return false;
      case Op::x64_add:
      case Op::x64_shl_imm: {
        const auto a = number(inst.operands[0]), b = number(inst.operands[1]);
        if (!a || !b || inst.attrs[0] < 4) return inst.op == Op::x64_add && add_zero(i);
        const uint64_t r = inst.op == Op::x64_add ? *a + *b : *a << (*b & 63);
        return become_number(i, inst.attrs[0] == 4 ? static_cast<uint32_t>(r) : r);
      }
      default:
        return false;
    }
  }
  bool become_number(InstId i, uint64_t number) {
    Inst& inst = f.inst(i);
    inst.op = Op::x64_imm;
    inst.operands = {f.constant(kI64, number)};
    inst.attrs = {number <= 0xffffffffU ? 4 : 8};
    return true;
  }
  bool fold_index(InstId i) {
    Inst& inst = f.inst(i);
    const bool wide = inst.op == Op::x64_lea_index;
    const auto index = number(inst.operands[1]);
    if (!index) return false;
    const uint64_t disp =
        static_cast<uint64_t>(inst.attrs[3]) + *index * static_cast<uint64_t>(inst.attrs[2]);
    if (static_cast<int64_t>(disp) != static_cast<int32_t>(disp)) return false;
    if (wide && disp == 0) return become(i, inst.operands[0]), true;
    inst.op = wide ? Op::x64_lea : Op::x64_lea32;
    inst.operands = {inst.operands[0]};
    inst.attrs[2] = 1, inst.attrs[3] = static_cast<int64_t>(disp);
    return true;
  }
  bool add_zero(InstId i) {
    const Inst& inst = f.inst(i);
    if (read_[inst.results[0].index] > inst.attrs[0] * 8) return false;
    for (size_t k : {0, 1})
      if (number(inst.operands[k]) == 0 && !f.is_const(inst.operands[1 - k]))
        return become(i, inst.operands[1 - k]), true;
    return false;
  }
  void become(InstId i, ValueId v) {
    replaced_.set(f.result(i), v);
    f.inst(i).erased = true;
  }

  // A load whose value is extended everywhere in the same way, or read without its upper bits.
  void load_with_sign(InstId i) {
    const Inst& inst = f.inst(i);
    const ValueId x = inst.operands[0];
    const InstId d = f.def(x);
    if (!d) return;
    Inst& load = f.inst(d);
    for (const SignedLoad& form : kSignedLoads) {
      if (form.extension != inst.op || read_[x.index] > extended_from(inst.op)) continue;
      const bool known = load.op == form.with_sign && load.attrs[0] == inst.attrs[0];
      if (load.op != form.load && !known) continue;
      load.op = form.with_sign;
      load.attrs[0] = inst.attrs[0];
      return become(i, x);
    }
  }

  // Only the second one of what is compared can be an immediate.
  void compare_with_number(Inst& inst) {
    const Inst* d = f.is_const(inst.operands[1]) ? nullptr : defined_by(f, inst.operands[0], Op::x64_imm);
    const auto number = d ? stored_number(*d, static_cast<unsigned>(inst.attrs[0])) : std::nullopt;
    if (!number) return;
    inst.operands[0] = inst.operands[1];
    inst.operands[1] = f.constant(kI64, static_cast<uint64_t>(*number));
    inst.attrs[2] = of_exchanged(static_cast<Condition>(inst.attrs[2]));
  }

  void fuse_comparison(Inst& inst) {
    const Inst* compared = defined_by(f, inst.operands[0], Op::x64_setcmp);
    if (!compared) return;
    inst.attrs = compared->attrs;
    inst.op = Op::x64_select_cmp;
    inst.operands = {compared->operands[0], compared->operands[1], inst.operands[1], inst.operands[2]};
  }

  // Whether bits are zero is known after `test`, which needs no register for the result.
  void test_bits(Inst& inst) {
    static constexpr std::pair<Op, Op> kTests[] = {{Op::x64_jcmp, Op::x64_jtest},
                                                   {Op::x64_setcmp, Op::x64_settest},
                                                   {Op::x64_select_cmp, Op::x64_select_test}};
    const auto row = std::ranges::find(kTests, inst.op, &std::pair<Op, Op>::first);
    if (row == std::end(kTests) || !f.is_const(inst.operands[1]) || f.value(inst.operands[1]).bits != 0)
      return;
    const auto cc = static_cast<Condition>(inst.attrs[2]);
    const Inst* bits = f.is_inline(inst.operands[0]) ? nullptr : only_here(inst.operands[0], inst.block);
    if (!bits || bits->op != Op::x64_and_ || bits->attrs[0] != inst.attrs[0] ||
        (cc != Equal && cc != NotEqual))
      return;
    f.inst(f.def(inst.operands[0])).erased = true;
    inst.op = row->second;
    inst.operands[0] = bits->operands[0], inst.operands[1] = bits->operands[1];
    tested_ = true;
  }

  // `while (n--)`: if the number after the subtraction is compared, the one before it need not stay alive.
  void count_down(Inst& inst) {
    if (inst.op == Op::x64_add || inst.op == Op::x64_sub) {
      const auto step =
          f.is_const(inst.operands[1]) ? static_cast<int32_t>(f.value(inst.operands[1]).bits) : 0;
      if (step == (inst.op == Op::x64_sub ? 1 : -1))
        decremented_.push_back({inst.operands[0], inst.results[0], inst.attrs[0]});
    }
    if (inst.op != Op::x64_jcmp || !f.is_const(inst.operands[1]) || f.value(inst.operands[1]).bits != 0)
      return;
    if (inst.attrs[2] != Equal && inst.attrs[2] != NotEqual) return;
    for (const Decrement& d : decremented_)
      if (d.before == inst.operands[0] && d.size == inst.attrs[0] && uses_[d.before.index] == 2) {
        inst.operands[0] = d.after;
        inst.operands[1] = f.constant(kI64, ~uint64_t{0});
        return;
      }
  }

  // --- stores: of immediates, and of what a load of the same place has become
  void store(InstId i) {
    Inst& inst = f.inst(i);
    const Effects effects = info(inst.op).effects;
    if (effects == Effects::Read) writes_before_[i.index] = writes_;
    if (effects != Effects::Write) return;
    if (const auto access = scalar_access_of(inst.op);
        access && f.type(inst.operands.back()).elem != Elem::Vec) {
      ValueId& value = inst.operands.back();
      const Inst* d = defined_by(f, value, Op::x64_imm);
      const auto number = d ? stored_number(*d, access->bytes) : std::nullopt;
      if (number)
        value = f.constant(kI64, static_cast<uint64_t>(*number));
      else
        update(inst, *access);
    }
    ++writes_;
  }
  // The low bytes of a number as an immediate, which has 32 bits and is sign-extended.
  std::optional<int64_t> stored_number(const Inst& number, unsigned bytes) const {
    uint64_t bits = f.value(number.operands[0]).bits;
    if (number.attrs[0] == 4) bits = static_cast<uint32_t>(bits);
    const int64_t v = low_bytes(bits, bytes);
    return v == static_cast<int32_t>(v) ? std::optional(v) : std::nullopt;
  }
  static int64_t low_bytes(uint64_t bits, unsigned bytes) {
    const unsigned above = 64 - 8 * bytes;
    return static_cast<int64_t>(bits << above) >> above;
  }
  const Inst* only_here(ValueId v, BlockId block) const {
    const Inst* d = def(v);
    return d && d->block == block && uses_[v.index] == 1 ? d : nullptr;
  }
  // At addresses of one register: a Zen 4 is slow where updates with an index follow each other (update_at in
  // lower_sync.cpp).
  void update(Inst& inst, const ScalarAccess& access) {
    if (access.indexed) return;
    const Inst* d = only_here(inst.operands.back(), inst.block);
    if (!d) return;
    static constexpr struct {
      Op op, to;
      bool commutes;
    } kUpdates[] = {{Op::x64_add, Op::x64_add_to, true},
                    {Op::x64_sub, Op::x64_sub_from, false},
                    {Op::x64_and_, Op::x64_and_to, true},
                    {Op::x64_or_, Op::x64_or_to, true},
                    {Op::x64_xor_, Op::x64_xor_to, true}};
    for (const auto& row : kUpdates) {
      if (row.op != d->op || d->attrs[0] < int64_t{access.bytes}) continue;
      for (size_t k = 0; k < (row.commutes ? 2 : 1); ++k) {
        const ValueId loaded = d->operands[k], other = d->operands[1 - k];
        const Inst* load = f.is_inline(loaded) ? nullptr : only_here(loaded, inst.block);
        if (!load || load->op != access.load || writes_before_[f.def(loaded).index] != writes_) continue;
        if (load->operands[0] != inst.operands[0] || load->attrs[2] != inst.attrs[2] ||
            load->attrs[3] != inst.attrs[3])
          continue;
        const bool number = f.is_const(other);
        inst.op = row.to;
        inst.attrs[0] = access.bytes;
        inst.operands.back() =
            number ? f.constant(kI64, static_cast<uint64_t>(low_bytes(f.value(other).bits, access.bytes)))
                   : other;
        return;
      }
    }
  }

  Function& f;
  std::vector<uint8_t> read_;  // by value: bits
  Replacements replaced_;
  std::vector<std::vector<const Target*>> edges_;  // by block that they lead to
  std::vector<ValueId> work_;
  std::vector<uint32_t> uses_;           // when only stores and tests are left to do
  std::vector<uint32_t> writes_before_;  // by instruction that reads memory: writes before it in its block
  uint32_t writes_ = 0;
  bool tested_ = false;  // instructions are erased
  // What this block has subtracted 1 from.
  struct Decrement {
    ValueId before, after;
    int64_t size;
  };
  std::vector<Decrement> decremented_;
};

}  // namespace

void choose_scalar_forms(Function& machine) { ScalarForms(machine).run(); }

}  // namespace kc::x64
