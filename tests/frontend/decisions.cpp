// SPDX-License-Identifier: Apache-2.0
// The conditions of a source and what they decide.
#include <fmt/format.h>

#include <catch2/catch.hpp>
#include <string>

#include "frontend/frontend.h"

namespace {

// "LINE:COLUMN what", one a line.
std::string decided(std::string_view source) {
  std::string text;
  for (const kc::Decision& d : kc::decisions(source, {}))
    text += fmt::format("{}:{}-{} {}\n", d.begin.line, d.begin.column, d.end.column, d.what);
  return text;
}

}  // namespace

TEST_CASE("conditions are named by the jump or the statement that they decide") {
  CHECK(decided(R"(int root(int x) {
    if (x < 0) throw 1;
    if (x == 0) { return 0; }
    return x;
}
kernel void k(global int* out, int n) {
    int i = get_global_id(0);
    for (int j = 0; j < n; j++) {
        if (j == i) break;
        if (j > 7) { out[j]++; continue; } else out[j]--;
        while (i > j && n) n--;
    }
    do n--; while (n > 0);
    switch (i) {
    case 1: out[0] = i ? n : 2;
    }
    if (i || n) goto end;
    if (i) out[1] = n && i;
end:;
}
)") ==
        R"(2:9-13 a throw
3:9-14 an early return
8:21-25 the condition of a for loop
9:13-18 a break
10:13-17 a continue
11:16-25 the condition of a while loop under a short-circuit condition
13:20-24 the condition of a do loop
14:13-13 a switch
15:5-11 a switch
15:22-22 a conditional expression
17:9-14 a goto to 'end' under a short-circuit condition
18:9-9 an if
18:21-26 a short-circuit expression
)");
}

TEST_CASE("a text with errors has no conditions") {
  CHECK(decided("kernel void k() { if (x) return; }").empty());
}
