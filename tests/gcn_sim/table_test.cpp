// SPDX-License-Identifier: Apache-2.0
// Every row of the table is an instruction that LLVM's assembler knows, and reading LLVM's disassembly of it
// gives the same row again.
#include <fmt/format.h>

#include <catch2/catch.hpp>

#include "backends/gcn/isa/table.h"
#include "tests/gcn_sim/support.h"

using namespace kc;

namespace {

std::string reg(char file, unsigned first, unsigned count) {
  if (count == 1) return file + std::to_string(first);
  return fmt::format("{}[{}:{}]", file, first, first + count - 1);
}

// Assembly text of one row with sample registers; `next` numbers them.
std::string sample(Op op) {
  const OpInfo& row = info(op);
  const SigShape& sig = signature_of(op);
  const MachineInfo& m = row.machine;
  std::string_view name = mnemonic_of(op);
  if (op == Op::gcn_s_waitcnt) return "s_waitcnt vmcnt(0)";
  if (row.min_targets) return fmt::format("{} 1", name);
  unsigned next = 4;
  std::vector<std::string> words;
  auto registers = [&](const SigItem& item) {
    Type t = item.types[0];
    unsigned align = t.regs > 2 ? 4 : t.regs;
    next = (next + align - 1) / align * align;
    std::string text = reg(t.elem == Elem::Sgpr ? 's' : 'v', next, t.regs);
    next += t.regs;
    return text;
  };
  for (const SigItem& item : sig.results) words.push_back(registers(item));
  if (m.extra & gcn::InOut) return fmt::format("{} {}, {}", name, words[0], words[1]);
  if (row.name.find("etreg") != std::string_view::npos) {
    std::string mode = "hwreg(HW_REG_MODE, 4, 2)";
    if (op == Op::gcn_s_getreg_b32) return fmt::format("{} s4, {}", name, mode);
    return fmt::format("{} {}, {}", name, mode, op == Op::gcn_s_setreg_b32 ? "s4" : "3");
  }
  for (size_t i = 0; i < sig.operands.size(); ++i) {
    if (static_cast<int>(i) == m.tied) continue;
    bool literal = (op == Op::gcn_v_madak_f32 && i == 2) || (op == Op::gcn_v_madmk_f32 && i == 1);
    // One scalar register at most may be read by a vector instruction.
    bool second_scalar = op == Op::gcn_v_writelane_b32 && i == 1;
    words.push_back(second_scalar                   ? "3"
                    : literal                       ? "0x41200000"
                    : sig.operands[i].types.empty() ? "1"
                                                    : registers(sig.operands[i]));
  }
  if (m.form == gcn::Global && !words.empty()) words.push_back("off");
  if (m.form == gcn::BufferOff) words.insert(words.begin() + 1, "off");
  std::string text(name);
  for (size_t i = 0; i < words.size(); ++i) text += (i ? ", " : " ") + words[i];
  if (m.form == gcn::Buffer && !words.empty()) text += " offen";
  if ((m.extra & gcn::Atomic) && gcn::is_vmem(m.form) && !sig.results.empty()) text += " glc";
  if (m.extra & gcn::TwoOffsets) text += " offset0:1 offset1:2";
  return text;
}

}  // namespace

TEST_CASE("every row assembles and is read back as itself") {
  std::vector<Op> ops;
  std::string body;
  for (size_t i = 0; i < kOpCount; ++i) {
    auto op = static_cast<Op>(i);
    if (!(info(op).dialects & InGcn) || info(op).machine.form == gcn::Pseudo) continue;
    ops.push_back(op);
    body += " " + sample(op) + "\n";
  }
  CHECK(ops.size() > 500);
  std::string text = test::gcn_frame(body, {.vgprs = 64});
  auto own = load_assembly(test::gcn_frame(""));
  REQUIRE(own.has_value());
  if (!run_tool({"llvm-mc-19", "--version"}) || !run_tool({"ld.lld-19", "--version"})) {
    WARN("skipped: LLVM's tools are not installed");
    return;
  }
  std::string error, object = test::gcn_assemble(text, error);
  INFO(error);
  REQUIRE(!object.empty());
  auto loaded = load_code_object(object);
  INFO((loaded ? std::string() : loaded.error().message));
  REQUIRE(loaded.has_value());
  REQUIRE(loaded->code.size() > ops.size());
  for (size_t i = 0; i < ops.size(); ++i) {
    INFO(loaded->code[i].text << " expected " << name_of(ops[i]));
    CHECK(loaded->code[i].op == ops[i]);
  }
}
