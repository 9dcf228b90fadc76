// Work-efficient scan of 256 elements by 128 work-items (GPU Gems 3).
__kernel void scan_blelloch(__global int* data, __local int* temp) {
    int thid = get_local_id(0);
    int n = get_local_size(0) * 2;
    __global int* g = data + get_group_id(0) * n;
    int offset = 1;
    temp[2 * thid] = g[2 * thid];
    temp[2 * thid + 1] = g[2 * thid + 1];
    for (int d = n >> 1; d > 0; d >>= 1) {
        barrier(CLK_LOCAL_MEM_FENCE);
        if (thid < d) {
            int ai = offset * (2 * thid + 1) - 1;
            int bi = offset * (2 * thid + 2) - 1;
            temp[bi] += temp[ai];
        }
        offset *= 2;
    }
    if (thid == 0) temp[n - 1] = 0;
    for (int d = 1; d < n; d *= 2) {
        offset >>= 1;
        barrier(CLK_LOCAL_MEM_FENCE);
        if (thid < d) {
            int ai = offset * (2 * thid + 1) - 1;
            int bi = offset * (2 * thid + 2) - 1;
            int t = temp[ai];
            temp[ai] = temp[bi];
            temp[bi] += t;
        }
    }
    barrier(CLK_LOCAL_MEM_FENCE);
    g[2 * thid] = temp[2 * thid];
    g[2 * thid + 1] = temp[2 * thid + 1];
}
