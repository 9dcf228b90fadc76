static inline void cell(uniform const uint8 now[], uniform uint8 next[], uniform int w, int left, int x, int right,
                        uniform int up, uniform int y, uniform int down) {
    const uint8 around = now[up * w + left] + now[up * w + x] + now[up * w + right] + now[y * w + left] +
                         now[y * w + right] + now[down * w + left] + now[down * w + x] + now[down * w + right];
    next[y * w + x] = (around == 3 || (around == 2 && now[y * w + x] != 0)) ? (uint8)1 : (uint8)0;
}

export void life_wrap(uniform const uint8 now[], uniform uint8 next[], uniform int w, uniform int h, uniform int nx,
                      uniform int ny, uniform int nz) {
    for (uniform int y = 0; y < h; y++) {
        const uniform int up = y == 0 ? h - 1 : y - 1;
        const uniform int down = y == h - 1 ? 0 : y + 1;
        foreach (x = 0 ... w) cell(now, next, w, x == 0 ? w - 1 : x - 1, x, x == w - 1 ? 0 : x + 1, up, y, down);
    }
}

// The inside of a row has no wrap.
export void life_wrap_expert(uniform const uint8 now[], uniform uint8 next[], uniform int w, uniform int h,
                             uniform int nx, uniform int ny, uniform int nz) {
    for (uniform int y = 0; y < h; y++) {
        const uniform int up = y == 0 ? h - 1 : y - 1;
        const uniform int down = y == h - 1 ? 0 : y + 1;
        foreach (x = 1 ... w - 1) cell(now, next, w, x - 1, x, x + 1, up, y, down);
        foreach (k = 0 ... 2) {
            const int x = k * (w - 1);
            cell(now, next, w, x == 0 ? w - 1 : x - 1, x, x == w - 1 ? 0 : x + 1, up, y, down);
        }
    }
}
