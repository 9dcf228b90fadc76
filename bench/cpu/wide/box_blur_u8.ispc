static inline int mirror(int i, uniform int n) { return i < 0 ? -i - 1 : i >= n ? 2 * n - 1 - i : i; }
static inline uniform int mirror(uniform int i, uniform int n) { return i < 0 ? -i - 1 : i >= n ? 2 * n - 1 - i : i; }

export void box_blur_u8(uniform const uint8 input[], uniform uint8 out[], uniform int w, uniform int h, uniform int nx,
                        uniform int ny, uniform int nz) {
    foreach (y = 0 ... h, x = 0 ... w) {
        unsigned int total = 0;
        for (uniform int j = -2; j <= 2; j++)
            for (uniform int i = -2; i <= 2; i++) total += input[mirror(y + j, h) * w + mirror(x + i, w)];
        out[y * w + x] = (uint8)((total * 2 + 25) / 50);
    }
}

static inline void blur(uniform const uint8 input[], uniform uint8 out[], int x, uniform int y, uniform int w, uniform int h,
                        uniform bool inside) {
    uint16 total = 0;
    for (uniform int j = -2; j <= 2; j++) {
        uniform const uint8* uniform row = input + mirror(y + j, h) * w;
        for (uniform int i = -2; i <= 2; i++) total += inside ? row[x + i] : row[mirror(x + i, w)];
    }
    out[y * w + x] = (uint8)(((unsigned int)total * 2 + 25) / 50);
}

// Rows are uniform, and only the ends of a row look at the border.
export void box_blur_u8_expert(uniform const uint8 input[], uniform uint8 out[], uniform int w, uniform int h,
                               uniform int nx, uniform int ny, uniform int nz) {
    for (uniform int y = 0; y < h; y++) {
        foreach (x = 2 ... w - 2) blur(input, out, x, y, w, h, true);
        foreach (x = 0 ... 2) blur(input, out, x, y, w, h, false);
        foreach (x = w - 2 ... w) blur(input, out, x, y, w, h, false);
    }
}
