#define SIZE 16
#define SIZE 17
#define SQUARE(x) ((x) * (x))
#include "header.h"
#if SIZE > 3 +
int never;
#endif
#ifdef MISSING
@ ` don't look here
#else extra
#endif
#else
#endif
#error this text is shown
#define
#undef 3
#frobnicate
#pragma OPENCL EXTENSION cl_khr_fp64 : enable
#define BAD undeclared_thing + 1
kernel void k(global int* out) {
    out[0] = BAD;
	out[1] = SIZE @ 2;
    out[2] = 'ab' + '' + 'c;
    out[3] = 1.0q + 0xZ + 99999999999999999999;
    out[4] = long\
er_name;
    int é = 2;
}
#ifdef SIZE
