// One file, several kernels: constants, private arrays, waves that wait, and a barrier that not all reach.
constant uint table[4] = {3, 1, 4, 1};

kernel void constants(global uint* out, double scale, uchar small) {
    size_t i = get_global_id(0);
    out[i] = table[i % 4] * 1000 + (uint)(scale * 2) + small;
}

kernel void arrays(global const uint* in, global ulong* out) {
    size_t i = get_global_id(0);
    uint a[8];
    for (int k = 0; k < 8; k++) a[(k * 3 + i) % 8] = in[i] + k;
    ulong sum = 0;
    for (int k = 0; k < 8; k++) sum = sum * 31 + a[k];
    out[i] = sum;
}

kernel __attribute__((reqd_work_group_size(8, 4, 2))) void reverse(global uint* data) {
    local uint all[64];
    uint i = get_local_id(0) + 8 * (get_local_id(1) + 4 * get_local_id(2));
    uint group = get_group_id(0) + get_num_groups(0) * (get_group_id(1) + get_num_groups(1) * get_group_id(2));
    all[i] = data[group * 64 + i];
    barrier(CLK_LOCAL_MEM_FENCE);
    data[group * 64 + i] = all[63 - i] + get_global_id(2);
}

kernel void uneven(global uint* out) {
    uint i = get_global_id(0);
    if (i % 128 < 64) barrier(CLK_GLOBAL_MEM_FENCE);
    else barrier(CLK_LOCAL_MEM_FENCE);
    out[i] = i;
}

#line 5 "refuse.h"
kernel void refuse(global uint* out) { throw out[get_global_id(0)]; }

struct settings {
    char sign;
    float4 weights;
};

kernel void weighted(struct settings s, int2 step, global float* out) {
    int i = get_global_id(0);
    out[i] = s.sign * (s.weights[i % 4] + step.x * (i / 4) + step.y);
}
