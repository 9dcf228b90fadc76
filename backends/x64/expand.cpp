// SPDX-License-Identifier: Apache-2.0
#include <bit>
#include <cstddef>
#include <cstring>
#include <map>

#include "backends/x64/assembly.h"
#include "backends/x64/conditions.h"
#include "backends/x64/isa/table.h"
#include "backends/x64/memory_operands.h"
#include "backends/x64/registers.h"
#include "backends/x64/syntax.h"
#include "ir/check.h"
#include "ir/text.h"
#include "runtime/image.h"

namespace kc::x64 {
namespace {

AsmOperand reg_operand(File file, unsigned bytes, unsigned index) {
  AsmOperand o;
  o.kind = AsmOperand::Reg;
  o.reg = {file, static_cast<uint8_t>(bytes), static_cast<uint16_t>(index)};
  return o;
}
AsmOperand gpr(unsigned index) { return reg_operand(File::Gpr, 8, index); }
AsmOperand imm(int64_t v) {
  AsmOperand o;
  o.kind = AsmOperand::Imm;
  o.value = v;
  return o;
}
AsmOperand label_operand(uint32_t label) {
  AsmOperand o;
  o.kind = AsmOperand::Label;
  o.value = label;
  return o;
}
AsmOperand memory(unsigned base, int64_t disp, unsigned bytes) {
  AsmOperand o;
  o.kind = AsmOperand::Mem;
  o.mem.base = {File::Gpr, 8, static_cast<uint16_t>(base)};
  o.mem.bytes = static_cast<uint8_t>(bytes);
  o.value = disp;
  return o;
}

class Expander {
 public:
  Expander(const Function& machine, const Allocation& allocation, const ExpandOptions& options)
      : f(machine),
        a_(allocation),
        avx512_(options.avx512),
        groups_meet_(options.groups_meet),
        in_memory_(machine, options.avx512) {}

  Assembly run() {
    out_.name = f.name;
    out_.frame_bytes = (a_.frame_bytes + 63) / 64 * 64;
    layout_ = f.layout;
    std::stable_partition(layout_.begin() + 1, layout_.end(), [&](BlockId b) { return !f.block(b).is_rare; });
    find_used();
    block_label_.assign(f.block_count(), -1);
    targeted_.assign(f.block_count(), false);
    size_t rows = 0;
    for (BlockId b : layout_) {
      rows += f.block(b).insts.size();
      block_label_[b.index] = static_cast<int32_t>(out_.labels++);
      for (const Target& t : f.successors(b)) targeted_[t.block.index] = true;
    }
    out_.insts.reserve(rows + rows / 2);  // most become one instruction, which is large
    prologue();
    position_.assign(f.block_count(), 0);
    for (size_t i = 0; i < layout_.size(); ++i) position_[layout_[i].index] = i;
    for (size_t i = 0; i < layout_.size(); ++i) {
      at_ = i;
      next_ = i + 1 < layout_.size() ? layout_[i + 1] : BlockId();
      if (targeted_[layout_[i].index]) bind(block_label_[layout_[i].index]);
      for (InstId inst : f.block(layout_[i]).insts) instruction(inst);
    }
    align_loops();
    return std::move(out_);
  }

 private:
  // What the compiler adds, spills say, belongs to the line before it.
  void note_place(Loc loc) {
    if (loc.line && (out_.places.empty() || out_.places.back().loc != loc))
      out_.places.push_back({static_cast<uint32_t>(out_.insts.size()), loc});
  }
  AsmInst& emit(std::string_view mnemonic, std::initializer_list<AsmOperand> operands = {}) {
    AsmInst inst;
    inst.mnemonic = mnemonic;
    for (const AsmOperand& o : operands) inst.operands[inst.count++] = o;
    if (pending_ >= 0) {
      inst.label = pending_;
      pending_ = -1;
    }
    out_.insts.push_back(inst);
    return out_.insts.back();
  }
  void bind(int32_t label) {
    if (pending_ >= 0) emit("");
    pending_ = label;
  }

  // A short loop that begins near the end of what a processor fetches at once took a fifth longer (Zen 4).
  void align_loops() {
    constexpr size_t kShort = 64;
    std::vector<size_t> at(out_.labels, out_.insts.size());
    for (size_t i = 0; i < out_.insts.size(); ++i) {
      const AsmInst& inst = out_.insts[i];
      if (inst.label >= 0) at[static_cast<size_t>(inst.label)] = i;
      if (inst.count != 1 || inst.operands[0].kind != AsmOperand::Label) continue;
      const size_t start = at[static_cast<size_t>(inst.operands[0].value)];
      if (start <= i && i - start < kShort) out_.insts[start].aligned = true;
    }
  }

  // Callee-saved registers that hold values. The allocation also counts clobbered registers, and a barrier
  // clobbers all of them.
  void find_used() {
    std::vector<bool> used(16, false);
    for (size_t v = 0; v < f.value_count(); ++v) {
      const Value& value = f.value(ValueId(v));
      if (value.type.elem == Elem::Gpr && value.location.kind == Location::Register)
        used[value.location.index] = true;
    }
    for (uint32_t r = 0; r < 16; ++r)
      if (r != Rbp && callee_saved(r) && used[r]) saved_.push_back(r);
    for (BlockId b : f.layout)
      for (InstId i : f.block(b).insts) {
        const Op op = f.inst(i).op;
        barriers_ |= op == Op::x64_barrier;
        dense_ |= info(op).machine.form == ByteLanesForm;
      }
  }

  // The frame is on the stack, with rsp at its lowest address; with barriers it is in memory of the wave at
  // rbp. (Not at rsp: a signal handler would write below it.)
  void prologue() {
    bool frame = out_.frame_bytes != 0;
    if (frame) emit("push", {gpr(Rbp)});
    if (frame && !barriers_) emit("mov", {gpr(Rbp), gpr(Rsp)});
    for (uint32_t r : saved_) emit("push", {gpr(r)});
    if (barriers_) return enter();
    if (!frame) return;
    emit("sub", {gpr(Rsp), imm(out_.frame_bytes)});
    emit("and", {gpr(Rsp), imm(-64)});
  }
  static AsmOperand launch_record(size_t field) { return memory(kContext, static_cast<int64_t>(field), 8); }
  static AsmOperand address_of(int32_t label) {
    AsmOperand place;
    place.kind = AsmOperand::Mem;
    place.mem.bytes = 8;
    place.mem.label = label;
    return place;
  }
  int32_t new_label() { return static_cast<int32_t>(out_.labels++); }
  void jump(std::string_view mnemonic, int32_t label) {
    emit(mnemonic, {label_operand(static_cast<uint32_t>(label))});
  }
  void load_frame() {
    if (out_.frame_bytes) emit("mov", {gpr(Rbp), launch_record(offsetof(CpuWaveContext, frame))});
  }

  // Enters a wave at its start, or after the barrier at which it waits. A wave that stops or ends makes room
  // for the one whose record follows, unless it was entered alone. Of groups that meet, the stack has the
  // place where all waves start that run until the next barrier, and the first record above it.
  void enter() {
    leave_ = new_label();
    const int32_t entered = new_label(), start = new_label();
    if (groups_meet_) {
      emit("lea", {gpr(Rax), address_of(start)});
      emit("push", {gpr(kContext)});
      emit("push", {gpr(Rax)});
    }
    bind(entered);
    load_frame();
    emit("mov", {gpr(Rax), launch_record(offsetof(CpuWaveContext, resume))});
    emit("test", {gpr(Rax), gpr(Rax)});
    jump("je", start);
    emit("mov", {launch_record(offsetof(CpuWaveContext, resume)), imm(0)});
    emit("jmp", {gpr(Rax)});
    if (!groups_meet_) {
      next_wave_ = new_label();
      bind(next_wave_);
      emit("mov", {gpr(Rax), launch_record(offsetof(CpuWaveContext, followed))});
      emit("test", {gpr(Rax), gpr(Rax)});
      jump("je", leave_);
      emit("add", {gpr(kContext), imm(sizeof(CpuWaveContext))});
      jump("jmp", entered);
    }
    bind(leave_);
    leave();
    bind(start);
  }
  void barrier(const Inst& inst) {
    const int32_t behind = new_label();
    if (groups_meet_) {
      const int32_t last = new_label(), alone = new_label();
      next_that_meets(last);
      bind(last);
      emit("cmp", {gpr(Rax), imm(kLastToMeet)});
      emit("lea", {gpr(Rax), address_of(behind)});
      jump("jne", alone);
      emit("mov", {memory(Rsp, 0, 8), gpr(Rax)});
      emit("mov", {gpr(kContext), memory(Rsp, 8, 8)});
      load_frame();
      jump("jmp", behind);
      bind(alone);
    } else {
      emit("lea", {gpr(Rax), address_of(behind)});
    }
    emit("mov", {launch_record(offsetof(CpuWaveContext, resume)), gpr(Rax)});
    emit("mov", {launch_record(offsetof(CpuWaveContext, site)), imm(inst.attrs[0])});
    jump("jmp", groups_meet_ ? leave_ : next_wave_);
    bind(behind);
  }
  // Goes to the next wave, or to `last` with the kind of CpuFollowed in rax.
  void next_that_meets(int32_t last) {
    emit("mov", {gpr(Rax), launch_record(offsetof(CpuWaveContext, followed))});
    emit("cmp", {gpr(Rax), imm(kMeets)});
    jump("jne", last);
    emit("add", {gpr(kContext), imm(sizeof(CpuWaveContext))});
    load_frame();
    emit("mov", {gpr(Rax), memory(Rsp, 0, 8)});
    emit("jmp", {gpr(Rax)});
  }
  void epilogue() {
    if (!barriers_) return leave();
    if (groups_meet_)
      next_that_meets(leave_);
    else
      jump("jmp", next_wave_);
  }
  void leave() {
    emit("vzeroupper");
    if (groups_meet_) emit("add", {gpr(Rsp), imm(16)});
    if (out_.frame_bytes && !barriers_)
      emit("lea", {gpr(Rsp), memory(Rbp, -8 * static_cast<int64_t>(saved_.size()), 8)});
    for (size_t i = saved_.size(); i-- > 0;) emit("pop", {gpr(saved_[i])});
    if (out_.frame_bytes) emit("pop", {gpr(Rbp)});
    emit("ret");
  }

  static File file_of(Elem e) {
    return e == Elem::Gpr    ? File::Gpr
           : e == Elem::Vec  ? File::Vec
           : e == Elem::Kreg ? File::Mask
                             : File::None;
  }
  AsmOperand location(ValueId v, unsigned bytes) const {
    const Value& value = f.value(v);
    KC_CHECK(value.location.kind == Location::Register, "x64: {} has no register in @{}", print_operand(f, v),
             f.name);
    return reg_operand(file_of(value.type.elem), bytes, value.location.index);
  }
  unsigned full_bytes(ValueId v) const {
    Elem e = f.type(v).elem;
    return e == Elem::Vec ? vector_bytes(f.width, avx512_) : 8;
  }
  std::string_view move_of(ValueId v) const {
    Elem e = f.type(v).elem;
    return e == Elem::Vec ? "vmovaps" : e == Elem::Gpr ? "mov" : dense_ ? "kmovq" : "kmovw";
  }
  AsmOperand slot(const Inst& inst, ValueId v) const {
    Elem e = f.type(v).elem;
    return memory(barriers_ ? Rbp : Rsp, a_.slot_offset[static_cast<size_t>(inst.attrs[0])],
                  e != Elem::Kreg ? full_bytes(v)
                  : dense_        ? 8
                                  : 2);
  }

  void instruction(InstId i) {
    if (in_memory_.folded(i)) return;
    const Inst& inst = f.inst(i);
    read_ = in_memory_.of(i);
    // Where an access faults, the line is that of the load.
    note_place(read_.load && f.inst(read_.load).loc.line ? f.inst(read_.load).loc : inst.loc);
    if (read_.swapped) {
      Inst other = inst;
      std::swap(other.operands[0], other.operands[1]);
      return row(other);
    }
    if (inst.op == Op::x64_copy) {
      ValueId from = inst.operands[0], to = inst.results[0];
      if (f.value(from).location == f.value(to).location) return;
      emit(move_of(to), {location(to, full_bytes(to)), location(from, full_bytes(from))});
    } else if (inst.op == Op::x64_spill) {
      ValueId v = inst.operands[0];
      emit(move_of(v), {slot(inst, v), location(v, full_bytes(v))});
    } else if (inst.op == Op::x64_reload) {
      ValueId v = inst.results[0];
      emit(move_of(v), {location(v, full_bytes(v)), slot(inst, v)});
    } else if (!sum_of_copy(inst) && !zero(inst) && !branch_on_sum(inst)) {
      row(inst);
    }
  }

  // mov a, b; add a, c   ->   lea a, [b + c]
  bool sum_of_copy(const Inst& inst) {
    if ((inst.op != Op::x64_add && inst.op != Op::x64_sub) || inst.attrs[0] < 4) return false;
    if (pending_ >= 0 || out_.insts.empty() || read_.load) return false;
    AsmInst& copy = out_.insts.back();
    if (copy.mnemonic != "mov" || copy.operands[1].kind != AsmOperand::Reg) return false;
    const unsigned size = static_cast<unsigned>(inst.attrs[0]);
    const AsmOperand to = location(inst.results[0], size);
    const AsmReg from = copy.operands[1].reg;
    if (copy.operands[0].kind != AsmOperand::Reg || copy.operands[0].reg.bytes != 8 || from.bytes != 8 ||
        copy.operands[0].reg.index != to.reg.index)
      return false;
    AsmOperand sum = memory(from.index, 0, size);
    const ValueId second = inst.operands[1];
    if (!f.is_const(second)) {
      if (inst.op == Op::x64_sub) return false;
      sum.mem.index = location(second, 8).reg;
      if (sum.mem.index.index == to.reg.index) sum.mem.index = from;
    } else {
      const auto n = static_cast<int64_t>(f.value(second).bits);
      if (n == INT32_MIN) return false;  // its negative has no 32 bits
      sum.value = static_cast<int32_t>(inst.op == Op::x64_sub ? -n : n);
    }
    copy.mnemonic = "lea";
    copy.operands[0] = to, copy.operands[1] = sum;
    return true;
  }
  // sub a, 1; cmp a, -1; je   ->   sub a, 1; jb
  // add a, b; cmp a, 0; je    ->   add a, b; je
  bool branch_on_sum(const Inst& inst) {
    if (inst.op != Op::x64_jcmp || pending_ >= 0 || out_.insts.empty() || read_.load) return false;
    const AsmInst& sum = out_.insts.back();
    const ValueId left = inst.operands[0], right = inst.operands[1];
    const bool equal = inst.attrs[2] == Equal;
    if (!f.is_const(right) || (!equal && inst.attrs[2] != NotEqual)) return false;
    const bool adds = sum.mnemonic == "add";
    if (sum.lock || (!adds && sum.mnemonic != "sub") || sum.operands[0].kind != AsmOperand::Reg) return false;
    const AsmReg result = location(left, static_cast<unsigned>(inst.attrs[0])).reg;
    if (sum.operands[0].reg.index != result.index || sum.operands[0].reg.bytes != result.bytes) return false;
    const auto number = static_cast<int32_t>(f.value(right).bits);
    if (number == 0) return branch(inst, equal ? Equal : NotEqual), true;
    // The carry flag tells -1 from other sums: of all numbers 0 alone borrows when 1 is subtracted, and 0
    // alone does not carry when -1 is added.
    if (number != -1 || sum.operands[1].kind != AsmOperand::Imm || sum.operands[1].value != (adds ? -1 : 1))
      return false;
    return branch(inst, equal != adds ? Below : AboveEqual), true;
  }
  // Shorter than a move; no flags are live here.
  bool zero(const Inst& inst) {
    if (inst.op != Op::x64_imm || f.value(inst.operands[0]).bits != 0) return false;
    const AsmOperand to = location(inst.results[0], 4);
    emit("xor", {to, to});
    return true;
  }

  int64_t attr(const Inst& inst, int8_t position, int64_t fallback) const {
    return position < 0 ? fallback : inst.attrs[static_cast<size_t>(position)];
  }

  void row(const Inst& inst) {
    const Syntax& syntax = syntax_of(inst.op);
    uint32_t first_label = out_.labels;
    out_.labels += syntax.labels;
    for (const SyntaxInst& part : syntax.insts) {
      if (part.label >= 0) bind(static_cast<int32_t>(first_label) + part.label);
      if (part.mnemonic.empty()) continue;
      if (part.mnemonic == "JMP") {
        jump(inst.targets[0].block);
      } else if (part.mnemonic == "J") {
        branch(inst, static_cast<unsigned>(attr(inst, syntax.cc, 0)));
      } else if (part.mnemonic == "EPILOGUE") {
        epilogue();
      } else if (part.mnemonic == "BARRIER") {
        barrier(inst);
      } else {
        ordinary(inst, syntax, part, first_label);
      }
    }
  }

  void ordinary(const Inst& inst, const Syntax& syntax, const SyntaxInst& part, uint32_t first_label) {
    AsmInst& r = out_.insts.emplace_back();
    r.mnemonic =
        part.conditional ? conditional_mnemonic(part.mnemonic, attr(inst, syntax.cc, 0)) : part.mnemonic;
    for (const SyntaxOperand& o : part.operands) {
      r.operands[r.count++] = operand(inst, syntax, o, first_label);
      if (o.mask.place == Place::None) continue;
      r.mask = static_cast<int8_t>(f.value(value_at(inst, o.mask)).location.index);
      r.zeroing = o.zeroing;
    }
    r.lock = part.lock;
    r.label = pending_;
    pending_ = -1;
  }

  static ValueId value_at(const Inst& inst, const SyntaxReg& r) {
    return r.place == Place::Result ? inst.results[r.number] : inst.operands[r.number];
  }

  static unsigned bytes_of(char size, int64_t attr) {
    switch (size) {
      case 'b':
        return 1;
      case 'w':
        return 2;
      case 'd':
        return 4;
      case 'q':
        return 8;
      case 'x':
        return 16;
      case 'y':
        return 32;
      case 'z':
        return 64;
      case 'h':
        return static_cast<unsigned>(attr <= 32 ? 16 : attr / 2);
      case 'Q':
        return 16;
      case 'k':
        return 8;
      default:
        return static_cast<unsigned>(attr);
    }
  }

  AsmOperand reg(const Inst& inst, const Syntax& syntax, const SyntaxReg& r) const {
    if (r.place == Place::Context) return gpr(kContext);
    if (r.place == Place::UnusedMask) return reg_operand(File::Mask, bytes_of(r.size, 0), 0);
    ValueId v = value_at(inst, r);
    unsigned bytes = bytes_of(r.size, attr(inst, syntax.size, 8));
    if (f.is_const(v)) {
      uint64_t bits = f.value(v).bits;
      return imm(bytes == 4 ? static_cast<int32_t>(bits) : static_cast<int64_t>(bits));
    }
    return location(v, bytes);
  }

  AsmOperand operand(const Inst& inst, const Syntax& syntax, const SyntaxOperand& o, uint32_t first_label) {
    switch (o.kind) {
      case SyntaxOperand::Reg:
        if (read_.load && o.reg.place == Place::Operand && o.reg.number == read_.operand)
          return memory_read();
        return reg(inst, syntax, o.reg);
      case SyntaxOperand::Imm:
        return imm(o.number);
      case SyntaxOperand::AttrImm:
        return imm(attr(inst, syntax.imm, 0));
      case SyntaxOperand::LocalLabel:
        return label_operand(first_label + static_cast<uint32_t>(o.number));
      case SyntaxOperand::Target:
        return label_operand(
            static_cast<uint32_t>(block_label_[inst.targets[static_cast<size_t>(o.number)].block.index]));
      case SyntaxOperand::Mem: {
        AsmOperand m;
        m.kind = AsmOperand::Mem;
        if (o.reg.place != Place::None) m.mem.base = reg(inst, syntax, o.reg).reg, m.mem.base.bytes = 8;
        if (o.index.place != Place::None) m.mem.index = reg(inst, syntax, o.index).reg;
        m.mem.scale = static_cast<uint8_t>(attr(inst, syntax.scale, 1));
        m.value = attr(inst, syntax.disp, 0);
        m.mem.bytes = static_cast<uint8_t>(access_bytes(o.access, attr(inst, syntax.size, 8)));
        return m;
      }
      case SyntaxOperand::Pool32:
      case SyntaxOperand::Pool64: {
        unsigned n = o.kind == SyntaxOperand::Pool32 ? 4 : 8;
        std::vector<uint8_t> data(n);
        std::memcpy(data.data(), &inst.attrs[1], n);
        return pool(data, n);
      }
      case SyntaxOperand::Iota: {
        auto size = static_cast<size_t>(inst.attrs[0]), bytes = static_cast<size_t>(inst.attrs[3]);
        std::vector<uint8_t> data(size);
        for (size_t i = 0; bytes == 0 && i < size / 4; ++i)  // Emit::numbers
          data[4 * i] = static_cast<uint8_t>(inst.attrs[1 + i / 12] >> (i % 12 * 5) & 31);
        for (size_t i = 0; bytes == 16 && i < size; i += 16)  // Emit::bytes16
          std::memcpy(data.data() + i, &inst.attrs[1], 16);
        for (size_t i = 0; bytes && bytes < 16 && i * bytes < size; ++i) {
          int64_t v = inst.attrs[1] + static_cast<int64_t>(i) * inst.attrs[2];
          std::memcpy(data.data() + i * bytes, &v, bytes);
        }
        return pool(data, static_cast<unsigned>(size));
      }
    }
    return {};
  }

  // What the load would read that is an operand of this row.
  AsmOperand memory_read() {
    const Inst& load = f.inst(read_.load);
    AsmOperand m;
    if (load.op == Op::x64_reload) {
      m = slot(load, load.results[0]);
    } else {
      const Syntax& syntax = syntax_of(load.op);
      m = operand(load, syntax, syntax.insts.front().operands.back(), 0);
    }
    m.mem.bytes = read_.bytes;
    m.mem.elements = read_.elements;
    return m;
  }

  // Attributes of narrowing stores and widening loads count bytes of the vector parts.
  static unsigned access_bytes(char size, int64_t attr) {
    if (size == 'Q') return static_cast<unsigned>(attr / 4);
    if (size == 'h') return static_cast<unsigned>(attr / 2);
    return bytes_of(size, attr);
  }

  AsmOperand pool(const std::vector<uint8_t>& data, unsigned bytes) {
    auto [it, fresh] = pool_at_.try_emplace(std::string(data.begin(), data.end()), 0);
    if (fresh) {
      size_t aligned = (out_.pool.size() + bytes - 1) / bytes * bytes;
      out_.pool.resize(aligned);
      it->second = aligned;
      out_.pool.insert(out_.pool.end(), data.begin(), data.end());
    }
    AsmOperand m;
    m.kind = AsmOperand::Mem;
    m.mem.pool = true;
    m.value = static_cast<int64_t>(it->second);
    m.mem.bytes = static_cast<uint8_t>(bytes);
    return m;
  }

  void jump(BlockId to) {
    if (to == next_) return;
    if (is_loop_test(to)) {
      again_ = to;
      for (InstId i : f.block(to).insts) instruction(i);
      again_ = BlockId();
      return;
    }
    emit("jmp", {label_operand(static_cast<uint32_t>(block_label_[to.index]))});
  }
  // Whether a back edge leads to little more than a branch. Such a test is duplicated, which saves one jump
  // per iteration.
  bool is_loop_test(BlockId to) const {
    constexpr size_t kFew = 2;
    const auto& insts = f.block(to).insts;
    return !again_.valid() && position_[to.index] <= at_ && insts.size() <= kFew &&
           f.successors(to).size() == 2;
  }
  void branch(const Inst& inst, unsigned cc) {
    BlockId yes = inst.targets[0].block, no = inst.targets[1].block;
    // The original falls through into the loop; the copy jumps into it.
    bool in_place = !again_.valid();
    const size_t behind = in_place ? at_ + 1 : position_[again_.index] + 1;
    const BlockId last = behind < layout_.size() ? layout_[behind] : BlockId();
    if ((yes == last) == in_place) std::swap(yes, no), cc ^= 1;
    emit(conditional_mnemonic("j", cc), {label_operand(static_cast<uint32_t>(block_label_[yes.index]))});
    jump(no);
  }

  const Function& f;
  const Allocation& a_;
  bool avx512_, groups_meet_;
  bool barriers_ = false;
  int32_t next_wave_ = -1, leave_ = -1;  // labels
  bool dense_ = false;                   // mask registers hold masks of whole waves
  Assembly out_;
  MemoryOperands in_memory_;
  MemoryOperands::Read read_;  // of the current row
  BlockId next_;
  std::vector<BlockId> layout_;   // blocks in the order of their code: rare ones last
  std::vector<size_t> position_;  // of blocks in the layout
  size_t at_ = 0;                 // position of the current block
  BlockId again_;                 // the test being duplicated
  int32_t pending_ = -1;
  std::vector<int32_t> block_label_;
  std::vector<bool> targeted_;
  std::vector<uint32_t> saved_;
  std::map<std::string, size_t> pool_at_;
};

}  // namespace

Assembly expand(const Function& machine, const Allocation& allocation, const ExpandOptions& options) {
  return Expander(machine, allocation, options).run();
}

}  // namespace kc::x64
