export void sgemm(uniform const float a[], uniform const float b[], uniform float c[], uniform int n, uniform int nx,
                  uniform int ny, uniform int nz) {
    for (uniform int y = 0; y < n; y++)
        foreach (x = 0 ... n) {
            float sum = 0;
            for (uniform int k = 0; k < n; k++) sum += a[y * n + k] * b[k * n + x];
            c[y * n + x] = sum;
        }
}
