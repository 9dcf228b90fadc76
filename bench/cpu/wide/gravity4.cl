// One step of an n-body simulation, after AMD's sample.
__kernel void gravity4(__global const float4* pos, __global const float4* vel, __global float4* new_pos, int n,
                       float dt, float eps) {
    const unsigned int gid = get_global_id(0);
    float4 my = pos[gid];
    float4 acc = (float4)(0.0f, 0.0f, 0.0f, 0.0f);
    for (int j = 0; j < n; j++) {
        float4 r = pos[j] - my;
        float dist2 = r.x * r.x + r.y * r.y + r.z * r.z;
        float inv = 1.0f / sqrt(dist2 + eps);
        float s = pos[j].w * inv * inv * inv;
        acc.xyz += s * r.xyz;
    }
    float4 v = vel[gid] + acc * dt;
    v.w = 0.0f;
    new_pos[gid] = my + v * dt;
}
