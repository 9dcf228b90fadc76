// SPDX-License-Identifier: Apache-2.0
#include "host/cpu_trial.h"

namespace kc {

std::unique_ptr<CpuTrial> CpuTrial::create(const CpuCompiler& compiler, const CpuForm& first,
                                           const CpuCode& code, const LaunchSpec& spec) {
  auto rivals = compiler.rivals(first, spec);
  if (rivals.empty()) return nullptr;
  return std::unique_ptr<CpuTrial>(new CpuTrial(compiler, first, code, std::move(rivals)));
}

std::vector<FormTrial::Form> CpuTrial::make() {
  std::vector<FormTrial::Form> forms;
  for (const CpuRival& rival : rivals_) {
    auto code = compiler_.compile(rival);
    if (!code) continue;
    // Nothing was melded.
    if (rival.apart && code->machine.image.code == first_code_.machine.image.code) continue;
    auto kernel = CpuKernel::load(code->machine.image);
    if (!kernel) continue;
    made_.push_back(std::make_unique<Made>(rival, std::move(*code), std::move(*kernel)));
    const Made& made = *made_.back();
    forms.push_back({&made.kernel, static_cast<uint32_t>(made.code.private_bytes)});
  }
  return forms;
}

std::string CpuTrial::describe(unsigned form) const {
  if (form == 0) return kc::describe(first_);
  const CpuRival& rival = made_[form - 1]->rival;
  return kc::describe(rival.form) + (rival.apart ? ", nothing melded" : "");
}

int CpuTrial::newly_chosen() {
  const int chosen = trial_.chosen();
  return trial_.count() > 1 && told_.exchange(chosen) != chosen ? chosen : -1;
}

}  // namespace kc
