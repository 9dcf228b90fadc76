export void mandel_f64(uniform uint16 out[], uniform double x0, uniform double y0, uniform double step,
                       uniform int limit, uniform int nx, uniform int ny, uniform int nz) {
    for (uniform int py = 0; py < ny; py++)
        foreach (px = 0 ... nx) {
            const double cx = x0 + step * px;
            const double cy = y0 + step * py;
            double x = 0;
            double y = 0;
            int i = 0;
            while (x * x + y * y <= 4.0d && i < limit) {
                const double t = x * x - y * y + cx;
                y = 2 * x * y + cy;
                x = t;
                i++;
            }
            out[py * nx + px] = (uint16)i;
        }
}
