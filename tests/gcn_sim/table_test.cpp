// SPDX-License-Identifier: Apache-2.0
// Every row of the table is an instruction that LLVM's assembler knows, and reading LLVM's disassembly of it
// gives the same row again.
#include <fmt/format.h>

#include <catch2/catch.hpp>
#include <set>
#include <sstream>

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

namespace {

// The lines of the text of which LLVM's assembler says that they are wrong; empty if it is not installed.
std::set<size_t> refused_by_llvm(const std::string& text) {
  std::set<size_t> lines;
  TempDir dir;
  write_file(dir.file("k.s"), text);
  auto as = run_tool(
      {"llvm-mc-19", "-triple=amdgcn-amd-amdhsa", "-mcpu=gfx900", dir.file("k.s"), "-o", "/dev/null"});
  if (!as) return lines;
  std::istringstream said(as->err);
  for (std::string line; std::getline(said, line);)
    if (size_t at = line.find("k.s:"); at != std::string::npos && line.find(": error:") != std::string::npos)
      lines.insert(std::stoul(line.substr(at + 4)));
  return lines;
}

std::string verdict(const std::string& line) {
  auto object = load_assembly(test::gcn_frame(line, {.vgprs = 64}));
  return object ? "" : object.error();
}

}  // namespace

TEST_CASE("what gfx9 cannot encode is refused") {
  struct Line {
    std::string text, why;  // empty: it can be encoded
  };
  const std::string bus = "reads at most one scalar register, and this reads ";
  const std::string literal = "fits only into the first operand of a short form";
  const std::vector<Line> lines{
      {"v_lshl_add_u32 v1, s8, 6, v0", ""},
      {"v_lshl_add_u32 v1, s8, 70, v0", literal},
      {"v_lshl_add_u32 v1, s8, s9, v0", bus + "s8 and s9"},
      {"v_lshl_add_u32 v1, s8, s8, v0", ""},
      {"v_mul_lo_u32 v1, 100, v2", literal},
      {"v_mul_lo_u32 v1, s1, s2", bus + "s1 and s2"},
      {"v_add_u32 v1, 100, v2", ""},
      {"v_add_u32 v1, v2, 100", literal},
      {"v_add_u32 v1, 100, s1", literal},
      {"v_add_u32 v1, s1, s1", ""},
      {"v_add_u32_e64 v1, s1, s2", bus + "s1 and s2"},
      {"v_add_f32 v1, 0.5, v2", ""},
      {"v_fma_f32 v1, v2, 0.5, v1", ""},
      {"v_fma_f32 v1, v2, 0.1, v1", literal},
      {"v_cndmask_b32 v1, s1, v2, vcc", bus + "s1 and vcc"},
      {"v_cndmask_b32 v1, 100, v2, vcc", bus + "vcc and a constant of 32 bits"},
      {"v_cndmask_b32 v1, 5, v2, vcc", ""},
      {"v_cmp_lt_u32 vcc, 100, v2", ""},
      {"v_cmp_lt_u32 s[2:3], 100, v2", literal},
      {"v_cmp_lt_u32 s[2:3], s1, v2", ""},
      {"v_addc_co_u32 v1, vcc, s1, v2, vcc", bus + "s1 and vcc"},
      {"v_mad_i64_i32 v[4:5], s[26:27], v3, 4, s[16:17]", ""},
      {"v_mad_i64_i32 v[4:5], s[26:27], s3, 4, s[16:17]", bus + "s3 and s[16:17]"},
      {"v_madmk_f32 v1, v2, 0x42c80000, v3", ""},
      {"v_madmk_f32 v1, s2, 0x42c80000, v3", bus + "s2 and a constant of 32 bits"},
      {"s_add_u32 s1, 100, 200", "room for one constant"},
      {"s_add_u32 s1, 100, 100", ""},
      {"s_waitcnt lgkmcnt(15)", ""},
      {"s_waitcnt lgkmcnt(16)", "lgkmcnt counts to 15"},
      {"global_load_dword v2, v1, s[16:17] offset:4095", ""},
      {"global_load_dword v2, v1, s[16:17] offset:4096", "the offset must be from -4096 to 4095"},
      {"s_load_dword s1, s[2:3], 0x100000", "the offset must be from -1048576 to 1048575"},
      {"ds_read_b32 v1, v2 offset:65536", "the offset must be from 0 to 65535"},
  };
  std::string text;
  for (const Line& line : lines) text += line.text + "\n";
  const std::set<size_t> refused = refused_by_llvm(text);
  if (refused.empty()) WARN("not compared: LLVM's tools are not installed");
  for (size_t i = 0; i < lines.size(); ++i) {
    const std::string said = verdict(lines[i].text);
    INFO(lines[i].text << ": " << said);
    CHECK((said.empty() ? lines[i].why.empty()
                        : !lines[i].why.empty() && said.find(lines[i].why) != std::string::npos));
    if (!refused.empty()) {
      CHECK(refused.contains(i + 1) != lines[i].why.empty());
    }
  }
}

TEST_CASE("scalar registers and constants as operands of every vector instruction, as LLVM takes them") {
  std::vector<std::string> lines;
  for (size_t i = 0; i < kOpCount; ++i) {
    auto op = static_cast<Op>(i);
    if (!(info(op).dialects & InGcn) || !gcn::is_valu(info(op).machine.form)) continue;
    const std::string text = sample(op);
    for (size_t at = text.find(','); at != std::string::npos; at = text.find(',', at + 1)) {
      const size_t end = std::min(text.find(',', at + 1), text.size());
      if (text.find('[', at) < end) continue;  // one register
      for (const char* operand : {"s9", "100", "0.5", "vcc_lo"})
        lines.push_back(text.substr(0, at) + ", " + operand + text.substr(end));
    }
  }
  CHECK(lines.size() > 1000);
  std::string text;
  for (const std::string& line : lines) text += line + "\n";
  const std::set<size_t> refused = refused_by_llvm(text);
  if (refused.empty()) {
    WARN("skipped: LLVM's tools are not installed");
    return;
  }
  size_t accepted = 0, compared = 0;
  for (size_t i = 0; i < lines.size(); ++i) {
    const std::string said = verdict(lines[i]);
    INFO(lines[i] << ": " << said);
    if (said.empty()) {
      CHECK(!refused.contains(i + 1));
      ++accepted;
    }
    if (said.find("at most one scalar") != std::string::npos ||
        said.find("short form") != std::string::npos) {
      CHECK(refused.contains(i + 1));
      ++compared;
    }
  }
  CHECK(accepted > 300);
  CHECK(compared > 300);
}
