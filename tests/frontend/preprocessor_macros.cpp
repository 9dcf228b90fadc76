// SPDX-License-Identifier: Apache-2.0
// Macro expansion.
#include "preprocess.h"

TEST_CASE("rescanning: the long example of C99 6.10.3.5") {
  CHECK(preprocessed(R"(
#define x 3
#define f(a) f(x * (a))
#undef x
#define x 2
#define g f
#define z z[0]
#define h g(~
#define m(a) a(w)
#define w 0,1
#define t(a) a
#define p() int
#define q(x) x
#define r(x,y) x ## y
#define str(x) # x
f(y+1) + f(f(z)) % t(t(g)(0) + t)(1);
g(x+(3,4)-w) | h 5) & m
(f)^m(m);
p() i[q()] = { q(1), r(2,3), r(4,), r(,5), r(,) };
char c[2][6] = { str(hello), str() };
)") == "f(2 * (y+1)) + f(2 * (f(2 * (z[0])))) % f(2 * (0)) + t(1); "
       "f(2 * (2+(3,4)-0,1)) | f(2 * (~ 5)) & f(2 * (0,1))^m(0,1); "
       "int i[] = { 1, 23, 4, 5, }; char c[2][6] = { \"hello\", \"\" };");
}

TEST_CASE("strings and pasting: C99 6.10.3.5") {
  CHECK(preprocessed(R"(
#define str(s) # s
#define xstr(s) str(s)
#define debug(s, t) printf("x" # s "= %d, x" # t "= %s", \
                           x ## s, x ## t)
#define INCFILE(n) vers ## n
#define glue(a, b) a ## b
#define xglue(a, b) glue(a, b)
#define HIGHLOW "hello"
#define LOW LOW ", world"
debug(1, 2);
fputs(str(strncmp("abc\0d", "abc", '\4') // this goes away
== 0) str(: @\n), s);
xstr(INCFILE(2).h)
glue(HIGH, LOW);
xglue(HIGH, LOW)
)") == R"(printf("x" "1" "= %d, x" "2" "= %s", x1, x2); )"
       R"(fputs("strncmp(\"abc\\0d\", \"abc\", '\\4') == 0" ": @\n", s); )"
       R"("vers2.h" "hello"; "hello" ", world")");
}

TEST_CASE("placemarkers, ## made by ##, variadics: C99 6.10.3.3 and 6.10.3.5") {
  CHECK(
      preprocessed("#define t(x,y,z) x ## y ## z\n"
                   "int j[] = { t(1,2,3), t(,4,5), t(6,,7), t(8,9,), t(10,,), t(,11,), t(,,12), t(,,) };") ==
      "int j[] = { 123, 45, 67, 89, 10, 11, 12, };");
  CHECK(preprocessed("#define hash_hash # ## #\n#define mkstr(a) # a\n#define in_between(a) mkstr(a)\n"
                     "#define join(c, d) in_between(c hash_hash d)\nchar p[] = join(x, y);") ==
        "char p[] = \"x ## y\";");
  CHECK(preprocessed(R"(
#define debug(...) fprintf(stderr, __VA_ARGS__)
#define showlist(...) puts(#__VA_ARGS__)
#define report(test, ...) ((test)?puts(#test):\
            printf(__VA_ARGS__))
debug("Flag");
debug("X = %d\n", x);
showlist(The first, second, and third items.);
report(x>y, "x is %d but y is %d", x, y);
)") == R"(fprintf(stderr, "Flag"); fprintf(stderr, "X = %d\n", x); )"
       R"(puts("The first, second, and third items."); )"
       R"(((x>y)?puts("x>y"): printf("x is %d but y is %d", x, y));)");
}

TEST_CASE("redefinition: C99 6.10.3.5") {
  std::string first = "#define OBJ_LIKE (1-1)\n#define FUNC_LIKE(a) ( a )\n";
  preprocessed(
      first +
      "#define OBJ_LIKE /* white space */ (1-1) /* other */\n"
      "#define FUNC_LIKE( a )( /* note the white space */ \\\n a /* other stuff on this line\n*/ )\n");
  for (const char* other : {"OBJ_LIKE (0)", "OBJ_LIKE (1 - 1)", "FUNC_LIKE(b) ( a )", "FUNC_LIKE(b) ( b )",
                            "FUNC_LIKE ( a )", "FUNC_LIKE(a, ...) ( a )"}) {
    INFO(other);
    CHECK(has(complaints(first + "#define " + other), "macro redefined [-Wmacro-redefined]"));
  }
  preprocessed("#define A 1\n#undef A\n#define A 2\n#undef NEVER_DEFINED\n");
}

TEST_CASE("a name met while its macro is under way stays for good") {
  CHECK(preprocessed("#define a b\n#define b a\na b") == "a b");
  CHECK(preprocessed("#define foo foo (x)\nfoo") == "foo (x)");
  CHECK(preprocessed("#define f(x) x f\nf(1)(2)(3)") == "1 f(2)(3)");
  CHECK(preprocessed("#define f(x) g\n#define g f\nf(1)(2)(3)(4)") == "f(2)(3)(4)");
  CHECK(preprocessed("#define AA BB\n#define BB AA + CC\n#define CC AA * BB\nAA; BB; CC;") ==
        "AA + AA * BB; BB + BB * BB; AA + CC * BB + CC;");
  CHECK(preprocessed(
            "#define NIL(x) x\n#define G_0(arg) NIL(G_1)(arg)\n#define G_1(arg) NIL(arg)\nG_0(42)") == "42");
  CHECK(preprocessed("#define f(a) a + f(a)\nf(f(x))") == "x + f(x) + f(x + f(x))");
}

TEST_CASE("calls of macros over several lines, with parentheses and nothing in them") {
  CHECK(preprocessed("#define f(a, b) [a|b]\nf\n (\n 1\n ,\n (2, 3)\n )\n x f y") == "[1|(2, 3)] x f y");
  CHECK(preprocessed("#define f() x\n#define g(a) <a>\nf() f( ) g() g( ) g((,)) f") == "x x <> <> <(,)> f");
  CHECK(preprocessed("#define CAT(a, b) a ## b\n#define X CAT(, ) 7\nX CAT(x, ) CAT(, y) CAT(+, =)") ==
        "7 x y +=");
  CHECK(preprocessed("#define f(x) {x}\nf(a\n#ifdef NOT\nb\n#else\nc\n#endif\nd)") == "{a c d}");
  CHECK(preprocessed("#define LPAREN (\n#define f(x) <x>\nf LPAREN 1)") == "f ( 1)");
  CHECK(preprocessed("#define g f\n#define f(x) <x>\ng(1) g /* here */ (2)") == "<1> <2>");
}

TEST_CASE("variadics of GNU") {
  std::string define = "#define e(fmt, ...) p(fmt, ##__VA_ARGS__)\n";
  CHECK(preprocessed(define + "e(1) e(1, ) e(1, 2) e(1, 2, 3)") == "p(1) p(1) p(1,2) p(1,2, 3)");
  CHECK(preprocessed("#define e(...) p(0, ##__VA_ARGS__)\ne() e(1, 2)") == "p(0) p(0,1, 2)");
  CHECK(preprocessed("#define e(f, args...) p(f, ## args)\ne(1) e(1, 2, 3)") == "p(1) p(1, 2, 3)");
  CHECK(preprocessed("#define N 5\n#define e(f, ...) p(f, ##__VA_ARGS__)\ne(N, N)") == "p(5,5)");
  CHECK(preprocessed("#define e(f, ...) p(__VA_ARGS__ f)\ne(1) e(1, 2)") == "p( 1) p(2 1)");
}

TEST_CASE("blanks in strings made of arguments") {
  CHECK(preprocessed("#define s(x) #x\ns(  a   +\tb\n  c ) s(a+b) s(\"a\\n\" '\\\\' '\"')") ==
        R"("a + b c" "a+b" "\"a\\n\" '\\\\' '\"'")");
  CHECK(preprocessed("#define s(x) #x\n#define t(x) s(x)\n#define E\nt(a E b) t(-E-) t()") ==
        R"("a b" "--" "")");
  CHECK(preprocessed("#define s(...) #__VA_ARGS__\ns() s(,) s(a , b,c)") == R"("" "," "a , b,c")");
}

TEST_CASE("macros of the preprocessor itself") {
  CHECK(preprocessed("__LINE__ __FILE__\n__LINE__ __COUNTER__ __COUNTER__") == "1 \"kernel.cl\" 2 0 1");
  CHECK(preprocessed("#define L __LINE__\n#define f(x) x L\nf(L\n)\n") == "4 4");
  CHECK(preprocessed("#define CAT_(a, b) a##b\n#define CAT(a, b) CAT_(a, b)\nint CAT(n, __LINE__);") ==
        "int n3;");
  CHECK(preprocessed("__OPENCL_VERSION__ CL_VERSION_1_2 cl_khr_fp64 __kernelc__ __ENDIAN_LITTLE__") ==
        "120 120 1 1 1");
  CHECK(preprocessed("__DATE__ __TIME__") == R"("Jan  1 1970" "00:00:00")");
}

TEST_CASE("questions about the compiler") {
  CHECK(preprocessed("#if defined(__has_builtin) && __has_builtin(__builtin_clz)\n1\n#endif") == "1");
  CHECK(preprocessed("__has_builtin(mad) __has_builtin(nothing) __has_attribute(aligned)") == "1 0 1");
  CHECK(preprocessed("__has_builtin(__builtin_astype) __has_builtin(__builtin_convertvector)") == "1 1");
  CHECK(preprocessed("#define popcount 3\n__has_builtin(popcount) __has_feature(x) __has_extension(x)") ==
        "1 0 0");
  CHECK(has(complaints("#if __has_builtin()\n#endif"), "takes one name in parentheses"));
}

TEST_CASE("tokens of expansions do not run into each other") {
  CHECK(preprocessed("#define P +\n#define M -\n#define E\n+P P+ -M -E- P= x E y+E+") ==
        "+ + + + - - - - + = x y+ +");
  CHECK(preprocessed("#define f(x) x\n#define I 1\nf(.)f(.)f(.) f(a)b I.0 .I I I /f(*)") ==
        ". . . a b 1 .0 . 1 1 1 / *");
  CHECK(preprocessed("a+++b x.y ...") == "a+++b x.y ...");
}

TEST_CASE("the forms of -D and -U") {
  kc::FrontendOptions options;
  options.defines = {"A", "B=", "C=a b", "F(x)=<x>", "G(x, ...)=x __VA_ARGS__", "A=2", "H=#x"};
  options.diagnostics.silent = true;
  CHECK(preprocessed("A [B] C F(1) G(1, 2, 3) H", options) == "2 [] a b <1> 1 2, 3 #x");
  options.undefines = {"C", "__FILE__"};
  CHECK(preprocessed("C __FILE__", options) == "C __FILE__");
  options = {};
  options.defines = {"3=4", ""};
  CHECK(has(complaints("x", options), "<command line>:1:9: error: macro name must be an identifier"));
  options.defines = {"N=1"};
  CHECK(has(complaints("#define N 2", options), "<command line>:1:9: note: previous definition is here"));
}

TEST_CASE("digraphs and continued lines") {
  CHECK(preprocessed("%:define s(x) %:x\nint a<:2:> = <% s(<:) %>;") == "int a<:2:> = <% \"<:\" %>;");
  CHECK(preprocessed("#def\\\nine A\\\nB 1 \\\n + 2\nA\\\nB") == "1 + 2");
}
