// SPDX-License-Identifier: Apache-2.0
// A kernel as machine code of CPUs, and a launch of it.
#pragma once

#include <expected>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "backends/x64/x64.h"
#include "host/compile.h"
#include "host/cpu_form_choice.h"
#include "host/launches.h"
#include "runtime/cpu/cpu.h"

namespace kc {

struct CpuCode {
  std::unique_ptr<Function> wave;
  X64Code machine;
  std::array<uint64_t, 3> tile{};  // as in its form
  uint8_t rows_along = 0;          // as in its form
  uint64_t private_bytes = 0;      // of a work-item
  double compile_nanoseconds = 0;  // of the form, behind what forms share
};

/// The assembly of code that was compiled with its text; the first line names the form.
std::string assembly_of(const CpuCode& code, const CpuForm& form);

/// A kernel on its way to the code of one CPU: finds what decides the forms of its launches, and compiles
/// forms.
class CpuCompiler {
 public:
  /// `width`: lanes, or 0 for as many as are best.
  static std::expected<CpuCompiler, CompileError> create(KernelCompiler kernel, const TargetDesc& target,
                                                         uint32_t width);

  /// Which form a launch gets.
  const CpuFormChoice& choice() const { return choice_; }
  /// Thread IR for waves along x.
  const Function& thread() const { return *thread_->function; }
  /// Nothing is reported or printed of rivals: the user asked about the other code.
  std::expected<CpuCode, CompileError> compile(const CpuRival& rival) const;
  /// An option ended the passes on thread IR.
  bool stopped() const { return thread_->stopped; }
  /// Wave IR of the form.
  std::expected<Passed, CompileError> wave(const CpuForm& form) const;
  /// `assembly`: with its text.
  std::expected<CpuCode, CompileError> compile(const CpuForm& form, bool assembly = false) const;
  /// The same of the only form, or the last one: what other forms would start from is freed before there is
  /// machine code.
  std::expected<CpuCode, CompileError> compile_last(const CpuForm& form) &&;

 private:
  // Launches with at least `lanes` work-items along `rows_along`, if that is not 0, are transposed.
  // `is_transposed`: the kernel at hand is for these, not for the others.
  struct Transposition {
    uint8_t rows_along = 0;
    uint32_t lanes = 0;
    bool is_transposed = false;
  };

  CpuCompiler(KernelCompiler kernel, const TargetDesc& target)
      : kernel_(std::move(kernel)), choice_(target, {}) {}
  const TargetDesc& target() const { return choice_.target(); }
  std::expected<Passed, CompileError> lower(const CpuForm& form) const;
  static std::expected<CpuCompiler, CompileError> create_for_rows(KernelCompiler kernel,
                                                                  const TargetDesc& target, uint32_t width,
                                                                  const Transposition& transposition);
  bool lies_as_thread(const CpuForm& form) const;
  void report_thread() const;
  void choose_form(CpuTraits& traits, const Transposition& transposition) const;
  void find_vector_loops(CpuTraits& traits) const;

  KernelCompiler kernel_;
  std::optional<KernelCompiler> disjoint_;  // the same where buffers do not overlap, if that is another code
  // What the passes for waves along x said: of interest if such a form is made.
  std::shared_ptr<Remarks> remarks_;
  std::vector<PassTime> times_;
  std::shared_ptr<Passed> thread_;                 // for waves along x, or for one lane
  std::shared_ptr<const CpuCompiler> transposed_;  // of the transposed kernel, if its forms may be faster
  CpuFormChoice choice_;
  bool sees_size_ = false;
};

/// CompileOptions::one_lane where all forms are for these CPUs and no width is given: true for long kernels
/// of which estimates are sure, as CpuCompiler finds, too.
std::function<bool(const Function&, const AnalysisCache*)> one_lane_on(
    std::vector<const TargetDesc*> targets);
/// The rest of the path, from wave IR of that form on.
std::expected<CpuCode, CompileError> compile_wave_for_cpu(std::unique_ptr<Function> wave, const CpuForm& form,
                                                          bool assembly = false, const PassWatch& watch = {});
/// Lanes of the kernel's waves on a CPU: one, two or four vectors, or what it requires. `thread` has been
/// through the thread passes.
uint32_t cpu_width(const Function& thread, const TargetDesc& target, AnalysisCache& analyses);

/// What ended a launch, and where the code comes from: an access, or FaultHandler::interrupt.
struct CodeFault {
  bool interrupted = false;
  uint64_t address = 0;  // 0 where the processor does not say
  Loc loc;
};

class CpuTrial;

/// Runs once. `kernel` was loaded from the code and `bound` made for its wave function; `trial` may run a
/// part of it in another form. `fault`: where given, and while a FaultHandler lives, an access that the
/// processor refuses ends the launch and is told there; otherwise it is a signal.
std::expected<std::optional<TrapReport>, std::string> launch_on_cpu(
    const CpuCode& code, const CpuKernel& kernel, const BoundArguments& bound, const LaunchSpec& spec,
    unsigned threads, std::optional<CodeFault>* fault = nullptr, CpuTrial* trial = nullptr);

}  // namespace kc
