// SPDX-License-Identifier: Apache-2.0
// Launch record access of a kernel: the block's address, ids and sizes, and the parameters.
#pragma once

#include <map>

#include "backends/spirv/code.h"

namespace kc::spirv {

class LaunchCode {
 public:
  /// The local size is taken from the options, for all launches or for those without one of their own.
  LaunchCode(Code& code, const SpirvOptions& options, bool sized_at_load)
      : c(code), options_(options), sized_at_load_(sized_at_load) {}

  /// Declares the interface and loads the block's address. The rest is emitted on request, once each, and
  /// only at the start of the function.
  void begin();
  Word position(Op op, unsigned dim, Elem result);
  Word parameter(const ImageParam& param, Elem e);
  /// An opaque 32-bit zero; the first call must be at the start of the function.
  Word zero();
  /// Returns a new condition each time, which is always false: a driver that observes one cannot infer the
  /// next.
  Word never();
  /// Reports to the host that a loop was left too early.
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
  std::array<Word, 3> sizes_{};  // if they are specialisation constants
  Word push_ = 0, block_ = 0, zero_ = 0;
  uint32_t nevers_ = 0;
  std::map<spv::BuiltIn, Word> builtins_;
  std::map<std::pair<Op, unsigned>, Word> positions_;
};

}  // namespace kc::spirv
