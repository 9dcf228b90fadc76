// SPDX-License-Identifier: Apache-2.0
// Invalid and excessive input: an error with a location, in bounded time and memory.
#include "preprocess.h"

namespace {

void check_error(const std::string& text, const std::string& message,
                 const kc::FrontendOptions& options = {}) {
  INFO(text.substr(0, 500));
  kc::PreprocessedText r = kc::preprocess_source(text, options);
  CHECK(r.errors > 0);
  INFO(r.diagnostics);
  CHECK(has(r.diagnostics, message));
}

std::string repeated(const std::string& piece, size_t n) {
  std::string text;
  for (size_t i = 0; i < n; ++i) text += piece;
  return text;
}

// Ai is defined by `body` in terms of A(i-1).
std::string tower(int height, const std::string& parameters, const std::string& body) {
  std::string text = "#define A0" + parameters + " x\n";
  for (int i = 1; i < height; ++i) {
    std::string line = body;
    for (size_t at; (at = line.find('@')) != std::string::npos;) line.replace(at, 1, std::to_string(i - 1));
    text += "#define A" + std::to_string(i) + parameters + " " + line + "\n";
  }
  return text;
}

}  // namespace

TEST_CASE("malformed definitions") {
  check_error("#define", "macro name missing after #define");
  check_error("#define 3", "macro name must be an identifier");
  check_error("#define defined", "'defined' cannot be the name of a macro");
  check_error("#define f(a", "missing ')'");
  check_error("#define f(a,", "missing ')'");
  check_error("#define f(", "missing ')'");
  check_error("#define f(a b) a", "expected ',' or ')'");
  check_error("#define f(a, a) a", "duplicate macro parameter 'a'");
  check_error("#define f(..., a) a", "missing ')'");
  check_error("#define f(3) a", "expected the name of a macro parameter");
  check_error("#define f(__VA_ARGS__) a", "expected the name of a macro parameter");
  check_error("#define f(a) __VA_ARGS__", "__VA_ARGS__ can stand only in a macro");
  check_error("#define A __VA_ARGS__", "__VA_ARGS__ can stand only in a macro");
  check_error("#define f(a) # b", "'#' is not followed by a macro parameter");
  check_error("#define f(a) a #", "'#' is not followed by a macro parameter");
  check_error("#define f(a) # ## a", "'#' is not followed by a macro parameter");
  check_error("#define f(a) ## a", "'##' cannot stand at either end");
  check_error("#define A a ##", "'##' cannot stand at either end");
  check_error("#define A ##", "'##' cannot stand at either end");
  check_error("#define A+1", "white space is required");
  check_error("#undef", "macro name missing after #undef");
}

TEST_CASE("malformed uses") {
  std::string f =
      "#define f(a, b) a b\n#define g(a) a\n#define h() h\n#define v(a, ...) a\n#define cat(a, b) a##b\n";
  check_error(f + "f(1)", "macro 'f' takes 2 arguments, 1 given");
  check_error(f + "f(1, 2, 3)", "macro 'f' takes 2 arguments, 3 given");
  check_error(f + "g(1, 2)", "macro 'g' takes 1 argument, 2 given");
  check_error(f + "h(1)", "macro 'h' takes 0 arguments, 1 given");
  check_error(f + "#define w(a, b, ...) a\nw(1)", "macro 'w' takes at least 2 arguments, 1 given");
  check_error(f + "f(1, (2)", "kernel.cl:6:1: error: unterminated argument list of macro 'f'");
  check_error(f + "f(1, 2", "unterminated argument list");
  check_error(f + "g(f(1, 2", "unterminated argument list of macro 'g'");
  check_error(f + "#define open g(\nopen 1", "unterminated argument list of macro 'g'");
  check_error(f + "g(f)(1)", "macro 'f' takes 2 arguments, 1 given");
  check_error(f + "cat(+, *)", "pasting '+' and '*' does not give a valid token");
  check_error(f + "cat(/, /)", "pasting '/' and '/' does not give a valid token");
  check_error(f + "cat(\"a\", b)", "does not give a valid token");
  check_error(f + "#define s(a) #a\ns(\\)", "cannot be made a string");
  check_error(f + "g(\n#include \"x.h\"\n)", "#include inside the arguments of a macro");
}

TEST_CASE("malformed conditionals") {
  check_error("\n#if 1\n", "kernel.cl:2:1: error: unterminated conditional directive");
  check_error("#ifdef A\n#else\n", "kernel.cl:1:1: error: unterminated conditional directive");
  check_error("#else", "#else without #if");
  check_error("#elif 1", "#elif without #if");
  check_error("#endif", "#endif without #if");
  check_error("#if 1\n#else\n#else\n#endif", "kernel.cl:3:1: error: #else after #else");
  check_error("#if 0\n#else\n#elif 1\n#endif", "#elif after #else");
  check_error("#ifdef\n#endif", "macro name missing after #ifdef");
  check_error("#ifndef 3\n#endif", "macro name must be an identifier");
  check_error("#if\n#endif", "expected value");
  check_error("#elsif", "invalid preprocessing directive 'elsif'; did you mean 'elif'?");
  check_error("#includ \"x\"", "did you mean 'include'?");
  CHECK(has(complaints("#if 1\n#endif x"), "extra tokens at end of #endif directive"));
  // A conditional ends in the file in which it starts.
  check_error("#include \"open.h\"\nx\n", "open.h:1:1: error: unterminated conditional",
              with_files({{"open.h", "#if 0\n"}}));
  check_error("#if 1\n#include \"close.h\"\n#endif\n", "close.h:1:1: error: #endif without #if",
              with_files({{"close.h", "#endif\n"}}));
}

TEST_CASE("includes that cannot be") {
  Files files{{"self.h", "#include \"self.h\"\n"},
              {"a.h", "#include \"b.h\"\n#include \"b.h\"\n"},
              {"b.h", "#include \"a.h\"\n"},
              {"dir", "!it is a directory"},
              {"part.h", "f(1\n"},
              {"comment.h", "/* "}};
  kc::FrontendOptions options = with_files(files);
  check_error("#include \"none.h\"", "kernel.cl:1:10: error: 'none.h' file not found", options);
  check_error("#include \"none.h\"", "note: searched in '.'", options);
  check_error("#include <none.h>", "no folders to search", options);
  check_error("#include <self.h>", "use \"self.h\"", options);
  check_error("#include \"dir\"", "cannot read 'dir': it is a directory", options);
  check_error("#include \"\"", "is empty", options);
  check_error("#include <>", "is empty", options);
  check_error("#include", "expected \"NAME\" or <NAME>", options);
  check_error("#include \"a", "expected \"NAME\" or <NAME>", options);
  check_error("#include <a", "expected \"NAME\" or <NAME>", options);
  check_error("#include x.h", "expected \"NAME\" or <NAME>", options);
  check_error("#define f(x) x\n#include \"part.h\"\n)",
              "part.h:1:1: error: unterminated argument list of macro 'f'", options);
  check_error("#include \"comment.h\"\n*/ x", "comment.h:1:1: error: unterminated /* comment", options);
  check_error("#include \"x.h\"", "no access to other files");
  options.include_dirs = {"inc", "more/"};
  check_error("#include \"none.h\"", "note: searched in '.', 'inc', 'more'", options);
  check_error("#include \"self.h\"", "self.h:1:1: error: #include nested too deeply", options);
  check_error("#include \"self.h\"",
              "in file included from kernel.cl:1:\nin file included from self.h:1:", options);
  check_error("#include \"self.h\"", "more levels of inclusion)", options);
  check_error("#include \"a.h\"", "#include nested too deeply", options);
}

TEST_CASE("what follows an include that cannot be is not parsed, what precedes it is") {
  Files files{{"a.h", "int f(void);\n"}};
  const kc::FrontendResult r = kc::compile_source(
      "#include \"a.h\"\nint g(void) { return + ; }\nint h(void) {\n#include \"none.h\"\n  foo_t x }\n"
      "#include \"other.h\"\nbar_t y;\n",
      with_files(files));
  INFO(r.diagnostics);
  CHECK(r.errors == 3);
  CHECK(has(r.diagnostics, "kernel.cl:2:24: error: expected expression"));
  CHECK(has(r.diagnostics, "kernel.cl:4:10: error: 'none.h' file not found"));
  CHECK(has(r.diagnostics, "kernel.cl:6:10: error: 'other.h' file not found"));
}

TEST_CASE("includes that would take for ever") {
  Files files;
  for (int i = 0; i < 60; ++i) {
    std::string next = "#include \"f" + std::to_string(i + 1) + ".h\"\n";
    files["f" + std::to_string(i) + ".h"] = next + next;
  }
  files["f60.h"] = "x\n";
  check_error("#include \"f0.h\"", "too much is included", with_files(files));
  check_error(repeated("#include \"big.h\"\n", 500), "too much is included",
              with_files({{"big.h", std::string(1 << 20, ' ')}}));
}

TEST_CASE("macros that would take for ever") {
  check_error(tower(60, "", "A@ A@") + "A59", "too many tokens");
  check_error(tower(60, "(x)", "A@(x x)") + "A59(1)", "too many tokens");
  check_error(tower(60, "(x)", "A@(A@(x))") + "A59(1)", "too many tokens");
  check_error(tower(60, "(x)", "A@(x##x)") + "A59(a)", "too many tokens");
  check_error("#define t(x) #x #x\n#define s(x) t(x)\n" + tower(60, "(x)", "s(A@(x))") + "A59(1)",
              "too many tokens");
  check_error("#define f(x) x x\n" + repeated("f(", 40) + "1" + repeated(")", 40), "too many tokens");
  check_error("#define f(x) x\n" + repeated("f(", 1000) + "1" + repeated(")", 1000), "nested too deeply");
  check_error("#define f(x) x\n" + repeated("f(", 100000) + "1" + repeated(")", 100000), "too many tokens");
  check_error("#define f(x) x\n" + repeated("f(", 100000), "unterminated argument list");
  check_error("#define f(x) x\nf(" + repeated("a ", 4500000), "too many tokens");
  check_error(repeated("a ", 4500000), "too many tokens after preprocessing");
  // The cost of uses of an empty macro is bounded, too.
  CHECK(preprocessed("#define E\n" + repeated("E E E\n", 100000)) == "");
}

TEST_CASE("broken bytes") {
  check_error("\"abc\nx", "kernel.cl:1:1: error: missing terminating '\"' character");
  check_error("x 'abc", "missing terminating ' character");
  check_error("/* never\nends", "kernel.cl:1:1: error: unterminated /* comment");
  check_error(std::string("int a\0b;", 8), "unexpected character <00>");
  check_error("\x01\x02\x7f", "unexpected character <01>");
  check_error("\xff\xfe\x80 \xc3", "unexpected character");
  check_error("#define A @\nA", "expanded from macro 'A'");
  std::string nul(1, '\0');
  CHECK(preprocessed("// a" + nul + "b\nx /* " + nul + " */ y") == "x y");
  preprocessed("#define UNUSED @ \\ $\n#if 0\n'\n#endif\n");
  std::string binary;
  for (int i = 0; i < 20000; ++i) binary += static_cast<char>((i * 7919) >> 3);
  CHECK(kc::preprocess_source(binary, {}).errors > 0);
  CHECK(kc::preprocess_source("\\", {}).errors > 0);
  CHECK(kc::preprocess_source("\\\n", {}).errors == 0);
  CHECK(kc::preprocess_source("#\\\n", {}).errors == 0);
}

TEST_CASE("long lines and long tokens") {
  size_t n = 10u << 20;
  CHECK(kc::preprocess_source("// " + std::string(n, 'x') + "\nint a;", {}).errors == 0);
  CHECK(kc::preprocess_source("int " + std::string(n, 'x') + ";", {}).errors == 0);
  CHECK(kc::preprocess_source("#define A " + repeated("b ", n / 20) + "\nint A;", {}).errors == 0);
  check_error(std::string(n, ' ') + "@", "unexpected character '@'");
  CHECK(kc::preprocess_source(repeated("\\\n", n / 4) + "int a;", {}).errors == 0);
}

TEST_CASE("notes lead through macros to the spelling") {
  std::string text = complaints("#define A B\n#define B C + 1\n#define C @\nint x = A;\n");
  CHECK(has(text,
            "kernel.cl:4:9: error: unexpected character '@'\nint x = A;\n        ^\n"
            "kernel.cl:1:11: note: expanded from macro 'A'\n#define A B\n          ^\n"
            "kernel.cl:2:11: note: expanded from macro 'B'\n#define B C + 1\n          ^\n"
            "kernel.cl:3:11: note: expanded from macro 'C'\n#define C @\n          ^\n"));
  // An argument is shown where it was written, then at its expansion.
  text = complaints("#define F(x) (x)\n#define G(y) F(y + 1)\nint x = G(@);\n");
  CHECK(has(text,
            "kernel.cl:3:11: error: unexpected character '@'\nint x = G(@);\n          ^\n"
            "kernel.cl:2:16: note: expanded from macro 'G'\n#define G(y) F(y + 1)\n               ^\n"
            "kernel.cl:1:15: note: expanded from macro 'F'\n#define F(x) (x)\n              ^\n"));
  std::string deep = tower(20, "", "A@");
  text = compile(deep + "kernel void k(global int* p) { p[0] = A19; }").diagnostics;
  CHECK(count(text, "note: expanded from macro") == 6);
  CHECK(has(text, "(14 more before)"));
}
