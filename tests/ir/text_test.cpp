// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <catch2/catch.hpp>

#include "ir/parameters.h"
#include "ir/text.h"
#include "ir/verify.h"

using namespace kc;

namespace {

constexpr const char* kThread =
    R"(thread func @collatz(%0: ptr<global> in of i32 const, %1: ptr<global> out of u) kernel {
b0:
  ret
}
)";

const char* kCollatz =
    R"(thread func @collatz(%0: ptr<global> in of i32 const, %1: ptr<global> out of i32) kernel local=64x1x1 {
  var $sum.0: i32
  site 0: throw "int" !3:9
b0:
  %2: i64 = global_id dim=0 !2:7
  %3: ptr<global> = ptr_add %0, %2, scale=4
  %4: i32 = load %3
  br -> b1.loop(%4, 0:i32)
b1.loop(%5: i32, %6: i32):
  %7: i1 = eq %5, 1:i32
  br_if %7 -> b4.done, b2
b2:
  %8: i32 = add %6, -1:i32
  %9: f32 = fadd 0x1.8p+1:f32, bits(0x7fc00000):f32  ; 3 nan
  %10: i1 = and %7, true:i1
  var_set %8, var=$sum.0
  switch %8, 1:i32, 2:i32 -> b3, b1.loop(%5, %8), b4.done
b3:
  trap %8, site=0
b4.done:
  %11: ptr<global> = ptr_add %1, %2, scale=4
  store %11, %6
  ret
}
)";

const char* kMemory =
    R"(thread func @m(%0: ptr<global> out of 24, %1: ptr<local> tile of f32) kernel {
  object $stack.0: ptr<private> size=64 align=4
  object $sum.1: ptr<local> size=8 align=8
  object $table.2: ptr<constant> size=3 align=1 init=x00ff7a
  site 0: barrier "" !4:5
b0:
  %2: ptr<private> = object_address object=$stack.0
  %3: ptr<local> = object_address object=$sum.1
  %4: ptr<constant> = object_address object=$table.2
  %5: i8 = load %4
  barrier flags=3, site=0
  %6: i32 = atomic_add %0, 1:i32
  %7: i64 = atomic_cmpxchg %3, 1:i64, 2:i64
  fence flags=1
  ret
}
)";

const char* kWave = R"(wave func @w(%0: ptr<global> out of i32, %1: mask hidden) kernel width=16 {
b0 mask %1:
  %2: lane<i32> = lane_id
  %3: lane<i32> = add %2, 7:i32
  %4: lane<i1> = slt %3, 9:i32
  %5: mask = mask_cond %1, %4
  %6: lane<i64> = sext %2
  %7: lane<ptr<global>> = ptr_add %0, %6, scale=4
  lane_store %5, %7, %3
  ret
}
)";

std::string round_trip(const std::string& text) {
  auto m = parse_module(text);
  if (!m) return m.error().render("text", text);
  for (auto& f : m->functions) {
    auto errors = verify(*f);
    if (!errors.empty()) return render(*f, errors);
  }
  return print(*m);
}

std::string first_error(std::string text, const std::string& from, const std::string& to) {
  size_t at = text.find(from);
  REQUIRE(at != std::string::npos);
  text.replace(at, from.size(), to);
  auto m = parse_module(text);
  if (!m) return m.error().message;
  auto errors = verify(*m->functions[0]);
  return errors.empty() ? "" : errors[0].message + " | " + errors[0].text;
}

}  // namespace

TEST_CASE("text of every dialect is read back as printed") {
  CHECK(round_trip(kMemory) == kMemory);
  CHECK(round_trip(kCollatz) == kCollatz);
  CHECK(round_trip(kWave) == kWave);
}

TEST_CASE("instructions belong to the block that lists them") {
  auto m = parse_module(kCollatz);
  REQUIRE(m);
  Function& f = *m->functions[0];
  REQUIRE(f.layout.size() > 1);
  f.inst(f.terminator(f.entry())).block = f.layout[1];
  const auto errors = verify(f);
  REQUIRE(!errors.empty());
  CHECK(errors[0].message == "instruction is in the list of a block that it does not belong to");
}

TEST_CASE("a block lists an instruction once") {
  auto m = parse_module(kCollatz);
  REQUIRE(m);
  Function& f = *m->functions[0];
  auto& insts = f.block(f.entry()).insts;
  insts.insert(insts.begin(), insts.front());
  const auto errors = verify(f);
  REQUIRE(!errors.empty());
  CHECK(errors[0].message == "instruction is in the list of its block twice");
}

TEST_CASE("syntax errors name the place") {
  auto m = parse_module(kThread);
  REQUIRE(!m);
  CHECK(m.error().line == 1);
  CHECK(m.error().message == "'u' is not a type");
  std::string text = kCollatz;
  for (size_t n = 0; n + 3 < text.size(); n += 3) CHECK(!parse_module(std::string_view(text).substr(0, n)));
}

TEST_CASE("hidden parameters state their roles") {
  const std::string text =
      "thread func @k(%0: ptr<global> hidden of i32, %1: ptr<global> restrict hidden=printf, "
      "%2: ptr<global> hidden=traps, %3: ptr<constant> hidden=constants, %4: i64 hidden=size_0) kernel {\n"
      "b0:\n  ret\n}\n";
  CHECK(round_trip(text) == text);
  auto m = parse_module(text);
  REQUIRE(m);
  const Function& f = *m->functions[0];
  CHECK(f.params[0].name == "hidden");
  CHECK(param_with_role(f, ParamRole::Printf) == 1u);
  CHECK(param_with_role(f, ParamRole::Traps) == 2u);
  CHECK(param_with_role(f, ParamRole::Constants) == 3u);
  CHECK(param_with_role(f, ParamRole::BufferSize) == 4u);
  CHECK(f.params[4].sized == 0);
  CHECK(!param_with_role(f, ParamRole::EntryMask));
  // A mask has one role, which needs no word.
  auto wave = parse_module("wave func @w(%0: mask hidden) kernel width=8 {\nb0 mask %0:\n  ret\n}\n");
  REQUIRE(wave);
  CHECK(param_with_role(*wave->functions[0], ParamRole::EntryMask) == 0u);
  auto error = [&](const std::string& from, const std::string& to) {
    std::string changed = text;
    changed.replace(changed.find(from), from.size(), to);
    auto parsed = parse_module(changed);
    if (parsed) return std::string("none");
    const TextError& e = parsed.error();
    CHECK(e.line == 1);
    return fmt::format("{}: {}", changed.substr(e.column - 1, 5), e.message);
  };
  CHECK(error("hidden=traps", "hidden=trips") ==
        "trips: 'trips' is not the role of a hidden parameter (traps, constants, printf, size_N or mask)");
  CHECK(error("hidden=size_0", "hidden=size_x").starts_with("size_: 'size_x' is not the role"));
  CHECK(error("hidden=traps", "traps hidden") == ", %3:: expected '=' and the role of the hidden parameter");
  CHECK(error("hidden=traps", "hidden=constants") ==
        "const: a parameter with the role 'constants' is of type ptr<constant>, not ptr<global>");
  CHECK(error("hidden=traps", "restrict hidden=printf") == "print: two parameters have the role 'printf'");
  CHECK(error("hidden=size_0", "hidden=size_4") ==
        "size_: 'size_4' is the size of no buffer: parameter 4 is not a pointer before it");
}

TEST_CASE("the mark of flow blocks is text, not a label") {
  const std::string text =
      "thread func @f(%0: i1 c) kernel {\nb0:\n  br_if %0 -> b1.flow, b2.join\n"
      "b1.flow:\n  br -> b2.join\nb2.join flow:\n  ret\n}\n";
  CHECK(round_trip(text) == text);
  auto m = parse_module(text);
  REQUIRE(m);
  const Function& f = *m->functions[0];
  CHECK(!f.block(f.layout[1]).is_flow);
  CHECK(f.block(f.layout[2]).is_flow);
}

TEST_CASE("the mark of rare blocks is read and written") {
  const std::string text =
      "thread func @f(%0: i1 c) kernel {\nb0:\n  br_if %0 -> b1.rare, b2.join\n"
      "b1.rare:\n  br -> b2.join\nb2.join rare flow:\n  ret\n}\n";
  CHECK(round_trip(text) == text);
  auto m = parse_module(text);
  REQUIRE(m);
  CHECK(!m->functions[0]->block(m->functions[0]->layout[1]).is_rare);
  CHECK(m->functions[0]->block(m->functions[0]->layout[2]).is_rare);
}

TEST_CASE("places name the files that are not the one compiled") {
  const std::string text =
      "thread func @a() kernel {\n  file 1: \"inc/\\\"x\\\".h\"\n  file 2: \"y.h\"\n"
      "  site 0: throw \"int\" !3:9:2\nb0:\n  trap 7:i32, site=0 !3:9:2\n}\n\n"
      "thread func @b() kernel {\n  file 1: \"inc/\\\"x\\\".h\"\nb0:\n  ret !4:1:1\n}\n";
  CHECK(round_trip(text) == text);
  auto m = parse_module(text);
  REQUIRE(m);
  const Function& a = *m->functions[0];
  CHECK(describe_line(a, a.traps[0].loc) == "line 3 of y.h");
  CHECK(file_of(a, a.traps[0].loc, "k.cl") == "y.h");
  CHECK(file_of(a, {.line = 3}, "k.cl") == "k.cl");
  CHECK(files_of(*m) == a.files);
  auto error = [&](const std::string& from, const std::string& to) {
    std::string changed = text;
    changed.replace(changed.rfind(from), from.size(), to);
    auto parsed = parse_module(changed);
    return parsed ? std::string() : parsed.error().message;
  };
  m->functions[1]->inst(m->functions[1]->terminator(m->functions[1]->entry())).loc.file = 2;
  m->functions[0]->traps[0].loc.file = 3;
  for (const auto& f : m->functions) {
    const auto errors = verify(*f);
    REQUIRE(!errors.empty());
    CHECK(errors[0].message.ends_with("is in no file"));
  }
  CHECK(error("!4:1:1", "!4:1:2") == "there is no file 2");
  CHECK(error("inc/", "out/") == "file 1 is \"inc/\"x\".h\" in a function above");
  CHECK(error("file 1", "file 2") == "files are numbered from 1 in order");
}

TEST_CASE("the verifier points at the guilty instruction") {
  CHECK(first_error(kCollatz, "add %6, -1:i32", "add %6, -1:i64")
            .starts_with("operand 1: expected i32, the type of an operand before it, got i64"));
  CHECK(first_error(kCollatz, "b1.loop(%4, 0:i32)", "b1.loop(%4)").starts_with("edge passes 1 values"));
  CHECK(first_error(kCollatz, "br -> b1.loop(%4, 0:i32)", "br -> b1.loop(%8, 0:i32)")
            .starts_with("%8 is used before"));
  CHECK(first_error(kCollatz, "  ret\n", "").starts_with("block ends without"));
  CHECK(first_error(kMemory, "address object=$stack.0", "address object=$heap.7") ==
        "object $heap.7 is not declared");
  CHECK(first_error(kMemory, "address object=$stack.0", "address object=$sum.1")
            .starts_with("the object's address is of type ptr<local>"));
  CHECK(first_error(kMemory, "size=3", "size=4")
            .starts_with("object $table: a constant object has all its bytes given"));
  CHECK(first_error(kMemory, "align=8", "align=6")
            .starts_with("object $sum: its alignment is not a power of two"));
  CHECK(first_error(kMemory, "atomic_add %0", "atomic_add %2")
            .starts_with("operand 0: expected ptr<global> or ptr<"));
  CHECK(first_error(kMemory, "flags=3, site=0", "flags=3, site=1").starts_with("no such trap site"));
  CHECK(first_error(kWave, "b0 mask %1:", "b0:").starts_with("lane operation in a block without a mask"));
  CHECK(first_error(kWave, "mask_cond %1, %4", "lane_id").starts_with("result 0"));
  CHECK(first_error(kWave, "lane_store", "store") == "unknown opcode 'store' in the wave dialect");
}
