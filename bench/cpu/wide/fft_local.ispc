#define POINTS 256
export void fft_local(uniform float re[], uniform float im[], uniform int nx, uniform int ny, uniform int nz) {
    uniform float x[2][POINTS];
    uniform float y[2][POINTS];
    for (uniform int base = 0; base < 2 * nx; base += POINTS) {
        foreach (t = 0 ... POINTS) {
            x[0][t] = re[base + t];
            y[0][t] = im[base + t];
        }
        uniform int from = 0;
        for (uniform int size = 1; size < POINTS; size <<= 1) {
            foreach (t = 0 ... POINTS / 2) {
                const int k = t & (size - 1);
                const float angle = -3.14159274101257f * k / size;
                const float c = cos(angle);
                const float s = sin(angle);
                const float bx = x[from][t + POINTS / 2] * c - y[from][t + POINTS / 2] * s;
                const float by = x[from][t + POINTS / 2] * s + y[from][t + POINTS / 2] * c;
                const int to = ((t - k) << 1) + k;
                x[1 - from][to] = x[from][t] + bx;
                y[1 - from][to] = y[from][t] + by;
                x[1 - from][to + size] = x[from][t] - bx;
                y[1 - from][to + size] = y[from][t] - by;
            }
            from = 1 - from;
        }
        foreach (t = 0 ... POINTS) {
            re[base + t] = x[from][t];
            im[base + t] = y[from][t];
        }
    }
}
