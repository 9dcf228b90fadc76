export void transpose_tile(uniform float odata[], uniform const float idata[], uniform int width, uniform int height,
                           uniform int nx, uniform int ny, uniform int nz) {
    for (uniform int y0 = 0; y0 < height; y0 += 16)
        for (uniform int x0 = 0; x0 < width; x0 += 16) {
            uniform float tile[16][17];
            for (uniform int y = 0; y < 16; y++)
                foreach (x = 0 ... 16) tile[y][x] = idata[(y0 + y) * width + x0 + x];
            for (uniform int x = 0; x < 16; x++)
                foreach (y = 0 ... 16) odata[(x0 + x) * height + y0 + y] = tile[y][x];
        }
}
