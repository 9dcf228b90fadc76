// SPDX-License-Identifier: Apache-2.0
// Whole kernels, hand-written and compiled by clang if it is installed.
#include <fmt/format.h>

#include <catch2/catch.hpp>
#include <cmath>
#include <numeric>

#include "tests/gcn_sim/support.h"

using namespace kc;
using test::arguments;
using test::gcn_frame;
using test::line;
using test::range_of;

namespace {

// out[i] = a[i] + b[i] for i < n; the work-item is 64-bit address arithmetic away from its element.
constexpr std::string_view kVadd = R"(
 s_load_dwordx4 s[8:11], s[0:1], 0x0
 s_load_dwordx2 s[12:13], s[0:1], 0x10
 s_load_dword s14, s[0:1], 0x18
 s_lshl_b32 s3, s2, 6
 v_add_u32 v0, s3, v0
 s_waitcnt lgkmcnt(0)
 v_cmp_gt_u32 vcc, s14, v0
 s_and_saveexec_b64 s[4:5], vcc
 s_cbranch_execz .Lend
 v_lshlrev_b32 v1, 2, v0
 global_load_dword v2, v1, s[8:9]
 global_load_dword v3, v1, s[10:11]
 s_waitcnt vmcnt(0)
 v_add_f32 v2, v2, v3
 global_store_dword v1, v2, s[12:13]
.Lend:
)";

void check_vadd(const GcnObject& object) {
  constexpr unsigned n = 150;
  std::vector<float> a(192), b(192), out(192, -1.0f);
  std::iota(a.begin(), a.end(), 0.5f);
  std::iota(b.begin(), b.end(), 100.0f);
  auto args = arguments(a.data(), b.data(), out.data(), n);
  MemoryRange ranges[] = {range_of(a), range_of(b), range_of(out)};
  GcnResult r = run_gcn(object, "k", line(192, 64), args, ranges);
  INFO(r.message);
  REQUIRE(r.status == GcnResult::Ok);
  for (unsigned i = 0; i < 192; ++i) CHECK(out[i] == (i < n ? a[i] + b[i] : -1.0f));
  CHECK(r.counters.waves == 3);
  CHECK(r.counters.insts_smem == 9);
  CHECK(r.counters.insts_vmem == 9);
  CHECK(r.counters.insts_branch == 3);
  // 2 of 4 vector instructions run before the mask narrows to 22 lanes in the last wave.
  CHECK(r.counters.valu_utilization() == Approx((10 * 64 + 2 * 22) / (12.0 * 64)));
  uint64_t lines = 0;
  for (const auto* v : {&a, &b, &out})
    for (unsigned first = 0; first < n; first += 64) {
      unsigned last = std::min(first + 63, n - 1);
      lines +=
          reinterpret_cast<uint64_t>(&(*v)[last]) / 64 - reinterpret_cast<uint64_t>(&(*v)[first]) / 64 + 1;
    }
  CHECK(r.counters.vmem_lines == lines);
}

std::string compile(std::string_view source, std::vector<std::string> extra = {}) {
  TempDir dir;
  write_file(dir.file("k.cl"), source);
  std::vector<std::string> argv{"clang-19",
                                "-x",
                                "cl",
                                "-target",
                                "amdgcn-amd-amdhsa",
                                "-mcpu=gfx900",
                                "-nogpulib",
                                "-cl-std=CL1.2",
                                "-mcode-object-version=4",
                                "-Xclang",
                                "-finclude-default-header",
                                "-O2"};
  argv.insert(argv.end(), extra.begin(), extra.end());
  argv.insert(argv.end(), {dir.file("k.cl"), "-o", dir.file("k.co")});
  auto done = run_tool(argv);
  if (!done) return {};
  INFO(done->err);
  REQUIRE(done->exit_code == 0);
  return read_file(dir.file("k.co")).value_or("");
}

// Runs a kernel of (in, out, n) over 256 items in groups of 64, or of `group`, and returns out.
template <typename T>
std::vector<T> run_clang(std::string_view source, std::vector<T> in, bool& skipped,
                         std::vector<std::string> flags = {}, unsigned group = 64) {
  std::string prelude = "static uint gid(void){return __builtin_amdgcn_workgroup_id_x()*" +
                        std::to_string(group) + "+__builtin_amdgcn_workitem_id_x();}\n";
  std::string object = compile(prelude + std::string(source), flags);
  skipped = object.empty();
  if (skipped) {
    WARN("skipped: clang-19 is not installed");
    return {};
  }
  auto loaded = load_code_object(object);
  INFO((loaded ? std::string() : loaded.error().message));
  REQUIRE(loaded.has_value());
  std::vector<T> out(256, T{});
  auto args = arguments(in.data(), out.data(), static_cast<uint32_t>(in.size()));
  args.resize(512);
  MemoryRange ranges[] = {range_of(in), range_of(out)};
  GcnResult r = run_gcn(*loaded, "k", line(256, group), args, ranges);
  INFO(r.message);
  REQUIRE(r.status == GcnResult::Ok);
  return out;
}

template <typename T>
std::vector<T> numbers() {
  std::vector<T> v(256);
  uint64_t x = 12345;
  for (T& e : v) {
    x = x * 6364136223846793005u + 1442695040888963407u;
    e = static_cast<T>(static_cast<int64_t>(x) >> 33) / (std::is_integral_v<T> ? T{1} : T{1000});
  }
  return v;
}

}  // namespace

TEST_CASE("vector add from its text") {
  auto object = load_assembly(gcn_frame(kVadd));
  INFO((object ? std::string() : object.error()));
  REQUIRE(object.has_value());
  check_vadd(*object);
}

TEST_CASE("vector add from a linked code object") {
  std::string error, bytes = test::gcn_assemble(gcn_frame(kVadd), error);
  if (bytes.empty() && error.empty()) {
    WARN("skipped: LLVM's tools are not installed");
    return;
  }
  INFO(error);
  auto object = load_code_object(bytes);
  INFO((object ? std::string() : object.error().message));
  REQUIRE(object.has_value());
  check_vadd(*object);
}

TEST_CASE("items of two dimensions, local memory and a barrier between waves") {
  // Item i of 128 writes its id to local memory; after the barrier it reads that of item 127 - i.
  auto object = load_assembly(gcn_frame(R"(
 s_load_dwordx2 s[4:5], s[0:1], 0x0
 v_lshl_add_u32 v2, v1, 5, v0
 v_lshlrev_b32 v3, 2, v2
 ds_write_b32 v3, v2 offset:4
 s_waitcnt lgkmcnt(0)
 s_barrier
 v_sub_u32 v4, 0x1fc, v3
 ds_read_b32 v5, v4 offset:4
 s_waitcnt lgkmcnt(0)
 global_store_dword v3, v5, s[4:5])",
                                        {.lds = 516, .workitem_id = 1}));
  INFO((object ? std::string() : object.error()));
  REQUIRE(object.has_value());
  std::vector<uint32_t> out(128);
  MemoryRange ranges[] = {range_of(out)};
  LaunchSpec spec;
  spec.dims = 2;
  spec.global = spec.local = {32, 4, 1};
  GcnResult r = run_gcn(*object, "k", spec, arguments(out.data()), ranges);
  INFO(r.message);
  REQUIRE(r.status == GcnResult::Ok);
  for (uint32_t i = 0; i < 128; ++i) CHECK(out[i] == 127 - i);
}

TEST_CASE("scratch memory through the swizzled buffer") {
  auto object = load_assembly(gcn_frame(R"(
 s_add_u32 s0, s0, s7
 s_addc_u32 s1, s1, 0
 s_load_dwordx2 s[4:5], s[4:5], 0x0
 v_lshlrev_b32 v1, 2, v0
 v_mul_u32_u24 v2, v0, v0
 v_mov_b32 v3, 4
 buffer_store_dword v2, v3, s[0:3], 0 offen offset:4
 v_mov_b32 v4, 7
 buffer_store_dword v4, off, s[0:3], 0
 buffer_load_dword v5, off, s[0:3], 0 offset:8
 s_waitcnt vmcnt(0) lgkmcnt(0)
 global_store_dword v1, v5, s[4:5])",
                                        {.scratch = 16}));
  INFO((object ? std::string() : object.error()));
  REQUIRE(object.has_value());
  std::vector<uint32_t> out(64);
  MemoryRange ranges[] = {range_of(out)};
  GcnResult r = run_gcn(*object, "k", line(64, 64), arguments(out.data()), ranges);
  INFO(r.message);
  REQUIRE(r.status == GcnResult::Ok);
  for (uint32_t i = 0; i < 64; ++i) CHECK(out[i] == i * i);
}

TEST_CASE("atomics add and give old values; the lowest lane goes first") {
  auto object = load_assembly(gcn_frame(R"(
 s_load_dwordx4 s[4:7], s[0:1], 0x0
 v_mov_b32 v1, 0
 v_mov_b32 v2, 3
 s_waitcnt lgkmcnt(0)
 global_atomic_add v3, v1, v2, s[4:5] glc
 v_lshlrev_b32 v4, 2, v0
 s_waitcnt vmcnt(0)
 global_store_dword v4, v3, s[6:7])"));
  REQUIRE(object.has_value());
  std::vector<uint32_t> sum(1, 10), old(64);
  MemoryRange ranges[] = {range_of(sum), range_of(old)};
  GcnResult r = run_gcn(*object, "k", line(64, 64), arguments(sum.data(), old.data()), ranges);
  INFO(r.message);
  REQUIRE(r.status == GcnResult::Ok);
  CHECK(sum[0] == 10 + 3 * 64);
  for (uint32_t i = 0; i < 64; ++i) CHECK(old[i] == 10 + 3 * i);
}

TEST_CASE("clang: divergent loop with integers") {
  bool skipped = false;
  auto in = numbers<uint32_t>();
  for (auto& x : in) x = x % 1000 + 1;
  auto out = run_clang<uint32_t>(
      "kernel void k(global const uint* in, global uint* out, uint n){ uint i=gid(); uint x=in[i], s=0;"
      " while(x!=1){ x = x&1 ? 3*x+1 : x/2; if(++s>500) break; } out[i]=s; }",
      in, skipped);
  if (skipped) return;
  for (size_t i = 0; i < 256; ++i) {
    uint32_t x = in[i], s = 0;
    while (x != 1) {
      x = x & 1 ? 3 * x + 1 : x / 2;
      if (++s > 500) break;
    }
    CHECK(out[i] == s);
  }
}

TEST_CASE("clang: 64-bit division, remainder, shifts and products") {
  bool skipped = false;
  auto in = numbers<int64_t>();
  auto out = run_clang<int64_t>(
      "kernel void k(global const long* in, global long* out, uint n){ uint i=gid(); long "
      "a=in[i]*77777777777l,"
      " b=in[(i+1)%n]|1; out[i]=(a/b)*3+(a%b)+(a>>(i&63))+(long)((ulong)a/(ulong)b); }",
      in, skipped);
  if (skipped) return;
  for (size_t i = 0; i < 256; ++i) {
    auto a = static_cast<int64_t>(static_cast<uint64_t>(in[i]) * 77777777777u);
    int64_t b = in[(i + 1) % 256] | 1;
    auto u = static_cast<uint64_t>(a) / static_cast<uint64_t>(b);
    CHECK(static_cast<uint64_t>(out[i]) == static_cast<uint64_t>(a / b) * 3 + static_cast<uint64_t>(a % b) +
                                               static_cast<uint64_t>(a >> (i & 63)) + u);
  }
}

TEST_CASE("clang: correctly rounded division, f32 and f64") {
  bool skipped = false;
  auto in = numbers<float>();
  auto out = run_clang<float>(
      "kernel void k(global const float* in, global float* out, uint n){ uint i=gid(); "
      "out[i]=in[i]/in[(i+7)%n]; }",
      in, skipped, {"-cl-fp32-correctly-rounded-divide-sqrt"});
  if (skipped) return;
  for (size_t i = 0; i < 256; ++i) CHECK(out[i] == in[i] / in[(i + 7) % 256]);
  auto in64 = numbers<double>();
  auto out64 = run_clang<double>(
      "kernel void k(global const double* in, global double* out, uint n){ uint i=gid();"
      " out[i]=in[i]/in[(i+7)%n]+(double)(float)in[i]+(double)(int)in[i]; }",
      in64, skipped, {"-ffp-contract=off"});
  for (size_t i = 0; i < 256; ++i)
    CHECK(out64[i] == in64[i] / in64[(i + 7) % 256] + static_cast<double>(static_cast<float>(in64[i])) +
                          static_cast<double>(static_cast<int>(in64[i])));
}

TEST_CASE("clang: local memory, a private array, bytes and tables") {
  bool skipped = false;
  auto in = numbers<uint32_t>();
  auto out = run_clang<uint32_t>(
      "constant uint table[8]={3,1,4,1,5,9,2,6};\n"
      "static void meet(void){ __builtin_amdgcn_fence(__ATOMIC_SEQ_CST,\"workgroup\");"
      " __builtin_amdgcn_s_barrier(); __builtin_amdgcn_fence(__ATOMIC_SEQ_CST,\"workgroup\"); }\n"
      "kernel void k(global const uint* in, global uint* out, uint n){ local uint t[64]; uint i=gid(), "
      "l=i&63;"
      " uint p[16]; for(int j=0;j<16;++j) p[j]=in[(i+j)%n]; t[l]=in[i]; meet();"
      " uint s=t[63-l]; for(int j=0;j<16;++j) s+=p[(in[i]+j*s)&15]*j;"
      " global const uchar* b=(global const uchar*)in; s+=b[i*3]+((global const short*)in)[i+5];"
      " out[i]=s+table[s&7]; }",
      in, skipped);
  if (skipped) return;
  for (size_t i = 0; i < 256; ++i) {
    uint32_t p[16];
    constexpr uint32_t table[8] = {3, 1, 4, 1, 5, 9, 2, 6};
    for (uint32_t j = 0; j < 16; ++j) p[j] = in[(i + j) % 256];
    uint32_t s = in[i / 64 * 64 + 63 - i % 64];
    for (uint32_t j = 0; j < 16; ++j) s += p[(in[i] + j * s) & 15] * j;
    uint8_t byte;
    int16_t half;
    std::memcpy(&byte, reinterpret_cast<const char*>(in.data()) + i * 3, 1);
    std::memcpy(&half, reinterpret_cast<const char*>(in.data()) + (i + 5) * 2, 2);
    s += byte + static_cast<uint32_t>(int32_t{half});
    CHECK(out[i] == s + table[s & 7]);
  }
}

TEST_CASE("clang: atomic operations on local and global memory, barriers between waves") {
  bool skipped = false;
  auto in = numbers<uint64_t>();
  auto out = run_clang<uint64_t>(
      "#define RELAXED __ATOMIC_RELAXED, __MEMORY_SCOPE_WRKGRP\n"
      "static void meet(void){ __builtin_amdgcn_fence(__ATOMIC_SEQ_CST,\"workgroup\");"
      " __builtin_amdgcn_s_barrier(); __builtin_amdgcn_fence(__ATOMIC_SEQ_CST,\"workgroup\"); }\n"
      "kernel void k(global const ulong* in, global ulong* out, uint n){ local uint bins[16], last[16];"
      " local ulong sums[4]; uint i=gid(), l=i&127, b=in[i]&15; ulong seen, next;"
      " if(l<16) bins[l]=last[l]=0; if(l<4) sums[l]=0; meet();"
      " uint old=__scoped_atomic_fetch_add(&bins[b],1u,RELAXED);"
      " __scoped_atomic_fetch_max(&last[b],old,RELAXED);"
      " seen=__scoped_atomic_load_n(&sums[b&3],RELAXED);"
      " do next=seen*1+in[i]; while(!__scoped_atomic_compare_exchange_n(&sums[b&3],&seen,next,0,"
      "__ATOMIC_RELAXED,RELAXED)); meet();"
      " ulong v=bins[b]*(ulong)1000+last[b]+sums[b&3];"
      " __scoped_atomic_fetch_add(&out[(i*7)%n],v,__ATOMIC_RELAXED,__MEMORY_SCOPE_DEVICE);"
      " __scoped_atomic_fetch_xor(&out[(i*9)%n],in[i],__ATOMIC_RELAXED,__MEMORY_SCOPE_DEVICE); }",
      in, skipped, {}, 128);
  if (skipped) return;
  // An addition and an exclusive or do not commute, so running both in one launch shows their order. With one
  // work-item per element for each, both orders are accepted.
  for (size_t e = 0; e < 256; ++e) {
    auto sum_of = [&](size_t i) {
      uint64_t count = 0, sum = 0;
      for (size_t j = i / 128 * 128; j < i / 128 * 128 + 128; ++j) {
        count += (in[j] & 15) == (in[i] & 15);
        sum += (in[j] & 3) == (in[i] & 3) ? in[j] : 0;
      }
      return count * 1000 + count - 1 + sum;
    };
    size_t adds = 0, flips = 0;
    for (size_t i = 0; i < 256; ++i) {
      if (i * 7 % 256 == e) adds = i;
      if (i * 9 % 256 == e) flips = i;
    }
    bool either = out[e] == (sum_of(adds) ^ in[flips]) || out[e] == in[flips] + sum_of(adds);
    CHECK(either);
  }
}
