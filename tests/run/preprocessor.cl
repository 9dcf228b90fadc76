// Preprocessor: macros, conditions, predefined names.
//---- object_macros
//: global 4
//: arg out=i32[4]
//: expect out = i * 12 + 5
#define THREE 3
#define TWELVE (THREE * 4)
#define NOTHING
kernel void k(global int* out) {
    int i = get_global_id(0) NOTHING;
    out[i] = i * TWELVE NOTHING + 5;
}
//---- macros_are_tokens_not_values
//: global 1
//: arg out=i32[1]
//: expect out = {7}
#define SUM 1 + 2
kernel void k(global int* out) { out[0] = SUM * 3; }
//---- expansion_is_rescanned_but_not_again
//: global 1
//: arg out=i32[2]
//: expect out = {5, 9}
#define A B
#define B C
#define C 5
#define self self
kernel void k(global int* out) {
    int self = 9;
    out[0] = A;
    out[1] = self;
}
//---- undef_and_again
//: global 1
//: arg out=i32[3]
//: expect out = {1, 2, 3}
kernel void k(global int* out) {
#define X 1
    out[0] = X;
#undef X
#define X 2
    out[1] = X;
#undef X
    int X = 3;
    out[2] = X;
}
//---- conditions
//: global 1
//: arg out=i32[6]
//: expect out = {1, 2, 3, 4, 5, 6}
#define ON 1
#define OFF 0
kernel void k(global int* out) {
#if ON
    out[0] = 1;
#endif
#if OFF
    out[1] = 0;
#else
    out[1] = 2;
#endif
#ifdef OFF
    out[2] = 3;
#endif
#ifndef NEVER
    out[3] = 4;
#endif
#if OFF
    out[4] = 0;
#elif ON && !defined(NEVER)
    out[4] = 5;
#elif ON
    out[4] = 1;
#endif
#if defined ON && (defined(OFF) || NEVER)
    out[5] = 6;
#endif
}
//---- condition_arithmetic
//: global 1
//: arg out=i32[6]
//: expect out = 1
kernel void k(global int* out) {
#if 1 + 2 * 3 == 7
    out[0] = 1;
#endif
#if (5 > 3 ? 10 : 20) == 10
    out[1] = 1;
#endif
#if -1 < 0 && ~0 == -1 && !0
    out[2] = 1;
#endif
#if 1 << 4 == 16 && 0x10 == 020
    out[3] = 1;
#endif
#if 'a' == 97 && 7 / 2 == 3 && 7 % 4 == 3
    out[4] = 1;
#endif
#if undefined_name == 0 && (1 || 1 / 0)
    out[5] = 1;
#endif
}
//---- nested_conditions
//: global 1
//: arg out=i32[2]
//: expect out = {3, 0}
kernel void k(global int* out) {
#if 0
#if 1
    out[1] = 1;
#else
    this is not read at all '"
#endif
#else
#ifdef nothing
    out[1] = 2;
#elif 1
    out[0] = 3;
#endif
#endif
}
//---- from_the_command_line
//: global 4
//: flags -DBASE=40 -DFLAG -D STEP=(1+1) -DGONE -UGONE
//: arg out=i32[4]
//: expect out = 40 + i * 2 + 1000
kernel void k(global int* out) {
    int i = get_global_id(0);
    out[i] = BASE + i * STEP;
#if FLAG == 1
    out[i] += 1000;
#endif
#ifdef GONE
    out[i] = 0;
#endif
}
//---- line_splices_and_comments
//: global 1
//: arg out=i32[3]
//: expect out = {3, 12, 7}
#define LONG 1 + \
             2
kernel void k(global int* out) {
    out[0] = LONG; // a comment \
    out[0] = 99;
    out[1] = 12; /* over
       lines
    */
    out[2] = 7 /* / * */ ;
}
//---- version_macros
//: global 1
//: arg out=i32[2]
//: not host: these are of OpenCL
//: not opencl: another version
//: expect out = {120, 1}
kernel void k(global int* out) {
    out[0] = __OPENCL_VERSION__;
#ifdef __kernelc__
    out[1] = 1;
#endif
}
//---- the_double_extension_is_there
//: global 1
//: arg out=f64[1]
//: expect out = {0.1}
#ifdef cl_khr_fp64
#pragma OPENCL EXTENSION cl_khr_fp64 : enable
typedef double real;
#else
typedef float real;
#endif
kernel void k(global real* out) { out[0] = 0.1; }
//---- line_and_null_directives
//: global 1
//: arg out=i32[1]
//: expect out = {4}
#
#line 1000 "elsewhere.cl"
kernel void k(global int* out) {
    int n = 0;
#pragma unroll 4
    for (int j = 0; j < 4; j++) n++;
    out[0] = n;
}
//---- tokens_that_stay_if_there_are_arguments
//: not host: __VA_OPT__
//: global 1
//: arg out=i32[4]
//: expect out = {4, 10, 18, 1}
#define SUM(a, ...) a __VA_OPT__(+) __VA_ARGS__
#define CALL(x, ...) f(x __VA_OPT__(, (__VA_ARGS__)))
#define NESTED(...) 1 __VA_OPT__(+ SUM(2, __VA_ARGS__))
#define NOTHING
int __attribute__((overloadable)) f(int a, int b) { return a + b; }
int __attribute__((overloadable)) f(int a) { return a; }
kernel void k(global int* out) {
    out[0] = SUM(1) + SUM(1, 2);
    out[1] = CALL(3) + CALL(3, 4);
    out[2] = NESTED() * 10 + NESTED(5);
    out[3] = SUM(1, NOTHING);
}
//---- files_that_may_be_missing
//: not host: __has_include
//: global 1
//: flags -I include
//: arg out=i32[4]
//: expect out = {7, 5, 1, 1}
#define SHARED "shared.h"
#define MISSING <no/such/file.h>
#if defined(__has_include) && __has_include("no_such_file.h") || __has_include(MISSING)
#error "there is none"
#endif
kernel void k(global int* out) {
    out[0] = 7;
#ifdef __has_include
    out[1] = 5 + __has_include("no_such_file.h");
    out[2] = __has_include(<shared.h>), out[3] = __has_include(SHARED);
#endif
}
//---- blanks_behind_a_backslash
//: global 1
//: arg out=i32[2]
//: expect out = {12, 3}
#define SUM(a, \ 
            b) ((a) \	 
 + (b))
kernel void k(global int* out) {
    out[0] = SUM(5, 7);
    // to the end of the line \ 
    out[0] = 0;
    out[1] = 3;
}
