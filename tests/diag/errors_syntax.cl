//---- missing_semicolon
kernel void k(global int* out) {
    out[0] = 1
    out[1] = 2;
    return
}
//---- missing_semicolon_after_declaration
kernel void k(global int* out) {
    int x = out[0]
    float y;
    out[1] = x + y;
}
//---- missing_semicolon_after_do
kernel void k(global int* out) {
    do out[0]++; while (out[0] < 3)
    out[1] = 2;
}
//---- missing_parenthesis
kernel void k(global int* out) {
    if (out[0] > 2 { out[1] = 1; }
    while (out[0] > (2) { out[1] = 1; }
    out[2] = (out[0] + 1;
    out[3] = min(1, 2;
}
//---- missing_bracket
kernel void k(global int* out) {
    out[0 = 1;
    out[out[1] = 2;
}
//---- missing_brace
kernel void k(global int* out) {
    if (out[0]) {
        out[1] = 1;
}
//---- extra_brace
kernel void k(global int* out) {
    out[0] = 1; }
}
//---- missing_operand
kernel void k(global int* out) {
    out[0] = 1 + ;
    out[1] = * 3;
    out[2] = out[];
    out[3] = ();
}
//---- two_operands
kernel void k(global int* out) {
    out[0] = 1 2;
    out[1] = out[2] out[3];
}
//---- commas_in_for
kernel void k(global int* out) {
    for (int i = 0, i < 3, i++) out[i] = 1;
}
//---- for_without_parts
kernel void k(global int* out) {
    for (int i = 0; i < 3) out[i] = 1;
    for () out[0] = 1;
}
//---- else_without_if
kernel void k(global int* out) {
    if (out[0]) out[1] = 1; out[2] = 2;
    else out[3] = 3;
}
//---- declaration_as_body
kernel void k(global int* out) {
    if (out[0]) int x = 3;
}
//---- missing_type_of_function
twice(int x) { return 2 * x; }
static thrice(int x) { return 3 * x; }
kernel k(global int* out) { out[0] = twice(thrice(1)); }
//---- missing_type_of_variable
const limit = 3;
kernel void k(global int* out) { const n = 2; out[0] = n; }
//---- missing_name
int (int x) { return x; }
kernel void k(global int* out) { int = 3; }
//---- keyword_as_name
kernel void k(global int* out) {
    int while = 3;
    int kernel = 2;
}
//---- misplaced_case
kernel void k(global int* out) {
    switch (out[0]) {
        case: out[1] = 1;
        case 1 out[1] = 2;
        default out[2] = 3;
    }
}
//---- statement_outside
kernel void k(global int* out) { out[0] = 1; }
out[1] = 2;
return;
//---- unknown_type
kernel void k(global flaot* out, unsinged n) {
    itn x = 3;
    unknown_t y;
    out[0] = x + y;
}
//---- try_without_catch
kernel void k(global int* out) {
    try { out[0] = 1; }
    out[1] = 2;
}
//---- catch_without_parameter
kernel void k(global int* out) {
    try { throw 1; } catch { out[0] = 1; }
    try { throw 1; } catch () { out[0] = 1; }
}
//---- characters_that_begin_nothing
kernel void k(global int* out) {
    out[0] = 1 @ 2;
    out[1] = `3`;
    out[2] = “quoted”;
}
//---- open_literals
kernel void k(global int* out) {
    out[0] = 'a;
    out[1] = '';
    out[2] = 'ab';
    out[3] = '\q';
}
//---- open_comment
kernel void k(global int* out) { out[0] = 1; }
/* never closed
//---- numbers
kernel void k(global float* out) {
    out[0] = 08;
    out[1] = 0xg;
    out[2] = 1.0.0;
    out[3] = 99999999999999999999;
    out[4] = 1e;
    out[5] = 12abc;
    out[6] = 0b102;
}
//---- no_semicolon_after_a_definition
struct pair {
    int a, b;
}
kernel void k(global int* out) { out[0] = 1; }
enum colour { red, green }
static float4 f(float4 x) { return x; }
typedef int number;
union either { int a; }
struct other { int b; }
number g(number x) { return x; }
//---- types_of_the_language_named_anew
typedef unsigned long uint;
typedef int word, size_t;
typedef struct { int a; } ulong;
typedef unsigned int uint, uint __attribute__((aligned(4)));
kernel void k(global uint* out, size_t n) { out[0] = n; }
//---- words_of_other_types
kernel void k(global float* out) {
    complex float z;
    quad q;
    int complex = 1;
    out[0] = complex;
}
//---- optional_tokens
#define A(a, ...) a##__VA_OPT__(b)
#define B(a, ...) __VA_OPT__(x)##a
#define C(...) __VA_OPT__(
#define D(...) __VA_OPT__ x
#define E(...) __VA_OPT__(a __VA_OPT__(b))
#define F(x) __VA_OPT__(x)
kernel void k(global int* out) { out[0] = L'ab'; }
//---- questions_about_files
#if __has_include(x.h)
#endif
#if __has_include(<x
#endif
#if __has_include("a"
#endif
kernel void k(global int* out) { out[0] = 1; }
