// SPDX-License-Identifier: Apache-2.0
// Whole kernels as gfx900 code: the strict emulator needs every wait instruction, and private memory of bytes
// and halves uses byte and half instructions.
#include <catch2/catch.hpp>
#include <sstream>

#include "backends/gcn/gcn.h"
#include "driver/session.h"
#include "host/gcn_code.h"
#include "sim/gcn/emulator.h"
#include "sim/gcn/kernarg.h"

using namespace kc;

namespace {

std::vector<std::string> split(const std::string& text, char by) {
  std::vector<std::string> parts;
  std::istringstream in(text);
  for (std::string part; std::getline(in, part, by);) parts.push_back(part);
  return parts;
}

struct Launch {
  std::string_view file, arguments;
  // Waits needed only on paths that this launch does not take, or placed before a loop so that a later one
  // inside finds nothing to wait for.
  size_t spare = 0;
};
const Launch kLaunches[] = {
    {"bench/cpu/kernels/search.cl",
     "--global 128 --local 64 --arg table=i32[64]:iota --arg n=64 --arg keys=i32[128]:rand(7,0,128) --arg "
     "found=i32[128]",
     1},
    {"bench/cpu/kernels/sgemm.cl",
     "--global 16,16 --local 16,4 --arg a=f32[256]:rand(1,-1,1) --arg b=f32[256]:rand(2,-1,1) --arg "
     "c=f32[256] --arg n=16"},
    {"bench/cpu/kernels/triad.cl",
     "--global 128 --local 64 --arg a=f32[128] --arg b=f32[128]:rand(1,0,1) --arg c=f32[128]:rand(2,0,1) "
     "--arg s=3.0f"},
    {"bench/cpu/kernels/bitonic.cl", "--global 256 --local 256 --arg data=u32[512]:rand(1,0,4294967295)"},
    {"bench/cpu/kernels/n_body.cl",
     "--global 64 --local 64 --arg x=f32[64]:rand(1,-1,1) --arg y=f32[64]:rand(2,-1,1) --arg "
     "z=f32[64]:rand(3,-1,1) "
     "--arg mass=f32[64]:rand(4,0,1) --arg n=64 --arg softening=0.01f --arg ax=f32[64] --arg ay=f32[64] "
     "--arg az=f32[64]",
     1},
    {"examples/pathfinding/pathfinding.cl",
     "--global 64 --local 64 --arg maze=u8[256]:rand(7,0,4) --arg starts=u8[64]:rand(1,0,255) "
     "--arg goals=u8[64]:rand(2,0,255) --arg length=i32[64] --arg ways=u8[2048] --arg longest=32",
     2},
};

struct Compiled {
  Session session;
  std::unique_ptr<Function> wave;
  std::string assembly;
};

Compiled compile(const Launch& l) {
  std::vector<std::string> line{"run", std::string(KC_SOURCE_DIR) + "/" + std::string(l.file)};
  for (const std::string& word : split(std::string(l.arguments), ' ')) line.push_back(word);
  CommandLine parsed = parse_command_line(line);
  REQUIRE(parsed.options.has_value());
  auto session = open_session(*parsed.options);
  REQUIRE(session.has_value());
  Compiled c{std::move(*session), nullptr, {}};
  auto made = compile_for_gcn(*c.session.program.compiler, *find_target("gfx900"), c.session.spec.local);
  REQUIRE(made.has_value());
  c.wave = std::move(made->wave);
  c.assembly = made->code.assembly;
  return c;
}

GcnResult run(const Compiled& c, const std::string& assembly) {
  auto object = load_assembly(assembly);
  REQUIRE(object.has_value());
  KernelArguments args = c.session.inputs;
  LaunchSpec spec = c.session.spec;
  BoundArguments bound = bind_arguments(args, *c.wave, spec);
  KernargLayout layout = kernarg_layout(*c.wave);
  std::vector<uint8_t> kernarg(layout.bytes);
  const auto& params = c.wave->block(c.wave->entry()).params;
  for (size_t i = 0; i < bound.bits.size(); ++i)
    if (layout.offsets[i] != KernargLayout::kInObject)
      std::memcpy(kernarg.data() + layout.offsets[i], &bound.bits[i], c.wave->type(params[i]).bytes());
  return run_gcn(*object, c.wave->name, spec, kernarg, bound.ranges, {.profile = true});
}

bool is_instruction(const std::string& line) {
  return line.size() > 1 && line[0] == '\t' && line[1] != '.' && line[1] != ';';
}

// The line without this counter.
std::string without(std::string line, const std::string& counter) {
  size_t at = line.find(counter + "(");
  size_t end = line.find(')', at);
  line.erase(at, end + 1 - at);
  bool nothing = line.find("cnt(") == std::string::npos;
  return nothing ? "" : line;
}

}  // namespace

TEST_CASE("waits that can be left out are known") {
  size_t tried = 0;
  for (const Launch& l : kLaunches) {
    size_t spare = 0;
    std::string which;
    Compiled c = compile(l);
    GcnResult whole = run(c, c.assembly);
    INFO(whole.message);
    REQUIRE(whole.status == GcnResult::Ok);
    std::vector<std::string> lines = split(c.assembly, '\n');
    size_t index = 0;
    for (size_t i = 0; i < lines.size() && index < whole.issues.size(); ++i) {
      if (!is_instruction(lines[i])) continue;
      const bool issued = whole.issues[index++] > 0;
      // A wait before a barrier protects other waves, which the emulator does not run at the same time.
      const bool barrier = i + 1 < lines.size() && lines[i + 1].find("s_barrier") != std::string::npos;
      if (!issued || barrier || lines[i].find("s_waitcnt") == std::string::npos) continue;
      for (const char* counter : {"vmcnt", "lgkmcnt"}) {
        if (lines[i].find(counter) == std::string::npos) continue;
        std::vector<std::string> less = lines;
        less[i] = without(lines[i], counter);
        std::string text;
        for (const std::string& line : less) text += line + "\n";
        ++tried;
        if (run(c, text).message.find("is missing") != std::string::npos) continue;
        ++spare, which += lines[i] + "\n";
      }
    }
    INFO(l.file << "\n" << which);
    CHECK(spare == l.spare);
  }
  CHECK(tried > 30);
}

TEST_CASE("bytes and halves of private memory") {
  Compiled c = compile(kLaunches[std::size(kLaunches) - 1]);
  for (const char* mnemonic :
       {"buffer_load_ushort", "buffer_store_short", "buffer_load_ubyte", "buffer_store_byte"}) {
    INFO(mnemonic);
    CHECK(c.assembly.find(mnemonic) != std::string::npos);
  }
}
