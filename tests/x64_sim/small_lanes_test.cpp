// SPDX-License-Identifier: Apache-2.0
// Random arithmetic of bytes, shorts and words in a loop, with conversions, comparisons, choices and masks:
// what is computed on vectors of bytes and shorts, where these meet words, and what has no such form.
#include <fmt/format.h>

#include "tests/x64_sim/emulated.h"
#include "tests/x64_sim/wave_writer.h"

using namespace kc;
using namespace kc::test;

namespace {

// %0 has bytes, %1 shorts, %2 to %4 receive bytes, shorts and words.
class Writer : WaveWriter {
 public:
  Writer(unsigned width, unsigned seed) : WaveWriter(width, seed) {}

  std::string text() {
    const std::string head = fmt::format(
        "wave func @small(%0: ptr<global>, %1: ptr<global>, %2: ptr<global>, %3: ptr<global>, %4: "
        "ptr<global>, "
        "%5: i16, %6: mask hidden) kernel width={} {{\n"
        "b0 mask %6:\n"
        "  %7: lane<i32> = global_id dim=0\n"
        "  %8: lane<ptr<global>> = ptr_add %0, %7\n"
        "  %9: lane<i8> = lane_load %6, %8\n"
        "  %10: lane<ptr<global>> = ptr_add %1, %7, scale=2\n"
        "  %11: lane<i16> = lane_load %6, %10\n"
        "  %16: lane<i8> = lane_volatile_load %6, %8\n"
        "  %17: lane<i16> = lane_volatile_load %6, %10\n"
        "  br -> b1(0:i32, %9, %11, %7)\n"
        "b1(%12: i32, %13: lane<i8>, %14: lane<i16>, %15: lane<i32>) mask %6:\n",
        width_);
    values_[0] = {"%9", "%16", "%13"}, values_[1] = {"%11", "%17", "%14"}, values_[2] = {"%7", "%15"};
    bools_ = {line("lane<i1>", "slt %14, %11")};
    masks_ = {"%6"};
    const unsigned steps = 5 + below(40);
    for (unsigned k = 0; k < steps; ++k) step();
    const std::string round = line("i32", "add %12, 1:i32"),
                      again = line("i1", fmt::format("ult {}, 3:i32", round));
    std::string last[3];
    for (unsigned t = 0; t < 3; ++t) last[t] = values_[t].back();
    std::string tail = fmt::format("  br_if {} -> b1({}, {}, {}, {}), b2\nb2 mask %6:\n", again, round,
                                   last[0], last[1], last[2]);
    for (unsigned t = 0; t < 3; ++t)
      tail += fmt::format(
          "  %{0}: lane<ptr<global>> = ptr_add %{1}, %7, scale={2}\n  lane_store {3}, %{0}, {4}\n", 900 + t,
          2 + t, 1u << t, t == below(4) ? masks_.back() : "%6", last[t]);
    return head + body_ + tail + "  ret\n}\n";
  }

 private:
  static constexpr std::string_view kTypes[] = {"i8", "i16", "i32"};
  static std::string lanes(unsigned t) { return fmt::format("lane<{}>", kTypes[t]); }

  const std::string& some(const std::vector<std::string>& from) {
    return from[below(3) ? from.size() - 1 - below(static_cast<unsigned>(std::min<size_t>(4, from.size())))
                         : below(static_cast<unsigned>(from.size()))];
  }
  std::string number(unsigned t) {
    constexpr unsigned kEdges[] = {0, 1, 3, 127, 128, 255, 256, 32767, 32768, 65535};
    return fmt::format("{}:{}", kEdges[below(10)] & (t == 0 ? 0xff : 0xffff), kTypes[t]);
  }
  std::string operand(unsigned t) {
    if (t == 1 && below(8) == 0) return "%5";
    return below(4) ? some(values_[t]) : number(t);
  }

  void step() {
    constexpr std::string_view kCompare[] = {"eq", "ne", "ult", "ule", "slt", "sle"};
    constexpr std::string_view kArithmetic[] = {"add",  "sub",  "and",  "or",   "xor",
                                                "umin", "umax", "smin", "smax", "mul"};
    constexpr std::string_view kShifts[] = {"shl", "lshr", "ashr"};
    const unsigned t = below(7) < 3 ? 0 : below(5) ? 1 : 2;
    auto made = [&](const std::string& rest) { values_[t].push_back(line(lanes(t), rest)); };
    switch (below(10)) {
      case 0:
        bools_.push_back(
            line("lane<i1>", fmt::format("{} {}, {}", kCompare[below(6)], some(values_[t]), operand(t))));
        return;
      case 1:
        return made(fmt::format("select {}, {}, {}", some(bools_), operand(t), some(values_[t])));
      case 2:
        return made(fmt::format("blend {}, {}, {}", some(masks_), some(values_[t]), some(values_[t])));
      case 3:
        masks_.push_back(line("mask", below(2) ? fmt::format("mask_cond {}, {}", some(masks_), some(bools_))
                                               : fmt::format("mask_andnot %6, {}", some(masks_))));
        return;
      case 4:
        bools_.push_back(line("lane<i1>", fmt::format("xor {}, {}", some(bools_), some(bools_))));
        return;
      case 5: {
        const unsigned from = below(3);
        if (from == t && t == 2) {
          const std::string real = line("lane<f32>", "sitofp " + some(values_[below(2)]));
          return made("fptosi " + real);
        }
        if (from == t) return;
        const std::string_view op = from > t ? "trunc" : below(2) ? "zext" : "sext";
        return made(fmt::format("{} {}", op, some(values_[from])));
      }
      case 6:
        return made(
            fmt::format("{} {}, {}:{}", kShifts[below(3)], some(values_[t]), below(8u << t), kTypes[t]));
      case 7:
        if (below(3) == 0) return idiom();
        if (below(4)) return;
        return made(fmt::format("{} {}, {}", below(2) ? "lshr" : "udiv", some(values_[t]), operand(t)));
      default:
        return made(fmt::format("{} {}, {}", kArithmetic[below(10)], some(values_[t]), operand(t)));
    }
  }

  // What saturates, and upper halves of products.
  void idiom() {
    const unsigned t = below(2);
    const std::string a = some(values_[t]), b = operand(t);
    if (below(2) && t == 1) {
      const std::string_view extend = below(2) ? "sext" : "zext";
      const std::string x = line("lane<i32>", fmt::format("{} {}", extend, a)),
                        y = line("lane<i32>", fmt::format("{} {}", extend, some(values_[1]))),
                        product = line("lane<i32>", fmt::format("mul {}, {}", x, y)),
                        high = line("lane<i32>",
                                    fmt::format("{} {}, 16:i32", below(2) ? "lshr" : "ashr", product));
      values_[1].push_back(line("lane<i16>", "trunc " + high));
      return;
    }
    const bool sum = below(2);
    const std::string r = line(lanes(t), fmt::format("{} {}, {}", sum ? "add" : "sub", a, b)),
                      low = line("lane<i1>", sum ? fmt::format("ult {}, {}", r, below(2) ? a : b)
                                                 : fmt::format("ult {}, {}", a, b));
    values_[t].push_back(line(lanes(t), fmt::format("select {}, {}:{}, {}", low,
                                                    !sum ? "0"
                                                    : t  ? "65535"
                                                         : "255",
                                                    kTypes[t], r)));
  }

  std::vector<std::string> values_[3], bools_, masks_;
};

}  // namespace

TEST_CASE("bytes and shorts in lanes, emulated") {
  if (!have_emulator()) return;
  constexpr size_t kItems = 150;
  Bytes bytes(kItems), shorts(kItems * 2);
  for (size_t i = 0; i < bytes.size(); ++i) bytes[i] = static_cast<uint8_t>(i * 89 + 31);
  for (size_t i = 0; i < shorts.size(); ++i) shorts[i] = static_cast<uint8_t>(i * 57 + (i >> 3) * 129);
  const Launch launch{{kItems, 1, 1},
                      {kItems, 1, 1},
                      {bytes, shorts, Bytes(kItems), Bytes(kItems * 2), Bytes(kItems * 4)},
                      {uint64_t{0x81f3}}};
  unsigned small[2] = {};
  for (unsigned seed = 1; seed <= 120; ++seed) {
    const bool avx512 = seed % 2;
    for (unsigned width : {avx512 ? 32u : 16u, avx512 ? 64u : 32u}) {
      Module m = parse_wave(Writer(width, seed).text());
      const Function& f = *m.functions[0];
      std::vector<X64Code> codes{compile(f, avx512)};
      INFO("seed " << seed << "\n" << print(f) << codes[0].text);
      for (const char* name : {"vpaddw", "vpsubw", "vpmullw", "vpminsw", "vpmaxuw", "vpsrlw", "vpsubb"})
        if (codes[0].text.find(name) != std::string::npos) {
          ++small[avx512];
          break;
        }
      REQUIRE(run_emulator(load(codes)[0], codes[0], launch) == run_interpreter(f, launch));
    }
  }
  CHECK(small[0] >= 60);
  CHECK(small[1] >= 30);
}
