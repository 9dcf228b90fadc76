static inline int pixel(uniform const uint8 src[], int x, uniform int y, uniform int width) {
    return (int)src[y * width + x];
}

export void sobel_u8(uniform const uint8 src[], uniform uint8 dst[], uniform int width, uniform int height,
                     uniform int nx, uniform int ny, uniform int nz) {
    for (uniform int y = 0; y < height; y++) {
        const uniform int up = max(y - 1, 0);
        const uniform int down = min(y + 1, height - 1);
        foreach (x = 0 ... width) {
            const int left = max(x - 1, 0);
            const int right = min(x + 1, width - 1);
            const int a = pixel(src, left, up, width);
            const int b = pixel(src, x, up, width);
            const int c = pixel(src, right, up, width);
            const int d = pixel(src, left, y, width);
            const int f = pixel(src, right, y, width);
            const int g = pixel(src, left, down, width);
            const int h = pixel(src, x, down, width);
            const int i = pixel(src, right, down, width);
            const int gx = -a - 2 * d - g + c + 2 * f + i;
            const int gy = -a - 2 * b - c + g + 2 * h + i;
            dst[y * width + x] = (uint8)min(abs(gx) + abs(gy), 255);
        }
    }
}

// The border apart, so that the inside needs no clamps.
static inline void edge(uniform const uint8 src[], uniform uint8 dst[], int x, uniform int up, uniform int y,
                        uniform int down, int left, int right, uniform int width) {
    const int a = pixel(src, left, up, width);
    const int b = pixel(src, x, up, width);
    const int c = pixel(src, right, up, width);
    const int d = pixel(src, left, y, width);
    const int f = pixel(src, right, y, width);
    const int g = pixel(src, left, down, width);
    const int h = pixel(src, x, down, width);
    const int i = pixel(src, right, down, width);
    const int gx = -a - 2 * d - g + c + 2 * f + i;
    const int gy = -a - 2 * b - c + g + 2 * h + i;
    dst[y * width + x] = (uint8)min(abs(gx) + abs(gy), 255);
}

export void sobel_u8_expert(uniform const uint8 src[], uniform uint8 dst[], uniform int width, uniform int height,
                            uniform int nx, uniform int ny, uniform int nz) {
    for (uniform int y = 0; y < height; y++) {
        const uniform int up = max(y - 1, 0);
        const uniform int down = min(y + 1, height - 1);
        foreach (x = 1 ... width - 1) edge(src, dst, x, up, y, down, x - 1, x + 1, width);
        foreach (k = 0 ... 2) {
            const int x = k * (width - 1);
            edge(src, dst, x, up, y, down, max(x - 1, 0), min(x + 1, width - 1), width);
        }
    }
}
