// SPDX-License-Identifier: Apache-2.0
// Reading of code objects: what a kernel descriptor and its metadata say, and damaged files.
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

  // Every truncation, and changed bytes: an answer or an error, never a crash. Sanitizers watch.
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
  CHECK(r.error() == "component absent: kernelc-no-such-tool is not installed");
  auto ok = run_tool({"sh", "-c", "echo out; echo err >&2; exit 3"});
  REQUIRE(ok.has_value());
  CHECK(ok->exit_code == 3);
  CHECK(ok->out == "out\n");
  CHECK(ok->err == "err\n");
}
