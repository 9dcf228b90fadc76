export void matmul_ikj(uniform const float a[], uniform const float b[], uniform float c[], uniform int n,
                       uniform int nx, uniform int ny, uniform int nz) {
    for (uniform int i = 0; i < nx; i++)
        for (uniform int k = 0; k < n; k++) {
            const uniform float factor = a[i * n + k];
            foreach (j = 0 ... n) c[i * n + j] += factor * b[k * n + j];
        }
}
