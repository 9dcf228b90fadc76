// SPDX-License-Identifier: Apache-2.0
// Reading of code objects: kernel descriptor, metadata, and corrupted files.
#include <catch2/catch.hpp>

#include "tests/gcn_sim/support.h"

using namespace kc;

namespace {

constexpr std::string_view kMetadata = R"( .amdgpu_metadata
---
amdhsa.version: [1, 1]
amdhsa.target: amdgcn-amd-amdhsa--gfx900
amdhsa.kernels:
 - .name: k
   .symbol: k.kd
   .kernarg_segment_size: 28
   .kernarg_segment_align: 8
   .group_segment_fixed_size: 12
   .private_segment_fixed_size: 0
   .wavefront_size: 64
   .sgpr_count: 22
   .vgpr_count: 4
   .max_flat_workgroup_size: 256
   .args:
    - {.offset: 0, .size: 8, .value_kind: global_buffer, .address_space: global}
    - {.offset: 24, .size: 4, .value_kind: by_value}
 .end_amdgpu_metadata
)";

}  // namespace

TEST_CASE("descriptor and metadata of a code object") {
  std::string error;
  std::string bytes = test::gcn_assemble(
      test::gcn_frame(" s_nop 0", {.vgprs = 10, .kernarg = 28, .lds = 12}) + std::string(kMetadata), error);
  if (bytes.empty() && error.empty()) {
    WARN("skipped: LLVM's tools are not installed");
    return;
  }
  INFO(error);
  auto elf = read_elf(bytes);
  INFO((elf ? std::string() : elf.error()));
  REQUIRE(elf.has_value());
  REQUIRE(elf->kernels.size() == 1);
  const GcnKernel& k = elf->kernels[0];
  CHECK(k.name == "k");
  CHECK(k.lds_bytes == 12);
  CHECK(k.kernarg_bytes == 28);
  CHECK(k.vgprs == 12);
  CHECK(k.properties == 8);
  REQUIRE(k.args.size() == 2);
  CHECK(k.args[0].kind == "global_buffer");
  CHECK(k.args[1].offset == 24);
  CHECK(k.args[1].size == 4);

  // Every truncation, and changed bytes, gives a result or an error, and no crash. Run under sanitizers.
  for (size_t n = 0; n < bytes.size(); n += n < 1024 ? 1 : 37) {
    auto cut = read_elf(std::string_view(bytes).substr(0, n));
    if (n < bytes.size() / 2) CHECK(!cut.has_value());
  }
  uint64_t x = 1;
  size_t errors = 0;
  for (int i = 0; i < 4000; ++i) {
    std::string damaged = bytes;
    for (int j = 0; j < 1 + i % 4; ++j) {
      x = x * 6364136223846793005u + 1442695040888963407u;
      size_t limit = i % 2 ? damaged.size() : std::min<size_t>(damaged.size(), 700);
      damaged[(x >> 33) % limit] = static_cast<char>(x >> 25);
    }
    errors += !read_elf(damaged).has_value();
  }
  CHECK(errors > 100);
}

TEST_CASE("files that are no code objects for this machine") {
  CHECK(read_elf("").error() == "code object: not an ELF file");
  CHECK(read_elf("#!/bin/sh\n").error() == "code object: not an ELF file");
  CHECK(!load_code_object(std::string(64, '\0')).has_value());
}

TEST_CASE("a tool that is missing is named") {
  auto r = run_tool({"kernelc-no-such-tool"});
  REQUIRE(!r.has_value());
  CHECK(r.error().absent);
  CHECK(r.error().message == "component absent: kernelc-no-such-tool is not installed");
  auto ok = run_tool({"sh", "-c", "echo out; echo err >&2; exit 3"});
  REQUIRE(ok.has_value());
  CHECK(ok->exit_code == 3);
  CHECK(ok->out == "out\n");
  CHECK(ok->err == "err\n");
}

TEST_CASE("a tool that goes on without end is ended") {
  auto talks = run_tool({"yes"}, {.output_bytes = 100'000});
  REQUIRE(!talks.has_value());
  CHECK(talks.error().message == "yes prints more than 100000 bytes and was ended");
  auto sleeps = run_tool({"sleep", "60"}, {.seconds = 0.1});
  REQUIRE(!sleeps.has_value());
  CHECK(sleeps.error().message == "sleep takes longer than 0.1 s and was ended");
  auto killed = run_tool({"sh", "-c", "kill -KILL $$"});
  REQUIRE(!killed.has_value());
  CHECK(killed.error().absent);
  auto full = run_tool({"sh", "-c", "echo 'error: No space left on device' >&2; exit 1"});
  REQUIRE(!full.has_value());
  CHECK(full.error().io);
}

TEST_CASE("damaged assembly text is refused or runs into an error, never out of bounds") {
  const std::string text = test::gcn_frame(R"(
 s_load_dwordx2 s[4:5], s[0:1], 0x0
 v_lshlrev_b32_e32 v1, 2, v0
 s_waitcnt vmcnt(0) lgkmcnt(0)
 v_cmp_gt_u32_e64 s[8:9], 9, v0
 v_add_f32_e64 v2, -|v1|, 0.5 mul:2
 v_and_b32_sdwa v3, v1, v0 dst_sel:BYTE_1 dst_unused:UNUSED_PAD src0_sel:WORD_1 src1_sel:DWORD
 ds_swizzle_b32 v4, v1 offset:swizzle(BITMASK_PERM, "00p11")
 s_getreg_b32 s6, hwreg(HW_REG_MODE, 4, 2)
 global_store_dword v1, v0, s[4:5] offset:4
.Lx: s_cbranch_execnz .Lx)");
  REQUIRE(load_assembly(text).has_value());
  uint64_t x = 1;
  size_t refused = 0;
  constexpr std::string_view kLetters = "sv[]:,0123456789-|()._ \n\"xof";
  for (int i = 0; i < 3000; ++i) {
    std::string damaged = text;
    for (int j = 0; j < 1 + i % 3; ++j) {
      x = x * 6364136223846793005u + 1442695040888963407u;
      damaged[(x >> 33) % damaged.size()] = kLetters[(x >> 20) % kLetters.size()];
    }
    auto object = load_assembly(damaged);
    refused += !object.has_value();
    if (object && !object->kernels.empty())
      run_gcn(*object, object->kernels[0].name, test::line(64, 64), test::arguments(uint64_t{0}), {},
              {.max_steps = 100});
  }
  CHECK(refused > 300);
}
