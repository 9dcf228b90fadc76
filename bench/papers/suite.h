// SPDX-License-Identifier: Apache-2.0
// Kernels of our own after the shapes of those that the papers on divergent control flow measure.
#pragma once

#include <array>
#include <string_view>

namespace kc::bench {

struct PaperCase {
  std::string_view name;
  std::string_view like;            // what the papers have
  std::string_view file;            // below the repository's root
  std::string_view arguments;       // of `kernelc run`; @DATA/ stands for files that make_data writes
  std::string_view construct = {};  // what the paper says lanes part at, in the words of `kernelc explain`
};

inline constexpr std::array kPaperCases{
    PaperCase{"mandelbrot", "Mandelbrot", "bench/papers/kernels/mandelbrot.cl",
              "--global 256 --local 64 --arg out=u32[1024] --arg points=4 --arg width=32 --arg left=-2.25f "
              "--arg top=-1.2f --arg step=0.08f --arg limit=64",
              "an early return"},
    PaperCase{"pathfinding", "path-finding", "examples/pathfinding/pathfinding.cl",
              "--global 128 --local 64 --arg maze=u8[256]:rand(7,0,4) --arg starts=u8[128]:rand(1,0,255) "
              "--arg goals=u8[128]:rand(2,0,255) --arg length=i32[128] --arg ways=u8[4096] --arg longest=32",
              "a break"},
    PaperCase{"suffix_match", "GPU-Mummer, mum", "bench/papers/kernels/suffix_match.cl",
              "--global 256 --local 64 --arg text=@DATA/text --arg nodes=@DATA/nodes "
              "--arg queries=@DATA/queries --arg length=48 --arg least=6 --arg lengths=i32[12288] "
              "--arg places=i32[12288]",
              "a goto to"},
    PaperCase{"photons", "Photon-Transport", "examples/photons/photons.cl",
              "--global 256 --local 64 --arg tally=i32[20] --arg histories=8 --arg thickness=4.0f "
              "--arg path=1.0f --arg weakest=0.03f",
              "a continue"},
    PaperCase{"background", "Background subtraction", "bench/papers/kernels/background.cl",
              "--global 256 --local 64 --arg film=@DATA/film --arg frames=24 --arg mask=u8[6144] "
              "--arg rate=0.05f --arg prune=0.05f",
              "an if under a short-circuit condition"},
    PaperCase{"voxel_photons", "MCX", "bench/papers/kernels/voxel_photons.cl",
              "--global 256 --local 64 --arg tissue=u8[4096]:rand(3,0,2) --arg energy=i32[4096] "
              "--arg ended=i32[3] --arg quota=2 --arg latest=40.0f --arg reflect=1",
              "an if under a short-circuit condition"},
    PaperCase{"ray_tracer", "CUDA Renderer, ray", "examples/ray_tracer/ray_tracer.cl",
              "--global 32,32 --local 8,8 --arg image=f32[1024] --arg work=u32[1024] --arg width=32 "
              "--arg height=32",
              "a continue under a short-circuit condition"},
    PaperCase{"path_tracer", "Optix", "bench/papers/kernels/path_tracer.cl",
              "--global 32,16 --local 8,8 --arg image=f32[512] --arg width=32 --arg height=16 "
              "--arg samples=2",
              "an early return"},
    PaperCase{"split_merge", "split-merge", "bench/papers/kernels/split_merge.cl",
              "--global 256 --local 64 --arg in=f32[256]:rand(1,0,1) --arg out=f32[256] --arg rounds=8",
              "a switch"},
    PaperCase{"short_circuit", "short-circuit", "bench/papers/kernels/short_circuit.cl",
              "--global 256 --local 64 --arg in=f32[256]:rand(1,0,1) --arg out=i32[256] --arg rounds=32",
              "an if under a short-circuit condition"},
    PaperCase{"exception_call", "exception-call", "bench/papers/kernels/exception_call.cl",
              "--global 256 --local 64 --arg in=f32[256]:rand(1,0,100) --arg out=f32[256] --arg rounds=100",
              "a throw"},
    PaperCase{"exception_cond", "exception-cond", "bench/papers/kernels/exception_cond.cl",
              "--global 256 --local 64 --arg in=f32[256]:rand(1,0,100) --arg out=f32[256] --arg rounds=100 "
              "--arg most=1000.0f",
              "a throw"},
    PaperCase{"exception_loop", "exception-loop", "bench/papers/kernels/exception_loop.cl",
              "--global 256 --local 64 --arg in=f32[256]:rand(1,0,100) --arg out=f32[256] --arg rounds=100 "
              "--arg most=10000.0f",
              "a throw"},
    PaperCase{"hotspot", "hotspot", "bench/papers/kernels/hotspot.cl",
              "--global 64,64 --local 16,16 --arg power=f32[1600]:rand(1,0,2) "
              "--arg before=f32[1600]:rand(2,60,90) --arg after=f32[1600] --arg size=40 --arg steps=3"},
    PaperCase{"heart_wall", "heartwall", "bench/papers/kernels/heart_wall.cl",
              "--global 512 --local 32 --arg frames=@DATA/frames --arg size=48 --arg count=6 "
              "--arg starts=i32[32]:rand(5,0,48) --arg track=i32[192]"},
    PaperCase{"particle_filter", "particlefilter", "bench/papers/kernels/particle_filter.cl",
              "--global 256 --local 64 --arg sums=@DATA/sums --arg draws=f32[256]:rand(4,0,1) "
              "--arg x=f32[256]:rand(5,-1,1) --arg particles=250 --arg drawn=f32[256] --arg halved=i32[256]"},
    PaperCase{"queens", "nqueen", "examples/queens/queens.cl",
              "--global 128 --local 64 --arg solutions=i32[2] --arg n=9"},
};

}  // namespace kc::bench
