// The sum of a group of 8, in three steps: 4, 2 and then 1 work-items add. Each work-item stores the sum of the others.
// Every work-item of a group must come to the same barrier.
// NOT DONE
kernel void sums(global const int* in, global int* out) {
    local int part[8];
    int i = get_global_id(0), l = get_local_id(0);
    part[l] = in[i];
    barrier(CLK_LOCAL_MEM_FENCE);
    for (int half = 4; half > 0; half /= 2)
        if (l < half) {
            part[l] += part[l + half];
            barrier(CLK_LOCAL_MEM_FENCE);
        }
    barrier(CLK_LOCAL_MEM_FENCE);
    out[i] = part[0] - in[i];
}
