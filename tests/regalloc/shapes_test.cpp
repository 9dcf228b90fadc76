// SPDX-License-Identifier: Apache-2.0
// Hand-written shapes whose best allocation is known, and the allocation time of a large function.
#include <catch2/catch.hpp>
#include <chrono>

#include "ir/text.h"
#include "random_function.h"

using namespace kc;
using namespace kc::test;

namespace {

Allocation allocate(Function& f, const RegTarget& target) {
  const Function before = f;
  auto result = allocate_registers(f, target);
  INFO((result ? print(f) : result.error()));
  REQUIRE(result.has_value());
  CHECK(check_allocation(before, f, target).empty());
  return *result;
}

InstId jump(Function& f, BlockId from, Op op, std::vector<ValueId> operands, TargetList targets) {
  InstId i = f.create(op, std::move(operands), {});
  f.inst(i).attrs[3] = 0;
  f.append(from, i);
  f.inst(i).targets = std::move(targets);
  return i;
}

MachineInfo tied() {
  MachineInfo m;
  m.tied = 0;
  m.fixed_operands = {};
  return m;
}

}  // namespace

TEST_CASE("a loop of tied accumulators needs no copies", "[regalloc]") {
  Function f;
  f.name = "loop";
  f.dialect = Dialect::Gcn;
  BlockId entry = f.add_block(), loop = f.add_block("loop"), done = f.add_block();
  ValueId a = f.result(emit(f, entry, {}, {vgpr()})), b = f.result(emit(f, entry, {}, {vgpr()}));
  ValueId step = f.result(emit(f, entry, {}, {vgpr()}));
  jump(f, entry, Op::br, {}, {{loop, {a, b}}});
  ValueId x = f.add_param(loop, vgpr()), y = f.add_param(loop, vgpr());
  int64_t row = row_of(tied());
  REQUIRE(row > 0);
  ValueId x2 = f.result(emit(f, loop, {x, step}, {vgpr()}, row));
  ValueId y2 = f.result(emit(f, loop, {y, x2}, {vgpr()}, row));
  ValueId c = f.result(emit(f, loop, {y2}, {sgpr()}));
  jump(f, loop, Op::switch_, {c}, {{loop, {x2, y2}}, {done, {}}});
  emit(f, done, {y2}, {});
  jump(f, done, Op::ret, {}, {});
  Allocation r = allocate(f, target_for({.small = 8, .wide = 8}));
  CHECK(r.copies == 0);
  CHECK(r.spills == 0);
  CHECK(f.layout.size() == 3);
  CHECK(r.used[1] == std::vector<bool>{true, true, true, false, false, false, false, false});
}

TEST_CASE("exchanging loop parameters is a cycle through a third register", "[regalloc]") {
  for (uint32_t wide : {3u, 2u}) {
    Function f;
    f.name = "swap";
    f.dialect = Dialect::Gcn;
    BlockId entry = f.add_block(), loop = f.add_block(), done = f.add_block();
    ValueId a = f.result(emit(f, entry, {}, {vgpr()})), b = f.result(emit(f, entry, {}, {vgpr()}));
    ValueId x = f.add_param(loop, vgpr()), y = f.add_param(loop, vgpr());
    jump(f, entry, Op::br, {}, {{loop, {a, b}}});
    ValueId c = f.result(emit(f, loop, {x, y}, {sgpr()}));
    jump(f, loop, Op::switch_, {c}, {{loop, {y, x}}, {done, {}}});
    jump(f, done, Op::ret, {}, {});
    Allocation r = allocate(f, target_for({.small = 4, .wide = wide}));
    CHECK(r.copies == (wide == 3 ? 3u : 1u));
    CHECK(r.spills == (wide == 3 ? 0u : 1u));
  }
}

TEST_CASE("a value carried through a loop is spilled outside it", "[regalloc]") {
  Function f;
  f.name = "carried";
  f.dialect = Dialect::Gcn;
  BlockId entry = f.add_block(), loop = f.add_block(), done = f.add_block();
  std::vector<ValueId> held;
  for (int n = 0; n < 4; ++n) held.push_back(f.result(emit(f, entry, {}, {vgpr()})));
  ValueId start = f.result(emit(f, entry, {}, {vgpr()}));
  jump(f, entry, Op::br, {}, {{loop, {start}}});
  ValueId x = f.add_param(loop, vgpr());
  ValueId y = f.result(emit(f, loop, {x}, {vgpr()})), z = f.result(emit(f, loop, {x, y}, {vgpr()}));
  ValueId w = f.result(emit(f, loop, {x, y, z}, {vgpr()}));
  ValueId c = f.result(emit(f, loop, {w, x, y}, {sgpr()}));
  jump(f, loop, Op::switch_, {c}, {{loop, {w}}, {done, {}}});
  emit(f, done, {held[0], held[1], held[2]}, {});
  emit(f, done, {held[3], w}, {});
  jump(f, done, Op::ret, {}, {});
  Allocation r = allocate(f, target_for({.small = 4, .wide = 5}));
  CHECK(r.spills == 2);  // four loop-carried values and three of the loop, in five registers
  CHECK(r.reloads == 2);
  for (InstId i : f.block(loop).insts) {
    CHECK(f.inst(i).op != Op::gcn_spill);
    CHECK(f.inst(i).op != Op::gcn_reload);
  }
}

TEST_CASE("parameters in memory that pass each other on share a slot", "[regalloc]") {
  Function f;
  f.name = "passed_on";
  f.dialect = Dialect::Gcn;
  constexpr int kValues = 12;
  BlockId entry = f.add_block(), head = f.add_block("head"), arm = f.add_block("arm");
  BlockId join = f.add_block("join"), done = f.add_block("done");
  std::vector<ValueId> starts, before, after;
  for (int n = 0; n < kValues; ++n) {
    starts.push_back(f.result(emit(f, entry, {}, {vgpr()})));
    before.push_back(f.add_param(head, vgpr()));
    after.push_back(f.add_param(join, vgpr()));
  }
  jump(f, entry, Op::br, {}, {{head, starts}});
  ValueId c = f.result(emit(f, head, {}, {sgpr()}));
  jump(f, head, Op::switch_, {c}, {{arm, {}}, {join, before}});
  std::vector<ValueId> changed = before;
  changed[0] = f.result(emit(f, arm, {before[0]}, {vgpr()}));
  jump(f, arm, Op::br, {}, {{join, changed}});
  ValueId d = f.result(emit(f, join, {}, {sgpr()}));
  jump(f, join, Op::switch_, {d}, {{head, after}, {done, {}}});
  for (ValueId v : after) emit(f, done, {v}, {});
  jump(f, done, Op::ret, {}, {});
  Allocation r = allocate(f, target_for({.small = 4, .wide = 3}));
  // At most one slot for each value, and no value is read from memory only to be passed on.
  CHECK(r.slot_offset.size() <= kValues);
  CHECK(r.spills <= kValues + 1);
  CHECK(r.reloads <= kValues + 1);
}

TEST_CASE("what only a branch of a loop changes stays in memory on the way around it", "[regalloc]") {
  Function f;
  f.name = "rare";
  f.dialect = Dialect::Gcn;
  constexpr int kSums = 3, kNeeded = 4;
  BlockId entry = f.add_block(), head = f.add_block("head"), arm = f.add_block("arm");
  BlockId join = f.add_block("join"), done = f.add_block("done");
  std::vector<ValueId> needed, starts, before, after, changed;
  for (int n = 0; n < kNeeded; ++n) needed.push_back(f.result(emit(f, entry, {}, {vgpr()})));
  for (int n = 0; n < kSums; ++n) {
    starts.push_back(f.result(emit(f, entry, {}, {vgpr()})));
    before.push_back(f.add_param(head, vgpr()));
    after.push_back(f.add_param(join, vgpr()));
  }
  jump(f, entry, Op::br, {}, {{head, starts}});
  ValueId distance = f.result(emit(f, head, needed, {vgpr()}));
  ValueId near = f.result(emit(f, head, needed, {sgpr()}));
  jump(f, head, Op::switch_, {near}, {{arm, {}}, {join, before}});
  for (ValueId sum : before) changed.push_back(f.result(emit(f, arm, {sum, distance}, {vgpr()})));
  jump(f, arm, Op::br, {}, {{join, changed}});
  ValueId again = f.result(emit(f, join, {}, {sgpr()}));
  jump(f, join, Op::switch_, {again}, {{head, after}, {done, {}}});
  for (ValueId v : after) emit(f, done, {v}, {});
  jump(f, done, Op::ret, {}, {});
  allocate(f, target_for({.small = 4, .wide = kNeeded + 1}));
  size_t accesses = 0;
  for (BlockId b : f.layout)
    for (InstId i : f.block(b).insts)
      if (f.inst(i).op == Op::gcn_spill || f.inst(i).op == Op::gcn_reload)
        accesses += b != entry && b != arm && b != done;
  CHECK(accesses == 0);
}

TEST_CASE("nothing stays in registers across an instruction that clobbers them all", "[regalloc]") {
  RegTarget target = target_for({.small = 3, .wide = 3});
  target.constraints = [](const Function&, const Inst& inst) -> const MachineInfo& {
    static const MachineInfo none, call = [] {
      MachineInfo m;
      m.clobbers = {7, 7, 0};
      return m;
    }();
    return inst.attrs[0] == 1 ? call : none;
  };
  Function f;
  f.name = "call";
  f.dialect = Dialect::Gcn;
  BlockId entry = f.add_block();
  ValueId a = f.result(emit(f, entry, {}, {vgpr()}));
  InstId call = emit(f, entry, {a}, {vgpr()});
  CHECK(f.inst(call).attrs[0] == 1);
  emit(f, entry, {a, f.result(call)}, {});
  jump(f, entry, Op::ret, {}, {});
  Allocation r = allocate(f, target);
  CHECK(r.spills == 1);
  CHECK(r.reloads == 1);
  CHECK(r.frame_bytes == 4);
}

TEST_CASE("parameters of the function keep given registers, foreign classes are left alone", "[regalloc]") {
  Function f;
  f.name = "abi";
  f.dialect = Dialect::Gcn;
  BlockId entry = f.add_block();
  ValueId p = f.add_param(entry, sgpr(2)), q = f.add_param(entry, sgpr()), v = f.add_param(entry, vgpr());
  f.value(p).location = {Location::Register, 6};
  f.value(v).location = {Location::Register, 99};
  emit(f, entry, {p, q, v}, {});
  jump(f, entry, Op::ret, {}, {});
  RegTarget target = target_for({.small = 4, .wide = 4});
  target.classes.pop_back();
  target.first_slot = 5;
  allocate(f, target);
  CHECK(f.value(p).location == Location{Location::Register, 6});
  CHECK(f.value(v).location == Location{Location::Register, 99});
  CHECK(f.value(q).location.kind == Location::Register);
}

TEST_CASE("what breaks the contract is refused", "[regalloc]") {
  Function f;
  f.name = "bad";
  f.dialect = Dialect::Gcn;
  BlockId entry = f.add_block(), next = f.add_block();
  f.add_param(next, vgpr());
  jump(f, entry, Op::br, {}, {{next, {f.constant(vgpr(), 1)}}});
  jump(f, next, Op::ret, {}, {});
  auto r = allocate_registers(f, target_for({}));
  REQUIRE_FALSE(r.has_value());
  CHECK(r.error().find("immediate") != std::string::npos);

  Function g;
  g.name = "wide";
  g.dialect = Dialect::Gcn;
  BlockId only = g.add_block();
  std::vector<ValueId> values;
  for (int n = 0; n < 5; ++n) values.push_back(g.result(emit(g, only, {}, {vgpr()})));
  emit(g, only, values, {});
  jump(g, only, Op::ret, {}, {});
  auto s = allocate_registers(g, target_for({.small = 4, .wide = 4}));
  REQUIRE_FALSE(s.has_value());
  CHECK(s.error().find("do not fit") != std::string::npos);
}

TEST_CASE("a hundred thousand instructions take about a second", "[regalloc]") {
  Random random(7);
  Function f = random_function({.small = 100, .wide = 64, .alignment = 0, .constrained = false},
                               {.blocks = 1500, .insts = 130, .params = 4, .live = 400}, random);
  size_t insts = 0;
  for (BlockId b : f.layout) insts += f.block(b).insts.size();
  auto start = std::chrono::steady_clock::now();
  auto result = allocate_registers(f, target_for({.small = 100, .wide = 64, .alignment = 0}));
  double seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
  REQUIRE(result.has_value());
  INFO(insts << " instructions in " << seconds << " s");
  CHECK(insts > 50'000);
  CHECK(seconds < 10);
}
