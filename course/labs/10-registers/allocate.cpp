// SPDX-License-Identifier: Apache-2.0
// Vector registers of a gfx900 function: allocate FIRST LAST <function.json. It writes {"assign": {"31": 3},
// "spill": [40]}. A value of the type v2 takes two registers; its number is that of the first. Every value
// has a register of its own here, as long as there are some, and the rest is spilled.
//
// It reads with the compiler's own functions (ir/function.h); backends/regalloc is not for use here.
#include <fmt/format.h>

#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <iostream>
#include <iterator>
#include <map>
#include <string>
#include <vector>

#include "ir/json/json.h"

namespace {

using namespace kc;

struct Assignment {
  std::map<uint32_t, uint32_t> registers;  // by value, whose index is its number in the document
  std::vector<uint32_t> spilled;
};

/// Registers of a vector value, 0 of others.
uint32_t size_of(const Function& f, ValueId v) {
  return !f.is_inline(v) && f.type(v).elem == Elem::Vgpr ? f.type(v).regs : 0;
}

Assignment allocate(const Function& f, uint32_t first, uint32_t last) {
  std::vector<ValueId> values;
  for (BlockId b : f.layout) {
    if (b != f.entry())
      for (ValueId p : f.block(b).params)
        if (size_of(f, p)) values.push_back(p);
    for (InstId i : f.block(b).insts)
      for (ValueId r : f.inst(i).results)
        if (size_of(f, r)) values.push_back(r);
  }
  Assignment a;  // yours
  for (ValueId v : values) {
    if (first + size_of(f, v) <= last + 1) {
      a.registers[v.index] = first;
      first += size_of(f, v);
    } else {
      a.spilled.push_back(v.index);
    }
  }
  return a;
}

}  // namespace

int main(int argc, char** argv) {
  const std::string text(std::istreambuf_iterator<char>(std::cin), {});
  auto module = read_json(text);
  if (argc != 3 || !module) {
    fmt::print(stderr, "{}",
               module ? "usage: allocate FIRST LAST\n" : render_json_error(module.error(), "<stdin>"));
    return 1;
  }
  const Function& f = *module->functions.front();
  const Assignment a =
      allocate(f, static_cast<uint32_t>(std::atoi(argv[1])), static_cast<uint32_t>(std::atoi(argv[2])));
  std::vector<std::string> assigned, spilled;
  for (const auto& [value, reg] : a.registers) assigned.push_back(fmt::format("\"{}\": {}", value, reg));
  for (uint32_t value : a.spilled) spilled.push_back(std::to_string(value));
  fmt::print("{{\"assign\": {{{}}}, \"spill\": [{}]}}\n", fmt::join(assigned, ", "),
             fmt::join(spilled, ", "));
}
