#define RADIUS 8
#define GROUP 128
export void convolve_rows(uniform const float src[], uniform float dst[], uniform const float weights[], uniform int w,
                          uniform int nx, uniform int ny, uniform int nz) {
    uniform float tile[GROUP + 2 * RADIUS];
    for (uniform int y = 0; y < ny; y++)
        for (uniform int x0 = 0; x0 < w; x0 += GROUP) {
            uniform const float* uniform row = src + y * w;
            foreach (k = 0 ... GROUP + 2 * RADIUS) {
                const int x = x0 + k - RADIUS;
                float v = 0;
                if (x >= 0 && x < w) v = row[x];
                tile[k] = v;
            }
            foreach (l = 0 ... GROUP) {
                float sum = 0;
                for (uniform int k = 0; k <= 2 * RADIUS; k++) sum += weights[k] * tile[l + k];
                dst[y * w + x0 + l] = sum;
            }
        }
}
