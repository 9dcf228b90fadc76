// SPDX-License-Identifier: Apache-2.0
#include "tests/property/graph_function.h"

#include <algorithm>

#include "sim/interpreter/thread_interpreter.h"

namespace kc::test {
namespace {

constexpr uint32_t kItems = 32;
constexpr int32_t kFuel = 40;

struct Maker {
  Function f;
  Builder build{f};
  VarId sum, fuel;
  std::vector<VarId> visits;
  ValueId out, steer, id;

  ValueId op(Op o, ValueId a, ValueId b) { return build.make(o, kI32, {a, b}); }

  // The sum, mixed with the id and the node's number, as bits that select an edge.
  ValueId divergent_bits(uint32_t n) {
    ValueId h =
        op(Op::mul, op(Op::xor_, build.get(sum), id), build.i32(static_cast<int32_t>(0x9e3779b1u + 2 * n)));
    return op(Op::lshr, h, build.i32(17));
  }

  // Index of the successor with the highest number; following it always terminates.
  static uint32_t onward(const NodeList& succs) {
    return static_cast<uint32_t>(std::max_element(succs.begin(), succs.end()) - succs.begin());
  }

  void end_divergent(uint32_t n, const NodeList& succs, const std::vector<BlockId>& blocks) {
    ValueId spent = build.make(Op::slt, kI1, {build.get(fuel), build.i32(0)});
    auto count = static_cast<int32_t>(succs.size());
    ValueId pick = op(Op::urem, divergent_bits(n), build.i32(count));
    pick = build.make(Op::select, kI32, {spent, build.i32(static_cast<int32_t>(onward(succs))), pick});
    end(pick, succs, blocks);
  }

  // Takes another edge than `onward` only at the first visits.
  void end_uniform(uint32_t n, const NodeList& succs, const std::vector<BlockId>& blocks) {
    ValueId shifted = build.make(Op::lshr, kI64, {steer, build.i64(2 * n % 61)});
    ValueId bits = build.make(Op::trunc, kI32, {shifted});
    ValueId limit = op(Op::and_, bits, build.i32(3));
    ValueId early = build.make(Op::sle, kI1, {build.get(visits[n]), limit});
    auto count = static_cast<int32_t>(succs.size());
    ValueId other = op(Op::urem, op(Op::and_, bits, build.i32(15)), build.i32(count));
    ValueId last = build.i32(static_cast<int32_t>(onward(succs)));
    if (count == 2) other = build.i32(1 - static_cast<int32_t>(onward(succs)));
    end(build.make(Op::select, kI32, {early, other, last}), succs, blocks);
  }

  void end(ValueId pick, const NodeList& succs, const std::vector<BlockId>& blocks) {
    if (succs.size() == 2) {
      ValueId first = build.make(Op::eq, kI1, {pick, build.i32(0)});
      build.br_if(first, {blocks[succs[0]], {}}, {blocks[succs[1]], {}});
      return;
    }
    std::vector<ValueId> operands{pick};
    TargetList targets{{blocks[succs[0]], {}}};
    for (size_t k = 1; k < succs.size(); ++k) {
      operands.push_back(build.i32(static_cast<int32_t>(k)));
      targets.push_back({blocks[succs[k]], {}});
    }
    InstId end = f.create(Op::switch_, operands, {});
    f.inst(end).targets = targets;
    f.append(build.block, end);
  }
};

}  // namespace

Function graph_function(const Graph& g, const std::vector<bool>& divergent) {
  Maker m;
  m.f.name = "graph";
  m.f.params = {{.name = "out", .pointee = Elem::I32}, {.name = "steer"}};
  m.sum = m.f.add_var("sum", kI32), m.fuel = m.f.add_var("fuel", kI32);
  for (size_t n = 0; n < g.size(); ++n) m.visits.push_back(m.f.add_var("visits", kI32));
  m.build.block = m.f.add_block();
  m.out = m.f.add_param(m.build.block, kPtrGlobal), m.steer = m.f.add_param(m.build.block, kI64);
  m.id = m.build.make(Op::global_id, kI32, {}, {0});
  m.build.set(m.sum, m.build.i32(1)), m.build.set(m.fuel, m.build.i32(kFuel));
  for (VarId v : m.visits) m.build.set(v, m.build.i32(0));
  std::vector<BlockId> blocks;
  for (size_t n = 0; n < g.size(); ++n) blocks.push_back(m.f.add_block());
  m.build.br(blocks[0]);
  for (uint32_t n = 0; n < g.size(); ++n) {
    m.build.block = blocks[n];
    auto number = static_cast<int32_t>(n + 1);
    ValueId mixed = m.op(Op::mul, m.build.get(m.sum), m.build.i32(1000003));
    m.build.set(m.sum, m.op(Op::add, mixed, m.build.i32(number)));
    m.build.set(m.fuel, m.op(Op::add, m.build.get(m.fuel), m.build.i32(-1)));
    m.build.set(m.visits[n], m.op(Op::add, m.build.get(m.visits[n]), m.build.i32(1)));
    if (g[n].empty()) {
      // The visit counts are part of the result, so they are live everywhere.
      ValueId total = m.build.get(m.sum);
      for (VarId v : m.visits) total = m.op(Op::add, m.op(Op::mul, total, m.build.i32(31)), m.build.get(v));
      ValueId address = m.build.make(Op::ptr_add, kPtrGlobal, {m.out, m.id}, {4, 0});
      m.build.emit(Op::store, {address, total});
      m.build.ret();
    } else if (g[n].size() == 1) {
      m.build.br(blocks[g[n][0]]);
    } else if (divergent[n]) {
      m.end_divergent(n, g[n], blocks);
    } else {
      m.end_uniform(n, g[n], blocks);
    }
  }
  return std::move(m.f);
}

std::vector<uint32_t> run_graph_function(const Function& f, uint64_t steer) {
  std::vector<uint32_t> out(kItems, 0);
  const MemoryRange range{reinterpret_cast<uint64_t>(out.data()), kItems * sizeof(uint32_t)};
  const uint64_t arguments[] = {range.base, steer};
  LaunchSpec launch;
  launch.global[0] = launch.local[0] = kItems;
  auto result = run_threads(f, launch, arguments, {.memory = std::span(&range, 1), .max_steps = 50'000'000});
  if (!result.ok()) out.clear();
  return out;
}

}  // namespace kc::test
