// SPDX-License-Identifier: Apache-2.0
// A kernel through an OpenCL implementation of the machine: somebody else's reading of the same source.
#include <unistd.h>

#include <array>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <cstring>

#include "driver/engines/engine_list.h"
#include "ir/parameters.h"
#include "runtime/opencl/opencl.h"

namespace kc {
namespace {

EngineResult failure(const DeviceError& e) {
  EngineStatus status = e.kind == DeviceError::Absent  ? EngineStatus::Absent
                        : e.kind == DeviceError::Build ? EngineStatus::Unsupported
                                                       : EngineStatus::Failed;
  return {.status = status, .message = e.message};
}

// Implementations for CPUs run the kernel in this process, and what OpenCL C leaves open (a division by zero,
// an access outside a buffer) may end it. While this object lives, that is an end with a message.
class SignalsReported {
 public:
  SignalsReported() {
    struct sigaction action {};
    action.sa_handler = &report;
    for (size_t i = 0; i < kSignals.size(); ++i) sigaction(kSignals[i], &action, &before_[i]);
  }
  ~SignalsReported() {
    for (size_t i = 0; i < kSignals.size(); ++i) sigaction(kSignals[i], &before_[i], nullptr);
  }
  SignalsReported(const SignalsReported&) = delete;
  SignalsReported& operator=(const SignalsReported&) = delete;

 private:
  // Only what a signal handler may do.
  static void report(int signal) {
    const char* text =
        signal == SIGFPE
            ? "kernelc: error: target opencl: the kernel divides by zero, which ends the process\n"
            : "kernelc: error: target opencl: the kernel accesses memory outside its buffers, which ends the "
              "process\n";
    if (::write(2, text, std::strlen(text)) < 0) _exit(ExitTrap);
    _exit(ExitTrap);
  }
  static constexpr std::array<int, 3> kSignals{SIGFPE, SIGSEGV, SIGBUS};
  std::array<struct sigaction, 3> before_{};
};

// What implementations print goes to the standard output of this process; it is kept while this object lives,
// since the command has its own place for it.
class CapturedOutput {
 public:
  CapturedOutput() : file_(std::tmpfile()) {
    std::fflush(stdout);
    before_ = file_ ? dup(STDOUT_FILENO) : -1;
    if (before_ >= 0) dup2(fileno(file_), STDOUT_FILENO);
  }
  ~CapturedOutput() {
    end();
    if (file_) std::fclose(file_);
  }
  CapturedOutput(const CapturedOutput&) = delete;
  CapturedOutput& operator=(const CapturedOutput&) = delete;

  std::string take() {
    end();
    std::string text;
    if (!file_) return text;
    std::rewind(file_);
    for (int c; (c = std::fgetc(file_)) != EOF;) text += static_cast<char>(c);
    return text;
  }

 private:
  void end() {
    if (before_ < 0) return;
    std::fflush(stdout);
    dup2(before_, STDOUT_FILENO);
    close(before_);
    before_ = -1;
  }
  std::FILE* file_;
  int before_ = -1;
};

class OpenclEngine : public Engine {
 public:
  explicit OpenclEngine(const EngineOptions& options) : options_(options) {}

  EngineResult prepare(const Program& program, const LaunchSpec& spec) override {
    if (program.text.source.empty())
      return {.status = EngineStatus::Unsupported,
              .message = "OpenCL takes kernel source, and the input is IR"};
    if (program.check_bounds)
      return {.status = EngineStatus::Unsupported, .message = "OpenCL does not check accesses"};
    if (!device_) {
      // PoCL reads this when it starts.
      if (options_.threads) setenv("POCL_MAX_PTHREAD_COUNT", std::to_string(options_.threads).c_str(), 1);
      auto device = OpenclDevice::open();
      if (!device) return failure(device.error());
      device_ = std::move(*device);
    }
    spec_ = spec;
    function_ = program.source;
    launched_ = false;
    double start = now_ms();
    auto kernel = device_->build(program.text.source, function_->name, program.text.options);
    if (!kernel) return failure(kernel.error());
    kernel_ = std::move(*kernel);
    compile_ms = now_ms() - start;
    return {.message = device_->name()};
  }

  EngineResult launch(KernelArguments& args) override {
    OpenclLaunch l{.dims = spec_.dims,
                   .global = spec_.global,
                   .local = spec_.local,
                   .offset = spec_.offset,
                   .arguments = {},
                   .buffers = {}};
    for (BufferArg& b : args.buffers) l.buffers.emplace_back(b.bytes.data(), b.bytes.size());
    const auto& params = function_->block(function_->entry()).params;
    for (const SourceParameter& whole : source_parameters(*function_)) {
      const size_t i = whole.first;
      const ArgumentValue& v = args.values[i];
      OpenclArgument a;
      if (whole.has_parts()) {
        a.value.resize(whole.size);
        for (size_t k = i; k < i + whole.count; ++k)
          std::memcpy(a.value.data() + part_offset(function_->params[k]), &args.values[k].bits,
                      function_->type(params[k]).bytes());
      } else if (v.buffer >= 0) {
        a.kind = OpenclArgument::Buffer;
        a.buffer = static_cast<size_t>(v.buffer);
      } else if (v.is_local) {
        a.kind = OpenclArgument::Local;
        a.local_bytes = v.bits;
      } else {
        a.value.resize(function_->type(params[i]).bytes());
        std::memcpy(a.value.data(), &v.bits, a.value.size());
      }
      l.arguments.push_back(std::move(a));
    }
    std::optional<CapturedOutput> output;
    if (param_with_role(*function_, ParamRole::Printf)) output.emplace();
    auto times = [&] {
      SignalsReported signals;
      return kernel_->launch(l);
    }();
    PrintedText printed;
    if (output) printed.text = output->take();
    if (!times) return failure(times.error());
    double ms = times->kernel_ms > 0 ? times->kernel_ms : times->wall_ms;
    // Implementations specialise a kernel for the local size when it is first launched.
    if (!launched_) compile_ms += times->wall_ms - ms;
    launched_ = true;
    return {.message = device_->name(), .printed = std::move(printed), .launch_ms = ms};
  }

 private:
  EngineOptions options_;
  LaunchSpec spec_;
  const Function* function_ = nullptr;
  std::optional<OpenclDevice> device_;
  std::optional<OpenclKernel> kernel_;
  bool launched_ = false;
};

}  // namespace

std::unique_ptr<Engine> make_opencl_engine(const EngineOptions& o) {
  return std::make_unique<OpenclEngine>(o);
}

}  // namespace kc
