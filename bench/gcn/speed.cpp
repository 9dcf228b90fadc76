// SPDX-License-Identifier: Apache-2.0
// How many operations of lanes the emulator does in a second of one core's time, with and without its checks.
#include <fmt/format.h>

#include <ctime>
#include <string>

#include "sim/gcn/emulator.h"

namespace kc::bench {
namespace {

// The mix of a loop that computes: integers, floats, comparisons, selections, scalar work and a branch.
constexpr std::string_view kLoop = R"(
 .amdgcn_target "amdgcn-amd-amdhsa--gfx900"
k:
 v_cvt_f32_u32 v1, v0
 v_mov_b32 v2, 1.0
 v_mov_b32 v3, 0
 s_mov_b32 s8, 0
.Lloop:
 v_fma_f32 v2, v2, v1, 0.5
 v_mul_f32 v4, v2, v2
 v_add_f32 v4, 1.0, v4
 v_cmp_lt_f32 s[10:11], v4, v1
 v_cndmask_b32 v2, v2, v4, s[10:11]
 v_add_u32 v3, s8, v3
 v_lshl_add_u32 v5, v3, 2, v0
 v_and_b32 v5, 0xff, v5
 v_mul_lo_u32 v6, v5, v3
 v_xor_b32 v3, v6, v3
 s_add_u32 s8, s8, 1
 s_cmp_lt_u32 s8, 20000
 s_cbranch_scc1 .Lloop
 s_endpgm
 .amdhsa_kernel k
 .amdhsa_float_denorm_mode_32 3
 .amdhsa_next_free_vgpr 8
 .amdhsa_next_free_sgpr 16
 .end_amdhsa_kernel
)";

double cpu_seconds() {
  timespec t{};
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
  return static_cast<double>(t.tv_sec) + static_cast<double>(t.tv_nsec) * 1e-9;
}

int run() {
  auto object = load_assembly(kLoop);
  if (!object) return fmt::print("{}\n", object.error()), 1;
  LaunchSpec spec{.dims = 1, .global = {64 * 16, 1, 1}, .local = {64, 1, 1}};
  for (bool strict : {false, true}) {
    double start = cpu_seconds();
    GcnResult r = run_gcn(*object, "k", spec, {}, {}, {.strict = strict});
    if (r.status != GcnResult::Ok) return fmt::print("{}\n", r.message), 1;
    double seconds = cpu_seconds() - start, lanes = 64.0 * static_cast<double>(r.counters.insts_valu);
    fmt::print("{:<7}{:>8.0f} million lane operations in a second, {:.1f} million instructions\n",
               strict ? "strict" : "fast", lanes / seconds * 1e-6,
               static_cast<double>(r.counters.instructions()) / seconds * 1e-6);
  }
  return 0;
}

}  // namespace
}  // namespace kc::bench

int main() { return kc::bench::run(); }
