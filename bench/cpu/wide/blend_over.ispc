static inline unsigned int over(unsigned int s, unsigned int d, unsigned int keep) {
    return min(s + (d * keep + 127) / 255, (unsigned int)255);
}

export void blend_over(uniform const uint8 src[], uniform uint8 dst[], uniform int nx, uniform int ny,
                       uniform int nz) {
    foreach (i = 0 ... nx) {
        const unsigned int keep = 255 - src[4 * i + 3];
        for (uniform int c = 0; c < 4; c++) dst[4 * i + c] = (uint8)over(src[4 * i + c], dst[4 * i + c], keep);
    }
}

// A pixel as one word.
export void blend_over_expert(uniform const uint8 src[], uniform uint8 dst[], uniform int nx, uniform int ny,
                              uniform int nz) {
    uniform const unsigned int* uniform s = (uniform const unsigned int* uniform)src;
    uniform unsigned int* uniform d = (uniform unsigned int* uniform)dst;
    foreach (i = 0 ... nx) {
        const unsigned int a = s[i];
        const unsigned int b = d[i];
        const unsigned int keep = 255 - (a >> 24);
        d[i] = over(a & 255, b & 255, keep) | over((a >> 8) & 255, (b >> 8) & 255, keep) << 8 |
               over((a >> 16) & 255, (b >> 16) & 255, keep) << 16 | over(a >> 24, b >> 24, keep) << 24;
    }
}
