// SPDX-License-Identifier: Apache-2.0
// In place of runtime/cpu/faults.h: WebAssembly has no signals.
#pragma once

namespace kc {

struct CpuFault {};

}  // namespace kc
