// SPDX-License-Identifier: Apache-2.0
#include <map>

#include "random_function.h"

namespace kc::test {
namespace {

constexpr size_t kSteps = 300;

uint64_t mix(uint64_t h, uint64_t x) {
  h ^= x + 0x9e3779b97f4a7c15u + (h << 6) + (h >> 2);
  h *= 0xff51afd7ed558ccdu;
  return h ^ (h >> 32);
}

using Words = std::vector<uint64_t>;

Words result_words(const Inst& inst, size_t index, Type type, const std::vector<Words>& operands) {
  uint64_t h = mix(static_cast<uint64_t>(inst.attrs[0]), index);
  for (const Words& w : operands)
    for (uint64_t x : w) h = mix(h, x);
  Words r;
  for (uint32_t k = 0; k < type.regs; ++k) r.push_back(mix(h, k));
  return r;
}

uint64_t digest(const std::vector<Words>& operands) {
  uint64_t h = 1;
  for (const Words& w : operands)
    for (uint64_t x : w) h = mix(h, x);
  return h;
}

}  // namespace

std::vector<uint64_t> run_values(const Function& f, const RegTarget&, uint64_t seed) {
  std::map<ValueId, Words> env;
  std::vector<uint64_t> trace;
  uint64_t n = 0;
  for (ValueId p : f.block(f.entry()).params)
    for (uint32_t k = 0; k < f.type(p).regs; ++k) env[p].push_back(mix(++n, seed));
  BlockId b = f.entry();
  for (uint64_t path = seed;;) {
    for (InstId i : f.block(b).insts) {
      if (trace.size() >= kSteps) return trace;
      const Inst& inst = f.inst(i);
      std::vector<Words> operands;
      for (ValueId v : inst.operands) operands.push_back(env[v]);
      trace.push_back(digest(operands));
      for (size_t r = 0; r < inst.results.size(); ++r)
        env[inst.results[r]] = result_words(inst, r, f.type(inst.results[r]), operands);
    }
    auto targets = f.successors(b);
    if (targets.empty()) return trace;
    path = mix(path, trace.size());
    const Target& t = targets[path % targets.size()];
    std::vector<Words> args;
    for (ValueId v : t.args) args.push_back(env[v]);
    for (size_t k = 0; k < args.size(); ++k) env[f.block(t.block).params[k]] = args[k];
    b = t.block;
  }
}

namespace {

struct Registers {
  const Function& f;
  const RegTarget& target;
  std::map<std::pair<Elem, uint32_t>, uint64_t> regs;
  std::map<std::pair<int64_t, uint32_t>, uint64_t> slots;

  Words read(ValueId v) {
    Words w;
    for (uint32_t k = 0; k < f.type(v).regs; ++k) w.push_back(regs[{f.type(v).elem, at(v) + k}]);
    return w;
  }
  void write(ValueId v, const Words& w) {
    for (uint32_t k = 0; k < f.type(v).regs; ++k) regs[{f.type(v).elem, at(v) + k}] = w[k];
  }
  uint32_t at(ValueId v) const { return f.value(v).location.index; }

  void move(const Inst& inst) {
    if (inst.op == target.copy) write(inst.results[0], read(inst.operands[0]));
    if (inst.op == target.reload)
      for (uint32_t k = 0; k < f.type(inst.results[0]).regs; ++k)
        regs[{f.type(inst.results[0]).elem, at(inst.results[0]) + k}] = slots[{inst.attrs[0], k}];
    if (inst.op == target.spill)
      for (uint32_t k = 0; k < f.type(inst.operands[0]).regs; ++k)
        slots[{inst.attrs[0], k}] = regs[{f.type(inst.operands[0]).elem, at(inst.operands[0]) + k}];
  }

  // Overwrites the instruction's clobbers, and early results before untied operands are read.
  uint64_t original(const Inst& inst, uint64_t junk) {
    const MachineInfo& m = target.constraints(f, inst);
    std::vector<Words> operands(inst.operands.size());
    auto destroy = [&] {
      for (size_t c = 0; c < target.classes.size(); ++c)
        for (uint32_t u = 0; u < 32; ++u)
          if (m.clobbers[c] >> u & 1) regs[{target.classes[c].elem, u}] = mix(junk, u);
      for (ValueId r : inst.results)
        for (uint32_t k = 0; k < f.type(r).regs; ++k) regs[{f.type(r).elem, at(r) + k}] = mix(junk, k);
    };
    auto tied = [&](size_t k) {
      return m.tied == static_cast<int>(k) || m.tied_second == static_cast<int>(k);
    };
    for (size_t k = 0; k < operands.size(); ++k)
      if (!m.early_clobber || tied(k)) operands[k] = read(inst.operands[k]);
    destroy();
    for (size_t k = 0; k < operands.size(); ++k)
      if (m.early_clobber && !tied(k)) operands[k] = read(inst.operands[k]);
    for (size_t r = 0; r < inst.results.size(); ++r)
      write(inst.results[r], result_words(inst, r, f.type(inst.results[r]), operands));
    return digest(operands);
  }
};

}  // namespace

std::vector<uint64_t> run_registers(const Function& f, const RegTarget& target, size_t originals,
                                    uint64_t seed) {
  Registers m{f, target, {}, {}};
  std::vector<uint64_t> trace;
  uint64_t n = 0;
  for (ValueId p : f.block(f.entry()).params) {
    Words w;
    for (uint32_t k = 0; k < f.type(p).regs; ++k) w.push_back(mix(++n, seed));
    m.write(p, w);
  }
  BlockId b = f.entry();
  for (uint64_t path = seed;;) {
    for (InstId i : f.block(b).insts) {
      const Inst& inst = f.inst(i);
      if (i.index >= originals) {
        m.move(inst);
        continue;
      }
      if (trace.size() >= kSteps) return trace;
      trace.push_back(m.original(inst, mix(seed, trace.size())));
    }
    auto targets = f.successors(b);
    if (targets.empty()) return trace;
    if (f.terminator(b).index < originals) {
      path = mix(path, trace.size());
      b = targets[path % targets.size()].block;
    } else {
      b = targets[0].block;
    }
  }
}

}  // namespace kc::test
