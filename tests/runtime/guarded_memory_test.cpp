// SPDX-License-Identifier: Apache-2.0
// Guarded memory that is kept for later pieces.
#include "runtime/cpu/guarded_memory.h"

#include <unistd.h>

#include <catch2/catch.hpp>
#include <cerrno>

namespace {

using namespace kc;

// Whether the system itself may read the byte; to try would end the test.
bool can_be_read(const uint8_t* byte) {
  int ends[2];
  REQUIRE(::pipe(ends) == 0);
  const bool written = ::write(ends[1], byte, 1) == 1;
  const bool fault = !written && errno == EFAULT;
  ::close(ends[0]), ::close(ends[1]);
  REQUIRE(written != fault);
  return written;
}

}  // namespace

TEST_CASE("memory that is kept serves the next piece of as many pages, between the same guards") {
  keep_guarded_memory(1);
  const uint8_t* end = nullptr;
  {
    GuardedMemory first(100);
    end = first.data() + 100;
    first.data()[99] = 7;
  }
  {
    GuardedMemory longer(5000);
    CHECK(longer.data() + 5000 != end);
  }
  {
    GuardedMemory next(60);
    CHECK(next.data() + 60 == end);
    CHECK(next.data()[59] == 7);
    CHECK(!can_be_read(end));
    GuardedMemory meanwhile(60);
    CHECK(meanwhile.data() != next.data());
  }
  keep_guarded_memory(0);
}
