// SPDX-License-Identifier: Apache-2.0
// Conditionals, files, lines, pragmas, and preprocessed text as input.
#include <filesystem>
#include <regex>

#include "preprocess.h"

TEST_CASE("expressions of #if") {
  auto value = [](const std::string& expression) {
    kc::PreprocessedText r = kc::preprocess_source("#if " + expression + "\nyes\n#else\nno\n#endif", {});
    return r.errors ? r.diagnostics : flat(r.text);
  };
  for (const char* yes :
       {"'a' == 97 && '\\n' == 10 && '\\x41' == 65 && '\\101' == 'A' && '\\0' == 0", "'\\xff' < 0",
        "'ab' == 24930", "-1 > 0u", "(0 ? 1u : -1) > 0", "1 ? 2 : 1 / 0", "0 && 1 / 0 || 1",
        "~0u == 0xffffffffffffffff", "18446744073709551615u == -1", "1 << 3 == 8", "-8 >> 1 == -4",
        "7 % -4 == 3", "0x10L + 010ull == 24", "!defined x && !defined(x)", "undefined_name == 0",
        "defined __LINE__", "true && !false", "-9223372036854775807 - 1 < 0", "2 > 1 > 0"}) {
    INFO(yes);
    CHECK(value(yes) == "yes");
  }
  for (auto [bad, message] :
       std::initializer_list<std::pair<const char*, const char*>>{{"1 / 0", "division by zero"},
                                                                  {"1 % (2 - 2)", "division by zero"},
                                                                  {"1.0", "is not an integer"},
                                                                  {"0x", "is not an integer"},
                                                                  {"08", "is not an integer"},
                                                                  {"1uu", "is not an integer"},
                                                                  {"99999999999999999999", "too large"},
                                                                  {"''", "empty"},
                                                                  {"'abcde'", "too long"},
                                                                  {"'\\q'", "escape"},
                                                                  {"\"a\"", "expected value"},
                                                                  {"1 +", "expected value"},
                                                                  {"(1", "expected ')'"},
                                                                  {"1 ? 2", "expected ':'"},
                                                                  {"1, 2", "unexpected token"},
                                                                  {"a = 1", "unexpected token"},
                                                                  {"defined", "macro name missing"},
                                                                  {"defined(3)", "must be an identifier"},
                                                                  {"defined(a", "missing ')'"}}) {
    INFO(bad);
    CHECK(has(value(bad), message));
  }
}

TEST_CASE("macros in #if") {
  std::string text = "#define f(x) (x + 1)\n#define HAS defined(f)\n#define NO_f !HAS\n";
  CHECK(preprocessed(text + "#if f(1) == 2 && HAS && !(NO_f) && f\\\n(2) == 3\nyes\n#endif") == "yes");
  CHECK(preprocessed("#define f\n#if defined f && defined(f)\nyes\n#endif") == "yes");
  CHECK(has(complaints("#define f(x) x\n#if f(1\n)\n#endif"), "unterminated argument list of macro 'f'"));
}

TEST_CASE("conditionals choose one branch and look at no other") {
  std::string text = "#if A\n1\n#elif B\n2\n# elif 1/C\n3\n#else\n4\n#endif\n";
  CHECK(preprocessed("#define A 1\n" + text) == "1");
  CHECK(preprocessed("#define B 1\n" + text) == "2");
  CHECK(preprocessed("#define C 1\n" + text) == "3");
  CHECK(preprocessed("#define C 2\n" + text) == "4");
  CHECK(preprocessed(
            "#if 0\n#if garbage (\n' it's \" @ \\\n#else\n#elif\n#endif\n#include\n#error x\n#endif\nz") ==
        "z");
  CHECK(preprocessed("#if 0 /* a\n#endif */\nx\n#else // y\nz\n#endif") == "z");
}

TEST_CASE("#include looks beside the file, then in the folders of -I") {
  Files files{{"dir/a.h", "dir_a\n#include \"b.h\"\n"},
              {"dir/b.h", "dir_b"},
              {"inc/b.h", "inc_b"},
              {"inc/c.h", "inc_c"},
              {"other/c.h", "other_c"},
              {"/abs/d.h", "abs_d"}};
  kc::FrontendOptions options = with_files(files);
  options.include_dirs = {"inc", "other/"};
  CHECK(preprocessed("#include \"dir/a.h\"\n#include \"b.h\"\n#include <b.h>\n#include \"c.h\"\nend",
                     options) == "dir_a dir_b inc_b inc_b inc_c end");
  CHECK(preprocessed("#include \"/abs/d.h\"", options) == "abs_d");
}

TEST_CASE("computed includes") {
  kc::FrontendOptions options = with_files({{"c.h", "c"}, {"inc/d.h", "d"}});
  options.include_dirs = {"inc"};
  CHECK(preprocessed("#define S(x) #x\n#define X(x) S(x)\n#define N c\n#include X(N.h)\n"
                     "#define A <d.h>\n#include A\n#define B \"c.h\"\n#include B\n",
                     options) == "c d c");
}

TEST_CASE("files included once, guarded, or again with other macros") {
  kc::FrontendOptions options = with_files({{"once.h", "#pragma once\nonce\n"},
                                            {"guard.h", "#ifndef G\n#define G\nguard\n#endif"},
                                            {"x.h", "f(T)"}});
  CHECK(preprocessed("#include \"once.h\"\n#include \"once.h\"\n#include \"guard.h\"\n#include \"guard.h\"\n"
                     "#define T int\n#include \"x.h\"\n#undef T\n#define T long\n#include \"x.h\"\n",
                     options) == "once guard f(int) f(long)");
  options.includes = {"x.h", "once.h"};
  options.defines = {"T=short"};
  CHECK(preprocessed("#include \"once.h\"\nT", options) == "f(short) once short");
}

TEST_CASE("diagnostics name the file, and the includes that led there") {
  kc::FrontendOptions options =
      with_files({{"a.h", "\n#include \"b.h\"\n"}, {"b.h", "int f() { return nothing; }\n"}});
  options.file_name = "main.cl";
  std::string text =
      compile("// first\n#include \"a.h\"\nint g() { return neither; }\n", options).diagnostics;
  CHECK(has(text,
            "in file included from main.cl:2:\nin file included from a.h:2:\nb.h:1:18: error: use of "
            "undeclared identifier 'nothing'\nint f() { return nothing; }\n                 ^~~~~~~\n"
            "main.cl:3:18: error: use of undeclared identifier 'neither'"));
}

TEST_CASE("positions in the IR are lines of the file that a token came from, as #line numbers them") {
  kc::FrontendOptions options = with_files({{"body.h", "\n\n  p[0] = 7;\n"}});
  std::string text =
      compile_to_text("kernel void k(global int* p) {\n#include \"body.h\"\np[1] = 8;\n}", options);
  CHECK(has(text, "!3:8"));
  CHECK(has(text, "!3:6"));
  CHECK(has(compile_to_text("#line 100 \"other.cl\"\nkernel void k(global int* p) { p[0] = 7; }"), "!100:"));
}

TEST_CASE("#line") {
  CHECK(preprocessed("#line 10\n__LINE__ __FILE__\n#line 20 \"f\\\"oo.cl\"\n__LINE__ __FILE__\n"
                     "#define N 30\n#line N\n__LINE__ __FILE__\n# 40 \"bar.cl\" 2 3\n__LINE__ __FILE__") ==
        R"(10 "kernel.cl" 20 "f\"oo.cl" 30 "f\"oo.cl" 40 "bar.cl")");
  CHECK(has(complaints("#line 7 \"gen.cl\"\n\n#error here"), "gen.cl:8:1: error: here"));
  for (const char* bad :
       {"#line", "#line x", "#line 0", "#line -1", "#line 2147483648", "#line 0x10", "#line 1 2"})
    CHECK(has(complaints(bad), "error"));
}

TEST_CASE("pragmas") {
  CHECK(preprocessed("#pragma unroll 4\n#pragma OPENCL EXTENSION cl_khr_fp64 : enable\nx") ==
        "#pragma unroll 4 #pragma OPENCL EXTENSION cl_khr_fp64 : enable x");
  CHECK(preprocessed("#define N 4u\n#pragma pack(push, label, N)\n#pragma pack(N)\n#pragma pack(pop)\nx") ==
        "#pragma pack(push, 4) #pragma pack(4) #pragma pack(pop) x");
  CHECK(preprocessed("#define P(x) _Pragma(#x) x\na P(unroll) b _Pragma(\"unroll 2\")") ==
        "a #pragma unroll unroll b #pragma unroll 2");
  CHECK(has(complaints("#pragma omp parallel"), "unknown pragma 'omp' is ignored [-Wunknown-pragmas]"));
  CHECK(has(complaints("_Pragma(3)"), "_Pragma takes one string in parentheses"));
  CHECK(has(complaints("#pragma OPENCL FP_CONTRACT PERHAPS"), "FP_CONTRACT takes ON, OFF or DEFAULT"));
}

TEST_CASE("FP_CONTRACT is obeyed to the end of its block") {
  std::string head = "kernel void k(global float* f, float a, float b, float c) {\n",
              off = "#pragma OPENCL FP_CONTRACT OFF\n";
  CHECK(count(compile_to_text(head + "f[0] = a * b + c; }"), "ffma") == 1);
  CHECK(count(compile_to_text(head + off + "f[0] = a * b + c; f[1] += a * b; }"), "ffma") == 0);
  CHECK(count(compile_to_text(off + head + "f[0] = a * b + c; }"), "ffma") == 0);
  CHECK(count(compile_to_text(head + "{\n" + off + "f[0] = a * b + c; } f[1] = a * b + c; }"), "ffma") == 1);
  CHECK(count(compile_to_text(head + "_Pragma(\"OPENCL FP_CONTRACT OFF\") f[0] = a * b + c;\n"
                                     "#pragma STDC FP_CONTRACT ON\nf[1] = a * b + c; }"),
              "ffma") == 1);
  kc::FrontendOptions options;
  options.contract = false;
  CHECK(count(compile_to_text("#pragma OPENCL FP_CONTRACT ON\n" + head + "f[0] = a * b + c; }", options),
              "ffma") == 1);
  CHECK(count(compile_to_text("#pragma OPENCL FP_CONTRACT ON\n#pragma OPENCL FP_CONTRACT DEFAULT\n" + head +
                                  "f[0] = a * b + c; }",
                              options),
              "ffma") == 0);
}

TEST_CASE("preprocessed text keeps lines and says where they came from") {
  kc::FrontendOptions options = with_files({{"h.h", "int h;\n"}});
  CHECK(kc::preprocess_source("#define A 1\n\nint a =\n    A;\n#include \"h.h\"\nint b;\n", options).text ==
        "#line 3 \"kernel.cl\"\nint a =\n    1;\n#line 1 \"h.h\"\nint h;\n#line 6 \"kernel.cl\"\nint b;\n");
  CHECK(kc::preprocess_source("a\n\n\nb\n", {}).text == "#line 1 \"kernel.cl\"\na\n\n\nb\n");
}

namespace {

// Macro replacement changes positions: columns, and lines of calls that span several lines.
std::string without_positions(const std::string& ir, bool keep_lines) {
  static const std::regex Position("!([0-9]+):[0-9]+");
  return std::regex_replace(ir, Position, keep_lines ? "!$1" : "!");
}

void check_round_trip(const std::string& text, const kc::FrontendOptions& options = {},
                      bool keep_lines = true) {
  INFO(text);
  kc::FrontendResult first = compile(text, options);
  REQUIRE(first.module != nullptr);
  kc::PreprocessedText middle = kc::preprocess_source(text, options);
  REQUIRE(middle.errors == 0);
  kc::FrontendOptions plain;
  plain.contract = options.contract;
  kc::FrontendResult second = compile(middle.text, plain);
  INFO(middle.text);
  INFO(second.diagnostics);
  REQUIRE(second.module != nullptr);
  CHECK(without_positions(kc::print(*first.module), keep_lines) ==
        without_positions(kc::print(*second.module), keep_lines));
  CHECK(kc::preprocess_source(middle.text, plain).text == middle.text);
}

}  // namespace

TEST_CASE("preprocessed text compiles to the same") {
  size_t files = 0;
  for (const char* folder : {"/examples", "/tests/frontend/kernels"})
    for (const auto& entry :
         std::filesystem::recursive_directory_iterator(std::string(KC_SOURCE_DIR) + folder)) {
      if (entry.path().extension() != ".cl") continue;
      std::ifstream in(entry.path(), std::ios::binary);
      std::stringstream text;
      text << in.rdbuf();
      check_round_trip(text.str());
      ++files;
    }
  CHECK(files >= 8);
  check_round_trip(
      "#define OP(a, b) a - -b\n#define NEG -\n#define CAT(a, b) a##b\n#pragma OPENCL FP_CONTRACT OFF\n"
      "kernel void CAT(k, 1)(global float* f, global int* p) {\n#include \"x.h\"\n p[1] = OP(p[2],\n p[3]) "
      "NEG-p[4];\n"
      " f[0] = f[1] * f[2] + f[3];\n _Pragma(\"unroll\") for (int i = 0; i < 3; i++) p[__LINE__] = "
      "__COUNTER__; }",
      with_files({{"x.h", "p[5] = INT_MIN + M_PI_F;\n"}}), false);
}
