// SPDX-License-Identifier: Apache-2.0
#include "host/cpu_trial.h"

#include <algorithm>

namespace kc {
namespace {

// Nanoseconds of launches that are worth compiling other forms, at least, and in units of what the first took
// to compile.
constexpr double kLeastWorth = 5e5, kWorth = 1;

}  // namespace

std::unique_ptr<CpuTrial> CpuTrial::create(const CpuFormChoice& choice, Compile compile, const CpuForm& first,
                                           const CpuCode& code, const LaunchSpec& spec,
                                           const std::optional<CpuRival>& fastest) {
  auto rivals = choice.rivals(first, spec);
  if (rivals.empty()) return nullptr;
  const bool is_first = fastest == CpuRival{first};
  if (fastest && !is_first) rivals = {*fastest};
  std::unique_ptr<CpuTrial> trial(new CpuTrial(std::move(compile), first, code, std::move(rivals)));
  if (!fastest) return trial;
  const std::optional<FormTrial::Form> form = is_first ? std::nullopt : trial->make();
  trial->trial_.settle(form);
  trial->told_ = trial->trial_.chosen();
  return trial;
}

CpuTrial::CpuTrial(Compile compile, const CpuForm& first, const CpuCode& code, std::vector<CpuRival> rivals)
    : compile_(std::move(compile)),
      first_(first),
      first_code_(code),
      rivals_(std::move(rivals)),
      trial_([this] { return make(); }, std::max(kLeastWorth, kWorth * code.compile_nanoseconds)) {}

std::optional<FormTrial::Form> CpuTrial::make() {
  while (next_ < rivals_.size()) {
    const CpuRival& rival = rivals_[next_++];
    auto code = compile_(rival);
    if (!code) continue;
    // Nothing was melded.
    if (rival.apart && code->machine.image.code == first_code_.machine.image.code) continue;
    auto kernel = CpuKernel::load(code->machine.image);
    if (!kernel) continue;
    std::unique_ptr<Made>& made = made_[trial_.count() - 1];
    made = std::make_unique<Made>(rival, std::move(*code), std::move(*kernel));
    return FormTrial::Form{&made->kernel, static_cast<uint32_t>(made->code.private_bytes)};
  }
  return std::nullopt;
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
