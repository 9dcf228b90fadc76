// SPDX-License-Identifier: Apache-2.0
// Which messages about a submission name the same reason.
#include <catch2/catch.hpp>

#include "driver/grade/reason.h"

using kc::reason_of;

TEST_CASE("numbers, names of values and what is in parentheses are no part of the reason") {
  CHECK(reason_of("out[2] is 55, expected 10") == reason_of("real[17] is nan, expected -0x1.8p+1"));
  CHECK(reason_of("the immediate dominator of block 7 is 6, and it says 0") ==
        "the immediate dominator of block is and it says");
  CHECK(
      reason_of(
          "Reconverging does not hold: block 22 of the layout (switch %114, 0:i32 -> b24(%44) !55:53) is no "
          "br_if with two different targets") ==
      reason_of("Reconverging does not hold: block 0 of the layout (switch %16 -> b1) is no br_if with two "
                "different targets"));
  CHECK(reason_of("@a: lane_store %3, %11 !6:16 breaks a law of wave IR: lanes 0xf7f7 are outside the "
                  "block's mask") ==
        reason_of("@k: lane_load %4 !9:1 breaks a law of wave IR: lanes 0x3 are outside the block's mask"));
  CHECK(reason_of("Ssa does not hold: variable in is left") ==
        reason_of("Ssa does not hold: variable acc is left"));
}

TEST_CASE("what differs otherwise are two reasons") {
  CHECK(reason_of("out[2] is 55, expected 10") != reason_of("traps where the program does not"));
  CHECK(reason_of("block 1 has no immediate dominator") !=
        reason_of("the immediate dominator of block 1 is 0, and it says 2"));
  CHECK(reason_of("Reconverging does not hold: no target post-dominates block 0") !=
        reason_of(
            "Reconverging does not hold: block 0 of the layout (br) is no br_if with two different targets"));
  CHECK(reason_of("it ended with status 1: TypeError: a is not a function (line 5)") !=
        reason_of("it ended with status 1: RangeError: too deep (line 5)"));
  CHECK(reason_of("").empty());
  CHECK(reason_of("12 (a (b) c").empty());
}
