kernel void scan_hillis(global const uint* in, global uint* out, global uint* sums) {
    local uint buffer[2][256];
    const uint l = get_local_id(0), n = get_local_size(0);
    uint from = 0;
    buffer[0][l] = in[get_global_id(0)];
    barrier(CLK_LOCAL_MEM_FENCE);
    for (uint step = 1; step < n; step *= 2) {
        uint v = buffer[from][l];
        if (l >= step) v += buffer[from][l - step];
        buffer[1 - from][l] = v;
        from = 1 - from;
        barrier(CLK_LOCAL_MEM_FENCE);
    }
    out[get_global_id(0)] = buffer[from][l];
    if (l == n - 1) sums[get_group_id(0)] = buffer[from][l];
}
