static inline unsigned int hash(unsigned int k) {
    k ^= k >> 16;
    k *= 0x7feb352d;
    k ^= k >> 15;
    k *= 0x846ca68b;
    return k ^ (k >> 16);
}

export void hash_probe(uniform const unsigned int keys[], uniform const unsigned int table[], uniform int found[],
                       uniform unsigned int mask, uniform int nx, uniform int ny, uniform int nz) {
    foreach (i = 0 ... nx) {
        const unsigned int key = keys[i];
        unsigned int slot = hash(key) & mask;
        int result = -1;
        for (uniform int probes = 0; probes < 256; probes++) {
            const unsigned int t = table[slot];
            if (t == key) {
                result = slot;
                break;
            }
            if (t % 61 == 0) break;
            slot = (slot + 1) & mask;
        }
        found[i] = result;
    }
}
