// SPDX-License-Identifier: Apache-2.0
// Loads that become operands of the instructions that use them, after register allocation.
//
//   %3 = vload %p          in zmm1                     vaddps zmm0, zmm0, [rax]
//   %4 = vaddps %2, %3     in zmm0          ==>
//
// A load with one use, a reload or a constant is read where it is used if this is in the same block, its
// address is still in its registers there, and nothing has been written between.
#pragma once

#include <cstdint>
#include <vector>

#include "ir/function.h"

namespace kc::x64 {

class MemoryOperands {
 public:
  /// `f` after register allocation. Only AVX-512 reads one element of memory for all of a vector.
  MemoryOperands(const Function& f, bool avx512);

  /// What an instruction reads from memory.
  struct Read {
    InstId load;           // or none
    uint8_t operand = 0;   // that it stands for, once they are exchanged
    bool swapped = false;  // operands 0 and 1 are to be exchanged
    uint8_t bytes = 0;     // of the access, or of one element
    uint8_t elements = 0;  // that one in memory stands for, or 0
  };
  /// Whether the load has become an operand, and needs no instruction.
  bool folded(InstId load) const { return folded_[load.index]; }
  const Read& of(InstId user) const { return reads_[user.index]; }

 private:
  struct Open {
    InstId load;
    ValueId value;
    int64_t slot = -1;  // of a reload
  };
  void row(InstId i);
  void fold(InstId user);
  void close(const Inst& inst);
  bool complete(const Inst& user, Read& read) const;

  const Function& f;
  const bool avx512_;
  std::vector<uint32_t> uses_;
  std::vector<InstId> user_of_;  // by value: an instruction that uses it
  std::vector<bool> folded_;     // by instruction
  std::vector<Read> reads_;      // by instruction
  std::vector<Open> open_;       // loads of this block whose memory and registers are as they were
};

}  // namespace kc::x64
