// Bytes counted in the group's own bins first.
kernel void histogram_local(global const uint* data, global uint* bins, uint words_per_item) {
    local uint mine[256];
    const uint lid = get_local_id(0), wg = get_local_size(0);
    for (uint b = lid; b < 256; b += wg) mine[b] = 0;
    barrier(CLK_LOCAL_MEM_FENCE);
    uint at = get_group_id(0) * wg * words_per_item + lid;
    for (uint k = 0; k < words_per_item; ++k, at += wg) {
        const uint word = data[at];
        atomic_inc(&mine[word & 0xff]);
        atomic_inc(&mine[(word >> 8) & 0xff]);
        atomic_inc(&mine[(word >> 16) & 0xff]);
        atomic_inc(&mine[word >> 24]);
    }
    barrier(CLK_LOCAL_MEM_FENCE);
    for (uint b = lid; b < 256; b += wg)
        if (mine[b]) atomic_add(&bins[b], mine[b]);
}
