static const uniform uint8 alphabet[64] = {
    65, 66, 67, 68, 69, 70, 71, 72, 73, 74, 75, 76, 77, 78, 79, 80, 81, 82, 83, 84, 85, 86, 87, 88, 89, 90,
    97, 98, 99, 100, 101, 102, 103, 104, 105, 106, 107, 108, 109, 110, 111, 112, 113, 114, 115, 116, 117, 118,
    119, 120, 121, 122, 48, 49, 50, 51, 52, 53, 54, 55, 56, 57, 43, 47};

export void base64(uniform const uint8 input[], uniform uint8 out[], uniform int nx, uniform int ny, uniform int nz) {
    foreach (i = 0 ... nx) {
        const unsigned int v = ((unsigned int)input[3 * i] << 16) | ((unsigned int)input[3 * i + 1] << 8) | input[3 * i + 2];
        out[4 * i] = alphabet[(v >> 18) & 63];
        out[4 * i + 1] = alphabet[(v >> 12) & 63];
        out[4 * i + 2] = alphabet[(v >> 6) & 63];
        out[4 * i + 3] = alphabet[v & 63];
    }
}

static inline unsigned int letter(unsigned int k) {
    return k < 26 ? k + 65 : k < 52 ? k + 71 : k < 62 ? k - 4 : k == 62 ? 43 : 47;
}

// Letters by comparisons, and a word of four at once.
export void base64_expert(uniform const uint8 input[], uniform uint8 out[], uniform int nx, uniform int ny,
                          uniform int nz) {
    uniform unsigned int* uniform words = (uniform unsigned int* uniform)out;
    foreach (i = 0 ... nx) {
        const unsigned int v = ((unsigned int)input[3 * i] << 16) | ((unsigned int)input[3 * i + 1] << 8) | input[3 * i + 2];
        words[i] = letter((v >> 18) & 63) | letter((v >> 12) & 63) << 8 | letter((v >> 6) & 63) << 16 |
                   letter(v & 63) << 24;
    }
}
