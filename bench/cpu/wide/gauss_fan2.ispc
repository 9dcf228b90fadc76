// The same order of elements as in the kernel: lanes go down a column.
export void gauss_fan2(uniform float m[], uniform float a[], uniform float b[], uniform int size, uniform int t,
                       uniform int nx, uniform int ny, uniform int nz) {
    for (uniform int y = 0; y < size - t; y++)
        foreach (x = 0 ... size - 1 - t) {
            a[size * (x + 1 + t) + (y + t)] -= m[size * (x + 1 + t) + t] * a[size * t + (y + t)];
            if (y == 0) b[x + 1 + t] -= m[size * (x + 1 + t) + (y + t)] * b[t];
        }
}

// Along the rows.
export void gauss_fan2_expert(uniform float m[], uniform float a[], uniform float b[], uniform int size, uniform int t,
                              uniform int nx, uniform int ny, uniform int nz) {
    for (uniform int x = 0; x < size - 1 - t; x++) {
        const uniform float f = m[size * (x + 1 + t) + t];
        foreach (y = 0 ... size - t) a[size * (x + 1 + t) + (y + t)] -= f * a[size * t + (y + t)];
        b[x + 1 + t] -= f * b[t];
    }
}
