// SPDX-License-Identifier: Apache-2.0
// kernelc for C++17: kernelc.h with owners, arguments of any type, and results in place of statuses. All of
// it is inline, so a program may be built with another compiler or standard than the library.
//
//   auto program = kernelc::program::from_text("kernel void twice(global float* v) { v[get_global_id(0)] *=
//   2; }"); if (!program) return complain(program.error().message()); auto kernel = program->kernel(); if
//   (!kernel) return complain(kernel.error().message()); std::vector<float> values(1000, 1.5f); if (auto done
//   = kernel->launch(kernelc::range(values.size()), values); !done)
//     return complain(done.error().message());
#ifndef KERNELC_KERNELC_HPP
#define KERNELC_KERNELC_HPP

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <variant>
#include <vector>

#include "kernelc.h"

namespace kernelc {

/// The trap of the lowest global id of a launch. The texts live as long as the kernel.
using trap = kc_trap;

/// Why something was not done. Move-only, as are the objects below.
class error {
 public:
  error(kc_status status, kc_error* raw) : status_(status), raw_(raw) {}
  kc_status status() const { return status_; }
  /// What is wrong and where; of a source, all diagnostics.
  std::string_view message() const { return kc_error_message(raw_.get()); }
  /// Of a launch in which work-items trapped, else null. What the other work-items wrote is there.
  const kernelc::trap* trap() const { return trap_ ? &*trap_ : nullptr; }
  void set_trap(const kernelc::trap& reported) { trap_ = reported; }

 private:
  struct free {
    void operator()(kc_error* e) const { kc_error_free(e); }
  };
  kc_status status_;
  std::unique_ptr<kc_error, free> raw_;
  std::optional<kernelc::trap> trap_;
};

/// A value or an error; asking for the one that is not there is a std::bad_variant_access.
template <typename T>
class [[nodiscard]] result {
 public:
  result(T value) : state_(std::in_place_index<0>, std::move(value)) {}
  result(kernelc::error e) : state_(std::in_place_index<1>, std::move(e)) {}
  explicit operator bool() const { return state_.index() == 0; }
  T& value() { return std::get<0>(state_); }
  const T& value() const { return std::get<0>(state_); }
  T& operator*() { return value(); }
  T* operator->() { return &value(); }
  const kernelc::error& error() const { return std::get<1>(state_); }

 private:
  std::variant<T, kernelc::error> state_;
};

template <>
class [[nodiscard]] result<void> {
 public:
  result() = default;
  result(kernelc::error e) : error_(std::move(e)) {}
  explicit operator bool() const { return !error_; }
  const kernelc::error& error() const { return error_.value(); }

 private:
  std::optional<kernelc::error> error_;
};

namespace detail {

template <typename T>
constexpr kc_type type_of() {
  if constexpr (std::is_same_v<T, bool>)
    return KC_BOOL;
  else if constexpr (std::is_same_v<T, float>)
    return KC_FLOAT;
  else if constexpr (std::is_same_v<T, double>)
    return KC_DOUBLE;
  else if constexpr (std::is_integral_v<T>)
    return static_cast<kc_type>((sizeof(T) == 1   ? KC_CHAR
                                 : sizeof(T) == 2 ? KC_SHORT
                                 : sizeof(T) == 4 ? KC_INT
                                                  : KC_LONG) +
                                (std::is_unsigned_v<T> ? 1 : 0));
  else
    return KC_UNTYPED;
}

}  // namespace detail

/// One argument of a launch: a number, a container of elements that lie side by side, or what the functions
/// below make. Buffers are not copied.
class argument {
 public:
  template <typename T, std::enable_if_t<std::is_arithmetic_v<T>, int> = 0>
  argument(T number) {
    if constexpr (std::is_floating_point_v<T>)
      raw_ = kc_double(static_cast<double>(number));
    else if constexpr (std::is_signed_v<T>)
      raw_ = kc_long(number);
    else
      raw_ = kc_ulong(number);
  }
  template <typename C, typename T = std::remove_pointer_t<decltype(std::data(std::declval<C&>()))>>
  argument(C& container) : argument(std::data(container), std::size(container)) {}
  template <typename T>
  argument(T* data, std::size_t count) {
    static_assert(std::is_trivially_copyable_v<T>, "elements are read and written as bytes");
    raw_ = kc_const_buffer(data, count * sizeof(T));
    if constexpr (!std::is_const_v<T>) raw_.kind = KC_ARGUMENT_BUFFER;
    raw_.type = detail::type_of<std::remove_cv_t<T>>();
  }
  explicit argument(const kc_argument& raw) : raw_(raw) {}
  const kc_argument& raw() const { return raw_; }

 private:
  kc_argument raw_;
};

/// The elements at this address.
template <typename T>
argument buffer(T* data, std::size_t count) {
  return argument(data, count);
}
/// A vector or structure, by value: as many bytes as the parameter has. It must live until the launch returns.
template <typename T>
argument value(const T& object) {
  static_assert(std::is_trivially_copyable_v<T>, "a structure is read as bytes");
  return argument(kc_bytes(&object, sizeof object));
}
/// Memory of each work-group, for a local pointer.
template <typename T = unsigned char>
argument local(std::size_t count) {
  return argument(kc_local(count * sizeof(T)));
}

/// Sizes in work-items: `range(width, height).local(16, 4).threads(2)`.
class range {
 public:
  explicit range(std::uint64_t x) : raw_(kc_range_1d(x)) {}
  range(std::uint64_t x, std::uint64_t y) : raw_(kc_range_2d(x, y)) {}
  range(std::uint64_t x, std::uint64_t y, std::uint64_t z) : raw_(kc_range_3d(x, y, z)) {}
  range& local(std::uint64_t x, std::uint64_t y = 1, std::uint64_t z = 1) { return set(raw_.local, x, y, z); }
  range& offset(std::uint64_t x, std::uint64_t y = 0, std::uint64_t z = 0) {
    return set(raw_.offset, x, y, z);
  }
  /// At most; 0: all cores.
  range& threads(std::uint32_t count) {
    raw_.threads = count;
    return *this;
  }
  const kc_range& raw() const { return raw_; }

 private:
  range& set(std::uint64_t (&to)[3], std::uint64_t x, std::uint64_t y, std::uint64_t z) {
    to[0] = x, to[1] = y, to[2] = z;
    return *this;
  }
  kc_range raw_;
};

struct parameter {
  std::string name;
  kc_parameter_kind kind = KC_PARAMETER_SCALAR;
  kc_type type = KC_UNTYPED;
  std::size_t element_size = 0;
  bool is_const = false, is_restrict = false, is_constant_memory = false;
};

class kernel {
 public:
  explicit kernel(kc_kernel* raw) : raw_(raw) {}
  const kc_kernel* raw() const { return raw_.get(); }

  kc_kernel_info info() const {
    kc_kernel_info info{};
    info.struct_size = sizeof info;
    kc_kernel_describe(raw(), &info);
    return info;
  }
  std::vector<parameter> parameters() const {
    std::vector<parameter> all;
    kc_parameter p{};
    p.struct_size = sizeof p;
    for (std::size_t i = 0; kc_kernel_parameter(raw(), i, &p) == KC_OK; ++i)
      all.push_back({p.name, p.kind, p.type, p.element_size, p.is_const != 0, p.is_restrict != 0,
                     p.is_constant_memory != 0});
    return all;
  }

  /// One argument for each parameter, in their order. Returns when all work-items have ended. May be called
  /// from several threads at a time.
  template <typename... Arguments>
  result<void> launch(const range& range, Arguments&&... arguments) const {
    const kc_argument raw[sizeof...(Arguments) + 1] = {argument(arguments).raw()..., kc_argument{}};
    return launch_raw(range.raw(), raw, sizeof...(Arguments));
  }
  /// As many arguments as are found at run time.
  result<void> launch_list(const range& range, const std::vector<argument>& arguments) const {
    std::vector<kc_argument> raw;
    for (const argument& a : arguments) raw.push_back(a.raw());
    return launch_raw(range.raw(), raw.data(), raw.size());
  }
  /// Compiles for such launches now.
  result<void> prepare(const range& range) const {
    kc_error* e = nullptr;
    kc_status status = kc_prepare(raw(), &range.raw(), &e);
    if (status == KC_OK) return {};
    return error(status, e);
  }

 private:
  result<void> launch_raw(const kc_range& range, const kc_argument* arguments, std::size_t count) const {
    kc_error* e = nullptr;
    kernelc::trap reported;
    kc_trap_init(&reported);
    kc_status status = kc_launch(raw(), &range, arguments, count, &reported, &e);
    if (status == KC_OK) return {};
    error failed(status, e);
    if (status == KC_TRAPPED) failed.set_trap(reported);
    return failed;
  }
  struct free {
    void operator()(kc_kernel* k) const { kc_kernel_free(k); }
  };
  std::unique_ptr<kc_kernel, free> raw_;
};

/// How a source is compiled.
struct compile_options {
  std::string file;                                // how diagnostics name a text
  std::vector<std::string> defines, include_dirs;  // NAME or NAME=VALUE; folders
  std::vector<std::string> warnings;               // as options -W without the "-W"
  bool no_warnings = false, no_contraction = false, color = false;
};

struct kernel_options {
  std::string name;            // empty: the only kernel
  std::string target = "cpu";  // or another of kc_kernel_options
  std::uint32_t width = 0;
  bool no_optimisation = false, check_bounds = false;
  std::uint64_t max_steps = 0;
  kc_print print = nullptr;  // of a kernel that calls printf; null: to the standard output
  void* print_user = nullptr;
  std::uint64_t printf_bytes = 0;  // room for what a launch prints; 0: 1 MiB
};

class program {
 public:
  explicit program(kc_program* raw) : raw_(raw) {}
  const kc_program* raw() const { return raw_.get(); }

  static result<program> from_text(std::string_view text, const compile_options& options = {}) {
    return load(text.empty() ? "" : text.data(), text.size(), options.file, options);
  }
  static result<program> from_file(const std::string& path, const compile_options& options = {}) {
    return load(nullptr, 0, path, options);
  }
  /// Warnings, rendered.
  std::string_view diagnostics() const { return kc_program_diagnostics(raw()); }
  std::vector<std::string> kernel_names() const {
    std::vector<std::string> names;
    for (std::size_t i = 0; i < kc_program_kernel_count(raw()); ++i)
      names.emplace_back(kc_program_kernel_name(raw(), i));
    return names;
  }
  result<kernelc::kernel> kernel(const kernel_options& options = {}) const {
    kc_kernel_options o;
    kc_kernel_options_init(&o);
    o.name = options.name.empty() ? nullptr : options.name.c_str();
    o.target = options.target.c_str();
    o.width = options.width;
    o.no_optimisation = options.no_optimisation;
    o.check_bounds = options.check_bounds;
    o.max_steps = options.max_steps;
    o.print = options.print;
    o.print_user = options.print_user;
    o.printf_bytes = options.printf_bytes;
    kc_kernel* kernel = nullptr;
    kc_error* e = nullptr;
    kc_status status = kc_kernel_create(raw(), &o, &kernel, &e);
    if (status == KC_OK) return kernelc::kernel(kernel);
    return error(status, e);
  }

 private:
  static result<program> load(const char* text, std::size_t length, const std::string& file,
                              const compile_options& options) {
    auto pointers = [](const std::vector<std::string>& strings) {
      std::vector<const char*> list;
      for (const std::string& s : strings) list.push_back(s.c_str());
      return list;
    };
    const std::vector<const char*> defines = pointers(options.defines),
                                   folders = pointers(options.include_dirs),
                                   warnings = pointers(options.warnings);
    kc_source source;
    kc_source_init(&source);
    source.text = text, source.length = length;
    source.file = file.empty() ? nullptr : file.c_str();
    source.defines = defines.data(), source.define_count = defines.size();
    source.include_dirs = folders.data(), source.include_dir_count = folders.size();
    source.warnings = warnings.data(), source.warning_count = warnings.size();
    source.no_warnings = options.no_warnings;
    source.no_contraction = options.no_contraction;
    source.color = options.color;
    kc_program* program = nullptr;
    kc_error* e = nullptr;
    kc_status status = kc_program_load(&source, &program, &e);
    if (status == KC_OK) return kernelc::program(program);
    return error(status, e);
  }
  struct free {
    void operator()(kc_program* p) const { kc_program_free(p); }
  };
  std::unique_ptr<kc_program, free> raw_;
};

inline std::string_view version() { return kc_version(); }

}  // namespace kernelc

#endif
