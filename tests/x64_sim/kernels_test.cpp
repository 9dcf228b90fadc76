// SPDX-License-Identifier: Apache-2.0
// Loops, gathers, scatters and masked accesses in the emulator.
#include "tests/x64/kernels.h"
#include "tests/x64/sync_kernels.h"
#include "tests/x64_sim/emulated.h"

using namespace kc;
using namespace kc::test;

namespace {

void check_kernel(const std::string& text, const Launch& launch) {
  Module m = parse_wave(text);
  const Function& f = *m.functions[0];
  std::vector<X64Code> codes;
  for (bool avx512 : {false, true}) codes.push_back(compile(f, avx512));
  std::vector<X64Program> programs = load(codes);
  std::vector<Bytes> want = run_interpreter(f, launch);
  CHECK(run_machine(codes[0], launch) == want);
  for (size_t i = 0; i < 2; ++i) {
    INFO(codes[i].text);
    CHECK(run_emulator(programs[i], codes[i], launch) == want);
  }
}

}  // namespace

TEST_CASE("a divergent loop, emulated") {
  if (!have_emulator()) return;
  std::vector<int32_t> in(203);
  for (size_t i = 0; i < in.size(); ++i) in[i] = static_cast<int32_t>(i + 1);
  for (unsigned width : {8u, 16u, 32u, 64u})
    check_kernel(collatz(width), {{in.size(), 1, 1}, {29, 1, 1}, {bytes_of(in), Bytes(in.size() * 4)}, {}});
}

TEST_CASE("gathers and scatters, emulated") {
  if (!have_emulator()) return;
  for (unsigned width : {8u, 16u, 32u, 64u})
    for (bool wide : {false, true})
      for (auto [elem, bytes] : {std::pair{"i8", 1u}, {"i16", 2u}, {"i32", 4u}, {"f32", 4u}, {"i64", 8u}}) {
        size_t n = 77;
        std::vector<uint32_t> index(n);
        for (size_t i = 0; i < n; ++i) index[i] = static_cast<uint32_t>((i * 37 + 11) % n);
        Bytes table(n * bytes), out((n * 11 + 2) * bytes, 0x5a);
        for (size_t i = 0; i < table.size(); ++i) table[i] = static_cast<uint8_t>(i * 7 + 3);
        check_kernel(indirect(width, elem, bytes, wide),
                     {{n, 1, 1}, {n, 1, 1}, {bytes_of(index), table, out}, {}});
      }
}

TEST_CASE("places near each other, emulated") {
  if (!have_emulator()) return;
  // Exactly one number per work-item: load windows extend past the end of the buffer and of pages.
  std::vector<int32_t> in(2048);
  for (size_t i = 0; i < in.size(); ++i) in[i] = static_cast<int32_t>(i * 3 + 1);
  for (unsigned width : {8u, 16u, 32u, 64u})
    for (uint64_t distance : {1, 4, 16, 33, 1024})
      for (uint64_t only : {0, 2, 5})
        check_kernel(
            neighbours(width),
            {{in.size(), 1, 1}, {128, 1, 1}, {bytes_of(in), Bytes(in.size() * 4, 0x5a)}, {distance, only}});
}

TEST_CASE("atomic operations and barriers, emulated") {
  if (!have_emulator()) return;
  std::vector<std::string> texts;
  std::vector<Launch> launches;
  for (const AtomicCase& c : atomic_cases())
    for (unsigned width : {8u, 32u})
      texts.push_back(atomic_kernel(c, width)), launches.push_back(atomic_launch(c));
  for (unsigned width : {8u, 16u, 64u})
    texts.push_back(rotate_kernel(width)), launches.push_back(rotate_launch(72));
  std::vector<Module> modules;
  std::vector<X64Code> codes;
  for (const std::string& text : texts) {
    modules.push_back(parse_wave(text));
    for (bool avx512 : {false, true}) codes.push_back(compile(*modules.back().functions[0], avx512));
  }
  std::vector<X64Program> programs = load(codes);
  for (size_t i = 0; i < codes.size(); ++i) {
    INFO(texts[i / 2] << codes[i].text);
    REQUIRE(run_emulator(programs[i], codes[i], launches[i / 2]) ==
            run_interpreter(*modules[i / 2].functions[0], launches[i / 2]));
  }
}

TEST_CASE("a lane parameter that only receives undefined values") {
  if (!have_emulator()) return;
  const char* text = R"(wave func @u(%0: ptr<global>, %1: i32, %2: mask hidden) kernel width=16 {
b0 mask %2:
  %3: lane<i32> = global_id dim=0
  %4: lane<ptr<global>> = ptr_add %0, %3, scale=4
  %5: i1 = slt %1, 3:i32
  %6: lane<i32> = splat 7:i32
  br -> b1(undef:lane<i32>)
b1(%7: lane<i32>) mask %2:
  br_if %5 -> b2(%7), b2(%6)
b2(%8: lane<i32>) mask %2:
  lane_store %2, %4, %8
  ret
}
)";
  check_kernel(text, {{16, 1, 1}, {16, 1, 1}, {Bytes(64)}, {5}});
}

TEST_CASE("instructions are counted by class") {
  if (!have_emulator()) return;
  Module m = parse_wave(indirect(16, "i32", 4, false));
  std::vector<X64Code> codes;
  codes.push_back(compile(*m.functions[0], true));
  std::vector<X64Program> programs = load(codes);
  std::vector<uint32_t> index(16, 1), table(16), out(180);
  uint64_t args[] = {reinterpret_cast<uint64_t>(index.data()), reinterpret_cast<uint64_t>(table.data()),
                     reinterpret_cast<uint64_t>(out.data())};
  const MemoryRange memory[] = {{args[0], 64}, {args[1], 64}, {args[2], 720}};
  LaunchSpec launch;
  launch.global = launch.local = {16, 1, 1};
  X64Result r = run_grid(programs[0], 16, launch, args, memory);
  REQUIRE(r.message == "");
  // The code has no jumps, so its text is the executed sequence.
  auto occurrences = [&](const char* part) {
    uint64_t n = 0;
    for (size_t at = 0; (at = codes[0].text.find(part, at)) != std::string::npos; ++at) ++n;
    return n;
  };
  REQUIRE(occurrences("\tj") == 0);
  CHECK(r.of(X64Class::Gather) == occurrences("gather"));
  CHECK(r.of(X64Class::Scatter) == occurrences("scatter"));
  CHECK(r.of(X64Class::Scatter) > 0);
  uint64_t sum = 0;
  for (uint64_t n : r.executed) sum += n;
  CHECK(sum == r.steps);
}
