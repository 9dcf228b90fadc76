export void transpose_plain(uniform const float input[], uniform float out[], uniform unsigned int width,
                            uniform unsigned int height, uniform int nx, uniform int ny, uniform int nz) {
    for (uniform int y = 0; y < ny; y++)
        foreach (x = 0 ... nx) out[x * (uniform int)height + y] = input[y * (uniform int)width + x];
}

// Tiles that fit the first-level cache.
export void transpose_plain_expert(uniform const float input[], uniform float out[], uniform unsigned int width,
                                   uniform unsigned int height, uniform int nx, uniform int ny, uniform int nz) {
    for (uniform int y0 = 0; y0 < ny; y0 += 16)
        for (uniform int x0 = 0; x0 < nx; x0 += 16)
            for (uniform int x = x0; x < min(x0 + 16, nx); x++)
                foreach (y = y0 ... min(y0 + 16, ny)) out[x * ny + y] = input[y * nx + x];
}
