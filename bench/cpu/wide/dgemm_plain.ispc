export void dgemm_plain(uniform const double a[], uniform const double b[], uniform double c[], uniform int n,
                        uniform double alpha, uniform double beta, uniform int nx, uniform int ny, uniform int nz) {
    for (uniform int i = 0; i < n; i++)
        foreach (j = 0 ... n) {
            double sum = c[i * n + j] * beta;
            for (uniform int k = 0; k < n; k++) sum += alpha * a[i * n + k] * b[k * n + j];
            c[i * n + j] = sum;
        }
}
