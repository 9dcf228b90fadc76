// SPDX-License-Identifier: Apache-2.0
#include "tests/mutants/switch.h"

#include <fcntl.h>
#include <sys/mman.h>
#include <unistd.h>

#include <cstdio>
#include <cstdlib>

namespace kc::mutants {
namespace {

// More than there are mutants; the size of the file.
constexpr size_t kMost = 1 << 16;
// Whole pages, so that those of a file may take their place.
alignas(4096) unsigned char g_seen[kMost];

// Before the initialisers of other sources, which may come to mutants.
__attribute__((constructor(101))) void share_bytes() {
  const char* file = std::getenv("KC_MUTANTS_SEEN");
  if (!file) return;
  const int fd = ::open(file, O_RDWR | O_CREAT | O_CLOEXEC, 0666);
  if (fd < 0 || ::ftruncate(fd, kMost) != 0 ||
      ::mmap(g_seen, kMost, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_FIXED, fd, 0) == MAP_FAILED) {
    std::perror(file);
    std::_Exit(3);
  }
  ::close(fd);
}

unsigned number() {
  const char* text = std::getenv("KC_MUTANT");
  return text ? static_cast<unsigned>(std::strtoul(text, nullptr, 10)) : 0;
}

}  // namespace

// Zero, so no mutant is active, in initialisers of other sources that run before this one.
const unsigned active = number();
unsigned char* const seen = g_seen;

}  // namespace kc::mutants
