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
#include "host/cpu_form.h"
#include "host/launches.h"
#include "runtime/cpu/cpu.h"

namespace kc {

struct CpuCode {
  std::unique_ptr<Function> wave;
  X64Code machine;
  std::array<uint64_t, 3> tile{};  // as in its form
  uint64_t private_bytes = 0;      // of a work-item
  double compile_nanoseconds = 0;  // of the form, behind what forms share
};

/// The assembly of code that was compiled with its text; the first line names the form.
std::string assembly_of(const CpuCode& code, const CpuForm& form);

struct CpuRival {
  CpuForm form;
  bool apart = false;  // nothing is melded
  bool operator==(const CpuRival&) const = default;
};

/// A kernel on its way to the code of one CPU: chooses the form of each launch, and compiles forms.
class CpuCompiler {
 public:
  /// `width`: lanes, or 0 for as many as are best.
  static std::expected<CpuCompiler, CompileError> create(KernelCompiler kernel, const TargetDesc& target,
                                                         uint32_t width);

  CpuForm form(const LaunchSpec& spec) const;
  /// For launches of any shape and with buffers of any size.
  CpuForm any_form() const {
    return {.target = target_,
            .width = alone_[0] ? 1 : width_,
            .small_buffers = false,
            .layout = {.aligned = true}};
  }
  /// Whether launches whose buffers do not overlap have a form of their own.
  bool tells_overlap() const { return disjoint_.has_value(); }
  /// Thread IR for waves along x.
  const Function& thread() const { return *thread_->function; }
  /// What to compare this form with while launches run, the most promising first: one lane or many, whichever
  /// it is not, unless the estimates are sure; fewer and more lanes; what lanes do together done apart. None
  /// where results would tell forms from each other (in which order lanes add to a counter, say), or where
  /// the user chose.
  std::vector<CpuRival> rivals(const CpuForm& form, const LaunchSpec& spec) const;
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
  CpuCompiler(KernelCompiler kernel, const TargetDesc& target)
      : kernel_(std::move(kernel)), target_(&target) {}
  std::expected<Passed, CompileError> lower(const CpuForm& form) const;
  bool lies_as_thread(const CpuForm& form) const;
  void report_thread() const;
  void choose_form();
  uint32_t limited(uint64_t items) const;
  CpuForm form_of_any_size(const LaunchSpec& spec, bool alone) const;
  CpuForm rival(const CpuForm& form, const LaunchSpec& spec, uint32_t width) const;
  bool goes_alone(const LaunchSpec& spec) const;
  bool fills(const GroupSize& groups, const CpuForm& form) const;
  std::array<uint64_t, 3> tile(const LaunchSpec& spec) const;

  KernelCompiler kernel_;
  std::optional<KernelCompiler> disjoint_;  // the same where buffers do not overlap, if that is another code
  const TargetDesc* target_;
  // What the passes for waves along x said: of interest if such a form is made.
  std::shared_ptr<Remarks> remarks_;
  std::vector<PassTime> times_;
  std::shared_ptr<Passed> thread_;  // for waves along x, or for one lane
  bool fixed_width_ = false, sees_groups_ = false, sees_size_ = false, sub_groups_ = false,
       has_barriers_ = false, rows_agree_ = false, tiles_ = false, columns_ = false;
  uint64_t streamed_ = 0;        // bytes that a work-item stores for nobody in the launch
  uint32_t width_ = 0;           // of waves that have room for what a row needs
  std::array<bool, 3> alone_{};  // where they would lie along x, y, z: one lane is faster
  bool shows_lanes_ = false;     // in results
  bool near_ = false;            // the estimates of one lane and of many do not differ much
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
