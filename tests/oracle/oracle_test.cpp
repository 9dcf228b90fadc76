// SPDX-License-Identifier: Apache-2.0
// The programs of tests/run as C++. g++ compiles them together after a small prelude, work-items run one
// after the other, and the final buffers must equal those of the thread interpreter, bit by bit. Contraction
// is off, since its rule is kernelc's own.
#include <dlfcn.h>
#include <fmt/format.h>

#include <catch2/catch.hpp>
#include <filesystem>
#include <fstream>
#include <regex>

#include "fuzz/random_program.h"
#include "tests/oracle/harness.h"
#include "tests/property/setting.h"
#include "tests/run/program.h"

using namespace kc;
using namespace kc::test;

namespace {

const std::string kFolder = KC_SOURCE_DIR "/tests/oracle";
const std::string kPrograms = KC_SOURCE_DIR "/tests/run";

struct HostProgram {
  RunProgram program;
  std::unique_ptr<CompiledProgram> compiled;
};

// -D NAME=VALUE in any of its spellings.
std::string defines_of(const Options& o) {
  std::string s;
  for (const std::string& d : o.defines) {
    size_t eq = d.find('=');
    s += eq == std::string::npos ? fmt::format("#define {} 1\n", d)
                                 : fmt::format("#define {} {}\n", d.substr(0, eq), d.substr(eq + 1));
  }
  for (const std::string& u : o.undefines) s += fmt::format("#undef {}\n", u);
  return s;
}

// Undefines the program's macros before the next program.
std::string undefines_of(const std::string& text) {
  static const std::regex define("#[ \t]*define[ \t]+([A-Za-z_][A-Za-z_0-9]*)");
  std::string s;
  for (std::sregex_iterator i(text.begin(), text.end(), define), end; i != end; ++i)
    s += fmt::format("#undef {}\n", (*i)[1].str());
  return s;
}

// Undefines the macros of included files, in particular include guards.
std::string undefines_of_includes() {
  std::string s;
  for (const auto& entry : std::filesystem::directory_iterator(kPrograms + "/include")) {
    std::ifstream in(entry.path());
    s += undefines_of({std::istreambuf_iterator<char>(in), {}});
  }
  return s;
}

std::string host_source(const std::vector<HostProgram>& programs) {
  std::string s = "#include \"prelude.h\"\n", table, includes = undefines_of_includes();
  for (size_t i = 0; i < programs.size(); ++i) {
    const HostProgram& p = programs[i];
    std::string defines = defines_of(p.compiled->options);
    s += fmt::format("{}namespace p{} {{\n#line {} \"{}\"\n{}\n}}\n", defines, i, p.program.line + 1,
                     p.program.file, p.program.source.substr(p.program.line));
    s += undefines_of(defines) + undefines_of(p.program.source) + includes;
    s += fmt::format(
        "static oracle::Thrown run{0}(const oracle::Item& i) {{ return oracle::call(&p{0}::{1}, i); }}\n", i,
        p.compiled->kernel->name);
    table += fmt::format("run{}, ", i);
  }
  return s + "extern \"C\" __attribute__((visibility(\"default\"))) oracle::RunItem oracle_programs[] = {" +
         table + "};\n";
}

/// The shared object of all programs.
class HostObject {
 public:
  HostObject(const std::vector<HostProgram>& programs, std::string_view name) {
    // A unique name: a library that stays loaded would be reused for the next one.
    std::string base = fmt::format("{}/oracle.{}.{}", KC_BINARY_DIR, name, getpid());
    std::ofstream(base + ".cpp") << host_source(programs);
    std::string command = fmt::format(
        "'{}' -std=gnu++20 -O1 -w -fpermissive -fwrapv -fno-strict-aliasing -ffp-contract=off -shared -fPIC "
        "-fno-semantic-interposition "
        "-I '{}' "
        "-I '{}' -I '{}' -o '{}.so' '{}.cpp' 2>'{}.log'",
        KC_GXX, kFolder, kPrograms, kPrograms + "/include", base, base, base);
    int status = std::system(command.c_str());
    std::ifstream log(base + ".log");
    message_.assign(std::istreambuf_iterator<char>(log), {});
    if (status == 0) library_ = dlopen((base + ".so").c_str(), RTLD_NOW | RTLD_LOCAL);
    if (library_) programs_ = static_cast<oracle::RunItem*>(dlsym(library_, "oracle_programs"));
    for (const char* ending : {".so", ".log", ".cpp"}) std::filesystem::remove(base + ending);
  }
  ~HostObject() {
    if (library_) dlclose(library_);
  }
  HostObject(const HostObject&) = delete;
  HostObject& operator=(const HostObject&) = delete;
  oracle::RunItem* programs() const { return programs_; }
  const std::string& message() const { return message_; }

 private:
  void* library_ = nullptr;
  oracle::RunItem* programs_ = nullptr;
  std::string message_;
};

struct HostResult {
  KernelArguments after;
  std::string type;  // of the exception of the first work-item that threw
  uint64_t bits = 0, count = 0;
  std::array<uint64_t, 3> global_id{};
};

HostResult run_on_host(oracle::RunItem run, const CompiledProgram& c) {
  HostResult r{.after = c.inputs};
  LaunchSpec s = c.spec;
  BoundArguments bound = bind_arguments(r.after, *c.program.source, s);
  oracle::Item item{.dims = s.dims, .arguments = bound.bits.data()};
  for (uint64_t linear = 0; linear < s.items(); ++linear) {
    uint64_t at[3] = {linear % s.global[0], linear / s.global[0] % s.global[1],
                      linear / s.global[0] / s.global[1]};
    for (size_t d = 0; d < 3; ++d) {
      item.global_id[d] = at[d] + s.offset[d];
      item.local_id[d] = at[d] % s.local[d];
      item.group_id[d] = at[d] / s.local[d];
      item.global_size[d] = s.global[d];
      item.local_size[d] = s.local[d];
      item.offset[d] = s.offset[d];
    }
    oracle::Thrown t = run(item);
    if (!t.type) continue;
    if (r.count++) continue;
    r.type = t.type, r.bits = t.bits;
    std::copy_n(item.global_id, 3, r.global_id.begin());
  }
  return r;
}

std::string compare_traps(const std::optional<TrapReport>& ours, const HostResult& host) {
  if (!ours) return host.count ? "the host throws " + host.type : "";
  std::string type = ours->site.kind == TrapKind::Assert ? "assert" : ours->site.type;
  if (host.count != ours->count)
    return fmt::format("{} work-items throw on the host, {} here", host.count, ours->count);
  if (type != host.type) return fmt::format("the host throws {}, we throw {}", host.type, type);
  if (type != "assert" && host.bits != ours->value)
    return fmt::format("the host throws {:#x}, we throw {:#x}", host.bits, ours->value);
  return host.global_id == ours->global_id ? "" : "another work-item throws first";
}

// Returns whether g++ is available.
bool compare_with_host(const std::vector<HostProgram>& programs, std::string_view name) {
  if (std::system("'" KC_GXX "' --version >/dev/null 2>&1") != 0) {
    WARN("skipped: there is no " KC_GXX);
    return false;
  }
  HostObject object(programs, name);
  INFO(object.message());
  REQUIRE(object.programs());
  auto interpreter = find_engine("interp")->make({});
  for (size_t i = 0; i < programs.size(); ++i) {
    const CompiledProgram& c = *programs[i].compiled;
    INFO(programs[i].program.full_name());
    REQUIRE(interpreter->prepare(c.program, c.spec).status == EngineStatus::Ok);
    KernelArguments ours = c.inputs;
    EngineResult r = interpreter->launch(ours);
    CHECK(r.message == "");
    HostResult host = run_on_host(object.programs()[i], c);
    CHECK(compare_buffers(ours, host.after) == "");
    CHECK(compare_traps(r.trap, host) == "");
  }
  return true;
}

}  // namespace

TEST_CASE("g++ agrees with the interpreter on every program that is C++") {
  auto all = read_programs(kPrograms);
  INFO((all ? "" : all.error()));
  REQUIRE(all);
  // Programs name include folders relative to their own folder.
  std::filesystem::current_path(kPrograms);
  std::vector<HostProgram> programs;
  std::map<std::string, size_t> left_out;
  for (RunProgram& p : *all) {
    if (auto why = p.not_for.find("host"); why != p.not_for.end()) {
      ++left_out[why->second];
      continue;
    }
    auto compiled = compile_program(p, {"-ffp-contract=off"});
    INFO(p.full_name() << ": " << (compiled ? "" : compiled.error()));
    REQUIRE(compiled);
    programs.push_back({std::move(p), std::move(*compiled)});
  }
  if (!compare_with_host(programs, "programs")) return;
  std::string report = fmt::format("{} programs compared with g++", programs.size());
  for (const auto& [why, n] : left_out) report += fmt::format("\n{} left out: {}", n, why);
  WARN(report);
  CHECK(programs.size() > 200);
}

// KC_SEED, KC_SEEDS: the first seed and their number, as for the random programs on kernelc's engines.
TEST_CASE("g++ agrees with the interpreter on random programs") {
  std::vector<HostProgram> programs;
  uint64_t first = setting("KC_SEED", 0), count = setting("KC_SEEDS", 40);
  for (uint64_t seed = first; seed < first + count; ++seed) {
    RunProgram p{.chapter = "random", .name = fmt::format("seed {}", seed), .file = "random.cl"};
    fuzz::RandomProgram random = fuzz::random_program(seed, {.portable = true, .large = 3});
    p.source = std::move(random.source);
    p.launch = std::move(random.launch);
    p.launch.emplace_back("-w");
    auto compiled = compile_program(p, {"-ffp-contract=off"});
    INFO(p.name << ": " << (compiled ? "" : compiled.error()));
    REQUIRE(compiled);
    programs.push_back({std::move(p), std::move(*compiled)});
  }
  compare_with_host(programs, "random");
}
