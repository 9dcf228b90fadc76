#define RADIUS 3
inline float gauss(float d2, float sigma) { return native_exp(-d2 / (2.0f * sigma * sigma)); }

__kernel void bilateral(__global const float* in, __global float* out, const int w, const int h, const float sigma_s,
                        const float sigma_r) {
    const int x = get_global_id(0);
    const int y = get_global_id(1);
    if (x >= w || y >= h) return;
    const float center = in[y * w + x];
    float sum = 0.0f, norm = 0.0f;
    for (int dy = -RADIUS; dy <= RADIUS; ++dy) {
        for (int dx = -RADIUS; dx <= RADIUS; ++dx) {
            const int xx = x + dx, yy = y + dy;
            if (xx < 0 || yy < 0 || xx >= w || yy >= h) continue;
            const float v = in[yy * w + xx];
            const float weight = gauss((float)(dx * dx + dy * dy), sigma_s) * gauss((v - center) * (v - center), sigma_r);
            sum += weight * v;
            norm += weight;
        }
    }
    out[y * w + x] = sum / norm;
}
