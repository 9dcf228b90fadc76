// SPDX-License-Identifier: Apache-2.0
// The JSON form: without loss against the text form, errors with their places, and no crash on anything.
#include <fmt/format.h>

#include <array>
#include <catch2/catch.hpp>
#include <filesystem>
#include <fstream>
#include <map>
#include <set>
#include <span>
#include <sstream>

#include "fuzz/random.h"
#include "ir/json/bytes.h"
#include "ir/json/json.h"
#include "ir/json/scan.h"
#include "ir/text.h"
#include "ir/verify.h"

using namespace kc;

namespace {

namespace fs = std::filesystem;

std::string read(const fs::path& path) {
  std::ifstream in(path, std::ios::binary);
  std::stringstream text;
  text << in.rdbuf();
  return text.str();
}

// What the text becomes as JSON and as text again; or what is wrong with it.
std::string through_json(const std::string& text) {
  auto m = parse_module(text);
  if (!m) return m.error().render("text", text);
  const std::string json = write_json(*m);
  auto again = read_json(json);
  if (!again) return render_json_error(again.error(), "json") + json;
  // Written once more it is the same, too.
  if (write_json(*again) != json) return "JSON differs:\n" + json + write_json(*again);
  return print(*again);
}

// A document in which `from` is replaced; its first error as "line: message".
std::string error_of(std::string json, const std::string& from, const std::string& to) {
  const size_t at = json.find(from);
  REQUIRE(at != std::string::npos);
  json.replace(at, from.size(), to);
  auto m = read_json(json);
  if (m) return "none";
  return fmt::format("{}: {}", m.error().line, m.error().message);
}

constexpr std::string_view kDocument = R"({"kernelc_ir": 1, "functions": [
 {"name": "k", "dialect": "thread", "kernel": true,
  "params": [
   {"id": 0, "type": "ptr<global>", "name": "out", "of": "i32"}],
  "vars": [
   {"name": "n", "type": "i32"}],
  "blocks": [
   {"id": 0, "insts": [
    {"results": [{"id": 1, "type": "i32"}], "op": "global_id", "attrs": {"dim": 0}, "loc": [2, 7]},
    {"results": [{"id": 2, "type": "i1"}], "op": "slt", "operands": [1, {"type": "i32", "const": 5}]},
    {"op": "br_if", "operands": [2], "targets": [{"block": 1, "args": [1]}, {"block": 2}]}]},
   {"id": 1, "hint": "then", "params": [{"id": 3, "type": "i32"}], "insts": [
    {"results": [{"id": 4, "type": "ptr<global>"}], "op": "ptr_add", "operands": [0, 3], "attrs": {"scale": 4}},
    {"op": "store", "operands": [4, {"type": "f32", "const": 1.5}]},
    {"op": "br", "targets": [{"block": 2}]}]},
   {"id": 2, "insts": [
    {"op": "ret"}]}]}]}
)";

}  // namespace

TEST_CASE("every function of the tests of passes is the same after JSON") {
  size_t files = 0;
  for (const auto& entry : fs::recursive_directory_iterator(fs::path(KC_SOURCE_DIR) / "tests")) {
    if (entry.path().extension() != ".kir") continue;
    // What is expected of the passes is another module.
    const std::string both = read(entry.path());
    const size_t expected = both.find("; expect:");
    std::vector<std::string> texts{both.substr(0, expected)};
    if (expected != std::string::npos) texts.push_back(both.substr(expected));
    for (const std::string& text : texts) {
      auto m = parse_module(text);
      if (!m) continue;  // some tests are about that
      ++files;
      INFO(entry.path());
      CHECK(through_json(text) == print(*m));
    }
  }
  CHECK(files > 200);
}

TEST_CASE("values of every kind are the same after JSON") {
  const std::string text =
      "source \"a \\\"b\\\" \\x01 \xff\xfe \xc3\xa9 \xef\x9e\x80 \xf0\x9f\x98\x80 \xed\xa0\x80\"\n"
      "thread func @k(%0: ptr<global> out of 24, %1: f32 v.4 of 16, %2: i32 n unsigned, %3: ptr<global> h of "
      "i16 half const restrict, %4: ptr<global> restrict hidden=printf, %5: i64 hidden=size_0) kernel "
      "local=64x2x1 sub_group=32 {\n"
      "  var $sum.0: i32\n"
      "  object $stack.0: ptr<private> size=64 align=4\n"
      "  object $table.1: ptr<constant> size=3 align=1 init=x00ff7a\n"
      "  file 1: \"inc/\xfe.h\"\n"
      "  site 0: throw \"int\" !3:9:1\n"
      "  site 1: bounds \"store of 4 bytes\" of \"out\" unit=4\n"
      "b0.start:\n"
      "  %6: i64 = add 9223372036854775807:i64, -9223372036854775808:i64 !1:2\n"
      "  %7: i64 = add 9007199254740992:i64, -9007199254740993:i64\n"
      "  %8: i8 = add -128:i8, 127:i8 !4:5:1\n"
      "  %9: f32 = fadd 0x1.8p+1:f32, bits(0x7fc00001):f32  ; 3 nan\n"
      "  %10: f64 = fadd -0x0p+0:f64, bits(0x7ff0000000000000):f64  ; -0 inf\n"
      "  %11: f64 = fadd 0x0.0000000000001p-1022:f64, undef:f64  ; 5e-324\n"
      "  %12: i1 = xor true:i1, undef:i1\n"
      "  %13: i1 = eq 18446744073709551615:ptr<global>, 7:ptr<global>\n"
      "  %14: i1 = ult 4294967295:ptr<local>, 7:ptr<local>\n"
      "  var_set %2, var=$sum.0\n"
      "  %15: ptr<global> = ptr_add %0, %6, scale=-4, offset=9007199254740993\n"
      "  br_if %12 -> b1.loop(%8), b2\n"
      "b1.loop(%16: i8) unroll=full:\n"
      "  switch %16, 1:i8, 2:i8 -> b3, b1.loop(3:i8), b4.x\n"
      "b2 unroll=4:\n"
      "  trap %2, site=0\n"
      "b3 flow:\n"
      "  ret\n"
      "b4.x:\n"
      "  ret !7:1\n"
      "}\n";
  const auto m = parse_module(text);
  if (!m) FAIL(m.error().render("text", text));
  CHECK(through_json(text) == print(*m));
  // Every sequence of bytes is.
  fuzz::Random random(1);
  for (int n = 0; n < 20'000; ++n) {
    std::string bytes;
    for (uint32_t i = random.below(6); i-- > 0;)
      bytes += static_cast<char>(random.chance(50) ? random.below(256)
                                                   : random.pick({0xef, 0x9e, 0x9f, 0x80, 0xed}));
    const std::string literal = json_string(bytes);
    REQUIRE(!check_json_syntax(literal));
    if (literal.find('\\') == std::string::npos)
      REQUIRE(bytes_of_json(literal.substr(1, literal.size() - 2)) == bytes);
  }
}

TEST_CASE("errors of a document name the place") {
  const std::string json(kDocument);
  CHECK(error_of(json, "1.5", "1.5") == "none");
  CHECK(error_of(json, "{\"op\": \"ret\"}]}]}", "{\"op\": \"ret\"}]}")
            .starts_with("17: syntax error while parsing array"));
  CHECK(error_of(json, "\"kernelc_ir\": 1", "\"kernelc_ir\": 2") ==
        "1: this kernelc reads version 1 of the form, at /kernelc_ir");
  CHECK(error_of(json, "\"op\": \"slt\"", "\"op\": \"slq\"") ==
        "10: there is no such opcode in the thread dialect, at /functions/0/blocks/0/insts/1/op");
  CHECK(error_of(json, "\"operands\": [4,", "\"operands\": [9,") ==
        "14: value 9 is not defined, at /functions/0/blocks/1/insts/1/operands/0");
  CHECK(error_of(json, "{\"block\": 2}]}]},\n   {\"id\": 2", "{\"block\": 7}]}]},\n   {\"id\": 2") ==
        "15: block 7 is not defined, at /functions/0/blocks/1/insts/2/targets/0/block");
  CHECK(error_of(json, "\"id\": 3,", "\"id\": 2,") ==
        "12: value 2 is defined twice, at /functions/0/blocks/1/params/0/id");
  CHECK(error_of(json, "\"id\": 1, \"hint\"", "\"id\": 0, \"hint\"") ==
        "12: block 0 is defined twice, at /functions/0/blocks/1/id");
  CHECK(error_of(json, "\"op\": \"slt\"", "\"op\": \"sle\", \"op\": \"slt\"")
            .starts_with("10: the key 'op' stands here twice"));
  CHECK(error_of(json, "\"const\": 5", "\"const\": 1e999").starts_with("10: number overflow"));
  CHECK(error_of(json, "\"scale\"", "\"scales\"") ==
        "13: 'ptr_add' has no such attribute, at /functions/0/blocks/1/insts/0/attrs/scales");
  CHECK(error_of(json, "\"hint\"", "\"label\"") ==
        "12: there is no such key here (keys: id, hint, params, mask, unroll, rare, flow, insts), at "
        "/functions/0/blocks/1/label");
  CHECK(error_of(json, "\"const\": 5", "\"const\": 4294967296") ==
        "10: it is not a constant of type i32, at /functions/0/blocks/0/insts/1/operands/1/const");
  CHECK(error_of(json, "\"const\": 5", "\"const\": -2147483649") ==
        "10: it is not a constant of type i32, at /functions/0/blocks/0/insts/1/operands/1/const");
  CHECK(error_of(json, "\"const\": 5", "\"const\": \"x\"") ==
        "10: expected an integer from 0 to 2^64 - 1, at /functions/0/blocks/0/insts/1/operands/1/const");
  CHECK(error_of(json, "{\"type\": \"i32\", \"const\": 5}", "5.0") ==
        "10: expected an integer from 0 to 4294967294, at /functions/0/blocks/0/insts/1/operands/1");
  CHECK(error_of(json, "{\"type\": \"i32\", \"const\": 5}", "\"%5\"") ==
        "10: expected the number of a value, or an object that is a constant, at "
        "/functions/0/blocks/0/insts/1/operands/1");
  CHECK(error_of(json, "\"n\", \"type\": \"i32\"", "\"n\", \"type\": \"i33\"") ==
        "6: it is not a type, at /functions/0/vars/0/type");
  CHECK(error_of(json, "\"name\": \"k\"", "\"name\": \"k k\"") ==
        "2: expected a name of letters, digits, '_' and '.', at /functions/0/name");
  CHECK(error_of(json, "\"name\": \"k\", ", "") == "2: 'name' is missing, at /functions/0");
  CHECK(error_of(json, "[2, 7]", "[2, 7, 1]") ==
        "9: expected an integer from 0 to 0, at /functions/0/blocks/0/insts/0/loc/2");
  CHECK(error_of(json, "\"of\": \"i32\"", "\"role\": \"trips\"") ==
        "4: it is not the role of a hidden parameter (traps, constants, printf, size_N or mask), at "
        "/functions/0/params/0/role");
  CHECK(read_json("[]").error().message == "expected an object, got array, at the document");
  CHECK(read_json("").error().message.starts_with("syntax error"));
  CHECK(read_json(std::string(1000, '[')).error().message == "arrays and objects are nested deeper than 32");
}

TEST_CASE("the verifier's errors name places of the document") {
  auto m = read_json(kDocument);
  REQUIRE(m);
  const auto errors = verify(*m->functions[0]);
  REQUIRE(errors.empty());
  std::string json(kDocument);
  json.replace(json.find("\"operands\": [2], "), 17, "\"operands\": [1], ");
  m = read_json(json);
  REQUIRE(m);
  const std::string said = render_json_errors(*m->functions[0], 0, verify(*m->functions[0]), "k.json", json);
  CHECK(
      said.starts_with("k.json:11:5: error: operand 0: expected u:i1, got i32 (in @k), at "
                       "/functions/0/blocks/0/insts/2\n"));
}

TEST_CASE("a document that was changed anywhere is read or refused") {
  const std::string json(kDocument);
  const std::vector<std::string> pieces{"{",
                                        "}",
                                        "[",
                                        "]",
                                        ",",
                                        ":",
                                        "\"",
                                        "null",
                                        "true",
                                        "-1",
                                        "2",
                                        "3",
                                        "4",
                                        "1e300",
                                        "0",
                                        "1",
                                        "18446744073709551615",
                                        "99999999999999999999",
                                        "\"op\"",
                                        "\"id\"",
                                        "{}",
                                        "[]",
                                        "\"ret\"",
                                        "\"br\"",
                                        "\xff",
                                        "\\u0000",
                                        "\"\\ud800\""};
  fuzz::Random random(7);
  size_t read = 0, refused = 0, wrong = 0;
  for (int n = 0; n < 50'000; ++n) {
    std::string text = json;
    for (uint32_t k = random.between(1, 3); k-- > 0;) {
      const size_t at = random.below(static_cast<uint32_t>(text.size()));
      const size_t length = random.below(12);
      text.replace(at, std::min<size_t>(length, text.size() - at),
                   random.chance(70) ? random.pick_from(pieces) : "");
    }
    auto m = read_json(text);
    if (!m) {
      ++refused;
      REQUIRE(!m.error().message.empty());
      REQUIRE(m.error().line >= 1);
      continue;
    }
    ++read;
    for (size_t i = 0; i < m->functions.size(); ++i) {
      const auto errors = verify(*m->functions[i]);
      wrong += !errors.empty();
      if (errors.empty()) REQUIRE(parse_module(print(*m)));
      if (!errors.empty()) REQUIRE(!render_json_errors(*m->functions[i], i, errors, "f", text).empty());
    }
  }
  CHECK(read > 100);
  CHECK(refused > 1000);
  CHECK(wrong > 10);
}

TEST_CASE("documents near the limits are read in time") {
  // Objects with many keys, long strings, long arrays.
  std::string keys = "{\"kernelc_ir\": 1, \"functions\": [{";
  for (int i = 0; i < 200'000; ++i) keys += fmt::format("\"k{}\": 0,", i);
  keys += "\"z\": 0}]}";
  CHECK(read_json(keys).error().message.starts_with("there is no such key here"));
  std::string long_block =
      "{\"kernelc_ir\": 1, \"functions\": [{\"name\": \"k\", \"dialect\": \"thread\", "
      "\"blocks\": [{\"id\": 0, \"insts\": [";
  for (int i = 0; i < 100'000; ++i)
    long_block += fmt::format(
        "{{\"op\": \"add\", \"results\": [{{\"id\": {}, \"type\": \"i32\"}}], \"operands\": "
        "[{{\"type\": \"i32\", \"const\": {}}}, {{\"type\": \"i32\", \"const\": 1}}]}},",
        i, i);
  long_block += "{\"op\": \"ret\"}]}]}]}";
  auto m = read_json(long_block);
  REQUIRE(m);
  CHECK(verify(*m->functions[0]).empty());
}

// The words of each kind of effect in a module of the course, which stand between these marks.
static std::map<std::string, std::set<std::string>> effects_in(const std::string& file,
                                                               std::span<const std::string_view> kinds,
                                                               const std::string& mark) {
  const std::string module = read(fs::path(KC_SOURCE_DIR) / file);
  std::map<std::string, std::set<std::string>> found;
  for (std::string_view kind : kinds) {
    const size_t at = module.find(fmt::format("    \"{}\": {}", kind, mark));
    if (at == std::string::npos) continue;
    const size_t begin = module.find(mark, at) + mark.size();
    std::istringstream words(module.substr(begin, module.find(mark, begin) - begin));
    for (std::string word; words >> word;) found[std::string(kind)].insert(word);
  }
  return found;
}

TEST_CASE("the effects of opcodes in the course's modules are those of the tables") {
  constexpr std::array<std::string_view, 5> kNames{"", "read", "write", "cross_lane", "control"};
  std::map<std::string, std::set<std::string>> want;
  for (size_t i = 0; i < kOpCount; ++i)
    if (const OpInfo& row = info(static_cast<Op>(i)); (row.dialects & InBoth) && row.effects != Effects::None)
      want[std::string(kNames[static_cast<size_t>(row.effects)])].emplace(row.name);
  CHECK(effects_in("course/python/kir.py", kNames, "\"\"\"") == want);
  CHECK(effects_in("course/js/kir.js", kNames, "`") == want);
}

TEST_CASE("the example of the page on JSON is that of its text") {
  const std::string page = read(fs::path(KC_SOURCE_DIR) / "docs/ir-json.md");
  auto fence = [&](const std::string& start) {
    const size_t at = page.find("```" + start);
    REQUIRE(at != std::string::npos);
    const size_t begin = page.find('\n', at) + 1;
    return page.substr(begin, page.find("```", begin) - begin);
  };
  const std::string json = fence("json\n"), text = fence("\nthread func");
  auto m = read_json(json);
  if (!m) FAIL(render_json_error(m.error(), "docs/ir-json.md"));
  CHECK(verify(*m->functions[0]).empty());
  CHECK(print(*m) == text);
  CHECK(write_json(*m) == json);
}
