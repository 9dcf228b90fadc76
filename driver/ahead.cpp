// SPDX-License-Identifier: Apache-2.0
#include "driver/ahead.h"

#include <fmt/format.h>

#ifdef __GLIBC__
#include <malloc.h>
#endif

#include <algorithm>
#include <condition_variable>
#include <exception>
#include <filesystem>
#include <iterator>
#include <mutex>
#include <optional>
#include <system_error>
#include <thread>

#include "backends/x64/object.h"
#include "driver/compiler.h"
#include "driver/program.h"
#include "driver/targets.h"
#include "host/cpu_code.h"
#include "ir/launch.h"
#include "ir/parameters.h"
#include "ir/text.h"

namespace kc {
namespace {

constexpr std::string_view kLaunchText =
#include "launch_text.inc"
    ;

// One kernel, for one or both instruction sets.
struct Compiled {
  std::unique_ptr<Function> thread;  // with its hidden parameters, without its code
  std::optional<X64Code> code[2];    // AVX2, AVX-512
  std::string forms[2];              // what they are made for, in words
  uint64_t private_bytes = 0;
  std::vector<uint8_t> constants;
};
constexpr std::string_view kSets[] = {"avx2", "avx512"};

std::expected<X64Code, DriverError> compile_set(Compiled& k, KernelCompiler kernel, const Options& o,
                                                size_t set) {
  auto compiler = CpuCompiler::create(std::move(kernel), *find_target(kSets[set]), o.width);
  if (!compiler) return std::unexpected(driver_error(compiler.error()));
  auto form = ahead_form(*k.thread, *compiler, o);
  if (!form) return std::unexpected(form.error());
  auto code = std::move(*compiler).compile_last(*form);
  if (!code) return std::unexpected(driver_error(code.error()));
  k.private_bytes = std::max(k.private_bytes, code->private_bytes);
  k.forms[set] = describe(*form);
  if (o.resource_usage)
    print_resources(fmt::format("{} for {}", k.thread->name, kSets[set]),
                    resources_of(code->machine, form->width));
  return std::move(code->machine);
}

// What the header says of a kernel. The code of many kernels would take more memory than the compiler.
std::unique_ptr<Function> without_code(const Function& kernel) {
  auto f = std::make_unique<Function>();
  f->name = kernel.name;
  f->reqd_local = kernel.reqd_local;
  f->reqd_sub_group = kernel.reqd_sub_group;
  f->params = kernel.params;
  f->objects = kernel.objects, f->traps = kernel.traps, f->files = kernel.files;
  Builder b(*f);
  b.block = f->add_block();
  for (ValueId p : kernel.block(kernel.entry()).params) f->add_param(b.block, kernel.type(p));
  b.ret();
  return f;
}

// --- the header

std::string c_string(std::string_view text) {
  std::string r = "\"";
  for (char c : text) {
    if (c == '"' || c == '\\') r += '\\';
    if (static_cast<unsigned char>(c) < 32) c = ' ';
    r += c;
  }
  return r + "\"";
}

// A name that C++ can take, too.
std::string c_name(const std::string& name) {
  static constexpr std::string_view taken[] = {"alignas",
                                               "alignof",
                                               "and",
                                               "and_eq",
                                               "asm",
                                               "bitand",
                                               "bitor",
                                               "bool",
                                               "catch",
                                               "char16_t",
                                               "char32_t",
                                               "char8_t",
                                               "class",
                                               "co_await",
                                               "co_return",
                                               "co_yield",
                                               "compl",
                                               "concept",
                                               "const_cast",
                                               "consteval",
                                               "constexpr",
                                               "constinit",
                                               "decltype",
                                               "delete",
                                               "dynamic_cast",
                                               "explicit",
                                               "export",
                                               "false",
                                               "friend",
                                               "linux",
                                               "mutable",
                                               "namespace",
                                               "new",
                                               "noexcept",
                                               "not",
                                               "not_eq",
                                               "nullptr",
                                               "operator",
                                               "or",
                                               "or_eq",
                                               "private",
                                               "protected",
                                               "public",
                                               "reinterpret_cast",
                                               "requires",
                                               "static_assert",
                                               "static_cast",
                                               "template",
                                               "this",
                                               "thread_local",
                                               "throw",
                                               "true",
                                               "try",
                                               "typeid",
                                               "typename",
                                               "typeof",
                                               "unix",
                                               "using",
                                               "virtual",
                                               "wchar_t",
                                               "xor",
                                               "xor_eq",
                                               "range",
                                               "trap",
                                               "args",
                                               "kernel",
                                               "sites",
                                               "local_memory",
                                               "memcpy",
                                               "int8_t",
                                               "uint8_t",
                                               "int16_t",
                                               "uint16_t",
                                               "int32_t",
                                               "uint32_t",
                                               "int64_t",
                                               "uint64_t",
                                               "uintptr_t",
                                               "kernelc_launch"};
  return std::ranges::find(taken, name) == std::end(taken) ? name : name + "_";
}

std::string_view c_type(Elem e, bool is_unsigned) {
  switch (e) {
    case Elem::I1:
      return "uint8_t";
    case Elem::I8:
      return is_unsigned ? "uint8_t" : "int8_t";
    case Elem::I16:
      return is_unsigned ? "uint16_t" : "int16_t";
    case Elem::I32:
      return is_unsigned ? "uint32_t" : "int32_t";
    case Elem::I64:
      return is_unsigned ? "uint64_t" : "int64_t";
    case Elem::F32:
      return "float";
    case Elem::F64:
      return "double";
    default:
      return "void";
  }
}

std::string declaration(const ParamInfo& p, Type type) {
  std::string name = c_name(p.name);
  if (type.elem == Elem::PtrLocal) return fmt::format("size_t {}_bytes", name);
  if (type.is_pointer())
    return fmt::format("{}{}* {}", p.is_const ? "const " : "", c_type(p.pointee, p.is_unsigned), name);
  return fmt::format("{} {}", c_type(type.elem, p.is_unsigned), name);
}

// How one parameter comes into its slot.
std::string assignment(const Compiled& k, size_t i, const ParamInfo& p, Type type) {
  if (p.role == ParamRole::Constants)
    return fmt::format("  args[{}] = (uint64_t)(uintptr_t)kernelc_{}_constants;\n", i, k.thread->name);
  if (p.hidden()) return {};
  std::string name = c_name(p.name);
  if (type.elem == Elem::PtrLocal)
    return fmt::format(
        "  local_memory = (local_memory < {0} ? 128 : (local_memory + 127) / 128 * 128);\n"
        "  args[{1}] = local_memory;\n  local_memory += {2}_bytes < 0x20000000 ? {2}_bytes : 0x20000000;\n",
        kFirstOffset, i, name);
  if (type.is_pointer()) return fmt::format("  args[{}] = (uint64_t)(uintptr_t){};\n", i, name);
  return fmt::format("  memcpy(&args[{}], &{}, sizeof {});\n", i, name, name);
}

std::string part_assignment(const Function& f, size_t i, const SourceParameter& whole) {
  return fmt::format("  memcpy(&args[{}], (const char*){} + {}, {});\n", i, c_name(std::string(whole.name)),
                     part_offset(f.params[i]), f.type(f.block(f.entry()).params[i]).bytes());
}

std::string image(const Compiled& k, size_t set) {
  if (!k.code[set]) return "{NULL, 0, 0, 0, 0}";
  const CpuImage& m = k.code[set]->image;
  return fmt::format("{{kernelc_{}_{}, {}, {}, {:d}, {:d}}}", k.thread->name, kSets[set], m.width,
                     m.frame_bytes, m.packed, m.whole_groups);
}

std::string wrapper(const Compiled& k) {
  const Function& f = *k.thread;
  const auto& values = f.block(f.entry()).params;
  const CpuImage& any = (k.code[0] ? k.code[0] : k.code[1])->image;
  std::string declared, set;
  const auto traps = param_with_role(f, ParamRole::Traps);
  const int trap_slot = traps ? static_cast<int>(*traps) : -1;
  for (size_t i = 0; i < f.params.size();) {
    const ParamInfo& p = f.params[i];
    SourceParameter whole = source_parameter(f, i);
    if (whole.has_parts())
      declared += fmt::format("const void* {} /* {} bytes */, ", c_name(std::string(whole.name)), whole.size);
    else if (!p.hidden())
      declared += declaration(p, f.type(values[i])) + ", ";
    for (; whole.count > 0; --whole.count, ++i)
      set +=
          whole.has_parts() ? part_assignment(f, i, whole) : assignment(k, i, f.params[i], f.type(values[i]));
  }
  std::string sites;
  for (const TrapSite& s : f.traps)
    sites += fmt::format("      {{{}, {}, {}, {}, {}}},\n", c_string(trap_name(s.kind)), c_string(s.type),
                         s.loc.file ? c_string(file_of(f, s.loc, "")) : "NULL", s.loc.line, s.loc.column);
  std::string text;
  auto out = std::back_inserter(text);
  for (size_t i = 0; i < 2; ++i)
    if (k.code[i]) fmt::format_to(out, "extern void kernelc_{}_{}(kernelc_wave*);\n", f.name, kSets[i]);
  if (!k.constants.empty())
    fmt::format_to(out, "extern const unsigned char kernelc_{}_constants[];\n", f.name);
  fmt::format_to(out, "static inline int {}(const kernelc_range* range, {}kernelc_trap* trap) {{\n",
                 c_name(f.name), declared);
  fmt::format_to(out, "  static const kernelc_site sites[] = {{\n{}      {{NULL, NULL, NULL, 0, 0}}}};\n",
                 sites);
  fmt::format_to(
      out,
      "  static const kernelc_kernel kernel = {{\n      {}, {}, {}, {:d}, {:d}, {{{}, {}, {}}}, sites}};\n",
      image(k, 0), image(k, 1), k.private_bytes, any.uses_groups, any.has_barriers, f.reqd_local[0],
      f.reqd_local[1], f.reqd_local[2]);
  fmt::format_to(out, "  uint64_t args[{}] = {{0}}, local_memory = {};\n",
                 std::max<size_t>(1, f.params.size()), lay_out_objects(f, kPtrLocal).size);
  fmt::format_to(out, "{}  return kernelc_launch(&kernel, range, args, {}, local_memory, trap);\n}}\n", set,
                 trap_slot);
  return text;
}

std::string header(const std::vector<Compiled>& kernels, const Options& o) {
  // Names of kernels differ within a program; those of files may not.
  std::string stem = std::filesystem::path(o.file == "-" ? "kernels" : o.file).filename().string(), guard;
  for (const Compiled& k : kernels) guard += "_" + k.thread->name;
  std::string text = fmt::format(
      "/* Written by kernelc from {0}. Each kernel is a function: where it runs, its parameters (for a local "
      "pointer\n"
      " * the bytes it points to, for a vector or structure the address of its bytes), and where a report "
      "of\n"
      " * trapped work-items goes, or NULL. */\n"
      "#ifndef KERNELC{1}_H\n#define KERNELC{1}_H\n\n{2}\n"
      "#ifdef __cplusplus\nextern \"C\" {{\n#endif\n",
      stem, guard, kLaunchText);
  for (const Compiled& k : kernels) {
    text += "\n";
    for (const std::string& form : k.forms)
      if (!form.empty()) text += fmt::format("/* {}: {} */\n", k.thread->name, form);
    text += wrapper(k);
  }
  return text + "\n#ifdef __cplusplus\n}\n#endif\n#endif\n";
}

std::expected<std::string, DriverError> object(const std::vector<Compiled>& kernels) {
  std::vector<ObjectPart> parts;
  for (const Compiled& k : kernels) {
    for (size_t i = 0; i < 2; ++i)
      if (k.code[i])
        parts.push_back({fmt::format("kernelc_{}_{}", k.thread->name, kSets[i]), k.code[i]->image.code});
    if (!k.constants.empty())
      parts.push_back({fmt::format("kernelc_{}_constants", k.thread->name), k.constants, false});
  }
  auto bytes = write_object(parts);
  if (!bytes) return std::unexpected(DriverError{ExitInternal, bytes.error()});
  return std::move(*bytes);
}

}  // namespace

std::expected<CpuForm, DriverError> ahead_form(const Function& kernel, const CpuCompiler& compiler,
                                               const Options& o) {
  // The buffers of launches to come may be large. Groups are those of the kernel, if it says which.
  LaunchSpec launch{.small_buffers = false};
  if (o.dims) {
    auto given = make_launch(kernel, o);
    if (!given) return std::unexpected(given.error());
    launch = *given;
    launch.small_buffers = false;
  } else if (const auto& required = kernel.reqd_local; required[0]) {
    for (size_t d = 0; d < 3; ++d) launch.global[d] = launch.local[d] = required[d];
  } else {
    return compiler.choice().any_form();
  }
  CpuForm form = compiler.choice().untransposed_form(launch);
  // Packed waves and tiles are right for groups and grids of that shape alone.
  const bool shape_is_sure = kernel.reqd_local[0] != 0 && !o.dims;
  if (form.layout.packed && !shape_is_sure) return compiler.choice().any_form();
  // Callers may choose other groups than those that this compilation was told of.
  if (kernel.reqd_local[0] == 0) form.groups = {};
  return form;
}

namespace {

bool makes_set(std::span<const std::string> targets, size_t set) {
  return std::ranges::any_of(targets, [&](const std::string& t) { return t == "cpu" || t == kSets[set]; });
}

std::vector<const TargetDesc*> machines_of(std::span<const std::string> targets) {
  std::vector<const TargetDesc*> machines;
  for (size_t i = 0; i < 2; ++i)
    if (makes_set(targets, i)) machines.push_back(find_target(kSets[i]));
  return machines;
}

std::expected<Compiled, DriverError> compile_kernel(std::unique_ptr<Function> kernel,
                                                    std::span<const std::string> targets, const Options& o) {
  std::vector<PassTime> times;
  const std::string name = kernel->name;
  CompileOptions options = compile_options(o, o.time_passes ? &times : nullptr);
  if (!o.width) options.one_lane = one_lane_on(machines_of(targets));
  auto compiler = KernelCompiler::start(std::move(kernel), std::move(options));
  if (!compiler) return std::unexpected(driver_error(compiler.error()));
  // The passes that follow change neither parameters nor objects.
  Compiled k{.thread = without_code(compiler->shared()), .code = {}, .constants = {}};
  if (param_with_role(*k.thread, ParamRole::BufferSize))
    return std::unexpected(DriverError{
        ExitSource,
        fmt::format("kernel '{}' checks bounds: nothing tells an object how large its buffers are", name)});
  if (param_with_role(*k.thread, ParamRole::Printf))
    return std::unexpected(DriverError{
        ExitSource, fmt::format("kernel '{}' calls printf: an object has nowhere to put messages", name)});
  if (param_with_role(*k.thread, ParamRole::Constants)) k.constants = constant_bytes(*k.thread);
  const size_t last = makes_set(targets, 1) ? 1 : 0;
  for (size_t i = 0; i < 2; ++i) {
    if (!makes_set(targets, i)) continue;
    auto code = compile_set(k, i == last ? std::move(*compiler) : *compiler, o, i);
    if (!code) return std::unexpected(code.error());
    k.code[i] = std::move(*code);
  }
  print_times(o, times);
  return k;
}

// Whether compiling a kernel writes anything but its code: that is to come in the order of the kernels.
bool speaks(const Options& o) {
  return o.remarks || o.time_passes || o.resource_usage || !o.passes.empty() || !o.print_after.empty() ||
         o.print_changes || !o.stop_after.empty() || !o.dump_dir.empty();
}

// What is compiled at the same time has no more instructions than this, unless it is a single kernel: each
// takes about 500 bytes of memory on its way.
constexpr size_t kMostAtOnce = 400'000;

// The kernels by their place, each compiled as soon as there is a thread and memory for it.
class KernelQueue {
 public:
  using Results = std::vector<std::expected<Compiled, DriverError>>;

  KernelQueue(std::vector<std::unique_ptr<Function>> kernels, std::span<const std::string> targets,
              const Options& o)
      : kernels_(std::move(kernels)), targets_(targets), o_(o), results_(kernels_.size()) {}

  /// Those behind a kernel that failed may be missing.
  Results run() && {
    size_t threads = speaks(o_) ? 1 : std::max(1u, std::thread::hardware_concurrency());
    threads = std::min(threads, kernels_.size());
#ifdef __GLIBC__
    // What one thread frees, such as the kernel it was given, another one can use: a fifth less memory.
    if (threads > 1) ::mallopt(M_ARENA_MAX, 1);
#endif
    {
      std::vector<std::jthread> others;
      try {
        for (size_t t = 1; t < threads; ++t) others.emplace_back([this] { work(); });
      } catch (const std::system_error&) {  // there are as many as there can be
      }
      work();
    }
    if (thrown_) std::rethrow_exception(thrown_);
    return std::move(results_);
  }

 private:
  void work() {
    try {
      compile();
    } catch (...) {
      std::lock_guard lock(mutex_);
      if (!thrown_) thrown_ = std::current_exception();
      failed_ = true;
      done_.notify_all();
    }
  }
  void compile() {
    std::unique_lock lock(mutex_);
    while (next_ < kernels_.size() && !failed_) {
      const size_t instructions = instruction_count(*kernels_[next_]);
      if (at_once_ && at_once_ + instructions > kMostAtOnce) {
        done_.wait(lock);
        continue;
      }
      const size_t k = next_++;
      at_once_ += instructions;
      lock.unlock();
      auto made = compile_kernel(std::move(kernels_[k]), targets_, o_);
      lock.lock();
      at_once_ -= instructions;
      failed_ |= !made;
      results_[k] = std::move(made);
      done_.notify_all();
    }
  }

  std::vector<std::unique_ptr<Function>> kernels_;
  std::span<const std::string> targets_;
  const Options& o_;
  Results results_;
  std::mutex mutex_;
  std::condition_variable done_;
  size_t next_ = 0, at_once_ = 0;
  bool failed_ = false;
  std::exception_ptr thrown_;
};

}  // namespace

std::expected<Ahead, DriverError> compile_ahead(std::vector<std::unique_ptr<Function>> kernels,
                                                std::span<const std::string> targets, const Options& o) {
  std::vector<Compiled> compiled;
  for (auto& made : KernelQueue(std::move(kernels), targets, o).run()) {
    if (!made) return std::unexpected(made.error());
    compiled.push_back(std::move(*made));
  }
  auto bytes = object(compiled);
  if (!bytes) return std::unexpected(bytes.error());
  return Ahead{std::move(*bytes), header(compiled, o)};
}

}  // namespace kc
