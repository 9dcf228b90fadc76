// How often each value occurs: counted in local memory by each work-group, then added to the result. A value
// outside the histogram ends its work-item with a trap.
kernel void histogram(global const uint* values, uint bins, local uint* counts, global uint* result) {
    uint i = get_local_id(0), n = get_local_size(0);
    for (uint b = i; b < bins; b += n) counts[b] = 0;
    barrier(CLK_LOCAL_MEM_FENCE);
    uint value = values[get_global_id(0)];
    if (value < bins) atomic_inc(&counts[value]);
    barrier(CLK_LOCAL_MEM_FENCE);
    for (uint b = i; b < bins; b += n) atomic_add(&result[b], counts[b]);
    if (value >= bins) throw value;
}
