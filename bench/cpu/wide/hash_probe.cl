// Linear probing; multiples of 61 mark empty slots. Where a key is, or -1; at most 256 probes.
uint hash(uint k) {
    k ^= k >> 16;
    k *= 0x7feb352dU;
    k ^= k >> 15;
    k *= 0x846ca68bU;
    return k ^ (k >> 16);
}

__kernel void hash_probe(__global const uint* keys, __global const uint* table, __global int* found, uint mask) {
    const size_t i = get_global_id(0);
    const uint key = keys[i];
    uint slot = hash(key) & mask;
    int result = -1;
    for (int probes = 0; probes < 256; ++probes) {
        const uint t = table[slot];
        if (t == key) {
            result = slot;
            break;
        }
        if (t % 61 == 0) break;
        slot = (slot + 1) & mask;
    }
    found[i] = result;
}
