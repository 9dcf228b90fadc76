// SPDX-License-Identifier: Apache-2.0
// The twelve kernels of the CPU benchmark, and some with groups of other shapes: what is run, on which data,
// and what others need for it.
#pragma once

#include <array>
#include <string_view>

namespace kc::bench {

struct Case {
  std::string_view name;
  std::string_view shape;      // what makes it hard, in a few words
  std::string_view file;       // below the repository's root
  std::string_view arguments;  // of `kernelc run`; TEXT stands for the scanner's text
  std::string_view result;     // the buffer to compare
  double goal;                 // least speed-up over PoCL that we want; 0: none was set
  // Measured elsewhere, on one core of a 4.5 GHz processor with AVX-512, milliseconds: PoCL 3.1, and
  // ISPC 1.30 with its best AVX2 and its best AVX-512 width. 0: cannot be written in its language.
  double pocl, ispc_avx2, ispc_avx512;
};

inline constexpr std::array kCases{
    Case{"mandelbrot", "divergent loop with break", "examples/mandelbrot/mandelbrot.cl",
         "--global 768,512 --local 64,1 --arg out=u32[393216] --arg width=768 --arg left=-2.2f --arg "
         "top=-1.2f "
         "--arg step=0.003125f --arg limit=256",
         "out", 8, 58.6, 8.1, 6.3},
    Case{"black_scholes", "exp, log, sqrt, divide", "bench/cpu/kernels/black_scholes.cl",
         "--global 1048576 --local 64 --arg spot=f32[1048576]:rand(1,5,30) --arg "
         "strike=f32[1048576]:rand(2,1,100) "
         "--arg years=f32[1048576]:rand(3,0.25,10) --arg rate=0.02f --arg volatility=0.3f "
         "--arg call=f32[1048576] --arg put=f32[1048576]",
         "call", 8, 37.1, 3.1, 1.32},
    Case{"stencil", "7 neighbours, unit stride", "bench/cpu/kernels/stencil.cl",
         "--global 128,128,128 --local 64,1,1 --arg in=f32[2097152]:rand(1,0,1) --arg out=f32[2097152] --arg "
         "n=128 "
         "--arg centre=0.5f --arg side=0.083f",
         "out", 0.97, 0.55, 0.43, 0.43},
    Case{"n_body", "uniform loop, rsqrt", "bench/cpu/kernels/n_body.cl",
         "--global 4096 --local 64 --arg x=f32[4096]:rand(1,-1,1) --arg y=f32[4096]:rand(2,-1,1) "
         "--arg z=f32[4096]:rand(3,-1,1) --arg mass=f32[4096]:rand(4,0,1) --arg n=4096 --arg softening=0.01f "
         "--arg ax=f32[4096] --arg ay=f32[4096] --arg az=f32[4096]",
         "ax", 8, 34.5, 4.4, 2.2},
    Case{"collatz", "divergent while, integers", "bench/cpu/kernels/collatz.cl",
         "--global 262144 --local 64 --arg out=u32[262144]", "out", 2.5, 25.6, 12.7, 10.7},
    Case{"sgemm", "uniform loop, broadcast times row", "bench/cpu/kernels/sgemm.cl",
         "--global 384,384 --local 64,1 --arg a=f32[147456]:rand(1,-1,1) --arg b=f32[147456]:rand(2,-1,1) "
         "--arg c=f32[147456] --arg n=384",
         "c", 8, 41.8, 2.9, 1.68},
    Case{"search", "gathers, break", "bench/cpu/kernels/search.cl",
         "--global 524288 --local 64 --arg table=i32[65536]:iota --arg n=65536 "
         "--arg keys=i32[524288]:rand(7,0,131072) --arg found=i32[524288]",
         "found", 5, 39.1, 7.0, 6.3},
    Case{"triad", "memory bandwidth", "bench/cpu/kernels/triad.cl",
         "--global 16777216 --local 64 --arg a=f32[16777216] --arg b=f32[16777216]:rand(1,0,1) "
         "--arg c=f32[16777216]:rand(2,0,1) --arg s=3.0f",
         "a", 0.97, 4.3, 4.4, 4.4},
    Case{"scanner", "goto state machine, byte gathers", "examples/scanner/scanner.cl",
         "--global 16384 --local 64 --arg text=@TEXT --arg stride=256 --arg out=i32[65536]", "out", 2, 14.9,
         27.2, 14.8},
    Case{"short_circuit", "conditions with work behind them", "bench/cpu/kernels/short_circuit.cl",
         "--global 65536 --local 64 --arg in=f32[65536]:rand(5,0,1) --arg out=f32[65536] --arg rounds=64 "
         "--arg low=0.25f --arg high=0.75f",
         "out", 8, 61.6, 8.5, 4.2},
    Case{"ray_march", "nested loops with breaks", "bench/cpu/kernels/ray_march.cl",
         "--global 512,512 --local 64,1 --arg image=f32[262144] --arg width=512 --arg height=512 --arg "
         "steps=96 "
         "--arg count=9",
         "image", 8, 65.5, 8.0, 6.8},
    Case{"bitonic", "barriers in loops, local memory", "bench/cpu/kernels/bitonic.cl",
         "--global 262144 --local 256 --arg data=u32[524288]:rand(1,0,4294967295)", "data", 2, 5.9, 0, 0},
};

// Groups with short rows, and vectors in memory, beside the twelve: nothing to boast of, but none should be
// slower than PoCL.
constexpr std::string_view kTiles = "bench/cpu/kernels/tiles.cl", kVectors = "bench/cpu/kernels/vectors.cl";
#define SGEMM(SIDE)                                                                                     \
  Case {                                                                                                \
    "sgemm_" #SIDE, "tiles in local memory", kTiles,                                                    \
        "--kernel sgemm_" #SIDE " --global 512,512 --local " #SIDE "," #SIDE                            \
        " --arg a=f32[262144]:rand(1,-1,1) --arg b=f32[262144]:rand(2,-1,1) --arg c=f32[262144] --arg " \
        "n=512",                                                                                        \
        "c", 1, 0, 0, 0                                                                                 \
  }
#define HEAT(SIDE)                                                                                        \
  Case {                                                                                                  \
    "heat_" #SIDE, "a tile with a border", kTiles,                                                        \
        "--kernel heat_" #SIDE " --global 1024,1024 --local " #SIDE "," #SIDE                             \
        " --arg in=f32[1048576]:rand(1,0,1) --arg power=f32[1048576]:rand(2,0,1) --arg out=f32[1048576] " \
        "--arg n=1024",                                                                                   \
        "out", 1, 0, 0, 0                                                                                 \
  }
#define LUD(SIDE)                                                          \
  Case {                                                                   \
    "lud_" #SIDE, "the inner blocks", kTiles,                              \
        "--kernel lud_" #SIDE " --global 496,496 --local " #SIDE "," #SIDE \
        " --arg m=f32[262144]:rand(1,-1,1) --arg n=512 --arg offset=0",    \
        "m", 1, 0, 0, 0                                                    \
  }
inline constexpr std::array kShapes{
    Case{"himeno", "groups along z", "bench/cpu/kernels/himeno.cl",
         "--global 128,128,128 --local 1,1,64 --arg a=f32[6291456]:rand(1,0,1) "
         "--arg b=f32[6291456]:rand(2,0,1) --arg c=f32[6291456]:rand(3,0,1) "
         "--arg p=f32[2097152]:rand(4,0,1) --arg next=f32[2097152] --arg omega=0.8f",
         "next", 1, 0, 0, 0},
    SGEMM(8),
    SGEMM(16),
    HEAT(8),
    HEAT(16),
    LUD(8),
    LUD(16),
    Case{"blur_8", "no local memory", kTiles,
         "--kernel blur_8 --global 1024,1024 --local 8,8 --arg in=f32[1052676]:rand(1,0,1) "
         "--arg out=f32[1048576] --arg n=1024",
         "out", 1, 0, 0, 0},
    Case{"blend", "float4 in memory", kVectors,
         "--kernel blend --global 65536 --local 64 --arg a=f32[262144]:rand(1,0,1) --arg "
         "b=f32[262144]:rand(2,0,1) "
         "--arg out=f32[262144] --arg t=0.25f",
         "out", 1, 0, 0, 0},
    Case{"tint", "uchar4 in memory", kVectors,
         "--kernel tint --global 262144 --local 64 --arg in=u8[1048576]:rand(1,0,255) --arg out=u8[1048576] "
         "--arg strength=0.5f",
         "out", 1, 0, 0, 0},
    Case{"drift", "an array of structures", kVectors,
         "--kernel drift --global 65536 --local 64 --arg p=f32[393216]:rand(1,-1,1) --arg dt=0.01f --arg "
         "drag=0.1f",
         "p", 1, 0, 0, 0},
};
#undef SGEMM
#undef HEAT
#undef LUD

}  // namespace kc::bench
