// SPDX-License-Identifier: Apache-2.0
// Peers that become shared objects: ISPC's code, and clang's for a serial loop over the work-items.
#pragma once

#include <expected>
#include <memory>
#include <string>

#include "cpu/table.h"
#include "driver/session.h"

namespace kc::bench {

/// Code of a peer for one kernel, loaded into this process.
class Native {
 public:
  Native(const Native&) = delete;
  ~Native();
  /// One launch; buffers are read and written. Milliseconds of processor time.
  double launch(KernelArguments& args, const LaunchSpec& spec) const;

 private:
  friend std::expected<std::unique_ptr<Native>, std::string> load_native(const Session&, const std::string&);
  Native(void* library, void* entry, const Function& kernel)
      : library_(library), entry_(entry), kernel_(kernel) {}
  void* library_;
  void* entry_;
  const Function& kernel_;
};

using NativeResult = std::expected<std::unique_ptr<Native>, std::string>;

/// Functions of the row's ISPC source have the kernel's parameters and then the launch's global size:
///     export void NAME(..., uniform int nx, uniform int ny, uniform int nz)
/// Files go to the folder `work`. The session must outlive the result; an error says why there is none.
NativeResult build_ispc(const Session& session, const Row& row, const std::string& function,
                        const std::string& target, const std::string& work);
/// `prelude` makes the kernel's source a serial program for clang.
NativeResult build_serial(const Session& session, const Row& row, const std::string& prelude,
                          const std::string& work);

/// Whether the row's ISPC source exports the function.
bool exports(const Row& row, const std::string& function);

}  // namespace kc::bench
