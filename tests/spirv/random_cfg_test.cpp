// SPDX-License-Identifier: Apache-2.0
// Random reducible graphs: the device must agree with the thread interpreter. Every block folds its number
// into a running value and uses values of blocks that dominate it, so a wrong path or a lost value is
// visible.
#include <random>

#include "backends/structured/region_tree.h"
#include "ir/cfg.h"
#include "ir/verify.h"
#include "sim/interpreter/thread_interpreter.h"
#include "tests/spirv/device.h"

using namespace kc;
using namespace kc::test;

namespace {

constexpr uint64_t kItems = 64;

class Generator {
 public:
  explicit Generator(uint64_t seed) : random_(seed) {}

  // A random graph, or nothing if it is irreducible.
  std::unique_ptr<Function> make(size_t blocks, bool acyclic) {
    auto f = std::make_unique<Function>();
    f->name = "random";
    std::vector<BlockId> ids;
    for (size_t i = 0; i < blocks; ++i) ids.push_back(f->add_block());
    ValueId out = f->add_param(ids[0], kPtrGlobal);
    f->params.push_back({.name = "out"});
    std::vector<ValueId> running(blocks);
    for (size_t i = 1; i < blocks; ++i) running[i] = f->add_param(ids[i], kI32);

    Builder b(*f);
    b.block = ids[0];
    ValueId item = b.make(Op::global_id, kI64, {}, {0});
    ValueId at = b.make(Op::ptr_add, kPtrGlobal, {out, item}, {4, 0});
    running[0] = b.make(Op::trunc, kI32, {item});
    fold_.assign(f->block_count(), {});
    for (size_t i = 0; i < blocks; ++i) {
      b.block = ids[i];
      ValueId v = b.make(Op::mul, kI32, {running[i], b.i32(1664525)});
      fold_[ids[i].index] = b.make(Op::add, kI32, {v, b.i32(static_cast<int32_t>(i) * 7 + 1013904223)});
    }
    for (size_t i = 0; i < blocks; ++i) terminator(b, ids, i, acyclic, at);
    Cfg cfg(*f);
    std::vector<BlockId> dead;
    for (BlockId id : f->layout)
      if (!cfg.reachable(id)) dead.push_back(id);
    f->erase_blocks(dead);
    if (!structured::irreducible_edges(*f).empty()) return nullptr;
    use_dominators(*f);
    return f;
  }

 private:
  size_t below(size_t n) { return random_() % n; }

  void terminator(Builder& b, const std::vector<BlockId>& ids, size_t i, bool acyclic, ValueId at) {
    b.block = ids[i];
    ValueId v = fold_[ids[i].index];
    const size_t n = ids.size();
    auto target = [&]() -> Target {
      // Mostly near, sometimes backward; this makes reducible graphs sufficiently common.
      size_t to = i + 1 + below(std::min<size_t>(4, n - 1 - i + (i + 1 == n)));
      if (!acyclic && below(4) == 0 && i > 0) to = 1 + below(i);
      return {ids[std::min(to, n - 1)], {v}};
    };
    if (i + 1 == n || below(12) == 0) {
      b.emit(Op::store, {at, v}, {}, {0});
      b.ret();
      return;
    }
    ValueId high = b.make(Op::lshr, kI32, {v, b.i32(24)});
    size_t kind = below(10);
    if (kind < 2) {
      Target t = target();
      b.br(t.block, t.args);
    } else if (kind < 8) {
      ValueId c = b.make(Op::ult, kI1, {high, b.i32(static_cast<int32_t>(64 + below(128)))});
      b.br_if(c, target(), target());
    } else {
      ValueId few = b.make(Op::and_, kI32, {high, b.i32(3)});
      InstId inst = b.emit(Op::switch_, {few, b.i32(0), b.i32(2)});
      for (int k = 0; k < 3; ++k) {
        Target t = target();
        b.f.inst(inst).targets.push_back(t);
      }
    }
  }

  // Adds to every second block's fold the fold of some block that dominates it.
  void use_dominators(Function& f) {
    Cfg cfg(f);
    DominatorTree dom(f, cfg);
    for (BlockId b : cfg.rpo) {
      std::vector<BlockId> above;
      for (BlockId d = dom.idom[b.index]; d.valid(); d = dom.idom[d.index]) above.push_back(d);
      if (above.empty() || below(2)) continue;
      InstId fold = f.def(fold_[b.index]);
      InstId mul = f.block(b).insts.front();
      Type type = kI32;
      InstId mix = f.create(Op::xor_, {f.result(mul), fold_[above[below(above.size())].index]}, {&type, 1});
      f.insert(b, 1, mix);
      f.inst(fold).operands[0] = f.result(mix);
    }
  }

  std::mt19937_64 random_;
  std::vector<ValueId> fold_;
};

// The interpreter's results, or nothing if a work-item runs too long.
std::optional<std::vector<uint32_t>> reference(const Function& f) {
  std::vector<uint32_t> out(kItems);
  const auto address = reinterpret_cast<uint64_t>(out.data());
  MemoryRange range{address, out.size() * 4};
  ThreadRunOptions options;
  options.memory = {&range, 1};
  options.max_steps = 2'000'000;
  LaunchSpec spec;
  spec.global[0] = kItems;
  spec.local[0] = 8;
  auto result = run_threads(f, spec, {&address, 1}, options);
  if (!result.ok()) return std::nullopt;
  return out;
}

}  // namespace

TEST_CASE("random graphs agree with the interpreter") {
  auto device = open_device(false);
  // A single work-item tests the module; several test the driver's divergence handling.
  SpirvOptions alone, together;
  if (device) alone = together = spirv_options(device->info(), {1, 1, 1});
  alone.guard_loop_values = alone.detect_loop_limits = false;
  together.local_size = {8, 1, 1};
  size_t run_count = 0, with_selectors = 0, refused = 0;
  for (uint64_t seed = 0; seed < 600; ++seed) {
    Generator generator(seed);
    auto f = generator.make(4 + seed % 17, seed % 3 == 0);
    if (!f) {
      ++refused;
      continue;
    }
    INFO("seed " << seed << "\n" << print(*f));
    REQUIRE(render(*f, verify(*f)) == "");
    auto tree = structured::build_regions(*f);
    INFO(structured::print_regions(*f, tree));
    for (const auto& join : tree.joins)
      if (join.targets.size() > 1) {
        ++with_selectors;
        break;
      }
    auto expected = reference(*f);
    for (const SpirvOptions& options : {alone, together}) {
      VulkanImage image = emit_valid(*f, options);
      if (!device || !expected) continue;
      Run run;
      run.global = {kItems, 1, 1};
      run.add_buffer(std::vector<uint32_t>(kItems));
      launch(*device, image, run);
      INFO("local size " << options.local_size[0]);
      REQUIRE(run.get<uint32_t>(0) == *expected);
    }
    if (!device || !expected) continue;
    ++run_count;
  }
  WARN(run_count << " ran, " << with_selectors << " needed selectors, " << refused << " were irreducible");
  CHECK(with_selectors > 50);
  if (device) CHECK(run_count > 150);
}
