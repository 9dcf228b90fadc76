// SPDX-License-Identifier: Apache-2.0
// What a kernel reads of its launch: the block's address, ids and sizes, and the parameters.
#pragma once

#include <map>

#include "backends/spirv/code.h"

namespace kc::spirv {

class LaunchCode {
 public:
  /// The local size is the options', for all launches or for those that do not say otherwise.
  LaunchCode(Code& code, const SpirvOptions& options, bool sized_at_load)
      : c(code), options_(options), sized_at_load_(sized_at_load) {}

  /// Declares the interface and loads the block's address; the rest is emitted on request, once each,
  /// and only at the start of the function.
  void begin();
  Word position(Op op, unsigned dim, Elem result);
  Word parameter(const ImageParam& param, Elem e);
  /// A 32-bit zero that no compiler knows to be one; the first time at the start of the function.
  Word zero();
  /// Another condition each time, which never holds: a driver that sees one fail learns nothing of the next.
  Word never();
  /// Tells the host that a loop was left too early.
  void report_cut();
  bool sized_at_load() const { return sized_at_load_; }
  const Words& interface() const { return interface_; }

 private:
  Word input(spv::BuiltIn builtin, unsigned dim);
  Word push_member(Elem e, Word pointer_to_member, Word member);
  Word position64(Op op, unsigned dim);
  Word block_field(Elem e, size_t offset);

  Code& c;
  const SpirvOptions& options_;
  Words interface_;
  const bool sized_at_load_;
  std::array<Word, 3> sizes_{};  // when they are specialisation constants
  Word push_ = 0, block_ = 0, zero_ = 0;
  uint32_t nevers_ = 0;
  std::map<spv::BuiltIn, Word> builtins_;
  std::map<std::pair<Op, unsigned>, Word> positions_;
};

}  // namespace kc::spirv
