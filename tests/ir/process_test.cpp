// SPDX-License-Identifier: Apache-2.0
// What programs may use: time of the processor, however it is spent, and time of the clock.
#include <catch2/catch.hpp>

#include "ir/process.h"

using namespace kc;

namespace {

constexpr const char* kTooMuch = "it takes more than 0.2 s of processor time and was ended";

// What ends a shell that runs this, or "".
std::string ended_by(const std::string& script, const ToolLimits& limits) {
  auto ran = run_program({"sh", "-c", script}, "", limits);
  return ran ? "" : ran.error().error.message;
}

}  // namespace

TEST_CASE("a program may use so much time of the processor") {
  const ToolLimits limits{.seconds = 60, .processor_seconds = 0.2};
  CHECK(ended_by("while :; do :; done", limits) == kTooMuch);
  // In a child that it waits for, in one that it does not wait for, and with closed streams.
  CHECK(ended_by("sh -c 'while :; do :; done'; true", limits) == kTooMuch);
  CHECK(ended_by("while :; do :; done & sleep 60", limits) == kTooMuch);
  CHECK(ended_by("exec >/dev/null 2>&1; while :; do :; done", limits) == kTooMuch);
  // A signal of the limit that the kernel knows is no other reason.
  CHECK(ended_by("kill -XCPU $$", limits).empty());
}

TEST_CASE("time in which a program does not run is not its own") {
  const ToolLimits limits{.seconds = 60, .processor_seconds = 0.2};
  CHECK(ended_by("sleep 0.5", limits).empty());
  CHECK(ended_by("exec >/dev/null 2>&1; sleep 0.5", limits).empty());
}

TEST_CASE("a program that ends before anybody looks at its time may have used too much") {
  CHECK(ended_by("true", {.seconds = 60, .processor_seconds = 1e-5}) ==
        "it takes more than 1e-05 s of processor time and was ended");
}

TEST_CASE("a program that sleeps ends by the clock") {
  CHECK(ended_by("sleep 60", {.seconds = 0.2, .processor_seconds = 30}) ==
        "it takes longer than 0.2 s of the clock and was ended");
  CHECK(ended_by("sleep 60", {.seconds = 0.2}) == "it takes longer than 0.2 s and was ended");
}
