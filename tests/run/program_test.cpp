// SPDX-License-Identifier: Apache-2.0
// Tests of the tests/run checker: wrong results are detected, and wrong directives are errors with a
// location.
#include <catch2/catch.hpp>
#include <filesystem>
#include <fstream>

#include "tests/run/program.h"

using namespace kc;
using namespace kc::test;

namespace {

/// A folder with one chapter, removed at the end.
class Folder {
 public:
  explicit Folder(const std::string& text)
      : path_(std::filesystem::temp_directory_path() / "kc_programs_XXXXXX") {
    std::string name = path_.string();
    REQUIRE(mkdtemp(name.data()));
    path_ = name;
    std::ofstream(path_ / "chapter.cl") << text;
  }
  ~Folder() { std::filesystem::remove_all(path_); }
  Folder(const Folder&) = delete;
  Folder& operator=(const Folder&) = delete;
  std::expected<std::vector<RunProgram>, std::string> programs() const {
    return read_programs(path_.string());
  }

 private:
  std::filesystem::path path_;
};

std::string error_of(const std::string& text) {
  auto programs = Folder(text).programs();
  return programs ? "" : programs.error();
}

const std::string kKernel = "kernel void k(global int* out, int by) { out[get_global_id(0)] += by; }\n";

/// The checker's message for a program with these directives.
std::string verdict(const std::string& directives, const std::string& kernel = kKernel) {
  auto programs = Folder("//---- p\n//: global 4\n" + directives + kernel).programs();
  if (!programs) return programs.error();
  REQUIRE(programs->size() == 1);
  auto compiled = compile_program((*programs)[0]);
  if (!compiled) return compiled.error();
  auto want = expected_buffers((*programs)[0], **compiled);
  if (!want) return want.error();
  auto engine = find_engine("interp")->make({});
  REQUIRE(engine->prepare((*compiled)->program, (*compiled)->spec).status == EngineStatus::Ok);
  KernelArguments args = (*compiled)->inputs;
  EngineResult r = engine->launch(args);
  std::string difference = compare_trap((*programs)[0], r.trap);
  return difference.empty() ? compare_buffers(*want, args) : difference;
}

const std::string kArgs = "//: arg out=i32[4]:iota\n//: arg by=10\n";

}  // namespace

TEST_CASE("right results pass and wrong ones are named") {
  CHECK(verdict(kArgs + "//: expect out = i + by\n") == "");
  CHECK(verdict(kArgs + "//: expect out = {10, 11,\n//:   12, 13}\n") == "");
  CHECK(verdict(kArgs + "//: expect out = i + 9\n") == "out[0] is 10 (0xa), expected 9 (0x9)");
  CHECK(verdict(kArgs + "//: expect out = {10, 11, 12, 14}\n") == "out[3] is 13 (0xd), expected 14 (0xe)");
}

TEST_CASE("what has no expectation must be unchanged") {
  CHECK(verdict(kArgs + "//: expect out[1:4] = i + 10\n") == "out[0] is 10 (0xa), expected 0 (0x0)");
  CHECK(verdict(kArgs + "//: expect out[0] = 10\n//: expect out[1:4] = i + 10\n") == "");
}

TEST_CASE("traps are compared in all they say") {
  const std::string kernel =
      "kernel void k(global int* out, int by) {\n  int i = get_global_id(0);\n"
      "  if (i > 1) throw i * by; // trap here\n}\n";
  CHECK(verdict(kArgs + "//: trap throw int 20 at 2 count 2\n", kernel) == "");
  CHECK(verdict(kArgs + "//: trap throw uint 20 at 2 count 2\n", kernel) ==
        "trap: type is int, expected uint");
  CHECK(verdict(kArgs + "//: trap throw int 30 at 2 count 2\n", kernel) == "trap: value is 20, expected 30");
  CHECK(verdict(kArgs + "//: trap throw int 20 at 3 count 2\n", kernel) ==
        "trap: global id is 2, expected 3");
  CHECK(verdict(kArgs + "//: trap throw int 20 at 2 count 1\n", kernel) == "trap: count is 2, expected 1");
  CHECK(verdict(kArgs + "//: expect out = i\n", kernel) == "a trap, expected none");
  CHECK(verdict(kArgs + "//: trap throw int 0 at 0 count 1\n",
                kKernel.substr(0, kKernel.size() - 1) + " // trap here\n") == "no trap, expected one");
}

TEST_CASE("expectations that cannot be meant are errors") {
  CHECK(verdict(kArgs + "//: expect out = {1, 2}\n").ends_with("2 values for 4 elements"));
  CHECK(verdict(kArgs + "//: expect out = 1.5\n").ends_with("a float is expected in a buffer of integers"));
  CHECK(verdict(kArgs + "//: expect out = 4294967296\n").ends_with("does not fit the element"));
  CHECK(verdict(kArgs + "//: expect out[2:9] = 0\n").ends_with("the range is not within the buffer"));
  CHECK(verdict(kArgs + "//: expect other = 0\n").ends_with("no buffer 'other'"));
}

TEST_CASE("wrong directives are errors with a place") {
  const std::string good = "//---- p\n//: global 4\n//: expect out = 1\n" + kKernel;
  CHECK(error_of(good) == "");
  CHECK(error_of(good + good) == "chapter.cl:5: a program needs a name of its own");
  CHECK(error_of("kernel void k() {}\n") == "chapter.cl:1: text before the first program");
  CHECK(error_of("//---- p\n//: expect out = 1\n").ends_with("program 'p' has no 'global'"));
  CHECK(error_of("//---- p\n//: global 4\n").ends_with("program 'p' expects nothing"));
  CHECK(error_of("//---- p\n//: glbal 4\n") == "chapter.cl:2: unknown directive 'glbal'");
  CHECK(error_of("//---- p\n//: global 4\n//: trap throw int 1 at 0 count 1\n")
            .ends_with("marked '// trap here'"));
  CHECK(error_of("//---- p\n//: not mars: far\n").ends_with("only 'host' and 'opencl' can be left out"));
  CHECK(error_of("//---- p\n//:   1, 2\n").ends_with("nothing to continue"));
}
