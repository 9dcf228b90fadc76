#define RADIUS 3
static inline float gauss(float d2, uniform float sigma) { return exp(-d2 / (2.0f * sigma * sigma)); }

export void bilateral(uniform const float input[], uniform float out[], uniform int w, uniform int h,
                      uniform float sigma_s, uniform float sigma_r, uniform int nx, uniform int ny, uniform int nz) {
    for (uniform int y = 0; y < h; y++)
        foreach (x = 0 ... w) {
            const float center = input[y * w + x];
            float sum = 0.0f;
            float norm = 0.0f;
            for (uniform int dy = -RADIUS; dy <= RADIUS; dy++) {
                const uniform int yy = y + dy;
                if (yy < 0 || yy >= h) continue;
                for (uniform int dx = -RADIUS; dx <= RADIUS; dx++) {
                    const int xx = x + dx;
                    if (xx < 0 || xx >= w) continue;
                    const float v = input[yy * w + xx];
                    const float weight =
                        gauss((float)(dx * dx + dy * dy), sigma_s) * gauss((v - center) * (v - center), sigma_r);
                    sum += weight * v;
                    norm += weight;
                }
            }
            out[y * w + x] = sum / norm;
        }
}
