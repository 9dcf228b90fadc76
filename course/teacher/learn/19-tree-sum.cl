kernel void sums(global const int* in, global int* out) {
    local int part[8];
    int i = get_global_id(0), l = get_local_id(0);
    part[l] = in[i];
    barrier(CLK_LOCAL_MEM_FENCE);
    for (int half = 4; half > 0; half /= 2) {
        if (l < half) part[l] += part[l + half];
        barrier(CLK_LOCAL_MEM_FENCE);
    }
    out[i] = part[0] - in[i];
}
