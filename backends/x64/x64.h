// SPDX-License-Identifier: Apache-2.0
// Wave functions to x86-64 machine code: selection (lower.h), register allocation, encoding.
#pragma once

#include <expected>
#include <string>
#include <vector>

#include "ir/function.h"
#include "passes/analysis/shape.h"
#include "passes/pass_runner.h"
#include "runtime/image.h"

namespace kc {

struct X64Options {
  bool avx512 = false;
  bool small_buffers = false;  // all are smaller than 2 GiB
  LaneLayout layout{};         // of the work-items in waves
  bool streams = false;        // full waves store past the caches, into buffers that are not read
  bool full_waves = true;      // waves with all lanes may have code of their own
  bool keep_stages = false;    // fill `selected` and `allocated`
  bool assembly = false;       // fill `text`
};

/// From this byte (or instruction) on, up to the next place, the code is that of a place in the source.
struct CodePlace {
  uint32_t at = 0;
  Loc loc;
};

struct X64Code {
  CpuImage image;
  uint32_t code_bytes = 0;        // constants follow the code
  std::vector<CodePlace> places;  // ascending
  std::string text;               // Intel syntax
  bool stopped = false;           // before the last pass: `text` is what was there, and there is nothing else
  Function selected, allocated;
  uint64_t private_bytes = 0;  // of a work-item
  uint32_t frame_bytes = 0, spills = 0, reloads = 0, copies = 0;
};

/// Why this wave function cannot be compiled, one sentence for each instruction; empty when it can.
std::vector<std::string> check_x64(const Function& wave, const X64Options& options);
/// Whether a kernel, in thread or wave IR, can tell where groups end: then no wave runs beyond a row of its
/// group.
bool sees_groups(const Function& f);
/// The wave function must pass check_x64. Takes a machine function too, with the note about its target and
/// before register allocation.
std::expected<X64Code, CompileError> compile_x64(const Function& wave, const X64Options& options,
                                                 const PassWatch& watch = {});
/// The same of a function that is not needed otherwise: its signature alone is left. Long kernels take less
/// memory.
std::expected<X64Code, CompileError> compile_x64(std::unique_ptr<Function>& wave, const X64Options& options,
                                                 const PassWatch& watch = {});
/// The passes that it runs, in order.
std::vector<PassInfo> x64_passes();

}  // namespace kc
