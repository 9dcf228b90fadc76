// SPDX-License-Identifier: Apache-2.0
// Rules about the sources: permitted includes, folders restricted to the standard library and {fmt}, the
// licence line, and file sizes.
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <catch2/catch.hpp>
#include <filesystem>
#include <fstream>
#include <map>
#include <regex>
#include <set>
#include <string>
#include <vector>

namespace {

namespace fs = std::filesystem;

struct Include {
  std::string file;  // relative to the repository
  std::string name;
  bool system = false;  // <...>
  size_t line = 0;
};

/// The permitted includes of one folder, besides itself. `system` lists prefixes of headers beyond the
/// standard library and {fmt}; "*" is any.
struct FolderRule {
  std::string folder;
  std::vector<std::string> folders;
  std::vector<std::string> system;
};

const std::vector<FolderRule>& rules() {
  static const std::vector<FolderRule> table{
      {"ir/json", {"ir"}, {"nlohmann/"}},
      // The opcode table includes the rows of all machines.
      {"ir", {"backends/x64/isa", "backends/gcn/isa"}, {}},
      {"prelude", {}, {}},
      {"frontend", {"ir", "prelude"}, {}},
      // A proof shares nothing with what it proves.
      {"proof", {"ir"}, {}},
      // An analysis changes nothing, so it includes no transformation.
      {"passes/analysis", {"passes/ir_util.h", "ir"}, {}},
      {"passes", {"ir"}, {}},
      // The descriptions of machines know nothing of the back ends that they lie in; emulators read them,
      // too.
      {"backends/gcn/isa", {"ir"}, {}},
      {"backends/x64/isa", {"ir"}, {}},
      {"sim", {"ir", "backends/gcn/isa"}, {}},
      {"fuzz", {}, {}},
      {"backends/regalloc", {"passes", "ir"}, {}},
      {"backends/structured", {"passes", "ir"}, {}},
      {"backends/spirv", {"passes", "ir", "backends/structured", "runtime/image.h"}, {"spirv/"}},
      {"backends/gcn", {"passes", "ir", "backends/regalloc", "runtime/image.h"}, {}},
      {"backends/x64",
       {"passes", "ir", "backends/regalloc", "runtime/image.h"},
       {"asmjit/", "elf.h", "libelf.h"}},
      {"runtime/cache", {}, {"*"}},
      {"runtime/cpu", {"runtime/image.h"}, {"*"}},
      {"runtime/vulkan", {"runtime/cache", "runtime/device_error.h", "runtime/image.h"}, {"*"}},
      {"runtime/opencl", {"runtime/device_error.h"}, {"*"}},
      {"runtime/hip", {"runtime/device_error.h"}, {"*"}},
      {"runtime/image.h", {}, {}},
      {"runtime/device_error.h", {}, {}},
      {"host",
       {"frontend", "passes", "ir", "sim", "backends/x64", "backends/gcn", "backends/spirv", "runtime/cache",
        "runtime/cpu", "runtime/hip", "runtime/vulkan", "runtime/device_error.h", "runtime/image.h"},
       {"nlohmann/"}},
      {"api/include", {}, {"stddef.h", "stdint.h", "string.h"}},
      {"api/shared", {}, {"asmjit/"}},
      {"api",
       {"host", "runtime/cpu/cpu.h", "sim/interpreter/thread_interpreter.h", "backends/gcn/isa", "frontend",
        "ir"},
       {}},
      {"opencl",
       {"api", "host", "frontend", "ir", "runtime/cache", "runtime/cpu/cpu.h"},
       {"CL/", "unistd.h"}},
      {"driver", {"host", "frontend", "passes", "proof", "ir", "sim", "fuzz", "backends", "runtime"}, {"*"}},
  };
  return table;
}

/// Files that use the operating system in a folder that otherwise does not.
constexpr std::array<std::string_view, 2> kSystemFiles{
    "ir/process.cpp",           // starts the assembler, the linker and passes
    "host/printf_decode.cpp"};  // formats numbers in its thread's C locale

constexpr std::array<std::string_view, 85> kStandardHeaders{"algorithm",
                                                            "any",
                                                            "array",
                                                            "atomic",
                                                            "bit",
                                                            "bitset",
                                                            "cassert",
                                                            "cctype",
                                                            "cerrno",
                                                            "cfenv",
                                                            "cfloat",
                                                            "charconv",
                                                            "chrono",
                                                            "cinttypes",
                                                            "climits",
                                                            "cmath",
                                                            "compare",
                                                            "complex",
                                                            "concepts",
                                                            "condition_variable",
                                                            "coroutine",
                                                            "csignal",
                                                            "cstdarg",
                                                            "cstddef",
                                                            "cstdint",
                                                            "cstdio",
                                                            "cstdlib",
                                                            "cstring",
                                                            "ctime",
                                                            "cwchar",
                                                            "deque",
                                                            "exception",
                                                            "expected",
                                                            "filesystem",
                                                            "forward_list",
                                                            "fstream",
                                                            "functional",
                                                            "future",
                                                            "initializer_list",
                                                            "iomanip",
                                                            "ios",
                                                            "iosfwd",
                                                            "iostream",
                                                            "istream",
                                                            "iterator",
                                                            "latch",
                                                            "limits",
                                                            "list",
                                                            "locale",
                                                            "map",
                                                            "memory",
                                                            "memory_resource",
                                                            "mutex",
                                                            "new",
                                                            "numbers",
                                                            "numeric",
                                                            "optional",
                                                            "ostream",
                                                            "queue",
                                                            "random",
                                                            "ranges",
                                                            "ratio",
                                                            "regex",
                                                            "set",
                                                            "shared_mutex",
                                                            "source_location",
                                                            "span",
                                                            "sstream",
                                                            "stack",
                                                            "stdexcept",
                                                            "stop_token",
                                                            "streambuf",
                                                            "string",
                                                            "string_view",
                                                            "system_error",
                                                            "thread",
                                                            "tuple",
                                                            "type_traits",
                                                            "typeindex",
                                                            "typeinfo",
                                                            "unordered_map",
                                                            "unordered_set",
                                                            "utility",
                                                            "variant",
                                                            "vector"};

bool is_source(const fs::path& p) {
  static const std::vector<std::string> endings{".h", ".hpp", ".cpp", ".def", ".re", ".yy"};
  return std::find(endings.begin(), endings.end(), p.extension().string()) != endings.end();
}

/// Sources of the folders that hold code, sorted, relative to the repository.
std::vector<std::string> sources(const std::vector<std::string>& folders) {
  std::vector<std::string> files;
  fs::path root = KC_SOURCE_DIR;
  for (const std::string& folder : folders) {
    if (!fs::is_directory(root / folder)) continue;
    for (const auto& entry : fs::recursive_directory_iterator(root / folder))
      if (entry.is_regular_file() && is_source(entry.path()))
        files.push_back(fs::relative(entry.path(), root).generic_string());
  }
  std::sort(files.begin(), files.end());
  return files;
}
const std::vector<std::string> kCode{"ir",      "prelude", "frontend", "passes", "sim",    "backends",
                                     "runtime", "host",    "api",      "opencl", "driver", "fuzz"};
const std::vector<std::string> kCodeAndTests{"ir",       "prelude", "frontend", "passes", "sim",
                                             "backends", "runtime", "host",     "api",    "driver",
                                             "fuzz",     "opencl",  "tests",    "bench"};

std::vector<std::string> lines_of(const std::string& file) {
  std::ifstream in(fs::path(KC_SOURCE_DIR) / file);
  std::vector<std::string> lines;
  for (std::string line; std::getline(in, line);) lines.push_back(line);
  return lines;
}

std::vector<Include> includes_of(const std::string& file) {
  std::vector<Include> found;
  auto lines = lines_of(file);
  for (size_t i = 0; i < lines.size(); ++i) {
    size_t at = lines[i].find_first_not_of(' ');
    if (at == std::string::npos || lines[i][at] != '#') continue;
    at = lines[i].find_first_not_of(' ', at + 1);
    if (at == std::string::npos || lines[i].compare(at, 7, "include") != 0) continue;
    size_t open = lines[i].find_first_of("<\"", at);
    if (open == std::string::npos) continue;
    bool system = lines[i][open] == '<';
    size_t close = lines[i].find(system ? '>' : '"', open + 1);
    if (close == std::string::npos) continue;
    found.push_back({file, lines[i].substr(open + 1, close - open - 1), system, i + 1});
  }
  return found;
}

bool within(const std::string& path, const std::string& folder) {
  return path == folder || path.starts_with(folder + "/");
}

const FolderRule* rule_for(const std::string& file) {
  for (const FolderRule& rule : rules())
    if (within(file, rule.folder)) return &rule;
  return nullptr;
}

bool allowed(const FolderRule& rule, const Include& include) {
  if (include.system) {
    if (include.name.starts_with("fmt/")) return true;
    if (std::find(kStandardHeaders.begin(), kStandardHeaders.end(), include.name) != kStandardHeaders.end())
      return true;
    if (std::find(kSystemFiles.begin(), kSystemFiles.end(), include.file) != kSystemFiles.end()) return true;
    return std::any_of(rule.system.begin(), rule.system.end(),
                       [&](const std::string& s) { return s == "*" || include.name.starts_with(s); });
  }
  // A name without a folder is a file that the build generates beside the includer (a parser, a keyword
  // table).
  if (include.name.find('/') == std::string::npos) return true;
  if (within(include.name, rule.folder)) return true;
  return std::any_of(rule.folders.begin(), rule.folders.end(),
                     [&](const std::string& f) { return within(include.name, f); });
}

std::vector<std::string> judge(const std::vector<Include>& includes) {
  std::vector<std::string> complaints;
  for (const Include& i : includes) {
    const FolderRule* rule = rule_for(i.file);
    if (!rule)
      complaints.push_back(fmt::format("{}: no rule says what this folder may include", i.file));
    else if (!allowed(*rule, i))
      complaints.push_back(fmt::format("{}:{}: {} may not include {}", i.file, i.line, rule->folder, i.name));
  }
  return complaints;
}

void expect_none(const std::vector<std::string>& complaints) {
  for (const std::string& c : complaints) UNSCOPED_INFO(c);
  CHECK(complaints.empty());
}

}  // namespace

TEST_CASE("folders include only what their place in the house allows") {
  std::vector<Include> all;
  for (const std::string& file : sources(kCode)) {
    auto some = includes_of(file);
    all.insert(all.end(), some.begin(), some.end());
  }
  REQUIRE(all.size() > 300);  // the reader of includes works
  expect_none(judge(all));
}

TEST_CASE("the include rules refuse what they should") {
  auto refused = [](const char* file, const char* name, bool system = false) {
    return judge({{file, name, system, 1}}).size() == 1;
  };
  CHECK(refused("ir/op.cpp", "passes/transform/mem2reg.h"));
  CHECK(refused("ir/op.cpp", "backends/gcn/machine.h"));
  CHECK(refused("backends/gcn/isa/eval.cpp", "backends/gcn/machine.h"));
  CHECK(refused("sim/gcn/emulator.cpp", "backends/gcn/gcn.h"));
  CHECK(refused("passes/transform/mem2reg.cpp", "backends/x64/x64.h"));
  CHECK(refused("backends/x64/x64.cpp", "backends/gcn/gcn.h"));
  CHECK(refused("backends/gcn/print.cpp", "runtime/cpu/cpu.h"));
  CHECK(refused("runtime/cpu/cpu.cpp", "runtime/vulkan/device.h"));
  CHECK(refused("runtime/cpu/cpu.cpp", "ir/function.h"));
  CHECK(refused("sim/interpreter/thread_interpreter.cpp", "passes/analysis/cycles.h"));
  CHECK(refused("sim/interpreter/thread_interpreter.cpp", "unistd.h", true));
  CHECK(refused("fuzz/random_program.cpp", "ir/function.h"));
  CHECK(refused("frontend/sema/sema.cpp", "boost/variant.hpp", true));
  CHECK(refused("backends/spirv/emit.cpp", "vulkan/vulkan.h", true));
  CHECK(refused("elsewhere/file.cpp", "string", true));
  CHECK_FALSE(refused("ir/op.cpp", "backends/gcn/isa/table.h"));
  CHECK_FALSE(refused("sim/gcn/emulator.cpp", "backends/gcn/isa/table.h"));
  CHECK_FALSE(refused("backends/x64/x64.cpp", "backends/regalloc/regalloc.h"));
  CHECK_FALSE(refused("backends/spirv/emit.cpp", "runtime/image.h"));
  CHECK_FALSE(refused("driver/commands/run.cpp", "runtime/cpu/cpu.h"));
}

TEST_CASE("every source file opens with the licence line") {
  std::vector<std::string> complaints;
  for (const std::string& file : sources(kCodeAndTests)) {
    auto lines = lines_of(file);
    if (lines.empty() || lines[0] != "// SPDX-License-Identifier: Apache-2.0") complaints.push_back(file);
  }
  expect_none(complaints);
}

TEST_CASE("files stay small enough to be read") {
  std::vector<std::string> complaints;
  for (const std::string& file : sources(kCodeAndTests)) {
    // The syntax tree is one header, and so is a public interface; tables grow by rows.
    size_t limit = file.ends_with(".def")                                               ? 1200
                   : file == "frontend/parse/ast.h" || file.starts_with("api/include/") ? 400
                   : file.ends_with(".h")                                               ? 250
                                                                                        : 700;
    size_t lines = lines_of(file).size();
    if (lines > limit) complaints.push_back(fmt::format("{}: {} lines, at most {}", file, lines, limit));
  }
  expect_none(complaints);
}

TEST_CASE("every test folder takes part in the build") {
  std::vector<std::string> complaints;
  for (const std::string& file : sources({"tests"})) {
    fs::path folder = fs::path(file).parent_path();
    if (!file.ends_with(".cpp") || folder == "tests") continue;
    bool built = false;
    for (fs::path p = folder; p != "tests" && !p.empty(); p = p.parent_path())
      built = built || fs::exists(fs::path(KC_SOURCE_DIR) / p / "CMakeLists.txt");
    if (!built) complaints.push_back(file);
  }
  expect_none(complaints);
}

TEST_CASE("packages.txt has what the build asks for") {
  // The names in find_package and similar commands, and folders of system headers, with the Debian package of
  // each.
  const std::map<std::string, std::string> package_of{{"fmt", "libfmt-dev"},
                                                      {"Catch2", "catch2"},
                                                      {"nlohmann_json", "nlohmann-json3-dev"},
                                                      {"PNG", "libpng-dev"},
                                                      {"tomlplusplus", "libtomlplusplus-dev"},
                                                      {"toml++", "libtomlplusplus-dev"},
                                                      {"TBB", "libtbb-dev"},
                                                      {"re2c", "re2c"},
                                                      {"bison", "bison"},
                                                      {"spirv-as", "spirv-tools"},
                                                      {"SPIRV-Tools", "spirv-tools"},
                                                      {"tbb", "libtbb-dev"},
                                                      {"CLI", "libcli11-dev"},
                                                      {"vulkan/vulkan.h", "libvulkan-dev"},
                                                      {"vulkan", "libvulkan-dev"},
                                                      {"VulkanHeaders", "libvulkan-dev"},
                                                      {"nlohmann", "nlohmann-json3-dev"},
                                                      {"asmjit", "libasmjit-dev"},
                                                      {"mimalloc", "optional libmimalloc-dev"},
                                                      {"xxhash.h", "libxxhash-dev"},
                                                      {"elf", "libelf-dev"},
                                                      {"spirv", "spirv-headers"},
                                                      {"spirv-tools", "spirv-tools"},
                                                      {"CL", "opencl-c-headers"},
                                                      {"CL/cl_icd.h", "opencl-c-headers"},
                                                      {"CL/opencl.hpp", "opencl-clhpp-headers"},
                                                      {"OpenCL", "ocl-icd-opencl-dev"},
                                                      {"catch2", "catch2"},
                                                      {"z3++.h", "optional libz3-dev"},
                                                      {"z3", "optional libz3-dev"},
                                                      {"clang/AST/ASTContext.h", "optional libclang-19-dev"},
                                                      {"clang-cpp", "optional libclang-cpp19-dev"},
                                                      {"LLVM", "optional llvm-19-dev"},
                                                      {"clang++-19", "optional clang-19"}};
  std::vector<std::string> packages;
  for (const std::string& line : lines_of("packages.txt"))
    if (!line.empty() && line[0] != '#') packages.push_back(line);  // "optional" stays part of the name
  std::map<std::string, std::string> wanted;                        // name, and the file that requires it
  const std::regex finds(R"(find_package\((\S+?)[ )]|find_(?:program|path|library)\(\S+ (\S+?)[ )])");
  fs::path root = KC_SOURCE_DIR;
  std::vector<std::string> lists{"CMakeLists.txt"};
  for (const char* folder : {"ir", "frontend", "passes", "sim", "backends", "runtime", "opencl", "driver",
                             "fuzz", "tests", "bench"})
    for (const auto& entry : fs::recursive_directory_iterator(root / folder))
      if (entry.path().filename() == "CMakeLists.txt")
        lists.push_back(fs::relative(entry.path(), root).generic_string());
  for (const std::string& list : lists)
    for (const std::string& line : lines_of(list)) {
      std::smatch match;
      if (std::regex_search(line, match, finds)) wanted[match[1].matched ? match[1] : match[2]] = list;
    }
  const std::set<std::string> c_library{"sys", "arpa", "netinet"};
  for (const std::string& file : sources(kCode))
    for (const Include& i : includes_of(file))
      if (size_t slash = i.name.find('/');
          i.system && slash != std::string::npos && !c_library.contains(i.name.substr(0, slash)))
        wanted[i.name.substr(0, slash)] = file;
  std::vector<std::string> complaints;
  for (const auto& [name, who] : wanted) {
    auto known = package_of.find(name);
    if (known == package_of.end())
      complaints.push_back(fmt::format("{} needs {}: say in this test which package it is in", who, name));
    else if (std::find(packages.begin(), packages.end(), known->second) == packages.end())
      complaints.push_back(fmt::format("{} needs {}: packages.txt lacks {}", who, name, known->second));
  }
  CHECK(wanted.size() >= 8);
  expect_none(complaints);
}
