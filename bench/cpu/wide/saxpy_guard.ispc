export void saxpy_guard(uniform int n, uniform float alpha, uniform const float x[], uniform float y[],
                        uniform int nx, uniform int ny, uniform int nz) {
    foreach (i = 0 ... n) y[i] = alpha * x[i] + y[i];
}
