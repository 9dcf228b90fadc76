// SPDX-License-Identifier: Apache-2.0
// The kernels of the other benchmarks at sizes for an emulator; those of the papers come as they are there.
#pragma once

#include <array>
#include <string_view>

namespace kc::bench {

struct GcnCase {
  std::string_view name, file, arguments;  // as in the other suites
};

inline constexpr std::array kCpuCases{
    GcnCase{"mandelbrot", "examples/mandelbrot/mandelbrot.cl",
            "--global 96,64 --local 32,8 --arg out=u32[6144] --arg width=96 --arg left=-2.2f --arg top=-1.2f "
            "--arg step=0.0375f --arg limit=128"},
    GcnCase{"black_scholes", "bench/cpu/kernels/black_scholes.cl",
            "--global 4096 --local 64 --arg spot=f32[4096]:rand(1,5,30) --arg strike=f32[4096]:rand(2,1,100) "
            "--arg years=f32[4096]:rand(3,0.25,10) --arg rate=0.02f --arg volatility=0.3f "
            "--arg call=f32[4096] --arg put=f32[4096]"},
    GcnCase{"stencil", "bench/cpu/kernels/stencil.cl",
            "--global 64,8,8 --local 64,1,1 --arg in=f32[36864]:rand(1,0,1) --arg out=f32[36864] --arg n=64 "
            "--arg centre=0.5f --arg side=0.083f"},
    GcnCase{"n_body", "bench/cpu/kernels/n_body.cl",
            "--global 256 --local 64 --arg x=f32[256]:rand(1,-1,1) --arg y=f32[256]:rand(2,-1,1) "
            "--arg z=f32[256]:rand(3,-1,1) --arg mass=f32[256]:rand(4,0,1) --arg n=256 --arg softening=0.01f "
            "--arg ax=f32[256] --arg ay=f32[256] --arg az=f32[256]"},
    GcnCase{"collatz", "bench/cpu/kernels/collatz.cl", "--global 4096 --local 64 --arg out=u32[4096]"},
    GcnCase{"sgemm", "bench/cpu/kernels/sgemm.cl",
            "--global 64,64 --local 64,1 --arg a=f32[4096]:rand(1,-1,1) --arg b=f32[4096]:rand(2,-1,1) "
            "--arg c=f32[4096] --arg n=64"},
    GcnCase{"search", "bench/cpu/kernels/search.cl",
            "--global 4096 --local 64 --arg table=i32[4096]:iota --arg n=4096 "
            "--arg keys=i32[4096]:rand(7,0,8192) --arg found=i32[4096]"},
    GcnCase{"triad", "bench/cpu/kernels/triad.cl",
            "--global 16384 --local 64 --arg a=f32[16384] --arg b=f32[16384]:rand(1,0,1) "
            "--arg c=f32[16384]:rand(2,0,1) --arg s=3.0f"},
    GcnCase{"scanner", "examples/scanner/scanner.cl",
            "--global 512 --local 64 --arg text=@DATA/scanner --arg stride=64 --arg out=i32[2048]"},
    GcnCase{"short_circuit", "bench/cpu/kernels/short_circuit.cl",
            "--global 1024 --local 64 --arg in=f32[1024]:rand(5,0,1) --arg out=f32[1024] --arg rounds=32 "
            "--arg low=0.25f --arg high=0.75f"},
    GcnCase{"ray_march", "bench/cpu/kernels/ray_march.cl",
            "--global 64,32 --local 64,1 --arg image=f32[2048] --arg width=64 --arg height=32 --arg steps=48 "
            "--arg count=9"},
    GcnCase{"bitonic", "bench/cpu/kernels/bitonic.cl",
            "--global 1024 --local 256 --arg data=u32[2048]:rand(1,0,4294967295)"},
};

/// Loops with several ways out, jumps, exceptions, conditions with work behind them, common tails.
inline constexpr std::array<std::string_view, 16> kUnstructured{
    "scanner.cl",         "short_circuit.cl",  "ray_march.cl",      "search.cl",
    "pathfinding.cl",     "photons.cl",        "suffix_match.cl",   "background.cl",
    "ray_tracer.cl",      "voxel_photons.cl",  "path_tracer.cl",    "split_merge.cl",
    "particle_filter.cl", "exception_call.cl", "exception_cond.cl", "exception_loop.cl"};
/// Mostly exp, log, sin or pow, which each side takes from a library of its own.
inline constexpr std::array<std::string_view, 4> kMath{"black_scholes.cl", "photons.cl", "voxel_photons.cl",
                                                       "path_tracer.cl"};
/// clang's rsqrt is the machine's estimate, ours is rounded correctly: results differ in the last places.
inline constexpr std::array<std::string_view, 2> kOtherRoots{"n_body.cl", "ray_tracer.cl"};

}  // namespace kc::bench
