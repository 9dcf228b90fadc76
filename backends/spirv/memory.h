// SPDX-License-Identifier: Apache-2.0
// Memory accesses and their ordering: loads, stores, addresses, atomic operations, barriers and fences.
#pragma once

#include "backends/spirv/workgroup_memory.h"

namespace kc::spirv {

class MemoryCode {
 public:
  MemoryCode(const Function& function, Code& code, std::function<Word(ValueId)> value)
      : local(function, code, value), f(function), c(code), value_(std::move(value)) {}

  static bool handles(Op op);
  /// Emits the instruction; returns the id of its result, or 0.
  Word emit(const Inst& inst);

  LocalMemory local;

 private:
  Word load(const Inst& inst);
  void store(const Inst& inst);
  Word volatile_access(const Inst& inst);
  Word ptr_add(const Inst& inst);
  Word atomic(const Inst& inst);
  void barrier(const Inst& inst);

  const Function& f;
  Code& c;
  std::function<Word(ValueId)> value_;
};

/// Whether work-items communicate through memory with others of their launch.
bool synchronises(const Function& f);

}  // namespace kc::spirv
