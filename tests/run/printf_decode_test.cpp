// SPDX-License-Identifier: Apache-2.0
// Decoding of printf buffers whose contents no launch would produce.
#include <catch2/catch.hpp>
#include <clocale>
#include <cstring>
#include <random>

#include "frontend/frontend.h"
#include "host/printf_decode.h"
#include "ir/printf.h"
#include "sim/interpreter/thread_interpreter.h"

namespace {

using namespace kc;

struct Printed {
  Module module;
  const Function* kernel = nullptr;
  std::vector<uint64_t> buffer;
};

// Runs a kernel without parameters, with `items` work-items.
Printed print(const std::string& statements, uint64_t items, size_t words) {
  FrontendResult compiled =
      compile_source("kernel void k() { int i = get_global_id(0); " + statements + " }", {});
  INFO(compiled.diagnostics);
  REQUIRE(compiled.module);
  Printed p{std::move(*compiled.module), nullptr, std::vector<uint64_t>(PrintfHead::kBytes / 8 + words)};
  p.kernel = p.module.find("k");
  p.buffer[PrintfHead::kCapacity / 8] = 8 * words;
  LaunchSpec launch;
  launch.global = {items, 1, 1};
  auto base = reinterpret_cast<uint64_t>(p.buffer.data());
  std::vector<MemoryRange> memory{{base, p.buffer.size() * 8}};
  std::vector<uint64_t> arguments{base};
  REQUIRE(run_threads(*p.kernel, launch, arguments, {.memory = memory}).ok());
  return p;
}

}  // namespace

TEST_CASE("a full buffer says how many messages it lost, and shows the others") {
  Printed p = print("printf(\"%d;\", i);", 10, 3 * 4);
  PrintedText text = printed_text(p.buffer, *p.kernel);
  CHECK(text.text == "0;1;2;3;");
  CHECK(text.lost == 6);
  CHECK(describe_lost(text, 96) == "6 messages of printf had no room in a buffer of 96 bytes");
  CHECK(describe_lost({"", 1}, 96) == "1 message of printf had no room in a buffer of 96 bytes");
}

TEST_CASE("room that is left over at the end holds no message") {
  Printed p = print("printf(\"%d;\", i);", 10, 3 * 4 + 2);
  CHECK(printed_text(p.buffer, *p.kernel).text == "0;1;2;3;");
}

TEST_CASE("a message that was begun and not written ends the text") {
  Printed p = print("printf(\"%d;\", i);", 4, 100);
  p.buffer[PrintfHead::kBytes / 8 + 3 * 2] = 0;
  CHECK(printed_text(p.buffer, *p.kernel).text == "0;1;");
  CHECK(printed_text({}, *p.kernel).text.empty());
  CHECK(printed_text(std::span(p.buffer).first(5), *p.kernel).text.empty());
}

TEST_CASE("addresses can be hidden, null pointers are shown") {
  Printed p = print("local int t[1]; printf(\"%p %p\", t, (global int*)0);", 1, 100);
  std::string shown = printed_text(p.buffer, *p.kernel).text;
  CHECK(shown.starts_with("0x"));
  CHECK(shown.ends_with(" 0x0"));
  CHECK(printed_text(p.buffer, *p.kernel, Addresses::Hidden).text == "0x? 0x0");
}

TEST_CASE("characters may be zero, and long texts are whole") {
  Printed p = print("printf(\"%c%3000d%c\", 0, 7, 0xff);", 1, 100);
  CHECK(printed_text(p.buffer, *p.kernel).text ==
        std::string(1, '\0') + std::string(2999, ' ') + "7" + std::string(1, '\xff'));
}

TEST_CASE("numbers do not depend on the program's locale") {
  Printed p = print("printf(\"%.1f\", 1.5);", 1, 100);
  std::string before = std::setlocale(LC_ALL, nullptr);
  for (const char* name : {"de_DE.UTF-8", "fr_FR.UTF-8", "C.UTF-8"}) std::setlocale(LC_ALL, name);
  CHECK(printed_text(p.buffer, *p.kernel).text == "1.5");
  std::setlocale(LC_ALL, before.c_str());
}

TEST_CASE("no contents of a buffer are a danger") {
  Printed good =
      print("printf(\"%d %s %f %c %p %5.1e|\", i, i & 1 ? \"a\" : \"b\", i * 0.5, i, (global int*)0, 1.0f);",
            20, 200);
  std::mt19937_64 random(1);
  for (int round = 0; round < 2000; ++round) {
    std::vector<uint64_t> buffer = good.buffer;
    for (int k = 0; k < 1 + round % 7; ++k) {
      uint64_t& word = buffer[random() % buffer.size()];
      uint64_t value = random() >> random() % 64;
      word = round % 2 ? value : word ^ uint64_t { 1 } << random() % 64;
    }
    PrintedText text = printed_text(buffer, *good.kernel);
    CHECK(text.text.size() < 100'000);
  }
}
