// SPDX-License-Identifier: Apache-2.0
// Results of passes are spoilt on purpose. The walk must notice each spoilt one that behaves differently.
#include <algorithm>
#include <array>
#include <catch2/catch.hpp>
#include <cstdlib>
#include <random>

#include "ir/text.h"
#include "ir/verify.h"
#include "proof/product_walk.h"
#include "sim/interpreter/thread_interpreter.h"
#include "tests/proof/effect_graphs.h"
#include "tests/proof/schemes.h"

using namespace kc;

namespace {

constexpr uint32_t kItems = 48;
constexpr uint64_t kMaxSteps = 400'000;

using Random = std::mt19937;
template <typename T>
const T& any_of(const std::vector<T>& items, Random& random) {
  return items[random() % items.size()];
}

std::vector<InstId> all_of(const Function& f, auto wanted) {
  std::vector<InstId> found;
  for (BlockId b : f.layout)
    for (InstId i : f.block(b).insts)
      if (wanted(f.inst(i))) found.push_back(i);
  return found;
}

// --- how a function is spoilt; false if it has nothing of the kind

bool swap_targets(Function& f, Random& random) {
  auto branches = all_of(f, [](const Inst& i) { return i.targets.size() > 1; });
  if (branches.empty()) return false;
  auto& targets = f.inst(any_of(branches, random)).targets;
  const size_t k = 1 + random() % (targets.size() - 1);
  std::swap(targets[0], targets[k]);
  return true;
}

bool change_constant_on_edge(Function& f, Random& random) {
  auto ends = all_of(f, [&](const Inst& i) {
    return std::ranges::any_of(i.targets, [&](const Target& t) {
      return std::ranges::any_of(t.args, [&](ValueId v) { return f.is_const(v); });
    });
  });
  if (ends.empty()) return false;
  Inst& end = f.inst(any_of(ends, random));
  std::vector<ValueId*> args;
  for (Target& t : end.targets)
    for (ValueId& v : t.args)
      if (f.is_const(v)) args.push_back(&v);
  ValueId& v = *any_of(args, random);
  const Value old = f.value(v);
  v = f.constant(old.type, old.type == kI1 ? old.bits ^ 1 : (old.bits + 1 + random() % 2) & 0xff);
  return true;
}

bool drop_store(Function& f, Random& random) {
  auto stores = all_of(f, [](const Inst& i) { return i.op == Op::store; });
  if (stores.empty()) return false;
  f.erase(any_of(stores, random));
  return true;
}

bool exchange_args(Function& f, Random& random) {
  auto ends = all_of(f, [](const Inst& i) {
    return std::ranges::any_of(i.targets, [](const Target& t) { return t.args.size() > 1; });
  });
  if (ends.empty()) return false;
  for (Target& t : f.inst(any_of(ends, random)).targets) {
    if (t.args.size() < 2) continue;
    const size_t a = random() % t.args.size(), b = random() % t.args.size();
    if (f.type(t.args[a]) != f.type(t.args[b]) || t.args[a] == t.args[b]) continue;
    std::swap(t.args[a], t.args[b]);
    return true;
  }
  return false;
}

// Along another edge of the function, with its arguments.
bool redirect_edge(Function& f, Random& random) {
  auto ends = all_of(f, [](const Inst& i) { return !i.targets.empty(); });
  if (ends.size() < 2) return false;
  auto& from = f.inst(any_of(ends, random)).targets;
  const auto& to = f.inst(any_of(ends, random)).targets;
  Target& target = from[random() % from.size()];
  const Target other = to[random() % to.size()];
  if (target.block == other.block) return false;
  target = other;
  return true;
}

bool is_defined(const Function& f, ValueId v) {
  const BlockId home = block_of(f, v);
  if (!home.valid() || f.block(home).erased) return false;
  if (f.value(v).kind == ValueKind::Param)
    return std::ranges::find(f.block(home).params, v) != f.block(home).params.end();
  return !f.inst(f.def(v)).erased;
}

// Any operand becomes another value of its type.
bool change_operand(Function& f, Random& random) {
  auto users = all_of(f, [](const Inst& i) { return !i.operands.empty(); });
  Inst& inst = f.inst(any_of(users, random));
  ValueId& v = inst.operands[random() % (inst.op == Op::switch_ ? 1 : inst.operands.size())];
  std::vector<ValueId> others;
  for (uint32_t i = 0; i < f.value_count(); ++i) {
    const ValueId o(i);
    const bool lives = f.is_inline(o) || is_defined(f, o);
    if (f.type(o) == f.type(v) && o != v && lives) others.push_back(o);
  }
  if (others.empty()) return false;
  v = any_of(others, random);
  return true;
}

bool negate_condition(Function& f, Random& random) {
  auto compares =
      all_of(f, [](const Inst& i) { return i.op == Op::slt || i.op == Op::eq || i.op == Op::xor_; });
  if (compares.empty()) return false;
  Inst& inst = f.inst(any_of(compares, random));
  if (inst.op == Op::xor_) {
    if (f.type(inst.operands[1]) != kI1) return false;
    inst.operands[1] = f.constant(kI1, 0);
  } else {
    inst.op = inst.op == Op::slt ? Op::sle : Op::ne;
  }
  return true;
}

struct Kind {
  std::string_view name;
  bool (*spoil)(Function& f, Random& random);
};
constexpr std::array kKinds{Kind{"swap targets", swap_targets},
                            Kind{"change a constant on an edge", change_constant_on_edge},
                            Kind{"drop a store", drop_store},
                            Kind{"exchange arguments", exchange_args},
                            Kind{"redirect an edge", redirect_edge},
                            Kind{"change an operand", change_operand},
                            Kind{"negate a condition", negate_condition}};

// What the work-items leave in memory; nothing if some do not end.
std::vector<uint32_t> outcome(const Function& f, uint32_t seed) {
  Random random(seed);
  std::vector<uint32_t> memory(kItems);
  for (uint32_t& m : memory) m = random() % 4 ? random() : random() % 8;
  const MemoryRange range{reinterpret_cast<uint64_t>(memory.data()), memory.size() * sizeof(uint32_t)};
  LaunchSpec launch;
  launch.global[0] = launch.local[0] = kItems;
  auto result = run_threads(f, launch, std::array{range.base},
                            {.memory = std::span(&range, 1), .max_steps = kMaxSteps});
  if (!result.ok()) memory.clear();
  return memory;
}

bool behaves_differently(const Function& f, const Function& spoilt) {
  for (uint32_t seed = 1; seed <= 3; ++seed) {
    const auto want = outcome(f, seed);
    if (!want.empty() && outcome(spoilt, seed) != want) return true;
  }
  return false;
}

}  // namespace

TEST_CASE("the walk notices every spoilt result", "[walk]") {
  const char* seeds = std::getenv("KC_SEEDS");
  const size_t each = seeds ? std::strtoull(seeds, nullptr, 10) : 1;
  Random random(1);
  std::array<std::array<size_t, 4>, kKinds.size()> counts{};  // by kind; noticed + 2 * different
  const auto graphs = test::all_synthetic_graphs();
  const auto schemes = test::proved_schemes();
  for (size_t g = 0; g < graphs.size(); ++g) {
    const Function f = test::effect_function(graphs[g]);
    for (size_t n = 0; n < each; ++n) {
      const std::string_view scheme = schemes[random() % schemes.size()];
      const auto after = test::restructured(f, scheme);
      for (size_t k = 0; k < kKinds.size(); ++k) {
        Function spoilt = *after;
        if (!kKinds[k].spoil(spoilt, random) || !verify(spoilt).empty()) continue;
        INFO(kKinds[k].name << " " << print(f) << print(spoilt));
        const bool noticed = proof::walk(f, spoilt).verdict != proof::Verdict::Proved;
        const bool different = behaves_differently(f, spoilt);
        ++counts[k][(noticed ? 1 : 0) + (different ? 2 : 0)];
        if (different && !noticed)
          FAIL(scheme << ", " << kKinds[k].name << ":\n" << print(f) << "\nbecomes\n" << print(spoilt));
      }
    }
  }
  size_t noticed = 0;
  for (size_t k = 0; k < kKinds.size(); ++k) {
    CAPTURE(kKinds[k].name, counts[k]);
    CHECK(counts[k][2] == 0);
    CHECK(counts[k][3] > 50 * each);
    noticed += counts[k][3];
    std::printf("%-30s %5zu noticed, %5zu of them change what work-items store; %zu proved equal\n",
                std::string(kKinds[k].name).c_str(), counts[k][1] + counts[k][3], counts[k][3], counts[k][0]);
  }
  CHECK(noticed > 4'000 * each);
}
