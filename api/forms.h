// SPDX-License-Identifier: Apache-2.0
// The forms of a kernel's code, each made by the first launch that needs it and kept as long as the kernel.
#pragma once

#include <expected>
#include <map>
#include <memory>
#include <mutex>

#include "api/runner.h"

namespace kc {

/// From any thread. `Form` orders what code is made for; `Made` is the code and what its launches need.
template <typename Form, typename Made>
class Forms {
 public:
  /// `make` gives std::expected<std::unique_ptr<Made>, Failure>. Only one form is made at a time; a failure
  /// is not kept, so a later launch tries again.
  template <typename Make>
  std::expected<Made*, Failure> find(const Form& form, Make&& make) {
    std::lock_guard lock(mutex_);
    std::unique_ptr<Made>& found = forms_[form];
    if (!found) {
      auto made = make();
      if (!made) return std::unexpected(std::move(made.error()));
      found = std::move(*made);
    }
    return found.get();
  }

 private:
  std::mutex mutex_;
  std::map<Form, std::unique_ptr<Made>> forms_;
};

}  // namespace kc
