// SPDX-License-Identifier: Apache-2.0
// The kinds of the notes that lead from a divergent branch back to what differs.
#include "passes/remarks.h"

#include <catch2/catch.hpp>

#include "ir/text.h"

using namespace kc;

namespace {

// The kinds of the notes about the branch in this line.
std::vector<NoteKind> kinds_at(uint32_t line, const std::string& body) {
  const std::string text = "thread func @k(%0: ptr<global> in of i32, %1: i32 n) kernel {\n" + body + "}\n";
  auto module = parse_module(text);
  if (!module) FAIL(module.error().render("test", text));
  Remarks remarks([](std::string_view) { return true; });
  explain_divergence(*module->functions[0], {}, remarks);
  for (const Remark& r : remarks.sorted()) {
    if (r.loc.line != line) continue;
    std::vector<NoteKind> kinds;
    for (const RemarkNote& n : r.notes) kinds.push_back(n.kind);
    return kinds;
  }
  FAIL("no remark about line " << line);
  return {};
}

}  // namespace

TEST_CASE("a value, and what is loaded from an address that differs") {
  const std::string body = R"(
b0:
  %2: i32 = global_id dim=0 !1:1
  %3: ptr<global> = ptr_add %0, %2, scale=4 !2:1
  %4: i32 = load %3 !3:1
  %5: i32 = add %4, 1:i32 !4:1
  %6: i1 = eq %5, %1 !5:1
  br_if %6 -> b1, b2 !6:1
b1:
  br -> b2 !7:1
b2:
  ret !8:1
)";
  using enum NoteKind;
  CHECK(kinds_at(6, body) == std::vector{Data, Data, Address, Data});
}

TEST_CASE("a value that a divergent branch decides") {
  const std::string body = R"(
b0:
  %2: i32 = global_id dim=0 !1:1
  %3: i1 = eq %2, %1 !2:1
  br_if %3 -> b1, b2(1:i32) !2:5
b1:
  br -> b2(2:i32) !3:1
b2(%4: i32):
  %5: i1 = eq %4, 1:i32 !4:1
  br_if %5 -> b3, b4 !4:5
b3:
  br -> b4 !5:1
b4:
  ret !6:1
)";
  CHECK(kinds_at(4, body) == std::vector{NoteKind::Join});
}

TEST_CASE("a counter after a loop that work-items leave in different iterations") {
  const std::string body = R"(
b0:
  %2: i32 = global_id dim=0 !1:1
  br -> b1(0:i32) !2:1
b1(%3: i32):
  %4: i1 = slt %3, %2 !2:5
  br_if %4 -> b2, b3 !2:9
b2:
  %5: i32 = add %3, 1:i32 !3:1
  br -> b1(%5) !3:5
b3:
  %6: i1 = slt %3, 3:i32 !4:1
  br_if %6 -> b4, b5 !4:5
b4:
  br -> b5 !5:1
b5:
  ret !6:1
)";
  const auto kinds = kinds_at(4, body);
  REQUIRE(!kinds.empty());
  CHECK(kinds.front() == NoteKind::Loop);
}
