#define ROTL(x, b) (unsigned int64)(((x) << (b)) | ((x) >> (64 - (b))))
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

export void siphash(uniform const unsigned int64 data[], uniform unsigned int64 out[], uniform int words,
                    uniform unsigned int64 k0, uniform unsigned int64 k1, uniform int nx, uniform int ny, uniform int nz) {
    foreach (id = 0 ... nx) {
        unsigned int64 v0 = 0x736f6d6570736575 ^ k0;
        unsigned int64 v1 = 0x646f72616e646f6d ^ k1;
        unsigned int64 v2 = 0x6c7967656e657261 ^ k0;
        unsigned int64 v3 = 0x7465646279746573 ^ k1;
        for (uniform int i = 0; i < words; i++) {
            unsigned int64 m = data[i * nx + id];
            v3 ^= m;
            SIPROUND;
            SIPROUND;
            v0 ^= m;
        }
        unsigned int64 b = (unsigned int64)words << 59;
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
}
