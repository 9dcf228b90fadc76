// Vectors: literals, components, operators, memory, calls.
//---- components
//: not host: vectors
//: global 4
//: arg out=i32[16]
//: expect out = i % 4 * 100 + i / 4
kernel void k(global int* out) {
    int i = get_global_id(0);
    int4 v;
    v.x = i;
    v.y = 100 + i;
    v.s2 = 200 + i;
    v.S3 = 300 + i;
    for (int j = 0; j < 4; j++) out[i * 4 + j] = v[j];
}
//---- literals
//: not host: vectors
//: global 1
//: arg out=i32[40]
//: expect out[0:16] = i + 1
//: expect out[16:32] = i < 20 ? 7 : i < 24 ? i - 19 : i < 28 ? 9 : i - 27
//: expect out[32:40] = i - 32
kernel void k(global int* out) {
    int2 a = (int2)(1, 2);
    int4 b = (int4)(a, 3, 4), c = {5, 6, 7, 8};
    int8 d = (int8)(b, c);
    int16 e = (int16)(d, (int8)(9, 10, 11, (int3)(12, 13, 14), 15, 16));
    vstore16(e, 0, out);
    int4 f = (int4)(7);
    int4 g = {a, b.zw};
    int4 h = 9;
    int4 j = (int4)(1, a.y, 3, (int)4.5f);
    vstore4(f, 4, out);
    vstore4(g, 5, out);
    vstore4(h, 6, out);
    vstore4(j, 7, out);
    out[32] = 0, out[33] = 1;
    vstore4(((int8)(0, 1, 2, 3, 4, 5, 6, 7)).s2345, 0, out + 34);
    out[38] = ((int2)(6, 7)).x;
    out[39] = ((int2)(6, 7))[1];
}
//---- swizzles_as_values
//: not host: vectors
//: global 1
//: arg out=i32[30]
//: expect out = {4, 3, 2, 1, 2, 2, 1, 1, 1, 2, 3, 4, 1, 3, 2, 4, 3, 16, 11, 10, 2, 4, 6, 8, 10, 12, 14, 16, 15, 16}
kernel void k(global int* out) {
    int4 v = (int4)(1, 2, 3, 4);
    int16 w = (int16)(1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16);
    vstore4(v.wzyx, 0, out);
    vstore4(v.yyxx, 1, out);
    vstore2(v.lo, 4, out);
    vstore2(v.hi, 5, out);
    vstore2(v.even, 6, out);
    vstore2(v.odd, 7, out);
    out[16] = v.hi.lo;
    out[17] = w.sF;
    out[18] = w.Sa;
    out[19] = w.hi.s1;
    vstore8(w.odd, 0, out + 20);
    out[28] = w.hi.hi.hi.x;
    out[29] = (v * 4 + w.s0123 - w.lo.lo).w;
}
//---- swizzles_as_places
//: not host: vectors
//: global 2
//: arg out=i32[16]
//: expect out = {2, 1, 13, 24, 50, 61, 7, 18, 2, 1, 13, 24, 50, 61, 7, 19}
kernel void k(global int* out) {
    int i = get_global_id(0);
    int8 v = (int8)(1, 2, 3, 4, 5, 6, 7, 8);
    v.xy = v.yx;
    v.lo.zw += (int2)(10, 20);
    v.hi.s01 *= 10;
    v.s5++;
    v.odd.hi.y += 10 + i;
    vstore8(v, i, out);
}
//---- swap_halves_of_memory
//: not host: vectors
//: global 8
//: arg p=i32[32]:iota
//: expect p = i / 4 * 4 + (i % 4 + 2) % 4
kernel void k(global int4* p) {
    int i = get_global_id(0);
    p[i].xyzw = p[i].zwxy;
}
//---- one_component_of_memory
//: not host: vectors
//: global 8
//: arg p=i32[32]:iota
//: expect p = i % 4 == 2 ? -i : i
kernel void k(global int4* p) {
    global int4* q = p + get_global_id(0);
    q->z = -q->z;
}
//---- arithmetic
//: not host: vectors
//: global 16
//: arg out=i32[64]
//: expect out = (i / 4 + 3) * (i % 4 + 1) + (i / 4) / (i % 4 + 1) - (i / 4 * 5) % (i % 4 + 1) + 2
kernel void k(global int4* out) {
    int i = get_global_id(0);
    int4 n = (int4)(1, 2, 3, 4), v = i;
    out[i] = (v + 3) * n + v / n - i * 5 % n - -2;
}
//---- narrow_components_wrap_at_their_width
//: not host: vectors
//: not opencl: -128 / -1 is left open there
//: global 1
//: arg out=u8[16]
//: expect out = {44, 255, 128, 1, 254, 0, 1, 128, 2, 128, 127, 0, 200, 1, 0, 1}
kernel void k(global uchar4* out) {
    uchar4 v = (uchar4)(200, 255, 64, 129);
    uchar4 sum = v + (uchar4)(100, 0, 64, 128), product = v * v, zero = 0;
    out[0] = (uchar4)(sum.x, (~zero).y, sum.z, product.w);
    out[1] = (uchar4)(0, 1, 2, 3) - (uchar4)(2, 1, 1, 131);
    char4 s = (char4)(1, -128, 127, 0);
    out[2] = as_uchar4(s / (char4)(1, -1, 1, 1) + (char4)(1, 0, 0, 0));
    out[3] = v >> (uchar4)(16, 7, 15, 7);
}
//---- shifts_count_modulo_the_width
//: not host: vectors
//: global 1
//: arg out=i32[8]
//: expect out = {2, -1, 4, 16, 0, 1, 1, 0}
kernel void k(global int* out) {
    int4 v = (int4)(1, -8, 1, 16) << (int4)(33, 0, 2, 32);
    v.y >>= 31;
    vstore4(v, 0, out);
    ushort2 u = (ushort2)(0x8000, 0x8000);
    u = u << (ushort2)(1, 16);
    out[4] = u.x;
    out[5] = u.y == 0x8000;
    char2 c = (char2)(64, 3) >> (char2)(6, 8);
    out[6] = c.x;
    out[7] = c.y - 3;
}
//---- comparisons_are_masks
//: not host: vectors
//: global 8
//: arg out=i64[16]
//: expect out = i % 2 ? -(i / 2 >= 4) : -(i / 2 < 4)
kernel void k(global long* out) {
    long i = get_global_id(0);
    double2 v = (double)i;
    long2 m;
    m.x = (v < 4).x;
    m.y = (v >= 4.0).y;
    vstore2(m, i, out);
}
//---- comparisons_of_all_kinds
//: not host: vectors
//: global 1
//: arg out=i32[24]
//: expect out = {-1, 0, 0, 0, -1, 0, -1, -1, 0, 0, 0, -1, -1, -1, 0, 0, 0, -1, -1, 0, -1, 0, 0, 0}
kernel void k(global int4* out) {
    int4 a = (int4)(1, 2, 3, -1), b = (int4)(2, 2, 2, -2);
    out[0] = (a < b);
    out[1] = (a != b);
    uchar4 c = (uchar4)(1, 2, 3, 255), d = (uchar4)(2, 2, 2, 1);
    char4 m = c > d;
    out[2] = (int4)(m.x, m.y, 0, m.w);
    out[3] = (int4)((c <= d).x, (c == d).y, (c == d).z, (c >= d).w + 1);
    out[4] = !(int4)(5, 0, 0, -1);
    out[5] = !((float4)(1.0f, 2.0f, NAN, 0.0f) - 1.0f);
}
//---- logical_operators
//: not host: vectors
//: global 1
//: arg out=i32[8]
//: expect out = {0, 0, 0, -1, 0, -1, -1, -1}
kernel void k(global int4* out) {
    float4 a = (float4)(0.0f, 1.0f, 0.0f, 2.0f);
    float4 b = (float4)(0.0f, 0.0f, 3.0f, 0.5f);
    out[0] = a && b;
    out[1] = a || b;
}
//---- logical_operators_evaluate_both_sides
//: not host: vectors
//: global 1
//: arg out=i32[3]
//: expect out = {0, 7, 1}
kernel void k(global int* out) {
    int n = 0;
    int2 m = (int2)(0) && (int2)(n = 7, 1);
    out[0] = m.x;
    out[1] = n;
    out[2] = (1 || (n = 9)) && n == 7;
}
//---- choice_by_sign
//: not host: vectors
//: global 8
//: arg out=i32[32]
//: expect out = i % 4 == 0 ? 100 + i / 4 : i % 4 == 1 ? -5 : i % 4 == 2 ? -5 : i / 4 >= 4 ? 100 + i / 4 : -5
kernel void k(global int4* out) {
    int i = get_global_id(0);
    int4 c = (int4)(-1, 1, 0, 3 - i);
    out[i] = c ? (int4)(100 + i) : -5;
}
//---- choice_by_a_number
//: not host: vectors
//: global 8
//: arg out=f32[16]
//: expect out = i / 2 % 2 ? f32(i % 2) + 0.5f : 3.0f
kernel void k(global float2* out) {
    int i = get_global_id(0);
    float2 v = (float2)(0.5f, 1.5f);
    out[i] = i & 1 ? v : 3.0f;
}
//---- select_of_all_widths
//: not host: vectors
//: global 1
//: arg out=i32[6]
//: expect out = {1, 20, 30, 4, 5, 60}
kernel void k(global int* out) {
    int2 a = select((int2)(1, 2), (int2)(10, 20), (int2)(1, -1));
    uchar2 b = select((uchar2)(3, 4), (uchar2)(30, 40), (uchar2)(255, 127));
    double2 c = select((double2)(5, 6), (double2)(50, 60), (ulong2)(1, 1UL << 63));
    out[0] = a.x, out[1] = a.y, out[2] = b.x, out[3] = b.y, out[4] = c.x, out[5] = c.y;
}
//---- compound_assignment
//: not host: vectors
//: global 4
//: arg out=i32[16]
//: expect out = (((i / 4 + 10 - i % 4) * 3 << 2) / 2 % 100 & 127 | 128) ^ 1
kernel void k(global int4* out) {
    int i = get_global_id(0);
    int4 v = i;
    v += 10;
    v -= (int4)(0, 1, 2, 3);
    v *= 3;
    v <<= 2;
    v /= (int4)(2);
    v %= 100;
    v &= 127;
    v |= 128;
    v ^= 1;
    out[i] = v;
}
//---- assignment_is_a_value
//: not host: vectors
//: global 4
//: arg out=i32[8]
//: expect out = (i / 2) * 2 + 3
kernel void k(global int2* out) {
    int i = get_global_id(0);
    int2 a, b;
    a = b = i;
    a += b += 1;
    out[i] = a + (b = 2);
}
//---- operands_from_left_to_right
//: not host: vectors
//: global 1
//: arg out=i32[4]
//: expect out = {1, 12, 3, 30}
kernel void k(global int* out) {
    int2 a = (int2)(1, 2);
    int2 r = a + (a = (int2)(0, 10));
    out[0] = r.x, out[1] = r.y;
    int4 v = 0;
    int i = 0;
    v = (int4)(++i, ++i, ++i, i * 10);
    out[2] = v.z, out[3] = v.w;
}
//---- increments
//: not host: vectors
//: not opencl: there is no ++ of vectors of floats there
//: global 1
//: arg out=f32[8]
//: expect out = {1.5f, 2.5f, 1.5f, 2.5f, 0.5f, 1.5f, -0.5f, 0.5f}
kernel void k(global float2* out) {
    float2 v = (float2)(0.5f, 1.5f);
    out[0] = ++v;
    out[1] = v--;
    out[2] = v;
    v.xy--;
    out[3] = v;
}
//---- conversions_from_numbers
//: not host: vectors
//: not opencl: literals of type double beside vectors of floats
//: global 1
//: arg out=f32[6]
//: expect out = {3.0f, 3.0f, 2.5f, 4.5f, 0.5f, 0.25f}
float2 half_of(float2 v) { return v * 0.5; }
kernel void k(global float* out) {
    float2 a = 3;
    out[0] = a.x, out[1] = a.y;
    a = (float2)(5, 9) / 2;
    out[2] = a.x, out[3] = a.y;
    out[4] = half_of(1).x;
    out[5] = half_of(half_of(1)).y;
}
//---- parameters_and_results
//: not host: vectors
//: global 4
//: arg out=f32[16]
//: expect out = f32(i / 4) * f32(i % 4 + 1) + (i % 4 == 0 ? 100.0f : 0.0f)
float4 times(float4 v, float s) {
    v *= s;
    return v;
}
void bump(float4* v) { v->x += 100; }
kernel void k(global float4* out) {
    int i = get_global_id(0);
    float4 v = (float4)(1, 2, 3, 4), w = times(v, i);
    bump(&w);
    out[i] = w + v * 0;
}
//---- through_shared_regions
//: not host: vectors
//: global 8
//: arg out=i32[32]
//: expect out = (i / 4 + i % 4) * 6 + (i / 4 % 2 ? 6 : 0)
__attribute__((shared_region)) int4 twice(int4 v, int n) {
    for (int j = 0; j < n; j++) v += v;
    return v;
}
kernel void k(global int4* out) {
    int i = get_global_id(0);
    int4 v = (int4)(0, 1, 2, 3) + i;
    int4 w = i & 1 ? twice(v + 1, 1) * 3 : twice(v, 1) + twice(v, 2);
    out[i] = w;
}
//---- two_calls_in_one_expression
//: not host: vectors
//: global 4
//: arg out=i32[16]
//: expect out = (i % 4 + 1) * 2 - (i % 4 + i / 4) * 2
__attribute__((shared_region)) int4 twice(int4 v) { return v + v; }
kernel void k(global int4* out) {
    int i = get_global_id(0);
    int4 v = (int4)(0, 1, 2, 3);
    out[i] = twice(v + 1) - twice(v + i);
}
//---- three_components_take_the_place_of_four
//: not host: vectors
//: global 4
//: arg p=f32[16]:iota
//: arg out=u64[4]
//: expect p = i % 4 == 3 ? f32(i) : f32(i) * 2.0f
//: expect out = i == 0 ? 16 : i == 1 ? 16 : i == 2 ? 8 : 2
struct s {
    char3 c;
    float3 f;
};
kernel void k(global float3* p, global ulong* out) {
    int i = get_global_id(0);
    vstore3((p[i] * 2), 0, (global float*)&p[i]);
    out[i] = i == 0 ? sizeof(float3) : i == 1 ? (ulong) & ((struct s*)0)->f : i == 2 ? sizeof(short3) : sizeof(char2);
}
//---- in_structs_and_arrays
//: not host: vectors
//: global 4
//: arg out=i32[20]
//: expect out = i / 5 * 10 + i % 5
struct box {
    char tag;
    int4 v[2];
    short2 w;
};
kernel void k(global int* out) {
    int i = get_global_id(0);
    struct box b = {1, {{0, 1, 2, 3}, (int4)(10)}, {4, 5}}, c;
    c = b;
    c.v[0] += c.v[1] * i;
    c.w.x += i * 10;
    vstore4(c.v[0], 0, out + i * 5);
    out[i * 5 + 4] = c.w.x;
}
//---- in_unions
//: not host: vectors
//: global 3
//: arg out=i32[3]
//: expect out = i == 0 ? 1 : i == 1 ? 2 : 515
union both {
    uint u;
    uchar4 b;
    float4 f;
};
kernel void k(global int* out) {
    int i = get_global_id(0);
    union both x, y;
    x.u = 0x02030102;
    x.b.xy = x.b.yx;
    y = x;
    out[i] = i == 0 ? y.b.x : i == 1 ? y.b.s1 : (int)(y.u >> 16 & 0xffff) - 0x203 + 515;
}
//---- in_local_memory
//: not host: vectors
//: global 8
//: local 8
//: arg out=i32[32]
//: expect out = (7 - i / 4) * 4 + 3 - i % 4
kernel void k(global int4* out) {
    local int4 tile[8];
    int i = get_local_id(0);
    tile[i] = (int4)(4 * i) + (int4)(0, 1, 2, 3);
    barrier(CLK_LOCAL_MEM_FENCE);
    out[i] = tile[7 - i].wzyx;
}
//---- in_constant_memory
//: not host: vectors
//: global 4
//: arg out=f32[8]
//: expect out = i == 0 ? 0.5f : i == 1 ? 1.5f : i == 6 ? 9.0f : i == 7 ? 9.0f : f32(i)
constant float2 table[4] = {(float2)(0.5f, 1.5f), {2, 3}, {(float2)(4, 5)}, 9};
kernel void k(global float2* out) { out[get_global_id(0)] = table[get_global_id(0)]; }
//---- pointers_to_vectors
//: not host: vectors
//: global 4
//: arg p=i32[16]:iota
//: expect p = i / 4 == 0 ? i : i % 4 == 0 ? i + 2 : i % 4 == 1 ? 50 : i
void change(global int4* q, int* count) {
    (*q).x += *count;
    q->y = 50;
}
kernel void k(global int* p) {
    int i = get_global_id(0), two = 2;
    global int4* q = (global int4*)p;
    if (i > 0) change(q + i, &two);
}
//---- by_number
//: not host: vectors
//: global 4
//: arg out=i32[4]
//: expect out = i == 2 ? 77 : i * i + 1
kernel void k(global int* out) {
    int i = get_global_id(0);
    int4 v;
    for (int j = 0; j < 4; j++) v[j] = j * j;
    v[2] = 76;
    v += 1;
    out[i] = v[i];
}
//---- loops_and_exits
//: not host: vectors
//: global 32
//: arg out=i32[64]
//: expect out = i % 2 ? i / 2 % 7 + 1 : (i / 2 % 7 + 1) * (i / 2 % 7 + 2) / 2
kernel void k(global int2* out) {
    int i = get_global_id(0);
    int2 v = 0;
    for (;;) {
        v.y++;
        v.x += v.y;
        if (v.y > i % 7) break;
    }
    out[i] = v;
}
//---- jumps_past_declarations
//: not host: vectors
//: not opencl: the variable has no value there
//: global 2
//: arg out=i32[2]
//: expect out = i == 0 ? 6 : 0
kernel void k(global int* out) {
    int i = get_global_id(0);
    if (i == 1) goto inside;
    {
        int4 v = 6;
        if (0) {
        inside:;
        }
        out[i] = v.z;
    }
}
//---- contraction
//: not host: vectors
//: not opencl: rounding of products is left open there
//: global 1
//: arg out=f32[4]
//: expect out = {0x1p-24f, 0x1p-24f, 0x1p-24f, 0.0f}
kernel void k(global float* out) {
    float2 a = 1.0f + 0x1p-12f, b = -(1.0f + 0x1p-11f);
    out[0] = (a * a + b).x;
    float2 c = b;
    c += a * a;
    out[1] = c.y;
    out[2] = (b + a * a).x;
    float2 p = a * a;
    out[3] = (p + b).x;
}
//---- vectors_of_16
//: not host: vectors
//: global 16
//: arg out=u16[256]
//: expect out = i % 16 * (i / 16) - (i / 16 > i % 16) & 65535
kernel void k(global ushort16* out) {
    ushort i = get_global_id(0);
    ushort16 n = (ushort16)(0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15);
    short16 m = i > n;
    out[i] = n * i + as_ushort16(m);
}
//---- the_fourth_of_three
//: not host: vectors
//: global 1
//: arg out=i32[4]
//: expect out = {1, 2, 3, 2}
kernel void k(global int* out) {
    int3 v = (int3)(1, 2, 3);
    out[0] = v.lo.x;
    out[1] = v.lo.y;
    out[2] = v.hi.x;
    out[3] = v.odd.x;
}
//---- kernel_parameters
//: not host: vectors
//: global 4
//: arg v=(1,2,3,4)
//: arg w=(0.5,-1.5,2.5)
//: arg c=(255,1)
//: arg out=f32[16]
//: expect out = i % 4 == 0 ? i / 4 + 1 + 0.5f : i % 4 == 1 ? -1.5f : i % 4 == 2 ? 2.5f : 256.0f
kernel void k(int4 v, float3 w, uchar2 c, global float4* out) {
    int i = get_global_id(0);
    v.x = v[i];
    out[i] = (float4)(w.x + v.x, w.yz, c.x + c.y);
}
//---- steps_and_hints
//: not host: vectors
//: global 4
//: arg out=i32[4]
//: expect out = {1, 4, 16, 8}
__attribute__((vec_type_hint(float4))) kernel void k(global int* out) {
    int i = get_global_id(0);
    short16 v;
    int steps[4] = {vec_step(int), vec_step(uchar3), vec_step(v), vec_step(v.lo)};
    __attribute__((opencl_unroll_hint(2))) for (int j = 0; j <= i; j++) out[i] = steps[j];
}
//---- mixed_with_the_rest_of_the_language
//: not host: vectors
//: global 8
//: local 4
//: arg img=u8[32]:iota
//: arg out=f32[32]
//: expect out = i % 4 == 0 ? f32(i / 4) + 4.0f : i % 4 == 1 ? f32(i / 4) * 2.0f + 5.0f : i % 4 == 2 ? f32(i / 4 ^ 1) + 8.0f : f32(i) - 3.0f
#define FROM(x) (float4)((x), (x) + 1.0, (x) + 2, (x) + 3)
typedef union {
    float4 v;
    float f[4];
    struct {
        float x, y, z, w;
    };
} parts;
constant float4 gains[] = {(float4)(1.f), FROM(2.0f), {1, 2, 3, 4}};
float4 all_of(float a) { return (float4){a, a, a, a}; }
kernel void k(global const uchar4* img, global float4* out) {
    local float4 tile[4];
    const int i = get_global_id(0), l = get_local_id(0);
    float list[8] = {0, 1, 2, 3, 4, 5, 6, 7};
    float4* second = (float4*)list + 1;
    float4 a = all_of(i) + *second * gains[0];
    parts u;
    u.v = a;
    u.f[2] += 2;
    u.y += i;
    a = u.v;
    tile[l] = a;
    barrier(CLK_LOCAL_MEM_FENCE);
    a.z = tile[l ^ 1].z;
    for (float4 s = (float4)(0.0f); s.x < 2; s += 1.0f) a.w = convert_float4(img[i]).x;
    ((global float*)(out + i))[3] = a.w;
    out[i].xyz = a.xyz;
}
