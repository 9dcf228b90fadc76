export void mandelbrot(uniform unsigned int out[], uniform int width, uniform float left, uniform float top,
                       uniform float step, uniform int limit, uniform int nx, uniform int ny, uniform int nz) {
    for (uniform int y = 0; y < ny; y++)
        foreach (x = 0 ... nx) {
            const float cx = left + x * step;
            const float cy = top + y * step;
            float zx = 0;
            float zy = 0;
            int i;
            for (i = 0; i < limit; i++) {
                const float xx = zx * zx;
                const float yy = zy * zy;
                if (xx + yy > 4.0f) break;
                zy = 2.0f * zx * zy + cy;
                zx = xx - yy + cx;
            }
            out[y * width + x] = i;
        }
}
