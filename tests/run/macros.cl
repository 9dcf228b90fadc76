// Macros with parameters, # and ##, and #include.
//---- parameters
//: global 10
//: arg out=i32[10]
//: expect out = i * i + 7
#define SQUARE(x) ((x) * (x))
#define ADD(a, b) ((a) + (b))
kernel void k(global int* out) {
    int i = get_global_id(0);
    out[i] = ADD(SQUARE(i), 7);
}
//---- arguments_are_not_protected
//: global 1
//: arg out=i32[2]
//: expect out = {11, 7}
#define BAD_DOUBLE(x) x * 2
#define DOUBLE(x) ((x) * 2)
kernel void k(global int* out) {
    out[0] = BAD_DOUBLE(1 + 5);
    out[1] = DOUBLE(3) + 1;
}
//---- commas_in_parentheses
//: global 1
//: arg out=i32[1]
//: expect out = {9}
#define FIRST(a, b) a
int add(int a, int b) { return a + b; }
kernel void k(global int* out) { out[0] = FIRST(add(4, 5), 100); }
//---- not_called_without_parentheses
//: global 1
//: arg out=i32[2]
//: expect out = {5, 6}
#define f(x) (x + 1)
kernel void k(global int* out) {
    int f = 5;
    out[0] = f;
    out[1] = f(5);
}
//---- over_several_lines
//: global 4
//: arg out=i32[4]
//: expect out = i * 100 + i
#define PUT(p, index, value) \
    do {                     \
        int t_ = (value);    \
        (p)[index] = t_;     \
    } while (0)
kernel void k(global int* out) {
    int i = get_global_id(0);
    if (i >= 0) PUT(out, i, i * 100 + i);
    else PUT(out, i, -1);
}
//---- call_over_several_lines
//: global 1
//: arg out=i32[1]
//: expect out = {6}
#define SUM3(a, b, c) (a + b + c)
kernel void k(global int* out) {
    out[0] = SUM3(1,
                  2,
                  3);
}
//---- pasted_names
//: global 1
//: arg out=i32[3]
//: expect out = {10, 20, 12}
#define NAME(prefix, n) prefix##n
#define TYPE(n) n##nt
kernel void k(global int* out) {
    TYPE(i) value1 = 10, value2 = 20;
    out[0] = NAME(value, 1);
    out[1] = NAME(value, 2);
    out[2] = NAME(1, 2);
}
//---- pasting_does_not_expand_arguments
//: global 1
//: arg out=i32[2]
//: expect out = {1, 2}
#define N 7
#define GLUE(a, b) a##b
#define EXPANDED_GLUE(a, b) GLUE(a, b)
kernel void k(global int* out) {
    int xN = 1, x7 = 2;
    out[0] = GLUE(x, N);
    out[1] = EXPANDED_GLUE(x, N);
}
//---- functions_made_by_macros
//: global 6
//: arg out=i32[6]
//: expect out = (i + 3) * 100 + i * 3
#define OPERATION(name, op) \
    int name(int a, int b) { return a op b; }
OPERATION(plus, +)
OPERATION(times, *)
kernel void k(global int* out) {
    int i = get_global_id(0);
    out[i] = plus(i, 3) * 100 + times(i, 3);
}
//---- macros_that_call_macros
//: global 5
//: arg out=i32[5]
//: expect out = i < 1 ? 1 : i > 3 ? 3 : i
#define MIN(a, b) ((a) < (b) ? (a) : (b))
#define MAX(a, b) ((a) > (b) ? (a) : (b))
#define CLAMP(x, lo, hi) MIN(MAX(x, lo), hi)
kernel void k(global int* out) {
    int i = get_global_id(0);
    out[i] = CLAMP(i, 1, 3);
}
//---- no_endless_expansion
//: global 1
//: arg out=i32[1]
//: expect out = {8}
int twice(int x) { return x * 2; }
#define twice(x) twice((x) + 1)
kernel void k(global int* out) { out[0] = twice(3); }
//---- empty_arguments
//: global 1
//: arg out=i32[2]
//: expect out = {5, -5}
#define SIGNED(sign, x) sign x
kernel void k(global int* out) {
    out[0] = SIGNED(, 5);
    out[1] = SIGNED(-, 5);
}
//---- variadic
//: global 1
//: arg out=i32[2]
//: expect out = {6, 3}
#define CALL(f, ...) f(__VA_ARGS__)
int add3(int a, int b, int c) { return a + b + c; }
int inc(int a) { return a + 1; }
kernel void k(global int* out) {
    out[0] = CALL(add3, 1, 2, 3);
    out[1] = CALL(inc, 2);
}
//---- conditions_with_macros
//: global 1
//: flags -DWIDTH=8
//: arg out=i32[2]
//: expect out = {64, 1}
#define AREA(x) ((x) * (x))
kernel void k(global int* out) {
#if AREA(WIDTH) > 50
    out[0] = AREA(WIDTH);
#endif
#if defined(AREA) && AREA(2) == 4
    out[1] = 1;
#endif
}
//---- unrolled_by_macros
//: global 8
//: arg out=i32[8]
//: expect out = i * 8 + 28
#define REPEAT2(m, n) m(n) m(n + 1)
#define REPEAT4(m, n) REPEAT2(m, n) REPEAT2(m, n + 2)
#define REPEAT8(m) REPEAT4(m, 0) REPEAT4(m, 4)
#define STEP(n) sum += i + (n);
kernel void k(global int* out) {
    int i = get_global_id(0), sum = 0;
    REPEAT8(STEP)
    out[i] = sum;
}
//---- line_and_file
//: global 1
//: arg out=i32[1]
//: expect out = {101}
kernel void k(global int* out) {
#line 100
    int unused;
    out[0] = __LINE__;
}
//---- included
//: global 4
//: flags -I include
//: arg out=i32[4]
//: expect out = i * 3 + 1
#include "shared.h"
kernel void k(global int* out) {
    int i = get_global_id(0);
    out[i] = triple(i) + SHARED_ONE;
}
//---- included_twice_with_a_guard
//: global 1
//: flags -I include
//: arg out=i32[1]
//: expect out = {13}
#include "shared.h"
#include "shared.h"
kernel void k(global int* out) { out[0] = triple(4) + SHARED_ONE; }
//---- included_by_a_macro
//: global 1
//: flags -I include -DFILE="shared.h"
//: arg out=i32[1]
//: expect out = {6}
#include FILE
kernel void k(global int* out) { out[0] = triple(2); }
