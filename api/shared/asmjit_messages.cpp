// SPDX-License-Identifier: Apache-2.0
// Debian's AsmJit is an archive that was not made for shared libraries: one of its files refers to `stderr`
// in a way that only programs can. With what that file holds defined here the linker does not take it, and
// the library prints nothing through it either.
#include <asmjit/core.h>

#include <cstdlib>

namespace asmjit::DebugUtils {

const char* errorAsString(Error error) noexcept {
  return error == kErrorOutOfMemory ? "out of memory" : "an error of the encoder";
}

void debugOutput(const char*) noexcept {}

// Only called by assertions, which release builds of AsmJit do not have.
void assertionFailed(const char*, int, const char*) noexcept { std::abort(); }

}  // namespace asmjit::DebugUtils
