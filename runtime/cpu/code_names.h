// SPDX-License-Identifier: Apache-2.0
// Names of compiled kernels for perf and gdb, which cannot see code that is made at run time.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

namespace kc {

/// While one lives, gdb knows the code by its name, through the interface for just-in-time compilers. If the
/// environment has KERNELC_PERF_MAP, perf does, too: a line is added to /tmp/perf-PID.map, where it stays.
class CodeName {
 public:
  CodeName(const void* code, uint64_t bytes, const std::string& name);
  ~CodeName();
  CodeName(const CodeName&) = delete;

 private:
  struct Entry;
  std::vector<uint8_t> object_;  // an ELF file with one symbol
  std::unique_ptr<Entry> entry_;
};

}  // namespace kc
