// SPDX-License-Identifier: Apache-2.0
// Requests to the compiler (driver/lab/answer.h) with the answers of this build, one JSON text on a line
// each, for the test of the WebAssembly module: all programs of tests/run on the interpreters and the
// simulator, and records of launches.
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <nlohmann/json.hpp>

#include "driver/lab/answer.h"
#include "tests/run/program.h"

namespace {

using namespace kc;
using namespace kc::test;
using Json = nlohmann::ordered_json;

const std::string kSource = KC_SOURCE_DIR;
constexpr uint64_t kMaxSteps = 20'000'000;

std::string text_of(const std::filesystem::path& path) {
  std::ifstream in(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(in), {}};
}

// With what options of the command were given.
Json request_for(const std::string& what, std::string source, const std::vector<std::string>& options) {
  CommandLine command = parse_command_line(options);
  if (!command.options) {
    std::fprintf(stderr, "%s", command.text.c_str());
    std::exit(1);
  }
  const Options& o = *command.options;
  auto sizes = [](const std::array<uint64_t, 3>& n, uint32_t dims) {
    return std::vector<uint64_t>(n.begin(), n.begin() + dims);
  };
  Json request{{"do", what},
               {"source", std::move(source)},
               {"kernel", o.kernel},
               {"global", sizes(o.global, o.dims)},
               {"offset", sizes(o.offset, 3)},
               {"args", o.args},
               {"defines", o.defines},
               {"undefines", o.undefines},
               {"includes", o.includes},
               {"include_dirs", o.include_dirs},
               {"contract", o.contract},
               {"single_literals", o.single_literals},
               {"fast_math", o.fast_math},
               {"check_bounds", o.check_bounds},
               {"optimisation", o.optimisation},
               {"printf_bytes", o.printf_bytes},
               {"warp", o.warp},
               {"max_steps", kMaxSteps}};
  if (o.local_dims) request["local"] = sizes(o.local, o.local_dims);
  return request;
}

void put(const Json& request) {
  const std::string text = request.dump();
  std::printf("%s\n%s\n", text.c_str(), answer(text).c_str());
}

}  // namespace

int main() {
  // Programs name their include folders relative to this one.
  const std::string folder = kSource + "/tests/run";
  std::filesystem::current_path(folder);
  Json files = Json::object();
  for (const auto& entry : std::filesystem::recursive_directory_iterator("include"))
    if (entry.is_regular_file()) files[entry.path().string()] = text_of(entry.path());
  auto programs = read_programs(folder);
  if (!programs) return std::fprintf(stderr, "%s\n", programs.error().c_str()), 1;
  for (const RunProgram& p : *programs) {
    std::vector<std::string> options{"run", p.file};
    options.insert(options.end(), p.launch.begin(), p.launch.end());
    Json request = request_for("run", p.source, options);
    request["files"] = files;
    request["engines"] = {"interp", "passes", "sim-ipdom", "sim-tf-stack", "wave8", "wave32"};
    put(request);
  }
  const std::vector<std::vector<std::string>> launches{
      {"examples/scanner/scanner.cl", "--global", "256", "--local", "64", "--warp", "64", "--arg",
       "text=u8[16384]:rand(1,32,126)", "--arg", "stride=64", "--arg", "out=i32[1024]"},
      {"examples/exceptions/exceptions.cl", "--global", "64", "--arg", "in=f32[64]:rand(3,-1000,900000)",
       "--arg", "out=f32[64]", "--arg", "limit=20"},
      {"bench/melding/kernels/bitonic.cl", "--global", "128", "--local", "64", "--arg",
       "data=i32[128]:rand(1,0,100000)"},
  };
  for (std::vector<std::string> launch : launches) {
    launch.insert(launch.begin(), "run");
    const std::string source = text_of(kSource + "/" + launch[1]);
    put(request_for("record", source, launch));
    put(request_for("stages", source, launch));
    put(request_for("stats", source, launch));
    put(request_for("record", source + "kernel", launch));  // an error, with a place
    Json program = request_for("record", source, launch);
    program["passes"] = "mem2reg,exec:cat";  // refused: no program is run for a page
    put(program);
  }
  put({{"do", "go_on"}, {"output", ""}});
}
