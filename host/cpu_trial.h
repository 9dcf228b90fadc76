// SPDX-License-Identifier: Apache-2.0
// The other forms of a kernel on a CPU, compiled beside its launches when these have taken long enough, and
// which is fastest.
#pragma once

#include <array>
#include <atomic>
#include <expected>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "host/cpu_code.h"
#include "runtime/cpu/form_trial.h"

namespace kc {

class CpuTrial {
 public:
  /// From any thread, while the trial lives.
  using Compile = std::function<std::expected<CpuCode, CompileError>(const CpuRival&)>;
  /// For launches like this one in the form `first`, whose code is `code` and outlives it; null where one
  /// form is all there is. `fastest`: what an earlier process found, which may be `first`; nothing else is
  /// tried then.
  static std::unique_ptr<CpuTrial> create(const CpuFormChoice& choice, Compile compile, const CpuForm& first,
                                          const CpuCode& code, const LaunchSpec& spec,
                                          const std::optional<CpuRival>& fastest = {});

  FormTrial& forms() { return trial_; }
  const FormTrial& forms() const { return trial_; }
  /// The form with this number in `forms`, and its code.
  const CpuCode& code(unsigned form) const { return form ? made_[form - 1]->code : first_code_; }
  CpuRival rival(unsigned form) const { return form ? made_[form - 1]->rival : CpuRival{first_}; }
  std::string describe(unsigned form) const;
  /// The number of a form that has been chosen since the last call, else -1.
  int newly_chosen();

 private:
  struct Made {
    CpuRival rival;
    CpuCode code;
    CpuKernel kernel;
  };
  CpuTrial(Compile compile, const CpuForm& first, const CpuCode& code, std::vector<CpuRival> rivals);
  std::optional<FormTrial::Form> make();

  const Compile compile_;
  const CpuForm first_;
  const CpuCode& first_code_;
  std::vector<CpuRival> rivals_;
  size_t next_ = 0;  // among them
  // By form: others may read those that `trial_` counts while one is added.
  std::array<std::unique_ptr<Made>, FormTrial::kMostForms - 1> made_;
  FormTrial trial_;
  std::atomic<int> told_ = -1;
};

}  // namespace kc
