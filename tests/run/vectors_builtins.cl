// Built-in functions of vectors.
//---- each_component
//: not host: vectors
//: global 4
//: arg x=f32[16]:rand(5,-3,3)
//: arg out=f32[16]
//: arg ref=f32[16]
//: expect out[0:16] = 0
//: expect ref[0:16] = 1
kernel void k(global const float4* x, global float4* out, global float* ref) {
    int i = get_global_id(0);
    float4 v = x[i];
    float4 r = sin(v) + exp(v * 0.5f) - pow(fabs(v), v) + fma(v, v, (float4)1) - native_sqrt(fabs(v)) + floor(v);
    int same = 1;
    for (int j = 0; j < 4; j++) {
        float c = v[j];
        float s = sin(c) + exp(c * 0.5f) - pow(fabs(c), c) + fma(c, c, 1.0f) - native_sqrt(fabs(c)) + floor(c);
        same &= as_int(s) == as_int(r[j]);
        ref[i * 4 + j] = same;
        out[i][j] = s - r[j];
    }
}
//---- numbers_beside_vectors
//: not host: vectors
//: global 1
//: arg out=f32[20]
//: expect out = {1.0f, 2.0f, 2.0f, 2.0f, 2.0f, 2.0f, 3.0f, 4.0f, 2.0f, 2.0f, 3.0f, 3.0f, 0.0f, 0.0f, 1.0f, 1.0f, 8.0f, 16.0f, 24.0f, 32.0f}
kernel void k(global float4* out) {
    float4 v = (float4)(1, 2, 3, 4);
    out[0] = min(v, 2);
    out[1] = fmax(v, 2.0f);
    out[2] = clamp(v, 2.0, 3.0);
    out[3] = step(2.5f, v);
    out[4] = ldexp(v, 3);
}
//---- mixtures
//: not host: vectors
//: global 1
//: arg out=f32[12]
//: expect out = {0.5f, 1.0f, 1.5f, 2.0f, 0.0f, 0.5f, 0.75f, 1.0f, 0.0f, 0.5f, 1.0f, 1.0f}
kernel void k(global float4* out) {
    float4 v = (float4)(1, 2, 3, 4), zero = 0;
    out[0] = mix(zero, v, 0.5f);
    out[1] = mix(zero, (float4)(1), (float4)(0, 0.5f, 0.75f, 1));
    out[2] = smoothstep(1.0f, 3.0f, v);
}
//---- integers
//: not host: vectors
//: global 1
//: arg out=u8[28]
//: expect out = {255, 128, 10, 3, 128, 1, 56, 5, 2, 8, 0, 1, 3, 0, 2, 1, 0, 127, 2, 4, 5, 6, 7, 8, 10, 20, 3, 4}
kernel void k(global uchar4* out) {
    uchar4 a = (uchar4)(200, 100, 5, 1), b = (uchar4)(100, 28, 5, 2);
    out[0] = add_sat(a, b);
    out[1] = abs((char4)(-128, 1, -56, 5));
    out[2] = rotate((uchar4)(1, 1, 0, 128), (uchar4)(1, 3, 5, 1));
    out[3] = popcount(a) * (uchar4)(1, 0, 1, 1);
    out[4] = as_uchar4(sub_sat((char4)(5, 127, 4, 5), (char4)(5, -1, 2, 1)));
    out[5] = convert_uchar4(max((int4)(5, -6, 7, -8), (int4)(-5, 6, -7, 8)));
    out[6] = select((uchar4)(1, 2, 3, 4), (uchar4)(10, 20, 30, 40), (char4)(-1, -128, 127, 0));
}
//---- wider_integers
//: not host: vectors
//: global 1
//: arg out=i64[10]
//: expect out = {258, 65535, -1, 1, 4294967298, 12, 3, 63, 30, 2}
kernel void k(global long* out) {
    ushort2 u = upsample((uchar2)(1, 255), (uchar2)(2, 255));
    out[0] = u.x, out[1] = u.y;
    long2 l = mul_hi((long2)(-1, 1L << 40), (long2)(5, 1L << 24));
    out[2] = l.x, out[3] = l.y;
    out[4] = upsample((int2)(1), (uint2)(2)).y;
    out[5] = mad24((int2)(2), (int2)(5), (int2)(2)).x;
    out[6] = hadd((int2)(2, 3), (int2)(4)).y;
    out[7] = clz((ulong2)(1)).x;
    out[8] = mul24((int2)(5), (int2)(6)).y;
    out[9] = (long)bitselect((uint2)(3), (uint2)(4), (uint2)(1)).x;
}
//---- tests_of_floats
//: not host: vectors
//: global 1
//: arg out=i32[16]
//: arg wide=i64[2]
//: expect out = {0, -1, 0, 0, 0, 0, -1, 0, 0, 0, 0, -1, -1, 0, 0, -1}
//: expect wide = {-1, 0}
kernel void k(global int4* out, global long2* wide) {
    float4 v = (float4)(1.0f, NAN, INFINITY, -0.0f);
    out[0] = isnan(v);
    out[1] = isinf(v);
    out[2] = signbit((float4)(1.0f, 0.0f, INFINITY, -0.0f));
    out[3] = isgreater(v + 2, v) | isequal(v, (float4)(0));
    wide[0] = isless((double2)(1, 2), (double2)(2, 1));
}
//---- any_and_all
//: not host: vectors
//: global 1
//: arg out=i32[8]
//: expect out = {0, 1, 0, 1, 1, 0, 1, 0}
kernel void k(global int* out) {
    out[0] = any((int4)(1, 2, 3, 4));
    out[1] = any((int4)(1, -2, 3, 4));
    out[2] = all((int3)(-1, -2, 3));
    out[3] = all((char2)(-1, -128));
    out[4] = any((float4)(1, 2, 3, 4) > 3.5f);
    out[5] = all((float4)(1, 2, 3, 4) > 3.5f);
    out[6] = any(-5);
    out[7] = all((char16)(-5)) - 1;
}
//---- geometry
//: not host: vectors
//: global 1
//: arg out=f32[24]
//: expect out = {30, 11, 15, 13, 5, 5, 3, 5, -3, 6, -3, 0, 0.6f, 0.8f, 0, 0, 0, 1, -1, 3, 0.6f, 0.8f, 0, 0}
kernel void k(global float* out) {
    float4 v = (float4)(1, 2, 3, 4);
    out[0] = dot(v, v);
    out[1] = dot(v.xy, v.zw);
    out[2] = dot(3.0f, 5.0f);
    out[3] = length((float3)(3, 4, 12));
    out[4] = distance((float2)(1, 1), (float2)(4, 5));
    out[5] = fast_length((float2)(-3, 4));
    out[6] = length(-3.0f);
    out[7] = fast_distance((float4)(0), (float4)(0, 3, 4, 0));
    vstore4(cross((float4)(1, 2, 3, 9), (float4)(4, 5, 6, 9)), 2, out);
    vstore4(normalize((float4)(3, 4, 0, 0)), 3, out);
    out[16] = normalize((float2)(0)).x;
    out[17] = normalize((float2)(0, 7)).y;
    out[18] = normalize(-5.0f);
    out[19] = cross((float3)(1, 0, 0), (float3)(0, 3, 0)).z;
    vstore4(fast_normalize((float4)(3, 4, 0, 0)), 5, out);
}
//---- lengths_of_all_sizes
//: not host: vectors
//: global 5
//: arg out=f32[10]
//: arg wide=f64[5]
//: expect out[0:5] = {5, 0x1.4p127f, 0x1.4p-143f, 0, inf}
//: expect out[5:10] = {0.6f, 0.6f, 0.6f, 0, 0.70710677f}
//: expect wide = {5, 0x1.4p1022, 0x1.4p-1068, 0, inf}
kernel void k(global float* out, global double* wide) {
    int i = get_global_id(0);
    float s = i == 0 ? 1 : i == 1 ? 0x1p125f : i == 2 ? 0x1p-145f : i == 3 ? 0 : INFINITY;
    double d = i == 1 ? 0x1p1020 : i == 2 ? 0x1p-1070 : s;
    out[i] = length((float2)(3, 4) * s);
    out[i + 5] = normalize((float3)(3 * s, i == 4 ? 1 : 0, 4 * s)).x;
    wide[i] = length((double2)(3, 4) * d);
}
//---- second_results
//: not host: vectors
//: global 1
//: arg out=f32[24]
//: expect out = {0.5f, 0.25f, 0.5f, 0.75f, 1, 2, -3, 0, 0.5f, 0.25f, -0.5f, 0.75f, 1, 2, -2, 0, 0.75f, 0.5625f, -0.625f, 0.75f, 1, 2, 2, 0}
kernel void k(global float4* out) {
    float4 v = (float4)(1.5f, 2.25f, -2.5f, 0.75f), whole;
    out[0] = fract(v, &whole);
    out[1] = whole;
    out[2] = modf(v, out + 3);
    int4 n;
    out[4] = frexp(v, &n);
    out[5] = convert_float4(n);
}
//---- sine_and_cosine
//: not host: vectors
//: global 8
//: arg x=f32[32]:rand(9,-100,100)
//: arg out=i32[8]
//: expect out = 7
kernel void k(global const float4* x, global int* out) {
    int i = get_global_id(0);
    local float4 kept[1];
    float4 c, s = sincos(x[i], &c);
    int3 q;
    float3 r = remquo(x[i].xyz, (float3)(1.5f, -2, 3), &q);
    int one;
    out[i] = all(s == sin(x[i])) + 2 * all(c == cos(x[i])) +
             4 * (r.y == remquo(x[i].y, -2.0f, &one) && one == q.y);
}
//---- conversions
//: not host: vectors
//: not opencl: what does not fit is left open there
//: global 1
//: arg out=i32[20]
//: expect out = {1, -2, 2147483647, 0, 2, -2, 3, -3, 2, -1, 3, -2, 255, 0, 255, 7, 1, 0, 1, 16777216}
kernel void k(global int4* out) {
    out[0] = convert_int4((float4)(1.9f, -2.9f, 1e30f, NAN));
    out[1] = convert_int4_rte((float4)(1.5f, -2.5f, 2.6f, -2.6f));
    out[2] = convert_int4_rtp((float4)(1.5f, -1.5f, 2.6f, -2.6f));
    out[3] = convert_int4(convert_uchar4_sat((int4)(300, -5, 255, 7)));
    int2 bits = convert_int2((float2)(1, 0));
    float2 up = convert_float2_rtz((int2)(16777217));
    out[4] = (int4)(bits, 1, (int)up.y);
}
//---- wide_integers_rounded_in_directions
//: not host: vectors
//: global 1
//: arg out=f32[16]
//: arg wide=f64[8]
//: expect out = {0x1p24f, 0x1.000002p24f, 0x1p24f, 0x1p24f, -0x1p24f, -0x1p24f, -0x1.000002p24f, -0x1p24f, 0x1.fffffep62f, 0x1p63f, 0x1.fffffep62f, 0x1p63f, 0x1.fffffep63f, 0x1p64f, 0x1.fffffep63f, 0x1p64f}
//: expect wide = {0x1p53, 0x1.0000000000001p53, 0x1p53, 0x1p53, 0x1.fffffffffffffp63, 0x1p64, 0x1.fffffffffffffp63, 0x1p64}
kernel void k(global float* out, global double* wide) {
    long l[3] = {16777217, -16777217, LONG_MAX};
    for (int i = 0; i < 3; i++) {
        out[4 * i] = convert_float_rtz(l[i]);
        out[4 * i + 1] = convert_float_rtp(l[i]);
        out[4 * i + 2] = convert_float_rtn(l[i]);
        out[4 * i + 3] = convert_float_rte(l[i]);
    }
    ulong u = ULONG_MAX;
    float4 f = (float4)(convert_float_rtz(u), convert_float_rtp(u), convert_float_rtn(u), convert_float(u));
    vstore4(f, 3, out);
    ulong2 w = (ulong2)((1UL << 53) + 1, u);
    double2 a = convert_double2_rtz(w), b = convert_double2_rtp(w), c = convert_double2_rtn(w), d = convert_double2(w);
    vstore4((double4)(a.x, b.x, c.x, d.x), 0, wide);
    vstore4((double4)(a.y, b.y, c.y, d.y), 1, wide);
}
//---- reinterpretations
//: not host: vectors
//: global 1
//: arg out=u32[12]
//: expect out = {0x3f800000, 0x40000000, 0x04030201, 0x0605, 0x0807, 1, 0, 0x3ff00000, 3, 7, 8, 9}
kernel void k(global uint* out) {
    uint2 a = as_uint2((float2)(1, 2));
    out[0] = a.x, out[1] = a.y;
    out[2] = as_uint((uchar4)(1, 2, 3, 4));
    ushort2 b = as_ushort2(0x08070605u);
    out[3] = b.x, out[4] = b.y;
    out[5] = as_uchar8(1UL).x;
    uint2 c = as_uint2(1.0);
    out[6] = c.x, out[7] = c.y;
    out[8] = as_uchar4((uchar3)(1, 2, 3)).z;
    uint3 d = as_uint3((float4)(as_float(7u), as_float(8u), as_float(9u), 0));
    out[9] = d.x, out[10] = d.y, out[11] = d.z;
}
//---- loads_and_stores
//: not host: vectors
//: global 4
//: local 4
//: arg p=i32[64]:iota
//: arg out=i32[64]
//: expect out = i % 16 < 8 ? p[i] : i % 16 < 11 ? p[i / 16 * 3 + i % 16 - 8] : i % 16 < 13 ? 5 + i % 16 : i % 16 == 13 ? i / 16 + 100 : 0
constant int table[2] = {16, 17};
kernel void k(global const int* p, global int* out) {
    int i = get_global_id(0);
    local int shared[8];
    int own[4] = {0, 0, 0, 0};
    vstore8(vload8(2 * i, p), 0, out + 16 * i);
    vstore3(vload3(i, p), 0, out + 16 * i + 8);
    vstore2(vload2(0, table), 0, own + 1);
    vstore2((int2)(i + 100, i + 200), i, shared);
    vstore2(vload2(0, own + 1), 0, out + 16 * i + 11);
    out[16 * i + 13] = vload2(i, shared).x;
}
//---- shuffles
//: not host: vectors
//: global 4
//: arg out=i32[32]
//: expect out = i % 8 == 0 ? 4 : i % 8 == 1 ? 3 : i % 8 == 2 ? 2 : i % 8 == 3 ? 1 : i % 8 < 6 ? (i / 8 + i % 8 - 4) % 4 + 1 : i % 8 == 6 ? i / 8 + 1 : 8 - i / 8
kernel void k(global int* out) {
    uint i = get_global_id(0);
    int4 a = (int4)(1, 2, 3, 4), b = (int4)(5, 6, 7, 8);
    vstore4(shuffle(a, (uint4)(3, 2, 1, 0)), 2 * i, out);
    vstore2(shuffle(a, (uint2)(i, i + 1)), 4 * i + 2, out);
    vstore2(shuffle2(a, b, (uint2)(i, 7 - i + 16)), 4 * i + 3, out);
}
//---- every_half
//: not host: vectors
//: not opencl: payloads of NaNs
//: global 65536
//: arg h=u16[65536]:iota
//: arg back=u16[65536]
//: arg f=f32[65536]
//: expect back = (i & 0x7c00) == 0x7c00 && (i & 0x3ff) != 0 ? i & 0x8000 | 0x7e00 : i
//: expect f = (i & 0x7c00) == 0x7c00 ? ((i & 0x3ff) != 0 ? nan : i < 0x8000 ? inf : -inf) : (i < 0x8000 ? 1 : -1) * ((i & 0x7c00) == 0 ? f32(i & 0x3ff) * 0x1p-24f : f32(1024 + (i & 0x3ff)) * (1 << (i >> 10 & 31)) * 0x1p-25f)
kernel void k(global const half* h, global half* back, global float* f) {
    int i = get_global_id(0);
    f[i] = vload_half(i, h);
    vstore_half(f[i], i, back);
}
//---- halves_are_rounded
//: not host: vectors
//: global 1
//: arg out=u16[48]
//: expect out[0:10] = {0x3c00, 0x3c02, 0x3c01, 0xbc01, 0x7c00, 0x7bff, 0x0000, 0x0001, 0x0002, 0x0400}
//: expect out[10:20] = {0x3c00, 0x3c01, 0x3c00, 0xbc00, 0x7bff, 0x7bff, 0x0000, 0x0000, 0x0001, 0x03ff}
//: expect out[20:30] = {0x3c01, 0x3c02, 0x3c01, 0xbc00, 0x7c00, 0x7c00, 0x0001, 0x0001, 0x0002, 0x0400}
//: expect out[30:40] = {0x3c00, 0x3c01, 0x3c00, 0xbc01, 0x7bff, 0x7bff, 0x0000, 0x0000, 0x0001, 0x03ff}
//: expect out[40:48] = {0x3c01, 0x3c00, 0xfc00, 0xfbff, 0x7bff, 0x8001, 0x8000, 0x7c00}
kernel void k(global half* out) {
    float f[10] = {0x1.002p0f, 0x1.006p0f, 0x1.0021p0f, -0x1.0021p0f, 0x1.ffep15f,
                   0x1.ffdep15f, 0x1p-25f, 0x1.8p-25f, 0x1.8p-24f, 0x1.ffep-15f};
    for (int i = 0; i < 10; i++) {
        vstore_half(f[i], i, out);
        vstore_half_rtz(f[i], i + 10, out);
        vstore_half_rtp(f[i], i + 20, out);
        vstore_half_rtn(f[i], i + 30, out);
    }
    vstore_half(1.0 + 0x1p-11 + 0x1p-52, 40, out);
    vstore_half_rte(1.0 + 0x1p-11 - 0x1p-52, 41, out);
    vstore_half_rtn(-1e300, 42, out);
    vstore_half_rtp(-1e300, 43, out);
    vstore_half_rtz(1e10f, 44, out);
    vstore_half_rtn(-0x1p-149f, 45, out);
    vstore_half_rtp(-0x1p-149f, 46, out);
    vstore_half(INFINITY, 47, out);
}
//---- vectors_of_halves
//: not host: vectors
//: global 2
//: arg h=u16[32]
//: arg out=f32[16]
//: expect h = i < 6 ? 0x3c00 : i >= 8 && i < 16 && i % 4 < 3 ? 0x4000 : i >= 16 ? 0x4200 : 0
//: expect out = i % 8 < 3 ? 1 : i % 8 < 6 ? 2 : i % 8 == 6 ? 3 : 4
kernel void k(global half* h, global float* out) {
    int i = get_global_id(0);
    vstore_half3((float3)(1), i, h);
    vstorea_half3((float3)(2), i, h + 8);
    vstore_half8_rte((float8)(3), i, h + 16);
    float4 v = (float4)(vload_half3(i, h), vloada_half3(i, h + 8).x);
    float8 w = (float8)(v.xyz, v.w, v.w, v.w, vload_half4(0, h + 16).w, 4);
    vstore8(w, i, out);
}
