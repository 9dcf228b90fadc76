// SPDX-License-Identifier: Apache-2.0
#include "backends/x64/syntax.h"

#include <charconv>

#include "ir/check.h"
#include "ir/forever.h"

namespace kc::x64 {
namespace {

class SyntaxReader {
 public:
  explicit SyntaxReader(Op op) : row_(info(op)) {
    for (size_t i = 0; i < row_.attr_count(); ++i) {
      auto n = static_cast<int8_t>(i);
      std::string_view name = row_.attrs[i].name;
      if (name == "size") s_.size = n;
      if (name == "imm") s_.imm = n;
      if (name == "cc") s_.cc = n;
      if (name == "scale") s_.scale = n;
      if (name == "disp") s_.disp = n;
    }
  }

  Syntax read() {
    std::string_view text = row_.machine.syntax;
    int8_t label = -1;
    while (!text.empty()) {
      size_t end = text.find(';');
      std::string_view part = text.substr(0, end);
      text = end == std::string_view::npos ? std::string_view{} : text.substr(end + 1);
      label = instruction(part, label);
    }
    if (label >= 0) s_.insts.push_back({.label = label});
    return std::move(s_);
  }

 private:
  // Returns the label that is pending for the next instruction.
  int8_t instruction(std::string_view text, int8_t label) {
    SyntaxInst inst;
    inst.label = label;
    while (!text.empty()) {
      size_t space = text.find(' ');
      std::string_view word = text.substr(0, space);
      text = space == std::string_view::npos ? std::string_view{} : text.substr(space + 1);
      if (word.empty()) continue;
      if (word.size() == 3 && word[0] == 'L' && word[2] == ':') {
        inst.label = static_cast<int8_t>(word[1] - '0');
        s_.labels = std::max(s_.labels, static_cast<uint32_t>(inst.label) + 1);
      } else if (word == "lock") {
        inst.lock = true;
      } else if (inst.mnemonic.empty()) {
        inst.conditional = word.ends_with('?');
        inst.mnemonic = inst.conditional ? word.substr(0, word.size() - 1) : word;
      } else {
        KC_CHECK(inst.operands.size() < kMostOperands, "{} has too many operands", inst.mnemonic);
        inst.operands.push_back(operand(word));
      }
    }
    if (inst.mnemonic.empty()) return inst.label;
    s_.insts.push_back(std::move(inst));
    return -1;
  }

  SyntaxReg reg(std::string_view& w) {
    SyntaxReg r;
    if (w.starts_with("ctx")) {
      w.remove_prefix(3);
      return {.place = Place::Context, .size = 'q'};
    }
    if (w.starts_with("k0")) {
      w.remove_prefix(2);
      return {.place = Place::UnusedMask, .size = 'k'};
    }
    KC_CHECK(w.size() >= 2 && (w[0] == 'r' || w[0] == 'o'), "x64 table: {}: '{}'", row_.name, w);
    r.place = w[0] == 'r' ? Place::Result : Place::Operand;
    r.number = static_cast<uint8_t>(w[1] - '0');
    w.remove_prefix(2);
    if (!w.empty() && std::string_view("bwdqxyzkGVhQ").find(w[0]) != std::string_view::npos)
      r.size = w[0], w.remove_prefix(1);
    return r;
  }

  SyntaxOperand operand(std::string_view w) {
    SyntaxOperand o;
    if (w == "POOL32") return o.kind = SyntaxOperand::Pool32, o;
    if (w == "POOL64") return o.kind = SyntaxOperand::Pool64, o;
    if (w == "IOTA") return o.kind = SyntaxOperand::Iota, o;
    if (w[0] == 'L' || w[0] == 'T') {
      o.kind = w[0] == 'L' ? SyntaxOperand::LocalLabel : SyntaxOperand::Target;
      o.number = w[1] - '0';
      return o;
    }
    if (w[0] == '#') {
      o.kind = w.size() == 1 ? SyntaxOperand::AttrImm : SyntaxOperand::Imm;
      std::from_chars(w.data() + 1, w.data() + w.size(), o.number);
      return o;
    }
    if (w[0] == '[') {
      o.kind = SyntaxOperand::Mem;
      w.remove_prefix(1);
      if (w[0] != '+') o.reg = reg(w);
      if (w[0] == '+') w.remove_prefix(1), o.index = reg(w);
      KC_CHECK(w.size() >= 2 && w[0] == ']', "x64 table: {}", row_.name);
      o.access = w[1];
      w.remove_prefix(2);
    } else {
      o.reg = reg(w);
    }
    if (w.starts_with("{")) {
      w.remove_prefix(1);
      o.mask = reg(w);
      w.remove_prefix(1);
      if (w.starts_with("z")) o.zeroing = true;
    }
    return o;
  }

  const OpInfo& row_;
  Syntax s_;
};

}  // namespace

const Syntax& syntax_of(Op op) {
  static const auto& table = forever([] {
    std::vector<Syntax> t(kOpCount);
    for (size_t i = 0; i < kOpCount; ++i)
      if (info(static_cast<Op>(i)).dialects == InX64) t[i] = SyntaxReader(static_cast<Op>(i)).read();
    return t;
  });
  return table[static_cast<size_t>(op)];
}

}  // namespace kc::x64
