static inline uint8 clip(int v) { return (uint8)clamp(v, 0, 255); }

export void rgb_to_yuv(uniform const uint8 rgb[], uniform uint8 yuv[], uniform int nx, uniform int ny,
                       uniform int nz) {
    foreach (p = 0 ... nx) {
        const int i = p * 3;
        const int r = rgb[i];
        const int g = rgb[i + 1];
        const int b = rgb[i + 2];
        yuv[i] = clip(((66 * r + 129 * g + 25 * b + 128) >> 8) + 16);
        yuv[i + 1] = clip(((-38 * r - 74 * g + 112 * b + 128) >> 8) + 128);
        yuv[i + 2] = clip(((112 * r - 94 * g - 18 * b + 128) >> 8) + 128);
    }
}
