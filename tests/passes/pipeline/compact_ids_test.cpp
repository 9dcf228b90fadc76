// SPDX-License-Identifier: Apache-2.0
// New ids leave printed output unchanged and do not affect any pass.
#include "passes/pipeline.h"
#include "tests/property/running.h"

using namespace kc;
using namespace kc::test;

namespace {

constexpr std::string_view kAll =
    R"(wave func @all(%0: ptr<global> out of i32 const restrict, %1: mask hidden) kernel width=16 local=64x1x1 sub_group=32 {
  var $x.0: i32
  object $tile.0: ptr<local> size=1024 align=4
  site 0: assert "a < b" !2:3
b0 mask %1:
  %2: lane<i32> = lane_id
  %3: lane<i1> = slt %2, 9:i32
  %4: mask = mask_cond %1, %3
  %5: i1 = any %4
  br_if %5 -> b1.loop(1:i32, undef:i32), b2.end !4:5
b1.loop(%6: i32, %7: i32) mask %4 unroll=4:
  %8: i32 = add %6, %7 !5:7
  %9: i1 = slt %8, 100:i32
  br_if %9 -> b1.loop(%8, %6), b2.end
b2.end:
  ret
}
)";

size_t live_instructions(const Function& f) {
  size_t n = 0;
  for (BlockId b : f.layout) n += f.block(b).insts.size();
  return n;
}

}  // namespace

TEST_CASE("everything that a function has keeps its place") {
  auto module = parse_module(kAll);
  REQUIRE(module.has_value());
  Function& f = *module->functions[0];
  const std::string before = print(f);
  // Unused ids, and a block whose id is larger than those of later blocks.
  f.erase_blocks(std::array{f.add_block("gone")});
  f.create(Op::lane_id, {}, std::array{kI32.lanes()});
  f.compact_ids();
  CHECK(print(f) == before);
  CHECK(verify(f).empty());
  CHECK(f.block_count() == f.layout.size());
  CHECK(f.inst_count() == live_instructions(f));
}

TEST_CASE("passes go by the order of ids at most") {
  const auto names = default_pipeline(PipelineKind::Wave);
  size_t smaller = 0;
  for (uint64_t seed = 0; seed < seeds(40); ++seed) {
    PassState plain{.f = random_function(seed)}, compact{.f = random_function(seed)};
    for (std::string_view name : names) {
      const PassRow* row = find_pass(name);
      run_pass(*row, plain);
      run_pass(*row, compact);
      compact.f->compact_ids();
      INFO("seed " << seed << ", after " << name);
      verified(*compact.f);
      REQUIRE(print(*compact.f) == print(*plain.f));
      smaller += compact.f->value_count() < plain.f->value_count();
    }
  }
  CHECK(smaller > seeds(40) * names.size() / 2);
}
