// Vectors in all their places.
typedef float4 color;
struct body {
    float3 position;
    color tint;
    half mass[3];
};
constant int2 steps[3] = {(int2)(1, 0), {0, 1}, 1};

float4 blend(float4 a, const float4 b, float t) { return mix(a, b, t) + (float4)(0, a.xy, 1); }
bool inside(float2 v, float2 low, float2 high) { return all(v >= low && v < high) || any(isnan(v)); }

kernel void k(global struct body* bodies, int4 size, global uchar4* image, local float2* tile, struct body b) {
    int i = get_global_id(0);
    float4 v = (float4)(1, 2.5, bodies[i].position.xy), w = v.wzyx;
    int8 many = (int8)(size, steps[i % 3], (int2)(i));
    v.lo = w.hi;
    v.s31 += many.s0 ? w.even : 2;
    many <<= 2;
    many.hi.x++;
    tile[get_local_id(0)] = vload2(i, (global float*)image);
    barrier(CLK_LOCAL_MEM_FENCE);
    w = blend(v, b.tint, tile[0].y) * -v;
    float4 rest, *p = &rest;
    w += fract(w, p) + sin(w) * dot(w, v) - normalize(w);
    p->x = vload_half(0, bodies[i].mass);
    if (inside(v.xz, 0, rest.s12)) w[i & 3] = v[2];
    image[i] = convert_uchar4_sat_rte(select(w, rest, v < w) * 255.0f) ^ (uchar4)(1, 2, 3, 4);
    uint2 mask = (uint2)(0, 1);
    vstore4(as_float4(shuffle(many, (uint4)(3, 2, i, 0))), i, (global float*)image);
    do {
        v = as_int4(cross(v, w)) ? v : (float4)(length(w.xyz), mask.x, 0, i);
    } while (!inside(v.xy, 1, 2));
    bodies[i] = b;
}
