// SPDX-License-Identifier: Apache-2.0
// Launch scripts: error locations, and robustness against arbitrary text. tests/cli runs some.
#include <fmt/format.h>

#include <catch2/catch.hpp>
#include <fstream>
#include <random>
#include <sstream>

#include "driver/script/script.h"

namespace {

std::string error_of(std::string_view text) {
  auto script = kc::parse_script(text);
  if (script) return "none";
  const kc::TextError& e = script.error();
  return fmt::format("{}:{}: {}", e.line, e.column, e.message);
}

}  // namespace

TEST_CASE("errors of scripts have their place") {
  struct Row {
    const char *text, *error;
  };
  for (const auto& [text, error] : {
           Row{"", "none"},
           Row{"let a = 1;let b = a*2 # twice\n\n", "none"},
           Row{"if a { print a } else { print b }", "none"},
           Row{"launch k global 1,2,3 (a,\n  b = (1, 2),\n  c = (x + 1) * 2)", "none"},
           Row{"print b[1:2]", "none"},
           Row{"print b[1] + 2", "none"},
           Row{"}", "1:1: unexpected '}'"},
           Row{"while 1 {", "1:10: expected '}', the script ends"},
           Row{"let 1 = 2", "1:5: expected a name, not '1'"},
           Row{"let a 2", "1:7: expected '=', not '2'"},
           Row{"let a = 2 3", "1:11: expected the end of the line, not '3'"},
           Row{"let a = 1 +", "1:12: expected an expression, the script ends"},
           Row{"let a = 12ab", "1:9: '12ab' is no number"},
           Row{"let a = $", "1:9: unexpected '$'"},
           Row{"buffer b = @file", "1:12: unexpected '@'"},
           Row{"buffer b = i32", "1:15: expected '[', the script ends"},
           Row{"launch k (a)", "1:10: expected 'global' and the number of work-items, not '('"},
           Row{"launch k global 1", "1:18: expected '(' and arguments, the script ends"},
           Row{"launch k global 1 global 2 ()", "1:19: 'global' is given twice"},
           Row{"launch k global 1,2,3,4 ()", "1:25: a launch has at most three dimensions"},
           Row{"launch k global 1 (a b)", "1:22: expected ',', not 'b'"},
           Row{"swap a b", "1:8: expected ',', not 'b'"},
           Row{"fill a", "1:7: expected ':' and a filler, the script ends"},
           Row{"dump a", "1:7: expected '=' and a file, the script ends"},
       }) {
    INFO(text);
    CHECK(error_of(text) == error);
  }
}

TEST_CASE("nesting in scripts is limited") {
  std::string blocks, parentheses = "let a = ", minus = "let a = ", sum = "let a = 1";
  for (int i = 0; i < 100'000; ++i) blocks += "if 1 { ", parentheses += "(", minus += "-", sum += "+1";
  CHECK(error_of(blocks).ends_with("blocks are nested too deeply"));
  CHECK(error_of(parentheses).ends_with("an expression is nested too deeply"));
  CHECK(error_of(minus).ends_with("an expression is nested too deeply"));
  CHECK(error_of(sum).ends_with("the expression is too long"));
}

TEST_CASE("no text is a danger to the reader of scripts") {
  std::mt19937 random(1);
  for (const char* name : {"bfs/bfs", "hotspot/hotspot"}) {
    std::ifstream in(fmt::format("{}/examples/{}.script", KC_SOURCE_DIR, name));
    std::ostringstream all;
    all << in.rdbuf();
    const std::string good = all.str();
    REQUIRE(error_of(good) == "none");
    for (int round = 0; round < 3000; ++round) {
      std::string text = good;
      for (int k = 0; k < 1 + round % 5; ++k) {
        size_t at = random() % text.size();
        if (round % 3 == 0)
          text[at] = static_cast<char>(random());
        else if (round % 3 == 1)
          text.erase(at, random() % 9);
        else
          text.insert(at, text.substr(random() % text.size(), random() % 9));
        if (text.empty()) text = " ";
      }
      error_of(text);
      error_of(std::string_view(text).substr(0, random() % text.size()));
    }
  }
}
