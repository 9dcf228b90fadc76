// SPDX-License-Identifier: Apache-2.0
// Random arithmetic and comparisons of characters and states in a loop, which AVX-512 code keeps as bytes,
// and similar values that must stay words.
#include <fmt/format.h>

#include "tests/x64_sim/emulated.h"
#include "tests/x64_sim/wave_writer.h"

using namespace kc;
using namespace kc::test;

namespace {

// %0 is the text, %1 receives counts, %2 and %3 the loop-carried values as byte and as state.
class Writer : WaveWriter {
 public:
  Writer(unsigned width, unsigned seed) : WaveWriter(width, seed) {}

  std::string text() {
    std::string head = fmt::format(
        "wave func @bytes(%0: ptr<global>, %1: ptr<global>, %2: ptr<global>, %3: ptr<global>, %4: mask "
        "hidden) kernel width={} {{\n"
        "b0 mask %4:\n"
        "  %5: lane<i32> = global_id dim=0\n"
        "  br -> b1(0:i32, %4, 3:lane<i32>, 200:lane<i8>, 0:lane<i32>)\n"
        "b1(%6: i32, %7: mask, %8: lane<i32>, %9: lane<i8>, %10: lane<i32>) mask %7:\n"
        "  %11: lane<i32> = mul %5, 11:i32\n"
        "  %12: lane<i32> = add %11, %6\n"
        "  %13: lane<i32> = and %12, 255:i32\n"
        "  %14: lane<ptr<global>> = ptr_add %0, %13\n"
        "  %15: lane<i8> = lane_load %7, %14\n"
        "  %16: lane<i32> = zext %15\n",
        width_);
    bools_ = {line("lane<i1>", "eq %8, 3:i32")};
    bytes_ = {"%9", "%15"}, words_ = {"%8", "%16"};
    masks_ = {"%7"};
    for (unsigned k = 0; k < 40; ++k) step();
    std::string more = line("lane<i32>", "add %10, 1:i32");
    std::string count = line("lane<i32>", fmt::format("blend {}, {}, %10", masks_.back(), more));
    std::string round = line("i32", "add %6, 1:i32");
    std::string again = line("i1", fmt::format("ult {}, 7:i32", round));
    return head + body_ +
           fmt::format(
               "  br_if {} -> b1({}, %7, {}, {}, {}), b2({}, {}, {})\n"
               "b2(%900: lane<i32>, %901: lane<i8>, %902: lane<i32>) mask %4:\n"
               "  %903: lane<ptr<global>> = ptr_add %1, %5, scale=4\n"
               "  lane_store %4, %903, %902\n"
               "  %904: lane<ptr<global>> = ptr_add %2, %5\n"
               "  lane_store %4, %904, %901\n"
               "  %905: lane<i8> = trunc %900\n"
               "  %906: lane<ptr<global>> = ptr_add %3, %5\n"
               "  lane_store %4, %906, %905\n"
               "  ret\n}}\n",
               again, round, words_.back(), bytes_.back(), count, words_.back(), bytes_.back(), count);
  }

 private:
  const std::string& some(const std::vector<std::string>& from) { return from[below(from.size())]; }
  std::string number(unsigned limit, std::string_view type) {
    constexpr unsigned kEdges[] = {0, 1, 127, 128, 255, 48, 57, 254};
    return fmt::format("{}:{}", std::min(limit - 1, below(3) ? kEdges[below(8)] : below(256)), type);
  }
  std::string comparison() {
    constexpr std::string_view kNames[] = {"eq", "ne", "ult", "ule", "slt", "sle"};
    return std::string(kNames[below(6)]);
  }

  void step() {
    switch (below(8)) {
      case 0:
        bools_.push_back(line("lane<i1>", fmt::format("{} {}, {}", comparison(), some(bytes_),
                                                      below(2) ? some(bytes_) : number(256, "i8"))));
        return;
      case 1:
        bools_.push_back(line("lane<i1>", fmt::format("{} {}, {}", comparison(), some(words_),
                                                      below(2) ? some(words_) : number(256, "i32"))));
        return;
      case 2:
        return range();
      case 3: {
        constexpr std::string_view kNames[] = {"add", "sub", "and", "or", "xor"};
        bytes_.push_back(line("lane<i8>", fmt::format("{} {}, {}", kNames[below(5)], some(bytes_),
                                                      below(2) ? some(bytes_) : number(256, "i8"))));
        return;
      }
      case 4:
        bytes_.push_back(
            line("lane<i8>", fmt::format("select {}, {}, {}", some(bools_), some(bytes_), some(bytes_))));
        return;
      case 5:
        words_.push_back(line("lane<i32>", fmt::format("blend {}, {}, {}", some(masks_),
                                                       number(6, "lane<i32>"), some(words_))));
        return;
      case 6:
        masks_.push_back(below(2) ? line("mask", fmt::format("mask_cond {}, {}", some(masks_), some(bools_)))
                                  : line("mask", fmt::format("mask_andnot %7, {}", some(masks_))));
        return;
      default: {
        constexpr std::string_view kNames[] = {"and", "or", "xor", "ne", "eq"};
        bools_.push_back(line("lane<i1>", fmt::format("{} {}, {}", kNames[below(5)], some(bools_),
                                                      below(3) ? some(bools_) : "true:i1")));
      }
    }
  }

  // x - low <= span, on both sides of the range that bytes can represent.
  void range() {
    const unsigned low = below(4) ? below(200) + 1 : below(300), span = below(4) ? below(60) : below(300);
    std::string sum = line("lane<i32>", fmt::format("add {}, -{}:i32", some(words_), low));
    std::string_view op = below(2) ? "ult" : "ule";
    bools_.push_back(line("lane<i1>", below(3) ? fmt::format("{} {}, {}:i32", op, sum, span)
                                               : fmt::format("{} {}:i32, {}", op, span, sum)));
  }

  std::vector<std::string> bytes_, words_, bools_, masks_;
};

}  // namespace

TEST_CASE("bytes in lanes, emulated") {
  if (!have_emulator()) return;
  constexpr size_t kItems = 150;
  Bytes text(256);
  for (size_t i = 0; i < text.size(); ++i) text[i] = static_cast<uint8_t>(i * 89 + 31);
  Launch launch{{kItems, 1, 1}, {kItems, 1, 1}, {text, Bytes(kItems * 4), Bytes(kItems), Bytes(kItems)}, {}};
  unsigned with_bytes = 0;
  for (unsigned seed = 1; seed <= 60; ++seed)
    for (unsigned width : {32u, 64u}) {
      Module m = parse_wave(Writer(width, seed).text());
      const Function& f = *m.functions[0];
      std::vector<X64Code> codes{compile(f, true)};
      INFO("seed " << seed << "\n" << print(f) << codes[0].text);
      with_bytes += codes[0].text.find("vpblendmb") != std::string::npos;
      REQUIRE(run_emulator(load(codes)[0], codes[0], launch) == run_interpreter(f, launch));
    }
  CHECK(with_bytes >= 30);
}
