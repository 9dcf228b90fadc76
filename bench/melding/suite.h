// SPDX-License-Identifier: Apache-2.0
// Our versions of the kernels that melding was measured with, at block sizes of the paper.
#pragma once

#include <array>
#include <string_view>

namespace kc::bench {

struct MeldCase {
  std::string_view name, file, arguments;  // `kernelc run FILE ARGUMENTS`
  /// Speed-ups that the paper shows on a GPU: melding, branch fusion. Empty where it has none.
  std::string_view paper_meld, paper_fusion;
};

#define KC_PATTERN(name, file, meld, fusion)                                                              \
  MeldCase {                                                                                              \
    name, file,                                                                                           \
        "--kernel " name " --global 4096 --local 64 --arg in=i32[4096]:rand(1,0,64) --arg out=i32[4096]", \
        meld, fusion                                                                                      \
  }

inline constexpr std::array kMeldCases{
    KC_PATTERN("diamond", "diamond.cl", "1.26-1.28", "1.25-1.29"),
    KC_PATTERN("diamond_r", "diamond.cl", "", ""),
    KC_PATTERN("regions", "regions.cl", "1.25-1.29", "1.00"),
    KC_PATTERN("regions_r", "regions.cl", "", ""),
    KC_PATTERN("several", "regions.cl", "1.35-1.42", "1.0"),
    KC_PATTERN("several_r", "regions.cl", "", ""),
    KC_PATTERN("three_ways", "three_ways.cl", "1.73-1.95", "1.25-1.28"),
    KC_PATTERN("three_ways_r", "three_ways.cl", "", ""),
    MeldCase{"bitonic", "bitonic.cl", "--global 4096 --local 64 --arg data=i32[4096]:rand(1,0,100000)",
             "1.46", "0.97"},
    MeldCase{"pcm", "pcm.cl", "--global 256 --local 32 --arg data=i32[1024]:rand(1,0,100000)", "1.37",
             "1.26"},
    MeldCase{"mergesort", "mergesort.cl",
             "--global 64 --local 64 --arg in=i32[4096]:rand(1,0,1000) --arg out=i32[4096] --arg size=4096 "
             "--arg width=16 --arg slices=4",
             "", ""},
    MeldCase{"lu", "lu.cl", "--global 32 --local 32 --arg a=f32[1024]:rand(1,1,2) --arg size=32", "", ""},
    MeldCase{
        "queens", "queens.cl",
        "--global 128 --local 64 --arg starts=u32[128]:rand(1,1,4096) --arg solutions=u32[128] --arg rows=6",
        "1.19", "1.00"},
    MeldCase{
        "srad", "srad.cl",
        "--global 64,64 --local 16,16 --arg image=f32[4096]:rand(1,1,2) --arg out=f32[4096] --arg width=64",
        "0.97", "1.22"},
    MeldCase{"dct", "dct.cl",
             "--global 4096 --local 64 --arg coefficients=i16[4096]:rand(1,-900,900) --arg "
             "table=i16[64]:rand(2,1,99)",
             "", ""},
};
#undef KC_PATTERN

}  // namespace kc::bench
