// SPDX-License-Identifier: Apache-2.0
#include "fuzz/dialogue.h"

#include <algorithm>
#include <catch2/catch.hpp>
#include <string>
#include <vector>

#include "fuzz/reduce.h"

using namespace kc;

namespace {

template <typename T>
using Asking = Dialogue<std::string, int, T>;

// Long texts lie on the heap, where a copy too many or too few is found.
const std::string kLong(100, 'x');

Asking<int> ask(std::string what) {
  const int answer = co_await (what + kLong);
  co_return answer;
}

Asking<std::string> sum_of(int count) {
  int sum = 0;
  for (int i = 0; i < count; ++i) sum += co_await ask(std::to_string(i));
  co_return kLong + std::to_string(sum);
}

Asking<std::string> nothing() { co_return kLong; }

}  // namespace

TEST_CASE("a dialogue stops at each question of its parts, in order") {
  auto d = sum_of(3);
  std::vector<std::string> asked;
  while (const std::string* q = d.question()) {
    CHECK(d.question() == q);  // it waits
    asked.push_back(*q);
    d.answer(10);
  }
  CHECK(asked == std::vector<std::string>{"0" + kLong, "1" + kLong, "2" + kLong});
  CHECK(d.result() == kLong + "30");
  CHECK(d.question() == nullptr);
}

TEST_CASE("a dialogue without questions has a result, and one may be left in the middle") {
  auto d = nothing();
  CHECK(d.question() == nullptr);
  CHECK(d.result() == kLong);
  auto left = sum_of(3);
  REQUIRE(left.question());
  left.answer(1);
  REQUIRE(left.question());
  auto moved = std::move(left);
  CHECK(*moved.question() == "1" + kLong);
}

TEST_CASE("many parts need no stack") {
  auto d = sum_of(200'000);
  while (d.question()) d.answer(1);
  CHECK(d.result() == kLong + "200000");
}

TEST_CASE("a reduction whose candidates somebody else judges comes to the same") {
  const std::string source = "a\nif (1) {\n    b\n    c\n}\nd\n";
  const auto interesting = [](const std::string& s) {
    return s.find('c') != std::string::npos && std::ranges::count(s, '{') == std::ranges::count(s, '}');
  };
  auto steps = fuzz::reduction(source);
  size_t candidates = 0;
  while (const std::string* candidate = steps.question()) ++candidates, steps.answer(interesting(*candidate));
  CHECK(steps.result() == "c\n");
  CHECK(candidates > 3);
  CHECK(fuzz::reduce(source, interesting) == "c\n");
}

TEST_CASE("a reduction begins with what is large") {
  std::string source = "void f() {\n";
  for (int k = 0; k < 64; ++k)
    source += "    a;\n    if (x) {\n        while (y) {\n            b;\n        }\n    }\n";
  source.replace(source.rfind("b;"), 2, "c;");
  source += "}\n";
  const auto interesting = [](const std::string& s) {
    return s.starts_with("void f() {") && s.ends_with("}\n") && s.find("c;") != std::string::npos &&
           std::ranges::count(s, '{') == std::ranges::count(s, '}');
  };
  // The other blocks are gone after a candidate for each power of two.
  auto steps = fuzz::reduction(source, 20);
  while (const std::string* candidate = steps.question()) steps.answer(interesting(*candidate));
  CHECK(std::ranges::count(steps.result(), '{') <= 2);
  CHECK(fuzz::reduce(source, interesting) == "void f() {\n    c;\n}\n");
}
