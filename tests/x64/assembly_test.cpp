// SPDX-License-Identifier: Apache-2.0
// The printed assembly equals LLVM's disassembly of the emitted bytes.
#include <fmt/format.h>

#include <unistd.h>

#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <set>
#include <sstream>

#include "tests/x64/kernels.h"
#include "tests/x64/support.h"
#include "tests/x64/sync_kernels.h"

using namespace kc;
using namespace kc::test;

namespace {

std::string shell(const std::string& command) {
  std::string out;
  FILE* p = popen(command.c_str(), "r");
  if (!p) return out;
  char buffer[4096];
  for (size_t n; (n = fread(buffer, 1, sizeof buffer, p)) > 0;) out.append(buffer, n);
  pclose(p);
  return out;
}

// One instruction per line: tabs become blanks; comments and addresses that only a linker knows are removed.
std::vector<std::string> lines_of(const std::string& text) {
  std::vector<std::string> r;
  std::istringstream in(text);
  for (std::string line; std::getline(in, line);) {
    line = line.substr(0, line.find('#'));
    if (line.empty() || line[0] != '\t' || line[1] == '.') continue;
    std::string s;
    for (char c : line) {
      if (c == '\t') c = ' ';
      if (c != ' ' || (!s.empty() && s.back() != ' ')) s += c;
    }
    while (!s.empty() && s.back() == ' ') s.pop_back();
    if (s[0] == 'j') s = s.substr(0, s.find(' '));
    if (size_t rip = s.find("[rip"); rip != std::string::npos)
      s = s.substr(0, rip) + "[rip]" + s.substr(s.find(']') + 1);
    // What aligns a loop.
    if (s.starts_with("nop") || s.starts_with("data16")) continue;
    // The disassembler prints a prefix on its own line.
    if (!r.empty() && r.back() == "lock")
      r.back() += " " + s;
    else
      r.push_back(s);
  }
  return r;
}

void compare_with_disassembler(const X64Code& code) {
  auto path = std::filesystem::temp_directory_path() / fmt::format("kc_x64_{}.txt", getpid());
  {
    std::ofstream out(path);
    for (uint32_t i = 0; i < code.code_bytes; ++i)
      out << fmt::format("0x{:02x}{}", code.image.code[i], i % 16 == 15 ? "\n" : " ");
  }
  std::string theirs = shell(
      "llvm-mc-19 --disassemble --triple=x86_64 --output-asm-variant=1 "
      "-mattr=+avx512f,+avx512bw,+avx512dq,+avx512vl < " +
      path.string() + " 2>&1");
  std::filesystem::remove(path);
  std::vector<std::string> a = lines_of(code.text), b = lines_of(theirs);
  for (size_t i = 0; i < std::min(a.size(), b.size()); ++i)
    if (a[i] != b[i]) FAIL("we print '" << a[i] << "', the bytes say '" << b[i] << "'");
  CHECK(a.size() == b.size());
}

// "je" and "cmovne" are forms of "jcc" and "cmovcc".
std::string without_condition(std::string name) {
  if (name.ends_with('?')) name.pop_back();
  if (name == "J" || (name[0] == 'j' && name != "jmp")) return "jcc";
  for (std::string_view stem : {"set", "cmov"})
    if (name.starts_with(stem)) return std::string(stem) + "cc";
  return name;
}

// The mnemonics of all rows, and those that the last step emits itself.
std::set<std::string> mnemonics() {
  std::set<std::string> all{"jmp", "lea", "mov", "pop", "push", "ret", "vmovaps", "vzeroupper"};
  for (size_t i = 0; i < kOpCount; ++i) {
    std::istringstream parts{std::string(info(static_cast<Op>(i)).machine.syntax)};
    if (info(static_cast<Op>(i)).dialects != InX64) continue;
    for (std::string part; std::getline(parts, part, ';');) {
      std::istringstream words(part);
      std::string word;
      while (words >> word && (word.ends_with(':') || word == "lock"))
        if (word == "lock") all.insert(word);
      if (words && word != "JMP" && word != "EPILOGUE" && word != "BARRIER")
        all.insert(without_condition(word));
    }
  }
  return all;
}

bool have_disassembler() { return std::system("llvm-mc-19 --version > /dev/null 2>&1") == 0; }

}  // namespace

TEST_CASE("the text is what the bytes say") {
  if (!have_disassembler()) {
    WARN("skipped: llvm-mc-19 is not installed");
    return;
  }
  std::vector<std::string> kernels = all_kernels();
  kernels.push_back(rotate_kernel(16));
  // One kernel for each row that can be executed lane by lane.
  for (const AtomicCase& c : atomic_cases())
    if (!c.local && !c.shared && !c.constant) kernels.push_back(atomic_kernel(c, 8));
  for (const std::string& text : kernels)
    for (bool avx512 : {false, true}) {
      Module m = parse_wave(text);
      compare_with_disassembler(compile(*m.functions[0], avx512));
    }
}

TEST_CASE("the page lists the instructions in use") {
  std::ifstream in(KC_SOURCE_DIR "/backends/x64/README.md");
  std::set<std::string> listed;
  bool inside = false;
  for (std::string line; std::getline(in, line);) {
    if (line == "```") {
      inside = !inside;
      continue;
    }
    std::istringstream words(line);
    for (std::string word; inside && words >> word;) listed.insert(word);
  }
  CHECK(listed == mnemonics());
}

TEST_CASE("machine stages print and are read back") {
  Module m = parse_wave(
      R"(wave func @axpy(%0: ptr<global>, %1: ptr<global>, %2: f32, %3: mask hidden) kernel width=16 {
b0 mask %3:
  %4: lane<i64> = global_id dim=0
  %5: lane<ptr<global>> = ptr_add %0, %4, scale=4
  %6: lane<f32> = lane_load %3, %5
  %7: lane<ptr<global>> = ptr_add %1, %4, scale=4
  %8: lane<f32> = lane_load %3, %7
  %9: lane<f32> = ffma %2, %6, %8
  lane_store %3, %7, %9
  ret
}
)");
  for (bool avx512 : {false, true}) {
    X64Code code = compile(*m.functions[0], avx512);
    for (const Function* f : {&code.selected, &code.allocated}) {
      std::string text = print(*f);
      auto again = parse_module(text);
      if (!again) FAIL(again.error().render("machine", text));
      CHECK(print(*again->functions[0]) == text);
    }
  }
}
