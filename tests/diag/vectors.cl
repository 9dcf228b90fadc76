//---- operands
kernel void k(global float4* out, float4* unused, int4 i, float d) {
    float4 f = out[0];
    int2 two = 1;
    double x = d;
    f = f + i;
    f = f + x;
    f = f % f;
    f = ~f;
    i = i + two;
    i = 1 << i;
    i = i * 2.5f;
    uchar4 c = 1;
    c = c + 255;
    c = c + 256;
    c = c + i.x;
    d += f;
    f += i;
    if (f) d = 1;
    f = out + f;
}
//---- components
kernel void k(global float4* p) {
    float4 v = p[0];
    float2 w = v.xy;
    v.xx = w;
    v.xyzwx;
    w.z = 1;
    w.s2 = 1;
    v.q = 1;
    v.xs1 = w;
    v.x.y = 1;
    (v + v).x = 1;
    global float4* q = p;
    q.x = 1;
    v->x = 1;
    const float4 c = v;
    c.x = 1;
    float* a = &v.x;
    v[4] = 1;
    v[1.0f] = 1;
    w[p[0].x] = 1;
    (v + v)[(int)w.x] = 1;
    v = v.xyz;
}
//---- literals
kernel void k(global float4* p) {
    float4 v = (float4)(1, 2, 3);
    v = (float4)(1, 2, 3, v);
    v = (float4)((int2)(1), 1, 2);
    float4 w = {1, 2};
    float4 x = {1};
    float4 y[2] = {{1, 2, 3, 4, 5}, v};
    int4 i = (int4)v;
    float s = (float)v;
    struct pair {
        int a, b;
    } q;
    v = (float4)q;
}
constant float4 outside = (float4)(1, 2, 3, 4) * sqrt(2.0f);
//---- choices
kernel void k(global float4* p, int4 c) {
    float4 v = p[0];
    v = v ? v : v;
    v = c.xy ? v : v;
    double4 d = c ? 1.0 : 2.0;
    v = c ? v : c;
    v = 1 ? v : c;
    v = select(v, v, 1);
    v = select(v, v, (long4)(1));
}
//---- builtins
kernel void k(global float4* p, int4 i, global int4* q) {
    float4 v = p[0];
    v = sin(i);
    v = max(v, v.xy);
    v = pow(v, 2.0f);
    v = max(v, 2.0);
    i = max(i, (uint4)(1));
    i = max(i, 1);
    v = fract(v, q);
    v = dot(v, i);
    float8 e = 1;
    v.x = dot(e, e);
    v = cross(v.xy, v.xy);
    i = convert_int4(e);
    i = convert_int4(v.x);
    v = convert_float4_sat(i);
    i = as_int4(e);
    i.x = any(v);
    i = shuffle(i, i);
    v = vload4(0, p);
    vstore4(i, 0, (global float*)p);
    atomic_add(q, 1);
}
//---- halves
half value(half x) { return x; }
kernel void k(global half* p, constant half* c, global float* f) {
    half h;
    f[0] = p[0];
    p[1] = 1.0f;
    f[1] = vload_half(0, &p[2]);
    vstore_half(f[0], 0, c);
    vstore_half4(f[0], 0, p);
    f[2] = vload_half(0, f);
    half4 v;
    bool2 b;
}
//---- kernel_parameters
struct view {
    global int* data;
    int n;
};
struct table {
    float4 rows[65];
};
kernel void k(struct view v, struct table t, float16 fine) {
    float4 x = t.rows[0];
}
//---- copies
void helper(local int* tile, global int* p) {
    event_t e = async_work_group_copy(tile, p, 4, 0);
    wait_group_events(1, &e);
}
kernel void k(global int* p, local float* t, local int* u, global const int* c, event_t never) {
    event_t e = 1;
    e = async_work_group_copy(t, p, 4, e);
    e = async_work_group_copy(p, p + 8, 4, e);
    e = async_work_group_copy(c, u, 4, e);
    e = async_work_group_strided_copy(u, c, 4, e);
    wait_group_events(1, p);
    e = e + e;
    p[0] = e;
    p[1] = vec_step(struct nothing);
    p[2] = max(int, 2);
    p[3] = sin(float);
    uint4 b = sub_group_ballot(t);
    p[4] = sub_group_ballot_bit_count(u[0]);
    b = sub_group_ballot(b);
}
