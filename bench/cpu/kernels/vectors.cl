// Arrays of vectors and structures, of which each work-item has one.

kernel void blend(global const float4* a, global const float4* b, global float4* out, float t) {
    int i = get_global_id(0);
    out[i] = a[i] + (b[i] - a[i]) * t;
}

kernel void tint(global const uchar4* in, global uchar4* out, float strength) {
    int i = get_global_id(0);
    float4 c = convert_float4(in[i]);
    float grey = 0.299f * c.x + 0.587f * c.y + 0.114f * c.z;
    c.xyz = mix((float3)(grey), c.xyz, strength);
    out[i] = convert_uchar4_sat(c);
}

struct particle {
    float x, y, z, vx, vy, vz;
};

kernel void drift(global struct particle* p, float dt, float drag) {
    int i = get_global_id(0);
    struct particle a = p[i];
    float speed = sqrt(a.vx * a.vx + a.vy * a.vy + a.vz * a.vz), keep = 1.0f - drag * speed * dt;
    a.vx *= keep;
    a.vy = a.vy * keep - 9.81f * dt;
    a.vz *= keep;
    a.x += a.vx * dt;
    a.y = fabs(a.y + a.vy * dt);
    a.z += a.vz * dt;
    p[i] = a;
}
