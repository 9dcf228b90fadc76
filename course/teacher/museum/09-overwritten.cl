// The other work-item of a pair reads the element between the two stores.
kernel void k(global const int* in, global int* out) {
    local int tile[8];
    int l = get_local_id(0), i = get_global_id(0);
    tile[l] = in[i];
    barrier(CLK_LOCAL_MEM_FENCE);
    int other = tile[l ^ 1];
    barrier(CLK_LOCAL_MEM_FENCE);
    tile[l] = other + 1;
    barrier(CLK_LOCAL_MEM_FENCE);
    out[i] = tile[l];
}
