// SPDX-License-Identifier: Apache-2.0
// Each error is detected at the responsible instruction, and the corrected code passes.
#include <catch2/catch.hpp>

#include "tests/gcn_sim/support.h"

using namespace kc;
using test::arguments;
using test::gcn_frame;
using test::line;
using test::range_of;

namespace {

constexpr std::string_view kStart = R"(
 s_load_dwordx2 s[4:5], s[0:1], 0x0
 v_lshlrev_b32 v1, 2, v0
 s_waitcnt lgkmcnt(0)
)";

GcnResult run(std::string_view body, test::Frame frame = {}, unsigned items = 64, bool start = true) {
  std::string text = start ? std::string(kStart) : std::string();
  auto object = load_assembly(gcn_frame(text + std::string(body), frame));
  INFO((object ? std::string() : object.error()));
  REQUIRE(object.has_value());
  std::vector<uint32_t> buffer(64, 5);
  MemoryRange ranges[] = {range_of(buffer)};
  return run_gcn(*object, "k", line(items, items), arguments(buffer.data()), ranges, {.max_steps = 10000});
}

void finds(std::string_view body, std::string_view instruction, std::string_view why, test::Frame frame = {},
           unsigned items = 64, bool start = true) {
  GcnResult r = run(body, frame, items, start);
  INFO(body << "\n" << r.message);
  CHECK(r.status == GcnResult::Error);
  CHECK(r.message.find(why) != std::string::npos);
  CHECK(r.message.find(std::string(instruction) + ":") != std::string::npos);
  CHECK(r.message.starts_with("pc 0x"));
}
void passes(std::string_view body, test::Frame frame = {}, unsigned items = 64, bool start = true) {
  GcnResult r = run(body, frame, items, start);
  INFO(body << "\n" << r.message);
  CHECK(r.status == GcnResult::Ok);
}

}  // namespace

TEST_CASE("waits for memory") {
  finds("global_load_dword v2, v1, s[4:5]\nv_add_u32 v3, 1, v2", "v_add_u32 v3, 1, v2",
        "v2 is read while a load into it is under way: s_waitcnt vmcnt is missing");
  finds("global_load_dword v2, v1, s[4:5]\nv_mov_b32 v2, 0", "v_mov_b32 v2, 0",
        "v2 is overwritten while a load into it is under way");
  finds(
      "global_load_dword v2, v1, s[4:5]\nglobal_load_dword v3, v1, s[4:5]\ns_waitcnt vmcnt(1)\nv_mov_b32 v4, "
      "v3",
      "v_mov_b32 v4, v3",
      "v3 is read while a load into it is under way: a stronger s_waitcnt vmcnt is missing: "
      "the last one (line 14) waits for vmcnt(1) only");
  passes(
      "global_load_dword v2, v1, s[4:5]\nglobal_load_dword v3, v1, s[4:5]\ns_waitcnt vmcnt(1)\nv_mov_b32 v4, "
      "v2");
  finds("s_load_dword s8, s[0:1], 0x0\ns_add_u32 s9, s8, 1", "s_add_u32 s9, s8, 1",
        "s8 is read while a load into it is under way: s_waitcnt lgkmcnt is missing");
  // Scalar loads return in any order: a partial wait guarantees nothing.
  finds("s_load_dword s8, s[0:1], 0x0\ns_load_dword s9, s[0:1], 0x4\ns_waitcnt lgkmcnt(1)\ns_mov_b32 s10, s8",
        "s_mov_b32 s10, s8", "waits for lgkmcnt(1) only, and scalar loads may end in any order");
  finds("global_load_dword v2, v1, s[4:5]\ns_waitcnt lgkmcnt(0)\nv_mov_b32 v4, v2", "v_mov_b32 v4, v2",
        "under way: s_waitcnt vmcnt is missing");
  passes(
      "s_load_dword s8, s[0:1], 0x0\ns_load_dword s9, s[0:1], 0x4\ns_waitcnt lgkmcnt(0)\ns_mov_b32 s10, s8");
  finds("ds_write_b32 v1, v0\ns_barrier", "s_barrier", "lgkmcnt(0) is missing", {.lds = 256});
}

TEST_CASE("wait states") {
  finds("v_readfirstlane_b32 s8, v0\nv_readfirstlane_b32 s9, v0\nglobal_load_dword v2, v1, s[8:9]",
        "global_load_dword v2, v1, s[8:9]", "5 wait states are needed, there are 1");
  finds("v_mov_b32 v6, 1\nv_readfirstlane_b32 s8, v6\nv_readlane_b32 s9, v0, s8", "v_readlane_b32 s9, v0, s8",
        "which selects a lane: 4 wait states are needed, there are 0");
  passes("v_mov_b32 v6, 1\nv_readfirstlane_b32 s8, v6\ns_nop 3\nv_readlane_b32 s9, v0, s8");
  finds("v_cmp_eq_u32 vcc, 0, v0\ns_nop 2\nv_div_fmas_f32 v2, v0, v0, v0", "v_div_fmas_f32 v2, v0, v0, v0",
        "which v_div_fmas reads: 4 wait states are needed, there are 3");
  passes("v_cmp_eq_u32 vcc, 0, v0\ns_nop 3\nv_div_fmas_f32 v2, v0, v0, v0");
  std::string wide =
      "v_mov_b32 v1, 0\nv_mov_b32 v4, 0\nv_mov_b32 v5, 0\nv_mov_b32 v6, 0\nv_mov_b32 v7, 0\n"
      "global_store_dwordx4 v1, v[4:7], s[4:5]\n";
  finds(wide + "v_mov_b32 v5, 1", "v_mov_b32 v5, 1", "v5 is overwritten right after a store");
  passes(wide + "s_nop 0\nv_mov_b32 v5, 1");
  finds("v_cmp_eq_u32 vcc, 0, v0\nv_mov_b32 v2, src_vccz", "v_mov_b32 v2, src_vccz", "which is read as vccz");
  finds("v_cmpx_eq_u32 vcc, 0, v0\nv_mov_b32 v2, src_execz", "v_mov_b32 v2, src_execz",
        "which is read as execz");
  finds("s_setreg_imm32_b32 hwreg(HW_REG_MODE, 4, 2), 0\ns_getreg_b32 s8, hwreg(HW_REG_MODE, 4, 2)",
        "s_getreg_b32 s8, hwreg(HW_REG_MODE, 4, 2)", "s_setreg is followed by an access");
}

TEST_CASE("runs of memory instructions are repeatable") {
  finds("global_load_dword v2, v1, s[4:5]\nglobal_load_dword v1, v0, s[4:5]",
        "global_load_dword v1, v0, s[4:5]", "s_nop 0 must break the run");
  passes("global_load_dword v2, v1, s[4:5]\ns_nop 0\nglobal_load_dword v1, v0, s[4:5]");
}

TEST_CASE("registers are written before they are read") {
  const std::string store = "global_store_dword v1, v3, s[4:5]";
  finds("v_add_u32 v3, v2, v0\n" + store, store, "v2 is read before it is written, in lane 0");
  finds("s_add_u32 s8, s9, 1", "s_add_u32 s8, s9, 1", "s9 is read before it is written");
  finds("s_cselect_b32 s8, 1, 0", "s_cselect_b32 s8, 1, 0", "scc is read before it is written", {}, 64,
        false);
  finds("s_cbranch_vccz .Lx\n.Lx:", "s_cbranch_vccz .Lx", "vccz is read before vcc is written");
  // Written in lane 0 only, then read in all.
  const std::string gaps = "s_mov_b64 exec, 1\nv_mov_b32 v2, 0\ns_mov_b64 exec, -1\n";
  finds(gaps + "v_add_u32 v3, 1, v2\n" + store, store, "v2 is read before it is written, in lane 1");
  // Whole-wave copies propagate the undefined lanes, and so do computations.
  passes(gaps + "v_mov_b32 v3, v2\nv_add_u32 v3, 1, v3\ns_mov_b64 exec, 1\n" + store);
  finds(gaps + "v_mov_b32 v3, v2\n" + store, store, "v2 is read before it is written, in lane 1");
  passes(gaps + "v_add_u32 v3, 1, v2\ns_mov_b64 s[8:9], 1\nv_cndmask_b32 v3, 7, v3, s[8:9]\n" + store);
  // In a partial last wave, only the active lanes have ids.
  passes("v_add_u32 v2, 1, v0", {}, 40);
  finds("s_mov_b64 exec, -1\nv_add_u32 v3, 1, v0\n" + store, store, "in lane 40", {}, 40);
  finds("v_mov_b32 v31, 0", "v_mov_b32 v31, 0", "v31 is beyond the 16 registers");
  finds("s_mov_b32 s50, 0", "s_mov_b32 s50, 0", "s50 is beyond the 40 registers");
}

TEST_CASE("masks may have lanes that nobody knows, as long as nothing depends on them") {
  const std::string gaps = "s_mov_b64 exec, 1\nv_mov_b32 v2, 0\ns_mov_b64 exec, -1\n";
  const std::string compare = gaps + "v_cmp_eq_u32 s[8:9], 1, v2\n";  // lane 0 is false, the others undefined
  passes(compare + "s_and_b64 s[8:9], s[8:9], 1\ns_cmp_lg_u64 s[8:9], 0\ns_cbranch_scc1 .Lx\n.Lx:");
  passes(compare + "s_or_b64 s[8:9], s[8:9], 1\ns_cbranch_scc0 .Lx\n.Lx:");
  passes(compare + "s_not_b64 s[8:9], s[8:9]\ns_cbranch_scc0 .Lx\n.Lx:");  // includes lane 0
  finds(compare + "s_cmp_lg_u64 s[8:9], 0\ns_cbranch_scc1 .Lx\n.Lx:", "s_cbranch_scc1 .Lx",
        "scc is read before it is written");
  finds(compare + "s_andn2_b64 s[8:9], s[8:9], 1\ns_mov_b64 exec, s[8:9]", "s_mov_b64 exec, s[8:9]",
        "s8 is read before it is written");
  finds(compare + "s_and_saveexec_b64 s[10:11], s[8:9]", "s_and_saveexec_b64 s[10:11], s[8:9]",
        "s8 is read before it is written");
  passes(compare + "s_mov_b64 exec, 1\ns_and_saveexec_b64 s[10:11], s[8:9]");
  finds(compare + "s_bcnt1_i32_b64 s10, s[8:9]", "s_bcnt1_i32_b64 s10, s[8:9]", "s8 is read");
  finds(gaps + "v_cmp_eq_u32 vcc, 1, v2\ns_cbranch_vccz .Lx\n.Lx:", "s_cbranch_vccz .Lx", "vccz is read");
  passes(gaps + "v_cmp_eq_u32 vcc, 0, v2\ns_cbranch_vccz .Lx\n.Lx:");
  finds(gaps + "v_cmpx_eq_u32 vcc, 0, v2", "v_cmpx_eq_u32 vcc, 0, v2", "v2 is read before it is written");
  // A carry belongs to its lane.
  const std::string sum = gaps + "v_add_co_u32 v3, vcc, 1, v2\nv_addc_co_u32 v3, vcc, 0, v0, vcc\n";
  const std::string store = "global_store_dword v1, v3, s[4:5]";
  finds(sum + store, store, "v2 is read before it is written, in lane 1");
  passes(sum + "s_mov_b64 exec, 1\n" + store);
}

TEST_CASE("what other compilers count on") {
  for (bool foreign : {false, true})
    for (const char* body : {"s_add_u32 s8, s9, 1", "s_cmp_eq_u32 s9, 0\ns_cbranch_scc1 .Lx\n.Lx:",
                             "global_store_dword v1, v2, s[4:5]", "s_load_dwordx2 s[8:9], s[0:1], 0x40",
                             "global_store_dword v1, v0, s[4:5]\nglobal_load_dword v1, v1, s[4:5]",
                             "global_load_dword v2, v1, s[4:5]\nglobal_load_dword v2, v1, s[4:5]"}) {
      auto object = load_assembly(gcn_frame(std::string(kStart) + body, {}));
      REQUIRE(object.has_value());
      std::vector<uint32_t> buffer(64, 5);
      MemoryRange ranges[] = {range_of(buffer)};
      auto given = arguments(buffer.data());
      given.resize(68);
      GcnResult r =
          run_gcn(*object, "k", line(64, 64), given, ranges, {.foreign = foreign, .max_steps = 10000});
      INFO(body << "\n" << r.message);
      CHECK((r.status == GcnResult::Ok) == foreign);
    }
}

TEST_CASE("accesses lie in the buffers") {
  finds("global_store_dword v1, v0, s[4:5] offset:4", "global_store_dword v1, v0, s[4:5] offset:4",
        "store of 4 bytes at byte 256 of a buffer of 256 bytes in lane 63 is outside every buffer");
  finds("global_load_dwordx2 v[2:3], v1, s[4:5]", "global_load_dwordx2 v[2:3], v1, s[4:5]",
        "load of 8 bytes");
  passes("v_cmp_gt_u32 vcc, 63, v0\ns_and_saveexec_b64 s[8:9], vcc\nglobal_load_dwordx2 v[2:3], v1, s[4:5]");
  finds("s_load_dword s8, s[4:5], 0x100", "s_load_dword s8, s[4:5], 0x100", "outside every buffer");
  finds("s_load_dword s8, s[0:1], 0x40", "s_load_dword s8, s[0:1], 0x40",
        "scalar load of 4 bytes at byte 64 of the arguments of 64 bytes is outside every buffer");
  finds("s_load_dword s8, s[0:1], 0x10", "s_load_dword s8, s[0:1], 0x10",
        "at byte 16 of the arguments of 16 bytes is outside every buffer", {.kernarg = 16});
  // Arguments are readable and not writable.
  finds("v_mov_b32 v2, 0\nglobal_store_dword v2, v0, s[0:1]", "global_store_dword v2, v0, s[0:1]",
        "store of 4 bytes");
  finds("ds_read_b32 v2, v1 offset:4", "ds_read_b32 v2, v1 offset:4", "outside the group's 256 bytes",
        {.lds = 256});
  // Address sums wrap around.
  passes("v_mov_b32 v2, -4\nds_read_b32 v2, v2 offset:8", {.lds = 256});
  finds("v_mov_b32 v3, 2\nds_add_u32 v3, v0", "ds_add_u32 v3, v0", "is not aligned", {.lds = 256});
}

TEST_CASE("scalar loads do not see vector stores") {
  finds("global_store_dword v1, v0, s[4:5]\ns_waitcnt vmcnt(0)\ns_load_dword s8, s[4:5], 0x0",
        "s_load_dword s8, s[4:5], 0x0", "scalar loads are not coherent");
  // An unwritten word passes, also next to a written one.
  const std::string one = "s_mov_b64 exec, 1\nglobal_store_dword v1, v0, s[4:5]\ns_waitcnt vmcnt(0)\n";
  passes(one + "s_load_dword s8, s[4:5], 0x4");
  finds(one + "s_load_dwordx2 s[8:9], s[4:5], 0x0", "s_load_dwordx2 s[8:9], s[4:5], 0x0", "not coherent");
}

TEST_CASE("what cannot run says so") {
  finds(".Lx: s_branch .Lx", "s_branch .Lx", "the limit of steps");
  auto unknown = load_assembly(gcn_frame(" v_frobnicate_b32 v0, v1"));
  REQUIRE(!unknown.has_value());
  CHECK(unknown.error() == "line 8: unknown mnemonic 'v_frobnicate_b32': v_frobnicate_b32 v0, v1");
  auto near = load_assembly(gcn_frame(" v_lshlrev_u32 v0, 2, v1"));
  REQUIRE(!near.has_value());
  CHECK(near.error().find("; these begin alike: v_lshlrev_b16, v_lshlrev_b32, v_lshlrev_b64:") !=
        std::string::npos);
  std::string no_end = gcn_frame("s_nop 0");
  no_end.erase(no_end.find(" s_endpgm"), std::string_view(" s_endpgm").size());
  auto past = load_assembly(no_end);
  REQUIRE(past.has_value());
  CHECK(run_gcn(*past, "k", line(64, 64), {}, {})
            .message.find("past the end of the code: s_endpgm is missing") != std::string::npos);
  auto label = load_assembly(gcn_frame(" s_branch .Lnowhere"));
  REQUIRE(!label.has_value());
  CHECK(label.error() == "label '.Lnowhere' is not defined");
  auto file = load_assembly(gcn_frame(" s_add_u32 s0, v0, s1"));
  REQUIRE(!file.has_value());
  CHECK(file.error().find("'v0' is in the wrong register file") != std::string::npos);
  auto off = load_assembly(gcn_frame(" v_cmp_lt_f32 s[16:17], off, v4"));
  REQUIRE(!off.has_value());
  CHECK(off.error().find("'v_cmp_lt_f32' does not take these operands") != std::string::npos);
}

namespace {
// The second wave of 128 items goes to .Lx.
constexpr std::string_view kSplit = "v_readfirstlane_b32 s8, v0\ns_cmp_lg_u32 s8, 0\ns_cbranch_scc1 .Lx\n";
}  // namespace

TEST_CASE("a wave that has ended counts as arrived at a barrier") {
  passes(std::string(kSplit) + "s_barrier\ns_barrier\n.Lx:", {}, 128);
}

TEST_CASE("waves at different barriers are reported") {
  GcnResult r = run(std::string(kSplit) + "s_barrier\ns_endpgm\n.Lx:\ns_barrier", {}, 128);
  INFO(r.message);
  CHECK(r.status == GcnResult::Stranded);
  CHECK(r.message.find("wait at different barriers") != std::string::npos);
  CHECK(r.stranded.size() == 128);
  // Only strict mode detects this: the hardware just counts arrivals.
  std::vector<uint32_t> buffer(64);
  MemoryRange ranges[] = {range_of(buffer)};
  auto object = load_assembly(gcn_frame(std::string(kSplit) + "s_barrier\ns_endpgm\n.Lx:\ns_barrier"));
  REQUIRE(object);
  CHECK(run_gcn(*object, "k", line(128, 128), arguments(buffer.data()), ranges, {.strict = false}).status ==
        GcnResult::Ok);
}

TEST_CASE("lanes that come to a barrier after others of their wave are reported") {
  // The lower half first, then the upper one.
  constexpr std::string_view halves =
      "v_cmp_gt_u32 vcc, 32, v0\ns_mov_b64 s[8:9], exec\ns_and_b64 exec, exec, vcc\ns_barrier\n"
      "s_andn2_b64 exec, s[8:9], vcc\n";
  passes(std::string(halves) + "s_endpgm");
  GcnResult r = run(std::string(halves) + "s_barrier");
  CHECK(r.status == GcnResult::Stranded);
  CHECK(r.stranded.size() == 64);
  CHECK(r.stranded[0].global_id[0] == 32);  // those that arrive late
}

TEST_CASE("there is no more local memory than the hardware has") {
  auto object = load_assembly(gcn_frame(" s_nop 0", {.lds = 65536}));
  REQUIRE(object);
  CHECK(run_gcn(*object, "k", line(64, 64), {}, {}).status == GcnResult::Ok);
  GcnResult r = run_gcn(*object, "k", line(64, 64), {}, {}, {.dynamic_lds = 1});
  CHECK(r.message == "a work-group needs 65537 bytes of local memory, 65536 are there");
  auto deep = load_assembly(gcn_frame(" s_nop 0", {.scratch = 131060}));
  REQUIRE(deep);
  CHECK(run_gcn(*deep, "k", line(64, 64), {}, {}).message ==
        "a work-item needs 131060 bytes of scratch, 131056 are there");
}

TEST_CASE("all waves of a group must find place at once") {
  auto object = load_assembly(gcn_frame(" s_nop 0", {.vgprs = 66}));
  REQUIRE(object);
  CHECK(run_gcn(*object, "k", line(768, 768), {}, {}).status == GcnResult::Ok);
  CHECK(run_gcn(*object, "k", line(1024, 1024), {}, {}).message ==
        "4 waves on a unit need 68 vector registers each, 256 are there");
}
