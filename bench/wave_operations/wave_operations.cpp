// SPDX-License-Identifier: Apache-2.0
// What wave IR does in each round of a kernel's loops, and outside them: lane operations (merges among them),
// operations on masks, tests of masks, uniform ones; beside them the operations of one work-item in the same
// loop before masks, which is what a machine without divergence would do. Counts are of the code, not of a
// run. The address of an access counts with it.
//
//   wave_operations KERNELC FILE.cl...                prints the table
//   wave_operations --golden FILE KERNELC FILE.cl...  compares it with FILE; KC_BLESS=1 writes FILE. Some
//                                                     rows have limits, which are checked in any case
#include <fmt/format.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <optional>

#include "ir/cfg.h"
#include "ir/text.h"
#include "passes/analysis/cycles.h"

using namespace kc;

namespace {

struct Counts {
  int lane = 0, merges = 0, memory = 0, masks = 0, tests = 0, uniform = 0, branches = 0;
};

// By value id: addresses that only accesses use. Their base and index are part of those.
std::vector<bool> parts_of_accesses(const Function& f) {
  std::vector<bool> part(f.value_count());
  for (BlockId b : f.layout)
    for (InstId i : f.block(b).insts)
      if (f.inst(i).op == Op::ptr_add) part[f.inst(i).results[0].index] = true;
  for (BlockId b : f.layout)
    for (InstId i : f.block(b).insts) {
      const Inst& inst = f.inst(i);
      bool access = !info(inst.op).has(Terminator) && info(inst.op).effects != Effects::None;
      for (ValueId v : inst.operands)
        if (!access) part[v.index] = false;
      for (const Target& t : inst.targets)
        for (ValueId v : t.args) part[v.index] = false;
    }
  return part;
}

void count(const Function& f, const std::vector<bool>& part_of_access, BlockId b, Counts& c) {
  for (InstId i : f.block(b).insts) {
    const Inst& inst = f.inst(i);
    if (!inst.results.empty() && part_of_access[inst.results[0].index]) continue;
    const OpInfo& row = info(inst.op);
    if (row.has(Terminator)) {
      c.branches += inst.targets.size() > 1;
      continue;
    }
    bool memory = row.effects == Effects::Read || row.effects == Effects::Write;
    c.memory += memory;
    bool on_lanes = inst.results.empty() ? memory : f.type(inst.results[0]).lane;
    if (inst.op == Op::any)
      ++c.tests;
    else if (!inst.results.empty() && f.type(inst.results[0]).is_mask())
      ++c.masks;
    else if (f.dialect == Dialect::Thread || on_lanes)
      ++c.lane;
    else
      ++c.uniform;
    c.merges += inst.op == Op::blend;
  }
}

std::optional<std::string> output_of(const std::string& command) {
  std::FILE* pipe = popen(command.c_str(), "r");
  if (!pipe) return {};
  std::string text;
  char part[4096];
  while (size_t n = std::fread(part, 1, sizeof part, pipe)) text.append(part, n);
  return pclose(pipe) == 0 ? std::optional(text) : std::nullopt;
}

// Loops by the source line of the first instruction of their header that has one.
struct Loop {
  uint32_t line = 0, depth = 0;
  Counts counts;
};

struct Kernel {
  std::string name;
  std::vector<Loop> loops;
  Counts outside;
};

std::optional<Kernel> measure(const std::string& kernelc, const std::string& file, std::string_view options) {
  auto text = output_of(fmt::format("'{}' '{}' --emit=wave --width 16 {}", kernelc, file, options));
  if (!text) return {};
  auto module = parse_module(*text);
  if (!module) return {};
  const Function& f = *module->functions[0];
  Cfg cfg(f);
  Cycles cycles(f, cfg);
  Kernel kernel{.name = f.name, .loops = {}, .outside = {}};
  std::vector<bool> addresses = parts_of_accesses(f);
  for (uint32_t c = 0; c < cycles.cycles.size(); ++c) {
    Loop loop{.line = 0, .depth = cycles.cycles[c].depth, .counts = {}};
    for (InstId i : f.block(BlockId(cycles.cycles[c].header)).insts)
      if (loop.line == 0) loop.line = f.inst(i).loc.line;
    for (uint32_t b : cycles.nodes(c)) count(f, addresses, BlockId(b), loop.counts);
    kernel.loops.push_back(loop);
  }
  for (BlockId b : cfg.rpo)
    if (cycles.innermost[b.index] == kNone) count(f, addresses, b, kernel.outside);
  std::ranges::stable_sort(kernel.loops, {}, &Loop::line);
  return kernel;
}

std::string row(std::string_view name, const Counts& w, const Counts& t) {
  return fmt::format("{:<28} {:>6} {:>7} {:>7} {:>6} {:>6} {:>8} {:>9} {:>10}\n", name, w.lane, w.merges,
                     w.memory, w.masks, w.tests, w.uniform, w.branches, t.lane);
}

// What some rows may hold at most. `over_work_item`: lane operations for one of the same loop before masks,
// so that of a loop with many ways all together cost hardly more than each of them once.
struct Limit {
  std::string_view row;
  int lane, memory, masks, tests;
  double over_work_item;
};
constexpr int kAny = 1'000'000;
constexpr Limit kLimits[] = {
    {"mandelbrot, loop at line 11", 10, 0, 2, 1, kAny},
    {"scanner, loop at line 12", kAny, 1, kAny, kAny, 1.3},
    {"saxpy, outside loops", 5, 3, 0, 0, kAny},  // the id, two loads, the sum, a store
    {"power, loop at line 5", kAny, 0, 0, 0, kAny},
};

bool within(const Limit& limit, const Counts& w, const Counts& t) {
  return w.lane <= limit.lane && w.lane <= limit.over_work_item * t.lane && w.memory <= limit.memory &&
         w.masks <= limit.masks && w.tests <= limit.tests;
}

int fail(std::string_view why) {
  fmt::print(stderr, "wave_operations: {}\n", why);
  return 1;
}

}  // namespace

int main(int argc, char** argv) {
  std::vector<std::string> args(argv + 1, argv + argc);
  std::string golden;
  if (args.size() > 2 && args[0] == "--golden") {
    golden = args[1];
    args.erase(args.begin(), args.begin() + 2);
  }
  if (args.size() < 2) return fail("usage: wave_operations [--golden FILE] KERNELC FILE.cl...");
  std::vector<std::string> held;  // rows that keep within their limits
  auto add = [&](std::string& to, const std::string& name, const Counts& w, const Counts& t) {
    to += row(name, w, t);
    auto limit = std::ranges::find(kLimits, name, &Limit::row);
    if (limit != std::end(kLimits) && within(*limit, w, t)) held.push_back(name);
  };
  std::string table = fmt::format("{:<28} {:>6} {:>7} {:>7} {:>6} {:>6} {:>8} {:>9} {:>10}\n", "", "lane",
                                  "(merge)", "memory", "masks", "tests", "uniform", "branches", "work-item");
  for (size_t n = 1; n < args.size(); ++n) {
    auto wave = measure(args[0], args[n], ""),
         thread = measure(args[0], args[n], "--stop-after=sink_updates");
    if (!wave || !thread) return fail(fmt::format("no wave IR of {}", args[n]));
    add(table, wave->name + ", outside loops", wave->outside, thread->outside);
    for (const Loop& loop : wave->loops) {
      auto same = std::ranges::find_if(
          thread->loops, [&](const Loop& t) { return t.line == loop.line && t.depth == loop.depth; });
      add(table, fmt::format("{}, loop at line {}", wave->name, loop.line), loop.counts,
          same == thread->loops.end() ? Counts{} : same->counts);
    }
  }
  fmt::print("{}", table);
  if (golden.empty()) return 0;
  for (const Limit& limit : kLimits)
    if (std::ranges::find(held, limit.row) == held.end())
      return fail(fmt::format("'{}' is not there, or beyond its limits", limit.row));
  if (std::getenv("KC_BLESS")) return std::ofstream(golden) << table ? 0 : fail("cannot write " + golden);
  std::ifstream in(golden);
  std::string expected{std::istreambuf_iterator<char>(in), {}};
  return expected == table ? 0 : fail("this differs from " + golden + " (KC_BLESS=1 writes it anew)");
}
