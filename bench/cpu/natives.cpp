// SPDX-License-Identifier: Apache-2.0
#include "cpu/natives.h"

#include <dlfcn.h>
#include <fmt/format.h>

#include <ctime>
#include <fstream>

#include "ir/process.h"

namespace kc::bench {
namespace {

// What both kinds of shared objects export: bits of arguments or addresses of buffers; global and local size.
using Entry = void (*)(const uint64_t* arguments, const uint64_t* sizes);
constexpr std::string_view kEntry = "kc_launch";

// The processor time of this thread, which other work of the machine does not lengthen.
double thread_ms() {
  timespec t{};
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &t);
  return static_cast<double>(t.tv_sec) * 1e3 + static_cast<double>(t.tv_nsec) * 1e-6;
}

auto failed(std::string message) { return std::unexpected(std::move(message)); }

std::string first_line(const std::string& text) {
  // Compilers may begin with a warning.
  size_t at = text.find("rror:");
  at = at == std::string::npos ? 0 : text.rfind('\n', at) + 1;
  return text.substr(at, text.find('\n', at) - at);
}

std::expected<void, std::string> command(const std::vector<std::string>& argv) {
  auto done = run_tool(argv, {.seconds = 120});
  if (!done) return failed(done.error().absent ? argv[0] + " is not installed" : done.error().message);
  if (done->exit_code != 0) return failed(first_line(done->err.empty() ? done->out : done->err));
  return {};
}

struct Parameter {
  std::string type;   // of C, of the value or of what it points to
  std::string space;  // of a pointer
  bool is_pointer = false, is_local = false;
};

std::vector<Parameter> parameters(const Session& s, const std::vector<std::string_view>& names) {
  std::vector<Parameter> all;
  const Function& f = *s.kernel;
  const auto& values = f.block(f.entry()).params;
  for (size_t i = 0; i < f.params.size(); ++i) {
    if (f.params[i].hidden()) continue;
    const Type type = f.type(values[i]);
    Parameter p{.space = type.elem == Elem::PtrConstant ? "constant"
                         : type.elem == Elem::PtrLocal  ? "local"
                                                        : "global",
                .is_pointer = s.inputs.values[i].buffer >= 0 || s.inputs.values[i].is_local,
                .is_local = s.inputs.values[i].is_local};
    const Elem elem = p.is_pointer ? f.params[i].pointee : type.elem;
    const std::string name(names[static_cast<size_t>(elem)]);
    const bool is_whole = elem >= Elem::I8 && elem <= Elem::I64;
    p.type = (is_whole && f.params[i].is_unsigned ? "u" : "") + name;
    all.push_back(std::move(p));
  }
  return all;
}

// Names of element types in OpenCL C and in C++; "u" stands before unsigned ones.
std::vector<std::string_view> names_of(bool opencl) {
  std::vector<std::string_view> names(32, "char");
  auto set = [&](Elem e, std::string_view c, std::string_view cpp) {
    names[static_cast<size_t>(e)] = opencl ? c : cpp;
  };
  set(Elem::I8, "char", "int8_t");
  set(Elem::I16, "short", "int16_t");
  set(Elem::I32, "int", "int32_t");
  set(Elem::I64, "long", "int64_t");
  set(Elem::F32, "float", "float");
  set(Elem::F64, "double", "double");
  return names;
}

bool write_text(const std::string& path, const std::string& text) {
  std::ofstream out(path);
  out << text;
  return out.good();
}

// A C++ function that takes the arguments out of their array.
std::string ispc_shim(const Session& session, const std::string& function) {
  std::string types, values;
  const auto all = parameters(session, names_of(false));
  for (size_t i = 0; i < all.size(); ++i) {
    if (all[i].is_local) continue;
    if (!all[i].is_pointer) {
      types += all[i].type + ", ";
      values += fmt::format("value<{}>(a[{}]), ", all[i].type, i);
    } else {
      types += "void*, ";
      values += fmt::format("reinterpret_cast<void*>(a[{}]), ", i);
    }
  }
  return fmt::format(
      "#include <cstdint>\n#include <cstring>\n"
      "template <typename T> static T value(uint64_t bits) {{ T v; std::memcpy(&v, &bits, sizeof v); return "
      "v; }}\n"
      "extern \"C\" void {0}({1}int, int, int);\n"
      "extern \"C\" void {2}(const uint64_t* a, const uint64_t* s) {{ {0}({3}s[0], s[1], s[2]); }}\n",
      function, types, kEntry, values);
}

// The kernel in OpenCL C as clang takes it, and a loop over all work-items.
std::string serial_program(const Session& session, const Row& row) {
  std::string before, values;
  const auto all = parameters(session, names_of(true));
  for (size_t i = 0; i < all.size(); ++i) {
    if (i) values += ", ";
    if (all[i].is_local) {
      before +=
          fmt::format("static global ulong kc_local_{}[{}];\n", i, session.inputs.values[i].bits / 8 + 1);
      values += fmt::format("(local void*)(ulong)kc_local_{}", i);
    } else if (all[i].is_pointer) {
      values += fmt::format("({} void*)a[{}]", all[i].space, i);
    } else {
      values += fmt::format("*(const {}*)&a[{}]", all[i].type, i);
    }
  }
  return fmt::format(
      "#include \"{}\"\n{}"
      "void {}(const ulong* a, const ulong* s) {{\n"
      "  for (int d = 0; d < 3; d++) kc_global_size[d] = s[d], kc_local_size[d] = s[3 + d];\n"
      "  for (size_t z = 0; z < s[2]; z++)\n    for (size_t y = 0; y < s[1]; y++)\n"
      "      for (size_t x = 0; x < s[0]; x++) {{\n"
      "        kc_id_0 = x, kc_id_1 = y, kc_id_2 = z;\n        {}({});\n      }}\n}}\n",
      row.cl, before, kEntry, session.kernel->name, values);
}

}  // namespace

Native::~Native() { dlclose(library_); }

double Native::launch(KernelArguments& args, const LaunchSpec& spec) const {
  std::vector<uint64_t> bits;
  for (size_t i = 0; i < kernel_.params.size(); ++i) {
    if (kernel_.params[i].hidden()) continue;
    const ArgumentValue& v = args.values[i];
    bits.push_back(
        v.buffer < 0 ? v.bits
                     : reinterpret_cast<uint64_t>(args.buffers[static_cast<size_t>(v.buffer)].bytes.data()));
  }
  const std::array<uint64_t, 6> sizes{spec.global[0], spec.global[1], spec.global[2],
                                      spec.local[0],  spec.local[1],  spec.local[2]};
  const double start = thread_ms();
  reinterpret_cast<Entry>(entry_)(bits.data(), sizes.data());
  return thread_ms() - start;
}

NativeResult load_native(const Session& session, const std::string& path) {
  void* library = dlopen(path.c_str(), RTLD_NOW | RTLD_LOCAL);
  if (!library) return failed(dlerror());
  void* entry = dlsym(library, std::string(kEntry).c_str());
  if (!entry) return failed("the shared object has no entry");
  return std::unique_ptr<Native>(new Native(library, entry, *session.kernel));
}

NativeResult build_ispc(const Session& session, const Row& row, const std::string& function,
                        const std::string& target, const std::string& work) {
  const std::string stem = fmt::format("{}/{}.{}", work, function, target), object = stem + ".ispc.o",
                    shim = stem + ".cpp", shared = stem + ".ispc.so";
  if (auto done = command({"ispc", "--target=" + target, "-O3", "--pic", "--woff", row.ispc, "-o", object});
      !done)
    return failed(done.error());
  if (!write_text(shim, ispc_shim(session, function))) return failed("cannot write " + shim);
  if (auto done = command({"c++", "-O1", "-shared", "-fPIC", "-Wl,-Bsymbolic", shim, object, "-o", shared});
      !done)
    return failed(done.error());
  return load_native(session, shared);
}

NativeResult build_serial(const Session& session, const Row& row, const std::string& prelude,
                          const std::string& work) {
  const std::string stem = fmt::format("{}/{}.serial", work, row.name), source = stem + ".cl",
                    shared = stem + ".so";
  if (!write_text(source, serial_program(session, row))) return failed("cannot write " + source);
  std::vector<std::string> line{"clang-19", "-x",      "cl", "-cl-std=CL2.0", "-O3",  "-march=native",
                                "-fPIC",    "-shared", "-w", "-include",      prelude};
  for (const std::string& word : row.launch)
    if (word.starts_with("-D")) line.push_back(word);
  line.insert(line.end(), {source, "-o", shared, "-x", "none", "-lm"});
  if (auto done = command(line); !done) return failed(done.error());
  return load_native(session, shared);
}

bool exports(const Row& row, const std::string& function) {
  auto text = read_file(row.ispc);
  return text && text->find(fmt::format("export void {}(", function)) != std::string::npos;
}

}  // namespace kc::bench
