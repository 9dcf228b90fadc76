export void median3x3(uniform const uint8 src[], uniform uint8 dst[], uniform int w, uniform int h, uniform int nx,
                      uniform int ny, uniform int nz) {
    for (uniform int y = 0; y < h; y++)
        foreach (x = 0 ... w) {
            if (x == 0 || y == 0 || x == w - 1 || y == h - 1) {
                dst[y * w + x] = src[y * w + x];
            } else {
                uint8 v[9];
                uniform int k = 0;
                for (uniform int dy = -1; dy <= 1; dy++)
                    for (uniform int dx = -1; dx <= 1; dx++) {
                        v[k] = src[(y + dy) * w + (x + dx)];
                        k++;
                    }
                for (uniform int i = 0; i < 5; i++)
                    for (uniform int j = i + 1; j < 9; j++) {
                        const uint8 a = v[i];
                        const uint8 b = v[j];
                        v[i] = b < a ? b : a;
                        v[j] = b < a ? a : b;
                    }
                dst[y * w + x] = v[4];
            }
        }
}
