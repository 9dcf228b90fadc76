// Reverse the elements of each group of 4 through local memory. Something is missing.
kernel void reverse(global const int* in, global int* out) {
    local int tile[4];
    int i = get_global_id(0), l = get_local_id(0);
    tile[l] = in[i];
    barrier(CLK_LOCAL_MEM_FENCE);
    out[i] = tile[3 - l];
}
