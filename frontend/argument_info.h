// SPDX-License-Identifier: Apache-2.0
// The parameters of kernels as their source declares them, for hosts that ask.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "frontend/frontend.h"

namespace kc {

struct ArgumentInfo {
  enum class Space : uint8_t { Private, Global, Constant, Local };
  std::string name;
  std::string type;              // without qualifiers and address space: `float4*`, `struct pair`, a typedef
  Space space = Space::Private;  // of what it points to
  bool is_const = false, is_volatile = false;  // what it points to; false for what is no pointer
  bool is_restrict = false;
};
struct KernelArguments {
  std::string kernel;
  std::vector<ArgumentInfo> arguments;
  std::string attributes;  // as written, with macros expanded and spaces between
};

/// Of all kernels of a program, in its order; empty if it has errors.
std::vector<KernelArguments> kernel_arguments(std::span<const SourceUnit> units);

}  // namespace kc
