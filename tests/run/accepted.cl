// What other OpenCL compilers accept beyond the letter of OpenCL C 1.2.
//---- numbers_beside_vectors
//: not host: vectors
//: global 1
//: arg in=f32[4]:iota
//: arg out=f32[16]
//: expect out = {1, 3, 5, 7, 0, 1, 4, 9, 1, 3, 5, 2, 0, 1, 0, 1}
kernel void k(global const float4* in, global float4* out) {
    float4 v = in[0];
    float two = 2.0f;
    out[0] = fma(v, two, 1.0f);
    out[1] = pow(v, 2);
    out[2] = mad(two, v, 1.0f) - step(3, v);
    out[2].w = fmax(2.0f, v - two).w;
    out[3] = fmod(v, 2.0f);
}
//---- integers_beside_vectors
//: not host: vectors
//: global 1
//: arg in=u32[4]:iota
//: arg out=u32[16]
//: expect out = {0, 8, 16, 24, 5, 6, 7, 8, 0, 1, 3, 3, 1, 4, 7, 10}
kernel void k(global const uint4* in, global uint4* out) {
    uint4 v = in[0];
    out[0] = rotate(v, 3);
    out[1] = add_sat(5, v);
    out[2] = bitselect(v, 3u, (uint4)(0, 0, 1, 3));
    out[3] = mad24(v, 3u, 1u);
}
//---- selections_beside_vectors
//: not host: vectors
//: global 1
//: arg in=f32[4]:iota
//: arg out=f32[8]
//: arg tests=i32[4]
//: expect out = {0, 1, 9, 9, 9, 9, 2, 3}
//: expect tests = {0, 0, -1, 0}
kernel void k(global const float4* in, global float4* out, global int4* tests) {
    float4 v = in[0];
    out[0] = select(v, 9.0f, v > 1.0f);
    out[1] = select(9.0f, v, v > 1.0f);
    tests[0] = isequal(v, 2.0f);
}
//---- halves_of_mixed_signedness
//: not host: vectors
//: global 1
//: arg out=i64[4]
//: expect out = {4294967298, 17179869189, 258, -1}
kernel void k(global long* out) {
    int a = 1, b = 2;
    out[0] = upsample(a, b);
    out[1] = upsample(4u, b + 3);
    out[2] = upsample((char)1, (uchar)2);
    short2 s = upsample((char2)(-1), (uchar)255);
    out[3] = s.y;
}
//---- long_long
//: global 1
//: arg out=u64[4]
//: expect out = {3, 1099511627776, 18446744073709551615, 16}
kernel void k(global ulong* out) {
    long long a = 3LL;
    unsigned long long b = 1ull << 40, c = 0xFFFFFFFFFFFFFFFFLLU;
    out[0] = a;
    out[1] = b;
    out[2] = c;
    out[3] = sizeof(a) + sizeof(1LLU);
}
//---- functions_of_gnu_c
//: not host: functions of OpenCL C under names of GNU C
//: global 1
//: arg out=i64[20]
//: expect out = {3, 29, 4, 5, 0, 1, 34, 0x78563412, 0x3412, 1, 63, 40, 1, 2, 1, 3, 5, 1, 1, 7}
kernel void k(global long* out) {
    int n = 0;
    out[0] = __builtin_popcount(7);
    out[1] = __builtin_clz(7);
    out[2] = __builtin_ctz(16);
    out[3] = __builtin_ffs(16);
    out[4] = __builtin_ffs(n);
    out[5] = __builtin_parity(7);
    out[6] = __builtin_ffsll(1L << 33);
    out[7] = __builtin_bswap32(0x12345678);
    out[8] = __builtin_bswap16(0x1234);
    out[9] = __builtin_bswap64(1UL << 56);
    out[10] = __builtin_clzl(1);
    out[11] = __builtin_ctzll(1UL << 40);
    out[12] = __builtin_popcountl(1UL << 40);
    out[13] = (long)__builtin_sqrtf(4);
    if (__builtin_expect(n == 0, 1)) out[14] = 1;
    __builtin_assume(n == 0);
    if (n) __builtin_unreachable();
    out[15] = (long)__builtin_fabs(-3.0);
    out[16] = (long)__builtin_fmaf(2, 2, 1);
    out[17] = __builtin_isinf(__builtin_inff()) != 0;
    out[18] = __builtin_isnan(__builtin_nan("")) != 0;
    out[19] = __builtin_fmaxf(7.0f, 3) == 7.0f ? 7 : 0;
}
//---- own_names_beside_gnu_ones
//: global 1
//: arg out=i32[1]
//: expect out = 2
int popcount(int x) { return __builtin_popcount(x); }
kernel void k(global int* out) { out[0] = popcount(3); }
//---- types_of_expressions
//: not host: __auto_type
//: global 1
//: arg out=f32[4]
//: expect out = {1.5, 2.5, 3, 4}
kernel void k(global float* out) {
    __typeof__(out[0]) a = 1.5f;
    typeof(a + 1) b = a + 1;
    const __auto_type c = a + a;
    __auto_type p = out + 3;
    __typeof__(float4) d = 4;
    out[0] = a;
    out[1] = b;
    out[2] = c;
    *p = d.w;
}
//---- names_of_functions
//: global 1
//: arg out=u8[4]
//: expect out = {107, 50, 104, 2}
char help(void) { return __FUNCTION__[0]; }
kernel void k2(global uchar* out) {
    out[0] = __func__[0];
    out[1] = __func__[1];
    out[2] = help();
    out[3] = sizeof(__func__) - 1;
}
//---- static_assertions
//: not host: _Static_assert
//: global 1
//: arg out=i32[1]
//: expect out = 1
_Static_assert(sizeof(int) == 4, "int");
kernel void k(global int* out) {
    _Static_assert(_Alignof(float4) == 16);
    out[0] = 1;
}
//---- constants_from_constants
//: global 1
//: arg out=i32[6]
//: expect out = {6, 3, 12, 4, 9, 2}
constant int rows = 3;
constant int area = rows * 2;
constant float sizes[] = {rows, area * 2};
kernel void k(global int* out) {
    const int length = 2 + 2;
    char text[length];
    static const int squares[] = {0, 1, 4, 9};
    static constant int twice = area - 4;
    out[0] = area;
    out[1] = sizes[0];
    out[2] = sizes[1];
    out[3] = sizeof(text);
    out[4] = squares[rows];
    out[5] = twice;
}
//---- types_with_attributes_after_their_names
//: not host: vectors
//: global 1
//: arg out=i32[5]
//: expect out = {32, 32, 16, 16, 4}
typedef struct { float4 a; int b; } wide __attribute__((aligned(32)));
typedef int apart __attribute__((aligned(16)));
typedef float four __attribute__((ext_vector_type(4)));
struct holder { char c; apart n; };
struct pair { char c; wide w; };
kernel void k(global int* out) {
    out[0] = sizeof(wide);
    out[1] = (int)((private char*)&((private struct pair*)0)->w - (private char*)0);
    out[2] = (int)((private char*)&((private struct holder*)0)->n - (private char*)0);
    out[3] = sizeof(four);
    four v = 1;
    out[4] = (int)dot(v, v);
}
//---- functions_of_one_name
//: not host: vectors
//: global 1
//: arg in=f32[4]:iota
//: arg out=f32[8]
//: arg l=f32[4]
//: expect out = {1, 2, 4, 8, 3, 7, 5, 6}
__attribute__((overloadable)) float twice(float x);
__attribute__((overloadable)) float4 twice(float4 x) { return 2 * x; }
__attribute__((overloadable)) int twice(int x) { return 2 * x + 1; }
__attribute__((overloadable)) float twice(float x) { return 2 * x; }
float __attribute__((overloadable)) at(global const float* p) { return p[3]; }
float __attribute__((overloadable)) at(local float* p) { return p[0]; }
float2 __attribute__((overloadable)) min(float2 a, float b, float c) { return min(min(a, b), c); }
kernel void k(global const float* in, global float* out, local float* l) {
    l[0] = 7;
    float4 v = twice((float4)(0.5f, 1, 2, 4));
    vstore4(v, 0, out);
    out[4] = at(in);
    out[5] = at(l);
    out[6] = twice((char)2);
    out[7] = twice(3.0f);
    if (min((float2)(5, 1), 2.0f, 3.0f).y != 1) out[7] = 0;
}
//---- linear_ids
//: not host: get_global_linear_id
//: global 4,2,2
//: local 2,2,1
//: arg out=u32[16]
//: expect out = {0, 1, 0, 1, 2, 3, 2, 3, 0, 1, 0, 1, 2, 3, 2, 3}
kernel void k(global uint* out) { out[get_global_linear_id()] = get_local_linear_id(); }
//---- names_of_colours
//: not host: vectors
//: global 1
//: arg out=f32[4]
//: expect out = {4, 3, 2, 1}
kernel void k(global float4* out) {
    float4 v = (float4)(1, 2, 3, 4);
    out[0].rgba = v.abgr;
}
//---- unnamed_parameters
//: not host: static in the brackets of an array
//: global 1
//: arg out=i32[2]
//: expect out = {2, 25186}
int second(int, int b) { return b; }
int first_of(int a[static 2]) { return a[0]; }
kernel void k(global int* out) {
    extern int later(int a);
    int pair[] = {'bb', 3};
    out[0] = second(1, 2);
    out[1] = first_of(pair) + later(0);
}
int later(int a) { return a; }
//---- names_of_later_versions
//: not host: vectors
//: global 1
//: arg out=f32[4]
//: expect out = {2, 1, 3, 4}
typedef float2 complex;
struct pipe { int quad; };
kernel void k(global float* out) {
    complex c = (complex)(1, 2);
    struct pipe p = {3};
    int pipe = 4, quad __attribute__((unused)) = p.quad;
    out[0] = c.y, out[1] = c.x, out[2] = quad, out[3] = pipe;
}
//---- types_that_headers_repeat
//: not host: typedef of a type of the language
//: global 1
//: arg out=u32[3]
//: expect out = {7, 8, 1}
typedef unsigned int uint, word;
typedef unsigned long size_t;
kernel void k(global uint* out) {
    size_t size = sizeof(size_t);
    cl_mem_fence_flags flags = CLK_LOCAL_MEM_FENCE;
    out[0] = 7, out[1] = size, out[2] = flags;
}
//---- empty_braces
//: not host: vectors
//: global 1
//: arg out=f32[4]
//: expect out = {0, 0, 0, 1}
constant int number = {};
constant float4 vector = {};
kernel void k(global float* out) {
    typedef unsigned int uint;
    uint one = 1;
    float4 v = {};
    out[0] = number + v.x, out[1] = vector.y, out[2] = (int4){}.z, out[3] = one;
}
//---- offsets_of_members
//: not host: typedef
//: global 1
//: arg out=i32[5]
//: expect out = {16, 12, 20, 3, 0}
struct inner { short s; float f; };
struct outer { char c; int x[3]; struct inner in; };
constant int where_in = __builtin_offsetof(struct outer, in);
constant ulong where_x = (ulong)&((struct outer*)0)->x[2];
kernel void k(global int* out) {
    int none = {};
    out[0] = where_in, out[1] = where_x;
    out[2] = __builtin_offsetof(struct outer, in.f);
    switch (out[0]) { case __builtin_offsetof(struct outer, in): out[3] = 3; }
    out[4] = none;
}
//---- steps_of_bytes
//: not host: global
//: global 1
//: arg out=i32[4]
//: expect out = {0, 5, 8, 2}
kernel void k(global int* out) {
    global void* p = out;
    p += 4;
    *(global int*)p = 5;
    p = 4 + p;
    out[2] = p - (global void*)out;
    out[3] = (global int*)p - out;
}
//---- numbers_in_other_forms
//: not host: __builtin_astype
//: global 1
//: arg out=i32[6]
//: expect out = {97, 27, 3, 1065353216, 2, 4}
kernel void k(global int* out) {
    out[0] = L'a', out[1] = '\e';
#if 0b11 == 3 && __STDC_HOSTED__
    out[2] = HALF_DIG;
#endif
    out[3] = __builtin_astype(1.0f, int);
    out[4] = __builtin_convertvector((float4)(2.5f), int4).y;
    out[5] = __builtin_choose_expr(0, 3, 4);
}
//---- elements_behind_a_struct
//: not host: global
//: global 4
//: arg list=i32[6]:fill(3)
//: arg out=i32[4]
//: expect out = 9 + 8 + i
struct list { int n; short kind; int at[]; };
int sum(global const struct list* l) {
    int s = 0;
    for (int k = 0; k < l->n; k++) s += l->at[k];
    return s;
}
kernel void k(global const struct list* list, global int* out) {
    struct list head = {get_global_id(0)};
    out[head.n] = sum(list) + sizeof(head) + head.n;
}
//---- values_or_others
//: not host: vectors
//: global 4
//: arg in=i32[4]:iota
//: arg out=i32[16]
//: expect out = i / 4 == 0 ? (i % 4 ? i : 9) : i / 4 == 1 ? (i % 4 == 3 ? 1 : i - 3) : i / 4 == 2 ? i % 4 % 3 + 5 : (i % 4 ? 3 : 7)
int next(int* x) { return (*x)++; }
kernel void k(global const int* in, global int* out) {
    int i = get_global_id(0), x = in[i], y = i + 1;
    out[i] = x ?: 9;
    out[4 + i] = y == 4 ?: y;
    out[8 + i] = (i == 3 ? 0 : next(&x)) + 5 ?: 1;
    const global int* none = 0;
    out[12 + i] = *((i ? none : in) ?: in + 3) ?: 7;
}
//---- members_of_vector_literals
//: not host: vectors
//: global 1
//: arg v=f32[4]:iota
//: arg out=f32[7]
//: expect out = {2, 5, 1, 4, 16, 3, 6}
kernel void k(global const float4* v, global float* out) {
    float f = 5;
    out[0] = (float4)(1, 2, 3, 4).y;
    out[1] = (float4)(f).x;
    out[2] = (float4)(*v).yz.x;
    out[3] = sizeof((float4)(*v).x), out[4] = sizeof((float4)((*v).x));
    out[5] = (float4)(1, 2, 3, 4)[2], out[6] = (float)(v->xy + 6).x;
}
//---- arguments_of_other_types
//: not host: ldexp, fences
//: global 1
//: arg in=f32[2]:iota
//: arg out=f32[5]
//: expect out = {2, 4, 2, 8, 1}
kernel void k(global const float* in, global float* out) {
    float f = in[1] + 0.5f;
    out[0] = ldexp(1.0f, f);
    out[1] = pown(-2.0f, 2.0f);
    out[2] = ldexp((float2)(1, 3), f).x;
    work_group_barrier(CLK_LOCAL_MEM_FENCE | CLK_IMAGE_MEM_FENCE, memory_scope_work_group);
    out[3] = sizeof(as_size_t(8ul));
    out[4] = __extension__(1);
}
//---- arrays_without_elements
//: not host: arrays of no elements in C++
//: global 3
//: arg o=i32[3]
//: arg s=i32[4]:fill(3)
//: expect o = {1701, 1702, 1703}
//: expect s = {3, 1, 2, 3}
typedef struct { int n; int data[0]; } block_t;
struct middle { char c; double none[0]; int b; };
constant int empty[0] = {};
kernel void k(global int* o, global block_t* s) {
    int i = get_global_id(0);
    int a[0], rows[2][0];
    local int l[0];
    int (*p)[0] = rows;
    o[i] = 100 * sizeof(struct middle) + 25 * sizeof(block_t) + (p + 1 == p)
         + sizeof(a) + sizeof(rows) + sizeof(l) + sizeof(empty) + i;
    if (s->n == 3) s->data[i] = i + 1;
}
//---- parameters_without_names
//: not host: names of arguments
//: global 1
//: arg o=i32[2]
//: arg unnamed1=5
//: arg unnamed2=(1,2,3,4)
//: arg unnamed3=9
//: arg unnamed4=8
//: expect o = {7, 9}
int first(int a, float) { return a; }
kernel void k(global int* o, int, float4, int unnamed3, int) { o[0] = first(7, 8.0f), o[1] = unnamed3; }
//---- pragma_pack
// The sizes are clang's.
//: not host: vectors
//: global 2
//: arg o=i32[6]
//: arg a=u8[26]
//: expect o = {13, 20, 19, 16, 16, 8}
//: expect a = {0, 4, 3, 2, 1, 0, 0, 0, 0, 0, 0, 248, 63, 0, 5, 3, 2, 1, 0, 0, 0, 0, 0, 0, 4, 64}
#pragma pack(push, 1)
typedef struct { char c; int x; double d; } A;
#pragma pack(push)
#pragma pack(2)
typedef struct { char c; int x; double d; struct { char e; int f; } g; } B;
#pragma pack(pop)
typedef struct { char c; short x; float4 v; } C;
#pragma pack(pop)
typedef struct { char c; int x; double d; } D;
#define FOUR 4
#pragma pack(push, label, FOUR)
typedef struct { char c; double d; int x __attribute__((aligned(8))); } E;
#pragma pack(pop, label)
#pragma pack(2)
#pragma pack()
typedef struct { char c; int x; } F;
kernel void k(global int* o, global A* a) {
    int i = get_global_id(0);
    o[0] = sizeof(A), o[1] = sizeof(B), o[2] = sizeof(C), o[3] = sizeof(D), o[4] = sizeof(E), o[5] = sizeof(F);
    a[i].x = i + 0x01020304, a[i].d = 1.5 + i;
}
//---- attributes_of_statements
//: not host: attributes
//: global 1
//: arg o=i32[4]
//: arg n=3
//: expect o = {0, 2, 4, 7}
kernel void k(global int* o, int n) {
    __attribute__((unused)) rows: for (int i = 0; i < n; i++) o[i] = i;
    __attribute__((some)) __attribute__((opencl_unroll_hint(2))) for (int i = 0; i < n; i++) o[i] += i;
    __attribute__((some)) o[3] = 1;
    __attribute__((some)) if (n) { o[3] += 2; }
    __attribute__((some)) { o[3] += 4; }
    __attribute__((unused)) int declared;
    if (!n) goto rows;
    switch (n) {
        __attribute__((some)) case 3: break;
        __attribute__((some)) default: o[0] = 9;
    }
}
//---- conversions_by_words
//: not host: vectors
//: global 1
//: arg o=i32[4]
//: arg x=1.0f
//: expect o = {0x3f800000, 4, 1024, 0x04030201}
typedef unsigned long u64;
kernel void k(global int* o, float x) {
    o[0] = __builtin_astype(x, unsigned int);
    o[1] = __builtin_convertvector((float4)(1, 2, x + 3.5f, 4), int4).z;
    o[2] = __builtin_astype(2.0, u64) >> 52;
    o[3] = __builtin_astype((uchar4)(1, 2, 3, 4), signed);
}
