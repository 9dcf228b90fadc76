// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>

namespace kc {

/// Why a kernel was not compiled, from the passes to the code for a machine.
struct CompileError {
  enum Kind : uint8_t {
    Usage,        // an option makes no sense for this kernel
    Unsupported,  // the target has no way to do what the kernel does
    Absent,       // a tool that makes the code is not installed, or has not the memory that it needs
    Io,           // a file that an option asks for, or a temporary one, cannot be written
    Outside,      // a pass that is a program of its own is wrong
    Internal,     // something is wrong with the compiler
  } kind = Internal;
  std::string message;
};

}  // namespace kc
