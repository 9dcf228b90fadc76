// SipHash-2-4 of records of 64-bit words.
#define ROTL(x, b) (ulong)(((x) << (b)) | ((x) >> (64 - (b))))
#define SIPROUND           \
    do {                   \
        v0 += v1;          \
        v1 = ROTL(v1, 13); \
        v1 ^= v0;          \
        v0 = ROTL(v0, 32); \
        v2 += v3;          \
        v3 = ROTL(v3, 16); \
        v3 ^= v2;          \
        v0 += v3;          \
        v3 = ROTL(v3, 21); \
        v3 ^= v0;          \
        v2 += v1;          \
        v1 = ROTL(v1, 17); \
        v1 ^= v2;          \
        v2 = ROTL(v2, 32); \
    } while (0)

__kernel void siphash(__global const ulong* data, __global ulong* out, int words, ulong k0, ulong k1) {
    size_t id = get_global_id(0), n = get_global_size(0);
    ulong v0 = 0x736f6d6570736575UL ^ k0, v1 = 0x646f72616e646f6dUL ^ k1;
    ulong v2 = 0x6c7967656e657261UL ^ k0, v3 = 0x7465646279746573UL ^ k1;
    for (int i = 0; i < words; i++) {
        ulong m = data[i * n + id];
        v3 ^= m;
        SIPROUND;
        SIPROUND;
        v0 ^= m;
    }
    ulong b = (ulong)words << 59;
    v3 ^= b;
    SIPROUND;
    SIPROUND;
    v0 ^= b;
    v2 ^= 0xff;
    SIPROUND;
    SIPROUND;
    SIPROUND;
    SIPROUND;
    out[id] = v0 ^ v1 ^ v2 ^ v3;
}
